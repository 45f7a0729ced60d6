"""GGUF files for tests: metadata as bytes, right ones and wrong ones."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Any

CODES = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
U8, I8, U16, I16, U32, I32, F32, BOOL, STRING, ARRAY, U64, I64, F64 = range(13)


@dataclass(frozen=True)
class Raw:
    """Bytes that stand for themselves."""

    data: bytes


def text(value: str | bytes, order: str = "<") -> bytes:
    raw = value.encode() if isinstance(value, str) else value
    return struct.pack(f"{order}Q", len(raw)) + raw


def value(kind: int, content: Any, order: str = "<") -> bytes:
    if isinstance(content, Raw):
        return content.data
    if kind == STRING:
        return text(content, order)
    if kind == ARRAY:
        entry, items = content
        head = struct.pack(f"{order}IQ", entry, len(items))
        if entry in CODES:
            return head + struct.pack(f"{order}{len(items)}{CODES[entry]}", *items)
        return head + b"".join(value(entry, item, order) for item in items)
    return struct.pack(f"{order}{CODES[kind]}", content)


def pair(key: str | bytes, kind: int, content: Any, order: str = "<") -> bytes:
    return text(key, order) + struct.pack(f"{order}I", kind) + value(kind, content, order)


def gguf(
    *pairs: tuple[Any, ...], order: str = "<", version: int = 3, count: int | None = None, end: bytes = b""
) -> bytes:
    """Return a file of these pairs: (key, kind, content)."""
    head = b"GGUF" + struct.pack(f"{order}IQQ", version, 0, len(pairs) if count is None else count)
    return head + b"".join(pair(*one, order=order) for one in pairs) + end
