"""Reading of the calls that `JsonCalls` declares and writes.

Rules: members may come in any order, with any spacing; name and arguments at the top or under ``function``;
``parameters`` counts as ``arguments``; arguments may be an object or JSON text in a string; a list of calls counts as
several. Strings end where JSON says, so a value may mention any marker. Nothing is said before the name is whole: what
fails before was text. From then on arguments go out as they come, as long as they are JSON; what fails later is left
out up to the closing marker.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Literal

from chatcodec.reply.call_reading import WAIT, BeforeStop, Flow, Outcome, Waits
from chatcodec.reply.events import GRAVITY, Problem
from chatcodec.reply.json_grammar import ARGUMENTS, JsonMarks
from chatcodec.reply.json_inside import JsonInside
from chatcodec.reply.json_scan import JsonScanner
from chatcodec.reply.literals import is_unicode
from chatcodec.reply.match import CUT, GAP, begins, follows, is_cut, skip_space
from chatcodec.reply.schema import Signature
from chatcodec.reply.tape import Tape

_STRUCTURE = {
    "element": {"{": "member"},
    "member": {'"': "key", "}": "end"},
    "next key": {'"': "key"},
    "colon": {":": "value"},
    "next": {",": "next key", "}": "end"},
}
"""What may come next where one character tells, and how to go on."""
_EXTRA = re.compile(r"[\]}]{1,8}").match


class JsonGrammar(JsonMarks):
    """The markers of `JsonCalls`, and what reads by them."""

    def reader(self, tape: Tape, signatures: Mapping[str, Signature] | None) -> JsonReader:
        """Return what reads such calls."""
        return JsonReader(self, tape, signatures)


class JsonReader:
    """Reads JSON calls; see the module's rules."""

    FIELDS = (
        "mode", "under", "key", "listed", "name", "id", "said", "argued", "as_text", "problems",
        "quiet", "early", "word", "scanner", "inside",
    )  # fmt: skip

    def __init__(self, grammar: JsonGrammar, tape: Tape, signatures: Mapping[str, Signature] | None) -> None:
        """Take the markers, the tape, and the signatures of the tools (None where none were given)."""
        self.grammar, self.tape, self.signatures = grammar, tape, signatures
        self.outcome: Outcome = ""
        self.listed = False  # whether the calls stand in a list
        self._before_stop = BeforeStop(grammar.around)
        self._reset([])

    def _reset(self, quiet: list[str]) -> None:
        self.mode = "member"
        self.under = False  # whether this is inside the object under "function"
        self.key = ""
        self.name: str | None = None
        self.id: str | None = None
        self.said = False  # whether the call was opened on the tape
        self.argued: Literal["", "done", "other", "wrong"] = ""  # what came as arguments
        self.as_text = False
        self.problems: list[Problem] = []
        self.quiet = quiet  # what was taken before the name was there
        self.early: list[str] = []  # deltas of arguments that came before the name
        self.word: list[str] = []  # what has come of a string
        self.scanner = JsonScanner(self.grammar.run)
        self.inside = JsonInside()

    def begin(self, text: str, before: int, at: int, final: bool) -> int | None:
        """See `CallReader`."""
        found = self.grammar.opening(text, at, final)
        if found is None or found == CUT:
            return WAIT if found else None
        if self.grammar.bare:
            self._reset([text[before:at], text[at]])
            self.listed, self.mode = (True, "element") if text[at] == "[" else (False, "member")
            return at + 1
        end = skip_space(text, found.end())
        if end - found.end() > GAP or (end == len(text) and final):
            return None
        if end == len(text):
            return WAIT
        if text[end] not in "{[":
            return None
        self._reset([text[before:at], text[at : end + 1]])
        self.listed, self.mode = (True, "element") if text[end] == "[" else (False, "member")
        return end + 1

    def read(self, text: str, at: int, final: bool) -> int:
        """See `CallReader`."""
        self.final = final
        part = text if self.mode == "close" else self._before_stop(text, at, final)
        at = self._MODES[self.mode](self, part, at)
        if at < 0 and final:
            self._stop_short(part[~at:])
            return len(part)
        return at

    def give_up(self) -> str:
        """See `CallReader`."""
        raw, self.quiet = "".join(self.quiet), []
        return raw

    def flow(self) -> Flow | None:
        """See `CallReader`."""
        return None

    def waits(self) -> Waits:
        """See `CallReader`."""
        return self.grammar.waits

    def _take(self, raw: str, delta: str = "", long: bool = False) -> None:
        if self.said and delta:
            self.tape.arguments(raw, delta)
        elif self.said and long:
            self.tape.leave_out(raw)
        elif self.said:
            self.tape.hush(raw)
        else:
            self.quiet.append(raw)
            self.early.append(delta)

    def _fail(self, at: int) -> int:
        """Go on from what is not JSON: as text if there is no name yet, else behind the end of the call."""
        self._say_late()
        if not self.said:
            self.outcome = "released"
            return at
        self.mode = "junk"
        return at

    def _stop_short(self, rest: str) -> None:
        """End at the end of all, in the middle of a call."""
        self._say_late()
        self._take(rest)
        if self.said:
            self._close_call("unclosed")
        self.outcome = "broken" if self.said else "released"

    def _spaced(self, text: str, at: int) -> int:
        """Pass over white space, and go on at what is behind it."""
        end = skip_space(text, at)
        if end - at > GAP:
            self._take(text[at:end], long=True)
            return end
        if end == len(text):
            return ~at
        return (self._value if self.mode == "value" else self._structure)(text, at, end)

    def _structure(self, text: str, at: int, end: int) -> int:
        mode = _STRUCTURE[self.mode].get(text[end])
        if mode is None:
            return self._end_early(text, at, end)
        if mode == "end":
            return self._end_object(text[at : end + 1], end + 1)
        self._take(text[at : end + 1])
        self.mode = mode
        if mode == "key":
            self._begin_string()
        return end + 1

    def _end_early(self, text: str, at: int, end: int) -> int:
        """Go on at what is not JSON; a closing marker behind the arguments leaves only braces out."""
        closers = self.grammar.closers if self.argued == "done" else ()
        if not self.final and begins(text, end, closers):
            return ~at
        if not closers or not text.startswith(closers, end):
            return self._fail(at)
        self._say_late()
        self.problems.append("missing marker")
        self.mode = "close" if self.said else "nameless"
        return at

    def _begin_string(self) -> None:
        self.word, self.scanner = [], JsonScanner(self.grammar.run)
        self.scanner.want = "string"

    def _string(self, text: str, at: int) -> int:
        """Read a key, a name or an id to its end."""
        end = self.scanner.scan(text, at)
        self._take(text[at:end])
        self.word.append(text[at:end])
        if self.scanner.failed:
            return self._fail(end)
        if not self.scanner.done:
            return ~end
        word = json.loads('"' + self.tape.named("".join(self.word)))
        if self.mode == "key":
            if self.grammar.by_name and self.name is None and is_unicode(word):
                self.name, word = word or None, ARGUMENTS[0]
                self._say_late()
            self.key, self.mode = word, "colon"
            return end
        if not is_unicode(word):
            return self._fail(end)
        if self.mode == "id":
            self.id = word
        else:
            self.name = word or None
        self.mode = "next"
        if self.id is not None or not self.grammar.has_id:
            self._say_late()
        return end

    def _say(self) -> None:
        """Open the call, now that its name is there."""
        self.tape.mark(self.quiet[0], call=self.tape.calls)
        self.tape.open_call("".join(self.quiet[1:]), self.name, self.id)
        self.said, self.quiet = True, []
        if self.signatures is not None and self.name is not None and self.name not in self.signatures:
            self.problems.append("unknown tool")
        if any(self.early):
            self.tape.arguments("", "".join(self.early))
        self.early = []

    def _say_late(self) -> None:
        """Open a call whose id did not come."""
        if self.name is not None and not self.said:
            self._say()

    def _value(self, text: str, at: int, end: int) -> int:
        self.mode, self.scanner = self._mode_of(text[end]), JsonScanner(self.grammar.run)
        self.under = self.under or self.mode == "member"
        if self.mode in ("name", "id", "text"):
            self._begin_string()
        end += self.mode not in ("arguments", "skip")  # those are scanned from their first character
        self._take(text[at:end])
        return end

    def _mode_of(self, char: str) -> str:
        """Return how the value of the key that was read is read, by its first character."""
        if char == "{" and self.key == "function" and not self.under:
            return "member"
        known = self.grammar.keys.get(self.key, self.key)
        if char == '"' and known == "name" and self.name is None:
            return "name"
        if char == '"' and known == "id" and self.id is None:
            return "id"
        arguments = self.key in self.grammar.argument_keys
        if not arguments or self.argued:
            if (arguments and char != "n") or (known == "name" and char == '"'):
                self.problems.append("unexpected text")  # it is there once more
            return "skip"
        if char == "{":
            return "arguments"
        if char == "n":
            self.problems.append("retyped")
            return "skip"
        self.argued = "other"
        self.as_text = char == '"'
        return "text" if self.as_text else "skip"

    def _close_call(self, *problems: Problem) -> None:
        self.tape.problems += (*self.problems, *problems)
        self.tape.close_call(self.as_text)

    def _any(self, text: str, at: int) -> int:
        """Read a value to its end: arguments that are an object, or what is of no use."""
        end = self.scanner.scan(text, at)
        argued = self.mode == "arguments"
        self._take(text[at:end], self.tape.named(text[at:end]) if argued else "", long=not argued)
        if self.scanner.failed:
            return self._fail(end)
        if not self.scanner.done:
            return ~end
        if argued:
            self.argued = "done"
        elif self.argued == "other":
            self.argued = "wrong"
            self.problems.append("invalid arguments")
        self.mode = "next"
        return end

    def _text(self, text: str, at: int) -> int:
        """Read arguments that are JSON text inside a string."""
        end = self.scanner.scan(text, at)
        ended = self.scanner.done
        delta = self.inside.feed(self.tape.named(text[at : end - ended]), ended)
        (self.tape.arguments if self.said else self._take)(text[at:end], delta)
        if self.scanner.failed:
            return self._fail(end)
        if not ended:
            return ~end
        self.mode = "next"
        self.argued = {"empty": "", "object": "done"}.get(self.inside.verdict, "wrong")  # type: ignore[assignment]
        if self.argued != "done":
            self.problems.append("invalid arguments" if self.argued else "retyped")
        return end

    def _end_object(self, raw: str, at: int) -> int:
        if self.under:
            self._take(raw)
            self.under, self.mode = False, "next"
            return at
        self._say_late()
        self._take(raw, "" if self.argued else "{}")
        if self.argued == "done" and self.as_text != self.grammar.as_text:
            self.problems.append("retyped")
        self.mode = "close" if self.said else "nameless"
        return at

    def _nameless(self, text: str, at: int) -> int:
        marks = (*self.grammar.closers, ",", "]") if self.listed else self.grammar.closers
        verdict = follows(text, at, marks, self.final, at_end=False) if self.key else False
        if verdict == CUT:
            return ~at
        if not verdict:
            self.outcome = "released"
            return at
        self.early, self.mode = [], "close"
        self._say()
        self.problems.append("missing name")
        return at

    def _close(self, text: str, at: int) -> int:
        """Look for the closing marker behind the object."""
        start = skip_space(text, at)
        if self.listed and text.startswith("]", start):
            self._take(text[at : start + 1])
            self.listed = False
            return start + 1
        if self.listed and text.startswith(",", start):
            self._next_call(text[at : start + 1], "element")
            return start + 1
        if not self.grammar.closers and not self.listed:
            return self._end(at)
        if text.startswith("{", start):
            self.problems.append("missing marker")
            self._next_call(text[at : start + 1], "member")
            self.problems.append("missing marker")
            return start + 1
        extra = _EXTRA(text, start)
        end = extra.end() if extra else start
        verdict = follows(text, end, self.grammar.closers[:1], self.final, at_end=False)
        if verdict == CUT or (end == len(text) and not self.final and end - at <= GAP):
            return ~at
        if not verdict:
            ended = self.final and is_cut(text, at, self.grammar.closers[:1])
            if not ended or start < len(text) or not self.grammar.around.inline:
                self.problems.append("missing marker")
            self._take(text[at:] if ended else "")
            return self._end(len(text) if ended else at)
        end = skip_space(text, end) + len(self.grammar.closers[0])
        for closer in self.grammar.closers[1:]:
            verdict = follows(text, end, (closer,), self.final, at_end=False)
            if verdict == CUT:
                return ~at
            end = skip_space(text, end) + len(closer) if verdict else end
        if extra:
            self.problems.append("unexpected text")
        self._take(text[at:end])
        return self._end(end)

    def _next_call(self, raw: str, mode: str) -> None:
        self._close_call()
        self._reset(["", raw])
        self.mode = mode

    def _end(self, at: int) -> int:
        self._close_call()
        self.outcome = "ended"
        return at

    def _junk(self, text: str, at: int) -> int:
        """Leave out what is no JSON, up to the end of the call; a stop only cuts the call off."""
        end, marker = self.grammar.ends.up_to(text, at, self.final)
        self.tape.leave_out(text[at:end])
        if end > at or (marker and marker not in self.grammar.around.stops):
            self.tape.wrong("unexpected text" if self.argued == "done" else "invalid arguments")
        if not marker:
            return ~end
        if marker in self.grammar.closers:
            self.tape.hush(marker)
            return self._end(end + len(marker))
        self.tape.wrong("unclosed")
        return self._end(end)

    _MODES: ClassVar[dict[str, Callable[[JsonReader, str, int], int]]] = {
        **dict.fromkeys((*_STRUCTURE, "value"), _spaced),
        **dict.fromkeys(("key", "name", "id"), _string),
        "skip": _any,
        "arguments": _any,
        "text": _text,
        "nameless": _nameless,
        "close": _close,
        "junk": _junk,
    }
    CHOICES: ClassVar[dict[str, Any]] = {"mode": _MODES, "argued": ("", "done", "other", "wrong"), "problems": GRAVITY}
