"""What becomes of a renderer's failures: faults of the chat get a place, faults of the renderer go through."""

from __future__ import annotations

import sys
from typing import Any

import pytest

import chatcodec
from chatcodec.chat.types import Chat
from chatcodec.errors import InvalidChat, LimitExceeded
from chatcodec.formats.format import Format
from chatcodec.render.marks import elements, shows
from chatcodec.render.writer import Writer
from chatcodec.reply.pieces import Pieces

MESSAGES = [{"role": "user", "content": "Hi"}, {"role": "user", "content": 5}]


def failing(*pieces: Any, error: Exception | None = None) -> Format:
    def write(chat: Chat, out: Writer) -> None:
        out.emit(pieces)
        if error is not None:
            raise error

    return Format("failing", "Fails", "none", (), "", write, Pieces(header="", stops=()))


def test_a_piece_that_is_no_text_is_named() -> None:
    renderer = failing(elements("messages", 2)[1], "<", shows("content"), 5)
    with pytest.raises(InvalidChat, match="/messages/1/content: found number 5, accepted: a string") as caught:
        renderer.render(Chat(MESSAGES))
    assert caught.value.pointer == "/messages/1/content"


def test_an_unknown_failure_names_the_owner() -> None:
    renderer = failing(elements("messages", 2)[1], "<", error=ValueError("no"))
    with pytest.raises(InvalidChat, match="/messages/1: cannot be rendered, here or further on: no") as caught:
        renderer.render(Chat(MESSAGES))
    assert caught.value.pointer == "/messages/1"
    with pytest.raises(InvalidChat, match="the chat: cannot be rendered"):
        failing(error=TypeError("no")).render(Chat(MESSAGES))


def test_recursion_is_a_limit() -> None:
    with pytest.raises(LimitExceeded, match="nested too deeply"):
        failing(error=RecursionError()).render(Chat(MESSAGES))


@pytest.mark.parametrize("error", [KeyError("x"), AttributeError("x"), MemoryError()])
def test_a_fault_of_the_renderer_is_not_the_chats(error: Exception) -> None:
    with pytest.raises(type(error)):
        failing(error=error).render(Chat(MESSAGES))


def test_what_nobody_can_print_is_found() -> None:
    codec = chatcodec.load("seed-oss")
    huge = 10 ** (sys.get_int_max_str_digits() + 700)
    tool = {"type": "function", "function": {"name": "f", "parameters": {"properties": {}}, "x": [huge]}}
    with pytest.raises(LimitExceeded, match="an integer of more than 4300 digits") as caught:
        codec.render([{"role": "user", "content": "Hi"}], tools=[tool], use_json_tooldef=True)
    assert caught.value.pointer == "/tools/0/function/x/0"
    call = {"function": {"name": "f", "arguments": {"a": {(1, 2): 3}}}}
    with pytest.raises(InvalidChat, match="a string as the name of a member") as caught:
        chatcodec.load("qwen3.6").render([MESSAGES[0], {"role": "assistant", "tool_calls": [call]}])
    assert caught.value.pointer == "/messages/1/tool_calls/0/function/arguments/a"
