"""The final message, left open for the model to continue (`continue_final_message` of transformers 5.23).

A tag is appended to the field, under each name that it came by, the chat is rendered, and the text is cut at the tag.
Formats know nothing of it. The field must be one that the template's source mentions; what a source mentions beyond the
fields of a chat is not known.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from chatcodec.chat.check import invalid
from chatcodec.chat.inputs import REASONING_NAMES, plain_chat, reasoning_of
from chatcodec.chat.pointer import Path, pointer
from chatcodec.chat.types import Chat
from chatcodec.errors import InvalidChat

_TAG = "CONTINUE_FINAL_MESSAGE_TAG "


def open_final_message(chat: Chat, wanted: bool | str, mentions: Callable[[str], bool]) -> tuple[Chat, str]:
    """Return a copy of `chat` whose final message ends in a tag, and the text that the tag follows.

    `wanted` is the field's name, or True for ``content``; `mentions` says whether the template's source has a word.
    Raises InvalidChat in the words of transformers.
    """
    field = wanted if isinstance(wanted, str) else "content"
    chat = plain_chat(chat)
    last = len(chat.messages) - 1
    message = chat.messages[last]
    named = _under_all_names(message)
    path = ("messages", last, field)
    value = named.get(field)
    if value is None:
        raise InvalidChat(
            f'continue_final_message is set but the final message has no "{field}" to continue!', pointer(path)
        )
    fields = [field]
    if field in REASONING_NAMES:
        fields = [name for name in REASONING_NAMES if named.get(name) == value]
    if not any(mentions(name) for name in fields):
        raise InvalidChat(
            f'continue_final_message is set to "{field}" but this is not an accepted field in the chat_template',
            pointer(path),
        )
    if isinstance(value, (list, tuple)):
        value = _tag_last_text(value, path)
    else:
        for name in fields:
            if message.get(name) is not None:
                message[name] = _tagged(message[name], path)
    return chat, value


def length_to_keep(text: str, final: str) -> int:
    """Return how much of the rendered `text` is there up to the tag that follows `final`.

    Raises InvalidChat, in the words of transformers, if the template did not print the final message as it is.
    """
    if final.strip() not in text or _TAG.strip() not in text:
        raise InvalidChat(
            "continue_final_message is set but the final message does not appear in the chat after applying the chat "
            "template! This can happen if the chat template deletes portions of the final message. Please verify the "
            "chat template and final message in your chat to ensure they are compatible."
            f"Final message to continue: {final.strip()}\nRendered chat:\n{text}",
            "/messages",
        )
    end = text.rindex(_TAG.strip())
    if text.startswith(_TAG, end):
        return end
    return len(text[:end].rstrip())


def _under_all_names(message: dict[str, Any]) -> dict[str, Any]:
    given = {key: value for key, value in message.items() if value is not None}
    name, reasoning = reasoning_of(given)
    return given if name is None else {"thinking": reasoning, **given, "reasoning_content": reasoning}


def _tag_last_text(parts: Any, path: Path) -> Any:
    for index in reversed(range(len(parts))):
        part = parts[index]
        if not isinstance(part, (dict, list, tuple, str)):
            raise invalid((*path, index), part, "a content part")
        if "text" not in part:
            continue
        if not isinstance(part, dict):
            raise invalid((*path, index), part, "an object with text")
        value = part["text"]
        part["text"] = _tagged(value, (*path, index, "text"))
        return value
    raise InvalidChat(
        "continue_final_message is set but we could not find any text to continue in the final message!", pointer(path)
    )


def _tagged(value: Any, path: Path) -> str:
    if not isinstance(value, str):
        raise invalid(path, value, "a string")
    return value + _TAG
