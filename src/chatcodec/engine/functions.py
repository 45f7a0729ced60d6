"""Macros and call blocks of a template as Python functions, and the whole template as one.

Rules: the function of a macro takes the list that text goes into and the parameters in their order; one whose text is
never printed as it is called returns the text instead. ``MISSING`` stands for an argument that was not given.
"""

from __future__ import annotations

from collections.abc import Sequence

from jinja2 import nodes

from chatcodec.engine.faults import Fault
from chatcodec.engine.flow import Flow
from chatcodec.engine.loops import Loops
from chatcodec.engine.scope import Scope, undeclared
from chatcodec.engine.statements import Frame
from chatcodec.engine.tree import names_below

_SPECIAL = ("caller", "kwargs", "varargs")


class Functions(Loops):
    """Writes a whole template."""

    writers = {  # noqa: RUF012
        nodes.If: "condition",
        nodes.For: "loop",
        nodes.Assign: "assignment",
        nodes.AssignBlock: "captured_assignment",
        nodes.FilterBlock: "filter_block",
        nodes.With: "with_",
        nodes.Scope: "scoped",
        nodes.Macro: "macro",
        nodes.CallBlock: "call_block",
        nodes.Break: "leave",
        nodes.Continue: "leave",
    }

    def macro(self, node: nodes.Macro, frame: Frame) -> None:
        """Write ``macro``."""
        known = self.facts.macros.get(node.name) is node
        function = f"macro_{node.name}" if known else self.code.name("macro")
        made = self._function(node, function, node.name, frame)
        if not known or node.name not in self.facts.direct:
            self.code.line(f"{frame.scope.variable(node.name)} = {made}")

    def call_block(self, node: nodes.CallBlock, frame: Frame) -> None:
        """Write ``call``."""
        caller = self.code.name("caller")
        made = self._function(node, self.code.name("macro"), None, frame)
        self.code.line(f"{caller} = {made}")
        if isinstance(node.call.node, nodes.ExtensionAttribute):  # generation: what it says of the text is not asked
            self.append(f"{caller}()", frame)
            return
        value = self.expressions.call(node.call, frame.place, caller)
        self.append(self.expressions.printed(value), frame)

    def _function(self, node: nodes.Macro | nodes.CallBlock, function: str, name: str | None, frame: Frame) -> str:
        """Write the function of a macro, and return the source of the macro."""
        inner = Scope(frame.scope)
        inner.visit([*node.args, *node.defaults, *node.body])
        names = [argument.name for argument in node.args]
        special = [each for each in _SPECIAL if each in undeclared(node.body, _SPECIAL) and each not in names]
        parameters = [inner.variable(each) for each in names] + [inner.add_parameter(each) for each in special]
        if "caller" in names and "caller" in undeclared(node.body, ("caller",)):
            _expect_default(node, names)
        known = name is not None and self.facts.macros.get(name) is node
        self._write(node, function, parameters, Frame(inner, self.code.name("out")), name if known else None)
        facts = (tuple(names), "caller" in special, "kwargs" in special, "varargs" in special)
        weight = self.facts.weights.of_call(node)
        return f"{self.expressions.run('macro')}({function}, {weight}, {name!r}, {', '.join(map(repr, facts))})"

    def _write(
        self, node: nodes.Macro | nodes.CallBlock, function: str, parameters: list[str], frame: Frame, known: str | None
    ) -> None:
        deep, returns = known in self.facts.recursive, known in self.facts.returning
        before, self.expressions.flow = self.expressions.flow, Flow()
        with self.code.block(f"def {function}({', '.join(parameters if returns else [frame.out, *parameters])}):"):
            if deep:
                self.code.line(f"{self.expressions.run('deeper')}({self.facts.weights.of_call(node)})")
            self.enter(frame.scope)
            self._defaults(node, [argument.name for argument in node.args], frame)
            (self.returned if returns else self.body)(node.body, frame)
            if deep:
                self.code.line(f"{self.expressions.run('back')}()")
        self.expressions.flow = before

    def _defaults(self, node: nodes.Macro | nodes.CallBlock, names: Sequence[str], frame: Frame) -> None:
        without = len(names) - len(node.defaults)
        late = self._read_early(node, names, frame)
        for index, name in enumerate(names):
            variable = frame.scope.variable(name)
            if index < without:
                value = self.expressions.undefined(f"parameter {name!r} was not provided")
            else:
                with self.expressions.branch():
                    value = self.expressions.value(node.defaults[index - without], frame.place).text
            self.code.line(f"if {late.get(name) or f'{variable} is MISSING'}: {variable} = {value}")

    def _read_early(self, node: nodes.Macro | nodes.CallBlock, names: Sequence[str], frame: Frame) -> dict[str, str]:
        """Write that parameters are undefined while defaults read them too early; return who has to get a value yet."""
        read = {each.name for each in names_below(*node.defaults)} & set(names)
        late = {}
        for name in sorted(read):
            variable, flag = frame.scope.variable(name), self.code.name("late")
            self.code.line(f"{flag} = {variable} is MISSING")
            self.code.line(f"if {flag}: {variable} = {self.expressions.undefined_name(name)}")
            late[name] = flag
        return late

    def template(self, node: nodes.Template) -> None:
        """Write the whole template as one function."""
        scope = Scope()
        scope.visit(node.body)
        outer, self.code.lines, self.code.places = (self.code.lines, self.code.places), [], []
        with self.code.block("def root(run, out):"):
            self.enter(scope)
            self.body(node.body, Frame(scope, "out"))
        (first, *lines), (place, *places) = self.code.lines, self.code.places
        self.code.lines, self.code.places = outer
        self.code.line(first)
        for name in sorted(self.expressions.needs):
            self.code.line(f"    {name} = run.{name}")
        if self.options:
            self.code.line("    given = run.variables.get")
        for name, variable in self.options.items():
            self.code.line(f"    {variable} = given({name!r}, {self.expressions.undefined_name(name)})")
        self.code.lines += lines
        self.code.places += [place, *places][1:]


def _expect_default(node: nodes.Macro | nodes.CallBlock, names: Sequence[str]) -> None:
    if len(names) - names.index("caller") > len(node.defaults):
        raise Fault(
            'When defining macros or call blocks the special "caller" argument must be omitted or be given a default.'
        )
