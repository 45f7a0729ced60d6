"""The templates and special tokens in the metadata of a GGUF file, versions 2 and 3, either byte order.

::

    tokenizer.chat_template             the default template
    tokenizer.chat_template.NAME        another one
    tokenizer.chat_templates            the names of the others, once more
    tokenizer.ggml.tokens               the texts of all tokens
    tokenizer.ggml.NAME_token_id        the number of a special one

Rules: what contradicts itself is refused, with its place, and nothing is guessed. Neither tensors nor their table are
looked at, and of the tokens only the special ones are kept. It does not know special tokens without such a number, nor
what the files say that the model was converted from.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field

from chatcodec.errors import UnknownCodec
from chatcodec.templates.files import opened
from chatcodec.templates.gguf_values import ARRAY, INTEGERS, STRING, Kind, Values
from chatcodec.templates.source import DEFAULT, MAX_TEMPLATE_BYTES, MAX_TEMPLATES, Source

MAGIC = b"GGUF"
VERSIONS = (2, 3)

MAX_PAIRS = 4096
"""How many keys the metadata may have; files have some 40."""

MAX_KEY_BYTES = 1024
"""How long a key may be."""

MAX_TOKEN_BYTES = 64 * 1024
"""How long a special token may be."""

_TEMPLATE = "tokenizer.chat_template"
_NAMES = "tokenizer.chat_templates"
_TOKENS = "tokenizer.ggml.tokens"
_TOKEN_IDS = {
    "tokenizer.ggml.bos_token_id": "bos_token",
    "tokenizer.ggml.eos_token_id": "eos_token",
    "tokenizer.ggml.eot_token_id": "eot_token",
    "tokenizer.ggml.unknown_token_id": "unk_token",
    "tokenizer.ggml.padding_token_id": "pad_token",
    "tokenizer.ggml.seperator_token_id": "sep_token",  # as GGUF spells it
    "tokenizer.ggml.cls_token_id": "cls_token",
    "tokenizer.ggml.mask_token_id": "mask_token",
}
_LEAST_PAIR = 13  # the bytes of an empty key, a type and one byte


@dataclass
class _Found:
    """What the metadata said so far."""

    templates: dict[str, str] = field(default_factory=dict)
    names: tuple[list[str], int] = field(default_factory=lambda: ([], 0))  # and where they stand
    ids: dict[str, tuple[str, int, int]] = field(default_factory=dict)  # key, number, and where it stands
    tokens: tuple[int, int] | None = None  # where the first one begins, and how many there are


def read_gguf(path: str) -> Source:
    """Return the templates and special tokens of a GGUF file.

    Raises UnreadableInput, with the byte and the key, for what is no such file or is broken; LimitExceeded for what is
    too long; UnknownCodec if it has no template.
    """
    with opened(path) as stream:
        values = Values(stream, path, stream.seek(0, os.SEEK_END))
        found = _Found()
        seen: set[str] = set()
        for _ in range(_header(values)):
            _pair(values, found, seen)
        _expect_named(values, found)
        tokens = _tokens(values, found)
    if not found.templates:
        raise UnknownCodec(f"{path}: no chat template: its metadata has no {_TEMPLATE}")
    return Source(found.templates, tokens, path, dict.fromkeys(found.templates, path))


def _header(values: Values) -> int:
    """Return how many pairs of key and value follow, and set the byte order."""
    magic = values.take(min(len(MAGIC), values.left))
    if magic != MAGIC:
        raise values.wrong(f"no GGUF file: it {f'begins with 0x{magic.hex()}' if magic else 'is empty'}", 0)
    raw = values.take(4)
    version = int.from_bytes(raw, "little")
    if version & 0xFFFF == 0:  # version numbers are small, so this one was written with its high byte first
        values.set_order(">")
        version = int.from_bytes(raw, "big")
    if version not in VERSIONS:
        raise values.wrong(f"GGUF version {version}, accepted: {' and '.join(map(str, VERSIONS))}", 4)
    values.uint64()  # of tensors
    at, count = values.offset, values.uint64()
    if count * _LEAST_PAIR > values.left:
        raise values.wrong(f"metadata of {count} keys, and {values.left} bytes follow", at)
    if count > MAX_PAIRS:
        raise values.too_much(f"metadata of {count} keys, accepted: up to {MAX_PAIRS}", "metadata keys", at)
    return count


def _pair(values: Values, found: _Found, seen: set[str]) -> None:
    """Read a key and what is wanted of its value."""
    values.key = "a key"
    at = values.offset
    key = values.string(MAX_KEY_BYTES, "metadata keys")
    values.key = key if key and key.isprintable() else json.dumps(key)
    if key in seen:
        raise values.wrong("this key is there twice", at)
    seen.add(key)
    at = values.offset
    kind = values.kind()
    if key == _TEMPLATE or key.startswith(f"{_TEMPLATE}."):
        _expect(values, kind is STRING, "the text of a template, a string", kind, at)
        if len(found.templates) == MAX_TEMPLATES:
            raise values.too_much(f"more than {MAX_TEMPLATES} templates", "templates", at)
        template = values.string(MAX_TEMPLATE_BYTES, "source")
        if key == _TEMPLATE:
            found.templates[DEFAULT] = template
        else:
            # The one without a name is the default, also if another one has that name.
            found.templates.setdefault(key.removeprefix(f"{_TEMPLATE}."), template)
    elif key == _NAMES:
        found.names = _names(values, kind, at), at
    elif key == _TOKENS:
        _expect(values, kind is ARRAY, "the tokens, a list of strings", kind, at)
        entry, count = values.array()
        _expect(values, entry is STRING, "the tokens, a list of strings", entry, at, "a list of ")
        found.tokens = values.offset, count
        values.skip_strings(count)
    elif key in _TOKEN_IDS:
        _expect(values, kind in INTEGERS, f"the number of {_TOKEN_IDS[key]}, an integer", kind, at)
        at = values.offset
        found.ids[_TOKEN_IDS[key]] = values.key, values.integer(kind), at
    else:
        values.skip(kind)


def _names(values: Values, kind: Kind, at: int) -> list[str]:
    _expect(values, kind is ARRAY, "the names of the templates, a list of strings", kind, at)
    entry, count = values.array()
    _expect(values, entry is STRING, "the names of the templates, a list of strings", entry, at, "a list of ")
    if count > MAX_TEMPLATES:
        raise values.too_much(f"{count} names of templates, accepted: up to {MAX_TEMPLATES}", "templates", at)
    return [values.string(MAX_KEY_BYTES, "metadata keys") for _ in range(count)]


def _expect_named(values: Values, found: _Found) -> None:
    """Raise UnreadableInput if the list of names has one that no template has."""
    names, at = found.names
    missing = next((name for name in names if name not in found.templates), None)
    if missing is not None:
        values.key = _NAMES
        raise values.wrong(f"it names {json.dumps(missing)}, and no template has this name", at)


def _tokens(values: Values, found: _Found) -> dict[str, str]:
    """Return the texts of the special tokens, by their variables."""
    begin, count = found.tokens or (0, 0)
    for variable, (key, number, at) in found.ids.items():
        if not 0 <= number < count:
            values.key = key
            has = f"there are {count} tokens" if found.tokens else f"there is no {_TOKENS}"
            raise values.wrong(f"{variable} is token {number}, and {has}", at)
    values.key = _TOKENS
    wanted = sorted({number for _, number, _ in found.ids.values()})
    texts = dict(zip(wanted, values.strings_at(begin, wanted, MAX_TOKEN_BYTES), strict=True))
    return {variable: texts[number] for variable, (_, number, _) in found.ids.items()}


def _expect(values: Values, fine: bool, accepted: str, kind: Kind, at: int, found: str = "a value of type ") -> None:
    if not fine:
        raise values.wrong(f"found {found}{kind.name}, accepted: {accepted}", at)
