"""The filters of a chat template: jinja2's own, and ``tojson`` as transformers 5.23 has it.

Rules: a filter takes the run first, then what the template gives. What can grow is charged before. The usual ones are
written here, so that they take text with an origin for text; the others are jinja2's own functions. Filters that need
chance or the file system are not there.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from itertools import groupby as groupbykey
from typing import TYPE_CHECKING, Any

from jinja2 import filters as theirs
from jinja2.nodes import EvalContext
from jinja2.sandbox import ImmutableSandboxedEnvironment
from markupsafe import Markup, escape

from chatcodec.engine.faults import Fault, Unsafe
from chatcodec.engine.undefined import Undefined, type_name
from chatcodec.engine.values import attribute, item

from chatcodec.render.forms import JsonForm

if TYPE_CHECKING:
    from chatcodec.engine.run import Run

_FINEST = 400


class _Environment(ImmutableSandboxedEnvironment):
    """What jinja2's own filters ask for attributes and items."""

    def getattr(self, obj: Any, attribute_name: str) -> Any:
        return attribute(obj, attribute_name)

    def getitem(self, obj: Any, argument: Any) -> Any:
        return item(obj, argument)


_ENVIRONMENT = _Environment(undefined=Undefined)
_CONTEXT = EvalContext(_ENVIRONMENT)


# Text


def trim(run: Run, value: Any, chars: Any = None) -> str:
    text = run.soft_text(value)
    run.read(text)
    return text.strip(chars)


def string(run: Run, value: Any) -> str:
    return run.soft_text(value)


def safe(run: Run, value: Any) -> str:
    return run.marked(value if isinstance(value, str) else run.text(value))


def escaped(run: Run, value: Any) -> str:
    run.grow(6 * len(value) if isinstance(value, str) else 0)
    return escape(value)


def tojson(
    run: Run,
    value: Any,
    ensure_ascii: Any = False,
    indent: Any = None,
    separators: Any = None,
    sort_keys: Any = False,
) -> str:
    if not ensure_ascii and indent is None and separators is None and not sort_keys:
        return run.json_of(value)
    size = run.size_of_print(value)
    width = len(indent) if isinstance(indent, str) else indent if isinstance(indent, int) else 0
    between = sum(map(len, separators)) if isinstance(separators, (list, tuple)) else 0
    run.grow(6 * size + size // 2 * (max(width, 0) * 4 + between))
    text = json.dumps(value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)
    return run.json_in(value, text, JsonForm(ensure_ascii, indent, separators, sort_keys))


def upper(run: Run, value: Any) -> str:
    return run.read(run.soft_text(value)).upper()


def lower(run: Run, value: Any) -> str:
    return run.read(run.soft_text(value)).lower()


def capitalize(run: Run, value: Any) -> str:
    return run.read(run.soft_text(value)).capitalize()


def title(run: Run, value: Any) -> str:
    return theirs.do_title(run.read(run.soft_text(value)))


def replace(run: Run, value: Any, old: Any, new: Any, count: Any = None) -> str:
    return run.replace(run.text(value), run.text(old), run.text(new), -1 if count is None else count)


def join(run: Run, value: Any, d: Any = "", attribute: Any = None) -> str:
    items = run.listed(value)
    if attribute is not None:
        get = getter(run, attribute)
        items = [get(each) for each in items]
    return run.join(run.text(d), [run.text(each) for each in items])


def indent(run: Run, s: Any, width: Any = 4, first: Any = False, blank: Any = False) -> str:
    text = s if isinstance(s, str) else run.add(s, "\n")[:-1]
    wide = len(width) if isinstance(width, str) else abs(width)
    run.grow(len(text) + (text.count("\n") + 2) * (wide + 1))
    if isinstance(text, Markup) or isinstance(width, Markup):
        return theirs.do_indent(text, width, first, blank)
    before = width if isinstance(width, str) else " " * width
    start, *lines = (text + "\n").splitlines()
    pieces = [before, start] if first else [start]
    for line in lines:
        pieces += ("\n", before, line) if line or blank else ("\n",)
    return run.join_texts(pieces)


def center(run: Run, value: Any, width: Any = 80) -> str:
    text = run.soft_text(value)
    run.grow(max(len(text), width))
    return text.center(width)


def format_(run: Run, value: Any, /, *args: Any, **kwargs: Any) -> str:
    if args and kwargs:
        raise Fault("can't handle positional and keyword arguments at the same time")
    return run.modulo(run.soft_text(value), kwargs or args)


def wordwrap(run: Run, s: Any, width: Any = 79, *args: Any, **kwargs: Any) -> str:
    wrap = kwargs.get("wrapstring", args[1] if len(args) > 1 else "\n")
    run.grow(len(s) * (2 + len(wrap or "\n")))
    return theirs.do_wordwrap(_ENVIRONMENT, s, width, *args, **kwargs)


def truncate(run: Run, s: Any, *args: Any, **kwargs: Any) -> str:
    run.read(s)
    return theirs.do_truncate(_ENVIRONMENT, s, *args, **kwargs)


def default(_: Run, value: Any, default_value: Any = "", boolean: Any = False) -> Any:
    return default_value if type(value) is Undefined or (boolean and not value) else value


# Lists


def getter(run: Run, name: Any, missing: Any = None) -> Callable[[Any], Any]:
    """Return what takes an attribute, by a path with dots, of a value."""
    parts = [] if name is None else [int(p) if p.isdigit() else p for p in name.split(".")] if isinstance(name, str) else [name]

    def get(value: Any) -> Any:
        for part in parts:
            value = run.item_of(value, part)
            if missing is not None and type(value) is Undefined:
                value = missing
        return value

    return get


def length(run: Run, value: Any) -> int:
    return len(value)


def list_(run: Run, value: Any) -> list[Any]:
    return list(run.listed(value))


def first(run: Run, value: Any) -> Any:
    for each in run.listed(value):
        return each
    return Undefined("No first item, sequence was empty.")


def last(run: Run, value: Any) -> Any:
    if isinstance(value, (list, tuple, str)):
        return run.items_of(value)[-1] if value else Undefined("No last item, sequence was empty.")
    for each in reversed(value):
        return each
    return Undefined("No last item, sequence was empty.")


def items(run: Run, value: Any) -> Iterator[Any]:
    if type(value) is Undefined:
        return
    if not isinstance(value, Mapping):
        raise Fault("Can only get item pairs from a mapping.")
    yield from run.pairs(value)


def reverse(run: Run, value: Any) -> Any:
    if isinstance(value, str):
        return run.stretch(value, slice(None, None, -1))
    try:
        return reversed(run.items_of(value))
    except TypeError:
        try:
            return run.whole(value)[::-1]
        except TypeError:
            raise Fault("argument must be iterable") from None


def map_(run: Run, value: Any, /, *args: Any, **kwargs: Any) -> Iterator[Any]:
    if value:
        change = _change(run, args, kwargs)
        for each in run.listed(value):
            yield change(each)


def _change(run: Run, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Callable[[Any], Any]:
    if not args and "attribute" in kwargs:
        name = kwargs.pop("attribute")
        absent = kwargs.pop("default", None)
        if kwargs:
            raise Fault(f"Unexpected keyword argument {next(iter(kwargs))!r}")
        return getter(run, name, missing=absent)
    if not args:
        raise Fault("map requires a filter argument")
    name, *rest = args
    return lambda each: run.filter(name)(each, *rest, **kwargs)


def _select(run: Run, value: Any, args: tuple[Any, ...], kwargs: dict[str, Any], keep: bool, attr: bool) -> Iterator[Any]:
    if not value:
        return
    get: Callable[[Any], Any] = getter(run, args[0]) if attr and args else lambda each: each
    if attr and not args:
        raise Fault("Missing parameter for attribute name")
    rest = args[1:] if attr else args
    check = (lambda each: run.test(rest[0])(each, *rest[1:], **kwargs)) if rest else bool
    for each in run.listed(value):
        if bool(check(get(each))) is keep:
            yield each


def select(run: Run, value: Any, *args: Any, **kwargs: Any) -> Iterator[Any]:
    return _select(run, value, args, kwargs, keep=True, attr=False)


def reject(run: Run, value: Any, *args: Any, **kwargs: Any) -> Iterator[Any]:
    return _select(run, value, args, kwargs, keep=False, attr=False)


def selectattr(run: Run, value: Any, *args: Any, **kwargs: Any) -> Iterator[Any]:
    return _select(run, value, args, kwargs, keep=True, attr=True)


def rejectattr(run: Run, value: Any, *args: Any, **kwargs: Any) -> Iterator[Any]:
    return _select(run, value, args, kwargs, keep=False, attr=True)


def attr(_: Run, value: Any, name: Any) -> Any:
    if not isinstance(name, str):
        raise Fault("attribute name must be string")
    if type(value) is dict and not hasattr(dict, name):
        return Undefined(f"{type_name(value)!r} has no attribute {name!r}")
    return attribute(value, name)


def dictsort(run: Run, value: Any, case_sensitive: Any = False, by: Any = "key", reverse: Any = False) -> list[Any]:
    if by not in ("key", "value"):
        raise Fault('You can only sort by either "key" or "value"')
    position = 0 if by == "key" else 1
    pairs = list(run.pairs(value))
    run.sorting(pairs)

    def order(pair: Any) -> Any:
        each = pair[position]
        return each if case_sensitive or not isinstance(each, str) else each.lower()

    return sorted(pairs, key=order, reverse=reverse)


def groupby(run: Run, value: Any, attribute: Any, default: Any = None, case_sensitive: Any = False) -> list[Any]:
    taken = run.whole(value)
    run.sorting(taken)

    def fold(each: Any) -> Any:
        return each if case_sensitive or not isinstance(each, str) else each.lower()

    get = getter(run, attribute, missing=default)
    groups = []
    for _, group in groupbykey(sorted(taken, key=lambda each: fold(get(each))), key=lambda each: fold(get(each))):
        members = list(group)
        groups.append(theirs._GroupTuple(get(members[0]), members))
    return groups


def batch(run: Run, value: Any, linecount: Any, fill_with: Any = None) -> Iterator[Any]:
    run.items(linecount if fill_with is not None else 0)
    return theirs.do_batch(run.whole(value), linecount, fill_with)


def slice_(run: Run, value: Any, slices: Any, fill_with: Any = None) -> Iterator[Any]:
    run.items(slices)
    return theirs.sync_do_slice(run.whole(value), slices, fill_with)


def round_(run: Run, value: Any, precision: Any = 0, method: Any = "common") -> Any:
    if not -_FINEST <= precision <= _FINEST:
        run.over("bits", f"a precision of {precision}")
    return theirs.do_round(value, precision, method)


def int_(_: Run, value: Any, default: Any = 0, base: Any = 10) -> Any:
    return theirs.do_int(value, default, base)


def sum_(run: Run, iterable: Any, attribute: Any = None, start: Any = 0) -> Any:
    get = getter(run, attribute)
    if isinstance(start, str):
        raise TypeError("sum() can't sum strings [use ''.join(seq) instead]")
    total = start
    for each in run.listed(iterable):
        total = run.add(total, get(each))
    return total


def not_for_templates(name: str) -> Callable[..., Any]:
    """Return a filter that only says that it is none."""

    def refuse(*_: Any, **__: Any) -> Any:
        raise Unsafe(f"the filter {name!r} is not for chat templates: its output cannot be reproduced")

    return refuse


def _listing(function: Callable[..., Any], *first: Any) -> Callable[..., Any]:
    """Return a filter of jinja2's that takes a list."""

    def filter_(run: Run, value: Any, *args: Any, **kwargs: Any) -> Any:
        taken = run.whole(value) if not isinstance(value, Mapping) else value
        run.sorting(taken)
        return function(*first, taken, *args, **kwargs)

    return filter_


def _reading(function: Callable[..., Any], *first: Any, growth: int = 4) -> Callable[..., Any]:
    """Return a filter of jinja2's that takes a value, and gives text or a number."""

    def filter_(run: Run, value: Any, *args: Any, **kwargs: Any) -> Any:
        run.grow(growth * run.size_of_print(value))
        return function(*first, value, *args, **kwargs)

    return filter_


FILTERS: Mapping[str, Callable[..., Any]] = {
    "abs": lambda _, value: abs(value),
    "attr": attr,
    "batch": batch,
    "capitalize": capitalize,
    "center": center,
    "count": length,
    "d": default,
    "default": default,
    "dictsort": dictsort,
    "e": escaped,
    "escape": escaped,
    "filesizeformat": _reading(theirs.do_filesizeformat),
    "first": first,
    "float": lambda _, value, default=0.0: theirs.do_float(value, default),
    "forceescape": _reading(theirs.do_forceescape, growth=6),
    "format": format_,
    "groupby": groupby,
    "indent": indent,
    "int": int_,
    "items": items,
    "join": join,
    "last": last,
    "length": length,
    "list": list_,
    "lower": lower,
    "map": map_,
    "max": _listing(theirs.do_max, _ENVIRONMENT),
    "min": _listing(theirs.do_min, _ENVIRONMENT),
    "pprint": _reading(theirs.do_pprint),
    "random": not_for_templates("random"),
    "reject": reject,
    "rejectattr": rejectattr,
    "replace": replace,
    "reverse": reverse,
    "round": round_,
    "safe": safe,
    "select": select,
    "selectattr": selectattr,
    "slice": slice_,
    "sort": _listing(theirs.do_sort, _ENVIRONMENT),
    "string": string,
    "striptags": _reading(theirs.do_striptags),
    "sum": sum_,
    "title": title,
    "tojson": tojson,
    "trim": trim,
    "truncate": truncate,
    "unique": _listing(theirs.sync_do_unique, _ENVIRONMENT),
    "upper": upper,
    "urlencode": _reading(theirs.do_urlencode, growth=9),
    "urlize": _reading(theirs.do_urlize, _CONTEXT, growth=20),
    "wordcount": _reading(theirs.do_wordcount),
    "wordwrap": wordwrap,
    "xmlattr": _reading(theirs.do_xmlattr, _CONTEXT, growth=8),
}

GIVES_TEXT = frozenset({
    "capitalize", "center", "format", "indent", "join", "lower", "replace", "string", "title", "tojson", "trim", "upper",
})  # fmt: skip
"""The filters whose value is a text for sure."""
