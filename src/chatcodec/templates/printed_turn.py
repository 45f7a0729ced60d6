"""What of a turn its prompt shows, read off the trace: what must come back when that text is read.

Rules: a text is what was printed of it, so what a template trims or drops is not expected. Content that stands right
behind what opens reasoning is reasoning. A call is expected with its name and its id only where they are printed.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from chatcodec.render.rendered import Rendered
from chatcodec.render.span import Span
from chatcodec.reply.keyed_calls import KeyedCalls
from chatcodec.reply.pieces import Pieces
from chatcodec.reply.python_calls import PythonCalls
from chatcodec.reply.tagged import TaggedCalls

_READ = ("content", "reasoning_content", "tool_calls")
_PARTS = ("name", "id", "arguments")


class TurnCall(NamedTuple):
    """A call of a turn: its name and id, None where they are not printed, and its arguments as an object."""

    name: str | None
    arguments: Any
    id: str | None


class PrintedTurn(NamedTuple):
    """A turn as far as it is printed, or as it was read."""

    reasoning: str
    content: str
    calls: list[TurnCall]

    def is_read_as(self, other: PrintedTurn, space: str = "") -> bool:
        """Whether this printed turn was read as `other`; `space` is what a template has before content."""
        if self.reasoning != other.reasoning or other.content not in (self.content, space + self.content):
            return False
        if len(self.calls) != len(other.calls):
            return False
        return all(
            _exact(one.arguments) == _exact(two.arguments) and one.name in (None, two.name) and one.id in (None, two.id)
            for one, two in zip(self.calls, other.calls, strict=True)
        )


def printed_turn(rendered: Rendered, turn: Mapping[str, Any], pieces: Pieces, prints_ids: bool) -> PrintedTurn | None:
    """Return what the prompt shows of its second message, a `turn`; None if it shows a call without its arguments.

    Some templates print nothing for an empty object; what has no arguments is then no call.
    """
    opening = pieces.reasoning.opening.strip() if pieces.reasoning else ""
    texts, called = {"content": "", "reasoning": ""}, dict[int, set[str]]()
    before, zone = "", ""  # the literals since the last value, and where the content stands
    for span in rendered.spans:
        text, path = rendered.text[span.start : span.end], (span.pointer or "").split("/")[1:]
        if path[:2] != ["messages", "1"] or path[2:3] not in [[name] for name in _READ]:
            before += text
            continue
        if path[2] == "content":
            zone = zone or ("reasoning" if opening and before.rstrip().endswith(opening) else "content")
            texts[zone] += text
        elif path[2] == "reasoning_content":
            texts["reasoning"] += text
        else:
            _take_call(called, span, path, len(turn["tool_calls"]))
        before = ""
    # What has no arguments is written without any in these.
    bare = isinstance(pieces.calls, (TaggedCalls, KeyedCalls, PythonCalls))
    if not bare and any("arguments" not in parts for parts in called.values()):
        return None
    calls = [_call(turn["tool_calls"][index], called[index], prints_ids) for index in sorted(called)]
    return PrintedTurn(texts["reasoning"], texts["content"], calls)


def _take_call(called: dict[int, set[str]], span: Span, path: list[str], count: int) -> None:
    """Take note of the parts of calls that a span shows."""
    whole = span.shows in ("json", "str") and len(path) < 6 and path[-1] not in _PARTS
    for index in [int(path[3])] if len(path) > 3 else range(count):
        called.setdefault(index, set()).update(_PARTS if whole else path[4:])


def _call(call: Mapping[str, Any], parts: set[str], prints_ids: bool) -> TurnCall:
    function = call["function"]
    arguments = function["arguments"]
    arguments = json.loads(arguments) if isinstance(arguments, str) else arguments
    return TurnCall(function["name"] if "name" in parts else None, arguments, call["id"] if prints_ids else None)


def read_turn(message: Mapping[str, Any]) -> PrintedTurn:
    """Return OpenAI's message of a reply as a turn."""
    calls = [
        TurnCall(call["function"]["name"], json.loads(call["function"]["arguments"]), call["id"])
        for call in message.get("tool_calls") or ()
    ]
    return PrintedTurn(message.get("reasoning_content") or "", message.get("content") or "", calls)


def _exact(value: Any) -> str:
    """Return a text that is the same for values that are the same JSON."""
    return json.dumps(value, sort_keys=True)
