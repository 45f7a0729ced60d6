"""The formats by name. One format more is one file and one line here.

A format's module is imported when its format is asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from chatcodec.formats.format import Format

_MODULES = {
    "bailing-v3": "bailing_v3",
    "qwen2.5-ja-struct": "qwen25_ja_struct",
    "qwen3-tir": "qwen3_tir",
    "qwen3.6": "qwen36",
    "seed-oss": "seed_oss",
}

NAMES = tuple(_MODULES)
"""The names of all formats, sorted."""


def get(name: str) -> Format:
    """Return the format of that name. Raises KeyError."""
    return cast("Format", import_module(f"chatcodec.formats.{_MODULES[name]}").FORMAT)
