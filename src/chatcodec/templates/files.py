"""Files as text and as JSON, read whole within a limit.

Rules: a file's size is looked at before it is read, and what has no size, a pipe, is read no further than the limit.
Text is UTF-8, its newlines as they are in the file; a byte order mark at its beginning is passed over. Every message
begins with the path. It does not know what is in the files.
"""

from __future__ import annotations

import json
import os
import re
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Any, BinaryIO

from chatcodec.chat.pointer import describe
from chatcodec.errors import LimitExceeded, UnreadableInput
from chatcodec.templates.source import MAX_TEMPLATE_BYTES, too_long

MAX_JSON_BYTES = 64 * 1024 * 1024
"""How long a JSON file may be: the longest tokenizer files have some 35 MB."""

MAX_ENTRIES = 10_000
"""How many names of a folder are looked at."""

_SPACE = re.compile(r"[ \t\n\r]*")
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


def read_template(path: str) -> str:
    """Return the text of a template's file.

    Raises UnreadableInput; LimitExceeded, named ``source``, for more than `MAX_TEMPLATE_BYTES`.
    """
    raw = read_within(path, MAX_TEMPLATE_BYTES)
    if raw is None:
        raise too_long(path)
    return _text(raw, path)


def read_object(path: str) -> dict[str, Any]:
    """Return the object that a JSON file holds.

    Raises UnreadableInput, with line and column where it is no JSON; LimitExceeded for what is too long or too deep.
    """
    text = _json_text(path)
    with _reading_json(path):
        value = json.loads(text)
    if not isinstance(value, dict):
        raise UnreadableInput(f"{path}: found {describe(value)}, accepted: a JSON object")
    return value


def read_member(path: str, name: str) -> Any:
    """Return one member of the object that a JSON file holds, None if it has none. What is behind it is not parsed.

    Raises as `read_object` does.
    """
    text = _json_text(path)
    decoder = json.JSONDecoder()
    with _reading_json(path):
        at = _behind(text, 0, "{")
        while not text.startswith("}", at):
            key, at = decoder.raw_decode(text, at)
            value, at = decoder.raw_decode(text, _behind(text, at, ":"))
            if key == name:
                return value
            at = _behind(text, at, "")
            at = at if text.startswith("}", at) else _behind(text, at, ",")
    return None


def read_within(path: str, most: int) -> bytes | None:
    """Return the bytes of a file, None if there are more than `most`. Raises UnreadableInput."""
    with opened(path) as stream:
        found = os.fstat(stream.fileno())
        if stat.S_ISREG(found.st_mode) and found.st_size > most:
            return None
        raw = stream.read(most + 1)
    return raw if len(raw) <= most else None


@contextmanager
def opened(path: str) -> Iterator[BinaryIO]:
    """Open a file for its bytes. Raises UnreadableInput, also for what fails while it is open."""
    try:
        stream = open(path, "rb")  # noqa: SIM115  # closed below, where a ValueError is not the path's
    except (OSError, ValueError) as error:
        raise unreadable(path, error) from error
    with stream:
        try:
            yield stream
        except OSError as error:
            raise unreadable(path, error) from error


def entries(folder: str) -> list[str]:
    """Return the names of what is in a folder, of `MAX_ENTRIES` at the most; none if it is not there.

    Raises UnreadableInput.
    """
    try:
        with os.scandir(folder) as found:
            return [entry.name for entry in islice(found, MAX_ENTRIES)]
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        raise unreadable(folder, error) from error


def unreadable(path: str, error: Exception) -> UnreadableInput:
    """Return what to raise where the system refuses to read `path`."""
    if isinstance(error, FileNotFoundError):
        return UnreadableInput(f"{path}: no such file")
    if isinstance(error, IsADirectoryError):
        return UnreadableInput(f"{path}: a directory, not a file")
    return UnreadableInput(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}")


@contextmanager
def _reading_json(path: str) -> Iterator[None]:
    """Say of `path` what the JSON parser raises."""
    try:
        yield
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise UnreadableInput(f"{path}: not JSON: {error.msg.removesuffix(' at')} at {where}") from None
    except RecursionError:
        raise LimitExceeded(f"{path}: nested too deeply", "depth") from None
    except ValueError:  # of int(), the only other one
        digits = sys.get_int_max_str_digits()
        raise LimitExceeded(f"{path}: an integer of more than {digits} digits", "digits") from None


def _behind(text: str, at: int, mark: str) -> int:
    """Return the place behind white space, `mark`, and white space. Raises JSONDecodeError if there is no such mark."""
    at = _SPACE.match(text, at).end()  # type: ignore[union-attr]  # it matches everywhere
    if not text.startswith(mark, at):
        raise json.JSONDecodeError(f"Expecting '{mark}'", text, at)
    return _SPACE.match(text, at + len(mark)).end()  # type: ignore[union-attr]


def _json_text(path: str) -> str:
    raw = read_within(path, MAX_JSON_BYTES)
    if raw is None:
        raise LimitExceeded(f"{path}: longer than {MAX_JSON_BYTES // 1024 // 1024} MiB", "file bytes")
    return _text(raw, path)


def _text(raw: bytes, path: str) -> str:
    try:
        return raw.decode().removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        hint = "; it looks like UTF-16" if raw[:2] in _UTF16 and error.start == 0 else ""
        raise UnreadableInput(f"{path}: not UTF-8: byte {error.start} is 0x{raw[error.start]:02x}{hint}") from None
