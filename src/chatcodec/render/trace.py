"""From pieces to runs: which stretch of the text shows what, and for whom it was written.

A run is a bare tuple ``(start, end, what, whose)``: a prompt has hundreds, and nobody may read them. ``what`` is None
for template text, else the mark of what it shows, or a pair of that mark and the member's name that its path goes
through. ``whose`` is None, the owner's mark, or a pair of the message's mark and the mark within it. Paths are worked
out from these on demand. Neighbouring template text of one owner is one run.

`Captured` is text put together before it is written (the parts of a content list), which keeps its runs while a format
strips and splits it. Rule: only the string methods below keep them; a format uses no other on content.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from typing import Any, NamedTuple, SupportsIndex, TypeAlias

from chatcodec.chat.pointer import Path
from chatcodec.render.marks import Key, Mark, Member, Owner, Pad, Shows, Within

What: TypeAlias = Mark | tuple[Mark, str]
Whose: TypeAlias = Mark | tuple[Mark, Mark]
Run: TypeAlias = tuple[int, int, What | None, Whose | None]


class Placeholder(NamedTuple):
    """Where the prompt has a placeholder for media, and which part it stands for."""

    start: int
    end: int
    kind: str
    owner: Whose | None

    def moved(self, by: int) -> Placeholder:
        """Return the same placeholder, `by` characters further on."""
        return self._replace(start=self.start + by, end=self.end + by)


class Trace(NamedTuple):
    """Runs in the order of the text, without gaps, and the media placeholders among them."""

    runs: list[Run]
    media: list[Placeholder]


def trace(pieces: Iterable[str], message: Mark | None = None) -> Trace:
    """Return the runs of the joined `pieces`. `message` owns what comes before the first owner mark."""
    runs: list[Run] = []
    media: list[Placeholder] = []
    add = runs.append
    start = position = 0  # template text that is not in a run yet
    owner: Any = message
    shows: Any = None
    name = ""
    left = iter(pieces)
    for piece in left:
        cls = type(piece)
        if cls is str and shows is None:  # template text: most pieces, so looked for first
            position += len(piece)
        elif cls is Shows:
            shows = piece
        elif cls is Member:
            shows = (piece, name)
        elif cls is Key:
            shows = piece
        elif cls is Owner or cls is Within:
            before = owner
            if cls is Within:
                owner = (message, piece)
            else:
                owner = message = piece if piece.path else None  # type: ignore[attr-defined,assignment]
            if owner is not before and position > start:
                add((start, position, None, before))
                start = position
        elif cls is Pad:
            stands = next(left)
            media.append(Placeholder(position, position + len(stands), piece.form, owner))  # type: ignore[attr-defined]
            position += len(stands)
        else:  # data
            if position > start:
                add((start, position, None, owner))
            start = position + len(piece)
            if cls is Captured:
                captured: Trace = piece.trace  # type: ignore[attr-defined]
                runs += moved(captured.runs, position)
                media += [item.moved(position) for item in captured.media]
            elif type(shows) is Key:
                name = piece
                if piece:
                    add((position, start, (shows, name), owner))
            elif piece:
                add((position, start, shows, owner))
            position = start
            shows = None
    if position > start:
        add((start, position, None, owner))
    return Trace(runs, media)


def moved(runs: list[Run], by: int) -> list[Run]:
    """Return `runs`, all `by` characters further on."""
    return [(start + by, end + by, shows, owner) for start, end, shows, owner in runs]


def owner_path(owner: Whose | None) -> Path:
    """Return the path of an owner; the empty path for nobody."""
    if owner is None:
        return ()
    if isinstance(owner, Mark):
        return owner.path
    message, part = owner
    return message.path + part.path


def shown_path(shows: What, owner: Whose | None) -> Path:
    """Return the path of the value that a run shows."""
    if isinstance(shows, Mark):
        return owner_path(owner) + shows.path
    mark, name = shows
    return (*owner_path(owner), *mark.path, name, *mark.tail)


class Captured(str):
    """Text with its trace; `strip`, `lstrip`, `rstrip` and `split` keep it."""

    __slots__ = ("trace",)

    trace: Trace

    @classmethod
    def of(cls, pieces: list[str], message: Mark) -> Captured:
        """Return the joined `pieces`, written for `message`."""
        captured = cls("".join(pieces))
        captured.trace = trace(pieces, message)
        return captured

    def cut(self, start: int, end: int) -> Captured:
        """Return the stretch from `start` to `end`, with its runs."""
        captured = Captured(str.__getitem__(self, slice(start, end)))
        captured.trace = Trace(
            clip(self.trace.runs, start, end),
            [item.moved(-start) for item in self.trace.media if item.start >= start and item.end <= end],
        )
        return captured

    def strip(self, chars: str | None = None, /) -> Captured:
        """As of str."""
        return self.lstrip(chars).rstrip(chars)

    def lstrip(self, chars: str | None = None, /) -> Captured:
        """As of str."""
        return self.cut(len(self) - len(str.lstrip(self, chars)), len(self))

    def rstrip(self, chars: str | None = None, /) -> Captured:
        """As of str."""
        return self.cut(0, len(str.rstrip(self, chars)))

    def split(self, sep: str | None = None, maxsplit: SupportsIndex = -1) -> list[str]:
        """As of str, for a separator that is given."""
        if sep is None:
            raise ValueError("a separator is needed")
        found: list[str] = []
        start = 0
        for text in str.split(self, sep, maxsplit):
            found.append(self.cut(start, start + len(text)))
            start += len(text) + len(sep)
        return found


def clip(runs: list[Run], start: int, end: int) -> list[Run]:
    """Return the part of `runs` between `start` and `end`, counted from `start`."""
    first = max(bisect_right(runs, start, key=lambda run: run[0]) - 1, 0)
    kept: list[Run] = []
    for run_start, run_end, shows, owner in runs[first:]:
        if run_start >= end:
            break
        low, high = max(run_start, start), min(run_end, end)
        if low < high:
            kept.append((low - start, high - start, shows, owner))
    return kept
