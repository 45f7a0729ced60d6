"""The provenance of a prompt that a template wrote: worked out when somebody asks, by the code that keeps origins.

Rules: that code gives the same text. If it does not, the chat was changed after it was rendered, or the template prints
what is never the same, and that is said. A chat in which the same container occurs twice is copied first, so that each
has one path.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

from chatcodec.chat.inputs import plain_chat
from chatcodec.chat.pointer import Path, lookup, pointer
from chatcodec.chat.types import Chat
from chatcodec.engine.faults import NATURAL
from chatcodec.engine.provenance import Paths, taken_apart, value_form
from chatcodec.engine.runs import MOST_WORK, Run, Work, Written
from chatcodec.errors import ChatCodecError
from chatcodec.render.forms import JsonForm
from chatcodec.render.marks import MediaKind
from chatcodec.render.span import Inside, Kept, Media, Span
from chatcodec.render.values import leaves_of_json, leaves_of_str
from chatcodec.templates.input_steps import given_path

_KINDS: tuple[tuple[MediaKind, frozenset[str]], ...] = (
    ("image", frozenset({"image", "image_url", "input_image"})),
    ("audio", frozenset({"audio", "audio_url", "input_audio"})),
    ("video", frozenset({"video", "video_url", "input_video"})),
)


class Traced(NamedTuple):
    """What the code that keeps origins gives: the text, what was written, and the chat as the template saw it."""

    text: str
    written: Written
    seen: dict[str, Any]


Tracing: TypeAlias = Callable[[Chat], Traced]


class Prompt:
    """What is known of one prompt of a template, up to `end` if that is given."""

    def __init__(self, text: str, chat: Chat, tracing: Tracing, asked: list[bool], traced: Traced | None):
        """Take the text, and what was written and seen if origins were kept; `asked` is told if they are wanted."""
        self._text, self._chat, self._tracing, self._asked = text, chat, tracing, asked
        self._traced = traced
        self._end: int | None = None
        self._copied = False

    @cached_property
    def runs(self) -> list[Run]:
        """The runs of the text; see `runs_of`."""
        self._asked[0] = True
        if self._traced is None:
            self._traced = self._again(self._chat)
        if self._traced.written.whole and self._paths.shared:
            self._unshare()
        _, runs, whole = self._traced.written
        if whole:
            runs = list(_joined(self._apart(runs, whole)))
        return runs if self._end is None else list(_until(runs, self._end))

    def _apart(self, runs: list[Run], whole: list[int]) -> Iterator[Run]:
        """Yield runs, with those that print something whole taken apart; `whole` has their indexes."""
        work, behind = Work(MOST_WORK), 0
        for index in whole:
            yield from runs[behind:index]
            yield from taken_apart(runs[index], self._paths, work)
            behind = index + 1
        yield from runs[behind:]

    def _again(self, chat: Chat) -> Traced:
        try:
            traced = self._tracing(chat)
        except NATURAL as error:  # the chat may be anything by now
            raise ChatCodecError("the chat was changed after it was rendered") from error
        if traced.text != self._text:
            raise ChatCodecError(
                "rendered again, it is another text: the chat was changed after it was rendered, "
                "or the template prints what is never the same, such as an address or the time"
            )
        return traced

    @cached_property
    def _paths(self) -> Paths:
        assert self._traced is not None
        return Paths(self._traced.seen, lambda path: given_path(path, self._chat.messages))

    @cached_property
    def _unique(self) -> Paths:
        """The paths of a chat in which no container occurs twice."""
        runs = self.runs
        if self._paths.shared:
            self._unshare()
            del self.runs
            runs[:] = self.runs  # whoever has the runs has the same ones
            self.runs = runs
        return self._paths

    def _unshare(self) -> None:
        self._copied = True  # runs that somebody has are of the chat before
        self._traced = self._again(plain_chat(self._chat))
        del self._paths

    def span(self, run: Run) -> Span:
        """Return the span that a run is."""
        paths = self._unique
        return paths.span(self.runs[bisect_left(self.runs, run[0], key=_start)] if self._copied else run)

    def inside(self, run: Run) -> Inside:
        """Return what a run shows that prints a value as JSON or as Python does. Raises LookupError, TypeError."""
        paths = self._unique
        what: Any = self.runs[bisect_left(self.runs, run[0], key=_start)][2]
        shown, seen = paths.shown(what), paths.seen(what)
        assert shown is not None
        assert seen is not None
        path, form, value = shown[0], value_form(what[3]), lookup(paths.root, seen)
        pieces = leaves_of_json(value, form) if isinstance(form, JsonForm) else leaves_of_str(value)
        given = ((text, self._given(seen, inner), is_key) for text, inner, is_key in pieces)
        return Inside(path, given, what[2])

    def _given(self, seen: Path, inner: Path | None) -> Path | None:
        """Return where a leaf is in the chat that was given, from the value on that it is in."""
        return None if inner is None else given_path(seen + inner, self._chat.messages)[len(seen) :]

    def media(self) -> list[Media]:
        """Return what the template wrote for each image, audio and video, in the order of the text."""
        found: list[Media] = []
        paths = self._unique
        for start, end, what, whose in self.runs:
            path = paths.owner_path(whose)
            if what is not None or path is None or len(path) != 4 or path[2] != "content":
                continue
            kind = _kind(lookup(paths.root, path))
            if kind is None:
                continue
            where = pointer(path)
            if found and found[-1].pointer == where and found[-1].end == start:
                start = found.pop().start
            found.append(Media(kind, where, start, end))
        return found

    def cut(self, end: int) -> Prompt:
        """Return what is known of the text up to `end`."""
        shorter = Prompt(self._text, self._chat, self._tracing, self._asked, self._traced)
        shorter._end = end
        return shorter

    def __reduce__(self) -> Any:
        """Pickle what is known, not how it is found out: a compiled template does not cross processes."""
        return Kept, Kept.contents(self)


def _kind(part: Any) -> MediaKind | None:
    """Return which kind of media a part is."""
    if not isinstance(part, dict):
        return None
    for kind, names in _KINDS:
        if part.get("type") in names:
            return kind
    if part.get("type") is not None:
        return None
    return next((kind for kind, names in _KINDS if not names.isdisjoint(part)), None)


def _joined(runs: Iterable[Run]) -> Iterator[Run]:
    """Yield runs, template text that stands side by side as one."""
    last: Run | None = None
    for run in runs:
        if last is not None and last[2] is None and run[2] is None and last[3] is run[3]:
            last = (last[0], run[1], None, last[3])
            continue
        if last is not None:
            yield last
        last = run
    if last is not None:
        yield last


def _start(run: Run) -> int:
    return run[0]


def _until(runs: list[Run], end: int) -> Iterator[Run]:
    for run in runs:
        if run[0] >= end:
            return
        yield (run[0], min(run[1], end), *run[2:])
