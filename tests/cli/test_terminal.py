"""What a terminal gets, and what decides whether stdout is drawn for one."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from .running import HI, HI_PROMPT, HI_TEXT, as_json, command, on_terminal, run, write_json

CONTROLS = [{"role": "user", "content": "a\x1b]0;x\x07\u202e\x9bb"}]


terminal = pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal of POSIX")


def test_colours_on_demand() -> None:
    painted = (
        b"\x1b[2m<seed:bos>user\n\x1b[0m\x1b[32mHi\x1b[0m\x1b[2m<seed:eos>\x1b[0m\x1b[2m<seed:bos>assistant\n\x1b[0m"
    )
    assert run("render", "seed-oss", "--color", "always", stdin=HI) == (0, painted, "")
    assert run("render", "seed-oss", "--color", "always", stdin=HI, env={"NO_COLOR": "1"}).out == painted
    assert run("render", "seed-oss", stdin=HI, env={"FORCE_COLOR": "1"}).out == painted
    assert run("render", "seed-oss", "--color", "auto", stdin=HI, env={"FORCE_COLOR": "1"}).out == painted
    for env in ({}, {"FORCE_COLOR": ""}, {"FORCE_COLOR": "1", "NO_COLOR": "1"}):
        assert run("render", "seed-oss", stdin=HI, env=env).out == HI_PROMPT
    assert run("render", "seed-oss", "--color", "never", stdin=HI, env={"FORCE_COLOR": "1"}).out == HI_PROMPT
    assert b'\x1b[32m"Hi"\x1b[0m' in run("render", "seed-oss", "--color", "always", "--output", "spans", stdin=HI).out
    assert b"\x1b" not in run("render", "seed-oss", "--color", "always", "--output", "json", stdin=HI).out


def test_colours_never_pass_controls_on() -> None:
    out = run("render", "seed-oss", "--color", "always", stdin=CONTROLS).text
    assert "\x1b]" not in out
    assert not set("\x07\u202e\x9b") & set(out)
    assert "␛" in out
    assert "\\u202e" in out


@terminal
def test_a_terminal_gets_colours_and_no_controls(tmp_path: Path) -> None:
    file = write_json(tmp_path / "chat.json", CONTROLS)
    seen = on_terminal("render", "seed-oss", file)
    assert seen.startswith("\x1b[2m<seed:bos>user\n\x1b[0m\x1b[32ma\x1b[0m")
    assert "\x1b]" not in seen
    assert not set("\x07\u202e\x9b") & set(seen)
    drawn = "<seed:bos>user\na␛]0;x␇\\u202e\\x9bb<seed:eos><seed:bos>assistant\n"
    assert on_terminal("render", "seed-oss", file, env={"NO_COLOR": "1"}) == drawn
    assert on_terminal("render", "seed-oss", file, env={"TERM": "dumb"}) == drawn
    assert on_terminal("render", "seed-oss", file, "--color", "never") == drawn
    exact = drawn.replace("␛", "\x1b").replace("␇", "\x07").replace("\\u202e", "\u202e").replace("\\x9b", "\x9b")
    assert run("render", "seed-oss", file, "--color", "never").text == exact


@terminal
def test_a_terminal_gets_a_last_newline(tmp_path: Path) -> None:
    file = write_json(tmp_path / "chat.json", HI)
    for args in ((), ("--color", "never")):
        seen = on_terminal("render", "seed-oss", file, "--no-generation-prompt", *args, env={"NO_COLOR": "1"})
        assert seen == "<seed:bos>user\nHi<seed:eos>\n"
    assert on_terminal("render", "seed-oss", file, env={"NO_COLOR": "1"}) == HI_TEXT


@terminal
def test_a_table_is_as_wide_as_the_terminal(tmp_path: Path) -> None:
    file = write_json(tmp_path / "chat.json", [{"role": "user", "content": "x" * 500}])
    lines = on_terminal("render", "seed-oss", file, "--output", "spans", env={"NO_COLOR": "1"}).splitlines()
    assert len(lines) == 4
    assert [len(line) for line in lines if line.endswith("…")] == [79]


@terminal
def test_an_error_on_a_terminal_has_no_controls() -> None:
    assert on_terminal("render", "a\x1b[31mb").startswith('error: no codec is named "a␛[31mb"; ')


@terminal
def test_reading_from_a_terminal_is_hinted_at() -> None:
    ours, theirs = os.openpty()
    with subprocess.Popen(
        command("render", "seed-oss"), stdin=theirs, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stderr.readline() == b"reading JSON from the terminal; Ctrl-D ends it\n"
        os.write(ours, as_json(HI) + b"\n\x04")
        assert process.stdout.read() == HI_PROMPT
        assert process.stderr.read() == b""
    os.close(ours)
    os.close(theirs)
    assert process.returncode == 0
