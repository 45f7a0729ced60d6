"""Pointers, phrases for what was found, and the errors that are made of them."""

from __future__ import annotations

from enum import IntEnum, StrEnum
from types import MappingProxyType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chatcodec.chat.check import check_shape, invalid, missing, need_object, need_text, refused
from chatcodec.chat.pointer import describe, lookup, pointer
from chatcodec.errors import ChatCodecError, InvalidChat, TemplateRefused


class Role(StrEnum):
    USER = "user"


class Level(IntEnum):
    HIGH = 3


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ((), ""),
        (("messages",), "/messages"),
        (("messages", 3, "content", 0), "/messages/3/content/0"),
        (("a/b",), "/a~1b"),
        (("m~n",), "/m~0n"),
        (("~1",), "/~01"),
        (("~/~",), "/~0~1~0"),
        (("",), "/"),
        (("", ""), "//"),
        ((" ", 'k"l', "i\\j", "é"), '/ /k"l/i\\j/é'),
        ((0, "0"), "/0/0"),
    ],
)
def test_pointer(path, expected):
    assert pointer(path) == expected


def read_pointer(text: str) -> tuple[str, ...]:
    """Read a pointer as RFC 6901 says: split, then ~1, then ~0."""
    return tuple(step.replace("~1", "/").replace("~0", "~") for step in text.split("/")[1:])


@settings(max_examples=300)
@given(st.lists(st.text(alphabet="~/01ab", max_size=4)).map(tuple))
def test_pointer_reads_back_as_its_path(path):
    assert read_pointer(pointer(path)) == path


def test_lookup():
    root = {"a": [{"b/c": 5}, (1, 2)]}
    assert lookup(root, ()) is root
    assert lookup(root, ("a", 0, "b/c")) == 5
    assert lookup(root, ("a", 1, 1)) == 2


def test_lookup_through_a_key_that_is_no_string():
    assert lookup({1: {None: "a"}, "b": 2}, ("1", "None")) == "a"
    assert lookup({1: "number", "1": "text"}, ("1",)) == "text"
    assert lookup({1: "number", "1": "text"}, (1,)) == "number"


@pytest.mark.parametrize(
    ("path", "error"), [(("x",), KeyError), (("a", 5), IndexError), (("a", "b"), TypeError), (("a", 0, 0), TypeError)]
)
def test_lookup_of_nothing(path, error):
    with pytest.raises(error):
        lookup({"a": [1]}, path)


@pytest.mark.parametrize(
    ("value", "phrase"),
    [
        (None, "null"),
        (True, "boolean true"),
        (False, "boolean false"),
        (5, "number 5"),
        (-0.5, "number -0.5"),
        (float("nan"), "number nan"),
        (2**128 - 1, f"number {2**128 - 1}"),
        (2**128, "number of 129 bits"),
        pytest.param(10**5000, "number of 16610 bits", id="more digits than Python prints"),
        ("", 'string ""'),
        ("abc", 'string "abc"'),
        ("a" * 40, f'string "{"a" * 40}"'),
        ("a" * 41, f'string "{"a" * 39}…"'),
        ("two\nlines", 'string "two\\nlines"'),
        ("\ud800", 'string "\\ud800"'),
        ("\x1b[31m", 'string "\\u001b[31m"'),
        ([], "list of 0"),
        ((1, 2), "list of 2"),
        ({}, "empty object"),
        ({"a": 1, "b": 2}, "object with a, b"),
        ({1: 1}, "object with 1"),
        ({"k" * 50: 1}, f"object with {'k' * 39}…"),
        ({"a\nb": 1}, "object with a\\u000ab"),
        (Role.USER, 'string "user"'),
        (Level.HIGH, "number 3"),
        (b"x", "a Python bytes"),
        (object(), "a Python object"),
        (MappingProxyType({}), "a Python mappingproxy"),
        (str, "a Python type"),
    ],
)
def test_describe(value, phrase):
    assert describe(value) == phrase


def test_describe_is_short_whatever_is_found():
    for value in ("x" * 10**6, {"y" * 10**6: 1}, {str(key): 1 for key in range(10**4)}, 7**10**5, [0] * 10**6):
        assert len(describe(value)) < 80


def fields(error: InvalidChat) -> tuple[str, str | None, str | None, str | None]:
    return str(error), error.pointer, error.found, error.accepted


def test_invalid():
    error = invalid(("messages", 0, "a/b"), 5, "a string")
    expected = ("/messages/0/a~1b: found number 5, accepted: a string", "/messages/0/a~1b", "number 5", "a string")
    assert fields(error) == expected
    assert error.message == str(error)


def test_missing():
    error = missing(("messages", 0, "role"), "a string")
    expected = ("/messages/0/role: missing or null, accepted: a string", "/messages/0/role", "nothing", "a string")
    assert fields(error) == expected


def test_refused_has_the_words_of_the_template():
    error = refused("Unexpected message role.", ("messages", 1, "role"), 'string "critic"', "user or assistant")
    assert type(error) is TemplateRefused
    expected = ("Unexpected message role.", "/messages/1/role", 'string "critic"', "user or assistant")
    assert fields(error) == expected


def test_every_refusal_is_one_of_ours_and_a_value_error():
    for error in (invalid((), 1, "a"), missing((), "a"), refused("a", (), "b", "c")):
        assert isinstance(error, InvalidChat)
        assert isinstance(error, ChatCodecError)
        assert isinstance(error, ValueError)


@pytest.mark.parametrize(
    ("need", "value", "message"),
    [
        (need_text, None, "/x: missing or null, accepted: a string"),
        (need_text, ["a"], "/x: found list of 1, accepted: a string"),
        (need_text, b"a", "/x: found a Python bytes, accepted: a string"),
        (need_object, None, "/x: missing or null, accepted: an object"),
        (need_object, "{}", '/x: found string "{}", accepted: an object (if this is one as JSON text, parse it)'),
        (
            need_object,
            "{city}",
            '/x: found string "{city}", accepted: an object (if this is one as JSON text, parse it)',
        ),
        (need_object, "", '/x: found string "", accepted: an object ({} for none)'),
        (need_object, "{x", '/x: found string "{x", accepted: an object'),
        (need_object, "a", '/x: found string "a", accepted: an object'),
        (need_object, [], "/x: found list of 0, accepted: an object"),
        (need_object, MappingProxyType({}), "/x: found a Python mappingproxy, accepted: an object"),
    ],
)
def test_need_refuses(need, value, message):
    with pytest.raises(InvalidChat) as caught:
        need(value, ("x",))
    assert (str(caught.value), caught.value.pointer) == (message, "/x")


def test_need_gives_the_value_itself():
    value = {"a": 1}
    assert need_object(value, ()) is value
    with pytest.raises(InvalidChat):
        need_text(Role.USER, ())


GOOD = {"role": "user", "content": "hi"}


@pytest.mark.parametrize("messages", [[], [GOOD], [GOOD, {"role": "assistant"}], [MappingProxyType(GOOD)]])
def test_check_shape_takes(messages):
    assert check_shape(messages) is None


@pytest.mark.parametrize(
    ("messages", "message", "where"),
    [
        (None, "/messages: found null, accepted: a list of messages", "/messages"),
        ("hi", '/messages: found string "hi", accepted: a list of messages', "/messages"),
        (GOOD, "/messages: found object with role, content, accepted: a list of messages", "/messages"),
        ((GOOD,), "/messages: found list of 1, accepted: a list of messages", "/messages"),
        ([GOOD, "hi"], '/messages/1: found string "hi", accepted: an object with role and content', "/messages/1"),
        ([[GOOD]], "/messages/0: found list of 1, accepted: an object with role and content", "/messages/0"),
        ([None], "/messages/0: found null, accepted: an object with role and content", "/messages/0"),
        (
            [GOOD, {"content": "hi"}, 5],
            "/messages/1/role: missing or null, accepted: system, user, assistant or tool",
            "/messages/1/role",
        ),
        (
            [{"role": None}],
            "/messages/0/role: missing or null, accepted: system, user, assistant or tool",
            "/messages/0/role",
        ),
    ],
)
def test_check_shape_names_the_first_fault(messages, message, where):
    with pytest.raises(InvalidChat) as caught:
        check_shape(messages)
    assert (str(caught.value), caught.value.pointer) == (message, where)
