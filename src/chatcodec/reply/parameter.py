"""How the text of one argument becomes a JSON value: by the kinds of value that its schema allows.

Rules: nothing is dropped and nothing guessed. A string is the raw text itself; all else may have white space around it
and keeps its spelling. What does not fit is kept, as the JSON value that it is, else as text. Where a text is several
of the kinds, the first counts, but a null before a string. It does not know schemas: see `schema`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias

from chatcodec.reply.literals import Literals, is_json, json_string, read_literal, whole_number

Fault = Literal["untyped", "ambiguous", "retyped", "does not fit"]

EVERY: Any = object()
Options: TypeAlias = dict[tuple[str, Any], None]
"""What a schema allows, in order: a kind, and the `key_of` the one value or EVERY. The kind "any" says nothing."""

ANYTHING: Options = {("any", EVERY): None}
KINDS = ("string", "integer", "number", "boolean", "object", "array", "null")
KIND_OF_VALUE = {
    str: "string", int: "number", float: "number", bool: "boolean", dict: "object", list: "array", tuple: "array",
    type(None): "null",
}  # fmt: skip
_KIND_OF_FIRST_CHARACTER = {
    "{": "object", "[": "array", **dict.fromkeys("tfTF", "boolean"), **dict.fromkeys("nN", "null"),
    **dict.fromkeys("-0123456789", "number"),
}  # fmt: skip
_NOWHERE = 1 << 60
_TRUTH = (object(), object())


class Value(NamedTuple):
    """A value as JSON text, which always parses under a strict parser, and what is to be said about it."""

    json: str
    fault: Fault | None


@dataclass(frozen=True, slots=True, eq=False)
class Parameter:
    """One parameter's schema, compiled.

    text: its value can only be a string, or nothing says what it is. streams: any text will do, so a piece can go out
    before the rest is there. sure: tells texts that are the value as they stand, and nothing else can be meant.
    """

    text: bool
    streams: bool
    sure: Callable[[str], object] | None
    _every: Mapping[str, int]  # the place of each kind that is allowed without a list of values
    _listed: Mapping[str, Mapping[Any, int]]  # the place of each listed value, by kind
    _first: Mapping[str, int]  # the first place of each kind, integers under number

    def read(self, raw: str, literals: Literals) -> Value:
        """Return the value that the text `raw` stands for; `literals` says how the format writes what is no string."""
        if self.sure is not None and self.sure(raw):
            return Value(raw, None)
        text = self._place("string", raw)
        fault: Fault | None = None
        if text == _NOWHERE:
            text = self._every.get("any", _NOWHERE)
            fault = "does not fit" if text == _NOWHERE else "untyped"
        if not self.text:
            word = raw.strip()
            kind = _KIND_OF_FIRST_CHARACTER.get(word[:1])
            if kind is not None and (kind in self._first or text == _NOWHERE):
                literal = read_literal(word, literals)
                if literal is not None:
                    return self._choose(raw, text, fault, kind, *literal)
        return Value(json_string(raw), fault)

    def fits(self, value: Any) -> bool:
        """Whether a decoded JSON value is of an allowed type, or a listed value. What is inside it is not looked at."""
        if "any" in self._every:
            return True
        kind = KIND_OF_VALUE.get(type(value), "number")  # if not there: a Decimal, a long integer from strict_json
        if kind == "number" and is_whole(value) and self._place("integer", value) < _NOWHERE:
            return True
        return self._place(kind, value) < _NOWHERE

    def _place(self, kind: str, value: Any) -> int:
        listed = self._listed.get(kind)
        place = self._every.get(kind, _NOWHERE)
        if not listed:
            return place
        try:
            return min(place, listed.get(key_of(value), _NOWHERE))
        except RecursionError:  # deeper than any listed value, since those have been through key_of
            return place

    def _choose(
        self, raw: str, text: int, fault: Fault | None, kind: str, written: str, value: Any, is_json: bool
    ) -> Value:
        """Choose between the text, at its place and with its fault, and the literal of `kind` that it is as well."""
        place, whole = self._place(kind, value), None
        if kind == "number" and type(value) is not float:
            place = min(place, self._place("integer", value))
        elif kind == "number" and place == _NOWHERE:
            whole = whole_number(written)
            if whole is not None and self._place("integer", int(whole)) == _NOWHERE:
                whole = None
        if place < _NOWHERE:
            if text == _NOWHERE:
                return Value(written, None)
            if not is_json:  # another format's word for it, where a text is allowed
                return Value(json_string(raw), None)
            # A null comes first wherever it is declared, unless the schema lists the string "null".
            first = place < text or (kind == "null" and raw not in self._listed.get("string", ()))
            return Value(written if first else json_string(raw), "ambiguous")
        if text < _NOWHERE:
            return Value(json_string(raw), fault if whole is None else "ambiguous")
        if whole is not None:
            return Value(whole, "retyped")
        listed_text = self._first.get("string", _NOWHERE) < self._first.get(kind, _NOWHERE)
        return Value(json_string(raw) if listed_text or not is_json else written, fault)


def is_whole(number: Any) -> bool:
    """Whether a number is an integer to JSON."""
    return type(number) is not float or number.is_integer()


def key_of(value: Any) -> Any:
    """Return something hashable that is equal for values that are equal in JSON: 1 and 1.0 are, 1 and true are not."""
    if isinstance(value, bool):
        return _TRUTH[value]
    if isinstance(value, (list, tuple)):
        return tuple([key_of(item) for item in value])
    if isinstance(value, dict):
        return frozenset([(name, key_of(item)) for name, item in value.items()])
    return value


def parameter_of(options: Options | None) -> Parameter:
    """Return the parameter that reads by these options; None says nothing."""
    if options is None:
        return UNTYPED
    if len(options) == 1:
        [(kind, key)] = options
        if key is EVERY:
            return _PARAMETERS[kind]
    return _compile(options)


def _compile(options: Options) -> Parameter:
    every: dict[str, int] = {}
    listed: dict[str, dict[Any, int]] = {}
    first: dict[str, int] = {}
    for place, (kind, key) in enumerate(options):
        first.setdefault("number" if kind == "integer" else kind, place)
        if key is EVERY:
            every[kind] = place
        else:
            listed.setdefault(kind, {})[key] = place
    text = bool(first) and first.keys() <= {"string", "any"}
    sure = _SURE.get(next(iter(every))) if len(options) == len(every) == 1 else None
    return Parameter(text, text and not listed, sure, every, listed, first)


_WHOLE = r"-?(?:0|[1-9][0-9]{0,17})"
_SURE: dict[str, Callable[[str], object]] = {
    "integer": re.compile(_WHOLE).fullmatch,
    "number": re.compile(rf"{_WHOLE}(?:\.[0-9]{{1,18}})?").fullmatch,
    "boolean": frozenset({"true", "false"}).__contains__,
    "object": lambda raw: is_json(raw, "{", "}"),
    "array": lambda raw: is_json(raw, "[", "]"),
}
PLAIN: dict[str, Options] = {kind: {(kind, EVERY): None} for kind in KINDS} | {"any": ANYTHING}
_PARAMETERS = {kind: _compile(options) for kind, options in PLAIN.items()}
UNTYPED = _PARAMETERS["any"]
NO_TEXT = _compile({(kind, EVERY): None for kind in KINDS if kind != "string"})
"""Of which nothing is said but that its value is no text."""
