"""Methods of texts, each charged for what it may cost before it is called.

Rules: what a method gives is what ``str`` gives; of a text with an origin, what that says. Short texts are covered by
the weight of the code that calls the method, but not if what is looked for is long.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from markupsafe import Markup

from chatcodec.engine.formatting import formatted
from chatcodec.engine.running import Running, total_length
from chatcodec.engine.undefined import type_name

_COUNTED = 60  # steps to count the kinds of white space in a short text
_LINE_ENDS = "\n\r\v\f\x1c\x1d\x1e"
_OTHER_LINE_ENDS = "\x85\u2028\u2029"
_SPACES = " \t\n\r\v\f\x1c\x1d\x1e\x1f"
_OTHER_SPACES = (
    "\x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)


def line_count(text: str) -> int:
    """Return how many lines `splitlines` gives at most."""
    ends = _LINE_ENDS if text.isascii() else _LINE_ENDS + _OTHER_LINE_ENDS
    return 1 + sum(map(text.count, ends))


def word_count(text: str) -> int:
    """Return how many parts `split` gives at most where it looks for white space."""
    spaces = _SPACES if text.isascii() else _SPACES + _OTHER_SPACES
    return 1 + min(sum(map(text.count, spaces)), len(text) // 2)


def join(run: Running, text: str, items: Any, /) -> str:
    """Join texts."""
    if isinstance(items, str):
        run.parts(len(items))
    many = list(run.listed(items))
    if isinstance(text, Markup) or not all(isinstance(each, str) for each in many):
        run.grow(6 * total_length(many) + len(text) * len(many))  # what is joined by marked text is escaped
        return text.join(many)
    return run.join(text, many)


def replace(run: Running, text: str, old: Any, new: Any, count: Any = -1, /) -> str:
    """Put one text in place of another."""
    if isinstance(text, Markup) and not isinstance(new, str):
        new = run.text(new)  # whatever is put into marked text is escaped, and printed for that
    if not isinstance(old, str) or not isinstance(new, str):
        raise TypeError(f"replace() argument must be str, not {type_name(new if isinstance(old, str) else old)}")
    return run.replace(text, old, new, count)


def expandtabs(run: Running, text: str, /, tabsize: Any = 8) -> str:
    """Put spaces in place of tabs."""
    run.made(len(text) + text.count("\t") * (tabsize if isinstance(tabsize, int) else 0))
    return text.expandtabs(tabsize)


def splitlines(run: Running, text: str, /, *args: Any, **kwargs: Any) -> Any:
    """Split into lines."""
    run.read(text)
    run.steps(_COUNTED)
    run.parts(line_count(text))
    return text.splitlines(*args, **kwargs)


def _split(name: str) -> Callable[..., Any]:
    def method(run: Running, text: str, /, *args: Any, **kwargs: Any) -> Any:
        given = dict(zip(("sep", "maxsplit"), args, strict=False)) | kwargs
        separator, most = given.get("sep"), given.get("maxsplit", -1)
        if isinstance(separator, str) and separator:
            run.searched(text, separator, backwards=name == "rsplit")
            count = text.count(separator) + 1
        else:
            run.read(text)
            run.steps(_COUNTED if text.isascii() else 3 * _COUNTED)
            count = word_count(text)
        run.parts(min(count, most + 1) if isinstance(most, int) and most >= 0 else count)
        run.made(len(text))
        return getattr(text, name)(*args, **kwargs)

    return method


def _searching(name: str, backwards: bool = False) -> Callable[..., Any]:
    def method(run: Running, text: str, /, *args: Any) -> Any:
        run.searched(text, args[0] if args else "", backwards)
        if name.endswith("partition"):
            run.made(len(text))
        return getattr(text, name)(*args)

    return method


def _begins(name: str) -> Callable[..., Any]:
    def method(run: Running, text: str, /, *args: Any) -> Any:
        if args and isinstance(args[0], tuple):
            run.steps(4 * len(args[0]) + (total_length(args[0]) >> 6))
        return getattr(text, name)(*args)

    return method


def _stripping(name: str) -> Callable[..., Any]:
    def method(run: Running, text: str, /, *args: Any) -> Any:
        run.stripped(text, args[0] if args else None)
        return getattr(text, name)(*args)

    return method


def _cased(name: str) -> Callable[..., Any]:
    def method(run: Running, text: str, /, *args: Any) -> Any:
        return getattr(run.cased(text), name)(*args)

    return method


def _reading(name: str) -> Callable[..., Any]:
    def method(run: Running, text: str, /, *args: Any) -> Any:
        return getattr(run.read(text), name)(*args)

    return method


def _copying(name: str) -> Callable[..., Any]:
    def method(run: Running, text: str, /, *args: Any) -> Any:
        run.made(len(text))
        return getattr(text, name)(*args)

    return method


def _wide(name: str) -> Callable[..., Any]:
    def method(run: Running, text: str, /, *args: Any) -> Any:
        run.made(max(len(text), args[0] if args and isinstance(args[0], int) else 0))
        return getattr(text, name)(*args)

    return method


def _each(make: Callable[[str], Callable[..., Any]], *names: str) -> dict[str, Callable[..., Any]]:
    return {name: make(name) for name in names}


TEXT_METHODS: Mapping[str, Callable[..., Any]] = {
    "expandtabs": expandtabs,
    "format": formatted,
    "join": join,
    "replace": replace,
    "splitlines": splitlines,
    "rfind": _searching("rfind", backwards=True),
    "rindex": _searching("rindex", backwards=True),
    "rpartition": _searching("rpartition", backwards=True),
    **_each(_searching, "count", "find", "index", "partition"),
    **_each(_split, "split", "rsplit"),
    **_each(_begins, "startswith", "endswith"),
    **_each(_stripping, "strip", "lstrip", "rstrip"),
    **_each(_cased, "capitalize", "casefold", "lower", "swapcase", "title", "upper"),
    **_each(_copying, "removeprefix", "removesuffix"),
    **_each(_wide, "center", "ljust", "rjust", "zfill"),
    **_each(
        _reading, "isalnum", "isalpha", "isascii", "isdecimal", "isdigit", "isidentifier", "islower", "isnumeric",
        "isprintable", "isspace", "istitle", "isupper",
    ),
}  # fmt: skip
"""All methods of texts that a template may call."""
