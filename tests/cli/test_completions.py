"""``chatcodec parse`` with a completion a line: what a line says, errors that name it, output as it comes."""

import json
import subprocess
import threading
from pathlib import Path
from typing import Any

import pytest

import chatcodec
from chatcodec.cli.parse import OUTPUTS

from .running import as_json, command, run, write_json, write_lines
from .test_parse import COMPLETION, CUT, TOOL

TYPED = '{"city": "Kraków", "days": 1}'
UNTYPED = '{"city": "Kraków", "days": "1"}'


def lines(*values: Any) -> bytes:
    return b"".join(as_json(value) + b"\n" for value in values)


def parse(value: Any, *args: str, codec: str = "seed-oss") -> Any:
    """Return what is printed for one line."""
    ran = run("parse", codec, "--jsonl", *args, stdin=lines(value))
    assert (ran.code, ran.err) == (0, "")
    return json.loads(ran.out)


def arguments(printed: Any) -> str:
    found = printed["message"]["tool_calls"][0]["function"]["arguments"]
    assert isinstance(found, str)
    return found


def test_a_line_is_a_string_or_an_object() -> None:
    message = {"role": "assistant", "content": "Hi\n"}
    for value in ("Hi\n", {"completion": "Hi\n"}, {"completion": "Hi\n", "prompt": None, "tools": None}):
        assert parse(value) == {"line": 1, "message": message, "finish": "stop"}


def test_a_line_says_what_it_answers(tmp_path: Path) -> None:
    assert arguments(parse(COMPLETION)) == UNTYPED
    assert arguments(parse({"completion": COMPLETION, "tools": [TOOL]})) == TYPED
    assert parse({"completion": COMPLETION, "tool_choice": "none"})["finish"] == "stop"
    assert parse({"completion": "Hi", "finish_reason": "length"})["finish"] == "length"
    split = {"role": "assistant", "content": "Hi", "reasoning_content": "x"}
    thought = {"role": "assistant", "content": "x</think>\n\nHi"}
    answer = {"completion": "x</think>\n\nHi"}
    assert parse(answer | {"prompt": "<think>\n"}, codec="qwen3.6")["message"] == split
    assert parse(answer | {"prompt": ""}, codec="qwen3.6")["message"] == thought
    for key in ("options", "chat_template_kwargs"):
        for thinking, message in ((True, split), (False, thought)):
            assert parse(answer | {key: {"enable_thinking": thinking}}, codec="qwen3.6")["message"] == message


def test_what_the_command_line_says_counts_first(tmp_path: Path) -> None:
    other = {"type": "function", "function": {"name": "get_weather", "parameters": {"properties": {}}}}
    tools = write_json(tmp_path / "tools.json", [TOOL])
    assert arguments(parse({"completion": COMPLETION, "tools": [other]}, "--tools", tools)) == TYPED
    prompt = tmp_path / "prompt.txt"
    prompt.write_text("<think>\n")
    line = {"completion": "x</think>\n\nHi", "prompt": ""}
    assert parse(line, "--prompt", str(prompt), codec="qwen3.6")["message"]["content"] == "Hi"
    line = {"completion": "x</think>\n\nHi", "options": {"enable_thinking": False}}
    assert parse(line, "--set", "enable_thinking:=true", codec="qwen3.6")["message"]["content"] == "Hi"
    assert parse({"completion": "Hi", "finish_reason": "stop"}, "--finish-reason", "length")["finish"] == "length"
    assert arguments(parse({"completion": COMPLETION, "tool_choice": "none"}, "--tool-choice", "auto")) == UNTYPED


def test_the_forms_of_a_line() -> None:
    reply = chatcodec.load("seed-oss").parse(COMPLETION)
    for output in OUTPUTS:
        ran = run("parse", "seed-oss", "--jsonl", "--output", output, stdin=lines("", COMPLETION))
        printed = [json.loads(line) for line in ran.text.splitlines()]
        assert [form["line"] for form in printed] == sorted(form["line"] for form in printed)
        second = [{key: value for key, value in form.items() if key != "line"} for form in printed if form["line"] == 2]
        if output in ("events", "deltas", "json"):
            alone = run("parse", "seed-oss", "--output", output, stdin=COMPLETION.encode()).text.splitlines()
            assert second == [json.loads(line) for line in alone]
        elif output == "segments":
            assert second == [json.loads(run("parse", "seed-oss", "--output", "json", stdin=COMPLETION.encode()).out)]
        else:
            assert second == [{output: getattr(reply, output), "finish": reply.finish}]


LINE_ERRORS = [
    (b"{bad", "not JSON: Expecting property name enclosed in double quotes at column 2"),
    (b'"\xff"', "not UTF-8: byte 1 is 0xff"),
    (b"5", "found number 5, accepted: a completion, which is a string, or an object with completion"),
    (b"null", "found null, accepted: a completion, which is a string, or an object with completion"),
    (b'["Hi"]', "found list of 1, accepted: a completion, which is a string, or an object with completion"),
    (b"{}", "/completion: missing or null, accepted: a string"),
    (b'{"completion": ["Hi"]}', "/completion: found list of 1, accepted: a string"),
    (b'{"completion": "Hi", "prompt": []}', "/prompt: found list of 0, accepted: a string"),
    (b'{"completion": "Hi", "tools": {}}', "/tools: found empty object, accepted: a list of tool definitions"),
    (b'{"completion": "Hi", "tools": [1]}', "/tools/0: found number 1, accepted: an object"),
    (b'{"completion": "Hi", "tools": [{}]}', "/tools/0/name: missing or null, accepted: a string"),
    (b'{"completion": "Hi", "finish_reason": 1}', "/finish_reason: found number 1, accepted: a string"),
    (
        b'{"completion": "Hi", "tool_choice": 1}',
        "/tool_choice: found number 1, accepted: auto, required, none, or an object that names a tool",
    ),
    (b'{"completion": "Hi", "options": 1}', "/options: found number 1, accepted: an object with options"),
    (b'{"completion": "Hi", "options": {"x": 1}}', '/options/x: seed-oss does not read an option "x"; it reads: '),
    (b'{"completion": "Hi", "options": {"tools": 1}}', '/options/tools: an option cannot be named "tools"'),
    (b'{"completion": "Hi", "options": {"thinking_budget": ""}}', '/options/thinking_budget: found string ""'),
    (b'{"completion": "Hi", "tools": ' + b"[" * 100_000, "nested too deeply"),
]


@pytest.mark.parametrize(("raw", "words"), LINE_ERRORS, ids=range(len(LINE_ERRORS)))
def test_a_bad_line_is_an_error_and_the_others_go_on(raw: bytes, words: str, tmp_path: Path) -> None:
    file = tmp_path / "completions.jsonl"
    file.write_bytes(b'"a"\n\n' + raw + b'\n"b"')
    for where, ran in ((file, run("parse", "seed-oss", str(file))), ("stdin", run_on(file))):
        assert ran.code == 2
        assert [(form["line"], form["message"]["content"]) for form in map(json.loads, ran.text.splitlines())] == [
            (1, "a"),
            (4, "b"),
        ]
        assert ran.err.startswith(f"error: {where}:3: {words}")
        assert ran.err.count("\n") == 1


def run_on(file: Path) -> Any:
    return run("parse", "seed-oss", "--jsonl", stdin=file.read_bytes())


def test_an_option_of_a_line_is_named_as_it_stands_there() -> None:
    ran = run("parse", "seed-oss", "--jsonl", stdin=lines({"completion": "", "chat_template_kwargs": {"x": 1}}))
    assert ran.err.startswith("error: stdin:1: /chat_template_kwargs/x: seed-oss does not read")


def test_warnings_name_the_line() -> None:
    ran = run("parse", "seed-oss", "--jsonl", stdin=lines("Hi", CUT))
    assert ran.code == 0
    assert [json.loads(line)["finish"] for line in ran.text.splitlines()] == ["stop", "length"]
    assert ran.errors[0].startswith("warning: stdin:2: call 0 (get_weather): unclosed: ")
    assert len(ran.errors) == 1


def test_what_is_passed_over_is_named_once() -> None:
    ran = run(
        "parse",
        "seed-oss",
        "--jsonl",
        stdin=lines(*({"completion": "Hi", "id": i, **({"score": 1} if i else {})} for i in range(3))),
    )
    assert (ran.code, len(ran.text.splitlines())) == (0, 3)
    assert ran.errors == ["note: passed over: id", "note: passed over: score"]


def test_what_is_wrong_with_the_arguments_is_said_once(tmp_path: Path) -> None:
    file = write_lines(tmp_path / "completions.jsonl", "a", "b")
    tools = write_json(tmp_path / "tools.json", [{"type": "function"}])
    words = "/tools/0/name: missing or null, accepted: a string"
    assert run("parse", "seed-oss", file, "--tools", tools) == (2, b"", f"error: {tools}: {words}\n")
    ran = run("parse", "seed-oss", file, "--set", "x:=1")
    assert (ran.code, ran.out, len(ran.errors)) == (2, b"", 1)
    assert ran.err.startswith("error: --set: /options/x: seed-oss does not read")


def test_lone_surrogates_and_controls_are_one_line_of_json() -> None:
    text = "\ud800 \udc00\x00\x1b\u2028\x85"
    ran = run("parse", "seed-oss", "--jsonl", "--output", "json", stdin=lines(text))
    assert len(ran.text.splitlines()) == 1
    assert json.loads(ran.out)["message"]["content"] == text
    call = f'<tool_call>\n{{"name": "{text}", "arguments": {{"x": "{text}'
    for output in ("segments", "events"):
        ran = run("parse", "qwen3-tir", "--jsonl", "--output", output, stdin=lines(call))
        assert ran.code == 0
        assert all(json.loads(line) for line in ran.text.splitlines())


def test_lines_are_printed_as_they_come() -> None:
    with subprocess.Popen(
        command("parse", "seed-oss", "--jsonl"), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        guard = threading.Timer(60, process.kill)
        guard.start()
        assert process.stdin is not None
        assert process.stdout is not None
        for number in (1, 2):
            process.stdin.write(b'"Hi"\n')
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["line"] == number
        process.stdin.close()
        assert process.stdout.read() == b""
        guard.cancel()
    assert process.returncode == 0


def test_no_line_is_nothing(tmp_path: Path) -> None:
    assert run("parse", "seed-oss", write_lines(tmp_path / "none.jsonl")) == (0, b"", "")
    assert run("parse", "seed-oss", "--jsonl", stdin=b"\n \n") == (0, b"", "")
