"""What everything that renders fulfils, so that nothing downstream asks who rendered.

A `Renderer` has a name, options, and makes a `Rendered` of a chat.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol, runtime_checkable

from chatcodec.chat.types import Chat
from chatcodec.render.marks import Mark
from chatcodec.render.rendered import Rendered
from chatcodec.render.writer import WarningKind

OptionType = Literal["boolean", "number", "string", "any"]


@dataclass(frozen=True, slots=True)
class Option:
    """An option that a codec reads. ``type`` is what its author means; ``doc`` says how other values count.

    ``words`` are the texts that a template compares it with.
    """

    name: str
    type: OptionType
    default: Any
    doc: str
    words: tuple[str, ...] = ()

    def fits(self, value: Any) -> bool:
        """Whether `value` is of the option's type; None is a text that is not there."""
        if self.type == "boolean":
            return isinstance(value, bool)
        if self.type == "number":
            return isinstance(value, (int, float)) and not isinstance(value, bool)
        return self.type == "any" or value is None or isinstance(value, str)


class Renderer(Protocol):
    """Writes chats as one model family reads them."""

    @property
    def name(self) -> str:
        """The name, for people."""
        ...

    @property
    def title(self) -> str:
        """One line that says what it is for."""
        ...

    @property
    def options(self) -> tuple[Option, ...]:
        """The options that it reads."""
        ...

    def mentions(self, word: str) -> bool:
        """Whether the source that defines this wire text mentions `word`, as a field or a part of one."""
        ...

    @property
    def special_tokens(self) -> frozenset[str]:
        """The names of special tokens, which are accepted among the options, read or not."""
        ...

    def render(self, chat: Chat, warned: Iterable[tuple[WarningKind, Mark]] = ()) -> Rendered:
        """Return the prompt of a chat, with warnings of its own behind those of `warned`.

        Raises InvalidChat where the chat cannot be rendered.
        """
        ...


@runtime_checkable
class Compiled(Protocol):
    """A renderer that was compiled from templates."""

    @property
    def python(self) -> Mapping[str, str]:
        """The Python code of each template, by its name."""
        ...

    @property
    def tells_time(self) -> bool:
        """Whether its prompts may depend on the clock."""
        ...

    @property
    def unknown_tokens(self) -> tuple[str, ...]:
        """The names of special tokens that it reads, and whose texts are not known."""
        ...

    @property
    def features(self) -> Mapping[str, tuple[str, ...]]:
        """What of Jinja its templates use: names of statements, filters, tests, functions and methods."""
        ...

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts that the expressions of its templates have."""
        ...
