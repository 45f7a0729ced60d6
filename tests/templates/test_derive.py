"""Tests of pieces that are read off the prompts of a template, and verified."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import chatcodec
from chatcodec.errors import ChatCodecError
from chatcodec.formats import registry
from chatcodec.reply.calls import Block, Spacing
from chatcodec.reply.json_calls import JsonCalls
from chatcodec.reply.keyed_calls import KeyedCalls
from chatcodec.reply.named_calls import NamedCalls
from chatcodec.reply.pieces import Pieces, Reasoning
from chatcodec.reply.python_calls import PythonCalls
from chatcodec.reply.tagged import TaggedCalls
from chatcodec.templates.borders import common_end, common_start, first_marker, last_marker
from chatcodec.templates.derivation import derivation_of
from chatcodec.templates.derive import Derived, derive
from chatcodec.templates.probes import Probes
from chatcodec.templates.verify import COUNT, verify

EXAMPLE = Path(__file__).parents[2] / "examples" / "chat_template.jinja"
KEYED = (
    "{% macro value(v) %}{% if v is string %}<q>{{ v }}<q>{% elif v is boolean %}{{ 'yes' if v else 'no' }}"
    "{% elif v is mapping %}{ {%- for k, w in v|dictsort %}{{ k }}:{{ value(w) }}{{ ',' if not loop.last }}"
    "{% endfor %}}{% elif v is iterable %}[{% for w in v %}{{ value(w) }}{{ ',' if not loop.last }}{% endfor %}]"
    "{% else %}{{ v }}{% endif %}{% endmacro %}"
)
HEAD = "{% for m in messages %}<|{{ m.role }}|>\n{{ m.content }}"
TAIL = "<|end|>\n{% endfor %}{% if add_generation_prompt %}<|assistant|>\n{% endif %}"


def with_calls(source: str) -> str:
    return HEAD + source + TAIL


def in_loop(source: str) -> str:
    return with_calls("{% for c in m.tool_calls or [] %}" + source + "{% endfor %}")


CALLS: dict[str, tuple[str, Any]] = {
    "json": (
        in_loop('<call>\n{"name": "{{ c.function.name }}", "args": {{ c.function.arguments|tojson }}}\n</call>'),
        JsonCalls("<call>\n", '{"name": {name}, "args": {arguments}}', "\n</call>"),
    ),
    "whole": (
        in_loop("<call>{{ c|tojson }}</call>"),
        JsonCalls(
            "<call>",
            '{"id": {id}, "type": "function", "function": {"name": {name}, "arguments": {arguments}}}',
            "</call>",
            as_text=True,
        ),
    ),
    "list": (
        with_calls(
            "{% if m.tool_calls %}[CALLS][{% for c in m.tool_calls %}{{ c.function|tojson }}"
            "{% if not loop.last %}, {% endif %}{% endfor %}]{% endif %}"
        ),
        JsonCalls(
            "[CALLS]",
            '{"name": {name}, "arguments": {arguments}}',
            "",
            spacing=Spacing(between=", "),
            list=Block("[", "]"),
        ),
    ),
    "counted": (
        in_loop('<call>{"nr": "{{ loop.index0 }}", "tool": {{ c.function.name|tojson }}, "in": '
                "{{ c.function.arguments|tojson }}}</call>"),
        JsonCalls("<call>", '{"nr": {id}, "tool": {name}, "in": {arguments}}', "</call>"),
    ),
    "typed tags": (
        in_loop(
            '<call {{ c.function.name }}>{% for k, v in c.function.arguments.items() %}<arg {{ k }} '
            "{% if v is string %}text>{{ v }}{% else %}json>{{ v|tojson }}{% endif %}</arg>{% endfor %}</call>"
        ),
        TaggedCalls(
            "<call {name}>", "<arg {key} text>{value}</arg>", "</call>", other="<arg {key} json>{value}</arg>"
        ),
    ),
    "quoted tags": (
        in_loop(
            '<call {{ c.function.name }}>{% for k, v in c.function.arguments.items() %}<arg {{ k }}>'
            "{% if v is string and '<' in v %}<![[{{ v }}]]>{% else %}{{ v }}{% endif %}</arg>{% endfor %}</call>"
        ),
        TaggedCalls(
            "<call {name}>", "<arg {key}>{value}</arg>", "</call>", "str", quotes=Block("<![[", "]]>")
        ),
    ),
    "python": (
        with_calls(
            "{% if m.tool_calls %}<calls>[{% for c in m.tool_calls %}{{ c.function.name }}("
            "{% for k, v in c.function.arguments.items() %}{{ k }}={{ v|tojson }}{% if not loop.last %}, {% endif %}"
            "{% endfor %}){% if not loop.last %}, {% endif %}{% endfor %}]</calls>{% endif %}"
        ),
        PythonCalls("<calls>[", "]</calls>", "json", Spacing(between=", ")),
    ),
    "keyed": (
        KEYED + in_loop("<call>do:{{ c.function.name }}{{ value(c.function.arguments) }}</call>"),
        KeyedCalls("<call>do:{name}", "</call>", Block("<q>", "<q>"), ("yes", "no", "None")),
    ),
    "raw python": (
        with_calls(
            "{% if m.tool_calls %}<calls>[{% for c in m.tool_calls %}{{ c.function.name }}("
            "{% for k, v in c.function.arguments.items() %}{{ k }}="
            """{% if v is string %}'{{ v }}'{% else %}{{ v }}{% endif %}{% if not loop.last %}, {% endif %}"""
            "{% endfor %}){% if not loop.last %}, {% endif %}{% endfor %}]</calls>{% endif %}"
        ),
        PythonCalls("<calls>[", "]</calls>", "raw", Spacing(between=", ")),
    ),
    "named": (
        in_loop("[CALL]{{ c.function.name }}[ARGS]{{ c.function.arguments|tojson }}"),
        NamedCalls("[CALL]{name}[ARGS]", ""),
    ),
    "section": (
        with_calls("{% if m.tool_calls %}<calls>{% for c in m.tool_calls %}<call>{{ c.id }}<with>"
                   "{{ c.function.arguments|tojson }}</call>{% endfor %}</calls>{% endif %}"),
        NamedCalls("<call>{id}<with>", "</call>", section=Block("<calls>", "</calls>")),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", chatcodec.available())
def test_what_formats_write_is_what_they_declare(name: str) -> None:
    found, declared = registry.get(name), registry.get(name).pieces
    derived = derive(Probes(found))
    assert derived.pieces == (replace(declared, calls=None) if name == "qwen3-tir" else declared)
    assert derived.reasons == ()


@pytest.mark.parametrize("name", chatcodec.available())
def test_what_formats_write_is_read_back(name: str) -> None:
    probes = Probes(registry.get(name))
    found = verify(probes, derive(probes))
    assert (found.passed, found.refused, found.faults) == (COUNT, 0, [])


@pytest.mark.parametrize("name", CALLS)
def test_syntaxes_of_calls(name: str) -> None:
    source, calls = CALLS[name]
    codec = chatcodec.load(source)
    assert codec.pieces == Pieces("<|assistant|>\n", ("<|end|>",), calls=calls)


def test_a_reply_to_a_template_is_read_without_pieces() -> None:
    codec = chatcodec.load(EXAMPLE)
    completion = '<think>Hm.</think>\nSure.\n<tool_call>\n{"name": "f", "arguments": {"a": 1}}\n</tool_call><|end|>'
    reply = codec.parse(completion)
    assert (reply.reasoning, reply.content) == ("Hm.", "Sure.")
    assert reply.message["tool_calls"][0]["function"] == {"name": "f", "arguments": '{"a": 1}'}
    user = {"role": "user", "content": "Hi."}
    prompt = codec.render([user], add_generation_prompt=True).text
    assert codec.render([user, reply.turn]).text == prompt + completion + "\n"


def test_reasoning_between_markers_that_content_has_too() -> None:
    source = (
        "{% for m in messages %}<s>{{ m.role }}{% if m.role == 'assistant' and m.reasoning_content %}"
        "<c>think<m>{{ m.reasoning_content }}<e><s>assistant{% endif %}<c>final<m>{{ m.content }}<e>{% endfor %}"
        "{% if add_generation_prompt %}<s>assistant{% endif %}"
    )
    pieces = chatcodec.load(source).pieces
    assert pieces.header == "<s>assistant"
    assert pieces.reasoning == Reasoning("<c>think<m>", "<e><s>assistant")
    assert (pieces.content, pieces.stops) == (Block("<c>final<m>", ""), ("<e>",))


def test_reasoning_of_turns_that_call_and_have_their_content_behind_that() -> None:
    source = (
        KEYED + "{% for m in messages %}<turn>{{ m.role }}\n"
        "{% if m.reasoning_content and m.tool_calls %}<think>{{ m.reasoning_content }}\n</think>{% endif %}"
        "{% for c in m.tool_calls or [] %}<call>{{ c.function.name }}{{ value(c.function.arguments) }}</call>"
        "{% endfor %}{{ m.content }}{% if m.tool_calls %}<result>{% else %}</turn>{% endif %}{% endfor %}"
        "{% if add_generation_prompt %}<turn>assistant\n{% endif %}"
    )
    pieces = chatcodec.load(source).pieces
    assert pieces.reasoning == Reasoning("<think>", "\n</think>")
    assert pieces.stops == ("</turn>", "<result>")
    assert pieces.calls == KeyedCalls("<call>{name}", "</call>", Block("<q>", "<q>"), ("yes", "no", "None"))


def test_a_stop_may_be_in_the_next_message_only() -> None:
    source = "{% for m in messages %}<|{{ m.role }}|>{{ m.content }}{% endfor %}"
    assert chatcodec.load(source + "{% if add_generation_prompt %}<|assistant|>{% endif %}").stops == ("<|user|>",)


def test_what_ends_a_turn_for_results() -> None:
    call = "<call>{{ c.function.name }}\n{{ c.function.arguments|tojson }}<run>"
    calls = "{% for c in m.tool_calls or [] %}" + call + "{% endfor %}"
    codec = chatcodec.load(HEAD + calls + "{% if not m.tool_calls %}<|end|>{% endif %}{% endfor %}")
    assert codec.pieces.stops == ("<|end|>",)
    assert codec.stops == ("<|end|>", "<run>")
    codec = chatcodec.load(HEAD + calls.replace("<run>", "</call>") + TAIL.replace("<|end|>\n", ""))
    assert codec.pieces.stops == ("<|user|>", "<|tool|>")
    assert codec.stops == codec.pieces.stops
    assert codec.parse('<call>f\n{"a": "b"}</call><|tool|>', prompt="<|assistant|>\n").message["content"] is None


def test_what_opens_every_turn_is_no_stop() -> None:
    source = "{% for m in messages %}<turn>{{ m.content }}{% endfor %}{% if add_generation_prompt %}<turn>{% endif %}"
    assert chatcodec.load(source).pieces == Pieces("<turn>", ())


def test_a_token_that_is_not_known_is_no_stop() -> None:
    source = HEAD + "{{ eos_token }}\n{% endfor %}"
    assert chatcodec.load(source).stops == ()


UNREAD = {
    "prints no content": ("{% for m in messages %}{{ m.role }}{% endfor %}", "its content is not printed"),
    "prints it twice": ("{% for m in messages %}<{{ m.content }}{{ m.content }}>{% endfor %}", "more than once"),
    "refuses": ("{{ raise_exception('no') }}", "refused"),
    "loops": ("{% for i in range(99999) %}{% for j in range(99999) %}x{% endfor %}{% endfor %}", "refused"),
    "calls without arguments": (in_loop("<call>{{ c.function.name }}</call>"), "without their arguments"),
    "calls in earlier turns only": (
        HEAD + "{% for c in (m.tool_calls if not loop.last) or [] %}<call>{{ c|tojson }}</call>{% endfor %}" + TAIL,
        "only where their results follow",
    ),
    "calls as Python": (in_loop("<call {{ c.function.name }}>{{ c.function.arguments|length }}</call>"), "arguments"),
    "texts that are marked otherwise inside of others": (
        KEYED.replace(
            "{% elif v is iterable %}[{% for w in v %}{{ value(w) }}",
            "{% elif v is iterable %}[{% for w in v %}{{ w }}",
        )
        + in_loop("<call>{{ c.function.name }}{{ value(c.function.arguments) }}</call>"),
        "what stands between two arguments",
    ),
    "calls in a list that a filter makes": (
        with_calls("{% if m.tool_calls %}{{ m.tool_calls|map(attribute='function')|list|tojson }}{% endif %}"),
        "cannot be followed",
    ),
    "reasoning without markers": (
        "{% for m in messages %}<{{ m.role }}>{{ m.reasoning_content }}{{ m.content }}</>{% endfor %}",
        "no markers stand around it",
    ),
}


def keyed_with(opening: str, closing: str) -> str:
    texts = KEYED.replace("<q>{{ v }}<q>", f"{{{{ {opening!r} ~ v ~ {closing!r} }}}}")
    return texts + in_loop("<call>do:{{ c.function.name }}{{ value(c.function.arguments) }}</call>")


@pytest.mark.parametrize(("opening", "closing"), [("{x|", "{x|"), ("{x}", "{x}"), ("{(", ")"), (":", "```")])
def test_marks_of_texts_may_begin_as_objects_do(opening: str, closing: str) -> None:
    codec = chatcodec.load(keyed_with(opening, closing))
    assert codec.pieces.calls == replace(CALLS["keyed"][1], text=Block(opening, closing))
    for text in ("(a)", "a:(a)", f"{opening}a:1{closing}", opening, closing, f"a:{opening}u"):
        assert codec.parse(f"<call>do:f{{{text}}}</call>", prompt="<|assistant|>\n").calls
    [call] = codec.parse(f"<call>do:f{{a:{opening}u{closing}}}</call>", prompt="<|assistant|>\n").calls
    assert (call.status, call.arguments) == ("ok", '{"a": "u"}')


@pytest.mark.parametrize(("opening", "closing"), [("{", "}"), ("[", "]"), ("x", "y")])
def test_marks_of_texts_that_values_begin_with_are_refused(opening: str, closing: str) -> None:
    with pytest.raises(chatcodec.ChatCodecError, match=r"read otherwise than it was written"):
        _ = chatcodec.load(keyed_with(opening, closing)).pieces


@pytest.mark.parametrize("name", UNREAD)
def test_what_cannot_be_read_off_is_said(name: str) -> None:
    source, reason = UNREAD[name]
    codec = chatcodec.load(source)
    for read in (lambda: codec.parse("x"), codec.reader, lambda: codec.pieces):
        with pytest.raises(chatcodec.ChatCodecError, match=r"Load it with pieces=") as raised:
            read()
        assert reason in str(raised.value)


def test_pieces_that_do_not_hold_are_not_given() -> None:
    probes = Probes(registry.get("qwen3.6"))
    derived = derive(probes)
    assert derived.pieces is not None
    wrong: Derived = derived._replace(pieces=replace(derived.pieces, reasoning=Reasoning("<think>\n", "</think>")))
    assert verify(probes, wrong).faults


def test_the_same_template_is_derived_once() -> None:
    first, second = (derivation_of(chatcodec.load(str(EXAMPLE))._renderer) for _ in range(2))  # type: ignore[arg-type]
    assert first is second


def test_markers_are_never_cut() -> None:
    assert common_start("<|bot|><|START_THINK|>", "<|bot|><|START_TEXT|>") == "<|bot|>"
    assert common_end("</a><b>", "</x><b>") == "<b>"
    assert common_start("assistant\n<think>", "assistant\n") == "assistant\n"
    assert (last_marker("<r>ASSISTANT</r>\n<think>\n"), first_marker(" \n<|user|><b>")) == ("<think>\n", "<|user|>")


def test_a_prompt_that_is_written_for_nobody() -> None:
    source = (
        "{% set ns = namespace(out='') %}{% for i in range(messages|length) %}{% set m = messages[i] %}"
        "{% set ns.out = ns.out ~ m.role ~ ': ' %}{% if m.role == 'assistant' and thinks %}"
        "{% set ns.out = ns.out ~ '<think>' ~ (m.reasoning_content or '') ~ '</think>' %}{% endif %}"
        "{% set ns.out = ns.out ~ m.content ~ '<sep>' %}{% endfor %}"
        "{% if add_generation_prompt %}{% set ns.out = ns.out ~ 'assistant:' ~ (' <think>' if thinks else '') %}"
        "{% endif %}{{ ns.out }}"
    )
    pieces = chatcodec.load(source).pieces
    assert pieces == Pieces("assistant:", ("<sep>",), Reasoning(" <think>", "</think>"))


def test_a_turn_that_begins_with_its_reasoning() -> None:
    source = (
        "{% for m in messages if m.role == 'user' %}<user>{{ m.content }}{% endfor %}<bot><think>"
        "{% for m in messages if m.role == 'assistant' %}{{ m.reasoning_content or '' }}</think>{{ m.content }}<end>"
        "{% endfor %}"
    )
    pieces = chatcodec.load(source).pieces
    assert (pieces.header, pieces.reasoning) == ("<bot>", Reasoning("<think>", "</think>"))


def test_the_value_of_an_option_is_no_part_of_a_prompt() -> None:
    source = HEAD + TAIL.replace("<|assistant|>\n{% endif", "<|assistant|>\n{{ begun or '' }}{% endif")
    assert derive(Probes(chatcodec.load(source)._renderer)).prompts == ("<|assistant|>\n",)


def test_calls_without_arguments_may_have_more_white_space() -> None:
    call = (
        "<call {{ c.function.name }}>{{ '\n' }}{% for k, v in c.function.arguments.items() %}<arg {{ k }}>{{ v }}</arg>"
        "{{ '' if loop.last else '\n' }}{% endfor %}{{ '\n' }}</call>"
    )
    assert chatcodec.load(in_loop(call)).pieces.calls == TaggedCalls(
        "<call {name}>\n", "<arg {key}>{value}</arg>\n", "</call>", values="str"
    )


def test_the_space_before_calls_is_the_most_of_turns_with_and_without_reasoning() -> None:
    source = (
        "{% for m in messages %}\n<|{{ m.role }}|>{% if m.reasoning_content %}{{ '\n' }}<think>"
        "{{ m.reasoning_content }}</think>{% endif %}{{ '\n' }}{{ m.content }}"
        "{% for c in m.tool_calls or [] %}{{ '\n' }}<call>{{ c.function|tojson }}</call>{% endfor %}"
        "<|end|>{% endfor %}{% if add_generation_prompt %}{{ '\n' }}<|assistant|>{% endif %}"
    )
    assert chatcodec.load(source).pieces.calls == JsonCalls(
        "<call>", '{"name": {name}, "arguments": {arguments}}', "</call>", spacing=Spacing("\n\n", "\n", "\n")
    )


BOTH = (
    "{{% for m in messages %}}{{% if m.role == 'assistant' and m.tool_calls %}}{before}"
    "{{% for c in m.tool_calls %}}<call>{{{{ c.function|tojson }}}}</call>{{% endfor %}}<|end|>"
    "{{% else %}}<|{{{{ m.role }}}}|>{{{{ m.content }}}}<|end|>{{% endif %}}{{% endfor %}}"
    "{{% if add_generation_prompt %}}<|assistant|>{{% endif %}}"
)
JSON_CALLS = JsonCalls("<call>", '{"name": {name}, "arguments": {arguments}}', "</call>")


@pytest.mark.parametrize(
    ("before", "beside", "note"),
    [
        ("{% if m.content %}<|assistant|>{{ m.content }}<|end|>{% endif %}<|assistant|>", "never", "as two turns"),
        ("{% if m.content %}<|assistant|>{{ m.content }}{% endif %}", "always", "without its beginning"),
    ],
)
def test_turns_that_are_not_printed_as_one_are_said(before: str, beside: str, note: str) -> None:
    found = derivation_of(chatcodec.load(BOTH.format(before=before))._renderer)
    assert found.derived.facts.beside == beside
    assert found.pieces == Pieces("<|assistant|>", ("<|end|>",), calls=JSON_CALLS)
    assert found.verification is not None
    assert found.verification.passed == COUNT
    assert [note in each for each in found.notes] == [True]


def test_calls_behind_the_end_of_a_turn_only_are_none() -> None:
    source = BOTH.format(before="{% if m.content %}<|assistant|>{{ m.content }}<|end|>{% endif %}")
    with pytest.raises(ChatCodecError, match="calls are printed behind the end of a turn only"):
        chatcodec.load(source).pieces  # noqa: B018


def test_pages_behind_a_turn_do_not_take_long() -> None:
    pages = "Judge the answer above. " * 2000
    found = chatcodec.load(
        HEAD + "<|end|>\n{% endfor %}" + pages + "{% if add_generation_prompt %}<|assistant|>\n{% endif %}"
    )
    started = time.process_time()
    assert derivation_of(found._renderer).verification.passed == COUNT
    assert time.process_time() - started < 10


def test_reasoning_that_is_printed_with_calls_only() -> None:
    source = (
        "{% for m in messages %}<|{{ m.role }}|>{% if m.tool_calls %}<think>{{ m.reasoning_content or '' }}"
        "</think><call>{% for c in m.tool_calls %}{{ c.function|tojson }}{% endfor %}</call>{% else %}<say>"
        "{{ m.content }}</say>{% endif %}<|end|>{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}"
    )
    pieces = chatcodec.load(source).pieces
    assert (pieces.reasoning, pieces.content) == (Reasoning("<think>", "</think>"), Block("<say>", "</say>"))
    assert isinstance(pieces.calls, JsonCalls)


def test_content_that_has_markers_beside_calls_only() -> None:
    source = (
        "{% for m in messages %}<|{{ m.role }}|>{% if m.tool_calls %}<note>{{ m.content }}</note>"
        "{% for c in m.tool_calls %}<call>{{ c.function|tojson }}</call>{% endfor %}{% else %}{{ m.content }}"
        "{% endif %}<|end|>{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}"
    )
    pieces = chatcodec.load(source).pieces
    assert pieces == Pieces("<|assistant|>", ("<|end|>",), None, Block("<note>", "</note>"), JSON_CALLS)


def test_what_every_turn_begins_with_may_open_content_and_calls() -> None:
    source = (
        "{% for m in messages %}<|{{ m.role }}|>{{ '\n' }}{% if m.content %}>>>all\n{{ m.content }}{% endif %}"
        "{% for c in m.tool_calls or [] %}>>>{{ c.function.name }}{{ '\n' }}{{ c.function.arguments|tojson }}"
        "{% endfor %}<|end|>{% endfor %}{% if add_generation_prompt %}<|assistant|>\n>>>{% endif %}"
    )
    pieces = chatcodec.load(source).pieces
    assert pieces.header == "<|assistant|>\n"
    assert pieces.content == Block(">>>all\n", "")
    assert pieces.calls == NamedCalls(">>>{name}\n", "")


def test_a_word_is_no_marker_of_content() -> None:
    source = (
        "{% for m in messages %}<s>{{ m.role }}{% if m.reasoning_content %}/think\n{{ m.reasoning_content }}<e>\n"
        "<s>assistant{% endif %}{{ '\n' }}{{ m.content }}<e>{% endfor %}{% if add_generation_prompt %}<s>assistant"
        "{% endif %}"
    )
    with pytest.raises(ChatCodecError, match="content is opened by a word"):
        chatcodec.load(source).pieces  # noqa: B018


def test_content_that_is_printed_as_reasoning_beside_calls_is_part_of_the_turn() -> None:
    source = (
        "{% for m in messages %}<s>{{ m.role }}{% if m.reasoning_content %}<c>think<m>{{ m.reasoning_content }}<e>"
        "<s>assistant{% endif %}{% if m.tool_calls %}{% if m.content %}<c>think<m>{{ m.content }}<e><s>assistant"
        "{% endif %}{% for c in m.tool_calls %}<c>call<m>{{ c.function|tojson }}<x>{% endfor %}"
        "{% else %}<c>final<m>{{ m.content }}<e>{% endif %}{% endfor %}"
        "{% if add_generation_prompt %}<s>assistant{% endif %}"
    )
    found = derive(Probes(chatcodec.load(source)._renderer))
    assert found.pieces is not None
    assert found.pieces.reasoning == Reasoning("<c>think<m>", "<e><s>assistant")
    assert found.facts.beside == "free"


TURNS = "{% for m in messages %}<|{{ m.role }}|>\n{{ TEXT }}<|end|>\n{% endfor %}{% if add_generation_prompt %}"
SPLIT = TURNS.replace("TEXT", "m.content.split('=done=')[-1]")
PLAIN = TURNS.replace("TEXT", "m.content")
DONE = "{% endif %}"
UNPRINTED: dict[str, tuple[str, Any, bool]] = {
    "an empty block": (
        PLAIN + "<|assistant|>\n{% if not think %}<r>\n\n<end>\n\n{% endif %}" + DONE,
        Reasoning("<r>\n", "\n<end>\n\n"),
        False,
    ),
    "an empty block that turns have too": (
        PLAIN.replace("{{ m.content", "{% if m.role == 'assistant' %}<r><end>{% endif %}{{ m.content")
        + "<|assistant|>\n{% if think %}<r>{% elif think is defined %}<r><end>{% endif %}"
        + DONE,
        Reasoning("<r>", "<end>"),
        False,
    ),
    "a marker that content is cut at": (
        SPLIT + "<|assistant|>\nSteps:\n" + DONE,
        Reasoning("Steps:\n", "\n=done=\n\n"),
        False,
    ),
    "one marker for each setting": (
        PLAIN + "<|assistant|>\n{% if think %}<r>{% else %}</r>{% endif %}" + DONE,
        Reasoning("<r>", "</r>"),
        False,
    ),
    "content that begins with what closes": (
        PLAIN.replace("{{ m.content", "{% if m.role == 'assistant' %}</r>{% endif %}{{ m.content")
        + "<|assistant|>\n{% if think %}<r>{% else %}</r>{% endif %}"
        + DONE,
        Reasoning("<r>", "</r>"),
        False,
    ),
    "markup": (PLAIN + "<|assistant|>\n<r>\n" + DONE, Reasoning("<r>\n", "\n</r>\n\n"), True),
    "a text": (PLAIN + "<|assistant|>\nSteps:\n" + DONE, None, False),
    "a control token": (PLAIN + "<|assistant|>\n<|go|>" + DONE, None, False),
    "part of the header": (PLAIN + "<|assistant|>\n{% if think %}{{ think }}{% endif %}" + DONE, None, False),
}


@pytest.mark.parametrize("name", UNPRINTED)
def test_reasoning_that_no_turn_prints_is_told_by_generation_prompts(name: str) -> None:
    source, reasoning, assumed = UNPRINTED[name]
    found = derivation_of(chatcodec.load(source)._renderer)  # type: ignore[arg-type]
    assert found.pieces is not None, found.reasons
    assert (found.pieces.reasoning, found.pieces.header) == (reasoning, "<|assistant|>\n")
    assert any("assumed" in note for note in found.notes) == assumed


@pytest.mark.parametrize("name", [name for name, (_, reasoning, _) in UNPRINTED.items() if reasoning])
def test_a_reply_behind_a_prompt_that_asks_for_reasoning_has_it(name: str) -> None:
    source, reasoning, _ = UNPRINTED[name]
    codec = chatcodec.load(source)
    options: dict[str, Any] = {"think": True} if "think" in source else {}
    prompt = codec.render([{"role": "user", "content": "q"}], add_generation_prompt=True, **options)
    reply = f"{'' if reasoning.opening.strip() in prompt.text else reasoning.opening}why{reasoning.closing}so<|end|>"
    message = codec.parse(reply, prompt=prompt).message
    assert message == {"role": "assistant", "content": "so", "reasoning_content": "why"}
    if "think" in source:
        prompt = codec.render([{"role": "user", "content": "q"}], add_generation_prompt=True, think=False)
        assert codec.parse("so<|end|>", prompt=prompt).message == {"role": "assistant", "content": "so"}
