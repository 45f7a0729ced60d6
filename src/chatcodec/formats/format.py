"""`Format`: a model family's wire text, defined in Python, both ways."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from chatcodec.chat.types import Chat
from chatcodec.render.protocol import Option
from chatcodec.render.writer import Writer
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

    def write(self, chat: Chat, out: Writer) -> None:
        """Write `chat`; see `Renderer.write`."""
        self.writer(chat, out)
