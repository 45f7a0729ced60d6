"""Which values of an option are tried, by its type and its template.

Rules: texts are those that the template compares the option with, and one that it surely does not.
"""

from __future__ import annotations

from typing import Any, Final

from chatcodec.render.protocol import Option

WORD: Final = "any other text"
"""A text that no template compares with."""

_MOST_WORDS = 8
_VALUES: dict[str, tuple[Any, ...]] = {"boolean": (True, False), "number": (0, 1, 4217), "any": (True, False)}


def values_of(option: Option) -> tuple[Any, ...]:
    """Return values to try for an option."""
    texts = (*option.words[:_MOST_WORDS], WORD) if option.type in ("string", "any") else ()
    return *_VALUES.get(option.type, ()), *texts
