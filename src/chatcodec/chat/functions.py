"""A Python function as a tool definition: what `get_json_schema` of transformers 5.23 makes of hints and docstring.

    def book(city: str, nights: int = 1) -> str:     name          book
        '''Book a room.                              description   Book a room.
                                                     properties    city, nights: a JSON schema from the type hint,
        Args:                                                      with the description from the docstring
            city: Where (choices: ["Kyoto"])         enum          what follows "choices:", read as JSON
            nights: How long                         required      city, since it has no default
        Returns:
            A number                                 return        schema of the return hint, with this description
        '''

Rules: each parameter has a hint and a description; only a first ``self`` or ``cls`` without a hint is left out. A
section of the docstring begins at a line that holds its title alone, but a title *anywhere* in the text ends the one
before. A return hint that has no schema is left out. Refusals come in the words of transformers, where it has some.

It does not know the values of defaults, and it imports nothing: the classes of Pillow and PyTorch, which stand for
images and audio, are told by their names, whatever the version.
"""

from __future__ import annotations

import inspect
import json
import re
import types
from collections.abc import Callable, Sequence
from enum import Enum
from typing import Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

from chatcodec.chat.pointer import describe, pointer
from chatcodec.chat.types import Object
from chatcodec.errors import InvalidChat

_ARGS, _RETURNS, _RAISES = "Args:", "Returns:", "Raises:"
_CHOICES = re.compile(r"\(choices:", re.IGNORECASE)
_ACCEPTED = "a function with type hints and a Google docstring"

_SCALARS: dict[Any, str] = {int: "integer", float: "number", str: "string", bool: "boolean", type(None): "null"}
_BARE: dict[Any, str] = {**_SCALARS, list: "array", tuple: "array", dict: "object"}
_FOREIGN = {("PIL.Image", "Image"): "image", ("torch", "Tensor"): "audio"}


class _UnfitError(Exception):
    """What is wrong with a function, in the words of transformers."""


class _Docs(NamedTuple):
    """What a docstring says. ``returns`` is None without the section, and may be empty with it."""

    description: str
    arguments: dict[str, str]
    returns: str | None


def describe_function(function: Callable[..., Any], index: int) -> Object:
    """Return the definition of a Python function or method that is the tool at `index`.

    Raises InvalidChat that names the tool, whatever is wrong with the function.
    """
    name = getattr(function, "__name__", "operation")
    where = pointer(("tools", index))
    try:
        return _definition(function, name)
    except _UnfitError as error:
        raise InvalidChat(str(error), where, f"function {name}", _ACCEPTED) from None
    except Exception as error:  # anything: hints are expressions, which fail in their own ways
        problem = f"{where}: the function {name} cannot be described: {error}"
        raise InvalidChat(problem, where, f"function {name}", _ACCEPTED) from error


def _definition(function: Callable[..., Any], name: str) -> Object:
    text = inspect.getdoc(function)
    if not text:
        raise _UnfitError(f"Cannot generate JSON schema for {name} because it has no docstring!")
    docs = _read_docstring(text.strip())
    parameters, returned = _read_signature(function, name)
    for argument, schema in parameters["properties"].items():
        if argument not in docs.arguments:
            raise _UnfitError(
                f"Cannot generate JSON schema for {name} because the docstring has no description for the argument "
                f"'{argument}'"
            )
        _add_description(schema, docs.arguments[argument])
    described = {"name": name, "description": docs.description, "parameters": parameters}
    if returned is not None:
        described["return"] = returned if docs.returns is None else {**returned, "description": docs.returns}
    return {"type": "function", "function": described}


def _add_description(schema: Object, text: str) -> None:
    choices = _CHOICES.search(text)
    if choices and text.endswith(")"):
        listed = text[choices.end() : -1].lstrip()
        text = text[: choices.start()].strip()
        try:
            schema["enum"] = [choice.strip() if isinstance(choice, str) else choice for choice in json.loads(listed)]
        except (ValueError, TypeError, RecursionError):
            raise ValueError(f"its docstring has choices that are no JSON list: {describe(listed)}") from None
    schema["description"] = text


# The signature


def _read_signature(function: Callable[..., Any], name: str) -> tuple[Object, Object | None]:
    """Return the schema of all parameters, and that of the return hint (None where there is no hint, or no schema)."""
    hints = _hints(function)
    parameters = dict(inspect.signature(function).parameters)
    first = next(iter(parameters), "")
    if first in ("self", "cls") and parameters[first].annotation is inspect.Parameter.empty:
        # A function that was taken from its class: the model does not fill in the receiver.
        del parameters[first]
        hints.pop(first, None)
    for parameter in parameters.values():
        if parameter.annotation is inspect.Parameter.empty:
            raise _UnfitError(f"Argument {parameter.name} is missing a type hint in function {name}")
    properties = {argument: _schema(hint) for argument, hint in hints.items() if argument != "return"}
    schema: Object = {"type": "object", "properties": properties}
    required = [each.name for each in parameters.values() if each.default is inspect.Parameter.empty]
    if required:
        schema["required"] = required
    return schema, _returned(hints)


def _hints(function: Callable[..., Any]) -> dict[str, Any]:
    try:
        return get_type_hints(function)
    except Exception as error:  # anything: a hint in quotes is evaluated here
        raise ValueError(f"its type hints cannot be read: {error}") from error


def _returned(hints: dict[str, Any]) -> Object | None:
    if "return" not in hints:
        return None
    try:
        return _schema(hints["return"])
    except _UnfitError:
        return None  # the model never writes what is returned, so the tool is of use without it


def _schema(hint: Any) -> Object:
    origin, args = get_origin(hint), get_args(hint)
    if origin is None:
        return _schema_of_bare(hint)
    if origin is Union or origin is types.UnionType:
        return _schema_of_union(args)
    if origin is Literal and args:
        if not _are_scalars(args):
            raise _UnfitError("Only the valid python literals can be listed in typing.Literal.")
        return _one_of(args)
    if origin is list:
        return {"type": "array", "items": _schema(args[0])} if args else {"type": "array"}
    if origin is tuple:
        return _schema_of_tuple(hint, args)
    if origin is dict:
        # JSON's keys are text, whatever the hint says: only the second argument counts.
        return {"type": "object", "additionalProperties": _schema(args[1])} if len(args) == 2 else {"type": "object"}
    # A pair, since transformers gives its error two arguments here, and Python prints those as a tuple.
    raise _UnfitError(str(("Couldn't parse this type hint, likely due to a custom class or object: ", hint)))


def _schema_of_bare(hint: Any) -> Object:
    if isinstance(hint, type) and issubclass(hint, Enum):
        return _schema_of_enum(hint)
    if hint is Any:
        return {}
    name = _BARE.get(hint)
    if name is None and isinstance(hint, type):
        name = _FOREIGN.get((hint.__module__, hint.__qualname__))
    if name is None:
        raise _UnfitError(
            f"Couldn't convert the type hint {hint!r} to a JSON schema, likely because it is a custom class "
            "or object. Supported type hints are basic types like int, float, str and bool, Enum classes, "
            "typing.Literal, and list, tuple, dict and Union types containing those. If you need a more complex "
            "schema than that, you can write the JSON schema for your tool by hand and pass that instead "
            "of the function."
        )
    return {"type": name}


def _schema_of_enum(hint: type[Enum]) -> Object:
    values = [member.value for member in hint]
    if not values:
        raise _UnfitError(f"The Enum {hint.__name__} has no members, so no value could ever match it.")
    if not _are_scalars(values):
        raise _UnfitError(
            f"The Enum {hint.__name__} has member values that cannot be written as JSON scalars.\n"
            f"Values: {values}\n"
            "Enum member values must be int, float, str, bool or None to be converted to a JSON schema."
        )
    return _one_of(values)


def _schema_of_union(args: Sequence[Any]) -> Object:
    schemas = [_schema(arg) for arg in args if arg is not type(None)]
    if len(schemas) == 1:
        schema = schemas[0]
    elif all(list(each) == ["type"] for each in schemas):
        schema = {"type": _one_or_list(sorted({each["type"] for each in schemas}))}
    else:
        schema = {"anyOf": schemas}
    if len(schemas) < len(args):
        schema["nullable"] = True
    return schema


def _schema_of_tuple(hint: Any, args: Sequence[Any]) -> Object:
    if not args:
        return {"type": "array"}
    if len(args) == 1:
        raise _UnfitError(
            f"The type hint {str(hint).replace('typing.', '')} is a Tuple with a single element, which "
            "we do not automatically convert to JSON schema as it is rarely necessary. If this input can contain "
            "more than one element, we recommend "
            "using a list[] type instead, or if it really is a single element, remove the tuple[] wrapper and just "
            "pass the element directly."
        )
    if any(arg is ... for arg in args):
        raise _UnfitError(
            "Conversion of '...' is not supported in Tuple type hints. "
            "Use list[] types for variable-length inputs instead."
        )
    return {"type": "array", "prefixItems": [_schema(arg) for arg in args]}


def _one_of(values: Sequence[Any]) -> Object:
    names = list(dict.fromkeys(_SCALARS[type(value)] for value in values))
    return {"type": _one_or_list(names), "enum": list(values)}


def _one_or_list(names: list[str]) -> str | list[str]:
    return names[0] if len(names) == 1 else names


def _are_scalars(values: Sequence[Any]) -> bool:
    """Whether each value is of a type that JSON has: a subclass could not be told from it once it is written."""
    return all(type(value) in _SCALARS for value in values)


# The docstring


def _read_docstring(text: str) -> _Docs:
    arguments, returns = _section(text, _ARGS), _section(text, _RETURNS)
    return _Docs(
        description=_before(text, _ARGS, _RETURNS, _RAISES).strip(),
        arguments={} if arguments is None else _read_arguments(_before(arguments, _RETURNS, _RAISES)),
        returns=None if returns is None else _before(returns, _RAISES).strip(),
    )


def _section(text: str, title: str) -> str | None:
    """Return what follows the first line that holds `title` alone, neither the first line of all nor the last."""
    lines = text.split("\n")
    for number, line in enumerate(lines[:-1]):
        if number and line.lstrip() == title:
            return "\n".join(lines[number + 1 :])
    return None


def _before(text: str, *titles: str) -> str:
    found = [place for title in titles if (place := text.find(title)) >= 0]
    return text[: min(found, default=len(text))]


def _read_arguments(text: str) -> dict[str, str]:
    """Return the description of each argument, on one line.

    A line ``name: text`` begins an argument, unless it is indented deeper than the line that began the one before, or
    that one has no text yet. What comes before the first such line is passed over.
    """
    found: dict[str, list[str]] = {}
    current: list[str] | None = None
    indent = ""
    for line in text.split("\n"):
        said = line.strip()
        name, rest = _named(said)
        margin = line[: len(line) - len(line.lstrip(" \t"))]
        begins = name and line.startswith(name, len(margin))
        deeper = len(margin) > len(indent) and margin.startswith(indent)
        if begins and (current is None or (current and not deeper)):
            indent, said, current = margin, rest, []
            found[name] = current
        if current is not None and said:
            current.append(said)
    return {name: " ".join(lines) for name, lines in found.items()}


def _named(line: str) -> tuple[str, str]:
    name, colon, rest = line.partition(":")
    is_word = name.replace("_", "x").isalnum()
    return (name, rest.strip()) if colon and is_word else ("", "")
