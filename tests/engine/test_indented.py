"""Tests of JSON on several lines."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import chatcodec
from chatcodec.engine.indented import indented
from chatcodec.engine.limits import DEFAULT
from chatcodec.engine.run import Run
from chatcodec.errors import LimitExceeded

LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
NAMES = st.text(max_size=4) | st.integers(0, 3) | st.booleans() | st.none()
VALUES = st.recursive(LEAVES, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES, inner, max_size=4))


def _run() -> Run:
    return Run({}, DEFAULT)


@given(VALUES, st.integers(-1, 70), st.booleans())
def test_it_is_what_python_prints_or_left_to_python(value: Any, indent: int, ensure_ascii: bool) -> None:
    text = indented(_run(), value, ensure_ascii, indent)
    assert text in (None, json.dumps(value, ensure_ascii=ensure_ascii, indent=indent))


@pytest.mark.parametrize("value", [[], {}, [[]], {"a": {"b": [1, "é", None]}}, [True, {"c": {}}, 2.5, -3]])
def test_what_is_usual_is_not_left_to_python(value: Any) -> None:
    assert indented(_run(), value, False, 2) == json.dumps(value, ensure_ascii=False, indent=2)


@pytest.mark.parametrize("value", ["a", 1, (1,), [(1,)], {1: 2}, [float("nan")], [1 << 70], range(2)])
def test_what_is_not_usual_is_left_to_python(value: Any) -> None:
    assert indented(_run(), value, False, 2) is None


@pytest.mark.parametrize(
    ("template", "limit"),
    [
        ("{% set n = namespace(a=[1]) %}{% for i in range(30) %}{% set n.a = [n.a, n.a] %}{% endfor %}", "text"),
        ("{% set n = namespace(a=[1]) %}{% for i in range(250) %}{% set n.a = [n.a] %}{% endfor %}", "depth"),
        ("{% set n = namespace(a=[messages[0].content] * 90000) %}", "string"),
    ],
)
def test_it_is_charged(template: str, limit: str) -> None:
    codec = chatcodec.load(template + "{{ n.a|tojson(indent=2)|length }}")
    with pytest.raises(LimitExceeded) as raised:
        codec.render([{"role": "user", "content": "x" * 1000}])
    assert raised.value.limit == limit
