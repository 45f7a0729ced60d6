"""Tool calls whose arguments are tagged pairs: declared, written and read.

    <tool_call>
    <function=NAME>
    <parameter=KEY>
    VALUE
    </parameter>
    </function>
    </tool_call>

How they are read is in `tagged_reader`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from chatcodec.render.marks import NOBODY, Mark
from chatcodec.render.values import json_text, python_text
from chatcodec.render.writer import Emit
from chatcodec.reply.calls import BARE, NO_SPACE, Block, CallMarks, Spacing

if TYPE_CHECKING:
    from chatcodec.reply.call_reading import Surroundings
    from chatcodec.reply.tagged_reader import TaggedGrammar


@dataclass(frozen=True, slots=True)
class TaggedCalls:
    """Calls whose arguments are tagged pairs: string values raw, all others as ``values`` says.

    call: what opens a call, with ``{name}`` in it. argument: one pair, with ``{key}`` and ``{value}`` in it. closing:
    what ends a call. values: whether other values are written as JSON, or as Python's ``str`` does.
    section: what stands around all calls of a turn. other: one pair whose value is no text, where that is written
    otherwise: it begins and ends as ``argument`` does. quotes: what stands around a text that could be taken for
    something else; a text without them is one too.
    """

    call: str
    argument: str
    closing: str
    values: Literal["json", "str"] = "json"
    spacing: Spacing = NO_SPACE
    section: Block | None = None
    other: str | None = None
    quotes: Block | None = None
    _cut: tuple[str, str, str, str, str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        opening, named = self.call.split("{name}")
        key_opening, rest = self.argument.split("{key}")
        object.__setattr__(self, "_cut", (opening, named, key_opening, *rest.split("{value}")))

    def write(
        self, emit: Emit, call: Mark, before: str, name: str, arguments: Mapping[str, Any] | str, marks: CallMarks
    ) -> None:
        """Write one call for the owner `call`; `before` is the text that the format puts in front of it.

        Arguments that are one string are written as the parameter ``arguments``.
        """
        opening, named, key_opening, value_opening, value_closing = self._cut
        emit((call, before + opening, marks.name, name))
        if isinstance(arguments, str):
            whole = f"{named}{key_opening}arguments{value_opening}"
            emit((whole, marks.arguments, arguments, value_closing + self.closing))
            return
        as_text, other = (json_text, marks.value_json) if self.values == "json" else (python_text, marks.value_str)
        between = named
        other_opening = self.other.partition("{key}")[2].partition("{value}")[0] if self.other else value_opening
        for key, value in arguments.items():
            is_text = isinstance(value, str)
            shown, text = (marks.value, value) if is_text else (other, as_text(value))
            before_value, behind_value = value_opening if is_text else other_opening, value_closing
            if is_text and self.quotes is not None and self._is_quoted(value, self.quotes):
                before_value += self.quotes.opening
                behind_value = self.quotes.closing + value_closing
            emit((between + key_opening, marks.key, key, before_value, shown, text))
            between = behind_value
        emit((between + self.closing,))

    def _is_quoted(self, text: str, quotes: Block) -> bool:
        """Whether a text stands between quotes: it has several lines, or could be taken for something else."""
        return "\n" in text or self._cut[-1].strip() in text or text.startswith(quotes.opening)

    def example(self, name: str, **arguments: str) -> str:
        """Return the text of a call, for a prompt that shows how to write one."""
        pieces: list[str] = []
        self.write(pieces.extend, NOBODY, "", name, arguments, BARE)
        return "".join(pieces)

    def grammar(self, around: Surroundings) -> TaggedGrammar:
        """Return the syntax, made ready for reading."""
        from chatcodec.reply.tagged_reader import TaggedGrammar  # who only writes need not load it

        other = self.other or self.argument
        return TaggedGrammar(self.call, self.argument, self.closing, self.values, other, self.quotes, around)
