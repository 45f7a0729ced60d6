"""Run a format over a chat: fast on what is plain data, right on everything else.

A format writes from the caller's own objects, checking each value where it uses it. If anything goes wrong, the chat
is copied as plain data and written once more; what goes wrong then is an error of the chat, and gets a pointer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from chatcodec.chat.check import invalid, unprintable
from chatcodec.chat.inputs import plain_chat
from chatcodec.chat.pointer import pointer
from chatcodec.chat.types import Chat
from chatcodec.errors import ChatCodecError, InvalidChat, LimitExceeded
from chatcodec.render.marked import Marked
from chatcodec.render.marks import Mark
from chatcodec.render.rendered import Rendered
from chatcodec.render.trace import owner_path, shown_path, trace
from chatcodec.render.writer import WarningKind, Writer

Write: TypeAlias = Callable[[Chat, Writer], None]
"""Writes a chat. Raises InvalidChat where it cannot; may raise anything for a chat that is not plain data."""


def run(write: Write, chat: Chat, warned: Iterable[tuple[WarningKind, Mark]] = ()) -> Rendered:
    """Return `chat` as `write` writes it into a `Writer`, with warnings of its own behind those of `warned`.

    Raises InvalidChat, TemplateRefused or LimitExceeded.
    """
    given = list(warned)
    try:
        return _write(write, chat, Writer(given))
    except Exception:  # anything: objects that are not plain data fail in their own ways
        return _run_plain(write, chat, Writer(given))


def _run_plain(write: Write, chat: Chat, out: Writer) -> Rendered:
    chat = plain_chat(chat)
    try:
        return _write(write, chat, out)
    except ChatCodecError:
        raise
    except RecursionError:
        raise LimitExceeded("the chat is nested too deeply", "depth", "") from None
    except (TypeError, ValueError) as error:  # what plain data can cause; all else would be a fault of the renderer
        raise _located(error, chat, out.pieces) from error


def _write(write: Write, chat: Chat, out: Writer) -> Rendered:
    write(chat, out)
    text = "".join(out.pieces)
    if not text.isascii():
        text.encode("utf-16-le")  # UnicodeEncodeError for a lone surrogate; the fastest codec that looks for them
    return Rendered(text, Marked(out.pieces, chat), out.warned)


def _located(error: Exception, chat: Chat, pieces: list[Any]) -> InvalidChat:
    """Return the error for a chat on which the writer or the join failed, at the piece or value that is at fault."""
    for index, piece in enumerate(pieces):
        if not isinstance(piece, str):
            return invalid(_path_of(pieces, index), piece, "a string")
        if not piece.isascii() and not _is_unicode(piece):
            where = pointer(_path_of(pieces, index))
            return InvalidChat(f"{where}: found a lone surrogate, accepted: valid Unicode", where)
    for value, path in ((chat.messages, ("messages",)), (chat.tools, ("tools",)), (chat.options, ("options",))):
        for fault in unprintable(value, path):
            return fault
    where = pointer(_path_of(pieces, len(pieces))[:2])
    return InvalidChat(f"{where or 'the chat'}: cannot be rendered, here or further on: {error}", where)


def _path_of(pieces: list[Any], index: int) -> tuple[Any, ...]:
    culprit = str(pieces[index])[:40] if index < len(pieces) else ""
    *_, (_, _, shows, owner) = trace([*pieces[:index], culprit or "?"]).runs
    return owner_path(owner) if shows is None else shown_path(shows, owner)


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
