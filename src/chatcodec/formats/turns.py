"""What several families read off the messages of a chat: reasoning, the last query, groups of tool results."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from chatcodec.chat.check import refused
from chatcodec.chat.inputs import REASONING_NAMES, reasoning_of
from chatcodec.chat.plain import expect_plain
from chatcodec.chat.pointer import describe
from chatcodec.chat.types import Chat
from chatcodec.errors import TemplateRefused
from chatcodec.render.marks import Mark, elements, shows
from chatcodec.render.writer import WarningKind

ROLE_DROPPED = WarningKind("role-dropped", ("role",), "this format has no such role: the message is dropped")
CONTENT_DROPPED = WarningKind("content-dropped", ("content",), "content that is no string is dropped")
ROLE_PRINTED = WarningKind("role-printed", ("role",), "this format has no such role: it is printed as it is")

_RESPONSE, _RESPONSE_END = "<tool_response>", "</tool_response>"
Turn: TypeAlias = tuple[Any, Any, Mark]
"""A message, its role, and the mark that owns what is written for it."""

_REASONING = {name: shows(name) for name in REASONING_NAMES}
_NONE = shows()


def turns_of(chat: Chat) -> list[Turn]:
    """Return the messages of a chat with their roles and owners."""
    owners = elements("messages", len(chat.messages))
    return [(message, message.get("role"), owner) for message, owner in zip(chat.messages, owners, strict=False)]


def given_reasoning(message: Any) -> tuple[str | None, Mark]:
    """Return the reasoning that `message` has apart from its content, and its mark; None if that is no string."""
    reasoning = message.get("reasoning_content")
    if type(reasoning) is str:
        return reasoning, _REASONING["reasoning_content"]
    name, reasoning = reasoning_of(message)
    if name is not None and type(reasoning) is str:
        return reasoning, _REASONING[name]
    expect_plain(reasoning)
    return None, _NONE


def last_query(turns: Sequence[Turn], text_of: Callable[[Any, Mark], str]) -> int | None:
    """Return the position of the last user message that is no tool response in disguise; None if there is none.

    `text_of` gives the text of a user message and its owner; it is asked from the end, and no further than needed.
    """
    for position in range(len(turns) - 1, -1, -1):
        message, role, owner = turns[position]
        if role == "user":
            text = text_of(message, owner)
            if not (text.startswith(_RESPONSE) and text.endswith(_RESPONSE_END)):
                return position
    return None


def no_query(words: str, turns: Sequence[Turn]) -> TemplateRefused:
    """Return the error, in the template's `words`, where `last_query` finds none and there has to be one."""
    roles = ", ".join(dict.fromkeys(role if isinstance(role, str) else describe(role) for _, role, _ in turns))
    found = f"messages of role {roles}" if roles else "system messages only"
    return refused(words, ("messages",), found, f"a message of role user, and not only {_RESPONSE}...{_RESPONSE_END}")


def ends_group(turns: Sequence[Turn], position: int) -> bool:
    """Whether the message at `position` is the last of a run of messages with its role."""
    return position + 1 >= len(turns) or turns[position + 1][1] != turns[position][1]
