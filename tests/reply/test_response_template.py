"""Response templates: what we export reads replies in transformers as we do, and what we import reads them as it does.

Where the two differ, the case names the sentence with which the export says so.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import chatcodec
import peer
from any_pieces import ANY_HINTS, ANY_PIECES, codec_of, tame_pieces
from chatcodec.reply.json_calls import JsonCalls
from chatcodec.reply.keyed_calls import KeyedCalls
from chatcodec.reply.named_calls import NamedCalls
from chatcodec.reply.pieces import Block, Hints, Pieces, Reasoning
from chatcodec.reply.response_template import Exported, export
from chatcodec.reply.tagged import TaggedCalls

FORMATS = Path(__file__).parents[2] / "vectors" / "formats"
TIR = "qwen3-tir"

Read = tuple[str, str, list[tuple[Any, Any]]]
"""Content, reasoning, and calls with names and arguments as JSON values."""


def parser_of_transformers() -> Any:
    peer.transformers()
    from transformers.utils import chat_parsing

    return chat_parsing.ResponseParser


def theirs(template: Any, completion: str, prompt: str = "", tools: Any = None, size: int = 0) -> Read:
    parser = parser_of_transformers()(template, prefix=prompt, tools=tools)
    for start in range(0, len(completion), size or max(len(completion), 1)):
        parser.feed(completion[start : start + (size or len(completion))])
    message, _ = parser.finalize()
    calls = [call["function"] for call in message.get("tool_calls", [])]
    reasoning = next((message[name] for name in ("reasoning_content", "thinking", "reasoning") if name in message), "")
    return message.get("content", ""), reasoning, [(call["name"], value(call["arguments"])) for call in calls]


def value(arguments: Any) -> Any:
    return json.loads(arguments) if isinstance(arguments, str) else arguments


def ours(codec: chatcodec.Codec, completion: str, prompt: str = "", tools: Any = None) -> Read:
    reply = codec.parse(completion, prompt=prompt, tools=tools)
    calls = [(call.name, json.loads(call.arguments)) for call in reply.calls if call.usable]
    return reply.content, reply.reasoning, calls


@cache
def exported(name: str) -> Exported:
    codec = chatcodec.load(name)
    return export(codec.pieces, codec.hints)


TYPES = {
    "city": "string", "days": "integer", "share": "number", "now": "boolean", "none": "null", "tags": "array",
    "where": "object",
}  # fmt: skip
TOOLS = [
    {
        "type": "function",
        "function": {
            "name": "look",
            "parameters": {"type": "object", "properties": {key: {"type": kind} for key, kind in TYPES.items()}},
        },
    },
    {"type": "function", "function": {"name": "now", "parameters": {"type": "object", "properties": {}}}},
]
PLAN, TEXT = "Plan it.\n\nThen do it.", "Hello.\n\nIt is 5 < 6."


def call(**arguments: Any) -> dict[str, Any]:
    return {"name": "look", "arguments": arguments}


TURNS: dict[str, tuple[str, str, list[dict[str, Any]]]] = {
    "text": ("", TEXT, []),
    "text-of-one-letter": ("", "a", []),
    "reasoning": (PLAN, "", []),
    "reasoning-and-text": (PLAN, TEXT, []),
    "reasoning-of-one-letter": ("a", "b", []),
    "call": ("", "", [call(city="Paris")]),
    "call-after-text": ("", TEXT, [call(city="Paris")]),
    "call-after-reasoning": (PLAN, "", [call(city="Paris")]),
    "call-after-both": (PLAN, TEXT, [call(city="Paris")]),
    "call-without-arguments": ("", "", [{"name": "now", "arguments": {}}]),
    "call-without-arguments-after-both": (PLAN, TEXT, [{"name": "now", "arguments": {}}]),
    "two-calls": ("", "", [call(city="Paris"), call(city="Rome", days=2)]),
    "three-calls-after-both": (PLAN, TEXT, [call(city="Paris"), {"name": "now", "arguments": {}}, call(days=0)]),
    "numbers": ("", "", [call(days=-3, share=0.25)]),
    "whole-number-as-float": ("", "", [call(share=3.0)]),
    "constants": ("", "", [call(now=True, none=None), call(now=False)]),
    "list-of-numbers": ("", "", [call(tags=[1, 2, 3])]),
    "list-of-texts": ("", "", [call(tags=["a", "b c"])]),
    "object": ("", "", [call(where={"lat": 1.5, "names": ["x"], "ok": None})]),
    "all-types": (PLAN, TEXT, [call(city="Paris", days=1, share=1.5, now=True, none=None)]),
    "lines": ("", "", [call(city="a\nb\n\nc")]),
    "spaces-around": ("", "", [call(city="  a b ")]),
    "newlines-around": ("", "", [call(city="\n\na\n")]),
    "empty-text": ("", "", [call(city="")]),
    "text-like-a-number": ("", "", [call(city="42")]),
    "text-like-json": ("", "", [call(city='{"a": [1, null]}')]),
    "quotes-and-backslashes": ("", "", [call(city='say "hi" \\ it\'s')]),
    "other-alphabets": ("計画", "東京 é 😀", [call(city="東京 é 😀")]),
    "markup": ("", "", [call(city="<b>a</b> & <!-- -->")]),
    "argument-not-declared": ("", "", [call(country="FR")]),
    "markers-of-a-value": ("", "", [call(city="a</parameter> b</arg_value> c")]),
    "markers-of-a-call": ("", "", [call(city="a</tool_call>b</function>\n</seed:tool_call>\nc")]),
}

VALUE_ENDS = "A value that mentions what closes a call ends the call."
PYTHON = "Lists and objects that are written as Python prints them stay text."
DIFFERENCES = {
    ("seed-oss", "list-of-texts"): PYTHON,
    ("seed-oss", "object"): PYTHON,
    ("seed-oss", "markers-of-a-call"): VALUE_ENDS,
    ("bailing-v3", "markers-of-a-call"): VALUE_ENDS,
    ("qwen3-tir", "markers-of-a-call"): VALUE_ENDS,
    ("qwen2.5-ja-struct", "markers-of-a-call"): VALUE_ENDS,
}
NOT_PRINTED = {("qwen2.5-ja-struct", case) for case, (reasoning, _, _) in TURNS.items() if reasoning}


def completion_of(name: str, case: str) -> tuple[str, str]:
    """Return a prompt and the turn that answers it, as the format renders them."""
    reasoning, content, calls = TURNS[case]
    codec, user = chatcodec.load(name), {"role": "user", "content": "Hi"}
    message: dict[str, Any] = {"role": "assistant", "content": content}
    if name == TIR:
        written = "".join(f"\n<tool_call>\n{json.dumps(it, ensure_ascii=False)}\n</tool_call>" for it in calls[:1])
        message["content"] = f"{reasoning}{written}" if calls else f"{reasoning}\n</think>\n\n{content}"
    else:
        message["reasoning_content"] = reasoning
        function = json.dumps if name == "qwen2.5-ja-struct" else dict
        message["tool_calls"] = [
            {"id": f"c{i}", "type": "function", "function": {**it, "arguments": function(it["arguments"])}}
            for i, it in enumerate(calls)
        ]
    prompt = codec.render([user], tools=TOOLS, add_generation_prompt=True).text
    text = codec.render([user, message], tools=TOOLS).text
    assert text.startswith(prompt)
    return prompt, text[len(prompt) :]


CASES = [(name, case) for name in chatcodec.available() for case in TURNS if (name, case) not in NOT_PRINTED]


@pytest.mark.parametrize(("name", "case"), CASES)
def test_transformers_reads_rendered_turns_as_we_do(name: str, case: str) -> None:
    prompt, completion = completion_of(name, case)
    read = ours(chatcodec.load(name), completion, prompt, TOOLS)
    reasoning, content, calls = TURNS[case]
    if name != TIR:
        assert read == (content, reasoning, [(it["name"], it["arguments"]) for it in calls])
    difference = DIFFERENCES.get((name, case))
    try:
        parsed = theirs(exported(name).template, completion, prompt, TOOLS)
    except ValueError as error:
        parsed = ("", str(error), [])
    assert (parsed != read) == (difference is not None)
    assert difference is None or difference in exported(name).lost


def test_there_are_enough_turns_of_each_format() -> None:
    assert all(sum(name == found for found, _ in CASES) >= 20 for name in chatcodec.available())


@pytest.mark.parametrize("size", [1, 3])
@pytest.mark.parametrize(("name", "case"), [case for case in CASES if case not in DIFFERENCES])
def test_transformers_reads_the_same_however_a_turn_is_cut(name: str, case: str, size: int) -> None:
    prompt, completion = completion_of(name, case)
    template = exported(name).template
    assert theirs(template, completion, prompt, TOOLS, size) == theirs(template, completion, prompt, TOOLS)


OPENED_ONCE_MORE = "A closing marker that is written twice, and reasoning that is opened once more, are content."
OTHER_SHAPE = "Several calls in one list, and calls of another shape than the declared one, are not read."
CUT_JSON = "A call that is cut off, or whose JSON does not parse, makes the whole reply fail."
BEHIND_RESPONSE = "A response inside the turn is dropped, and the text behind it counts as reasoning."
IN_VECTORS = {
    ("bailing-v3", "reasoning-inline-without-closing"): OPENED_ONCE_MORE,
    ("qwen2.5-ja-struct", "call-arguments-other"): CUT_JSON,
    ("qwen2.5-ja-struct", "call-bare"): OTHER_SHAPE,
    ("qwen2.5-ja-struct", "call-function-null"): OTHER_SHAPE,
    ("qwen2.5-ja-struct", "call-name-null"): OTHER_SHAPE,
    ("qwen3-tir", "content-with-both-markers"): OPENED_ONCE_MORE,
    ("qwen3-tir", "reasoning-with-markers-in-content"): OPENED_ONCE_MORE,
    ("qwen3-tir", "inline-call-after-answer"): BEHIND_RESPONSE,
    ("qwen3.6", "continue-inside-inline-reasoning"): OPENED_ONCE_MORE,
    ("qwen3.6", "reasoning-empty-with-inline-markers"): OPENED_ONCE_MORE,
    ("qwen3.6", "reasoning-inline-without-closing"): OPENED_ONCE_MORE,
}


def turns_of_vectors(name: str) -> Iterator[tuple[str, str, str, Any]]:
    """Yield each turn of the assistant in the vectors: the case, what is before it, the turn, and the tools."""
    pieces = chatcodec.load(name).pieces
    for path in sorted((FORMATS / name / "render").glob("*.json")):
        vector = json.loads(path.read_text("utf-8"))
        before, *turns = vector.get("text", "").split(pieces.header)
        tools = [tool for tool in vector["chat"].get("tools") or [] if isinstance(tool, dict)]
        for turn in turns:
            before += pieces.header
            end = turn.find(pieces.stops[0])
            yield path.stem, before, turn if end < 0 else turn[: end + len(pieces.stops[0])], tools
            before += turn


@pytest.mark.parametrize("name", chatcodec.available())
def test_transformers_reads_the_turns_of_the_vectors_as_we_do(name: str) -> None:
    codec, template, differ, read = chatcodec.load(name), exported(name).template, set(), 0
    for case, prompt, completion, tools in turns_of_vectors(name):
        read += 1
        try:
            same = theirs(template, completion, prompt, tools) == ours(codec, completion, prompt, tools)
        except (ValueError, KeyError, TypeError):
            same = False
        if not same:
            differ.add((name, case))
    assert read >= 20
    assert differ == {key for key in IN_VECTORS if key[0] == name}
    assert {IN_VECTORS[key] for key in differ} <= set(exported(name).lost)


QWEN_CALL = "<tool_call>\n<function=look>\n<parameter=city>\nParis\n</parameter>\n</function>\n</tool_call>"
JSON_CALL = '<tool_call>\n{"name": "look", "arguments": {"city": "a"}}\n</tool_call>'
UNIONS = [
    {
        "type": "function",
        "function": {
            "name": "put",
            "parameters": {
                "type": "object",
                "properties": {"first": {"anyOf": [{"type": "string"}, {"type": "integer"}]}, "listed": {"enum": [3]}},
            },
        },
    }
]
LOST = [
    ("qwen3.6", "a\n</think>\n</think>\n\nb", OPENED_ONCE_MORE),
    ("qwen3.6", "</think>\n\n<think>\na\n</think>\n\nb", OPENED_ONCE_MORE),
    ("qwen3.6", QWEN_CALL.replace("Paris", "a </function>\n</tool_call> b"), VALUE_ENDS),
    ("qwen3-tir", JSON_CALL.replace('"a"', '"</tool_call>"'), VALUE_ENDS),
    (
        "qwen3.6",
        QWEN_CALL.removeprefix("<tool_call>\n"),
        "Calls have no status, and a marker that a model left out is not made up for.",
    ),
    (
        "qwen3.6",
        QWEN_CALL.partition("\n</tool_call>")[0],
        "A call that is cut off counts as whole, with the arguments that were complete.",
    ),
    (
        "qwen3.6",
        "<tool_call>\n<function=put>\n<parameter=first>\n7\n</parameter>\n</function>\n</tool_call>",
        "Schemas are read by type, anyOf, oneOf and nullable only, and the first type that a text may be of counts.",
    ),
    (
        "qwen3.6",
        "<tool_call>\n<function=put>\n<parameter=listed>\n3\n</parameter>\n</function>\n</tool_call>",
        "Schemas are read by type, anyOf, oneOf and nullable only, and the first type that a text may be of counts.",
    ),
    (
        "seed-oss",
        "<seed:tool_call>\n<function=look>\n<parameter=where>{'a': None}</parameter>\n</function>\n</seed:tool_call>",
        PYTHON,
    ),
    ("qwen3.6", f"</think>\n\n{QWEN_CALL}\n\nHi.", "White space between a call and text behind it is dropped."),
    ("qwen3-tir", JSON_CALL.partition("}}")[0], CUT_JSON),
    ("qwen3-tir", JSON_CALL.replace("look", "look'").replace('"arguments"', "arguments"), CUT_JSON),
    ("qwen3-tir", "<tool_call>\n[" + JSON_CALL.split("\n")[1] + "]\n</tool_call>", OTHER_SHAPE),
    ("qwen3-tir", f"a\n</think>\n\nb{JSON_CALL}\n<tool_response>\nc\n</tool_response>\nd", BEHIND_RESPONSE),
    ("qwen3-tir", f"a{JSON_CALL}b", "Text between a call inside reasoning and its response is content."),
]


@pytest.mark.parametrize(("name", "completion", "sentence"), LOST, ids=range(len(LOST)))
def test_what_is_said_to_be_lost_is_lost(name: str, completion: str, sentence: str) -> None:
    prompt = chatcodec.load(name).render([{"role": "user", "content": "Hi"}], add_generation_prompt=True).text
    assert sentence in exported(name).lost
    read = ours(chatcodec.load(name), completion, prompt, [*TOOLS, *UNIONS])
    try:
        parsed = theirs(exported(name).template, completion, prompt, [*TOOLS, *UNIONS])
    except (ValueError, KeyError, TypeError):
        return
    assert parsed != read


def test_calls_with_responses_are_lost_among_the_others() -> None:
    completion = f"a{JSON_CALL}\n<tool_response>\nb\n</tool_response>\nc"
    prompt = "<|im_start|>assistant\n<think>\n"
    assert "tool_calls" not in chatcodec.load(TIR).parse(completion, prompt=prompt).message
    assert theirs(exported(TIR).template, completion, prompt) == ("", "ac", [("look", {"city": "a"})])
    assert "Calls that have their response already are among the calls." in exported(TIR).lost


def test_a_marker_in_other_tokens_is_lost() -> None:
    codec, text, stop = chatcodec.load("qwen2.5-ja-struct"), "a<|im_end|>b", "<|im_end|>"
    ids = [*text.encode(), 256]
    reply = codec.parse(
        ids, prompt="", piece=lambda token: bytes([token]) if token < 256 else stop.encode(), added=[256]
    )
    assert reply.content == text
    assert theirs(exported(codec.name).template, text + stop)[0] == "a"
    assert "Markers count wherever their text stands: token ids are not looked at." in exported(codec.name).lost


def test_what_the_prompt_has_of_a_turn_is_in_the_message() -> None:
    prompt = "<|im_start|>assistant\n<think>\nPlan"
    assert ours(chatcodec.load("qwen3.6"), " it.", prompt)[1] == " it."
    assert theirs(exported("qwen3.6").template, " it.", prompt)[1] == "Plan it."
    assert "The message also has what the prompt has of the turn." in exported("qwen3.6").lost


def test_calls_in_an_object_whose_members_have_no_plain_names_are_left_out() -> None:
    calls = JsonCalls("<a>", '{"tool-name": {name}, "arguments": {arguments}}', "</a>")
    template, lost = export(Pieces("", ("</s>",), calls=calls))
    assert list(template["fields"]) == ["content"]
    assert "Calls are content: a transform cannot name the members of their object." in lost


@pytest.mark.parametrize(
    ("shape", "call"),
    [
        ('{"name": {name}, "arguments": {arguments}}', '{"name": "f", "arguments": {"a": 1}}'),
        ('{"name": {name}, "parameters": {arguments}}', '{"parameters": {"a": 1}, "name": "f"}'),
        (
            '{"function": {"name": {name}, "arguments": {arguments}}}',
            '{"function": {"name": "f", "arguments": {"a": 1}}}',
        ),
        ('{"id": {id}, "name": {name}, "arguments": {arguments}}', '{"id": "7", "name": "f", "arguments": {"a": 1}}'),
    ],
)
def test_a_transform_finds_the_parts_of_an_object(shape: str, call: str) -> None:
    pieces = Pieces("", ("</s>",), calls=JsonCalls("<a>", shape, "</a>"))
    read = ("x", "", [("f", {"a": 1})])
    assert ours(codec_of(pieces), f"x<a>{call}</a></s>y") == read
    assert theirs(export(pieces).template, f"x<a>{call}</a></s>y") == read


def test_a_tokenizer_takes_an_exported_template() -> None:
    tokenizer = peer.tokenizer()
    tokenizer.response_template = json.loads(json.dumps(exported("qwen3.6").template))
    prompt, completion = completion_of("qwen3.6", "call-after-both")
    assert tokenizer.parse_response(completion, prefix=prompt, tools=TOOLS) == {
        "role": "assistant",
        "reasoning_content": PLAN,
        "content": TEXT,
        "tool_calls": [{"type": "function", "function": call(city="Paris")}],
    }


def test_without_a_header_nothing_of_the_prompt_is_of_the_turn() -> None:
    template = export(Pieces("", ("</s>",))).template
    assert template["start_anchor_pattern"] == "$"
    assert theirs(template, "b</s>c", "a") == ("b", "", [])


def test_where_content_has_markers_what_is_outside_is_dropped() -> None:
    pieces = Pieces("", ("</s>",), Reasoning("<think>\n", "\n</think>\n"), Block("<response>\n", "\n</response>\n"))
    template, lost = export(pieces)
    assert theirs(template, "<think>\na\n</think>\n<response>\nb\n</response>\n</s>") == ("b", "a", [])
    assert theirs(template, "<think>\na</s>", "") == ("", "a", [])
    assert "Text outside of the markers of content is dropped." in lost


@given(ANY_PIECES, ANY_HINTS)
@settings(max_examples=300)
def test_whatever_the_pieces_are_transformers_loads_what_is_exported(pieces: Pieces, hints: Hints) -> None:
    parser_of_transformers()(json.loads(json.dumps(export(pieces, hints).template)), prefix="")


@given(tame_pieces(), st.sampled_from(["", "Plan."]), st.sampled_from(["", "Hi."]), st.integers(0, 2))
@settings(max_examples=300)
def test_whatever_the_pieces_transformers_reads_turns_as_we_do(
    pieces: Pieces, plan: str, text: str, calls: int
) -> None:
    codec, template = codec_of(pieces), export(pieces).template
    written, expected = "", []
    if isinstance(pieces.calls, TaggedCalls):
        written = pieces.calls.example("f", a="Paris", b="two\n\nlines")
        expected = [("f", {"a": "Paris", "b": "two\n\nlines"})]
    elif isinstance(pieces.calls, NamedCalls):
        written = pieces.calls.call.replace("{name}", "f") + '{"a": [1, "}"]}' + pieces.calls.closing
        expected = [("f", {"a": [1, "}"]})]
    elif isinstance(pieces.calls, KeyedCalls):
        quotes = pieces.calls.text
        object_ = f'{{a:[1,{quotes.opening}}}, "{quotes.closing}],b:{{c:true}}}}'
        written = pieces.calls.call.replace("{name}", "f") + object_ + pieces.calls.closing
        expected = [("f", {"a": [1, '}, "'], "b": {"c": True}})]
    elif isinstance(pieces.calls, JsonCalls):
        written = pieces.calls.example('"f"', '{"a": [1, "}"]}').replace("{id}", '"7"')
        expected = [("f", {"a": [1, "}"]})]
    completion = ""
    if pieces.reasoning:
        completion = pieces.reasoning.opening + plan + pieces.reasoning.closing
    completion += pieces.content.opening + text + pieces.content.closing if pieces.content and text else text
    if pieces.calls:
        spacing, section = pieces.calls.spacing, pieces.calls.section or Block("", "")
        completion += (spacing.after_content if text else spacing.first) + section.opening.lstrip() if calls else ""
        completion += spacing.between.join([written.strip()] * calls) + (section.closing if calls else "")
    completion += pieces.stops[0] + "\n"
    read = ours(codec, completion)
    assert read[2] == expected * (calls if pieces.calls else 0)
    for size in (0, 1):
        assert theirs(template, completion, size=size) == read
