"""What is known of variables at a point of the code: what kind of value one holds, which members were loaded already.

Rules: what is known holds on every way that leads to the point. The chat never changes, so a member that was loaded
once is what it was; a variable that is assigned to is known no more. Bodies of loops have variables of their own, so
what was known before a loop is known in it. It knows nothing of how code is written.
"""

from __future__ import annotations

from typing import Literal

Kind = Literal["any", "str", "bool", "int", "texts", "dict"]
"""``str`` is a text for sure, and in code without origins one of no subclass; ``texts`` a list of those, not empty."""


class Flow:
    """What is known at one point."""

    def __init__(self) -> None:
        self.kinds: dict[str, Kind] = {}
        self.loads: dict[tuple[str, str], str] = {}  # by owner and name of the member: the name that holds it

    def copy(self) -> Flow:
        """Return what is known here, to come back to."""
        copied = Flow()
        copied.kinds, copied.loads = self.kinds.copy(), self.loads.copy()
        return copied

    def assign(self, variable: str, kind: Kind = "any") -> None:
        """Take note that `variable` holds something else now."""
        self.kinds.pop(variable, None)
        if kind != "any":
            self.kinds[variable] = kind
        for owner, name in [key for key in self.loads if key[0] == variable]:
            del self.loads[owner, name]

    def meet(self, other: Flow) -> None:
        """Keep what holds on both of two ways."""
        self.kinds = {name: kind for name, kind in self.kinds.items() if other.kinds.get(name) == kind}
        self.loads = {key: held for key, held in self.loads.items() if other.loads.get(key) == held}
