r"""Values as text: strict JSON, and what Python's ``str()`` prints where a template prints it in the place of JSON.

Rules: everything takes linear time, whatever the text is, and what is no value fails with ValueError (or is None) and
in no other way. Every JSON text that is made here is valid Unicode: a lone surrogate is written as its escape, so two
of them that form a pair are read back as the one character they stand for.
"""

from __future__ import annotations

import json
import math
import re
import sys
from json.encoder import encode_basestring
from typing import Any, Literal

Literals = Literal["json", "python"]

_WORDS: dict[str, tuple[str, Any]] = {"True": ("true", True), "False": ("false", False), "None": ("null", None)}

# A string, a word, or a character that has no place outside a string. What is left is written alike in JSON and in
# Python, or is an error in both. The repeats are possessive: a plain one keeps 60 bytes for each escape that it passes.
_TOKEN = re.compile(
    r"""'[^'\\\n\r]*(?:\\.[^'\\\n\r]*)*+'|"[^"\\\n\r]*(?:\\.[^"\\\n\r]*)*+"|True|False|None"""
    r"""|[^\[\]{}:, \t\n\r0-9.eE+-]"""
)
_ESCAPE = re.compile(r"\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)")
_ESCAPED = {"\\": "\\", "'": "'", '"': '"', "n": "\n", "r": "\r", "t": "\t", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}

_NUMBER = re.compile(r"(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?")
_MOST_DIGITS = 19


def json_string(text: str) -> str:
    """Return the JSON text of a string."""
    return valid_unicode(encode_basestring(text))


def valid_unicode(written: str) -> str:
    """Return a JSON text with its lone surrogates escaped: they stand in strings, and Python's escapes are JSON's."""
    return written if written.isascii() else written.encode("utf-8", "backslashreplace").decode("utf-8")


def strict_json(text: str) -> Any:
    """Return the value of a JSON text.

    Raises ValueError for NaN and Infinity, for numbers that become infinite (1e999), and for text that is nested deeper
    than Python's stack. An integer that Python is not willing to read is a Decimal of that value.
    """
    try:
        return _decoder.decode(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def python_json(text: str) -> str | None:
    """Return the JSON text of a value that Python's ``str()`` or ``repr()`` printed; None if it is none that JSON has.

    Numbers, key order, repeated keys and the space between tokens stay as they are. Tuples, sets, bytes, names of
    members that are no strings, inf and nan are no such values; nor are words of JSON.
    """
    try:
        written = _TOKEN.sub(_token, text)
        strict_json(written)
    except (ValueError, OverflowError, KeyError):  # chr() overflows for some escapes of eight digits
        return None
    return written


def read_literal(word: str, literals: Literals) -> tuple[str, Any, bool] | None:
    """Return the JSON text and the value of a `word` that does not begin as a string, or None if it is no literal.

    True, False and None are read in every format; the last item says whether the format writes literals like this one.
    """
    if word in _WORDS:
        return *_WORDS[word], literals == "python"
    try:
        return valid_unicode(word), strict_json(word), True
    except ValueError:
        printed = python_json(word) if literals == "python" and word[:1] in ("{", "[") else None
        return None if printed is None else (printed, strict_json(printed), True)


def whole_number(number: str) -> str | None:
    """Return the integer that a JSON number with a point or an exponent stands for, exactly.

    None if it stands for none, or for one of more than 19 digits.
    """
    found = _NUMBER.fullmatch(number)
    if found is None:
        return None
    sign, before, after, exponent = found.groups("")
    digits = (before + after).lstrip("0")
    if not digits:
        return "0"
    if len(exponent) > _MOST_DIGITS:
        return None
    kept = digits.rstrip("0")
    zeros = int(exponent or 0) - len(after) + len(digits) - len(kept)
    return sign + kept + "0" * zeros if 0 <= zeros <= _MOST_DIGITS - len(kept) else None


def _token(found: re.Match[str]) -> str:
    token = found[0]
    if token[0] not in "'\"" or len(token) == 1:
        return _WORDS[token][0]
    inside = token[1:-1]
    return json_string(_ESCAPE.sub(_character, inside) if "\\" in inside else inside)


def _character(found: re.Match[str]) -> str:
    code = found[0][1:]
    return _ESCAPED[code] if len(code) == 1 else chr(int(code[1:], 16))


def _refuse(word: str) -> Any:
    raise ValueError(f"{word} is no JSON")


def _finite(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise ValueError("a number too large for a float")
    return number


def _integer(digits: str) -> Any:
    # Python refuses long ones, since it reads them in quadratic time; where that limit is lifted, ours still holds.
    if len(digits) <= sys.int_info.default_max_str_digits:
        try:
            return int(digits)
        except ValueError:
            pass
    from decimal import Decimal  # costs more to import than all the rest, and is hardly ever needed

    return Decimal(digits)


_decoder = json.JSONDecoder(parse_float=_finite, parse_int=_integer, parse_constant=_refuse)
