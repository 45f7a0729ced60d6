"""Chats a line: errors that name the line, output as it comes."""

import json
import shlex
import subprocess
import threading
from pathlib import Path

import pytest

from .running import HI, HI_TEXT, as_json, command, run, spawn, write_json, write_lines

LINES = (
    b'[{"role": "user", "content": "Hi"}]\r\n\n{bad\n{"messages": [{"content": 1}]}\n'
    b'[{"role": "critic", "content": "No"}]'
)


LINE_ERRORS = [
    ":3: not JSON: Expecting property name enclosed in double quotes at column 2",
    ":4: /messages/0/role: missing or null, accepted: system, user, assistant or tool",
    ":5: /messages/0/role: this format has no such role: it is printed as it is",
]


NO_TEXT = "<seed:bos>critic\nNo<seed:eos><seed:bos>assistant\n"


@pytest.mark.parametrize("named", [True, False])
def test_lines_go_on_after_an_error(named: bool, tmp_path: Path) -> None:
    file = tmp_path / "chats.jsonl"
    file.write_bytes(LINES)
    ran = spawn("render", "seed-oss", str(file)) if named else spawn("render", "seed-oss", stdin=LINES)
    assert ran.code == 2
    first, second = map(json.loads, ran.text.splitlines())
    assert first == {"line": 1, "text": HI_TEXT, "warnings": []}
    assert (second["line"], second["text"]) == (5, NO_TEXT)
    assert [warning["code"] for warning in second["warnings"]] == ["role-printed"]
    where = str(file) if named else "stdin"
    words = ("error", "error", "warning")
    assert ran.errors == [f"{word}: {where}{line}" for word, line in zip(words, LINE_ERRORS, strict=True)]


def test_lines_as_text() -> None:
    ran = run("render", "seed-oss", "--output", "text", stdin=LINES)
    assert (ran.code, ran.text) == (2, f"{HI_TEXT}\n{NO_TEXT}\n")


@pytest.mark.parametrize("output", ["spans", "json"])
def test_lines_with_spans(output: str) -> None:
    ran = run("render", "seed-oss", "--output", output, stdin=LINES)
    single = json.loads(run("render", "seed-oss", "--output", "json", stdin=HI).out)
    assert json.loads(ran.text.splitlines()[0]) == {"line": 1, **single}


def test_lines_that_are_all_fine(tmp_path: Path) -> None:
    file = write_lines(tmp_path / "chats.jsonl", HI, {"messages": HI, "thinking_budget": 0})
    ran = run("render", "seed-oss", file)
    assert (ran.code, ran.err, ran.out.count(b"\n")) == (0, "", 2)
    assert "your thinking budget is 0" in json.loads(ran.out.splitlines()[1])["text"]
    one = write_lines(tmp_path / "one.jsonl", HI)
    assert json.loads(run("render", "seed-oss", one).out) == {"line": 1, "text": HI_TEXT, "warnings": []}
    none = write_lines(tmp_path / "none.jsonl")
    assert run("render", "seed-oss", none) == (0, b"", "")


def test_what_is_wrong_with_the_arguments_is_said_once(tmp_path: Path) -> None:
    file = write_lines(tmp_path / "chats.jsonl", HI, HI, HI)
    ran = run("render", "seed-oss", file, "--set", "x:=1")
    assert (ran.code, ran.out, len(ran.errors)) == (2, b"", 1)
    assert ran.err.startswith("error: --set: /options/x: seed-oss does not read")
    tools = write_json(tmp_path / "tools.json", [{"type": "function"}])
    ran = run("render", "seed-oss", file, "--tools", tools)
    assert ran == (2, b"", f"error: {tools}: /tools/0/function: missing or null, accepted: an object\n")


def test_lines_are_printed_as_they_come() -> None:
    with subprocess.Popen(
        command("render", "seed-oss"), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        guard = threading.Timer(60, process.kill)
        guard.start()
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write((as_json(HI) + b"\n") * 2)
        process.stdin.flush()
        for number in (1, 2):
            assert json.loads(process.stdout.readline())["line"] == number
        process.stdin.write(as_json(HI))
        process.stdin.close()
        assert json.loads(process.stdout.readline())["line"] == 3
        guard.cancel()
    assert process.returncode == 0


def test_jsonl_may_be_said() -> None:
    one = b'[{"role": "user", "content": "Hi"}]\n'
    ran = run("render", "seed-oss", "--jsonl", stdin=one)
    assert json.loads(ran.text) == {"line": 1, "text": HI_TEXT, "warnings": []}
    ran = run("render", "seed-oss", "--jsonl", stdin=b"bad\n" + one)
    assert (ran.code, json.loads(ran.text)["line"]) == (2, 2)
    assert ran.errors == ["error: stdin:1: not JSON: Expecting value at column 1"]


def test_each_prompt_is_one_line_for_every_reader() -> None:
    chat = [{"role": "user", "content": "a\u2028b\u2029c\u0085d\ne"}]
    ran = run("render", "seed-oss", "--jsonl", stdin=as_json(chat) + b"\n" + as_json(chat))
    assert len(ran.text.splitlines()) == 2
    assert chat[0]["content"] in json.loads(ran.text.splitlines()[0])["text"]


def test_it_stops_when_nobody_reads_its_errors() -> None:
    lines = b"[{}]\n" * 200_000
    script = f"{shlex.join(command('render', 'seed-oss', '--jsonl'))} 2>&1 | head -1"
    done = subprocess.run(["bash", "-c", script], input=lines, capture_output=True, timeout=60, check=False)
    assert done.stdout.startswith(b"error: stdin:1: /messages/0/role: missing")
    assert done.stdout.count(b"\n") == 1


def test_what_is_passed_over_is_named_once() -> None:
    chats = [{"messages": HI, "model": "m"}, {"messages": HI, "model": "m", "seed": 1}, {"messages": HI, "seed": 2}]
    ran = run("render", "seed-oss", stdin=b"\n".join(as_json(chat) for chat in chats))
    assert (ran.code, len(ran.text.splitlines())) == (0, 3)
    note = "note: passed over, as it is for an engine: "
    assert ran.errors == [note + "model", note + "seed"]
