"""The tests of a template, ``x is NAME``: jinja2's own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from numbers import Number
from typing import Any

from markupsafe import Markup

from chatcodec.engine.running import Running
from chatcodec.engine.undefined import Undefined
from chatcodec.engine.values import Method, Object

_SEQUENCES = (str, list, tuple, range, dict, Undefined)


def _iterable(_: Running, value: Any) -> bool:
    try:
        iter(value)
    except TypeError:
        return False
    return True


def _sequence(_: Running, value: Any) -> bool:
    return isinstance(value, _SEQUENCES)


def _known(what: str) -> Callable[[Running, Any], bool]:
    def test(run: Running, value: Any) -> bool:
        return run.contained(value, getattr(run, what))

    return test


TESTS: Mapping[str, Callable[..., Any]] = {
    "boolean": lambda _, value: value is True or value is False,
    "callable": lambda _, value: callable(value) or isinstance(value, (Object, Method)),
    "defined": lambda _, value: type(value) is not Undefined,
    "divisibleby": lambda run, value, num: run.modulo(value, num) == 0,
    "escaped": lambda _, value: isinstance(value, Markup),
    "even": lambda run, value: run.modulo(value, 2) == 0,
    "false": lambda _, value: value is False,
    "filter": _known("filters"),
    "float": lambda _, value: isinstance(value, float),
    "in": lambda run, value, seq: run.contained(value, seq),
    "integer": lambda _, value: isinstance(value, int) and value is not True and value is not False,
    "iterable": _iterable,
    "lower": lambda run, value: run.read(run.text(value)).islower(),
    "mapping": lambda _, value: isinstance(value, Mapping),
    "none": lambda _, value: value is None,
    "number": lambda _, value: isinstance(value, Number),
    "odd": lambda run, value: run.modulo(value, 2) == 1,
    "sameas": lambda _, value, other: value is other,
    "sequence": _sequence,
    "string": lambda _, value: isinstance(value, str),
    "test": _known("tests"),
    "true": lambda _, value: value is True,
    "undefined": lambda _, value: type(value) is Undefined,
    "upper": lambda run, value: run.read(run.text(value)).isupper(),
}
_COMPARISONS: Mapping[tuple[str, ...], Callable[..., Any]] = {
    ("==", "eq", "equalto"): lambda run, a, b: run.compared(a, "==", b),
    ("!=", "ne"): lambda run, a, b: run.compared(a, "!=", b),
    (">", "gt", "greaterthan"): lambda run, a, b: run.compared(a, ">", b),
    (">=", "ge"): lambda run, a, b: run.compared(a, ">=", b),
    ("<", "lt", "lessthan"): lambda run, a, b: run.compared(a, "<", b),
    ("<=", "le"): lambda run, a, b: run.compared(a, "<=", b),
}
TESTS = {**TESTS, **{name: test for names, test in _COMPARISONS.items() for name in names}}
