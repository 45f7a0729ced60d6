"""Reading of the calls that `TaggedCalls` declares and writes.

Rules: white space between markers is free. The white space that the syntax has around a value is taken from it at most
once, on each side. A marker ends a value only where what follows is structure too: so a value may mention any marker. A
marker that was left out is noted; a call that goes on as none does is broken off there, and what follows is text again.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from chatcodec.reply.call_reading import NO_WAITS, WAIT, Flow, Outcome, Waits, space_before, space_to_hold
from chatcodec.reply.literals import json_string
from chatcodec.reply.match import (
    CUT,
    GAP,
    Cut,
    at_end,
    begins,
    follows,
    is_cut,
    skip_lead,
    skip_space,
)  # fmt: skip
from chatcodec.reply.parameter import NO_TEXT, UNTYPED, Parameter
from chatcodec.reply.schema import Signature
from chatcodec.reply.tagged_grammar import OTHER, QUOTED, TEXT, TaggedMarks
from chatcodec.reply.tape import Tape


class TaggedGrammar(TaggedMarks):
    """The markers of `TaggedCalls`, and what reads by them."""

    def reader(self, tape: Tape, signatures: Mapping[str, Signature] | None) -> TaggedReader:
        """Return what reads such calls."""
        return TaggedReader(self, tape, signatures)


class TaggedReader:
    """Reads tagged calls; see the module's rules."""

    FIELDS = ("mode", "name", "given", "argument", "pending")
    CHOICES: ClassVar[dict[str, Any]] = {"mode": ("between", "value")}

    def __init__(self, grammar: TaggedGrammar, tape: Tape, signatures: Mapping[str, Signature] | None) -> None:
        """Take the markers, the tape, and the signatures of the tools (None where none were given)."""
        self.grammar, self.tape, self.signatures = grammar, tape, signatures
        self.outcome: Outcome = ""
        self.mode: Literal["between", "value"] = "between"
        self.name = ""
        self.given: dict[str, int] = {}  # the names of its arguments so far, each with its form
        self.argument = ""  # the name of the last
        self.pending: list[str] = []  # where a value's end must come first: what is written before it, and its text
        self._known: Parameter | None = None  # the parameter whose value is being read, once it was looked up

    def begin(self, text: str, before: int, at: int, final: bool) -> int | None:
        """See `CallReader`."""
        found = self._opening(text, at, final)
        if found is None or found == CUT:
            return WAIT if found else None
        self._begin(text[before:at], found[0], found[1], whole=text.startswith(self.grammar.openers[0], at))
        return found.end()

    def _opening(self, text: str, at: int, final: bool) -> re.Match[str] | Cut | None:
        """Match the opening of a call, to the end of its name."""
        for opener, matcher, open_ended in self.grammar.openings:
            found = matcher(text, at, final) if text.startswith(opener, at) else None
            if found == CUT:
                return CUT
            if found is None or (opener != self.grammar.openers[0] and self._is_unknown(found[1])):
                continue
            sure = follows(text, found.end(), self.grammar.structure, final, at_end=False) if open_ended else True
            if sure:
                return CUT if sure == CUT else found
        return None

    def _is_unknown(self, name: str) -> bool:
        return self.signatures is not None and name not in self.signatures

    def _begin(self, space: str, raw: str, name: str, whole: bool) -> None:
        self.mode, self.name, self.given, self.pending = "between", name, {}, []
        self.tape.mark(space, call=self.tape.calls)
        self.tape.open_call(raw, name)
        if not whole:
            self.tape.wrong("missing marker")
        if self._is_unknown(name):
            self.tape.wrong("unknown tool")

    def read(self, text: str, at: int, final: bool) -> int:
        """See `CallReader`."""
        return self._between(text, at, final) if self.mode == "between" else self._value(text, at, final)

    def give_up(self) -> str:
        """See `CallReader`: a tagged call begins at once or not at all."""
        return ""

    def flow(self) -> Flow | None:
        """See `CallReader`."""
        if self.mode == "between":
            return None
        flow = self.grammar.quoted_flow if self._is_quoted() else self.grammar.flow
        return flow._replace(call=self.tape.calls, detail=self.argument, pending=self.pending or None)

    def waits(self) -> Waits:
        """See `CallReader`."""
        if self.mode == "between":
            return self.grammar.between_waits
        return NO_WAITS if self._is_quoted() else self.grammar.value_waits

    def _between(self, text: str, at: int, final: bool) -> int:
        grammar, start = self.grammar, skip_space(text, at)
        if start - at > GAP:
            self.tape.leave_out(text[at:start])
            return start
        if text.startswith(grammar.key, start):
            found = self._pair(text, start)
            if found == CUT:
                return self._cut_markup(text, at) if final else ~at
            if found is not None:
                key, end, form = found
                is_cut_there = not final and self._is_lead_cut(text, end)
                return ~at if is_cut_there else self._begin_value(text, at, key, end, form)
        for marker in grammar.behind_value:
            if text.startswith(marker, start):
                self.tape.hush(text[at : start + len(marker)])
                return start + len(marker)
        for index, closer in enumerate(grammar.closers):
            if text.startswith(closer, start):
                return self._close(text, at, start + len(closer), index, final)
        if text.startswith(grammar.outside, start) or (final and start == len(text) and self.tape.stopped):
            return self._stop_short(text, at, start)
        if is_cut(text, start, grammar.anything):
            return self._cut_markup(text, at) if final else ~at
        self._break_off()
        return at

    def _pair(self, text: str, at: int) -> tuple[str, int, int] | Cut | None:
        """Match the beginning of an argument; return its name, where its value may begin, and in which form it is.

        The marker right before the value may be missing, if a value is there.
        """
        found = self.grammar.begins(text, at, False)
        if isinstance(found, tuple):
            return found[0][1], found[0].end(), found[1]
        short = self.grammar.short_pair(text, at, False) if found is None and self.grammar.short_pair else None
        if not isinstance(short, re.Match):
            return found
        end = skip_space(text, short.end())
        if end - short.end() > GAP or text[end : end + 1] in self.grammar.firsts:
            return None
        self.tape.wrong("missing marker")
        return short[1], end, TEXT

    def _stop_short(self, text: str, at: int, start: int) -> int:
        """End a call at the next call, or at the stop: it is whole if it has an argument, and all it has is whole."""
        if self.given:
            self.tape.wrong("missing marker")
            return self._end(at)
        if not text.startswith(self.grammar.openers, start):
            self.tape.hush(text[at:start])
            at = start
        self._break_off()
        return at

    def _cut_markup(self, text: str, at: int) -> int:
        """Take the beginning of a marker at the end of all for a part of the call."""
        self.tape.hush(text[at:])
        self._break_off()
        return len(text)

    def _break_off(self) -> None:
        """End the call where it goes on as none does, or is cut."""
        self.tape.wrong("unclosed")
        self.tape.close_call()
        self.outcome = "broken"

    def _is_lead_cut(self, text: str, at: int) -> bool:
        """Whether more of the space before a value, or of the quote that it begins with, may come."""
        lead, quote = self.grammar.value_lead, self.grammar.quote
        end = skip_lead(text, at, lead)
        return (end == len(text) and end - at < len(lead)) or (quote != "" and begins(text, end, (quote,)))

    def _begin_value(self, text: str, at: int, key: str, end: int, form: int) -> int:
        end = skip_lead(text, end, self.grammar.value_lead)
        if self.grammar.quote and text.startswith(self.grammar.quote, end):
            end, form = end + len(self.grammar.quote), QUOTED
        if key in self.given:
            self.tape.wrong("duplicate argument")
        head = f"{', ' if self.given else '{'}{json_string(key)}: "
        self.given[key], self.argument = form, key
        self.mode, self._known = "value", None
        if self._parameter().streams:
            self.tape.arguments(text[at:end], head + '"')
        else:
            self.tape.hush(text[at:end])
            self.pending = [head]
        return end

    def _signature(self) -> Signature | None:
        return self.signatures.get(self.name) if self.signatures else None

    def _parameter(self) -> Parameter:
        if self._known is None:
            signature = self._signature()
            self._known = UNTYPED if signature is None else signature.parameter(self.argument)
            if self._known is UNTYPED and self.given.get(self.argument) == OTHER:
                self._known = NO_TEXT
        return self._known

    def _is_quoted(self) -> bool:
        return self.given.get(self.argument) == QUOTED

    def _quoted(self, text: str, at: int, final: bool) -> int:
        """Read a text between quotes: it ends where the quote is followed by what ends a value."""
        grammar, place = self.grammar, at
        while (found := grammar.quote_ends.find(text, place, final)) is not None:
            start, verdict = found.start(), self._is_quote_end(text, found, final)
            if verdict == CUT:
                return self._take(text, at, start)
            if verdict and found[0] != grammar.unquote:
                self._take(text, at, start)
                self._cut_value("")
                return start
            if verdict:
                end = min(skip_space(text, found.end()) + len(grammar.value_end), len(text))
                self._say_value(text[at:start])
                self.tape.hush(text[start:end])
                self.mode = "between"
                return end
            place = start + 1
        if final:
            self._cut_value(text[at:])
            return len(text)
        return self._take(text, at, grammar.quote_ends.hold(text, place))

    def _is_quote_end(self, text: str, found: re.Match[str], final: bool) -> bool | Cut:
        """Whether the marker that was found ends a quoted text: what ends a value follows, or nothing does."""
        end, grammar = found.end(), self.grammar
        if found[0] != grammar.unquote:
            return grammar.around.tokens or at_end(text, end, grammar.around.stops, final)
        verdict = follows(text, end, (grammar.value_end,), final)
        if verdict is not True:
            return verdict
        end = skip_space(text, end)
        return end == len(text) or self._is_structure(text, end + len(grammar.value_end), final)

    def _value(self, text: str, at: int, final: bool) -> int:
        if self._is_quoted():
            return self._quoted(text, at, final)
        grammar, place = self.grammar, at
        while (found := grammar.ends.find(text, place, final)) is not None:
            verdict = self._is_end(text, at, found, final)
            if verdict == CUT:
                return self._take(text, at, space_to_hold(text, at, found.start(), *grammar.held_space))
            if verdict:
                return self._end_value(text, at, found)
            place = found.start() + 1  # a value's last characters may look like the marker's first
        if final:
            self._cut_value(text[at:])
            return len(text)
        return self._take(text, at, space_to_hold(text, at, grammar.ends.hold(text, place), *grammar.held_space))

    def _take(self, text: str, at: int, end: int) -> int:
        """Take ``text[at:end]`` as a part of the value, and wait from there."""
        raw = text[at:end]
        if self.pending:
            self.pending.append(raw)
        elif raw:
            self.tape.value(raw, json_string(self.tape.named(raw))[1:-1], self.argument)
        return ~end

    def _is_end(self, text: str, at: int, found: re.Match[str], final: bool) -> bool | Cut:
        """Whether the marker that was found ends the value: what follows must be structure."""
        mark, end, grammar = found[0], found.end(), self.grammar
        stops = grammar.around.stops
        if mark == grammar.value_end:
            return self._is_structure(text, end, final)
        if mark in stops:
            return grammar.around.tokens or at_end(text, end, stops, final)
        if mark == grammar.key:
            return self._is_next_argument(text, at, found.start(), final)
        for closer in grammar.closers[grammar.closers.index(mark) + 1 :]:
            verdict = follows(text, end, (closer,), final, at_end=False)
            if verdict == CUT:
                return CUT
            if verdict:
                end = skip_space(text, end) + len(closer)
        return follows(text, end, grammar.openers, final) or self._stops(text, end, final)

    def _stops(self, text: str, at: int, final: bool) -> bool | Cut:
        """Whether the turn ends at `at`: in a text, which may mention the marker, nothing else may come behind it."""
        stops = self.grammar.around.stops
        if self.grammar.around.tokens:
            return follows(text, at, stops, final)
        return at_end(text, at, stops, final)

    def _is_structure(self, text: str, at: int, final: bool) -> bool | Cut:
        """Whether a part of the call, the next call, or the end comes behind `at`; at the end, a part of it will do."""
        marks = self.grammar.structure
        verdict = follows(text, at, marks, final) or self._stops(text, at, final)
        if verdict:
            return verdict
        found = self._opening(text, skip_space(text, at), final)
        if found == CUT or (not final and is_cut(text, at, self.grammar.openers)):
            return CUT
        return found is not None or (final and is_cut(text, at, (*marks, *self.grammar.around.stops)))

    def _is_next_argument(self, text: str, at: int, start: int, final: bool) -> bool | Cut:
        """Whether an argument that is declared and not given begins here, on a line of its own."""
        signature = self._signature()
        if signature is None or start == at or text[start - 1] != "\n":
            return False
        found = self.grammar.begins(text, start, final)
        if found is None or found == CUT:
            return CUT if found else False
        return signature.declares(found[0][1]) and found[0][1] not in self.given

    def _end_value(self, text: str, at: int, found: re.Match[str]) -> int:
        mark, start = found[0], found.start()
        if mark in self.grammar.around.stops:
            cut = ~self._take(text, at, space_to_hold(text, at, start, *self.grammar.held_space))
            self._cut_value(text[cut:start])
            return start
        whole = mark == self.grammar.value_end
        cut = space_before(text, at, start, self.grammar.value_tail if whole else self.grammar.other_tail)
        self._say_value(text[at:cut])
        self.tape.hush(text[cut:start])
        self.mode = "between"
        if whole:
            self.tape.hush(mark)
            return found.end()
        self.tape.wrong("missing marker")
        return start

    def _say_value(self, raw: str) -> None:
        """Say the last piece of a value, or all of it where its type has to be known first."""
        key, parameter, named = self.argument, self._parameter(), self.tape.named
        if self.pending:
            head, raw, self.pending = self.pending[0], "".join((*self.pending[1:], raw)), []
            value = parameter.read(named(raw), self.grammar.style)
            delta, fault = head + value.json, value.fault
        else:
            delta = json_string(named(raw))[1:]
            fault = parameter.read("", self.grammar.style).fault
        self.tape.value(raw, delta, key)
        self.tape.faults.append(fault)
        if fault is not None and self._signature() is not None:
            self.tape.wrong(fault)

    def _cut_value(self, raw: str) -> None:
        """Say what came of a value that does not end, and end the call."""
        raw, self.pending = "".join((*self.pending[1:], raw)), []
        self.tape.value(raw, "", self.argument)
        self.tape.faults.append(None)
        self._break_off()

    def _close(self, text: str, at: int, end: int, index: int, final: bool) -> int:
        """End the call behind its closing markers, of which the one at `index` ends at `end`."""
        missing = index > 0
        for closer in self.grammar.closers[index + 1 :]:
            verdict = follows(text, end, (closer,), final, at_end=False)
            if verdict == CUT:
                return ~at
            if verdict:
                end = skip_space(text, end) + len(closer)
            missing = missing or not verdict
            if final and not verdict and is_cut(text, end, (closer,)):
                end = len(text)
        if missing:
            self.tape.wrong("missing marker")
        self.tape.hush(text[at:end])
        return self._end(end)

    def _end(self, at: int) -> int:
        self.tape.arguments("", "}" if self.given else "{}")
        self.tape.close_call()
        self.outcome = "ended"
        return at
