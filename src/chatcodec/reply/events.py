"""Events: what a reader says as a reply comes in.

Rules: each character of the completion is in the ``raw`` of exactly one event, in order; so joining all ``raw`` gives
the completion, and a reply can be put together from its events alone. ``text`` is what a consumer shows or sends on.

================  ========================================  =================================================
type              text                                      detail
================  ========================================  =================================================
``reasoning``     a stretch of reasoning                    None
``content``       a stretch of content                      None
``notice``        a stretch of a budget notice              None
``response``      a stretch of a tool's inline response     `BEGINS` for the first, which is empty; or None
``marker``        empty: a marker, or space around one      None; ``call`` is set for the space before a call
``call_start``    empty                                     `CallStart`: name and id
``arguments``     a piece of the arguments' JSON text       the argument whose value ``raw`` belongs to, or None
``call_end``      empty                                     `CallEnd`: what was wrong with it
``malformed``     text before that looked like a call       None; ``raw`` is empty, the text came as content before
``stop``          the stop marker                           None
``after``         what came after the stop                  None
================  ========================================  =================================================

The deltas of a closed call join to the JSON text of its arguments. A call that is broken off has no further delta.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any, Literal, NamedTuple, TypeAlias

from chatcodec.errors import UnreadableInput

BEGINS = "begins"

EventType = Literal[
    "reasoning", "content", "notice", "response", "marker", "call_start", "arguments", "call_end", "malformed", "stop",
    "after",
]  # fmt: skip

Problem: TypeAlias = Literal[
    "unclosed",
    "missing name",
    "invalid arguments",
    "unknown tool",
    "duplicate argument",
    "does not fit",
    "unexpected text",
    "missing marker",
    "retyped",
    "ambiguous",
    "untyped",
]
"""What can be wrong with a call, the gravest first.

``unclosed``: it was cut, or went on as no call does. ``missing name``, ``invalid arguments``: it can be no call.
``unknown tool``: none of the tools given. ``duplicate argument``: the last one counts. ``does not fit``: a value that
its schema does not allow. ``unexpected text``: between its parts, or one of them again. ``missing marker``: left out,
and no doubt about it.
``retyped``: a value was spelled as another type. ``ambiguous``: a value can be read as several declared types.
``untyped``: the schema says nothing of an argument, which is kept as text.
"""

GRAVITY: tuple[Problem, ...] = Problem.__args__  # type: ignore[attr-defined]
EVENT_TYPES: tuple[EventType, ...] = EventType.__args__  # type: ignore[attr-defined]


class CallStart(NamedTuple):
    """The head of a call. ``name`` is None where there is none; ``id`` is the model's own."""

    name: str | None
    id: str | None = None

    def id_of(self, index: int | None) -> str:
        """Return the id, or one made of the call's index where the model wrote none."""
        return f"call_{index}" if self.id is None else self.id


class CallEnd(NamedTuple):
    """The end of a call.

    problems: what was wrong, the gravest first. faults: for each tagged argument, in order, what was wrong with its
    value. as_text: whether the arguments were written as JSON text inside a string.
    """

    problems: tuple[Problem, ...] = ()
    faults: tuple[str | None, ...] = ()
    as_text: bool = False


class Event(NamedTuple):
    """One thing that a reader says; the module's table tells what each type holds."""

    type: EventType
    text: str
    raw: str
    call: int | None = None
    detail: CallStart | CallEnd | str | None = None

    @property
    def delta(self) -> dict[str, Any] | None:
        """The ``delta`` of an OpenAI chat completion chunk that says the same, or None.

        Who joins the deltas has what `Reply.message` has, but for calls that turn out not to be usable, whose deltas
        were sent before that was known and stay without an end, and calls that got their response in the same turn.
        """
        if self.type == "content":
            return {"content": self.text}
        if self.type == "reasoning" or self.type == "notice":
            return {"reasoning_content": self.raw}
        if self.type == "arguments" and self.text:
            return {"tool_calls": [{"index": self.call, "function": {"arguments": self.text}}]}
        if isinstance(self.detail, CallStart) and self.detail.name is not None:
            call = {"index": self.call, "id": self.detail.id_of(self.call), "type": "function"}
            return {"tool_calls": [{**call, "function": {"name": self.detail.name, "arguments": ""}}]}
        return None

    def as_json(self) -> dict[str, Any]:
        """Return the event as JSON data, without what is None."""
        data: dict[str, Any] = {"type": self.type, "text": self.text, "raw": self.raw}
        if self.call is not None:
            data["call"] = self.call
        if isinstance(self.detail, (CallStart, CallEnd)):
            detail = self.detail._asdict()
            data |= {name: list(value) if isinstance(value, tuple) else value for name, value in detail.items()}
        elif self.type == "response":
            data["begins"] = self.detail == BEGINS
        elif self.detail is not None:
            data["argument"] = self.detail
        return data

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Event:
        """Return the event that `as_json` gave. Raises UnreadableInput for what is none."""
        try:
            detail: CallStart | CallEnd | str | None = data.get("argument")
            if data["type"] == "call_start":
                detail = CallStart(data["name"], data["id"])
            elif data["type"] == "call_end":
                detail = CallEnd(tuple(data["problems"]), tuple(data["faults"]), bool(data["as_text"]))
            elif data["type"] == "response":
                detail = BEGINS if data["begins"] else None
            kind, text, raw = data["type"], data["text"], data["raw"]
            if not isinstance(text, str) or not isinstance(raw, str):
                raise TypeError("text and raw are strings")
            if kind not in EVENT_TYPES:
                raise ValueError(f"type {kind!r}; accepted: {', '.join(EVENT_TYPES)}")
            wrong = [problem for problem in data.get("problems", ()) if problem not in GRAVITY]
            if wrong:
                raise ValueError(f"problem {wrong[0]!r}; accepted: {', '.join(GRAVITY)}")
            return cls(kind, text, raw, data.get("call"), detail)
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            raise UnreadableInput(f"this is no event: {error!r}") from None


def gravest_first(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Return each of `problems` once, the gravest first."""
    return tuple(sorted(set(problems), key=GRAVITY.index))


def merged(events: Iterable[Event]) -> list[Event]:
    """Return the same events with neighbours of one kind joined: what does not depend on how the text was cut."""
    result: list[Event] = []
    for _, group in groupby(_numbered(events), key=_kind):
        same = [event for _, event in group]
        first = same[0]
        if len(same) > 1:
            first = first._replace(text="".join(e.text for e in same), raw="".join(e.raw for e in same))
        result.append(first)
    return result


_ALONE = ("call_start", "call_end", "malformed", "stop")


def _numbered(events: Iterable[Event]) -> Iterator[tuple[int, Event]]:
    for number, event in enumerate(events):
        yield (number if event.type in _ALONE else -1), event


def _kind(numbered: tuple[int, Event]) -> tuple[int, str, int | None, Any]:
    number, event = numbered
    return number, event.type, event.call, event.detail
