"""What a line of JSONL says of a completion: its text, and what the text answers.

A line is the completion itself, a string; or an object with ``completion`` and, where wanted, ``prompt`` (a text),
``tools``, ``finish_reason``, ``tool_choice``, and options under ``options`` or ``chat_template_kwargs``. What else
stands there is passed over.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from chatcodec.chat.check import invalid, need_text
from chatcodec.chat.pointer import describe
from chatcodec.cli.chatfile import UNDER, objects, options_under, places_under
from chatcodec.errors import InvalidChat

_KNOWN = frozenset({"completion", "prompt", "tools", "finish_reason", "tool_choice", *UNDER})


@dataclass(frozen=True, slots=True)
class Completion:
    """A completion; None where nothing is said of it."""

    text: str
    prompt: str | None = None
    tools: list[Any] | None = None
    finish_reason: str | None = None
    tool_choice: Any = None
    options: dict[str, Any] = field(default_factory=dict)
    places: dict[str, str] = field(default_factory=dict)
    """The JSON pointer in the line of each option."""
    passed_over: tuple[str, ...] = ()


def completion_of(value: Any) -> Completion:
    """Return the completion that the JSON `value` of a line is. Raises InvalidChat with a pointer to what is wrong."""
    if isinstance(value, str):
        return Completion(value)
    if not isinstance(value, dict):
        found, accepted = describe(value), "a completion, which is a string, or an object with completion"
        raise InvalidChat(f"found {found}, accepted: {accepted}", None, found, accepted)
    return Completion(
        need_text(value.get("completion"), ("completion",)),
        _text(value, "prompt"),
        objects(value.get("tools"), ("tools",), "tool definitions"),
        _text(value, "finish_reason"),
        _choice(value.get("tool_choice")),
        options_under(value),
        places_under(value),
        tuple(name for name in value if name not in _KNOWN),
    )


def _text(value: dict[str, Any], name: str) -> str | None:
    return None if value.get(name) is None else need_text(value[name], (name,))


def _choice(value: Any) -> Any:
    if value is None or isinstance(value, (str, dict)):
        return value
    raise invalid(("tool_choice",), value, "auto, required, none, or an object that names a tool")
