"""What the marks among the pieces of a prompt say: the provenance of what a format wrote."""

from __future__ import annotations

from functools import cached_property

from chatcodec.chat.pointer import Path, lookup, pointer
from chatcodec.chat.types import Chat
from chatcodec.render.marks import GENERATION, Mark
from chatcodec.render.span import GENERATION_OWNER, Inside, Media, Span
from chatcodec.render.trace import Run, Trace, Whose, clip, owner_path, shown_path, trace
from chatcodec.render.values import leaves_of_json, leaves_of_str


class Marked:
    """The provenance of the joined `pieces`, up to `end` if that is given."""

    def __init__(self, pieces: list[str], chat: Chat, end: int | None = None):
        self._pieces, self._chat, self._end = pieces, chat, end

    @cached_property
    def _trace(self) -> Trace:
        whole = trace(self._pieces)
        return whole if self._end is None else clip(whole, 0, self._end)

    @property
    def runs(self) -> list[Run]:
        """The runs of the text; see `trace`."""
        return self._trace.runs

    def span(self, run: Run) -> Span:
        """Return the span that a run is."""
        start, end, shows, owner = run
        if shows is None:
            return Span(start, end, "template", owner=_owner(owner))
        path = shown_path(shows, owner)
        if isinstance(shows, Mark) and shows.form == "derived":
            return Span(start, end, "derived", owner=_owner(owner), sources=(pointer(path),))
        form = (shows if isinstance(shows, Mark) else shows[0]).form
        named = _owner(owner) if owner is not None else pointer(path[:2]) if path[0] == "messages" else None
        return Span(start, end, "data", pointer(path), form, named)  # type: ignore[arg-type]

    def inside(self, run: Run) -> Inside:
        """Return what a run shows that prints a value as JSON or as Python does. Raises LookupError, TypeError."""
        _, _, shows, owner = run
        assert shows is not None
        path = shown_path(shows, owner)
        form = (shows if isinstance(shows, Mark) else shows[0]).form
        value = lookup(self._chat.root(), path)
        return Inside(path, (leaves_of_json if form == "json" else leaves_of_str)(value))

    def media(self) -> list[Media]:
        """Return the placeholders of media, in the order of the text."""
        return [
            Media(item.kind, _owner(item.owner) or "", item.start, item.end)  # type: ignore[arg-type]
            for item in self._trace.media
        ]

    def cut(self, end: int) -> Marked:
        """Return what is known of the text up to `end`."""
        return Marked(self._pieces, self._chat, end)


def _owner(owner: Whose | None) -> str | None:
    path: Path = owner_path(owner)
    if path == GENERATION.path:
        return GENERATION_OWNER
    return pointer(path) if path else None
