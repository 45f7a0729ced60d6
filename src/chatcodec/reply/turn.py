"""A reply as the assistant message that its codec renders, to be appended to the chat.

Rules: all that was written is in it, so that the next prompt goes on where the completion ended; but for text behind a
call, which is content before it, what is no usable call behind one, which is left out, and lone surrogates.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from chatcodec.reply.events import CallStart, Event
from chatcodec.reply.literals import without_surrogates
from chatcodec.reply.read_calls import Call


class TurnShape(NamedTuple):
    """How a codec renders a turn.

    as_text: whether arguments that were JSON text in a string stay one; else they are objects. reasons: whether there
    is reasoning. inline: whether a turn is all in its content as it was written, behind the text ``opening``; a call
    that waits for its response is ended by ``closing``, even if that was left out as a stop.
    """

    as_text: bool = False
    reasons: bool = True
    inline: bool = False
    opening: str = ""
    closing: str = ""


PLAIN_TURN = TurnShape()


def turn_of(events: Sequence[Event], calls: Sequence[Call], shape: TurnShape) -> dict[str, Any]:
    """Return the message that `events` make, with `calls` in it."""
    if shape.inline:
        text = "".join(event.raw for event in events)
        if calls and calls[-1].usable and calls[-1].end == len(text):
            text = _ended(text, shape.closing)
        return {"role": "assistant", "content": text.removeprefix(shape.opening)}
    turn: dict[str, Any] = {"role": "assistant", "content": _content(events, calls)}
    if shape.reasons:
        turn["reasoning_content"] = reasoning_of(events)
    usable = [call for call in calls if call.usable]
    if usable:
        turn["tool_calls"] = [
            openai_call(call.name, CallStart(call.name, call.id).id_of(call.index), _arguments(call, shape))
            for call in usable
        ]
    return turn


def _arguments(call: Call, shape: TurnShape) -> Any:
    if call.as_text and shape.as_text:
        return call.arguments
    return without_surrogates(json.loads(call.arguments))


def _ended(text: str, closing: str) -> str:
    """Return a text that ends with `closing`, of which it may have the beginning, or all but the space before it."""
    if text.endswith(closing.lstrip()):
        return text
    had = next(length for length in range(len(closing), -1, -1) if text.endswith(closing[:length]))
    return text + closing[had:]


def _content(events: Iterable[Event], calls: Sequence[Call]) -> str:
    """Return the content; with what is no usable call, as it was written and with the space before it.

    But only as far as no usable call stands before it: calls are rendered behind all content.
    """
    first = next((call.index for call in calls if call.usable), len(calls))
    unusable = {call.start: call for call in calls[:first]}
    parts: list[str] = []
    position, space = 0, ""
    for event in events:
        if event.type == "content":
            parts.append(event.text)
        elif position in unusable:
            call = unusable.pop(position)
            parts.append(space + call.raw)
        space = event.raw if event.type == "marker" and event.call is not None else ""
        position += len(event.raw)
    return "".join(parts)


def reasoning_of(events: Iterable[Event]) -> str:
    """Return all reasoning, in order, with the notices in it as they were written."""
    return "".join(e.text if e.type == "reasoning" else e.raw for e in events if e.type in ("reasoning", "notice"))


def openai_call(name: str | None, call_id: str, arguments: Any) -> dict[str, Any]:
    """Return a call in OpenAI's shape."""
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}
