"""How a template prints a value that is not a string: `tojson` of transformers 5.23, and Python's own ``str()``.

`leaves_of_json` and `leaves_of_str` find the keys and leaves of a value inside such a text, for whoever asks.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from json.encoder import encode_basestring
from typing import Any

from chatcodec.chat.plain import plain
from chatcodec.chat.pointer import Path


def _refuse(value: Any) -> Any:
    raise TypeError(f"{type(value).__name__} is not plain data")


# What json.dumps(ensure_ascii=False) sets up again at each call. Cycles end in RecursionError instead of ValueError.
_encoder = json.JSONEncoder(ensure_ascii=False, check_circular=False, default=_refuse)
try:
    from json.encoder import c_make_encoder as _make  # type: ignore[attr-defined]

    _encode = _make(None, _refuse, encode_basestring, None, ": ", ", ", False, False, True)
except (ImportError, TypeError):  # an interpreter without the C encoder
    _encode = None


def json_text(value: Any) -> str:
    """Return `value` as `tojson` prints it. Raises TypeError for what is not plain data, RecursionError if too deep."""
    if isinstance(value, str):
        text: str = encode_basestring(value)
        return text
    return "".join(_encode(value, 0)) if _encode else _encoder.encode(value)


def python_text(value: Any) -> str:
    """Return `value` as ``{{ value }}`` prints it: a string as it is, all else by ``str()`` of its plain data."""
    return value if type(value) is str else str(plain(value))


def leaves_of_json(value: Any) -> Iterator[tuple[str, Path | None, bool]]:
    """Yield the text of `json_text` in pieces: text, the path of the leaf or key it is (or None), whether it is a key.

    The quotes of a string are punctuation; what stands between them is its leaf.
    """
    yield from _leaves(plain(value), (), json_text)


def leaves_of_str(value: Any) -> Iterator[tuple[str, Path | None, bool]]:
    """Yield the text of `python_text` in pieces, as `leaves_of_json` does for JSON."""
    value = plain(value)
    if isinstance(value, str):
        yield value, (), False
    else:
        yield from _leaves(value, (), repr)


def _leaves(value: Any, path: Path, print_leaf: Any) -> Iterator[tuple[str, Path | None, bool]]:
    if isinstance(value, dict):
        yield from _members(value, path, print_leaf)
    elif isinstance(value, (list, tuple)):
        square = isinstance(value, list) or print_leaf is json_text
        yield "[" if square else "(", None, False
        for index, item in enumerate(value):
            if index:
                yield ", ", None, False
            yield from _leaves(item, (*path, index), print_leaf)
        yield "]" if square else ",)" if len(value) == 1 else ")", None, False
    else:
        yield from _leaf(print_leaf(value), isinstance(value, str), path, False)


def _members(value: dict[Any, Any], path: Path, print_leaf: Any) -> Iterator[tuple[str, Path | None, bool]]:
    yield "{", None, False
    for index, (key, item) in enumerate(value.items()):
        if index:
            yield ", ", None, False
        quoted = isinstance(key, str) or print_leaf is json_text
        text = print_leaf(key) if isinstance(key, str) or not quoted else f'"{json_text(key)}"'
        yield from _leaf(text, quoted, (*path, key), True)
        yield ": ", None, False
        yield from _leaves(item, (*path, key), print_leaf)
    yield "}", None, False


def _leaf(text: str, quoted: bool, path: Path, is_key: bool) -> Iterator[tuple[str, Path | None, bool]]:
    if not quoted:
        yield text, path, is_key
        return
    yield text[0], None, False
    yield text[1:-1], path, is_key
    yield text[-1], None, False
