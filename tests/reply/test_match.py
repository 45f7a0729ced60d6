"""Markup that may be cut: what is said of a beginning, unless it is CUT, holds however the text goes on."""

from __future__ import annotations

import itertools
import random
import re

import pytest

from chatcodec.reply.call_reading import Marks, space_before, space_to_hold
from chatcodec.reply.match import (
    CUT,
    GAP,
    SLOT,
    Gap,
    Matcher,
    Slot,
    at_end,
    atoms,
    follows,
    is_cut,
    skip_lead,
    skip_space,
    texts,
)

SLOTS = {"{name}": Slot(), "{key}": Slot(loose=True)}
LITERALS = (
    "<tool_call>\n<function={name}>\n", "<tool_call>{name}", "\n<arg_key>{key}</arg_key>\n<arg_value>", "[ARG {key}]",
    "<function={name}>", "[CALL {name}]", "((call {name}\n", "((arg {key}: ", "<a>", "<a> <b>\n<c>", "a {key} b",
    "x{key}", "do {name} with {", "x{key}ax:", "do{name}aa{name}a{", "x{key}a:b",
)  # fmt: skip
SPACE = ("", " ", "\n", " " * (GAP - 1), "\t" * GAP, " " * (GAP + 1), "\n" * 3 * GAP)
NAMES = ("f", "get_weather", "a b", "", "]", ":", "x" * SLOT, "x" * (SLOT - 1), "x" * (SLOT + 1), "\ud83d", 'q"', "é",
         "with", "a", "aa", "aaa", "xa")  # fmt: skip


def spelled(text: str) -> str:
    return text


def verdict(found: object) -> object:
    return (found.span(), found.groups()) if isinstance(found, re.Match) else found


def variants(literal: str, chance: random.Random) -> str:
    """A text that is, or nearly is, an instance of the literal, with something behind it."""
    text = ""
    for part in re.split(r"(\{\w+\}|\s+)", literal):
        if part in SLOTS:
            text += chance.choice(NAMES)
        elif part.isspace():
            text += chance.choice(SPACE)
        else:
            text += part if chance.random() < 0.95 else part[:-1]
    return text + chance.choice(("", "<", ">", "]", "x", " ", "<a>", text[:3]))


@pytest.mark.parametrize("literal", LITERALS)
def test_what_is_said_of_a_beginning_holds_for_the_whole(literal: str) -> None:
    matcher, chance = Matcher(atoms(literal, SLOTS, spelled)), random.Random(literal)
    seen = set()
    for _ in range(200):
        text = variants(literal.strip(), chance)
        whole = verdict(matcher(text, 0, True))
        seen.add(whole is not None)
        assert whole != CUT
        ends = range(len(text))
        for end in ends if len(ends) < 40 else chance.sample(ends, 40):
            said = verdict(matcher(text[:end], 0, False))
            assert said in (CUT, whole), (text, end)
        assert verdict(matcher(text, 0, False)) in (CUT, whole)
    assert seen == {True, False}


@pytest.mark.parametrize("literal", LITERALS)
def test_what_cannot_become_a_match_is_not_waited_for(literal: str) -> None:
    matcher = Matcher(atoms(literal, SLOTS, spelled))
    for wrong in ("?", "<?", "z" * 9, "<tool_calm>", "[CALM", "<b>", "\ud83d<"):
        assert matcher(wrong, 0, False) is None
    start = texts(matcher.sequence)[0]
    for end in range(len(start)):
        assert matcher(start[:end], 0, False) == CUT
        assert matcher(start[:end], 0, True) is None


def test_nothing_longer_than_the_limits_is_waited_for() -> None:
    matcher = Matcher(atoms("<a> {name}>", SLOTS, spelled))
    assert matcher("<a>" + " " * (GAP - 1), 0, False) == CUT
    assert matcher("<a>" + " " * (GAP + 1), 0, False) is None
    assert matcher("<a> " + "x" * (SLOT - 1), 0, False) == CUT
    assert matcher("<a> " + "x" * (SLOT + 1), 0, False) is None


def test_atoms_leave_space_around_out_and_keep_that_inside() -> None:
    found = atoms("\n<a>\n{name} b ", SLOTS, str.upper)
    assert found == ("<A>", Gap(), Slot(), Gap(), "B")
    assert texts(found) == ("<A>", "B")


MARKS = (
    ("<a>",), ("<a>", "</a>"), ("ab", "abc", "bc"), ("[x", "<x", "[xy]"), ("<a", "<ab>"), ("abcd", "bc"), ("\n\n",),
)  # fmt: skip


def strings(marks: tuple[str, ...], chance: random.Random, most: int = 9) -> str:
    pieces = (*marks, *(mark[:-1] for mark in marks), " ", "\n", "x")
    return "".join(chance.choice(pieces) for _ in range(chance.randint(0, most)))


@pytest.mark.parametrize("marks", MARKS)
@pytest.mark.parametrize("last", [False, True])
def test_follows_and_its_beginnings(marks: tuple[str, ...], last: bool) -> None:
    chance = random.Random(repr(marks))
    for _ in range(400):
        text = chance.choice(SPACE) + strings(marks, chance, 2)
        whole = follows(text, 0, marks, True, last)
        assert whole == (text.lstrip(" \t\r\n").startswith(marks) or (last and not text.strip())) or len(text) >= GAP
        for end in range(len(text) + 1):
            said = follows(text[:end], 0, marks, False, last)
            assert said in (CUT, whole), (text, end)
            if said == CUT and end - skip_space(text[:end], 0) > 0:
                assert is_cut(text[:end], 0, marks)


@pytest.mark.parametrize("stops", [("<|end|>",), ("<|end|>", "<|e|>")])
def test_the_end_and_its_beginnings(stops: tuple[str, ...]) -> None:
    chance = random.Random(repr(stops))
    seen = set()
    for _ in range(400):
        text = strings(stops, chance, 4) + chance.choice(SPACE)
        whole = at_end(text, 0, stops, True)
        seen.add(whole)
        for end in range(len(text) + 1):
            assert at_end(text[:end], 0, stops, False) in (CUT, whole), (text, end)
    assert seen == {True, False}


@pytest.mark.parametrize("marks", MARKS)
def test_a_marker_is_found_or_held_at_each_end(marks: tuple[str, ...]) -> None:
    chance, looking = random.Random(repr(marks)), Marks(marks)
    for _ in range(300):
        text = strings(marks, chance)
        found = looking.find(text, 0)
        places = [at for at in range(len(text)) if text.startswith(marks, at)]
        assert (found.start() if found else None) == (places[0] if places else None)
        if found is not None:
            assert found[0] in marks
        for end in range(len(text) + 1):
            sure = looking.find(text[:end], 0, final=False)
            if sure is not None:
                assert found is not None
                assert (sure.span(), sure[0]) == (found.span(), found[0]), (text, end)
            if looking.find(text[:end], 0) is None:
                held = looking.hold(text[:end], 0)
                assert not [at for at in places if at < held], (text, end)
                assert held == end or any(mark.startswith(text[held:end]) for mark in marks)


@pytest.mark.parametrize("spaces", [("\n",), ("\n\n",), ("\n", "\n\n"), ("", " \n"), ()])
def test_space_before_a_marker_is_held_as_long_as_it_may_come(spaces: tuple[str, ...]) -> None:
    for text in map("".join, itertools.product("x \n", repeat=5)):
        for end in range(6):
            begin = space_before(text, 0, end, *spaces)
            assert text[begin:end] == "" or any(space.endswith(text[begin:end]) for space in spaces)
            longer = [space for space in spaces if text[:end].endswith(space)]
            assert end - begin >= max(map(len, longer), default=0)
            for length in range(end + 1):
                assert space_to_hold(text[:length], 0, length, *spaces) <= begin or length <= begin, (text, end, length)


def test_space_is_skipped_up_to_the_limit_and_a_lead_up_to_itself() -> None:
    assert skip_space("a \t\r\n\u00a0", 1) == 5
    assert skip_space(" " * (10 + GAP), 10) == 10 + GAP
    assert GAP < skip_space(" " * 3 * GAP, 0) < 2 * GAP
    assert [skip_lead(text, 0, "\n\n") for text in ("", "\n", "\n\n\n", "x\n", "\nx\n")] == [0, 1, 2, 0, 1]
