"""JSON on several lines, as ``tojson(indent=...)`` prints it: what `json.dumps` gives, made in one pass.

Rules: Python's own encoder has no fast way for this. Each list and dict is charged before its text is put together: the
steps for its parts, and the characters that are not those of lists and dicts in it. What is not exactly plain data, and
names that are no texts, are left to `json.dumps`.
"""

from __future__ import annotations

from collections.abc import Callable
from json.encoder import encode_basestring, encode_basestring_ascii
from typing import Any

from chatcodec.engine.faults import OverLimit
from chatcodec.engine.limits import LONG
from chatcodec.engine.running import Running
from chatcodec.engine.sizes import DEEPEST

_VALUE = 24  # steps for a value
_WIDEST = 64
_WORDS = {True: "true", False: "false", None: "null"}
_LARGE = 1 << 64


class _Unusual(Exception):
    """Something that is for `json.dumps`."""


def indented(run: Running, value: Any, ensure_ascii: Any, indent: Any) -> str | None:
    """Return a list or dict as JSON on several lines; None if `json.dumps` has to be asked. Raises OverLimit."""
    if type(value) not in (dict, list) or type(indent) is not int or not 0 <= indent <= _WIDEST:
        return None
    encode = encode_basestring_ascii if ensure_ascii else encode_basestring
    try:
        return _Writer(run, encode, " " * indent, 6 if ensure_ascii else 1).text(value, "\n", 0)
    except _Unusual:
        return None


class _Writer:
    def __init__(self, run: Running, encode: Callable[[str], str], step: str, most: int):
        """Take how a text is written, how much further a line begins within, and how long a character may get."""
        self.run, self.encode, self.step, self.most = run, encode, step, most
        self.long = 0

    def expect(self, length: int) -> None:
        """Take note of a long text that is about to be made; all of them together must not be too long for one."""
        self.long += length
        if self.long > self.run.longest:
            self.run.grow(self.long)

    def text(self, value: Any, line: str, depth: int) -> str:
        """Return a list or dict; `line` begins a line as deep as it stands."""
        is_dict = type(value) is dict
        self.run.steps(_VALUE * (len(value) + 1))
        if not value:
            return "{}" if is_dict else "[]"
        if depth > DEEPEST:
            raise OverLimit(f"values within values, more than {DEEPEST} deep; the limit on depth is reached", "depth")
        encode, inner, inside = self.encode, line + self.step, 0
        texts = []
        for part in value.values() if is_dict else value:
            cls = type(part)
            if cls is str:
                if len(part) > LONG:
                    self.expect(self.most * len(part))
                text = encode(part)
            elif cls is dict or cls is list:
                text = self.text(part, inner, depth + 1)
                inside += len(text)
            else:
                text = _scalar(part)
            texts.append(text)
        if is_dict:
            names = [encode(key) for key in value if type(key) is str]
            if len(names) < len(texts):
                raise _Unusual
            texts = list(map("{}: {}".format, names, texts))
        self.run.grow(sum(map(len, texts)) - inside + (len(inner) + 1) * len(texts))
        body = f",{inner}".join(texts)
        return f"{{{inner}{body}{line}}}" if is_dict else f"[{inner}{body}{line}]"


def _scalar(value: Any) -> str:
    if value is None or value is True or value is False:
        return _WORDS[value]
    if type(value) is int and -_LARGE < value < _LARGE:
        return repr(value)
    if type(value) is float and value - value == 0:
        return repr(value)
    raise _Unusual
