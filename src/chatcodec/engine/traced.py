"""Code that keeps origins: what the plain code says, and where each text came from.

Rules: the same statements in the same order, so the same text. A string that is only tested stays as it is; one that
goes somewhere is wrapped where it is loaded; one that is printed at once is only marked. Loops say which item they are
at, and what is written only for the generation prompt is marked as such.
"""

from __future__ import annotations

from ast import literal_eval
from collections.abc import Iterator
from contextlib import contextmanager

from jinja2 import nodes

from chatcodec.engine.calls import Expressions
from chatcodec.engine.code import Source
from chatcodec.engine.endings import prints
from chatcodec.engine.facts import Facts
from chatcodec.engine.filters import FILTERS
from chatcodec.engine.flow import Flow, Kind
from chatcodec.engine.functions import Functions
from chatcodec.engine.limits import LONG
from chatcodec.engine.loads import How, how_of, member_of
from chatcodec.engine.printing import Piece
from chatcodec.engine.statements import Frame
from chatcodec.engine.text import literal
from chatcodec.engine.tracing import FOLLOWED
from chatcodec.engine.tree import names_below
from chatcodec.engine.writing import Place, Value


class TracedExpressions(Expressions):
    """Writes expressions whose texts have origins; ``viewed`` has the dict whose members an expression gives."""

    def is_loaded_text(self, name: str) -> str:
        """Return the source of whether a value that has a name is most likely a text of the chat, and not long."""
        return f"type({name}) in TEXTS and len({name}) < {LONG}"

    def __init__(self, code: Source, facts: Facts):
        super().__init__(code, facts)
        self.viewed: dict[str, str] = {}

    def literal(self, source: str, at: Place) -> Value:
        """Return a text of the template, by its source: one that says so where it goes somewhere."""
        if at.bare:
            return super().literal(source, at)
        name = self.code.constant("literal", literal(str(literal_eval(source))), source)
        return Value(name, "str", name, constant=True, literal=source)

    def member(self, owner: Value, name: str, how: How, at: Place) -> Value:
        """Return what the member `name` of an `owner` is."""
        if at.bare:
            return self.load(owner, name, how)
        known, bound = self.bound(owner)
        start = Value(bound, owner.kind, owner.name) if owner.name else Value(bound, owner.kind, known)
        value = self.load(start, name, how)
        return self._wrapped(value, known, name)

    def _wrapped(self, value: Value, owner: str, name: str) -> Value:
        """Return a member with its origin; it gets that once."""
        kind: Kind = value.kind if value.kind in ("str", "dict") else "any"
        key = (f"{value.name}|origin", "")
        held = self.flow.loads.get(key) if value.name else None
        if held is not None:
            return Value(held, kind, held)
        held = self.code.name("o")
        self.flow.origins[held] = owner, repr(name)
        if value.name and self.facts.steady:
            self.flow.loads[key] = held
        if kind == "str" or not value.name:
            return Value(f"({held} := {self.run('wrapped')}({value.text}, {owner}, {name!r}))", kind, held)
        with_origin = f"{self.run('wrapped')}({value.name}, {owner}, {name!r})"
        return Value(f"({held} := {value.name} if type({value.text}) is dict else {with_origin})", kind, held)

    def iterated(self, node: nodes.Node, at: Place) -> str:
        """Return the source of what a loop goes through: lists need no origin, texts do."""
        member = member_of(node)
        if member is None or (isinstance(node, nodes.Getattr) and self.is_no_data(node, at)):
            text = super().iterated(node, at)
            if text not in self.viewed:
                return text
            listed = text.replace("(pairs(", f"({self.run('members_of')}(", 1)
            self.viewed[listed] = self.viewed[text]
            return listed
        owner = self.value(member[0], at.barely())
        known, bound = self.bound(owner)
        value = self.load(Value(bound, owner.kind, known), member[1], how_of(node))
        name, start = self.bound(value)
        return f"({name} if type({start}) in CONTAINERS else {self.run('wrapped')}({name}, {known}, {member[1]!r}))"

    def element(self, owner: Value, index: int, at: Place) -> Value:
        """Return what ``owner[index]`` is."""
        if at.bare:
            return super().element(owner, index, at)
        if index < 0:
            return Value(f"{self.run('item_of')}({owner.text}, {index})")
        known, bound = self.bound(owner)
        value = super().element(owner._replace(text=bound, name=known), index, at)
        return Value(f"{self.run('wrapped')}({value.text}, {known}, {index})")

    def indexed(self, owner: Value, index: Value, at: Place) -> Value:
        """Return what ``owner[index]`` is, with an index that is reckoned."""
        if at.bare:
            return super().indexed(owner, index, at)
        return Value(f"{self.run('item_of')}({owner.text}, {index.text})")

    def got(self, owner: Value, names: tuple[str, str], given: object, slow: str, at: Place) -> Value:
        """Return what ``owner.get(name)`` gives."""
        if at.bare:
            return super().got(owner, names, given, slow, at)  # type: ignore[arg-type]
        known, bound = names
        return Value(slow if known == bound else slow.replace(known, bound, 1))

    def view(self, value: Value, name: str, slow: str) -> Value:
        """Return the members, names or values of what most likely is a dict."""
        known, bound = self.bound(value)
        taken = self.run({"items": "pairs", "keys": "names", "values": "values"}[name])
        viewed = Value(f"({taken}({known}) if type({bound}) is dict else {slow.format(known)})")
        if name == "items":
            self.viewed[viewed.text] = known
        return viewed

    def narrow_to(self, flow: Flow, test: nodes.Compare, at: Place) -> None:
        """Take note of nothing: a text that is equal to one of the template's came from elsewhere all the same."""

    def is_text(self, value: Value) -> str:
        """Return the source of whether a value is a text."""
        return f"isinstance({value.text}, str)"

    def filter_function(self, name: str) -> str:
        """Return the name of a filter's function; what keeps no origins gives something derived."""
        if name in FOLLOWED:
            return super().filter_function(name)
        return self.code.constant(f"filter_{name}", _Derived(name), name)

    def filtered(self, value: Value, node: nodes.Filter, at: Place) -> Value:
        """Return what a filter makes of the value before it."""
        made = super().filtered(value, node, at)
        origin = self.flow.origins.get(value.name) if node.name == "tojson" else None
        if origin is None or "json_from" in made.text:
            return made
        return Value(f"{self.run('json_from')}({made.text}, {', '.join(origin)})", "str")

    def json(self, value: Value, made: bool) -> Value:
        """Return a value as ``tojson`` prints it."""
        text = f"{self.run('json_of' if made else 'json_given')}({value.text})"
        origin = self.flow.origins.get(value.name)
        return Value(text if origin is None else f"{self.run('json_from')}({text}, {', '.join(origin)})", "str")

    def joined(self, node: nodes.Concat, at: Place) -> Value:
        """Return ``a ~ b``."""
        return super().joined(node, at.fully())

    # What is printed

    def printed(self, value: Value) -> str:
        """Return the source of the text of a value."""
        if value.literal:
            return value.literal
        if value.constant or (value.kind in ("int", "bool") and "len(" not in value.text):
            return f"literal(str({value.text}))"  # a number of the template's own
        name, bound = self.bound(value)
        origin = self.flow.origins.get(value.name)
        if origin is not None:
            return f"({name} if type({bound}) in TEXTS else {self.run('text_from')}({name}, {', '.join(origin)}))"
        return f"({name} if type({bound}) in TEXTS else {self.run('text')}({name}))"

    def pieces(self, node: nodes.Node, at: Place) -> list[str]:
        """Return the sources of what an expression puts into the output."""
        if isinstance(node, nodes.CondExpr) and (implies(node.test) or implies(nodes.Not(node.test))):
            return self._for_generation(node, at)
        marked = self._marked(node, at)
        return super().pieces(node, at) if marked is None else [marked[0], self._printed_raw(marked[1])]

    def _printed_raw(self, value: Value) -> str:
        """Return the source of a text behind its mark: a text of the chat as it is."""
        name, bound = self.bound(value)
        return f"({name} if type({bound}) is str else {self.run('text')}({name}))"

    def returned(self, node: nodes.Node, at: Place) -> list[str]:
        """Return the source of the text that is returned: with its origin, since no mark goes along."""
        value = self.value(node, at)
        return [value.text if value.literal else self.printed(value)]

    def summand(self, node: nodes.Node, at: Place) -> tuple[Value, list[str]]:
        """Return an operand of a sum, and the sources of what it prints as one."""
        marked = self._marked(node, at)
        if marked is not None:
            mark, value = marked
            text = value.text if value.kind == "str" else self._expected_raw(value)
            return Value(f"loaded({mark[1:-1]}, {value.text})", value.kind), [mark, text]
        if isinstance(node, nodes.CondExpr) and (implies(node.test) or implies(nodes.Not(node.test))):
            value = self.value(node, at)
            if value.kind == "str":
                return value, self._for_generation(node, at)
        value, pieces = super().summand(node, at)
        if value.literal:
            pieces = [value.literal]
        elif not isinstance(node, nodes.Concat):
            pieces = [self._expected(value)]
        return value, pieces

    def _expected_raw(self, value: Value) -> str:
        """Return the source of an operand of a sum behind its mark: a text of the chat as it is."""
        name, bound = self.bound(value)
        return f"({name} if type({bound}) is str else expect_text({name}))"

    def _expected(self, value: Value) -> str:
        """Return the source of an operand of a sum, with its origin."""
        name, bound = self.bound(value)
        return f"({name} if type({bound}) in TEXTS else expect_text({name}))"

    def _marked(self, node: nodes.Node, at: Place) -> tuple[str, Value] | None:
        """Return the source of a mark, and what it marks, if an expression prints a member as it is."""
        member = member_of(node)
        if member is None or (isinstance(node, nodes.Getattr) and self.is_no_data(node, at)):
            return None
        owner_node, name = member
        owner = self.value(owner_node, at.barely())
        known, bound = self.bound(owner)
        value = self.load(Value(known, owner.kind, known), name, how_of(node))
        return f"({bound}, {name!r})", value

    def _for_generation(self, node: nodes.CondExpr, at: Place) -> list[str]:
        condition = self.code.name("t")
        test = self.test(node.test, at.softer())
        value = self.value(node, at)
        first = "GENERATION if {c} else NOTHING" if implies(node.test) else "NOTHING if {c} else GENERATION"
        last = first.replace("GENERATION", "BACK")
        return [
            f"({first.format(c=f'({condition} := {test})')})",
            self.printed(value),
            f"({last.format(c=condition)})",
        ]


class TracedFunctions(Functions):
    """Writes a template whose output says where it came from."""

    expressions: TracedExpressions

    def charge(self, name: str, weight: int, function: str, value: str) -> None:
        """Write that the passes through `name`, a `value`, are charged, and that its items get their origins."""
        if value in self.expressions.viewed:  # the members of a dict have theirs
            self.charge_if(f"type({name}) is list", name, weight, function)
            return
        self.code.line(f"{name} = {self.expressions.run(function)}({name}, {weight})")

    def measured(self, piece: Piece) -> Piece:
        """Return a piece as it is: what reads the output measures all of them."""
        return piece

    def is_choice(self, node: nodes.Node) -> bool:
        """Whether a statement is printed as a choice between texts of the template: not for the generation prompt."""
        return super().is_choice(node) and not any(
            name.name == "add_generation_prompt" for name in names_below(node) if name.ctx == "load"
        )

    def branch(self, test: nodes.Node | None, body: list[nodes.Node], frame: Frame, write: object) -> None:
        """Write the body of a branch that is taken if `test` holds."""
        marked = test is not None and write == self.body and implies(test) and any(map(prints, body))
        if marked:
            self.code.line(f"{frame.out}.append(GENERATION)")
        super().branch(test, body, frame, write)
        if marked:
            self.code.line(f"{frame.out}.append(BACK)")

    @contextmanager
    def around(self, node: nodes.For, out: str) -> Iterator[None]:
        """Write what is said around a loop."""
        if self._says_items(node):
            self.code.line(f"{out}.append(OPEN)")
        yield
        if self._says_items(node):
            self.code.line(f"{out}.append(CLOSE)")

    def item(self, node: nodes.For, frame: Frame, iterated: str) -> None:
        """Write what is done with an item before anything else."""
        super().item(node, frame, iterated)
        viewed = self.expressions.viewed.get(iterated)
        parts = node.target.items if isinstance(node.target, nodes.Tuple) else []
        names = [each.name for each in parts if isinstance(each, nodes.Name)]
        if viewed is not None and len(names) == len(parts) == 2:
            key, value = map(frame.scope.variable, names)
            self.expressions.flow.origins[value] = viewed, key
        if self._says_items(node) and isinstance(node.target, nodes.Name):
            variable = frame.scope.variable(node.target.name)
            self.code.line(f"{frame.out}.append({variable} if type({variable}) is dict else item_mark({variable}))")

    def _says_items(self, node: nodes.For) -> bool:
        return isinstance(node.target, nodes.Name) and any(map(prints, node.body))


class _Derived:
    """A filter that keeps no origins: what it gives is derived from what it is given."""

    def __init__(self, name: str):
        self._filter = FILTERS[name]

    def __call__(self, run: object, /, *args: object, **kwargs: object) -> object:
        return run.lost(self._filter(run, *args, **kwargs), *args, *kwargs.values())  # type: ignore[attr-defined]


def implies(test: nodes.Node) -> bool:
    """Whether a test holds only where the generation prompt is wanted."""
    if isinstance(test, nodes.Name):
        return test.name == "add_generation_prompt"
    if isinstance(test, nodes.And):
        return implies(test.left) or implies(test.right)
    if isinstance(test, nodes.Not):
        return _implies_not(test.node)
    if isinstance(test, nodes.Test) and isinstance(test.node, nodes.Name):
        return test.node.name == "add_generation_prompt" and test.name == "true"
    return False


def _implies_not(test: nodes.Node) -> bool:
    """Whether a test fails only where the generation prompt is wanted."""
    if isinstance(test, nodes.Not):
        return implies(test.node)
    if isinstance(test, nodes.Or):
        return _implies_not(test.left) or _implies_not(test.right)
    return False
