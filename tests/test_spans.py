"""Spans on the formats: they partition the text, and each character of data names exactly the value that it shows."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

import chatcodec
from chatcodec.chat.plain import plain
from chatcodec.chat.pointer import lookup
from chatcodec.render.values import json_text, python_text
from chats import Chats
from sentinels import SENTINEL, Planter

CHATS = 1000


def render(codec: chatcodec.Codec, chat: dict[str, Any]) -> chatcodec.Rendered | None:
    options = chat.get("options", {})
    try:
        return codec.render(**{key: value for key, value in chat.items() if key != "options"}, **options)
    except chatcodec.ChatCodecError:
        return None


@pytest.mark.parametrize("name", chatcodec.available())
def test_each_sentinel_lies_in_the_span_of_its_leaf(name: str) -> None:
    codec, chats = chatcodec.load(name), Chats(77)
    rendered_chats = found = keys = 0
    for _ in range(CHATS):
        planter = Planter()
        chat = plain(chats.chat(name))
        for part in ("messages", "tools", "documents", "options"):
            if part in chat:
                chat[part] = planter.plant(chat[part], (part,))
        prompt = render(codec, chat)
        if prompt is None:
            continue
        rendered_chats += 1
        leaves = [leaf for span in prompt.spans for leaf in prompt.leaves(span)]
        for match in SENTINEL.finditer(prompt.text):
            place = planter.places[match.group()]
            holding = [leaf for leaf in leaves if leaf.start <= match.start() and match.end() <= leaf.end]
            assert [(leaf.pointer, leaf.shows == "key") for leaf in holding] == [tuple(place)], (match.group(), chat)
            found += 1
            keys += place.is_key
    assert rendered_chats > CHATS * 0.5
    assert found > 5 * CHATS
    assert keys > CHATS / 10


def resolve(root: Any, where: str) -> Any:
    """Return the value at a JSON pointer."""
    for step in where.split("/")[1:]:
        step = step.replace("~1", "/").replace("~0", "~")
        root = root[int(step)] if isinstance(root, (list, tuple)) else lookup(root, (step,))
    return root


def check_span(span: chatcodec.Span, text: str, root: dict[str, Any]) -> None:
    """Check that a span names what there is, and that its text is what it says."""
    if span.owner not in (None, "generation"):
        resolve(root, span.owner or "")
    assert (span.pointer is not None) == (span.origin == "data") == (span.shows is not None)
    assert bool(span.sources) == (span.origin == "derived")
    for source in span.sources:
        resolve(root, source)
    if span.pointer is None:
        return
    value = resolve(root, span.pointer)
    if span.shows == "key":
        assert text == span.pointer.rpartition("/")[2].replace("~1", "/").replace("~0", "~")
    elif span.shows == "value":
        assert text in value
    else:
        assert text in (json_text(value) if span.shows == "json" else python_text(value))


@pytest.mark.parametrize("name", chatcodec.available())
def test_spans_partition_the_text_and_are_what_they_say(name: str) -> None:
    codec, chats = chatcodec.load(name), Chats(78)
    checked = 0
    for _ in range(CHATS):
        chat = plain(chats.chat(name))
        chat.pop("continue_final_message", None)
        prompt = render(codec, chat)
        if prompt is None:
            continue
        for span in prompt.spans:
            check_span(span, prompt.text[span.start : span.end], chat)
        end = 0
        for span in prompt.spans:
            assert span.start == end
            assert span.end > span.start
            end = span.end
        assert end == len(prompt.text)
        checked += 1
    assert checked > CHATS * 0.5


@pytest.mark.parametrize("name", chatcodec.available())
def test_the_callers_data_is_not_changed(name: str) -> None:
    codec, chats = chatcodec.load(name), Chats(79)
    for _ in range(CHATS):
        chat = chats.chat(name)
        before = repr(chat)
        prompt = render(codec, chat)
        if prompt is not None:
            list(prompt.spans), prompt.media, prompt.warnings
        assert repr(chat) == before


MEDIA = [
    {"role": "system", "content": "S"},
    {"role": "user", "content": [{"type": "text", "text": "<|image_pad|>"}, {"type": "image"}, {"type": "video"}]},
    {"role": "assistant", "content": "A"},
    {"role": "user", "content": [{"image": "x"}]},
]


@pytest.mark.parametrize(("name", "pads"), [("qwen3.6", ["image", "video"]), ("bailing-v3", ["image", "video"])])
def test_media_lists_what_the_template_wrote_and_not_what_a_user_typed(name: str, pads: list[str]) -> None:
    prompt = chatcodec.load(name).render(MEDIA, add_vision_id=True)
    assert [(media.kind, media.pointer) for media in prompt.media] == [
        ("image", "/messages/1/content/1"),
        ("video", "/messages/1/content/2"),
        ("image", "/messages/3/content/0"),
    ]
    assert [prompt.text[media.start : media.end] for media in prompt.media] == [
        "<|image_pad|>",
        "<|video_pad|>",
        "<|image_pad|>",
    ]
    assert prompt.text.count("<|image_pad|>") == 3


def test_owners() -> None:
    chat = [
        {"role": "user", "content": [{"text": "U"}, {"type": "image"}]},
        {"role": "assistant", "content": "A", "tool_calls": [{"function": {"name": "f", "arguments": {"k": 1}}}]},
    ]
    tools = [{"type": "function", "function": {"name": "f"}}]
    prompt = chatcodec.load("qwen3.6").render(chat, tools=tools, add_generation_prompt=True)
    owners = [span.owner for span in prompt.spans]
    assert list(dict.fromkeys(owners)) == [
        None,
        "/tools/0",
        "/messages/0",
        "/messages/0/content/0",
        "/messages/0/content/1",
        "/messages/1",
        "/messages/1/tool_calls/0",
        "generation",
    ]
    assert {span.message for span in prompt.spans} == {None, 0, 1}
    by_pointer = {span.pointer: span for span in prompt.spans if span.origin == "data"}
    call = "/messages/1/tool_calls/0/function"
    assert prompt.text[slice(*_ends(by_pointer[f"{call}/name"]))] == "f"
    assert [
        (span.shows, prompt.text[span.start : span.end])
        for span in prompt.spans
        if span.pointer == f"{call}/arguments/k"
    ] == [
        ("key", "k"),
        ("json", "1"),
    ]


def _ends(span: chatcodec.Span) -> tuple[int, int]:
    return span.start, span.end


def test_spans_need_the_chat_as_it_was_only_for_leaves() -> None:
    messages: list[dict[str, Any]] = [{"role": "user", "content": "Hi"}]
    tools = [{"type": "function", "function": {"name": "f"}}]
    prompt = chatcodec.load("qwen3-tir").render(messages, tools=tools)
    messages.append({"role": "assistant", "content": "later"})
    [shown] = [span for span in prompt.spans if span.shows == "json"]
    assert [prompt.text[leaf.start : leaf.end] for leaf in prompt.leaves(shown)] == [
        "type",
        "function",
        "function",
        "name",
        "f",
    ]
    tools[0]["function"] = {"name": "changed"}
    with pytest.raises(chatcodec.ChatCodecError, match="changed after it was rendered"):
        prompt.leaves(shown)


def test_text_outside_a_loop_belongs_to_the_message_that_it_shows() -> None:
    for name in chatcodec.available():
        if name != "qwen2.5-ja-struct":
            first = next(span for span in chatcodec.load(name).render(SYSTEM_AND_USER).spans if span.origin == "data")
            assert (first.pointer, first.owner) == ("/messages/0/content", "/messages/0")


SYSTEM_AND_USER = [{"role": "system", "content": "S"}, {"role": "user", "content": "U"}]


def test_media_that_is_cut_away_is_not_listed() -> None:
    parts = [{"type": "image"}, {"text": "a</think>b</think>"}, {"type": "video"}, {"text": "c"}]
    chat = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": [{"text": "</think>"}, *parts]}]
    prompt = chatcodec.load("qwen3.6").render(chat)
    assert [(media.kind, media.pointer) for media in prompt.media] == [("video", "/messages/1/content/3")]
    assert [prompt.text[media.start : media.end] for media in prompt.media] == ["<|video_pad|>"]


def test_a_list_of_calls_that_is_none_is_derived() -> None:
    chat = [{"role": "assistant", "tool_calls": "ab"}]
    prompt = chatcodec.load("qwen2.5-ja-struct").render(chat)
    made = [span for span in prompt.spans if span.origin == "derived"]
    assert [prompt.text[span.start : span.end] for span in made] == ['"a"', '"b"']
    assert {(span.owner, span.sources) for span in made} == {("/messages/0", ("/messages/0/tool_calls",))}
    assert [warning.code for warning in prompt.warnings] == ["calls-odd"]


def test_leaves_are_those_of_a_span_of_this_prompt() -> None:
    codec = chatcodec.load("seed-oss")
    call = {"function": {"name": "f", "arguments": {"a": 1}}}
    prompt = codec.render([{"role": "assistant", "tool_calls": [call]}], tools=[])
    [shown] = [span for span in prompt.spans if span.shows == "str"]
    assert [leaf.pointer for leaf in prompt.leaves(shown)] == ["/messages/0/tool_calls/0/function/arguments/a"]
    assert prompt.spans == list(prompt.spans) != []
    with pytest.raises(chatcodec.ChatCodecError, match="none of this prompt"):
        codec.render([{"role": "user", "content": "Hi"}]).leaves(shown)
    assert prompt.leaves(prompt.spans[0]) == []
    call["function"]["arguments"] = {}  # type: ignore[index]
    with pytest.raises(chatcodec.ChatCodecError, match="changed after it was rendered"):
        prompt.leaves(shown)


def test_the_span_of_a_final_message_left_open_ends_with_it() -> None:
    chat = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello, "}]
    prompt = chatcodec.load("qwen2.5-ja-struct").render(chat, continue_final_message=True)
    last = prompt.spans[-1]
    assert (prompt.text[last.start :], last.pointer) == ("Hello, ", "/messages/1/content")
    assert last.end == len(prompt.text)


def test_a_prompt_can_be_pickled() -> None:
    chat = [{"role": "user", "content": [{"type": "text", "text": "Hi"}, {"type": "image"}]}]
    prompt = chatcodec.load("qwen3.6").render(chat, add_generation_prompt=True)
    again = pickle.loads(pickle.dumps(prompt))
    assert (again.text, again.media, list(again.spans)) == (prompt.text, prompt.media, list(prompt.spans))
    assert again.spans[-1].owner == "generation"
