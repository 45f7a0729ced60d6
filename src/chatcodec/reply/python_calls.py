"""Tool calls that are written as in Python: declared and written.

    <|tool_call_start|>[NAME(KEY="text", KEY=5), NAME()]<|tool_call_end|>

How they are read is in `python_reader`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from chatcodec.render.marks import NOBODY, Mark
from chatcodec.render.values import json_text
from chatcodec.render.writer import Emit
from chatcodec.reply.calls import BARE, NO_SPACE, Block, CallMarks, Spacing

if TYPE_CHECKING:
    from chatcodec.reply.call_reading import Surroundings
    from chatcodec.reply.python_reader import PythonGrammar


@dataclass(frozen=True, slots=True)
class PythonCalls:
    """Calls that are written as in Python, with the names of their arguments.

    opening, closing: what stands around all calls of a turn; the latter may be nothing. values: whether values are
    written as JSON, or as Python's ``repr`` does; or ``raw``: texts as they are between quotes, without escapes, others
    as ``repr`` does.
    """

    opening: str
    closing: str
    values: Literal["json", "repr", "raw"] = "repr"
    spacing: Spacing = NO_SPACE

    @property
    def section(self) -> Block | None:
        """What stands around all calls beside their opening and closing: nothing."""
        return None

    def write(
        self, emit: Emit, call: Mark, before: str, name: str, arguments: Mapping[str, Any], marks: CallMarks
    ) -> None:
        """Write one call for the owner `call`; `before` is the text that the format puts in front of it."""
        as_text, shown = (json_text, marks.value_json) if self.values == "json" else (repr, marks.value_str)
        emit((call, before, marks.name, name))
        between = "("
        for key, value in arguments.items():
            if self.values == "raw" and isinstance(value, str):
                emit((between, marks.key, key, '="', marks.value, value, '"'))
            else:
                emit((between, marks.key, key, "=", shown, as_text(value)))
            between = ", "
        emit((")" if arguments else "()",))

    def example(self, name: str, **arguments: Any) -> str:
        """Return the text of a call, for a prompt that shows how to write one."""
        pieces: list[str] = []
        self.write(pieces.extend, NOBODY, "", name, arguments, BARE)
        return self.opening + "".join(pieces) + self.closing

    def grammar(self, around: Surroundings) -> PythonGrammar:
        """Return the syntax, made ready for reading."""
        from chatcodec.reply.python_reader import PythonGrammar  # who only writes need not load it

        return PythonGrammar(self.opening, self.closing, self.values == "raw", around)
