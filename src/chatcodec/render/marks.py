"""Marks: what a renderer says about a piece of text, at no cost to the text.

A prompt is written as a flat list of pieces. A piece is a string; a `Mark` is an *empty* string that speaks about what
follows it, so joining the list gives the text and walking it gives the spans. There are few kinds of mark:

    OWNER   all that follows is written for this element of the chat (absolute path), until the next owner
    WITHIN  the same for an element of the current message: one of its parts or calls (path from the message)
    SHOWS   the next piece shows the value at owner + path; ``form`` says how
    KEY     the next piece is the name of a member of the object at owner + path
    MEMBER  the next piece shows the member that the last KEY named, of the object at owner + path; ``tail`` goes further
            inside it
    MEDIA   the next piece is a placeholder for the owner's image, audio or video; ``form`` is which

Outside any owner, paths start at the root of the chat. Rules: marks are made once, at import, wherever their path is
known then; a mark says nothing about the kind of text (header, stop): that is computed from spans and pieces.
"""

from __future__ import annotations

from typing import Any, Final, Literal, TypeAlias

from chatcodec.chat.pointer import Path

OWNER: Final = "owner"
WITHIN: Final = "within"
SHOWS: Final = "shows"
KEY: Final = "key"
MEMBER: Final = "member"
MEDIA: Final = "media"

Form: TypeAlias = Literal["value", "key", "json", "str"]
"""How a span shows the value at its path: the string itself, a member's name, JSON text, or Python's ``str()``."""

MediaKind: TypeAlias = Literal["image", "audio", "video"]


class Mark(str):
    """An empty string with something to say about the pieces that follow it."""

    __slots__ = ("form", "kind", "path", "tail")

    kind: str
    path: Path
    form: str
    tail: Path

    def __new__(cls, kind: str, path: Path = (), form: str = "", tail: Path = ()) -> Mark:
        """Make a mark; see the module for what each kind reads."""
        mark = super().__new__(cls, "")
        mark.kind, mark.path, mark.form, mark.tail = kind, path, form, tail
        return mark

    def __repr__(self) -> str:
        return f"<{self.kind} {self.form} {self.path}>"


def owner(*path: Any) -> Mark:
    """Return the mark that what follows is written for the element at `path`."""
    return Mark(OWNER, path)


def shows(*path: Any, form: Form = "value") -> Mark:
    """Return the mark that the next piece shows the value at the owner's `path`."""
    return Mark(SHOWS, path, form)


def member_key(*path: Any) -> Mark:
    """Return the mark that the next piece is a member's name in the object at the owner's `path`."""
    return Mark(KEY, path, "key")


def member(*path: Any, form: Form = "value", tail: Path = ()) -> Mark:
    """Return the mark that the next piece shows the member named last of the object at the owner's `path`."""
    return Mark(MEMBER, path, form, tail)


def media(kind: MediaKind) -> Mark:
    """Return the mark that the next piece stands for the owner's image, audio or video."""
    return Mark(MEDIA, (), kind)


NOBODY: Final = owner()
"""What follows is written for no element of the chat."""

GENERATION: Final = owner("generation")
"""What follows is the generation prompt."""

_CACHED: Final = 1024
_elements = {
    "messages": [owner("messages", index) for index in range(_CACHED)],
    "tools": [owner("tools", index) for index in range(_CACHED)],
}
_within = {
    "content": [Mark(WITHIN, ("content", index)) for index in range(_CACHED)],
    "tool_calls": [Mark(WITHIN, ("tool_calls", index)) for index in range(_CACHED)],
}


def elements(name: Literal["messages", "tools"], count: int) -> list[Mark]:
    """Return the owners of the `count` elements of the chat's list of that name, in order."""
    return _elements[name][:count] if count <= _CACHED else [owner(name, index) for index in range(count)]


def within(name: Literal["content", "tool_calls"], count: int) -> list[Mark]:
    """Return the owners of the `count` elements of the current message's list of that name, in order."""
    return _within[name][:count] if count <= _CACHED else [Mark(WITHIN, (name, index)) for index in range(count)]
