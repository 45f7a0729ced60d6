"""The messages of which probe chats are made.

Rules: every text in them is a word of `probes`, which occurs nowhere else.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from chatcodec.templates import probes as words

Message = dict[str, Any]


def text(role: str, content: Any, **more: Any) -> Message:
    """Return a message with content, and what more it has."""
    return {"role": role, "content": content, **more}


def calling(*calls: Message, content: str = "", **more: Any) -> Message:
    """Return a message of the assistant that makes calls."""
    return text("assistant", content, tool_calls=list(calls), **more)


def result(index: int, **more: Any) -> Message:
    """Return the result of the call at `index`, with its word as content unless `more` says otherwise."""
    return {"role": "tool", "content": words.RESULTS[index], "tool_call_id": words.IDS[index], **more}


def with_arguments(index: int, **arguments: Any) -> Message:
    """Return a call with these arguments; with one that is a text, if none are given."""
    return words.call(index, arguments or {"kqvs": words.VALUES["kqvs"]})


def parts(*texts: str) -> list[Message]:
    """Return content as a list of text parts."""
    return [{"type": "text", "text": each} for each in texts]


USER: Final = text("user", words.USER)
NEXT_USER: Final = text("user", words.NEXT_USER)
SYSTEM: Final = text("system", words.SYSTEM)
NEXT_SYSTEM: Final = text("system", words.NEXT_SYSTEM)
DEVELOPER: Final = text("developer", words.DEVELOPER)
ASSISTANT: Final = text("assistant", words.CONTENT)
REASONED: Final = text("assistant", words.CONTENT, reasoning_content=words.REASONING)
CALL: Final = with_arguments(0)
CALLS: Final = (with_arguments(0), with_arguments(1, kqvt=words.VALUES["kqvt"]))

URL: Final = "https://example.com/uqvam"
MEDIA: Final[Sequence[Message]] = (
    {"type": "image", "image": URL},
    {"type": "image_url", "image_url": {"url": URL}},
    {"type": "audio", "audio": URL},
    {"type": "audio_url", "audio_url": {"url": URL}},
    {"type": "input_audio", "input_audio": {"data": "uqvam", "format": "wav"}},
    {"type": "video", "video": URL},
    {"type": "video_url", "video_url": {"url": URL}},
)
"""Parts as OpenAI's API, Hugging Face and vLLM write them."""
