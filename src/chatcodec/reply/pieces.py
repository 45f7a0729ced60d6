"""Pieces: the parts of a reply's grammar, as data.

Each piece is declared once, in its format's file, and knows how to write itself and how it is read; formats write turns
with them, and a reader reads with them. Rules: a piece knows markers, the white space beside them and value syntax, no
family and no message. Pieces are plain values: they compare, print, and go to JSON and back.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

from chatcodec.reply.calls import Block as Block
from chatcodec.reply.calls import Spacing as Spacing
from chatcodec.reply.json_calls import JsonCalls as JsonCalls
from chatcodec.reply.keyed_calls import KeyedCalls as KeyedCalls
from chatcodec.reply.named_calls import NamedCalls as NamedCalls
from chatcodec.reply.pieces_json import piece_json, piece_of
from chatcodec.reply.python_calls import PythonCalls as PythonCalls
from chatcodec.reply.tagged import TaggedCalls as TaggedCalls

Calls: TypeAlias = TaggedCalls | JsonCalls | NamedCalls | KeyedCalls | PythonCalls
"""How a family writes tool calls."""


@dataclass(frozen=True, slots=True)
class Reasoning(Block):
    """The markers around a turn's reasoning."""

    def split(self, content: str) -> tuple[str, str]:
        """Split content with inline markers: what is before the first closing marker, what is after the last.

        Newlines around both are dropped, and what lies between two closing markers is lost, as the templates do.
        Without a closing marker there is no reasoning. A `Captured` content gives Captured parts.
        """
        opening, closing = self.opening.strip(), self.closing.strip()
        first = content.find(closing)
        if first < 0:
            return "", content
        reasoning = content[:first].rstrip("\n")
        opened = reasoning.rfind(opening)
        if opened >= 0:
            reasoning = reasoning[opened + len(opening) :]
        rest = content[content.rfind(closing) + len(closing) :]
        return reasoning.lstrip("\n"), rest.lstrip("\n")


@dataclass(frozen=True, slots=True)
class Pieces:
    """The grammar of a turn, as its family's template shows it.

    header: what opens a turn of the assistant. stops: the markers that end one. reasoning, content: what stands around
    them, where something does. calls: how tool calls are written.
    """

    header: str
    stops: tuple[str, ...]
    reasoning: Reasoning | None = None
    content: Block | None = None
    calls: Calls | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the pieces as JSON data, without what is None."""
        return piece_json(self)

    @classmethod
    def from_json(cls, data: Any) -> Pieces:
        """Return the pieces that `as_json` gave. Raises UnreadableInput with a JSON pointer for what is none."""
        return piece_of(cls, data)


@dataclass(frozen=True, slots=True)
class Hints:
    """What a model writes though its template does not show it.

    calls: calls that are written inside the text of a turn. response: what stands around the response that the runtime
    puts behind such a call, in the same turn; the text then goes on as what it was. notice: a note inside reasoning on
    how much of a budget is used.
    """

    calls: Calls | None = None
    response: Block | None = None
    notice: Block | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the hints as JSON data, without what is None."""
        return piece_json(self)

    @classmethod
    def from_json(cls, data: Any) -> Hints:
        """Return the hints that `as_json` gave. Raises UnreadableInput with a JSON pointer for what is none."""
        return piece_of(cls, data)


NO_HINTS = Hints()
