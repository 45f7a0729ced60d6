"""Which values of an option are tried: those that its type and its template's comparisons suggest, and a word."""

from __future__ import annotations

from typing import Any, Final

from chatcodec.render.protocol import Option

WORD: Final = "oqvam"
"""A text that no template compares with."""


def values_of(option: Option) -> tuple[Any, ...]:
    """Return values to try for an option."""
    return _VALUES[option.type]


_VALUES: dict[str, tuple[Any, ...]] = {
    "boolean": (True, False),
    "number": (0, 1, 4217),
    "string": (WORD,),
    "any": (True, False, WORD),
}
