"""Pieces and hints go to JSON and back, and what is not theirs is refused with its place."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import chatcodec
from any_pieces import ANY_HINTS, ANY_PIECES, codec_of
from chatcodec.reply.pieces import Hints, Pieces
from chatcodec.reply.pieces_json import piece_json, piece_of

QWEN = piece_json(chatcodec.load("qwen3.6").pieces)
NAMED_CALLS = {"syntax": "named", "call": "<call>{name}<sep>", "closing": "</call>"}
KEYED_CALLS = {"syntax": "keyed", "call": "<call>{name}", "closing": "", "text": {"opening": "<q>", "closing": "<q>"}}
JSON_CALLS = piece_json(chatcodec.load("qwen2.5-ja-struct").pieces)["calls"]


@pytest.mark.parametrize("name", chatcodec.available())
def test_the_pieces_of_formats_go_to_json_and_back(name: str) -> None:
    codec = chatcodec.load(name)
    for piece in (codec.pieces, codec.hints):
        data = json.loads(json.dumps(piece_json(piece)))
        assert piece_of(type(piece), data) == piece
        assert piece_json(piece_of(type(piece), data)) == data


@given(ANY_PIECES, ANY_HINTS)
def test_any_pieces_go_to_json_and_back(pieces: Pieces, hints: Hints) -> None:
    assert piece_of(Pieces, json.loads(json.dumps(piece_json(pieces)))) == pieces
    assert piece_of(Hints, json.loads(json.dumps(piece_json(hints)))) == hints


def test_what_is_none_is_left_out() -> None:
    assert list(piece_json(Pieces("a", ("b",)))) == ["header", "stops"]
    assert piece_json(Hints()) == {}
    assert piece_of(Hints, {"calls": None}) == Hints()


def test_the_reading_of_what_came_back_is_the_same() -> None:
    turn = "Plan.\n</think>\n\nHi.\n\n<tool_call>\n<function=f>\n<parameter=a>\n1\n</parameter>\n</function>"
    codec, prompt = chatcodec.load("qwen3.6"), "<|im_start|>assistant\n<think>\n"
    assert codec_of(piece_of(Pieces, QWEN)).parse(turn, prompt=prompt).events == codec.parse(turn, prompt=prompt).events


def changed(data: Any, *path: Any, to: Any = None, without: bool = False) -> Any:
    """Return a copy of `data` with another value at `path`, or none."""
    copy = json.loads(json.dumps(data))
    inner = copy
    for step in path[:-1]:
        inner = inner[step]
    if without:
        del inner[path[-1]]
    else:
        inner[path[-1]] = to
    return copy


WRONG: list[tuple[Any, str, str]] = [
    (None, "", "found null, accepted: an object"),
    ([QWEN], "", "found list of 1, accepted: an object"),
    (changed(QWEN, "headr", to="x"), "/headr", "did you mean header?"),
    (changed(QWEN, "a/b", to="x"), "/a~1b", "accepted: header, stops, reasoning, content, calls"),
    (changed(QWEN, "header", without=True), "/header", "found nothing, accepted: a string"),
    (changed(QWEN, "header", to=None), "/header", "found null"),
    (changed(QWEN, "header", to="\ud800"), "/header", "accepted: valid Unicode"),
    (changed(QWEN, "stops", to="<|im_end|>"), "/stops", "accepted: a list of strings"),
    (changed(QWEN, "stops", to=["<|im_end|>", 5]), "/stops/1", "found number 5"),
    (changed(QWEN, "stops", to=["\n"]), "/stops/0", "accepted: a marker"),
    (changed(QWEN, "reasoning", to="<think>"), "/reasoning", "accepted: an object"),
    (changed(QWEN, "reasoning", "opening", to=""), "/reasoning/opening", "accepted: a marker"),
    (changed(QWEN, "content", to={"opening": "<a>"}), "/content/closing", "found nothing"),
    (changed(QWEN, "calls", to=[]), "/calls", "accepted: an object"),
    (
        changed(QWEN, "calls", "syntax", without=True),
        "/calls/syntax",
        'found nothing, accepted: "tagged" or "json" or "named"',
    ),
    (changed(QWEN, "calls", "syntax", to="xml"), "/calls/syntax", 'found string "xml"'),
    (changed(QWEN, "calls", "syntax", to={}), "/calls/syntax", "found empty object"),
    (changed(QWEN, "calls", "syntax", to="json"), "/calls/call", "accepted: syntax, opening, object"),
    (changed(QWEN, "calls", "values", to="yaml"), "/calls/values", 'accepted: "json" or "str"'),
    (changed(QWEN, "calls", "values", to=True), "/calls/values", "found boolean true"),
    (changed(QWEN, "calls", "_cut", to=[]), "/calls/_cut", "not known"),
    (changed(QWEN, "calls", "spacing", "beetween", to=""), "/calls/spacing/beetween", "did you mean between?"),
    (changed(QWEN, "calls", "call", to="<tool_call>"), "/calls/call", "accepted: a text with {name} in it, once"),
    (changed(QWEN, "calls", "call", to="{name}>"), "/calls/call", "accepted: a marker before {name}"),
    (changed(QWEN, "calls", "call", to="<a>{name}{name}"), "/calls/call", "once"),
    (changed(QWEN, "calls", "argument", to="<a>{value}{key}</a>"), "/calls/argument", "{key} and then {value}"),
    (changed(QWEN, "calls", "argument", to="<a>{key}{value}</a>"), "/calls/argument", "text between them"),
    (changed(QWEN, "calls", "argument", to="{key}={value};"), "/calls/argument", "markers before {key}"),
    (changed(QWEN, "calls", "argument", to="<a>{key}>{value}\n"), "/calls/argument", "behind {value}"),
    (changed(QWEN, "calls", "closing", to="\n"), "/calls/closing", "accepted: a marker"),
    (changed(QWEN, "calls", "spacing", "first", to="a"), "/calls/spacing/first", "accepted: white space"),
    (changed(QWEN, "calls", "section", to={"opening": "<a>", "closing": ""}), "/calls/section/closing", "a marker"),
    (changed(QWEN, "calls", to={**NAMED_CALLS, "call": "<call>"}), "/calls/call", "{name} in it, once"),
    (changed(QWEN, "calls", to={**NAMED_CALLS, "call": "{id}<a>{name}"}), "/calls/call", "a marker before {name}"),
    (changed(QWEN, "calls", to={**NAMED_CALLS, "call": "<a>{name} {id}"}), "/calls/call", "text between them"),
    (changed(QWEN, "calls", to={**NAMED_CALLS, "call": "<a>{name}:{id}:{id}"}), "/calls/call", "once"),
    (changed(QWEN, "calls", to={**NAMED_CALLS, "closing": " "}), "/calls/closing", "accepted: a marker"),
    (changed(QWEN, "calls", to={**KEYED_CALLS, "call": "{name}"}), "/calls/call", "a marker before {name}"),
    (changed(QWEN, "calls", to={**KEYED_CALLS, "text": "<q>"}), "/calls/text", "accepted: an object"),
    (changed(QWEN, "calls", to=changed(KEYED_CALLS, "text", "closing", to=" ")), "/calls/text/closing", "a marker"),
    (
        changed(QWEN, "calls", to=changed(KEYED_CALLS, "text", "closing", to="<q> ")),
        "/calls/text/closing",
        "white space",
    ),
    (changed(QWEN, "calls", to={**KEYED_CALLS, "words": ["yes", "no"]}), "/calls/words", "found list of 2"),
    (changed(QWEN, "calls", to={**KEYED_CALLS, "words": ["y", "n", "n"]}), "/calls/words", "true, false and null"),
    (changed(QWEN, "calls", to={**KEYED_CALLS, "words": ["y", "n", "a b"]}), "/calls/words", "true, false and null"),
    (changed(QWEN, "calls", to={**JSON_CALLS, "as_text": 1}), "/calls/as_text", "accepted: true or false"),
    (changed(QWEN, "calls", to={**JSON_CALLS, "opening": " "}), "/calls/opening", "accepted: a marker"),
    (changed(QWEN, "calls", to={**JSON_CALLS, "object": "[{name}, {arguments}]"}), "/calls/object", "a JSON object"),
    (changed(QWEN, "calls", to={**JSON_CALLS, "object": '{"name": {name}}'}), "/calls/object", "a JSON object"),
    (changed(QWEN, "calls", to={**JSON_CALLS, "object": "{" * 100_000}), "/calls/object", "a JSON object"),
]


@pytest.mark.parametrize(("data", "pointer", "words"), WRONG, ids=range(len(WRONG)))
def test_what_is_not_theirs_is_refused(data: Any, pointer: str, words: str) -> None:
    with pytest.raises(chatcodec.UnreadableInput) as caught:
        piece_of(Pieces, data)
    assert caught.value.pointer == pointer
    assert words in str(caught.value)
    assert str(caught.value).startswith(pointer)


JSON_VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=3), st.sampled_from(["{name}", "tagged"])),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.sampled_from(["header", "stops", "opening", "syntax", "call", "x"]), inner, max_size=3),
    ),
    max_leaves=5,
)


@given(st.data())
@settings(max_examples=300)
def test_whatever_is_changed_it_is_pieces_or_refused(data: st.DataObject) -> None:
    source = data.draw(st.one_of(ANY_PIECES.map(piece_json), st.just(QWEN)))
    paths = [path for path, _ in walk(source)]
    altered = changed(source, *data.draw(st.sampled_from(paths)), to=data.draw(JSON_VALUES))
    try:
        pieces = piece_of(Pieces, altered)
    except chatcodec.UnreadableInput:
        return
    assert piece_of(Pieces, piece_json(pieces)) == pieces


def walk(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[tuple[Any, ...], Any]]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [found for key, item in items for found in [((*path, key), item), *walk(item, (*path, key))]]


@given(ANY_PIECES, ANY_HINTS, st.data())
@settings(max_examples=300)
def test_whatever_is_accepted_can_be_read_with(pieces: Pieces, hints: Hints, data: st.DataObject) -> None:
    texts = [text for _, text in [*walk(piece_json(pieces)), *walk(piece_json(hints))] if isinstance(text, str)]
    parts = st.sampled_from([*texts, "f", "a", '{"name": "f", "arguments": {"a": 1}}', "\n", "x", "\\", '"'])
    completion = "".join(data.draw(st.lists(parts, max_size=12)))
    codec = codec_of(piece_of(Pieces, piece_json(pieces)), piece_of(Hints, piece_json(hints)))
    assert codec.parse(completion, prompt="").text == completion
