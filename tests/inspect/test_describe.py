"""Cards of small templates, each of which does one thing."""

from typing import Any

import pytest

import chatcodec
from chatcodec.inspect.card import Card
from chatcodec.inspect.outcome import Outcome

ANY = "{% for m in messages %}<{{ m.role }}>{{ m.content }}</{{ m.role }}>{% endfor %}"
GENERATION = "{% if add_generation_prompt %}<assistant>{% endif %}"
TURNS = ANY + GENERATION


def card(template: str) -> Card:
    return chatcodec.load(template).describe()


def only(condition: str) -> str:
    return "{% for m in messages %}{% if " + condition + " %}<{{ m.role }}>{{ m.content }}</>{% endif %}{% endfor %}"


def refusing(condition: str, words: str) -> str:
    return (
        "{% for m in messages %}{% if "
        + condition
        + " %}{{ raise_exception('"
        + words
        + "') }}{% endif %}"
        + ("<{{ m.role }}>{{ m.content }}</>{% endfor %}" + GENERATION)
    )


# Roles and system messages


def test_roles() -> None:
    assert card(TURNS).messages.roles["other"] == Outcome("printed", "under its own name")
    assert card(only("m.role != 'tool'")).messages.roles["tool"] == Outcome("lost")
    found = card(refusing("m.role == 'developer'", "no developers")).messages.roles
    assert found["developer"] == Outcome("refused", "no developers")
    assert found["system"] == Outcome("printed")
    as_system = (
        "{% for m in messages %}<{{ 'system' if m.role == 'developer' else m.role }}>{{ m.content }}{% endfor %}"
    )
    assert card(as_system).messages.roles["developer"] == Outcome("as system")


@pytest.mark.parametrize(
    ("template", "several", "later"),
    [
        (TURNS, "in place", "in place"),
        (
            "{% set found = messages|selectattr('role', 'eq', 'system')|map(attribute='content')|join('\\n') %}"
            "<s>{{ found }}</s>" + only("m.role != 'system'"),
            "joined",
            "hoisted",
        ),
        ("{% for m in messages %}{% if m.role != 'system' or loop.first %}<{{ m.role }}>{{ m.content }}</>{% endif %}"
         "{% endfor %}", "only the first", "lost"),
        (only("m.role != 'system'"), "lost", "lost"),
        ("{% for m in messages %}{% if m.role == 'system' and not loop.first %}{{ raise_exception('one') }}{% endif %}"
         "{{ m.content }} {% endfor %}", "refused", "refused"),
    ],
)  # fmt: skip
def test_system_messages(template: str, several: str, later: str) -> None:
    system = card(template).messages.system
    assert (system["several"].how, system["later"].how) == (several, later)


def test_a_default_system_message() -> None:
    template = (
        "{% if messages[0].role == 'system' %}<s>{{ messages[0].content }}</s>{% else %}<s>Be kind.</s>{% endif %}"
        + only("m.role != 'system'")
    )
    assert card(template).messages.default_system == "Be kind."
    assert card(TURNS).messages.default_system is None


# Content


def test_lists_of_parts() -> None:
    joined = (
        "{% for m in messages %}{% if m.content is string %}{{ m.content }}{% else %}"
        "{% for p in m.content %}{{ p.text if p.type == 'text' else '<img>' if p.type == 'image' else '' }}{% endfor %}"
        "{% endif %}{% endfor %}"
    )
    found = card(joined).messages
    assert found.lists["user"] == Outcome("joined", "''")
    assert found.parts["image"] == Outcome("printed", "'<img>'")
    assert found.parts["video"] == Outcome("lost")
    assert card(TURNS).messages.lists["user"] == Outcome("as Python prints it")
    assert card(TURNS).python == {"/messages/*/content": ("[...]", "{...}")}
    fails = card("{% for m in messages %}{{ m.content + '' }}{% endfor %}").messages.lists["user"]
    assert fails.how == "fails"
    assert fails.detail.startswith("line 1: TypeError: ")


# Tools, calls, results

CALLS = (
    "{% if tools %}<tools>{% for t in tools %}{{ t | tojson }}{% endfor %}</tools>{% endif %}"
    "{% for m in messages %}<{{ m.role }}>{{ m.content }}{% for c in m.tool_calls or [] %}<call>{{ SHOWN }}</call>"
    "{% endfor %}</{{ m.role }}>{% endfor %}" + GENERATION
)


@pytest.mark.parametrize(
    ("shown", "as_object", "as_text"),
    [
        ("f | tojson", Outcome("printed", "as JSON"), Outcome("as a JSON string")),
        (
            "f.name ~ (f.arguments if f.arguments is string else f.arguments | tojson)",
            Outcome("printed", "as JSON"),
            Outcome("as it is"),
        ),
        (
            "f.arguments.split() | join('') if f.arguments is string else f.arguments.kqvs",
            Outcome("printed", "without their names"),
            Outcome("printed"),
        ),
        ("f.name ~ f.arguments", Outcome("printed", "as Python prints it"), Outcome("as it is")),
        ("f.name", Outcome("lost"), Outcome("lost")),
    ],
)
def test_arguments(shown: str, as_object: Outcome, as_text: Outcome) -> None:
    calls = card(CALLS.replace("{{ SHOWN", "{% set f = c.function %}{{ " + shown)).calls
    assert (calls.object, calls.text) == (as_object, as_text)


def test_values_of_arguments() -> None:
    tagged = "{% for k, v in c.function.arguments.items() %}{{ c.function.name }}{{ k }}={{ v }}{% endfor %}"
    values = card(CALLS.replace("{{ SHOWN }}", tagged)).calls.values
    assert (values["text"], values["integer"], values["boolean"]) == ("as it is", "as JSON", "as Python prints it")


def test_tools_and_results() -> None:
    found = card(CALLS.replace("SHOWN", "c.function | tojson"))
    assert (found.tools.given, found.tools.form) == (Outcome("printed", "before the system text"), "as JSON")
    assert (found.results.given, found.results.several) == (Outcome("printed"), Outcome("a turn each"))
    assert (found.results.ids, found.results.names) == (False, "none")
    bare = card("{% for t in tools or [] %}{{ t.function.name }}{% endfor %}" + TURNS)
    assert (bare.tools.form, bare.tools.lost) == (
        "in words of its own",
        ("description", "parameters", "descriptions of parameters"),
    )
    assert bare.calls.object == Outcome("lost")


# Reasoning

REASONED = (
    "{% for m in messages %}<{{ m.role }}>{% if m.reasoning_content and KEPT %}<think>{{ m.reasoning_content }}</think>"
    "{% endif %}{{ m.content }}</{{ m.role }}>{% endfor %}{% if add_generation_prompt %}<assistant>PROMPT{% endif %}"
)


def reasoned(kept: str, prompt: str) -> Card:
    return card(REASONED.replace("KEPT", kept).replace("PROMPT", prompt))


def test_reasoning_in_turns() -> None:
    found = reasoned("loop.last", "").reasoning
    assert (found.last, found.history, found.fields) == (Outcome("printed"), Outcome("lost"), ("reasoning_content",))
    assert (found.default, found.switch) == ("left to the model", None)
    assert card(TURNS).reasoning.last == Outcome("lost")


@pytest.mark.parametrize(
    ("prompt", "default"),
    [
        ("{% if not think %}<think></think>{% endif %}", "off"),
        ("{{ '<think></think>' if think is defined and not think else '<think>' }}", "on"),
        ("{% if think is defined and think is false %}<think></think>{% endif %}", "on"),
        ("{% if think %}<think>{% endif %}", "off"),
    ],
)
def test_the_switch(prompt: str, default: str) -> None:
    found = reasoned("true", prompt).reasoning
    assert found.switch is not None
    assert (found.switch.on, found.switch.off, found.switch.budget) == ({"think": True}, {"think": False}, None)
    assert found.default == default
    assert found.switch.changes == ("generation prompt",)


def test_a_switch_of_words_in_the_system_text() -> None:
    template = "{% if mull %}<think> first.{% endif %}" + REASONED.replace("KEPT", "true").replace("PROMPT", "")
    switch = card(template).reasoning.switch
    assert switch is not None
    assert (switch.on, switch.changes) == ({"mull": True}, ("prompt", "prompt without a system message"))


def test_a_switch_with_words_for_values() -> None:
    prompt = "{{ '<think>' if depth == 'deep' else '<think></think>' if depth == 'none' }}"
    found = reasoned("true", prompt).reasoning
    assert found.switch is not None
    assert (found.switch.on, found.switch.off) == ({"depth": "deep"}, {"depth": "none"})
    assert found.default == "left to the model"


def test_an_option_that_the_generation_prompt_prints_is_no_switch() -> None:
    assert reasoned("true", "{{ prefix or '' }}").reasoning.switch is None
    inside = REASONED.replace("KEPT", "true").replace("<assistant>PROMPT", "<{{ 'judge' if hard else 'assistant' }}>")
    assert card(inside).reasoning.switch is None


def test_a_switch_of_what_is_printed_nowhere() -> None:
    template = ANY.replace("<{{ m.role }}>", "<{{ m.role }}>{% if m.role == 'assistant' %}</think>{% endif %}") + (
        "{% if add_generation_prompt %}<assistant>{{ '<think>' if deep else '</think>' }}{% endif %}"
    )
    switch = card(template).reasoning.switch
    assert switch is not None
    assert (switch.on, switch.off) == ({"deep": True}, {"deep": False})


def test_an_option_that_is_no_switch() -> None:
    found = card("{% if loud %}LOUD{% endif %}" + REASONED.replace("KEPT", "true").replace("PROMPT", ""))
    assert found.reasoning.switch is None
    changes = {change.value: change.places for change in found.options[0].changes}
    assert changes == {True: ("beginning",), False: ()}


# How chats go on


def test_stability() -> None:
    assert card(TURNS).stability["content"] == Outcome("goes on")
    assert reasoned("true", "<think>").stability["content"] == Outcome("other generation prompt")
    backwards = card("{% for m in messages|reverse %}{{ m.content }}{% endfor %}" + GENERATION)
    assert backwards.stability["content"] == Outcome("rewritten")


# Templates that are of no use


def test_a_template_that_refuses_everything() -> None:
    found = card("{{ raise_exception('go away') }}")
    assert found.failures == ("every probe is refused: go away",)
    assert found.messages.roles["user"] == Outcome("refused", "go away")
    assert found.replies.pieces is None
    assert found.replies.reasons


def test_a_template_that_never_ends() -> None:
    found = card("{% for a in range(99999) %}{% for b in range(99999) %}{{ b }}{% endfor %}{% endfor %}")
    assert len(found.failures) == 1
    assert "no more probes are rendered" in found.failures[0]
    assert found.messages.roles["user"].how == "over a limit"


def test_a_template_that_prints_nothing_for_the_assistant() -> None:
    found = card(only("m.role == 'user'"))
    assert found.messages.roles["assistant"] == Outcome("lost")
    assert found.replies.pieces is None
    assert found.failures == ()


def test_a_template_that_fails_with_tools() -> None:
    found = card("{% if tools %}{{ tools.nothing.here }}{% endif %}" + TURNS)
    assert found.tools.given.how == "fails"
    assert found.calls.object.how == "lost"  # the call itself is tried without tools


def test_the_source() -> None:
    found = card("{{ strftime_now('%Y') }}{% macro f(x) %}{{ x | trim }}{% endmacro %}{{ f('a'.strip()) }}" + TURNS)
    assert found.source is not None
    assert found.source.clock
    assert found.source.features == {
        "statements": ("macro",), "filters": ("trim",), "functions": ("strftime_now",), "methods": ("strip",),
    }  # fmt: skip
    assert chatcodec.load("seed-oss").describe().source is None


def test_a_card_is_made_once_and_is_json() -> None:
    codec = chatcodec.load(TURNS)
    assert codec.describe() is codec.describe()
    again: dict[str, Any] = chatcodec.load(TURNS).describe().as_json()
    assert again == codec.describe().as_json()


def test_given_pieces_are_said_to_be_given() -> None:
    assert chatcodec.load(TURNS, pieces="seed-oss").describe().replies.origin == "given"
