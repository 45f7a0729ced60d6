"""The JSON scanner: what it takes is what Python's parser takes, within its limits, and cuts make no difference."""

from __future__ import annotations

import json
import math
import random
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chatcodec.reply.json_scan import DEPTH, DIGITS, TOKEN_RUN, JsonScanner
from chatcodec.reply.reader import load, save

FAST = settings(max_examples=150)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4),
    max_leaves=12,
)
SHARDS = (
    "{", "}", "[", "]", '"', ":", ",", " ", "\n", "1", "-", "0", ".", "e", "E+", "5", "true", "false", "null", "tru",
    "\\", "\\n", "\\u", "00e9", "\\ud83d", "a", "é", "\ud83d", "\x00", "\x7f", "NaN", "Infinity", '"a"', '{"a": 1}',
    "1e999",
)  # fmt: skip


def scanned(pieces: list[str], keep: bool = False) -> tuple[bool, bool, int]:
    """Whether it ended, whether it failed, and where; with `keep` another scanner goes on behind each piece."""
    scanner, position = JsonScanner(), 0
    for piece in pieces:
        at = scanner.scan(piece, 0)
        position += at
        if at < len(piece):
            break
        if keep:
            state = json.loads(json.dumps(save(scanner)))
            scanner = JsonScanner()
            load(scanner, state)
    return scanner.done, scanner.failed, position


def allowed(text: str) -> bool:
    """Whether it is JSON by Python's parser, and within the scanner's own limits."""

    def number(digits: str) -> float:
        if len(digits) > DIGITS or not math.isfinite(float(digits)):
            raise ValueError(digits)
        return float(digits)

    def constant(word: str) -> Any:
        raise ValueError(word)

    try:
        json.loads(text, parse_float=number, parse_int=number, parse_constant=constant)
    except ValueError:
        return False
    return re.search("[\ud800-\udfff]", text) is None and deepest(text) <= DEPTH


def deepest(text: str) -> int:
    depth = most = 0
    for char in re.sub(r'"(?:[^"\\]|\\.)*"', "", text):
        depth += (char in "[{") - (char in "]}")
        most = max(most, depth)
    return most


@given(VALUES, st.sampled_from([None, 0, 2]), st.booleans(), st.text('}], \n"x', max_size=3))
@FAST
def test_a_value_ends_where_it_ends(value: Any, indent: int | None, ascii: bool, behind: str) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii)
    if text[-1] in "0123456789":
        behind = " " + behind  # a number ends at what is behind it
    assert scanned([text + behind]) == (True, False, len(text))


@given(VALUES, st.booleans())
@FAST
def test_cuts_and_states_make_no_difference(value: Any, ascii: bool) -> None:
    text = json.dumps(value, ensure_ascii=ascii) + " x"
    expected = scanned([text])
    assert expected[:2] == (True, False)
    assert scanned(list(text), keep=True) == expected
    for cut in range(len(text)):
        assert scanned([text[:cut], text[cut:]], keep=True) == expected


def test_what_fails_fails_at_the_same_place_however_it_is_cut() -> None:
    chance = random.Random(5)
    seen = set()
    for _ in range(4000):
        text = "".join(chance.choice(SHARDS) for _ in range(chance.randint(1, 12)))
        whole = scanned([text])
        seen.add(whole[:2])
        assert scanned(list(text), keep=True) == whole, text
    assert seen == {(True, False), (False, True), (False, False)}


def test_what_is_taken_is_what_pythons_parser_takes() -> None:
    chance = random.Random(6)
    seen = set()
    for _ in range(6000):
        text = (
            chance.choice('{["')
            + "".join(chance.choice(SHARDS) for _ in range(chance.randint(1, 9)))
            + chance.choice('}]"')
        )
        for closed in (text, chance.choice(SHARDS)):
            scanner = JsonScanner()
            at = scanner.scan(closed, 0)
            scanner.finish()
            taken = scanner.done and not closed[at:].strip(" \t\r\n")
            seen.add(taken)
            assert taken == allowed(closed), closed
    assert seen == {True, False}


def test_each_beginning_of_a_value_is_taken() -> None:
    text = '{"a": [1, -2.5e+3, "x\\u00e9\\n\\"", true, null, {}], "b": {"c": []}}'
    for end in range(len(text)):
        assert scanned([text[:end]]) == (False, False, end)


@pytest.mark.parametrize("number", ["0", "-0", "12", "1.5", "-1e5", "1E-7", "0.0", "9" * DIGITS])
def test_a_number_ends_with_the_text_or_at_what_is_behind_it(number: str) -> None:
    scanner = JsonScanner()
    scanner.scan(number, 0)
    assert not scanner.done
    assert not scanner.failed
    if float(number) < math.inf:
        scanner.finish()
        assert scanner.done
        assert scanned([number + ","]) == (True, False, len(number))


@pytest.mark.parametrize(
    "wrong", ["01", "-", "1.", "1e", ".5", "+1", "--1", "1.2.3", "1e5e5", "0x1", "1e999", "9" * (DIGITS + 1)]
)
def test_what_is_no_number_fails(wrong: str) -> None:
    assert scanned([wrong + ","])[1] or not scanned([wrong + ","])[0] or scanned([wrong + ","])[2] < len(wrong)
    assert scanned(list(wrong + ",")) == scanned([wrong + ","])
    scanner = JsonScanner()
    at = scanner.scan(wrong, 0)
    scanner.finish()
    assert scanner.failed or at < len(wrong)


def test_depth_is_limited() -> None:
    assert scanned(["[" * DEPTH + "]" * DEPTH]) == (True, False, 2 * DEPTH)
    assert scanned(["[" * (DEPTH + 1)])[1]
    assert scanned(['{"a":' * DEPTH + "1" + "}" * DEPTH])[0]


def test_where_ids_are_read_a_stop_ends_a_string_and_other_markers_do_not() -> None:
    for run, mark, failed in ((TOKEN_RUN, "\ud800", True), (TOKEN_RUN, "\ud810", False)):
        scanner = JsonScanner(run)
        assert scanner.scan(f'"a{mark}"', 0) == (2 if failed else 4)
        assert scanner.failed is failed
    assert scanned(['"a\ud810"']) == (False, True, 2)


def test_an_unfinished_value_fails_at_the_end() -> None:
    for text in ("", '"a', "[1", "tru", "-", "1.", "{"):
        scanner = JsonScanner()
        scanner.scan(text, 0)
        scanner.finish()
        assert scanner.failed, text
