"""The values of a GGUF file's metadata, read or passed over, one after the other.

Rules: nothing that the file says is believed: a length or a count is held against the bytes that follow, and against
a limit, before anything is read. What is passed over is not kept, and lists of strings are walked through a buffer.
Every message says file, byte and key. It does not know what the keys mean, nor where the metadata ends.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from typing import BinaryIO, NamedTuple

from chatcodec.errors import LimitExceeded, UnreadableInput

MAX_BYTES = 256 * 1024 * 1024
"""How long all metadata may be. A vocabulary of 260,000 tokens with its merges takes some 15 MB."""

MAX_STRINGS = 4_000_000
"""How many strings the lists of a file may hold; the largest vocabularies have some 800,000 with their merges."""

MAX_NESTED = 65_536
"""How many lists may stand in lists."""

MAX_DEPTH = 4
"""How deep lists may stand in lists."""

_CHUNK = 256 * 1024


class Kind(NamedTuple):
    """A type of values: what it is called, and its code in `struct`, empty for what has no fixed width."""

    name: str
    code: str = ""

    @property
    def width(self) -> int:
        """How many bytes a value has; 0 if that depends on the value."""
        return struct.calcsize(f"={self.code}")


KINDS = {
    0: Kind("uint8", "B"),
    1: Kind("int8", "b"),
    2: Kind("uint16", "H"),
    3: Kind("int16", "h"),
    4: Kind("uint32", "I"),
    5: Kind("int32", "i"),
    6: Kind("float32", "f"),
    7: Kind("bool", "?"),
    8: Kind("string"),
    9: Kind("array"),
    10: Kind("uint64", "Q"),
    11: Kind("int64", "q"),
    12: Kind("float64", "d"),
}
STRING, ARRAY = KINDS[8], KINDS[9]
INTEGERS = frozenset(KINDS[number] for number in (0, 1, 2, 3, 4, 5, 10, 11))

_LEAST = {STRING: 8, ARRAY: 12}  # the bytes of an empty one


class Values:
    """A cursor over the metadata. ``offset`` is where it stands, ``key`` is whose value it reads, for messages."""

    def __init__(self, stream: BinaryIO, path: str, size: int):
        """Take a file of `size` bytes; it is read from its first byte on."""
        self._stream, self._path, self._size = stream, path, size
        self._buffer, self._start, self._at = b"", 0, 0
        self._strings, self._nested = MAX_STRINGS, MAX_NESTED
        self.key = ""
        self.set_order("<")

    def set_order(self, order: str) -> None:
        """Read numbers with the low byte first, ``<``, or the high byte, ``>``."""
        self.order = order
        self._u32, self._u64 = struct.Struct(f"{order}I"), struct.Struct(f"{order}Q")

    @property
    def offset(self) -> int:
        """Where the next value begins in the file."""
        return self._start + self._at

    @property
    def left(self) -> int:
        """How many bytes of the file follow."""
        return self._size - self.offset

    def wrong(self, reason: str, at: int | None = None) -> UnreadableInput:
        """Return the error for what stands at the byte `at`, or here."""
        return UnreadableInput(f"{self._place(at)}: {reason}")

    def too_much(self, reason: str, limit: str, at: int | None = None) -> LimitExceeded:
        """Return the error for what goes beyond the limit of that name."""
        return LimitExceeded(f"{self._place(at)}: {reason}", limit)

    def take(self, count: int) -> bytes:
        """Return the next `count` bytes; the caller has looked whether that is much. Raises UnreadableInput."""
        self._hold(count)
        self._at += count
        return self._buffer[self._at - count : self._at]

    def uint32(self) -> int:
        """Return the next number of 4 bytes."""
        return int(self._u32.unpack(self.take(4))[0])

    def uint64(self) -> int:
        """Return the next number of 8 bytes."""
        return int(self._u64.unpack(self.take(8))[0])

    def kind(self) -> Kind:
        """Return the type that the next 4 bytes name. Raises UnreadableInput for what is none."""
        at, number = self.offset, self.uint32()
        if number not in KINDS:
            raise self.wrong(f"type {number}, accepted: 0 to {len(KINDS) - 1}", at)
        return KINDS[number]

    def integer(self, kind: Kind) -> int:
        """Return the next value, which is of the integer type `kind`."""
        return int(struct.unpack(f"{self.order}{kind.code}", self.take(kind.width))[0])

    def string(self, most: int, limit: str) -> str:
        """Return the next string. Raises UnreadableInput; LimitExceeded, of that name, for more than `most` bytes."""
        at, length = self.offset, self.uint64()
        self._expect_left(length, "a string", at)
        if length > most:
            raise self.too_much(f"a string of {length} bytes, accepted: up to {most}", limit, at)
        begin = self.offset
        raw = self.take(length)
        try:
            return raw.decode()
        except UnicodeDecodeError as error:
            raise self.wrong(f"not UTF-8: 0x{raw[error.start]:02x}", begin + error.start) from None

    def array(self) -> tuple[Kind, int]:
        """Return the type and the number of the entries that follow. Raises UnreadableInput for more than fit in."""
        at, kind, count = self.offset, self.kind(), self.uint64()
        least = kind.width or _LEAST[kind]
        if count * least > self.left:
            raise self.wrong(f"a list of {count} values of type {kind.name}, and {self.left} bytes follow", at)
        return kind, count

    def skip(self, kind: Kind, depth: int = 0) -> None:
        """Go on behind a value of that type. Raises UnreadableInput, LimitExceeded."""
        if kind is STRING:
            self.skip_strings(1)
        elif kind is ARRAY:
            self._skip_array(depth + 1)
        else:
            self._advance(kind.width, f"a {kind.name}", self.offset)

    def skip_strings(self, count: int) -> None:
        """Go on behind `count` strings. Raises UnreadableInput, LimitExceeded."""
        if count > self._strings:
            raise self.too_much(f"more than {MAX_STRINGS} strings in lists", "metadata strings")
        self._strings -= count
        self._pass_strings(count)

    def strings_at(self, offset: int, wanted: Iterable[int], most: int) -> Iterator[str]:
        """Yield, of the strings of a list whose first begins at `offset`, those of the `wanted` indexes, in order."""
        self._move(offset)
        following = 0
        for index in wanted:
            self._pass_strings(index - following)
            yield self.string(most, "metadata strings")
            following = index + 1

    def _pass_strings(self, count: int) -> None:
        unpack = self._u64.unpack_from
        while count:
            self._hold(8)
            buffer, at, last = self._buffer, self._at, len(self._buffer) - 8
            begin = at
            while count and at <= last:
                begin = at
                at += 8 + unpack(buffer, at)[0]
                count -= 1
            # Only the last of them can reach beyond the buffer, so that only it has to be held against the file.
            self._at = begin
            self._advance(at - begin, "a string", self.offset)

    def _skip_array(self, depth: int) -> None:
        if depth > MAX_DEPTH:
            raise self.wrong(f"lists in lists, more than {MAX_DEPTH} deep")
        at = self.offset
        kind, count = self.array()
        if kind is STRING:
            self.skip_strings(count)
        elif kind is ARRAY:
            if count > self._nested:
                raise self.too_much(f"more than {MAX_NESTED} lists in lists", "metadata lists", at)
            self._nested -= count
            for _ in range(count):
                self._skip_array(depth + 1)
        else:
            self._advance(count * kind.width, f"a list of {kind.name}", at)

    def _advance(self, count: int, what: str, at: int) -> None:
        self._expect_left(count, what, at)
        self._at += count
        if self._at > len(self._buffer):
            self._move(self.offset)

    def _move(self, offset: int) -> None:
        self._buffer, self._start, self._at = b"", offset, 0

    def _hold(self, count: int) -> None:
        """Have the next `count` bytes in the buffer."""
        if self._at + count <= len(self._buffer):
            return
        self._expect_left(count, "a value", self.offset)
        begin = self.offset
        self._stream.seek(begin)
        self._buffer, self._start, self._at = self._stream.read(max(count, _CHUNK)), begin, 0
        if len(self._buffer) < count:
            raise self.wrong("the file ends here")

    def _expect_left(self, count: int, what: str, at: int) -> None:
        if count > self.left:
            raise self.wrong(f"{what} of {count} bytes, and {self.left} bytes follow", at)
        if self.offset + count > MAX_BYTES:
            raise self.too_much(f"metadata of more than {MAX_BYTES // 1024 // 1024} MiB", "metadata bytes", at)

    def _place(self, at: int | None) -> str:
        byte = f"{self._path}: byte {self.offset if at is None else at}"
        return f"{byte}, {self.key}" if self.key else byte
