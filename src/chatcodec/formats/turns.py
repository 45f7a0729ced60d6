"""What several families read off the messages of a chat: reasoning, the last query, groups of tool results."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from chatcodec.chat.inputs import REASONING_NAMES, reasoning_of
from chatcodec.chat.plain import expect_plain
from chatcodec.render.marks import Mark, shows

_RESPONSE, _RESPONSE_END = "<tool_response>", "</tool_response>"
_REASONING = {name: shows(name) for name in REASONING_NAMES}
_NONE = shows()


def given_reasoning(message: Any) -> tuple[str | None, Mark]:
    """Return the reasoning that `message` has apart from its content, and its mark; None if that is no string."""
    name, reasoning = reasoning_of(message)
    if name is None:
        return None, _NONE
    if isinstance(reasoning, str):
        return reasoning, _REASONING[name]
    expect_plain(reasoning)
    return None, _NONE


def last_query(roles: Sequence[Any], text_at: Callable[[int], str]) -> int | None:
    """Return the position of the last user message that is no tool response in disguise; None if there is none.

    `text_at` gives the text of the user message at a position; it is asked from the end, and no further than needed.
    """
    for position in range(len(roles) - 1, -1, -1):
        if roles[position] == "user":
            text = text_at(position)
            if not (text.startswith(_RESPONSE) and text.endswith(_RESPONSE_END)):
                return position
    return None


def ends_group(roles: Sequence[Any], position: int) -> bool:
    """Whether the message at `position` is the last of a run of messages with its role."""
    return position + 1 >= len(roles) or roles[position + 1] != roles[position]
