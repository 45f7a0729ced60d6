"""The JSON of tool definitions, remembered: tools are the same from request to request, so their text is made once.

Rules: the key is the definition's own bytes (`marshal`), which tell apart whatever prints differently: the order of
keys, 1, 1.0 and true, a list and a tuple. A definition that is not exactly plain data, or is long, is never remembered.
The least used are forgotten.
"""

from __future__ import annotations

import marshal
from functools import lru_cache
from typing import Any

from chatcodec.render.values import json_text

_MOST = 512
_LONGEST = 16_384
_VERSION = 2  # the last without references, whose bytes depend on the value alone


def definition_text(tool: Any) -> str:
    """Return `tool` as `json_text` does, and raise what that raises."""
    try:
        data = marshal.dumps(tool, _VERSION)
    except ValueError:
        return json_text(tool)
    return _remembered(data) if len(data) <= _LONGEST else json_text(tool)


@lru_cache(_MOST)
def _remembered(data: bytes) -> str:
    return json_text(marshal.loads(data))  # bytes that `definition_text` made
