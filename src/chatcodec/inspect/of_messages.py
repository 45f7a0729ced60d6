"""What a codec does with messages: roles, system messages, content of other kinds, parts.

Rules: one probe a line, as short as it can be. Where content stands tells what became of it, and nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from chatcodec.inspect import chats
from chatcodec.inspect.card import Messages
from chatcodec.inspect.chats import ASSISTANT, CALL, DEVELOPER, NEXT_SYSTEM, NEXT_USER, SYSTEM, USER, Message
from chatcodec.inspect.outcome import LOST, PRINTED, Outcome, between, seen, span_of, tried
from chatcodec.render.rendered import Rendered
from chatcodec.templates import probes as words
from chatcodec.templates.probes import Probes

_OTHER_ROLE, _OTHER = "xqvar", "Xqvac"


def of_messages(probes: Probes) -> Messages:
    """Return what becomes of messages."""
    return Messages(
        roles=_roles(probes),
        system=_system(probes),
        default_system=_default_system(probes),
        lists={role: _list(probes, role) for role in _AROUND},
        nulls={role: _null(probes, role) for role in _AROUND},
        parts={part["type"]: _part(probes, part) for part in (*chats.MEDIA, {"type": "xqvap", "xqvap": "xqvav"})},
    )


_AROUND: Mapping[str, tuple[list[Message], list[Message]]] = {
    "system": ([], [USER]),
    "user": ([], []),
    "assistant": ([USER], []),
    "tool": ([USER, chats.calling(CALL)], []),
}
"""What stands before and behind a message of each role, at least."""


def _tried(probes: Probes, role: str, content: Any) -> Rendered | Outcome:
    before, behind = _AROUND[role]
    message = chats.result(0, content=content) if role == "tool" else chats.text(role, content)
    return tried(probes, [*before, message, *behind], tools=role == "tool")


def _roles(probes: Probes) -> dict[str, Outcome]:
    texts = {"system": words.SYSTEM, "user": words.USER, "assistant": words.CONTENT, "tool": words.RESULTS[0]}
    found = {role: seen(_tried(probes, role, text), text) for role, text in texts.items()}
    return {**found, "developer": _developer(probes), "other": _other(probes)}


def _developer(probes: Probes) -> Outcome:
    result = tried(probes, [DEVELOPER, USER])
    as_system = tried(probes, [chats.text("system", words.DEVELOPER), USER])
    if isinstance(result, Rendered) and isinstance(as_system, Rendered) and result.text == as_system.text:
        return Outcome("as system") if words.DEVELOPER in result.text else LOST
    return seen(result, words.DEVELOPER)


def _other(probes: Probes) -> Outcome:
    result = tried(probes, [USER, ASSISTANT, chats.text(_OTHER_ROLE, _OTHER)])
    found = seen(result, _OTHER)
    return (
        Outcome("printed", "under its own name") if found == PRINTED and seen(result, _OTHER_ROLE) == found else found
    )


# System messages


def _system(probes: Probes) -> dict[str, Outcome]:
    return {
        "alone": seen(tried(probes, [SYSTEM]), words.SYSTEM),
        "several": _several(tried(probes, [SYSTEM, NEXT_SYSTEM, USER])),
        "later": _later(tried(probes, [SYSTEM, USER, ASSISTANT, NEXT_SYSTEM, NEXT_USER])),
    }


def _several(result: Rendered | Outcome) -> Outcome:
    """Return what becomes of two system messages at the beginning."""
    if isinstance(result, Outcome):
        return result
    first, last = (word in result.text for word in (words.SYSTEM, words.NEXT_SYSTEM))
    if not (first and last):
        return Outcome("only the first") if first else Outcome("only the last") if last else LOST
    apart = between(result, words.SYSTEM, words.NEXT_SYSTEM)
    return Outcome("in place") if apart is None or apart.strip() else Outcome("joined", repr(apart))


def _later(result: Rendered | Outcome) -> Outcome:
    """Return what becomes of a system message between turns."""
    if isinstance(result, Outcome):
        return result
    at = {
        word: result.text.find(word)
        for word in (words.SYSTEM, words.USER, words.CONTENT, words.NEXT_SYSTEM, words.NEXT_USER)
    }
    later = at[words.NEXT_SYSTEM]
    if later < 0:
        return LOST
    if later < at[words.USER]:
        return Outcome("hoisted") if at[words.SYSTEM] >= 0 else Outcome("hoisted", "the first one is lost")
    return Outcome("in place") if at[words.CONTENT] < later < at[words.NEXT_USER] else Outcome("moved")


def _default_system(probes: Probes) -> str | None:
    """Return what stands in for a system message that is not there; None if nothing does."""
    given, missing = tried(probes, [SYSTEM, USER]), tried(probes, [USER])
    if isinstance(given, Outcome) or isinstance(missing, Outcome):
        return None
    before, _, behind = given.text.partition(words.SYSTEM)
    rest, _, _ = behind.partition(words.USER)
    begins, _, _ = missing.text.partition(words.USER)
    if not before.strip() or not begins.startswith(before) or not begins.endswith(rest.lstrip()):
        return None
    end = len(begins) - len(rest if begins.endswith(rest) else rest.lstrip())
    return begins[len(before) : end] if end >= len(before) else None


# Content


def _list(probes: Probes, role: str) -> Outcome:
    """Return what becomes of content that is a list of two text parts."""
    first, second = "Pqvax", "Pqvex"
    result = _tried(probes, role, chats.parts(first, second))
    found = seen(result, first, second)
    if found != PRINTED or isinstance(result, Outcome):
        return Outcome("only the first") if found == LOST and seen(result, first) == PRINTED else found
    span = span_of(result, first)
    if span is not None and span.shows in ("json", "str"):
        return Outcome("as JSON" if span.shows == "json" else "as Python prints it")
    return Outcome("joined", repr(between(result, first, second)))


def _null(probes: Probes, role: str) -> Outcome:
    """Return what becomes of content that is null."""
    result, empty = _tried(probes, role, None), _tried(probes, role, "")
    if isinstance(result, Outcome):
        return result
    if isinstance(empty, Rendered) and result.text == empty.text:
        return Outcome("as empty")
    return Outcome("as the word None") if "None" in result.text else Outcome("otherwise than empty")


def _part(probes: Probes, part: Mapping[str, Any]) -> Outcome:
    """Return what becomes of a part of user content that is no text; the detail is what stands for it."""
    first, second = chats.parts("Pqvax", "Pqvex")
    result = tried(probes, [chats.text("user", [first, dict(part), second])])
    if isinstance(result, Outcome):
        return result
    stands = between(result, "Pqvax", "Pqvex")
    if stands is None:
        return LOST
    span = span_of(result, "Pqvax")
    if span is not None and span.shows in ("json", "str"):
        return Outcome("as JSON" if span.shows == "json" else "as Python prints it")
    plain = tried(probes, [chats.text("user", [first, second])])
    if isinstance(plain, Rendered) and stands.strip() == (between(plain, "Pqvax", "Pqvex") or "").strip():
        return LOST
    return Outcome("printed", repr(stands))
