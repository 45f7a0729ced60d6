"""The writer: the only way to emit text of a prompt.

`Writer.emit` takes a tuple of pieces: literals, and data each behind its mark (see `marks`). It is the list's own
method, so a format pays for one call a line of wire text and nothing for provenance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple, TypeAlias

from chatcodec.chat.pointer import Path, pointer
from chatcodec.render.marks import Mark

Emit: TypeAlias = Callable[[tuple[str, ...]], None]


class RenderWarning(NamedTuple):
    """Something that the template prints oddly or drops without a word: rendered the same way here, and said."""

    code: str
    pointer: str
    message: str


class WarningKind(NamedTuple):
    """A kind of warning that a format gives: its code, where in the owner the value is, and what happens to it."""

    code: str
    path: Path
    message: str

    def at(self, path: Path) -> WarningKind:
        """Return the same kind, for another place in the owner."""
        return self._replace(path=path)

    def about(self, owner: Mark) -> RenderWarning:
        """Return the warning about one owner."""
        return RenderWarning(self.code, pointer(owner.path + self.path), self.message)


class Writer:
    """Collects the pieces of one prompt, and the warnings about its chat as pairs of a `WarningKind` and the owner."""

    __slots__ = ("emit", "pieces", "warn", "warned")

    def __init__(self, warned: Iterable[tuple[WarningKind, Mark]] = ()) -> None:
        self.pieces: list[str] = []
        self.emit: Emit = self.pieces.extend
        self.warned = list(warned)
        self.warn: Callable[[tuple[WarningKind, Mark]], None] = self.warned.append
