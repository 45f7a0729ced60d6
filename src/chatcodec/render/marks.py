"""Marks: what a renderer says about a piece of text, at no cost to the text.

A prompt is written as a flat list of pieces. A piece is a string; a `Mark` is an *empty* string that speaks about what
follows it, so joining the list gives the text, and walking it (see `trace`) gives the spans. The kinds of mark:

    Owner    all that follows is written for this element of the chat, until the next owner; path from the root
    Within   the same for an element of the current message, one of its parts or calls; path from the message
    Shows    the next piece shows the value at owner + path; ``form`` says how
    Key      the next piece is the name of a member of the object at owner + path
    Member   the next piece shows the member that the last Key named, or what is at ``tail`` inside it
    Pad      the next piece stands for the owner's image, audio or video; ``form`` is which

Outside any owner, paths start at the root of the chat. Rules: marks are made once, at import, wherever their path is
known then; a mark says nothing about the kind of text (header, stop): that is computed from spans and pieces.
"""

from __future__ import annotations

from typing import Any, Final, Literal, TypeAlias

from chatcodec.chat.pointer import Path

Form: TypeAlias = Literal["value", "key", "json", "str"]
"""How a span shows the value at its path: the string itself, a member's name, JSON text, or Python's ``str()``."""

MediaKind: TypeAlias = Literal["image", "audio", "video"]


class Mark(str):
    """An empty string with something to say about the pieces that follow it."""

    __slots__ = ("form", "path", "tail")

    path: Path
    form: str
    tail: Path

    def __new__(cls, *path: Any, form: str = "value", tail: Path = ()) -> Mark:
        """Make a mark; its class says what is read from it."""
        mark = super().__new__(cls, "")
        mark.path, mark.form, mark.tail = path, form, tail
        return mark

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.path} {self.form}>"


class Owner(Mark):
    """What follows is written for the element at this path of the chat."""

    __slots__ = ()


class Within(Mark):
    """What follows is written for the element at this path of the current message."""

    __slots__ = ()


class Shows(Mark):
    """The next piece shows the value at this path of the owner."""

    __slots__ = ()


class Key(Mark):
    """The next piece is a member's name in the object at this path of the owner."""

    __slots__ = ()


class Member(Mark):
    """The next piece shows the member that was named last of the object at this path of the owner."""

    __slots__ = ()


class Pad(Mark):
    """The next piece stands for the owner's image, audio or video."""

    __slots__ = ()


def shows(*path: Any, form: Form = "value") -> Mark:
    """Return the mark that the next piece shows the value at the owner's `path`."""
    return Shows(*path, form=form)


def derived(*path: Any) -> Mark:
    """Return the mark that the next piece is made from the value at the owner's `path`, in a way nobody follows."""
    return Shows(*path, form="derived")


def member_key(*path: Any) -> Mark:
    """Return the mark that the next piece is a member's name in the object at the owner's `path`."""
    return Key(*path, form="key")


def member(*path: Any, form: Form = "value", tail: Path = ()) -> Mark:
    """Return the mark that the next piece shows the member named last of the object at the owner's `path`."""
    return Member(*path, form=form, tail=tail)


def pad(kind: MediaKind) -> Mark:
    """Return the mark that the next piece stands for the owner's image, audio or video."""
    return Pad(form=kind)


NOBODY: Final = Owner()
"""What follows is written for no element of the chat."""

GENERATION: Final = Owner("generation")
"""What follows is the generation prompt."""

_CACHED: Final = 1024
_elements: dict[str, list[Mark]] = {
    name: [Owner(name, index) for index in range(_CACHED)] for name in ("messages", "tools")
}
_within: dict[str, list[Mark]] = {
    name: [Within(name, index) for index in range(_CACHED)] for name in ("content", "tool_calls")
}


def elements(name: Literal["messages", "tools"], count: int) -> list[Mark]:
    """Return the owners of at least the first `count` elements of the chat's list of that name, in order."""
    return _elements[name] if count <= _CACHED else [Owner(name, index) for index in range(count)]


def within(name: Literal["content", "tool_calls"], count: int) -> list[Mark]:
    """Return the owners of at least the first `count` elements of the current message's list of that name, in order."""
    return _within[name] if count <= _CACHED else [Within(name, index) for index in range(count)]
