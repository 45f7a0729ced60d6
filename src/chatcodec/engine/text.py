"""Text that knows where it came from: a ``str`` with an origin, which string operations keep.

An origin is a tuple ``(source, key, start, how)``:

=============  =====================================================================================
``VALUE``      from character `start` on of the string at ``source[key]``
``KEY``        the same of the name `key` that a member of `source` has
``STR``        the same of what Python prints for ``source[key]``
a `JsonForm`   the same of the JSON text of ``source[key]``
``PIECES``     the same of a list of pieces that were put together, with whatever `runs` reads in it
``DERIVED``    made, in a way nobody follows, from the texts with origins that `source` lists; or nobody knows from what
``LITERAL``    text of the template
=============  =====================================================================================

With `WHOLE` for a key it is `source` itself that was printed; with `GIVEN` too, and it is known not to be put together
by the template.

Rules: an operation gives the text that ``str`` would give. What it cannot follow is derived, never a wrong origin. Text
of the template has an origin too where it goes anywhere: text without one is nobody's, and so derived. It knows nothing
of paths: `provenance` finds them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, SupportsIndex, TypeAlias

from markupsafe import Markup

VALUE, KEY, STR, PIECES, DERIVED, LITERAL = "value", "key", "str", "pieces", "derived", "literal"
Origin: TypeAlias = tuple[Any, Any, int, Any]


class Itself:
    """Stands for the key of an origin whose source itself was printed."""

    __slots__ = ("name",)

    def __init__(self, name: str):
        self.name = name

    def __repr__(self) -> str:
        return self.name


_LITERAL: Origin = (None, None, 0, LITERAL)
_UNKNOWN: Origin = ((), None, 0, DERIVED)
WHOLE, GIVEN = Itself("WHOLE"), Itself("GIVEN")
_LINE_ENDS = re.compile("\r\n|[\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029]")
_new = str.__new__
MOST_FOLLOWED = 4096
"""Up to how many characters are followed one by one where an operation takes a text apart."""


class Text(str):
    """A text with an ``origin``."""

    __slots__ = ("origin",)
    origin: Origin

    def _part(self, text: str, start: int) -> Text:
        """Return `text`, which is what this text has from `start` on."""
        part = _new(Text, text)
        source, key, first, how = self.origin
        part.origin = (source, key, first if how is DERIVED or how is LITERAL else first + start, how)
        return part

    def __getitem__(self, key: SupportsIndex | slice) -> str:
        text = str.__getitem__(self, key)
        if not isinstance(key, slice):
            index = key.__index__()
            return self._part(text, index if index >= 0 else len(self) + index)
        start, stop, step = key.indices(len(self))
        if step == 1:
            return self._part(text, start)
        if len(text) > MOST_FOLLOWED:
            return derived(text, self)
        return put_together([self._part(str.__getitem__(self, i), i) for i in range(start, stop, step)])

    def __iter__(self) -> Iterator[str]:
        for index, char in enumerate(str.__iter__(self)):
            yield self._part(char, index)

    def __add__(self, other: Any) -> str:
        if isinstance(other, Markup) or not isinstance(other, str):
            return NotImplemented
        return put_together([self, other])

    def __radd__(self, other: Any) -> str:
        if isinstance(other, Markup) or not isinstance(other, str):
            return NotImplemented
        return put_together([other, self])

    def __mul__(self, count: SupportsIndex) -> str:
        text, times = str.__mul__(self, count), count.__index__()
        return put_together([self] * times) if 0 < times <= MOST_FOLLOWED else derived(text, self)

    __rmul__ = __mul__

    def strip(self, chars: str | None = None, /) -> str:
        """As of str."""
        text = str.strip(self, chars)
        if len(text) == len(self):
            return self
        return self._part(text, len(self) - len(str.lstrip(self, chars)))

    def lstrip(self, chars: str | None = None, /) -> str:
        """As of str."""
        text = str.lstrip(self, chars)
        return self if len(text) == len(self) else self._part(text, len(self) - len(text))

    def rstrip(self, chars: str | None = None, /) -> str:
        """As of str."""
        text = str.rstrip(self, chars)
        return self if len(text) == len(self) else self._part(text, 0)

    def removeprefix(self, prefix: str, /) -> str:
        """As of str."""
        text = str.removeprefix(self, prefix)
        return self._part(text, len(self) - len(text))

    def removesuffix(self, suffix: str, /) -> str:
        """As of str."""
        return self._part(str.removesuffix(self, suffix), 0)

    def split(self, sep: str | None = None, maxsplit: SupportsIndex = -1) -> list[str]:
        """As of str."""
        return self._placed(str.split(self, sep, maxsplit), len(sep or ""))

    def rsplit(self, sep: str | None = None, maxsplit: SupportsIndex = -1) -> list[str]:
        """As of str."""
        return self._placed(str.rsplit(self, sep, maxsplit), len(sep or ""))

    def splitlines(self, keepends: bool = False) -> list[str]:
        """As of str."""
        lines, start = [], 0
        for line in str.splitlines(self, keepends=True):
            lines.append(self._part(line if keepends else str.splitlines(line)[0], start))
            start += len(line)
        return lines  # type: ignore[return-value]

    def partition(self, sep: str, /) -> tuple[str, str, str]:
        """As of str."""
        before, between, after = self._placed(list(str.partition(self, sep)), 0)
        return before, between, after

    def rpartition(self, sep: str, /) -> tuple[str, str, str]:
        """As of str."""
        before, between, after = self._placed(list(str.rpartition(self, sep)), 0)
        return before, between, after

    def _placed(self, parts: list[str], gap: int) -> list[str]:
        """Return parts of this text, in order, with `gap` characters between two; 0 for white space of any length."""
        placed: list[str] = []
        position = 0
        for part in parts:
            start = position if gap or (len(parts) == 3 and not part) else str.find(self, part, position)
            placed.append(self._part(part, start))
            position = start + len(part) + gap
        return placed

    def lower(self) -> str:
        """As of str."""
        return self._changed(str.lower(self))

    def upper(self) -> str:
        """As of str."""
        return self._changed(str.upper(self))

    def title(self) -> str:
        """As of str."""
        return self._changed(str.title(self))

    def capitalize(self) -> str:
        """As of str."""
        return self._changed(str.capitalize(self))

    def swapcase(self) -> str:
        """As of str."""
        return self._changed(str.swapcase(self))

    def casefold(self) -> str:
        """As of str."""
        return self._changed(str.casefold(self))

    def _changed(self, text: str) -> str:
        """Return this text in another case: no character gets shorter, so of the same length means each by each.

        What is the print of a whole value is not one any more.
        """
        same = len(text) == len(self) and self.origin[3] in (VALUE, KEY)
        return self._part(text, 0) if same or text == self else derived(text, self)

    def replace(self, old: str, new: str, count: SupportsIndex = -1, /) -> str:
        """As of str."""
        return replaced(self, old, new, count.__index__())

    def join(self, texts: Any, /) -> str:
        """As of str."""
        return joined(self, list(texts))

    def center(self, width: SupportsIndex, fill: str = " ", /) -> str:
        """As of str."""
        return self._padded(str.center(self, width, fill), fill)

    def ljust(self, width: SupportsIndex, fill: str = " ", /) -> str:
        """As of str."""
        return self._padded(str.ljust(self, width, fill), fill)

    def rjust(self, width: SupportsIndex, fill: str = " ", /) -> str:
        """As of str."""
        return self._padded(
            str.rjust(self, width, fill), fill, str.rjust("", max(0, width.__index__() - len(self)), fill)
        )

    def zfill(self, width: SupportsIndex, /) -> str:
        """As of str."""
        return derived(str.zfill(self, width), self)

    def expandtabs(self, tabsize: SupportsIndex = 8) -> str:
        """As of str."""
        return derived(str.expandtabs(self, tabsize), self)

    def _padded(self, text: str, fill: str, before: str | None = None) -> str:
        if isinstance(fill, Text) and fill.origin[3] is not LITERAL:
            return derived(text, self, fill)
        if before is None:
            before = text[: str.find(text, self)] if self else text
        return put_together([literal(before), self, literal(text[len(before) + len(self) :])])


class Marked(Markup):
    """A text marked as safe, with an ``origin`` that is None where an operation lost it."""

    origin: Origin | None = None


class Whole(int):
    """A whole number with an origin."""

    origin: Origin


class Fraction(float):
    """A floating-point number with an origin."""

    origin: Origin


for _type, _name in ((Text, "str"), (Marked, "Markup"), (Whole, "int"), (Fraction, "float")):
    _type.__name__ = _name  # what Python's own messages call them


def made(text: str, origin: Origin) -> Text:
    """Return a text with an origin."""
    whole = _new(Text, text)
    whole.origin = origin
    return whole


def literal(text: str) -> Text:
    """Return a text of the template."""
    return made(text, _LITERAL)


def unknown(text: str) -> str:
    """Return a text of which nobody knows where it came from."""
    return made(text, _UNKNOWN) if text else text


def derived(text: str, *sources: Any) -> str:
    """Return a text that is made from others in a way that nobody follows."""
    if not text:
        return text
    if sources and all(type(each) is Text and each.origin[3] is LITERAL for each in sources):
        return literal(text)
    found: list[Any] = []
    return made(text, (found, None, 0, DERIVED)) if _collect(sources, found) and found else unknown(text)


def _collect(values: Iterable[Any], found: list[Any], depth: int = 3) -> bool:
    """Add the values with an origin that are in some values to `found`; whether there is no text without one."""
    for value in values:
        if isinstance(value, (Text, Whole, Fraction)):
            found.append(value)
        elif isinstance(value, Marked) and value.origin is not None:
            found.append(plain_text(value))
        elif isinstance(value, str):
            if value:
                return False
        elif isinstance(value, (dict, list, tuple)):
            inner = list(value.values()) if isinstance(value, dict) else value
            if inner and not (depth and _collect(inner, found, depth - 1)):
                return False
    return True


def put_together(pieces: list[Any]) -> str:
    """Return pieces one behind the other, each with the origin that it has."""
    left = [_known(piece) for piece in pieces if piece]
    if len(left) == 1:
        return left[0]
    return made("".join(left), (left, None, 0, PIECES)) if left else ""


def _known(piece: str) -> Text:
    """Return a piece with what is known of it."""
    if type(piece) is Text:
        return piece
    known = plain_text(piece) if isinstance(piece, Markup) else unknown(piece)
    assert isinstance(known, Text)
    return known


def plain_text(text: Markup) -> str:
    """Return a marked text without its mark, and with its origin."""
    origin = text.origin if isinstance(text, Marked) else None
    return made(str.__str__(text), _UNKNOWN if origin is None else origin)


def joined(separator: str, texts: list[Any]) -> str:
    """Return what ``separator.join(texts)`` gives."""
    if not texts or not all(isinstance(text, str) for text in texts):
        return str.join(separator, texts)
    pieces = [texts[0]]
    for text in islice(texts, 1, None):
        pieces += (separator, text)
    return put_together(pieces)


def replaced(text: str, old: str, new: str, count: int) -> str:
    """Return what ``text.replace(old, new, count)`` gives."""
    plain = str.replace(text, old, new, count)
    if not old:
        return derived(plain, text, new) if plain != text else text
    parts = str.split(text, old, count)
    if len(parts) == 1:
        return text
    if len(parts) > MOST_FOLLOWED:
        return derived(plain, text, new)
    whole = text.split(old, count) if isinstance(text, Text) else parts
    return joined(new, whole)
