"""How much work a pass through a body is at most, in steps: what its nodes may cost, those of the macros it calls too.

Short texts are worked on without being charged, so a node that makes one weighs as much as the longest such text does:
up to 2 KB. What is charged when it is done adds little here. Rules: of branches the heaviest counts; the body of a
loop within charges itself, and so does a macro that may call itself, and the body of a call block. Each node is
weighed once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from jinja2 import nodes

from chatcodec.engine.tree import children

_MOST = 1 << 40
_TEXT = 256  # a text that is made: up to 2 KB
_JSON = 450
_LOOK = 12
_READ = 100  # going through a short text slowly
_CALL = 12
_KEPT = 80  # a function or an iterator that is made
_PASS = 5  # a pass that does nothing
_WATCHED = 30  # what a loop that is looked at as a whole costs for each pass
_PRINTED = 10  # what is printed, beside its own weight
_FOR_EACH_CHARACTER = 8  # of what is looked for
_LOOKED_FOR = 44
_FILTERS = {
    "abs": 6, "attr": 40, "batch": _KEPT, "count": 2, "d": 2, "default": 2, "dictsort": 60, "filesizeformat": 60,
    "first": 15, "float": 60, "groupby": 60, "int": 80, "items": 20, "last": 15, "length": 2, "list": 15, "map": _KEPT,
    "max": 40, "min": 40, "random": 2, "reject": _KEPT, "rejectattr": _KEPT, "round": 15, "select": _KEPT, "sort": 60,
    "selectattr": _KEPT, "slice": _KEPT, "sum": 40, "tojson": _JSON, "unique": _KEPT, "wordcount": 40,
}  # fmt: skip
_METHODS = {
    "bit_length": 6, "changed": 50, "copy": 15, "count": _LOOK, "cycle": 15, "endswith": _LOOK, "find": _LOOK, "get": 4,
    "index": _LOOK, "is_integer": 6, "isalnum": _READ, "isalpha": _READ, "isascii": _READ, "isdecimal": _READ,
    "isdigit": _READ, "isidentifier": _READ, "islower": _READ, "isnumeric": _READ, "isprintable": _READ,
    "isspace": _READ, "istitle": _READ, "isupper": _READ, "items": 10, "keys": 10, "rfind": _LOOK, "rindex": _LOOK,
    "split": _LOOK, "startswith": _LOOK, "values": 10,
}  # fmt: skip
_SEARCHES = frozenset({"count", "find", "index", "rfind", "rindex", "split"})
_NODES: dict[type, int] = {
    nodes.Add: _TEXT, nodes.AssignBlock: _TEXT, nodes.Call: _CALL, nodes.CallBlock: _KEPT + _CALL, nodes.Compare: 6,
    nodes.Concat: _TEXT, nodes.Dict: 30, nodes.Div: 4, nodes.FilterBlock: _TEXT, nodes.FloorDiv: 4, nodes.For: 12,
    nodes.Getattr: 3, nodes.Getitem: 4, nodes.List: 10, nodes.Macro: _KEPT, nodes.Mod: 8, nodes.Mul: 4, nodes.Pair: 10,
    nodes.Pow: 4, nodes.Slice: _TEXT, nodes.Sub: 3, nodes.Test: 10, nodes.Tuple: 10,
}  # fmt: skip


def filter_weight(name: Any) -> int:
    """Return the weight of a filter that is called by its name."""
    return _FILTERS.get(name, _TEXT) if isinstance(name, str) else _TEXT


class Weights:
    """Weights of bodies in one template.

    ``macros`` are those that are known by name, in an order in which each comes behind those that it calls, unless they
    may call it too: those are the ``recursive`` ones.
    """

    def __init__(self, macros: Mapping[str, nodes.Macro], order: Sequence[str], recursive: frozenset[str]):
        self._macros, self._recursive = macros, recursive
        self._known: dict[str, int] = {}
        for name in order:
            self._known[name] = self.of([*macros[name].defaults, *macros[name].body])

    def of(self, body: Iterable[nodes.Node]) -> int:
        """Return the weight of a body."""
        return min(_MOST, 1 + sum(map(self._node, body)))

    def of_macro(self, name: str) -> int:
        """Return the weight of a macro's body."""
        return self._known[name]

    def of_call(self, function: nodes.Macro | nodes.CallBlock) -> int:
        """Return the weight of a call of a macro, or of a call block's body, that charges itself."""
        return 4 * _CALL + self.of([*function.defaults, *function.body])

    def of_pass(self, loop: nodes.For, watched: bool) -> int:
        """Return the weight of a pass through a loop; `watched` says whether the loop is looked at as a whole."""
        test = 0 if loop.test is None else self._node(loop.test)
        return _PASS + test + self.of(loop.body) + (_WATCHED if watched else 0)

    def _node(self, node: nodes.Node) -> int:
        cls = type(node)
        if cls is nodes.If:
            return self._branches(node)  # type: ignore[arg-type]
        if cls is nodes.Output:
            return sum(_PRINTED + self._node(child) for child in node.nodes)  # type: ignore[attr-defined, misc]
        own = _NODES.get(cls, 1)
        if cls is nodes.For:
            return own + self._node(node.iter) + self.of(node.else_)  # type: ignore[attr-defined]
        if cls is nodes.Macro:
            return own
        if cls is nodes.CallBlock:
            return own + self._node(node.call)  # type: ignore[attr-defined]
        if cls is nodes.CondExpr:
            return self._choice(node)  # type: ignore[arg-type]
        return self._own(node, own) + sum(map(self._node, children(node)))

    def _own(self, node: nodes.Node, usual: int) -> int:
        """Return what an expression weighs without those that it is made of."""
        if isinstance(node, nodes.Filter):
            return filter_weight(node.name)
        if isinstance(node, nodes.Add):
            return 8 if _is_number(node.left) or _is_number(node.right) else usual
        if isinstance(node, nodes.Compare):
            looks = any(each.op in ("in", "notin") for each in node.ops)
            return usual + (_LOOK + _looking_for(node.expr) if looks else 0)
        if isinstance(node, nodes.Test):
            return _READ if node.name in ("lower", "upper") else usual
        if isinstance(node, nodes.Call):
            return usual + self._called(node)
        return usual

    def _called(self, node: nodes.Call) -> int:
        called = node.node
        if isinstance(called, nodes.Name) and called.name in self._macros:
            # a text that is made of what it prints, and its arguments
            return _TEXT + (0 if called.name in self._recursive else self._known.get(called.name, 0))
        if not isinstance(called, nodes.Getattr):
            return 0
        weight = _METHODS.get(called.attr, _TEXT)
        if called.attr in _SEARCHES and node.args:
            weight += _looking_for(node.args[0])
        return weight

    def _branches(self, node: nodes.If) -> int:
        branches = [self.of(node.body), self.of(node.else_)]
        tests = self._node(node.test)
        for branch in node.elif_:
            tests += self._node(branch.test)
            branches.append(self.of(branch.body))
        return tests + max(branches)

    def _choice(self, node: nodes.CondExpr) -> int:
        other = 0 if node.expr2 is None else self._node(node.expr2)
        return 1 + self._node(node.test) + max(self._node(node.expr1), other)


def _is_number(node: nodes.Node) -> bool:
    """Whether an expression is a number for sure, so that what it is added to is one."""
    if isinstance(node, nodes.Filter):
        return node.name in ("length", "count")
    return isinstance(node, nodes.Const) and isinstance(node.value, (int, float))


def _looking_for(node: nodes.Node) -> int:
    """Return the weight of looking for a text in a short one, or in a short list."""
    if isinstance(node, nodes.Const) and isinstance(node.value, str):
        return _FOR_EACH_CHARACTER * min(len(node.value), _LOOKED_FOR)
    return _FOR_EACH_CHARACTER * 8
