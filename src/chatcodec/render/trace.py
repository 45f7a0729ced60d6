"""From pieces to runs: which stretch of the text shows what, and for whom it was written.

A run is a bare tuple ``(start, end, what, whose)``: a prompt has hundreds, and nobody may read them. ``what`` is None
for template text, else the mark of what it shows, or a pair of that mark and the member's name that its path goes
through. ``whose`` is None, the owner's mark, or a pair of the message's mark and the mark within it. Paths are worked
out from these on demand. Neighbouring template text of one owner is one run.

`Captured` is text put together before it is written (the parts of a content list), which keeps its runs while a format
strips and slices it. Rule: only the string methods that it defines keep them; a format uses no other on content.
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


class Slot(NamedTuple):
    """Where the text has a placeholder for media, and which part it stands for."""

    start: int
    end: int
    kind: str
    owner: Whose | None

    def moved(self, by: int) -> Slot:
        """Return the same placeholder, `by` characters further on."""
        return self._replace(start=self.start + by, end=self.end + by)


class Trace(NamedTuple):
    """Runs in the order of the text, without gaps, and the media placeholders among them."""

    runs: list[Run]
    media: list[Slot]


def trace(pieces: Iterable[str], message: Mark | None = None) -> Trace:
    """Return the runs of the joined `pieces`. `message` owns what comes before the first owner mark."""
    runs: list[Run] = []
    media: list[Slot] = []
    add = runs.append
    start = position = 0  # template text that is not in a run yet
    owner: Any = message
    shows: Any = None
    name = ""
    left = iter(pieces)
    for piece in left:
        cls = type(piece)
        if cls is str:  # most pieces, so looked for first
            if shows is None:
                position += len(piece)
                continue
        elif cls is Shows:
            shows = piece
            continue
        elif cls is Member:
            shows = (piece, name)
            continue
        elif cls is Key:
            name = next(left)
            shows, piece = (piece, name), name
        elif cls is Owner or cls is Within:
            before = owner
            if cls is Within:
                owner = (message, piece)
            else:
                owner = message = piece if piece.path else None  # type: ignore[attr-defined,assignment]
            if owner is not before and position > start:
                add((start, position, None, before))
                start = position
            continue
        elif cls is Pad:
            stands = next(left)
            media.append(Slot(position, position + len(stands), piece.form, owner))  # type: ignore[attr-defined]
            position += len(stands)
            continue
        if position > start:
            add((start, position, None, owner))
        start = position + len(piece)
        if cls is Captured:
            captured = piece.trace()  # type: ignore[attr-defined]
            runs += [(low + position, high + position, what, whose) for low, high, what, whose in captured.runs]
            media += [slot.moved(position) for slot in captured.media]
        elif piece:
            add((position, start, shows, owner))
        position = start
        shows = None
    if position > start:
        add((start, position, None, owner))
    return Trace(runs, media)


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
    """Text put together from pieces; stripping and slicing keep what `trace` gives."""

    __slots__ = ("_message", "_pieces", "_start")

    _pieces: list[str]
    _message: Mark
    _start: int

    @classmethod
    def of(cls, pieces: list[str], message: Mark) -> Captured:
        """Return the joined `pieces`, written for `message`."""
        captured = cls("".join(pieces))
        captured._pieces, captured._message, captured._start = pieces, message, 0
        return captured

    def trace(self) -> Trace:
        """Return where this stretch of the pieces came from."""
        return clip(trace(self._pieces, self._message), self._start, self._start + len(self))

    def __getitem__(self, key: SupportsIndex | slice) -> str:
        text = str.__getitem__(self, key)
        if not isinstance(key, slice):
            return text
        start, _, step = key.indices(len(self))
        if step != 1:
            raise ValueError("a stretch has its characters in order")
        captured = Captured(text)
        captured._pieces, captured._message, captured._start = self._pieces, self._message, self._start + start
        return captured

    def strip(self, chars: str | None = None, /) -> str:
        """As of str."""
        return self.lstrip(chars).rstrip(chars)

    def lstrip(self, chars: str | None = None, /) -> str:
        """As of str."""
        return self[len(self) - len(str.lstrip(self, chars)) :]

    def rstrip(self, chars: str | None = None, /) -> str:
        """As of str."""
        return self[: len(str.rstrip(self, chars))]


def clip(whole: Trace, start: int, end: int) -> Trace:
    """Return the part of a trace between `start` and `end`, counted from `start`."""
    runs: list[Run] = []
    for index in range(max(bisect_right(whole.runs, start, key=lambda run: run[0]) - 1, 0), len(whole.runs)):
        run_start, run_end, shows, owner = whole.runs[index]
        if run_start >= end:
            break
        low, high = max(run_start, start), min(run_end, end)
        if low < high:
            runs.append((low - start, high - start, shows, owner))
    return Trace(runs, [slot.moved(-start) for slot in whole.media if start <= slot.start and slot.end <= end])
