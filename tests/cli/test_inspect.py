"""``chatcodec inspect``: what is known of a codec, for people and as JSON."""

import json
from typing import Any

import pytest

import chatcodec
from chatcodec.cli.card import screen
from chatcodec.cli.visible import CONTROLS

from .running import run, spawn

SEED_OSS = """turn opening               "<seed:bos>assistant\\n"
turn closing               "<seed:eos>"
reasoning opening          "<seed:think>"
reasoning closing          "</seed:think>\\n"
tool calls                 arguments as tagged pairs
call opening               "<seed:tool_call>\\n<function={name}>\\n"
argument                   "<parameter={key}>{value}</parameter>\\n"
call closing               "</function>\\n</seed:tool_call>"
values                     text as it is, all else as Python prints it
between content and calls  "\\n\\n"
between calls              "\\n"

Written by models, though the template does not show it:

notice opening             "<seed:cot_budget_reflect>"
notice closing             "</seed:cot_budget_reflect>"
"""

TIR = """turn opening       "<|im_start|>assistant\\n"
turn closing       "<|im_end|>"
reasoning opening  "<think>\\n"
reasoning closing  "\\n</think>\\n\\n"

Written by models, though the template does not show it:

tool calls         a JSON object each
call opening       "<tool_call>\\n"
call               "{\\"name\\": {name}, \\"arguments\\": {arguments}}"
call closing       "\\n</tool_call>"
arguments          as an object
response opening   "\\n<tool_response>\\n"
response closing   "\\n</tool_response>\\n"
"""


def test_pieces_are_tables_of_words() -> None:
    assert run("inspect", "seed-oss", "--pieces") == (0, SEED_OSS.encode(), "")
    assert run("inspect", "qwen3-tir", "--pieces", "--output", "text") == (0, TIR.encode(), "")
    assert spawn("inspect", "seed-oss", "--pieces") == (0, SEED_OSS.encode(), "")
    text = run("inspect", "qwen2.5-ja-struct", "--pieces").text
    assert "\narguments                     as JSON text in a string\n" in text
    assert '\nbefore calls without content  "\\n"\n' in text
    assert "though the template" not in text
    assert "all else as JSON\n" in run("inspect", "qwen3.6", "--pieces").text


@pytest.mark.parametrize("name", chatcodec.available())
def test_pieces_as_json(name: str) -> None:
    codec = chatcodec.load(name)
    ran = run("inspect", name, "--pieces", "--output", "json")
    assert (ran.code, ran.err, ran.out.count(b"\n")) == (0, "", 1)
    assert json.loads(ran.out) == {
        "schema_version": 1,
        "name": name,
        "pieces": codec.pieces.as_json(),
        "hints": codec.hints.as_json(),
    }


@pytest.mark.parametrize("name", chatcodec.available())
def test_each_literal_is_in_the_table(name: str) -> None:
    codec = chatcodec.load(name)
    text = run("inspect", name, "--pieces").text
    for literal in literals(codec.pieces.as_json()) + literals(codec.hints.as_json()):
        assert json.dumps(literal) in text
    words = {line.split("  ")[0] for line in text.splitlines() if line and not line.endswith(":")}
    assert not [word for word in words if "_" in word or word.startswith("calls ")]
    assert not CONTROLS.search(text)


def literals(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [text for name, item in value.items() if name not in ("syntax", "values") for text in literals(item)]
    if isinstance(value, list):
        return [text for item in value for text in literals(item)]
    return [value] if isinstance(value, str) and value else []


@pytest.mark.parametrize("name", chatcodec.available())
def test_all_that_is_known(name: str) -> None:
    codec = chatcodec.load(name)
    printed = json.loads(run("inspect", name, "--output", "json").out)
    assert list(printed) == ["schema_version", "name", "title", "options", "stops", "pieces", "hints", "card"]
    [listed] = [
        entry for entry in json.loads(run("list", "--output", "json").out)["codecs"] if entry["name"] == codec.name
    ]
    assert {key: printed[key] for key in listed} == listed
    assert printed["card"] == codec.describe().as_json()
    assert printed["stops"] == list(codec.stops)
    assert (printed["pieces"], printed["hints"]) == (codec.pieces.as_json(), codec.hints.as_json())


def test_all_that_is_known_for_people() -> None:
    text = run("inspect", "qwen3-tir", "--details").text
    card = screen(chatcodec.load("qwen3-tir").describe())
    assert text == (
        f"{card}\nqwen3-tir: Qwen3 with tool-integrated reasoning: calls and their responses inside one turn\n"
        f'\nAn engine stops at "<|im_end|>", "</tool_call>".\n\n{TIR}'
    )
    text = run("inspect", "seed-oss", "--details").text
    assert "\nseed-oss: Seed-OSS: " in text
    assert "\n  thinking_budget (number, default -1)\n      " in text
    assert text.endswith(f'\n\nAn engine stops at "<seed:eos>".\n\n{SEED_OSS}')


@pytest.mark.parametrize("name", chatcodec.available())
def test_a_card_is_one_screen(name: str) -> None:
    text = run("inspect", name).text
    assert text == screen(chatcodec.load(name).describe())
    lines = text.splitlines()
    assert len(lines) <= 30
    assert max(map(len, lines)) <= 110
    assert not CONTROLS.search(text)


def test_a_card_of_a_template_shows_no_control_characters() -> None:
    text = run("inspect", "{% for m in messages %}{{ raise_exception('a\x1b[31mb') }}{% endfor %}").text
    assert "\x1b" not in text.replace("\\x1b", "")
    assert "every probe is refused" in text


def test_a_codec_that_is_not_there() -> None:
    for args in ((), ("--pieces",), ("--output", "json")):
        ran = run("inspect", "qwen3.5", *args)
        assert (ran.code, ran.out) == (2, b"")
        assert ran.err.startswith('error: no codec is named "qwen3.5"; did you mean qwen3.6')


def test_a_response_template_and_what_it_cannot_say() -> None:
    ran = run("inspect", "seed-oss", "--response-template")
    template, lost = chatcodec.load("seed-oss").response_template()
    assert (ran.code, json.loads(ran.text)) == (0, template)
    assert ran.err == "".join(f"note: {sentence}\n" for sentence in lost)
    assert "A call that is cut off counts as whole" in ran.err
