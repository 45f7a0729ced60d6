"""From a file or stdin to JSON documents, one or one a line; or to a text, whole or as it comes.

Rules: a file named ``*.jsonl`` holds a document a line, and so does input that is said to. So does other input if its
first line is a whole list or object and more follows, or if all of it is no JSON but each line has the brackets of a
list or object around it.
Lines are read when they are asked for; blank lines are passed over, and so is a byte order mark. Text is UTF-8, and
its newlines are as they are in the file. It does not know what a chat is, nor what its input is called in messages.
"""

from __future__ import annotations

import codecs
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import chain
from typing import Any, BinaryIO, NamedTuple

from chatcodec.cli.failure import say
from chatcodec.errors import ChatCodecError, LimitExceeded, UnreadableInput

MAX_BYTES = 256 * 1024 * 1024
"""How long a document may be, so that a device or a wrong file does not fill the memory."""

_CHUNK = 64 * 1024
_BOM = b"\xef\xbb\xbf"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


class NotText(UnreadableInput):
    """Bytes that are not UTF-8."""


class Source:
    """An open input. Its methods raise UnreadableInput for what fails, LimitExceeded for what is too long."""

    def __init__(self, stream: BinaryIO):
        self._stream = stream

    def line(self) -> bytes:
        """Return the next line, empty at the end."""
        return self._checked(self._stream.readline, MAX_BYTES + 1)

    def rest(self) -> bytes:
        """Return all that is left."""
        return self._checked(self._stream.read, MAX_BYTES + 1)

    def chunk(self) -> bytes:
        """Return what has come by now, waiting for the first byte of it; empty at the end."""
        read: Callable[[int], bytes] = self._stream.read1  # type: ignore[attr-defined]  # all that are opened here do
        return self._checked(read, _CHUNK)

    def _checked(self, read: Callable[[int], bytes], size: int) -> bytes:
        try:
            raw = read(size)
        except OSError as error:
            raise _unreadable(error) from error
        _expect_short(len(raw))
        return raw


class Document:
    """The bytes of a document, parsed when its value is asked for. ``line`` is None if it is all of the input."""

    __slots__ = ("_parsed", "_raw", "_start", "line")

    def __init__(self, raw: bytes, line: int | None = None, start: int = 0):
        """Take the bytes; where they are no text, count from `start`, which is the first one's place in the input."""
        self.line = line
        self._raw = raw
        self._start = start
        self._parsed: tuple[Any] | None = None

    @property
    def value(self) -> Any:
        """The JSON value. Raises UnreadableInput or LimitExceeded."""
        if self._parsed is None:
            self._parsed = (parse(_text(self._raw, self._start), one_line=self.line is not None),)
        return self._parsed[0]


class Documents(NamedTuple):
    """What an input holds: ``by_line`` says whether its documents are lines of it."""

    by_line: bool
    each: Iterator[Document]


class _Line(NamedTuple):
    number: int
    raw: bytes
    start: int


@contextmanager
def open_input(file: str, what: str = "JSON") -> Iterator[Source]:
    """Open `file`, ``-`` being stdin; `what` is what a person at a terminal is told to type. Raises UnreadableInput."""
    if file == "-":
        yield Source(_stdin(what))
        return
    try:
        stream = open(file, "rb")  # noqa: SIM115  # closed below, where what the caller raises is not taken for ours
    except (OSError, ValueError) as error:
        raise _unreadable(error) from error
    with stream:
        yield Source(stream)


def read_document(source: Source) -> Any:
    """Return the value of the one document that `source` holds."""
    raw = source.rest()
    bare = raw.removeprefix(_BOM)
    return Document(bare, start=len(raw) - len(bare)).value


def read_text(source: Source) -> str:
    """Return all of `source` as a text."""
    return _text(source.rest()).removeprefix(_BOM.decode())


def text_as_it_comes(source: Source) -> Iterator[str]:
    """Yield the text of `source` as its bytes arrive; a character that is cut waits for its rest."""
    raw, start, chunk, fault = b"", 0, b"-", None
    while chunk and fault is None:
        chunk = source.chunk()
        raw += chunk
        try:
            text, used = codecs.utf_8_decode(raw, "strict", not chunk)
        except UnicodeDecodeError as error:
            text, used, fault = raw[: error.start].decode(), error.start, _no_text(raw, error.start, start)
        if text:
            yield text if start else text.removeprefix(_BOM.decode())
        raw, start = raw[used:], start + used
        _expect_short(start)
    if fault is not None:
        raise fault


def read_documents(source: Source, file: str, by_line: bool = False) -> Documents:
    """Return the documents of `source`, which is `file`; each is a line if `by_line` says so.

    Raises UnreadableInput if nothing is there.
    """
    lines = _lines(source)
    if by_line or is_jsonl(file):
        return Documents(True, _by_line(lines))
    first = next(lines, None)
    if first is None:
        raise UnreadableInput("empty, accepted: a chat as JSON")
    document = Document(first.raw, first.number, first.start)
    if not _is_whole(document, first.raw):
        before = first.number - 1
        return _from_whole(b"\n" * before + first.raw + source.rest(), first.start - before)
    second = next(lines, None)
    if second is None:
        return Documents(False, iter([document]))
    return Documents(True, _by_line(chain([first, second], lines)))


def is_jsonl(file: str) -> bool:
    """Whether the name of `file` says that it holds a document a line."""
    return file.lower().endswith(".jsonl")


def parse(text: str, *, one_line: bool = False) -> Any:
    """Return the JSON value of `text`. Raises UnreadableInput that says where it is wrong, or LimitExceeded."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        where = f"column {error.colno}" if one_line else f"line {error.lineno}, column {error.colno}"
        raise UnreadableInput(f"not JSON: {error.msg.removesuffix(' at')} at {where}") from None
    except RecursionError:
        raise LimitExceeded("nested too deeply", "depth") from None
    except ValueError:  # of int(), the only other one
        raise LimitExceeded(f"an integer of more than {sys.get_int_max_str_digits()} digits", "digits") from None


def _from_whole(raw: bytes, start: int) -> Documents:
    document = Document(raw, start=start)
    try:
        _ = document.value
    except ChatCodecError:
        lines = [_Line(number, line, start) for number, line in enumerate(raw.split(b"\n"), 1) if line.strip()]
        if len(lines) > 1 and all(_has_brackets(line.raw) for line in lines):
            return Documents(True, _by_line(lines))
        raise
    return Documents(False, iter([document]))


def _is_whole(document: Document, raw: bytes) -> bool:
    """Whether the first line is a document. Raises NotText for what is no text at all."""
    try:
        return isinstance(document.value, (list, dict))
    except NotText:
        if _has_brackets(raw):
            return True
        raise
    except ChatCodecError:
        return False


def _has_brackets(line: bytes) -> bool:
    line = line.strip()
    return line[:1] + line[-1:] in (b"{}", b"[]")


def _lines(source: Source) -> Iterator[_Line]:
    """Yield the lines that are not blank."""
    start = 0
    for number, raw in enumerate(iter(source.line, b""), 1):
        line = raw.removeprefix(_BOM) if number == 1 else raw
        if line.strip():
            yield _Line(number, line, start + len(raw) - len(line))
        start += len(raw)


def _by_line(lines: Iterable[_Line]) -> Iterator[Document]:
    return (Document(line.raw.rstrip(), line.number) for line in lines)


def _text(raw: bytes, start: int = 0) -> str:
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        raise _no_text(raw, error.start, start) from None


def _no_text(raw: bytes, at: int, start: int) -> NotText:
    """Say that ``raw[at]`` is wrong; `start` is the place of ``raw[0]`` in the input."""
    hint = "; it looks like UTF-16" if raw[:2] in _UTF16 and start + at == 0 else ""
    return NotText(f"not UTF-8: byte {start + at} is 0x{raw[at]:02x}{hint}")


def _expect_short(length: int) -> None:
    if length > MAX_BYTES:
        raise LimitExceeded(f"a document of more than {MAX_BYTES // 1024 // 1024} MiB", "document bytes")


def _unreadable(error: Exception) -> UnreadableInput:
    if isinstance(error, FileNotFoundError):
        return UnreadableInput("no such file")
    if isinstance(error, IsADirectoryError):
        return UnreadableInput("a directory, not a file")
    return UnreadableInput(f"cannot be read: {getattr(error, 'strerror', None) or error}")


def _stdin(what: str) -> BinaryIO:
    if sys.stdin is None:
        raise UnreadableInput("closed")
    if sys.stdin.isatty():
        say(f"reading {what} from the terminal; Ctrl-D ends it")
    return sys.stdin.buffer
