"""The JSON of tool definitions, remembered: tools are the same from request to request, so their text is made once.

Rules: the key is the definition's own bytes (`marshal`), which tell apart whatever prints differently: the order of
keys, 1, 1.0 and true, a list and a tuple. A definition that is not exactly plain data, or is long, or holds the same
list or dict twice, is never remembered. The least used are forgotten.
"""

from __future__ import annotations

import marshal
from functools import lru_cache
from typing import Any

from chatcodec.render.values import json_text

_MOST = 512
_LONGEST = 16_384
_VERSION = 4  # what occurs twice is written once, so that nothing gets longer than it is in memory


def definition_text(tool: Any) -> str:
    """Return `tool` as `json_text` does, and raise what that raises."""
    return remembered_text(tool) or json_text(tool)


def remembered_text(tool: Any) -> str | None:
    """Return `tool` as `json_text` does, None if it is not remembered."""
    try:
        data = marshal.dumps(tool, _VERSION)
    except ValueError:
        return None
    return _remembered(data) if len(data) <= _LONGEST else None


@lru_cache(_MOST)
def _remembered(data: bytes) -> str | None:
    tool = marshal.loads(data)  # bytes that `remembered_text` made
    return json_text(tool) if _is_tree(tool) else None


def _is_tree(value: Any) -> bool:
    """Whether no list or dict occurs twice."""
    seen: set[int] = set()
    left = [value]
    while left:
        each = left.pop()
        if isinstance(each, (dict, list, tuple)) and each:
            if id(each) in seen:
                return False
            seen.add(id(each))
            left += each.values() if isinstance(each, dict) else each
    return True
