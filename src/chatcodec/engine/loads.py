"""Names, constants and members of values as Python source.

Rules: most owners are dicts, so code asks for that and leaves the rest to `values.attribute` and `values.item`. A value
that comes out of the caller's data is checked to be plain data before anything else sees it. What was loaded once is
used again where it is known.
"""

from __future__ import annotations

from typing import Literal

import jinja2
from jinja2 import nodes

from chatcodec.engine.faults import Fault
from chatcodec.engine.flow import Kind
from chatcodec.engine.limits import SHORT
from chatcodec.engine.tree import walk
from chatcodec.engine.undefined import DICT
from chatcodec.engine.writing import Loop, Place, Value, Writing

_PLAINLY_SAID = (
    nodes.Const,
    nodes.TemplateData,
    nodes.List,
    nodes.Tuple,
    nodes.Dict,
    nodes.Pair,
    nodes.Slice,
    nodes.Neg,
)
How = Literal["attribute", "item"]

DICT_NAMES = frozenset(dir(dict))
_LOOP = {
    "index0": "{i}", "index": "({i} + 1)", "first": "({i} == 0)", "last": "({i} == {n} - 1)", "length": "{n}",
    "revindex": "({n} - {i})", "revindex0": "({n} - {i} - 1)",
}  # fmt: skip


class Loads(Writing):
    """Writes what is there already: names, constants, members."""

    def name(self, node: nodes.Name, at: Place) -> Value:
        """Return a variable."""
        variable = at.scope.variable(node.name)
        if variable in self.loops:
            raise Fault("a loop that is not known as a whole")  # the statement would have made it one
        known = self.flow.constants.get(variable)
        if known is not None:
            return self.literal(known, at)
        return Value(variable, self.flow.kinds.get(variable, "any"), variable)

    def literal(self, source: str, at: Place) -> Value:  # noqa: ARG002
        """Return a text of the template, by its source."""
        return Value(source, "str", source, constant=True, literal=source)

    def constant(self, node: nodes.Const, at: Place) -> Value:
        """Return a constant."""
        value = node.value
        if isinstance(value, str):
            return self.literal(repr(value), at)
        kinds: dict[type, Kind] = {bool: "bool", int: "int"}
        if value is None or isinstance(value, bool) or (isinstance(value, int) and value.bit_length() <= 64):
            text = f"({value})" if type(value) is int else repr(value)  # 5.get is no Python
            return Value(text, kinds.get(type(value), "any"), text, constant=True)
        name = self.code.constant("constant", value, (type(value), value))
        return Value(name, "any", name, constant=True)

    def template_data(self, node: nodes.TemplateData, at: Place) -> Value:
        """Return text of the template."""
        return self.literal(repr(node.data), at)

    def attribute(self, node: nodes.Getattr, at: Place) -> Value:
        """Return what ``owner.name`` is."""
        loop = self.loop_of(node.node, at)
        if loop is not None:
            return self.of_loop(loop, node.attr, at)
        if isinstance(node.node, nodes.Name) and node.node.name in self.facts.namespaces:
            return self.of_namespace(node.node.name, node.attr, at)
        return self.member(self.value(node.node, at.barely()), node.attr, "attribute", at)

    def item(self, node: nodes.Getitem, at: Place) -> Value:
        """Return what ``owner[key]`` is."""
        if isinstance(node.arg, nodes.Slice):
            return self.slice(node, at)
        if isinstance(node.arg, nodes.Const) and isinstance(node.arg.value, str):
            return self.member(self.value(node.node, at.barely()), node.arg.value, "item", at)
        owner = self.value(node.node, at)  # a part of a text comes from where the text does
        index = _index(node.arg)
        if index in (0, -1) and owner.kind == "texts":
            return Value(f"{owner.text}[{index}]", "str")
        if index is not None:
            return self.element(owner, index, at)
        return self.indexed(owner, self.value(node.arg, at.barely()), at)

    def indexed(self, owner: Value, index: Value, at: Place) -> Value:  # noqa: ARG002
        """Return what ``owner[index]`` is, with an index that is reckoned."""
        if index.kind != "int" or not owner.name or len(index.text) > 2 * SHORT:  # it is said twice
            return Value(f"{self.run('item')}({owner.text}, {index.text})")
        found, place = self.code.name("t"), self.code.name("t")
        within = f"type({owner.text}) is list and -1 < ({place} := {index.text}) < len({owner.name})"
        usual = f"{within} and type({found} := {owner.name}[{place}]) in PLAIN"
        return Value(
            f"({found} if {usual} else ({found} := {self.run('item')}({owner.name}, {index.name or index.text})))",
            "any",
            found,
        )

    def element(self, owner: Value, index: int, at: Place) -> Value:  # noqa: ARG002
        """Return what ``owner[index]`` is: most such owners are lists."""
        key = str(index)
        if owner.constant:  # Python warns of constants that have no items
            return Value(f"{self.run('item')}({owner.text}, {key})")
        held = self.flow.loads.get((f"{owner.name}|index", key))
        if held is not None:
            return self.again(held)
        known, bound = self.bound(owner)
        found = self.code.name("t")
        there = known if index in (0, -1) else f"len({known}) > {index if index > 0 else -index - 1}"
        usual = f"type({bound}) is list and {there} and type({found} := {known}[{key}]) in PLAIN"
        if self.facts.steady:
            self.flow.loads[f"{known}|index", key] = found
        return Value(f"({found} if {usual} else ({found} := {self.run('item')}({known}, {key})))", "any", found)

    def slice(self, node: nodes.Getitem, at: Place) -> Value:
        """Return what ``owner[a:b:c]`` is."""
        if not isinstance(node.node, (nodes.Name, nodes.Getattr, nodes.Call)) and _is_folded_away(node):
            return Value(self.undefined("a part of a constant that has none"))
        owner = self.value(node.node, at.fully())
        assert isinstance(node.arg, nodes.Slice)
        parts = (node.arg.start, node.arg.stop, node.arg.step)
        bounds = ", ".join("None" if part is None else self.value(part, at.barely()).text for part in parts)
        kind: Kind = "str" if owner.kind == "str" else "any"
        return Value(f"{self.run('stretch')}({owner.text}, slice({bounds}))", kind)

    def of_namespace(self, name: str, member: str, at: Place) -> Value:
        """Return what a namespace that is never seen as a whole has."""
        variable = at.scope.variable(name)
        if member in self.facts.namespaces[name]:
            return Value(f"{variable}[{member!r}]")
        absent = self.undefined(f"{'Namespace object'!r} has no attribute {member!r}")
        return Value(f"{variable}.get({member!r}, {absent})")

    def member(self, owner: Value, name: str, how: How, at: Place) -> Value:  # noqa: ARG002
        """Return what the member `name` of an `owner` is."""
        return self.load(owner, name, how)

    def load(self, owner: Value, name: str, how: How) -> Value:
        """Return what the member `name` of an `owner` is, and know it from now on."""
        if name in DICT_NAMES:
            return Value(f"{self.run(how)}({owner.text}, {name!r})")
        held = self.flow.loads.get((owner.name, name))
        if held is not None:
            return self.again(held)
        known, bound = self.bound(owner)
        found, absent = self.code.name("t"), self.undefined(f"{DICT!r} has no attribute {name!r}")
        usual = f"type({bound}) is dict and type({found} := {known}.get({name!r}, {absent})) in PLAIN"
        if self.facts.steady:
            self.flow.loads[known, name] = found
        return Value(f"({found} if {usual} else ({found} := {self.run(how)}({known}, {name!r})))", "any", found)

    def again(self, held: str) -> Value:
        """Return what was loaded before."""
        known = self.flow.constants.get(held)
        if known is not None:
            return Value(known, "str", known, constant=True, literal=known)
        return Value(held, self.flow.kinds.get(held, "any"), held)

    def text_member(self, node: nodes.Node, at: Place) -> tuple[Value, str, str] | None:
        """Return a member that is most likely a text: the value, what it is if it is one, and the source if it is not.

        Nothing is returned for what is no member of data, or was loaded already. Of the two sources one is evaluated:
        ``(value.name if TEST else SOURCE)``; either way the name holds the member then.
        """
        member = member_of(node)
        if member is None or (isinstance(node, nodes.Getattr) and self.is_no_data(node, at)):
            return None
        owner = self.value(member[0], at.barely())
        name, how = member[1], how_of(node)
        if name in DICT_NAMES or (owner.name, name) in self.flow.loads:
            return self.load(owner, name, how), "", ""
        known, bound = self.bound(owner)
        found, absent = self.code.name("t"), self.undefined(f"{DICT!r} has no attribute {name!r}")
        if self.facts.steady:
            self.flow.loads[known, name] = found
        test = f"type({bound}) is dict and type({found} := {known}.get({name!r}, {absent})) is str"
        return Value("", "any", found), test, f"({found} := {self.run(how)}({known}, {name!r}))"

    def is_no_data(self, node: nodes.Getattr, at: Place) -> bool:
        """Whether something is asked of a namespace or a loop."""
        known = isinstance(node.node, nodes.Name) and node.node.name in self.facts.namespaces
        return known or self.loop_of(node.node, at) is not None

    def held(self, node: nodes.Node, at: Place) -> str:
        """Return the name that holds the value of an expression that was evaluated, '' if none does."""
        if isinstance(node, nodes.Name):
            return at.scope.find(node.name) or ""
        if isinstance(node, nodes.Getattr):
            return self.flow.loads.get((self.held(node.node, at), node.attr), "")
        if isinstance(node, nodes.Getitem) and isinstance(node.arg, nodes.Const):
            owner, key = self.held(node.node, at), node.arg.value
            return self.flow.loads.get((owner, key) if isinstance(key, str) else (f"{owner}|index", str(key)), "")
        return ""

    def loop_of(self, node: nodes.Node, at: Place) -> Loop | None:
        """Return the loop that ``loop`` means here, if it is one that is known."""
        if isinstance(node, nodes.Name) and node.name == "loop":
            return self.loops.get(at.scope.find("loop") or "")
        return None

    def of_loop(self, loop: Loop, name: str, at: Place) -> Value:  # noqa: ARG002
        """Return what a loop tells of the item that it is at."""
        index, length, items = loop
        if name in _LOOP:
            kind: Kind = "bool" if name in ("first", "last") else "int"
            return Value(_LOOP[name].format(i=index, n=length), kind)
        known = self.flow.loads.get((items, name))
        if known is not None:
            return Value(known, "any", known)
        held = self.flow.loads[items, name] = self.code.name("t")
        if name == "previtem":  # it was an item before, and checked then
            absent = self.undefined("there is no previous item")
            return Value(f"({held} := {items}[{index} - 1] if {index} else {absent})", "any", held)
        absent = self.undefined("there is no next item")
        next_item = f"plain({items}[{index} + 1]) if {index} + 1 < {length} else {absent}"
        return Value(f"({held} := {next_item})", "any", held)


def how_of(node: nodes.Node) -> How:
    """Return how a member is asked for."""
    return "attribute" if isinstance(node, nodes.Getattr) else "item"


def member_of(node: nodes.Node) -> tuple[nodes.Node, str] | None:
    """Return the owner and the name, if an expression is a member of something."""
    if isinstance(node, nodes.Getattr):
        return node.node, node.attr
    if isinstance(node, nodes.Getitem) and isinstance(node.arg, nodes.Const) and isinstance(node.arg.value, str):
        return node.node, node.arg.value
    return None


def _is_folded_away(node: nodes.Getitem) -> bool:
    """Whether jinja2 reckons a part of a constant beforehand, and finds nothing where Python would fail."""
    if not all(isinstance(each, _PLAINLY_SAID) for each in walk(node)):
        return False  # nothing else is reckoned here: it might take long
    try:
        return isinstance(node.as_const(), jinja2.Undefined)
    except nodes.Impossible:
        return False


def _index(node: nodes.Node) -> int | None:
    """Return the whole number that an index is in the source, if it is one."""
    if isinstance(node, nodes.Neg):
        inner = _index(node.node)
        return None if inner is None else -inner
    return node.value if isinstance(node, nodes.Const) and type(node.value) is int and node.value < 1000 else None
