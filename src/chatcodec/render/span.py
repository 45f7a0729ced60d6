"""Spans and media: what is said of stretches of a prompt's text, and who says it.

A `Provenance` is what a renderer knows of one prompt. It speaks of runs, bare tuples that begin with ``(start, end)``
and mean something to it alone: a prompt has hundreds, and nobody may ask. A run becomes a `Span` when it is looked at.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple, Protocol, TypeAlias, overload

from chatcodec.chat.pointer import Path
from chatcodec.render.marks import Form, MediaKind

GENERATION_OWNER = "generation"

Run: TypeAlias = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a prompt's text, ``[start, end)`` in characters.

    origin: ``template`` for text that the format or template wrote, ``data`` for text that shows one value of the chat,
    ``derived`` for text made from several.
    pointer: JSON pointer of the value that it shows; of a member's name, the pointer of the member. None for template.
    shows: how: ``value`` the string itself (or a part of it), ``key`` a member's name, ``json`` JSON text, ``str`` text
    as Python prints it.
    owner: JSON pointer of the innermost message, part, call or tool that it was written for; ``generation`` for the
    generation prompt; None for text that belongs to no element.
    sources: JSON pointers that a derived span is made from.
    """

    start: int
    end: int
    origin: Literal["template", "data", "derived"]
    pointer: str | None = None
    shows: Form | None = None
    owner: str | None = None
    sources: tuple[str, ...] = ()

    @property
    def message(self) -> int | None:
        """The index of the message that owns this span, or None."""
        steps = (self.owner or "").split("/")
        return int(steps[2]) if len(steps) > 2 and steps[1] == "messages" else None


class Media(NamedTuple):
    """A placeholder for media in the prompt: what kind, which part (JSON pointer), where (``[start, end)``)."""

    kind: MediaKind
    pointer: str
    start: int
    end: int


class Inside(NamedTuple):
    """What a run shows that prints a whole value: its path, its text piece by piece, where the run begins in it.

    A piece is its text, the path of the leaf or key that it is (None for punctuation), and whether it is a key.
    """

    path: Path
    pieces: Iterable[tuple[str, Path | None, bool]]
    skipped: int = 0


class Provenance(Protocol):
    """What a renderer knows of one prompt: the runs of its text, and what they mean."""

    @property
    def runs(self) -> Sequence[Run]:
        """The runs of the text, in its order, without gaps."""
        ...

    def span(self, run: Run) -> Span:
        """Return the span that a run is."""
        ...

    def inside(self, run: Run) -> Inside:
        """Return what a run shows that prints a value as JSON or as Python does.

        Raises LookupError or TypeError if the chat is no longer what it was.
        """
        ...

    def media(self) -> list[Media]:
        """Return the placeholders of media, in the order of the text."""
        ...

    def cut(self, end: int) -> Provenance:
        """Return what is known of the text up to `end`."""
        ...


class Spans(Sequence[Span]):
    """The spans of a text, in its order; each is made when it is looked at."""

    def __init__(self, provenance: Provenance):
        self._runs = provenance.runs
        self._span = provenance.span

    def __len__(self) -> int:
        return len(self._runs)

    @overload
    def __getitem__(self, index: int) -> Span: ...
    @overload
    def __getitem__(self, index: slice) -> list[Span]: ...
    def __getitem__(self, index: int | slice) -> Span | list[Span]:
        if isinstance(index, slice):
            return [self._span(run) for run in self._runs[index]]
        return self._span(self._runs[index])

    def __iter__(self) -> Iterator[Span]:
        return map(self._span, self._runs)

    def __eq__(self, other: object) -> bool:
        return list(self) == list(other) if isinstance(other, (Spans, list)) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # equal to lists, which have none

    def __repr__(self) -> str:
        return f"<{len(self)} spans>"


class Kept:
    """The provenance of a prompt, worked out: spans, and what is inside those that print a whole value."""

    def __init__(self, spans: list[Span], insides: dict[int, Inside], media: list[Media]):
        """Take the spans, the insides by where their spans start, and the media."""
        self._spans, self._insides, self._media = spans, insides, media

    @classmethod
    def contents(cls, known: Provenance) -> tuple[list[Span], dict[int, Inside], list[Media]]:
        """Return what makes the same of another provenance."""
        spans = [known.span(run) for run in known.runs]
        insides = {
            span.start: inside._replace(pieces=list(inside.pieces))
            for span, run in zip(spans, known.runs, strict=True)
            if span.shows in ("json", "str")
            for inside in [known.inside(run)]
        }
        return spans, insides, known.media()

    @property
    def runs(self) -> list[Run]:
        """The runs of the text: where each span starts and ends, and its index."""
        return [(span.start, span.end, index) for index, span in enumerate(self._spans)]

    def span(self, run: Run) -> Span:
        """Return the span that a run is."""
        return self._spans[run[2]]

    def inside(self, run: Run) -> Inside:
        """Return what a run shows that prints a value as JSON or as Python does."""
        return self._insides[run[0]]

    def media(self) -> list[Media]:
        """Return the placeholders of media, in the order of the text."""
        return list(self._media)

    def cut(self, end: int) -> Kept:
        """Return what is known of the text up to `end`."""
        spans = [replace(span, end=min(span.end, end)) for span in self._spans if span.start < end]
        return Kept(spans, self._insides, [media for media in self._media if media.end <= end])
