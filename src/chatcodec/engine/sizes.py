"""How large values are when they are printed, compared or copied whole: each part counts as often as it occurs.

What a template puts together may hold the same list many times, so a few lists can print as more than there is memory
for; and so may what a caller gives. Rules: each container is gone through once. Sizes are estimates that are seldom too
small, and never by more than a few times. It changes nothing and knows no limits but how deep values may be.
"""

from __future__ import annotations

from itertools import chain
from typing import Any, NamedTuple

from chatcodec.engine.faults import OverLimit
from chatcodec.engine.undefined import Undefined
from chatcodec.engine.values import PLAIN, VIEWS, Namespace, not_plain

DEEPEST = 200
"""How deep values may stand in each other where they are gone through whole."""
MOST = 1 << 40
"""No size is larger than this."""
_CONTAINERS = frozenset({dict, list, tuple})
_NUMBER = 26  # characters of a number and what stands between two
_OTHER = 64  # characters of what is printed by its type
_WIDE = 1 << 64
_DIGITS = 4301  # Python prints no longer numbers


class Extent(NamedTuple):
    """How large a value is: the characters of its print, the values in it, and how deep they stand in each other."""

    size: int
    values: int
    height: int


class Sizes:
    """Measures values. ``seen`` is how many it went through."""

    def __init__(self) -> None:
        self.seen = 0
        self._known: dict[int, Extent] = {}
        self._kept: list[Any] = []  # what is only made here must not make way for another of the same id

    def of(self, value: Any, depth: int = 0) -> Extent:
        """Return the extent of a value. Raises OverLimit if it is too deep, NotPlain for what no template may see."""
        if type(value) not in PLAIN:
            not_plain(value)
        if not isinstance(value, (dict, list, tuple)):
            return self._single(value, depth)
        known = self._known.get(id(value))
        if known is not None:
            return known
        if depth > DEEPEST:
            raise OverLimit(f"values within values, more than {DEEPEST} deep; the limit on depth is reached", "depth")
        size, count, height = 2, 1 + len(value), 0
        self.seen += 2 * len(value) if isinstance(value, dict) else len(value)
        for part in chain(value, value.values()) if isinstance(value, dict) else value:
            cls = type(part)
            if cls is str:
                size += (len(part) if part.isascii() else 3 * len(part)) + 4
            elif cls is int and -_WIDE < part < _WIDE:
                size += _NUMBER
            else:
                inner = self.of(part, depth + 1)
                size += inner.size + 2
                count += inner.values
                height = max(height, inner.height)
        found = self._known[id(value)] = Extent(min(size, MOST), min(count, MOST), height + 1)
        return found

    def _single(self, value: Any, depth: int) -> Extent:
        """Return the extent of what is no container, or shows one."""
        if isinstance(value, str):
            return Extent(len(value) if value.isascii() else 3 * len(value), 1, 0)
        if isinstance(value, int):
            wide = not -_WIDE < value < _WIDE
            return Extent(min(value.bit_length() // 3, _DIGITS) if wide else _NUMBER, 1, 0)
        if value is None or isinstance(value, (float, Undefined)):
            return Extent(_NUMBER, 1, 0)
        if isinstance(value, Namespace):
            return self.of(value.members, depth + 1)
        if isinstance(value, VIEWS):
            shown = dict(value.mapping)  # type: ignore[attr-defined]
            self._kept.append(shown)
            return self.of(shown, depth + 1)
        return Extent(_OTHER, 1, 0)
