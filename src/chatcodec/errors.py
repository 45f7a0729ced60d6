"""Everything that chatcodec raises.

::

    ChatCodecError (a ValueError)
    ├── UnknownCodec        no format has this name, and no template is there
    ├── UnknownOption       the codec does not read this option
    ├── UnreadableInput     a file is missing, not UTF-8, or not JSON
    ├── InvalidTemplate     a template that cannot be used: its name and line
    │   └── UnsafeTemplate      it asks for what no template may have
    └── InvalidChat         the conversation cannot be rendered: pointer, what was found, what is accepted
        ├── TemplateRefused     the model's template itself refuses it, in its own words
        ├── TemplateFailed      the model's template fails on it: its name and line
        └── LimitExceeded       within the rules, but too deep or too long for a limit, which is named

Rules: ``str(error)`` is a sentence for a person. ``error.pointer`` is an RFC 6901 JSON pointer into
``{"messages": ..., "tools": ..., "documents": ..., "options": ..., "continue_final_message": ...}``; it is None where
the chat is not at fault.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar


class ChatCodecError(ValueError):
    """The root of the tree. ``message`` is the sentence, ``pointer`` the place in the chat (or None)."""

    def __init__(self, message: str, pointer: str | None = None):
        super().__init__(message)
        self.message = message
        self.pointer = pointer

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle what an error holds, not how it was made: errors cross processes."""
        return _again, (type(self), self.message, vars(self))


class UnknownCodec(ChatCodecError):
    """No codec of this name. ``nearest`` holds the known names that look like it."""

    def __init__(self, message: str, nearest: Iterable[str] = ()):
        super().__init__(message)
        self.nearest = tuple(nearest)


class UnknownOption(ChatCodecError):
    """An option that the codec does not read. ``accepted`` are those it reads, ``nearest`` those that look like it."""

    def __init__(self, message: str, pointer: str, accepted: Iterable[str] = (), nearest: Iterable[str] = ()):
        super().__init__(message, pointer)
        self.accepted = tuple(accepted)
        self.nearest = tuple(nearest)


class UnreadableInput(ChatCodecError):
    """A file or stream that cannot be read as what it should be."""


class InvalidTemplate(ChatCodecError):
    """A template that cannot be used. ``template`` is its name, ``line`` where it is wrong, if that is known.

    ``words`` is what is wrong, without the place.
    """

    def __init__(self, message: str, template: str | None = None, line: int | None = None, words: str = ""):
        super().__init__(message)
        self.template = template
        self.line = line
        self.words = words or message


class UnsafeTemplate(InvalidTemplate):
    """A template that asks for what no template may have. ``str(error)`` says for what."""


class InvalidChat(ChatCodecError):
    """A conversation that cannot be rendered. ``found`` and ``accepted`` are phrases, where they are known."""

    def __init__(self, message: str, pointer: str | None = None, found: str | None = None, accepted: str | None = None):
        super().__init__(message, pointer)
        self.found = found
        self.accepted = accepted


class TemplateRefused(InvalidChat):
    """The model's template refuses the conversation. ``str(error)`` is exactly the template's message."""


class TemplateFailed(InvalidChat):
    """The model's template fails on the conversation. ``line`` is where, in the template named ``template``.

    ``words`` is what Python or Jinja says of it, without the place.
    """

    def __init__(
        self,
        message: str,
        pointer: str | None = None,
        template: str | None = None,
        line: int | None = None,
        words: str = "",
    ):
        super().__init__(message, pointer)
        self.template = template
        self.line = line
        self.words = words or message


class LimitExceeded(InvalidChat):
    """A limit was reached. ``limit`` is its name; ``line`` is where, if a template reached it."""

    def __init__(self, message: str, limit: str, pointer: str | None = None, line: int | None = None):
        super().__init__(message, pointer)
        self.limit = limit
        self.line = line


_Error = TypeVar("_Error", bound=ChatCodecError)


def _again(cls: type[_Error], message: str, state: dict[str, Any]) -> _Error:
    error = cls.__new__(cls, message)
    vars(error).update(state)
    return error
