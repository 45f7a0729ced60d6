"""Calls whose name stands before their arguments: written, read back whole and cut, and what goes wrong with them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from chatcodec.render.marks import NOBODY
from chatcodec.reply.events import merged
from chatcodec.reply.pieces import NO_HINTS, Block, NamedCalls, Pieces, Reasoning, Spacing
from chatcodec.reply.reading import Reading, Tools
from chatcodec.reply.reply import Reply

DEEPSEEK = NamedCalls(
    "<｜call▁begin｜>{name}<｜sep｜>", "<｜call▁end｜>", section=Block("<｜calls▁begin｜>", "<｜calls▁end｜>")
)
KIMI = NamedCalls("<|call|>functions.{name}:{id}<|args|>", "<|end|>", Spacing(between="\n"))
NUMBERED = NamedCalls("[{id}|{name}]: ", ";", Spacing(between=", "))
TOOLS = Tools([{"type": "function", "function": {"name": "f", "parameters": {}}}])


def reading(calls: NamedCalls) -> Reading:
    return Reading(Pieces("<A>", ("<|stop|>",), Reasoning("<think>", "</think>"), None, calls), NO_HINTS)


def written(calls: NamedCalls, *made: tuple[str, str, Any]) -> str:
    pieces: list[str] = []
    for index, (call_id, name, arguments) in enumerate(made):
        calls.write(pieces.extend, NOBODY, calls.spacing.between if index else "", call_id, name, arguments)
    text = "".join(pieces)
    return text if calls.section is None else calls.section.opening + text + calls.section.closing


def read(calls: NamedCalls, text: str) -> Reply:
    """Read a completion whole, one character at a time, and from a state at each place: always the same."""
    made = reading(calls)
    whole = made.parse(text, "<think></think>", TOOLS.signatures)
    one_by_one = made.reader("<think></think>", TOOLS.signatures)
    events = [event for character in text for event in one_by_one.feed(character)]
    assert merged([*events, *one_by_one.finish()]) == whole.events
    for at in range(1, len(text)):
        first, second = made.reader("<think></think>", TOOLS.signatures), made.reader(None, TOOLS.signatures)
        said = first.feed(text[:at])
        second.resume(json.loads(json.dumps(first.state())))
        assert merged([*said, *second.feed(text[at:]), *second.finish()]) == whole.events, at
    assert whole.text == text
    return whole


@pytest.mark.parametrize("calls", [DEEPSEEK, KIMI, NUMBERED], ids=["section", "id", "separator"])
def test_what_is_written_is_read(calls: NamedCalls) -> None:
    first, second = {"a": [1, 2.0, "</think>"], "b": {"<|end|>": None}}, {"text": "<｜call▁end｜>;", "é": True}
    reply = read(calls, "Hi" + written(calls, ("0", "f", first), ("1", "f", second)) + "<|stop|>")
    assert [(call.name, call.status) for call in reply.calls] == [("f", "ok"), ("f", "ok")]
    assert [call.id for call in reply.calls] == [None, None] if calls is DEEPSEEK else ["0", "1"]
    assert [json.loads(call.arguments) for call in reply.calls] == [first, second]
    assert reply.message["content"] == "Hi"
    assert reply.segments[-1].kind == "stop"


@pytest.mark.parametrize(
    ("text", "statuses", "content"),
    [
        ("<｜call▁begin｜>f<｜sep｜>{}<｜call▁end｜>", ["ok"], ""),
        ("<｜call▁begin｜>g<｜sep｜>{}<｜call▁end｜>", ["unknown tool"], ""),
        ("<｜call▁begin｜>f<｜sep｜>{}", ["missing marker"], ""),
        ("<｜call▁begin｜>f<｜sep｜>{}<｜call▁e", ["missing marker"], ""),
        ("<｜calls▁begin｜>\n\n<｜call▁begin｜>f<｜sep｜>{}<｜call▁end｜>\n<｜calls▁end｜>", ["ok"], ""),
        ('<｜call▁begin｜>f<｜sep｜>{"a": "b', ["unclosed"], ""),
        ("<｜call▁begin｜>f<｜sep｜>{1", ["unclosed"], ""),
        ('<｜call▁begin｜>f<｜sep｜>{"a": "b<|stop|>', ["unclosed"], ""),
        ("<｜call▁begin｜>f<｜sep｜>{1}<｜call▁end｜> on", ["invalid arguments"], " on"),
        ("<｜call▁begin｜>f<｜sep｜>{1} <｜call▁begin｜>f<｜sep｜>{}<｜call▁end｜>", ["unclosed", "ok"], ""),
        ("<｜call▁begin｜>f<｜sep｜>[1]<｜call▁end｜>", [], "<｜call▁begin｜>f<｜sep｜>[1]<｜call▁end｜>"),
        ("<｜call▁begin｜>a name<｜sep｜>{}", [], "<｜call▁begin｜>a name<｜sep｜>{}"),
        ("Write <｜calls▁begin｜> first.", [], "Write <｜calls▁begin｜> first."),
        ("<｜call▁begin｜>f<｜sep｜>", [], "<｜call▁begin｜>f<｜sep｜>"),
    ],
)
def test_what_is_wrong_is_said(text: str, statuses: list[str], content: str) -> None:
    reply = read(DEEPSEEK, text)
    assert [call.status for call in reply.calls] == statuses
    assert (reply.message["content"] or "") == content


def test_a_broken_call_stays_in_the_turn_with_its_closing_marker() -> None:
    text = "<｜call▁begin｜>f<｜sep｜>{1}<｜call▁end｜>"
    reply = read(DEEPSEEK, text + " on")
    assert reply.calls[0].raw == text
    assert reply.turn["content"] == text + " on"


def test_a_name_ends_where_a_marker_may_begin() -> None:
    reply = read(NUMBERED, "See [a|b[0|f]: {};")
    assert [(call.name, call.id, call.status) for call in reply.calls] == [("f", "0", "ok")]
    assert reply.message["content"] == "See [a|b"
    assert not read(NUMBERED, "[0|f;g]: {};").calls


@pytest.mark.parametrize("calls", [DEEPSEEK, KIMI], ids=["section", "id"])
def test_space_before_calls_in_open_reasoning_is_reasoning(calls: NamedCalls) -> None:
    pieces = Pieces("<A>", ("<|stop|>",), Reasoning("<think>\n", "\n</think>\n"), None, calls)
    reply = Reading(pieces, NO_HINTS).parse("Hm.\n" + written(calls, ("0", "f", {})), "<think>\n", TOOLS.signatures)
    assert [call.status for call in reply.calls] == ["ok"]
    assert reply.reasoning == "Hm.\n"
    assert reply.content == ""
