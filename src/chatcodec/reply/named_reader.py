"""Reading of the calls that `NamedCalls` declares and writes; and of any whose names stand before an object.

Rules: an opening is text until its name is whole and an object begins behind it. Arguments go out as they come, as long
as they are JSON; what fails later is left out up to the closing marker. Strings end where JSON says. How arguments are
read that are written otherwise, a subclass of `HeadedReader` knows.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from chatcodec.reply.call_reading import WAIT, BeforeStop, Flow, Marks, Outcome, Surroundings, Waits
from chatcodec.reply.json_scan import RUN, TOKEN_RUN, JsonScanner
from chatcodec.reply.match import CUT, Gap, Matcher, Slot, atoms, follows, is_cut, skip_space, texts
from chatcodec.reply.schema import Signature
from chatcodec.reply.tape import Tape


class NamedGrammar:
    """The markers of `NamedCalls`, made ready for reading."""

    def __init__(self, call: str, closing: str, around: Surroundings) -> None:
        """Take the declaration, and what stands around calls."""
        signs = "".join({part.strip()[:1] for part in re.split(r"\{name\}|\{id\}|\s", call + closing)} - {""})
        slot = Slot(end="".join(sign for sign in signs if not sign.isalnum()))
        opening = atoms(call, {"{name}": slot, "{id}": slot}, around.spell)
        self.around, self.bare = around, False
        self.opening = Matcher((*opening, Gap(), "{"))
        self.slots = tuple(re.findall(r"\{(name|id)\}", call))
        self.openers: tuple[str, ...] = (texts(opening)[0],)
        self.closers = texts(atoms(closing, {}, around.spell))
        self.ends = Marks((*self.closers, *self.openers, *around.stops))
        self.run = TOKEN_RUN if around.tokens else RUN
        self.literals: tuple[str, ...] = ()
        self.heads: tuple[str, ...] = (around.spell(call.split("{")[0]),)
        self.waits = Waits([around.spell(closing)])

    def reader(self, tape: Tape, signatures: Mapping[str, Signature] | None) -> HeadedReader:
        """Return what reads such calls."""
        return NamedReader(self, tape, signatures)


def _name_in(call_id: str) -> str:
    """Return the name that an id has in it, which is all of it if it is not like ``functions.NAME:0``."""
    found = re.fullmatch(r"(?:functions\.)?(.+?)(?::\d+)?", call_id)
    return found[1] if found else call_id


class HeadedReader:
    """Reads calls whose names stand before their arguments: all but the arguments themselves."""

    FIELDS: tuple[str, ...] = ("mode",)
    CHOICES: ClassVar[dict[str, Any]] = {"mode": ("arguments", "close", "junk")}

    def __init__(self, grammar: NamedGrammar, tape: Tape, signatures: Mapping[str, Signature] | None) -> None:
        """Take the markers, the tape, and the signatures of the tools (None where none were given)."""
        self.grammar, self.tape, self.signatures = grammar, tape, signatures
        self.outcome: Outcome = ""
        self.mode: Literal["arguments", "close", "junk"] = "arguments"
        self._before_stop = BeforeStop(grammar.around)

    def _begin(self, name: str, /) -> None:
        """Make ready for the arguments of a call of this name."""
        raise NotImplementedError

    def _arguments(self, text: str, at: int, final: bool) -> int:
        """Read on in the arguments; set ``mode`` where they end or fail."""
        raise NotImplementedError

    def begin(self, text: str, before: int, at: int, final: bool) -> int | None:
        """See `CallReader`."""
        found = self.grammar.opening(text, at, final)
        if found is None or found == CUT:
            return WAIT if found else None
        said = dict(zip(self.grammar.slots, found.groups(), strict=True))
        call_id = said.get("id")
        name = said["name"] if "name" in said else _name_in(said["id"])
        self.mode = "arguments"
        self._begin(name)
        self.tape.mark(text[before:at], call=self.tape.calls)
        self.tape.open_call(text[at : found.end() - 1], name, call_id)
        if self.signatures is not None and name not in self.signatures:
            self.tape.wrong("unknown tool")
        return found.end() - 1

    def read(self, text: str, at: int, final: bool) -> int:
        """See `CallReader`."""
        if self.mode == "arguments":
            return self._arguments(text, at, final)
        return self._close(text, at, final) if self.mode == "close" else self._junk(text, at, final)

    def give_up(self) -> str:
        """See `CallReader`: such a call begins at once or not at all."""
        return ""

    def flow(self) -> Flow | None:
        """See `CallReader`."""
        return None

    def waits(self) -> Waits:
        """See `CallReader`."""
        return self.grammar.waits

    def _end(self, at: int, outcome: Literal["ended", "broken"] = "ended") -> int:
        if outcome == "broken":
            self.tape.wrong("unclosed")
        self.tape.close_call()
        self.outcome = outcome
        return at

    def _close(self, text: str, at: int, final: bool) -> int:
        """Look for the closing markers behind the arguments."""
        end = at
        for closer in self.grammar.closers:
            verdict = follows(text, end, (closer,), final, at_end=False)
            if verdict == CUT:
                return ~at
            if not verdict:
                self.tape.wrong("missing marker")
                end = len(text) if final and is_cut(text, end, (closer,)) else end
                break
            end = skip_space(text, end) + len(closer)
        self.tape.hush(text[at:end])
        return self._end(end)

    def _junk(self, text: str, at: int, final: bool) -> int:
        """Leave out what is no object, up to the end of the call; a stop that is no such end only cuts the call off."""
        end, marker = self.grammar.ends.up_to(text, at, final)
        self.tape.leave_out(text[at:end])
        closes = marker in self.grammar.closers
        if end > at or closes or (marker and marker not in self.grammar.around.stops):
            self.tape.wrong("invalid arguments")
        if not marker:
            return self._end(end, "broken") if final else ~end
        if closes:
            self.tape.hush(marker)
            return self._end(end + len(marker))
        self.tape.wrong("unclosed")
        return self._end(end)


class NamedReader(HeadedReader):
    """Reads named calls; see the module's rules."""

    FIELDS = ("mode", "scanner")

    def __init__(self, grammar: NamedGrammar, tape: Tape, signatures: Mapping[str, Signature] | None) -> None:
        """Take the markers, the tape, and the signatures of the tools (None where none were given)."""
        super().__init__(grammar, tape, signatures)
        self.scanner = JsonScanner(grammar.run)

    def _begin(self, _: str) -> None:
        self.scanner = JsonScanner(self.grammar.run)

    def _arguments(self, text: str, at: int, final: bool) -> int:
        end = self.scanner.scan(self._before_stop(text, at, final), at)
        self.tape.arguments(text[at:end], self.tape.named(text[at:end]))
        if self.scanner.done:
            self.mode = "close"
        elif self.scanner.failed:
            self.mode = "junk"
        elif final:
            return self._end(end, "broken")
        else:
            return ~end
        return end
