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

Rules: a tool whose type is not ``function`` is left out; types are str, int, bool, list or Any; [必填] is required, [选填]
optional. What the reference prints for missing or odd parts of a schema is printed, and where it fails this fails too.

'''

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from chatcodec.chat.check import invalid, need_object
from chatcodec.chat.plain import expect_plain
from chatcodec.chat.pointer import Path
from chatcodec.render.marks import Mark, elements, member, member_key, shows
from chatcodec.render.values import python_text
from chatcodec.render.writer import Caution, Emit, Writer

_TYPES = {"string": "str", "number": "int", "integer": "int", "boolean": "bool", "array": "list"}
TOOL_DROPPED = Caution("tool-dropped", ("type",), 'only tools of type "function" are described')
_QUOTES = '    """'


class _Members:
    """The marks of the members of one object: parameters, or results."""

    def __init__(self, *path: str):
        self.path = path
        self.key = member_key(*path)
        self.description = member(*path, tail=("description",))
        self.description_str = member(*path, form="str", tail=("description",))

    def write(self, members: dict[Any, Any], required: Any, emit: Emit) -> None:
        """Write a line for each member, with the word for required or optional unless `required` is None."""
        for name, spec in members.items():
            word = "" if required is None else " [必填]" if name in required else " [选填]"
            emit(("\n    - ", self.key, python_text(name), f" ({_type(spec)}){word}: "))
            description = spec.get("description") if isinstance(spec, dict) else None
            if description:
                text = python_text(description)
                emit((self.description if isinstance(description, str) else self.description_str, text))


_PARAMETERS = _Members("function", "parameters", "properties")
_RETURNS = _Members("function", "returns", "properties")
_NAME, _NAME_STR = (shows("function", "name", form=form) for form in ("value", "str"))
_DESCRIPTION, _DESCRIPTION_STR = (shows("function", "description", form=form) for form in ("value", "str"))


def write_function_docs(tools: Sequence[Any], out: Writer) -> None:
    """Write the docs of each tool. The caller says who owns what follows."""
    for tool, owner in zip(tools, elements("tools", len(tools)), strict=True):
        if tool.get("type") == "function":
            _write_function(tool, owner, out.emit)
        else:
            out.warn((TOOL_DROPPED, owner))


def _write_function(tool: Any, owner: Mark, emit: Emit) -> None:
    path = (*owner.path, "function")
    function = need_object(tool.get("function"), path)
    parameters = need_object(function.get("parameters"), (*path, "parameters"))
    properties = need_object(parameters.get("properties"), owner.path + _PARAMETERS.path)
    emit((owner, "\n\nFunction:\ndef ", *_printed(function, "name", _NAME, _NAME_STR), "("))
    for index, (name, spec) in enumerate(properties.items()):
        emit(("," if index else "", _PARAMETERS.key, python_text(name), f": {_type(spec)}"))
    shown, text = _printed(function, "description", _DESCRIPTION, _DESCRIPTION_STR)
    emit(("):\n" + _QUOTES + "\n    ", shown, text.strip(), "\n\n"))
    if properties:
        emit(("    Args:",))
        _PARAMETERS.write(properties, _required(parameters, (*path, "parameters", "required")), emit)
    emit(("\n",))
    returns = _returns(function.get("returns"), owner.path + _RETURNS.path)
    if returns:
        emit(("    Returns:",))
        _RETURNS.write(returns, None, emit)
    emit(("\n" + _QUOTES,))


def _printed(value: dict[str, Any], key: str, as_value: Mark, as_str: Mark) -> tuple[Mark, str]:
    if key not in value:
        return as_value, ""
    printed = value[key]
    return (as_value if isinstance(printed, str) else as_str), python_text(printed)


def _type(spec: Any) -> str:
    kind = spec.get("type") if isinstance(spec, dict) else None
    return _TYPES.get(kind, "Any") if isinstance(kind, str) else "Any"


def _required(parameters: dict[str, Any], path: Path) -> Any:
    """Return what the names are looked up in: a list, but a text or an object will do, as in the reference."""
    required = parameters.get("required", ())
    if not isinstance(required, (list, tuple, dict, str)):
        raise invalid(path, required, "a list of names")
    return required


def _returns(returns: Any, path: Path) -> dict[str, Any]:
    if not isinstance(returns, dict):
        expect_plain(returns)
        return {}
    properties = returns.get("properties")
    return need_object(properties, path) if properties else {}
