"""Control characters, shown instead of obeyed.

Rules: C0 and C1 controls but newline and tab, DEL, the separators that end a line for some readers, and the controls
that turn the direction of writing. Text from a chat or a file name passes through here before a terminal draws it; a
terminal obeys no other characters.
"""

from __future__ import annotations

import re

CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
_BREAKS = re.compile(r"\s*[\n\r\t]\s*")


def picture(control: str) -> str:
    """Return what is shown for one control character: a picture such as ``␛``, or its number in hexadecimal."""
    code = ord(control)
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "␡"
    return f"\\x{code:02x}" if code <= 0xFF else f"\\u{code:04x}"


def visible(text: str) -> str:
    """Return `text` with each control character shown; newlines and tabs stay."""
    return CONTROLS.sub(lambda found: picture(found[0]), text)


def one_line(text: str, limit: int = 400) -> str:
    """Return `text` on one line, with control characters shown, cut off at about `limit` characters."""
    line = visible(_BREAKS.sub(" ", text[: 2 * limit]).strip())
    return line if len(line) <= limit and len(text) <= 2 * limit else line[: limit - 1] + "…"
