"""Tool calls that are one JSON object each: declared, written and read.

    <tool_call>
    {"name": NAME, "arguments": {...}}
    </tool_call>

Several may stand in one list, with the markers around that; and there may be no markers at all.

How they are read is in `json_reader`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from chatcodec.render.marks import Mark
from chatcodec.render.values import json_text
from chatcodec.render.writer import Emit
from chatcodec.reply.calls import FUNCTION, NO_SPACE, Block, Spacing

if TYPE_CHECKING:
    from chatcodec.reply.call_reading import Surroundings
    from chatcodec.reply.json_reader import JsonGrammar

_SLOTS = ("{id}", "{name}", "{arguments}")


@dataclass(frozen=True, slots=True)
class JsonCalls:
    """Calls that are one JSON object each; each value is written as JSON, as it was given.

    opening, closing: what stands around the object, or nothing. object: the object, with ``{name}``, ``{arguments}``
    and perhaps ``{id}`` in it; ``{{name}: {arguments}}`` if its only member has the name of the call. as_text: whether
    arguments are meant to be JSON text inside a string. section: what stands around all calls of a turn. list: the
    brackets around them if they stand in a list, inside ``opening`` and ``closing``.
    """

    opening: str
    object: str
    closing: str
    as_text: bool = False
    spacing: Spacing = NO_SPACE
    section: Block | None = None
    list: Block | None = None
    _cut: tuple[str, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        parts = re.split("|".join(map(re.escape, _SLOTS)), self.object)
        object.__setattr__(self, "_cut", (self.opening + parts[0], *parts[1:-1], parts[-1] + self.closing))

    def write(self, emit: Emit, call: Mark, before: str, call_id: Any, name: Any, arguments: Any) -> None:
        """Write one call, which has an id, for the owner `call`; `before` is what the format puts in front of it."""
        opening, named, argued, closing = self._cut
        emit((
            call, before + opening, FUNCTION.id, json_text(call_id), named, FUNCTION.name_json, json_text(name),
            argued, FUNCTION.arguments_json, json_text(arguments), closing,
        ))  # fmt: skip

    def example(self, name: str, arguments: str) -> str:
        """Return the text of a call, for a prompt that shows how to write one."""
        before, behind = (self.list.opening, self.list.closing) if self.list else ("", "")
        shown = self.object.replace("{name}", name).replace("{arguments}", arguments)
        return self.opening + before + shown + behind + self.closing

    def grammar(self, around: Surroundings) -> JsonGrammar:
        """Return the syntax, made ready for reading."""
        from chatcodec.reply.json_reader import JsonGrammar  # who only writes need not load it

        return JsonGrammar(self.opening, self.closing, self.object, self.as_text, self.list is not None, around)
