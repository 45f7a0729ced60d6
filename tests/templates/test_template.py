"""Templates as codecs: which of several renders, what they read, how their replies are read, what is refused.

That the text is right is for the vectors; here is what `load` and `Codec` make of a template.
"""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest

import chatcodec
from chatcodec.errors import InvalidTemplate, TemplateFailed, UnsafeTemplate

from .gguf_writer import STRING, gguf
from .model_folder import CONFIG, write_files

HI: list[dict[str, Any]] = [{"role": "user", "content": "Hi"}]
TOOLS = [{"type": "function", "function": {"name": "f", "description": "D", "parameters": {"type": "object"}}}]
TURN = "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}<|im_start|>assistant\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a model folder with three templates and special tokens."""
    named = "additional_chat_templates"
    config = {"bos_token": {"content": "<s>"}, "eos_token": "</s>", "pad_token": None}
    return write_files(
        tmp_path / "model",
        {
            "chat_template.jinja": "{{ bos_token }}default{{ eos_token }}{{ pad_token }}",
            f"{named}/tool_use.jinja": "{{ bos_token }}tools {{ tools[0].function.name }}",
            f"{named}/rag.jinja": "rag {{ style }}",
            CONFIG: config,
        },
    )


def test_the_template_is_chosen_for_each_chat(folder: Path) -> None:
    codec = chatcodec.load(folder)
    assert codec.render(HI).text == "<s>default</s>"
    assert codec.render(HI, tools=TOOLS).text == "<s>tools f"
    assert codec.render(HI).text == "<s>default</s>"


def test_a_name_chooses_for_all(folder: Path) -> None:
    codec = chatcodec.load(folder, name="rag")
    assert [option.name for option in codec.options] == ["style"]
    assert codec.render(HI, tools=TOOLS, style="short").text == "rag short"
    with pytest.raises(chatcodec.UnknownCodec, match=r'no template is named "rga".*did you mean rag'):
        chatcodec.load(folder, name="rga")


def test_options_are_those_of_all_templates(folder: Path) -> None:
    assert [option.name for option in chatcodec.load(folder).options] == ["style"]


def test_special_tokens_may_be_given_and_are_no_options(folder: Path) -> None:
    codec = chatcodec.load(folder)
    assert codec.render(HI, bos_token="<B>").text == "<B>default</s>"
    with pytest.raises(chatcodec.UnknownOption, match="stile"):
        codec.render(HI, stile="short")
    assert codec.render(HI, stile="short", allow_unknown=True).text == "<s>default</s>"


def test_the_same_in_every_kind_of_place(tmp_path: Path) -> None:
    write_files(
        tmp_path,
        {
            "a.jinja": TURN,
            f"strings/{CONFIG}": {"chat_template": TURN},
            f"lists/{CONFIG}": {"chat_template": [{"name": "default", "template": TURN}]},
            "legacy/chat_template.json": {"chat_template": TURN},
            "m.gguf": gguf(("tokenizer.chat_template", STRING, TURN)),
        },
    )
    expected = chatcodec.load(TURN).render(HI)
    for place in ("a.jinja", "strings", f"strings/{CONFIG}", "lists", "legacy", "m.gguf"):
        rendered = chatcodec.load(tmp_path / place).render(HI)
        assert (rendered.text, list(rendered.spans)) == (expected.text, list(expected.spans)), place


def test_replies_are_read_by_the_pieces_of_a_format() -> None:
    codec = chatcodec.load(TURN, pieces="qwen2.5-ja-struct")
    prompt = codec.render(HI)
    completion = 'Wait.<tool_call>\n{"name": "f", "arguments": {"a": 1}}\n</tool_call><|im_end|>'
    reply = codec.parse(completion, tools=TOOLS, prompt=prompt)
    assert reply.message["content"] == "Wait."
    assert reply.message["tool_calls"][0]["function"]["name"] == "f"
    reader = codec.reader(tools=TOOLS, prompt=prompt)
    events = [*reader.feed(completion[:20]), *reader.feed(completion[20:]), *reader.finish()]
    assert codec.collect(events, tools=TOOLS, prompt=prompt).message == reply.message
    assert chatcodec.load(TURN, pieces=codec.pieces).parse(completion).message["content"] == "Wait."


EXAMPLE = Path(__file__).parents[2] / "examples" / "chat_template.jinja"


@pytest.mark.parametrize("pieces", ["qwen2.5-ja-struct", "qwen3.6"])
def test_a_turn_begins_behind_the_header_that_the_template_writes(pieces: str) -> None:
    codec = chatcodec.load(EXAMPLE, pieces=pieces)
    prompt = codec.render(HI, add_generation_prompt=True)
    for given in (None, prompt, prompt.text):
        assert codec.parse("Ho<|im_end|>", prompt=given).turn["content"] == "Ho"
    open_ = codec.render([*HI, {"role": "assistant", "content": "It"}], continue_final_message=True)
    assert codec.parse(" is<|im_end|>", prompt=open_).turn["content"] == "It is"


def test_reasoning_that_the_generation_prompt_opened() -> None:
    template = "{{ messages[0].content }}{% if add_generation_prompt %}<|begin|>a\n<think>\n{% endif %}"
    codec = chatcodec.load(template, pieces="qwen3.6")
    message = codec.parse("Hm.\n</think>\n\nHo<|im_end|>").message
    assert (message["reasoning_content"], message["content"]) == ("Hm.", "Ho")


def test_replies_to_a_template_without_a_generation_prompt() -> None:
    template = "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
    assert chatcodec.load(template, pieces="qwen2.5-ja-struct").parse("Ho<|im_end|>").message["content"] == "Ho"


@pytest.mark.parametrize("pieces", [{"header": "x"}, 5, b"qwen3.6"])
def test_what_is_no_pieces_is_refused_at_load(pieces: Any) -> None:
    with pytest.raises(chatcodec.ChatCodecError, match=r"pieces: found .*accepted: a format's name"):
        chatcodec.load(TURN, pieces=pieces)


def test_a_codec_is_pickled(folder: Path) -> None:
    codec = pickle.loads(pickle.dumps(chatcodec.load(folder, name="tool_use", pieces="qwen3.6")))
    assert codec.render(HI, tools=TOOLS).text == "<s>tools f"
    prompt = codec.render(HI, tools=TOOLS)
    assert codec.parse("Ho<|im_end|>", prompt=prompt).message["content"] == "Ho"
    with pytest.raises(chatcodec.ChatCodecError, match="give prompt="):
        codec.parse("Ho<|im_end|>")


@pytest.mark.parametrize("now", ["2020", 5, object])
def test_the_clock_is_a_datetime(now: Any) -> None:
    with pytest.raises(chatcodec.InvalidChat, match=r"now: found .*accepted: a datetime"):
        chatcodec.load("{{ strftime_now('%Y') }}").render(HI, now=now)


def test_a_name_is_a_text(folder: Path) -> None:
    with pytest.raises(chatcodec.UnknownCodec, match="name: found number 5"):
        chatcodec.load(folder, name=5)  # type: ignore[arg-type]


def test_too_many_templates(tmp_path: Path) -> None:
    named = [{"name": f"t{index}", "template": "{{ 1 }}"} for index in range(65)]
    write_files(tmp_path, {CONFIG: {"chat_template": named}})
    with pytest.raises(chatcodec.LimitExceeded, match="65 templates, accepted: up to 64"):
        chatcodec.load(tmp_path)


def test_formats_take_neither_name_nor_pieces() -> None:
    for given in ({"name": "default"}, {"pieces": "qwen3.6"}):
        with pytest.raises(chatcodec.UnknownCodec, match="seed-oss is a format"):
            chatcodec.load("seed-oss", **given)  # type: ignore[arg-type]


def test_pieces_of_an_unknown_format() -> None:
    with pytest.raises(chatcodec.UnknownCodec, match=r"did you mean qwen3\.6"):
        chatcodec.load(TURN, pieces="qwen36")


def test_a_final_message_is_left_open() -> None:
    messages = [*HI, {"role": "assistant", "content": "It is"}]
    template = "{% for m in messages %}[{{ m.role }}]{{ m.content }}[end]{% endfor %}"
    rendered = chatcodec.load(template).render(messages, continue_final_message=True)
    assert rendered.text == "[user]Hi[end][assistant]It is"
    last = rendered.spans[-1]
    assert (last.start, last.end, last.pointer) == (24, 29, "/messages/1/content")


def test_a_prompt_is_pickled_with_its_spans() -> None:
    prompt = chatcodec.load(TURN).render(HI)
    again = pickle.loads(pickle.dumps(prompt))
    assert (again.text, list(again.spans)) == (prompt.text, list(prompt.spans))


@pytest.mark.parametrize(
    ("template", "error", "words"),
    [
        ("a\n{% if x %}", InvalidTemplate, "line 2"),
        ("{{ a|frobnicate }}", InvalidTemplate, "No filter named 'frobnicate'"),
        ("{{ a is frobnicated }}", InvalidTemplate, "No test named 'frobnicated'"),
        ("a\n\n{% include 'x' %}", InvalidTemplate, "line 3.*include"),
        ("{% import 'x' as y %}", InvalidTemplate, "import"),
        ("{% extends 'x' %}", InvalidTemplate, "extends"),
        ("{% set \ufb01 = 5 %}{% set fi = 6 %}", InvalidTemplate, "NFKC"),
        ("{% macro m(a, a) %}{% endmacro %}", InvalidTemplate, "the argument 'a' is there twice"),
        ("{{ dict(a=1, a=2) }}", InvalidTemplate, "the argument 'a' is there twice"),
        ("{{ 1 }}" * 40_000, chatcodec.LimitExceeded, "limit on source is 262144"),
    ],
)
def test_what_cannot_be_used_is_refused_at_load(template: str, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        chatcodec.load(template)


@pytest.mark.parametrize(
    ("template", "error", "words"),
    [
        ("{% if messages|length > 5 %}{{ a|frobnicate }}{% endif %}ok", None, "ok"),
        ("{% if messages %}{{ a|frobnicate }}{% endif %}", TemplateFailed, "No filter named 'frobnicate'"),
        ("a\n{{ messages[0].content + 5 }}", TemplateFailed, "line 2"),
        ("{{ messages.__class__.mro }}", UnsafeTemplate, "__class__"),
        ("{{ ''|attr('__class__')|attr('mro') }}", UnsafeTemplate, "__class__"),
        ("{{ '{0.__class__.mro}'.format(5) }}", UnsafeTemplate, "__class__"),
        ("{{ messages.append(1) }}", UnsafeTemplate, "append"),
        ("{{ 'a' * 100000000 }}", chatcodec.LimitExceeded, "limit on string"),
        ("{{ raise_exception('No ' ~ messages[0].role) }}", chatcodec.TemplateRefused, "No user"),
    ],
)
def test_what_goes_wrong_while_it_runs(template: str, error: type[Exception] | None, words: str) -> None:
    codec = chatcodec.load(template)
    if error is None:
        assert codec.render(HI).text == words
        return
    with pytest.raises(error, match=words) as caught:
        codec.render(HI)
    assert isinstance(caught.value, chatcodec.ChatCodecError)
