"""The forms of output: the JSON object and the table of spans."""

import json
from typing import Any

import pytest

import chatcodec
from chatcodec.cli.present import json_line, table
from chatcodec.cli.terminal import write

from .running import HI, run


def test_json_has_everything() -> None:
    ran = run("render", "seed-oss", "--output", "json", stdin=[{"role": "critic", "content": "Hi\x9b\u202eé"}])
    assert ran.out.count(b"\n") == 1
    assert b"Hi\\u009b\\u202e\xc3\xa9" in ran.out
    assert json.loads(ran.out) == {
        "schema_version": 1,
        "text": "<seed:bos>critic\nHi\x9b\u202eé<seed:eos><seed:bos>assistant\n",
        "warnings": [
            {
                "code": "role-printed",
                "pointer": "/messages/0/role",
                "message": "this format has no such role: it is printed as it is",
            }
        ],
        "spans": [
            span(0, 10, "template", None, None, "/messages/0"),
            span(10, 16, "data", "/messages/0/role", "value", "/messages/0"),
            span(16, 17, "template", None, None, "/messages/0"),
            span(17, 22, "data", "/messages/0/content", "value", "/messages/0"),
            span(22, 32, "template", None, None, "/messages/0"),
            span(32, 52, "template", None, None, "generation"),
        ],
        "media": [],
    }


def span(start: int, end: int, origin: str, pointer: str | None, shows: str | None, owner: str) -> dict[str, Any]:
    return {"start": start, "end": end, "origin": origin, "pointer": pointer, "shows": shows, "owner": owner}


def test_json_says_what_derived_text_is_made_from() -> None:
    template = "{{ messages[0].content | title }}{{ messages[0].role }}"
    printed = json.loads(run("render", template, "--output", "json", stdin=[{"role": "user", "content": "a b"}]).out)
    assert [(span["origin"], span.get("sources")) for span in printed["spans"]] == [
        ("derived", ["/messages/0/content"]),
        ("data", None),
    ]


def test_json_has_media() -> None:
    chat = [{"role": "user", "content": [{"type": "image", "image": "x.png"}, {"type": "text", "text": "What?"}]}]
    printed = json.loads(run("render", "qwen3.6", "--output", "json", stdin=chat).out)
    [item] = printed["media"]
    assert (item["kind"], item["pointer"]) == ("image", "/messages/0/content/0")
    assert printed["text"][item["start"] : item["end"]] == "<|image_pad|>"


def test_what_utf_8_cannot_say_is_still_json(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    write(json_line(["\ud800", "é"]))
    assert capsysbinary.readouterr().out == b'["\\ud800", "\xc3\xa9"]\n'


def test_spans_are_a_table() -> None:
    ran = run("render", "seed-oss", "--output", "spans", stdin=[{"role": "user", "content": "Hi\n\x1b\x9b" + "x" * 80}])
    assert ran.text.splitlines() == [
        '0-15     template  -                    /messages/0  "<seed:bos>user\\n"',
        f'15-100   data      /messages/0/content  /messages/0  "Hi\\n\\u001b\\x9b{"x" * 43}"…',
        '100-110  template  -                    /messages/0  "<seed:eos>"',
        '110-130  template  -                    generation   "<seed:bos>assistant\\n"',
    ]


@pytest.mark.parametrize("width", [None, 60, 80, 200])
@pytest.mark.parametrize("text", ["short", "x" * 300, "\x00" * 300, "\x00" * 30, '"\\' * 100, "漢字" * 100])
def test_a_table_fits_and_its_quotes_are_json(width: int | None, text: str) -> None:
    prompt = chatcodec.load("seed-oss").render([{"role": "user", "content": text}])
    lines = list(table(prompt, ["user"], "exact", width))
    assert len(lines) == len(prompt.spans)
    row = lines[1].rstrip("\n")
    quoted = row[row.index('"') :]
    assert len(quoted) <= 60 if width is None else len(row) < max(width, 70)
    shown = json.loads(quoted.removesuffix("…"))
    assert text.startswith(shown)
    assert quoted.endswith("…") == (shown != text)
    assert len(shown) >= 1


def test_a_name_cannot_break_the_table() -> None:
    call = {"type": "function", "function": {"name": "get", "arguments": {"a\n\x1b\tb": "x"}}}
    chat = [*HI, {"role": "assistant", "content": "", "tool_calls": [call]}]
    text = run("render", "seed-oss", "--output", "spans", stdin=chat).text
    assert "/messages/1/tool_calls/0/function/arguments/a␊␛␉b" in text
    assert not set("\x1b\t") & set(text)
