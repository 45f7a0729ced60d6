"""Loops of a template as Python loops.

Rules: the body of a loop begins with the variables of its scope, anew for each item. What a loop tells of its item is
reckoned from an index, unless the template takes the loop in its hand. The passes of a loop are charged by its length,
before the first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from jinja2 import nodes

from chatcodec.engine.faults import Fault
from chatcodec.engine.flow import Flow
from chatcodec.engine.scope import Scope, names_in, undeclared
from chatcodec.engine.statements import Frame, Statements, target_text
from chatcodec.engine.tree import children, names_below, walk
from chatcodec.engine.writing import Loop, Place

_TOLD = frozenset({
    "index0", "index", "first", "last", "length", "revindex", "revindex0", "previtem", "nextitem",
})  # fmt: skip


class Loops(Statements):
    """Writes loops."""

    def loop(self, node: nodes.For, frame: Frame) -> None:
        """Write ``for``."""
        for name in names_below(node.target):
            if name.name == "loop":
                raise Fault("Can't assign to special loop variable in for-loop target")
        inner = Scope(frame.scope)
        looks = node.recursive or bool(undeclared(node.body, ("loop",)))
        variable = inner.add_parameter("loop") if looks else ""
        inner.add_targets(node.target)
        inner.visit(node.body)
        if node.recursive:
            self._recursive(node, frame, inner, variable)
            return
        with self.around(node, frame.out):
            self._usual(node, frame, inner, variable, looks)

    @contextmanager
    def around(self, node: nodes.For, out: str) -> Iterator[None]:  # noqa: ARG002
        """Write what is said around a loop."""
        yield

    def _usual(self, node: nodes.For, frame: Frame, inner: Scope, variable: str, looks: bool) -> None:
        missed = self.code.name("missed") if node.else_ else ""
        if missed:
            self.code.line(f"{missed} = True")
        by_index = looks and self._simple(node)
        iterated = self.expressions.iterated(node.iter, frame.place)
        items = self._listed(node, iterated, whole=by_index, watched=looks and not by_index)
        with self.expressions.branch():
            if by_index:
                if node.test is not None:
                    items = self._filtered(node, frame, items, lazy=False)
                self._loop_by_index(node, Frame(inner, frame.out), variable, (items, iterated), missed)
            else:
                if node.test is not None:
                    items = self._filtered(node, frame, items, lazy=True)
                target = target_text(node.target, inner)
                if looks:
                    target, items = f"{target}, {variable}", f"{self.expressions.run('looped')}({items})"
                self.loop_body(node, Frame(inner, frame.out), f"for {target} in {items}:", missed, iterated)
        self._otherwise(node, frame, missed)

    def _otherwise(self, node: nodes.For, frame: Frame, missed: str) -> None:
        if not missed:
            return
        otherwise = Scope(frame.scope)
        otherwise.visit(node.else_)
        with self.code.block(f"if {missed}:"), self.expressions.branch():
            self.enter(otherwise)
            self.body(node.else_, Frame(otherwise, frame.out))

    def _listed(self, node: nodes.For, value: str, whole: bool, watched: bool) -> str:
        """Write that the passes of a loop are charged, and return the source of what it goes through."""
        name = self.code.name("items")
        self.code.line(f"{name} = {value}")
        self.charge(name, self.facts.weights.of_pass(node, watched), "whole" if whole else "listed", value)
        return name

    def charge(self, name: str, weight: int, function: str, value: str) -> None:  # noqa: ARG002
        """Write that the passes through `name`, a `value`, are charged; most go through a list, or a dict's members."""
        self.charge_if(f"type({name}) in USUAL", name, weight, function)

    def charge_if(self, usual: str, name: str, weight: int, function: str) -> None:
        """Write that the passes through `name` are charged: at once if that is `usual`, else by a `function`."""
        with self.code.block(f"if {usual}:"):
            self.code.line(f"run.steps_left = left = run.steps_left - len({name}) * {weight}")
            self.code.line(f"if left < 0: {self.expressions.run('steps')}(0)")
        self.code.line(f"else: {name} = {self.expressions.run(function)}({name}, {weight})")

    def _simple(self, node: nodes.For) -> bool:
        """Whether a loop that looks at itself only asks where it is, and can list its items first."""
        if node.test is not None and not self._can_list_first(node.test):
            return False
        if self.facts.lazy and any(isinstance(each, nodes.Break) for each in walk(node)):
            return False  # what is left over may be gone through later
        return all(isinstance(use, nodes.Getattr) and use.attr in _TOLD for use in _uses_of_loop(node.body))

    def _can_list_first(self, test: nodes.Node) -> bool:
        """Whether a test of items says the same before the loop as in it."""
        names = {name.name for name in names_below(test)}
        return self.facts.steady and not names & (self.facts.namespaces.keys() | self.facts.macros.keys())

    def _loop_by_index(
        self, node: nodes.For, frame: Frame, variable: str, through: tuple[str, str], missed: str
    ) -> None:
        items, iterated = through
        loop = Loop(*(self.code.name(about) for about in ("i", "n", "items")))
        looks_around = any(getattr(use, "attr", "") in ("previtem", "nextitem") for use in _uses_of_loop(node.body))
        listed = f"{self.expressions.run('indexable')}({items})" if looks_around else items
        self.code.line(f"{loop.items} = {listed}")
        self.code.line(f"{loop.length} = len({loop.items})")
        self.expressions.loops[variable] = loop
        header = f"for {loop.at}, {target_text(node.target, frame.scope)} in enumerate({loop.items}):"
        self.loop_body(node, frame, header, missed, iterated)
        del self.expressions.loops[variable]

    def loop_body(self, node: nodes.For, frame: Frame, header: str, missed: str, iterated: str = "") -> None:
        """Write the header of a loop and what is done for each item of what `iterated` is the source of."""
        with self.code.block(header):
            self.item(node, frame, iterated)
            self.enter(frame.scope)
            self.body(node.body, frame)
            if missed:
                self.code.line(f"{missed} = False")

    def item(self, node: nodes.For, frame: Frame, iterated: str) -> None:  # noqa: ARG002
        """Write what is done with an item before anything else."""
        names = names_in(node.target)
        for name in names:
            variable = frame.scope.variable(name)
            self.expressions.flow.assign(variable)
            if len(names) == 1 or name != names[0] or not _gives_members(node.iter):
                self.code.line(f"if type({variable}) not in PLAIN: not_plain({variable})")

    def _filtered(self, node: nodes.For, frame: Frame, items: str, lazy: bool) -> str:
        """Return the source of the items that pass the loop's test."""
        inner = Scope(frame.scope)
        inner.add_targets(node.target)
        assert node.test is not None
        inner.visit([node.test])
        function, out = self.code.name("passing"), self.code.name("item")
        before, self.expressions.flow = self.expressions.flow, Flow()
        with self.code.block(f"def {function}(items):"):
            self.enter(inner)
            with self.code.block(f"for {out} in items:"):
                self.code.line(f"{target_text(node.target, inner)} = plain({out})")
                condition = self.expressions.test(node.test, Place(inner))
                with self.code.block(f"if {condition}:"):
                    self.code.line(f"yield {out}")
        self.expressions.flow = before
        return f"{function}({items})" if lazy else f"list({function}({items}))"

    def _recursive(self, node: nodes.For, frame: Frame, inner: Scope, variable: str) -> None:
        function, out = self.code.name("recur"), self.code.name("out")
        looped = self.expressions.run("looped")
        items = self.expressions.value(node.iter, frame.place).text
        before, self.expressions.flow = self.expressions.flow, Flow()
        with self.code.block(f"def {function}(items, _=None, depth=0):"):  # jinja2's loop gives its own function along
            self.code.line(f"{self.expressions.run('deeper')}(1)")
            self.code.line(f"{out} = []")
            listed = self._listed(node, "items", whole=False, watched=True)
            if node.test is not None:
                listed = self._filtered(node, replace(frame, scope=inner.parent or inner), listed, lazy=True)
            missed = self.code.name("missed") if node.else_ else ""
            if missed:
                self.code.line(f"{missed} = True")
            header = f"for {target_text(node.target, inner)}, {variable} in {looped}({listed}, {function}, depth):"
            with self.around(node, out):
                self.loop_body(node, Frame(inner, out), header, missed)
            self._otherwise(node, Frame(frame.scope, out), missed)
            self.code.line(f"{self.expressions.run('back')}()")
            self.code.line(f"return {self.expressions.run('joined')}({out})")
        self.expressions.flow = before
        self.append(f"{function}({items})", frame)

    def leave(self, node: nodes.Break | nodes.Continue, frame: Frame) -> None:  # noqa: ARG002
        """Write ``break`` and ``continue``."""
        self.code.line("break" if isinstance(node, nodes.Break) else "continue")


def _gives_members(node: nodes.Node) -> bool:
    """Whether an expression gives the members of a dict, whose names are text, or printed with a check."""
    if isinstance(node, nodes.Filter):
        return node.name in ("items", "dictsort")
    return isinstance(node, nodes.Call) and isinstance(node.node, nodes.Getattr) and node.node.attr == "items"


def _uses_of_loop(body: Iterable[nodes.Node]) -> Iterator[nodes.Node]:
    """Yield each use of ``loop`` in a body, with what is asked of it; loops within have their own."""
    for node in body:
        if (isinstance(node, nodes.Getattr) and isinstance(node.node, nodes.Name) and node.node.name == "loop") or (
            isinstance(node, nodes.Name) and node.name == "loop"
        ):
            yield node
        elif isinstance(node, nodes.For):
            yield from _uses_of_loop([node.iter])
            if node.test is not None:
                yield from _uses_of_loop([node.test])
            if not undeclared(node.body, ("loop",)) and not node.recursive:
                yield from _uses_of_loop(node.body)
            yield from _uses_of_loop(node.else_)
        else:
            yield from _uses_of_loop(children(node))
