"""From what a traced run wrote to runs: which stretch of a prompt shows what, and for whom it was written.

A run is ``(start, end, what, whose)``: `what` is None for template text, else an `Origin`, or the container and key of
a string that is shown from its start; `whose` is None, a chain of the items that the loops around were at, innermost
first, or `GENERATION`. Rules: runs are in the order of the text, without gaps; no paths are looked for. Text that was
put together before it was printed keeps what was said in it, and begins with whom it is printed for.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple, TypeAlias

from chatcodec.engine.loading import BACK, CLOSE, GENERATION, OPEN, Item, Sign
from chatcodec.engine.text import (
    DERIVED,
    KEY,
    LITERAL,
    PIECES,
    STR,
    VALUE,
    WHOLE,
    Fraction,
    Marked,
    Origin,
    Text,
    Whole,
)

Whose: TypeAlias = Any
Run: TypeAlias = tuple[int, int, Origin | None, Whose]

_UNKNOWN: Origin = ((), None, 0, DERIVED)
MOST_WORK = 200_000
"""Up to how many pieces of texts that were put together are followed; the same may be put together many times."""


class Work:
    """How much may be done yet."""

    __slots__ = ("left",)

    def __init__(self, left: int):
        self.left = left


class Written(NamedTuple):
    """What a traced run wrote, read: its texts in order, and their runs.

    whole: the indexes of the runs that print something whole that the template may have put together.
    """

    texts: list[str]
    runs: list[Run]
    whole: list[int]

    @property
    def length(self) -> int:
        """The length of all texts."""
        return self.runs[-1][1] if self.runs else 0


def runs_of(out: list[Any]) -> list[Run]:
    """Return the runs of what was written."""
    return read(out).runs


def read(out: list[Any]) -> Written:
    """Return what was written: texts and runs."""
    texts, runs, whole = written = Written([], [], [])
    work = Work(MOST_WORK + len(out))
    say, add = texts.append, runs.append
    start = position = 0  # template text that is in no run yet
    whose: Whose = None
    outer: list[tuple[Sign, Whose]] = []
    pieces = iter(out)
    what: Any
    for piece in pieces:
        cls = type(piece)
        if cls is str:  # most pieces, so looked for first
            say(piece)
            position += len(piece)
            continue
        if cls is tuple:
            what, piece = piece, next(pieces)
            how: Any = VALUE
            if type(piece) is Text:  # of what a template made, or of a value that is no text
                origin = piece.origin
                how = origin[3]
                what = origin if how is not DERIVED or origin[0] else (what[0], what[1], 0, STR)
        elif cls is Text:
            what = piece.origin
            how = what[3]
        elif cls is dict or cls is Item or cls is Sign:
            if position > start:
                add((start, position, None, whose))
                start = position
            usual = cls is not Sign and outer[-1][0] is OPEN
            whose = (piece, outer[-1][1]) if usual else _said(piece, whose, outer)
            continue
        else:
            what = (piece.origin if cls is Marked else None) or _UNKNOWN
            how = what[3]
        say(piece)
        if how is LITERAL:
            position += len(piece)
            continue
        if position > start:
            add((start, position, None, whose))
        start = position
        position += len(piece)
        if how is not VALUE and how is not KEY and position > start:
            if how is PIECES:
                _add_inner(runs, what, start, position, whose, whole, work)
                start = position
                continue
            if what[1] is WHOLE:
                whole.append(len(runs))
        if position > start:
            add((start, position, what, whose))
            start = position
    if position > start:
        add((start, position, None, whose))
    return written


def _add_inner(runs: list[Run], what: Origin, start: int, end: int, whose: Whose, whole: list[int], work: Work) -> None:
    """Add the runs of a text that was put together before it was printed."""
    for length, inner, inner_whose in _flat(what[0], what[2], end - start, whose, work):
        if inner is not None and inner[1] is WHOLE:
            whole.append(len(runs))
        runs.append((start, start + length, inner, inner_whose))
        start += length


def _said(piece: Any, whose: Whose, outer: list[tuple[Sign, Whose]]) -> Whose:
    """Return for whom is written what follows a mark; `outer` has what was said before and is not over."""
    if piece is OPEN or piece is GENERATION:
        outer.append((piece, whose))
        return GENERATION if piece is GENERATION else whose
    if piece is CLOSE:
        return _left(outer)
    if piece is BACK:
        return outer.pop()[1]
    if isinstance(piece, Sign):
        return whose
    around = _left(outer)
    outer.append((OPEN, around))
    return (piece, around)


def _left(outer: list[tuple[Sign, Whose]]) -> Whose:
    """Return for whom was written before the loop; what was begun in it and left by a jump is over too."""
    sign, whose = outer.pop()
    while sign is not OPEN:
        sign, whose = outer.pop()
    return whose


class _Frame:
    """Pieces that are being gone through: how many characters are left out yet, how many are wanted yet."""

    __slots__ = ("left", "outer", "pieces", "skip", "what", "whose")

    def __init__(self, pieces: Iterator[Any], skip: int, left: int, whose: Whose):
        self.pieces, self.skip, self.left, self.whose = pieces, skip, left, whose
        self.outer: list[tuple[Sign, Whose]] = []
        self.what: Origin | None = None


def _flat(
    pieces: list[Any], skip: int, length: int, whose: Whose, work: Work
) -> Iterator[tuple[int, Origin | None, Whose]]:
    """Yield the lengths of the stretches of some characters in pieces, what each shows and for whom it was written.

    What is too much `work` to follow is derived.
    """
    frames = [_Frame(iter(pieces), skip, length, whose)]
    while frames:
        frame = frames[-1]
        work.left -= 1
        if work.left < 0:
            yield sum(each.left for each in frames), _UNKNOWN, whose
            return
        piece = next(frame.pieces, None)
        if piece is None or not frame.left:
            frames.pop()
            continue
        cls = type(piece)
        if cls is tuple:
            frame.what = (piece[0], piece[1], 0, VALUE)
            continue
        if cls is dict or cls is Item or cls is Sign:
            frame.whose = _said(piece, frame.whose, frame.outer)
            continue
        what, frame.what = frame.what, None
        if cls is Text:
            lost = piece.origin[3] is DERIVED and not piece.origin[0]
            what = (what[0], what[1], 0, STR) if what is not None and lost else piece.origin
        elif cls is Marked:
            what = piece.origin or _UNKNOWN
        skipped = min(frame.skip, len(piece))
        frame.skip -= skipped
        taken = min(len(piece) - skipped, frame.left)
        frame.left -= taken
        if not taken:
            continue
        if what is None or what[3] is LITERAL:
            yield taken, None, frame.whose
            continue
        source, key, first, how = what
        if how is PIECES:
            frames.append(_Frame(iter(source), first + skipped, taken, frame.whose))
        else:
            yield taken, (source, key, first if how is DERIVED else first + skipped, how), frame.whose


def flat(piece: Text, whose: Whose) -> Iterator[tuple[int, Origin | None, Whose]]:
    """Yield the lengths of the stretches of a text, what each shows and for whom it was written."""
    return _flat([piece], 0, len(piece), whose, Work(MOST_WORK))


def sources_of(what: Origin) -> Iterator[Origin]:
    """Yield the origins that a derived text is made from."""
    left: list[Any] = [what]
    seen: set[int] = set()
    while left:
        origin = left.pop()
        if len(origin) == 4 and origin[3] in (PIECES, DERIVED):
            if id(origin[0]) in seen:
                continue
            seen.add(id(origin[0]))
        if len(origin) == 2:  # a mark, in front of what it shows
            yield (*origin, 0, VALUE)
        elif origin[3] in (PIECES, DERIVED):
            left += [each if type(each) is tuple else each.origin for each in reversed(origin[0]) if _has_origin(each)]
        elif origin[3] is not LITERAL:
            yield origin


def _has_origin(piece: Any) -> bool:
    return isinstance(piece, (Text, Whole, Fraction)) or (type(piece) is tuple and len(piece) == 2)
