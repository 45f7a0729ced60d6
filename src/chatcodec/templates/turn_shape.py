"""The shape of a turn: the text that a message is written as, with a slot where each of its values stands.

Read off the spans of a prompt, a shape is a text in which one character of its own stands for each value: what is left
are the literals between them. Rules: text that shows nothing of the message, and values that are always the same, such
as a role, are literals. A value that is written as a JSON string is a slot in quotes. What is made of several values,
or is only a part of the chat in another way, is a slot that nobody can read. It does not know what the literals mean.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

from chatcodec.chat.inputs import REASONING_NAMES
from chatcodec.render.rendered import Rendered
from chatcodec.render.span import Span

CONTENT: Final = "\ue000"
REASONING: Final = "\ue001"
NAME: Final = "\ue002"
ID: Final = "\ue003"
ARGUMENTS: Final = "\ue004"
"""All arguments of a call, as JSON: of an object, or of a text that is JSON."""
ARGUMENTS_TEXT: Final = "\ue005"
"""All arguments, as a JSON string with JSON text in it."""
ARGUMENTS_JSON: Final = "\ue00b"
ARGUMENTS_STR: Final = "\ue006"
"""All arguments, as Python prints them."""
KEY: Final = "\ue007"
VALUE: Final = "\ue008"
"""The value of an argument that is a text, as it is."""
VALUE_JSON: Final = "\ue009"
VALUE_STR: Final = "\ue00a"
"""The value of an argument, as Python prints it."""
UNKNOWN: Final = "\ue00f"
SLOTS: Final = "".join(map(chr, range(0xE000, 0xE010)))


class Shape(NamedTuple):
    """The text of one turn with slots in it, and the number of the region's first character in the prompt."""

    text: str
    start: int


def lead(shape: str) -> str:
    """Return what a shape has before its first slot."""
    return shape[: next((at for at, char in enumerate(shape) if char in SLOTS), len(shape))]


def tail(shape: str) -> str:
    """Return what a shape has behind its last slot."""
    return shape[max((at + 1 for at, char in enumerate(shape) if char in SLOTS), default=0) :]


def shape_of(rendered: Rendered, index: int, text_arguments: bool = False, head: str | None = None) -> Shape | None:
    """Return how the prompt has the message at `index`, up to the next message; None if it does not have it.

    If that is the last message, all that follows belongs to it. text_arguments: whether its calls have their arguments
    as JSON text. head: what begins a turn where that is written for nobody: what is written so before the message
    belongs to it from there on; all of it if that is ''.
    """
    spans = list(rendered.spans)
    first, end = _region(spans, index)
    if first is None:
        return None
    start = spans[first].start if head is None else _start_of_head(rendered.text, spans, first, head)
    slots = rendered.text[start : spans[first].start] + "".join(_slots(rendered, spans[first:end], index))
    if text_arguments:
        slots = slots.replace(ARGUMENTS_JSON, ARGUMENTS_TEXT)
    return Shape(slots.replace(ARGUMENTS_JSON, ARGUMENTS), start)


def _region(spans: list[Span], index: int) -> tuple[int | None, int]:
    """Return the indexes of the first span of a message, and of the first span of the next one."""
    first, end, inside = None, len(spans), f"/messages/{index}/"
    for position, span in enumerate(spans):
        message = _message(span)
        if message == index or (span.pointer or "").startswith(inside):
            first = position if first is None else first
        elif first is not None and (span.owner == "generation" or (message is not None and message > index)):
            return first, position
    return first, end


def _start_of_head(text: str, spans: list[Span], first: int, head: str) -> int:
    """Return where a message begins that has its head before its first span."""
    begin, end = first, spans[first].start
    while begin > 1 and is_unowned(spans[begin - 1]):
        begin -= 1
    found = text.rfind(head, spans[begin].start, end)
    return end if found < 0 else found if head else spans[begin].start


def is_unowned(span: Span) -> bool:
    """Whether text was written for nobody, and shows nothing of the chat."""
    return span.owner is None and span.pointer is None and not span.sources


def _message(span: Span) -> int | None:
    if span.message is not None or span.pointer is None:
        return span.message
    steps = span.pointer.split("/")
    return int(steps[2]) if len(steps) > 2 and steps[1] == "messages" and steps[2].isdigit() else None


def _slots(rendered: Rendered, spans: Iterable[Span], index: int) -> Iterator[str]:
    inside = f"/messages/{index}/"
    for span in spans:
        text = rendered.text[span.start : span.end]
        if not text:
            continue
        if span.origin == "derived" and span.sources:
            yield UNKNOWN
        elif span.pointer is None or not span.pointer.startswith(inside):
            yield text
        else:
            yield from _of_value(rendered, span, span.pointer.removeprefix(inside).split("/"), text)


def _of_value(rendered: Rendered, span: Span, path: list[str], text: str) -> Iterator[str]:
    slot = _slot(path, span.shows)
    if slot:
        yield slot
    elif path[0] == "tool_calls" and len(path) < 4 and span.shows == "json":
        yield from _inside(rendered, span)
    elif path[0] in ("content", "tool_calls") and path[-1] not in ("type", "content"):
        yield UNKNOWN
    else:
        yield text


def _slot(path: list[str], shows: Any) -> str:
    """Return the slot for the value at `path` of a message; '' if it has none."""
    if path[0] == "content" and (len(path) == 1 or path[2:] == ["text"]):
        return _quoted(CONTENT, shows) if shows in ("value", "json", "str") else ""
    if len(path) == 1 and path[0] in REASONING_NAMES:
        return _quoted(REASONING, shows)
    if path[0] != "tool_calls" or len(path) < 3:
        return ""
    rest = path[3:] if path[2] == "function" else path[2:]
    match rest:
        case ["name"]:
            return _quoted(NAME, shows)
        case ["id"]:
            return _quoted(ID, shows)
        case ["arguments"]:
            return {"value": ARGUMENTS, "json": ARGUMENTS_JSON, "str": ARGUMENTS_STR}.get(shows, UNKNOWN)
        case ["arguments", _]:
            return {"key": KEY, "value": VALUE, "json": VALUE_JSON, "str": VALUE_STR}.get(shows, UNKNOWN)
    return ""


def _quoted(slot: str, shows: Any) -> str:
    return f'"{slot}"' if shows == "json" else slot


def _inside(rendered: Rendered, span: Span) -> Iterator[str]:
    """Yield what stands in a call that is written whole as JSON, with slots for its name, id and arguments."""
    at = span.start
    for leaf in rendered.leaves(span):
        if leaf.start < at:
            continue
        path = (leaf.pointer or "").split("/")
        member = path[-1]
        if leaf.shows == "key" and member == "arguments":
            value = _VALUE_BEGINS(rendered.text, leaf.end)
            assert value is not None
            begin = value.end()
            _, end = _decode(rendered.text, begin)
            yield rendered.text[at:begin]
            yield ARGUMENTS_TEXT if rendered.text[begin] == '"' else ARGUMENTS
            at = end
        elif leaf.shows == "value" and member in ("name", "id"):
            yield rendered.text[at : leaf.start]
            yield NAME if member == "name" else ID
            at = leaf.end
    yield rendered.text[at : span.end]


_VALUE_BEGINS = re.compile(r'"\s*:\s*').match
_decode = json.JSONDecoder().raw_decode
