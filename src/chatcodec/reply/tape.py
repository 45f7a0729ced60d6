"""The tape: where the parts of a reader say what they read.

Rules: whatever is taken from the completion is said here once, in order. Markup inside a call is held back as ``quiet``
and goes out with the next event of its call, so that few events are empty. Where token ids are read, a marker that is
one token stands as one character in the text; what goes out has its name again.
"""

from __future__ import annotations

from typing import Any, ClassVar

from chatcodec.reply.events import BEGINS, GRAVITY, CallEnd, CallStart, Event, EventType, Problem, gravest_first


class Tape:
    """Collects the events of one ``feed``, and what is known of the open call."""

    FIELDS = ("quiet", "calls", "open", "problems", "faults", "foreign", "stopped")
    CHOICES: ClassVar[dict[str, Any]] = {"problems": GRAVITY}

    def __init__(self, names: dict[int, str] | None = None) -> None:
        """Take the names of stand-ins, by code point."""
        self.names = names
        self.events: list[Event] = []
        self.quiet: list[str] = []
        self.calls = 0
        self.open = False
        self.problems: list[Problem] = []
        self.faults: list[str | None] = []
        self.stopped = False  # whether the engine says that the model ended its turn
        self.foreign = 0  # how many characters that are still to be said belong to the prompt
        self.prefill: list[Event] = []  # where those go

    def say(self, kind: EventType, raw: str) -> str:
        """Say a stretch of text; return what of it belongs to the completion."""
        raw = self._own(raw, kind) if raw else ""
        if raw:
            self.events.append(Event(kind, raw, raw))
        return raw

    def mark(self, raw: str, kind: EventType = "marker", call: int | None = None) -> None:
        """Say a marker, or space that belongs to one; `call` is the index of the call that follows the space."""
        raw = self._own(raw, kind, call) if raw else ""
        if raw:
            self.events.append(Event(kind, "", raw, call))

    def malformed(self, raw: str) -> None:
        """Say that `raw`, which was said before, looked like a call."""
        if raw:
            self.events.append(Event("malformed", raw, ""))

    def answer(self) -> None:
        """Say that a tool's response begins, which may be empty."""
        self.events.append(Event("response", "", "", None, BEGINS))

    def open_call(self, raw: str, name: str | None, call_id: str | None = None) -> None:
        """Say that a call begins."""
        self.open, self.problems, self.faults = True, [], []
        raw = self._own(raw, "arguments", self.calls)
        self.events.append(Event("call_start", "", raw, self.calls, CallStart(name, call_id)))

    def hush(self, raw: str) -> None:
        """Take markup of the open call."""
        if raw:
            self.quiet.append(raw)

    def arguments(self, raw: str, delta: str) -> None:
        """Say a piece of the arguments' JSON text, and the markup that it stands for."""
        if self.quiet:
            raw, self.quiet = "".join(self.quiet) + raw, []
        self.events.append(Event("arguments", delta, self._own(raw, "arguments", self.calls), self.calls))

    def leave_out(self, raw: str) -> None:
        """Say what is left out of the open call; of markup, which is short, see `hush`."""
        if raw:
            self.arguments(raw, "")

    def value(self, raw: str, delta: str, argument: str) -> None:
        """Say a piece of the value of `argument`."""
        if self.quiet:
            self.arguments("", "")
        raw = self._own(raw, "arguments", self.calls)
        self.events.append(Event("arguments", delta, raw, self.calls, argument))

    def wrong(self, problem: Problem) -> None:
        """Note what is wrong with the open call."""
        if problem not in self.problems:
            self.problems.append(problem)

    def close_call(self, as_text: bool = False) -> None:
        """Say that the open call ends."""
        raw, self.quiet = self._own("".join(self.quiet), "arguments", self.calls), []
        end = CallEnd(gravest_first(self.problems), tuple(self.faults), as_text)
        self.events.append(Event("call_end", "", raw, self.calls, end))
        self.calls += 1
        self.open = False

    def _own(self, raw: str, kind: EventType, call: int | None = None) -> str:
        """Return what of `raw` belongs to the completion, with the names of stand-ins."""
        raw = self.named(raw)
        if not self.foreign:
            return raw
        cut = min(self.foreign, len(raw))
        self.foreign -= cut
        text = raw[:cut] if kind in ("reasoning", "content", "response") else ""
        self.prefill.append(Event(kind, text, raw[:cut], call))
        return raw[cut:]

    def named(self, raw: str) -> str:
        """Return `raw` with the names of stand-ins."""
        return raw.translate(self.names) if self.names else raw
