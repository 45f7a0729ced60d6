"""Which built-in format prints chats as a codec does.

Rules: the signature of a codec is what it prints for a few named chats. Those that any template should print must be
the same, with and without a generation prompt; on the others two codecs may differ, which is said. A format is no
format's own likeness.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from chatcodec.formats import registry
from chatcodec.inspect import chats
from chatcodec.inspect.card import Likeness
from chatcodec.inspect.chats import (
    ASSISTANT,
    CALL,
    CALLS,
    DEVELOPER,
    NEXT_SYSTEM,
    NEXT_USER,
    REASONED,
    SYSTEM,
    USER,
)
from chatcodec.inspect.outcome import tried
from chatcodec.render.rendered import Rendered
from chatcodec.templates import probes as words
from chatcodec.templates.probes import Probes

_Chat = tuple[list[chats.Message], bool]
"""Messages, and whether tools are given."""

_CALLED = chats.calling(CALL, content=words.CONTENT, reasoning_content=words.REASONING)

ORDINARY: Final[Mapping[str, _Chat]] = {
    "a question": ([USER], False),
    "a system message": ([SYSTEM, USER], False),
    "turns": ([SYSTEM, USER, ASSISTANT, NEXT_USER], False),
    "reasoning": ([USER, REASONED], False),
    "earlier reasoning": ([SYSTEM, USER, REASONED, NEXT_USER], False),
    "tools": ([SYSTEM, USER], True),
    "a call": ([SYSTEM, USER, chats.calling(CALL)], True),
    "content, calls and results": ([USER, _CALLED, chats.result(0), ASSISTANT, NEXT_USER], True),
    "several calls": ([USER, chats.calling(*CALLS), chats.result(0), chats.result(1)], True),
    "arguments of all types": ([USER, chats.calling(words.call(0, words.VALUES)), chats.result(0)], True),
}
SPECIAL: Final[Mapping[str, _Chat]] = {
    "several system messages": ([SYSTEM, NEXT_SYSTEM, USER], False),
    "a later system message": ([SYSTEM, USER, ASSISTANT, NEXT_SYSTEM, NEXT_USER], False),
    "a blank system message": ([chats.text("system", " "), USER], False),
    "a developer message": ([DEVELOPER, USER], False),
    "an unknown role": ([USER, ASSISTANT, chats.text("xqvar", "Xqvac")], False),
    "no user message": ([SYSTEM], False),
    "text parts": ([chats.text("user", chats.parts("Pqvax", "Pqvex"))], False),
    "an image": ([chats.text("user", [chats.MEDIA[0], *chats.parts("Pqvax")])], False),
    "empty content": ([USER, chats.text("assistant", ""), NEXT_USER], False),
    "null content": ([USER, chats.text("assistant", None), NEXT_USER], False),
    "arguments as JSON text": (
        [USER, chats.calling(words.call(0, json.dumps(CALL["function"]["arguments"])))],
        True,
    ),
    "a result without a call": ([USER, chats.result(0)], True),
}


def likeness_of(probes: Probes) -> Likeness | None:
    """Return the format that prints ordinary chats as this codec does, if there is one."""
    signature = _signature(probes, ORDINARY)
    if not any(signature.values()):
        return None
    for name in registry.NAMES:
        format_ = _format(name)
        if format_.renderer is probes.renderer or _signature(format_, ORDINARY) != signature:
            continue
        theirs, ours = _signature(format_, SPECIAL), _signature(probes, SPECIAL)
        differs = dict.fromkeys(name for (name, generation), text in ours.items() if text != theirs[name, generation])
        return Likeness(name, tuple(differs))
    return None


@cache
def _format(name: str) -> Probes:
    return Probes(registry.get(name))


def _signature(probes: Probes, named: Mapping[str, _Chat]) -> dict[Any, str | None]:
    """Return what is printed for each of the chats, without and with a generation prompt; None where nothing is."""
    found: dict[Any, str | None] = {}
    for name, (messages, tools) in named.items():
        for generation in (False, True):
            result = tried(probes, messages, tools=tools, generation=generation)
            found[name, generation] = result.text if isinstance(result, Rendered) else None
    return found
