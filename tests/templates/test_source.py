"""Choosing among templates, as transformers does; and what can be a template's text at all."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

import peer
from chatcodec.errors import LimitExceeded, UnknownCodec, UnreadableInput
from chatcodec.templates.source import MAX_TEMPLATE_BYTES, Source, choose, template_text


def source(*names: str) -> Source:
    return Source({name: f"text of {name}" for name in names}, {}, "my model", {})


@pytest.mark.parametrize(
    ("names", "name", "has_tools", "chosen"),
    [
        (["default"], None, False, "default"),
        (["default"], None, True, "default"),
        (["default", "tool_use"], None, False, "default"),
        (["default", "tool_use"], None, True, "tool_use"),
        (["default", "tool_use"], "default", True, "default"),
        (["default", "rag"], "rag", False, "rag"),
        (["tool_use"], None, True, "tool_use"),
        (["", "default"], "", False, ""),
    ],
)
def test_which_template(names: list[str], name: str | None, has_tools: bool, chosen: str) -> None:
    assert choose(source(*names), name, has_tools) == chosen


def test_an_unknown_name() -> None:
    with pytest.raises(UnknownCodec) as caught:
        choose(source("default", "tool_use"), "tool-use", False)
    assert str(caught.value) == 'my model: no template is named "tool-use"; did you mean tool_use?'
    assert caught.value.nearest == ("tool_use",)
    with pytest.raises(UnknownCodec) as caught:
        choose(source("default", "tool_use", ""), "zzz", False)
    assert str(caught.value) == 'my model: no template is named "zzz"; there are: "", default, tool_use'
    assert caught.value.nearest == ()


def test_no_default() -> None:
    with pytest.raises(UnknownCodec) as caught:
        choose(source("tool_use", "rag"), None, False)
    assert str(caught.value) == (
        "my model: none of the templates is the default, so one has to be named; there are: rag, tool_use"
    )
    assert caught.value.nearest == ("rag", "tool_use")
    assert caught.value.pointer is None


def test_the_choice_is_that_of_transformers() -> None:
    tokenizer = peer.tokenizer()
    names = ("default", "tool_use", "rag")
    sets = itertools.chain.from_iterable(itertools.combinations(names, size) for size in range(1, 4))
    for there, name, tools in itertools.product(sets, (None, *names), (None, [], [{}])):
        templates = source(*there)
        tokenizer.chat_template = dict(templates.templates)
        if name is not None and name not in there:
            continue  # transformers takes it for a template's text
        try:
            expected: Any = tokenizer.get_chat_template(name, tools)
        except ValueError:
            with pytest.raises(UnknownCodec):
                choose(templates, name, tools is not None)
        else:
            assert templates.templates[choose(templates, name, tools is not None)] == expected


def test_what_can_be_a_template() -> None:
    assert template_text("", "x") == ""
    assert template_text("{{ a }}\r\n", "x") == "{{ a }}\r\n"
    with pytest.raises(UnreadableInput, match=r"^x: found number 5, accepted: the text of a template$"):
        template_text(5, "x")
    with pytest.raises(UnreadableInput, match=r"^x: not valid Unicode: character 2 is the lone surrogate U\+D800$"):
        template_text("ab\ud800", "x")
    for fits in ("x" * MAX_TEMPLATE_BYTES, "é" * (MAX_TEMPLATE_BYTES // 2)):
        assert template_text(fits, "x") == fits
        with pytest.raises(LimitExceeded, match=r"^x: a template of more than 1024 KiB$") as caught:
            template_text(f"{fits}y", "x")
        assert caught.value.limit == "source"
