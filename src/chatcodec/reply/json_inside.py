r"""JSON text inside a JSON string, such as ``"{\"city\": \"Paris\"}"``, decoded as it comes in.

Rules: what goes out is the inner text of one object, as long as it is JSON, with white space around it. A half
escape, and the first half of a character that is written as two, wait for the rest.
"""

from __future__ import annotations

import json
import re
from typing import Any, ClassVar, Literal

from chatcodec.reply.json_scan import JsonScanner

SPACES = " \t\r\n"

_HIGH, _LOW = r"\\u[dD][89abAB][0-9a-fA-F]{2}", r"\\u[dD][c-fC-F][0-9a-fA-F]{2}"
_NOT_LOW = r"(?=[^\\]|\\[^u]|\\u[^dD]|\\u[dD][^c-fC-F])"
_WHOLE = re.compile(rf"(?:[^\\]++|\\[^u]|\\u(?![dD][89abAB])[0-9a-fA-F]{{4}}|{_HIGH}(?:{_LOW}|{_NOT_LOW}))*+").match
"""As much of a string's inside as can be decoded."""


class JsonInside:
    """Decodes the inside of one string. ``verdict``: empty so far, an object that is open or whole, or none."""

    FIELDS = ("waiting", "verdict", "scanner")
    CHOICES: ClassVar[dict[str, Any]] = {"verdict": ("empty", "open", "object", "wrong")}

    def __init__(self) -> None:
        self.waiting = ""
        self.verdict: Literal["empty", "open", "object", "wrong"] = "empty"
        self.scanner = JsonScanner()

    def feed(self, raw: str, ended: bool) -> str:
        """Take a piece of the string's inside, which has no fault; return what of the object it adds."""
        raw = self.waiting + raw
        whole = len(raw) if ended else _WHOLE(raw).end()  # type: ignore[union-attr]
        self.waiting = raw[whole:]
        delta = self._inner(json.loads(f'"{raw[:whole]}"')) if whole else ""
        if ended and self.verdict == "open":
            self.verdict = "wrong"
        return delta

    def _inner(self, text: str) -> str:
        if self.verdict == "wrong":
            return ""
        start = len(text) - len(text.lstrip(SPACES)) if self.verdict != "open" else 0
        if start == len(text):
            return text
        if self.verdict == "empty" and text[start] == "{":
            self.verdict = "open"
        if self.verdict != "open":
            self.verdict = "wrong"
            return text[:start]
        end = self.scanner.scan(text, start)
        if self.scanner.failed:
            self.verdict = "wrong"
        elif self.scanner.done:
            self.verdict = "object"
            return text[:end] + self._inner(text[end:])
        return text[:end]
