"""``chatcodec render``: exact prompts, how they end, tools, warnings."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import chatcodec
from chatcodec.cli.failure import MAX_WARNINGS

from .running import HI, HI_PROMPT, HI_TEXT, as_json, run, spawn, write_json

TOOL = {"type": "function", "function": {"name": "get", "parameters": {"type": "object", "properties": {}}}}


OPEN = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Well", "reasoning_content": "Hm"}]


@pytest.mark.parametrize("by", [run, spawn])
def test_the_prompt_goes_out_byte_for_byte(by: Callable[..., Any], tmp_path: Path) -> None:
    chat = [{"role": "user", "content": "\x1b[31m\u202e é😀\r\n\t\x00 "}]
    prompt = "<seed:bos>user\n\x1b[31m\u202e é😀\r\n\t\x00 <seed:eos><seed:bos>assistant\n".encode()
    assert by("render", "seed-oss", stdin=chat) == (0, prompt, "")
    assert by("render", "seed-oss", "-", stdin=chat) == (0, prompt, "")
    assert by("render", "seed-oss", write_json(tmp_path / "c.json", chat)) == (0, prompt, "")
    assert by("render", "seed-oss", "--color", "never", "--output", "text", stdin=chat) == (0, prompt, "")


def test_the_prompt_does_not_depend_on_the_locale() -> None:
    chat = [{"role": "user", "content": "é😀"}]
    ran = spawn("render", "seed-oss", stdin=chat, env={"LC_ALL": "C", "PYTHONIOENCODING": "ascii"})
    assert ran == (0, "<seed:bos>user\né😀<seed:eos><seed:bos>assistant\n".encode(), "")


@pytest.mark.parametrize("name", chatcodec.available())
def test_each_codec_prints_what_it_renders(name: str) -> None:
    chat = [*HI, {"role": "assistant", "content": "Ho"}, *HI]
    prompt = chatcodec.load(name).render(chat, tools=[TOOL], add_generation_prompt=True).text
    assert run("render", name, stdin={"messages": chat, "tools": [TOOL]}) == (0, prompt.encode(), "")


@pytest.mark.parametrize(
    ("args", "said", "ends"),
    [
        ((), {}, True),
        ((), {"add_generation_prompt": True}, True),
        ((), {"add_generation_prompt": None}, True),
        ((), {"add_generation_prompt": False}, False),
        (("--no-generation-prompt",), {}, False),
        (("--no-generation-prompt",), {"add_generation_prompt": True}, False),
    ],
)
def test_the_generation_prompt(args: tuple[str, ...], said: dict[str, Any], ends: bool) -> None:
    ran = run("render", "seed-oss", *args, stdin={"messages": HI, **said})
    assert ran.text == (HI_TEXT if ends else HI_TEXT.removesuffix("<seed:bos>assistant\n"))


THINKING = "<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n<think>\nHm"


@pytest.mark.parametrize(
    ("args", "said", "prompt"),
    [
        (("--continue",), {}, f"{THINKING}\n</think>\n\nWell"),
        (("--continue=content",), {}, f"{THINKING}\n</think>\n\nWell"),
        (("--continue=reasoning_content",), {}, THINKING),
        ((), {"continue_final_message": True}, f"{THINKING}\n</think>\n\nWell"),
        ((), {"continue_final_message": "reasoning_content"}, THINKING),
        (("--continue",), {"continue_final_message": "reasoning_content"}, f"{THINKING}\n</think>\n\nWell"),
        (("--continue",), {"add_generation_prompt": True}, f"{THINKING}\n</think>\n\nWell"),
        (("--no-generation-prompt", "--continue"), {}, f"{THINKING}\n</think>\n\nWell"),
    ],
)
def test_a_message_left_open(args: tuple[str, ...], said: dict[str, Any], prompt: str) -> None:
    assert run("render", "qwen3.6", *args, stdin={"messages": OPEN, **said}) == (0, prompt.encode(), "")


def test_continue_does_not_take_the_file_for_a_field(tmp_path: Path) -> None:
    file = write_json(tmp_path / "chat.json", OPEN)
    assert run("render", "qwen3.6", "--continue", file).text.endswith("Well")
    assert run("render", "--continue", "qwen3.6", file).text.endswith("Well")


def test_continue_refused() -> None:
    both = {"messages": OPEN, "continue_final_message": True, "add_generation_prompt": True}
    ran = run("render", "qwen3.6", stdin=both)
    assert (ran.code, ran.out) == (2, b"")
    assert "continue_final_message and add_generation_prompt are not compatible" in ran.err
    ran = run("render", "qwen3.6", "--continue=name", stdin=OPEN)
    assert (
        'error: stdin: /messages/1/name: continue_final_message is set but the final message has no "name"' in ran.err
    )
    assert run("render", "qwen3.6", "--continue=", stdin=OPEN).errors == [
        "error: --continue=: accepted: the name of a field, such as content"
    ]


def test_the_long_message_of_transformers_is_one_line() -> None:
    lost = [*HI, {"role": "assistant", "content": "<think>x</think>\n\n y" + "\nz" * 5000}]
    ran = run("render", "qwen3.6", "--continue", stdin=lost)
    assert (ran.code, ran.out) == (2, b"")
    assert ran.err.startswith("error: stdin: /messages: continue_final_message is set but the final message does not")
    assert ran.err.count("\n") == 1
    assert len(ran.err) == 401


def test_tools_from_a_file(tmp_path: Path) -> None:
    tools = write_json(tmp_path / "tools.json", [TOOL])
    other = {"type": "function", "function": {"name": "other", "parameters": {"properties": {}}}}
    prompt = chatcodec.load("seed-oss").render(HI, tools=[TOOL], add_generation_prompt=True).text
    for chat in (HI, {"messages": HI, "tools": [other]}):
        assert run("render", "seed-oss", "--tools", tools, stdin=chat).text == prompt
    chat_file = write_json(tmp_path / "chat.json", HI)
    assert run("render", "seed-oss", chat_file, "--tools", "-", stdin=[TOOL]).text == prompt
    request = write_json(tmp_path / "request.json", {"model": "m", "tools": [TOOL]})
    assert run("render", "seed-oss", "--tools", request, stdin=HI).text == prompt
    none = write_json(tmp_path / "none.json", [])
    assert run("render", "seed-oss", "--tools", none, stdin={"messages": HI, "tools": [TOOL]}).out == HI_PROMPT


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (
            as_json(TOOL),
            "/tools: found object with type, function, accepted: a list of tool definitions, or an object with tools",
        ),
        (b'{"tools": {}}', "/tools: found empty object, accepted: a list of tool definitions"),
        (b'{"tools": null}', "/tools: missing or null, accepted: a list of tool definitions"),
        (b'[{"type": "function"}]', "/tools/0/function: missing or null, accepted: an object"),
        (b'["get"]', '/tools/0: found string "get", accepted: an object'),
        (b"null", "/tools: missing or null, accepted: a list of tool definitions"),
        (b"", "not JSON: Expecting value at line 1, column 1"),
        (b"[\n{}\n{}]", "not JSON: Expecting ',' delimiter at line 3, column 1"),
        (b"[]\n[]", "not JSON: Extra data at line 2, column 1"),
        (b'\xef\xbb\xbf["\xff"]', "not UTF-8: byte 5 is 0xff"),
        (b"[" * 100_000, "nested too deeply"),
    ],
)
def test_wrong_tools_are_blamed_on_their_file(raw: bytes, words: str, tmp_path: Path) -> None:
    file = tmp_path / "tools.json"
    file.write_bytes(raw)
    assert run("render", "seed-oss", "--tools", str(file), stdin=HI) == (2, b"", f"error: {file}: {words}\n")


def test_tools_that_cannot_be_read(tmp_path: Path) -> None:
    missing = tmp_path / "none.json"
    assert run("render", "seed-oss", "--tools", str(missing), stdin=HI).err == f"error: {missing}: no such file\n"
    assert run("render", "seed-oss", "--tools", "-", stdin=HI).errors == [
        "error: stdin cannot be both the chat and --tools; name a file for one of them"
    ]


def test_warnings_go_to_stderr() -> None:
    ran = run("render", "seed-oss", stdin=[*HI, {"role": "critic", "content": "No"}])
    assert ran.code == 0
    assert ran.out == b"<seed:bos>user\nHi<seed:eos><seed:bos>critic\nNo<seed:eos><seed:bos>assistant\n"
    assert ran.errors == ["warning: /messages/1/role: this format has no such role: it is printed as it is"]


def test_many_warnings_are_counted() -> None:
    chat = [{"role": "critic", "content": "No"}] * (MAX_WARNINGS + 5)
    ran = run("render", "seed-oss", "--output", "json", stdin=chat)
    assert len(ran.errors) == MAX_WARNINGS + 1
    assert ran.errors[-1] == "warning: 5 more like these"
    assert len(json.loads(ran.out)["warnings"]) == MAX_WARNINGS + 5


def test_a_long_chat(tmp_path: Path) -> None:
    count = 100_000
    chat = [{"role": ("user", "assistant")[i % 2], "content": f"m{i}"} for i in range(count)]
    ran = spawn("render", "qwen3.6", write_json(tmp_path / "chat.json", chat))
    assert (ran.code, ran.err, ran.out.count(b"<|im_end|>")) == (0, "", count)


def test_a_long_text() -> None:
    text = "x\x1b é" * 2_000_000
    chat = [{"role": "user", "content": text}]
    assert run("render", "seed-oss", stdin=chat).out == HI_PROMPT.replace(b"Hi", text.encode())
    assert run("render", "seed-oss", "--color", "never", "--output", "spans", stdin=chat).out.count(b"\n") == 4
