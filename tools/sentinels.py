"""Chats with a unique sentinel in every leaf, key, role and name, and the place of each.

`Planter` copies a chat so that each string, number and member's name that a chat's author chooses carries sentinels of
its own. What a chat's structure needs (known roles, part types, field names, inline markers) stays.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from chatcodec.chat.pointer import Path, pointer

SENTINEL = re.compile(r"Zq\d{6}z|900\d{6}")
ROLES = ("system", "user", "assistant", "tool")
KEPT = ("type", "required")
MARKER = re.compile(r"(<[^<>]*>)")

Keys = Literal["fields", "members", "free"]
"""Whose names an object's keys are: the chat's structure's, the author's for one level, or the author's all the way."""


class Place(NamedTuple):
    """Where a sentinel was planted."""

    pointer: str
    is_key: bool


@dataclass
class Planter:
    """Plants sentinels and remembers the place of each."""

    places: dict[str, Place] = field(default_factory=dict)

    def plant(self, value: Any, path: Path, keys: Keys = "fields") -> Any:
        """Return a copy of `value` with sentinels."""
        if isinstance(value, str):
            return self.text(value, path)
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return int(self.remember(f"900{len(self.places):06d}", Place(pointer(path), is_key=False)))
        if isinstance(value, (list, tuple)):
            return [self.plant(item, (*path, index), keys) for index, item in enumerate(value)]
        if isinstance(value, dict):
            return dict(self.member(key, item, path, keys) for key, item in value.items())
        return value

    def text(self, value: str, path: Path) -> str:
        """Return a text with a sentinel in each stretch between markers that is not blank."""
        return "".join(
            piece if not piece.strip() or MARKER.fullmatch(piece) else self.sentinel(piece, Place(pointer(path), False))
            for piece in MARKER.split(value)
        )

    def member(self, key: Any, item: Any, path: Path, keys: Keys) -> tuple[Any, Any]:
        """Return a key and its value, with sentinels."""
        if keys == "fields" or not isinstance(key, str):
            if key in KEPT or (key == "role" and item in ROLES):
                return key, item
            below: Keys = "free" if key == "arguments" else "members" if key == "properties" else "fields"
            return key, self.plant(item, (*path, key), below)
        number = f"Zq{len(self.places):06d}z"
        name = key[:1] + number + key[1:]
        self.remember(number, Place(pointer((*path, name)), is_key=True))
        return name, self.plant(item, (*path, name), "free" if keys == "free" else "fields")

    def sentinel(self, around: str, place: Place) -> str:
        """Return `around` with a new sentinel in its middle."""
        middle = len(around) // 2
        return around[:middle] + self.remember(f"Zq{len(self.places):06d}z", place) + around[middle:]

    def remember(self, sentinel: str, place: Place) -> str:
        """Remember a sentinel's place, and return the sentinel."""
        self.places[sentinel] = place
        return sentinel
