"""Copies of anything as plain JSON data: what a template is allowed to see.

The rule is that of transformers 5.23 (`_plain_template_data`): subclasses of str, int and float become the bare type,
any mapping a dict, numpy scalars Python's, dataclasses and pydantic objects dicts, everything else a text that names
its type, such as ``<datetime>``. Lists stay lists and tuples tuples. The copy shares no container with the original.
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Mapping
from typing import Any

_MOST, _TIMES = 100_000, 16  # values of a copy, beside so many times those of the original
_PLAIN = frozenset({type(None), str, bool, int, float, dict, list, tuple})


def plain(value: Any) -> Any:
    """Return a deep copy of `value` in dicts, lists, tuples, str, int, float, bool and None.

    Raises RecursionError for data nested deeper than Python's stack, cycles included.
    """
    if value is None or type(value) in (str, int, float, bool):
        return value
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, int):
        return int.__int__(value)
    if isinstance(value, float):
        return float.__float__(value)
    if isinstance(value, Mapping):
        return {plain(key): plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, tuple):
        return tuple(plain(item) for item in value)
    return _plain_object(value)


def is_far_more(value: Any) -> bool:
    """Return whether a copy of `value` has far more values than it has: what occurs often is copied as often.

    Raises RecursionError for data nested deeper than Python's stack, cycles included.
    """
    known: dict[int, int] = {}

    def count(part: Any) -> int:
        if not isinstance(part, (dict, list, tuple)):
            return 1
        if id(part) not in known:
            known[id(part)] = 1 + sum(map(count, part.values() if isinstance(part, dict) else part))
        return known[id(part)]

    return count(value) > _MOST + _TIMES * sum(map(len, _containers(value)))


def _containers(value: Any) -> list[Any]:
    """Return the containers in a value, each once."""
    found: dict[int, Any] = {}
    left = [value]
    while left:
        each = left.pop()
        if isinstance(each, (dict, list, tuple)) and id(each) not in found:
            found[id(each)] = each
            left += each.values() if isinstance(each, dict) else each
    return list(found.values())


def expect_plain(value: Any) -> None:
    """Raise TypeError if `value` is not of a plain type itself, for code that is about to pass over it or test it."""
    if type(value) not in _PLAIN:
        raise TypeError(f"{type(value).__name__} is not plain data")


def _plain_object(value: Any) -> Any:
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(value, numpy.generic):
        return plain(value.item())
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if callable(getattr(value, "model_dump", None)):
        return plain(value.model_dump())
    return f"<{type(value).__name__}>"
