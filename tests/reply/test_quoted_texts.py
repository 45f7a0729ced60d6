"""Tagged calls whose texts may stand between quotes."""

from __future__ import annotations

from typing import Any

import pytest

from any_pieces import codec_of
from chatcodec.reply.calls import Block
from chatcodec.reply.pieces import Pieces
from chatcodec.reply.tagged import TaggedCalls

CALLS = TaggedCalls("<call {name}>", "<arg {key}>{value}</arg>", "</call>", quotes=Block("<![", "]]>"))
CODEC = codec_of(Pieces("<bot>", ("<end>",), calls=CALLS))
PROPERTIES = {"s": {"type": "string"}, "n": {"type": "integer"}, "o": {"type": "object"}}
TOOLS = [{"type": "function", "function": {"name": "f", "parameters": {"type": "object", "properties": PROPERTIES}}}]


def read(text: str) -> tuple[str, str]:
    """Return the arguments of the only call in a text, and its status; however the text is cut."""
    reply = CODEC.parse(text, tools=TOOLS, prompt="<bot>")
    reader = CODEC.reader(tools=TOOLS, prompt="<bot>")
    for char in text:
        reader.feed(char)
    closed = reader.close()
    assert closed.message == reply.message
    [call] = reply.calls
    return call.arguments, call.status


@pytest.mark.parametrize(
    ("value", "arguments"),
    [
        ("<arg s><![two\nlines]]></arg>", '{"s": "two\\nlines"}'),
        ("<arg s><![]]></arg>", '{"s": ""}'),
        ("<arg s><![ </arg></call> ]]></arg>", '{"s": " </arg></call> "}'),
        ("<arg s><![a ]]> b]]></arg>", '{"s": "a ]]> b"}'),
        ("<arg s><![a]]></arg> b]]></arg>", '{"s": "a]]></arg> b"}'),
        ("<arg s><![a]]>\n</arg>\n", '{"s": "a"}'),
        ("<arg s><![a<end>b]]></arg>", '{"s": "a<end>b"}'),
        ("<arg s>plain ]]></arg>", '{"s": "plain ]]>"}'),
        ("<arg s><!a</arg>", '{"s": "<!a"}'),
        ("<arg n><![5]]></arg><arg s><![5]]></arg>", '{"n": 5, "s": "5"}'),
        ('<arg o><![{"a": "]]>"}]]></arg>', '{"o": {"a": "]]>"}}'),
    ],
)
def test_values(value: str, arguments: str) -> None:
    assert read(f"<call f>{value}</call><end>") == (arguments, "ok")


@pytest.mark.parametrize("cut", ["<call f><arg s><![a", "<call f><arg s><![a]]", "<call f><arg s><![a<end>"])
def test_a_quoted_text_without_its_end_is_unclosed(cut: str) -> None:
    assert read(cut)[1] == "unclosed"


def test_what_could_be_taken_for_markup_is_written_between_quotes() -> None:
    texts: dict[str, Any] = {"a": "x", "b": "x\ny", "c": "</arg>", "d": "<![", "e": 5}
    assert CALLS.example("f", **texts) == (
        "<call f><arg a>x</arg><arg b><![x\ny]]></arg><arg c><![</arg>]]></arg>"
        "<arg d><![<![]]></arg><arg e>5</arg></call>"
    )
