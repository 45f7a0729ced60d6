"""`Rendered`: the text of a prompt, and where each character of it came from.

Rules: spans partition the text. They are put together when they are first asked for, and each span's pointers when that
span is looked at; the text alone costs nothing more. A Rendered keeps a reference to the chat for `leaves`, and never
changes it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, NamedTuple, overload

from chatcodec.chat.pointer import Path, lookup, pointer
from chatcodec.chat.types import Chat
from chatcodec.errors import ChatCodecError, LimitExceeded
from chatcodec.render.marks import GENERATION, Form, Mark, MediaKind
from chatcodec.render.trace import Run, Trace, Whose, clip, owner_path, shown_path, trace
from chatcodec.render.values import leaves_of_json, leaves_of_str
from chatcodec.render.writer import RenderWarning, Writer

GENERATION_OWNER = "generation"


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


class Spans(Sequence[Span]):
    """The spans of a text, in its order; each is made when it is looked at."""

    def __init__(self, runs: list[Run]):
        self._runs = runs

    def __len__(self) -> int:
        return len(self._runs)

    @overload
    def __getitem__(self, index: int) -> Span: ...
    @overload
    def __getitem__(self, index: slice) -> list[Span]: ...
    def __getitem__(self, index: int | slice) -> Span | list[Span]:
        if isinstance(index, slice):
            return [_span(run) for run in self._runs[index]]
        return _span(self._runs[index])

    def __iter__(self) -> Iterator[Span]:
        return map(_span, self._runs)

    def __eq__(self, other: object) -> bool:
        return list(self) == list(other) if isinstance(other, (Spans, list)) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # equal to lists, which have none

    def __repr__(self) -> str:
        return f"<{len(self)} spans>"


class Rendered:
    """A prompt: ``text``, its ``spans``, its ``media`` placeholders and the ``warnings`` about its chat."""

    def __init__(self, text: str, out: Writer, chat: Chat):
        """Take the joined pieces of `out`, or as much of their text as is wanted."""
        self.text = text
        self._out = out
        self._chat = chat

    def __repr__(self) -> str:
        return f"<Rendered: {len(self.text)} characters>"

    @cached_property
    def spans(self) -> Spans:
        """Where each character came from: a sequence of `Span` that partitions the text."""
        return Spans(self._trace.runs)

    @property
    def media(self) -> list[Media]:
        """Each image, audio and video placeholder that the template wrote, in order."""
        return [
            Media(item.kind, _owner(item.owner) or "", item.start, item.end)  # type: ignore[arg-type]
            for item in self._trace.media
        ]

    @property
    def warnings(self) -> list[RenderWarning]:
        """What the template prints oddly or drops without a word, in the order of the chat."""
        return [kind.about(owner) for kind, owner in self._out.warned]

    @cached_property
    def _trace(self) -> Trace:
        whole = trace(self._out.pieces)
        end = whole.runs[-1][1] if whole.runs else 0
        return whole if end == len(self.text) else clip(whole, 0, len(self.text))

    def leaves(self, span: Span) -> list[Span]:
        """Return the spans of the keys and leaves inside a span that shows a value as JSON or as Python prints it.

        They lie in `span` in order and do not cover its punctuation. A span of another kind is its own only leaf; one
        of the template has none. Raises ChatCodecError if `span` is none of this prompt's, or the chat was changed
        after it was rendered; LimitExceeded if the value is nested too deeply.
        """
        runs = self._trace.runs
        found = bisect_left(runs, span.start, key=lambda run: run[0])
        if found == len(runs) or _span(runs[found]) != span:
            raise ChatCodecError("this span is none of this prompt's")
        if span.shows not in ("json", "str"):
            return [span] if span.origin == "data" else []
        try:
            return list(self._leaves(span, _path(runs[found])))
        except RecursionError:
            raise LimitExceeded("the value is nested too deeply", "depth", span.pointer) from None

    def _leaves(self, span: Span, path: Path) -> Iterator[Span]:
        try:
            value = lookup(self._root(), path)
        except (LookupError, TypeError):
            raise ChatCodecError("the chat was changed after it was rendered", span.pointer) from None
        pieces = list((leaves_of_json if span.shows == "json" else leaves_of_str)(value))
        whole = "".join(text for text, _, _ in pieces)
        shown = self.text[span.start : span.end]
        if not whole.startswith(shown):
            raise ChatCodecError("the chat was changed after it was rendered", span.pointer)
        position = span.start
        for text, inner, is_key in pieces:
            end = min(position + len(text), span.end)
            if inner is not None and position < end:
                yield Span(position, end, "data", pointer(path + inner), "key" if is_key else "value", span.owner)
            position += len(text)

    def _root(self) -> dict[str, Any]:
        chat = self._chat
        return {
            "messages": chat.messages,
            "tools": chat.tools,
            "documents": chat.documents,
            "options": chat.options,
        }


def cut(rendered: Rendered, end: int) -> Rendered:
    """Return the same prompt, up to `end`."""
    return Rendered(rendered.text[:end], rendered._out, rendered._chat)


def _path(run: Run) -> Path:
    _, _, shows, owner = run
    return () if shows is None else shown_path(shows, owner)


def _owner(owner: Whose | None) -> str | None:
    path = owner_path(owner)
    if path == GENERATION.path:
        return GENERATION_OWNER
    return pointer(path) if path else None


def _span(run: Run) -> Span:
    start, end, shows, owner = run
    if shows is None:
        return Span(start, end, "template", owner=_owner(owner))
    path = shown_path(shows, owner)
    if isinstance(shows, Mark) and shows.form == "derived":
        return Span(start, end, "derived", owner=_owner(owner), sources=(pointer(path),))
    form = (shows if isinstance(shows, Mark) else shows[0]).form
    named = _owner(owner) if owner is not None else pointer(path[:2]) if path[0] == "messages" else None
    return Span(start, end, "data", pointer(path), form, named)  # type: ignore[arg-type]
