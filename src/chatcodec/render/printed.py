"""Values that a template prints by ``{{ value }}``: a string as it is, all else as Python's ``str()`` gives it."""

from __future__ import annotations

from typing import Any

from chatcodec.chat.plain import plain
from chatcodec.render.marks import Mark, shows


class Printed:
    """The value at a path of its owner, printed: ``of(value)`` gives its pieces, with the mark that says how."""

    __slots__ = ("as_str", "as_value")

    def __init__(self, *path: Any):
        self.as_value = shows(*path)
        self.as_str = shows(*path, form="str")

    def of(self, value: Any) -> tuple[Mark, str]:
        """Return the mark and the text of `value`."""
        if type(value) is str:
            return self.as_value, value
        value = plain(value)
        return (self.as_value, value) if isinstance(value, str) else (self.as_str, str(value))
