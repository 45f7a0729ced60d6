"""Which names may carry a value of some kind to where it is used: text that was marked, lists that a template made.

Rules: names are followed wherever they are assigned, through namespaces, loops and macros, without asking when. What
cannot be told from the source is carried.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from jinja2 import nodes

from chatcodec.engine.scope import names_in
from chatcodec.engine.tree import Index, children

_NO_VALUE = (nodes.Compare, nodes.Not, nodes.Test, nodes.Const, nodes.TemplateData)
_PARAMETERS = ("()",)
"""Stands for the names of all parameters, which no name is called."""


class Carried:
    """What may carry a value that begins at some nodes of a template."""

    def __init__(self, index: Index):
        self.index = index
        self._macros = {node.name for node in index.all(nodes.Macro)}
        self._known: dict[int, bool] = {}
        self._names = self._followed()

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
            names = self._carriers(node)
            known = self._known[id(node)] = names is None or not self._names.isdisjoint(names)
        return known

    def any(self, many: Iterable[nodes.Node]) -> bool:
        """Whether one of some expressions may."""
        return any(self.may(each) for each in many)

    def _carriers(self, *tops: nodes.Node) -> set[str] | None:
        """Return the names of which one has to carry such a value, so that an expression may; None if none has to."""
        names: set[str] = set()
        left = [*tops]
        while left:
            node = left.pop()
            if isinstance(node, nodes.Name):
                names.add(node.name)
            elif isinstance(node, _NO_VALUE):
                continue
            elif self.begins(node):
                return None
            elif not self.ends(node) and not self._is_text_of_macro(node):
                left += children(node)
        return names

    def _is_text_of_macro(self, node: nodes.Node) -> bool:
        called = isinstance(node, nodes.Call) and isinstance(node.node, nodes.Name) and node.node.name
        return bool(called) and (called in self._macros or called == "caller")

    def _followed(self) -> set[str]:
        """Return the names that may carry such a value: each way from a name to who gets its value is gone once."""
        found = self.start()
        ways: dict[str, list[Sequence[str]]] = {"()": [self._parameters()]}
        new = [*found]
        for node in self.index.of(
            nodes.Assign, nodes.AssignBlock, nodes.For, nodes.Call, nodes.With, nodes.Macro, nodes.CallBlock
        ):
            values, targets = self._assigned(node)
            names = self._carriers(*values) if targets else ()
            if names is None:
                new += targets
            for name in names or ():
                ways.setdefault(name, []).append(targets)
        found.update(new)
        while new:
            for targets in ways.pop(new.pop(), ()):
                further = [name for name in targets if name not in found]
                found.update(further)
                new += further
        return found

    def _assigned(self, node: nodes.Node) -> tuple[Sequence[nodes.Node], Sequence[str]]:
        """Return the values that a statement or call assigns, and the names that get them."""
        if isinstance(node, nodes.Assign):
            return [node.node], _names(node.target)
        if isinstance(node, nodes.AssignBlock):
            return ([], []) if node.filter is None else ([node.filter], _names(node.target))
        if isinstance(node, nodes.For):
            return [node.iter], [*names_in(node.target), "loop"]
        if isinstance(node, nodes.With):
            return node.values, [name for target in node.targets for name in names_in(target)]
        if isinstance(node, (nodes.Macro, nodes.CallBlock)):
            return node.defaults, [each.name for each in node.args]
        assert isinstance(node, nodes.Call)
        return given(node), _PARAMETERS

    def _parameters(self) -> Sequence[str]:
        """Return the names of all parameters: a call of something unknown may be one of any macro."""
        macros: list[Any] = [*self.index.all(nodes.Macro), *self.index.all(nodes.CallBlock)]
        return ["varargs", "kwargs", "caller", *(each.name for macro in macros for each in macro.args)]


def given(node: nodes.Call | nodes.Filter | nodes.Test) -> Sequence[nodes.Node]:
    """Return what is given in a call."""
    dynamic = [each for each in (node.dyn_args, node.dyn_kwargs) if each is not None]
    return [
        *node.args,
        *(keyword.value if isinstance(keyword, nodes.Keyword) else keyword for keyword in node.kwargs),
        *dynamic,
    ]


def _names(target: nodes.Node) -> list[str]:
    return [target.name] if isinstance(target, nodes.NSRef) else names_in(target)
