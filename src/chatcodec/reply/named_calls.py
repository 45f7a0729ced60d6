"""Tool calls whose name stands before their arguments, which are one JSON object: declared and written.

    <｜tool▁call▁begin｜>NAME<｜tool▁sep｜>{...}<｜tool▁call▁end｜>

How they are read is in `named_reader`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from chatcodec.render.marks import Mark
from chatcodec.render.values import json_text
from chatcodec.render.writer import Emit
from chatcodec.reply.calls import FUNCTION, NO_SPACE, Block, Spacing

if TYPE_CHECKING:
    from chatcodec.reply.call_reading import Surroundings
    from chatcodec.reply.named_reader import NamedGrammar

_SLOTS = re.compile(r"(\{name\}|\{id\})")


@dataclass(frozen=True, slots=True)
class NamedCalls:
    """Calls whose name stands before their arguments.

    call: what opens a call, with ``{name}`` and perhaps ``{id}`` in it; or ``{id}`` alone, which then has the name in
    it, as in ``functions.NAME:0``. closing: what ends it, or nothing. The arguments between them are a JSON object.
    section: what stands around all calls of a turn.
    """

    call: str
    closing: str
    spacing: Spacing = NO_SPACE
    section: Block | None = None

    def write(self, emit: Emit, call: Mark, before: str, call_id: str, name: str, arguments: Any) -> None:
        """Write one call for the owner `call`; `before` is the text that the format puts in front of it."""
        emit((call, before))
        write_head(emit, self.call, call_id, name)
        emit((FUNCTION.arguments_json, json_text(arguments), self.closing))

    def grammar(self, around: Surroundings) -> NamedGrammar:
        """Return the syntax, made ready for reading."""
        from chatcodec.reply.named_reader import NamedGrammar  # who only writes need not load it

        return NamedGrammar(self.call, self.closing, around)


def write_head(emit: Emit, head: str, call_id: str, name: str) -> None:
    """Write what opens a call, with its name and id in the slots that it has for them."""
    for part in _SLOTS.split(head):
        if part == "{name}":
            emit((FUNCTION.name, name))
        elif part == "{id}":
            emit((FUNCTION.id, call_id))
        else:
            emit((part,))
