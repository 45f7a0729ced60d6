"""Which values of a chat are printed as Python prints them: ``True``, ``None``, ``{'a': 1}``, where models read JSON.

Rules: told by spans. A place is the JSON pointer of the value, with ``*`` for indexes and names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from chatcodec.inspect import chats
from chatcodec.inspect.chats import CALL, SYSTEM, USER
from chatcodec.inspect.outcome import tried
from chatcodec.render.rendered import Rendered
from chatcodec.templates import probes as words
from chatcodec.templates.probes import Probes

_PARTS = chats.parts("Pqvax", "Pqvex")


def _chats() -> Iterator[tuple[list[chats.Message], bool]]:
    yield [USER, chats.calling(words.call(0, words.VALUES)), chats.result(0)], True
    yield [USER, chats.calling(CALL), chats.result(0, content=_PARTS)], True
    yield [USER, chats.calling(CALL), chats.result(0, content={"kqvs": True})], True
    yield [chats.text("user", _PARTS)], False
    yield [chats.text("system", _PARTS), USER], False
    yield [USER, chats.text("assistant", _PARTS)], False
    yield [SYSTEM, USER], True


def of_python(probes: Probes) -> dict[str, tuple[str, ...]]:
    """Return what is printed as Python prints it: by the place of the value, what it looks like."""
    found: dict[str, dict[str, None]] = {}
    for messages, tools in _chats():
        result = tried(probes, messages, tools=tools)
        if isinstance(result, Rendered):
            for place, kind in _printed(result):
                found.setdefault(place, {})[kind] = None
    return {place: tuple(kinds) for place, kinds in found.items()}


def _printed(rendered: Rendered) -> Iterator[tuple[str, str]]:
    for span in rendered.spans:
        text = rendered.text[span.start : span.end]
        kind = _kind(text) if span.shows == "str" else None
        if kind:
            yield _place(span.pointer or ""), kind


def _kind(text: str) -> str | None:
    if text in ("True", "False", "None"):
        return text
    return {"{": "{...}", "[": "[...]"}.get(text[:1])


def _place(pointer: str) -> str:
    return re.sub(r"/([0-9]+|kqv\w)(?=/|$)", "/*", pointer)
