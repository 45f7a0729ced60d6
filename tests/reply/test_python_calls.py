"""Calls that are written as in Python."""

from __future__ import annotations

import json
from typing import Any

import pytest

from any_pieces import codec_of
from chatcodec.reply.calls import Spacing
from chatcodec.reply.pieces import Pieces
from chatcodec.reply.python_calls import PythonCalls

PIECES = Pieces("<bot>", ("<end>",), calls=PythonCalls("<calls>[", "]</calls>", spacing=Spacing(between=", ")))
LINES = Pieces("<bot>", ("<end>",), calls=PythonCalls("[", "]"))
TOOLS = [
    {
        "type": "function",
        "function": {
            "name": "f",
            "parameters": {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "string"}}},
        },
    }
]


def read(text: str, pieces: Pieces = PIECES) -> tuple[Any, list[tuple[str, str]], list[str]]:
    reply = codec_of(pieces).parse(text, tools=TOOLS, prompt="<bot>")
    calls = [tuple(call["function"].values()) for call in reply.message.get("tool_calls", ())]
    return reply.message["content"], calls, [call.status for call in reply.calls]


@pytest.mark.parametrize(
    ("written", "arguments"),
    [
        ("f()", "{}"),
        ("f( )", "{}"),
        ("f(a=1)", '{"a": 1}'),
        ("f(a = 1, b='x')", '{"a": 1, "b": "x"}'),
        ('f(b="it\'s")', '{"b": "it\'s"}'),
        ("f(b='a\\'b')", '{"b": "a\'b"}'),
        ("f(b='), g(')", '{"b": "), g("}'),
        ("f(b=']</calls>')", '{"b": "]</calls>"}'),
        ("f(c=[1, (2, 3)], b='')", None),
        ("f(c={'k': [True, None]})", '{"c": {"k": [true, null]}}'),
        ('f(c={"k": [true, null]})', '{"c": {"k": [true, null]}}'),
        ("f(a=1,)", '{"a": 1}'),
        ("f(b='two\nlines')", '{"b": "two\\nlines"}'),
        ("f(b=plain words)", '{"b": "plain words"}'),
    ],
)
def test_values(written: str, arguments: str | None) -> None:
    _, calls, _ = read(f"<calls>[{written}]</calls><end>")
    assert [name for name, _ in calls] == ["f"]
    assert arguments is None or calls[0][1] == arguments


def test_several_calls_behind_content() -> None:
    text = "Hi.<calls>[f(a=1), g(x='y')\n h()]</calls><end>"
    expected = [("f", '{"a": 1}'), ("g", '{"x": "y"}'), ("h", "{}")]
    assert read(text) == ("Hi.", expected, ["ok", "unknown tool", "unknown tool"])


@pytest.mark.parametrize("text", ["[1]", "[f]", "[f](g)", "[f(x)]", "[f (a", "see [f(a) + 1]", "[]"])
def test_without_a_name_and_an_argument_it_is_text(text: str) -> None:
    assert read(text, LINES) == (text, [], [])


def test_a_bracket_may_be_all_there_is_before_calls() -> None:
    assert read("[f(a=1)]<end>", LINES) == (None, [("f", '{"a": 1}')], ["ok"])


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("<calls>[f(a=1)", "missing marker"),
        ("<calls>[f(a=1) and so on", "missing marker"),
        ("<calls>[f(a=1, ", "unclosed"),
        ("<calls>[f(b='x", "unclosed"),
        ("<calls>[f(a=1, 2)]</calls>", "invalid arguments"),
        ("<calls>[f(a=1, a=2)]</calls>", "duplicate argument"),
        ("<calls>[f(a='x')]</calls>", "does not fit"),
    ],
)
def test_faults(text: str, status: str) -> None:
    assert read(text)[2] == [status]


RAW = Pieces("<bot>", ("<end>",), calls=PythonCalls("<calls>[", "]</calls>", "raw", Spacing(between=", ")))


@pytest.mark.parametrize(
    ("written", "arguments"),
    [
        ("f(b='it's')", {"b": "it's"}),
        ("f(b='C:\\new', a=1)", {"b": "C:\\new", "a": 1}),
        ("f(b='x', y', a=1)", {"b": "x', y", "a": 1}),
        ("f(b='x') y')", {"b": "x') y"}),
        ("f(b='')", {"b": ""}),
        ("f(b='a'', c='')", {"b": "a'", "c": ""}),
        ('f(b=""two" words", c=[1])', {"b": '"two" words', "c": [1]}),
        ("f(b='<end>')", {"b": "<end>"}),
        ("f(b='x' )", {"b": "x"}),
    ],
)
@pytest.mark.parametrize("behind", [", g()", "\ng()", ""])
def test_texts_without_escapes(written: str, arguments: dict[str, Any], behind: str) -> None:
    _, calls, statuses = read(f"<calls>[{written}{behind}]</calls><end>", RAW)
    assert [(name, json.loads(text)) for name, text in calls] == [("f", arguments), *([("g", {})] if behind else [])]
    assert statuses[0] == "ok"


def test_a_text_without_escapes_that_is_cut() -> None:
    assert read("<calls>[f(b='it's", RAW)[1:] == ([], ["unclosed"])
    assert read("<calls>[f(b='it')", RAW)[1] == [("f", '{"b": "it"}')]
