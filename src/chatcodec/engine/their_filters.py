"""Filters that are jinja2's own functions, charged for what those may cost.

Rules: few chat templates use one, so the charges are generous. Some of the functions take time with the square of what
they are given; then the square is charged.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jinja2 import filters as theirs
from jinja2.nodes import EvalContext
from jinja2.sandbox import ImmutableSandboxedEnvironment

from chatcodec.engine.faults import Fault
from chatcodec.engine.methods import line_count, word_count
from chatcodec.engine.running import Running
from chatcodec.engine.undefined import Undefined

_ENVIRONMENT = ImmutableSandboxedEnvironment(undefined=Undefined)
_CONTEXT = EvalContext(_ENVIRONMENT)


def title(run: Running, value: Any) -> str:
    """Write the first letter of each word as a capital."""
    text = run.cased(run.soft_text(value))
    if len(text) > 256:
        run.steps(16 * len(text))  # each character may be a part
    return theirs.do_title(text)


def truncate(
    run: Running, s: Any, length: Any = 255, killwords: Any = False, end: Any = "...", leeway: Any = None
) -> str:
    """Cut it."""
    if isinstance(s, str) and isinstance(end, str):
        run.made(len(s) + len(end))
    try:
        return theirs.do_truncate(_ENVIRONMENT, s, length, killwords, end, leeway)
    except AssertionError as error:  # how jinja2 says that these lengths do not go together
        raise Fault(str(error)) from None


def wordwrap(
    run: Running,
    s: Any,
    width: Any = 79,
    break_long_words: Any = True,
    wrapstring: Any = None,
    break_on_hyphens: Any = True,
) -> str:
    """Break its lines."""
    if isinstance(s, str):
        columns = width if isinstance(width, int) and width > 0 else 1
        lines = line_count(s) + len(s) // columns + word_count(s)
        run.made(len(s) + lines * (len(wrapstring) if isinstance(wrapstring, str) else 1))
        run.steps(64 * len(s) + 100 * line_count(s))
        run.steps(_longest_word(run, s) ** 2 // columns >> 4)
    return theirs.do_wordwrap(_ENVIRONMENT, s, width, break_long_words, wrapstring, break_on_hyphens)


def urlize(run: Running, value: Any, *args: Any, **kwargs: Any) -> str:
    """Make links of what looks like one."""
    size = run.printed(value)
    run.steps(64 * size)
    word = _longest_word(run, value) if isinstance(value, str) else size
    run.steps(word * word * 8)
    given = sum(run.printed(each) for each in (*args, *kwargs.values()))
    run.made((20 + given) * size)
    return theirs.do_urlize(_CONTEXT, value, *args, **kwargs)


def striptags(run: Running, value: Any) -> str:
    """Take what looks like a tag of HTML out."""
    size = run.printed(value)
    tags = value.count("<") if isinstance(value, str) else size
    run.steps(16 * size + (tags * size >> 6))
    run.made(4 * size)
    return theirs.do_striptags(value)


def pprint(run: Running, value: Any) -> str:
    """Print it for people."""
    extent = run.weigh(value)
    run.steps(extent.size * (extent.height + 2) * 8)
    run.made(extent.size * (extent.height + 2))
    return theirs.do_pprint(value)


def wordcount(run: Running, value: Any) -> int:
    """Count its words."""
    text = run.soft_text(value)
    run.steps(4 * len(text))
    return theirs.do_wordcount(text)


def _slow(function: Callable[..., Any], *first: Any, steps: int, growth: int) -> Callable[..., Any]:
    """Return a filter whose function takes so many steps for each character, each of which may become so many."""

    def filter_(run: Running, value: Any, *args: Any, **kwargs: Any) -> Any:
        size = run.printed(value)
        run.made(growth * size)
        run.steps(steps * size)
        return function(*first, value, *args, **kwargs)

    return filter_


filesizeformat = _slow(theirs.do_filesizeformat, steps=1, growth=1)
forceescape = _slow(theirs.do_forceescape, steps=1, growth=6)
urlencode = _slow(theirs.do_urlencode, steps=8, growth=12)
xmlattr = _slow(theirs.do_xmlattr, _CONTEXT, steps=16, growth=8)


def _longest_word(run: Running, text: str) -> int:
    run.parts(word_count(text))
    return max(map(len, text.split()), default=0)
