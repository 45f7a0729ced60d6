"""Which name means which variable: the scopes of a template, as jinja2 3.1 defines them.

A scope is entered by the template, a loop's body (anew for each item), a macro, a block that is captured. Rules, each
as in jinja2's own compiler, since templates depend on them:

- what is set in a scope is a variable of that scope, everywhere in it: it begins as the variable of the same name
  around it, or else as undefined, even if the caller passed an option of that name;
- but a name that is read first, or set in only some branches of an ``if``, begins with the caller's option;
- ``if`` opens no scope. What a block, macro or loop inside sets is not seen outside.

It knows names and nothing of values.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

from jinja2 import nodes

from chatcodec.engine.tree import children, names_below

Begins = Literal["parameter", "option", "alias", "undefined"]


class Start(NamedTuple):
    """How a variable begins: as a parameter, an option (its name), another variable (it), or undefined."""

    how: Begins
    what: str = ""


class Scope:
    """The variables of one scope. ``starts`` says how each begins, by its Python name."""

    def __init__(self, parent: Scope | None = None):
        self.parent = parent
        self.level: int = 0 if parent is None else parent.level + 1
        self.variables: dict[str, str] = {}
        self.starts: dict[str, Start] = {}
        self.stored: set[str] = set()

    def find(self, name: str) -> str | None:
        """Return the variable that `name` means here, None if nothing in this scope or around it is called so."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.variables:
                return scope.variables[name]
            scope = scope.parent
        return None

    def variable(self, name: str) -> str:
        """Return the variable that a name of the template means here."""
        found = self.find(name)
        assert found is not None, name
        return found

    def start_of(self, variable: str) -> Start | None:
        """Return how a variable of this scope, or of one around it, begins."""
        scope: Scope | None = self
        while scope is not None:
            if variable in scope.starts:
                return scope.starts[variable]
            scope = scope.parent
        return None

    def add_parameter(self, name: str) -> str:
        """Add a variable that is given from outside."""
        self.stored.add(name)
        return self._add(name, Start("parameter"))

    def read(self, name: str) -> None:
        """Take note that `name` is read."""
        if self.find(name) is None:
            self._add(name, Start("option", name))

    def store(self, name: str) -> None:
        """Take note that `name` is set."""
        self.stored.add(name)
        if not self.has(name):
            outer = self.parent.find(name) if self.parent else None
            self._add(name, Start("undefined") if outer is None else Start("alias", outer))

    def visit(self, body: Iterable[nodes.Node]) -> None:
        """Take note of all names that statements and expressions read and set in this scope, in their order."""
        for node in body:
            self._visit(node)

    def add_targets(self, target: nodes.Node) -> None:
        """Add what a loop assigns to for each item."""
        for name in names_in(target):
            self.add_parameter(name)

    def _add(self, name: str, start: Start) -> str:
        variable = self.variables[name] = f"v{self.level}_{name}"
        self.starts[variable] = start
        return variable

    def _visit(self, node: nodes.Node) -> None:
        if isinstance(node, nodes.Name):
            take_note = {"store": self.store, "param": self.add_parameter}.get(node.ctx, self.read)
            take_note(node.name)
        elif isinstance(node, nodes.NSRef):
            self.read(node.name)
        elif isinstance(node, nodes.If):
            self._visit_if(node)
        elif isinstance(node, nodes.Assign):
            self._visit(node.node)
            self._visit(node.target)
        elif isinstance(node, nodes.Macro):
            self.store(node.name)
        elif isinstance(node, nodes.AssignBlock):
            self._visit(node.target)
        else:
            self.visit(own_expressions(node))

    def _visit_if(self, node: nodes.If) -> None:
        self._visit(node.test)
        branches = []
        for body in (node.body, node.elif_, node.else_):
            branch = _Branch(self)
            branch.visit(body)
            branches.append(branch)
        stored = set[str]().union(*(branch.stored for branch in branches))
        set_here = {name for name in stored if not self.has_stored(name)}
        for branch in branches:
            self.variables.update(branch.variables)
            self.starts.update(branch.starts)
            self.stored.update(branch.stored)
        for name in set_here:
            outer = self.parent.find(name) if self.parent else None
            self.starts[self.variable(name)] = Start("option", name) if outer is None else Start("alias", outer)

    def has(self, name: str) -> bool:
        """Whether something in this scope itself is called so."""
        return name in self.variables

    def has_stored(self, name: str) -> bool:
        """Whether something in this scope is set by that name."""
        return name in self.stored


class _Branch(Scope):
    """What a branch of an ``if`` adds to a scope: only that is in it."""

    def __init__(self, base: Scope):
        super().__init__(base.parent)
        self._base = base

    def find(self, name: str) -> str | None:
        return self.variables.get(name) or self._base.find(name)

    def has(self, name: str) -> bool:
        return super().has(name) or self._base.has(name)

    def has_stored(self, name: str) -> bool:
        return super().has_stored(name) or self._base.has_stored(name)


def own_expressions(node: nodes.Node) -> Iterable[nodes.Node]:
    """Return what of a node is evaluated in the scope around it: not the bodies of those that open one."""
    if isinstance(node, nodes.For):
        return (node.iter,)
    if isinstance(node, nodes.CallBlock):
        return (node.call,)
    if isinstance(node, nodes.FilterBlock):
        return (node.filter,)
    if isinstance(node, nodes.With):
        return node.values
    if isinstance(node, (nodes.Scope, nodes.Block)):
        return ()
    return children(node)


def names_in(target: nodes.Node) -> list[str]:
    """Return the names that a target assigns to."""
    return [target.name] if isinstance(target, nodes.Name) else [name.name for name in names_below(target)]


def undeclared(body: Iterable[nodes.Node], names: Iterable[str]) -> set[str]:
    """Return which of `names` are read in `body` before anything there assigns to them, in the order of the source."""
    looked_for, found = set(names), set[str]()

    def visit(node: nodes.Node) -> None:
        if isinstance(node, nodes.Name):
            if node.ctx == "load" and node.name in looked_for:
                found.add(node.name)
            else:
                looked_for.discard(node.name)
        elif not isinstance(node, nodes.Block):
            for child in children(node):
                visit(child)

    for each in body:
        visit(each)
    return found
