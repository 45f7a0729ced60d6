"""How a template prints a value that is not a string: `tojson` of transformers 5.23, and Python's own ``str()``.

`leaves_of_json` and `leaves_of_str` find the keys and leaves of a value inside such a text, for whoever asks.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from json.encoder import encode_basestring
from typing import Any

from chatcodec.chat.plain import plain
from chatcodec.chat.pointer import Path
from chatcodec.render.forms import JSON, PYTHON, JsonForm, Token, tokens


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


def leaves_of_json(value: Any, form: JsonForm = JSON) -> Iterator[tuple[str, Path | None, bool]]:
    """Yield a value's JSON text in pieces: text, the path of the leaf or key it is (or None), whether it is a key.

    The quotes of a string are punctuation; what stands between them is its leaf.
    """
    yield from _leaves(tokens(plain(value), form))


def leaves_of_str(value: Any) -> Iterator[tuple[str, Path | None, bool]]:
    """Yield the text of `python_text` in pieces, as `leaves_of_json` does for JSON."""
    value = plain(value)
    if isinstance(value, str):
        yield value, (), False
    else:
        yield from _leaves(tokens(value, PYTHON))


def _leaves(found: Iterable[Token]) -> Iterator[tuple[str, Path | None, bool]]:
    for text, path, kind, _ in found:
        if kind == "punctuation":
            yield text, None, False
        elif text[:1] + text[-1:] in ('""', "''") and len(text) > 1:
            yield text[0], None, False
            yield text[1:-1], path, kind == "key"
            yield text[-1], None, False
        else:
            yield text, path, kind == "key"
