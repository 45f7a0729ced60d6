"""How values are printed: as `json.dumps` and ``str()`` do, with every key and leaf where it is said to be."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chatcodec.chat.pointer import lookup
from chatcodec.render import values

SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
DATA = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(st.text() | st.integers() | st.none(), inner, max_size=3)
    ),
    max_leaves=12,
)


@given(DATA)
def test_json_is_that_of_the_standard_library(value: Any) -> None:
    assert values.json_text(value) == json.dumps(value, ensure_ascii=False)


@given(DATA)
def test_json_without_the_c_encoder_is_the_same(value: Any) -> None:
    assert values._encoder.encode(value) == values.json_text(value)


@given(DATA)
def test_the_leaves_of_json_make_up_its_text(value: Any) -> None:
    pieces = list(values.leaves_of_json(value))
    assert "".join(text for text, _, _ in pieces) == values.json_text(value)
    check(pieces, value, values.json_text)


@given(DATA)
def test_the_leaves_of_python_make_up_its_text(value: Any) -> None:
    pieces = list(values.leaves_of_str(value))
    assert "".join(text for text, _, _ in pieces) == values.python_text(value)
    check(pieces, value, repr if not isinstance(value, str) else str)


def check(pieces: list[tuple[str, Any, bool]], value: Any, shown: Any) -> None:
    """Each leaf's text is in what its value prints, each key's in what the key prints."""
    for text, path, is_key in pieces:
        if path is not None:
            assert text in shown(path[-1] if is_key else lookup(value, path))


def test_what_is_not_plain_is_not_printed_as_json() -> None:
    with pytest.raises(TypeError):
        values.json_text({"a": {1}})
