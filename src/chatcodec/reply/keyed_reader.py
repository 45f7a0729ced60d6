"""Reading of the calls that `KeyedCalls` declares and writes.

Rules: an opening is text until its name is whole and an object begins behind it. Arguments go out as JSON as they come,
a text piece by piece, any other value when it is whole: by its word, as JSON, as Python prints it, else as what the
tool's schema makes of it. Nothing is escaped in a text, so the marker behind it ends it only where what follows is
structure. The outermost value is an object and a name between marks comes before a bare one, whatever signs the marks
of texts have. White space is free, and so is a comma behind the last value. What fits no object is left out up to the
closing marker.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from chatcodec.reply.call_reading import Flow, Marks, Surroundings, Waits
from chatcodec.reply.calls import WORDS, Block
from chatcodec.reply.json_scan import DEPTH
from chatcodec.reply.literals import json_string, python_json, strict_json, valid_unicode
from chatcodec.reply.match import CUT, GAP, Cut, Gap, Matcher, Slot, at_end, begins, follows, is_cut, skip_space
from chatcodec.reply.named_reader import HeadedReader, NamedGrammar
from chatcodec.reply.parameter import UNTYPED
from chatcodec.reply.schema import Signature
from chatcodec.reply.tape import Tape

_CLOSES = {"{": "}", "[": "]"}
_FIRST = {"{": "first key", "[": "first item"}
_NEXT = {"{": "key", "[": "item"}


class KeyedGrammar(NamedGrammar):
    """The markers of `KeyedCalls`, made ready for reading."""

    def __init__(self, call: str, closing: str, text: Block, words: tuple[str, ...], around: Surroundings) -> None:
        """Take the declaration, and what stands around calls."""
        super().__init__(call, closing, around)
        self.text_opening, text_closing = around.spell(text.opening.strip()), around.spell(text.closing.strip())
        self.text_end = Marks((text_closing,))
        self.text_flow = Marks((text_closing, *around.stops)).flow("arguments", quoted=True)
        self.text_waits, self.no_waits = Waits([text_closing]), Waits([])
        self.is_sure = text_closing in around.stand_ins  # a marker that no text can have in it
        signs = {mark[0] for mark in (*self.closers, *self.openers, self.text_opening, text_closing)}
        key = Slot(loose=True, end="{}[],:" + "".join(sorted(sign for sign in signs if not sign.isalnum())))
        marked = (Gap(), self.text_opening, key, text_closing, Gap(), ":")
        self.keys = (Matcher(marked), Matcher((Gap(), key, Gap(), ":")))
        self.words = dict(zip(words, WORDS, strict=True))
        self.word_ends = Marks((",", "}", "]", *self.closers[:1], *self.openers))
        self.behind = (*self.closers[:1], *self.openers)

    def key(self, text: str, at: int, final: bool) -> re.Match[str] | Cut | None:
        """Match the name of an argument or a member, and the colon behind it; a name between marks comes first."""
        marked, bare = self.keys
        return marked(text, at, final) or bare(text, at, final)

    def reader(self, tape: Tape, signatures: Mapping[str, Signature] | None) -> KeyedReader:
        """Return what reads such calls."""
        return KeyedReader(self, tape, signatures)


class KeyedReader(HeadedReader):
    """Reads keyed calls; see the module's rules."""

    FIELDS = ("mode", "name", "want", "stack", "argument", "pending")
    grammar: KeyedGrammar

    def __init__(self, grammar: KeyedGrammar, tape: Tape, signatures: Mapping[str, Signature] | None) -> None:
        """Take the markers, the tape, and the signatures of the tools (None where none were given)."""
        super().__init__(grammar, tape, signatures)
        self.name = ""
        self.argument = ""  # the name of the last argument
        self.want, self.stack = "object", ""  # what comes next, and what is open, outermost first: { or [
        self.pending: list[str] = []  # of a word: what is written before it, and what has come of it

    def flow(self) -> Flow | None:
        """See `CallReader`."""
        in_text = self.mode == "arguments" and self.want == "text"
        return self.grammar.text_flow._replace(call=self.tape.calls) if in_text else None

    def waits(self) -> Waits:
        """See `CallReader`."""
        if self.mode != "arguments":
            return self.grammar.waits
        return self.grammar.text_waits if self.want == "text" else self.grammar.no_waits

    def _begin(self, name: str, /) -> None:
        self.name, self.argument, self.want, self.stack, self.pending = name, "", "object", "", []

    def _arguments(self, text: str, at: int, final: bool) -> int:
        part, final = self._before_stop.part(text, at, final)
        return self._STEPS[self.want](self, part, at, final)

    def _space(self, text: str, at: int, final: bool) -> tuple[int, bool]:
        """Return where the space at `at` ends, and whether something else comes there; else where to go on."""
        start = skip_space(text, at)
        if start - at > GAP:
            self.tape.leave_out(text[at:start])
            return start, False
        if start < len(text):
            return start, True
        return (self._break_off(text, at) if final else ~at), False

    def _key(self, text: str, at: int, final: bool) -> int:
        """Read the name of an argument or a member, or the end of their object."""
        start, there = self._space(text, at, final)
        if not there:
            return start
        if text[start] == "}":
            return self._close_value(text, at, start)
        found = self.grammar.key(text, start, final)
        if found == CUT:
            return ~at
        if found is None:
            return self._break_off(text, at) if final and self._may_be_key(text, start) else self._fail(at)
        key = _unquoted(self.tape.named(found[1]))
        self.argument = key if len(self.stack) == 1 else self.argument
        self.tape.arguments(text[at : found.end()], f"{self._comma()}{json_string(key)}: ")
        self.want = "value"
        return found.end()

    def _may_be_key(self, text: str, at: int) -> bool:
        return self.grammar.key(text, at, False) == CUT

    def _comma(self) -> str:
        return ", " if self.want in _NEXT.values() else ""

    def _object(self, text: str, at: int, final: bool) -> int:
        """Begin the arguments: an object, whatever texts begin with."""
        start, there = self._space(text, at, final)
        return self._open_value(text, at, start) if there else start

    def _value(self, text: str, at: int, final: bool) -> int:
        """Begin a value, or end the list that has no more."""
        start, there = self._space(text, at, final)
        if not there:
            return start
        sign, opening = text[start], self.grammar.text_opening
        if text.startswith(opening, start):
            self.tape.arguments(text[at : start + len(opening)], self._comma() + '"')
            self.want = "text"
            return start + len(opening)
        if not final and begins(text, start, (opening,)):
            return ~at
        if sign in _CLOSES and len(self.stack) < DEPTH:
            return self._open_value(text, at, start)
        if sign == "]" and self.want != "value":
            return self._close_value(text, at, start)
        if sign in ",:{}[]":
            return self._fail(at)
        self.tape.hush(text[at:start])
        self.pending, self.want = [self._comma()], "word"
        return start

    def _text(self, text: str, at: int, final: bool) -> int:
        """Read on in a text."""
        ends, place = self.grammar.text_end, at
        while (found := ends.find(text, place, final)) is not None:
            verdict = self.grammar.is_sure or self._is_behind_value(text, found.end(), final, is_text=True)
            if verdict:
                self._say_text(text[at : found.start()])
            if verdict == CUT:
                return ~found.start()
            if verdict:
                self.tape.arguments(found[0], '"')
                self.want = "next"
                return found.end()
            place = found.start() + 1
        end = ends.hold(text, place)
        self._say_text(text[at:end])
        return self._break_off(text, end) if final else ~end

    def _say_text(self, raw: str) -> None:
        if raw:
            self.tape.arguments(raw, json_string(self.tape.named(raw))[1:-1])

    def _word(self, text: str, at: int, final: bool) -> int:
        """Read a value that is no text to its end."""
        ends, place = self.grammar.word_ends, at
        while (found := ends.find(text, place, final)) is not None:
            known = found[0] in ",}]"
            verdict = not known or self._is_behind_value(text, found.start(), final, is_text=False)
            if verdict:
                self.pending.append(text[at : found.start()])
            if verdict == CUT:
                return ~found.start()
            if verdict:
                return self._end_word(found.start()) if known else self._drop_word(found.start())
            place = found.end()
        end = len(text) if final else ends.hold(text, place)
        self.pending.append(text[at:end])
        return self._break_off(text, end) if final else ~end

    def _end_word(self, at: int) -> int:
        comma, raw, self.pending = self.pending[0], "".join(self.pending[1:]), []
        self.tape.arguments(raw, comma + self._json_of(self.tape.named(raw).strip()))
        self.want = "next"
        return at

    def _drop_word(self, at: int) -> int:
        """Leave out a word that the end of the call breaks off."""
        raw, self.pending = "".join(self.pending[1:]), []
        self.tape.leave_out(raw)
        self.tape.wrong("invalid arguments")
        return self._fail(at)

    def _json_of(self, word: str) -> str:
        """Return the JSON of a value that is no text."""
        if word in self.grammar.words:
            return self.grammar.words[word]
        try:
            strict_json(word)
        except ValueError:
            printed = python_json(word)
        else:
            printed = valid_unicode(word)
        if printed is not None:
            return printed
        if len(self.stack) > 1:
            self.tape.wrong("untyped")
            return json_string(word)
        signature = self.signatures.get(self.name) if self.signatures else None
        parameter = UNTYPED if signature is None else signature.parameter(self.argument)
        return parameter.read(word, "python").json

    def _next(self, text: str, at: int, final: bool) -> int:
        """Behind a value: the next one, or the end of what it is in."""
        start, there = self._space(text, at, final)
        if not there:
            return start
        if text[start] == ",":
            self.tape.hush(text[at : start + 1])
            self.want = _NEXT[self.stack[-1]]
            return start + 1
        return self._close_value(text, at, start) if text[start] == _CLOSES[self.stack[-1]] else self._fail(at)

    def _open_value(self, text: str, at: int, start: int) -> int:
        """Begin an object or a list; its bracket stands at `start`."""
        sign = text[start]
        self.tape.arguments(text[at : start + 1], self._comma() + sign)
        self.stack, self.want = self.stack + sign, _FIRST[sign]
        return start + 1

    def _close_value(self, text: str, at: int, end: int) -> int:
        """End the object or list that is open, and the arguments with the outermost."""
        self.tape.arguments(text[at : end + 1], text[end])
        self.stack, self.want = self.stack[:-1], "next"
        self.mode = "arguments" if self.stack else "close"
        return end + 1

    def _is_behind_value(self, text: str, at: int, final: bool, is_text: bool) -> bool | Cut:
        """Whether what stands at `at` comes behind a value: the next one, or the end of what it is in.

        A text may have commas and brackets in it, so behind one the end of the arguments has to be the end of the call.
        """
        start, inside = skip_space(text, at), self.stack[-1]
        if start - at > GAP:
            return False
        if start == len(text):
            return True if final else CUT
        sign = text[start]
        if sign == ",":
            return inside == "[" or self._is_behind_comma(text, start + 1, final)
        if sign != _CLOSES[inside]:
            return False
        return len(self.stack) > 1 or not is_text or self._is_end(text, start + 1, final)

    def _is_behind_comma(self, text: str, at: int, final: bool) -> bool | Cut:
        """Whether a member of an object comes at `at`, or its end."""
        start = skip_space(text, at)
        if start == len(text):
            return True if final else CUT
        found = self.grammar.key(text, at, final)
        if found is None:
            return text[start] == "}" or (final and self._may_be_key(text, at))
        return CUT if found == CUT else True

    def _is_end(self, text: str, at: int, final: bool) -> bool | Cut:
        """Whether the call ends at `at`; at the end of all, a part of its marker will do."""
        behind, stops = self.grammar.behind, self.grammar.around.stops
        if not self.grammar.closers:
            return True
        verdict = follows(text, at, behind, final) or at_end(text, at, stops, final)
        return verdict or (final and is_cut(text, at, (*behind, *stops)))

    def _fail(self, at: int) -> int:
        """Go on as what is no object does: see `HeadedReader`."""
        self.mode = "junk"
        return at

    def _break_off(self, text: str, at: int) -> int:
        """End the call in its middle, at the end of all or at a stop; what is left before that is a part of it."""
        self.tape.leave_out("".join(self.pending[1:]) + text[at:])
        self.pending = []
        return self._end(len(text), "broken")

    _STEPS: ClassVar[dict[str, Callable[[KeyedReader, str, int, bool], int]]] = {
        "object": _object,
        "first key": _key,
        "key": _key,
        "value": _value,
        "first item": _value,
        "item": _value,
        "text": _text,
        "word": _word,
        "next": _next,
    }
    CHOICES: ClassVar[dict[str, Any]] = {**HeadedReader.CHOICES, "want": _STEPS}


def _unquoted(key: str) -> str:
    """Return a name that stands in quotes, as in JSON, without them."""
    return key[1:-1] if len(key) > 2 and key[0] == key[-1] == '"' else key
