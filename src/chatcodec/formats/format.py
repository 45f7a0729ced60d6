"""`Format`: a model family's wire text, defined in Python, both ways."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from chatcodec.chat.types import Chat
from chatcodec.render.marks import Mark
from chatcodec.render.options import SPECIAL_TOKENS
from chatcodec.render.protocol import Option
from chatcodec.render.rendered import Rendered
from chatcodec.render.run import run
from chatcodec.render.writer import WarningKind, Writer
from chatcodec.reply.pieces import NO_HINTS, Hints, Pieces


@dataclass(frozen=True)
class Format:
    """A renderer, and the pieces by which replies are read.

    ``title`` is one line for a list; ``reads`` the names of fields that the source of the family's template mentions,
    apart by spaces, as far as a chat may have such fields; ``source`` names the reference that the wire text equals.
    """

    name: str
    title: str
    source: str
    options: tuple[Option, ...]
    reads: str
    writer: Callable[[Chat, Writer], None]
    pieces: Pieces
    hints: Hints = NO_HINTS

    def mentions(self, word: str) -> bool:
        """Whether `word` is a name that the format reads, or a part of one."""
        return word in " ".join((self.reads, "messages tools add_generation_prompt", *(o.name for o in self.options)))

    @property
    def special_tokens(self) -> frozenset[str]:
        """The names of special tokens, which are always accepted."""
        return SPECIAL_TOKENS

    def render(self, chat: Chat, warned: Iterable[tuple[WarningKind, Mark]] = ()) -> Rendered:
        """Return the prompt of a chat; see `run`."""
        return run(self.writer, chat, warned)
