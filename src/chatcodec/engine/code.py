"""Python source that is being written: lines, temporary names, constants, and which template line each line is of.

It knows nothing of templates but their line numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from chatcodec.engine.faults import OverLimit


class Source:
    """The source of one module. ``constants`` are the values that it needs by the names it uses for them."""

    def __init__(self, most: int):
        """Take how many characters it may have."""
        self._most = self._left = most
        self.lines: list[str] = []
        self.places: list[int] = []  # for each line, the line of the template
        self.constants: dict[str, Any] = {}
        self._by_value: dict[Any, str] = {}
        self._indent = 0
        self.place = 0  # the line of the template that is being written
        self._names = 0

    def __str__(self) -> str:
        return "\n".join(self.lines) + "\n"

    def at(self, line: int) -> None:
        """Say that what follows is of this line of the template."""
        self.place = line or self.place

    def line(self, text: str) -> None:
        """Write a line."""
        self._left -= len(text)
        if self._left < 0:
            raise OverLimit(
                f"a template of more than {self._most} characters of code; the limit on nodes is reached", "nodes"
            )
        self.lines.append("    " * self._indent + text)
        self.places.append(self.place)

    @contextmanager
    def block(self, header: str) -> Iterator[None]:
        """Write a header, and what is written meanwhile indented below it."""
        self.line(header)
        before = len(self.lines)
        self._indent += 1
        yield
        if len(self.lines) == before:
            self.line("pass")
        self._indent -= 1

    def name(self, about: str) -> str:
        """Return a name that nothing else has."""
        self._names += 1
        return f"{about}{self._names}"

    def constant(self, about: str, value: Any, key: Any = None) -> str:
        """Return the name by which the source finds `value`; with a `key`, what was given for it before is used."""
        if key is None:
            name = self.name(f"{about}_")
            self.constants[name] = value
            return name
        if (about, key) not in self._by_value:
            self._by_value[about, key] = self.constant(about, value)
        return self._by_value[about, key]
