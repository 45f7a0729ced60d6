"""What a caller may pass: each shape of messages, tools and documents, and what is said about any other."""

from __future__ import annotations

import copy
import functools
import json
from collections import OrderedDict, UserDict
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import pydantic
import pytest

import chatcodec
import peer
from chatcodec.chat.inputs import plain_chat, reasoning_of, take
from chatcodec.chat.types import Chat
from chatcodec.errors import InvalidChat, LimitExceeded

EMPTY = "Cannot apply chat template to an empty conversation. Provide at least one message."
TOOL = (
    "Tools should either be a JSON schema, or a callable function with type hints and a docstring suitable for "
    "auto-conversion to a schema."
)
DOCUMENT = "Documents should be a list of dicts with 'title' and 'text' keys!"
USER = {"role": "user", "content": "Hi"}
TOOL_DEFINITION = {
    "type": "function",
    "function": {
        "name": "weather",
        "description": "Tell the weather.",
        "parameters": {
            "type": "object",
            "properties": {"city": {"type": "string", "description": "Where"}},
            "required": ["city"],
        },
    },
}


def weather(city: str):
    """Tell the weather.

    Args:
        city: Where
    """


class Station:
    def weather(self, city: str):
        """Tell the weather.

        Args:
            city: Where
        """


class PydanticTool(pydantic.BaseModel):
    type: str
    function: dict[str, Any]


@dataclass
class DataclassTool:
    type: str
    function: Any


class PydanticMessage(pydantic.BaseModel):
    role: str
    content: Any = None
    reasoning_content: str | None = None
    tool_calls: list[Any] | None = None


@dataclass
class DataclassMessage:
    role: str
    content: Any = None
    reasoning_content: str | None = None
    tool_calls: Any = None


class Broken:
    def model_dump(self) -> Any:
        raise KeyError("no dump")


def cyclic() -> dict[str, Any]:
    value: dict[str, Any] = {"type": "function"}
    value["function"] = value
    return value


def a_chat(name: str) -> dict[str, Any]:
    """Return a chat that the format `name` accepts and that reaches as much of its code as it can."""
    parts = [{"type": "text", "text": "Look: "}, {"type": "image", "image": "cat.png"}]
    arguments: Any = {"city": "Kyoto", "days": [1, {"a": None}], "unit": "C"}
    call = {"id": "c1", "type": "function", "function": {"name": "weather", "arguments": arguments}}
    chat: dict[str, Any] = {
        "messages": [
            {"role": "system", "content": "Be brief.", "name": None},
            {"role": "user", "content": parts},
            {"role": "assistant", "content": "Wait.", "reasoning": "Hm.", "tool_calls": [call]},
            {"role": "tool", "content": "22", "tool_call_id": "c1"},
            {"role": "assistant", "content": "<think>Well.</think>It is warm.", "tool_calls": None},
            {"role": "user", "content": "Thanks"},
            {"role": "assistant", "content": "Sure", "thinking": "Polite."},
        ],
        "tools": [copy.deepcopy(TOOL_DEFINITION)],
        "documents": [{"title": "t", "text": "x"}],
    }
    if name == "qwen2.5-ja-struct":
        call["function"]["arguments"] = json.dumps(arguments)
        chat["schema"] = {"type": "object", "properties": {"a": {"enum": [1, "b"]}}}
    elif name in ("qwen3-tir", "seed-oss"):
        chat["messages"][1]["content"] = "Look"
    if name == "qwen3-tir":
        chat["messages"][2]["content"] = "Hm.\n<tool_call>\n{}\n</tool_call>\n<tool_response>\n22\n</tool_response>\n"
        del chat["messages"][3:5]
    if name == "seed-oss":
        chat["thinking_budget"] = 512
    return chat


def look_at_everything(rendered: chatcodec.Rendered) -> int:
    """Ask for all that is worked out on demand; return how many spans there were."""
    leaves = [leaf for span in rendered.spans for leaf in rendered.leaves(span)]
    return len(leaves) + len(rendered.media) + len(rendered.warnings) + len(repr(rendered))


# Messages


def test_messages_may_come_from_any_iterable():
    codec = chatcodec.load("qwen3.6")
    expected = codec.render([USER]).text
    assert codec.render((USER,)).text == expected
    assert codec.render(message for message in [USER]).text == expected
    assert codec.render({"a": USER}.values()).text == expected
    assert codec.render(iter([USER]), continue_final_message=True).text == expected[: expected.index("<|im_end|>")]


@pytest.mark.parametrize("name", chatcodec.available())
@pytest.mark.parametrize("kind", [dict, OrderedDict, UserDict, MappingProxyType])
def test_messages_may_be_any_mapping(name, kind):
    chat = a_chat(name)
    expected = chatcodec.load(name).render(**chat)
    chat["messages"] = [kind(message) for message in chat["messages"]]
    rendered = chatcodec.load(name).render(**chat)
    assert rendered.text == expected.text
    assert list(rendered.spans) == list(expected.spans)


@pytest.mark.parametrize("name", chatcodec.available())
@pytest.mark.parametrize("kind", [PydanticMessage, DataclassMessage])
def test_messages_may_be_objects(name, kind):
    messages = [
        {"role": "user", "content": "Hi"},
        {"role": "assistant", "content": "Hello", "reasoning_content": "Friendly."},
        {"role": "user", "content": "Bye"},
        {"role": "assistant", "content": "So long"},
    ]
    codec = chatcodec.load(name)
    expected = codec.render(messages, add_generation_prompt=True)
    rendered = codec.render([kind(**message) for message in messages], add_generation_prompt=True)
    assert rendered.text == expected.text
    assert list(rendered.spans) == list(expected.spans)
    assert codec.render([*messages[:3], kind(**messages[3])], continue_final_message=True).text in expected.text


def test_objects_inside_messages_are_read_as_plain_data():
    codec = chatcodec.load("qwen3.6")
    plain_call = {"type": "function", "function": {"name": "f", "arguments": {"a": [1]}}}
    call = DataclassTool("function", {"name": "f", "arguments": MappingProxyType({"a": [1]})})
    expected = codec.render([USER, {"role": "assistant", "tool_calls": [plain_call]}]).text
    assert codec.render([USER, PydanticMessage(role="assistant", tool_calls=[call])]).text == expected
    assert codec.render([USER, {"role": "assistant", "tool_calls": [call]}]).text == expected


@pytest.mark.parametrize(
    ("messages", "message"),
    [
        ("Hi", '/messages: found string "Hi", accepted: a list of messages'),
        ("", '/messages: found string "", accepted: a list of messages'),
        (b"Hi", "/messages: found a Python bytes, accepted: a list of messages"),
        (USER, "/messages: found object with role, content, accepted: a list of messages"),
        ({}, "/messages: found empty object, accepted: a list of messages"),
        (UserDict(USER), "/messages: found a Python UserDict, accepted: a list of messages"),
        (None, "/messages: found null, accepted: a list of messages"),
        (5, "/messages: found number 5, accepted: a list of messages"),
    ],
)
@pytest.mark.parametrize("continued", [False, True])
def test_what_is_no_list_of_messages_is_refused(messages, message, continued):
    with pytest.raises(InvalidChat) as caught:
        chatcodec.load("qwen3.6").render(messages, continue_final_message=continued)
    assert (str(caught.value), caught.value.pointer) == (message, "/messages")


@pytest.mark.parametrize("name", chatcodec.available())
@pytest.mark.parametrize("message", ["Hi", 5, None, [USER], True], ids=repr)
@pytest.mark.parametrize("continued", [False, True])
def test_what_is_no_message_is_refused(name, message, continued):
    with pytest.raises(InvalidChat) as caught:
        chatcodec.load(name).render([USER, message], continue_final_message=continued)
    assert caught.value.pointer == "/messages/1"
    assert str(caught.value).endswith(", accepted: an object with role and content")


@pytest.mark.parametrize("messages", [[], (), iter([]), {}.values()], ids=["list", "tuple", "iterator", "view"])
def test_no_messages_are_refused_in_the_words_of_transformers(messages):
    with pytest.raises(InvalidChat) as caught:
        chatcodec.load("qwen3.6").render(messages)
    assert (str(caught.value), caught.value.pointer) == (EMPTY, "/messages")


@pytest.mark.parametrize("continued", [False, True])
def test_messages_that_cannot_be_read_are_refused(continued):
    codec = chatcodec.load("qwen3.6")
    with pytest.raises(InvalidChat) as caught:
        codec.render([USER, Broken()], continue_final_message=continued)
    assert caught.value.pointer == "/messages/1"
    assert "no dump" in str(caught.value)
    with pytest.raises(LimitExceeded) as exceeded:
        codec.render([USER, {"role": "assistant", "content": [cyclic()], "x": 1}], continue_final_message=continued)
    assert (exceeded.value.limit, exceeded.value.pointer) == ("depth", "/messages/1")


# Tools

TOOLS = {
    "mapping": MappingProxyType(TOOL_DEFINITION),
    "user dict": UserDict(TOOL_DEFINITION),
    "ordered dict": OrderedDict(TOOL_DEFINITION),
    "function": weather,
    "method": Station().weather,
    "unbound method": Station.weather,
    "pydantic": PydanticTool(**TOOL_DEFINITION),
    "dataclass": DataclassTool(**TOOL_DEFINITION),
}


@pytest.mark.parametrize("name", chatcodec.available())
@pytest.mark.parametrize("tool", TOOLS.values(), ids=TOOLS)
def test_tools_of_every_kind_give_the_same_prompt(name, tool):
    codec = chatcodec.load(name)
    expected = codec.render([USER], tools=[TOOL_DEFINITION])
    assert "weather" in expected.text
    rendered = codec.render([USER], tools=[tool])
    assert rendered.text == expected.text
    assert list(rendered.spans) == list(expected.spans)


def test_tools_may_come_from_any_iterable():
    codec = chatcodec.load("qwen3.6")
    expected = codec.render([USER], tools=[TOOL_DEFINITION, weather]).text
    assert codec.render([USER], tools=(TOOL_DEFINITION, weather)).text == expected
    assert codec.render([USER], tools=(tool for tool in [weather, TOOL_DEFINITION])).text == expected


@pytest.mark.parametrize("name", chatcodec.available())
def test_no_tools(name):
    codec = chatcodec.load(name)
    assert codec.render([USER], tools=None).text == codec.render([USER]).text
    assert "weather" not in codec.render([USER], tools=[]).text


WRONG_TOOLS = {
    "none": None,
    "number": 5,
    "text": "weather",
    "list": [TOOL_DEFINITION],
    "class": Station,
    "pydantic class": PydanticTool,
    "dataclass class": DataclassTool,
    "object": Station(),
    "builtin": len,
    "partial": functools.partial(weather, city="Kyoto"),
}


@pytest.mark.parametrize("tool", WRONG_TOOLS.values(), ids=WRONG_TOOLS)
def test_wrong_tools_are_refused_in_the_words_of_transformers(tool):
    with pytest.raises(InvalidChat) as caught:
        chatcodec.load("qwen3.6").render([USER], tools=[TOOL_DEFINITION, tool])
    assert (str(caught.value), caught.value.pointer) == (TOOL, "/tools/1")


def test_a_function_that_cannot_be_described_is_refused_by_its_place():
    def undocumented(x: int): ...

    with pytest.raises(InvalidChat) as caught:
        chatcodec.load("qwen3.6").render([USER], tools=[weather, undocumented])
    message = "Cannot generate JSON schema for undocumented because it has no docstring!"
    assert (str(caught.value), caught.value.pointer) == (message, "/tools/1")


@pytest.mark.parametrize("tools", [5, True, weather], ids=["number", "boolean", "function"])
def test_what_is_no_list_of_tools_is_refused(tools):
    with pytest.raises(InvalidChat) as caught:
        chatcodec.load("qwen3.6").render([USER], tools=tools)
    assert caught.value.pointer == "/tools"
    assert caught.value.accepted == "a list of tool definitions"


def test_tools_that_cannot_be_read_are_refused():
    codec = chatcodec.load("qwen3.6")
    with pytest.raises(InvalidChat) as caught:
        codec.render([USER], tools=[weather, Broken()])
    message = "/tools/1: cannot be read as plain data: 'no dump'"
    assert (str(caught.value), caught.value.pointer) == (message, "/tools/1")
    with pytest.raises(LimitExceeded) as exceeded:
        codec.render([USER], tools=[UserDict(cyclic())])
    assert (exceeded.value.limit, exceeded.value.pointer) == ("depth", "/tools/0")
    with pytest.raises(LimitExceeded) as exceeded:
        codec.render([USER], tools=[cyclic()])
    assert exceeded.value.limit == "depth"


# Documents and options


def test_documents_are_accepted_though_no_format_prints_them():
    codec = chatcodec.load("qwen3.6")
    expected = codec.render([USER]).text
    for documents in ([], [{"title": "t", "text": "x"}], ({} for _ in range(2)), [OrderedDict(title="t")]):
        assert codec.render([USER], documents=documents).text == expected


@pytest.mark.parametrize("document", [None, "text", 5, [{}], MappingProxyType({})], ids=repr)
def test_wrong_documents_are_refused_in_the_words_of_transformers(document):
    with pytest.raises(InvalidChat) as caught:
        chatcodec.load("qwen3.6").render([USER], documents=[{}, document])
    assert (str(caught.value), caught.value.pointer) == (DOCUMENT, "/documents/1")


def test_what_is_no_list_of_documents_is_refused():
    with pytest.raises(InvalidChat) as caught:
        chatcodec.load("qwen3.6").render([USER], documents=5)
    assert str(caught.value) == "/documents: found number 5, accepted: a list of objects"


def test_options_are_read_as_plain_data():
    codec = chatcodec.load("qwen2.5-ja-struct")
    expected = codec.render([USER], schema={"a": (1, {"b": 2})}).text
    assert "{'a': (1, {'b': 2})}" in expected
    assert codec.render([USER], schema=UserDict(a=(1, MappingProxyType({"b": 2})))).text == expected


@pytest.mark.parametrize("allow_unknown", [False, True])
def test_options_that_cannot_be_read_are_refused(allow_unknown):
    codec = chatcodec.load("qwen2.5-ja-struct")
    with pytest.raises(InvalidChat) as caught:
        codec.render([USER], schema=Broken(), allow_unknown=allow_unknown)
    assert caught.value.pointer == "/options/schema"
    with pytest.raises(LimitExceeded) as exceeded:
        codec.render([USER], schema=cyclic(), allow_unknown=allow_unknown)
    assert (exceeded.value.limit, exceeded.value.pointer) == ("depth", "/options/schema")


# The caller's data


@pytest.mark.parametrize("name", chatcodec.available())
@pytest.mark.parametrize("how", ["add_generation_prompt", "continue_final_message"])
def test_nothing_of_the_callers_is_changed(name, how):
    chat = a_chat(name)
    before, written = copy.deepcopy(chat), json.dumps(chat)
    rendered = chatcodec.load(name).render(**chat, **{how: True})
    assert look_at_everything(rendered) > 10
    assert chat == before
    assert json.dumps(chat) == written  # the order of keys too


@pytest.mark.parametrize("name", chatcodec.available())
def test_nothing_of_the_callers_is_changed_where_rendering_fails(name):
    chat = a_chat(name)
    chat["messages"].insert(2, {"role": "assistant", "content": "a", "tool_calls": [cyclic()], "reasoning": "\ud800"})
    chat["messages"].append({"role": 5, "content": object()})
    ids = [(id(message), list(message)) for message in chat["messages"]]
    rest = json.dumps([chat["tools"], chat["messages"][:2]])
    with pytest.raises(InvalidChat):
        chatcodec.load(name).render(**chat)
    assert [(id(message), list(message)) for message in chat["messages"]] == ids
    assert json.dumps([chat["tools"], chat["messages"][:2]]) == rest


def test_an_ordinary_chat_is_passed_on_without_a_copy():
    messages, tools = [USER], [TOOL_DEFINITION]
    chat = take(messages, tools, None, {}, False, False)
    assert chat.messages is not messages
    assert chat.messages[0] is USER
    assert chat.tools is not None
    assert chat.tools[0] is TOOL_DEFINITION
    assert chat.documents is None


def test_plain_chat_copies_everything():
    message = {"role": "user", "content": [{"text": "x"}]}
    chat = Chat([message], [TOOL_DEFINITION], [{"a": []}], {"o": 1}, add_generation_prompt=True)
    copied = plain_chat(chat)
    assert copied == chat
    copied.messages[0]["content"][0]["text"] = "changed"
    assert copied.tools is not None
    copied.tools[0]["function"].clear()
    assert copied.documents is not None
    copied.documents[0]["a"].append("changed")
    assert message == {"role": "user", "content": [{"text": "x"}]}
    assert TOOL_DEFINITION["function"]
    assert chat.documents == [{"a": []}]


# Reasoning under any of its names


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ({}, (None, None)),
        ({"reasoning": "a"}, ("reasoning", "a")),
        ({"reasoning": "a", "thinking": "b"}, ("thinking", "b")),
        ({"thinking": "b", "reasoning_content": "c"}, ("reasoning_content", "c")),
        ({"thinking": "b", "reasoning_content": None}, ("thinking", "b")),
        ({"reasoning": "a", "reasoning_content": ""}, ("reasoning_content", "")),
        ({"reasoning": None}, (None, None)),
        ({"reasoning": 0}, ("reasoning", 0)),
    ],
)
def test_reasoning_of(message, expected):
    assert reasoning_of(message) == expected


@pytest.mark.parametrize("name", ["qwen3.6", "bailing-v3", "seed-oss"])
def test_reasoning_is_printed_under_any_name_and_its_span_names_the_key(name):
    for key in ("reasoning_content", "thinking", "reasoning"):
        rendered = chatcodec.load(name).render([USER, {"role": "assistant", "content": "x", key: "Because."}])
        assert "Because." in rendered.text
        shown = {span.pointer: rendered.text[span.start : span.end] for span in rendered.spans if span.pointer}
        assert shown[f"/messages/1/{key}"] == "Because."


# Compared with transformers


def test_same_words_as_transformers():
    tokenizer = peer.tokenizer()
    codec = chatcodec.load("qwen3.6")
    chats: list[dict[str, Any]] = [{"messages": []}]
    chats += [{"messages": [USER], "tools": [weather, tool]} for tool in WRONG_TOOLS.values()]
    chats += [{"messages": [USER], "documents": [{}, document]} for document in (None, "text", 5, [{}])]
    chats += [{"messages": [USER], "continue_final_message": True, "add_generation_prompt": True}]
    for chat in chats:
        rest = {key: value for key, value in chat.items() if key != "messages"}
        with pytest.raises((ValueError, TypeError)) as expected:
            tokenizer.apply_chat_template(chat["messages"], chat_template="content", tokenize=False, **rest)
        with pytest.raises(InvalidChat) as caught:
            codec.render(**chat)
        assert str(caught.value) == str(expected.value)
