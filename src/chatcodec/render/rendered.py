"""`Rendered`: the text of a prompt, and where each character of it came from.

Rules: spans partition the text. They are put together when they are first asked for, and each span's pointers when that
span is looked at; the text alone costs nothing more. A Rendered keeps a reference to the chat for `leaves`, and never
changes it. It does not know who rendered: a `Provenance` does.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any

from chatcodec.chat.pointer import pointer
from chatcodec.errors import ChatCodecError, LimitExceeded
from chatcodec.render.marks import Mark
from chatcodec.render.span import Inside, Media, Provenance, Span, Spans
from chatcodec.render.writer import RenderWarning, WarningKind


class Rendered:
    """A prompt: ``text``, its ``spans``, its ``media`` placeholders and the ``warnings`` about its chat."""

    def __init__(self, text: str, provenance: Provenance, warned: Iterable[tuple[WarningKind, Mark]] = ()):
        """Take the text, what its renderer knows of it, and what there is to be said about the chat."""
        self.text = text
        self._provenance = provenance
        self._warned = warned

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what the provenance gives again."""
        return {name: value for name, value in vars(self).items() if name != "spans"}

    def __repr__(self) -> str:
        return f"<Rendered: {len(self.text)} characters>"

    @cached_property
    def spans(self) -> Spans:
        """Where each character came from: a sequence of `Span` that partitions the text."""
        return Spans(self._provenance)

    @property
    def media(self) -> list[Media]:
        """Each image, audio and video placeholder that the template wrote, in order."""
        return self._provenance.media()

    @property
    def warnings(self) -> list[RenderWarning]:
        """What the template prints oddly or drops without a word, in the order of the chat."""
        return [kind.about(owner) for kind, owner in self._warned]

    def leaves(self, span: Span) -> list[Span]:
        """Return the spans of the keys and leaves inside a span that shows a value as JSON or as Python prints it.

        They lie in `span` in order and do not cover its punctuation. A span of another kind is its own only leaf; one
        of the template has none. Raises ChatCodecError if `span` is none of this prompt's, or the chat was changed
        after it was rendered; LimitExceeded if the value is nested too deeply.
        """
        runs = self._provenance.runs
        found = bisect_left(runs, span.start, key=lambda run: run[0])
        if found == len(runs) or self._provenance.span(runs[found]) != span:
            raise ChatCodecError("this span is none of this prompt's")
        if span.shows not in ("json", "str"):
            return [span] if span.origin == "data" else []
        try:
            return list(self._leaves(span, self._provenance.inside(runs[found])))
        except RecursionError:
            raise LimitExceeded("the value is nested too deeply", "depth", span.pointer) from None
        except (LookupError, TypeError):
            raise ChatCodecError("the chat was changed after it was rendered", span.pointer) from None

    def _leaves(self, span: Span, inside: Inside) -> Iterator[Span]:
        pieces = list(inside.pieces)
        whole = "".join(text for text, _, _ in pieces)
        if not whole.startswith(self.text[span.start : span.end], inside.skipped):
            raise ChatCodecError("the chat was changed after it was rendered", span.pointer)
        position = span.start - inside.skipped
        for text, path, is_key in pieces:
            start, end = max(position, span.start), min(position + len(text), span.end)
            if path is not None and start < end:
                where = pointer(inside.path + path)
                yield Span(start, end, "data", where, "key" if is_key else "value", span.owner)
            position += len(text)


def cut(rendered: Rendered, end: int) -> Rendered:
    """Return the same prompt, up to `end`."""
    return Rendered(rendered.text[:end], rendered._provenance.cut(end), rendered._warned)
