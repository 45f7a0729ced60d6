"""Which expressions may be a list or dict that a template put together: what is in it may come from many places.

Of what the caller gave, the place is known where it is printed whole. What may be part of a tool definition is told
too.
"""

from __future__ import annotations

from jinja2 import nodes

from chatcodec.engine.carried import Carried
from chatcodec.engine.filters import GIVES_TEXT

_SCALARS = frozenset({"length", "count", "int", "float", "abs", "round", "wordcount"})


class Made(Carried):
    """Says of an expression whether it may be, or hold, something that the template put together."""

    def start(self) -> set[str]:
        """Return the names that hold what a call puts together."""
        return {"varargs", "kwargs"}

    def begins(self, node: nodes.Node) -> bool:
        """Whether an expression puts values together."""
        if isinstance(node, (nodes.List, nodes.Tuple)):
            return not all(map(_is_scalar, node.items))
        if isinstance(node, nodes.Dict):
            return not all(_is_scalar(pair.key) and _is_scalar(pair.value) for pair in node.items)
        if isinstance(node, (nodes.Add, nodes.Mul)):
            return not (_is_scalar(node.left) or _is_scalar(node.right))
        if isinstance(node, nodes.Call):
            return isinstance(node.node, nodes.Name) and node.node.name in ("dict", "cycler", "joiner")
        return False

    def ends(self, node: nodes.Node) -> bool:
        """Whether an expression is a text or a number."""
        return _is_scalar(node)


class Tools(Carried):
    """Says of an expression whether it may be of a tool definition: those come again from chat to chat."""

    def begins(self, node: nodes.Node) -> bool:  # noqa: ARG002
        """Whether an expression is the tools: a name is asked for first, so never."""
        return False

    def ends(self, node: nodes.Node) -> bool:
        """Whether an expression is a text or a number."""
        return _is_scalar(node)

    def start(self) -> set[str]:
        """Return the names that the caller's tools come by."""
        return {"tools"}


def _is_scalar(node: nodes.Node) -> bool:
    """Whether an expression is a text or a number for sure."""
    if isinstance(node, (nodes.Add, nodes.Mul)):
        return _is_scalar(node.left) or _is_scalar(node.right)
    if isinstance(node, nodes.Filter):
        return node.name in GIVES_TEXT or node.name in _SCALARS
    return isinstance(node, (nodes.Const, nodes.TemplateData, nodes.Concat, nodes.Compare, nodes.Test, nodes.Not))
