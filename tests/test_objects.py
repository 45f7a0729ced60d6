"""Whatever objects a chat is made of, it renders as its plain copy does, or both are refused.

A format writes from the caller's own objects. This is the test that it never takes one for what it is not: each chat is
wrapped at random in objects that look, count or compare like plain data and are none.
"""

from __future__ import annotations

import decimal
import keyword
import random
from collections import OrderedDict, UserDict
from dataclasses import dataclass, make_dataclass
from enum import Enum, IntEnum
from types import MappingProxyType
from typing import Any

import pytest

import chatcodec
from chatcodec.chat.plain import plain
from chats import Chats

CHATS = 2500


class Loud(str):
    """A text whose methods lie."""

    __slots__ = ()

    def strip(self, *_: Any) -> str:
        return "EVIL"

    lstrip = rstrip = __str__ = strip

    def __contains__(self, _: object) -> bool:
        return True


class Shy(list[Any]):
    """A list that counts as false."""

    def __bool__(self) -> bool:
        return False


class Count(int):
    """A number that prints as something else."""

    def __str__(self) -> str:
        return "EVIL"

    __repr__ = __str__


class Model:
    """What looks like a pydantic object."""

    def __init__(self, values: dict[str, Any]):
        self.values = values

    def model_dump(self) -> dict[str, Any]:
        return self.values


class Hidden(dict[Any, Any]):
    """A dict whose `get` finds nothing."""

    def get(self, key: Any, default: Any = None) -> Any:
        return default


@dataclass
class Nothing:
    """A dataclass without fields: an object that is true, and an empty dict as plain data."""


FALSE_OR_TRUE = (decimal.Decimal(0), decimal.Decimal(1), set(), {1}, Nothing(), b"", object, UserDict(), ())


def as_dataclass(value: dict[Any, Any]) -> Any:
    names = [key for key in value if isinstance(key, str) and key.isidentifier() and not keyword.iskeyword(key)]
    if len(names) != len(value) or "keys" in names or "items" in names:
        return UserDict(value)
    return make_dataclass("Fields", names)(**value)


MAPPINGS = (UserDict, MappingProxyType, OrderedDict, as_dataclass, Model, Hidden)


class Wrapper:
    """Wraps some of the values of a chat."""

    def __init__(self, seed: int):
        self.random = random.Random(seed)

    def wrap(self, value: Any, chance: float) -> Any:
        if self.random.random() < chance / 4:
            return self.random.choice(FALSE_OR_TRUE)
        if isinstance(value, dict):
            wrapped: Any = {key: self.wrap(item, chance) for key, item in value.items()}
            return self.random.choice(MAPPINGS)(wrapped) if self.random.random() < chance else wrapped
        if isinstance(value, (list, tuple)):
            items = [self.wrap(item, chance) for item in value]
            return self.random.choice((Shy, tuple))(items) if self.random.random() < chance else items
        if self.random.random() >= chance:
            return value
        return Loud(value) if isinstance(value, str) else Count(value) if type(value) is int else value


def outcome(codec: chatcodec.Codec, chat: dict[str, Any]) -> str | None:
    options = chat["options"]
    try:
        return codec.render(**{key: value for key, value in chat.items() if key != "options"}, **options).text
    except chatcodec.ChatCodecError:
        return None


@pytest.mark.parametrize("name", chatcodec.available())
def test_objects_render_as_their_plain_copy(name: str) -> None:
    codec, chats, wrapper = chatcodec.load(name), Chats(90), Wrapper(91)
    rendered = 0
    for _ in range(CHATS):
        chat = plain(chats.chat(name))
        if not isinstance(chat["messages"], (list, tuple)):
            continue
        chance = wrapper.random.choice((0.02, 0.05, 0.2))
        chat["messages"] = [wrapper.wrap(message, chance) for message in chat["messages"]]
        if isinstance(chat.get("tools"), list):
            for tool in chat["tools"]:
                if wrapper.random.random() < 0.3 and isinstance(tool, dict) and isinstance(tool.get("function"), dict):
                    tool["function"]["returns"] = {"properties": {"r": {"type": "string", "description": "R"}}}
            chat["tools"] = [wrapper.wrap(tool, chance) for tool in chat["tools"]]
            chat["tools"] = [tool if hasattr(tool, "__iter__") else plain(tool) for tool in chat["tools"]]
        copied = {**chat, "messages": plain(chat["messages"]), "tools": plain(chat.get("tools"))}
        text = outcome(codec, chat)
        assert text == outcome(codec, copied), chat
        rendered += text is not None
    assert rendered > CHATS * 0.2


def _calling(call: Any) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "", "tool_calls": [call]}]}


def _described(**function: Any) -> dict[str, Any]:
    parameters = {"properties": {"city": {"type": "string", "description": "D"}}}
    tool = {"type": "function", "function": {"name": "f", "parameters": parameters, **function}}
    return {"messages": [{"role": "user", "content": "Hi"}], "tools": [tool]}


TRAPS = [
    ("seed-oss", _described(returns={"properties": set()})),
    ("seed-oss", _described(parameters={"properties": {"city": {}}, "required": Loud("x")})),
    ("seed-oss", _described(parameters={"properties": {"city": UserDict(type="string", description="D")}})),
    ("seed-oss", _described(parameters={"properties": {"city": {"description": decimal.Decimal(0)}}})),
    ("bailing-v3", _calling({"function": set(), "name": "f", "arguments": {}})),
    ("bailing-v3", {"messages": [{"role": "user", "content": [{"type": set(), "text": "x"}]}]}),
    ("qwen2.5-ja-struct", _calling(Hidden(id="1", function={"name": "f", "arguments": "{}"}))),
    ("qwen3.6", {"messages": [Hidden(role="user", content="Hi")]}),
    ("qwen3.6", {"messages": [{"role": "user", "content": Loud(" Hi ")}]}),
]


@pytest.mark.parametrize(("name", "chat"), TRAPS)
def test_traps(name: str, chat: dict[str, Any]) -> None:
    codec = chatcodec.load(name)
    assert outcome(codec, {**chat, "options": {}}) == outcome(codec, {**plain(chat), "options": {}})


class Color(str, Enum):  # noqa: UP042
    """A text that prints as its name, which no `StrEnum` does."""

    RED = "red\n"


WAYS = (
    "{{ c }}", "{{ c ~ '' }}", "{{ c|string }}", "{{ c|trim }}", "{{ c|join }}", "{{ c|list }}", "{{ c|tojson }}",
    "{{ c is string }} {{ c is mapping }} {{ c is iterable }}", "{{ c|first is mapping }} {{ c|last is mapping }}",
    "{{ c|sort|first }}", "{{ c|max }}", "{{ c|select('defined')|first }}",
    "{{ messages[0].get('content') is string }}", "{{ messages|map(attribute='content')|list }}",
    "{% for x in c %}{{ x }} {{ x is string }},{% endfor %}",
    "{{ {'a': c} }}", "{{ [c, c] }}", "{{ c|replace('e', 'i') }}", "{{ '%s'|format(c) }}", "{{ c|upper }}",
    "{% if c is mapping %}{{ c.a }}{% for k, v in c.items() %}{{ k }}{{ v }}{% endfor %}{% endif %}",
)  # fmt: skip
OBJECTS = (
    [Color.RED], Color.RED, [IntEnum("Number", "ONE").ONE], OrderedDict(a=1), [OrderedDict(a=1)], UserDict(a=1), b"x",
    [Loud("x")], Loud("x"), [Count(5)], Shy(["x"]), [decimal.Decimal(1)], (1, b"x"), Model({"a": Color.RED}),
)  # fmt: skip


@pytest.mark.parametrize("way", WAYS)
def test_a_template_sees_the_plain_copy(way: str) -> None:
    codec = chatcodec.load("{% set c = messages[0].content %}" + way)
    for held in OBJECTS:
        chat: dict[str, Any] = {"messages": [{"role": "user", "content": held}], "options": {}}
        expected = outcome(codec, {**plain(chat), "options": {}})
        assert outcome(codec, chat) == expected, held
        if expected is None:
            continue
        assert bool(codec.render(chat["messages"]).spans) is bool(expected)
        assert outcome(codec, chat) == expected, held  # rendered with origins at once, now that they were asked for
