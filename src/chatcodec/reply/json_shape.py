"""Where the object of a JSON call has its name, its arguments and its id."""

from __future__ import annotations

import json
from typing import Any


def members(text: str) -> dict[str, tuple[str, ...]] | None:
    """Return where the object of `JsonCalls` has ``name``, ``arguments`` and perhaps ``id``: the keys that lead there.

    None if it is no JSON object with the first two, and each once.
    """
    marks = {"name": "\ue000name", "arguments": "\ue000arguments", "id": "\ue000id"}
    for name, mark in marks.items():
        if text.count("{" + name + "}") > 1:
            return None
        text = text.replace("{" + name + "}", json.dumps(mark))
    try:
        shape = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(shape, dict):
        return None
    found: dict[str, tuple[str, ...]] = {}
    if list(shape.items()) == [(marks["name"], marks["arguments"])]:
        return {"name": (), "arguments": (marks["name"],)}
    places: list[tuple[tuple[str, ...], Any]] = [((key,), value) for key, value in shape.items()]
    for place, value in places:
        if isinstance(value, dict):
            places += [((*place, key), item) for key, item in value.items()]
        elif isinstance(value, str):
            found.update({name: place for name, mark in marks.items() if value == mark})
    return found if {"name", "arguments"} <= set(found) else None
