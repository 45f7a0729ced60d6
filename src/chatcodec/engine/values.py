"""Values while a template runs: what they may be, and their attributes and items as jinja2's sandbox has them.

Rules: data is what JSON has, and tuples. Attributes come from a list for each type; what jinja2's sandbox forbids is
something that is not there, with the reason; what it would allow and no chat template needs is refused. No value is
changed. It knows nothing of spans: a text that has an origin is a ``str`` too.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NoReturn

from jinja2.filters import _GroupTuple
from jinja2.runtime import LoopContext
from markupsafe import Markup

from chatcodec.engine.faults import Fault, OverLimit, Unsafe
from chatcodec.engine.text import Fraction, Text, Whole
from chatcodec.engine.undefined import Undefined, type_name, undefined_member


class NotPlain(TypeError):
    """A value of the caller's is no plain data: it has to be copied before a template sees it."""


class Missing:
    """Stands for an argument that was not given."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "missing"


MISSING = Missing()
_LONGEST_NAME = 100  # of those that are remembered


class Namespace:
    """What ``namespace()`` gives: attributes that a template may set."""

    __slots__ = ("members",)

    def __init__(self, members: dict[str, Any]):
        self.members = members
        for name in members:
            self.check(name)

    def __setitem__(self, name: str, value: Any) -> None:
        self.check(name)
        self.members[name] = value

    @staticmethod
    def check(name: Any) -> None:
        """Refuse names with an underscore in front. Raises Unsafe."""
        if isinstance(name, str) and name.startswith("_"):
            raise Unsafe(f"a namespace has no attributes with an underscore in front, such as {name!r}")

    def __repr__(self) -> str:
        return f"<Namespace {self.members!r}>"


class Method:
    """A method of a value that was taken without calling it."""

    __slots__ = ("name", "owner")

    def __init__(self, owner: Any, name: str):
        self.owner, self.name = owner, name

    def __repr__(self) -> str:
        return f"<built-in method {self.name} of {type_name(self.owner)}>"


class Object:
    """What the engine gives to templates beside data: its public attributes are in ``attributes``."""

    attributes: frozenset[str] = frozenset()


LONGEST_KEY = 64
"""How many values a key of a dict may be made of."""
PLAIN: frozenset[type] = frozenset({str, int, float, bool, type(None), dict, list, tuple, Undefined})
ITERABLE: frozenset[type] = frozenset({str, dict, list, tuple, Undefined})
_LOOP = frozenset({
    "index0", "index", "first", "last", "length", "revindex", "revindex0", "previtem", "nextitem", "cycle", "changed",
    "depth", "depth0",
})  # fmt: skip


class View(Object):
    """What has the members of a dict, their names or their values, where they have origins; the dict is ``mapping``."""

    mapping: dict[Any, Any]


VIEWS: tuple[type, ...] = (type({}.items()), type({}.keys()), type({}.values()), View)
"""What has the members of a dict."""
_MADE = (Text, Whole, Fraction, Namespace, Method, Object, LoopContext, Markup, Iterator, range, _GroupTuple, *VIEWS)

_OBJECT = object()
METHODS: dict[type, frozenset[str]] = {
    str: frozenset({
        "capitalize", "casefold", "center", "count", "endswith", "expandtabs", "find", "format", "index", "isalnum",
        "isalpha", "isascii", "isdecimal", "isdigit", "isidentifier", "islower", "isnumeric", "isprintable", "isspace",
        "istitle", "isupper", "join", "ljust", "lower", "lstrip", "partition", "removeprefix", "removesuffix", "title",
        "replace", "rfind", "rindex", "rjust", "rpartition", "rsplit", "rstrip", "split", "splitlines", "startswith",
        "strip", "swapcase", "upper", "zfill",
    }),
    dict: frozenset({"copy", "get", "items", "keys", "values"}),
    list: frozenset({"copy", "count", "index"}),
    tuple: frozenset({"count", "index"}),
    range: frozenset({"count", "index"}),
    int: frozenset({"bit_length"}),
    float: frozenset({"is_integer"}),
}  # fmt: skip
"""The methods that a template may call, by the type of their owner."""
METHODS |= {Whole: METHODS[int], Fraction: METHODS[float]}
_CHANGES = {
    dict: frozenset({"clear", "pop", "popitem", "setdefault", "update"}),
    list: frozenset({"append", "clear", "extend", "insert", "pop", "remove", "reverse", "sort"}),
}


def plain(value: Any) -> Any:
    """Return a value that came out of the caller's data. Raises NotPlain."""
    return value if type(value) in PLAIN else not_plain(value)


def not_plain(value: Any) -> Any:
    """Return a value that is no plain data but the engine's own. Raises NotPlain for the caller's."""
    if isinstance(value, _MADE):
        return value
    raise NotPlain(f"{type(value).__name__} is not plain data")


def expect_plain(value: Any) -> None:
    """Refuse a container that holds anything but plain data and what the engine makes. Raises NotPlain."""
    seen: set[int] = set()
    left = [value]
    while left:
        each = left.pop()
        if type(each) not in PLAIN:
            not_plain(each)
        if isinstance(each, (dict, list, tuple)) and id(each) not in seen:
            seen.add(id(each))
            left += [*each, *each.values()] if isinstance(each, dict) else each


def expect_short_key(key: Any) -> None:
    """Refuse a key of many values: all of them are gone through whenever it is looked for. Raises OverLimit."""
    if not isinstance(key, tuple):
        return
    count, left = 0, [key]
    while left:
        each = left.pop()
        count += len(each)
        if count > LONGEST_KEY:
            raise OverLimit(f"a key of more than {LONGEST_KEY} values; the limit on items is reached", "items")
        left += [part for part in each if isinstance(part, tuple)]


def attribute(owner: Any, name: str) -> Any:
    """Return what ``owner.name`` is to a template."""
    cls = type(owner)
    if cls is dict and not hasattr(dict, name):
        found = owner.get(name, MISSING)
        return undefined_member(owner, name) if found is MISSING else plain(found)
    found = _own(owner, name)
    if found is not MISSING:
        return found
    if cls is dict and name in owner:
        return plain(owner[name])
    return undefined_member(owner, name)


def item(owner: Any, key: Any) -> Any:
    """Return what ``owner[key]`` is to a template."""
    cls = type(owner)
    if cls is str and type(key) is str and len(key) <= _LONGEST_NAME:
        missed = missed_by_texts(key)
        if missed is not None:
            return missed
    if cls is Undefined:
        owner._fail_with_undefined_error()
    if cls is dict or isinstance(owner, (list, tuple, range, str)):
        if isinstance(key, tuple):
            expect_short_key(key)
        try:
            return plain(owner[key])
        except (TypeError, LookupError) as error:
            if isinstance(error, NotPlain):
                raise
    if isinstance(key, str):
        found = _own(owner, key)
        if found is not MISSING:
            return found
    return undefined_member(owner, key)


@lru_cache(256)
def missed_by_texts(name: str) -> Undefined | None:
    """Return what a text has of a name that no text has; None if texts have it, or something like it."""
    return None if hasattr(str, name) else undefined_member("", name)


def _own(owner: Any, name: str) -> Any:
    """Return what an object itself has of that name, MISSING if nothing."""
    cls: type = str if isinstance(owner, str) else type(owner)
    if cls not in PLAIN:
        not_plain(owner)
    if cls is Undefined:
        return _unsafe(owner, name) if hasattr(_OBJECT, name) else owner._fail_with_undefined_error()
    if cls is Namespace:
        if name in owner.members:
            return owner.members[name]
        return _unsafe(owner, name) if hasattr(_OBJECT, name) else MISSING
    if cls is _GroupTuple:
        if name in ("grouper", "list"):
            return getattr(owner, name)
    elif cls is LoopContext:
        if name in _LOOP:
            return getattr(owner, name)
    elif isinstance(owner, Object):
        if name in owner.attributes:
            return getattr(owner, name)
        return _unsafe(owner, name) if name.startswith("_") else MISSING
    elif name in METHODS.get(cls, frozenset()):
        return Method(owner, name)
    if not hasattr(cls if cls is LoopContext else owner, name):
        return MISSING
    if name.startswith("_") or (cls in _CHANGES and name in _CHANGES[cls]):
        return _unsafe(owner, name)
    raise Unsafe(f"{name!r} of {type_name(owner)} is not for templates")


def _unsafe(owner: Any, name: str) -> Undefined:
    return Undefined(f"access to attribute {name!r} of {type_name(owner)!r} is unsafe.", Unsafe)


def expect_namespace(value: Any) -> None:
    """Refuse to set an attribute of anything but a namespace. Raises Fault."""
    if type(value) is not Namespace:
        no_namespace()


def no_namespace() -> NoReturn:
    """Say that something is no namespace."""
    raise Fault("cannot assign attribute on non-namespace object")
