"""Calls that no marker closes or opens, that stand in a list, or whose names are in their ids; stops behind space."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given

from any_pieces import UNMARKED_PIECES, codec_of
from chatcodec.reply.calls import Block, Spacing
from chatcodec.reply.json_calls import JsonCalls
from chatcodec.reply.named_calls import NamedCalls
from chatcodec.reply.pieces import Calls, Pieces
from chatcodec.reply.response_template import NO_CALLS

OBJECT = '{"name": {name}, "parameters": {arguments}}'
TOOLS = [{"type": "function", "function": {"name": "f", "parameters": {"type": "object"}}}]


def pieces(calls: Calls, *stops: str) -> Pieces:
    return Pieces("<bot>", stops or ("<end>",), calls=calls)


def read(calls: Calls, text: str, *stops: str) -> tuple[Any, list[tuple[Any, Any, Any]]]:
    message = codec_of(pieces(calls, *stops)).parse(text, tools=TOOLS, prompt="<bot>").message
    found = [(call["id"], *call["function"].values()) for call in message.get("tool_calls", ())]
    return message["content"], found


@given(UNMARKED_PIECES)
def test_they_go_to_json_and_back(drawn: Pieces) -> None:
    assert Pieces.from_json(json.loads(json.dumps(drawn.as_json()))) == drawn


@given(UNMARKED_PIECES)
def test_what_needs_markers_is_not_exported(drawn: Pieces) -> None:
    template, lost = codec_of(drawn).response_template()
    json.dumps(template)
    calls = drawn.calls
    unmarked = calls is not None and (not calls.closing or not getattr(calls, "opening", True))
    if unmarked or getattr(calls, "list", None):
        assert NO_CALLS[0] in lost
        assert "tool_calls" not in template["fields"]


@pytest.mark.parametrize(
    ("text", "content", "names"),
    [
        ('{"name": "f", "parameters": {"a": 1}}', None, ["f"]),
        ('{\n "name" : "f" ,\n "parameters":{"a": 1} }<end>', None, ["f"]),
        ('Hi. {"name": "f", "parameters": {}}', "Hi.", ["f"]),
        ('{"name": "f"}', '{"name": "f"}', []),
        ('{"parameters": {}, "name": "f"}', '{"parameters": {}, "name": "f"}', []),
        ('{"name": "a b", "parameters": {}}', '{"name": "a b", "parameters": {}}', []),
        ("if (x) { return 1; }", "if (x) { return 1; }", []),
        ('{"name": "f", "parameters": {}} {"name": "g", "parameters": {}}', None, ["f", "g"]),
    ],
)
def test_without_markers_a_call_begins_as_declared(text: str, content: str | None, names: list[str]) -> None:
    said, calls = read(JsonCalls("", OBJECT, "", spacing=Spacing("", " ")), text)
    assert (said, [name for _, name, _ in calls]) == (content, names)


@pytest.mark.parametrize(("opening", "closing"), [("<calls>", "</calls>"), ("<calls>", ""), ("", "")])
def test_calls_in_a_list(opening: str, closing: str) -> None:
    calls = JsonCalls(opening, OBJECT, closing, spacing=Spacing(between=", "), list=Block("[", "]"))
    text = f'{opening}[{{"name": "f", "parameters": {{"a": "]"}}}}, {{"name": "g", "parameters": {{}}}}]{closing}<end>'
    assert read(calls, text) == (None, [("call_0", "f", '{"a": "]"}'), ("call_1", "g", "{}")])


def test_a_member_has_the_name() -> None:
    calls = JsonCalls("<calls>", "{{name}: {arguments}}", "</calls>", list=Block("[", "]"))
    assert read(calls, '<calls>[{"f": {"a": 1}}]</calls>') == (None, [("call_0", "f", '{"a": 1}')])


def test_members_have_other_names() -> None:
    calls = JsonCalls("<call>", '{"nr": {id}, "tool": {name}, "input": {arguments}}', "</call>")
    assert read(calls, '<call>{"nr": "7", "tool": "f", "input": {"a": 1}}</call>') == (None, [("7", "f", '{"a": 1}')])


def test_a_call_may_end_with_its_arguments() -> None:
    calls = NamedCalls("[CALL]{name}[ARGS]", "")
    expected = [("call_0", "f", '{"a": 1}'), ("call_1", "g", "{}")]
    assert read(calls, 'Hi.[CALL]f[ARGS]{"a": 1}[CALL]g[ARGS]{}<end>') == ("Hi.", expected)


@pytest.mark.parametrize(
    ("call_id", "name"), [("functions.get:0", "get"), ("get:12", "get"), ("get", "get"), ("functions.a.b:3", "a.b")]
)
def test_an_id_has_the_name(call_id: str, name: str) -> None:
    calls = NamedCalls("<call>{id}<with>", "</call>")
    assert read(calls, f"<call>{call_id}<with>{{}}</call>") == (None, [(call_id, name, "{}")])


@pytest.mark.parametrize(
    ("text", "content"), [("Hi.\n<end>", "Hi."), ("Hi.<end>", "Hi."), ("Hi.\n\n<end>", "Hi.\n"), ("Hi.\n", "Hi.\n")]
)
def test_space_before_a_stop_belongs_to_it(text: str, content: str) -> None:
    assert read(NamedCalls("<call>{name}", "</call>"), text, "\n<end>") == (content, [])
