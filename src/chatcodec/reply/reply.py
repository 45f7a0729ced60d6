"""What a model produced, read back: put together from a reader's events, and nothing else.

Rules: nothing is lost and nothing is made up. ``message`` has what a client can use: text, and calls that are whole,
have a name, and whose arguments are a JSON object. ``turn`` has all that was written, in the shape that the codec
renders: what is no usable call stays in its content as it was written, unless it would come before a call that it
stood behind. Calls of every kind are in ``calls``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, Literal, NamedTuple, TypeAlias

from chatcodec.reply.events import BEGINS, CallEnd, CallStart, Event, merged
from chatcodec.reply.read_calls import CALL_EVENTS, UNUSABLE, Call, Waiting, calls_of, waiting_behind
from chatcodec.reply.schema import Signature
from chatcodec.reply.turn import PLAIN_TURN, TurnShape, openai_call, reasoning_of, turn_of

Parts: TypeAlias = tuple[Sequence[Event], Sequence[Event], int]
"""Events of a completion; those of the turn before it; how many of the former say again what is among the latter."""


Kind = Literal["reasoning", "content", "notice", "response", "call", "marker", "stop", "after"]


class Segment(NamedTuple):
    """A stretch of a completion, ``[start, end)`` in characters, and what it is. ``call`` is the index of its call."""

    kind: Kind
    text: str
    start: int
    end: int
    call: int | None = None


class Malformed(NamedTuple):
    """Text that looked like a call and was none, ``[start, end)``; it is part of the content or the reasoning."""

    text: str
    start: int
    end: int


class Reply:
    """A model's reply. Made by `Codec.parse` and `Reader.close`, or from the events of a reader by `Codec.collect`."""

    def __init__(
        self,
        read: Callable[[], Parts],
        shape: TurnShape = PLAIN_TURN,
        signatures: Mapping[str, Signature] | None = None,
        finish_reason: str | None = None,
        message: dict[str, Any] | None = None,
    ):
        """Take what gives a reader's events, when they are asked for.

        shape: how the codec renders a turn. signatures: of the tools. finish_reason: what the engine said. message: the
        message that the events make, if that is known before them.
        """
        self._read = read
        self._shape = shape
        self._signatures = signatures
        self._finish_reason = finish_reason
        if message is not None:
            self.message = message

    def __getstate__(self) -> dict[str, Any]:
        """Pickle what the reply is, not how it is made."""
        known = {"parts": self.parts, "calls": self.calls, "message": self.message}
        return {"_shape": self._shape, "_signatures": None, "_finish_reason": self._finish_reason, **known}

    def __repr__(self) -> str:
        return f"<Reply: {len(self.text)} characters, {len(self.calls)} calls, {self.finish}>"

    @cached_property
    def parts(self) -> Parts:
        """The events as a reader said them; see `Parts`."""
        return self._read()

    @cached_property
    def events(self) -> list[Event]:
        """What the reader said, with neighbours of one kind joined."""
        return merged(self.parts[0])

    @cached_property
    def text(self) -> str:
        """The completion."""
        return "".join(event.raw for event in self.events)

    @cached_property
    def segments(self) -> list[Segment]:
        """What each stretch of the completion is, in order: they partition it."""
        found: list[tuple[Kind, int | None, list[str]]] = []
        for event in self.events:
            kind: Kind = "call" if event.type in CALL_EVENTS else event.type  # type: ignore[assignment]
            if not event.raw:
                continue
            call = event.call if kind == "call" else None
            if found and found[-1][:2] == (kind, call):
                found[-1][2].append(event.raw)
            else:
                found.append((kind, call, [event.raw]))
        segments: list[Segment] = []
        start = 0
        for kind, call, parts in found:
            text = "".join(parts)
            segments.append(Segment(kind, text, start, start + len(text), call))
            start += len(text)
        return segments

    @cached_property
    def calls(self) -> list[Call]:
        """All calls, in order, usable or not."""
        return calls_of(self.events, self._signatures, waiting_behind(self.parts[1]))

    @cached_property
    def malformed(self) -> list[Malformed]:
        """What looked like a call and was none."""
        found, position = [], 0
        for event in self.events:
            position += len(event.raw)
            if event.type == "malformed":
                found.append(Malformed(event.text, position - len(event.text), position))
        return found

    @property
    def content(self) -> str:
        """All content, in order."""
        return "".join(event.text for event in self.events if event.type == "content")

    @property
    def reasoning(self) -> str:
        """All reasoning, in order, with the notices in it as they were written."""
        return reasoning_of(self.events)

    @cached_property
    def finish(self) -> str:
        """Why the reply ended, in OpenAI's words: ``stop``, ``length``, ``tool_calls``; or what the engine said."""
        if any("unclosed" in call.problems and call.end == len(self.text) for call in self.calls[-1:]):
            return "length"
        if self._finish_reason not in (None, "stop", "tool_calls"):
            return str(self._finish_reason)
        return "tool_calls" if self._waiting else "stop"

    @property
    def _waiting(self) -> list[Call]:
        """The calls to carry out: usable, and without a response in the same turn."""
        return [call for call in self.calls if call.usable and call.response is None]

    @cached_property
    def message(self) -> dict[str, Any]:
        """OpenAI's assistant message; ``reasoning_content`` and ``tool_calls`` are there where there are any."""
        return _message(self.parts[0], waiting_behind(self.parts[1]))

    @cached_property
    def turn(self) -> dict[str, Any]:
        """The assistant message in the shape that the codec renders, with what the prompt has of the turn."""
        own, prefill, again = self.parts
        events = merged(event for event in (*prefill, *own[again:]) if event.type not in ("stop", "after"))
        return turn_of(events, calls_of(events), self._shape)


def _message(events: Iterable[Event], ahead: int) -> dict[str, Any]:
    content: list[str] = []
    reasoning: list[str] = []
    usable: dict[int, dict[str, Any]] = {}  # calls to carry out, by index
    waiting = Waiting(ahead)
    head, arguments = CallStart(None), list[str]()
    index = 0
    for kind, text, raw, _, detail in events:
        if kind == "content":
            content.append(text)
            waiting.text(text)
        elif kind == "reasoning" or kind == "notice":
            reasoning.append(raw)
            waiting.text(raw)
        elif kind == "arguments":
            arguments.append(text)
        elif kind == "call_start":
            head, arguments = detail, []  # type: ignore[assignment]
        elif kind == "call_end":
            assert isinstance(detail, CallEnd)
            whole = head.name is not None and UNUSABLE.isdisjoint(detail.problems)
            if whole:
                usable[index] = openai_call(head.name, head.id_of(index), "".join(arguments))
            waiting.call(index, whole)
            index += 1
        elif detail == BEGINS:
            usable.pop(waiting.answered(), None)
    message: dict[str, Any] = {"role": "assistant", "content": "".join(content) or (None if usable else "")}
    if reasoning:
        message["reasoning_content"] = "".join(reasoning)
    if usable:
        message["tool_calls"] = list(usable.values())
    return message
