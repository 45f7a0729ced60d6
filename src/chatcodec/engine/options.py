"""Which names a template reads before it assigns to them: what a caller may give it beside messages and tools.

Rules: a name counts if some path reads it first. What is set in one branch only, or in a loop, is not set behind it. A
macro reads where it is called, with what is assigned there; one that is never called reads nothing. It knows no values:
a branch that can never be taken is a path.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from jinja2 import nodes

from chatcodec.engine.scope import names_in, own_expressions
from chatcodec.engine.tree import Index, names_below

_MOST_WAYS = 8
"""How often a macro is followed with other names assigned; then with those that are assigned on every way so far."""


def read_first(index: Index) -> list[str]:
    """Return the names that a template reads before any assignment on that path, in the order of the source."""
    reading = _Reading(index)
    reading.body(index.template.body, frozenset())
    order = {name.name: position for position, name in reversed(list(enumerate(index.all(nodes.Name))))}
    return sorted(reading.found, key=lambda name: order.get(name, 0))


class _Reading:
    """Follows every path, with the names that are assigned on all ways to where it is."""

    def __init__(self, index: Index):
        self.found: set[str] = set()
        self._macros: dict[str, list[nodes.Macro]] = {}
        for macro in index.all(nodes.Macro):
            self._macros.setdefault(macro.name, []).append(macro)
        self._followed: dict[int, set[frozenset[str]]] = {}

    def body(self, body: Iterable[nodes.Node], known: frozenset[str]) -> frozenset[str]:
        """Follow statements; return what is assigned behind them."""
        for node in body:
            known = self.statement(node, known)
        return known

    def statement(self, node: nodes.Node, known: frozenset[str]) -> frozenset[str]:
        """Follow one statement; return what is assigned behind it."""
        if isinstance(node, nodes.If):
            return self._condition(node, known)
        if isinstance(node, nodes.Macro):
            return known | {node.name}
        if isinstance(node, nodes.AssignBlock):
            self.body(node.body, known)
            self.read([] if node.filter is None else [node.filter], known)
            return known | set(names_in(node.target))
        self.read(own_expressions(node), known)
        if isinstance(node, nodes.Assign):
            return known | set(names_in(node.target))
        if isinstance(node, nodes.For):
            inside = known | set(names_in(node.target)) | {"loop"}
            if node.test is not None:
                self.read([node.test], inside)
            self.body(node.body, inside)
            self.body(node.else_, known)
        elif isinstance(node, nodes.With):
            self.body(node.body, known.union(*(names_in(target) for target in node.targets)))
        elif isinstance(node, nodes.CallBlock):
            self._function(node, known)
        elif isinstance(node, (nodes.FilterBlock, nodes.Scope)):
            self.body(node.body, known)
        return known

    def _condition(self, node: nodes.If, known: frozenset[str]) -> frozenset[str]:
        ends = []
        for branch in (node, *node.elif_):
            self.read([branch.test], known)
            ends.append(self.body(branch.body, known))
        ends.append(self.body(node.else_, known))
        return frozenset.intersection(*ends)

    def read(self, expressions: Iterable[nodes.Node], known: frozenset[str]) -> None:
        """Take note of the names that expressions read, and follow the macros among them."""
        for name in self._loads(expressions):
            if name not in known:
                self.found.add(name)
            for macro in self._macros.get(name, ()) if name in known else ():
                self._function(macro, known)

    def _loads(self, expressions: Iterable[nodes.Node]) -> Iterator[str]:
        for expression in expressions:
            yield from (name.name for name in names_below(expression) if name.ctx == "load")

    def _function(self, node: nodes.Macro | nodes.CallBlock, known: frozenset[str]) -> None:
        """Follow the body of a macro or call block where `known` is assigned; once for the same names."""
        followed = self._followed.setdefault(id(node), set())
        if len(followed) >= _MOST_WAYS:
            known = known.intersection(*followed)
        if known in followed:
            return
        followed.add(known)
        inside = known | {each.name for each in node.args} | {"varargs", "kwargs", "caller"}
        self.read(node.defaults, inside)
        self.body(node.body, inside)
