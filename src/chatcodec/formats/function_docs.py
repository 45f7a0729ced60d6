'''Tool definitions as Python function docs, the way that Seed-OSS was trained to read them.

    Function:
    def NAME(KEY: TYPE,KEY: TYPE):
        """
        DESCRIPTION

        Args:
        - KEY (TYPE) [必填]: DESCRIPTION
        - KEY (TYPE) [选填]: DESCRIPTION
        Returns:
        - KEY (TYPE): DESCRIPTION
        """

Rules: a tool whose type is not ``function`` is left out; types are str, int, bool, list or Any; [必填] is required,
[选填] optional. What the reference prints for missing or odd parts of a schema is printed; where it fails this fails.
'''

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from chatcodec.chat.check import invalid, need_object
from chatcodec.chat.plain import expect_plain
from chatcodec.chat.pointer import Path
from chatcodec.render.marks import Mark, elements, member, member_key
from chatcodec.render.printed import Printed
from chatcodec.render.values import python_text
from chatcodec.render.writer import Emit, WarningKind, Writer

_TYPES = {"string": "str", "number": "int", "integer": "int", "boolean": "bool", "array": "list"}
_REQUIRED, _OPTIONAL = " [必填]", " [选填]"
_QUOTES = '    """'
_NAME, _DESCRIPTION = Printed("function", "name"), Printed("function", "description")
_TOOL_DROPPED = WarningKind("tool-dropped", ("type",), 'only tools of type "function" are described')


class _Members:
    """The members of one object of a tool: its parameters, or what it returns."""

    def __init__(self, *path: str):
        self.path = path
        self.key = member_key(*path)
        self.description = member(*path, tail=("description",))
        self.description_str = member(*path, form="str", tail=("description",))

    def line(self, name: str, type_and_word: str, spec: Any) -> tuple[str, ...]:
        """Return the pieces of a member's line."""
        before = ("\n    - ", self.key, name, f" ({type_and_word}: ")
        description = spec.get("description") if isinstance(spec, dict) else None
        expect_plain(description)
        if not description:
            return before
        if isinstance(description, str):
            return (*before, self.description, description)
        return (*before, self.description_str, python_text(description))


_PARAMETERS = _Members("function", "parameters", "properties")
_RETURNS = _Members("function", "returns", "properties")


def write_function_docs(tools: Sequence[Any], out: Writer) -> None:
    """Write the docs of each tool. The caller says who owns what follows."""
    for tool, owner in zip(tools, elements("tools", len(tools)), strict=False):
        if tool.get("type") == "function":
            _write_function(tool, owner, out.emit)
        else:
            out.warn((_TOOL_DROPPED, owner))


def _write_function(tool: Any, owner: Mark, emit: Emit) -> None:
    path = (*owner.path, "function")
    function = need_object(tool.get("function"), path)
    parameters = need_object(function.get("parameters"), (*path, "parameters"))
    properties = need_object(parameters.get("properties"), owner.path + _PARAMETERS.path)
    name = _NAME.of(function["name"]) if "name" in function else ()
    shown, description = _DESCRIPTION.of(function.get("description", ""))
    emit((owner, "\n\nFunction:\ndef ", *name, "("))
    signature, lines = _parameters(properties, parameters, path)
    emit(signature)
    emit(("):\n" + _QUOTES + "\n    ", shown, description.strip(), "\n\n"))
    if lines:
        emit(("    Args:", *lines))
    emit(("\n", *_returns(function.get("returns"), owner.path + _RETURNS.path), "\n" + _QUOTES))


def _parameters(properties: dict[Any, Any], parameters: Any, path: Path) -> tuple[tuple[str, ...], list[str]]:
    """Return the pieces of the signature, and of the lines under Args."""
    signature: list[str] = []
    lines: list[str] = []
    required = _required(parameters, (*path, "parameters", "required")) if properties else ()
    for key, spec in properties.items():
        name, kind = python_text(key), _type(spec)
        signature += (_PARAMETERS.key, name, f": {kind},")
        lines += _PARAMETERS.line(name, f"{kind}){_REQUIRED if key in required else _OPTIONAL}", spec)
    if signature:
        signature[-1] = signature[-1][:-1]
    return tuple(signature), lines


def _type(spec: Any) -> str:
    expect_plain(spec)
    kind = spec.get("type") if isinstance(spec, dict) else None
    return _TYPES.get(kind, "Any") if isinstance(kind, str) else "Any"


def _required(parameters: dict[str, Any], path: Path) -> Any:
    """Return what the names are looked up in: a list, but a text or an object will do, as in the reference."""
    required = parameters.get("required", ())
    expect_plain(required)
    if not isinstance(required, (list, tuple, dict, str)):
        raise invalid(path, required, "a list of names")
    return required


def _returns(returns: Any, path: Path) -> list[str]:
    expect_plain(returns)
    properties = returns.get("properties") if isinstance(returns, dict) else None
    expect_plain(properties)
    if not properties:
        return []
    lines = ["    Returns:"]
    for key, spec in need_object(properties, path).items():
        lines += _RETURNS.line(python_text(key), f"{_type(spec)})", spec)
    return lines
