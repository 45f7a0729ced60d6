"""A grammar: pieces made ready for reading.

Rules: a literal is read by its markers; white space beside a marker belongs to it, up to as much as is declared. A
grammar is made once for the same pieces and the same tokens, and shared.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple, TypeAlias
from zlib import crc32

from chatcodec.reply.call_reading import CallGrammar, Flow, Marks, Surroundings, Waits
from chatcodec.reply.calls import NO_SPACE
from chatcodec.reply.match import before, behind
from chatcodec.reply.pieces import Block, Hints, Pieces
from chatcodec.reply.pieces_json import piece_json, piece_of

FIRST_STOP, FIRST_MARKER, LAST = 0xD800, 0xD810, 0xDFFF
"""Where stand-ins for tokens are: code points that no text has. Those of stops come first."""


Scope: TypeAlias = Literal["reasoning", "content", "notice"]


class TextScope(NamedTuple):
    """Reasoning or content: the markers in it, the space that may stand before them, and what waits for more."""

    marks: Marks
    spaces: tuple[str, ...]
    waits: Waits
    flow: Flow


class Border:
    """One literal: its marker, and the white space before and behind it."""

    def __init__(self, literal: str, spell: Callable[[str], str]) -> None:
        """Take the literal, and how it is spelled."""
        marker = literal.strip()
        self.before, self.after = before(literal), behind(literal)
        self.marker = spell(marker)
        self.is_token = self.marker != marker and len(self.marker) == 1


class Grammar:
    """What a reader looks out for."""

    def __init__(self, pieces: Pieces, hints: Hints, tokens: frozenset[str] | None = None, calls: bool = True) -> None:
        """Take the pieces, the texts of added tokens where token ids are read, and whether to look for calls.

        Raises UnreadableInput for pieces that nothing could be read by.
        """
        piece_of(Pieces, piece_json(pieces))
        piece_of(Hints, piece_json(hints))
        self.tokens = tokens is not None
        self.fingerprint = f"{crc32(repr((pieces, hints, sorted(tokens or ()), self.tokens, calls)).encode()):08x}"
        self.names, self.stand_ins = _stand_ins(pieces, hints, tokens or frozenset())
        self.stops = tuple(self.spell(stop.strip()) for stop in pieces.stops)
        self.before_stop = tuple({before(stop) for stop in pieces.stops} - {""})
        self.opening = Border(pieces.reasoning.opening, self.spell) if pieces.reasoning else None
        self.closing = Border(pieces.reasoning.closing, self.spell) if pieces.reasoning else None
        self.wrapper = tuple(border for border in self._borders(pieces.content) or () if border.marker)
        self.notice = self._borders(hints.notice)
        self.response = self._borders(hints.response)
        self.inline = hints.response is not None
        syntax = (pieces.calls or hints.calls) if calls else None
        around = Surroundings(self.stops, self.inline, self.spell, self.tokens, frozenset(self.stand_ins.values()))
        self.calls: CallGrammar | None = syntax.grammar(around) if syntax else None
        self.openers = self.calls.openers if self.calls else ()
        spacing = syntax.spacing if syntax else NO_SPACE
        self.section = self._borders(syntax.section) if syntax else None
        self.before_calls = () if self.inline else tuple({spacing.first} - {""})
        self.behind_calls = behind((syntax.section or syntax).closing) if syntax else ""
        self.separator = self.spell(spacing.between.strip())
        wrapped = tuple(border.before for border in self.wrapper)
        closed = (self.closing.before,) if self.closing else ()
        self.scopes: dict[Scope, TextScope] = {
            "reasoning": self._scope("reasoning", (*closed, *self.before_calls)),
            "notice": self._scope("notice", ()),
            "content": self._scope("content", (spacing.after_content, spacing.first, *wrapped, *self.before_stop)),
        }
        self.response_end = Marks((self.response[1].marker,)) if self.response else None
        response = (self.response[0].marker,) if self.response else ()
        closers = self.calls.closers if self.calls else ()
        section = (self.section[1].marker,) if self.section else ()
        separator = (self.separator,) if self.separator else ()
        self.left_out = (*section, *separator, *closers)  # markers that may stand behind a call, and say nothing
        self.behind_call = (*self.openers, *self.stops, *response, *self.left_out)

    def spell(self, literal: str) -> str:
        """Return a literal as it is read: with a stand-in for each marker that is one token."""
        for text, stand_in in self.stand_ins.items():
            literal = literal.replace(text, stand_in)
        return literal

    def _borders(self, block: Block | None) -> tuple[Border, Border] | None:
        return (Border(block.opening, self.spell), Border(block.closing, self.spell)) if block else None

    def _scope(self, name: Scope, spaces: tuple[str, ...]) -> TextScope:
        borders = [border for border in (self.opening, self.closing, *(self.section or ())) if border]
        if name == "content":
            borders.extend(self.wrapper)
        elif self.notice:
            borders.append(self.notice[name == "notice"])
        openers = () if self.calls and self.calls.bare and name != "content" else self.openers
        marks = Marks(tuple(dict.fromkeys([*self.stops, *openers, *(border.marker for border in borders)])))
        literals, heads = (self.calls.literals, self.calls.heads) if self.calls else ((), ())
        starts = {space[cut:] for space in spaces for cut in range(len(space) + 1)} or {""}
        waits = Waits([s + text for s in starts for text in literals], [s + text for s in starts for text in heads])
        return TextScope(marks, spaces, waits, marks.flow(name, *spaces))


def _stand_ins(pieces: Pieces, hints: Hints, tokens: frozenset[str]) -> tuple[dict[int, str], dict[str, str]]:
    literals = _literals(pieces) + _literals(hints)
    used = sorted(
        (text for text in tokens if _is_marker(text) and any(text in literal for literal in literals)), key=len
    )
    stops = {stop.strip() for stop in pieces.stops}
    stand_ins: dict[str, str] = {}
    next_stop, next_marker = FIRST_STOP, FIRST_MARKER
    for text in reversed(used):
        if text in stops and next_stop < FIRST_MARKER:
            stand_ins[text], next_stop = chr(next_stop), next_stop + 1
        elif next_marker <= LAST:
            stand_ins[text], next_marker = chr(next_marker), next_marker + 1
    return {ord(mark): text for text, mark in stand_ins.items()}, stand_ins


def _is_marker(token: str) -> bool:
    """Whether a token can be a marker; in some vocabularies white space, words and signs are added tokens too."""
    return len(token) > 2 and not token.isalnum() and not any(character.isspace() for character in token)


def _literals(value: object) -> list[str]:
    """Return all texts inside a piece that are spelled; those inside a JSON object are not."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, tuple):
        return [text for item in value for text in _literals(item)]
    names = set(getattr(value, "__dataclass_fields__", ())) - {"object"}
    return [text for name in names if not name.startswith("_") for text in _literals(getattr(value, name))]
