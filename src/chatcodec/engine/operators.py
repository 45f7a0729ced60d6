"""Operators, lists, dicts, choices, and what is printed, as Python source.

Rules: a sum whose operands go straight into the output need not be made. An operation that grows is charged first,
inline while it is small.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from jinja2 import nodes

from chatcodec.engine.flow import Flow, Kind
from chatcodec.engine.limits import FEW, LONG, SHORT
from chatcodec.engine.loads import Loads
from chatcodec.engine.writing import Place, Value

_COMPARED = {
    "eq": "==", "ne": "!=", "gt": ">", "gteq": ">=", "lt": "<", "lteq": "<=", "in": "in", "notin": "not in",
}  # fmt: skip
_ARITHMETIC: dict[type, str] = {
    nodes.Mul: "multiply", nodes.Div: "divide", nodes.FloorDiv: "divide_whole", nodes.Mod: "modulo", nodes.Pow: "power",
}  # fmt: skip


class Operators(Loads):
    """Writes what is made of other values."""

    def sequence(self, node: nodes.List | nodes.Tuple, at: Place) -> Value:
        """Return a list or tuple."""
        values = [self.value(item, at.fully()) for item in node.items]
        items = ", ".join(value.text for value in values)
        text = f"[{items}]" if isinstance(node, nodes.List) else f"({items},)" if items else "()"
        return Value(text, constant=at.bare and all(value.constant for value in values))

    def mapping(self, node: nodes.Dict, at: Place) -> Value:
        """Return a dict."""
        items = []
        for pair in node.items:
            key, value = self.value(pair.key, at.fully()), self.value(pair.value, at.fully())
            short = key.constant or key.kind in ("str", "bool")
            items.append(f"{key.text if short else self.run('key') + f'({key.text})'}: {value.text}")
        return Value(f"{{{', '.join(items)}}}", "dict")

    def logic(self, node: nodes.And | nodes.Or, at: Place) -> Value:
        """Return ``and`` and ``or``."""
        if at.bare:
            return Value(self.test(node, at))
        word = "and" if isinstance(node, nodes.And) else "or"
        if isinstance(node.left, nodes.Const):  # jinja2 reckons that beforehand
            return self.value(node.right if bool(node.left.value) is (word == "and") else node.left, at)
        left = self.value(node.left, at)
        with self.branch():
            if word == "and":
                self.narrow(self.flow, node.left, at)
            right = self.value(node.right, at)
        return Value(f"({left.text} {word} {right.text})", left.kind if left.kind == right.kind else "any")

    def negation(self, node: nodes.Not, at: Place) -> Value:
        """Return ``not``."""
        return Value(self.test(node, at), "bool")

    def sign(self, node: nodes.Neg | nodes.Pos, at: Place) -> Value:
        """Return a sign before a number."""
        value = self.value(node.node, at.barely())
        if isinstance(node, nodes.Neg) and not value.constant and value.kind not in ("int", "bool"):
            return Value(f"{self.run('negative')}({value.text})")
        return Value(f"({'-' if isinstance(node, nodes.Neg) else '+'}{value.text})")

    def comparison(self, node: nodes.Compare, at: Place) -> Value:
        """Return comparisons."""
        bare, first, *others = at.barely(), node.ops[0], *node.ops[1:]
        if not others:
            return Value(self._compared(first.op, node.expr, first.expr, bare), "bool")
        left = self.value(node.expr, bare).text
        known, bound = self.bound(self.value(first.expr, bare))
        parts = [self._charged(_COMPARED[first.op], left, bound)]
        with self.branch():
            for operand in others:
                left, (known, bound) = known, self.bound(self.value(operand.expr, bare))
                parts.append(self._charged(_COMPARED[operand.op], left, bound))
        return Value(f"({' and '.join(parts)})", "bool")

    def _charged(self, word: str, left: str, right: str) -> str:
        """Return the source of a comparison that the run makes."""
        if word in ("in", "not in"):
            return f"{'not ' if word == 'not in' else ''}{self.run('contained')}({left}, {right})"
        return f"{self.run('compared')}({left}, {word!r}, {right})"

    def _compared(self, operator: str, left: nodes.Node, right: nodes.Node, at: Place) -> str:
        word = _COMPARED[operator]
        if operator in ("in", "notin"):
            return self._contained(word, left, right, at)
        values = self.value(left, at), self.value(right, at)
        if any(value.constant or value.kind in ("int", "bool") for value in values):
            return f"({values[0].text} {word} {values[1].text})"
        return self._charged(word, values[0].text, values[1].text)

    def _contained(self, word: str, left: nodes.Node, right: nodes.Node, at: Place) -> str:
        part, whole = self.value(left, at), self.value(right, at)
        if whole.constant and (whole.kind != "str" or len(whole.text) < SHORT):
            return f"({part.text} {word} {whole.text})"
        if not whole.constant and not part.constant and part.text == part.name and not self.facts.lazy:
            known, bound = self.bound(whole)
            few = f"type({bound}) in HOLDING and len({known}) < {FEW} and {self.is_loaded_text(part.name)}"
            return f"({part.name} {word} {known} if {few} else {self._charged(word, part.name, known)})"
        short = part.constant and part.kind == "str" and len(part.text) < SHORT
        if whole.constant or not short or self.facts.lazy:
            return f"({self._charged(word, part.text, whole.text)})"
        known, bound = self.bound(whole)
        fast, slow = f"{part.text} {word} {known}", self._charged(word, part.text, known)
        if whole.kind == "str":
            return self.short(known, bound, fast, slow)
        return f"({fast} if {self.is_quickly_read(known, bound)} else {slow})"

    def choice(self, node: nodes.CondExpr, at: Place) -> Value:
        """Return ``a if b else c``."""
        soft = at.softer()
        condition, true, false = self.tested(node.test, soft)
        self.flow = true
        first = self.value(node.expr1, soft)
        if node.expr2 is None:
            self.flow = false.meet(self.flow)
            words = (
                f"the inline if-expression on line {node.lineno} evaluated to false and no else section was defined."
            )
            return Value(f"({first.text} if {condition} else {self.undefined(words)})")
        true, self.flow = self.flow, false
        second = self.value(node.expr2, soft)
        self.flow = true.meet(self.flow)
        kind = first.kind if first.kind == second.kind else "any"
        return Value(f"({first.text} if {condition} else {second.text})", kind)

    def narrow(self, flow: Flow, test: nodes.Node, at: Place) -> None:
        """Take note in `flow` of what holds where a test was passed."""
        if isinstance(test, nodes.And):
            self.narrow(flow, test.left, at)
            self.narrow(flow, test.right, at)
        elif isinstance(test, nodes.Test) and not self.facts.marks:
            held = self.held(test.node, at)
            if test.name == "string" and held:
                flow.kinds[held] = "str"
            elif test.name == "mapping" and held:
                flow.kinds[held] = "dict"
        elif isinstance(test, nodes.Compare) and not self.facts.marks:
            self.narrow_to(flow, test, at)

    def narrow_to(self, flow: Flow, test: nodes.Compare, at: Place) -> None:
        """Take note in `flow` of the text that a value is where it was found to be equal."""
        [operand, *others] = test.ops
        text = operand.expr.value if isinstance(operand.expr, nodes.Const) else None
        held = self.held(test.expr, at)
        if not others and operand.op == "eq" and isinstance(text, str) and held:
            flow.constants[held] = repr(text)

    # Sums

    def sum(self, node: nodes.Add, at: Place) -> Value:
        """Return ``a + b``."""
        values = [self.value(each, at) for each in operands(node)]
        if not self._has_text(values):
            return self._total(values)
        if len(values) == 2 and all(value.kind == "str" and value.name for value in values):
            left, right = values
            slow = f"{self.run('add')}({left.name}, {right.name})"
            length = f"len({left.text}) + len({right.text})"
            return Value(f"({left.name} + {right.name} if {length} < {LONG} else {slow})", "str")
        return Value(f"{self.run('join_texts')}(({', '.join(value.text for value in values)}))", "str")

    def _has_text(self, values: Iterable[Value]) -> bool:
        """Whether a sum can only be one of texts."""
        return not self.facts.marks and any(value.kind == "str" for value in values)

    def _total(self, values: Sequence[Value]) -> Value:
        """Return the sum of what may be no texts."""
        if all(value.kind == "int" for value in values):
            return Value(f"({' + '.join(value.text for value in values)})", "int")
        name = self.run("add" if len(values) == 2 else "sum_of")
        return Value(f"{name}({', '.join(value.text for value in values)})")

    def difference(self, node: nodes.Sub, at: Place) -> Value:
        """Return ``a - b``."""
        left, right = self.value(node.left, at), self.value(node.right, at)
        if left.kind == right.kind == "int":  # lengths, indexes and numbers of the source: each adds a bit at most
            return Value(f"({left.text} - {right.text})", "int")
        return Value(f"{self.run('subtract')}({left.text}, {right.text})")

    def arithmetic(self, node: nodes.BinExpr, at: Place) -> Value:
        """Return the other operators of two operands."""
        left, right = self.value(node.left, at), self.value(node.right, at)
        name = _ARITHMETIC[type(node)]
        kind: Kind = "str" if name == "modulo" and left.kind == "str" and not self.facts.marks else "any"
        return Value(f"{self.run(name)}({left.text}, {right.text})", kind)

    def joined(self, node: nodes.Concat, at: Place) -> Value:
        """Return ``a ~ b``."""
        texts = [self.printed(self.value(each, at)) for each in node.nodes]
        return Value(f"{self.run('join_texts')}(({', '.join(texts)},))", "str")

    # What is printed

    def pieces(self, node: nodes.Node, at: Place) -> list[str]:
        """Return the sources of the texts that an expression prints one behind the other.

        A sum of texts need not be made to be printed. An operand that is no text fails when the pieces are joined, as
        the sum would have failed.
        """
        if isinstance(node, nodes.Concat):
            return [piece for each in node.nodes for piece in self.pieces(each, at)]
        if isinstance(node, nodes.Filter) and node.name == "safe" and node.node is not None and not node.args:
            return self.pieces(node.node, at)
        if isinstance(node, nodes.Add):
            return self._added(list(operands(node)), at)
        return [self.shown(node, at)]

    def returned(self, node: nodes.Node, at: Place) -> list[str]:
        """Return the sources of the texts that are returned one behind the other instead of being printed."""
        return self.pieces(node, at)

    def _added(self, summands: list[nodes.Node], at: Place) -> list[str]:
        values: list[Value] = []
        pieces: list[str] = []
        for node in summands:
            value, shown = self.summand(node, at)
            values.append(value)
            pieces += shown
        return pieces if self._has_text(values) else [self.printed(self._total(values))]

    def summand(self, node: nodes.Node, at: Place) -> tuple[Value, list[str]]:
        """Return an operand of a sum, and the sources of the texts that it prints as one."""
        if isinstance(node, nodes.Concat) and not self.facts.marks:
            return Value("''", "str"), self.pieces(node, at)
        member = self.text_member(node, at)
        if member is None:
            value = self.value(node, at)
            return value, [value.text]
        value, test, other = member
        if not test:
            return value, [value.text]
        either = f"({value.name} if {test} else {other})"
        return Value(either, "any", value.name), [either]

    def shown(self, node: nodes.Node, at: Place) -> str:
        """Return the source of the text of an expression that is printed."""
        member = self.text_member(node, at)
        if member is None:
            return self.printed(self.value(node, at))
        value, test, other = member
        return f"({value.name} if {test} else {self.run('text')}({other}))" if test else self.printed(value)


def operands(node: nodes.Node) -> Iterable[nodes.Node]:
    """Yield the operands of a sum, in order."""
    if isinstance(node, nodes.Add):
        yield from operands(node.left)
        yield from operands(node.right)
    else:
        yield node
