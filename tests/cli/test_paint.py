"""Colours and control characters."""

import re
from typing import get_args

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

import chatcodec
from chatcodec.cli.paint import KINDS, STYLES, in_style, legend, paint, styled, writer_of
from chatcodec.cli.visible import CONTROLS, one_line, visible
from chatcodec.render.rendered import Span
from chatcodec.reply.reply import Kind

SGR = re.compile("\x1b\\[[0-9;]*m")

TOOL = {
    "type": "function",
    "function": {"name": "get", "description": "Gets.", "parameters": {"type": "object", "properties": {}}},
}


def dim(text: str) -> str:
    return f"\x1b[2m{text}\x1b[0m"


def colour(code: int, text: str) -> str:
    return f"\x1b[{code}m{text}\x1b[0m"


def test_a_text_has_the_colour_of_its_role() -> None:
    roles = ["system", "user", "assistant", "tool", "critic"]
    chat = [{"role": role, "content": f"by {role}"} for role in roles]
    painted = paint(chatcodec.load("bailing-v3").render(chat), roles)
    assert painted.startswith(dim("<role>SYSTEM</role>") + colour(35, "by system"))
    assert dim("<role>HUMAN</role>") + colour(32, "by user") + dim("<|role_end|>") in painted
    assert colour(36, "by assistant") in painted
    assert colour(33, "by tool") in painted
    assert dim("<role>") + colour(31, "critic") + dim("</role>") + colour(31, "by critic") in painted


def test_tools_and_options_have_their_own() -> None:
    prompt = chatcodec.load("seed-oss").render(
        [{"role": "user", "content": "Hi"}], tools=[TOOL], thinking_budget=512, system_message="Be short."
    )
    painted = paint(prompt, ["user"])
    assert click.style("Be short.", bold=True) in painted
    assert click.style("512", bold=True) in painted
    assert click.style("get", fg="blue") in painted
    assert click.style("Gets.", fg="blue") in painted


@pytest.mark.parametrize(
    ("pointer", "writer"),
    [
        ("/messages/0/content", "system"),
        ("/messages/1/tool_calls/0/function/name", "tool"),
        ("/messages/2/content/0/text", "other role"),
        ("/tools/0/function/name", "tool definition"),
        ("/documents/0/text", "document"),
        ("/options/schema", "option"),
        ("/elsewhere", "template"),
        ("", "template"),
        (None, "template"),
    ],
)
def test_who_wrote_it(pointer: str | None, writer: str) -> None:
    roles = ["developer", "ipython", ["odd"]]
    assert writer_of(Span(0, 1, "data", pointer), roles) == writer


def test_derived_text_counts_as_its_first_source() -> None:
    span = Span(0, 1, "derived", sources=("/tools/0", "/messages/0/content"))
    assert writer_of(span, ["user"]) == "tool definition"


def test_the_legend_names_each_writer_in_its_colour() -> None:
    assert click.unstyle(legend()).split("  ") == list(STYLES)
    assert colour(32, "user") in legend()
    assert dim("template") in legend()
    assert len({click.style("x", **style) for style in STYLES.values()}) == len(STYLES)


def test_each_part_of_a_reply_has_its_colour() -> None:
    assert set(KINDS) == set(get_args(Kind))
    assert len({click.style("x", **style) for style in KINDS.values()}) == len(KINDS)
    assert in_style("a\x1b", KINDS["content"]) == colour(32, "a") + click.style("␛", fg="green", reverse=True)


@pytest.mark.parametrize(
    ("control", "shown"),
    [
        ("\x00", "␀"),
        ("\x07", "␇"),
        ("\x08", "␈"),
        ("\x0b", "␋"),
        ("\x0d", "␍"),
        ("\x1b", "␛"),
        ("\x1f", "␟"),
        ("\x7f", "␡"),
        ("\x80", "\\x80"),
        ("\x9b", "\\x9b"),
        ("\u061c", "\\u061c"),
        ("\u200e", "\\u200e"),
        ("\u202e", "\\u202e"),
        ("\u2069", "\\u2069"),
        ("\n", "\n"),
        ("\t", "\t"),
        ("\u00a0", "\u00a0"),
        ("\u200d", "\u200d"),
        ("é😀", "é😀"),
    ],
)
def test_control_characters_are_shown(control: str, shown: str) -> None:
    assert visible(f"a{control}b") == f"a{shown}b"


def test_all_controls_of_unicode_are_known() -> None:
    import unicodedata

    for code in range(0x110000):
        char = chr(code)
        category = unicodedata.category(char)
        turns = unicodedata.bidirectional(char) in ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")
        marks = code in (0x061C, 0x200E, 0x200F)
        expected = (category == "Cc" and char not in "\n\t") or category in ("Zl", "Zp") or turns or marks
        assert bool(CONTROLS.fullmatch(char)) == expected, hex(code)


def test_a_drawn_control_differs_from_its_spelling() -> None:
    assert styled("a\x1b[31m␛", "user") == (
        "\x1b[32ma\x1b[0m" + click.style("␛", fg="green", reverse=True) + "\x1b[32m[31m␛\x1b[0m"
    )
    assert styled("", "user") == ""


@given(st.lists(st.text(), min_size=1, max_size=4))
def test_painting_loses_nothing_and_obeys_nothing(texts: list[str]) -> None:
    chat = [{"role": "user", "content": text} for text in texts]
    prompt = chatcodec.load("seed-oss").render(chat, add_generation_prompt=True)
    painted = paint(prompt, ["user"] * len(texts))
    bare = SGR.sub("", painted)
    assert bare == visible(prompt.text)
    assert not CONTROLS.search(bare)


def test_one_line() -> None:
    assert one_line(" a\r\n\tb \n") == "a b"
    assert one_line("x" * 400) == "x" * 400
    assert one_line("x" * 401) == "x" * 399 + "…"
    assert one_line("\n" * 1000 + "x", 10) == "…"
    assert one_line("abc\x1b", 4) == "abc␛"
