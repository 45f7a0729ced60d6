"""``thinking=``: one switch over all codecs."""

import pytest

import chatcodec
from chatcodec.errors import UnknownOption

USER = {"role": "user", "content": "q"}
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
        ("qwen3-tir", "off", "no option switches reasoning, which it prints in turns that have it"),
        ("qwen2.5-ja-struct", "on", "no option switches reasoning, and it prints none"),
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


def test_it_may_not_contradict_the_option() -> None:
    with pytest.raises(UnknownOption, match="it sets enable_thinking to true, and false is given too"):
        prompt("qwen3.6", thinking="on", enable_thinking=False)
    assert prompt("qwen3.6", thinking="off", enable_thinking=False).text.endswith("</think>\n\n")


def test_an_option_of_that_name_keeps_its_values() -> None:
    assert prompt(OWN, thinking=True).text == "q<a>True"
    assert prompt(OWN, thinking="deep").text == "q<a>deep"
    with pytest.raises(UnknownOption, match="did you mean enable_thinking"):
        prompt("qwen3.6", thinking=True)


def test_system_text_that_decides_instead_is_warned_about() -> None:
    rendered = prompt("bailing-v3", system="detailed thinking on", thinking="off")
    [warning] = rendered.warnings
    assert (warning.code, warning.pointer) == ("thinking-overridden", "/messages/0/content")
    assert prompt("bailing-v3", system="Be kind.", thinking="off").warnings == []
    assert prompt("bailing-v3", system="detailed thinking on", enable_thinking=False).warnings == []


def test_replies_begin_where_the_switch_leaves_them() -> None:
    codec = chatcodec.load("qwen3.6")
    assert codec.parse("a", thinking="off").message == {"role": "assistant", "content": "a"}
    assert codec.parse("a", thinking="on").message["reasoning_content"] == "a"
    assert codec.reader(thinking="off").feed("a")[0].type == "content"
