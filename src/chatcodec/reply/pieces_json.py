"""Pieces and hints as JSON data, and back.

Rules: what is None is left out, and calls name their ``syntax``. Reading is strict: a key that a piece does not have, a
value of another type, and a literal that no reader could read by are UnreadableInput with a JSON pointer. This module
goes by the fields that a piece declares, so it knows no piece but the syntaxes of calls.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from chatcodec.chat.pointer import Path, describe, pointer
from chatcodec.errors import UnreadableInput
from chatcodec.render.options import nearest_names
from chatcodec.reply.calls import WORDS
from chatcodec.reply.json_calls import JsonCalls
from chatcodec.reply.json_shape import members
from chatcodec.reply.keyed_calls import KeyedCalls
from chatcodec.reply.named_calls import NamedCalls
from chatcodec.reply.python_calls import PythonCalls
from chatcodec.reply.tagged import TaggedCalls

_SYNTAX: dict[str, type] = {
    "tagged": TaggedCalls,
    "json": JsonCalls,
    "named": NamedCalls,
    "keyed": KeyedCalls,
    "python": PythonCalls,
}
_MARKED = ("opening", "closing", "stops")
"""Names of fields whose texts are looked for in a reply: each must have more than white space in it."""
_OPTIONAL: Mapping[type, tuple[str, ...]] = {
    JsonCalls: ("opening", "closing"),
    NamedCalls: ("closing",),
    KeyedCalls: ("closing",),
    PythonCalls: ("closing",),
}
"""Names of such fields that may be empty."""
_BLANK = ("first", "after_content")
"""Names of fields that have white space only."""

Piece = TypeVar("Piece")


def unreadable(path: Path, found: str, accepted: str) -> UnreadableInput:
    """Return the error for what was `found` at `path` of data that somebody else wrote."""
    place = pointer(path)
    return UnreadableInput(f"{place}: found {found}, accepted: {accepted}".removeprefix(": "), place)


def unknown_key(path: Path, key: Any, known: list[str]) -> UnreadableInput:
    """Return the error for a `key` of the object at `path` that is none of the `known` ones."""
    nearest = nearest_names(key, known) if isinstance(key, str) else []
    hint = f"did you mean {' or '.join(nearest)}?" if nearest else f"accepted: {', '.join(known)}"
    return UnreadableInput(f"{pointer((*path, key))}: this key is not known; {hint}", pointer((*path, key)))


def piece_json(piece: Any) -> dict[str, Any]:
    """Return a piece as JSON data: `Pieces`, `Hints`, or any part of them."""
    data: dict[str, Any] = {}
    for name, syntax in _SYNTAX.items():
        if type(piece) is syntax:
            data["syntax"] = name
    for field in _declared(type(piece)):
        value = getattr(piece, field.name)
        if is_dataclass(value):
            data[field.name] = piece_json(value)
        elif value is not None:
            data[field.name] = list(value) if isinstance(value, tuple) else value
    return data


def piece_of(kind: type[Piece], data: object, path: Path = ()) -> Piece:
    """Return the piece of this `kind` that `piece_json` made `data` of. Raises UnreadableInput."""
    if not isinstance(data, Mapping):
        raise unreadable(path, describe(data), "an object")
    tagged = kind in _SYNTAX.values()
    types, declared = get_type_hints(kind), _declared(kind)
    known = [*(["syntax"] if tagged else []), *(field.name for field in declared)]
    for key in data:
        if key not in known:
            raise unknown_key(path, key, known)
    values = {
        field.name: _value(types[field.name], data[field.name], (*path, field.name))
        for field in declared
        if field.name in data
    }
    for field in declared:
        if field.name not in values and field.default is MISSING:
            raise unreadable((*path, field.name), "nothing", _accepted(types[field.name]))
    for name in _MARKED:
        optional = ("closing",) if path[-1:] == ("content",) else _OPTIONAL.get(kind, ())
        if values.get(name) != "" or name not in optional:
            _check_markers(values.get(name), (*path, name))
    for name in _BLANK:
        if values.get(name, "").strip():
            raise unreadable((*path, name), describe(values[name]), "white space")
    if tagged:
        _CHECKS[kind](values, path)
    return kind(**values)


def _declared(kind: type) -> list[Field[Any]]:
    return [field for field in fields(kind) if field.init]


def _value(hint: Any, data: Any, path: Path) -> Any:
    if get_origin(hint) is UnionType:
        kinds = [kind for kind in get_args(hint) if kind is not NoneType]
        if data is None and len(kinds) < len(get_args(hint)):
            return None
        return _value(kinds[0], data, path) if len(kinds) == 1 else _of_syntax(data, path)
    if get_origin(hint) is tuple:
        if not isinstance(data, (list, tuple)):
            raise unreadable(path, describe(data), _accepted(hint))
        return tuple(_value(str, item, (*path, index)) for index, item in enumerate(data))
    if get_origin(hint) is Literal:
        if data not in [choice for choice in get_args(hint) if type(choice) is type(data)]:
            raise unreadable(path, describe(data), _accepted(hint))
        return data
    if is_dataclass(hint):
        return piece_of(hint, data, path)  # type: ignore[arg-type]
    if type(data) is not hint:
        raise unreadable(path, describe(data), _accepted(hint))
    if hint is str:
        _check_unicode(data, path)
    return data


def _of_syntax(data: Any, path: Path) -> Any:
    if not isinstance(data, Mapping):
        raise unreadable(path, describe(data), "an object")
    syntax = data.get("syntax")
    if not isinstance(syntax, str) or syntax not in _SYNTAX:
        found = describe(syntax) if "syntax" in data else "nothing"
        raise unreadable((*path, "syntax"), found, " or ".join(map(json.dumps, _SYNTAX)))
    return piece_of(_SYNTAX[syntax], data, path)


def _accepted(hint: Any) -> str:
    if get_origin(hint) is tuple:
        return "a list of strings"
    if get_origin(hint) is Literal:
        return " or ".join(map(json.dumps, get_args(hint)))
    return {str: "a string", bool: "true or false"}.get(hint, "an object")


def _check_unicode(text: str, path: Path) -> None:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise unreadable(path, "half of a surrogate pair", "valid Unicode") from None


def _check_markers(value: Any, path: Path) -> None:
    texts = [(path, value)] if isinstance(value, str) else [((*path, i), text) for i, text in enumerate(value or ())]
    for place, text in texts:
        if not text.strip():
            raise unreadable(place, describe(text), "a marker: text that is not only white space")


def _check_tagged(values: Mapping[str, Any], path: Path) -> None:
    opening, _ = _cut(values["call"], ("{name}",), (*path, "call"))
    if not opening.strip():
        raise unreadable((*path, "call"), describe(values["call"]), "a marker before {name}")
    _check_pair(values["argument"], (*path, "argument"))
    other = values.get("other")
    if other is not None:
        _check_pair(other, (*path, "other"))
        ends = [re.split(r"\{(?:key|value)\}", text)[::2] for text in (values["argument"], other)]
        if ends[0] != ends[1]:
            raise unreadable((*path, "other"), describe(other), "what begins and ends as an argument does")


def _check_pair(argument: str, path: Path) -> None:
    before, between, behind = _cut(argument, ("{key}", "{value}"), path)
    if not (before.strip() and between and behind.strip()):
        accepted = "markers before {key} and behind {value}, and text between them"
        raise unreadable(path, describe(argument), accepted)


def _cut(text: str, slots: tuple[str, ...], path: Path) -> list[str]:
    """Return what of `text` stands between `slots`, each of which has to be there once, in this order."""
    parts = []
    rest = text
    for slot in slots:
        part, found, rest = rest.partition(slot)
        if not found or slot in rest or text.count(slot) > 1:
            raise unreadable(path, describe(text), f"a text with {' and then '.join(slots)} in it, once")
        parts.append(part)
    return [*parts, rest]


def _check_named(values: Mapping[str, Any], path: Path) -> None:
    call = values["call"]
    only_id = "{id}" in call and "{name}" not in call
    opening, _ = _cut(call, ("{id}" if only_id else "{name}",), (*path, "call"))
    beside = re.search(r"(name|id)\}\s*\{(name|id)\}", call)
    if not opening.partition("{id}")[0].strip() or call.count("{id}") > 1 or beside:
        accepted = "a marker before {name}, perhaps {id}, once, and text between them"
        raise unreadable((*path, "call"), describe(call), accepted)


def _check_keyed(values: Mapping[str, Any], path: Path) -> None:
    _check_named(values, path)
    for name, marker in (("opening", values["text"].opening), ("closing", values["text"].closing)):
        if marker != marker.strip():
            raise unreadable((*path, "text", name), describe(marker), "a marker without white space beside it")
    words = values.get("words", WORDS)
    if len({*words}) != len(WORDS) or any(not re.fullmatch(r"\w+", word) for word in words):
        raise unreadable((*path, "words"), describe(list(words)), "what is written for true, false and null")


def _check_json(values: Mapping[str, Any], path: Path) -> None:
    text = values["object"]
    brackets = values.get("list")
    if brackets is not None and (brackets.opening.strip(), brackets.closing.strip()) != ("[", "]"):
        raise unreadable((*path, "list"), describe(brackets.opening), "a block of [ and ], with white space")
    if members(text) is None:
        accepted = 'a JSON object with {name}, {arguments} and perhaps {id} in it, such as {"name": {name}, ...}'
        raise unreadable((*path, "object"), describe(text), accepted)


_CHECKS: dict[type, Callable[[Mapping[str, Any], Path], None]] = {
    TaggedCalls: _check_tagged,
    JsonCalls: _check_json,
    NamedCalls: _check_named,
    KeyedCalls: _check_keyed,
    PythonCalls: lambda _, __: None,
}
