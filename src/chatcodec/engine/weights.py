"""How much work a pass through a body is: the nodes that it goes through at most, those of the macros it calls too.

Rules: of branches the heaviest counts; the body of a loop within charges itself, and so does a macro that may call
itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from jinja2 import nodes

from chatcodec.engine.tree import children

_MOST = 1 << 40


class Weights:
    """Weights of bodies in one template. ``macros`` are those that are known by name, ``recursive`` which of them recur."""

    def __init__(self, macros: Mapping[str, nodes.Macro], recursive: frozenset[str]):
        self._macros, self._recursive = macros, recursive
        self._known: dict[str, int] = {}

    def of(self, body: Iterable[nodes.Node]) -> int:
        """Return the weight of a body."""
        return min(_MOST, 1 + sum(self._node(node) for node in body))

    def of_macro(self, name: str) -> int:
        """Return the weight of a macro's body."""
        if name not in self._known:
            self._known[name] = self.of(self._macros[name].body)
        return self._known[name]

    def _node(self, node: nodes.Node) -> int:
        if isinstance(node, nodes.If):
            branches = [self.of(node.body), self.of(node.else_)]
            tests = self._node(node.test)
            for branch in node.elif_:
                tests += self._node(branch.test)
                branches.append(self.of(branch.body))
            return tests + max(branches)
        if isinstance(node, nodes.For):
            return 1 + self._node(node.iter) + self.of(node.else_)
        if isinstance(node, nodes.Macro):
            return 1
        own = 1
        if isinstance(node, nodes.Call) and isinstance(node.node, nodes.Name) and node.node.name in self._macros:
            own += 0 if node.node.name in self._recursive else self.of_macro(node.node.name)
        return own + sum(self._node(child) for child in children(node))
