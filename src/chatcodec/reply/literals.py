r"""Values as text: strict JSON, and what Python's ``str()`` prints where a template prints it in the place of JSON.

Rules: everything takes linear time, whatever the text is, and what is no value fails with ValueError (or is None) and
in no other way. Every JSON text that is made here is valid Unicode: a lone surrogate is written as its escape, so two
of them that form a pair are read back as the one character they stand for.
"""

from __future__ import annotations

import json
import math
import re
from json.encoder import encode_basestring
from typing import Any, Literal

from chatcodec.reply.json_scan import DEPTH, DIGITS, JsonScanner

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

_SURROGATE = re.compile("[\ud800-\udfff]")
_NUMBER = re.compile(r"(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?")
_MOST_DIGITS = 19


def json_string(text: str) -> str:
    """Return the JSON text of a string."""
    return valid_unicode(encode_basestring(text))


def valid_unicode(written: str) -> str:
    """Return a JSON text with its lone surrogates escaped: they can only stand in strings."""
    try:
        written.encode()
    except UnicodeEncodeError:
        return _SURROGATE.sub(lambda found: f"\\u{ord(found[0]):04x}", written)
    return written


def without_surrogates(value: Any) -> Any:
    """Return a JSON value with U+FFFD in the place of lone surrogates, which no prompt can have."""
    text = json.dumps(value, ensure_ascii=False)
    return json.loads(_SURROGATE.sub("\ufffd", text)) if _SURROGATE.search(text) else value


def is_unicode(text: str) -> bool:
    """Whether a text is valid Unicode."""
    return _SURROGATE.search(text) is None


def strict_json(text: str) -> Any:
    """Return the value of a JSON text.

    Raises ValueError for NaN and Infinity, for numbers that become infinite (1e999), and beyond the limits of
    `JsonScanner`, which hold for every parser that a client may use: 200 levels, 600 digits.
    """
    if _is_deep(text):
        raise ValueError("nested too deeply")
    try:
        return _decoder.decode(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def is_json(text: str, first: str, last: str) -> bool:
    """Whether `text` is a JSON value from its `first` character to its `last`, as it can stand in a JSON text."""
    if text[:1] != first or text[-1:] != last or _is_deep(text):
        return False
    try:
        return _scan(text, 0)[1] == len(text) and valid_unicode(text) is text
    except (StopIteration, ValueError, RecursionError):
        return False


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


def _integer(digits: str) -> int:
    if len(digits) > DIGITS:
        raise ValueError("a number of too many digits")
    return int(digits)


def _is_deep(text: str) -> bool:
    if len(text) <= DEPTH or text.count("[") + text.count("{") <= DEPTH:
        return False
    scanner = JsonScanner()
    scanner.scan(text, 0)
    return scanner.failed


_decoder = json.JSONDecoder(parse_float=_finite, parse_int=_integer, parse_constant=_refuse)
_scan: Any = _decoder.scan_once  # type: ignore[attr-defined]
