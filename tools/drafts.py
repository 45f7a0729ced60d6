"""A draft of the message that a turn comes back as: `canon` starts with the turn as it is, and its rules change it.

Rules: a draft has the turn's texts and calls, and what the rules have to know: the pieces of the format and the schemas
of the tools. It says nothing of its own about what a format keeps.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from chatcodec.reply.json_calls import JsonCalls
from chatcodec.reply.pieces import Hints, Pieces
from chatcodec.reply.tagged import TaggedCalls
from typed import Style, allowed, fits

SPACE = " \t\r\n"
NAMES_OF_REASONING = ("reasoning_content", "thinking", "reasoning")


@dataclass
class DraftCall:
    """One call.

    arguments: an object, or JSON text that comes back as it is. usable: whether a client gets it. plain: whether its
    status must be ok. response: what stands behind it in the same turn.
    """

    name: str
    arguments: Any
    id: Any = None
    bare: bool = False
    usable: bool = True
    plain: bool = True
    response: str | None = None


@dataclass
class Draft:
    """The turn, as far as the rules have been applied.

    opened: whether the prompt opens the reasoning. apart: whether the turn has reasoning beside its content. cut:
    whether a marker in its text ends it early. losses: the rules that changed it.
    """

    pieces: Pieces
    hints: Hints
    tools: Sequence[Any] | None
    options: Mapping[str, Any]
    reasoning: str | None
    content: Any
    calls: list[DraftCall] = field(default_factory=list)
    opened: bool = True
    apart: bool = False
    cut: bool = False
    losses: list[str] = field(default_factory=list)

    @property
    def opening(self) -> str:
        """The marker that opens reasoning."""
        assert self.pieces.reasoning is not None
        return self.pieces.reasoning.opening.strip()

    @property
    def closing(self) -> str:
        """The marker that closes reasoning."""
        assert self.pieces.reasoning is not None
        return self.pieces.reasoning.closing.strip()

    @property
    def spaces(self) -> tuple[str, str, str]:
        """The white space behind the opening marker, before the closing one, and behind that."""
        assert self.pieces.reasoning is not None
        opening, closing = self.pieces.reasoning.opening, self.pieces.reasoning.closing
        before = closing[: len(closing) - len(closing.lstrip())]
        return opening[len(opening.rstrip()) :], before, closing[len(closing.rstrip()) :]

    @property
    def tagged(self) -> TaggedCalls:
        """The syntax of calls, where it is one of tagged pairs."""
        assert isinstance(self.pieces.calls, TaggedCalls)
        return self.pieces.calls

    @property
    def style(self) -> Style:
        """How values that are no strings are written."""
        tagged = isinstance(self.pieces.calls, TaggedCalls)
        return "python" if tagged and self.tagged.values == "str" else "json"

    def parameters(self, name: str) -> Mapping[str, Any] | None:
        """Return the schema of a tool's arguments, empty if it has none; None if there is no such tool."""
        found = [tool["function"] for tool in self.tools or () if tool["function"]["name"] == name]
        return found[0].get("parameters", {}) if found else None

    def options_of(self, call: DraftCall, key: str) -> list[tuple[str, Any]]:
        """Return what the schema of an argument allows; nothing where nothing is declared."""
        root = self.parameters(call.name) or {}
        return allowed(root.get("properties", {}).get(key, root.get("additionalProperties")), root)

    def call(self, name: str, arguments: Any, **beside: Any) -> DraftCall:
        """Return a call, whose status must be ok if its tool is known, and each value fits one declared type."""
        call = DraftCall(name, dict(arguments) if isinstance(arguments, dict) else arguments, **beside)
        if isinstance(self.pieces.calls, JsonCalls) and self.pieces.calls.as_text:
            given = object_of(arguments) if isinstance(arguments, str) else None
        else:
            given = arguments if isinstance(arguments, dict) else None
        root, known = self.parameters(name), [self.options_of(call, key) for key in given or ()]
        told = isinstance(self.pieces.calls, TaggedCalls)
        precise = not told or all(len({kind for kind, _ in options}) == 1 for options in known)
        right = root is not None and precise and all(map(fits, (given or {}).values(), known))
        call.plain = given is not None and (self.tools is None or right)
        return call

    def values(self) -> Iterator[tuple[DraftCall, str, Any]]:
        """Yield each value of each call."""
        for call in self.calls:
            for key, value in list(call.arguments.items()):
                yield call, key, value

    @property
    def message(self) -> dict[str, Any]:
        """The message as a client gets it; arguments that are no text are compared by their value."""
        waiting = [(index, call) for index, call in enumerate(self.calls) if call.usable and call.response is None]
        message: dict[str, Any] = {"role": "assistant", "content": self.content or (None if waiting else "")}
        if self.reasoning:
            message["reasoning_content"] = self.reasoning
        if waiting:
            message["tool_calls"] = [
                {
                    "id": f"call_{index}" if call.id is None else call.id,
                    "type": "function",
                    "function": {"name": call.name, "arguments": call.arguments},
                }
                for index, call in waiting
            ]
        return message


def object_of(text: str) -> dict[str, Any] | None:
    """Return the object that a JSON text is, or None."""
    try:
        value = json.loads(text)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def reasoning_of(turn: Mapping[str, Any]) -> str | None:
    """Return the reasoning that a turn has apart from its content, under any of its names."""
    return next((turn[name] for name in NAMES_OF_REASONING if turn.get(name) is not None), None)


def without_end(text: str, space: str) -> str:
    """Return `text` without as much of `space` as is at its end."""
    size = next((size for size in range(len(space), 0, -1) if text.endswith(space[-size:])), 0)
    return text[: len(text) - size]


def without_start(text: str, space: str) -> str:
    """Return `text` without as much of `space` as is at its start."""
    size = next((size for size in range(len(space), 0, -1) if text.startswith(space[:size])), 0)
    return text[size:]


def without_opening(reasoning: str, draft: Draft) -> str:
    """Return `reasoning` without the marker that opens it, if it is there once more at the start."""
    text = reasoning.lstrip(SPACE)
    return (
        without_start(text.removeprefix(draft.opening), draft.spaces[0])
        if text.startswith(draft.opening)
        else reasoning
    )
