"""A reply in the forms that the command line prints: JSON, a table of its segments, and words on what is wrong with it.

Rules: as in `present`. What a model wrote is never an error: what is wrong with a call is said as a warning.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from chatcodec.cli.paint import KINDS
from chatcodec.cli.present import SCHEMA_VERSION, Row, ruled
from chatcodec.cli.terminal import Drawing
from chatcodec.cli.visible import one_line, visible
from chatcodec.reply.events import Event, Problem
from chatcodec.reply.read_calls import Call
from chatcodec.reply.reply import Reply

_LONGEST_NAME = 40

_WORDS: dict[Problem, str] = {
    "unclosed": "it was cut, or went on as no call does",
    "missing name": "it does not say which tool",
    "invalid arguments": "they are no JSON object",
    "unknown tool": "none of the tools has this name",
    "duplicate argument": "one was given twice, the last one counts",
    "does not fit": "its schema does not allow the value",
    "unexpected text": "between the parts of the call, or one of them again",
    "missing marker": "it was left out, and no doubt about it",
    "retyped": "the value was spelled as another type",
    "ambiguous": "the value can be read as several of its types",
    "untyped": "the schema says nothing of it, so it is kept as text",
}


def everything(reply: Reply) -> dict[str, Any]:
    """Return all that is known of the reply, for JSON."""
    return {
        "schema_version": SCHEMA_VERSION,
        "message": reply.message,
        "turn": reply.turn,
        "finish": reply.finish,
        "calls": [_call(call) for call in reply.calls],
        "segments": [segment._asdict() for segment in reply.segments],
        "malformed": [text._asdict() for text in reply.malformed],
    }


def _call(call: Call) -> dict[str, Any]:
    return {
        "name": call.name,
        "id": call.id,
        "arguments": call.arguments,
        "status": call.status,
        "problems": list(call.problems),
        "raw": call.raw,
        "start": call.start,
        "end": call.end,
        "values": [value._asdict() for value in call.values],
        "response": call.response,
    }


def deltas(events: Iterable[Event]) -> Iterator[dict[str, Any]]:
    """Yield what a choice of a streamed chat completion says of `events`, where it says something."""
    return (_choice(event.delta) for event in events if event.delta is not None)


def last_delta(reply: Reply) -> dict[str, Any]:
    """Return what the last choice of a streamed chat completion says: why the reply ended."""
    return _choice({}, reply.finish)


def _choice(delta: dict[str, Any], finish_reason: str | None = None) -> dict[str, Any]:
    return {"index": 0, "delta": delta, "finish_reason": finish_reason}


def table(reply: Reply, drawing: Drawing, width: int | None) -> Iterator[str]:
    """Yield a line for each segment: where, what it is, the call it is part of, text. `width` is the terminal's."""
    names = ["-" if call.name is None else one_line(call.name, _LONGEST_NAME) for call in reply.calls]
    rows = []
    for kind, text, start, end, call in reply.segments:
        cells = f"{start}-{end}", kind, "-" if call is None else f"{call} {names[call]}"
        rows.append(Row(cells, text, KINDS[kind]))
    return ruled(rows, drawing, width)


def warnings(reply: Reply) -> list[str]:
    """Return a line for each call that is not as it should be, and for each text that looked like a call."""
    calls = [_about(call) for call in reply.calls if call.problems]
    return calls + [
        f"looks like a call and is none: {_quoted(text)} (characters {start}-{end})"
        for text, start, end in reply.malformed
    ]


def _about(call: Call) -> str:
    name = "no name" if call.name is None else one_line(call.name, _LONGEST_NAME)
    problems = []
    for problem in call.problems:
        of = [json.dumps(value.name, ensure_ascii=False) for value in call.values if value.fault == problem]
        problems.append(f"{problem}{' ' if of else ''}{', '.join(of)}: {_WORDS[problem]}")
    return f"call {call.index} ({name}): {'; '.join(problems)} (characters {call.start}-{call.end})"


def _quoted(text: str) -> str:
    return visible(json.dumps(text if len(text) <= 60 else text[:59] + "…", ensure_ascii=False))
