"""Reading of the calls that `TaggedCalls` declares and writes.

Rules: white space between markers is free. The white space that the syntax has around a value is taken from it at most
once, on each side. A marker ends a value only where what follows is structure too: so a value may mention any marker. A
marker that was left out is noted; a call that goes on as none does is broken off there, and what follows is text again.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

from chatcodec.reply.calls import (
    WAIT,
    Flow,
    Marks,
    Outcome,
    Surroundings,
    prefixes,
    space_before,
    space_to_hold,
)  # fmt: skip
from chatcodec.reply.literals import Literals, json_string
from chatcodec.reply.match import (
    CUT,
    GAP,
    Atom,
    Cut,
    Gap,
    Matcher,
    Slot,
    at_end,
    atoms,
    before,
    behind,
    follows,
    is_cut,
    skip_lead,
    skip_space,
    texts,
)  # fmt: skip
from chatcodec.reply.parameter import UNTYPED, Parameter
from chatcodec.reply.schema import Signature
from chatcodec.reply.tape import Tape


class TaggedGrammar:
    """The markers of `TaggedCalls`, made ready for reading."""

    def __init__(self, call: str, argument: str, closing: str, values: str, around: Surroundings) -> None:
        """Take the declaration, and what stands around calls."""
        slots, spell = {"{name}": Slot(), "{key}": Slot(loose=True)}, around.spell
        opening, (pair, _, value_closing) = atoms(call, slots, spell), argument.partition("{value}")
        self.around = around
        self.literals: Literals = "json" if values == "json" else "python"
        self.pair = Matcher(atoms(pair, slots, spell))
        self.short_pair = _short(self.pair.sequence)
        self.key = texts(self.pair.sequence)[0]
        self.value_lead, self.value_tail = behind(pair), before(value_closing)
        self.other_tail = self.value_tail or before(closing)
        self.value_end = texts(atoms(value_closing, {}, spell))[0]
        self.closers = texts(atoms(closing, {}, spell))
        self.openings = _openings(opening)
        self.openers = tuple(opener for opener, _, _ in self.openings)
        self.structure = (self.key, *self.closers)
        self.firsts = frozenset(mark[0] for mark in (*self.structure, self.value_end))
        self.outside = (*self.openers, *around.stops)
        self.ends = Marks((self.value_end, *self.closers, self.key, *around.stops))
        # A value's last newline may have to be known where the next argument begins on a line of its own.
        self.held_space = (self.value_tail, "\n")
        self.special = self.ends.special("".join(self.held_space))
        self.waits = prefixes(spell(call.partition("{name}")[0]))
        next_pair = argument.partition("{key}")[0]
        ends = (
            value_closing + next_pair.lstrip(),
            value_closing.rstrip() + next_pair,
            value_closing + closing.lstrip(),
        )
        self.waits_inside = prefixes(spell(closing), *map(spell, ends))

    def reader(self, tape: Tape, signatures: Mapping[str, Signature] | None) -> TaggedReader:
        """Return what reads such calls."""
        return TaggedReader(self, tape, signatures)


def _short(pair: tuple[Atom, ...]) -> Matcher | None:
    """Return what matches the beginning of an argument without its last marker, where another closes its name."""
    slot = next(index for index, atom in enumerate(pair) if isinstance(atom, Slot))
    behind = [index for index in range(slot, len(pair)) if isinstance(pair[index], str)]
    return Matcher(pair[: behind[-2] + 1]) if len(behind) > 1 else None


def _openings(opening: tuple[Atom, ...]) -> list[tuple[str, Matcher, bool]]:
    """Return how a call may open: its first marker, what matches, and whether the name ends with what follows.

    White space before a name that nothing else ends is free. Where the name has two markers before it, the first may be
    missing, if what follows the name leaves no doubt.
    """
    name = next(index for index, atom in enumerate(opening) if isinstance(atom, Slot))
    marks = texts(opening[:name])
    if name == len(opening) - 1:
        return [(marks[0], Matcher((*opening[:-1], Gap(), opening[-1])), True)]
    whole = (marks[0], Matcher(opening), False)
    return [whole, (marks[-1], Matcher(opening[name - 1 :]), True)] if len(marks) > 1 else [whole]


class TaggedReader:
    """Reads tagged calls; see the module's rules."""

    FIELDS = ("mode", "name", "given", "pending")

    def __init__(self, grammar: TaggedGrammar, tape: Tape, signatures: Mapping[str, Signature] | None) -> None:
        """Take the markers, the tape, and the signatures of the tools (None where none were given)."""
        self.grammar, self.tape, self.signatures = grammar, tape, signatures
        self.outcome: Outcome = ""
        self.mode: Literal["between", "value"] = "between"
        self.name = ""
        self.given: list[str] = []
        self.pending: list[str] = []  # where a value's end must come first: what is written before it, and its text

    def begin(self, text: str, before: int, at: int, final: bool) -> int | None:
        """See `CallReader`."""
        for opener, matcher, open_ended in self.grammar.openings:
            if not text.startswith(opener, at):
                continue
            found = matcher(text, at, final)
            if found == CUT:
                return WAIT
            if found is None:
                continue
            end = found.end()
            sure = follows(text, end, self.grammar.structure, final, at_end=False) if open_ended else True
            if sure == CUT:
                return WAIT
            if sure:
                self._begin(text[before:at], text[at:end], found[1], opener)
                return end
        return None

    def _begin(self, space: str, raw: str, name: str, opener: str) -> None:
        self.mode, self.name, self.given, self.pending = "between", name, [], []
        self.tape.mark(space)
        self.tape.open_call(raw, name)
        if opener != self.grammar.openers[0]:
            self.tape.wrong("missing marker")
        if self.signatures is not None and name not in self.signatures:
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
        return Flow(self.grammar.special, "arguments", self.tape.calls, self.given[-1], True, self.pending or None)

    def _between(self, text: str, at: int, final: bool) -> int:
        grammar, start = self.grammar, skip_space(text, at)
        if text.startswith(grammar.key, start):
            found = self._pair(text, start)
            if isinstance(found, re.Match):
                cut = grammar.value_lead and found.end() == len(text) and not final
                return ~at if cut else self._begin_value(text, at, found)
            if found == CUT:
                return self._cut_markup(text, at) if final else ~at
        for index, closer in enumerate(grammar.closers):
            if text.startswith(closer, start):
                return self._close(text, at, start + len(closer), index, final)
        if start - at == GAP:
            self.tape.hush(text[at:start])
            return start
        if is_cut(text, start, (*grammar.structure, *grammar.outside)):
            return self._cut_markup(text, at) if final else ~at
        if self.given and text.startswith(grammar.outside, start):
            self.tape.wrong("missing marker")
            return self._end(at)
        self._break_off()
        return at

    def _pair(self, text: str, at: int) -> re.Match[str] | Cut | None:
        """Match the beginning of an argument, up to its value; the marker right before the value may be missing."""
        found = self.grammar.pair(text, at, False)
        if found is not None or self.grammar.short_pair is None:
            return found
        short = self.grammar.short_pair(text, at, False)
        if not isinstance(short, re.Match) or text[short.end() :][:1] in self.grammar.firsts:
            return None
        self.tape.wrong("missing marker")
        return short

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

    def _begin_value(self, text: str, at: int, found: re.Match[str]) -> int:
        key = found[1]
        end = skip_lead(text, found.end(), self.grammar.value_lead)
        if key in self.given:
            self.tape.wrong("duplicate argument")
        head = f"{', ' if self.given else '{'}{json_string(self.tape.named(key))}: "
        self.given.append(key)
        self.mode = "value"
        if self._parameter().streams:
            self.tape.arguments(text[at:end], head + '"')
        else:
            self.tape.hush(text[at:end])
            self.pending = [head]
        return end

    def _signature(self) -> Signature | None:
        return self.signatures.get(self.name) if self.signatures else None

    def _parameter(self) -> Parameter:
        signature = self._signature()
        return UNTYPED if signature is None else signature.parameter(self.given[-1])

    def _value(self, text: str, at: int, final: bool) -> int:
        grammar, place = self.grammar, at
        while (found := grammar.ends.find(text, place)) is not None:
            verdict = self._is_end(text, at, found, final)
            if verdict == CUT:
                return self._take(text, at, space_to_hold(text, at, found.start(), *grammar.held_space))
            if verdict:
                return self._end_value(text, at, found)
            place = found.end()
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
            self.tape.value(raw, json_string(self.tape.named(raw))[1:-1], self.given[-1])
        return ~end

    def _is_end(self, text: str, at: int, found: re.Match[str], final: bool) -> bool | Cut:
        """Whether the marker that was found ends the value: what follows must be structure."""
        mark, end, grammar = found[0], found.end(), self.grammar
        stops = grammar.around.stops
        if mark == grammar.value_end:
            return follows(text, end, (*grammar.structure, *stops), final)
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
        return follows(text, end, grammar.outside, final)

    def _is_next_argument(self, text: str, at: int, start: int, final: bool) -> bool | Cut:
        """Whether an argument that is declared and not given begins here, on a line of its own."""
        signature = self._signature()
        if signature is None or start == at or text[start - 1] != "\n":
            return False
        found = self.grammar.pair(text, start, final)
        if found is None or found == CUT:
            return CUT if found else False
        return signature.declares(found[1]) and found[1] not in self.given

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
        key, parameter, named = self.given[-1], self._parameter(), self.tape.named
        if self.pending:
            head, raw, self.pending = self.pending[0], "".join((*self.pending[1:], raw)), []
            value = parameter.read(named(raw), self.grammar.literals)
            delta, fault = head + value.json, value.fault
        else:
            delta = json_string(named(raw))[1:]
            fault = parameter.read("", self.grammar.literals).fault
        self.tape.value(raw, delta, key)
        self.tape.faults.append(fault)
        if fault is not None and self.signatures is not None:
            self.tape.wrong(fault)

    def _cut_value(self, raw: str) -> None:
        """Say what came of a value that does not end, and end the call."""
        raw, self.pending = "".join((*self.pending[1:], raw)), []
        self.tape.value(raw, "", self.given[-1])
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
