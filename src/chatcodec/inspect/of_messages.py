"""What a codec does with messages: roles, system messages, content of other kinds, parts.

Rules: one probe a line, as short as it can be. Where content stands tells what became of it, and nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import takewhile
from typing import Any

from chatcodec.inspect import chats
from chatcodec.inspect.card import Messages
from chatcodec.inspect.chats import ASSISTANT, CALL, DEVELOPER, NEXT_SYSTEM, NEXT_USER, SYSTEM, USER, Message
from chatcodec.inspect.outcome import LOST, PRINTED, Outcome, between, seen, span_of, tried
from chatcodec.render.rendered import Rendered
from chatcodec.templates import probes as words
from chatcodec.templates.borders import last_marker
from chatcodec.templates.probes import Probes

_OTHER_ROLE, _OTHER = "xqvar", "Xqvac"


def of_messages(probes: Probes) -> Messages:
    """Return what becomes of messages."""
    return Messages(
        roles=_roles(probes),
        system=_system(probes),
        default_system=_default_system(probes),
        own_text=_own_text(probes),
        order={"two users": _two_users(probes), "assistant first": _assistant_first(probes)},
        lists={role: _list(probes, role) for role in _AROUND},
        nulls={**{role: _null(probes, role) for role in _AROUND}, "assistant with calls": _null_beside_calls(probes)},
        parts=_parts(probes),
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
        "in a tool loop": _in_a_tool_loop(probes),
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
    if apart is None:
        return Outcome("moved")
    return (
        Outcome("joined", repr(apart)) if _joins(result.text.partition(words.SYSTEM)[0], apart) else Outcome("in place")
    )


def _joins(before: str, apart: str) -> bool:
    """Whether what stands between two texts begins no message: it has nothing of what stands before the first one."""
    if not apart.strip():
        return bool(before.strip())
    head = last_marker(before).strip()
    return not (head and head in apart) and not any(bracket in apart for bracket in "<[")


def _in_a_tool_loop(probes: Probes) -> Outcome:
    """Return what becomes of the system message while calls are answered."""
    return seen(tried(probes, [SYSTEM, USER, chats.calling(CALL), chats.result(0)], tools=True), words.SYSTEM)


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
    end = begins.rfind(rest.strip())
    if not before.strip() or not begins.startswith(before) or end < len(before):
        return None
    return None if begins[len(before) :] == _head_of(missing, 0) else begins[len(before) : end]


def _head_of(rendered: Rendered, index: int) -> str:
    """Return what is written for a message before its first value."""
    spans = takewhile(lambda span: span.origin == "template", (s for s in rendered.spans if s.message == index))
    return "".join(rendered.text[span.start : span.end] for span in spans)


def _own_text(probes: Probes) -> tuple[str, ...]:
    """Return the texts of several words that the template writes around a system message and a question."""
    result = tried(probes, [SYSTEM, USER])
    result = tried(probes, [USER]) if isinstance(result, Outcome) else result
    if isinstance(result, Outcome):
        return ()
    pieces = re.split("|".join((words.SYSTEM, words.USER)), result.text)
    return tuple(piece[found.start() :].strip() for piece in pieces if (found := _PROSE.search(piece)))


_PROSE = re.compile(r"\w+,? \w+,? \w+")


# The order of turns


def _two_users(probes: Probes) -> Outcome:
    """Return what becomes of two user messages in a row."""
    result = tried(probes, [USER, NEXT_USER])
    found = seen(result, words.USER, words.NEXT_USER)
    if found != PRINTED or isinstance(result, Outcome):
        return found
    apart = between(result, words.USER, words.NEXT_USER)
    return PRINTED if apart is None or apart.strip() else Outcome("joined", repr(apart))


def _assistant_first(probes: Probes) -> Outcome:
    return seen(tried(probes, [ASSISTANT, USER]), words.CONTENT, words.USER)


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
    return _compared(result, empty)


def _compared(null: Rendered | Outcome, empty: Rendered | Outcome) -> Outcome:
    """Return how null is written, compared with a text that is empty."""
    if isinstance(null, Outcome):
        return null
    plain = empty.text if isinstance(empty, Rendered) else ""
    if null.text == plain:
        return Outcome("as empty")
    return Outcome("as the word None" if null.text.count("None") > plain.count("None") else "otherwise than empty")


def _null_beside_calls(probes: Probes) -> Outcome:
    """Return what becomes of content that is null in a turn that calls, as OpenAI's API has it."""
    return _compared(_answered(probes, None), _answered(probes, ""))


def _answered(probes: Probes, content: str | None) -> Rendered | Outcome:
    turn = {**chats.calling(CALL), "content": content}
    return tried(probes, [USER, turn, chats.result(0)], tools=True)


_OTHER_PART = {"type": "xqvap", "xqvap": "xqvav"}


def _parts(probes: Probes) -> dict[str, Outcome]:
    """Return what becomes of each kind of part; what stands for any kind stands for none."""
    other = _part(probes, _OTHER_PART)
    if other.how == "printed" and "xqva" not in other.detail:
        other = Outcome("lost", other.detail)
    found = {part["type"]: _part(probes, part) for part in chats.MEDIA}
    alike = {kind for kind, outcome in found.items() if other == Outcome("lost", outcome.detail)}
    return {kind: LOST if kind in alike else outcome for kind, outcome in found.items()} | {
        "other": LOST if other.how == "lost" else other
    }


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
