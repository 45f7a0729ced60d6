"""Calls whose arguments are an object with bare keys and marked texts, read off the shapes of turns that have some.

Rules: what stands before and behind each text is its marker, inside of other values too; what is written for true,
false and null is seen where each is an argument. It does not know what stands around a call.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from chatcodec.reply.calls import Block
from chatcodec.reply.keyed_calls import KeyedCalls
from chatcodec.templates import probes as words
from chatcodec.templates.turn_shape import ID, KEY, NAME, SLOTS, UNKNOWN, VALUE, VALUE_JSON, VALUE_STR

_ARGUMENT = rf"\s*:\s*([^{SLOTS}]*){VALUE}"
_TWO_TEXTS = re.compile(rf"\{{\s*{KEY}{_ARGUMENT}([^{SLOTS}]*?)\s*,\s*{KEY}{_ARGUMENT}").search
_WORD = re.compile(rf"{KEY}\s*:\s*(\w+|[{VALUE}{VALUE_JSON}{VALUE_STR}])\s*\}}").search
_AS_JSON = {True: "true", False: "false", None: "null"}

Shape = Callable[[Mapping[str, Any]], str | None]
"""Gives the shape of a turn that calls with these arguments, if there is one."""


def keyed_calls(opening: str, inner: str, closing: str, shape: Shape) -> KeyedCalls | None:
    """Return the syntax of calls whose arguments are such an object; None if they are none.

    inner: a call with two texts, from the first of its slots to the last; opening, closing: what stands around that.
    """
    found = _TWO_TEXTS(inner)
    if found is None or found.end() != len(inner) or found[1] != found[3]:
        return None
    text, behind = Block(found[1], found[2]), closing.removeprefix(found[2]).lstrip()
    marked = all(mark and mark == mark.strip() for mark in (text.opening, text.closing))
    if not (marked and closing.startswith(text.closing) and behind[:1] == "}"):
        return None
    inside = shape({name: words.VALUES[name] for name in ("kqvl", "kqvo")})
    if inside is not None and not _has_texts_inside(inside, text):
        return None
    written = tuple(_word(shape, value) for value in (True, False, None))
    if len({*written}) < len(written):
        return None
    call = (opening + inner[: found.start()]).replace(NAME, "{name}").replace(ID, "{id}")
    return KeyedCalls(call, behind[1:], text, written)


def _has_texts_inside(shape: str, text: Block) -> bool:
    """Whether texts in a list and in an object are written as texts are, and its names bare or as texts."""
    marked = re.escape(text.opening) + UNKNOWN + re.escape(text.closing)
    name = f"(?:{UNKNOWN}|{marked})"
    listed, member = rf"\[\s*{marked}\s*,\s*{marked}\s*\]", rf"\{{\s*{name}\s*:\s*{marked}\s*\}}"
    return all(re.search(rf"{KEY}\s*:\s*{each}", shape) for each in (listed, member))


def _word(shape: Shape, value: bool | None) -> str:
    """Return what is written for a value that JSON has a word for."""
    found = _WORD(shape({"kqvb": value}) or "")
    if found is None or found[1] == VALUE_JSON:
        return _AS_JSON[value]
    return str(value) if found[1] in SLOTS else found[1]
