"""The calls of a reply, put together from a reader's events.

Rules: every call is there, usable or not. A response answers the first usable call before it that waits for one, else
the last call; once text stands between, calls before it wait for none.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

from chatcodec.reply.events import BEGINS, CallEnd, CallStart, Event, Problem, gravest_first
from chatcodec.reply.schema import Signature

UNUSABLE: frozenset[Problem] = frozenset({"unclosed", "missing name", "invalid arguments"})
CALL_EVENTS = frozenset({"call_start", "arguments", "call_end"})
TEXT_EVENTS = frozenset({"reasoning", "content", "notice"})


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


class Waiting:
    """The calls that wait for responses: ``ahead`` in the turn before the completion, the others by their index."""

    def __init__(self, ahead: int = 0) -> None:
        self.ahead = ahead
        self.calls: deque[int] = deque()
        self.last = -1  # the call that takes a response where none waits for one; -1 if there is none

    def call(self, index: int, usable: bool) -> None:
        """Take a call."""
        self.last = index
        if usable:
            self.calls.append(index)

    def text(self, raw: str) -> None:
        """Take a stretch of text; white space stands between calls and responses as well."""
        if (self.ahead or self.last >= 0) and not raw.isspace():
            self.ahead, self.last = 0, -1
            self.calls.clear()

    def answered(self) -> int:
        """Return the index of the call that a response answers, -1 if it is none of the completion's."""
        if self.ahead:
            self.ahead -= 1
            return -1
        return self.calls.popleft() if self.calls else self.last


def waiting_behind(prefill: Iterable[Event]) -> int:
    """Return how many calls of the turn before a completion wait for the responses that it may begin with."""
    waiting = Waiting()
    for event in prefill:
        if isinstance(event.detail, CallEnd):
            waiting.call(0, UNUSABLE.isdisjoint(event.detail.problems))
        elif event.detail == BEGINS:
            waiting.answered()
        elif event.type in TEXT_EVENTS:
            waiting.text(event.raw)
    return len(waiting.calls)


def calls_of(events: Iterable[Event], signatures: Mapping[str, Signature] | None = None, ahead: int = 0) -> list[Call]:
    """Return the calls; `ahead` calls that came before wait for the first responses."""
    calls: list[Call] = []
    responses: dict[int, list[str]] = {}
    waiting = Waiting(ahead)
    position = begun = 0
    answered = -1
    of_call: list[Event] = []
    for event in events:
        if event.type in CALL_EVENTS:
            begun = begun if of_call else position
            of_call.append(event)
            if event.type == "call_end":
                calls.append(_call(len(calls), begun, of_call, signatures))
                waiting.call(calls[-1].index, calls[-1].usable)
                of_call = []
        elif event.type == "response":
            if event.detail == BEGINS:
                answered = waiting.answered()
            if answered >= 0:
                responses.setdefault(answered, []).append(event.text)
        elif event.type in TEXT_EVENTS:
            waiting.text(event.raw)
        position += len(event.raw)
    if of_call:
        of_call.append(Event("call_end", "", "", None, CallEnd(("unclosed",))))
        calls.append(_call(len(calls), begun, of_call, signatures))
    for index, texts in responses.items():
        calls[index] = replace(calls[index], response="".join(texts))
    return calls


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
