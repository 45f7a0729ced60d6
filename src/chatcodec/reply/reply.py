"""What a model produced, read back: put together from a reader's events, and nothing else.

Rules: nothing is lost and nothing is made up. ``message`` has what a client can use: text, and calls that are whole,
have a name, and whose arguments are a JSON object. ``turn`` has all that was written, in the shape that the codec
renders: what is no usable call stays in its content as it was written, unless it would come before a call that it
stood behind. Calls of every kind are in ``calls``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, NamedTuple, TypeAlias

from chatcodec.reply.events import BEGINS, CallEnd, CallStart, Event, Problem, gravest_first, merged
from chatcodec.reply.schema import Signature
from chatcodec.reply.turn import PLAIN_TURN, TurnShape, openai_call, reasoning_of, turn_of

Parts: TypeAlias = tuple[Sequence[Event], Sequence[Event], int]
"""Events of a completion; those of the turn before it; how many of the former say again what is among the latter."""


Kind = Literal["reasoning", "content", "notice", "response", "call", "marker", "stop", "after"]
UNUSABLE: frozenset[Problem] = frozenset({"unclosed", "missing name", "invalid arguments"})

_TEXT_EVENTS = frozenset({"reasoning", "content", "notice"})
_CALL_EVENTS = frozenset({"call_start", "arguments", "call_end"})


class Segment(NamedTuple):
    """A stretch of a completion, ``[start, end)`` in characters, and what it is. ``call`` is the index of its call."""

    kind: Kind
    text: str
    start: int
    end: int
    call: int | None = None


class Argument(NamedTuple):
    """One argument that was written as a tagged pair: ``raw`` is its text, ``[start, end)`` in the completion.

    fault: what could not be told from the text alone, or does not fit its schema; None if nothing.
    """

    name: str
    raw: str
    start: int
    end: int
    fault: str | None


@dataclass(frozen=True, slots=True)
class Call:
    """One tool call as the model wrote it.

    arguments: JSON text of an object; of a call that is not usable, what there is of it. raw: how it was written,
    ``[start, end)`` in the completion. problems: the gravest first. values: its arguments, where they are tagged pairs.
    response: what the runtime put behind it in the same turn, or None.
    """

    index: int
    name: str | None
    id: str | None
    arguments: str
    raw: str
    start: int
    end: int
    problems: tuple[Problem, ...]
    values: tuple[Argument, ...] = ()
    as_text: bool = False
    response: str | None = None

    @property
    def status(self) -> Literal["ok"] | Problem:
        """``ok``, or the gravest problem."""
        return self.problems[0] if self.problems else "ok"

    @property
    def usable(self) -> bool:
        """Whether it can be carried out: it is whole, has a name, and its arguments are a JSON object."""
        return UNUSABLE.isdisjoint(self.problems)


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
            kind: Kind = "call" if event.type in _CALL_EVENTS else event.type  # type: ignore[assignment]
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
        return _calls(self.events, self._signatures, _waiting_before(self.parts[1]))

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
        return _message(self.parts[0], _waiting_before(self.parts[1]))

    @cached_property
    def turn(self) -> dict[str, Any]:
        """The assistant message in the shape that the codec renders, with what the prompt has of the turn."""
        own, prefill, again = self.parts
        events = merged(event for event in (*prefill, *own[again:]) if event.type not in ("stop", "after"))
        return turn_of(events, _calls(events), self._shape)


def _waiting_before(prefill: Iterable[Event]) -> int:
    """Return how many calls of the turn before a completion wait for the responses that it may begin with."""
    waiting = 0
    for event in prefill:
        if isinstance(event.detail, CallEnd):
            waiting += UNUSABLE.isdisjoint(event.detail.problems)
        elif event.detail == BEGINS:
            waiting = max(0, waiting - 1)
        elif event.type in _TEXT_EVENTS and not event.raw.isspace():
            waiting = 0
    return waiting


def _message(events: Iterable[Event], ahead: int) -> dict[str, Any]:
    content: list[str] = []
    reasoning: list[str] = []
    waiting: dict[int, dict[str, Any]] = {}  # calls to carry out, by index
    head, arguments = CallStart(None), list[str]()
    index = group = 0  # of the next call, and of the first that a response may answer
    for kind, text, raw, _, detail in events:
        if kind == "content":
            content.append(text)
            if (ahead or group < index) and not text.isspace():
                ahead, group = 0, index
        elif kind == "reasoning" or kind == "notice":
            reasoning.append(raw)
            if (ahead or group < index) and not raw.isspace():
                ahead, group = 0, index
        elif kind == "arguments":
            arguments.append(text)
        elif kind == "call_start":
            head, arguments = detail, []  # type: ignore[assignment]
        elif kind == "call_end":
            assert isinstance(detail, CallEnd)
            if head.name is not None and UNUSABLE.isdisjoint(detail.problems):
                call_id = head.id_of(index)
                waiting[index] = openai_call(head.name, call_id, "".join(arguments))
            index += 1
        elif detail == BEGINS and ahead:
            ahead -= 1
        elif detail == BEGINS:
            waiting.pop(next((number for number in waiting if number >= group), -1), None)
    message: dict[str, Any] = {"role": "assistant", "content": "".join(content) or (None if waiting else "")}
    if reasoning:
        message["reasoning_content"] = "".join(reasoning)
    if waiting:
        message["tool_calls"] = list(waiting.values())
    return message


def _calls(events: Iterable[Event], signatures: Mapping[str, Signature] | None = None, ahead: int = 0) -> list[Call]:
    """Return the calls; `ahead` calls that came before wait for the first responses."""
    calls: list[Call] = []
    position = begun = group = 0
    answered = -1
    of_call: list[Event] = []
    for event in events:
        if event.type in _CALL_EVENTS:
            if not of_call:
                begun = position
            of_call.append(event)
            if event.type == "call_end":
                calls.append(_call(len(calls), begun, of_call, signatures))
                of_call = []
        elif event.type == "response":
            if event.detail == BEGINS:
                answered = -1 if ahead else _answered(calls, group)
                ahead = max(0, ahead - 1)
            if answered >= 0:
                call = calls[answered]
                calls[answered] = replace(call, response=(call.response or "") + event.text)
        elif event.type in _TEXT_EVENTS and not event.raw.isspace():
            ahead, group = 0, len(calls)
        position += len(event.raw)
    if of_call:
        of_call.append(Event("call_end", "", "", None, CallEnd(("unclosed",))))
        calls.append(_call(len(calls), begun, of_call, signatures))
    return calls


def _answered(calls: list[Call], group: int) -> int:
    """Return the index of the call that a response answers, -1 if it answers none.

    It is the first usable call that waits for one, or else the last; calls before `group` are none of them, since
    text stands between.
    """
    waiting = (call.index for call in calls[group:] if call.usable and call.response is None)
    return next(waiting, len(calls) - 1 if len(calls) > group else -1)


def _call(index: int, start: int, events: list[Event], signatures: Mapping[str, Signature] | None) -> Call:
    heads = (event.detail for event in events if isinstance(event.detail, CallStart))
    head, end = next(heads, CallStart(None)), events[-1].detail  # without one: begun in another process
    assert isinstance(end, CallEnd)
    raw, arguments = "".join(event.raw for event in events), "".join(event.text for event in events)
    problems = end.problems if head.name is not None else ("missing name", *end.problems)
    values = tuple(_values(start, events, end.faults))
    signature = signatures.get(head.name) if signatures and head.name is not None else None
    if not values and signature is not None and UNUSABLE.isdisjoint(problems):
        problems = (*problems, *_faults(arguments, signature))
    problems = gravest_first(problems)
    return Call(index, head.name, head.id, arguments, raw, start, start + len(raw), problems, values, end.as_text)


def _values(position: int, events: list[Event], faults: tuple[str | None, ...]) -> Iterator[Argument]:
    index = 0
    for event in events:
        if event.type == "arguments" and event.detail is not None:
            fault = faults[index] if index < len(faults) else None
            yield Argument(str(event.detail), event.raw, position, position + len(event.raw), fault)
            index += 1
        position += len(event.raw)


def _faults(arguments: str, signature: Signature) -> Iterator[Problem]:
    """Yield what is wrong with the members of arguments that were written as JSON."""
    members: list[tuple[str, Any]] = json.loads(arguments, object_pairs_hook=list)
    if len({name for name, _ in members}) < len(members):
        yield "duplicate argument"
    for name, value in json.loads(arguments).items():
        if not signature.parameter(name).fits(value):
            yield "does not fit"
