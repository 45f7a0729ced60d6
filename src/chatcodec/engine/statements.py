"""Statements of a template as Python statements.

Rules: text goes into a list, ``out``, as pieces that are joined at the end. A macro and a captured block begin with the
variables of their scope. Loops and macros are written by the parts of this class that have files of their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from jinja2 import nodes

from chatcodec.engine.calls import Expressions
from chatcodec.engine.code import Source
from chatcodec.engine.endings import ending_of, prints
from chatcodec.engine.facts import Facts
from chatcodec.engine.faults import Fault
from chatcodec.engine.limits import PIECE
from chatcodec.engine.printing import Piece, is_choice, literal_of, merged
from chatcodec.engine.scope import Scope
from chatcodec.engine.tree import children, walk
from chatcodec.engine.writing import Place, Value


@dataclass(frozen=True)
class Frame:
    """Where a statement stands: its scope, the list that text goes into, whether a condition may pass it over."""

    scope: Scope
    out: str
    soft: bool = False

    @property
    def place(self) -> Place:
        """The same for expressions."""
        return Place(self.scope, self.soft)


class Statements:
    """Writes statements of one template: output, conditions, assignments, blocks that are captured."""

    writers: dict[type, str]

    def __init__(self, code: Source, facts: Facts, expressions: Expressions):
        self.code, self.facts, self.expressions = code, facts, expressions
        self.options: dict[str, str] = {}  # by name: the variable that holds what the caller gives

    def body(self, statements: Iterable[nodes.Node], frame: Frame) -> None:
        """Write statements, outputs that follow each other as one."""
        printed: list[nodes.Node] = []
        for node in statements:
            if isinstance(node, nodes.Output) or self.is_choice(node):
                printed.append(node)
                continue
            self.output(printed, frame)
            printed = []
            self.code.at(node.lineno)
            self.statement(node, frame)
        self.output(printed, frame)

    def statement(self, node: nodes.Node, frame: Frame) -> None:
        """Write a statement that is no output."""
        name = self.writers.get(type(node))
        if name is None:
            raise Fault(f"{type(node).__name__} is not supported")
        getattr(self, name)(node, frame)

    # Output

    def output(self, printed: Sequence[nodes.Node], frame: Frame) -> None:
        """Write what is printed."""
        pieces: list[Piece] = []
        for statement in printed:
            if isinstance(statement, nodes.If):
                pieces.append(self._choice(statement, frame))
                continue
            assert isinstance(statement, nodes.Output)
            for node in statement.nodes:
                self.code.at(node.lineno)
                macro = self._printed_macro(node, frame)
                if macro is None:
                    pieces += [Piece(text, node.lineno) for text in self.expressions.pieces(node, frame.place)]
                    continue
                self.write_pieces(pieces, frame)
                pieces = []
                function, *given = macro
                self.code.at(node.lineno)
                self.code.line(f"{function}({', '.join([frame.out, *given])})")
        self.write_pieces(pieces, frame)

    def is_choice(self, node: nodes.Node) -> bool:
        """Whether a statement is printed as a choice between texts of the template."""
        return is_choice(node)

    def _choice(self, node: nodes.If, frame: Frame) -> Piece:
        """Return a choice between texts of the template."""
        expressions, arms, ends = self.expressions, [], []
        for branch in (node, *node.elif_):
            self.code.at(branch.lineno)
            test, passed, expressions.flow = expressions.tested(branch.test, frame.place.softer())
            arms.append((test, literal_of(branch.body) or ""))
            ends.append(passed)
        for end in ends:
            expressions.flow = expressions.flow.meet(end)
        return Piece(literal_of(node.else_) or "", node.lineno, tuple(arms))

    def _printed_macro(self, node: nodes.Node, frame: Frame) -> list[str] | None:
        if not (isinstance(node, nodes.Call) and isinstance(node.node, nodes.Name)):
            return None
        name = node.node.name
        if name not in self.facts.macros or name in self.facts.returning:
            return None
        given = self.expressions.macro_arguments(name, node, frame.place)
        return None if given is None else [f"macro_{name}", *given]

    def write_pieces(self, pieces: Sequence[Piece], frame: Frame) -> None:
        """Write that pieces go into the output."""
        found = [self.measured(piece) for piece in merged(pieces)]
        if len(found) == 1:
            self.code.at(found[0].line)
            self.code.line(f"{frame.out}.append({found[0].source})")
        elif found:
            self._tuple(f"{frame.out} += (", found, ")")

    def append(self, text: str, frame: Frame) -> None:
        """Write that one more text goes into the output."""
        self.code.line(f"{frame.out}.append({self.measured(Piece(text, self.code.place)).source})")

    def measured(self, piece: Piece) -> Piece:
        """Return a piece that is told to the run if it is long."""
        if piece.is_literal and piece.longest < PIECE:
            return piece
        long = f"{self.expressions.run('long_piece')}(p)"
        return Piece(f"(p if len(p := {piece.source}) < {PIECE} else {long})", piece.line)

    def _tuple(self, opening: str, pieces: Sequence[Piece], closing: str) -> None:
        """Write pieces, each on the line of its own."""
        self.code.at(pieces[0].line)
        with self.code.block(opening):
            for piece in pieces:
                self.code.at(piece.line)
                self.code.line(f"{piece.source},")
        self.code.line(closing)

    def returned(self, statements: Sequence[nodes.Node], frame: Frame) -> None:
        """Write statements, and the return of the text that they print."""
        before, last, printed = ending_of(statements)
        if any(map(prints, before)):
            self.code.line(f"{frame.out} = []")
            self.body(statements, frame)
            self.code.line(f"return {self.expressions.run('joined')}({frame.out})")
            return
        self.body(before, frame)
        if last is not None:
            self.condition(last, frame, returns=True)
            self.code.line("return ''")
            return
        given: list[Piece] = []
        for node in (each for output in printed for each in output.nodes):
            self.code.at(node.lineno)
            given += [Piece(text, node.lineno) for text in self.expressions.returned(node, frame.place)]
        found = merged(given)
        if not found:
            self.code.line("return ''")
        elif len(found) == len(given) == 1:
            self.code.at(found[0].line)
            self.code.line(f"return {found[0].source}")
        else:
            self._tuple(f"return {self.expressions.run('join_texts')}((", found, "))")

    # Conditions

    def condition(self, node: nodes.If, frame: Frame, returns: bool = False) -> None:
        """Write ``if``; if it is the last thing of a macro, with the return of its text."""
        soft, expressions = replace(frame, soft=True), self.expressions
        write = self.returned if returns else self.body
        word, ends = "if", []
        for branch in (node, *node.elif_):
            self.code.at(branch.lineno)
            test, expressions.flow, passed_over = expressions.tested(branch.test, soft.place)
            with self.code.block(f"{word} {test}:"):
                self.branch(branch.test, branch.body, soft, write)
            ends.append(expressions.flow)
            expressions.flow, word = passed_over, "elif"
        if node.else_:
            with self.code.block("else:"):
                self.branch(None if node.elif_ else nodes.Not(node.test), node.else_, soft, write)
        for end in ends:
            expressions.flow = expressions.flow.meet(end)

    def branch(self, test: nodes.Node | None, body: list[nodes.Node], frame: Frame, write: object) -> None:  # noqa: ARG002
        """Write the body of a branch that is taken if `test` holds."""
        assert callable(write)
        write(body, frame)

    # Assignments

    def assignment(self, node: nodes.Assign, frame: Frame) -> None:
        """Write ``set a = b``."""
        if isinstance(node.target, nodes.Name) and node.target.name in self.facts.namespaces:
            assert isinstance(node.node, nodes.Call)
            members = [
                f"{each.key!r}: {self.expressions.value(each.value, frame.place).text}" for each in node.node.kwargs
            ]
            self.code.line(f"{frame.scope.variable(node.target.name)} = {{{', '.join(members)}}}")
            return
        value = self.expressions.value(node.node, frame.place)
        references = {each.name for each in (node.target, *walk(node.target)) if isinstance(each, nodes.NSRef)}
        for name in sorted(references - self.facts.namespaces.keys()):
            self.code.line(f"expect_namespace({frame.scope.variable(name)})")
        self.code.line(f"{target_text(node.target, frame.scope)} = {value.text}")
        for name in _assigned(node.target):
            single = isinstance(node.target, nodes.Name)
            flow, variable = self.expressions.flow, frame.scope.variable(name)
            origin = flow.origins.get(value.name)
            flow.assign(variable, *((value.kind, value.literal) if single else ()))
            if single and origin is not None and variable not in origin:
                flow.origins[variable] = origin

    def captured_assignment(self, node: nodes.AssignBlock, frame: Frame) -> None:
        """Write ``set a`` with a block."""
        inner = Scope(frame.scope)
        inner.visit(node.body)
        if node.filter is not None:
            inner.visit(children(node.filter))
        with self.captured(inner, node.body) as text:
            value = Value(text, "str", text) if node.filter is None else self._filters(node.filter, text, inner)
            self.code.line(f"{target_text(node.target, frame.scope)} = {value.text}")
        for name in _assigned(node.target):
            self.expressions.flow.assign(frame.scope.variable(name), value.kind)

    def filter_block(self, node: nodes.FilterBlock, frame: Frame) -> None:
        """Write ``filter``."""
        inner = Scope(frame.scope)
        inner.visit([node.filter, *node.body])
        with self.captured(inner, node.body) as text:
            value = self._filters(node.filter, text, inner)
            self.append(self.expressions.printed(value), frame)

    def _filters(self, node: nodes.Filter, text: str, scope: Scope) -> Value:
        """Return the source of what filters make of a captured text: the innermost has no value of its own."""
        inner = Value(text, "str", text)
        if isinstance(node.node, nodes.Filter):
            inner = self._filters(node.node, text, scope)
        return self.expressions.filtered(inner, node, Place(scope))

    @contextmanager
    def captured(self, scope: Scope, body: Sequence[nodes.Node]) -> Iterator[str]:
        """Write a body whose text is captured, and give the name that has it."""
        out = self.code.name("out")
        with self.expressions.branch():
            self.code.line(f"{out} = []")
            self.enter(scope)
            self.body(body, Frame(scope, out))
            self.code.line(f"{out} = {self.expressions.run('joined')}({out})")
            yield out

    def with_(self, node: nodes.With, frame: Frame) -> None:
        """Write ``with``."""
        inner = Scope(frame.scope)
        inner.visit([*node.targets, *node.body])
        with self.expressions.branch():
            self.enter(inner)
            for target, value in zip(node.targets, node.values, strict=True):
                self.code.line(f"{target_text(target, inner)} = {self.expressions.value(value, frame.place).text}")
                for name in _assigned(target):
                    self.expressions.flow.assign(inner.variable(name))
            self.body(node.body, Frame(inner, frame.out))

    def scoped(self, node: nodes.Scope, frame: Frame) -> None:
        """Write a body with a scope of its own."""
        inner = Scope(frame.scope)
        inner.visit(node.body)
        with self.expressions.branch():
            self.enter(inner)
            self.body(node.body, Frame(inner, frame.out))

    def enter(self, scope: Scope) -> None:
        """Write how the variables of a scope begin."""
        flow = self.expressions.flow
        for variable, (how, what) in scope.starts.items():
            if how == "parameter":
                continue
            if how == "option":
                held = self.options.setdefault(what, f"option_{what}")
                self.code.line(f"{variable} = {held}")
            elif how == "alias":
                self.code.line(f"{variable} = {what}")
            elif how == "undefined":
                self.code.line(f"{variable} = {self.expressions.undefined_name(variable.partition('_')[2])}")
            same = (flow.kinds.get(what, "any"), flow.constants.get(what, "")) if how == "alias" else ()
            flow.assign(variable, *same)


def target_text(target: nodes.Node, scope: Scope) -> str:
    """Return the source of what is assigned to."""
    if isinstance(target, nodes.Name):
        return scope.variable(target.name)
    if isinstance(target, nodes.NSRef):
        return f"{scope.variable(target.name)}[{target.attr!r}]"
    assert isinstance(target, nodes.Tuple)
    items = ", ".join(target_text(item, scope) for item in target.items)
    return f"({items},)"


def _assigned(target: nodes.Node) -> list[str]:
    """Return the names that a target assigns to, namespaces left out."""
    if isinstance(target, nodes.Name):
        return [target.name]
    return [name for each in children(target) for name in _assigned(each)]
