"""What is known of variables at a point of the code: what kind of value one holds, which members were loaded already.

Rules: what is known holds on every way that leads to the point. The chat never changes, so a member that was loaded
once is what it was; a variable that is assigned to is known no more. Bodies of loops have variables of their own, so
what was known before a loop is known in it. It knows nothing of how code is written.
"""

from __future__ import annotations

from typing import Literal, TypeVar

Kind = Literal["any", "str", "bool", "int", "texts", "dict"]
"""``str`` is a text for sure, and in code without origins one of no subclass; ``texts`` a list of those, not empty."""


class Flow:
    """What is known at one point."""

    def __init__(self) -> None:
        self.kinds: dict[str, Kind] = {}
        self.loads: dict[tuple[str, str], str] = {}  # by owner and name of the member: the name that holds it
        self.constants: dict[str, str] = {}  # by variable: the source of the text that it holds
        self.origins: dict[str, tuple[str, str]] = {}  # by name: owner and key that it is loaded from

    def copy(self) -> Flow:
        """Return what is known here, to come back to."""
        copied = Flow()
        copied.kinds, copied.loads = self.kinds.copy(), self.loads.copy()
        copied.constants, copied.origins = self.constants.copy(), self.origins.copy()
        return copied

    def assign(self, variable: str, kind: Kind = "any", constant: str = "") -> None:
        """Take note that `variable` holds something else now; `constant` is the source of text of the template."""
        self.kinds.pop(variable, None)
        self.constants.pop(variable, None)
        self.origins.pop(variable, None)
        for name in [name for name, origin in self.origins.items() if variable in origin]:
            del self.origins[name]
        if kind != "any":
            self.kinds[variable] = kind
        if constant:
            self.constants[variable] = constant
        for owner, name in [key for key in self.loads if key[0].partition("|")[0] == variable]:
            del self.loads[owner, name]

    def meet(self, other: Flow) -> Flow:
        """Return what holds on both of two ways."""
        met = Flow()
        met.kinds = _same(self.kinds, other.kinds)
        met.loads = _same(self.loads, other.loads)
        met.constants = _same(self.constants, other.constants)
        met.origins = _same(self.origins, other.origins)
        return met


_Key = TypeVar("_Key")
_Held = TypeVar("_Held")


def _same(one: dict[_Key, _Held], other: dict[_Key, _Held]) -> dict[_Key, _Held]:
    return one.copy() if one == other else {key: held for key, held in one.items() if other.get(key) == held}
