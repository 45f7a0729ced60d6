"""For whom each stretch of a prompt was written: loops in loops, captured text, the generation prompt; and media."""

from __future__ import annotations

from typing import Any

import pytest

from engine.expressions import GENERATION, cases
from engine.shown import render, stretches

PROMPTS = cases(GENERATION)


def owned(template: str, **changes: Any) -> list[tuple[str, str | None]]:
    return stretches(render(template, **changes), owners=True)


def test_owners_in_loops_within_loops() -> None:
    assert owned(
        "begin{% for m in messages %}<{{ m.role }}>{% for c in m.tool_calls %}({{ c.function.name }})"
        "{% for k, v in c.function.arguments|items %}{{ k }}={{ v }};{% endfor %}{% endfor %}"
        "{% if m.content is not string %}{% for p in m.content %}[{{ p.type }}]{% endfor %}{% endif %}</>"
        "{% endfor %}end"
    ) == [
        ("begin", None),
        ("<user></>", "/messages/0"),
        ("<assistant>", "/messages/1"),
        ("(εζ)zqarg=ηθ zqvalb;zqnumber=900333;", "/messages/1/tool_calls/0"),
        ("(ικ)zqlistarg=['λμ', None];", "/messages/1/tool_calls/1"),
        ("</>", "/messages/1"),
        ("<user>", "/messages/2"),
        ("[text]", "/messages/2/content/0"),
        ("[image]", "/messages/2/content/1"),
        ("</>", "/messages/2"),
        ("end", None),
    ]


@pytest.mark.parametrize(
    "iterated",
    ["messages", "messages[0:]", "messages|list", "messages|selectattr('role')", "messages|sort(attribute='x')",
     "messages + []", "messages|reject('string')", "(messages|batch(9)|first)", "(messages if messages else [])"],
)  # fmt: skip
def test_owners_in_a_loop_through_whatever_has_the_messages(iterated: str) -> None:
    template = f"{{% for m in {iterated} %}}<{{{{ m.role }}}}>{{% endfor %}}"
    assert owned(template) == [("<user>", "/messages/0"), ("<assistant>", "/messages/1"), ("<user>", "/messages/2")]


def test_owners_in_a_loop_backwards() -> None:
    for iterated in ("messages[::-1]", "messages|reverse"):
        assert owned(f"{{% for m in {iterated} %}}<{{{{ m.role }}}}>{{% endfor %}}") == [
            ("<user>", "/messages/2"), ("<assistant>", "/messages/1"), ("<user>", "/messages/0"),
        ]  # fmt: skip


def test_owners_in_other_loops() -> None:
    assert owned("{% for t in tools %}<{{ t.function.name }}>{% endfor %}") == [("<աբ>", "/tools/0")]
    assert owned("{% for d in documents %}<{{ d.title }}>{% endfor %}") == [("<էը>", "/documents/0")]
    assert owned("{% for x in ['a'] %}<{{ x }}>{% endfor %}") == [("<a>", None)]
    assert owned("{% for x in opts.zqkeyo %}<{{ x }}>{% endfor %}") == [("<խծ>", None)]


def test_owner_outside_of_loops_is_the_message_that_is_shown() -> None:
    assert owned("<{{ messages[0].content }}|{{ messages[1].tool_calls[0].id }}|{{ tools[0].function.name }}>") == [
        ("<", None), (" жд zqalpha лп ", "/messages/0"), ("|", None), ("zqid", "/messages/1"), ("|աբ>", None),
    ]  # fmt: skip


def test_text_behind_a_loop_that_was_left_belongs_to_nobody() -> None:
    assert owned("{% for m in messages %}<{% break %}{% endfor %}end") == [("<", "/messages/0"), ("end", None)]
    nested = "{% for m in messages[:1] %}{% for c in 'ab' %}{{ c }}{% break %}{% endfor %}-{% endfor %}end"
    assert owned(nested) == [("a-", "/messages/0"), ("end", None)]


@pytest.mark.parametrize("word", ["break", "continue"])
def test_a_loop_that_is_left_in_the_generation_prompt(word: str) -> None:
    template = (
        f"{{% for m in messages[:1] %}}{{% if add_generation_prompt %}}x{{% {word} %}}{{% endif %}}y{{% endfor %}}end"
    )
    assert owned(template, add_generation_prompt=True) == [("x", "generation"), ("end", None)]
    assert owned(template) == [("y", "/messages/0"), ("end", None)]


def test_owners_in_the_else_of_a_loop() -> None:
    assert owned("{% for m in messages %}a{% for x in [] %}{% else %}b{% endfor %}{% break %}{% endfor %}") == [
        ("ab", "/messages/0")
    ]
    assert owned("{% for m in [] %}{% else %}b{% endfor %}") == [("b", None)]


CAPTURED = [("<user>", "/messages/0"), ("<assistant>", "/messages/1"), ("<user>", "/messages/2")]


@pytest.mark.parametrize(
    "template",
    [
        "{% set t %}{% for m in messages %}<{{ m.role }}>{% endfor %}{% endset %}{{ t }}",
        "{% set t | trim %}{% for m in messages %}<{{ m.role }}>{% endfor %}{% endset %}{{ t }}",
        "{% filter trim %}{% for m in messages %}<{{ m.role }}>{% endfor %}{% endfilter %}",
        "{% macro all() %}{% for m in messages %}<{{ m.role }}>{% endfor %}{% endmacro %}{{ all() }}",
        "{% macro all() %}{% for m in messages %}<{{ m.role }}>{% endfor %}{% endmacro %}{{ all()|trim }}",
        "{% macro all() %}{% for m in messages %}<{{ m.role }}>{% endfor %}{% endmacro %}{% set t = all() %}{{ t }}",
        "{% macro box() %}{{ caller() }}{% endmacro %}"
        "{% call box() %}{% for m in messages %}<{{ m.role }}>{% endfor %}{% endcall %}",
        "{% set ns = namespace(t='') %}{% for m in messages %}{% set u %}<{{ m.role }}>{% endset %}{{ u }}{% endfor %}",
        "{% macro one(m) %}<{{ m.role }}>{% endmacro %}{% for m in messages %}{{ one(m) }}{% endfor %}",
        "{% macro one(m) %}<{{ m.role }}>{% endmacro %}{% for m in messages %}{{ one(m)|trim ~ '' }}{% endfor %}",
        "{% macro box(r) %}<{{ r }}{{ caller() }}{% endmacro %}"
        "{% for m in messages %}{% call box(m.role) %}>{% endcall %}{% endfor %}",
        "{% generation %}{% for m in messages %}<{{ m.role }}>{% endfor %}{% endgeneration %}",
        "{% for m in messages %}{% generation %}<{{ m.role }}>{% endgeneration %}{% endfor %}",
        "{% for m in messages %}{% with r = m.role %}<{{ r }}>{% endwith %}{% endfor %}",
        "{% for x in [1] %}{% for m in messages recursive %}<{{ m.role }}>{% endfor %}{% endfor %}",
        "{% for m in messages if m.role %}{{ '<' + m.role + '>' }}{% endfor %}",
        "{% for m in messages %}{{ '<%s>' % m.role }}{% endfor %}",
        "{% for m in messages %}{{ '<' ~ m.role ~ '>' if loop.index else '' }}{% endfor %}",
    ],
)
def test_captured_text_keeps_for_whom_it_was_written(template: str) -> None:
    assert owned(template) == CAPTURED


def test_parts_of_captured_text_keep_for_whom_they_were_written() -> None:
    captured = "{% set t %}{% for m in messages %}<{{ m.role }}>{% endfor %}{% endset %}"
    assert owned(captured + "{{ t[3:9] }}") == [("er>", "/messages/0"), ("<as", "/messages/1")]
    assert owned(captured + "{{ t.split('><')[1] }}") == [("assistant", "/messages/1")]
    assert owned(captured + "{{ t|replace('<', '[') }}")[1:2] == [("user>", "/messages/0")]


def test_what_is_made_of_captured_text_is_derived_from_what_was_captured() -> None:
    prompt = render("{% set t %}{% for m in messages[:2] %}<{{ m.content }}>{% endfor %}{% endset %}{{ t|title }}")
    [span] = prompt.spans
    assert span.origin == "derived"
    assert span.sources == ("/messages/0/content", "/messages/1/content")


# The generation prompt


@pytest.mark.parametrize("name", PROMPTS)
def test_owner_of_the_generation_prompt(name: str) -> None:
    template = f"begin{PROMPTS[name]}end"
    assert owned(template, add_generation_prompt=True) == [("begin", None), ("GEN", "generation"), ("end", None)]
    assert {owner for _, owner in owned(template)} == {None}


def test_owners_of_data_in_the_generation_prompt() -> None:
    inside = "<{{ messages[0].role }}{% for m in messages %}{{ m.role }}{% endfor %}>"
    template = f"{{% if add_generation_prompt %}}{inside}{{% endif %}}"
    assert owned(template, add_generation_prompt=True) == [
        ("<user", "generation"),
        ("user", "/messages/0"),
        ("assistant", "/messages/1"),
        ("user", "/messages/2"),
        (">", "generation"),
    ]


@pytest.mark.parametrize(
    "template",
    ["{% if add_generation_prompt or messages %}x{% endif %}", "{% if not add_generation_prompt %}{% endif %}x",
     "{% if add_generation_prompt %}{% endif %}x", "{% if messages %}x{% elif add_generation_prompt %}y{% endif %}",
     "{{ 'x' if add_generation_prompt or messages }}"],
)  # fmt: skip
def test_what_is_written_anyway_is_not_of_the_generation_prompt(template: str) -> None:
    assert owned(template, add_generation_prompt=True) == [("x", None)]


# Media

MEDIA = (
    "{% for m in messages %}{% if m.content is string %}{{ m.content }}{% else %}{% for p in m.content %}"
    "{% if p.type == 'image' or 'image_url' in p %}<s><image>{{ loop.index }}</s>"
    "{% elif p.type == 'input_audio' %}<audio>{% elif p.type == 'video' %}<video>"
    "{% else %}{{ p.text }}{% endif %}{% endfor %}{% endif %}{% endfor %}"
)
PARTS = [
    {"type": "text", "text": "<image>"},
    {"type": "image"},
    {"type": "image_url", "image_url": {"url": "u"}},
    {"type": "input_audio"},
    {"type": "video"},
    {"type": "file"},
]


def test_media_of_parts() -> None:
    prompt = render(MEDIA, messages=[{"role": "user", "content": "<image>"}, {"role": "user", "content": PARTS}])
    assert [(media.kind, media.pointer, prompt.text[media.start : media.end]) for media in prompt.media] == [
        ("image", "/messages/1/content/1", "<s><image>2</s>"),
        ("image", "/messages/1/content/2", "<s><image>3</s>"),
        ("audio", "/messages/1/content/3", "<audio>"),
        ("video", "/messages/1/content/4", "<video>"),
    ]


def test_media_written_by_a_macro() -> None:
    template = "{% macro part(p) %}{{ '<img>' if p.type == 'image' else p.text }}{% endmacro %}" + (
        "{% for m in messages %}{% for p in m.content %}{{ part(p) }}{% endfor %}{% endfor %}"
    )
    prompt = render(
        template, messages=[{"role": "user", "content": [{"type": "image"}, {"type": "text", "text": "<img>"}]}]
    )
    assert [(media.pointer, media.start, media.end) for media in prompt.media] == [("/messages/0/content/0", 0, 5)]


def test_no_media() -> None:
    assert render("{% for m in messages %}{{ m.role }}{% endfor %}").media == []
