"""Filters that take or give lists, and those that take a value as it is.

Rules: a filter takes the run first, then what the template gives. What goes through a list is charged by its length,
with as much for each item as may be done with it; what compares or sorts, by how large that is which it compares.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby as groupbykey
from typing import Any

from jinja2 import filters as theirs

from chatcodec.engine.faults import Fault
from chatcodec.engine.running import Running
from chatcodec.engine.undefined import Undefined, type_name
from chatcodec.engine.values import VIEWS, missed_by_texts, plain
from chatcodec.engine.values import attribute as attribute_of
from chatcodec.engine.weights import filter_weight

_EACH = 48  # steps for what is done with an item in any case
_PAIR = 12  # steps for a name and a value of a dict as one
_CHECKED = 20  # steps for a test of an item
_FINEST = 400  # digits of a precision
_MOST_DIGITS = 4300  # as many as Python reads by itself


class Getter:
    """Takes an attribute, by a path with dots, of a value; ``steps`` is what that costs."""

    def __init__(self, run: Running, name: Any, missing: Any = None):
        """Take the path, and what stands for what is not there."""
        self._run, self._missing = run, missing
        if isinstance(name, str):
            run.parts(name.count(".") + 1)
            self._parts: list[Any] = [int(part) if part.isdigit() else part for part in name.split(".")]
        else:
            self._parts = [] if name is None else [name]
        self.steps = _EACH * len(self._parts)

    @property
    def missed_by_texts(self) -> Undefined | None:
        """What it leads to from any text, if no text has that."""
        if len(self._parts) != 1 or self._missing is not None or type(self._parts[0]) is not str:
            return None
        return missed_by_texts(self._parts[0])

    def __call__(self, value: Any) -> Any:
        """Return what the path leads to."""
        for part in self._parts:
            value = self._run.item_of(value, part)
            if self._missing is not None and type(value) is Undefined:
                value = self._missing
        return value


def getter(run: Running, name: Any, missing: Any = None) -> Getter:
    """Return what takes an attribute of a value."""
    return Getter(run, name, missing)


# One by one


def default(_: Running, value: Any, default_value: Any = "", boolean: Any = False) -> Any:
    """Put something in place of what is not there."""
    return default_value if type(value) is Undefined or (boolean and not value) else value


def length(_: Running, value: Any) -> int:
    """Count its items."""
    return len(value)


def list_(run: Running, value: Any) -> list[Any]:
    """List its items."""
    if isinstance(value, str):
        run.parts(len(value))
    elif isinstance(value, (list, tuple, dict, range, *VIEWS)):
        run.items(len(value), _PAIR)  # type: ignore[arg-type]
    made = list(run.listed(value))
    run.items(len(made))
    return made


def first(run: Running, value: Any) -> Any:
    """Return the first item."""
    for each in run.listed(value):
        return plain(each)
    return Undefined("No first item, sequence was empty.")


def last(run: Running, value: Any) -> Any:
    """Return the last item."""
    if isinstance(value, (list, tuple, str)) and value:
        return plain(value[-1]) if isinstance(value, str) else run.item_of(value, -1)
    for each in reversed(value):
        return plain(each)
    return Undefined("No last item, sequence was empty.")


def items(run: Running, value: Any) -> Iterator[Any]:
    """Yield the members of a dict."""
    if type(value) is Undefined:
        return
    if not isinstance(value, Mapping):
        raise Fault("Can only get item pairs from a mapping.")
    run.steps(_PAIR * len(value))
    yield from run.pairs(value)


def reverse(run: Running, value: Any) -> Any:
    """Turn it round."""
    if isinstance(value, str):
        return run.stretch(value, slice(None, None, -1))
    try:
        return reversed(run.items_of(value))
    except TypeError:
        try:
            return run.whole(value)[::-1]
        except TypeError:
            raise Fault("argument must be iterable") from None


def map_(run: Running, value: Any, /, *args: Any, **kwargs: Any) -> Iterator[Any]:
    """Do the same with each item."""
    if value:
        change, weight = _change(run, args, kwargs)
        for each in run.listed(value, weight):
            yield change(each)


def _change(run: Running, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Callable[[Any], Any], int]:
    """Return what is done with each item, and what that costs."""
    if not args and "attribute" in kwargs:
        name = kwargs.pop("attribute")
        absent = kwargs.pop("default", None)
        if kwargs:
            raise Fault(f"Unexpected keyword argument {next(iter(kwargs))!r}")
        get = getter(run, name, missing=absent)
        return get, _EACH + get.steps
    if not args:
        raise Fault("map requires a filter argument")
    name, *rest = args
    if not isinstance(name, str):
        raise Fault("the name of a filter has to be a text")
    return lambda each: run.filter(name)(each, *rest, **kwargs), _EACH + filter_weight(name)


def _select(
    run: Running, value: Any, args: tuple[Any, ...], kwargs: dict[str, Any], keep: bool, attr: bool
) -> Iterator[Any]:
    if not value:
        return
    if attr and not args:
        raise Fault("Missing parameter for attribute name")
    get = getter(run, args[0] if attr else None)
    rest = args[1:] if attr else args
    if rest and not isinstance(rest[0], str):
        raise Fault("the name of a test has to be a text")
    check = None
    if type(value) is str and (missed := get.missed_by_texts) is not None:  # the same for each of its characters
        value = run.listed(value, _CHECKED + get.steps)
        check = run.test(rest[0]) if rest else bool
        if bool(check(missed, *rest[1:], **kwargs)) is keep:
            yield from value
        return
    for each in run.listed(value, _CHECKED + get.steps):
        if check is None:  # a test that is not there does not matter where there is no item
            check = run.test(rest[0]) if rest else bool
        if bool(check(get(each), *rest[1:], **kwargs)) is keep:
            yield each


def select(run: Running, value: Any, *args: Any, **kwargs: Any) -> Iterator[Any]:
    """Yield the items that pass a test."""
    return _select(run, value, args, kwargs, keep=True, attr=False)


def reject(run: Running, value: Any, *args: Any, **kwargs: Any) -> Iterator[Any]:
    """Yield the items that do not pass a test."""
    return _select(run, value, args, kwargs, keep=False, attr=False)


def selectattr(run: Running, value: Any, *args: Any, **kwargs: Any) -> Iterator[Any]:
    """Yield the items of which an attribute passes a test."""
    return _select(run, value, args, kwargs, keep=True, attr=True)


def rejectattr(run: Running, value: Any, *args: Any, **kwargs: Any) -> Iterator[Any]:
    """Yield the items of which an attribute does not pass a test."""
    return _select(run, value, args, kwargs, keep=False, attr=True)


def attr(_: Running, value: Any, name: Any) -> Any:
    """Return an attribute, never an item."""
    if not isinstance(name, str):
        raise Fault("attribute name must be string")
    if type(value) is dict and not hasattr(dict, name):
        return Undefined(f"{type_name(value)!r} has no attribute {name[:100]!r}")
    return attribute_of(value, name)


def batch(run: Running, value: Any, linecount: Any, fill_with: Any = None) -> Iterator[Any]:
    """Yield the items in lists of so many."""
    if fill_with is not None and isinstance(linecount, int):
        run.items(max(linecount, 0))
    yield from theirs.do_batch(run.whole(value, 16), linecount, fill_with)


def slice_(run: Running, value: Any, slices: Any, fill_with: Any = None) -> Iterator[Any]:
    """Yield the items in so many lists."""
    if isinstance(slices, int):
        run.items(max(slices, 0), 16)
    if isinstance(value, str):
        run.parts(len(value))
    yield from theirs.sync_do_slice(run.whole(value, 2), slices, fill_with)


# Sorted and compared


def dictsort(run: Running, value: Any, case_sensitive: Any = False, by: Any = "key", reverse: Any = False) -> list[Any]:
    """List the members of a dict in order."""
    if by not in ("key", "value"):
        raise Fault('You can only sort by either "key" or "value"')
    pairs = list(run.pairs(value))
    return _sorted(run, pairs, [pair[by == "value"] for pair in pairs], case_sensitive, reverse)


def sort(
    run: Running, value: Any, reverse: Any = False, case_sensitive: Any = False, attribute: Any = None
) -> list[Any]:
    """List the items in order."""
    names = attribute.split(",") if isinstance(attribute, str) else [attribute]
    getters = [getter(run, name) for name in names]
    taken = run.whole(value, _EACH + sum(get.steps for get in getters))
    keys = [[_folded(run, get(each), case_sensitive) for get in getters] for each in taken]
    return _sorted(run, taken, keys, True, reverse)


def _sorted(run: Running, many: Any, keys: list[Any], case_sensitive: Any, reverse: Any = False) -> list[Any]:
    """Return values in the order of their keys."""
    order = _comparable(run, keys, case_sensitive, len(keys).bit_length())
    listed = list(many)
    return [listed[index] for index in sorted(range(len(listed)), key=order.__getitem__, reverse=reverse)]


def _comparable(run: Running, keys: Sequence[Any], case_sensitive: Any, times: int) -> list[Any]:
    """Return keys as they are compared, each about as often as `times` says; charge that."""
    folded = [_folded(run, key, case_sensitive) for key in keys]
    run.items(len(folded), _EACH)
    run.steps((run.weigh(folded).size >> 2) * times)
    return folded


def _folded(run: Running, key: Any, case_sensitive: Any) -> Any:
    return key if case_sensitive or not isinstance(key, str) else run.cased(key).lower()


def groupby(run: Running, value: Any, attribute: Any, default: Any = None, case_sensitive: Any = False) -> list[Any]:
    """List groups of items that have an attribute in common."""
    get = getter(run, attribute, missing=default)
    taken = list(run.whole(value, 2 * _EACH + get.steps))
    order = _comparable(run, [get(each) for each in taken], case_sensitive, len(taken).bit_length() + 1)
    groups = []
    for _, group in groupbykey(sorted(range(len(taken)), key=order.__getitem__), key=order.__getitem__):
        members = [taken[index] for index in group]
        groups.append(theirs._GroupTuple(get(members[0]), members))
    return groups


def unique(run: Running, value: Any, case_sensitive: Any = False, attribute: Any = None) -> Iterator[Any]:
    """Yield the items that were not there before."""
    get = getter(run, attribute)
    taken = run.whole(value, _EACH + get.steps)
    keys = _comparable(run, [get(each) for each in taken], case_sensitive, 1)
    run.keys(keys)
    seen = set()
    for each, key in zip(taken, keys, strict=True):
        if key not in seen:
            seen.add(key)
            yield each


def _extreme(function: Callable[..., Any]) -> Callable[..., Any]:
    def filter_(run: Running, value: Any, case_sensitive: Any = False, attribute: Any = None) -> Any:
        get = getter(run, attribute)
        taken = list(run.whole(value, _EACH + get.steps))
        if not taken:
            return Undefined("No aggregated item, sequence was empty.")
        order = _comparable(run, [get(each) for each in taken], case_sensitive, 1)
        return plain(taken[function(range(len(taken)), key=order.__getitem__)])

    return filter_


max_, min_ = _extreme(max), _extreme(min)


# Numbers


def abs_(run: Running, value: Any) -> Any:
    """Leave its sign out."""
    return abs(run.number(value))


def round_(run: Running, value: Any, precision: Any = 0, method: Any = "common") -> Any:
    """Round it."""
    if not -_FINEST <= precision <= _FINEST:
        run.over("bits", f"a precision of more than {_FINEST} digits")
    return theirs.do_round(run.number(value), precision, method)


def int_(run: Running, value: Any, default: Any = 0, base: Any = 10) -> Any:
    """Read it as a whole number."""
    if isinstance(value, str) and len(value) > 64:
        run.read(value)
        run.steps(min(len(value), _MOST_DIGITS) ** 2 >> 14)
    made = theirs.do_int(value, default, base)
    if isinstance(made, int) and made is not value and made.bit_length() > 10 * _MOST_DIGITS // 3:
        run.over("bits", f"a whole number of {made.bit_length()} bits")
    return made


def float_(run: Running, value: Any, default: Any = 0.0) -> Any:
    """Read it as a number."""
    if isinstance(value, str):
        run.made(len(value))
    return theirs.do_float(value, default)


def sum_(run: Running, iterable: Any, attribute: Any = None, start: Any = 0) -> Any:
    """Add the items up."""
    get = getter(run, attribute)
    if isinstance(start, str):
        raise TypeError("sum() can't sum strings [use ''.join(seq) instead]")
    total = start
    for each in run.listed(iterable, _EACH + get.steps):
        total = run.add(total, get(each))
    return total
