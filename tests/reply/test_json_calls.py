"""Calls in JSON of families that do not exist, for what no format has: space within a line, arguments as an object."""

from __future__ import annotations

from any_pieces import codec_of
from chatcodec.reply.pieces import JsonCalls, Pieces, Spacing
from chatcodec.reply.reply import Reply

CALLS = JsonCalls("<call>", '{"name": {name}, "arguments": {arguments}}', "</call>", spacing=Spacing(after_content=" "))
PIECES = Pieces("<A>", ("<|stop|>",), calls=CALLS)


def read(text: str) -> Reply:
    reply = codec_of(PIECES).parse(text, prompt="<A>")
    one_by_one = codec_of(PIECES).reader(prompt="<A>")
    for character in text:
        one_by_one.feed(character)
    assert one_by_one.close().events == reply.events
    return reply


def test_the_space_before_a_call_that_stands_in_what_was_none_is_no_content() -> None:
    reply = read('Hi <call>{"a": "x <call>{"name": "f", "arguments": {}}</call>')
    assert [(call.name, call.status) for call in reply.calls] == [("f", "ok")]
    assert reply.content == 'Hi <call>{"a": "x'
    assert [malformed.text for malformed in reply.malformed] == ['<call>{"a": "x']


def test_arguments_that_came_as_text_are_an_object_in_the_turn_of_who_renders_objects() -> None:
    reply = read(r'<call>{"name": "f", "arguments": "{\"a\": 1}"}</call>')
    assert reply.message["tool_calls"][0]["function"]["arguments"] == '{"a": 1}'
    assert reply.turn["tool_calls"][0]["function"]["arguments"] == {"a": 1}
