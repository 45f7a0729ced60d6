"""A reader from the outside: text and token ids in, events out, states, the end, and what is refused."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from typing import Any

import pytest

import chatcodec
from chatcodec.errors import ChatCodecError, UnreadableInput
from chatcodec.reply.events import Event, merged
from chatcodec.reply.match import GAP
from chatcodec.reply.reader import Reader
from chatcodec.reply.reply import Reply
from growth import Text, texts
from invented import written
from replies import CODECS, TOOLS, USER, Replies, markers
from vocabulary import Vocabulary, twin

ALL = pytest.mark.parametrize("name", CODECS)


def example(name: str, text: str = "naïve 東京 🙂") -> str:
    """A turn of one call, as the codec renders it behind its header."""
    codec = CODECS[name]
    call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": {"city": text, "n": 5}}}
    message: dict[str, Any] = {
        "role": "assistant",
        "content": "Let me see.",
        "reasoning_content": "Hm.",
        "tool_calls": [call],
    }
    if codec.hints.response is not None:
        message["content"] += written(codec.hints.calls, **message.pop("tool_calls")[0]["function"])
    return codec.render([USER, message]).text.partition(codec.pieces.header)[2]


def reader(name: str, **more: Any) -> Reader:
    return CODECS[name].reader(tools=TOOLS, prompt=CODECS[name].pieces.header, **more)


def read(reader: Reader, *pieces: Any) -> list[Event]:
    events: list[Event] = []
    for piece in pieces:
        events += reader.feed(piece) if isinstance(piece, str) else reader.feed_ids(piece)
    return merged([*events, *reader.finish()])


# Text


@ALL
def test_each_split_and_each_state_give_the_same(name: str) -> None:
    text = example(name)
    expected = read(reader(name), text)
    assert [event.type for event in expected].count("call_start") == 1
    for cut in range(len(text) + 1):
        first = reader(name)
        events = first.feed(text[:cut])
        state = json.loads(json.dumps(first.state()))
        assert merged([*events, *read(reader(name, state=state), text[cut:])]) == expected
        assert merged([*events, *read(first, text[cut:])]) == expected


@ALL
def test_three_pieces_give_the_same(name: str) -> None:
    text = example(name)
    expected = read(reader(name), text)
    for first in range(0, len(text), 3):
        for second in range(first, min(first + 24, len(text))):
            assert read(reader(name), text[:first], text[first:second], text[second:]) == expected


@ALL
def test_what_was_said_does_not_depend_on_what_comes(name: str) -> None:
    text = example(name)
    expected = "".join(event.text for event in read(reader(name), text))
    one = reader(name)
    said = ""
    for char in text:
        said += "".join(event.text for event in one.feed(char))
        assert expected.startswith(said)
    assert said + "".join(event.text for event in one.finish()) == expected


@ALL
def test_the_arguments_come_before_the_call_ends(name: str) -> None:
    text = example(name, "x" * 200)
    one, seen = reader(name), 0
    for char in text[: text.rfind("x")]:
        seen += sum(event.text.count("x") for event in one.feed(char) if event.type == "arguments")
    assert seen > 150


def test_the_same_prompt_in_each_form() -> None:
    codec = CODECS["qwen3.6"]
    prompt = codec.render([USER], add_generation_prompt=True)
    text = "Hm.\n</think>\n\nHello"
    replies = [codec.parse(text, prompt=each) for each in (prompt, prompt.text, prompt.text[-20:], "<think>\n", None)]
    assert [reply.message for reply in replies] == [
        {"role": "assistant", "content": "Hello", "reasoning_content": "Hm."}
    ] * 5


def test_a_prompt_that_opens_no_turn_is_refused() -> None:
    codec = CODECS["qwen3.6"]
    turns = [USER, {"role": "assistant", "content": "Hi."}]
    for prompt in (codec.render([USER]), codec.render(turns), codec.render([USER]).text, "<|im_end|>\n"):
        with pytest.raises(ChatCodecError, match="ends with a stop"):
            codec.parse("Hello", prompt=prompt)
    quoted = codec.render(
        [*turns[:1], {"role": "assistant", "content": "Use <|im_end|> to"}], continue_final_message=True
    )
    assert codec.parse(" end.", prompt=quoted).content == " end."


CALL_END = {"type": "call_end", "text": "", "raw": "", "call": 0, "problems": [], "faults": [], "as_text": False}


@pytest.mark.parametrize(
    ("refused", "words"),
    [
        (lambda codec: codec.parse("", tool_choice="None"), "tool_choice: found string .* accepted: auto"),
        (lambda codec: codec.parse("", tool_choice=3), "tool_choice: found number 3"),
        (lambda codec: codec.collect(None), "found null, accepted: the events of a reader"),
        (lambda codec: codec.collect([{"type": "content"}]), "accepted: the events of a reader"),
        (lambda codec: codec.parse([1], piece=bytes, added=3), "added: found number 3"),
        (lambda codec: codec.reader(piece=lambda token: b"a").feed_ids(1), "fed a list of ids; found number 1"),
        (lambda codec: codec.reader(state={"version": 1}), "it has no 'reader'"),
        (lambda codec: codec.reader(state=[1]), "is of another kind"),
        (lambda codec: Event.from_json({"type": "content", "text": 3, "raw": ""}), "text and raw are strings"),
        (lambda codec: Event.from_json({"type": "halt", "text": "", "raw": "x"}), "type 'halt'"),
        (lambda codec: Event.from_json(CALL_END | {"problems": ["lost"]}), "problem 'lost'; accepted: unclosed, "),
    ],
)
def test_wrong_use_is_said(refused: Any, words: str) -> None:
    with pytest.raises(ChatCodecError, match=words):
        refused(CODECS["qwen3.6"])


def test_the_engine_says_why_once() -> None:
    one = CODECS["qwen3.6"].reader()
    one.finish("stop")
    assert one.close("length").finish == "stop"


@pytest.mark.parametrize("chunk", ['a "quoted" \\ b', "é", "\ud800", "\x07", "\x7f", "\u2028"])
@ALL
def test_a_value_is_the_same_in_each_chunk(name: str, chunk: str) -> None:
    call = written(CODECS[name].pieces.calls or CODECS[name].hints.calls, "f", {"city": "START"})
    text = call.replace("START", f"ab{chunk}cd")
    cut = text.index(chunk)
    whole = read(reader(name), text)
    assert read(reader(name), text[:cut], chunk, text[cut + len(chunk) :]) == whole
    assert read(reader(name), *text) == whole


@pytest.mark.parametrize(("length", "counts"), [(GAP, True), (GAP + 1, False)])
def test_white_space_around_markers_is_markup_up_to_a_length(length: int, counts: bool) -> None:
    codec, space = CODECS["seed-oss"], "\n" * length
    read: dict[str, Any] = {"tools": TOOLS, "prompt": codec.pieces.header}
    reply = codec.parse(f"{space}<seed:think>Hm.</seed:think>\nHi", **read)
    assert reply.content == ("Hi" if counts else f"{space}<seed:think>Hm.</seed:think>\nHi")
    call = written(codec.pieces.calls, "f", {"city": "Paris"})
    reply = codec.parse(call + space + call, **read)
    assert [each.status for each in reply.calls] == ["ok", "ok"]
    assert reply.content == ("" if counts else space.removesuffix("\n\n"))


def test_options_say_where_a_reply_starts_without_a_prompt() -> None:
    codec = CODECS["qwen3.6"]
    assert codec.parse("Hello").message == {"role": "assistant", "content": "", "reasoning_content": "Hello"}
    assert codec.parse("Hello", enable_thinking=False).message == {"role": "assistant", "content": "Hello"}
    with pytest.raises(chatcodec.UnknownOption):
        codec.reader(enable_thinkin=False)
    assert codec.parse("Hello", enable_thinkin=False, allow_unknown=True).reasoning == "Hello"


@ALL
def test_where_no_tool_may_be_called_a_call_is_text(name: str) -> None:
    text = example(name)
    reply = CODECS[name].parse(text, tools=TOOLS, prompt=CODECS[name].pieces.header, tool_choice="none")
    assert CODECS[name].parse(text, tools=TOOLS, prompt=CODECS[name].pieces.header).calls
    assert reply.calls == reply.malformed == []
    call = written(CODECS[name].pieces.calls or CODECS[name].hints.calls, "f", {"city": "naïve 東京 🙂", "n": 5})
    assert "Let me see." in reply.content
    ends = call.startswith(CODECS[name].stops[0])  # then what is no call ends the turn
    assert name == "qwen2.5-ja-struct" or ends or call in reply.content
    assert "".join(segment.text for segment in reply.segments) == text


# The end


@ALL
def test_after_the_end_a_reader_takes_nothing(name: str) -> None:
    for piece in ("", "a", example(name)):
        for end in (Reader.close, Reader.finish):
            closed = reader(name)
            closed.feed(example(name)[:40])
            end(closed)
            with pytest.raises(ChatCodecError, match="closed"):
                closed.feed(piece)
            assert closed.close().text == example(name)[:40]


def test_ids_are_refused_after_the_end_too() -> None:
    vocabulary = Vocabulary(())
    closed = reader("qwen3.6", piece=vocabulary.piece)
    closed.close()
    with pytest.raises(ChatCodecError, match="closed"):
        closed.feed_ids([])


@ALL
def test_ending_twice_says_nothing_more(name: str) -> None:
    one = reader(name)
    one.feed(example(name)[:60])
    one.finish()
    assert one.finish() == []
    assert one.close() is one.close()


def test_the_engine_says_why_it_ended() -> None:
    for reason, finish in (
        ("length", "length"),
        ("content_filter", "content_filter"),
        ("stop", "stop"),
        (None, "stop"),
    ):
        one = CODECS["seed-oss"].reader()
        one.feed("Hello")
        assert one.close(reason).finish == finish
    assert CODECS["seed-oss"].parse("Hello", finish_reason="length").finish == "length"


@ALL
def test_one_reply_of_several_readers_is_collected(name: str) -> None:
    text = example(name)
    first = reader(name)
    events = first.feed(text[:50])
    second = reader(name, state=first.state())
    events += read(second, text[50:])
    header = CODECS[name].pieces.header
    collected = CODECS[name].collect(events, tools=TOOLS, prompt=header)
    whole = CODECS[name].parse(text, tools=TOOLS, prompt=header)
    assert (collected.message, collected.turn, collected.calls) == (whole.message, whole.turn, whole.calls)
    assert collected.segments == whole.segments


# States


@ALL
def test_a_state_is_small_however_long_the_reply(name: str) -> None:
    text = example(name, "abc " * 25_000)
    one = reader(name)
    sizes = []
    for at in range(0, len(text), 5000):
        one.feed(text[at : at + 5000])
        sizes.append(len(json.dumps(one.state())))
    assert len(sizes) > 18
    assert max(sizes) < 2000


def test_a_state_has_what_is_pending_and_no_more() -> None:
    opened = "</think>\n\n<tool_call>\n<function=f>\n<parameter=o>\n"
    one = CODECS["qwen3.6"].reader(tools=TOOLS)
    one.feed(opened)
    before = len(json.dumps(one.state()))
    one.feed("x" * 100_000)
    pending = len(json.dumps(one.state()))
    one.feed("\n</parameter>\n</function>\n</tool_call>")
    assert 100_000 < pending < 101_000
    assert before < 1000
    assert len(json.dumps(one.state())) < 1000


@pytest.mark.parametrize(
    "wrong", [{}, {"version": 1}, {"machine": 5}, {"machine": {}, "tape": {}, "calls": {}, "bytes": []}]
)
def test_what_is_no_state_is_refused(wrong: Any) -> None:
    with pytest.raises(ChatCodecError, match="no state"):
        reader("qwen3.6", state=wrong)


@ALL
def test_a_state_of_which_a_part_is_missing_or_wrong_is_refused_or_read(name: str) -> None:
    one = reader(name)
    one.feed(example(name)[:70])
    whole = json.dumps(one.state())
    for part in json.loads(whole):
        for wrong in (None, 5, "x", [], {}):
            state = json.loads(whole)
            state[part] = wrong
            try:
                reader(name, state=state)
            except ChatCodecError as error:
                assert "no state" in str(error)  # noqa: PT017
    for part in ("machine", "tape"):
        for field in json.loads(whole)[part]:
            state = json.loads(whole)
            del state[part][field]
            with pytest.raises(ChatCodecError, match="no state"):
                reader(name, state=state)


def test_a_state_goes_on_in_the_middle_of_a_character() -> None:
    vocabulary = Vocabulary(())
    ids = [vocabulary.ordinary(bytes([byte]), random.Random(1))[0] for byte in "a🙂b".encode()]
    for cut in range(len(ids)):
        first = CODECS["seed-oss"].reader(piece=vocabulary.piece)
        events = first.feed_ids(ids[:cut])
        state = json.loads(json.dumps(first.state()))
        second = CODECS["seed-oss"].reader(piece=vocabulary.piece, state=state)
        events += [*second.feed_ids(ids[cut:]), *second.finish()]
        assert "".join(event.text for event in events) == "a🙂b"


# Token ids


def with_ids(
    name: str, text: str, added: Sequence[str], spelled: float = 0.0, seed: int = 1
) -> tuple[list[Event], str]:
    vocabulary, chance = Vocabulary(added), random.Random(seed)
    ids, _, _ = vocabulary.encode(text, chance, spelled)
    one = reader(name, piece=vocabulary.piece, added=vocabulary.added)
    events = [event for token in ids for event in one.feed_ids([token])]
    return merged([*events, *one.finish()]), one.close().text


@ALL
@pytest.mark.parametrize("seed", range(4))
def test_ids_give_the_same_as_the_text(name: str, seed: int) -> None:
    text = example(name)
    marks = list(markers(CODECS[name]))
    for added in (marks, marks[::2], marks[1::2], []):
        events, completion = with_ids(name, text, added, seed=seed)
        assert events == read(reader(name), text)
        assert completion == text


@ALL
def test_a_marker_that_is_spelled_out_is_text_where_it_is_a_token(name: str) -> None:
    text, marks = example(name), [mark for mark in markers(CODECS[name]) if len(mark) > 2]
    assert any(event.type == "call_start" for event in with_ids(name, text, marks)[0])
    for mark in marks:
        if mark in text:
            vocabulary, chance = Vocabulary(marks), random.Random(3)
            one = reader(name, piece=vocabulary.piece, added=vocabulary.added)
            other = reader(name, piece=vocabulary.piece, added=vocabulary.added)
            before, _, behind = text.partition(mark)
            ids, others = (
                [
                    *vocabulary.encode(before, chance)[0],
                    *vocabulary.ordinary(each.encode(), chance),
                    *vocabulary.encode(behind, chance)[0],
                ]
                for each in (mark, twin(mark))
            )
            found, expected = (
                [(e.type, len(e.raw), e.call) for e in read(*each)] for each in ((one, ids), (other, others))
            )
            assert found == expected, mark
            assert one.close().text == text


def of_tokens(name: str, *pieces: str) -> tuple[list[str], Reply]:
    """Read pieces that are one token each; return the types of the events before the end, and the reply."""
    added = [number for number, piece in enumerate(pieces) if piece in markers(CODECS[name])]
    one = reader(name, piece=dict(enumerate(map(str.encode, pieces))).__getitem__, added=added)
    events = one.feed_ids(list(range(len(pieces))))
    return [event.type for event in events], one.close()


def test_a_token_that_opens_reasoning_within_reasoning_is_text() -> None:
    _, reply = of_tokens("qwen3.6", "<think>", "\nHm.", "<think>", "\nMore.\n", "</think>", "\n\nHi.")
    assert (reply.reasoning, reply.content) == ("Hm.<think>\nMore.", "Hi.")


def test_a_token_in_a_value_has_its_text() -> None:
    call = ("<tool_call>", '\n{"name": "f", "arguments": {"city": "a', "</think>", '"}}\n', "</tool_call>")
    _, reply = of_tokens("qwen3-tir", *call)
    assert [(each.arguments, each.status) for each in reply.calls] == [('{"city": "a</think>"}', "ok")]


def test_a_stop_that_is_a_token_ends_a_call_whatever_comes_behind_it() -> None:
    call = ("<tool_call>", "\n<function=f>\n<parameter=city>\nParis\n</parameter>")
    said, reply = of_tokens("qwen3.6", *call, "<|im_end|>", " and on")
    assert said[-3:] == ["call_end", "stop", "after"]
    assert [(each.arguments, each.status) for each in reply.calls] == [('{"city": "Paris"}', "missing marker")]


def test_a_stop_that_is_a_token_is_not_waited_behind() -> None:
    call = ("<tool_call>", '\n{"name": "f", "arguments": {"city": "Par')
    said, reply = of_tokens("qwen3-tir", *call, "<|im_end|>")
    assert said[-2:] == ["call_end", "stop"]
    assert [each.status for each in reply.calls] == ["unclosed"]


def test_white_space_and_signs_may_be_added_tokens() -> None:
    text = example("qwen3.6")
    for odd in ("\n", "\n\n", " ", "  ", "{", "<", ">", "f", "city", "function"):
        assert with_ids("qwen3.6", text, [odd, *markers(CODECS["qwen3.6"])])[0] == read(reader("qwen3.6"), text), odd
    text = example("qwen2.5-ja-struct")
    for odd in ('"', "{", "name", "function", '"function"', ": ", "\n", "}}"):
        assert with_ids("qwen2.5-ja-struct", text, [odd, *markers(CODECS["qwen2.5-ja-struct"])])[0] == read(
            reader("qwen2.5-ja-struct"), text
        ), odd


@pytest.mark.parametrize("raw", [b"\xff", b"\xe6\x9d", b"a\xf0\x9f\x99", b"\xed\xa0\xbd", b"\xc0\x80", b"\x80<"])
def test_bytes_that_are_no_characters_become_replacement_characters(raw: bytes) -> None:
    vocabulary = Vocabulary(["<|im_end|>"])
    for behind in ([], [0], vocabulary.ordinary(b"z", random.Random(1))):
        ids = [*vocabulary.ordinary(raw, random.Random(1)), *behind]
        one = reader("qwen3.6", piece=vocabulary.piece, added=[0])
        events = [event for token in ids for event in one.feed_ids([token])] + one.finish()
        text = raw.decode("utf-8", "replace") + "".join(vocabulary.piece(token).decode() for token in behind)
        assert "".join(event.raw for event in events) == text == one.close().text


@pytest.mark.parametrize("wrong", [300, -1, 1 << 70, None, "a", 1.5, (), b"x"])
def test_an_id_that_the_vocabulary_lacks_is_refused_and_changes_nothing(wrong: Any) -> None:
    def piece(token: int) -> bytes:
        return bytes([token])

    one = CODECS["seed-oss"].reader(piece=piece)
    one.feed_ids("東".encode()[:2])
    before = json.dumps(one.state())
    with pytest.raises(UnreadableInput, match="no token of id"):
        one.feed_ids([*b"abc", wrong])
    assert json.dumps(one.state()) == before
    assert "".join(event.text for event in [*one.feed_ids("東".encode()[2:]), *one.finish()]) == "東"


def test_an_added_id_without_a_text_is_refused_at_once() -> None:
    with pytest.raises(UnreadableInput, match="no token of id 7"):
        CODECS["seed-oss"].reader(piece={1: b"a"}.__getitem__, added=[1, 7])
    with pytest.raises(UnreadableInput):
        CODECS["seed-oss"].reader(piece=lambda _: None, added=[1])  # type: ignore[arg-type, return-value]


def test_a_reader_of_text_takes_no_ids_and_the_other_way_round() -> None:
    with pytest.raises(ChatCodecError, match="reads text"):
        reader("qwen3.6").feed_ids([1])
    with pytest.raises(ChatCodecError, match="token ids"):
        reader("qwen3.6", piece=lambda _: b"a").feed("a")


# Work


@ALL
def test_steps_grow_with_the_text_and_no_faster(name: str) -> None:
    for text in texts(CODECS[name]):
        few, short = steps(name, text, 1_500)
        many, long = steps(name, text, 4_500)
        assert many / long <= 1.05 * few / short + 0.1, text.about
        assert many < 12 * long, text.about


def steps(name: str, text: Text, size: int) -> tuple[int, int]:
    """The steps of reading a text in small chunks, and the length of the text."""
    whole = text.of(size)
    one = CODECS[name].reader(tools=TOOLS)
    for at in range(0, len(whole), 4):
        one.feed(whole[at : at + 4])
    one.close()
    return one.steps, len(whole)


@ALL
def test_a_long_reply_in_single_characters_is_the_same_reply(name: str) -> None:
    text = "".join(example(name, f"{number} " * 99).rpartition(CODECS[name].pieces.stops[0])[0] for number in range(20))
    one, whole = reader(name), CODECS[name].parse(text, tools=TOOLS, prompt=CODECS[name].pieces.header)
    for char in text:
        one.feed(char)
    reply = one.close()
    assert len(text) > 4096
    assert reply.message == whole.message
    assert reply.events == whole.events
    assert len(reply.calls) > 1


@ALL
def test_what_was_said_is_not_kept_twice(name: str) -> None:
    one = reader(name)
    for _ in range(30_000):
        one.feed("word ")
    assert len(one.close().events) < 10


def test_the_replies_that_are_drawn_have_calls_in_them() -> None:
    for name, codec in CODECS.items():
        drawn = [Replies(seed, codec).turn(True) for seed in range(60)]
        replies = [codec.parse(case.text, tools=TOOLS, prompt=case.prompt) for case in drawn]
        assert sum(bool(reply.calls) for reply in replies) > 15, name
        assert sum(bool(reply.content or reply.reasoning) for reply in replies) > 30, name


def test_a_text_may_be_of_a_kind_of_its_own() -> None:
    class Text(str):
        pass

    for name in CODECS:
        assert read(reader(name), *map(Text, example(name))) == read(reader(name), example(name))


@ALL
def test_a_call_cut_by_a_stop_is_the_same_in_text_and_in_ids(name: str) -> None:
    codec = CODECS[name]
    text, stop = example(name), codec.pieces.stops[0]
    at = text.index("ve ")
    vocabulary = Vocabulary(markers(codec), ())
    for cut in range(at, at + 6):
        whole = text[:cut] + stop
        ids, _, _ = vocabulary.encode(whole, random.Random(1), 0.0)
        by_id = codec.parse(
            ids, piece=vocabulary.piece, added=vocabulary.added, tools=TOOLS, prompt=codec.pieces.header
        )
        assert by_id.calls == codec.parse(whole, tools=TOOLS, prompt=codec.pieces.header).calls
