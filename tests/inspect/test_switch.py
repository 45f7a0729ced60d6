"""``thinking=``: one switch over all codecs."""

import pytest

import chatcodec
from chatcodec.errors import UnknownOption

USER = {"role": "user", "content": "q"}
REASONED = (
    "{% for m in messages %}<{{ m.role }}>"
    "{% if m.reasoning_content %}<think>{{ m.reasoning_content }}</think>{% endif %}"
    "{{ m.content }}</{{ m.role }}>{% endfor %}"
)


def opened(template: str, prompt: str) -> str:
    """Return a template with a generation prompt."""
    return template + "{% if add_generation_prompt %}<assistant>" + prompt + "{% endif %}"


OWN = "{% for m in messages %}{{ m.content }}{% endfor %}{% if add_generation_prompt %}<a>{{ thinking }}{% endif %}"


def prompt(name: str, *, system: str | None = None, **options: object) -> chatcodec.Rendered:
    messages = [USER] if system is None else [{"role": "system", "content": system}, USER]
    return chatcodec.load(name).render(messages, add_generation_prompt=True, **options)


@pytest.mark.parametrize(
    ("name", "thinking", "options"),
    [
        ("qwen3.6", "on", {"enable_thinking": True}),
        ("qwen3.6", "off", {"enable_thinking": False}),
        ("bailing-v3", "off", {"enable_thinking": False}),
        ("seed-oss", "on", {"thinking_budget": -1}),
        ("seed-oss", "off", {"thinking_budget": 0}),
        ("seed-oss", 512, {"thinking_budget": 512}),
    ],
)
def test_it_sets_the_codecs_own_option(name: str, thinking: object, options: dict[str, object]) -> None:
    assert prompt(name, thinking=thinking).text == prompt(name, **options).text


@pytest.mark.parametrize(
    ("name", "thinking", "words"),
    [
        ("qwen3-tir", "off", "no option is known to switch reasoning, which it prints in turns that have it"),
        ("qwen2.5-ja-struct", "on", "no option is known to switch reasoning, and it prints none"),
        ("qwen3.6", 512, 'no option takes a budget; found number 512, accepted: the texts "on" and "off"'),
        ("seed-oss", "much", 'found string "much", accepted: the texts "on" and "off", a number of tokens'),
        ("seed-oss", -5, "found number -5, accepted:"),
    ],
)
def test_what_a_codec_has_no_option_for_is_refused(name: str, thinking: object, words: str) -> None:
    with pytest.raises(UnknownOption, match=r"thinking: ") as caught:
        prompt(name, thinking=thinking)
    assert words in str(caught.value)
    assert caught.value.pointer == "/options/thinking"


@pytest.mark.parametrize(("thinking", "given"), [("on", False), ("on", 1), ("off", 0), ("on", {1, 2})])
def test_it_may_not_contradict_the_option(thinking: str, given: object) -> None:
    with pytest.raises(UnknownOption, match=f'string "{thinking}" sets enable_thinking to .*, and .* is given too'):
        prompt("qwen3.6", thinking=thinking, enable_thinking=given)


def test_it_may_say_what_the_option_says() -> None:
    assert prompt("qwen3.6", thinking="off", enable_thinking=False).text.endswith("</think>\n\n")


def test_an_option_of_that_name_keeps_its_values() -> None:
    for value in (True, "deep", "on", 5):
        assert prompt(OWN, thinking=value).text == f"q<a>{value}"
    with pytest.raises(UnknownOption, match="did you mean enable_thinking"):
        prompt("qwen3.6", thinking=True)
    compared = opened(REASONED, "{{ '<think>' if thinking == 'on' else '<think></think>' if thinking == 'no' }}")
    assert prompt(compared, thinking="on").text.endswith("<assistant><think>")
    switched = opened(REASONED, "{{ '<think>' if thinking is true else '<think></think>' }}")
    assert prompt(switched, thinking="off").text.endswith("<assistant><think></think>")
    assert prompt(switched, thinking="on").text.endswith("<assistant><think>")


def test_unknown_ones_may_be_passed_over() -> None:
    assert prompt("qwen3-tir", thinking="on", allow_unknown=True).text == prompt("qwen3-tir").text
    assert prompt("qwen3.6", thinking={"type": "on"}, allow_unknown=True).text == prompt("qwen3.6").text


BUDGET = (
    "{% if think is not defined %}{% set think = false %}{% endif %}"
    "{% if budget is defined and budget > 0 %}Stop at {{ budget }}, </think> or not.{% endif %}"
)


def test_a_budget_beside_a_switch_is_both() -> None:
    limited = "{% if budget is defined and budget < 1 %}<think></think>{% endif %}"
    template = opened(BUDGET + REASONED, limited + "{{ '<think>' if think else '<think></think>' }}")
    switch = chatcodec.load(template).describe().reasoning.switch
    assert switch is not None
    assert (switch.on, switch.off, switch.budget) == ({"think": True}, {"think": False}, "budget")
    assert prompt(template, thinking=7).text.endswith("<assistant><think>")
    assert prompt(template, thinking=7).text.startswith("Stop at 7, ")
    assert prompt(template, thinking=0).text == prompt(template, think=False).text
    with pytest.raises(UnknownOption, match="sets think to true, and boolean false is given too"):
        prompt(template, thinking=7, think=False)


def test_a_number_that_has_nothing_to_do_with_reasoning_is_no_budget() -> None:
    template = "{% if calls is defined and calls > 0 %}Call {{ calls }} tools.{% endif %}" + opened(REASONED, "")
    assert chatcodec.load(template).describe().reasoning.switch is None
    with pytest.raises(UnknownOption):
        prompt(template, thinking=512)


def test_system_text_that_decides_instead_is_warned_about() -> None:
    rendered = prompt("bailing-v3", system="detailed thinking on", thinking="off")
    [warning] = rendered.warnings
    assert (warning.code, warning.pointer) == ("thinking-overridden", "/messages/0/content")
    assert prompt("bailing-v3", system="Be kind.", thinking="off").warnings == []
    assert prompt("bailing-v3", system="detailed thinking on", enable_thinking=False).warnings == []


DEEP = (
    "{% set deep = messages | selectattr('role', 'eq', 'system') | selectattr('content', 'eq', 'deep') | list %}"
    "{% set thinks = deep or (think is not defined or think) %}"
)


def test_any_system_message_may_decide_what_the_generation_prompt_does() -> None:
    codec = chatcodec.load(opened(DEEP + REASONED, "{{ '<think>' if thinks else '<think></think>' }}"))
    plain, deep = {"role": "system", "content": "a"}, {"role": "system", "content": "deep"}
    for messages, count in (([plain, deep, USER], 1), ([deep, USER], 1), ([plain, USER], 0), ([USER], 0)):
        assert len(codec.render(messages, add_generation_prompt=True, thinking="off").warnings) == count
    assert codec.render([deep, USER], thinking="off").warnings == []  # no generation prompt is asked for
    assert codec.render([deep, USER], add_generation_prompt=None, thinking="off").warnings == []  # type: ignore[arg-type]


def test_replies_begin_where_the_switch_leaves_them() -> None:
    codec = chatcodec.load("qwen3.6")
    assert codec.parse("a", thinking="off").message == {"role": "assistant", "content": "a"}
    assert codec.parse("a", thinking="on").message["reasoning_content"] == "a"
    assert codec.reader(thinking="off").feed("a")[0].type == "content"


def test_a_card_is_a_codecs_own() -> None:
    first, second = chatcodec.load(OWN + "{{ x }}"), chatcodec.load(OWN + "{{ x }}")
    first.describe().messages.roles["user"] = None  # type: ignore[index]
    assert second.describe().messages.roles["user"] is not None
