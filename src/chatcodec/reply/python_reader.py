"""Reading of the calls that `PythonCalls` declares and writes.

Rules: an opening is text until a name, a bracket, and the name of an argument or the closing bracket are there. Space
is free. A value ends at the comma or the bracket that is not inside it or one of its strings; it may be JSON, or a
literal of Python; any other is text, or what the tool's schema makes of that. A string goes out as it comes, any other
value when it is whole. Where texts have no escapes, a quote ends one only where an argument, a call or the end follows.
Calls may follow each other, with a comma between them or without.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Literal

from chatcodec.reply.call_reading import WAIT, BeforeStop, Flow, Outcome, Surroundings, Waits
from chatcodec.reply.literals import json_string, python_json, strict_json, valid_unicode
from chatcodec.reply.match import CUT, GAP, Cut, Gap, Matcher, Slot, atoms, follows, is_cut, skip_space, texts
from chatcodec.reply.parameter import UNTYPED
from chatcodec.reply.schema import Signature
from chatcodec.reply.tape import Tape

_SLOT = Slot(end="()=,[]{}:")
_TEXT = {quote: re.compile(rf"[^\\{quote}]*").match for quote in "'\""}
_ESCAPE = re.compile(r"\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[^xuU]|[xuU])", re.DOTALL).match
_CUT_ESCAPE = re.compile(r"\\(?:x[0-9a-fA-F]?|u[0-9a-fA-F]{0,3}|U[0-9a-fA-F]{0,7})?\Z").match
_ESCAPED = {"'": "'", "a": "\\u0007", "v": "\\u000b", "\n": ""}
_OUTSIDE = re.compile(r"""[\[\](){}'",]""").search
_INSIDE = {"'": re.compile(r"['\\]").search, '"': re.compile(r'["\\]').search}
_CLOSES = {"(": ")", "[": "]", "{": "}"}
_DEEPEST = 200


class PythonGrammar:
    """The markers of `PythonCalls`, made ready for reading."""

    def __init__(self, opening: str, closing: str, raw: bool, around: Surroundings) -> None:
        """Take the declaration, whether texts are without escapes, and what stands around calls."""
        first = atoms(opening, {}, around.spell)
        self.around, self.bare = around, first == ("[",)
        self.with_argument = Matcher((*first, Gap(), _SLOT, Gap(), "(", Gap(), _SLOT, Gap(), "="))
        self.without = Matcher((*first, Gap(), _SLOT, Gap(), "(", Gap(), ")"))
        self.name = Matcher((_SLOT, Gap(), "("))
        self.key = Matcher((_SLOT, Gap(), "="))
        self.openers: tuple[str, ...] = (str(first[0]),)
        self.closers = texts(atoms(closing, {}, around.spell))
        last = (")", Gap(), self.closers[0]) if self.closers else (")",)
        behind = (
            (",", Gap(), _SLOT, Gap(), "="),
            (")", Gap(), ",", Gap(), _SLOT, Gap(), "("),
            (")", Gap(line=True), _SLOT, Gap(), "("),
            last,
        )
        self.behind_text = [Matcher((Gap(), *each)) for each in behind] if raw else []
        self.literals: tuple[str, ...] = ()
        self.heads: tuple[str, ...] = ()
        self.waits = Waits([])

    def begins(self, text: str, at: int, final: bool) -> re.Match[str] | Cut | None:
        """Match an opening and the beginning of the first call."""
        found = self.with_argument(text, at, final)
        return found if isinstance(found, re.Match) else self.without(text, at, final) or found

    def reader(self, tape: Tape, signatures: Mapping[str, Signature] | None) -> PythonReader:
        """Return what reads such calls."""
        return PythonReader(self, tape, signatures)


def _json_of_escape(raw: str) -> str:
    """Return what an escape of Python or of JSON stands for, inside a JSON string."""
    code = raw[1:]
    if code[:1] in ("x", "u", "U") and len(code) > 1:
        number = int(code[1:], 16)
        return f"\\u{number:04x}" if number < 0x10000 else json_string(chr(min(number, 0x10FFFF)))[1:-1]
    if code in _ESCAPED:
        return _ESCAPED[code]
    return raw if code in ('"', "\\", "/", "b", "f", "n", "r", "t") else json_string(raw)[1:-1]


class PythonReader:
    """Reads calls as in Python; see the module's rules."""

    FIELDS = ("mode", "name", "given", "argument", "pending", "stack", "quote", "escaped")

    def __init__(self, grammar: PythonGrammar, tape: Tape, signatures: Mapping[str, Signature] | None) -> None:
        """Take the markers, the tape, and the signatures of the tools (None where none were given)."""
        self.grammar, self.tape, self.signatures = grammar, tape, signatures
        self.outcome: Outcome = ""
        self.mode: Literal["argument", "start", "value", "string", "behind", "next"] = "argument"
        self.name, self.argument = "", ""
        self.given: dict[str, int] = {}  # the names of its arguments so far
        self.pending: list[str] = []  # what has come of a value
        self.stack, self.quote, self.escaped = "", "", False  # where in a value the text is
        self._before_stop = BeforeStop(grammar.around)

    def begin(self, text: str, before: int, at: int, final: bool) -> int | None:
        """See `CallReader`."""
        found = self.grammar.begins(text, at, final)
        if not isinstance(found, re.Match):
            return WAIT if found else None
        end = text.index("(", found.start(1)) + 1
        self.tape.mark(text[before:at], call=self.tape.calls)
        self._open(text[at:end], found[1])
        return end

    def _open(self, raw: str, name: str) -> None:
        self.mode, self.name, self.given = "argument", name, {}
        self.tape.open_call(raw, name)
        if self.signatures is not None and name not in self.signatures:
            self.tape.wrong("unknown tool")

    def read(self, text: str, at: int, final: bool) -> int:
        """See `CallReader`."""
        return self._MODES[self.mode](self, text, at, final)

    def give_up(self) -> str:
        """See `CallReader`: such a call begins at once or not at all."""
        return ""

    def flow(self) -> Flow | None:
        """See `CallReader`."""
        return None

    def waits(self) -> Waits:
        """See `CallReader`."""
        return self.grammar.waits

    def _up_to_stop(self, text: str, at: int, final: bool) -> tuple[str, bool]:
        """Return how much of `text` may belong to a call, and whether no more of it will come."""
        return self._before_stop.part(text, at, final)

    def _argument(self, text: str, at: int, final: bool) -> int:
        """Read the name of an argument, or the bracket behind the last one."""
        part, final = self._up_to_stop(text, at, final)
        start = skip_space(part, at)
        if start - at > GAP:
            self.tape.leave_out(part[at:start])
            return start
        if start == len(part):
            return self._break_off(text, at, start) if final else ~at
        if part[start] == ")":
            self.tape.hush(part[at : start + 1])
            self.mode = "next"
            return start + 1
        found = self.grammar.key(part, start, final)
        if found == CUT:
            return ~at
        key = "" if found is None else found[1]
        if found is None:
            self.tape.wrong("invalid arguments")  # it has no name
        elif key in self.given:
            self.tape.wrong("duplicate argument")
        end = start if found is None else found.end()
        self.tape.hush(part[at:end])
        self.argument, self.mode, self.pending = key, "start" if key else "value", [""]
        self.stack, self.quote, self.escaped = "", "", False
        return end

    def _head(self) -> str:
        """Return the JSON text before the value of an argument."""
        head = f"{', ' if self.given else '{'}{json_string(self.argument)}: "
        self.given[self.argument] = 1
        return head

    def _start(self, text: str, at: int, final: bool) -> int:
        """Begin a value: a string goes out as it comes."""
        part, final = self._up_to_stop(text, at, final)
        start = skip_space(part, at)
        if start == len(part) and not final and start - at <= GAP:
            return ~at
        if part[start : start + 1] not in _TEXT:
            self.mode = "value"
            return at
        self.mode, self.quote, self.pending = "string", part[start], []
        self.tape.arguments(part[at : start + 1], self._head() + '"')
        return start + 1

    def _value(self, text: str, at: int, final: bool) -> int:
        """Read a value that is no string to its end."""
        part, final = self._up_to_stop(text, at, final)
        end, done = self._scan(part, at)
        self.pending.append(part[at:end])
        if done:
            self._say_value(part[end])
            return end + 1
        return self._break_off(text, end, end) if final else ~end

    def _string(self, text: str, at: int, final: bool) -> int:
        """Read on in a string."""
        part, final = self._up_to_stop(text, at, final)
        end = _TEXT[self.quote](part, at).end()  # type: ignore[union-attr]
        if end > at:
            self.tape.arguments(part[at:end], json_string(self.tape.named(part[at:end]))[1:-1])
        if end == len(part):
            return self._break_off(text, end, end) if final else ~end
        if part[end] == self.quote and (ends := self._is_text_end(part, end + 1, final)):
            if ends == CUT:
                return ~end
            self.tape.arguments(self.quote, '"')
            self.mode, self.quote = "behind", ""
            return end + 1
        if self.grammar.behind_text:
            self.tape.arguments(part[end], json_string(part[end])[1:-1])
            return end + 1
        if _CUT_ESCAPE(part, end) and not final:
            return ~end
        found = _ESCAPE(part, end)
        raw = found[0] if found else part[end:]
        self.tape.arguments(raw, _json_of_escape(raw))
        return end + len(raw)

    def _is_text_end(self, text: str, at: int, final: bool) -> bool | Cut:
        """Whether a quote before `at` ends a text: where there are no escapes, what follows must be structure.

        What all of that ends with is a sign, so a match cannot become another one.
        """
        verdicts = [found(text, at, False) for found in self.grammar.behind_text]
        if not verdicts or any(isinstance(verdict, re.Match) for verdict in verdicts):
            return True
        if CUT in verdicts:  # at the end of all, the beginning of what follows will do
            return True if final else CUT
        return False

    def _behind(self, text: str, at: int, final: bool) -> int:
        """Behind a string: a comma or the closing bracket; anything else there is left out."""
        part, final = self._up_to_stop(text, at, final)
        start = skip_space(part, at)
        if part[start : start + 1] in (",", ")"):
            self.tape.hush(part[at : start + 1])
            self.mode = "argument" if part[start] == "," else "next"
            return start + 1
        if start == len(part) and start - at <= GAP:
            return self._break_off(text, at, start) if final else ~at
        self.tape.wrong("invalid arguments")
        self.tape.hush(part[at:start])
        self.argument, self.mode, self.pending = "", "value", [""]
        self.stack, self.quote, self.escaped = "", "", False
        return start

    def _scan(self, text: str, at: int) -> tuple[int, bool]:
        """Return where the value at `at` ends, as far as it is there, and whether its end is."""
        if self.escaped and at < len(text):
            self.escaped, at = False, at + 1
        while True:
            found = (_INSIDE[self.quote] if self.quote else _OUTSIDE)(text, at)
            if found is None:
                return len(text), False
            sign, at = found[0], found.end()
            if sign == "\\":
                self.escaped = at == len(text)
                at = min(at + 1, len(text))
            elif self.quote or sign in "'\"":
                self.quote = "" if self.quote else sign
            elif sign in _CLOSES:
                self.stack = (self.stack + sign)[:_DEEPEST]
            elif self.stack:
                self.stack = self.stack[:-1] if sign == _CLOSES[self.stack[-1]] else self.stack
            elif sign in ",)":
                return found.start(), True

    def _say_value(self, sign: str) -> None:
        raw = "".join(self.pending)
        self.pending, self.mode = [], "argument" if sign == "," else "next"
        if not self.argument:
            self.tape.leave_out(raw + sign)
            return
        self.tape.arguments(raw, self._head() + self._json_of(self.tape.named(raw)))
        self.tape.hush(sign)

    def _json_of(self, raw: str) -> str:
        """Return the JSON of a value."""
        word = raw.strip()
        try:
            strict_json(word)
        except ValueError:
            printed = python_json(word)
        else:
            printed = valid_unicode(word)
        if printed is not None:
            return printed
        signature = self.signatures.get(self.name) if self.signatures else None
        parameter = UNTYPED if signature is None else signature.parameter(self.argument)
        return parameter.read(word, "python").json

    def _next(self, text: str, at: int, final: bool) -> int:
        """Behind a call: the next one, or the closing marker."""
        start = skip_space(text, at)
        if text.startswith(",", start):
            start = skip_space(text, start + 1)
        if start == len(text) and not final and start - at <= 2 * GAP:
            return ~at
        found = self.grammar.name(text, start, final)
        if found == CUT:
            return ~at
        if found is not None:
            self._close()
            self._open(text[at : found.end()], found[1])
            return found.end()
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
        self._close()
        self.outcome = "ended"
        return end

    def _close(self) -> None:
        self.tape.arguments("", "}" if self.given else "{}")
        self.tape.close_call()

    def _break_off(self, text: str, at: int, end: int) -> int:
        """End the call in its middle, at the end of all or at a stop; `at` to `end` is space before that."""
        self.tape.leave_out("".join(self.pending) + text[at:end])
        self.pending = []
        self.tape.wrong("unclosed")
        self.tape.close_call()
        self.outcome = "broken"
        return end

    _MODES: ClassVar[dict[str, Callable[[PythonReader, str, int, bool], int]]] = {
        "argument": _argument,
        "start": _start,
        "value": _value,
        "string": _string,
        "behind": _behind,
        "next": _next,
    }
    CHOICES: ClassVar[dict[str, Any]] = {"mode": _MODES}
