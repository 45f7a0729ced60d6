"""Calls whose arguments are an object with bare keys and marked texts: written, read back, and what goes wrong."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import rules
from any_pieces import codec_of
from chatcodec.render.marks import NOBODY, Mark, Owner
from chatcodec.render.trace import What, shown_path, trace
from chatcodec.reply.events import merged
from chatcodec.reply.keyed_calls import KeyedCalls
from chatcodec.reply.pieces import NO_HINTS, Block, Pieces, Reasoning, Spacing
from chatcodec.reply.reading import Reading, Tools
from chatcodec.reply.reply import Reply
from replies import Case

QUOTED = KeyedCalls("<|call|>do:{name}", "<|called|>", Block("<|'|>", "<|'|>"))
OPEN = KeyedCalls("[{id}|{name}]: ", "", Block("<<", ">>"), ("yes", "no", "None"), Spacing(between=", "))
TOOLS = Tools(
    [
        {
            "type": "function",
            "function": {
                "name": "f",
                "parameters": {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "string"}}},
            },
        }
    ]
)


def reading(calls: KeyedCalls) -> Reading:
    return Reading(Pieces("<A>", ("<|stop|>",), Reasoning("<think>", "</think>"), None, calls), NO_HINTS)


def written(calls: KeyedCalls, call_id: str, name: str, arguments: dict[str, Any]) -> str:
    pieces: list[str] = []
    calls.write(pieces.extend, NOBODY, "", call_id, name, arguments)
    return "".join(pieces)


def read(text: str, calls: KeyedCalls = QUOTED) -> Reply:
    """Read a completion whole, one character at a time, and from a state at each place: always the same."""
    made = reading(calls)
    whole = made.parse(text, "<think></think>", TOOLS.signatures)
    one_by_one = made.reader("<think></think>", TOOLS.signatures)
    events = [event for character in text for event in one_by_one.feed(character)]
    assert merged([*events, *one_by_one.finish()]) == whole.events
    for at in range(1, len(text)):
        first, second = made.reader("<think></think>", TOOLS.signatures), made.reader(None, TOOLS.signatures)
        said = first.feed(text[:at])
        second.resume(json.loads(json.dumps(first.state())))
        assert merged([*said, *second.feed(text[at:]), *second.finish()]) == whole.events, at
    assert whole.text == text
    return whole


def test_how_it_is_written() -> None:
    arguments = {"a": "it's {x}", "b": {"c": [1, "y", True, False, None, {}]}, "d": ""}
    assert written(QUOTED, "0", "f", arguments) == (
        "<|call|>do:f{a:<|'|>it's {x}<|'|>,b:{c:[1,<|'|>y<|'|>,true,false,null,{}]},d:<|'|><|'|>}<|called|>"
    )
    assert written(QUOTED, "0", "f", {}) == "<|call|>do:f{}<|called|>"
    assert written(OPEN, "7", "f", {"a": [True, "x"], "b": None}) == "[7|f]: {a:[yes,<<x>>],b:None}"


@pytest.mark.parametrize("calls", [QUOTED, OPEN], ids=["quoted", "open"])
def test_what_is_written_is_read(calls: KeyedCalls) -> None:
    first = {"a": 5, "b": "Oslo, it's {x}: [1]\n", "c": {"d e": ["</think>", -2.5, {"f": None}], "g": {}}, "h": []}
    second = {"b": "<|called|> <|'|> >> x", "é": True, "i": [["<|'|>", ">>"], False]}
    text = written(calls, "0", "f", first) + calls.spacing.between + written(calls, "1", "g", second)
    reply = read("Hi" + text + "<|stop|>", calls)
    assert [(call.name, call.status) for call in reply.calls] == [("f", "ok"), ("g", "unknown tool")]
    assert [call.id for call in reply.calls] == ([None, None] if calls is QUOTED else ["0", "1"])
    assert [json.loads(call.arguments) for call in reply.calls] == [first, second]
    assert reply.message["content"] == "Hi"
    assert reply.segments[-1].kind == "stop"


def test_texts_go_out_as_they_come() -> None:
    reader = reading(QUOTED).reader("<think></think>", TOOLS.signatures)
    assert reader.feed("<|call|>do:f{b:{c:<|'|>The quick")[-1].text.endswith("The quick")
    assert [event.text for event in reader.feed(" fox")] == [" fox"]
    assert [event.text for event in reader.feed(" <|'|")] == [" "]


@pytest.mark.parametrize(
    ("object_", "arguments"),
    [
        ("{ a : 5 ,\n b : <|'|>x<|'|> , }", {"a": 5, "b": "x"}),
        ("{a: True, b: None, c: [False, 'it', 'a b']}", {"a": True, "b": None, "c": [False, "it", "a b"]}),
        ('{"a": 5, "b": "x", "c": {"d": [1, "y"]}}', {"a": 5, "b": "x", "c": {"d": [1, "y"]}}),
        ("{<|'|>a<|'|>:5,c:{<|'|>d, e<|'|>:<|'|>x<|'|>}}", None),
        ("{b:Paris, France}", {"b": "Paris, France"}),
        ("{b:Paris, a:5}", {"b": "Paris", "a": 5}),
        ("{c:{d:two words}}", {"c": {"d": "two words"}}),
        ("{c:[1,2,],}", {"c": [1, 2]}),
        ("{b:<|'|>a<|'|>, b<|'|>}", {"b": "a<|'|>, b"}),
        ("{b:<|'|>a<|'|>} b<|'|>}", {"b": "a<|'|>} b"}),
        ("{b:<|'|>a<|'|>] b<|'|>}", {"b": "a<|'|>] b"}),
        ("{c:{d:<|'|>a<|'|>, b<|'|>}}", {"c": {"d": "a<|'|>, b"}}),
        ("{b:<|'|><|'|>}", {"b": ""}),
    ],
)
def test_values(object_: str, arguments: Any) -> None:
    reply = read(f"<|call|>do:f{object_}<|called|><|stop|>")
    [call] = reply.calls
    if arguments is None:  # a name between marks has no comma in it
        assert call.status == "invalid arguments"
    else:
        assert json.loads(call.arguments) == arguments
        assert call.usable


@pytest.mark.parametrize(
    ("text", "statuses", "content"),
    [
        ("<|call|>do:f{}<|called|>", ["ok"], ""),
        ("<|call|>do:f {a:5}<|called|>", ["ok"], ""),
        ("<|call|>do:f{a:5} <|called|> on", ["ok"], " on"),
        ("<|call|>do:f{a:5}", ["missing marker"], ""),
        ("<|call|>do:f{b:<|'|>x<|'|>}<|cal", ["missing marker"], ""),
        ("<|call|>do:f{b:<|'|>x<|'|>}<|st", ["missing marker"], "<|st"),
        ("<|call|>do:f{b:<|'|>x<|'|>}<|stop|>", ["missing marker"], ""),
        ("<|call|>do:f{b:<|'|>x<|'|>}<|call|>do:f{}<|called|>", ["missing marker", "ok"], ""),
        ("<|call|>do:f{a:5} on", ["missing marker"], " on"),
        ("<|call|>do:f{a:x}<|called|>", ["does not fit"], ""),
        ("<|call|>do:f{b:5}<|called|>", ["does not fit"], ""),
        ("<|call|>do:f{a:<|'|>5<|'|>}<|called|>", ["does not fit"], ""),
        ("<|call|>do:f{a:5,a:6}<|called|>", ["duplicate argument"], ""),
        ("<|call|>do:f{c:{d:x y}}<|called|>", ["untyped"], ""),
        ("<|call|>do:f{b:<|'|>x", ["unclosed"], ""),
        ("<|call|>do:f{b:<|'|>x<|stop|>", ["unclosed"], ""),
        ("<|call|>do:f{b:<|'|>x<|called|> on", ["unclosed"], ""),
        ("<|call|>do:f{a:5, ", ["unclosed"], ""),
        ("<|call|>do:f{a", ["unclosed"], ""),
        ("<|call|>do:f{a:", ["unclosed"], ""),
        ("<|call|>do:f{a:5", ["unclosed"], ""),
        ("<|call|>do:f{c:[1", ["unclosed"], ""),
        ("<|call|>do:f{5}<|called|> on", ["invalid arguments"], " on"),
        ("<|call|>do:f{a:5<|called|> on", ["invalid arguments"], " on"),
        ("<|call|>do:f{a:,b:6}<|called|> on", ["invalid arguments"], " on"),
        ("<|call|>do:f{c:[1}]<|called|> on", ["invalid arguments"], " on"),
        ("<|call|>do:f{c:{]}<|called|> on", ["invalid arguments"], " on"),
        ("<|call|>do:f{c:[]x}<|called|> on", ["invalid arguments"], " on"),
        ("<|call|>do:f{a:5<|call|>do:f{}<|called|>", ["unclosed", "ok"], ""),
        ("<|call|>do:f(a)", [], "<|call|>do:f(a)"),
        ("<|call|>do: {a:5}", [], "<|call|>do: {a:5}"),
        ("<|call|>do:f", [], "<|call|>do:f"),
    ],
)
def test_what_is_wrong_is_said(text: str, statuses: list[str], content: str) -> None:
    reply = read(text)
    assert [call.status for call in reply.calls] == statuses
    assert (reply.message["content"] or "") == content
    for call in reply.calls:
        assert not call.usable or isinstance(json.loads(call.arguments), dict)


@pytest.mark.parametrize(("depth", "status"), [(199, "ok"), (200, "invalid arguments")])
def test_what_is_too_deep_for_json_is_no_value(depth: int, status: str) -> None:
    reply = reading(QUOTED).parse("<|call|>do:f{c:" + "[" * depth + "]" * depth + "}<|called|>", "<think></think>")
    assert [call.status for call in reply.calls] == [status]


def test_as_ids_a_spelled_out_marker_is_text() -> None:
    vocabulary = ("<|call|>", "<|called|>", "<|'|>", "<|stop|>", "do:f{b:", "a<|'|>,c:<|called|>", "}")
    ids = [0, 4, 2, 5, 2, 6, 1, 3]
    reply = codec_of(Pieces("<A>", ("<|stop|>",), calls=QUOTED)).parse(
        ids, prompt="<A>", piece=lambda token: vocabulary[token].encode(), added=range(4)
    )
    assert [(call.status, json.loads(call.arguments)) for call in reply.calls] == [("ok", {"b": "a<|'|>,c:<|called|>"})]
    assert reply.segments[-1].kind == "stop"


def test_each_part_of_what_is_written_is_said_to_come_from_the_call() -> None:
    pieces: list[str] = []
    QUOTED.write(pieces.extend, Owner("call"), "", "0", "f", {"a": 5, "b": "x", "c": {"d": "y"}})
    text, runs = "".join(pieces), trace(pieces).runs
    shown = [(text[start:end], what, whose) for start, end, what, whose in runs if what is not None]
    assert [(part, shown_path(what, whose)[3:], form_of(what)) for part, what, whose in shown] == [
        ("f", (), "value"),
        ("a", ("a",), "key"),
        ("5", ("a",), "derived"),
        ("b", ("b",), "key"),
        ("x", ("b",), "value"),
        ("c", ("c",), "key"),
        ("{d:<|'|>y<|'|>}", ("c",), "derived"),
    ]


def form_of(what: What) -> str:
    return what.form if isinstance(what, Mark) else what[0].form


MARKS = ("<q>", "</q>", "<|'|>", '"', "'", "||", "<<", "``")
ATOMS = ("{", "}", "[", "]", ",", ":", " ", "\n", "a", "b", "5", "true", "x y", '"b"', "<|stop|>", ", b:")


@given(st.lists(st.sampled_from(MARKS), min_size=2, max_size=2), st.sampled_from(["", "</call>"]), st.data())
@settings(max_examples=200)
def test_whatever_the_marks_of_texts_are(marks: list[str], closing: str, data: st.DataObject) -> None:
    calls = KeyedCalls("<call>{name}", closing, Block(*marks))
    codec = codec_of(Pieces("<A>", ("<|stop|>",), calls=calls))
    parts = data.draw(st.lists(st.sampled_from((*ATOMS, *marks, "<call>f{", closing)), max_size=15))
    case = Case("any", "<call>f{" + "".join(parts), data.draw(st.booleans()), "")
    rules.check(codec, case, data.draw(st.integers(0, 9)))


ODD = st.text("{}[],:\"'`|ax(é", min_size=1, max_size=4)
"""Marks of signs that objects and lists are made of, and of letters, which names have too."""
FENCE = "`" * 3


@given(
    st.tuples(ODD, ODD, st.one_of(st.just(""), ODD)),
    st.lists(st.one_of(st.integers(0, 5), st.sampled_from((*ATOMS, "x", "(", ":"))), max_size=12),
)
@example(("{x|", "{x|", "</call>"), ["(", "a", "}", 3])
@example(("{x}", "{x}", "</call>"), ["a", ":", 0, "b", 1, "}", 3])
@example(("{(", ")", "</call>"), ["a", 1, "}", 3])
@example((":", FENCE, "]"), [":", 1, ":", ":", "\n", "}", "]", '"b"', "]"])
@example(("x", "a", ""), [0, "b", "a", "a", ":", "5", "}"])
@example((":", "x:a", ""), [0, "b", 1, ":", "5", "}"])
@settings(max_examples=300)
def test_signs_of_objects_may_be_marks(marks: tuple[str, str, str], parts: list[int | str]) -> None:
    opening, closing, end = marks
    pieces = (opening, closing, opening + "u" + closing, end, opening[:-1], "}" + end)
    text = "".join(pieces[part] if isinstance(part, int) else part for part in parts)
    calls = KeyedCalls("<c>{name}", end, Block(opening, closing))
    for reply in (read("<c>f{" + text, calls), read(text, calls)):
        assert reply.message["role"] == reply.turn["role"] == "assistant"
        for call in reply.calls:
            assert not call.usable or isinstance(json.loads(call.arguments), dict)


@pytest.mark.parametrize("mark", ["{x|", "{x}", "{(", "]", "}x", ":", ",", "x:"])
def test_texts_may_stand_between_such_marks(mark: str) -> None:
    calls = KeyedCalls("<|call|>do:{name}", "<|called|>", Block(mark, mark))
    arguments = {"b": "Oslo", "c": {"d": "Rome", "e": ["Paris", 5, {}]}, "f": ""}
    [call] = read(written(calls, "0", "f", arguments), calls).calls
    assert (call.status, json.loads(call.arguments)) == ("ok", arguments)


def test_a_marker_may_begin_with_another() -> None:
    calls = KeyedCalls("[[{name}", "[", Block("<q>", "<q>"))
    assert [call.status for call in read("[[f{a:5}[[[f{}[[", calls).calls] == ["ok", "ok"]


def test_a_stop_that_ends_calls_too_makes_no_call_of_what_is_none() -> None:
    calls = KeyedCalls("<call>{name}", "<|stop|>", Block("<q>", "<q>"))
    reply = read("<call>f{<|stop|>]", calls)
    assert [(call.status, call.usable) for call in reply.calls] == [("invalid arguments", False)]


def test_as_ids_a_stop_may_be_a_part_of_another_marker() -> None:
    vocabulary = ("<call>", "<|'|>", "f{true}>", "]", "f{}>")
    calls = KeyedCalls("<call>{name}", ">]", Block("<|'|>", "<|'|>"))
    ids = [0, 2, 3, 0, 4, 3]
    reply = codec_of(Pieces("<A>", ("]",), calls=calls)).parse(
        ids, prompt="<A>", piece=lambda token: vocabulary[token].encode(), added=range(2)
    )
    assert reply.text == "".join(vocabulary[token] for token in ids)
    assert [call.status for call in reply.calls] == ["invalid arguments", "ok"]


NAMES = st.text("abc_- é", min_size=1, max_size=5).map(str.strip).filter(bool)
TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="<>"))
LEAVES = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), TEXTS)
VALUES = st.recursive(LEAVES, lambda inner: st.one_of(st.lists(inner), st.dictionaries(NAMES, inner)), max_leaves=10)


@given(st.sampled_from([QUOTED, OPEN]), st.dictionaries(NAMES, VALUES))
def test_any_arguments_are_read_as_they_were_written(calls: KeyedCalls, arguments: dict[str, Any]) -> None:
    reply = reading(calls).parse(written(calls, "0", "f", arguments), "<think></think>")
    assert [json.loads(call.arguments) for call in reply.calls] == [arguments]
    assert reply.calls[0].status == "ok"
