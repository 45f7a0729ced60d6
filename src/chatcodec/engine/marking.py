"""Whether text that a filter marks as safe can make a difference in a template.

jinja2 escapes other text that is added to marked text, formatted into it or put in place of a part of it. Most
templates mark only what they print, which changes nothing: then no text need be marked at all.
"""

from __future__ import annotations

from jinja2 import nodes

from chatcodec.engine.carried import Carried, given
from chatcodec.engine.tree import Index, children

_MARKS = frozenset({"safe", "escape", "e", "forceescape", "xmlattr", "urlize"})
_PASSES = frozenset({
    "safe", "trim", "string", "upper", "lower", "capitalize", "default", "d", "first", "last", "list", "length", "sort",
    "count", "tojson", "join", "replace", "select", "reject", "selectattr", "rejectattr", "unique", "reverse", "items",
    "dictsort", "int", "float", "wordcount",
})  # fmt: skip
"""Filters that give the same characters for marked text: most print their arguments first, as jinja2 does unescaped."""
_PLAIN = frozenset({"tojson", "length", "count", "int", "float", "join", "replace", "wordcount"})
"""Those whose result is not marked."""
_METHODS = frozenset({
    "strip", "lstrip", "rstrip", "lower", "upper", "capitalize", "startswith", "endswith", "find", "rfind", "items",
    "keys", "values", "get", "isdigit", "count", "index",
})  # fmt: skip


def marking_matters(index: Index) -> bool:
    """Return whether marked text may change what a template prints."""
    return any(map(_marks, index.all(nodes.Filter))) and _Marked(index).matters()


def _marks(node: nodes.Node) -> bool:
    if not isinstance(node, nodes.Filter):
        return False
    if node.name == "map":
        first = node.args[0] if node.args else None
        return first is not None and not (isinstance(first, nodes.Const) and first.value not in _MARKS)
    return node.name in _MARKS


class _Marked(Carried):
    def begins(self, node: nodes.Node) -> bool:
        return _marks(node)

    def ends(self, node: nodes.Node) -> bool:
        return isinstance(node, nodes.Concat) or (isinstance(node, nodes.Filter) and node.name in _PLAIN)

    def matters(self) -> bool:
        """Return whether any use of marked text can be told from that of other text."""
        sums = (*self.index.all(nodes.Add), *self.index.all(nodes.Mul), *self.index.all(nodes.Mod))
        return (
            any(self.any((node.left, node.right)) for node in sums)
            or any(node.name == "escaped" for node in self.index.all(nodes.Test))
            or any(map(self._filter_tells, self.index.all(nodes.Filter)))
            or any(map(self._call_tells, self.index.all(nodes.Call)))
            or any(self.any(children(node)) for node in self.index.of(nodes.List, nodes.Pair))
            or any(self.any(node.items) for node in self.index.all(nodes.Tuple) if node.ctx == "load")
        )

    def _filter_tells(self, node: nodes.Filter) -> bool:
        if node.name in _PASSES or node.node is None:
            return False
        return node.name in _MARKS or self.any([node.node, *given(node)])

    def _call_tells(self, node: nodes.Call) -> bool:
        if not isinstance(node.node, nodes.Getattr) or node.node.attr in _METHODS:
            return False
        return self.any([node.node.node, *given(node)])
