"""Methods of texts that can grow, or that would reach further than a template may: each charged or checked first."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from string import Formatter
from typing import TYPE_CHECKING, Any

from markupsafe import EscapeFormatter, Markup

from chatcodec.engine.faults import Unsafe
from chatcodec.engine.undefined import type_name

if TYPE_CHECKING:
    from chatcodec.engine.run import Run

_PERCENT = re.compile(r"%(?:\([^)]*\))?[-#0 +]*(\*|\d+)?(?:\.(\*|\d+))?")
_DIGITS = re.compile(r"\d+")


def widest(form: str, values: Sequence[Any]) -> int:
    """Return the largest width or precision in a form of ``%``."""
    sizes = [int(digits) for found in _PERCENT.finditer(form) for digits in found.groups() if digits and digits != "*"]
    if "*" in form:
        sizes += [abs(value) for value in values if isinstance(value, int)]
    return max(sizes, default=0)


class _Flat(Formatter):
    """Formats without looking into values."""

    def __init__(self, run: Run):
        self._run = run

    def get_field(self, field_name: str, args: Any, kwargs: Any) -> Any:
        if re.search(r"[.\[]", field_name):
            raise Unsafe(f"a format may not look into values: {{{field_name}}}")
        return super().get_field(field_name, args, kwargs)

    def format_field(self, value: Any, format_spec: str) -> str:
        self._run.grow(max(map(int, _DIGITS.findall(format_spec)), default=0))
        if not format_spec and not isinstance(value, (str, int, float)):
            return self._run.text(value)
        return str(super().format_field(value, format_spec))


class _FlatEscaping(EscapeFormatter, _Flat):
    def __init__(self, run: Run):
        _Flat.__init__(self, run)
        self.escape = Markup.escape


def format_(run: Run, text: str, /, *args: Any, **kwargs: Any) -> str:
    if isinstance(text, Markup):
        made = _FlatEscaping(run).vformat(text, args, kwargs)
        run.grow(len(made))
        return Markup(made)
    pieces = _pieces(run, text, args, kwargs)
    if pieces is not None:
        return run.join_texts(pieces)
    made = _Flat(run).vformat(text, args, kwargs)
    run.grow(len(made))
    return run.lost(made, text, *args, *kwargs.values())


def _pieces(run: Run, text: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> list[str] | None:
    """Return the pieces of a formatted text, if each field is a name or number and no more."""
    pieces: list[str] = []
    numbered = 0
    for literal, name, spec, conversion in Formatter().parse(text):
        pieces.append(literal)
        if name is None:
            continue
        if spec or conversion or not (name == "" or name.isidentifier()):
            return None
        if name == "":
            value, numbered = args[numbered], numbered + 1
        else:
            value = kwargs[name]
        pieces.append(run.soft_text(value))
    return pieces


def join(run: Run, text: str, items: Any, /) -> str:
    many = list(run.listed(items))
    if isinstance(text, Markup) or not all(isinstance(each, str) for each in many):
        run.grow(sum(6 * len(each) for each in many if isinstance(each, str)) + len(text) * len(many))
        return text.join(many)
    return run.join(text, many)


def replace(run: Run, text: str, old: str, new: str, count: int = -1, /) -> str:
    if not isinstance(old, str) or not isinstance(new, str):
        raise TypeError(f"replace() argument must be str, not {type_name(new if isinstance(old, str) else old)}")
    return run.replace(text, old, new, count)


def split(run: Run, text: str, /, *args: Any, **kwargs: Any) -> Any:
    parts = run.read(text).split(*args, **kwargs)
    run.steps(len(parts) >> 2)
    return parts


def _wide(name: str) -> Callable[..., str]:
    def method(run: Run, text: str, width: Any, /, *fill: Any) -> str:
        run.grow(max(len(text), width if isinstance(width, int) else 0))
        made: str = getattr(text, name)(width, *fill)
        return made

    return method


def expandtabs(run: Run, text: str, /, tabsize: Any = 8) -> str:
    run.grow(len(text) + text.count("\t") * (tabsize if isinstance(tabsize, int) else 0))
    return text.expandtabs(tabsize)


TEXT_METHODS: Mapping[str, Callable[..., Any]] = {
    "center": _wide("center"),
    "expandtabs": expandtabs,
    "format": format_,
    "join": join,
    "ljust": _wide("ljust"),
    "replace": replace,
    "rjust": _wide("rjust"),
    "split": split,
    "zfill": _wide("zfill"),
}
