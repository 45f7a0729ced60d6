"""What a name, attribute or item is that is not there: jinja2's default ``Undefined``, with faults of the engine's.

It prints as nothing, is false, empty and iterable; any other use of it fails, and then says what was not there.
"""

from __future__ import annotations

from typing import Any

import jinja2
from jinja2.utils import object_type_repr

from chatcodec.engine.faults import Fault, UndefinedUse

_LONG = 100


class Undefined(jinja2.Undefined):
    """Something that is not there. ``error`` is what a use of it raises."""

    __slots__ = ()

    def __init__(self, words: str, error: type[Fault] = UndefinedUse):
        super().__init__(words, exc=error)  # type: ignore[arg-type]


def undefined_name(name: str) -> Undefined:
    """Return what a name is that nothing was assigned to."""
    return Undefined(f"{name!r} is undefined")


def undefined_member(owner: Any, name: Any) -> Undefined:
    """Return what an attribute or item of `owner` is that it does not have."""
    if not isinstance(name, str):
        return Undefined(f"{type_name(owner)} has no element {_said(name)}")
    return Undefined(f"{type_name(owner)!r} has no attribute {_said(name)}")


def _said(name: Any) -> str:
    """Return what a message calls a key: whatever it is, in a few words."""
    if isinstance(name, str):
        return repr(name if len(name) <= _LONG else name[:_LONG] + "…")
    if name is None or isinstance(name, float) or (isinstance(name, int) and name.bit_length() <= _LONG):
        return repr(name)
    return f"of type {type_name(name)}"


def type_name(value: Any) -> str:
    """Return what messages call the type of a value."""
    for plain in (str, bool, int, float):  # and not what the engine makes of them
        if isinstance(value, plain):
            return f"{plain.__name__} object"
    return object_type_repr(value)


DICT = type_name({})
