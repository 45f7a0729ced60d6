"""``chatcodec parse --stream``: events as a completion comes in, however it is cut."""

import json
import os
import random
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import pytest

import chatcodec
from chatcodec.cli import documents
from chatcodec.reply.events import Event

from .running import command, hear_signals, run
from .test_parse import COMPLETION, CUT, TOOL, save, write_json

THOUGHT = "<seed:think>é😀\x00 \u2028</seed:think>\nHi"


@contextmanager
def streaming(*args: str) -> Iterator[tuple[subprocess.Popen[bytes], IO[bytes], IO[bytes]]]:
    """Run ``chatcodec parse seed-oss --stream``; give the process, what it reads, and what it prints."""
    with subprocess.Popen(
        command("parse", "seed-oss", "--stream", *args),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
        preexec_fn=hear_signals,
    ) as process:
        guard = threading.Timer(60, process.kill)
        guard.start()
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            yield process, process.stdin, process.stdout
        finally:
            process.stdin.close()
            process.wait(60)
            guard.cancel()


def test_events_come_as_the_text_comes() -> None:
    reader = chatcodec.load("seed-oss").reader()
    kinds = []
    with streaming() as (process, stdin, stdout):
        for piece in ("<seed:think>", "Hm", ". 1", "</seed:think>\nL", "et me", " look.<seed:e"):
            stdin.write(piece.encode())
            for event in reader.feed(piece):  # before anything else is written
                assert json.loads(stdout.readline()) == event.as_json()
                kinds.append(event.type)
        stdin.close()
        assert json.loads(stdout.readline()) == {"type": "content", "text": "<seed:e", "raw": "<seed:e"}
        assert stdout.read() == b""
    assert process.returncode == 0
    assert [kind for kind in kinds if kind != "marker"] == ["reasoning", "reasoning", "content", "content", "content"]


def test_a_character_that_is_cut_waits_for_its_rest() -> None:
    first, *others = "é😀".encode()[:1], "é😀".encode()[1:4], "é😀".encode()[4:]
    with streaming() as (process, stdin, stdout):
        stdin.write(b"a" + first)
        assert json.loads(stdout.readline())["text"] == "a"
        stdin.write(others[0])
        assert json.loads(stdout.readline())["text"] == "é"
        stdin.write(others[1])
        assert json.loads(stdout.readline())["text"] == "😀"
        stdin.write("\ufeff".encode())  # no byte order mark here
        assert json.loads(stdout.readline())["text"] == "\ufeff"
    assert process.returncode == 0


def test_the_events_of_any_pieces_are_those_of_the_whole(tmp_path: Path) -> None:
    tools = write_json(tmp_path / "tools.json", [TOOL])
    raw = COMPLETION.encode() + b" \xf0\x9f\x98\x80\n"
    generator = random.Random(5)
    with streaming("--tools", tools) as (process, stdin, stdout):
        printed: list[bytes] = []
        reading = threading.Thread(target=lambda: printed.append(stdout.read()))
        reading.start()
        at = 0
        while at < len(raw):
            size = generator.randint(1, 7)
            stdin.write(raw[at : at + size])
            at += size
        stdin.close()
        reading.join(60)
        assert process.stderr is not None
        assert process.stderr.read() == b""
    assert process.returncode == 0
    events = [json.loads(line) for line in printed[0].splitlines()]
    assert "".join(event["raw"] for event in events) == raw.decode()
    whole = run("parse", "seed-oss", "--tools", tools, "--output", "events", stdin=raw)
    assert joined(events) == joined([json.loads(line) for line in whole.text.splitlines()])


def joined(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the events with neighbours of one kind joined."""
    result: list[dict[str, Any]] = []
    for event in events:
        last = result[-1] if result else {}
        rest = event.keys() - {"text", "raw"}
        if event.keys() == last.keys() and all(event[key] == last[key] for key in rest):
            result[-1] = {**last, "text": last["text"] + event["text"], "raw": last["raw"] + event["raw"]}
        else:
            result.append(event)
    return result


def test_deltas_end_with_the_reason() -> None:
    ran = run("parse", "seed-oss", "--stream", "--output", "deltas", stdin=THOUGHT.encode())
    assert [json.loads(line) for line in ran.text.splitlines()] == [
        {"index": 0, "delta": {"reasoning_content": "é😀\x00 \u2028"}, "finish_reason": None},
        {"index": 0, "delta": {"content": "Hi"}, "finish_reason": None},
        {"index": 0, "delta": {}, "finish_reason": "stop"},
    ]
    assert len(ran.out.splitlines()) == len(ran.text.splitlines()) == 3


def test_warnings_come_at_the_end(tmp_path: Path) -> None:
    tools = write_json(tmp_path / "tools.json", [TOOL])
    for output in ("events", "deltas"):
        streamed = run("parse", "seed-oss", "--tools", tools, "--stream", "--output", output, stdin=CUT.encode())
        whole = run("parse", "seed-oss", "--tools", tools, stdin=CUT.encode())
        assert (streamed.code, streamed.err) == (0, whole.err)
        assert "warning: call 0 (get_weather): unclosed" in streamed.err
    assert json.loads(streamed.text.splitlines()[-1])["finish_reason"] == "length"


def test_a_stream_starts_where_the_prompt_ends(tmp_path: Path) -> None:
    prompt = save(tmp_path, "<seed:bos>assistant\n<seed:think>")
    ran = run("parse", "seed-oss", "--stream", "--prompt", str(prompt), stdin=b"Hm")
    assert json.loads(ran.out) == {"type": "reasoning", "text": "Hm", "raw": "Hm"}
    ran = run("parse", "seed-oss", "--stream", "--tool-choice", "none", stdin=COMPLETION.encode())
    assert "call_start" not in ran.text


def test_a_file_can_be_streamed(tmp_path: Path) -> None:
    raw = "é<" * 100_000
    file = save(tmp_path, raw)
    ran = run("parse", "seed-oss", str(file), "--stream")
    assert (ran.code, ran.err) == (0, "")
    events = [json.loads(line) for line in ran.text.splitlines()]
    assert len(events) > 1
    assert "".join(event["raw"] for event in events) == raw
    assert run("parse", "seed-oss", str(save(tmp_path, "")), "--stream") == (0, b"", "")


def test_what_comes_before_a_byte_that_is_no_text_is_shown() -> None:
    with streaming() as (process, stdin, stdout):
        stdin.write("é".encode())
        assert json.loads(stdout.readline())["text"] == "é"
        stdin.write(b"b\xffc")
        assert json.loads(stdout.readline())["text"] == "b"
        assert stdout.read() == b""
        assert process.stderr is not None
        assert process.stderr.read() == b"error: stdin: not UTF-8: byte 3 is 0xff\n"
    assert process.returncode == 2


def test_a_character_that_never_gets_its_rest_is_refused() -> None:
    ran = run("parse", "seed-oss", "--stream", stdin=b"a\xf0\x9f\x98")
    assert (ran.code, json.loads(ran.out)["text"]) == (2, "a")
    assert ran.err == "error: stdin: not UTF-8: byte 1 is 0xf0\n"


def test_a_stream_without_end_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "MAX_BYTES", 2 * 1024 * 1024)
    ran = run("parse", "seed-oss", "--stream", stdin=b"x" * (2 * 1024 * 1024 + 1))
    assert (ran.code, ran.err) == (2, "error: stdin: a document of more than 2 MiB\n")
    assert run("parse", "seed-oss", "--stream", stdin=b"x" * (2 * 1024 * 1024)).code == 0
    ran = run("parse", "seed-oss", stdin=b"x" * (2 * 1024 * 1024 + 1))
    assert ran == (2, b"", "error: stdin: a document of more than 2 MiB\n")


def test_a_reader_that_goes_away_is_no_error() -> None:
    with streaming() as (process, stdin, stdout):
        stdin.write(b"Hi")
        assert json.loads(stdout.readline())["text"] == "Hi"
        stdout.close()
        stdin.write(b" there")
        assert process.stderr is not None
        assert process.stderr.read() == b""
    assert process.returncode == 0


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_ctrl_c_gives_130_without_a_traceback() -> None:
    with streaming() as (process, stdin, stdout):
        stdin.write(b"Hi<seed:e")
        assert json.loads(stdout.readline())["text"] == "Hi"
        process.send_signal(signal.SIGINT)
        assert process.stderr is not None
        assert process.stderr.read().strip() == b""
        assert stdout.read() == b""
    assert process.returncode == 130


@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal of POSIX")
def test_typing_on_a_terminal_is_hinted_at() -> None:
    ours, theirs = os.openpty()
    with subprocess.Popen(
        command("parse", "seed-oss", "--stream"), stdin=theirs, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        guard = threading.Timer(60, process.kill)
        guard.start()
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stderr.readline() == b"reading text from the terminal; Ctrl-D ends it\n"
        os.write(ours, b"Hi\n")
        assert json.loads(process.stdout.readline())["text"] == "Hi"
        os.write(ours, b"\x04")
        assert json.loads(process.stdout.readline())["text"] == "\n"
        assert process.stdout.read() == b""
        assert process.wait(60) == 0
        guard.cancel()
    os.close(ours)
    os.close(theirs)


def test_the_same_events_as_in_python() -> None:
    ran = run("parse", "seed-oss", "--stream", stdin=THOUGHT.encode())
    reader = chatcodec.load("seed-oss").reader()
    events: list[Event] = [*reader.feed(THOUGHT), *reader.finish()]
    assert [json.loads(line) for line in ran.text.splitlines()] == [event.as_json() for event in events]
