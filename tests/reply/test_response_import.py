"""Response templates of others: each comes to pieces that read as it does, or is refused with its place."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from test_pieces_json import JSON_VALUES, changed, walk
from test_response_template import ours, theirs

import chatcodec
import peer
from any_pieces import ANY_HINTS, ANY_PIECES, codec_of
from chatcodec.render.marks import NOBODY
from chatcodec.reply.calls import Spacing
from chatcodec.reply.json_calls import JsonCalls
from chatcodec.reply.keyed_calls import WORDS, KeyedCalls
from chatcodec.reply.named_calls import NamedCalls
from chatcodec.reply.patterns import PatternError, read_pattern
from chatcodec.reply.pieces import Block, Hints, Pieces, Reasoning
from chatcodec.reply.pieces_json import piece_json, piece_of
from chatcodec.reply.response_calls import OPENAI
from chatcodec.reply.response_import import INLINE, NO_STOPS, OUTSIDE, STRIPPED
from chatcodec.reply.response_template import export, read_response_template
from chatcodec.reply.tagged import TaggedCalls

CALL = {"type": "function", "function": {"name": "{name}", "arguments": "{content}"}}
THINKING = {"open": "<think>", "close": "</think>"}


def template(anchor: str = "<|im_start|>assistant\n", **fields: Any) -> dict[str, Any]:
    return {"defaults": {"role": "assistant"}, "start_anchor": anchor, "fields": fields}


def tagged(opening: str, closing: str, tag: str, **more: Any) -> dict[str, Any]:
    args = {"tag_pattern": tag, **more}
    field = {"open_pattern": opening, "close_pattern": closing, "repeats": True, "content": "xml-inline"}
    return {**field, "content_args": args, "transform": CALL}


HERMES = template(
    thinking=THINKING,
    tool_calls={
        "open": "<tool_call>",
        "close": "</tool_call>",
        "repeats": True,
        "content": "json",
        "transform": {"type": "function", "function": "{content}"},
    },
    content={"close": "<|im_end|>"},
)
QWEN = template(
    thinking=THINKING,
    tool_calls=tagged(
        r"<tool_call>\s*<function=(?P<name>\w+)>",
        "</tool_call>",
        r"<parameter=(?P<key>\w+)>\s*(?P<value>.*?)\s*</parameter>",
        value_parser={"name": "json", "args": {"allow_non_json": True}},
    ),
    content={"close": "<|im_end|>", "content": "text"},
)
GLM = template(
    "<|assistant|>",
    reasoning_content=THINKING,
    tool_calls=tagged(
        r"\n?<tool_call>(?P<name>[^\n<]+)",
        "</tool_call>",
        r"<arg_key>(?P<key>.*?)</arg_key>\s*<arg_value>(?P<value>.*?)</arg_value>",
    ),
    content={"close": ["<|user|>", "<|observation|>"]},
)
INVOKE = template(
    "]~b]ai\n",
    reasoning=THINKING,
    tool_calls=tagged(
        r'\s*<minimax:tool_call>\s*<invoke name="(?P<name>[^"]+)">',
        r"</invoke>\s*</minimax:tool_call>",
        r'<parameter name="(?P<key>[^"]+)">(?P<value>.*?)</parameter>',
    ),
    content={"close_pattern": r"\s*(?:\[e~\[|<eos>)"},
)
LIST = template(
    "[/INST]",
    tool_calls={
        "open": "[TOOL_CALLS]",
        "close": "</s>",
        "content": "json",
        "transform_each": True,
        "transform": {"type": "function", "function": {"name": "{name}", "arguments": "{arguments}"}},
    },
    content={"close": "</s>"},
)
FLAT = template(
    "<a>",
    tool_calls={
        "open": "<c>",
        "close": "</c>",
        "repeats": True,
        "content": "json",
        "transform": {"type": "function", "function": {"name": "{content.name}", "arguments": "{content.parameters}"}},
    },
    content={"close": "</a>"},
)
MARKED = template(
    "Assistant:",
    thinking={"open_pattern": r"<think>\s*", "close": "</think>"},
    content={"open": "<response>\n", "close_pattern": r"\n?</response>|(?=</s>)"},
)
DEEPSEEK = template(
    "<｜Assistant｜>",
    thinking=THINKING,
    tool_calls={
        "open_pattern": r"(?:<｜tool▁calls▁begin｜>)?<｜tool▁call▁begin｜>(?P<tool>[^<]+)<｜tool▁sep｜>",
        "close_pattern": r"<｜tool▁call▁end｜>(?:<｜tool▁calls▁end｜>)?",
        "repeats": True,
        "content": "json",
        "transform": {"type": "function", "function": {"name": "{tool}", "arguments": "{content}"}},
    },
    content={"close": "<｜end▁of▁sentence｜>"},
)
KIMI = template(
    "<|im_assistant|>assistant<|im_middle|>",
    tool_calls={
        "open_pattern": r"<\|call\|>functions\.(?P<name>\w+):(?P<id>\d+)<\|argument\|>",
        "close": "<|end|>",
        "repeats": True,
        "content": "json",
        "transform": {"type": "function", "id": "{id}", "function": {"name": "{name}", "arguments": "{content}"}},
    },
    content={"close": "<|im_end|>"},
)
READ = [
    (HERMES, "Hi.<|im_end|>", ("Hi.", "", [])),
    (HERMES, "<think>\nPlan.\n</think>\n\nHi.<|im_end|>", ("Hi.", "Plan.", [])),
    (
        HERMES,
        '<think>\nPlan.\n</think>\n\nHi.\n<tool_call>\n{"name": "f", "arguments": {"a": [1]}}\n</tool_call><|im_end|>',
        ("Hi.", "Plan.", [("f", {"a": [1]})]),
    ),
    (
        HERMES,
        '<tool_call>{"name": "f", "arguments": {"a": "b"}}</tool_call>\n'
        '<tool_call>{"name": "g", "arguments": {}}</tool_call>',
        ("", "", [("f", {"a": "b"}), ("g", {})]),
    ),
    (
        QWEN,
        "<think>\nPlan.\n</think>\n\n<tool_call>\n<function=f>\n<parameter=a>\nParis\n</parameter>\n<parameter=b>\ntwo\n"
        "lines\n</parameter>\n</function>\n</tool_call><|im_end|>",
        ("", "Plan.", [("f", {"a": "Paris", "b": "two\nlines"})]),
    ),
    (
        QWEN,
        "Hi.\n\n<tool_call><function=f><parameter=a>x</parameter></function></tool_call><|im_end|>",
        ("Hi.", "", [("f", {"a": "x"})]),
    ),
    (
        GLM,
        "<think>Plan.</think>\nHi.\n<tool_call>f\n<arg_key>a</arg_key>\n<arg_value>Paris</arg_value>\n"
        "</tool_call><|observation|>",
        ("Hi.", "Plan.", [("f", {"a": "Paris"})]),
    ),
    (
        GLM,
        "\n<think>Plan.</think>\n<tool_call>f</tool_call>\n"
        "<tool_call>g<arg_key>a</arg_key><arg_value>x y</arg_value></tool_call><|user|>",
        ("", "Plan.", [("f", {}), ("g", {"a": "x y"})]),
    ),
    (
        INVOKE,
        '<think>\nPlan.\n</think>\n\n<minimax:tool_call>\n<invoke name="f">\n<parameter name="a">Paris</parameter>\n'
        "</invoke>\n</minimax:tool_call>[e~[",
        ("", "Plan.", [("f", {"a": "Paris"})]),
    ),
    (
        LIST,
        '[TOOL_CALLS][{"name": "f", "arguments": {"a": 1}}, {"name": "g", "arguments": {}}]</s>',
        ("", "", [("f", {"a": 1}), ("g", {})]),
    ),
    (LIST, "Hi.</s>", ("Hi.", "", [])),
    (FLAT, 'Hi.<c>{"name": "f", "parameters": {"a": 1}}</c></a>', ("Hi.", "", [("f", {"a": 1})])),
    (
        DEEPSEEK,
        "<think>Plan.</think>Hi.\n\n<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>f<｜tool▁sep｜>"
        '{"a": "</｜"}<｜tool▁call▁end｜><｜tool▁call▁begin｜>g<｜tool▁sep｜>{}<｜tool▁call▁end｜><｜tool▁calls▁end｜>'
        "<｜end▁of▁sentence｜>",
        ("Hi.", "Plan.", [("f", {"a": "</｜"}), ("g", {})]),
    ),
    (DEEPSEEK, "Hi.<｜end▁of▁sentence｜>", ("Hi.", "", [])),
    (KIMI, 'Hi.<|call|>functions.f:0<|argument|>{"a": 1}<|end|><|im_end|>', ("Hi.", "", [("f", {"a": 1})])),
    (MARKED, "<think>\nPlan.\n</think>\n\n<response>\nHi.\n</response>\n", ("Hi.", "Plan.", [])),
]


@pytest.mark.parametrize(("source", "completion", "read"), READ, ids=range(len(READ)))
def test_what_is_imported_reads_as_the_template_does(source: Any, completion: str, read: Any) -> None:
    pieces, hints, _ = read_response_template(source)
    codec = codec_of(pieces, hints)
    assert ours(codec, completion) == read
    assert all(call.usable for call in codec.parse(completion, prompt="").calls)
    assert theirs(source, completion) == read


def test_what_white_space_is_taken_to_be() -> None:
    pieces, hints, notes = read_response_template(QWEN)
    assert hints == Hints()
    assert pieces == Pieces(
        header="<|im_start|>assistant\n",
        stops=("<|im_end|>",),
        reasoning=Reasoning("<think>\n", "\n</think>\n\n"),
        calls=TaggedCalls(
            call="<tool_call>\n<function={name}>",
            argument="<parameter={key}>\n{value}\n</parameter>",
            closing="</function>\n</tool_call>",
            spacing=Spacing(after_content="\n\n"),
        ),
    )
    assert STRIPPED in notes
    assert "What closes a call is taken to begin with </function>, which it does not say." in notes


def test_markers_around_content() -> None:
    pieces, _, notes = read_response_template(MARKED)
    assert pieces.content == Block("\n\n<response>\n", "\n</response>\n")
    assert pieces.stops == ("</s>",)
    assert OUTSIDE in notes


def test_stops_may_be_known_from_elsewhere() -> None:
    source = template(thinking=THINKING)
    assert NO_STOPS in read_response_template(source).notes
    assert read_response_template(source, stops="</s>").pieces.stops == ("</s>",)
    with pytest.raises(chatcodec.ChatCodecError, match="not only white space"):
        read_response_template(source, stops=["\n"])
    pieces, _, notes = read_response_template(source, stops=["</s>", "</s>"])
    assert pieces.stops == ("</s>",)
    assert NO_STOPS not in notes
    assert ours(codec_of(pieces), "<think>\na\n</think>\n\nb</s>c") == ("b", "a", [])


def test_the_templates_of_transformers_itself() -> None:
    peer.transformers()
    serving = pytest.importorskip("transformers.cli.serving.utils", reason="transformers has no serving command")
    read, refused, written = {}, {}, list[str]()
    for (family, *_), source in serving._RESPONSE_TEMPLATE_FALLBACKS.items():
        try:
            read[family] = (source, read_response_template(source))
        except chatcodec.UnreadableInput as error:
            refused[family] = str(error)
    assert refused == {}
    assert sorted(read) == ["gemma4", "qwen2", "qwen3_5"]
    source, (pieces, hints, _) = read["gemma4"]
    assert isinstance(pieces.calls, KeyedCalls)
    written = []
    pieces.calls.write(written.extend, NOBODY, "", "", "f", {"a": "x, y}", "b": [1, {"c": None}]})
    completion = "<|channel>thought\nPlan.\n<channel|>" + "".join(written) * 2 + "<|tool_response>"
    expected = ("", "Plan.", [("f", {"a": "x, y}", "b": [1, {"c": None}]})] * 2)
    assert ours(codec_of(pieces, hints), completion) == theirs(source, completion) == expected
    for name, family in (("qwen3.6", "qwen3_5"), ("qwen3-tir", "qwen2")):
        source, (pieces, hints, _) = read[family]
        codec, syntax = chatcodec.load(name), "Plan.\n</think>\n\nHi.\n\n"
        written = []
        calls = codec.pieces.calls or codec.hints.calls
        if isinstance(calls, TaggedCalls):
            written.append(calls.example("f", a="x"))
        elif isinstance(calls, JsonCalls):
            written.append(calls.example('"f"', '{"a": "x"}'))
        completion, prompt = syntax + "\n".join(written * 2) + "<|im_end|>", "<|im_start|>assistant\n<think>\n"
        expected = ("Hi.", "Plan.", [("f", {"a": "x"})] * 2)
        assert ours(codec_of(pieces, hints), completion, prompt) == expected
        assert theirs(source, completion, prompt) == expected


def sayable(pieces: Pieces, hints: Hints) -> tuple[Pieces, Hints]:
    """Return what a response template can say of pieces: not how calls are spaced, nor how values are written."""

    def said(calls: Any) -> Any:
        if calls is None:
            return None
        spacing = calls.spacing
        space, between = max(spacing.after_content, spacing.first, key=len), spacing.between.strip()
        section = calls.section and Block(calls.section.opening.strip(), calls.section.closing.strip())
        calls = replace(calls, closing=calls.closing.rstrip(), section=section)
        calls = replace(calls, spacing=Spacing(after_content=space, between=between))
        if isinstance(calls, TaggedCalls):
            return replace(calls, call=calls.call.lstrip(), values="json")
        if isinstance(calls, KeyedCalls):
            text = Block(calls.text.opening.strip(), calls.text.closing.strip())
            return replace(calls, call=calls.call.strip(), text=text, words=WORDS)
        if isinstance(calls, NamedCalls):
            return replace(calls, call=calls.call.strip())
        as_text = calls.as_text and '"id"' in calls.object and "function" in calls.object
        return replace(calls, opening=calls.opening.lstrip(), as_text=as_text)

    inline = pieces.reasoning is not None and hints.response is not None
    calls = said(pieces.calls or hints.calls)
    reasoning = pieces.reasoning and replace(pieces.reasoning, opening=pieces.reasoning.opening.lstrip())
    stops = tuple(dict.fromkeys(stop.strip() for stop in pieces.stops))
    said_pieces = replace(pieces, stops=stops, reasoning=reasoning, calls=None if inline else calls)
    return said_pieces, Hints(calls, hints.response) if inline else Hints()


@pytest.mark.parametrize("name", chatcodec.available())
def test_what_formats_export_is_imported_again(name: str) -> None:
    codec = chatcodec.load(name)
    pieces, hints, notes = read_response_template(export(codec.pieces, codec.hints).template)
    assert (pieces, hints) == sayable(codec.pieces, codec.hints)
    assert notes == {"qwen2.5-ja-struct": (OPENAI,), "qwen3-tir": (INLINE,)}.get(name, ())


@given(ANY_PIECES, ANY_HINTS)
@settings(max_examples=500)
def test_whatever_is_exported_is_imported_again(pieces: Pieces, hints: Hints) -> None:
    calls = pieces.calls or hints.calls
    assume(not (isinstance(calls, TaggedCalls) and calls.quotes))  # which it cannot say
    opening, around = "\0", []
    if calls:
        opening = (
            calls.opening if isinstance(calls, JsonCalls) else re.split(r"\{name\}|\{id\}", calls.call)[0]
        ).split()[0]
        section = calls.section or Block("\0", "\1")
        around = [section.opening.strip(), section.closing.strip(), calls.spacing.between.strip()]
    stops = [stop.strip() for stop in pieces.stops]
    assume(not any(stop.startswith(opening) or stop in around for stop in stops))  # then it is taken for that
    assume(len(set(around)) == len(around))
    read, read_hints, notes = read_response_template(json.loads(json.dumps(export(pieces, hints).template)))
    assume(not any("does not say" in note for note in notes if note != OPENAI))
    assert (read, read_hints) == sayable(pieces, hints)
    assert set(notes) <= {OPENAI, OUTSIDE, INLINE}


JSON_CALL = {"close": "</c>", "content": "json"}


def with_field(source: Any, *path: Any, to: Any) -> Any:
    return changed(source, "fields", *path, to=to)


GPT_OSS = template(
    "<|start|>assistant",
    thinking={"open": "<|channel|>analysis<|message|>", "close": "<|end|>"},
    content={"open": "<|channel|>final<|message|>", "close": "<|return|>"},
    tool_calls={
        "open_pattern": r"<\|channel\|>commentary to=functions\.(?P<name>\w+) .*?<\|message\|>",
        "close": "<|call|>",
        "content": "json",
        "transform": CALL,
    },
)
COHERE = changed(
    LIST, "fields", "tool_calls", "transform", "function", to={"name": "{tool_name}", "arguments": "{parameters}"}
)
GEMMA = changed(HERMES, "fields", "tool_calls", "content_args", to={"string_delims": [["«", "»"]]})
DSML = r'<｜DSML｜parameter name="(?P<key>[^"]+)" string="(?:true|false)">(?P<value>.*?)</｜DSML｜parameter>'
ERNIE = with_field(MARKED, "thinking", "open_pattern", to=r"(?:^|<think>\s*)")
DEEP = json.loads('{"function":' * 300 + "1" + "}" * 300)
FUNCTION = ("tool_calls", "transform", "function")
PARSER = ("tool_calls", "content_args", "value_parser", "name")
TAGS = ("tool_calls", "content_args", "tag_pattern")
WRONG: list[tuple[Any, str, str]] = [
    (GPT_OSS, "/tool_calls/open_pattern", "found .* in <|channel|>commentary to=functions."),
    (with_field(DEEPSEEK, "tool_calls", "close_pattern", to="<b>"), "/tool_calls/open_pattern", "may be left out"),
    (with_field(DEEPSEEK, "tool_calls", "transform_each", to=True), "/tool_calls/transform_each", "false"),
    (with_field(DEEPSEEK, *FUNCTION, "name", to="{name}"), "/tool_calls/open_pattern", "found groups tool and"),
    (with_field(KIMI, "tool_calls", "open_pattern", to="<a>(?P<name>a) (?P<id>b)"), "/tool_calls/open_pattern", "run"),
    (
        with_field(KIMI, "tool_calls", "open_pattern", to=r"<a>(?P<name>\w+) (?P<id>\w+)"),
        "/tool_calls/open_pattern",
        "text b",
    ),
    (with_field(HERMES, "content", to={"close_pattern": "<a>(?:<b>)?"}), "/content/close_pattern", "found (?:<b>)? in"),
    (
        with_field(HERMES, "tool_calls", to={**JSON_CALL, "open_pattern": "(?:a|b)?<c>"}),
        "/tool_calls/open_pattern",
        "one m",
    ),
    (COHERE, "/tool_calls/transform", "found name at tool_name, arguments at parameters"),
    (GEMMA, "/tool_calls/content_args/string_delims", "strict JSON"),
    (
        with_field(KIMI, "tool_calls", "content_args", to={"unquoted_keys": True}),
        "/tool_calls/content_args/string_delims",
        "one pair of markers",
    ),
    (
        with_field(
            KIMI, "tool_calls", "content_args", to={"unquoted_keys": True, "string_delims": [["«", "»"], ["‹", "›"]]}
        ),
        "/tool_calls/content_args/string_delims",
        "found list of 2",
    ),
    (with_field(QWEN, *TAGS, to=DSML), "/tool_calls/content_args/tag_pattern", "one marker"),
    (ERNIE, "/thinking/open_pattern", "found a turn that begins in reasoning without a marker"),
    (with_field(HERMES, to=[]), "", "accepted: an object"),
    (with_field(HERMES, to={}), "", "no fields"),
    (with_field(HERMES, "thoughts", to=THINKING), "/thoughts", "accepted: content, reasoning_content"),
    (with_field(HERMES, "tool_cals", to={}), "/tool_cals", "did you mean tool_calls?"),
    (with_field(HERMES, "reasoning", to=THINKING), "/reasoning", "one field of reasoning"),
    (with_field(HERMES, "content", to="text"), "/content", "accepted: an object"),
    (with_field(HERMES, "content", "opne", to="a"), "/content/opne", "did you mean open?"),
    (with_field(HERMES, "content", "content", to="json"), "/content/content", 'found string "json", accepted: text'),
    (with_field(HERMES, "tool_calls", "content", to="kv-lines"), "/tool_calls/content", "accepted: json or xml-inline"),
    (with_field(HERMES, "thinking", "transform", to={"a": 1}), "/thinking/transform", "no transform in thinking"),
    (with_field(HERMES, "tool_calls", "join", to=","), "/tool_calls/join", "no join in tool_calls"),
    (with_field(HERMES, "tool_calls", "repeats", to=1), "/tool_calls/repeats", "true or false"),
    (with_field(HERMES, "thinking", "open", to=None), "/thinking/open", "only content may do without"),
    (with_field(HERMES, "thinking", "close", to=None), "/thinking/close", "what closes thinking"),
    (with_field(HERMES, "thinking", "open", to=["<a>", "<b>"]), "/thinking/open", "found <a> or <b>, accepted: one"),
    (with_field(HERMES, "content", "close", to=["<a>"] * 65), "/content/close", "at most 64 texts"),
    (with_field(HERMES, "thinking", "open", to="\n"), "/thinking/open", "not only white space"),
    (
        with_field(HERMES, "thinking", to={"open_pattern": "<a>|<b[^>]*>", "close": "c"}),
        "/thinking/open_pattern",
        ".*?",
    ),
    (with_field(HERMES, "content", to={"close_pattern": r"<a>\w"}), "/content/close_pattern", r"found \w* in <a>\w*"),
    (with_field(HERMES, "thinking", "content_args", to={"srtip": 1}), "/thinking/content_args/srtip", "mean strip?"),
    (with_field(HERMES, "thinking", "content_args", to={"strip": 1}), "/thinking/content_args/strip", "true or false"),
    (with_field(HERMES, "content", to={"close_pattern": "a(?=b)"}), "/content/close_pattern", "nothing has to follow"),
    (with_field(HERMES, "tool_calls", "transform", to="{name}"), "/tool_calls/transform", "accepted: an object"),
    (with_field(HERMES, *FUNCTION, to="content"), "/tool_calls/transform/function", 'a place such as "{content.name}"'),
    (with_field(HERMES, *FUNCTION, to="{x.y}"), "/tool_calls/transform", "name outside of the content"),
    (with_field(HERMES, *FUNCTION, to=DEEP), "/tool_calls/transform/function/function", "not known"),
    (with_field(HERMES, "tool_calls", "transform", "type", to="tool"), "/tool_calls/transform/type", '"function"'),
    (with_field(HERMES, "tool_calls", "transform", to={"a": 1}), "/tool_calls/transform/a", "accepted: type, id"),
    (with_field(QWEN, "tool_calls", "transform_each", to=True), "/tool_calls/transform_each", "false"),
    (with_field(QWEN, "tool_calls", "transform", to=None), "/tool_calls/transform/name", "found nothing"),
    (with_field(QWEN, *TAGS, to=None), "/tool_calls/content_args/tag_pattern", "found null"),
    (with_field(QWEN, *TAGS, to="<(?P<key>a)>(?P<value>.*?)<"), "/tool_calls/content_args/tag_pattern", "no run of"),
    (
        with_field(QWEN, *TAGS, to=r"(?P<key>\w)=(?P<value>.*?);"),
        "/tool_calls/content_args/tag_pattern",
        "before the key",
    ),
    (with_field(QWEN, *TAGS, to=r"<(?P<value>\w+)>"), "/tool_calls/content_args/tag_pattern", "a group key"),
    (with_field(QWEN, *PARSER, to="int"), "/tool_calls/content_args/value_parser/name", 'found string "int"'),
    (with_field(QWEN, "tool_calls", "open_pattern", to="<tool_call>"), "/tool_calls/open_pattern", "found groups none"),
    (with_field(QWEN, "tool_calls", "open_pattern", to=r"(?P<name>\w+)>"), "/tool_calls/open_pattern", "begins a call"),
    (with_field(QWEN, "tool_calls", "open_pattern", to=r"<{name}(?P<name>a+)"), "/tool_calls/open_pattern", "often"),
    (
        with_field(QWEN, "tool_calls", "open_pattern", to=r"<{name}(?P<name>\w+)"),
        "/tool_calls/open_pattern",
        "{name} or",
    ),
    (with_field(QWEN, "tool_calls", "open_pattern", to=5), "/tool_calls/open_pattern", "found number 5"),
]
WRONG_TOP: list[tuple[Any, str, str]] = [
    (None, "", "found null, accepted: an object"),
    ([], "", "found list of 0"),
    ({}, "/fields", "no fields"),
    ({1: 2}, "/1", "not known"),
    (changed(HERMES, "feilds", to={}), "/feilds", "did you mean fields?"),
    (changed(HERMES, "version", to=2), "/version", "found number 2, accepted: 1"),
    (changed(HERMES, "version", to=True), "/version", "found boolean true"),
    (changed(HERMES, "defaults", to=[]), "/defaults", "accepted: an object"),
    (changed(HERMES, "start_anchor", without=True), "/start_anchor", "found nothing"),
    (changed(HERMES, "start_anchor", to=5), "/start_anchor", "found number 5, accepted: a string"),
    (changed(HERMES, "start_anchor", to=[]), "/start_anchor", "text that is not empty"),
    (changed(HERMES, "start_anchor", to=["a", ""]), "/start_anchor", "text that is not empty"),
    (changed(HERMES, "start_anchor_pattern", to="a"), "/start_anchor_pattern", "beside start_anchor"),
]


@pytest.mark.parametrize(("source", "pointer", "words"), WRONG_TOP, ids=range(len(WRONG_TOP)))
def test_what_is_no_template_is_refused(source: Any, pointer: str, words: str) -> None:
    with pytest.raises(chatcodec.UnreadableInput) as caught:
        read_response_template(source)
    assert caught.value.pointer == pointer
    assert words in str(caught.value)


@pytest.mark.parametrize(("source", "pointer", "words"), WRONG, ids=range(len(WRONG)))
def test_what_pieces_cannot_say_is_refused(source: Any, pointer: str, words: str) -> None:
    with pytest.raises(chatcodec.UnreadableInput) as caught:
        read_response_template(source)
    assert caught.value.pointer == f"/fields{pointer}"
    assert words in str(caught.value)


PATTERNS = [
    ("a(", "a ( that nothing closes, at character 1"),
    ("a)", "a ) that closes nothing, at character 1"),
    ("[a", "a [ that nothing closes, at character 0"),
    ("[]", "a [ that nothing closes, at character 0"),
    ("[b-a]", "a range of characters that has no end, at character 1"),
    ("*a", "a * that repeats nothing, at character 0"),
    ("a\\", "a backslash at the end, at character 2"),
    (r"\x4", "a character whose number is none, at character 2"),
    (r"\U00110000", "a character whose number is none, at character 2"),
    (r"(a)\1", r"\1, at character 3"),
    (r"\bword", r"\b, at character 0"),
    ("(?i)a", "a group of the kind (?i, at character 0"),
    ("(?!a)b", "a group of the kind (?!, at character 0"),
    ("(?<=a)b", "a group of the kind (?<, at character 0"),
    ("a+", "'a' as often as one likes, at character 0"),
    ("(?:ab)*", "a group that is repeated, at character 0"),
    ("(?:ab){2}", "a group that is repeated, at character 0"),
    ("(" * 30 + ")" * 30, "groups more than 20 deep, at character 21"),
    ("(?:a|b)" * 9, "more than 64 alternatives, at character 49"),
    ("a" * 5000, "a pattern of 5000 characters, where 4000 are read"),
]


@pytest.mark.parametrize(("pattern", "words"), PATTERNS, ids=range(len(PATTERNS)))
def test_patterns_that_are_no_literals_are_refused(pattern: str, words: str) -> None:
    with pytest.raises(PatternError) as caught:
        read_pattern(pattern)
    assert str(caught.value) == words
    with pytest.raises(chatcodec.UnreadableInput) as refused:
        read_response_template(changed(HERMES, "fields", "content", to={"close_pattern": pattern}))
    assert refused.value.pointer == "/fields/content/close_pattern"
    assert words in str(refused.value)


@pytest.mark.parametrize(
    ("pattern", "stops"),
    [
        (r"<\|im_end\|>", ("<|im_end|>",)),
        (r"\s*(?:<a>|<b>)\s*", ("<a>", "<b>")),
        (r"[<]a[>]|\x3cb\u003e", ("<a>", "<b>")),
        (r"<a>.*", ("<a>",)),
        (r"\n{0,2}<a>(?:\n(?: )?)?", ("<a>",)),
        (r"<a\ b>\Z", ("<a b>",)),
        (r"(<a>)(?:)", ("<a>",)),
        (r"<a{2}>", ("<aa>",)),
        ("{a}{1,b}", ("{a}{1,b}",)),
        (r"<(?:a|b)>", ("<a>", "<b>")),
        (r"[\s]*[ \t]?<a>[\n]*+", ("<a>",)),
    ],
)
def test_patterns_that_are_literals_in_disguise(pattern: str, stops: tuple[str, ...]) -> None:
    source = changed(HERMES, "fields", "content", to={"close_pattern": pattern})
    assert read_response_template(source).pieces.stops == stops
    for stop in stops:
        assert theirs(source, f"Hi.{stop}") == ("Hi.", "", [])


ODD = st.one_of(JSON_VALUES, st.sampled_from(["(?P<name>a)", r"\s*", "<a>(?P<name>.+)", "|", "{content}", "^", ".*"]))


@given(st.data())
@settings(max_examples=600)
def test_whatever_a_template_says_it_is_read_or_refused(data: st.DataObject) -> None:
    codecs = [chatcodec.load(name) for name in chatcodec.available()]
    sources = [
        HERMES,
        QWEN,
        GLM,
        INVOKE,
        LIST,
        FLAT,
        MARKED,
        DEEPSEEK,
        KIMI,
        *(export(c.pieces, c.hints).template for c in codecs),
    ]
    source = data.draw(st.sampled_from(sources))
    for _ in range(data.draw(st.integers(1, 2))):
        source = changed(source, *data.draw(st.sampled_from([path for path, _ in walk(source)])), to=data.draw(ODD))
    try:
        pieces, hints, _ = read_response_template(source)
    except chatcodec.UnreadableInput as error:
        assume(str(error).startswith(error.pointer or ""))
        return
    assert piece_of(Pieces, piece_json(pieces)) == pieces
    assert piece_of(Hints, piece_json(hints)) == hints
    if pieces.stops:
        text = "<think>\na\n</think>\n\nb<tool_call>\n<function=f>\n<parameter=a>"
        assert codec_of(pieces, hints).parse(text, prompt="").text == text
