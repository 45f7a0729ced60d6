"""The quick way: used for what is usual, and equal to the machine wherever it says anything."""

from __future__ import annotations

from typing import Any

import pytest

import chatcodec
from any_pieces import codec_of
from chatcodec.reply.pieces import Pieces
from chatcodec.reply.reading import Reading

TOOLS = [
    {
        "type": "function",
        "function": {
            "name": "f",
            "parameters": {"properties": {"a": {"type": "string"}, "n": {"type": "integer"}, "o": {"type": "object"}}},
        },
    }
]
TAGGED = ("qwen3.6", "bailing-v3", "seed-oss")
HI = {"role": "user", "content": "Hi"}
TURNS: list[dict[str, Any]] = [
    {"content": "Hello."},
    {"reasoning_content": "Hm.", "content": "Hello."},
    {"reasoning_content": "Hm.", "tool_calls": [("f", {"a": "x < y", "n": 5, "o": {"b": [1]}})]},
    {"content": "Two.", "tool_calls": [("f", {"a": "null"}), ("f", {})]},
]


def quick_message(name: str, turn: dict[str, Any]) -> tuple[dict[str, Any] | None, chatcodec.Reply]:
    """Return what the quick way makes of a rendered turn, and the reply by the machine."""
    codec = chatcodec.load(name)
    calls = [{"function": {"name": called, "arguments": given}} for called, given in turn.get("tool_calls", ())]
    message = {"role": "assistant", **turn, **({"tool_calls": calls} if calls else {})}
    prompt = codec.render([HI], tools=TOOLS, add_generation_prompt=True)
    text = codec.render([HI, message], tools=TOOLS).text.removeprefix(prompt.text).removesuffix("\n")
    reading, tools = Reading(codec.pieces, codec.hints), codec.tools(TOOLS)
    turn_so_far = codec._turn_of(prompt, {}, False)
    reading.parse("", turn_so_far, tools.signatures)
    assert reading._quick is not None
    start = reading._start(turn_so_far)
    assert start is not None
    reader = codec.reader(tools=tools, prompt=prompt)
    reader.feed(text)
    return reading._quick.message(text, start.scope, tools.signatures), reader.close()


@pytest.mark.parametrize("turn", TURNS, ids=["content", "reasoning", "values", "two-calls"])
@pytest.mark.parametrize("name", TAGGED)
def test_usual_turns_are_read_the_quick_way(name: str, turn: dict[str, Any]) -> None:
    quick, reply = quick_message(name, turn)
    if name == "seed-oss" and "reasoning_content" in turn:
        assert quick is None  # its prompt does not open reasoning
    else:
        assert quick == reply.message
    if "tool_calls" in turn:
        assert len(reply.message["tool_calls"]) == len(turn["tool_calls"])


@pytest.mark.parametrize("name", ["qwen3-tir", "qwen2.5-ja-struct"])
def test_calls_in_json_are_left_to_the_machine(name: str) -> None:
    codec = chatcodec.load(name)
    reading = Reading(codec.pieces, codec.hints)
    reading.parse("Hi", "<think>\n")
    assert reading._quick is not None
    assert not reading._quick.usable


@pytest.mark.parametrize("text", ["Hi[end]", "Hi\n\n<tool_call>\n<function=f>\n</function>\n</tool_call>[end]"])
def test_markers_that_begin_with_different_signs_are_left_to_the_machine(text: str) -> None:
    pieces = Pieces("[assistant]", ("[end]",), calls=chatcodec.load("qwen3.6").pieces.calls)
    read: dict[str, Any] = {"tools": TOOLS, "prompt": pieces.header}
    codec = codec_of(pieces)
    reader = codec.reader(**read)
    reader.feed(text)
    message = codec.parse(text, **read).message
    assert message == reader.close().message
    assert message["content"] == "Hi"
    assert ("tool_calls" in message) == ("function" in text)


def test_a_spelled_out_marker_does_not_open_a_call_where_ids_are_read() -> None:
    codec = chatcodec.load("qwen3.6")
    texts = ["<tool", "_call>", "\n<function=f>\n<parameter=a>\n1\n</parameter>\n</function>\n", "</tool_call>"]
    vocabulary = dict(enumerate(text.encode() for text in ("<tool_call>", *texts)))
    read = {"tools": TOOLS, "piece": vocabulary.__getitem__, "added": [0, 4], "enable_thinking": False}
    assert codec.parse([0, 3, 4], **read).message["tool_calls"]
    reply = codec.parse([1, 2, 3, 4], **read)
    assert not reply.calls
    assert reply.message["content"] == "".join(texts)
