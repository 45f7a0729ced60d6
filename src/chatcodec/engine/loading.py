"""What the code that keeps origins calls by name: signs in the output, and values as they are loaded.

Rules: a string or number of the chat gets its origin when it is loaded to go somewhere; what has none, true and null,
stays as it is. It knows nothing of a run.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from markupsafe import Markup

from chatcodec.engine.text import KEY, STR, VALUE, Fraction, Text, Whole, unknown
from chatcodec.engine.undefined import Undefined
from chatcodec.engine.values import View


class Sign:
    """Something that is said in the output and is no text."""

    __slots__ = ("name",)

    def __init__(self, name: str):
        self.name = name

    def __repr__(self) -> str:
        return self.name


OPEN, CLOSE, GENERATION, BACK, NOTHING = map(Sign, ("OPEN", "CLOSE", "GENERATION", "BACK", "NOTHING"))


class Item(tuple[Any, Any]):
    """Says that what follows is written for an element of a list, which is no object: the list and the index."""

    __slots__ = ()


_new = str.__new__


def wrapped(value: Any, owner: Any, key: Any) -> Any:
    """Return a value that was loaded from ``owner[key]``, with that for its origin, if it can have one."""
    cls = type(value)
    if cls is str:
        text = _new(Text, value)
        text.origin = (owner, key, 0, VALUE)
        return text
    if cls is int:
        whole = Whole(value)
        whole.origin = (owner, key, 0, STR)
        return whole
    if cls is float:
        number = Fraction(value)
        number.origin = (owner, key, 0, STR)
        return number
    return value


class Members(View):
    """The members of a dict, their names or their values, each with its origin where it is gone through."""

    def __init__(self, view: str, owner: dict[Any, Any]):
        self._view, self._owner = view, owner
        self.mapping = owner

    def __iter__(self) -> Iterator[Any]:
        return iter(self._members())

    def __reversed__(self) -> Iterator[Any]:
        return iter(self._members()[::-1])

    def __len__(self) -> int:
        return len(self._owner)

    def __repr__(self) -> str:
        return repr(getattr(self._owner, self._view)())

    def _members(self) -> list[Any]:
        owner = self._owner
        if self._view == "keys":
            return [name_of(key, owner) for key in owner]
        if self._view == "values":
            return [wrapped(each, owner, key) for key, each in owner.items()]
        return [(name_of(key, owner), wrapped(each, owner, key)) for key, each in owner.items()]


def name_of(key: Any, owner: Any) -> Any:
    """Return the name of a member with its origin."""
    if type(key) is not str:
        return key
    name = _new(Text, key)
    name.origin = (owner, key, 0, KEY)
    return name


def loaded(owner: Any, key: Any, value: Any) -> Any:
    """Return a value that was loaded from ``owner[key]`` with that for its origin."""
    return wrapped(value, owner, key)


def expect_text(value: Any) -> Any:
    """Return an operand of a sum of texts. Raises TypeError for anything else."""
    if isinstance(value, str):
        return value if isinstance(value, (Text, Markup)) else unknown(value)
    if type(value) is Undefined:
        value._fail_with_undefined_error()
    raise TypeError(f'can only concatenate str (not "{type(value).__name__}") to str')


def item_mark(value: Any) -> Any:
    """Return what says that something is written for an item of a loop that is no object."""
    return Item(value.origin[:2]) if type(value) is Text else NOTHING
