"""Tool definitions and tool calls, as several families read them from a chat and write them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from chatcodec.chat.check import invalid, missing, need_object, need_text
from chatcodec.chat.plain import expect_plain
from chatcodec.chat.pointer import Path
from chatcodec.errors import InvalidChat
from chatcodec.render.marks import NOBODY, Mark, derived, elements, shows, within
from chatcodec.render.remembered import definition_text
from chatcodec.render.values import json_text
from chatcodec.render.writer import Emit, WarningKind, Writer
from chatcodec.reply.calls import BARE, FUNCTION, CallMarks
from chatcodec.reply.json_calls import JsonCalls
from chatcodec.reply.tagged import TaggedCalls

_WHOLE = shows(form="json")
_CALLS = derived("tool_calls")

TOOLS_INTRODUCTION = (
    "# Tools\n\nYou may call one or more functions to assist with the user query.\n\n"
    "You are provided with function signatures within <tools></tools> XML tags:\n<tools>"
)
"""How many system prompts, since Hermes, introduce tool definitions."""

EXAMPLE = {
    "name": "example_function_name",
    "example_parameter_1": "value_1",
    "example_parameter_2": "This is the value for the second parameter\nthat can span\nmultiple lines",
}
"""The call with which two families' system prompts show their call syntax."""

CALLS_ODD = WarningKind("calls-odd", ("tool_calls",), "calls that are no list: each character or key is written as one")
CALLS_DROPPED = WarningKind("calls-dropped", ("tool_calls",), "calls that are no list are dropped")
ARGUMENTS_DROPPED = WarningKind("arguments-dropped", (), "arguments that are neither object nor text are dropped")
ARGUMENTS_AS_TEXT = WarningKind("arguments-as-text", (), 'text is printed as one parameter "arguments": parse it first')


def write_tools(emit: Emit, introduction: str, tools: Sequence[Any], instructions: str) -> None:
    """Write each tool definition as JSON on a line of its own, between two texts that are written for nobody."""
    emit((introduction,))
    for tool, owner in zip(tools, elements("tools", len(tools)), strict=False):
        emit((owner, "\n", _WHOLE, definition_text(tool)))
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

    def calls(self, message: Any, owner: Mark, out: Writer) -> Sequence[Any]:
        """Return the calls of an assistant message. Raises InvalidChat for what is no list and not passed over."""
        calls = message.get("tool_calls")
        if calls is None or type(calls) is list or type(calls) is tuple:
            return calls or ()
        expect_plain(calls)
        if calls and not isinstance(calls, self.passes_over):
            raise invalid((*owner.path, "tool_calls"), calls, "a list of tool calls")
        if calls:
            out.warn((CALLS_DROPPED, owner))
        return ()

    def write(self, syntax: TaggedCalls, calls: Sequence[Any], owner: Mark, content: bool, out: Writer) -> None:
        """Write `calls` of the message `owner`; `content` says whether content stands before them."""
        spacing = syntax.spacing
        before = spacing.after_content if content else spacing.first
        for item, mark in zip(calls, within("tool_calls", len(calls)), strict=False):
            function = item.get("function") if type(item) is dict else None
            if type(function) is dict:
                name, arguments = function.get("name"), function.get("arguments")
                if type(name) is str and type(arguments) is dict:
                    syntax.write(out.emit, mark, before, name, arguments, FUNCTION)
                    before = spacing.between
                    continue
            self._write_odd(syntax, item, owner, mark, before, out)
            before = spacing.between

    def _write_odd(self, syntax: TaggedCalls, item: Any, owner: Mark, mark: Mark, before: str, out: Writer) -> None:
        path = owner.path + mark.path
        call, marks = self._function(item, path)
        name = need_text(call.get("name"), path + marks.name.path)
        given, arguments = call.get("arguments"), self._arguments(call, path + marks.arguments.path)
        if given is not None and given is not arguments:
            out.warn((ARGUMENTS_DROPPED.at(mark.path + marks.arguments.path), owner))
        elif isinstance(arguments, str):
            out.warn((ARGUMENTS_AS_TEXT.at(mark.path + marks.arguments.path), owner))
        syntax.write(out.emit, mark, before, name, arguments, marks)

    def _function(self, item: Any, path: Path) -> tuple[dict[str, Any], CallMarks]:
        call = need_object(item, path)
        function = call.get("function")
        expect_plain(function)
        if function or (self.function == "present" and "function" in call):
            return need_object(function, (*path, "function")), FUNCTION
        return call, BARE

    def _arguments(self, call: dict[str, Any], path: Path) -> dict[str, Any] | str:
        arguments = call.get("arguments")
        expect_plain(arguments)
        if isinstance(arguments, dict) or (self.arguments == "any" and isinstance(arguments, str)):
            return arguments
        if self.arguments == "any" or (self.arguments == "optional" and "arguments" not in call):
            return {}
        return need_object(arguments, path)


def write_json_calls(syntax: JsonCalls, calls: Any, owner: Mark, out: Writer) -> None:
    """Write `calls` of the message `owner` as JSON, each with its id; one without ``function`` is written whole.

    Raises InvalidChat for what cannot be written.
    """
    if not isinstance(calls, (list, tuple)):
        _write_odd_calls(syntax, calls, owner, out)
        return
    emit, before = out.emit, syntax.spacing.between
    for call, mark in zip(calls, within("tool_calls", len(calls)), strict=False):
        expect_plain(call)
        function = call.get("function") if isinstance(call, dict) else None
        if function is None:
            emit((mark, before + syntax.opening, _WHOLE, json_text(call), syntax.closing))
            continue
        if type(function) is not dict:
            raise invalid((*owner.path, *mark.path, "function"), function, "an object")
        if not ("id" in call and "name" in function and "arguments" in function):
            raise _missing_field(call, function, owner.path + mark.path)
        syntax.write(emit, mark, before, call["id"], function["name"], function["arguments"])


def _missing_field(call: dict[str, Any], function: dict[str, Any], path: Path) -> InvalidChat:
    absent = "name" if "name" not in function else "arguments"
    place = (*path, "id") if "id" not in call else (*path, "function", absent)
    return missing(place, "any value: it is printed as JSON")


def _write_odd_calls(syntax: JsonCalls, calls: Any, owner: Mark, out: Writer) -> None:
    if not isinstance(calls, (str, dict)):
        raise invalid((*owner.path, "tool_calls"), calls, "a list of tool calls")
    out.warn((CALLS_ODD, owner))
    for item in calls:
        out.emit((owner, syntax.spacing.between + syntax.opening, _CALLS, json_text(item), syntax.closing))
