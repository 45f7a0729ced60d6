"""Pieces: the parts of a reply's grammar, as data.

Each piece is declared once, in its format's file, and knows how to write itself; formats write turns with them.
Rules: a piece knows markers and value syntax, no family and no message. What stands between pieces (a blank line before
the first call) is the format's.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from chatcodec.render.marks import NOBODY, Mark, member, member_key, shows
from chatcodec.render.values import json_text, python_text
from chatcodec.render.writer import Emit


@dataclass(frozen=True, slots=True)
class Reasoning:
    """The markers around a turn's reasoning."""

    opening: str
    closing: str

    def split(self, content: str) -> tuple[str, str]:
        """Split content with inline markers: what is before the first closing marker, what is after the last.

        Newlines around both are dropped, and what lies between two closing markers is lost, as the templates do.
        Without a closing marker there is no reasoning. A `Captured` content gives Captured parts.
        """
        first = content.find(self.closing)
        if first < 0:
            return "", content
        reasoning = content[:first].rstrip("\n")
        opened = reasoning.rfind(self.opening)
        if opened >= 0:
            reasoning = reasoning[opened + len(self.opening) :]
        rest = content[content.rfind(self.closing) + len(self.closing) :]
        return reasoning.lstrip("\n"), rest.lstrip("\n")


@dataclass(frozen=True, slots=True)
class CallMarks:
    """Where a call has its name and arguments: at its top, or under ``function``."""

    id: Mark
    name: Mark
    name_json: Mark
    arguments: Mark
    arguments_json: Mark
    key: Mark
    value: Mark
    value_json: Mark
    value_str: Mark


def _call_marks(*prefix: str) -> CallMarks:
    arguments = (*prefix, "arguments")
    return CallMarks(
        id=shows("id", form="json"),
        name=shows(*prefix, "name"),
        name_json=shows(*prefix, "name", form="json"),
        arguments=shows(*arguments),
        arguments_json=shows(*arguments, form="json"),
        key=member_key(*arguments),
        value=member(*arguments),
        value_json=member(*arguments, form="json"),
        value_str=member(*arguments, form="str"),
    )


BARE = _call_marks()
FUNCTION = _call_marks("function")


@dataclass(frozen=True, slots=True)
class TaggedCalls:
    """Calls whose arguments are tagged pairs: string values raw, all others as ``values`` says.

    call: what opens a call, with ``{name}`` in it. argument: one pair, with ``{key}`` and ``{value}`` in it. closing:
    what ends a call.
    """

    call: str
    argument: str
    closing: str
    values: Literal["json", "str"]
    _cut: tuple[str, str, str, str, str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        opening, named = self.call.split("{name}")
        key_opening, rest = self.argument.split("{key}")
        object.__setattr__(self, "_cut", (opening, named, key_opening, *rest.split("{value}")))

    def write(
        self, emit: Emit, call: Mark, before: str, name: str, arguments: Mapping[str, Any] | str, marks: CallMarks
    ) -> None:
        """Write one call for the owner `call`; `before` is the text that the format puts in front of it.

        Arguments that are one string are written as the parameter ``arguments``.
        """
        opening, named, key_opening, value_opening, value_closing = self._cut
        emit((call, before + opening, marks.name, name))
        if isinstance(arguments, str):
            whole = f"{named}{key_opening}arguments{value_opening}"
            emit((whole, marks.arguments, arguments, value_closing + self.closing))
            return
        as_text, other = (json_text, marks.value_json) if self.values == "json" else (python_text, marks.value_str)
        between = named
        for key, value in arguments.items():
            shown, text = (marks.value, value) if isinstance(value, str) else (other, as_text(value))
            emit((between + key_opening, marks.key, key, value_opening, shown, text))
            between = value_closing
        emit((between + self.closing,))

    def example(self, name: str, **arguments: str) -> str:
        """Return the text of a call, for a prompt that shows how to write one."""
        pieces: list[str] = []
        self.write(pieces.extend, NOBODY, "", name, arguments, BARE)
        return "".join(pieces)


@dataclass(frozen=True, slots=True)
class JsonCalls:
    """Calls that are one JSON object in OpenAI's shape; each value is written as it was given.

    Between ``opening`` and ``closing`` stands
    ``{"id": ID, "type": "function", "function": {"name": NAME, "arguments": ARGUMENTS}}``.
    """

    opening: str
    closing: str

    def write(self, emit: Emit, call: Mark, call_id: Any, name: Any, arguments: Any) -> None:
        """Write one call for the owner `call`."""
        emit((
            call, self.opening + '{"id": ', FUNCTION.id, json_text(call_id),
            ', "type": "function", "function": {"name": ', FUNCTION.name_json, json_text(name),
            ', "arguments": ', FUNCTION.arguments_json, json_text(arguments), "}}" + self.closing,
        ))  # fmt: skip
