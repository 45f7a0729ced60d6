"""What stands beside calls: text, reasoning, or the stop, which may begin calls too."""

from __future__ import annotations

from typing import Any

import pytest

from any_pieces import codec_of
from chatcodec.reply.calls import Spacing
from chatcodec.reply.json_calls import JsonCalls
from chatcodec.reply.pieces import Pieces, Reasoning

OBJECT = '{"name": {name}, "arguments": {arguments}}'
CALL = '<call>{"name": "f", "arguments": {}}</call>\n'
PIECES = Pieces("<bot>", ("<end>",), Reasoning("<think>", "</think>"), calls=JsonCalls("<call>", OBJECT, "</call>\n"))
SHARED = Pieces("<bot>", ("<sep>",), calls=JsonCalls("<sep>\ncall: ", OBJECT, ""))


def read(text: str, pieces: Pieces) -> tuple[Any, Any, int, str]:
    """Return the reasoning, the content, how many calls there are, and how it ended; however the text is cut."""
    codec = codec_of(pieces)
    reply = codec.parse(text, prompt="<bot>")
    reader = codec.reader(prompt="<bot>")
    for char in text:
        reader.feed(char)
    assert reader.close().message == reply.message
    message = reply.message
    return message.get("reasoning_content"), message["content"], len(message.get("tool_calls", ())), reply.finish


@pytest.mark.parametrize(
    ("text", "reasoning", "content"),
    [
        (f"{CALL}Hi.<end>", None, "Hi."),
        (f"{CALL}\nHi.<end>", None, "\nHi."),
        (f"{CALL}<think>Hm.</think>Hi.<end>", "Hm.", "Hi."),
        (f"{CALL}{CALL}<think>Hm.</think>Hi.<end>", "Hm.", "Hi."),
        (f"<think>Hm.</think>{CALL}<think>Hi.<end>", "Hm.", "<think>Hi."),
    ],
)
def test_text_and_reasoning(text: str, reasoning: str | None, content: str) -> None:
    assert read(text, PIECES) == (reasoning, content, text.count("<call>"), "tool_calls")


@pytest.mark.parametrize(
    ("text", "content", "calls"),
    [
        ("Hi.<sep>", "Hi.", 0),
        ("Hi.<sep>\n", "Hi.", 0),
        ("Hi.<sep>\ncall: me", "Hi.", 0),
        ('Hi.<sep>\ncall: {"name": "f", "arguments": {}}<sep>', "Hi.", 1),
        ('<sep>\ncall: {"name": "f", "arguments": {"a": "<sep>"}}<sep>\n', None, 1),
    ],
)
def test_a_stop_that_begins_calls_too(text: str, content: str | None, calls: int) -> None:
    assert read(text, SHARED) == (None, content, calls, "tool_calls" if calls else "stop")


@pytest.mark.parametrize(
    ("text", "reasoning"), [("<think>Hm.\n", "Hm."), ("<think>Hm.\n\n", "Hm.\n"), ("<think>Hm.", "Hm.")]
)
def test_the_space_before_calls_is_none_of_reasoning_that_they_end(text: str, reasoning: str) -> None:
    calls = JsonCalls("<call>", OBJECT, "</call>", spacing=Spacing("\n", "\n"))
    pieces = Pieces("<bot>", ("<end>",), Reasoning("<think>", "</think>"), calls=calls)
    assert read(f"{text}{CALL.strip()}<end>", pieces) == (reasoning, None, 1, "tool_calls")
