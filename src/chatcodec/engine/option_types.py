"""Of which type an option is meant to be, by what a template does with it, and what stands in where it is not given.

Rules: every use of the name is a witness: a test for truth says nothing of numbers and texts, a comparison says what it
compares with. Witnesses that disagree, or say nothing, leave it open. What ``default`` gives, or is assigned where the
option is not defined, is its default.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

from jinja2 import nodes

from chatcodec.engine.tree import Index, children

OptionType = Literal["boolean", "number", "string", "any"]
_Witness = Literal["boolean", "number", "string", "other", "truth", "nothing"]

_TESTS: dict[str, _Witness] = {
    "true": "boolean", "false": "boolean", "boolean": "boolean", "string": "string", "number": "number",
    "integer": "number", "float": "number", "defined": "nothing", "undefined": "nothing", "none": "nothing",
}  # fmt: skip
_FILTERS: dict[str, _Witness] = {
    "trim": "string", "upper": "string", "lower": "string", "int": "number", "float": "number", "string": "other",
    "default": "nothing", "d": "nothing",
}  # fmt: skip
_METHODS = frozenset({"strip", "lstrip", "rstrip", "lower", "upper", "startswith", "endswith", "split", "replace"})


class OptionTypes:
    """Looks at every use of each name in a template once."""

    def __init__(self, index: Index):
        self._witnesses: dict[str, set[_Witness]] = {}
        self._defaults: dict[str, Any] = {}
        self._words: dict[str, dict[str, None]] = {}
        self._look(index.template, None)
        for compare in index.all(nodes.Compare):
            self._compared(compare)
        for node in index.all(nodes.If):
            self._assigned_default(node)

    def type_of(self, name: str) -> OptionType:
        """Return the type that an option is meant to be of."""
        said = self._witnesses.get(name, set()) - {"nothing"}
        default = self._defaults.get(name)
        if isinstance(default, bool):
            said.add("boolean")
        if said and said <= {"boolean", "truth"}:
            return "boolean"
        for kind in ("number", "string"):
            if kind in said and said <= {kind, "truth", "other"}:
                return kind
        return "any"

    def default_of(self, name: str) -> Any:
        """Return what stands in for an option that is not given, as far as the source says it; else None."""
        return self._defaults.get(name)

    def words_of(self, name: str) -> tuple[str, ...]:
        """Return the texts that an option is compared with."""
        return tuple(self._words.get(name, ()))

    def _look(self, node: nodes.Node, around: nodes.Node | None) -> None:
        for child in children(node):
            if isinstance(child, nodes.Name) and child.ctx == "load":
                self._witnesses.setdefault(child.name, set()).update(self._said(child, node, around))
            else:
                self._look(child, node)

    def _said(self, name: nodes.Name, by: nodes.Node, around: nodes.Node | None) -> Iterable[_Witness]:
        if isinstance(by, nodes.Test):
            return [_TESTS.get(by.name, "other")]
        if isinstance(by, nodes.Filter):
            if by.name in ("default", "d") and by.node is name and by.args:
                self._default(name.name, by.args[0])
            return [_FILTERS.get(by.name, "other")]
        if isinstance(by, nodes.Operand) and isinstance(around, nodes.Compare):
            return [_kind(around.expr)]
        if isinstance(by, nodes.Compare):
            return [_kind(each) for operand in by.ops for each in _each(operand.expr)]
        if isinstance(by, (nodes.And, nodes.Or, nodes.Not, nodes.If)):
            return ["truth"]
        if isinstance(by, nodes.CondExpr):
            return ["truth" if by.test is name else "nothing"]
        if isinstance(by, nodes.Assign):
            return ["nothing"]
        if isinstance(by, nodes.Getattr):
            return ["string" if by.attr in _METHODS else "other"]
        return ["other"]

    def _compared(self, compare: nodes.Compare) -> None:
        """Take note of the texts that a name is compared with, behind filters and methods too."""
        parts: list[nodes.Node] = [compare.expr]
        for operand in compare.ops:
            inside = operand.op in ("in", "notin") and isinstance(operand.expr, nodes.Const)  # of a text, not of a list
            parts += [] if inside else _each(operand.expr)
        texts = [
            part.value for part in parts if isinstance(part, nodes.Const) and isinstance(part.value, str) and part.value
        ]
        for name in (_bare(part) for part in parts):
            if isinstance(name, nodes.Name) and texts:
                self._words.setdefault(name.name, {}).update(dict.fromkeys(texts))

    def _default(self, name: str, value: nodes.Node) -> None:
        if isinstance(value, nodes.Const):
            self._defaults.setdefault(name, value.value)

    def _assigned_default(self, node: nodes.If) -> None:
        """Take note of ``if x is not defined: set x = value``."""
        test = node.test
        if isinstance(test, nodes.Not) and isinstance(test.node, nodes.Test) and test.node.name == "defined":
            missing: nodes.Node = test.node.node
        elif isinstance(test, nodes.Test) and test.name == "undefined":
            missing = test.node
        else:
            return
        for each in node.body:
            same = (
                isinstance(each, nodes.Assign)
                and isinstance(each.target, nodes.Name)
                and isinstance(missing, nodes.Name)
            )
            if same and each.target.name == missing.name:  # type: ignore[attr-defined]
                value = each.node  # type: ignore[attr-defined]
                negated = getattr(value.node, "value", None) if isinstance(value, nodes.Neg) else None
                if isinstance(negated, (int, float)) and not isinstance(negated, bool):
                    self._defaults.setdefault(missing.name, -negated)  # type: ignore[attr-defined]
                self._default(missing.name, value)  # type: ignore[attr-defined]


def _bare(node: nodes.Node | None) -> nodes.Node | None:
    """Return what filters and methods are used on."""
    while True:
        if isinstance(node, nodes.Filter):
            node = node.node
        elif isinstance(node, nodes.Call) and isinstance(node.node, nodes.Getattr):
            node = node.node.node
        else:
            return node


def _each(node: nodes.Node) -> Iterable[nodes.Node]:
    """Return the items of a list in the source, or what is none."""
    return node.items if isinstance(node, (nodes.List, nodes.Tuple)) else [node]


def _kind(node: nodes.Node) -> _Witness:
    if isinstance(node, nodes.Neg):
        return _kind(node.node)
    if not isinstance(node, nodes.Const):
        return "other"
    value = node.value
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, str):
        return "string"
    return "number" if isinstance(value, (int, float)) else "nothing"
