"""The state of a reader: a copy, checked when it comes back; and events that go to another process and back."""

from __future__ import annotations

import json
from typing import Any

import pytest

import chatcodec
from chatcodec.reply.events import merged

CALL = "<tool_call>\n<function=f>\n<parameter=a>\n1\n</parameter>\n"
TOOLS = [{"type": "function", "function": {"name": "f", "parameters": {"properties": {"a": {"type": "integer"}}}}}]
CODEC = chatcodec.load("qwen3.6")
TIR = '<tool_call>\n{"name": "f", "arguments": {"a": 1}}\n</tool_call>\n<tool_response>\nR\n</tool_response>\ns'
REPLIES = {
    "qwen3.6": "r\n</think>\n\nHi\n\n" + CALL + "</function>\n</tool_call>",
    "bailing-v3": "r</think>Hi\n<tool_call>f\n<arg_key>a</arg_key>\n<arg_value>x</arg_value>\n</tool_call><|role_end|>",
    "qwen3-tir": "r" + TIR,
    "qwen2.5-ja-struct": '<tool_call>\n{"function": {"name": "f", "arguments": "{}"}, "id": "c"}\n</tool_call>',
    "seed-oss": "<seed:think>r<seed:cot_budget_reflect>n</seed:cot_budget_reflect></seed:think>\nHi",
}


def test_a_state_is_a_copy() -> None:
    reader = CODEC.reader(tools=TOOLS, enable_thinking=False)
    reader.feed(CALL)
    state = reader.state()
    before = json.dumps(state)
    others = [CODEC.reader(tools=TOOLS, state=state) for _ in range(2)]
    rest = "<parameter=b>\n5\n</parameter>\n</function>\n</tool_call>"
    said = [merged([*each.feed(rest), *each.finish()]) for each in (reader, *others)]
    assert said[0] == said[1] == said[2]
    assert "duplicate argument" not in said[0][-1].detail.problems
    assert json.dumps(state) == before


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("version",), 2),
        (("version",), None),
        (("reader",), "00000000"),
        (("machine", "mode"), "bogus"),
        (("machine", "held"), None),
        (("machine", "scope"), "answer"),
        (("machine", "space"), "1"),
        (("tape", "problems"), ["zzz"]),
        (("tape", "quiet"), [1]),
        (("tape", "quiet"), [None]),
        (("calls", "mode"), "junk"),
        (("calls", "given"), ["a"]),
        (("calls", "name"), 5),
        (("calls",), None),
        (("bytes",), 5),
        (("again",), [5]),
    ],
)
def test_what_is_no_state_of_such_a_reader_is_refused(path: tuple[str, ...], value: Any) -> None:
    reader = CODEC.reader(tools=TOOLS, enable_thinking=False)
    reader.feed(CALL)
    state = reader.state()
    part = state
    for step in path[:-1]:
        part = part[step]
    part[path[-1]] = value
    with pytest.raises(chatcodec.ChatCodecError, match="no state of a reader like this one"):
        CODEC.reader(tools=TOOLS, state=state)


@pytest.mark.parametrize(
    ("name", "begun", "more"),
    [
        ("qwen3-tir", '<tool_call>\n{"name": "f", "arguments": {"a": 1', ",, no JSON, " * 5000),
        ("qwen3-tir", '<tool_call>\n{"name": "f", "arguments": {}, "note": "', "some text " * 5000),
        ("qwen3-tir", '<tool_call>\n{"name": "f", "arguments": {}', " " * 50_000),
        ("qwen3.6", "</think>\n\n<tool_call>\n<function=f>", "\n" * 50_000),
        ("qwen3.6", "</think>\n\n", "some text " * 5000),
    ],
)
def test_a_state_stays_small_however_much_came(name: str, begun: str, more: str) -> None:
    reader = chatcodec.load(name).reader(tools=TOOLS)
    reader.feed(begun)
    small = len(json.dumps(reader.state()))
    for at in range(0, len(more), 100):
        reader.feed(more[at : at + 100])
    assert len(json.dumps(reader.state())) < small + 200


def test_a_state_belongs_to_its_codec_and_to_text_or_ids() -> None:
    state = CODEC.reader().state()
    for make in (
        lambda: chatcodec.load("seed-oss").reader(state=state),
        lambda: CODEC.reader(state=state, tool_choice="none"),
        lambda: CODEC.reader(state=state, piece={0: b"a"}.__getitem__, added=[]),
        lambda: CODEC.reader(state={}),
        lambda: CODEC.reader(state=[]),
    ):
        with pytest.raises(chatcodec.ChatCodecError, match="no state"):
            make()


@pytest.mark.parametrize("name", REPLIES)
def test_events_cross_as_json(name: str) -> None:
    codec = chatcodec.load(name)
    reader = codec.reader(tools=TOOLS)
    events = [*reader.feed(REPLIES[name]), *reader.finish()]
    carried = [chatcodec.Event.from_json(json.loads(json.dumps(event.as_json()))) for event in events]
    assert carried == events
    again = codec.collect(carried, tools=TOOLS)
    whole = reader.close()
    assert (again.message, again.calls, again.segments) == (whole.message, whole.calls, whole.segments)


@pytest.mark.parametrize("data", [{}, [], {"type": "call_end", "text": "", "raw": ""}, None])
def test_what_is_no_event_is_refused(data: Any) -> None:
    with pytest.raises(chatcodec.UnreadableInput, match="no event"):
        chatcodec.Event.from_json(data)


@pytest.mark.parametrize("completion", [None, 5, b"text", 1.5])
def test_what_is_no_completion_is_refused(completion: Any) -> None:
    with pytest.raises(chatcodec.ChatCodecError, match=r"a completion is a text, or token ids together with `piece`"):
        CODEC.parse(completion)
    with pytest.raises(chatcodec.ChatCodecError, match="a reader of text is fed text"):
        CODEC.reader().feed(completion)


def test_a_text_with_a_vocabulary_and_a_prompt_of_another_kind_are_refused() -> None:
    with pytest.raises(chatcodec.ChatCodecError, match='found string "text" together with `piece`'):
        CODEC.parse("text", piece={}.__getitem__)
    for prompt in ([1, 2], b"", 5):
        with pytest.raises(chatcodec.ChatCodecError, match="a prompt is what render returned, or its text"):
            CODEC.parse("text", prompt=prompt)  # type: ignore[arg-type]
