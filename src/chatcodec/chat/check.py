"""Refusals: one place that words "what was found, where, what is accepted".

Formats call these at the point where the data turns out to be wrong. Only two functions walk a chat: `check_shape`, for
what comes from a file, and `unprintable`, after a failure.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from typing import Any

from chatcodec.chat.pointer import Path, describe, pointer
from chatcodec.errors import InvalidChat, LimitExceeded, TemplateRefused


def invalid(path: Path, value: Any, accepted: str) -> InvalidChat:
    """Return the error for a `value` at `path` that cannot be rendered; `accepted` says what can be."""
    found = describe(value)
    return InvalidChat(f"{pointer(path)}: found {found}, accepted: {accepted}", pointer(path), found, accepted)


def missing(path: Path, accepted: str) -> InvalidChat:
    """Return the error for something that should be at `path` and is not there."""
    return InvalidChat(f"{pointer(path)}: missing or null, accepted: {accepted}", pointer(path), "nothing", accepted)


def refused(message: str, path: Path, found: str, accepted: str) -> TemplateRefused:
    """Return the error with the words that the model's own template uses for what was `found` at `path`."""
    return TemplateRefused(message, pointer(path), found, accepted)


def need_text(value: Any, path: Path) -> str:
    """Return `value` if it is a string, and no subclass's. Raises InvalidChat that names `path`."""
    if type(value) is str:
        return value
    raise missing(path, "a string") if value is None else invalid(path, value, "a string")


def need_object(value: Any, path: Path) -> dict[str, Any]:
    """Return `value` if it is a dict, and no subclass's. Raises InvalidChat that names `path`."""
    if type(value) is dict:
        return value
    if value is None:
        raise missing(path, "an object")
    hint = " (if this is one as JSON text, parse it)" if _is_braced(value) else " ({} for none)" if value == "" else ""
    raise invalid(path, value, f"an object{hint}")


def _is_braced(value: Any) -> bool:
    return isinstance(value, str) and value.strip()[:1] + value.strip()[-1:] == "{}"


def unprintable(value: Any, path: Path) -> Iterator[InvalidChat]:
    """Yield an error for each part of the plain `value` that neither JSON nor Python can print."""
    if isinstance(value, dict):
        for key, item in value.items():
            if not (key is None or isinstance(key, (str, int, float))):
                yield invalid(path, key, "a string as the name of a member")
            yield from unprintable(item, (*path, key))
    elif isinstance(value, (list, tuple)):
        for index, item in enumerate(value):
            yield from unprintable(item, (*path, index))
    elif isinstance(value, int) and not _has_digits(value):
        most = sys.get_int_max_str_digits()
        yield LimitExceeded(f"{pointer(path)}: an integer of more than {most} digits", "digits", pointer(path))


def _has_digits(number: int) -> bool:
    """Whether Python is willing to write `number` out."""
    try:
        str(number)
    except ValueError:
        return False
    return True


def check_shape(messages: Any) -> None:
    """Check that `messages` is a list of objects, each with a role. Raises InvalidChat that names the first fault."""
    if not isinstance(messages, list):
        raise invalid(("messages",), messages, "a list of messages")
    for index, message in enumerate(messages):
        if not isinstance(message, Mapping):
            raise invalid(("messages", index), message, "an object with role and content")
        if message.get("role") is None:
            raise missing(("messages", index, "role"), "system, user, assistant or tool")
