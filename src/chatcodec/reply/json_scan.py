"""Scans one JSON value as it comes in, character by character where it must, run by run where it can.

Rules: strict JSON (RFC 8259), and what Python's own parser takes: no value nested deeper than `DEPTH`, no number of
more than `DIGITS` characters. The scanner does not build the value; it knows where it ends and where it goes wrong.
Its state is a few short strings.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from math import isfinite
from typing import Any, ClassVar

DEPTH, DIGITS = 200, 600

RUN = re.compile(r'[^"\\\x00-\x1f\ud800-\udfff]*')
"""A stretch of a string without anything special; a lone surrogate is no character."""

TOKEN_RUN = re.compile(r'[^"\\\x00-\x1f\ud800-\ud80f]*')
"""The same where token ids are read, and a marker is a surrogate: one of the first sixteen ends the turn."""

_SPACE = re.compile(r"[ \t\r\n]*").match
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?").fullmatch
_DIGITS = re.compile(r"[0-9.eE+-]*").match
_NUMBER_PART = re.compile(r"-?(?:(?:0|[1-9][0-9]*)(?:\.[0-9]*)?(?:(?<=[0-9])[eE][+-]?[0-9]*)?)?").fullmatch
_HEX = frozenset("0123456789abcdefABCDEF")
_LITERALS = {"t": "true", "f": "false", "n": "null"}


class JsonScanner:
    """Where in a JSON value the text is.

    ``done`` after the value's last character, ``failed`` at the first that fits no value. A number ends at the
    character behind it; `finish` ends one at the end of the text.
    """

    FIELDS = ("stack", "want", "token", "done", "failed")

    def __init__(self, run: re.Pattern[str] = RUN) -> None:
        """Take what a stretch of a string may be; see `RUN`."""
        self._run = run.match
        self.stack = ""  # what is open, outermost first: { or [
        self.want = (
            "value"  # value, value or ], key or }, key, colon, next, string, key string, escape, number, literal
        )
        self.token = ""  # of a number, literal or escape what has come so far
        self.done = False
        self.failed = False

    def scan(self, text: str, at: int) -> int:
        """Read on from `at`; return where it stopped: at the end of `text`, of the value, or where it fails."""
        end = len(text)
        while at < end and not self.done and not self.failed:
            at = self._STEPS[self.want](self, text, at)
        return at

    def finish(self) -> None:
        """Take what came for all there is."""
        if self.want == "number" and not self.stack and _NUMBER(self.token) and isfinite(float(self.token)):
            self.done = True
        elif not self.done:
            self.failed = True

    def _value(self, text: str, at: int) -> int:
        at = _SPACE(text, at).end()  # type: ignore[union-attr]
        if at == len(text):
            return at
        char = text[at]
        if char == '"':
            self.want = "string"
        elif char == "{" or char == "[":
            self.stack += char
            self.want = "key or }" if char == "{" else "value or ]"
            self.failed = len(self.stack) > DEPTH
        elif char in _LITERALS:
            self.want, self.token = "literal", char
        elif char == "-" or "0" <= char <= "9":
            self.want, self.token = "number", char
        else:
            self.failed = True
            return at
        return at + 1

    def _value_or_end(self, text: str, at: int) -> int:
        at = _SPACE(text, at).end()  # type: ignore[union-attr]
        if at < len(text) and text[at] == "]":
            return self._close(at)
        return self._value(text, at)

    def _key_or_end(self, text: str, at: int) -> int:
        at = _SPACE(text, at).end()  # type: ignore[union-attr]
        if at < len(text) and text[at] == "}":
            return self._close(at)
        return self._key(text, at)

    def _key(self, text: str, at: int) -> int:
        return self._expect(text, at, '"', "key string")

    def _colon(self, text: str, at: int) -> int:
        return self._expect(text, at, ":", "value")

    def _expect(self, text: str, at: int, char: str, then: str) -> int:
        at = _SPACE(text, at).end()  # type: ignore[union-attr]
        if at == len(text):
            return at
        if text[at] != char:
            self.failed = True
            return at
        self.want = then
        return at + 1

    def _next(self, text: str, at: int) -> int:
        at = _SPACE(text, at).end()  # type: ignore[union-attr]
        if at == len(text):
            return at
        inside = self.stack[-1]
        if text[at] == ",":
            self.want = "key" if inside == "{" else "value"
            return at + 1
        if text[at] == ("}" if inside == "{" else "]"):
            return self._close(at)
        self.failed = True
        return at

    def _close(self, at: int) -> int:
        self.stack = self.stack[:-1]
        self._after_value()
        return at + 1

    def _after_value(self) -> None:
        self.token = ""
        self.done = not self.stack
        self.want = "next"

    def _string(self, text: str, at: int) -> int:
        at = self._run(text, at).end()  # type: ignore[union-attr]
        if at == len(text):
            return at
        if text[at] == '"':
            if self.want == "key string":
                self.want = "colon"
            else:
                self._after_value()
        elif text[at] == "\\":
            self.token, self.want = self.want, "escape"
        else:
            self.failed = True
            return at
        return at + 1

    def _escape(self, text: str, at: int) -> int:
        # token is the state to return to, and behind a tab the digits of \\u that came so far
        outer, _, digits = self.token.partition("\t")
        char = text[at]
        if "\t" in self.token:
            self.failed = char not in _HEX
            self.token += char
            if len(digits) == 3:
                self.want, self.token = outer, ""
        elif char == "u":
            self.token += "\t"
        elif char in '"\\/bfnrt':
            self.want, self.token = outer, ""
        else:
            self.failed = True
        return at if self.failed else at + 1

    def _literal(self, text: str, at: int) -> int:
        word = _LITERALS[self.token[0]]
        if text[at] != word[len(self.token)]:
            self.failed = True
            return at
        self.token += text[at]
        if self.token == word:
            self._after_value()
        return at + 1

    def _number(self, text: str, at: int) -> int:
        end = _DIGITS(text, at).end()  # type: ignore[union-attr]
        so_far = self.token + text[at:end]
        if len(so_far) > DIGITS or not _NUMBER_PART(so_far):
            self.failed = True
            good = len(self.token)  # where it fails must not depend on where the text was cut
            while good < DIGITS and _NUMBER_PART(so_far[: good + 1]):
                good += 1
            return at + good - len(self.token)
        self.token = so_far
        if end < len(text):
            if _NUMBER(so_far) and isfinite(float(so_far)):
                self._after_value()
            else:
                self.failed = True
        return end

    _STEPS: ClassVar[dict[str, Callable[[JsonScanner, str, int], int]]] = {
        "value": _value,
        "value or ]": _value_or_end,
        "key or }": _key_or_end,
        "key": _key,
        "colon": _colon,
        "next": _next,
        "string": _string,
        "key string": _string,
        "escape": _escape,
        "literal": _literal,
        "number": _number,
    }
    CHOICES: ClassVar[dict[str, Any]] = {"want": _STEPS}
