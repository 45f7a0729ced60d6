"""What holds for every reply, of every codec: random replies, in random pieces, and the checks themselves."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

import any_pieces
import fuzz
import rules
from chatcodec.reply.events import Event
from chatcodec.reply.json_calls import JsonCalls
from chatcodec.reply.machine import Machine
from chatcodec.reply.pieces import Hints, Pieces
from chatcodec.reply.reader import Reader
from chatcodec.reply.reply import Reply
from chatcodec.reply.tape import Tape
from invented import written
from replies import CODECS, TOOLS, USER, Case, Replies, literals, markers

FAST = settings(max_examples=50)
ALL = pytest.mark.parametrize("name", CODECS)
COUNT = 200


@ALL
def test_drawn_replies_keep_the_rules(name: str) -> None:
    tally = fuzz.fuzz(name, seed=7, start=0, count=COUNT)
    assert list(tally.reports.values()) == []
    assert sum(tally.kinds.values()) == COUNT
    assert set(tally.kinds) == {*Replies(1, CODECS[name]).kinds, "turn"}
    assert tally.kinds["turn"] > COUNT // 20


def pieces(name: str) -> st.SearchStrategy[str]:
    """Texts of markers, pieces of syntax, and any characters, lone surrogates and NUL too."""
    atoms = sorted({*Replies(1, CODECS[name]).atoms}, key=lambda atom: (len(atom), atom))
    anything = st.text(st.characters(exclude_categories=()), max_size=3)
    return st.lists(st.one_of(st.sampled_from(atoms), st.sampled_from(atoms), anything), max_size=12).map("".join)


@ALL
@given(data=st.data())
@FAST
def test_any_text_keeps_the_rules(name: str, data: st.DataObject) -> None:
    text = data.draw(pieces(name))
    case = Case("any", text, data.draw(st.booleans()), data.draw(st.sampled_from([None, CODECS[name].pieces.header])))
    rules.check(CODECS[name], case, data.draw(st.integers(0, 9)))


@given(data=st.data(), drawn=any_pieces.tame(), chance=st.randoms(use_true_random=False))
@FAST
def test_any_pieces_keep_the_rules(data: st.DataObject, drawn: tuple[Pieces, Hints], chance: random.Random) -> None:
    codec = any_pieces.codec_of(*drawn)
    slots = {"{name}": "f", "{key}": "city", "{value}": "x"}
    filled = [re.sub(r"\{\w+\}", lambda slot: slots.get(slot[0], "{}"), text) for text in literals(codec)]
    atoms = [
        *filled,
        *(text.strip() for text in filled),
        *markers(codec),
        '{"name": "f", "arguments": {}}',
        "{",
        " ",
        "x",
    ]
    for _ in range(5):
        text = "".join(chance.choice(atoms) for _ in range(chance.randint(1, 12)))
        rules.check(codec, Case("any", text, data.draw(st.booleans()), ""), chance.random())


TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)


@ALL
@given(text=TEXT, more=TEXT)
@example(text="\n\n", more=" ")
@example(text="</parameter>", more="</arg_value>\n")
@example(text="", more=")")
@FAST
def test_strings_in_arguments_are_exact(name: str, text: str, more: str) -> None:
    codec = CODECS[name]
    syntax = codec.pieces.calls or codec.hints.calls
    assert syntax is not None
    arguments = {"city": text, "n": 5, "any": more}
    reply = codec.parse(written(syntax, "f", arguments), tools=TOOLS, prompt=codec.pieces.header)
    values = [json.loads(call.arguments) for call in reply.calls]
    assert values == [arguments]
    assert reply.calls[0].usable
    assert [call["function"]["name"] for call in reply.message["tool_calls"]] == ["f"]


@ALL
@given(text=TEXT.map(lambda text: f"a{text}z"))
@FAST
def test_a_turn_read_back_is_the_turn_that_was_rendered(name: str, text: str) -> None:
    codec = CODECS[name]
    assume(not any(marker in text for marker in markers(codec)))
    reasons = codec.pieces.reasoning is not None
    message = {"role": "assistant", "content": text, **({"reasoning_content": f"b{text}"} if reasons else {})}
    rendered = codec.render([USER, message]).text
    reply = codec.parse(rendered.partition(codec.pieces.header)[2], prompt=codec.pieces.header)
    assert reply.content == text
    assert reply.reasoning == (f"b{text}" if reasons else "")
    assert codec.render([USER, reply.turn]).text == rendered


@ALL
def test_a_call_cut_anywhere_is_there_and_is_not_used(name: str) -> None:
    codec = CODECS[name]
    syntax = codec.pieces.calls or codec.hints.calls
    assert syntax is not None
    text = written(syntax, "f", {"city": "Paris", "n": 5, "o": {"a": [1]}})
    closing = 1 if isinstance(syntax, JsonCalls) else len(syntax.closing.strip())
    sizes, arguments = set(), ""
    for end in range(1, len(text.rstrip()) - closing):
        reply = codec.parse(text[:end], tools=TOOLS, prompt=codec.pieces.header)
        for call in reply.calls:
            if call.usable:  # all but a closing marker is there
                continue
            assert call.problems[0] == "unclosed"
            assert reply.finish == "length"
            assert call.arguments.startswith(arguments)
            assert "tool_calls" not in reply.message
            arguments = call.arguments
        sizes.add(len(reply.calls))
    assert sizes == {0, 1}
    assert "Paris" in arguments


# The checks can fail


def broken_rules(name: str, count: int = 150) -> set[str]:
    return set(fuzz.fuzz(name, seed=3, start=0, count=count).failed)


def test_a_reader_that_loses_a_character_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    say = Tape.say

    def loses(self: Tape, kind: Any, raw: str) -> Any:
        return say(self, kind, raw.replace("😀", ""))

    monkeypatch.setattr(Tape, "say", loses)
    assert "lossless" in broken_rules("qwen3.6")


def test_a_reader_that_depends_on_the_cut_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    feed = Machine.feed

    def depends(self: Machine, text: str) -> list[Event]:
        return [event._replace(text=event.text.upper()) if len(text) == 1 else event for event in feed(self, text)]

    monkeypatch.setattr(Machine, "feed", depends)
    assert "cut by character" in broken_rules("bailing-v3")


def test_a_state_that_lacks_something_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Machine, "FIELDS", tuple(field for field in Machine.FIELDS if field != "thinking"))
    assert {"chunks and states"} <= broken_rules("qwen3.6")


def test_a_reader_that_does_not_read_the_prompt_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Reader, "prime", lambda self, turn: None)
    assert {"calls behind a prompt", "turn behind a prompt"} & broken_rules("qwen3.6")


def test_a_reply_whose_turn_is_another_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Reply, "turn", property(lambda _: {"role": "assistant", "content": "x"}))
    assert "round trip" in broken_rules("seed-oss")


def test_a_crash_is_found_and_made_small(monkeypatch: pytest.MonkeyPatch) -> None:
    say = Tape.say

    def crashes(self: Tape, kind: Any, raw: str) -> Any:
        if "東" in raw:
            raise RuntimeError("東")
        return say(self, kind, raw)

    monkeypatch.setattr(Tape, "say", crashes)
    tally = fuzz.fuzz("qwen2.5-ja-struct", seed=3, start=0, count=60)
    assert set(tally.failed) == {"raises"}
    assert "text='東'" in tally.reports["raises"]


@pytest.mark.parametrize(("name", "value"), [("content", "c"), ("reasoning", "c"), ("calls", []), ("finish", "stop")])
def test_a_message_that_is_not_what_was_read_is_found(name: str, value: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    text = 'a\n</think>\n\nb<tool_call>\n{"name": "f", "arguments": {}}\n</tool_call>'
    rules.check_message(CODECS["qwen3-tir"].parse(text))
    monkeypatch.setattr(Reply, name, value)
    with pytest.raises(rules.Broken, match=r"message|finish"):
        rules.check_message(CODECS["qwen3-tir"].parse(text))


@pytest.mark.parametrize(
    ("rule", "change"),
    [
        ("lossless", lambda events: events[1:]),
        ("lossless", lambda events: [events[0]._replace(raw="x"), *events[1:]]),
        ("texts", lambda events: [e._replace(text="x") if e.type == "content" else e for e in events]),
        ("usable calls", lambda events: [e._replace(text="[]") if e.type == "arguments" else e for e in events]),
        ("characters", lambda events: [e._replace(text="\ud800") if e.type == "arguments" else e for e in events]),
    ],
)
def test_each_check_can_fail(rule: str, change: Callable[[Sequence[Event]], Sequence[Event]]) -> None:
    codec = CODECS["qwen3-tir"]
    reader = codec.reader()
    text = 'a\n</think>\n\nb<tool_call>\n{"name": "f", "arguments": {}}\n</tool_call>'
    events = [*reader.feed(text), *reader.finish()]
    rules.check_reply(text, events, codec.collect(events))
    events = list(change(events))
    with pytest.raises(rules.Broken, match=rule):
        rules.check_reply(text, events, codec.collect(events))
