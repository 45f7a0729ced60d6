"""The state of a reader as JSON data, and back.

Rules: each part of a reader lists its fields in ``FIELDS``, and those that are one of a few words in ``CHOICES``. What
is saved is a copy. What is loaded comes from outside: a value of another type, or an unknown word, is a ValueError.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from chatcodec.reply.json_inside import JsonInside
from chatcodec.reply.json_scan import JsonScanner

_JOINED = ("quiet", "early", "word", "pending")
"""Lists of texts that grow piece by piece; the first item of some is apart from the rest."""
_MAY_BE_NULL = ("name", "id", "faults")
"""Texts that may be missing, or lists in which some may."""


def save(part: Any) -> dict[str, Any]:
    """Return the fields of a part of a reader as JSON data."""
    data: dict[str, Any] = {}
    for name in part.FIELDS:
        value = getattr(part, name)
        if isinstance(value, (JsonScanner, JsonInside)):
            data[name] = save(value)
        elif name in _JOINED:
            data[name] = [value[0], "".join(value[1:])] if value else []
        else:
            data[name] = deepcopy(value)
    return data


def load(part: Any, data: Mapping[str, Any]) -> None:
    """Set the fields of a part of a reader. Raises KeyError, TypeError or ValueError for data of another shape."""
    for name in part.FIELDS:
        value, now = data[name], getattr(part, name)
        if isinstance(now, (JsonScanner, JsonInside)):
            load(now, value)
            continue
        _check(name, value, now, getattr(part, "CHOICES", {}).get(name))
        setattr(part, name, deepcopy(value))


def _check(name: str, value: Any, now: Any, choices: Any) -> None:
    kind = str if now is None else type(now)
    if value is None and name in _MAY_BE_NULL and kind is str:
        return
    fits = type(value) is kind
    if fits and kind is list:
        fits = all(type(item) is str or (item is None and name in _MAY_BE_NULL) for item in value)
    elif fits and kind is dict:
        fits = all(type(key) is str for key in value)
    if fits and choices is not None:
        fits = all(item in choices for item in (value if kind is list else [value]))
    if not fits:
        raise ValueError(f"{name}: {value!r}")
