"""Tool definitions and tool calls, as several families read them from a chat and write them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from chatcodec.chat.check import invalid, need_object, need_text
from chatcodec.chat.plain import expect_plain
from chatcodec.chat.pointer import Path
from chatcodec.render.marks import NOBODY, Mark, elements, shows, within
from chatcodec.render.values import json_text
from chatcodec.render.writer import Emit
from chatcodec.reply.pieces import BARE, FUNCTION, CallMarks, TaggedCalls

_TOOL = shows(form="json")

TOOLS_INTRODUCTION = (
    "# Tools\n\nYou may call one or more functions to assist with the user query.\n\n"
    "You are provided with function signatures within <tools></tools> XML tags:\n<tools>"
)
"""How many system prompts, since Hermes, introduce tool definitions."""


def write_tools(emit: Emit, introduction: str, tools: Sequence[Any], instructions: str) -> None:
    """Write each tool definition as JSON on a line of its own, between two texts that are written for nobody."""
    emit((introduction,))
    for tool, owner in zip(tools, elements("tools", len(tools)), strict=True):
        emit((owner, "\n", _TOOL, json_text(tool)))
    emit((NOBODY, instructions))


@dataclass(frozen=True, slots=True)
class CallRules:
    """How a family's template reads the calls of a message.

    function: when the object under ``function`` is the call: if the key is ``present``, or if its value is ``true``.
    arguments: ``object``; ``optional``, an object or absent; ``any``, where text is kept and all else counts as none.
    passes_over: types that ``tool_calls`` may have instead of a list, and which count as no calls.
    """

    function: Literal["present", "true"]
    arguments: Literal["object", "optional", "any"]
    passes_over: tuple[type, ...] = ()

    def calls(self, message: Any, owner: Mark) -> Sequence[Any]:
        """Return the calls of an assistant message. Raises InvalidChat for what is neither a list nor passed over."""
        calls = message.get("tool_calls")
        if calls is None or isinstance(calls, (list, tuple)):
            return calls or ()
        expect_plain(calls)
        if calls and not isinstance(calls, self.passes_over):
            raise invalid((*owner.path, "tool_calls"), calls, "a list of tool calls")
        return ()

    def write(self, syntax: TaggedCalls, calls: Sequence[Any], owner: Mark, first: str, other: str, emit: Emit) -> None:
        """Write `calls` of the message `owner`, with the text `first` before the first and `other` before each other."""
        before = first
        for item, mark in zip(calls, within("tool_calls", len(calls)), strict=True):
            path = owner.path + mark.path
            call, marks = self._function(item, path)
            name = need_text(call.get("name"), path + marks.name.path)
            syntax.write(emit, mark, before, name, self._arguments(call, path + marks.arguments.path), marks)
            before = other

    def _function(self, item: Any, path: Path) -> tuple[dict[str, Any], CallMarks]:
        call = need_object(item, path)
        function = call.get("function")
        if function or (self.function == "present" and "function" in call):
            return need_object(function, (*path, "function")), FUNCTION
        expect_plain(function)
        return call, BARE

    def _arguments(self, call: dict[str, Any], path: Path) -> dict[str, Any] | str:
        arguments = call.get("arguments")
        if isinstance(arguments, dict) or (self.arguments == "any" and isinstance(arguments, str)):
            return arguments
        expect_plain(arguments)
        if self.arguments == "any" or (self.arguments == "optional" and "arguments" not in call):
            return {}
        return need_object(arguments, path)
