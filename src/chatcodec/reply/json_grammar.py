"""How the calls that `JsonCalls` declares are found: its markers, made ready for `json_reader`.

Rules: where no marker opens a call, it has to begin as declared, with any spacing, through the first character of its
arguments; so text that is JSON is no call.
"""

from __future__ import annotations

import re

from chatcodec.reply.call_reading import Marks, Surroundings, Waits
from chatcodec.reply.json_scan import RUN, TOKEN_RUN
from chatcodec.reply.json_shape import members
from chatcodec.reply.match import Atom, Gap, Matcher, Slot, atoms, texts

ARGUMENTS = ("arguments", "parameters")
_KEY = re.compile(r'"([^"]*)"\s*:\s*\{(name|id|arguments)\}')
_PARTS = re.compile(r'"[^"]*"|\{(?:name|id|arguments)\}|[{}\[\],:]|[^\s"{}\[\],:]+')


class JsonMarks:
    """The markers of `JsonCalls`, made ready for reading.

    ``bare`` is whether no marker opens a call: then it begins as declared, through the beginning of its arguments.
    """

    def __init__(
        self, opening: str, closing: str, shape: str, as_text: bool, listed: bool, around: Surroundings
    ) -> None:
        """Take the declaration, with the object as `shape`, and what stands around calls."""
        self.around, self.has_id, self.as_text = around, "{id}" in shape, as_text
        first = atoms(opening, {}, around.spell)
        self.bare = not first
        self.opening = Matcher(first or _head(shape, as_text, listed))
        self.openers: tuple[str, ...] = (str(first[0]),) if first else ("[" if listed else "{",)
        self.closers = texts(atoms(closing, {}, around.spell))
        self.ends = Marks((*self.closers, *(() if self.bare else self.openers), *around.stops))
        self.run = TOKEN_RUN if around.tokens else RUN
        self.literals: tuple[str, ...] = () if self.bare else (around.spell(opening),)
        self.heads: tuple[str, ...] = ()
        self.waits = Waits([around.spell(closing)] if self.closers else [])
        self.by_name = (members(shape) or {}).get("name") == ()
        keys = _KEY.findall(shape)
        self.keys = {key: slot for key, slot in keys if slot != "arguments"}
        self.argument_keys = (*ARGUMENTS, *(key for key, slot in keys if slot == "arguments"))


def _head(shape: str, as_text: bool, listed: bool) -> tuple[Atom, ...]:
    """Return how a call begins, through the first character of its arguments."""
    slot = Slot()
    head: list[Atom] = ["[", Gap()] if listed else []
    for part in _PARTS.findall(shape):
        if part == "{arguments}":
            return (*head, '"' if as_text else "{")
        head += ['"', slot, '"', Gap()] if part in ("{name}", "{id}") else [part, Gap()]
    return tuple(head)
