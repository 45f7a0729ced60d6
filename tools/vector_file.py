"""The text of a vector's file.

Rules: the same vector gives the same bytes; what fits on a line stands on one; characters that an editor does not show
are escaped. Nothing here knows what a vector is about.
"""

from __future__ import annotations

import json
import re
import unicodedata
from pathlib import Path
from typing import Any, TypeAlias

FORMATS = Path(__file__).resolve().parents[1] / "vectors" / "formats"
WIDTH = 100
Vector: TypeAlias = dict[str, Any]

_HIDDEN = {"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp", "Zs"}
_NOT_ASCII = re.compile(r"[^ -~]")


def dumps(vector: Vector) -> str:
    """Return the text of a vector's file."""
    return _broken(vector, "") + "\n"


def _pretty(value: Any, indent: str) -> str:
    flat = _escaped(json.dumps(value, ensure_ascii=False))
    if not isinstance(value, (dict, list)) or not value or len(indent) + len(flat) <= WIDTH:
        return flat
    return _broken(value, indent)


def _broken(value: dict[str, Any] | list[Any], indent: str) -> str:
    inner = indent + "  "
    if isinstance(value, dict):
        lines = [f"{_escaped(json.dumps(key, ensure_ascii=False))}: {_pretty(value[key], inner)}" for key in value]
        opening, closing = "{}"
    else:
        lines = [_pretty(item, inner) for item in value]
        opening, closing = "[]"
    return f"{opening}\n{inner}" + f",\n{inner}".join(lines) + f"\n{indent}{closing}"


def _escaped(text: str) -> str:
    return _NOT_ASCII.sub(lambda found: _shown(found[0]), text)


def _shown(character: str) -> str:
    return json.dumps(character)[1:-1] if unicodedata.category(character) in _HIDDEN else character
