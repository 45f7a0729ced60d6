"""How one codec's replies are read: its pieces made ready once, and used for every reply.

Rules: what is made here is kept, and depends on nothing but pieces and hints, so that a codec can be used from any
thread. A completion that is there as a whole is first tried as a reply without anything unusual; a reader that goes
through it says the same, and is asked for what that attempt does not know.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from chatcodec.chat.pointer import describe
from chatcodec.errors import ChatCodecError
from chatcodec.reply.events import Event
from chatcodec.reply.grammar import Grammar
from chatcodec.reply.json_calls import JsonCalls
from chatcodec.reply.pieces import Hints, Pieces
from chatcodec.reply.quick import Quick
from chatcodec.reply.reader import Piece, Reader, Start, Tokens
from chatcodec.reply.reply import Parts, Reply
from chatcodec.reply.schema import Signature, signatures
from chatcodec.reply.turn import TurnShape

MOST_STARTS, LONGEST_START = 64, 200


class Tools(list[Any]):
    """Tool definitions, checked once; whatever takes a list of tools takes these."""

    def __init__(self, definitions: Iterable[Any], prepare: bool = True) -> None:
        """Take plain definitions; `prepare` says whether they will be used often.

        Raises InvalidChat for a broken schema, with a JSON pointer.
        """
        super().__init__(definitions)
        self.signatures = signatures(self)
        for signature in self.signatures.values() if prepare else ():
            signature.prepare()

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the definitions."""
        return Tools, (list(self),)


def _closing(hints: Hints) -> str:
    """Return what ends a call inside a text."""
    return hints.calls.closing.rstrip() if hints.calls is not None else ""


class Reading:
    """Makes readers and replies of one codec."""

    def __init__(self, pieces: Pieces, hints: Hints) -> None:
        """Take what the codec declares."""
        self.pieces, self.hints = pieces, hints
        as_text = isinstance(pieces.calls, JsonCalls) and pieces.calls.as_text
        opening = pieces.reasoning.opening if pieces.reasoning else ""
        self._shape = TurnShape(
            as_text, pieces.reasoning is not None, hints.response is not None, opening, _closing(hints)
        )
        self._grammars: dict[tuple[frozenset[str] | None, bool], Grammar] = {}
        self._starts: dict[str, Start | None] = {}
        self._quick: Quick | None = None

    def tokens(self, piece: Piece, added: Iterable[int]) -> Tokens:
        """Return what a reader needs of a tokenizer. Raises UnreadableInput for an added id without a text."""
        return Tokens(piece, added)

    def checked(self, definitions: Iterable[Any], prepare: bool = True) -> Tools:
        """Return tools that are checked; see `Tools`."""
        return Tools(definitions, prepare)

    def known(self, tools: Any) -> Mapping[str, Signature] | None:
        """Return the signatures of tools that were checked, as good as None if there are none; else None."""
        return tools.signatures or None if isinstance(tools, Tools) else None

    def reader(
        self,
        turn: str | None,
        known: Mapping[str, Signature] | None = None,
        tokens: Tokens | None = None,
        calls: bool = True,
    ) -> Reader:
        """Return a reader that starts behind what the prompt has of the `turn`; None if it will go on from a state."""
        reader = Reader(self._grammar(tokens.names if tokens else None, calls), self._shape, known, tokens)
        start = self._start(turn) if turn is not None and tokens is None else None
        if start is not None:
            reader.begin(start)
        elif turn is not None:
            reader.prime(turn)
        return reader

    def parse(
        self,
        text: str,
        turn: str,
        known: Mapping[str, Signature] | None = None,
        calls: bool = True,
        finish_reason: str | None = None,
    ) -> Reply:
        """Return the reply that `text` is; `turn` is what the prompt has of the turn that it continues.

        known: the signatures of the tools, None where none were given. calls: whether to look for calls.
        finish_reason: what the engine said, if it did.
        """

        def read() -> Parts:
            reader = self.reader(turn, known, None, calls)
            reader.feed(text)
            return reader.close(finish_reason).parts

        message = None
        if calls:
            start = self._start(turn)
            if self._quick is None:
                self._quick = Quick(self.pieces, self._grammar(None, True))
            if start is not None and self._quick.usable:
                message = self._quick.message(text, start.scope, known)
        return Reply(read, self._shape, known, finish_reason, message)

    def collect(
        self, events: Iterable[Event], turn: str, known: Mapping[str, Signature] | None, finish_reason: str | None
    ) -> Reply:
        """Return the reply that the events make; `turn` is as in `parse`.

        Raises ChatCodecError for what is no event.
        """
        taken = list(events) if isinstance(events, Iterable) else [events]
        for event in taken:
            if type(event) is not Event:
                raise ChatCodecError(f"found {describe(event)}, accepted: the events of a reader, as chatcodec.Event")
        reader = self.reader(turn, known)
        if reader.start() is None:  # what the turn's last characters are is told by the text behind them
            reader.feed("".join(event.raw for event in taken))
        _, prefill, again = reader.close().parts
        parts = (taken, prefill, again)
        return Reply(lambda: parts, self._shape, known, finish_reason)

    def _grammar(self, tokens: frozenset[str] | None, calls: bool) -> Grammar:
        key = (tokens, calls)
        grammar = self._grammars.get(key)
        if grammar is None:
            grammar = self._grammars[key] = Grammar(self.pieces, self.hints, tokens, calls)
        return grammar

    def _start(self, turn: str) -> Start | None:
        """Return the state that a short and usual beginning of a turn leaves, None for any other."""
        if turn in self._starts:
            return self._starts[turn]
        start = None
        if len(turn) <= LONGEST_START:
            reader = Reader(self._grammar(None, True), self._shape)
            reader.prime(turn)
            start = reader.start()
            if len(self._starts) < MOST_STARTS:
                self._starts[turn] = start
        return start
