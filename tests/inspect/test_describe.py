"""Cards of small templates, each of which does one thing."""

import json
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import chatcodec
from chatcodec.cli.card import screen
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
        ("{% for m in messages %}{% if m.role != 'system' or loop.index0 == 1 %}<{{ m.role }}>{{ m.content }}</>"
         "{% endif %}{% endfor %}", "only the last", "lost"),
        ("{% for m in messages|reverse %}<{{ m.role }}>{{ m.content }}</>{% endfor %}", "moved", "hoisted"),
        ("{% for m in messages %}{{ m.content }}\n\n{% endfor %}", "in place", "in place"),
        ("{% for m in messages %}{% if m.role == 'system' and not loop.first %}{{ raise_exception('one') }}{% endif %}"
         "{{ m.content }} {% endfor %}", "refused", "refused"),
    ],
)  # fmt: skip
def test_system_messages(template: str, several: str, later: str) -> None:
    system = card(template).messages.system
    assert (system["several"].how, system["later"].how) == (several, later)


def test_a_later_system_message_may_take_the_place_of_the_first() -> None:
    template = (
        "{% set ns = namespace(s='') %}{% for m in messages %}{% if m.role == 'system' %}{% set ns.s = m.content %}"
        "{% endif %}{% endfor %}<s>{{ ns.s }}</s>" + only("m.role != 'system'")
    )
    assert card(template).messages.system["later"] == Outcome("hoisted", "the first one is lost")


def test_a_system_message_that_is_lost_in_tool_loops() -> None:
    template = (
        "{% for m in messages %}{% if m.role != 'system' or messages[-1].role == 'user' %}<{{ m.role }}>{{ m.content }}"
        "{{ m.tool_calls }}</>{% endif %}{% endfor %}"
    )
    assert card(template).messages.system["in a tool loop"] == Outcome("lost")
    assert card(TURNS).messages.system["in a tool loop"] == Outcome("printed")


def test_the_order_of_turns() -> None:
    alternating = (
        "{% for m in messages %}{% if (m.role == 'user') != (loop.index0 % 2 == 0) %}{{ raise_exception('alternate') }}"
        "{% endif %}<{{ m.role }}>{{ m.content }}</>{% endfor %}"
    )
    found = card(alternating).messages.order
    assert found == {
        "two users": Outcome("refused", "alternate"),
        "assistant first": Outcome("refused", "alternate"),
    }
    assert set(card(TURNS).messages.order.values()) == {Outcome("printed")}
    joined = "{{ messages | map(attribute='content') | join(' ') }}"
    assert card(joined).messages.order["two users"] == Outcome("joined", "' '")


def test_text_of_its_own() -> None:
    assert card("<s>You are a judge.</s>" + TURNS).messages.own_text == ("You are a judge.</s><system>",)
    assert card(TURNS).messages.own_text == ()


def test_a_default_system_message() -> None:
    template = (
        "{% if messages[0].role == 'system' %}<s>{{ messages[0].content }}</s>{% else %}<s>Be kind.</s>{% endif %}"
        + only("m.role != 'system'")
    )
    assert card(template).messages.default_system == "Be kind."
    assert card(TURNS).messages.default_system is None
    bare = "<bos>{% for m in messages %}{{ m.content if m.role == 'system' else '<u>' + m.content }}{% endfor %}"
    assert card(bare).messages.default_system is None
    empty = "<s>{{ messages[0].content if messages[0].role == 'system' }}</s>" + only("m.role != 'system'")
    assert card(empty).messages.default_system == ""


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


def test_a_list_of_which_one_part_is_printed() -> None:
    first = "{% for m in messages %}{{ m.content if m.content is string else m.content[0].text }}{% endfor %}"
    assert card(first).messages.lists["user"] == Outcome("only the first")


def test_content_that_is_not_there() -> None:
    assert card(TURNS).messages.nulls["user"] == Outcome("as empty")
    word = "{% for m in messages %}<{{ m.role }}>{{ m.get('content') }}</>{% endfor %}"
    assert card(word).messages.nulls["assistant"] == Outcome("as the word None")
    assert card("None. " + TURNS).messages.nulls["assistant"] == Outcome("as empty")
    otherwise = "{% for m in messages %}<{{ m.role }}>{{ m.content if m.content is defined else '-' }}</>{% endfor %}"
    assert card(otherwise).messages.nulls["assistant with calls"] == Outcome("otherwise than empty")


def test_what_stands_for_any_part_stands_for_none() -> None:
    template = (
        "{% for m in messages %}{% if m.content is string %}{{ m.content }}{% else %}{% for p in m.content %}"
        "<p>{{ p.text or ('<img>' if p.type == 'image') }}</p>{% endfor %}{% endif %}{% endfor %}"
    )
    parts = card(template).messages.parts
    assert (parts["image"].how, parts["video"].how, parts["other"].how) == ("printed", "lost", "lost")


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


def test_where_tools_stand() -> None:
    tools = "{% for t in tools or [] %}{{ t.function.name }}{% endfor %}"
    assert card(tools).tools.given == Outcome("printed", "alone")
    refusing_system = refusing("m.role == 'system'", "no system") + tools
    assert card(refusing_system).tools.given == Outcome("printed", "behind the user message")
    last = "{% for m in messages %}{% if loop.last %}" + tools + "{% endif %}{{ m.content }}{% endfor %}"
    assert card(last).tools.given == Outcome("printed", "before the last user message")


def test_calls_are_looked_for_in_their_turn() -> None:
    arguments = card(CALLS.replace("SHOWN", "c.function.arguments | tojson")).calls
    assert (arguments.object, arguments.names) == (Outcome("printed", "as JSON"), Outcome("lost"))
    values = card(CALLS.replace("SHOWN", "c.function.arguments.values() | join")).calls
    assert values.object == Outcome("printed", "without their names")
    assert values.values["text"] == "as it is"
    none = card(CALLS.replace("{{ SHOWN }}", "")).calls
    assert set(none.values.values()) == {"lost"}


def test_some_of_several_calls() -> None:
    for which, name in (("[:1]", "first"), ("[-1:]", "last")):
        found = card(CALLS.replace("m.tool_calls or []", f"(m.tool_calls or []){which}").replace("SHOWN", "c | tojson"))
        assert found.calls.several == Outcome(f"only the {name}")


def test_ids_that_a_template_insists_on() -> None:
    insists = "{{ raise_exception('nine') if c.id|length != 9 }}{{ c.id }}{{ c.function | tojson }}"
    calls = card(CALLS.replace("{{ SHOWN }}", insists)).calls
    assert (calls.ids, calls.other_ids) == (Outcome("printed"), Outcome("refused", "nine"))


def test_calls_that_are_lost_in_the_last_message() -> None:
    found = card(CALLS.replace("m.tool_calls or []", "(m.tool_calls if not loop.last) or []").replace("SHOWN", "c"))
    assert (found.calls.object.how, found.calls.last.how) == ("printed", "lost")


def test_a_template_that_takes_arguments_as_text_only() -> None:
    found = card(CALLS.replace("SHOWN", "c.function.name + '\n' + c.function.arguments"))
    assert found.calls.object.how == "fails"
    assert found.calls.text == Outcome("as it is")
    assert (found.messages.roles["tool"], found.results.given) == (Outcome("printed"), Outcome("printed"))
    assert found.calls.several == Outcome("printed")


def test_a_template_that_takes_no_tools() -> None:
    found = card("{% if tools %}{{ raise_exception('no tools') }}{% endif %}" + CALLS.replace("SHOWN", "c | tojson"))
    assert found.tools.given == Outcome("refused", "no tools")
    assert (found.calls.object.how, found.results.given.how) == ("printed", "printed")


def test_results_in_the_order_of_their_calls() -> None:
    template = (
        "{% for m in messages if m.role != 'tool' %}<{{ m.role }}>{{ m.content }}{% for c in m.tool_calls or [] %}"
        "{{ c.function | tojson }}{% for r in messages if r.tool_call_id == c.id %}<r>{{ r.content }}</r>{% endfor %}"
        "{% endfor %}{% endfor %}"
    )
    assert card(template).results.order == Outcome("as called")
    assert card(TURNS).results.order == Outcome("as given")


def test_what_stands_beside_results() -> None:
    assert card(TURNS.replace("{{ m.content }}", "{{ m.name }}{{ m.content }}")).results.names == "its own"
    assert card(TURNS.replace("{{ m.content }}", "{{ m.tool_call_id }}{{ m.content }}")).results.ids
    by_call = TURNS.replace(
        "{{ m.content }}", "{{ messages[1].tool_calls[0].function.name if m.role == 'tool' }}{{ m.content }}"
    )
    assert card(by_call).results.names == "its call's"
    assert card(TURNS.replace("{{ m.content }}", "{{ m.content | tojson }}")).results.given.detail == "as a JSON string"


def test_a_result_without_a_call_is_the_last_message() -> None:
    later = "{{ raise_exception('no') if m.role == 'user' and loop.index0 }}"
    assert card(TURNS.replace("{{ m.content }}", later + "{{ m.content }}")).results.unasked == Outcome("printed")


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


def test_reasoning_in_content() -> None:
    assert reasoned("true", "").reasoning.inline == Outcome("kept as it is")
    taken = (
        REASONED.replace("KEPT", "true")
        .replace("PROMPT", "")
        .replace("{{ m.content }}", "{{ m.content.split('</think>')[-1] }}")
    )
    assert card(taken).reasoning.inline == Outcome("taken out")
    before = "{% if '</think>' in m.content %}{{ m.content.split('</think>')[0].split('<think>')[1] }}{% endif %}"
    assert card(taken.replace("<{{ m.role }}>", "<{{ m.role }}>" + before)).reasoning.inline == Outcome("split off")


def test_reasoning_that_another_option_prints() -> None:
    found = reasoned("show", "{{ '<think>' if think else '<think></think>' }}").reasoning
    assert found.with_options == {"think": True, "show": True}
    assert found.last == Outcome("printed")


def test_a_prompt_that_opens_reasoning_which_no_turn_prints() -> None:
    assert card(ANY + "{% if add_generation_prompt %}<assistant><think>{% endif %}").reasoning.default == "on"
    assert card(ANY + "{% if add_generation_prompt %}<assistant><think></think>{% endif %}").reasoning.default == "off"


def test_the_prompt_after_a_result() -> None:
    template = ANY + "{% if add_generation_prompt and messages[-1].role != 'tool' %}<assistant>{% endif %}"
    prompts = card(template).reasoning.prompts
    assert (prompts["default"], prompts["after a result"], prompts["on"]) == ("<assistant>", "", None)


def test_a_prompt_that_is_always_written() -> None:
    closing = "{{ '<think>' if think else '<think></think>' }}"
    found = card(
        REASONED.replace("KEPT", "true")
        .replace("{% if add_generation_prompt %}", "{% if true %}")
        .replace("PROMPT", closing)
    )
    assert found.reasoning.prompts["on"] == "<assistant><think>"
    assert found.reasoning.switch is not None
    assert found.reasoning.switch.on == {"think": True}


def test_a_content_marker_behind_reasoning() -> None:
    prompt = "{{ '<think>' if think else '<think></think><answer>' }}"
    switch = reasoned("true", prompt).reasoning.switch
    assert switch is not None
    assert (switch.on, switch.off) == ({"think": True}, {"think": False})


# How chats go on


def test_stability() -> None:
    assert card(TURNS).stability["content"] == Outcome("goes on")
    assert reasoned("true", "<think>").stability["content"] == Outcome("other generation prompt")
    rewritten = reasoned("loop.last", "")
    assert rewritten.stability["reasoning"] == Outcome("the turn is rewritten")
    assert card(TURNS).stability["reasoning"] == Outcome("lost")
    tools = "{% if loop.last and tools %}{{ tools }}{% endif %}"
    moved = card("{% for m in messages %}" + tools + "<{{ m.role }}>{{ m.content }}{% endfor %}").stability
    assert (moved["content"], moved["content with tools"]) == (Outcome("goes on"), Outcome("rewritten"))
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


def test_a_template_that_writes_much_is_not_looked_at_for_long() -> None:
    much = "{% for i in range(300) %}{% for j in range(300) %}{{ i }}{% endfor %}{% endfor %}" + TURNS
    start = time.process_time()
    found = card(much)
    assert time.process_time() - start < 30
    assert found.messages.roles["user"] == Outcome("over a limit", "probe")
    assert "again and again (probe)" in found.failures[0]


def test_reasoning_that_cannot_be_read_is_said() -> None:
    [note] = card(TURNS.replace("<assistant>{% endif", "<assistant><|think|>{% endif")).replies.reasons
    assert "reasoning is not read" in note
    [note] = card(TURNS.replace("<assistant>{% endif", "<assistant><think>{% endif")).replies.reasons
    assert "it is assumed to be" in note
    assert card(TURNS).replies.reasons == ()


def test_depth_is_no_reason_to_stop() -> None:
    deep = "{% macro f(x) %}{{ f(x) }}{% endmacro %}{% if messages[0].role == 'system' %}{{ f(1) }}{% endif %}" + TURNS
    found = card(deep)
    assert found.failures == ()
    assert found.messages.roles["system"] == Outcome("over a limit", "depth")
    assert found.messages.roles["developer"].how == "printed"


def test_an_option_that_takes_too_much_ends_no_line_of_plain_chats() -> None:
    template = (
        "{% for a in range(n or 0) %}{% for b in range(n or 0) %}{{ b }}{% endfor %}{% endfor %}{{ n + 1 if n }}"
        + TURNS
    )
    found = card(template)
    assert found.messages.roles["user"] == Outcome("printed")
    assert found.results.given == Outcome("printed")


def test_options_that_are_too_many() -> None:
    names = "".join(f"{{% if o{number} == 'a' %}}x{{% endif %}}" for number in range(60))
    found = card(names + TURNS)
    assert len(found.options) == 60
    assert found.messages.roles["user"] == Outcome("printed")


def test_failures_stay_on_their_line() -> None:
    text = screen(card("{{ raise_exception('x\n\nroles      all of them') }}"))
    assert "\nroles      all" not in text
    assert "every probe is refused: x roles all of them" in " ".join(text.split())


def test_a_card_has_the_name_of_its_codec(tmp_path: Path) -> None:
    paths = [tmp_path / "one.jinja", tmp_path / "two.jinja"]
    for path in paths:
        path.write_text("{{ messages.nothing.at.all }}")
    cards = [chatcodec.load(path).describe() for path in paths]
    assert [Path(each.name).name for each in cards] == ["one.jinja", "two.jinja"]
    assert "one.jinja" not in json.dumps(cards[1].as_json())


def test_a_card_may_be_asked_for_by_several_threads() -> None:
    codec = chatcodec.load(TURNS + "{{ threads }}")
    with ThreadPoolExecutor(4) as pool:
        cards = list(pool.map(lambda _: codec.describe().as_json(), range(4)))
    assert all(each == cards[0] for each in cards)


def test_numbers_that_are_no_json() -> None:
    found = card("{{ x | default(1e999) }}" + TURNS).as_json()
    assert found["options"][0]["default"] == "inf"
    json.dumps(found, allow_nan=False)


def test_values_under_which_nothing_renders() -> None:
    found = card("{% if x is true %}{{ raise_exception('x') }}{% elif x is false %}{% endif %}" + TURNS)
    assert found.options[0].changes[0].places == ("whether it renders",)
    found = card("{% if not x %}{{ raise_exception('x') }}{% endif %}" + TURNS)
    assert found.options[0].changes[0].places == ("whether it renders",)


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
