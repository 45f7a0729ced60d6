"""The parts of somebody else's response template: objects with known keys, and the patterns in them.

Rules: whatever is taken from a part is checked when it is taken, and what is not as it should be is UnreadableInput
with a JSON pointer. Patterns are taken apart, never run.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby
from typing import Any, TypeVar

from chatcodec.chat.pointer import Path, describe
from chatcodec.errors import UnreadableInput
from chatcodec.reply.patterns import (
    MOST_WAYS,
    Edge,
    Item,
    Look,
    Maybe,
    Named,
    PatternError,
    Run,
    Sequence,
    Space,
    read_pattern,
)
from chatcodec.reply.pieces_json import unknown_key, unreadable

LITERAL = "literal text with white space beside and between"

Kind = TypeVar("Kind", bound=str | bool | dict[str, Any])

_KINDS: dict[type, str] = {str: "a string", bool: "true or false", dict: "an object"}


class Part:
    """An object in a template."""

    def __init__(self, data: object, path: Path, known: tuple[str, ...] = ()) -> None:
        """Take what stands at `path`, and the keys that it may have; none means any."""
        if not isinstance(data, Mapping):
            raise unreadable(path, describe(data), "an object")
        for key in data:
            if not isinstance(key, str) or (known and key not in known):
                raise unknown_key(path, key, [*known] or ["a string"])
        self.data: Mapping[str, Any] = data
        self.path = path

    def __contains__(self, key: str) -> bool:
        return self.data.get(key) is not None

    def fault(self, key: str, accepted: str, found: str | None = None) -> UnreadableInput:
        """Return the error for what stands at `key`, or for what was `found` in it."""
        if found is None:
            found = describe(self.data[key]) if key in self.data else "nothing"
        return unreadable((*self.path, key), found, accepted)

    def value(self, key: str, kind: type[Kind], default: Kind) -> Kind:
        """Return the value at `key`, which has to be of this `kind`; the default if there is none."""
        value = self.data.get(key)
        if value is None:
            return default
        if type(value) is not kind:
            raise self.fault(key, _KINDS[kind])
        return value

    def part(self, key: str, *known: str) -> Part:
        """Return the object at `key`, an empty one if there is none."""
        return Part(self.data[key] if key in self else {}, (*self.path, key), known)

    def ways(self, key: str) -> list[Way]:
        """Return the ways in which a delimiter is met: a text, a list of texts, or a pattern. None if there is none."""
        pattern = f"{key}_pattern"
        if key in self and pattern in self:
            raise self.fault(pattern, f"no {pattern} beside {key}")
        if pattern in self:
            return self.pattern(pattern)
        given = self.data.get(key)
        texts = [] if given is None else [given] if isinstance(given, str) else given
        if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            raise self.fault(key, "a string, or a list of strings")
        if given is not None and not (texts and all(texts)):
            raise self.fault(key, "text that is not empty")
        if len(texts) > MOST_WAYS:
            raise self.fault(key, f"at most {MOST_WAYS} texts")
        return [Way((text,), (*self.path, key)) for text in dict.fromkeys(texts)]

    def pattern(self, key: str) -> list[Way]:
        """Return the ways in which the pattern at `key` is met."""
        try:
            return [Way(way, (*self.path, key)) for way in read_pattern(self.value(key, str, ""))]
        except PatternError as error:
            accepted = f"a regular expression that says {LITERAL}"
            raise self.fault(key, accepted, str(error)) from None

    def only(self, key: str, ways: list[Way]) -> Way:
        """Return the only one of `ways` to meet the delimiter at `key`."""
        if len(ways) != 1:
            shown = " or ".join(str(way) for way in ways[:3])
            pattern = f"{key}_pattern"
            raise self.fault(pattern if pattern in self else key, "one marker", shown or "none")
        return ways[0]


class Way:
    """One way in which a delimiter is met."""

    def __init__(self, items: Sequence, path: Path) -> None:
        """Take the items of a pattern, and where it stands."""
        self.items, self.path = items, path

    def __str__(self) -> str:
        return "".join(_shown(item) for item in self.items) or "nothing"

    def fault(self, found: str, accepted: str = LITERAL) -> UnreadableInput:
        """Return the error for what was `found` in it."""
        return unreadable(self.path, found, accepted)

    @property
    def looks(self) -> list[Way]:
        """What has to follow, if it says nothing else."""
        first = self.items[0] if len(self.items) == 1 else None
        return [Way(items, self.path) for items in first.ways] if isinstance(first, Look) else []

    @property
    def last(self) -> Item | None:
        """The last of its items."""
        return self.items[-1] if self.items else None

    @property
    def anchored(self) -> bool:
        """Whether it is met where a turn begins only."""
        return self.items[:1] == (Edge("start"),)

    @property
    def groups(self) -> dict[str, Named]:
        """The named groups in it."""
        return {item.name: item for item in self.items if isinstance(item, Named)}

    @property
    def starts(self) -> str:
        """The text that it begins with, up to white space; empty if it begins otherwise."""
        items = [item for item in self.items if not isinstance(item, (Maybe, Space))]
        first = items[0] if items else ""
        return first.split()[0] if isinstance(first, str) and first.strip() else ""

    def split(self, at: int) -> tuple[Way, Way]:
        """Return what is before the item at an index, and what is behind it."""
        return Way(self.items[:at], self.path), Way(self.items[at + 1 :], self.path)

    def without_start(self) -> Way:
        """Return it without the edge, and the white space, that it begins with."""
        items = self.items[1:] if self.anchored else self.items
        free = bool(items) and self.anchored and items[0] == Space(None)
        return Way(items[1:] if free else items, self.path)

    def without_space(self) -> tuple[str | None, Way]:
        """Return the white space that it begins with, None if that is free, and the rest."""
        at = next((i for i, item in enumerate(self.items) if not isinstance(item, Space)), len(self.items))
        spaces, items = self.items[:at], self.items[at:]
        text = items[0] if items and isinstance(items[0], str) else ""
        marker = text.lstrip()
        space = _space(spaces) + text[: len(text) - len(marker)]
        free = Space(None) in spaces and not space
        return (None if free else space), Way((marker, *items[1:]) if text else items, self.path)

    def without_maybes(self, *, behind: bool) -> tuple[list[str], Way]:
        """Return the markers that may be left out at its beginning, or `behind` it, and the rest."""
        items, markers = list(self.items), []
        while items and isinstance(items[-1 if behind else 0], (Maybe, Space)):
            item = items.pop(-1 if behind else 0)
            if isinstance(item, Maybe):
                ways = [Way(way, self.path) for way in item.ways]
                if len(ways) > 1 or not ways[0].literal().strip():
                    raise self.fault(f"{_shown(item)} in {self}", "one marker that may be left out")
                markers.append(ways[0].literal().strip())
        return markers[::-1] if behind else markers, Way(tuple(items), self.path)

    def slot(self, name: str) -> bool:
        """Check that the named group is a run of characters, and return whether it may have blanks in it."""
        items = self.groups[name].items
        runs = [item for item in items if isinstance(item, Run)]
        if not runs or len(runs) < len(items):
            raise self.fault(f"a group {name!r} that is no run of characters", r"a group such as (?P<name>\w+)")
        return any(run.blank for run in runs)

    def literal(self, lead: str = "\n", tail: str = "\n", slots: Mapping[str, str] | None = None) -> str:
        """Return the literal that it is, with `slots` in the place of groups.

        White space that is free is a newline, or what is given for the beginning and the end.
        """
        items = [item for item in self.items if not isinstance(item, Look) and item != Edge("end")]
        runs = [list(run) for _, run in groupby(items, key=lambda item: isinstance(item, Space) or item)]
        parts: list[str] = []
        for index, run in enumerate(runs):
            item = run[0]
            if isinstance(item, Space):
                free = "\n" if 0 < index < len(runs) - 1 else lead if index == 0 else tail
                parts.append(_space(tuple(run)) or (free if Space(None) in run else ""))
            elif isinstance(item, str):
                parts.append(item)
            elif isinstance(item, Named) and slots and item.name in slots:
                parts.append(slots[item.name])
            else:
                raise self.fault(f"{_shown(item)} in {self}")
        return "".join(parts)


def _space(items: Sequence) -> str:
    return "".join(item.longest or "" for item in items if isinstance(item, Space))


def _shown(item: Any) -> str:
    if isinstance(item, str):
        return item.replace("\n", "\\n")
    if isinstance(item, Named):
        return f"(?P<{item.name}>...)"
    if isinstance(item, Run):
        return f"{item.kind}*"
    if isinstance(item, Edge):
        return "^" if item.where == "start" else "$"
    if isinstance(item, Maybe):
        return f"(?:{'|'.join(''.join(map(_shown, way)) for way in item.ways)})?"
    return "(?=...)" if isinstance(item, Look) else "\\s*"
