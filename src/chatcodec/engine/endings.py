"""What a body prints, and whether it prints all of it at its end: then a function can return it instead.

It knows nothing of how code is written.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from jinja2 import nodes

from chatcodec.engine.tree import children

_PRINTING = (nodes.Output, nodes.CallBlock, nodes.FilterBlock)


class Ending(NamedTuple):
    """A body taken apart: what comes before, and what it ends with: a condition, or what it prints."""

    before: Sequence[nodes.Node]
    condition: nodes.If | None
    printed: Sequence[nodes.Output]


def ending_of(body: Sequence[nodes.Node]) -> Ending:
    """Return what a body ends with."""
    count = len(body)
    while count and isinstance(body[count - 1], nodes.Output):
        count -= 1
    printed = [each for each in body[count:] if isinstance(each, nodes.Output)]
    last = body[count - 1] if count and not printed else None
    if isinstance(last, nodes.If):
        return Ending(body[: count - 1], last, [])
    return Ending(body[:count], None, printed)


def prints(node: nodes.Node) -> bool:
    """Whether a statement may write into the output."""
    if isinstance(node, (nodes.Macro, nodes.AssignBlock)):
        return False
    return isinstance(node, _PRINTING) or any(map(prints, children(node)))


def prints_at_its_end(body: Sequence[nodes.Node]) -> bool:
    """Whether all that a body prints is one expression, or little more, at the end of each way through it."""
    ending = ending_of(body)
    if any(map(prints, ending.before)):
        return False
    if ending.condition is None:
        return sum(len(output.nodes) for output in ending.printed) <= 2
    branches = (ending.condition, *ending.condition.elif_)
    return all(prints_at_its_end(branch.body) for branch in branches) and prints_at_its_end(ending.condition.else_)
