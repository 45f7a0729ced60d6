"""The reader of a reply: feed it text or token ids, take events, close it, and have the reply.

Rules: it starts in the state that the prompt leaves. Token ids need nothing but the bytes of a token and which tokens
are added ones: a marker that is one added token then counts by its id alone, and the same text spelled out is text. A
character cut over two tokens is held back. Its state is a small JSON value, from which another reader goes on.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterable, Mapping
from json.encoder import encode_basestring
from typing import Any, NamedTuple

from chatcodec.chat.pointer import describe
from chatcodec.errors import ChatCodecError, UnreadableInput
from chatcodec.reply.call_reading import Flow, Waits
from chatcodec.reply.events import CallStart, Event, EventType, merged
from chatcodec.reply.grammar import Grammar, Scope
from chatcodec.reply.machine import Machine
from chatcodec.reply.reply import Reply
from chatcodec.reply.schema import Signature
from chatcodec.reply.state import load, save
from chatcodec.reply.turn import TurnShape

Piece = Callable[[int], bytes]
COMPACT = 4096
VERSION = 1
_SURROGATES = re.compile("[\ud800-\udfff]")

_event: Any = tuple.__new__  # Event's own takes twice the time


class Tokens:
    """What a reader needs of a tokenizer: ``piece`` gives the bytes of a token, ``added`` are the ids of added ones."""

    def __init__(self, piece: Piece, added: Iterable[int]):
        """Look up the texts of the added tokens. Raises UnreadableInput for an id that has none."""
        if not callable(piece):
            raise UnreadableInput(
                f"piece: found {describe(piece)}, accepted: a function from a token's id to its bytes"
            )
        if not isinstance(added, Iterable):
            raise UnreadableInput(f"added: found {describe(added)}, accepted: the ids of added tokens")
        self._piece = piece
        self.added = {token: self.bytes_of(token).decode("utf-8", "replace") for token in added}
        self.names = frozenset(self.added.values())

    def bytes_of(self, token: int) -> bytes:
        """Return the bytes of a token. Raises UnreadableInput if the vocabulary does not have it."""
        try:
            piece = self._piece(token)
        except (LookupError, ValueError, TypeError, OverflowError):
            raise UnreadableInput(f"the vocabulary has no token of id {token!r}") from None
        if piece is None:
            raise UnreadableInput(f"the vocabulary has no token of id {token!r}")
        if not isinstance(piece, bytes):
            raise UnreadableInput(f"piece({token!r}) gave {describe(piece)}, accepted: the bytes of the token")
        return piece


class Start(NamedTuple):
    """A state in which a reply starts: see `Machine`; and the events of the turn before it."""

    scope: Scope
    thinking: bool
    closed: bool
    prefill: tuple[Event, ...]


class Reader:
    """Reads one reply as it comes in. Made by `Codec.reader`."""

    def __init__(
        self,
        grammar: Grammar,
        shape: TurnShape,
        signatures: Mapping[str, Signature] | None = None,
        tokens: Tokens | None = None,
    ):
        """Take a grammar, and how its codec renders a turn.

        signatures: of the tools, None where none were given. tokens: where token ids are fed.
        """
        self._machine = Machine(grammar, signatures)
        self._shape, self._signatures, self._tokens = shape, signatures, tokens
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace") if tokens else None
        self._prefill: list[Event] = []
        self._again: list[Event] = []  # events of a call that the prompt began, to be said once more
        self._said_again = 0  # how many those are
        self._log: list[Event] = []
        self._texts: list[str] = []  # what came in the flow, and is not in the log yet
        self._keep = self._texts.append
        self._full = COMPACT  # at this length the log is brought down
        self._flow: Flow | None = None
        self._kind: EventType = "content"
        self._sign = self._ends = ""  # of the flow, if one sign tells of all that is special; the next ones too
        self._quoted = False
        self._call: int | None = None
        self._detail: str | None = None
        self._waits: Waits | None = None
        self._finish_reason: str | None = None
        self._reply: Reply | None = None

    @property
    def steps(self) -> int:
        """The work so far: how often a state was asked, and how many characters were looked at more than once."""
        return self._machine.steps

    def prime(self, turn: str) -> None:
        """Start in the state that the text of a `turn` so far leaves; what is said is of the text behind it.

        A call that the turn began and did not end is said again, from its start.
        """
        machine, tape = self._machine, self._machine.tape
        if self._tokens is not None:
            turn = _SURROGATES.sub("\ufffd", turn)  # they stand for tokens here, and are no characters
        events = merged(machine.feed(machine.grammar.spell(turn)))
        if machine.mode == "after":  # that turn was ended, so nothing of it is left
            self._machine = Machine(machine.grammar, self._signatures)
            return
        tape.foreign = len(turn) - sum(len(event.raw) for event in events)
        tape.prefill = self._prefill = events
        if tape.open:
            begun = next(i for i in range(len(events), 0, -1) if events[i - 1].type == "call_start") - 1
            self._again = [event._replace(raw="", call=0) for event in events[begun:]]
            self._said_again = len(self._again)
            self._full += self._said_again
        tape.calls = 0
        machine.steps = 0

    def start(self) -> Start | None:
        """Return the state that `prime` left, if nothing was held back and no call was begun."""
        machine = self._machine
        if machine.mode != "start" or machine.held or machine.tape.foreign or self._again:
            return None
        return Start(machine.scope, machine.thinking, machine.closed, tuple(self._prefill))

    def begin(self, start: Start) -> None:
        """Start in a state that `start` gave."""
        machine = self._machine
        machine.scope, machine.thinking, machine.closed, prefill = start
        self._prefill = list(prefill)

    def feed(self, text: str) -> list[Event]:
        """Read on, and return what is new. Raises ChatCodecError for a reader of token ids."""
        sign = self._sign
        try:  # the most usual cases, and the shortest ways
            if sign and sign not in text and text[-1:] not in self._ends:
                if not self._quoted:
                    self._keep(text)
                    return [_event(Event, (self._kind, text, text, None, None))]
                if text.isascii():
                    self._keep(text)
                    return [_event(Event, ("arguments", encode_basestring(text)[1:-1], text, self._call, self._detail))]
        except TypeError:
            pass
        if not isinstance(text, str):
            raise ChatCodecError(f"a reader of text is fed text; found {describe(text)}")
        flow = self._flow
        if flow is None:
            if self._tokens is not None:
                raise ChatCodecError("this reader reads token ids: use feed_ids")
            return self._read(text)
        if not text or flow.special(text) is not None:
            return self._read(text)
        if flow.pending is not None:
            flow.pending.append(text)
            return []
        self._keep(text)
        shown = encode_basestring(text)[1:-1] if flow.quoted else text
        return [_event(Event, (flow.type, shown, text, flow.call, flow.detail))]

    def feed_ids(self, ids: Iterable[int]) -> list[Event]:
        """Read token ids on, and return what is new. Raises UnreadableInput for an id that the vocabulary lacks."""
        tokens = self._tokens
        if tokens is None:
            raise ChatCodecError("this reader reads text: give `piece` and `added` to the codec for token ids")
        if isinstance(ids, str) or not isinstance(ids, Iterable):
            raise ChatCodecError(f"a reader of token ids is fed a list of ids; found {describe(ids)}")
        pieces = [(token, tokens.bytes_of(token)) for token in ids]
        return self._read("".join(self._text_of(token, piece, tokens.added) for token, piece in pieces))

    def _read(self, text: str) -> list[Event]:
        machine = self._machine
        if machine.final:
            raise ChatCodecError("this reader was closed")
        if machine.held:
            held = machine.held + text
            if self._waits is not None and self._waits(held):
                machine.held = held
                machine.steps += 1
                return []
        if self._texts:
            self._settle()
        events = machine.feed(text)
        flow = None
        if machine.held:
            self._waits = machine.waits()
        elif self._tokens is None:
            flow = machine.flow()
        self._enter(flow)
        return self._say(events)

    def _enter(self, flow: Flow | None) -> None:
        self._flow, self._sign = flow, ""
        if flow is not None and flow.sign and flow.pending is None:
            self._kind, self._sign, self._ends = flow.type, flow.sign, flow.ends
            self._quoted, self._call, self._detail = flow.quoted, flow.call, flow.detail

    def _settle(self) -> None:
        """Put the texts of a flow into the log, as one event."""
        texts, self._texts, flow = self._texts, [], self._flow
        self._keep = self._texts.append
        if texts and flow is not None:
            raw = "".join(texts)
            text = encode_basestring(raw)[1:-1] if flow.quoted else raw
            self._log.append(Event(flow.type, text, raw, flow.call, flow.detail))

    def _text_of(self, token: int, piece: bytes, added: Mapping[int, str]) -> str:
        decoder = self._decoder
        assert decoder is not None
        if token not in added:
            return decoder.decode(piece)
        cut, name = decoder.decode(b"", True), added[token]
        decoder.reset()
        return cut + self._machine.grammar.stand_ins.get(name, name)

    def finish(self, finish_reason: str | None = None) -> list[Event]:
        """Take what came for all there is, and return the last events.

        finish_reason: what the engine said, if it did. With ``stop`` or ``tool_calls`` the model ended its turn itself,
        even if the marker that says so was left out.
        """
        machine = self._machine
        if machine.final:
            return []
        self._finish_reason = finish_reason
        machine.tape.stopped = finish_reason in ("stop", "tool_calls")
        self._settle()
        cut = machine.feed(self._decoder.decode(b"", True)) if self._decoder else []
        self._enter(None)
        return self._say([*cut, *machine.finish()])

    def close(self, finish_reason: str | None = None) -> Reply:
        """Take what came for all there is, and return the reply; for `finish_reason` see `finish`.

        Of a reader that went on from a state it is the reply of what came after that: see `Codec.collect`.
        """
        self.finish(finish_reason)
        if self._reply is None:
            parts = (self._log, self._prefill, self._said_again)
            self._reply = Reply(lambda: parts, self._shape, self._signatures, self._finish_reason)
        return self._reply

    def _say(self, events: list[Event]) -> list[Event]:
        if self._again:
            events, self._again = [*self._again, *events], []
        log = self._log
        log += events
        if len(log) > self._full:
            log[self._full - COMPACT :] = merged(log[self._full - COMPACT :])
            self._full = len(log) + COMPACT
        return events

    def state(self) -> dict[str, Any]:
        """Return the state as a small JSON value; `Codec.reader` takes it as ``state``.

        It has what is held back and what is known of an open call, not what was said: the reply of a reader that goes
        on from a state is of what came after it.
        """
        machine = self._machine
        cut, flags = self._decoder.getstate() if self._decoder else (b"", 0)
        return {
            "version": VERSION,
            "reader": machine.grammar.fingerprint,
            "machine": save(machine),
            "tape": save(machine.tape),
            "calls": save(machine.calls) if machine.calls else None,
            "bytes": [list(cut), flags],
            "again": [list(event) for event in self._again],
        }

    def resume(self, state: Mapping[str, Any]) -> None:
        """Go on from a `state`. Raises ChatCodecError if it is none of a reader of these pieces."""
        machine = self._machine
        try:
            if (state["version"], state["reader"]) != (VERSION, machine.grammar.fingerprint):
                raise ValueError("it is of another codec or version")
            load(machine, state["machine"])
            load(machine.tape, state["tape"])
            if machine.calls:
                load(machine.calls, state["calls"])
            self._again = [_event_of(*event) for event in state["again"]]
            cut, flags = state["bytes"]
            if self._decoder:
                self._decoder.setstate((bytes(cut), flags))
        except LookupError as error:
            raise ChatCodecError(f"this is no state of a reader like this one: it has no {error}") from None
        except (TypeError, ValueError, AttributeError) as error:
            why = error if isinstance(error, ValueError) else f"a part of {describe(state)} is of another kind"
            raise ChatCodecError(f"this is no state of a reader like this one: {why}") from None


def _event_of(kind: Any, text: str, raw: str, call: int | None, detail: Any) -> Event:
    return Event(kind, text, raw, call, CallStart(*detail) if isinstance(detail, list) else detail)
