"""What goes wrong in a template, as errors of chatcodec's: which template, which line, at which place in the chat.

Rules: what the template says by ``raise_exception`` is the whole message. All other messages begin with the template's
name and the line, and end with the line itself.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from chatcodec.chat.check import unprintable
from chatcodec.chat.pointer import Path, pointer
from chatcodec.chat.types import Chat
from chatcodec.engine.faults import NATURAL, Fault, OverLimit, Refused, Unsafe
from chatcodec.engine.parse import SyntaxFault
from chatcodec.engine.program import Program
from chatcodec.engine.provenance import Paths
from chatcodec.engine.runs import runs_of
from chatcodec.errors import (
    ChatCodecError,
    InvalidChat,
    InvalidTemplate,
    LimitExceeded,
    TemplateFailed,
    TemplateRefused,
    UnsafeTemplate,
)
from chatcodec.templates.input_steps import given_path

_KEPT = 16
_LONG = 160
_NEWLINE = re.compile("\r\n|\r|\n")
_MACRO = re.compile(r"'macro_(\w+)'")


@lru_cache(_KEPT)
def compiled(text: str, name: str) -> Program:
    """Return a template ready to run, the same one for the same text. Raises what `load` does for a template."""
    try:
        return Program(text, name)
    except OverLimit as fault:
        raise LimitExceeded(f"{name}: {fault}", fault.limit) from None
    except SyntaxFault as fault:
        raise InvalidTemplate(f"{_place(name, text, fault.line)}{fault}", name, fault.line) from None
    except Unsafe as fault:
        raise UnsafeTemplate(f"{name}: {fault}", name) from None


def explained(
    error: Exception, program: Program, out: list[Any], seen: dict[str, Any], chat: Chat
) -> ChatCodecError | None:
    """Return the error for what went wrong while `program` ran, after it had written `out`.

    None for what no template can cause.
    """
    if isinstance(error, ChatCodecError):
        return error
    line = program.line_of(error)
    where = _path(out, seen, chat)
    if isinstance(error, Refused):
        return TemplateRefused(str(error), where)
    begin = _place(program.name, program.source, line, where)
    if isinstance(error, Unsafe):
        return UnsafeTemplate(f"{begin}{error}", program.name, line, str(error))
    if isinstance(error, OverLimit):
        return LimitExceeded(f"{begin}{error}", error.limit, where, line)
    if isinstance(error, RecursionError):
        return LimitExceeded(f"{begin}values or macros are nested too deeply", "depth", where, line)
    if isinstance(error, UnicodeEncodeError):
        return _not_unicode(chat)
    if not isinstance(error, NATURAL):
        return None  # not the template's fault
    for value, path in ((chat.messages, ("messages",)), (chat.tools, ("tools",)), (chat.options, ("options",))):
        for fault in unprintable(value, path):
            return fault
    words = _words(error)
    return TemplateFailed(begin + words, where, program.name, line, words)


def _words(error: Exception) -> str:
    macro = _MACRO.search(str(error)) if isinstance(error, NameError) else None
    if macro is not None:
        return f"{macro[1]!r} is undefined"
    return str(error) if isinstance(error, Fault) else f"{type(error).__name__}: {error}"


def _place(name: str, source: str, line: int | None, where: str | None = None) -> str:
    """Return the beginning of a message: the template, the line and what it says, and where in the chat it was."""
    if line is None:
        return f"{name}: "
    lines = _NEWLINE.split(source)  # as jinja2 counts
    said = lines[line - 1].strip() if 0 < line <= len(lines) else ""
    shown = said if len(said) <= _LONG else said[: _LONG - 1] + "…"
    at = f", at {where}" if where else ""
    return f"{name}, line {line}{at}: `{shown}`: "


def _path(out: list[Any], seen: dict[str, Any], chat: Chat) -> str | None:
    """Return the pointer of the innermost element of the chat that was being written for."""
    [*_, (_, _, _, whose)] = runs_of([*out, "?"])
    path = Paths(seen).owner_path(whose)
    return None if path is None else pointer(given_path(path, chat.messages))


def _not_unicode(chat: Chat) -> InvalidChat:
    for name, value in chat.root().items():
        for path in _surrogates(value, (name,)):
            where = pointer(path)
            return InvalidChat(f"{where}: found a lone surrogate, accepted: valid Unicode", where)
    return InvalidChat("the prompt has a lone surrogate, accepted: valid Unicode")


def _surrogates(value: Any, path: Path) -> Any:
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError:
            yield path
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _surrogates(key, path)
            yield from _surrogates(item, (*path, key))
    elif isinstance(value, (list, tuple)):
        for index, item in enumerate(value):
            yield from _surrogates(item, (*path, index))
