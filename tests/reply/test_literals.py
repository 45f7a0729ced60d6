"""Strict JSON, and values as Python prints them."""

from __future__ import annotations

import ast
import json
import math
import sys
import time
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from chatcodec.reply.literals import json_string, python_json, read_literal, strict_json, valid_unicode, whole_number

PROPERTY = settings(max_examples=300)

JSON_DATA = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)


def as_pairs(value: Any) -> Any:
    """Show types and key order, which == does not compare."""
    if isinstance(value, dict):
        return [(key, as_pairs(item)) for key, item in value.items()]
    if isinstance(value, list):
        return [as_pairs(item) for item in value]
    return type(value).__name__, value


def seconds(work: Callable[[], object]) -> float:
    """Return the CPU seconds of the fastest run."""
    best = float("inf")
    for _ in range(3):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


def assert_linear(work: Callable[[int], Callable[[], object]], small: int) -> None:
    """Four times the size may cost ten times as much: quadratic would be sixteen. Below 20 ms nothing is measured."""
    large = seconds(work(4 * small))
    assert large < 0.02 or large < 10 * seconds(work(small))


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("True", "true"),
        ("False", "false"),
        ("None", "null"),
        ("0", "0"),
        ("-12", "-12"),
        ("1.0", "1.0"),
        ("1e+16", "1e+16"),
        ("1e-05", "1e-05"),
        ("-0.0", "-0.0"),
        ("{}", "{}"),
        ("[]", "[]"),
        ("''", '""'),
        ("'a'", '"a"'),
        ('"it\'s"', '"it\'s"'),
        ("'say \"hi\"'", r'"say \"hi\""'),
        (r"""'both \' and "'""", r'''"both ' and \""'''),
        (r"'\n\t\r\\'", r'"\n\t\r\\"'),
        (r"'\x00\x1b\x7f\xa0'", '"\\u0000\\u001b\x7f\xa0"'),
        (r"'\u2028\U0001f600'", '"\u2028\U0001f600"'),
        ("'é漢😀'", '"é漢😀"'),
        ("'tab\there'", r'"tab\there"'),
        (r"'\ud83d'", r'"\ud83d"'),
        ("'\ud83d'", r'"\ud83d"'),
        (r"'\\n'", r'"\\n"'),
        ("'None, True and {}'", '"None, True and {}"'),
        ("{'a': None}", '{"a": null}'),
        ("['x', 1.5]", '["x", 1.5]'),
        (
            "{'a': {'b': [True, False, None, {'c': ''}]}, 'd': -1}",
            '{"a": {"b": [true, false, null, {"c": ""}]}, "d": -1}',
        ),
        ("{'b': 1, 'a': 2}", '{"b": 1, "a": 2}'),
        ("{'a': 1, 'a': 2}", '{"a": 1, "a": 2}'),
        ("[1, 1.0]", "[1, 1.0]"),
        ("{'a':1,\n 'b':\t2}", '{"a":1,\n "b":\t2}'),
        (" [1] ", " [1] "),
        ('{"a": None}', '{"a": null}'),
        ('["a", 1]', '["a", 1]'),
        pytest.param(str(10**599), str(10**599), id="600 digits"),
    ],
)
def test_python_json_reads(text: str, written: str) -> None:
    assert python_json(text) == written


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "abc",
        "null",
        "true",
        "{'a': null}",
        "{'a': true}",
        "[NaN]",
        "nan",
        "inf",
        "-inf",
        "Infinity",
        "1e999",
        "[1, -1e999]",
        "()",
        "(1,)",
        "{'a': (1, 2)}",
        "{1, 2}",
        "{'a'}",
        "set()",
        "b'a'",
        "[b'a']",
        "u'a'",
        "r'a'",
        "f'a'",
        "{1: 'a'}",
        "{None: 1}",
        "{True: 1}",
        "{1.5: 1}",
        "'a' 'b'",
        "['a' 'b']",
        "'''a'''",
        "'a",
        "'a\\'",
        "a'",
        "'a\nb'",
        "'a\rb'",
        "'a\\\nb'",
        r"'\d'",
        r"'\N{DASH}'",
        r"'\101'",
        r"'\0'",
        r"'\x4'",
        r"'\u00e'",
        r"'\U00110000'",
        r"'\Uffffffff'",
        "[1,]",
        "{'a': 1,}",
        "[1 2]",
        "[1",
        "1]",
        "{'a' 1}",
        "{'a': }",
        "1_000",
        "0x10",
        "1j",
        "1L",
        "+1",
        "01",
        ".5",
        "5.",
        "- 1",
        "1 + 1",
        "e",
        "--",
        "TrueFalse",
        "Truely",
        "[True None]",
        "eTrue",
        "1True",
        "<object>",
        "datetime(2024, 1, 1)",
        "[...]",
        "# comment",
        "[1]\x0c",
        "[1,\xa02]",
        "[\uff11]",
        "{'a': 1}{'b': 2}",
        pytest.param("[" * 100_000, id="open, deep"),
        pytest.param("[" * 100_000 + "]" * 100_000, id="deep"),
        pytest.param("{'a': " * 100_000 + "1" + "}" * 100_000, id="deep objects"),
    ],
)
def test_python_json_is_none(text: str) -> None:
    assert python_json(text) is None


@PROPERTY
@given(JSON_DATA)
@example({"b": 1, "a": [1, 1.0, True, None, "None", "'\"\\\n\u2028\x85"]})
def test_python_json_of_what_python_prints(value: Any) -> None:
    for text in (repr(value), repr({"in": [value]})):
        written = python_json(text)
        assert written is not None
        assert as_pairs(json.loads(written)) == as_pairs(ast.literal_eval(text))
    if not isinstance(value, str):
        assert python_json(str(value)) is not None


TOKENS = ["'", '"', "\\", "n", "x41", "u00e9", "a", " ", ",", ":", "{", "}", "[", "]", "1", "0", ".", "-", "e", "True",
          "None", "null", "{'a': ", "'b'", "(", ")"]  # fmt: skip


@settings(PROPERTY, max_examples=1000)
@given(st.lists(st.sampled_from(TOKENS), max_size=9).map("".join))
def test_python_json_agrees_with_python(text: str) -> None:
    written = python_json(text)
    if written is not None:
        assert as_pairs(json.loads(written)) == as_pairs(ast.literal_eval(text.strip()))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "NaN",
        "Infinity",
        "-Infinity",
        '{"a": [NaN]}',
        '{"a": [-Infinity]}',
        "1e999",
        "-1e999",
        '{"a": [1, {"b": 1e400}]}',
        "True",
        "[1] 2",
        "{'a': 1}",
        "01",
        '"\n"',
        "\ufeff1",
        pytest.param("[" * 100_000, id="open, deep"),
        pytest.param("[" * 100_000 + "]" * 100_000, id="deep"),
        pytest.param('{"a":' * 100_000 + "1" + "}" * 100_000, id="deep objects"),
    ],
)
def test_strict_json_refuses(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        strict_json(text)


@PROPERTY
@given(JSON_DATA)
def test_strict_json_reads_as_json_does(value: Any) -> None:
    assert as_pairs(strict_json(json.dumps(value))) == as_pairs(value)


def test_strict_json_reads_the_smallest_and_the_largest() -> None:
    assert strict_json("1e-999") == 0.0
    assert strict_json(str(sys.float_info.max)) == sys.float_info.max
    assert strict_json('{"a": 1, "a": 2}') == {"a": 2}
    assert math.copysign(1, strict_json("-0.0")) == -1


def test_strict_json_holds_the_limits_of_the_scanner() -> None:
    assert strict_json('{"a": [' + "9" * 600 + "]}") == {"a": [int("9" * 600)]}
    assert strict_json("[" * 200 + "]" * 200)
    for text in ("9" * 601, "-" + "9" * 600, "[" * 201 + "]" * 201):
        with pytest.raises(ValueError, match=r"too many digits|too deeply"):
            strict_json(text)
    assert strict_json(json.dumps("[" * 300)) == "[" * 300


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("", '""'),
        ('a"b\\c', r'"a\"b\\c"'),
        ("\x00\n\x1f\x7f", '"\\u0000\\n\\u001f\x7f"'),
        ("é漢😀\u2028", '"é漢😀\u2028"'),
        ("\ud800", r'"\ud800"'),
        ("é\udc00x", '"é\\udc00x"'),
        ("\\\ud800", r'"\\\ud800"'),
    ],
)
def test_json_string(text: str, written: str) -> None:
    assert json_string(text) == written
    assert json.loads(written) == text
    assert written.encode("utf-8")


def test_surrogates_that_form_a_pair_become_their_character() -> None:
    assert json.loads(json_string("\ud83d\ude00")) == "\U0001f600"


@PROPERTY
@given(st.text(st.characters(codec=None), max_size=20))
def test_json_string_is_valid_unicode_and_reads_back(text: str) -> None:
    written = json_string(text)
    assert written.encode("utf-8")
    assert json.loads(written) == text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")


def test_valid_unicode_keeps_the_rest() -> None:
    assert valid_unicode('{"é": "\ud800\\n"}') == '{"é": "\\ud800\\n"}'
    plain = '{"é": 1}'
    assert valid_unicode(plain) == plain


@pytest.mark.parametrize(
    ("number", "whole"),
    [
        ("3.0", "3"),
        ("-3.0", "-3"),
        ("1e2", "100"),
        ("1E+2", "100"),
        ("1.5e1", "15"),
        ("1500e-2", "15"),
        ("0.0", "0"),
        ("-0.0", "0"),
        ("0e5", "0"),
        ("0.000e-99999", "0"),
        ("9007199254740993.0", "9007199254740993"),
        ("1e18", "1000000000000000000"),
        ("9999999999999999999.0", "9999999999999999999"),
        ("0.001e3", "1"),
        ("3", "3"),
        pytest.param("1." + "0" * 10_000, "1", id="many zeros"),
        ("1e19", None),
        ("1e999999999999999999", None),
        ("1e-999999999999999999", None),
        pytest.param("1e" + "9" * 5000, None, id="a long exponent"),
        ("1e-400", None),
        ("2.5", None),
        ("3.00000000000000000000001", None),
        ("1.5e0", None),
        ("x", None),
    ],
)
def test_whole_number(number: str, whole: str | None) -> None:
    assert whole_number(number) == whole


@PROPERTY
@given(st.integers(-(10**21), 10**21), st.integers(-25, 25))
def test_whole_number_is_exact(number: int, shift: int) -> None:
    whole, rest = divmod(number * 10 ** max(shift, 0), 10 ** max(-shift, 0))
    expected = str(whole) if rest == 0 and abs(whole) < 10**19 else None
    assert whole_number(f"{number}e{shift}") == expected


@pytest.mark.parametrize(
    ("word", "literals", "read"),
    [
        ("True", "json", ("true", True, False)),
        ("None", "python", ("null", None, True)),
        ("true", "json", ("true", True, True)),
        ("true", "python", ("true", True, True)),
        ("7", "json", ("7", 7, True)),
        ('{"a": null}', "python", ('{"a": null}', {"a": None}, True)),
        ("{'a': None}", "python", ('{"a": null}', {"a": None}, True)),
        ("{'a': None}", "json", None),
        ("['a', true]", "python", None),
        ("three", "python", None),
        ("NaN", "json", None),
        ('["\ud800"]', "json", ('["\\ud800"]', ["\ud800"], True)),
    ],
)
def test_read_literal(word: str, literals: Any, read: object) -> None:
    assert read_literal(word, literals) == read


UNITS = ["'a', ", "1, ", r"'\n\x41\u00e9'", "\\n", "'", "[", "{'a': [", "'\\", "True, ", "1", " ", "\ud800"]


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize(("before", "after"), [("[", "0]"), ("['", "']"), ("[0.", "]")])
def test_python_json_is_linear(unit: str, before: str, after: str) -> None:
    def work(size: int) -> Callable[[], object]:
        text = before + unit * (size // len(unit)) + after
        return lambda: python_json(text)

    assert_linear(work, 60_000)


@pytest.mark.parametrize("unit", ["1", "1, ", "1" * 4000 + ", ", "1" * 5000 + ", ", '"a", ', "1.5", "[", "\\n"])
def test_strict_json_is_linear(unit: str) -> None:
    def work(size: int) -> Callable[[], object]:
        text = "[" + unit * (size // len(unit)) + "0]"
        return lambda: read_literal(text, "json")

    assert_linear(work, 250_000)
