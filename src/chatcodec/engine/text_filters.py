"""Filters that give text, written here so that they take text with an origin for text.

Rules: a filter takes the run first, then what the template gives. What can grow is charged before.
"""

from __future__ import annotations

import json
from typing import Any

from jinja2 import filters as theirs
from markupsafe import Markup, escape

from chatcodec.engine.faults import Fault
from chatcodec.engine.indented import indented
from chatcodec.engine.list_filters import getter
from chatcodec.engine.methods import line_count
from chatcodec.engine.running import Running
from chatcodec.render.forms import JsonForm

_ESCAPED = 6  # the longest that one character becomes


def trim(run: Running, value: Any, chars: Any = None) -> str:
    """Take white space, or other characters, off both ends."""
    text = run.soft_text(value)
    run.stripped(text, chars)
    return text.strip(chars)


def string(run: Running, value: Any) -> str:
    """Make it a text."""
    return run.soft_text(value)


def safe(run: Running, value: Any) -> str:
    """Mark it as safe."""
    if not isinstance(value, str):
        return run.marked(run.text(value))
    run.made(len(value))
    return run.marked(value)


def escaped(run: Running, value: Any) -> str:
    """Write what HTML has signs for as such."""
    run.made(_ESCAPED * run.printed(value))
    return escape(value)


def tojson(
    run: Running,
    value: Any,
    ensure_ascii: Any = False,
    indent: Any = None,
    separators: Any = None,
    sort_keys: Any = False,
) -> str:
    """Print it as JSON."""
    if not ensure_ascii and indent is None and separators is None and not sort_keys:
        return run.json_of(value)
    text = indented(run, value, ensure_ascii, indent) if separators is None and not sort_keys else None
    if text is not None:
        return run.json_in(value, text, JsonForm(ensure_ascii, indent))
    extent = run.weigh(value)
    width = len(indent) if isinstance(indent, str) else indent if isinstance(indent, int) else 0
    between = sum(map(len, separators)) if isinstance(separators, (list, tuple)) else 4
    run.steps(32 * extent.values)
    run.grow(extent.size * (4 if ensure_ascii else 1) + extent.values * (max(width, 0) * extent.height + between + 1))
    text = json.dumps(value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)
    return run.json_in(value, text, JsonForm(ensure_ascii, indent, separators, sort_keys))


def upper(run: Running, value: Any) -> str:
    """Write it in capitals."""
    return run.cased(run.soft_text(value)).upper()


def lower(run: Running, value: Any) -> str:
    """Write it in small letters."""
    return run.cased(run.soft_text(value)).lower()


def capitalize(run: Running, value: Any) -> str:
    """Write the first letter as a capital, the others small."""
    return run.cased(run.soft_text(value)).capitalize()


def replace(run: Running, value: Any, old: Any, new: Any, count: Any = None) -> str:
    """Put one text in place of another."""
    return run.replace(run.text(value), run.text(old), run.text(new), -1 if count is None else count)


def join(run: Running, value: Any, d: Any = "", attribute: Any = None) -> str:
    """Join texts."""
    if isinstance(value, str):
        run.parts(len(value))
    get = getter(run, attribute)
    return run.join(run.text(d), [run.text(get(each)) for each in run.listed(value, 16 + get.steps)])


def indent(run: Running, s: Any, width: Any = 4, first: Any = False, blank: Any = False) -> str:
    """Indent its lines."""
    text = s if isinstance(s, str) else run.add(s, "\n")[:-1]
    wide = len(width) if isinstance(width, str) else abs(width)
    lines = line_count(text)
    run.parts(lines)
    run.made(len(text) + (lines + 1) * (wide + 1))
    if isinstance(text, Markup) or isinstance(width, Markup):
        return theirs.do_indent(text, width, first, blank)
    before, end = width if isinstance(width, str) else run.literal(" " * width), run.literal("\n")
    start, *others = (text + "\n").splitlines()
    pieces = [before, start] if first else [start]
    for line in others:
        pieces += (end, before, line) if line or blank else (end,)
    return run.join_texts(pieces)


def center(run: Running, value: Any, width: Any = 80) -> str:
    """Put spaces around it."""
    text = run.soft_text(value)
    run.made(max(len(text), width))
    return text.center(width)


def format_(run: Running, value: Any, /, *args: Any, **kwargs: Any) -> str:
    """Put values into it by the form that it is."""
    if args and kwargs:
        raise Fault("can't handle positional and keyword arguments at the same time")
    return run.modulo(run.soft_text(value), kwargs or args)  # type: ignore[no-any-return]
