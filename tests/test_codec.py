"""Loading codecs, their options, what render refuses before a format sees the chat, and where a reply starts."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

import chatcodec

HI = [{"role": "user", "content": "Hi"}]


def test_unknown_codec_shows_the_nearest_names() -> None:
    with pytest.raises(chatcodec.UnknownCodec, match=r'no codec is named "qwen36"; did you mean qwen3.6') as caught:
        chatcodec.load("qwen36")
    assert caught.value.nearest[0] == "qwen3.6"
    with pytest.raises(chatcodec.UnknownCodec, match="there are: bailing-v3, ") as caught:
        chatcodec.load("zzz")
    assert caught.value.nearest == ()


def test_unknown_option_shows_the_nearest_names() -> None:
    codec = chatcodec.load("bailing-v3")
    with pytest.raises(chatcodec.UnknownOption, match="did you mean enable_thinking") as caught:
        codec.render(HI, enable_thinkin=False)
    assert (caught.value.pointer, caught.value.nearest[0]) == ("/options/enable_thinkin", "enable_thinking")
    with pytest.raises(chatcodec.UnknownOption, match="it reads: add_vision_id, enable_thinking, preserve_thinking"):
        codec.render(HI, temperature=1)
    with pytest.raises(chatcodec.UnknownOption, match='an option "a", nor b, c; it reads none'):
        chatcodec.load("qwen3-tir").render(HI, a=1, b=2, c=3)
    with pytest.raises(chatcodec.UnknownOption, match="it reads none"):
        chatcodec.load("qwen3-tir").render(HI, enable_thinking=False)


def test_unknown_options_may_be_passed_over() -> None:
    codec = chatcodec.load("qwen3-tir")
    assert codec.render(HI, allow_unknown=True, enable_thinking=False).text == codec.render(HI).text


@pytest.mark.parametrize("name", chatcodec.available())
def test_special_tokens_are_always_accepted(name: str) -> None:
    codec = chatcodec.load(name)
    assert codec.render(HI, bos_token="<s>", eos_token="</s>").text == codec.render(HI).text


@pytest.mark.parametrize("name", chatcodec.available())
def test_options_are_documented(name: str) -> None:
    for option in chatcodec.load(name).options:
        assert option.name.isidentifier()
        assert option.type in ("boolean", "number", "string", "any")
        assert option.doc.endswith(".")


def test_lone_surrogates_are_refused_where_they_are() -> None:
    chat = [{"role": "user", "content": "Größe"}, {"role": "assistant", "content": "a\ud800b"}]
    for name in chatcodec.available():
        with pytest.raises(chatcodec.InvalidChat, match="lone surrogate") as caught:
            chatcodec.load(name).render(chat)
        assert caught.value.pointer == "/messages/1/content"


@pytest.mark.parametrize("name", chatcodec.available())
def test_a_chat_nested_too_deeply_is_refused(name: str) -> None:
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    chat = [
        *HI,
        {
            "role": "assistant",
            "content": "",
            "tool_calls": [{"id": "1", "function": {"name": "f", "arguments": {"a": deep}}}],
        },
    ]
    if name == "qwen3-tir":  # it does not print calls, so it never looks at them
        assert chatcodec.load(name).render(chat).warnings
        return
    with pytest.raises(chatcodec.LimitExceeded, match="nested too deeply"):
        chatcodec.load(name).render(chat)


@pytest.mark.parametrize("name", chatcodec.available())
def test_large_chats_render(name: str) -> None:
    codec = chatcodec.load(name)
    text = codec.render([{"role": "user", "content": "x" * 10_000_000}]).text
    assert text.count("x") >= 10_000_000
    many = codec.render([{"role": "user", "content": "Hi"}] * 100_000)
    assert many.text.count("Hi") == 100_000
    assert many.spans[-1].message == 99_999


@pytest.mark.parametrize("name", chatcodec.available())
def test_threads_share_a_codec(name: str) -> None:
    codec = chatcodec.load(name)
    chats = [[{"role": "user", "content": f"number {index}"}] for index in range(200)]
    with ThreadPoolExecutor(8) as pool:
        texts = list(pool.map(lambda chat: codec.render(chat).text, chats))
    assert texts == [codec.render(chat).text for chat in chats]


CALL = "/messages/1/tool_calls/0"


def _call(arguments: object) -> dict[str, object]:
    return {"function": {"name": "f", "arguments": arguments}}


WARNED = [
    ("qwen3-tir", {"role": "tool", "content": "x"}, "role-dropped", "/messages/1/role"),
    ("qwen3-tir", {"role": "user", "content": ["x"]}, "content-dropped", "/messages/1/content"),
    ("qwen3-tir", {"role": "assistant", "tool_calls": [{}]}, "calls-dropped", "/messages/1/tool_calls"),
    ("bailing-v3", {"role": "developer", "content": "x"}, "role-printed", "/messages/1/role"),
    ("seed-oss", {"role": "developer", "content": "x"}, "role-printed", "/messages/1/role"),
    ("qwen2.5-ja-struct", {"role": "developer", "content": "x"}, "role-dropped", "/messages/1/role"),
    ("qwen2.5-ja-struct", {"role": "user", "content": ["x"]}, "content-as-python", "/messages/1/content"),
    (
        "seed-oss",
        {"role": "assistant", "content": [{"type": "text", "text": "x"}]},
        "content-dropped",
        "/messages/1/content",
    ),
    ("seed-oss", {"role": "assistant", "tool_calls": 5}, "calls-dropped", "/messages/1/tool_calls"),
    ("qwen3.6", {"role": "assistant", "tool_calls": {"a": 1}}, "calls-dropped", "/messages/1/tool_calls"),
    ("qwen3.6", {"role": "assistant", "tool_calls": [_call([1])]}, "arguments-dropped", f"{CALL}/function/arguments"),
    ("qwen3.6", {"role": "assistant", "tool_calls": [_call("{}")]}, "arguments-as-text", f"{CALL}/function/arguments"),
    ("qwen3.6", {"role": "user", "content": ["a text"]}, "part-odd", "/messages/1/content/0"),
    ("qwen3.6", {"role": "user", "content": [{"text": None}]}, "part-as-python", "/messages/1/content/0/text"),
    ("bailing-v3", {"role": "tool", "content": [{"type": "text"}]}, "part-dropped", "/messages/1/content/0"),
    ("bailing-v3", {"role": "assistant", "content": [["text"]]}, "part-odd", "/messages/1/content/0"),
]


@pytest.mark.parametrize(("name", "message", "code", "pointer"), WARNED)
def test_what_is_dropped_or_printed_oddly_is_said(name: str, message: object, code: str, pointer: str) -> None:
    [warning] = chatcodec.load(name).render([*HI, message]).warnings
    assert (warning.code, warning.pointer) == (code, pointer)
    assert warning.message


def test_a_tool_that_is_left_out_is_said() -> None:
    tools = [{"type": "function", "function": {"name": "f", "parameters": {"properties": {}}}}, {"name": "bare"}]
    [warning] = chatcodec.load("seed-oss").render(HI, tools=tools).warnings
    assert (warning.code, warning.pointer) == ("tool-dropped", "/tools/1/type")


def test_ordinary_chats_give_no_warnings() -> None:
    for name in chatcodec.available():
        assert chatcodec.load(name).render([{"role": "system", "content": "S"}, *HI]).warnings == []


def test_an_option_of_another_type_is_said() -> None:
    cases = [
        ("qwen3.6", {"enable_thinking": "false"}),
        ("bailing-v3", {"enable_thinking": 0}),
        ("seed-oss", {"thinking_budget": True}),
        ("qwen2.5-ja-struct", {"model_identity": ["x"]}),
    ]
    for name, options in cases:
        [warning] = chatcodec.load(name).render(HI, **options).warnings
        assert (warning.code, warning.pointer) == ("option-type", f"/options/{next(iter(options))}")
    fitting = {"model_identity": None, "schema": {"type": "object"}}
    assert chatcodec.load("qwen2.5-ja-struct").render(HI, **fitting).warnings == []


def test_arguments_about_tokens_are_known_but_refused() -> None:
    with pytest.raises(chatcodec.UnknownOption, match="belongs to apply_chat_template"):
        chatcodec.load("qwen3.6").render(HI, padding=True)


@pytest.mark.parametrize("codec", [None, 5, ["qwen3.6"], b"qwen3.6"])
def test_a_codec_is_named_by_a_string(codec: object) -> None:
    with pytest.raises(chatcodec.UnknownCodec, match="known by its name"):
        chatcodec.load(codec)  # type: ignore[arg-type]


ERRORS = [
    lambda: chatcodec.load("x"),
    lambda: chatcodec.load("seed-oss").render([{"role": "user", "content": 5}]),
    lambda: chatcodec.load("seed-oss").render(HI, thinking_budgett=5),
    lambda: chatcodec.load("qwen3.6").render([{"role": "critic", "content": ""}, *HI]),
    lambda: chatcodec.load("qwen3.6").render(HI, tools=[DEEP]),
]
DEEP: dict[str, object] = {}
DEEP["itself"] = DEEP


@pytest.mark.parametrize("fail", ERRORS)
def test_errors_cross_processes(fail: Callable[[], object]) -> None:
    with pytest.raises(chatcodec.ChatCodecError) as caught:
        fail()
    again = pickle.loads(pickle.dumps(caught.value))
    assert (type(again), str(again), vars(again)) == (type(caught.value), str(caught.value), vars(caught.value))


def test_a_reply_starts_where_the_options_say_and_no_option_is_taken_for_another() -> None:
    codec = chatcodec.load("qwen3.6")
    for enabled, reasoning in ((False, None), (0, "a"), (False, None), (True, "a"), (1, "a")):
        message = codec.parse("a\n</think>\n\nb", enable_thinking=enabled).message
        assert message.get("reasoning_content") == reasoning, enabled
    with pytest.raises(chatcodec.UnknownOption):
        codec.parse("a", enable_thinkin=False)
    assert codec.parse("a", enable_thinkin=False, allow_unknown=True).reasoning == "a"


def test_tools_that_are_checked_once_are_as_good_as_a_list() -> None:
    codec = chatcodec.load("qwen3.6")
    parameters = {"type": "object", "properties": {"n": {"type": "integer"}}}
    tools = [{"type": "function", "function": {"name": "f", "parameters": parameters}}]
    checked = codec.tools(tools)
    chat = [{"role": "user", "content": "Hi"}]
    assert codec.render(chat, tools=checked).text == codec.render(chat, tools=tools).text
    call = "</think>\n\n<tool_call>\n<function=f>\n<parameter=n>\n5\n</parameter>\n</function>\n</tool_call>"
    assert codec.parse(call, tools=checked).message == codec.parse(call, tools=tools).message
    parameters["properties"]["n"] = {"type": 5}
    with pytest.raises(chatcodec.InvalidChat) as caught:
        codec.parse(call, tools=tools)
    assert caught.value.pointer == "/tools/0/function/parameters/properties/n/type"


def test_the_names_of_what_reads_are_there() -> None:
    code = "import chatcodec; print(chatcodec.Reply.__name__, chatcodec.Event.__name__); chatcodec.nothing"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "Reply Event\n"
    assert "has no attribute 'nothing'" in done.stderr


def test_a_header_that_a_turn_quotes_is_not_where_it_begins() -> None:
    codec = chatcodec.load("qwen3-tir")
    quoted = "<|im_start|>assistant\n<think>\n</think>\n\n"
    call = '<tool_call>\n{"name": "f", "arguments": {}}\n</tool_call>'
    content = f"Plan.{call}\n<tool_response>\n{quoted}\n</tool_response>\n"
    chat = [*HI, {"role": "assistant", "content": content}]
    prompt = codec.render(chat, continue_final_message=True)
    for given in (prompt, prompt.text):
        reply = codec.parse("So.\n</think>\n\nYes.<|im_end|>", prompt=given)
        assert reply.turn["content"] == content + "So.\n</think>\n\nYes."
        assert reply.message == {"role": "assistant", "content": "Yes.", "reasoning_content": "So."}


@pytest.mark.parametrize("name", chatcodec.available())
def test_a_rendered_prompt_and_its_text_say_the_same(name: str) -> None:
    codec = chatcodec.load(name)
    for chat in (HI, [*HI, {"role": "assistant", "content": "Hello"}, *HI]):
        prompt = codec.render(chat, add_generation_prompt=True)
        replies = [codec.parse("a</think>b", prompt=given) for given in (prompt, prompt.text, prompt.text[-20:], None)]
        assert len({str(reply.events) for reply in replies}) == 1


def test_a_reply_and_tools_can_be_pickled() -> None:
    codec = chatcodec.load("qwen3.6")
    tools = codec.tools([{"type": "function", "function": {"name": "f", "parameters": {"enum": [True]}}}])
    assert pickle.loads(pickle.dumps(tools)) == tools
    text = "a</think>b<tool_call>\n<function=f>\n</function>\n</tool_call>"
    for reply in (codec.parse(text, tools=tools), codec.collect(codec.parse(text).events)):
        again = pickle.loads(pickle.dumps(reply))
        for name in ("message", "turn", "calls", "segments", "finish", "text", "malformed"):
            assert getattr(again, name) == getattr(reply, name)
