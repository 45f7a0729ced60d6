"""Which names may carry a value of some kind to where it is used: text that was marked, lists that a template made.

Rules: names are followed wherever they are assigned, through namespaces, loops and macros, without asking when. What
cannot be told from the source is carried.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from jinja2 import nodes

from chatcodec.engine.scope import names_in
from chatcodec.engine.tree import Index, children

_NO_VALUE = (nodes.Compare, nodes.Not, nodes.Test, nodes.Const, nodes.TemplateData)


class Carried:
    """What may carry a value that begins at some nodes of a template."""

    def __init__(self, index: Index):
        self.index = index
        self._macros = {node.name for node in index.all(nodes.Macro)}
        self._names = self.start()
        self._known: dict[int, bool] = {}
        before = -1
        while before != len(self._names):
            before = len(self._names)
            self._known.clear()
            for node in index.of(nodes.Assign, nodes.AssignBlock, nodes.For, nodes.Call, nodes.With, nodes.Macro):
                self._names.update(self._assigned(node))
        self._known.clear()

    def start(self) -> set[str]:
        """Return the names that carry such a value from the start."""
        return set()

    def begins(self, node: nodes.Node) -> bool:
        """Whether an expression is where such a value begins."""
        raise NotImplementedError

    def ends(self, node: nodes.Node) -> bool:
        """Whether an expression is no such value, whatever is in it."""
        raise NotImplementedError

    def may(self, node: nodes.Node) -> bool:
        """Whether the value of an expression may be such a value, or hold one."""
        known = self._known.get(id(node))
        if known is None:
            known = self._known[id(node)] = self._may(node)
        return known

    def any(self, many: Iterable[nodes.Node]) -> bool:
        """Whether one of some expressions may."""
        return any(self.may(each) for each in many)

    def _may(self, node: nodes.Node) -> bool:
        if isinstance(node, nodes.Name):
            return node.name in self._names
        if isinstance(node, _NO_VALUE):
            return False
        if self.begins(node):
            return True
        if self.ends(node):
            return False
        called = isinstance(node, nodes.Call) and isinstance(node.node, nodes.Name) and node.node.name
        if called and (called in self._macros or called == "caller"):
            return False  # a text
        return self.any(children(node))

    def _assigned(self, node: nodes.Node) -> Iterable[str]:
        if isinstance(node, nodes.Assign):
            return _names(node.target) if self.may(node.node) else ()
        if isinstance(node, nodes.AssignBlock):
            return _names(node.target) if node.filter is not None and self.may(node.filter) else ()
        if isinstance(node, nodes.For):
            return (*names_in(node.target), "loop") if self.may(node.iter) else ()
        if isinstance(node, nodes.With):
            return [name for target in node.targets for name in names_in(target)] if self.any(node.values) else ()
        if isinstance(node, nodes.Macro):
            return [each.name for each in node.args] if self.any(node.defaults) else ()
        assert isinstance(node, nodes.Call)
        return self._parameters() if self.any(given(node)) else ()

    def _parameters(self) -> Iterable[str]:
        """Return the names of all parameters: a call of something unknown may be one of any macro."""
        for macro in self.index.all(nodes.Macro):
            yield from (each.name for each in macro.args)
        for block in self.index.all(nodes.CallBlock):
            yield from (each.name for each in block.args)
        yield from ("varargs", "kwargs", "caller")


def given(node: nodes.Call | nodes.Filter | nodes.Test) -> Sequence[nodes.Node]:
    """Return what is given in a call."""
    dynamic = [each for each in (node.dyn_args, node.dyn_kwargs) if each is not None]
    return [*node.args, *(keyword.value if isinstance(keyword, nodes.Keyword) else keyword for keyword in node.kwargs), *dynamic]


def _names(target: nodes.Node) -> list[str]:
    return [target.name] if isinstance(target, nodes.NSRef) else names_in(target)
