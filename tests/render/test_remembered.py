"""Tools are remembered by what they print: what prints differently is never taken for one another."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

import pytest

import chatcodec
from chatcodec.render.remembered import _remembered, definition_text
from chatcodec.render.values import json_text

HI = [{"role": "user", "content": "Hi"}]
ALIKE: list[Any] = [
    1,
    1.0,
    True,
    "1",
    [1],
    {"1": 1},
    {"a": 1, "b": 2},
    {"b": 2, "a": 1},
    0,
    False,
    0.0,
    -0.0,
    "",
    None,
    [],
]


def tool(value: Any) -> dict[str, Any]:
    properties = {"p": {"type": "string", "description": value}}
    function = {"name": "f", "description": "D", "parameters": {"properties": properties, "x": value}}
    return {"type": "function", "function": function}


@pytest.mark.parametrize("name", chatcodec.available())
def test_definitions_that_look_alike_are_told_apart(name: str) -> None:
    codec = chatcodec.load(name)
    for _ in range(2):
        for value in ALIKE:
            prompt = codec.render(HI, tools=[tool(value)])
            for span in prompt.spans:
                if span.shows == "json":
                    assert prompt.text[span.start : span.end] == json_text(tool(value))
            assert codec.render(HI, tools=[OrderedDict(tool(value))]).text == prompt.text


def test_a_definition_that_was_changed_is_another() -> None:
    codec, definition = chatcodec.load("seed-oss"), tool("before")
    first = codec.render(HI, tools=[definition]).text
    definition["function"]["parameters"]["properties"]["p"]["description"] = "after"
    assert codec.render(HI, tools=[definition]).text == first.replace("before", "after") != first


def test_a_fault_names_the_tool_that_has_it_each_time() -> None:
    codec = chatcodec.load("seed-oss")
    broken = {"type": "function", "function": {"name": "f"}}
    for index in (0, 1, 1):
        with pytest.raises(chatcodec.InvalidChat) as caught:
            codec.render(HI, tools=[tool("x")] * index + [broken])
        assert caught.value.pointer == f"/tools/{index}/function/parameters"


def test_what_is_long_or_not_plain_is_printed_all_the_same() -> None:
    _remembered.cache_clear()  # other tests may have filled it
    before = _remembered.cache_info().currsize
    for value in ({"a": "x" * 20_000}, OrderedDict(a=1), {"a": OrderedDict()}):
        assert definition_text(value) == json_text(value)
    assert _remembered.cache_info().currsize == before
    assert definition_text({"unheard of": before}) == json_text({"unheard of": before})
    assert _remembered.cache_info().currsize == before + 1 <= 512
    with pytest.raises(TypeError):
        definition_text({"a": b"bytes are plain to marshal"})
