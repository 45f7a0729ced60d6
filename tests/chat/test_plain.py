"""Copies as plain data: what becomes of each kind of object, and that nothing is shared with the original."""

from __future__ import annotations

import enum
import json
from collections import ChainMap, OrderedDict, UserDict, defaultdict, namedtuple
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from types import MappingProxyType, SimpleNamespace
from typing import Any

import numpy
import pydantic
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import peer
from chatcodec.chat.plain import expect_plain, plain


class Role(enum.StrEnum):
    USER = "user"


class Loud(str):
    def __str__(self) -> str:
        return "LOUD"


class Level(enum.IntEnum):
    HIGH = 3


class Plain(enum.Enum):
    MEMBER = "member"


class Ratio(float):
    def __float__(self) -> float:
        return -1.0


@dataclass
class Part:
    type: str
    extra: Any = None


@dataclass
class Message:
    role: Role
    content: list[Part] = field(default_factory=list)


@dataclass(frozen=True)
class Key:
    name: str


class Function(pydantic.BaseModel):
    name: str
    arguments: dict[str, Any] = {}


class Call(pydantic.BaseModel):
    function: Function
    level: Level = Level.HIGH


class Unreadable:
    def model_dump(self) -> Any:
        raise KeyError("no dump")


Pair = namedtuple("Pair", "a b")

CASES = [
    (None, None),
    (True, True),
    (1.5, 1.5),
    ("text", "text"),
    (Role.USER, "user"),
    (Loud("quiet"), "quiet"),
    (Level.HIGH, 3),
    (Ratio(0.5), 0.5),
    (Plain.MEMBER, "<Plain>"),
    ([1, [2, {"a": None}]], [1, [2, {"a": None}]]),
    ((1, (2, [3])), (1, (2, [3]))),
    (Pair(1, Level.HIGH), (1, 3)),
    (OrderedDict(b=1, a=2), {"b": 1, "a": 2}),
    (defaultdict(list, a=[1]), {"a": [1]}),
    (MappingProxyType({"a": Level.HIGH}), {"a": 3}),
    (UserDict(a=1), {"a": 1}),
    (ChainMap({"a": 1}, {"b": 2}), {"b": 2, "a": 1}),
    ({Role.USER: 1, 2: "two", None: 0, (Level.HIGH,): 1}, {"user": 1, 2: "two", None: 0, (3,): 1}),
    (
        Message(Role.USER, [Part("text", Part("image"))]),
        {"role": "user", "content": [{"type": "text", "extra": {"type": "image", "extra": None}}]},
    ),
    (Part, "<type>"),
    (
        Call(function=Function(name="f", arguments={"when": datetime(2025, 1, 2), "where": (1, 2)})),
        {"function": {"name": "f", "arguments": {"when": "<datetime>", "where": (1, 2)}}, "level": 3},
    ),
    (Part("text", Function(name="g")), {"type": "text", "extra": {"name": "g", "arguments": {}}}),
    (datetime(2025, 1, 2), "<datetime>"),
    (Decimal("1.5"), "<Decimal>"),
    (b"bytes", "<bytes>"),
    ({1, 2}, "<set>"),
    (range(3), "<range>"),
    (1j, "<complex>"),
    (print, "<builtin_function_or_method>"),
    (SimpleNamespace(a=1), "<SimpleNamespace>"),
    ([object()], ["<object>"]),
]


def typed(value: Any) -> Any:
    """Return a text in which values differ that compare equal but have other types: 1 and True, "a" and an enum."""
    name = type(value).__name__
    if isinstance(value, dict):
        return f"{name}{[(typed(key), typed(item)) for key, item in value.items()]}"
    if isinstance(value, (list, tuple)):
        return f"{name}{[typed(item) for item in value]}"
    return f"{name} {value!r}"


@pytest.mark.parametrize(("value", "expected"), CASES, ids=[type(value).__name__ for value, _ in CASES])
def test_plain(value, expected):
    assert typed(plain(value)) == typed(expected)


def numpy_cases() -> list[tuple[Any, Any]]:
    return [
        (numpy.bool_(False), False),
        (numpy.int64(7), 7),
        (numpy.uint8(255), 255),
        (numpy.float64(0.5), 0.5),
        (numpy.float32(0.5), 0.5),
        (numpy.str_("text"), "text"),
        (numpy.bytes_(b"b"), "<bytes>"),
        (numpy.datetime64("2025-01-02T03:04:05"), "<datetime>"),
        (numpy.void((1, 2.5), dtype="i4,f4"), (1, 2.5)),
        (numpy.array([1, 2]), "<ndarray>"),
        ({numpy.str_("k"): [numpy.int32(1)]}, {"k": [1]}),
    ]


def test_numpy_scalars_become_pythons_and_arrays_a_placeholder():
    for value, expected in numpy_cases():
        assert typed(plain(value)) == typed(expected)


def cycles() -> list[Any]:
    inside_list: list[Any] = []
    inside_list.append(inside_list)
    inside_dict: dict[str, Any] = {"a": [1]}
    inside_dict["a"].append(inside_dict)
    inside_class = Part("text")
    inside_class.extra = [inside_class]
    return [inside_list, inside_dict, inside_class]


@pytest.mark.parametrize("value", cycles(), ids=["list", "dict", "dataclass"])
def test_cycles_end_in_recursion_error(value):
    with pytest.raises(RecursionError):
        plain(value)


def containers(value: Any) -> dict[int, Any]:
    """Return the mutable containers inside plain data by identity."""
    found: dict[int, Any] = {}
    todo = [value]
    while todo:
        item = todo.pop()
        if isinstance(item, (dict, list)):
            found[id(item)] = item
        if isinstance(item, dict):
            todo += item.values()
        elif isinstance(item, (list, tuple)):
            todo += item
    return found


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.lists(inner).map(tuple) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@settings(max_examples=200)
@given(JSON)
def test_plain_data_is_copied_as_it_is_and_shares_no_container(value):
    copied = plain(value)
    assert typed(copied) == typed(value)
    assert not containers(copied).keys() & containers(value).keys()


def test_changing_the_copy_leaves_the_original_alone():
    original = {"a": [{"b": (["c"],)}], "call": Function(name="f", arguments={"x": [1]})}
    before = typed(plain(original))
    copied = plain(original)
    copied["a"][0]["b"][0].append("d")
    copied["a"].clear()
    copied["call"]["arguments"]["x"].append(2)
    assert typed(plain(original)) == before


def test_an_objects_own_error_goes_through():
    with pytest.raises(KeyError, match="no dump"):
        plain([Unreadable()])


@pytest.mark.parametrize("value", [None, "a", 1, 1.5, True, {}, [], ()])
def test_expect_plain_takes_json_data(value):
    assert expect_plain(value) is None


@pytest.mark.parametrize(
    "value",
    [b"a", {1}, object(), MappingProxyType({}), Part("text"), datetime(2025, 1, 1), Role.USER, Level.HIGH],
)
def test_expect_plain_refuses_the_rest(value):
    with pytest.raises(TypeError, match=f"^{type(value).__name__} is not plain data$"):
        expect_plain(value)


def outcome(function: Any, value: Any) -> str:
    try:
        return str(typed(function(value)))
    except Exception as error:
        return f"{type(error).__name__}: {'' if isinstance(error, RecursionError) else error}"


def test_same_as_transformers():
    utils = peer.template_utils()
    values = [value for value, _ in CASES + numpy_cases()] + cycles()
    values += [Unreadable(), Function, {Key("k"): 1}, numpy.longdouble(1)]
    for value in values:
        assert outcome(plain, value) == outcome(utils._plain_template_data, value)


def test_the_result_can_be_written_as_json():
    values = [value for value, _ in CASES if not isinstance(value, dict)]
    assert json.loads(json.dumps(plain(values)))[4] == "user"
