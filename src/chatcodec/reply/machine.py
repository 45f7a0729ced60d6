"""The machine of a reader: text in, events out, as it comes.

Rules: no I/O, no clock, no family: a grammar drives it. It never raises on what a model wrote. What it says depends on
the text alone, not on how the text was cut. What it holds back is bounded, but for a value whose type must be known
first, and a call whose name has not come. It knows no token ids and no OpenAI shape.

::

    start ──▶ text (reasoning | notice | content) ──▶ candidate ──▶ call ──▶ behind call ──▶ text
                │        │       ▲                                     └──▶ response ──▶ text
                │        └▶ lead ┘ (space behind a marker)
                └──▶ after (the stop)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from chatcodec.reply.call_reading import WAIT, Flow, Waits, space_before, space_to_hold
from chatcodec.reply.events import Event
from chatcodec.reply.grammar import Grammar, Scope
from chatcodec.reply.match import GAP, begins, follows, skip_lead, skip_space
from chatcodec.reply.schema import Signature
from chatcodec.reply.tape import Tape


class Machine:
    """Reads the text of one reply."""

    FIELDS = ("mode", "scope", "held", "lead", "lead_to", "space", "opener", "thinking", "closed")

    def __init__(self, grammar: Grammar, signatures: Mapping[str, Signature] | None) -> None:
        """Take a grammar, and the signatures of the tools (None where none were given)."""
        self.grammar = grammar
        self.tape = Tape(grammar.names)
        self.calls = grammar.calls.reader(self.tape, signatures) if grammar.calls else None
        self.final = False
        self.steps = 0  # how often a state was asked, and how many characters were looked at again
        self.held = ""
        self.mode = "start"
        self.scope: Scope = "content"
        self.lead, self.lead_to = "", "text"  # white space to leave out, and the mode behind it
        self.space, self.opener = 0, 0  # of a candidate: the lengths of the space before it, and of its marker
        self.thinking = False  # whether reasoning was opened and not closed
        self.closed = False  # whether reasoning was closed
        self._again = ""  # text to look at once more

    def flow(self) -> Flow | None:
        """Return the flow that the next chunk belongs to, if it is in one."""
        if self.held or self.tape.foreign:
            return None
        if self.mode == "text":
            return self.grammar.scopes[self.scope].flow
        return self.calls.flow() if self.mode == "call" and self.calls else None

    def waits(self) -> Waits | None:
        """Return what tells texts that wait for more, if it is known."""
        if self.mode == "text" or self.mode == "candidate":
            return self.grammar.scopes[self.scope].waits
        return self.calls.waits() if self.mode == "call" and self.calls else None

    def feed(self, text: str) -> list[Event]:
        """Read on, and return what can be said by now."""
        events: list[Event] = []
        self.tape.events = events
        if text:
            self._run(self.held + text)
        return events

    def finish(self) -> list[Event]:
        """Take what came for all there is, and return what is still to be said."""
        events: list[Event] = []
        self.tape.events = events
        self.final = True
        self._run(self.held)
        return events

    def _run(self, text: str) -> None:
        self.steps += len(self.held)
        at = 0
        while at >= 0:
            self.steps += 1
            at = self._MODES[self.mode](self, text, at)
            if self._again:
                again, self._again = self._again, ""
                self.steps += len(again)
                if text.startswith(again, at - len(again)) and at >= len(again):
                    at -= len(again)
                else:
                    text, at = again + text[at:], 0
        self.held = text[~at:]

    def _start(self, text: str, at: int) -> int:
        """At the beginning of reasoning or content: a marker may be there once more, or for the first time."""
        opening, closing = self.grammar.opening, self.grammar.closing
        begin = skip_space(text, at)
        if opening is None or closing is None or begin - at > GAP:
            return self._go_on(at)
        if text.startswith(opening.marker, begin):
            then = "start" if self.scope == "content" else "text"
            self.scope, self.thinking = "reasoning", True
            return self._leave_out(text, at, begin + len(opening.marker), opening.after, then)
        doubled = self.scope == "content" and self.closed
        if doubled and text.startswith(closing.marker, begin):
            return self._leave_out(text, at, begin + len(closing.marker), closing.after, "start")
        if not self.final and begins(text, begin, (opening.marker, closing.marker) if doubled else (opening.marker,)):
            return ~at
        return self._go_on(at)

    def _go_on(self, at: int, mode: str = "text") -> int:
        self.mode = mode
        return at

    def _leave_out(self, text: str, at: int, end: int, lead: str, then: str) -> int:
        """Leave out a marker, then as much of the white space `lead` as is there, and go on."""
        self.tape.mark(text[at:end])
        self.lead, self.lead_to, self.mode = lead, then, "lead"
        return end

    def _lead(self, text: str, at: int) -> int:
        lead = self.lead
        end = skip_lead(text, at, lead)
        self.tape.mark(text[at:end])
        if end == len(text) and end - at < len(lead) and not self.final:
            self.lead = lead[end - at :]
            return ~end
        return self._go_on(end, self.lead_to)

    def _text(self, text: str, at: int) -> int:
        marks, spaces, _, _ = self.grammar.scopes[self.scope]
        found = marks.find(text, at, self.final)
        if found is not None:
            return self._marker(text, at, found.start(), found[0])
        end = len(text)
        if not self.final:
            end = space_to_hold(text, at, marks.hold(text, at), *spaces)
        self.tape.say(self.scope, text[at:end])
        return ~end

    def _marker(self, text: str, at: int, start: int, marker: str) -> int:
        """Decide what the marker at `start` means here; ``text[at:start]`` is text."""
        grammar = self.grammar
        if marker in grammar.openers:
            spaces = grammar.scopes["content"].spaces if self.scope == "content" else grammar.before_calls
            begin = space_before(text, at, start, *spaces)
            self.tape.say(self.scope, text[at:begin])
            self.space, self.opener = start - begin, len(marker)
            return self._go_on(begin, "candidate")
        return self._other_marker(text, at, start, marker)

    def _other_marker(self, text: str, at: int, start: int, marker: str) -> int:
        """Decide what the marker at `start` means, which opens no call."""
        grammar, end = self.grammar, start + len(marker)
        if marker in grammar.stops:
            return self._stop(text, at, start, end)
        opening, closing = grammar.opening, grammar.closing
        if closing and marker == closing.marker and (self.thinking or closing.is_token):
            return self._close_reasoning(text, at, start, end, closing)
        if opening and marker == opening.marker and self.scope == "content" and opening.is_token:
            self.tape.say(self.scope, text[at:start])
            self.scope, self.thinking = "reasoning", True
            return self._leave_out(text, start, end, opening.after, "text")
        if grammar.notice and marker == grammar.notice[self.scope == "notice"].marker and self.scope != "content":
            self.tape.say(self.scope, text[at:start])
            self.tape.mark(marker, "notice")
            self.scope = "reasoning" if self.scope == "notice" else "notice"
            return end
        if grammar.section and marker == grammar.section[0].marker:
            return self._open_section(text, at, start, end)
        for border in grammar.wrapper if self.scope == "content" else ():
            if marker == border.marker:
                begin = space_before(text, at, start, border.before)
                self.tape.say(self.scope, text[at:begin])
                return self._leave_out(text, begin, end, border.after, "text")
        self.tape.say(self.scope, text[at:end])  # a marker that means nothing here
        return end

    def _stop(self, text: str, at: int, start: int, end: int) -> int:
        """End the turn; ``text[at:start]`` is text."""
        begin = space_before(text, at, start, *self.grammar.before_stop) if self.scope == "content" else start
        self.tape.say(self.scope, text[at:begin])
        self.tape.mark(text[begin:end], "stop")
        return self._go_on(end, "after")

    def _open_section(self, text: str, at: int, start: int, end: int) -> int:
        """A marker before all calls is one if a call's marker follows; else it is text."""
        verdict = follows(text, end, self.grammar.openers, self.final, at_end=False)
        spaces = self.grammar.scopes[self.scope].spaces if self.scope == "content" else ()
        begin = space_before(text, at, start, *spaces)
        self.tape.say(self.scope, text[at : end if verdict is False else begin])
        if verdict is True:
            self.tape.mark(text[begin:end])
            return self._go_on(end, "behind call")
        return end if verdict is False else ~begin

    def _close_reasoning(self, text: str, at: int, start: int, end: int, closing: Any) -> int:
        begin = space_before(text, at, start, closing.before) if self.scope == "reasoning" else start
        self.tape.say(self.scope, text[at:begin])
        late = self.scope == "content"
        self.scope, self.thinking, self.closed = "content", False, True
        return self._leave_out(text, begin, end, closing.after, "text" if late else "start")

    def _candidate(self, text: str, at: int) -> int:
        """An opener stands here: it begins a call, or it is text."""
        assert self.calls is not None
        start = at + self.space
        end = self.calls.begin(text, at, start, self.final)
        if end == WAIT:
            return ~at
        if end is not None:
            return self._go_on(end, "call")
        self.mode = "text"  # it may be another marker as well
        return self._other_marker(text, at, start, text[start : start + self.opener])

    def _call(self, text: str, at: int) -> int:
        assert self.calls is not None
        at = self.calls.read(text, at, self.final)
        outcome, self.calls.outcome = self.calls.outcome, ""
        if outcome == "released":
            return self._release(at)
        if outcome:
            if not self.grammar.inline:
                self.scope = "content"
            self.mode = "behind call" if outcome == "ended" else "text"
        return at

    def _release(self, at: int) -> int:
        """Go on behind what looked like a call and was none: it is text, up to the next marker in it.

        Openers in it are passed over, but for one near its end, so that no text is gone through again and again.
        """
        assert self.calls is not None
        raw, (marks, spaces, _, _) = self.calls.give_up(), self.grammar.scopes[self.scope]
        found = marks.find(raw, self.space + self.opener)
        while found is not None and found[0] in self.grammar.openers and found.start() < len(raw) - GAP - 8:
            found = marks.find(raw, found.end())
        if found is not None:
            again = space_before(raw, 0, found.start(), *spaces)
            raw, self._again = raw[:again], raw[again:]
        own = self.tape.say(self.scope, raw)
        self.tape.malformed(own[max(0, len(own) - len(raw) + self.space) :] if own else "")
        return self._go_on(at)

    def _behind(self, text: str, at: int) -> int:
        """Behind a call: the next one, a response, the stop, the end; or text goes on, or reasoning begins."""
        grammar, start = self.grammar, skip_space(text, at)
        if start - at > GAP:
            return self._behind_all(text, at)
        if start == len(text):
            if self.final:
                self.tape.mark(text[at:])
            return ~(start if self.final else at)
        closing = grammar.closing if self.thinking and self.scope == "content" else None
        if not self.final and begins(text, start, (*grammar.behind_call, *((closing.marker,) if closing else ()))):
            return ~at  # one marker may begin with another, so this comes first
        if grammar.response and text.startswith(grammar.response[0].marker, start):
            border = grammar.response[0]
            return self._leave_out(text, at, start + len(border.marker), border.after, "answer")
        if closing and text.startswith(closing.marker, start):
            self.tape.mark(text[at:start])
            return self._close_reasoning(text, start, start, start + len(closing.marker), closing)
        for opener in self.grammar.openers:
            if text.startswith(opener, start):
                self.space, self.opener = start - at, len(opener)
                return self._go_on(at, "candidate")
        if text.startswith(grammar.stops, start):
            self.tape.mark(text[at:start])
            return self._go_on(start)
        for marker in grammar.left_out:
            if text.startswith(marker, start):
                self.tape.mark(text[at : start + len(marker)])
                return start + len(marker)
        return self._behind_all(text, at)

    def _behind_all(self, text: str, at: int) -> int:
        """Go on with text behind calls, without the white space that belongs to their last marker."""
        begins = self.scope == "content" and not (self.thinking or self.closed)
        return self._leave_out(text, at, at, self.grammar.behind_calls, "start" if begins else "text")

    def _answer(self, _: str, at: int) -> int:
        self.tape.answer()
        return self._go_on(at, "response")

    def _response(self, text: str, at: int) -> int:
        assert self.grammar.response is not None
        assert self.grammar.response_end is not None
        border, marks = self.grammar.response[1], self.grammar.response_end
        found = marks.find(text, at, self.final)
        if found is None:
            end = len(text) if self.final else space_to_hold(text, at, marks.hold(text, at), border.before)
            self.tape.say("response", text[at:end])
            return ~end
        begin = space_before(text, at, found.start(), border.before)
        self.tape.say("response", text[at:begin])
        return self._leave_out(text, begin, found.end(), border.after, "behind call")

    def _after(self, text: str, at: int) -> int:
        self.tape.mark(text[at:], "after")
        return ~len(text)

    _MODES: ClassVar[dict[str, Callable[[Any, str, int], int]]] = {
        "start": _start,
        "lead": _lead,
        "text": _text,
        "candidate": _candidate,
        "call": _call,
        "behind call": _behind,
        "answer": _answer,
        "response": _response,
        "after": _after,
    }
    CHOICES: ClassVar[dict[str, Any]] = {"mode": _MODES, "lead_to": _MODES, "scope": ("reasoning", "content", "notice")}
