"""Options: ``--set``, options of the file, and who is blamed for a wrong one."""

import inspect
from pathlib import Path

import pytest

import chatcodec
from chatcodec.cli.render import RESERVED
from chatcodec.cli.settings import settings_of
from chatcodec.errors import UnreadableInput

from .running import HI, HI_PROMPT, HI_TEXT, run, write_json


def test_set_beats_the_file_and_the_last_counts() -> None:
    chat = {"messages": HI, "options": {"thinking_budget": 512}}
    assert "which is 512." in run("render", "seed-oss", stdin=chat).text
    ran = run("render", "seed-oss", "--set", "thinking_budget:=1024", stdin=chat)
    assert "which is 1024." in ran.text
    ran = run("render", "seed-oss", "--set", "thinking_budget:=7", "--set", "thinking_budget:=-1", stdin=chat)
    assert ran == (0, HI_PROMPT, "")


def test_set_passes_text_and_json() -> None:
    for argument, shown in (
        ("system_message=Be: =short:= ", "Be: =short:= "),
        ('system_message:="\\u00e9\\n"', "é\n"),
        ("system_message=", ""),
    ):
        ran = run("render", "seed-oss", "--set", argument, stdin=HI)
        assert ran == (0, f"<seed:bos>system\n{shown}<seed:eos>{HI_TEXT}".encode(), "")
    assert "<schema>\n{'a': nan}\n" in run("render", "qwen2.5-ja-struct", "--set", 'schema:={"a":NaN}', stdin=HI).text
    assert "<schema>\n{}\n" in run("render", "qwen2.5-ja-struct", "--set", "schema={}", stdin=HI).text


def test_special_tokens_are_taken() -> None:
    assert run("render", "seed-oss", "--set", "bos_token=<s>", stdin=HI) == (0, HI_PROMPT, "")


SETTINGS = [
    ("enable_thinking=false", "--set enable_thinking=false passes text; write --set enable_thinking:=false"),
    ("enable_thinking=False", "--set enable_thinking=False passes text; write --set enable_thinking:=false"),
    ("enable_thinking=no", "--set enable_thinking=no passes text; write --set enable_thinking:=false"),
    ("enable_thinking=1", "--set enable_thinking=1 passes text; write --set enable_thinking:=true"),
    (
        "enable_thinking=maybe",
        "--set enable_thinking=maybe passes text; write --set enable_thinking:=true or enable_thinking:=false",
    ),
    (
        "enable_thinking=",
        "--set enable_thinking= passes text; write --set enable_thinking:=true or enable_thinking:=false",
    ),
    ("thinking_budget=512", "--set thinking_budget=512 passes text; write --set thinking_budget:=512"),
    ("thinking_budget=-1.5", "--set thinking_budget=-1.5 passes text; write --set thinking_budget:=-1.5"),
    ("thinking_budget=much", "--set thinking_budget=much passes text; write --set thinking_budget:=NUMBER"),
    ("thinking_budget=true", "--set thinking_budget=true passes text; write --set thinking_budget:=NUMBER"),
    ("enable_thinking:=False", "--set enable_thinking:=False: not JSON: Expecting value at column 1"),
    ("a:=", "--set a:=: not JSON: Expecting value at column 1"),
    ("a:={'b': 1}", "--set a:={'b': 1}: not JSON: Expecting property name enclosed in double quotes at column 2"),
    ("a:=[\n1,\n]", "--set a:=[ 1, ]: not JSON: "),
    ("a:=" + "[" * 100_000, "--set a:=" + "[" * 59 + "…: nested too deeply"),
    ("a:=" + "9" * 5000, "--set a:=" + "9" * 59 + "…: an integer of more than 4300 digits"),
    ("a:=\x1b", "--set a:=␛: not JSON: Expecting value at column 1"),
    ("enable_thinking", "--set enable_thinking: accepted: NAME=TEXT or NAME:=JSON"),
    ("enable_thinking:false", "--set enable_thinking:false: accepted: NAME=TEXT or NAME:=JSON"),
    ("=x", "--set =x: accepted: NAME=TEXT or NAME:=JSON"),
    (":=1", "--set :=1: accepted: NAME=TEXT or NAME:=JSON"),
    ("", "--set : accepted: NAME=TEXT or NAME:=JSON"),
]


@pytest.mark.parametrize(("argument", "words"), SETTINGS, ids=range(len(SETTINGS)))
def test_wrong_settings_are_refused_before_anything_is_read(argument: str, words: str) -> None:
    codec = "seed-oss" if "budget" in argument else "qwen3.6"
    ran = run("render", codec, "missing.json", "--set", argument)
    assert (ran.code, ran.out) == (2, b"")
    assert ran.err.startswith(f"error: {words}")
    assert ran.err.count("\n") == 1


def test_any_takes_text_and_json() -> None:
    options = chatcodec.load("qwen2.5-ja-struct").options
    assert settings_of(["schema={", "schema2:=1", "model_identity=x"], options) == {
        "schema": "{",
        "schema2": 1,
        "model_identity": "x",
    }
    with pytest.raises(UnreadableInput):
        settings_of(["schema:={"], options)


def test_unknown_options(tmp_path: Path) -> None:
    said = '/options/add_vision: qwen3.6 does not read an option "add_vision"; did you mean add_vision_id?'
    ran = run("render", "qwen3.6", "--set", "add_vision:=false", stdin=HI)
    assert ran == (2, b"", f"error: --set: {said}\n")
    file = write_json(tmp_path / "chat.json", {"messages": HI, "chat_template_kwargs": {"add_vision": False}})
    there = said.replace("/options/", "/chat_template_kwargs/")
    assert run("render", "qwen3.6", file) == (2, b"", f"error: {file}: {there}\n")
    ran = run("render", "qwen3.6", file, "--allow-unknown", "--set", "x=y")
    assert ran.text == chatcodec.load("qwen3.6").render(HI, add_generation_prompt=True).text


def test_a_wrong_option_is_blamed_on_who_set_it() -> None:
    words = '/options/thinking_budget: found string "x", accepted: a number\n'
    ran = run("render", "seed-oss", "--set", 'thinking_budget:="x"', stdin=HI)
    assert ran == (2, b"", f"error: --set: {words}")
    ran = run("render", "seed-oss", stdin={"messages": HI, "thinking_budget": "x"})
    assert ran == (2, b"", f"error: stdin: {words.replace('/options/', '/')}")


def test_names_that_no_option_can_have() -> None:
    parameters = inspect.signature(chatcodec.Codec.render).parameters
    assert set(parameters) - {"options"} == RESERVED
    for name in RESERVED:
        ran = run("render", "seed-oss", "--set", f"{name}:=1", stdin=HI)
        assert ran == (2, b"", f'error: --set: /options/{name}: an option cannot be named "{name}"\n')
        assert (
            run("render", "seed-oss", "--allow-unknown", stdin={"messages": HI, "options": {name: 1}}).out == HI_PROMPT
        )


def test_json_that_is_python_is_corrected() -> None:
    for given, meant in (("False", "false"), ("None", "null")):
        ran = run("render", "qwen3.6", "--set", f"enable_thinking:={given}", stdin=HI)
        assert (ran.code, ran.out) == (2, b"")
        assert ran.err.endswith(f"; did you mean enable_thinking:={meant}?\n")


def test_a_value_of_another_type_is_warned_about() -> None:
    ran = run("render", "qwen3.6", stdin={"messages": HI, "enable_thinking": "false"})
    assert (ran.code, ran.text) == (0, chatcodec.load("qwen3.6").render(HI, add_generation_prompt=True).text)
    assert ran.err.startswith('warning: /options/enable_thinking: found string "false", meant: a boolean. Off only')
