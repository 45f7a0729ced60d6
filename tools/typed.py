"""What a value comes back as after it was written between two tags: the typing rules, written a second time.

Rules: it is told by the text of the value and the schema of its parameter alone, by the rules for arguments in the
documentation, and shares no code with the reader. It knows the schemas that `turns` makes: types and lists of types,
enum, const, nullable, anyOf, oneOf, allOf of one schema, and references to ``$defs``.
"""

from __future__ import annotations

import ast
import json
from decimal import Decimal
from itertools import takewhile
from typing import Any, Literal, TypeAlias

Style: TypeAlias = Literal["json", "python"]
"""How a format writes what is no string."""

EVERY = object()
NOTHING = object()
KINDS = ("string", "integer", "number", "boolean", "null", "object", "array")
_SHORT = {"str": "string", "int": "integer", "float": "number", "bool": "boolean", "dict": "object", "list": "array"}
_WORDS = {"True": True, "False": False, "None": None}
_MOST_DIGITS = 19


def allowed(schema: Any, root: Any) -> list[tuple[str, Any]]:
    """Return what a schema allows, in its order: kinds, each with a listed value or EVERY; empty if it says nothing."""
    if not isinstance(schema, dict):
        return []
    if "$ref" in schema:
        return allowed(root["$defs"][schema["$ref"].rpartition("/")[2]], root)
    if "allOf" in schema:
        [only] = schema["allOf"]
        return allowed(only, root)
    names = schema.get("type", [])
    kinds = [_SHORT.get(name, name) for name in ([names] if isinstance(names, str) else names)]
    found: list[tuple[str, Any]] = [(kind, EVERY) for kind in kinds]
    for word in ("anyOf", "oneOf"):
        found += [option for each in schema.get(word, ()) for option in allowed(each, root)]
    listed = schema.get("enum", [schema["const"]] if "const" in schema else None)
    if listed is not None:
        found = [(kind_of(value), value) for value in listed if not kinds or kind_of(value) in kinds]
    return [*found, ("null", EVERY)] if schema.get("nullable") is True else found


def kind_of(value: Any) -> str:
    """Return the kind of a JSON value; a number with a point is no integer."""
    if isinstance(value, bool):
        return "boolean"
    of_type = {str: "string", int: "integer", float: "number", dict: "object", list: "array", type(None): "null"}
    return of_type[type(value)]


def fits(value: Any, options: list[tuple[str, Any]]) -> bool:
    """Whether a value is among what is allowed; an integer is a number."""
    return not options or _place(value, options) is not None


def written(value: Any, style: Style) -> str:
    """Return the text of a value between its tags."""
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False) if style == "json" else str(value)


def read_back(value: Any, options: list[tuple[str, Any]], style: Style) -> Any:
    """Return what comes back of a value whose parameter has these options."""
    text = written(value, style)
    if all(kind == "string" for kind, _ in options):
        return text  # nothing is declared, or nothing but texts
    literal = spelled(text, style)
    if literal is NOTHING:
        return text
    text_at, literal_at = _place(text, options), _place(literal, options)
    foreign = style == "json" and text.strip() in _WORDS
    if literal_at is not None and text_at is not None and foreign:
        return text
    if literal_at is not None:
        null_wins = literal is None and ("string", text) not in options
        return literal if text_at is None or literal_at < text_at or null_wins else text
    if text_at is not None:
        return text
    whole = _whole(text, literal, options)
    if whole is not None:
        return whole
    before = takewhile(lambda option: _numbers(option[0]) != _numbers(kind_of(literal)), options)
    lists_texts = any(kind == "string" for kind, _ in before)
    return text if lists_texts or foreign else literal


def spelled(text: str, style: Style) -> Any:
    """Return the value that a text spells, if it spells one that is no string; else NOTHING."""
    word = text.strip()
    if word in _WORDS:
        return _WORDS[word]
    try:
        value = json.loads(word, parse_constant=_refuse)
    except ValueError:
        value = _python_value(word) if style == "python" and word[:1] in ("{", "[") else NOTHING
    if isinstance(value, str) or (isinstance(value, float) and abs(value) == float("inf")):
        return NOTHING
    return value


def _whole(text: str, literal: Any, options: list[tuple[str, Any]]) -> int | None:
    """Return the integer that a number with a point stands for, where an integer is declared."""
    if not isinstance(literal, float):
        return None
    whole = Decimal(text.strip())
    if whole != whole.to_integral_value() or len(str(abs(int(whole)))) > _MOST_DIGITS:
        return None
    return int(whole) if _place(int(whole), options) is not None else None


def _python_value(word: str) -> Any:
    try:
        value = ast.literal_eval(word)
        json.dumps(value)
    except (ValueError, TypeError, SyntaxError):
        return NOTHING
    return value


def _place(value: Any, options: list[tuple[str, Any]]) -> int | None:
    kinds = ("integer", "number") if kind_of(value) == "integer" else (kind_of(value),)
    for place, (kind, listed) in enumerate(options):
        if listed is EVERY:
            found = kind in kinds
        else:  # 1.0 is a listed 1, but true is not
            found = bool(listed == value) and _numbers(kind) == _numbers(kind_of(value))
        if found:
            return place
    return None


def _numbers(kind: str) -> str:
    return "number" if kind == "integer" else kind


def _refuse(word: str) -> Any:
    raise ValueError(word)
