"""The final message left open: by name of the field, as parts, trimmed; and refused in the words of transformers."""

from __future__ import annotations

import copy
import itertools
import os
from pathlib import Path
from typing import Any

import pytest

import chatcodec
import peer
from chatcodec.errors import InvalidChat, TemplateRefused

USER = {"role": "user", "content": "Hi"}
OPENED = "<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n<think>\n"
PLAIN = f"{OPENED}\n</think>\n\n"
TAG = "CONTINUE_FINAL_MESSAGE_TAG"
NOT_THERE = (
    "continue_final_message is set but the final message does not appear in the chat after applying the chat "
    "template! This can happen if the chat template deletes portions of the final message. Please verify the "
    "chat template and final message in your chat to ensure they are compatible."
    "Final message to continue: {}\nRendered chat:\n{}"
)
NO_TEXT = "continue_final_message is set but we could not find any text to continue in the final message!"
BOTH = (
    "continue_final_message and add_generation_prompt are not compatible. Use continue_final_message when you want the "
    "model to continue the final message, and add_generation_prompt when you want to add a header that will prompt it "
    "to start a new assistant message instead."
)


def no_field(name: str) -> str:
    return f'continue_final_message is set but the final message has no "{name}" to continue!'


def not_accepted(name: str) -> str:
    return f'continue_final_message is set to "{name}" but this is not an accepted field in the chat_template'


def assistant(**fields: Any) -> dict[str, Any]:
    return {"role": "assistant", **fields}


def text(value: str) -> dict[str, str]:
    return {"type": "text", "text": value}


def render(final: Any, wanted: bool | str, **options: Any) -> chatcodec.Rendered:
    return chatcodec.load("qwen3.6").render([USER, final], continue_final_message=wanted, **options)


CALLS = [{"type": "function", "function": {"name": "f", "arguments": {"a": 1}}}]


@pytest.mark.parametrize(
    ("final", "wanted", "expected"),
    [
        (assistant(content="Hello"), True, f"{PLAIN}Hello"),
        (assistant(content="Hello"), "content", f"{PLAIN}Hello"),
        (assistant(content="Hello \n "), True, f"{PLAIN}Hello"),
        (assistant(content="\n Hello"), True, f"{PLAIN}Hello"),
        (assistant(content="Hello", reasoning_content="Why "), True, f"{OPENED}Why\n</think>\n\nHello"),
        (assistant(content="Hello", tool_calls=CALLS), True, f"{PLAIN}Hello"),
        (assistant(content="Why", reasoning_content="Why"), True, f"{OPENED}Why\n</think>\n\nWhy"),
        (assistant(content=f"the {TAG} itself"), True, f"{PLAIN}the {TAG} itself"),
        (assistant(content="x", reasoning_content="Why "), "reasoning_content", f"{OPENED}Why"),
        (assistant(reasoning_content="Why"), "reasoning_content", f"{OPENED}Why"),
        (assistant(thinking="Why"), "thinking", f"{OPENED}Why"),
        (assistant(reasoning="Why"), "reasoning", f"{OPENED}Why"),
        (assistant(reasoning="Why"), "thinking", f"{OPENED}Why"),
        (assistant(reasoning="Why"), "reasoning_content", f"{OPENED}Why"),
        (assistant(thinking="Why"), "reasoning_content", f"{OPENED}Why"),
        (assistant(reasoning_content="Why"), "thinking", f"{OPENED}Why"),
        (assistant(reasoning_content=None, thinking="Why"), "reasoning_content", f"{OPENED}Why"),
        (assistant(reasoning_content="B", thinking="A"), "reasoning_content", f"{OPENED}B"),
        (assistant(content=[text("one "), text("two")]), True, f"{PLAIN}one two"),
        (
            assistant(content=[text("a "), text("b"), {"type": "image"}]),
            True,
            f"{PLAIN}a b",
        ),
        (
            assistant(content=[{"type": "image"}, text("b ")]),
            True,
            f"{PLAIN}<|vision_start|><|image_pad|><|vision_end|>b",
        ),
        ({"role": "user", "content": "And"}, True, "<|im_start|>user\nHi<|im_end|>\n<|im_start|>user\nAnd"),
    ],
)
def test_text_ends_where_the_final_message_does(final, wanted, expected):
    before = copy.deepcopy(final)
    assert render(final, wanted).text == expected
    assert final == before


@pytest.mark.parametrize(
    ("final", "wanted", "message", "where"),
    [
        (assistant(reasoning_content="Why"), True, no_field("content"), "/messages/1/content"),
        (assistant(content=None), True, no_field("content"), "/messages/1/content"),
        (assistant(content="x"), "reasoning_content", no_field("reasoning_content"), "/messages/1/reasoning_content"),
        (assistant(content="x"), "thinking", no_field("thinking"), "/messages/1/thinking"),
        (assistant(content="x", thinking="A"), "reasoning", no_field("reasoning"), "/messages/1/reasoning"),
        (assistant(content="x", summary="y"), "summary", not_accepted("summary"), "/messages/1/summary"),
        (assistant(content=[]), True, NO_TEXT, "/messages/1/content"),
        (assistant(content=[{"type": "image"}]), True, NO_TEXT, "/messages/1/content"),
        (
            assistant(content="<think>\na\n</think>\nb "),
            True,
            NOT_THERE.format("<think>\na\n</think>\nb", f"{OPENED}a\n</think>\n\nb {TAG}<|im_end|>\n"),
            "/messages",
        ),
        (
            assistant(content="x", thinking="A", reasoning_content="B"),
            "thinking",
            NOT_THERE.format("A", f"{OPENED}B\n</think>\n\nx<|im_end|>\n"),
            "/messages",
        ),
    ],
)
def test_refused_in_the_words_of_transformers(final, wanted, message, where):
    with pytest.raises(InvalidChat) as caught:
        render(final, wanted)
    assert (str(caught.value), caught.value.pointer) == (message, where)


@pytest.mark.parametrize(
    ("final", "where"),
    [
        (assistant(content=5), "/messages/1/content"),
        (assistant(content={"text": "x"}), "/messages/1/content"),
        (assistant(content=["a text"]), "/messages/1/content/0"),
        (assistant(content=[None]), "/messages/1/content/0"),
        (assistant(content=[{"text": None}]), "/messages/1/content/0/text"),
        ("Hello", "/messages/1"),
        (None, "/messages/1"),
    ],
)
def test_refused_where_transformers_breaks(final, where):
    with pytest.raises(InvalidChat) as caught:
        render(final, True)
    assert caught.value.pointer == where
    assert str(caught.value).startswith(f"{where}: found ")


@pytest.mark.parametrize("wanted", [True, "content", "nonsense"])
def test_not_together_with_a_generation_prompt(wanted):
    with pytest.raises(InvalidChat) as caught:
        render(assistant(content="Hello"), wanted, add_generation_prompt=True)
    assert (str(caught.value), caught.value.pointer) == (BOTH, "/continue_final_message")


def test_empty_conversation_comes_first():
    with pytest.raises(InvalidChat, match="Cannot apply chat template to an empty conversation"):
        chatcodec.load("qwen3.6").render([], continue_final_message=True, add_generation_prompt=True)


def test_the_templates_own_refusal_goes_through():
    with pytest.raises(TemplateRefused) as caught:
        render({"role": "critic", "content": "x"}, True)
    assert (str(caught.value), caught.value.pointer) == ("Unexpected message role.", "/messages/1/role")


def test_not_continued_unless_it_is_asked_for():
    final = assistant(content="Hello")
    assert render(final, False).text == render(final, "").text == f"{PLAIN}Hello<|im_end|>\n"


def test_spans_end_with_the_text_and_name_the_callers_field():
    rendered = render(assistant(content="x", thinking="Why  "), "reasoning_content")
    spans = list(rendered.spans)
    assert spans[-1].end == len(rendered.text)
    shown = {span.pointer: rendered.text[span.start : span.end] for span in spans if span.origin == "data"}
    assert shown == {"/messages/0/content": "Hi", "/messages/1/thinking": "Why"}


def test_turns_of_tir_are_continued_verbatim():
    turn = "Let me see.\n<tool_call>\n{}\n</tool_call>\n<tool_response>\n4\n</tool_response>\n"
    rendered = chatcodec.load("qwen3-tir").render([USER, assistant(content=turn)], continue_final_message=True)
    assert rendered.text == f"{OPENED}{turn}"


# Compared with transformers

REFERENCES = {
    "qwen3.6": "qwen3.6-multi-system.jinja",
    "qwen3-tir": "qwen3-tir.jinja",
    "bailing-v3": "bailing-v3.jinja",
    "qwen2.5-ja-struct": "qwen2.5-ja-struct.jinja",
    "seed-oss": "seed-oss.jinja",
}
CONTENTS: list[Any] = [
    *(None, "", " ", "Hello", "Hello \n", "\n Hello", "Why", "Hi", "a\n\n", TAG, f"{TAG} x", 5, {"text": "x"}),
    *("<think>\na\n</think>\nb ", "<think>a", "a</think>b ", "</think>", "Hello\u3000", "<|im_end|>", " \n "),
    *([], [text("one "), text("two ")], [{"type": "image"}, text("b ")], [text("b "), {"type": "video"}]),
    *([{"type": "image"}], [text("")], ["a text"], [None], [{"text": None}], [{"text": 5}]),
]
REASONINGS: list[dict[str, Any]] = [
    {},
    {"reasoning_content": "Why "},
    {"thinking": "\nWhy"},
    {"reasoning": "Why"},
    {"reasoning_content": None, "thinking": "Hello"},
    {"reasoning_content": "B", "thinking": "A"},
    {"reasoning_content": "", "reasoning": "A"},
    {"thinking": ["a"]},
]
WANTED = (True, "content", "reasoning_content", "thinking", "reasoning", "role", "name", "tool_calls", "summary", "rol")
EXTRAS: list[dict[str, Any]] = [{}, {"tool_calls": CALLS, "name": "Ann ", "summary": "x"}]


@pytest.fixture(scope="module")
def apply() -> Any:
    """Return ``apply_chat_template`` as a function of a template."""
    folder = os.environ.get("REFERENCE")
    if not folder:
        pytest.skip("REFERENCE is not set: it names the directory of the templates to compare with")
    tokenizer = peer.tokenizer()

    def apply(file: str, messages: Any, **options: Any) -> str:
        template = (Path(folder) / file).read_text(encoding="utf-8")
        return str(tokenizer.apply_chat_template(messages, chat_template=template, tokenize=False, **options))

    return apply


def finals() -> list[dict[str, Any]]:
    """Return final messages of every kind."""
    combined = itertools.product(("assistant", "user", "critic"), CONTENTS, REASONINGS, EXTRAS)
    return [{"role": role, "content": content, **more, **extra} for role, content, more, extra in combined]


@pytest.mark.parametrize("name", REFERENCES)
def test_same_as_transformers(name, apply):
    import jinja2

    codec = chatcodec.load(name)
    outcomes = set()
    for final, wanted in itertools.product(finals(), WANTED):
        messages = [USER, final]
        try:
            expected, words = apply(REFERENCES[name], messages, continue_final_message=wanted), None
        except (ValueError, jinja2.TemplateError) as error:
            # Below TemplateError are Jinja's own errors, whose words are not ours.
            expected, words = None, str(error) if type(error) in (ValueError, jinja2.TemplateError) else None
        except Exception:
            expected, words = None, None
        try:
            found, said = codec.render(messages, continue_final_message=wanted).text, None
        except InvalidChat as error:
            found, said = None, str(error)
        assert found == expected, (wanted, final, words, said)
        assert words is None or said == words, (wanted, final)
        outcomes.add("text" if expected is not None else "words" if words else "broken")
    assert outcomes == {"text", "words", "broken"}
