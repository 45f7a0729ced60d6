"""Tool calls whose arguments are an object with bare keys and marked texts: declared and written.

    <|tool_call>call:NAME{KEY:<|"|>text<|"|>,KEY:5,KEY:{KEY:[true,null]}}<tool_call|>

How they are read is in `keyed_reader`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from chatcodec.render.marks import Mark, Member
from chatcodec.render.values import json_text
from chatcodec.render.writer import Emit
from chatcodec.reply.calls import FUNCTION, NO_SPACE, WORDS, Block, Spacing
from chatcodec.reply.named_calls import write_head

if TYPE_CHECKING:
    from chatcodec.reply.call_reading import Surroundings
    from chatcodec.reply.keyed_reader import KeyedGrammar

_VALUE = Member("function", "arguments", form="derived")


@dataclass(frozen=True, slots=True)
class KeyedCalls:
    """Calls whose name stands before their arguments, which are an object with bare keys.

    call: what opens a call, up to its object, with ``{name}`` and perhaps ``{id}`` in it. closing: what ends it, or
    nothing. text: what stands around a text, in which nothing is escaped. words: what is written for true, false and
    null. section: what stands around all calls of a turn.
    """

    call: str
    closing: str
    text: Block
    words: tuple[str, ...] = WORDS
    spacing: Spacing = NO_SPACE
    section: Block | None = None

    def write(self, emit: Emit, call: Mark, before: str, call_id: str, name: str, arguments: Mapping[str, Any]) -> None:
        """Write one call for the owner `call`; `before` is the text that the format puts in front of it."""
        emit((call, before))
        write_head(emit, self.call, call_id, name)
        between = "{"
        for key, value in arguments.items():
            emit((between, FUNCTION.key, key, ":"))
            if isinstance(value, str):
                emit((self.text.opening, FUNCTION.value, value, self.text.closing))
            else:
                emit((_VALUE, self._written(value)))
            between = ","
        emit((("" if arguments else "{") + "}" + self.closing,))

    def _written(self, value: Any) -> str:
        if isinstance(value, str):
            return self.text.opening + value + self.text.closing
        if isinstance(value, Mapping):
            return "{" + ",".join(f"{key}:{self._written(item)}" for key, item in value.items()) + "}"
        if isinstance(value, (list, tuple)):
            return "[" + ",".join(map(self._written, value)) + "]"
        written = json_text(value)
        return self.words[WORDS.index(written)] if written in WORDS else written

    def grammar(self, around: Surroundings) -> KeyedGrammar:
        """Return the syntax, made ready for reading."""
        from chatcodec.reply.keyed_reader import KeyedGrammar  # who only writes need not load it

        return KeyedGrammar(self.call, self.closing, self.text, self.words, around)
