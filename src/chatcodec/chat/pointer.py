"""JSON pointers (RFC 6901) from paths, and phrases that say what a value is.

A path is a tuple of keys and indexes from the root of a chat: ``("messages", 3, "content", 0, "type")``.
"""

from __future__ import annotations

import json
from typing import Any, TypeAlias

Path: TypeAlias = tuple[Any, ...]

_LONG = 40


def pointer(path: Path) -> str:
    """``("messages", 3, "a/b")`` gives ``/messages/3/a~1b``; the empty path gives the empty pointer, the whole chat."""
    return "".join(f"/{_step(step).replace('~', '~0').replace('/', '~1')}" for step in path)


def lookup(root: Any, path: Path) -> Any:
    """Return the value at `path`. Raises KeyError, IndexError or TypeError where there is none.

    A path through a key that is no string holds the key as Python prints it.
    """
    for step in path:
        if isinstance(root, dict) and step not in root:
            step = next((key for key in root if str(key) == step), step)
        root = root[step]
    return root


def describe(value: Any) -> str:
    """Return a short phrase for what was found: ``null``, ``number 5``, ``string "abc"``, ``list of 2``, ``object``."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return f"boolean {str(value).lower()}"
    if isinstance(value, (int, float)):
        return f"number {_short(value)}"
    if isinstance(value, str):
        return f"string {_printable(json.dumps(_clip(str.__str__(value)), ensure_ascii=False))}"
    if isinstance(value, (list, tuple)):
        return f"list of {len(value)}"
    if isinstance(value, dict):
        return f"object with {_printable(_clip(', '.join(map(_step, value))))}" if value else "empty object"
    return f"a Python {type(value).__name__}"


def _step(step: Any) -> str:
    return _short(step) if isinstance(step, (int, float)) else str(step)


def _short(value: float) -> str:
    if isinstance(value, int) and value.bit_length() > 128:
        return f"of {value.bit_length()} bits"
    return str(value)


def _clip(text: str) -> str:
    return text if len(text) <= _LONG else text[: _LONG - 1] + "…"


def _printable(text: str) -> str:
    return "".join(char if char.isprintable() else f"\\u{ord(char):04x}" for char in text)
