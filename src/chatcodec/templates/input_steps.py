"""The messages that a template sees: the input steps of `apply_chat_template` that change them, transformers 5.23.

Keys of a message whose value is null are left out. A message's reasoning, under the first of its names that is there,
comes as ``reasoning_content``, and as ``thinking`` in front of all other keys. Rules: a message that needs neither is
passed as it is. What is no plain data is for `plain_chat`, before this.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from chatcodec.chat.inputs import REASONING_NAMES, reasoning_of
from chatcodec.chat.pointer import Path

_REASONING = frozenset(REASONING_NAMES)


def messages_for_template(messages: Sequence[Any]) -> list[Any]:
    """Return the messages as a template sees them. Raises TypeError for one that is no dict."""
    return [
        message
        if type(message) is dict
        and "reasoning_content" not in message  # each name by itself is the fastest way to look for all
        and "thinking" not in message
        and "reasoning" not in message
        and None not in message.values()
        else _changed(message)
        for message in messages
    ]


def _changed(message: Mapping[str, Any]) -> dict[str, Any]:
    if type(message) is not dict:
        raise TypeError(f"{type(message).__name__} is not plain data")
    name, reasoning = reasoning_of(message)
    if None in message.values():
        message = {key: value for key, value in message.items() if value is not None}
    if name is None:
        return message
    return {"thinking": reasoning, **message, "reasoning_content": reasoning}


def given_path(path: Path, messages: Sequence[Any]) -> Path:
    """Return the path, in the messages that were given, of what is at `path` in those that a template sees."""
    if len(path) < 3 or path[0] != "messages" or path[2] not in _REASONING:
        return path
    message = messages[path[1]]
    if message.get(path[2]) is not None:
        return path
    name, _ = reasoning_of(message)
    return path if name is None else (*path[:2], name, *path[3:])
