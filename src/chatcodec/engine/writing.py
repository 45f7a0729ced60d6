"""What all code of a template is written with: values as Python source, places, and what is known where.

Rules: what is written first is evaluated first, since what an expression loads may be used again behind it. It knows
no kind of expression.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from jinja2 import nodes

from chatcodec.engine.code import Source
from chatcodec.engine.facts import Facts
from chatcodec.engine.faults import Fault
from chatcodec.engine.flow import Flow, Kind
from chatcodec.engine.limits import LONG, MANY
from chatcodec.engine.scope import Scope
from chatcodec.engine.undefined import Undefined, undefined_name


class Value(NamedTuple):
    """Python source of an expression.

    name: what says it again once it was evaluated, if anything does. constant: whether the template's source says what
    it is. literal: of a text of the template, its source as a text.
    """

    text: str
    kind: Kind = "any"
    name: str = ""
    constant: bool = False
    literal: str = ""


class Place(NamedTuple):
    """Where an expression stands.

    soft: an unknown filter may be here, since it may not be reached. bare: only what a value is counts, not where it
    came from, since it is tested and goes nowhere.
    """

    scope: Scope
    soft: bool = False
    bare: bool = False

    def softer(self) -> Place:
        """Return the same place, behind a condition."""
        return self._replace(soft=True)

    def barely(self) -> Place:
        """Return the same place, where a value is only tested."""
        return self if self.bare else self._replace(bare=True)

    def fully(self) -> Place:
        """Return the same place, where a value goes somewhere."""
        return self._replace(bare=False) if self.bare else self


class Loop(NamedTuple):
    """A loop whose ``loop`` is never seen as a whole: the names of its index (``at``), length and items."""

    at: str
    length: str
    items: str


class Writing:
    """Writes the expressions of one template; what is known here is in ``flow``."""

    writers: dict[type, str]

    def __init__(self, code: Source, facts: Facts):
        self.code, self.facts = code, facts
        self.flow = Flow()
        self.loops: dict[str, Loop] = {}  # by the variable `loop`
        self.needs: set[str] = set()  # what of the run is used

    def value(self, node: nodes.Node, at: Place) -> Value:
        """Return the source of an expression."""
        name = self.writers.get(type(node))
        if name is None:
            raise Fault(f"{type(node).__name__} is not supported")
        value: Value = getattr(self, name)(node, at)
        return value

    def test(self, node: nodes.Node, at: Place) -> str:
        """Return the source of a condition; what is known then is what holds either way."""
        text, true, false = self.tested(node, at)
        self.flow = true.meet(false)
        return text

    def tested(self, node: nodes.Node, at: Place) -> tuple[str, Flow, Flow]:
        """Return the source of a condition, what is known where it holds, and where it does not."""
        if isinstance(node, nodes.Not):
            text, true, false = self.tested(node.node, at)
            return f"(not {text})", false, true
        if isinstance(node, (nodes.And, nodes.Or)):
            both = isinstance(node, nodes.And)
            if isinstance(node.left, nodes.Const):  # jinja2 reckons that beforehand
                return self.tested(node.right if bool(node.left.value) is both else node.left, at)
            left, true, false = self.tested(node.left, at)
            self.flow = (true if both else false).copy()
            right, then, otherwise = self.tested(node.right, at)
            if both:
                return f"({left} and {right})", then, false.meet(otherwise)
            return f"({left} or {right})", true.meet(then), otherwise
        text = self.value(node, at.barely()).text
        true = self.flow.copy()
        self.narrow(true, node, at)
        return text, true, self.flow

    def narrow(self, flow: Flow, test: nodes.Node, at: Place) -> None:
        """Take note in `flow` of what holds where a test was passed."""

    def iterated(self, node: nodes.Node, at: Place) -> str:
        """Return the source of what a loop goes through."""
        return self.value(node, at).text

    def printed(self, value: Value) -> str:
        """Return the source of the text of a value."""
        if value.kind == "str":
            return value.text
        name, bound = self.bound(value)
        return f"({name} if type({bound}) is str else {self.run('text')}({name}))"

    def run(self, name: str) -> str:
        """Return the name of what the run has; it is then made known at the top."""
        self.needs.add(name)
        return name

    def bound(self, value: Value) -> tuple[str, str]:
        """Return a name for a value that is said more than once, and the source that is to be evaluated first."""
        if value.name:
            return value.name, value.text
        name = self.code.name("t")
        return name, f"({name} := {value.text})"

    def short(self, name: str, bound: str, fast: str, slow: str, most: int = LONG) -> str:  # noqa: ARG002
        """Return the source of what is done with a text: at once, or, if it is long, with charge."""
        return f"({fast} if len({bound}) < {most} else {slow})"

    def is_short(self, name: str, bound: str, most: int = LONG) -> str:
        """Return the source of whether a value is a text, and not long."""
        return f"type({bound}) is str and len({name}) < {most}"

    def is_loaded_text(self, name: str) -> str:
        """Return the source of whether a value that has a name is most likely a text of the chat, and not long."""
        return self.is_short(name, name)

    def charged(self, name: str, bound: str, text: str) -> str:
        """Return the source of a text that is made of another one, which is charged if it is long."""
        return f"((len({bound}) < {LONG} or {self.run('charged')}({name})) and {text})"

    def is_charged(self, name: str, bound: str) -> str:
        """Return the source of whether a value is a text; it is charged if it is long."""
        return f"type({bound}) is str and (len({name}) < {LONG} or {self.run('charged')}({name}))"

    def is_quickly_read(self, name: str, bound: str) -> str:
        """Return the source of whether looking for something in a value takes little time."""
        return f"type({bound}) is dict or type({name}) is str and len({name}) < {MANY}"

    @contextmanager
    def branch(self) -> Iterator[None]:
        """What is written meanwhile may not be evaluated: what it makes known is forgotten."""
        before = self.flow.copy()
        yield
        self.flow = before

    def constant_of(self, about: str, value: Any, key: Any) -> str:
        """Return the name of a constant."""
        return self.code.constant(about, value, key)

    def undefined(self, words: str) -> str:
        """Return the constant that stands for something that is not there."""
        return self.code.constant("undefined", Undefined(words), words)

    def undefined_name(self, name: str) -> str:
        """Return the constant for a name that nothing was assigned to."""
        return self.code.constant("undefined", undefined_name(name), ("name", name))
