"""The program: help, versions, exit codes, and that an error is one line."""

import importlib
import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import click
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chatcodec import __version__
from chatcodec.cli.failure import Refused, at, report
from chatcodec.cli.main import COMMANDS, cli
from chatcodec.cli.parse import OUTPUTS
from chatcodec.errors import InvalidChat, TemplateRefused

from .running import HI, HI_PROMPT, as_json, command, environment, hear_signals, run, spawn, write_json, write_lines

FORMATS = ("bailing-v3", "qwen2.5-ja-struct", "qwen3-tir", "qwen3.6", "seed-oss")


@pytest.mark.parametrize("flag", ["-h", "--help"])
def test_help_lists_each_command_with_its_line(flag: str) -> None:
    ran = run(flag)
    assert ran.code == 0
    assert ran.err == ""
    assert "chatcodec render seed-oss chat.json" in ran.text
    for name, line in COMMANDS.items():
        assert f"  {name}  " in ran.text
        assert line in ran.text


@pytest.mark.parametrize("name", list(COMMANDS))
def test_the_table_says_what_the_command_says(name: str) -> None:
    module = importlib.import_module(f"chatcodec.cli.{name}")
    assert module.command.name == name
    assert (module.command.help or "").splitlines()[0] == COMMANDS[name]


@pytest.mark.parametrize("name", list(COMMANDS))
@pytest.mark.parametrize("flag", ["-h", "--help"])
def test_help_of_a_command_shows_an_example(name: str, flag: str) -> None:
    ran = run(name, flag)
    assert ran.code == 0
    assert ran.text.startswith(f"Usage: chatcodec {name} [OPTIONS]")
    assert f"  chatcodec {name} " in ran.text
    assert "--debug" in ran.text


def test_help_imports_no_command_and_nothing_heavy() -> None:
    code = (
        "import sys\nfrom chatcodec.cli.main import main\nsys.argv = ['chatcodec', '--help']\n"
        "try:\n    main()\nexcept SystemExit:\n    print(*sorted(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    modules = done.stdout.splitlines()[-1].split()
    ours = {name for name in modules if name.startswith("chatcodec.cli.")}
    assert ours == {"chatcodec.cli.main", "chatcodec.cli.failure", "chatcodec.cli.visible"}
    assert not {"jinja2", "rich", "transformers", "numpy"} & set(modules)
    assert not [name for name in modules if name.startswith("chatcodec.formats.qwen")]


def test_version() -> None:
    assert run("--version").out == f"chatcodec {__version__}\n".encode()


def test_runs_as_module() -> None:
    ran = spawn("render", "seed-oss", stdin=HI)
    assert ran == (0, HI_PROMPT, "")


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ((), 'Missing command; see "chatcodec -h"'),
        (("rendr",), 'no command is named "rendr"; there are: render, parse, inspect, list'),
        (("--nope",), "No such option"),
        (("render",), "Missing argument 'CODEC'; see \"chatcodec render -h\""),
        (("render", "seed-oss", "a", "b"), "unexpected extra argument"),
        (("render", "seed-oss", "--nope"), "No such option"),
        (("render", "seed-oss", "--set"), "requires an argument"),
        (("render", "seed-oss", "--tools"), "requires an argument"),
        (("render", "seed-oss", "--output", "xml"), "'xml' is not one of 'text', 'json', 'spans'"),
        (("render", "seed-oss", "--color", "maybe"), "'maybe' is not one of 'auto', 'always', 'never'"),
        (("render", "seed-oss", "--allow-unknown=1"), "does not take a value"),
        (("parse",), "Missing argument 'CODEC'; see \"chatcodec parse -h\""),
        (("parse", "seed-oss", "a", "b"), "unexpected extra argument"),
        (("parse", "seed-oss", "--prompt"), "requires an argument"),
        (("parse", "seed-oss", "--output", "xml"), "'xml' is not one of 'message', 'turn', 'events', 'deltas', "),
        (("parse", "seed-oss", "--tool-choice", "any"), "'any' is not one of 'auto', 'required', 'none'"),
        (("parse", "seed-oss", "--color", "maybe"), "'maybe' is not one of 'auto', 'always', 'never'"),
        (("inspect",), "Missing argument 'CODEC'; see \"chatcodec inspect -h\""),
        (("inspect", "seed-oss", "extra"), "unexpected extra argument"),
        (("inspect", "seed-oss", "--output", "spans"), "is not one of 'text', 'json'"),
        (("inspect", "seed-os", "--pieces"), 'no codec is named "seed-os"; did you mean seed-oss?'),
        (("list", "extra"), "unexpected extra argument"),
        (("list", "--output", "spans"), "is not one of 'text', 'json'"),
        (("render", "seed-os"), 'no codec is named "seed-os"; did you mean seed-oss?'),
        (("render", "gpt"), "there are: bailing-v3, qwen2.5-ja-struct, qwen3-tir, qwen3.6, seed-oss"),
        (("render", ""), 'no codec is named ""'),
        (("render", "x\x1b[31m\ny"), 'no codec is named "x␛[31m y"'),
    ],
)
def test_wrong_use_is_one_line_and_2(args: tuple[str, ...], words: str) -> None:
    ran = run(*args)
    assert (ran.code, ran.out) == (2, b"")
    assert words in ran.err
    assert ran.err.startswith("error: ")
    assert ran.err.count("\n") == 1


def test_debug_shows_the_traceback_and_the_line() -> None:
    for args in (("--debug", "render", "nope"), ("render", "nope", "--debug")):
        ran = run(*args)
        assert (ran.code, ran.out) == (2, b"")
        assert ran.errors[0] == "Traceback (most recent call last):"
        assert ran.errors[-1].startswith('error: no codec is named "nope"')


def test_debug_behind_two_dashes_is_a_file() -> None:
    ran = run("render", "seed-oss", "--", "--debug")
    assert (ran.code, ran.errors) == (2, ["error: --debug: no such file"])


def test_what_nobody_expects_is_an_internal_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise KeyError("secret\nline")

    monkeypatch.setattr("chatcodec.cli.render.load", broken)
    ran = run("render", "seed-oss")
    assert ran.code == 2
    assert ran.errors == ["error: internal error: KeyError: 'secret\\nline' (--debug shows the traceback)"]
    assert "Traceback" in run("render", "seed-oss", "--debug").err


def test_out_of_memory_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    def exhausted(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr("chatcodec.cli.render.load", exhausted)
    assert run("render", "seed-oss") == (2, b"", "error: out of memory\n")


def said(capsys: pytest.CaptureFixture[str], error: Exception) -> str:
    report(error)
    return capsys.readouterr().err


def test_a_pointer_is_said_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, InvalidChat("/messages/0: odd", "/messages/0")) == "error: /messages/0: odd\n"
    assert said(capsys, InvalidChat("/messages/01: odd", "/messages/0")) == "error: /messages/0: /messages/01: odd\n"
    assert said(capsys, TemplateRefused("No.", "/messages/0")) == "error: /messages/0: No.\n"
    assert said(capsys, InvalidChat("odd")) == "error: odd\n"
    assert said(capsys, Refused("f:3", InvalidChat("odd", "/a"))) == "error: f:3: /a: odd\n"


def test_a_long_message_is_one_short_line(capsys: pytest.CaptureFixture[str]) -> None:
    line = said(capsys, InvalidChat("a \n\n b\tc\x1b" + "x" * 10_000))
    assert line.startswith("error: a b c␛xxx")
    assert line.endswith("x…\n")
    assert len(line) == 401


def test_place_goes_on_deep_data() -> None:
    with pytest.raises(Refused, match=r"^here: nested too deeply$"), at("here"):
        raise RecursionError


def test_place_is_given_once() -> None:
    with pytest.raises(Refused, match=r"^inner: odd$"), at("outer"), at("inner"):
        raise InvalidChat("odd")


def test_commands_complete_without_import() -> None:
    context = click.Context(cli, info_name="chatcodec")
    assert cli.list_commands(context) == ["render", "parse", "inspect", "list"]
    assert cli.get_command(context, "os") is None


def test_a_reader_that_goes_away_is_no_error(tmp_path: Path) -> None:
    file = write_lines(tmp_path / "chats.jsonl", *[[{"role": "user", "content": "x" * 1000}]] * 2000)
    with subprocess.Popen(
        command("render", "seed-oss", file), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline().startswith(b'{"line": 1, ')
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a full device")
@pytest.mark.parametrize(
    "line",
    ["render seed-oss", "parse seed-oss", "parse seed-oss --stream", "inspect seed-oss", "list"],
)
def test_a_full_disk_is_said(line: str) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(command(*line.split()), input=as_json(HI), stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 2
    assert done.stderr == b"error: cannot write to stdout: No space left on device\n"


@pytest.mark.skipif(sys.platform == "win32", reason="needs a shell of POSIX")
@pytest.mark.parametrize(
    ("closed", "code", "stderr"),
    [
        ("<&-", 2, b"error: stdin: closed\n"),
        (">&-", 2, b"error: stdout is closed\n"),
        ("2>&-", 0, b""),
    ],
)
@pytest.mark.parametrize("args", [("render", "seed-oss"), ("parse", "seed-oss"), ("parse", "seed-oss", "--stream")])
def test_closed_streams(closed: str, code: int, stderr: bytes, args: tuple[str, ...]) -> None:
    shell = ["sh", "-c", f'exec "$@" {closed}', "sh", *command(*args)]
    done = subprocess.run(shell, input=as_json(HI), capture_output=True)
    assert (done.returncode, done.stderr) == (code, stderr)


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_ctrl_c_gives_130_without_a_traceback() -> None:
    line = as_json(HI) + b"\n"
    with subprocess.Popen(
        command("render", "seed-oss"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=hear_signals,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(line * 2)
        process.stdin.flush()
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        assert process.stderr.read().strip() == b""
    assert process.returncode == 130


def test_random_bytes_are_refused_in_one_line() -> None:
    generator = random.Random(7)
    for size in (1, 2, 3, 10, 100, 1000, 10_000):
        for _ in range(30):
            noise = b"\x80" + generator.randbytes(size)  # no UTF-8, whatever follows
            ran = run("render", "seed-oss", stdin=noise)
            assert (ran.code, ran.out) == (2, b"")
            assert ran.errors == ["error: stdin: not UTF-8: byte 0 is 0x80"]


def test_damaged_chats_render_or_are_refused() -> None:
    generator = random.Random(11)
    whole = as_json([{"role": "user", "content": "Hi \u00e9\U0001f600"}, {"role": "assistant", "content": "1"}] * 2)
    codes = set()
    for _ in range(400):
        damaged = bytearray(whole)
        for _ in range(generator.randint(1, 4)):
            damaged[generator.randrange(len(damaged))] = generator.choice(b'{}[]",:\\ \n\r0ntf\x00\x80\xc3')
        ran = run("render", generator.choice(FORMATS), stdin=bytes(damaged))
        codes.add(ran.code)
        assert ran.code == (2 if ran.err.startswith("error: ") else 0)
        assert "internal error" not in ran.err
    assert codes == {0, 2}


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(max_size=3) | st.sampled_from(["role", "content", "tool_calls", "type"]), inner)
    ),
    max_leaves=12,
)
MESSAGE = st.fixed_dictionaries(
    {"role": st.sampled_from(["system", "user", "assistant", "tool", "critic"]) | JSON},
    optional={"content": JSON, "tool_calls": JSON, "reasoning_content": JSON, "name": JSON, "tool_call_id": JSON},
)
CHAT = st.fixed_dictionaries(
    {"messages": st.lists(MESSAGE, max_size=4) | JSON},
    optional={
        "tools": JSON,
        "documents": JSON,
        "options": JSON,
        "chat_template_kwargs": JSON,
        "add_generation_prompt": JSON,
        "continue_final_message": JSON,
        "enable_thinking": JSON,
    },
)


@settings(max_examples=300)
@given(JSON | CHAT, st.sampled_from(FORMATS), st.sampled_from(["text", "json", "spans"]), st.booleans())
def test_any_json_renders_or_is_refused(chat: object, codec: str, output: str, open_: bool) -> None:
    args = ["--continue"] if open_ else []
    ran = run("render", codec, "--allow-unknown", "--output", output, *args, stdin=chat)
    assert ran.code in (0, 2)
    assert "internal error" not in ran.err
    if ran.code == 2:
        assert ran.out == b""
        assert ran.err.startswith("error: stdin: ")
        assert ran.err.count("\n") == 1
    else:
        assert all(line.startswith("warning: /") for line in ran.errors)


@settings(max_examples=300)
@given(
    st.lists(
        st.sampled_from(["<tool_call>", "</tool_call>", '{"name": "f", "arguments": {', "<function=f>", "}"])
        | st.text()
    ),
    st.sampled_from(FORMATS),
    st.sampled_from(OUTPUTS),
    st.booleans(),
)
def test_any_text_is_a_reply(parts: list[str], codec: str, output: str, by_line: bool) -> None:
    text = "".join(parts)
    ran = run("parse", codec, "--output", output, *(["--jsonl"] if by_line else []), stdin=sent(text, by_line))
    assert ran.code == 0
    assert all(line.startswith("warning: ") for line in ran.errors)


def sent(text: str, by_line: bool) -> bytes:
    return as_json(text) if by_line else text.encode("utf-8", "replace")


def test_environment_of_subprocesses_is_clean(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "FORCE_COLOR" not in environment()


def test_errors_in_a_process_of_its_own(tmp_path: Path) -> None:
    file = write_json(tmp_path / "chat.json", [{"content": "Hi"}])
    ran = spawn("render", "seed-oss", file)
    assert (ran.code, ran.out) == (2, b"")
    assert ran.err == f"error: {file}: /messages/0/role: missing or null, accepted: system, user, assistant or tool\n"
