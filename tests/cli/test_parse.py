"""``chatcodec parse``: what a completion is read as, from where, and what is said of it."""

import inspect
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import chatcodec
from chatcodec.cli.failure import MAX_WARNINGS
from chatcodec.cli.parse import OUTPUTS, RESERVED
from chatcodec.reply.events import GRAVITY

from .running import as_json, on_terminal, run, spawn, write_json

TOOL = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}, "days": {"type": "integer"}}},
    },
}
COMPLETION = """<seed:think>Look.</seed:think>
Let me look.

<seed:tool_call>
<function=get_weather>
<parameter=city>Kraków</parameter>
<parameter=days>1</parameter>
</function>
</seed:tool_call><seed:eos>"""
CUT = COMPLETION[: COMPLETION.index("</parameter>")]
MALFORMED = b'Hm\n<tool_call>\n{"name": 1, "x"'
ANSWER = {"role": "assistant", "content": "Hi"}


@pytest.fixture
def tools(tmp_path: Path) -> str:
    return write_json(tmp_path / "tools.json", [TOOL])


def parsed(**arguments: Any) -> Any:
    return chatcodec.load("seed-oss").parse(COMPLETION, tools=[TOOL], **arguments)


@pytest.mark.parametrize("by", [run, spawn])
def test_a_message_is_one_line_of_json(by: Callable[..., Any], tmp_path: Path, tools: str) -> None:
    file = tmp_path / "completion.txt"
    file.write_bytes(COMPLETION.encode())
    printed = (json.dumps(parsed().message, ensure_ascii=False) + "\n").encode()
    assert b'{\\"city\\": \\"Krak\xc3\xb3w\\", \\"days\\": 1}' in printed
    assert by("parse", "seed-oss", "--tools", tools, stdin=COMPLETION.encode()) == (0, printed, "")
    assert by("parse", "seed-oss", "-", "--tools", tools, stdin=COMPLETION.encode()) == (0, printed, "")
    assert by("parse", "seed-oss", str(file), "--tools", tools, "--output", "message") == (0, printed, "")


def test_without_tools_arguments_are_text() -> None:
    ran = run("parse", "seed-oss", stdin=COMPLETION.encode())
    assert json.loads(json.loads(ran.out)["tool_calls"][0]["function"]["arguments"]) == {"city": "Kraków", "days": "1"}


@pytest.mark.parametrize("text", ["Hi\n", "\r\nHi\r\n\r", " Hi\t ", "\x00\x1b[31m\u2028\u202eHi\x85", "é😀", "", "\n"])
def test_the_completion_is_read_exactly(text: str, tmp_path: Path) -> None:
    file = tmp_path / "completion.txt"
    file.write_bytes(text.encode())
    for ran in (
        run("parse", "qwen2.5-ja-struct", stdin=text.encode()),
        run("parse", "qwen2.5-ja-struct", str(file)),
        run("parse", "qwen2.5-ja-struct", stdin=b"\xef\xbb\xbf" + text.encode()),
    ):
        assert (ran.code, ran.err) == (0, "")
        assert json.loads(ran.out) == {"role": "assistant", "content": text}
        assert not set("\x1b\x00\u2028\u202e\x85") & set(ran.text)


def test_only_a_byte_order_mark_at_the_start_is_passed_over() -> None:
    for args in ((), ("--stream", "--output", "deltas")):
        ran = run("parse", "qwen2.5-ja-struct", *args, stdin="\ufeff\ufeffa\ufeff".encode())
        assert '"content": "\ufeffa\ufeff"' in ran.text


NOT_UTF_8 = [
    (b"\xff", "byte 0 is 0xff"),
    (b"Hi \xe9!", "byte 3 is 0xe9"),
    (b"\xef\xbb\xbfHi \xe9!", "byte 6 is 0xe9"),
    (b"\xc3\xa9\r\n\xc3", "byte 4 is 0xc3"),
    (b"\xed\xa0\x80", "byte 0 is 0xed"),
    ("Hi".encode("utf-16"), "byte 0 is 0xff; it looks like UTF-16"),
    (b"x" * 100_000 + b"\xc3\xa9\xa9", "byte 100002 is 0xa9"),
]


@pytest.mark.parametrize(("raw", "words"), NOT_UTF_8, ids=range(len(NOT_UTF_8)))
def test_what_is_not_utf_8_is_refused_with_its_place(raw: bytes, words: str, tmp_path: Path) -> None:
    file = tmp_path / "completion.txt"
    file.write_bytes(raw)
    assert run("parse", "seed-oss", stdin=raw) == (2, b"", f"error: stdin: not UTF-8: {words}\n")
    assert run("parse", "seed-oss", str(file)) == (2, b"", f"error: {file}: not UTF-8: {words}\n")
    ran = run("parse", "seed-oss", "--prompt", str(file), stdin=b"Hi")
    assert ran == (2, b"", f"error: {file}: not UTF-8: {words}\n")
    ran = run("parse", "seed-oss", str(file), "--stream")
    assert (ran.code, ran.err) == (2, f"error: {file}: not UTF-8: {words}\n")


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    missing = tmp_path / "none"
    for args in ((str(missing),), ("--tools", str(missing)), ("--prompt", str(missing)), (str(missing), "--stream")):
        assert run("parse", "seed-oss", *args) == (2, b"", f"error: {missing}: no such file\n")
    assert run("parse", "seed-oss", str(tmp_path)).errors == [f"error: {tmp_path}: a directory, not a file"]


def test_the_turn_is_in_the_shape_of_the_codec(tools: str) -> None:
    ran = run("parse", "seed-oss", "--tools", tools, "--output", "turn", stdin=COMPLETION.encode())
    turn = json.loads(ran.out)
    assert turn == parsed().turn
    assert turn["tool_calls"][0]["function"]["arguments"] == {"city": "Kraków", "days": 1}


def test_json_has_everything(tools: str) -> None:
    completion = COMPLETION.replace(">1<", ">soon<")
    ran = run("parse", "seed-oss", "--tools", tools, "--output", "json", stdin=completion.encode())
    assert ran.code == 0
    assert ran.out.count(b"\n") == 1
    reply = chatcodec.load("seed-oss").parse(completion, tools=[TOOL])
    printed = json.loads(ran.out)
    assert list(printed) == ["schema_version", "message", "turn", "finish", "calls", "segments", "malformed"]
    assert (printed["schema_version"], printed["finish"]) == (1, reply.finish)
    assert (printed["message"], printed["turn"]) == (reply.message, reply.turn)
    [call] = printed["calls"]
    start, end = completion.index("<seed:tool_call>"), completion.index("</seed:tool_call>") + len("</seed:tool_call>")
    city, days = completion.index("Kraków"), completion.index("soon")
    assert call == {
        "name": "get_weather",
        "id": None,
        "arguments": '{"city": "Kraków", "days": "soon"}',
        "status": "does not fit",
        "problems": ["does not fit"],
        "raw": completion[start:end],
        "start": start,
        "end": end,
        "values": [
            {"name": "city", "raw": "Kraków", "start": city, "end": city + 6, "fault": None},
            {"name": "days", "raw": "soon", "start": days, "end": days + 4, "fault": "does not fit"},
        ],
        "response": None,
    }
    assert "".join(segment["text"] for segment in printed["segments"]) == completion
    kinds = [segment["kind"] for segment in printed["segments"]]
    assert kinds[:6] == ["marker", "reasoning", "marker", "content", "marker", "call"]
    assert printed["segments"][5] == {"kind": "call", "text": call["raw"], "start": start, "end": end, "call": 0}
    assert printed["malformed"] == []
    printed = json.loads(run("parse", "qwen3-tir", "--output", "json", stdin=MALFORMED).out)
    assert printed["malformed"] == [{"text": MALFORMED[3:].decode(), "start": 3, "end": 30}]


def test_json_has_responses() -> None:
    completion = (
        '<tool_call>\n{"name": "f", "arguments": {}}\n</tool_call>\n<tool_response>\n42\n</tool_response>\n'
        "</think>\n\nIt is 42.<|im_end|>"
    )
    printed = json.loads(run("parse", "qwen3-tir", "--output", "json", stdin=completion.encode()).out)
    assert [call["response"] for call in printed["calls"]] == ["42"]
    assert printed["message"] == {"role": "assistant", "content": "It is 42."}


def test_events_are_a_line_each(tools: str) -> None:
    ran = run("parse", "seed-oss", "--tools", tools, "--output", "events", stdin=COMPLETION.encode())
    events = [json.loads(line) for line in ran.text.splitlines()]
    assert events == [event.as_json() for event in parsed().events]
    assert "".join(event["raw"] for event in events) == COMPLETION
    assert {"type": "arguments", "text": ', "days": 1', "raw": "1", "call": 0, "argument": "days"} in events


def test_deltas_are_choices_of_chunks(tools: str) -> None:
    ran = run("parse", "seed-oss", "--tools", tools, "--output", "deltas", stdin=COMPLETION.encode())
    choices = [json.loads(line) for line in ran.text.splitlines()]
    assert [list(choice) for choice in choices] == [["index", "delta", "finish_reason"]] * len(choices)
    assert choices[:2] == [
        {"index": 0, "delta": {"reasoning_content": "Look."}, "finish_reason": None},
        {"index": 0, "delta": {"content": "Let me look."}, "finish_reason": None},
    ]
    assert choices[-1] == {"index": 0, "delta": {}, "finish_reason": "tool_calls"}
    heads = [call for choice in choices for call in choice["delta"].get("tool_calls", ())]
    assert heads[0] == {
        "index": 0,
        "id": "call_0",
        "type": "function",
        "function": {"name": "get_weather", "arguments": ""},
    }
    assert "".join(call["function"]["arguments"] for call in heads) == '{"city": "Kraków", "days": 1}'


SEGMENTS = """0-12     marker     -              "<seed:think>"
12-17    reasoning  -              "Look."
17-31    marker     -              "</seed:think>\\n"
31-43    content    -              "Let me look."
43-45    marker     -              "\\n\\n"
45-179   call       0 get_weather  "<seed:tool_call>\\n<function=get_weather>\\n<parameter=city"…
179-189  stop       -              "<seed:eos>"
189-190  after      -              "\\n"
"""


def test_segments_are_a_table_in_colour(tools: str, tmp_path: Path) -> None:
    args = ("parse", "seed-oss", "--tools", tools, "--output", "segments")
    raw = COMPLETION.encode() + b"\n"
    assert run(*args, stdin=raw) == (0, SEGMENTS.encode(), "")
    painted = run(*args, "--color", "always", stdin=raw).text
    assert '\x1b[35m"Look."\x1b[0m' in painted
    assert '\x1b[32m"Let me look."\x1b[0m' in painted
    assert '\x1b[36m"<seed:tool_call>' in painted
    assert run(*args, stdin=raw, env={"FORCE_COLOR": "1"}).text == painted
    assert run(*args, "--color", "never", stdin=raw, env={"FORCE_COLOR": "1"}).text == SEGMENTS
    file = tmp_path / "completion.txt"
    file.write_bytes(raw)
    assert '\x1b[35m"Look."\x1b[0m' in on_terminal(*args, str(file))
    for output in set(OUTPUTS) - {"segments"}:
        assert "\x1b" not in run("parse", "seed-oss", "--output", output, "--color", "always", stdin=raw).text


def test_a_name_cannot_break_the_table() -> None:
    name = "a\\n\\u001b\\tb" + "c" * 1000
    completion = f'<tool_call>\n{{"name": "{name}", "arguments": {{}}}}\n</tool_call>'
    ran = run("parse", "qwen3-tir", "--output", "segments", stdin=completion.encode())
    assert ran.out.count(b"\n") == len(ran.text.splitlines()) == 1
    assert ran.text.startswith("0-")
    assert len(ran.text) < 200
    assert "  0 a ␛ bccc" in ran.text


def test_what_a_model_wrote_is_no_error(tools: str) -> None:
    ran = run("parse", "seed-oss", "--tools", tools, stdin=CUT.encode())
    assert (ran.code, json.loads(ran.out)) == (
        0,
        {"role": "assistant", "content": "Let me look.", "reasoning_content": "Look."},
    )
    words = "unclosed: it was cut, or went on as no call does"
    place = f"characters {CUT.index('<seed:tool_call>')}-{len(CUT)}"
    assert ran.errors == [f"warning: call 0 (get_weather): {words} ({place})"]
    ran = run("parse", "qwen3-tir", stdin=MALFORMED)
    assert ran.code == 0
    assert ran.errors == [
        'warning: looks like a call and is none: "<tool_call>\\n{\\"name\\": 1, \\"x\\"" (characters 3-30)'
    ]


def test_all_problems_of_a_call_are_said_with_the_arguments(tools: str) -> None:
    completion = COMPLETION.replace(">1<", ">soon<").replace("=city>", "=town>")
    ran = run("parse", "seed-oss", "--tools", tools, stdin=completion.encode())
    assert ran.code == 0
    assert ran.errors == [
        'warning: call 0 (get_weather): does not fit "days": its schema does not allow the value; untyped "town": the '
        "schema says nothing of it, so it is kept as text (characters 45-182)"
    ]


def test_each_problem_has_words() -> None:
    from chatcodec.cli.replies import _WORDS

    assert list(_WORDS) == list(GRAVITY)


def test_an_odd_name_is_one_short_line() -> None:
    completion = f'<tool_call>\n{{"name": "a\\n\\u001b{"x" * 1000}", "arguments": {{'
    ran = run("parse", "qwen3-tir", stdin=completion.encode())
    assert len(ran.errors) == 1
    assert ran.err.startswith("warning: call 0 (a ␛xxx")
    assert "unclosed" in ran.err
    assert len(ran.err) < 200


def test_many_warnings_are_counted() -> None:
    ran = run("parse", "qwen3-tir", stdin=b'<tool_call>\n{"name": 1}\n</tool_call>x' * (MAX_WARNINGS + 5))
    assert (ran.code, len(ran.errors)) == (0, MAX_WARNINGS + 1)
    assert ran.errors[-1] == "warning: 5 more like these"


@pytest.mark.parametrize(
    ("reason", "finish"),
    [(None, "tool_calls"), ("stop", "tool_calls"), ("length", "length"), ("content_filter", "content_filter")],
)
def test_the_reason_of_the_engine_counts(reason: str | None, finish: str, tools: str) -> None:
    args = () if reason is None else ("--finish-reason", reason)
    for output in ("json", "deltas"):
        ran = run("parse", "seed-oss", *args, "--output", output, stdin=COMPLETION.encode())
        printed = json.loads(ran.text.splitlines()[-1])
        assert printed.get("finish", printed.get("finish_reason")) == finish
    ran = run("parse", "seed-oss", *args, "--stream", "--output", "deltas", stdin=COMPLETION.encode())
    assert json.loads(ran.text.splitlines()[-1])["finish_reason"] == finish


def test_with_no_choice_nothing_is_a_call(tools: str) -> None:
    for choice, calls in (("auto", 1), ("required", 1), ("none", 0)):
        ran = run("parse", "seed-oss", "--tool-choice", choice, stdin=COMPLETION.encode())
        assert len(json.loads(ran.out).get("tool_calls", ())) == calls


def test_the_prompt_says_where_the_reply_begins(tmp_path: Path) -> None:
    thought = {"role": "assistant", "content": "x</think>\n\nHi"}
    split = {"role": "assistant", "content": "Hi", "reasoning_content": "x"}
    chat = [{"role": "user", "content": "<think> me"}]
    prompt = tmp_path / "prompt.txt"
    for thinking, message in ((True, split), (False, thought)):
        args = ("--set", f"enable_thinking:={json.dumps(thinking)}")
        prompt.write_bytes(run("render", "qwen3.6", *args, stdin=chat).out)
        ran = run("parse", "qwen3.6", "--prompt", str(prompt), stdin=b"x</think>\n\nHi<|im_end|>")
        assert (ran.err, json.loads(ran.out)["content"]) == ("", message["content"])
        assert run("parse", "qwen3.6", *args, stdin=b"x</think>\n\nHi<|im_end|>") == ran
    for end, message in (("<think>\n", split), ("<|im_start|>assistant\n<think>\n", split), ("", thought)):
        prompt.write_bytes(end.encode())
        ran = run("parse", "qwen3.6", "--prompt", str(prompt), stdin=b"x</think>\n\nHi<|im_end|>")
        assert json.loads(ran.out) == message
    completion = tmp_path / "completion.txt"
    completion.write_bytes(b"x</think>\n\nHi<|im_end|>")
    assert json.loads(run("parse", "qwen3.6", str(completion), "--prompt", "-", stdin=b"<think>\n").out) == split


def test_options_give_the_start() -> None:
    ran = run("parse", "seed-oss", "--set", "thinking_budget:=0", stdin=b"Hm</seed:think>Hi")
    assert json.loads(ran.out)["content"] == "Hi"
    assert "Hm" in json.loads(ran.out)["reasoning_content"]


def test_tools_come_as_a_list_or_in_an_object(tmp_path: Path) -> None:
    printed = run("parse", "seed-oss", "--tools", "-", str(save(tmp_path, COMPLETION)), stdin=[TOOL])
    assert json.loads(printed.out) == parsed().message
    for value in ({"tools": [TOOL]}, {"model": "m", "messages": [], "tools": [TOOL]}):
        file = write_json(tmp_path / "tools.json", value)
        assert run("parse", "seed-oss", "--tools", file, stdin=COMPLETION.encode()) == printed


def save(directory: Path, text: str) -> Path:
    file = directory / "completion.txt"
    file.write_bytes(text.encode())
    return file


BROKEN: list[tuple[Any, str]] = [
    ({}, "/tools: found empty object, accepted: a list of tool definitions, or an object with tools"),
    ({"tools": None}, "/tools: missing or null, accepted: a list of tool definitions"),
    ({"tools": [1]}, "/tools/0: found number 1, accepted: an object"),
    ([{"type": "function"}], "/tools/0/name: missing or null, accepted: a string"),
    (
        [{"type": "function", "function": {"name": "f", "parameters": {"properties": []}}}],
        "/tools/0/function/parameters/properties: found list of 0, accepted: an object",
    ),
    (
        [{"type": "function", "function": {"name": "f", "parameters": {"properties": {"x": {"type": 5}}}}}],
        "/tools/0/function/parameters/properties/x/type: found number 5, accepted: ",
    ),
]


@pytest.mark.parametrize(("value", "words"), BROKEN, ids=range(len(BROKEN)))
@pytest.mark.parametrize("args", [(), ("--stream",), ("--jsonl",)])
def test_broken_tools_are_blamed_on_their_file(value: Any, words: str, args: tuple[str, ...], tmp_path: Path) -> None:
    file = write_json(tmp_path / "tools.json", value)
    ran = run("parse", "seed-oss", *args, "--tools", file, stdin=b'"Hi"\n"Ho"\n')
    assert (ran.code, ran.out) == (2, b"")
    assert ran.err.startswith(f"error: {file}: {words}")
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("--set", "x:=1"), '--set: /options/x: seed-oss does not read an option "x"; it reads: '),
        (
            ("--set", "thinking_budgett:=1"),
            '--set: /options/thinking_budgett: seed-oss does not read an option "thinking_budgett"; did you mean',
        ),
        (("--set", 'thinking_budget:="x"'), '--set: /options/thinking_budget: found string "x", accepted: a number'),
        (("--set", "thinking_budget=1"), "--set thinking_budget=1 passes text; write --set thinking_budget:=1"),
        (
            ("--set", "thinking_budget:=1", "--prompt", "p"),
            "--set says how a prompt ends, and --prompt too; give one of them",
        ),
        (("--tools", "-"), "stdin cannot be both the completion and --tools; name a file for one of them"),
        (("--prompt", "-"), "stdin cannot be both the completion and --prompt; name a file for one of them"),
        (
            ("c.txt", "--prompt", "-", "--tools", "-"),
            "stdin cannot be both --tools and --prompt; name a file for one of them",
        ),
        (("--stream", "--jsonl"), "--stream takes one completion, not one a line"),
        (("--stream", "x.jsonl"), "--stream takes one completion, not one a line"),
        (
            ("--stream", "--output", "json"),
            "--stream prints events or deltas as they come; there is no json before the end",
        ),
        (
            ("--stream", "--output", "message"),
            "--stream prints events or deltas as they come; there is no message before the end",
        ),
    ],
)
def test_wrong_arguments_are_refused_before_anything_is_read(args: tuple[str, ...], words: str) -> None:
    ran = run("parse", "seed-oss", *args, stdin=b"\xff")
    assert (ran.code, ran.out) == (2, b"")
    assert ran.err.startswith(f"error: {words}")
    assert ran.err.count("\n") == 1


def test_names_that_no_option_can_have() -> None:
    codec = chatcodec.Codec
    names = {name for face in (codec.parse, codec.reader, codec.render) for name in inspect.signature(face).parameters}
    assert names - {"options"} == RESERVED
    for name in RESERVED:
        ran = run("parse", "seed-oss", "--set", f"{name}:=1", stdin=b"Hi")
        assert ran == (2, b"", f'error: --set: /options/{name}: an option cannot be named "{name}"\n')
        ran = run("parse", "seed-oss", "--allow-unknown", "--set", f"{name}:=1", stdin=b"Hi")
        assert (ran.code, json.loads(ran.out)) == (0, ANSWER)


def test_unknown_options_may_be_passed_over() -> None:
    ran = run("parse", "seed-oss", "--set", "x:=1", "--allow-unknown", stdin=b"Hi")
    assert (ran.code, json.loads(ran.out), ran.err) == (0, ANSWER, "")


@pytest.mark.parametrize("output", OUTPUTS)
def test_a_long_completion(output: str) -> None:
    text = "x\x1b\x00é😀\r\n<" * 300_000
    ran = run("parse", "seed-oss", "--output", output, stdin=text.encode())
    assert (ran.code, ran.err) == (0, "")
    if output == "message":
        assert json.loads(ran.out)["content"] == text


@pytest.mark.parametrize("name", chatcodec.available())
def test_deep_and_damaged_calls_are_read(name: str) -> None:
    deep = "[" * 100_000
    for text in (
        f'<tool_call>\n{{"name": "f", "arguments": {{"x": {deep}}}}}\n</tool_call>',
        f'<tool_call>\n{{"id": "", "type": "function", "function": {{"name": "f", "arguments": {{"x": {deep}',
        f"<tool_call>\n<function=f>\n<parameter=x>\n{deep}\n</parameter>\n</function>\n</tool_call>",
        f"<seed:tool_call>\n<function=f>\n<parameter=x>{deep}</parameter>\n</function>\n</seed:tool_call>",
        "<tool_call>" * 1000,
    ):
        ran = run("parse", name, "--output", "json", stdin=text.encode())
        assert ran.code == 0
        assert "".join(segment["text"] for segment in json.loads(ran.out)["segments"]) == text


def test_the_output_does_not_depend_on_the_locale() -> None:
    ran = spawn("parse", "seed-oss", stdin="é😀".encode(), env={"LC_ALL": "C", "PYTHONIOENCODING": "ascii"})
    assert ran == (0, '{"role": "assistant", "content": "é😀"}\n'.encode(), "")


def test_a_codec_that_is_not_there() -> None:
    ran = run("parse", "seed-os", stdin=b"Hi")
    assert ran == (2, b"", 'error: no codec is named "seed-os"; did you mean seed-oss?\n')
    assert "there are: bailing-v3, " in run("parse", "gpt", stdin=b"Hi").err


def test_what_was_read_renders_again(tools: str) -> None:
    turn = json.loads(run("parse", "seed-oss", "--tools", tools, "--output", "turn", stdin=COMPLETION.encode()).out)
    chat = [{"role": "user", "content": "Hi"}, turn]
    ran = run("render", "seed-oss", "--no-generation-prompt", stdin=as_json({"messages": chat}))
    assert ran.text.endswith(f"<seed:bos>assistant\n{COMPLETION}")
