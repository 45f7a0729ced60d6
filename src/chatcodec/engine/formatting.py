"""Putting values into a text by its form: ``%`` and ``str.format``, charged before anything is made.

Rules: a form may not look into values, and says how wide a field is: that is read off the form, in linear time, as
Python reads it. It knows nothing of origins.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from string import Formatter
from typing import Any, NamedTuple

from markupsafe import EscapeFormatter, Markup

from chatcodec.engine.faults import Unsafe
from chatcodec.engine.running import Running

_BRACKET = re.compile(r"[()]")
_FIELD = re.compile(r"[-#0 +]*(?:(\*)|([0-9]+))?(?:\.(?:(\*)|([0-9]*)))?[hlL]?(.?)", re.DOTALL)
_DIGITS = re.compile(r"\d+")
_FLOAT = 340  # digits of the largest floating-point number, and some
_STEPS = 100  # for one field
_ESCAPED = 10  # a character in the longest notation, \U0001f600


class _Field(NamedTuple):
    """A field of a form of ``%``: its name, if it has one; its width and precision; whether values say those."""

    name: str | None
    width: int
    stars: bool
    kind: str


def charge_percent(run: Running, form: str, values: Any) -> None:
    """Charge what ``form % values`` may give."""
    many = values if isinstance(values, tuple) else (values,)
    run.steps((form.count("%") + len(many)) * _STEPS)
    size, stars, unnamed, largest = len(form), 0, 0, 1
    for field in _fields(form):
        stars += field.stars
        escaped = _ESCAPED if field.kind in ("r", "a") else 1
        size += field.width + (_FLOAT if field.kind in "eEfFgG" else 0)
        if field.name is None:
            unnamed += 1
            largest = max(largest, escaped)
        elif isinstance(values, dict) and field.name in values:
            size += run.printed(values[field.name]) * escaped
    if stars:
        size += sum(abs(value) for value in many if isinstance(value, int))
    if unnamed:
        size += largest * sum(run.printed(value) for value in many)
    if isinstance(form, Markup):
        size *= 6  # what is put in is escaped
    run.grow(size)


def _fields(form: str) -> Iterator[_Field]:
    """Yield the fields of a form of ``%``."""
    position = form.find("%")
    while position >= 0:
        position += 1
        name = None
        if form.startswith("(", position):
            end = _closing(form, position)
            if end < 0:
                return  # Python says that it is no form
            name, position = form[position + 1 : end], end + 1
        field = _FIELD.match(form, position)
        assert field is not None
        star, width, other_star, precision, kind = field.groups()
        yield _Field(name, _number(width) + _number(precision), bool(star or other_star), kind)
        position = form.find("%", field.end())


def _closing(form: str, opening: int) -> int:
    """Return where a bracket is closed, -1 if it is not."""
    depth, found = 1, _BRACKET.search(form, opening + 1)
    while found is not None:
        depth += 1 if found.group() == "(" else -1
        if not depth:
            return found.start()
        found = _BRACKET.search(form, found.end())
    return -1


def _number(digits: str | None) -> int:
    if not digits:
        return 0
    return int(digits) if len(digits) <= 12 else 10**12


class _Flat(Formatter):
    """Formats without looking into values."""

    def __init__(self, run: Running):
        self._run = run

    def get_field(self, field_name: str, args: Any, kwargs: Any) -> Any:
        self._run.steps(_STEPS)
        if re.search(r"[.\[]", field_name):
            raise Unsafe(f"a format may not look into values: {{{field_name[:100]}}}")
        return super().get_field(field_name, args, kwargs)

    def convert_field(self, value: Any, conversion: Any) -> Any:
        if conversion == "s":
            return self._run.text(value)
        if conversion is not None:
            self._run.grow(_ESCAPED * self._run.printed(value))
        return super().convert_field(value, conversion)

    def format_field(self, value: Any, format_spec: str) -> str:
        if not format_spec and not isinstance(value, (str, int, float)):
            return self._run.text(value)
        width = sum(min(_decimal(digits), 10**12) for digits in _DIGITS.findall(format_spec))
        self._run.grow(width + self._run.printed(value) + (value.bit_length() if isinstance(value, int) else 0))
        return str(super().format_field(value, format_spec))


def _decimal(digits: str) -> int:
    return int(digits) if len(digits) <= 12 else 10**12


class _FlatEscaping(EscapeFormatter, _Flat):
    def __init__(self, run: Running):
        _Flat.__init__(self, run)
        self.escape = Markup.escape


def formatted(run: Running, text: str, /, *args: Any, **kwargs: Any) -> str:
    """Return what ``text.format(...)`` gives."""
    run.steps(text.count("{") * _STEPS)
    run.made(len(text))
    if isinstance(text, Markup):
        made = _FlatEscaping(run).vformat(text, args, kwargs)
        run.made(len(made))
        return Markup(made)
    pieces = _pieces(run, text, args, kwargs) if run.is_own(text) else None
    if pieces is not None:
        return run.join_texts(pieces)
    made = _Flat(run).vformat(text, args, kwargs)
    return run.lost(made, text, *args, *kwargs.values())  # type: ignore[no-any-return]


def _pieces(run: Running, text: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> list[str] | None:
    """Return the pieces of a formatted text, if each field is a name or number and no more."""
    pieces: list[str] = []
    numbered = 0
    for literal, name, spec, conversion in Formatter().parse(text):
        pieces.append(run.literal(literal))
        if name is None:
            continue
        if spec or conversion or not (name == "" or name.isidentifier()):
            return None
        if name == "":
            value, numbered = args[numbered], numbered + 1
        else:
            value = kwargs[name]
        pieces.append(run.soft_text(value))
    return pieces
