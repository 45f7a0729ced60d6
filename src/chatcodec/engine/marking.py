"""Whether text that a filter marks as safe can make a difference in a template.

jinja2 escapes other text that is added to marked text, formatted into it or put in place of a part of it. Most
templates mark only what they print, which changes nothing: then no text need be marked at all.

Rules: names are followed wherever they are assigned, through namespaces, loops and macros, without asking when. What
cannot be told from the source counts as a difference.
"""

from __future__ import annotations

from collections.abc import Iterable

from jinja2 import nodes

from chatcodec.engine.scope import names_in

_MARKS = frozenset({"safe", "escape", "e", "forceescape", "xmlattr", "urlize"})
_PASSES = frozenset({
    "safe", "trim", "string", "upper", "lower", "title", "capitalize", "default", "d", "first", "last", "list",
    "length", "count", "tojson", "join", "replace", "select", "reject", "selectattr", "rejectattr", "unique", "reverse",
    "items", "dictsort", "sort", "int", "float", "center", "wordcount",
})  # fmt: skip
"""Filters that give the same characters for marked text: most print their arguments first, as jinja2 does unescaped."""
_PLAIN = frozenset({"tojson", "length", "count", "int", "float", "join", "replace", "wordcount", "center"})
"""Those whose result is not marked."""
_METHODS = frozenset({
    "strip", "lstrip", "rstrip", "lower", "upper", "title", "capitalize", "startswith", "endswith", "find", "rfind",
    "items", "keys", "values", "get", "isdigit", "count", "index",
})  # fmt: skip
_HIDES = (nodes.Add, nodes.Mul, nodes.Mod)


def marking_matters(template: nodes.Template) -> bool:
    """Return whether marked text may change what the template prints."""
    if not any(_makes_marked(node) for node in template.find_all(nodes.Filter)):
        return False
    return _Marked(template).matters()


def _makes_marked(node: nodes.Filter) -> bool:
    if node.name == "map":
        first = node.args[0] if node.args else None
        return first is not None and not (isinstance(first, nodes.Const) and first.value not in _MARKS)
    return node.name in _MARKS


class _Marked:
    """Which names may hold marked text, or something that has such text in it."""

    def __init__(self, template: nodes.Template):
        self._template = template
        self._macros = {node.name for node in template.find_all(nodes.Macro)}
        self._names: set[str] = set()
        before = -1
        while before != len(self._names):
            before = len(self._names)
            for node in template.find_all((nodes.Assign, nodes.AssignBlock, nodes.For, nodes.Call, nodes.With, nodes.Macro)):
                self._names.update(self._assigned(node))

    def matters(self) -> bool:
        """Return whether any use of marked text can be told from that of other text."""
        return any(self._tells(node) for node in self._template.find_all(nodes.Expr))

    def _tells(self, node: nodes.Expr) -> bool:
        if isinstance(node, _HIDES):
            return self._any((node.left, node.right))
        if isinstance(node, nodes.Filter):
            if node.name in _PASSES or node.node is None:
                return node.name in ("center", "title") and self._any([node.node])
            return node.name in ("e", "escape", "forceescape", "xmlattr", "urlize") or self._any([node.node, *_given(node)])
        if isinstance(node, nodes.Test):
            return node.name == "escaped"
        if isinstance(node, nodes.Call) and isinstance(node.node, nodes.Getattr):
            known = node.node.attr in _METHODS
            return not known and self._any([node.node.node, *_given(node)])
        return False

    def _assigned(self, node: nodes.Node) -> Iterable[str]:
        if isinstance(node, nodes.Assign):
            return _names(node.target) if self._may(node.node) else ()
        if isinstance(node, nodes.AssignBlock):
            return _names(node.target) if node.filter is not None and self._may(node.filter) else ()
        if isinstance(node, nodes.For):
            return names_in(node.target) if self._may(node.iter) else ()
        if isinstance(node, nodes.With):
            return [name for target in node.targets for name in names_in(target)] if self._any(node.values) else ()
        if isinstance(node, nodes.Macro):
            return [each.name for each in node.args] if self._any(node.defaults) else ()
        assert isinstance(node, nodes.Call)
        return self._parameters() if self._any(_given(node)) else ()

    def _parameters(self) -> Iterable[str]:
        """Return the names of all parameters: a call of something unknown may be one of any macro."""
        for macro in self._template.find_all((nodes.Macro, nodes.CallBlock)):
            yield from (each.name for each in macro.args)
        yield from ("varargs", "kwargs", "caller")

    def _any(self, many: Iterable[nodes.Node]) -> bool:
        return any(self._may(each) for each in many)

    def _may(self, node: nodes.Node) -> bool:
        if isinstance(node, nodes.Name):
            return node.name in self._names
        if isinstance(node, (nodes.Compare, nodes.Not, nodes.Test, nodes.Concat)):
            return False
        if isinstance(node, nodes.Filter):
            if _makes_marked(node):
                return True
            return node.name not in _PLAIN and self._any(node.iter_child_nodes())
        if isinstance(node, nodes.Call) and isinstance(node.node, nodes.Name) and node.node.name in (*self._macros, "caller"):
            return False
        return self._any(node.iter_child_nodes())


def _given(node: nodes.Call | nodes.Filter) -> list[nodes.Node]:
    return [each for each in node.iter_child_nodes() if each is not node.node]


def _names(target: nodes.Node) -> list[str]:
    return [target.name] if isinstance(target, nodes.NSRef) else names_in(target)
