"""Filters, tests and calls as Python source.

Rules: what most templates use is written inline for the usual type of value; the rest are functions of the run. A
macro that is known by name is a plain function.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from keyword import iskeyword

from jinja2 import nodes

from chatcodec.engine.facts import takes
from chatcodec.engine.faults import Fault
from chatcodec.engine.filters import FILTERS, GIVES_TEXT
from chatcodec.engine.flow import Kind
from chatcodec.engine.limits import SHORT
from chatcodec.engine.operators import Operators
from chatcodec.engine.tests import TESTS
from chatcodec.engine.writing import Place, Value

_TEXT_METHODS = frozenset({
    "strip", "lstrip", "rstrip", "lower", "upper", "title", "capitalize", "swapcase", "removeprefix", "removesuffix",
})  # fmt: skip
_LOOKING = frozenset({"startswith", "endswith", "find", "rfind", "isdigit"})
_ANY = frozenset({"removeprefix", "removesuffix", "get"})
_PARTS = frozenset({"strip", "lstrip", "rstrip", *_ANY} - {"get"})
"""Methods that give a part of a text."""
_ENDS = frozenset({"startswith", "endswith"})
_COMPARISONS = {"==": "eq", "!=": "ne", ">": "gt", ">=": "ge", "<": "lt", "<=": "le"}
_TESTS = {
    "defined": "type({x}) is not Undefined",
    "undefined": "type({x}) is Undefined",
    "none": "{x} is None",
    "true": "{x} is True",
    "false": "{x} is False",
    "boolean": "type({x}) is bool",
    "mapping": "type({x}) is dict",
    "iterable": "type({x}) in ITERABLE or test_iterable(run, {x})",
}


class Calls(Operators):
    """Writes what is called."""

    def filter(self, node: nodes.Filter, at: Place) -> Value:
        """Return what a filter makes of a value."""
        assert node.node is not None
        inner = at.barely() if node.name in ("length", "count") else at
        return self.filtered(self.value(node.node, inner), node, at)

    def filtered(self, value: Value, node: nodes.Filter, at: Place) -> Value:
        """Return what a filter makes of the value before it."""
        self.expect("filter", node, FILTERS, at)
        if not (node.args or node.kwargs or node.dyn_args or node.dyn_kwargs) or _is_usual_json(node):
            usual = self.usual_filter(node, value)
            if usual is not None:
                return usual
        given = ", ".join((value.text, *self.arguments(node, at)))
        if node.name not in FILTERS:
            return Value(f"{self.run('nothing')}('filter', {node.name!r}, {given})")
        kind: Kind = "str" if node.name in GIVES_TEXT and not self.facts.marks else "any"
        return Value(f"{self.filter_function(node.name)}(run, {given})", kind)

    def filter_function(self, name: str) -> str:
        """Return the name of a filter's function."""
        return self.code.constant(f"filter_{name}", FILTERS[name], name)

    def usual_filter(self, node: nodes.Filter, value: Value) -> Value | None:
        """Return what a filter without arguments makes of a value, if it is written inline."""
        name = node.name
        kind: Kind = "any" if self.facts.marks else "str"
        if name == "tojson":
            made = node.node is None or self.facts.made.may(node.node)
            if node.node is not None and not made and self.facts.tools.may(node.node):
                return Value(f"{self.run('json_of_tools')}({value.text})", "str")
            return self.json(value, made)
        if name in ("length", "count"):
            return Value(f"len({value.text})", "int")
        if name == "trim":
            known, bound = self.bound(value)
            slow = f"{self.filter_function('trim')}(run, {known})"
            if value.kind == "str":
                return self.once(value, "trim", self.charged(known, bound, f"{known}.strip()"))
            return Value(f"({known}.strip() if {self.is_charged(known, bound)} else {slow})", kind)
        if name in ("string", "safe") and not self.facts.marks:
            return value if value.kind == "str" else Value(self.printed(value), "str")
        if name == "items":
            return self.view(value, "items", f"{self.filter_function('items')}(run, {{}})")
        return None

    def once(self, value: Value, filter_name: str, text: str) -> Value:
        """Return what a filter makes of a text; of a text that has a name, it is made only once."""
        if not value.name:
            return Value(text, "str")
        key = (f"{value.name}|{filter_name}", "")
        made = self.flow.loads.get(key)
        if made is None:
            made = self.flow.loads[key] = self.code.name("t")
            return Value(f"({made} := {text})", "str", made)
        return Value(made, "str", made)

    def json(self, value: Value, made: bool) -> Value:
        """Return a value as ``tojson`` prints it; `made` says whether the template may have put it together."""
        function = self.run("json_of" if made else "json_given")
        if value.kind == "dict":
            return Value(f"{function}({value.text})", "str")
        known, bound = self.bound(value)
        usual = self.is_short(known, bound)
        return Value(f"(quoted({known}) if {usual} else {function}({known}))", "str")

    def view(self, value: Value, name: str, slow: str) -> Value:
        """Return the members, names or values of what most likely is a dict."""
        known, bound = self.bound(value)
        if value.kind == "dict":
            return Value(f"{value.text}.{name}()")
        return Value(f"({known}.{name}() if type({bound}) is dict else {slow.format(known)})")

    def is_(self, node: nodes.Test, at: Place) -> Value:
        """Return what a test says."""
        self.expect("test", node, TESTS, at)
        value = self.value(node.node, at.barely())
        short = _TESTS.get(node.name) if not node.args else None
        if node.name == "string" and not node.args:
            return Value(self.is_text(value), "bool")
        if short is not None:
            if value.constant and node.name in ("none", "true", "false"):
                return Value(str(value.text == node.name.title()), "bool")
            if short.count("{x}") > 1:
                self.code.constant("test_iterable", TESTS["iterable"], "iterable")
                known, bound = self.bound(value)
                short = short.replace("{x}", bound, 1).replace("{x}", known)
                return Value(f"({short})".replace("test_iterable", self.test_function("iterable")), "bool")
            return Value(f"({short.replace('{x}', value.text)})", "bool")
        given = ", ".join((value.text, *self.arguments(node, at.barely())))
        if node.name not in TESTS:
            return Value(f"{self.run('nothing')}('test', {node.name!r}, {given})")
        return Value(f"{self.test_function(node.name)}(run, {given})")

    def is_text(self, value: Value) -> str:
        """Return the source of whether a value is a text."""
        return f"isinstance({value.text}, str)" if self.facts.marks else f"(type({value.text}) is str)"

    def test_function(self, name: str) -> str:
        """Return the name of a test's function."""
        return self.code.constant(f"test_{_COMPARISONS.get(name, name)}", TESTS[name], name)

    def expect(self, what: str, node: nodes.Filter | nodes.Test, known: Iterable[str], at: Place) -> None:
        """Raise Fault for an unknown filter or test, unless it may never be reached."""
        if node.name not in known and not at.soft:
            raise Fault(f"No {what} named {node.name!r}.")

    def call(self, node: nodes.Call, at: Place, caller: str = "") -> Value:
        """Return what a call gives; `caller` is given along in a call block."""
        called = node.node
        if isinstance(called, nodes.Getattr) and self.loop_of(called.node, at) is None and not caller:
            return self.method(called, node, at)
        if isinstance(called, nodes.Name) and called.name in self.facts.macros and not caller:
            given = self.macro_arguments(called.name, node, at.fully())
            if given is not None:
                return self.macro_text(called.name, given)
        function = self.value(called, at.barely()).text
        given = self.arguments(node, at.fully())
        if caller:  # before what comes by **, as in jinja2
            given.insert(len(given) - (node.dyn_kwargs is not None), f"caller={caller}")
        return Value(f"{self.run('call')}({', '.join([function, *given])})")

    def method(self, called: nodes.Getattr, node: nodes.Call, at: Place) -> Value:
        """Return what a method of a value gives."""
        name = called.attr
        looking = name in _LOOKING or name in ("get", "items", "keys", "values")
        owner = self.value(called.node, at.barely() if looking else at)
        known, bound = self.bound(owner)
        start = "" if bound == known else bound  # the owner is evaluated first
        place = at.barely() if name in _LOOKING else at
        values = [self.value(each, place) for each in node.args]
        given = [value.text for value in values] + self.keywords(node, place)
        slow = f"{self.run('call_method')}({', '.join([known, repr(name), *given])})"
        direct = ", ".join(given)
        if not (node.dyn_args or node.dyn_kwargs or node.kwargs) and _at_once(name, values):
            if name in _TEXT_METHODS or name in _LOOKING:
                return self._text_method(owner, (known, bound), name, direct, slow)
            if name == "split" and len(values) == 1 and values[0].kind == "str" and values[0].constant:
                return self._split(owner, values[0])
            if name in ("items", "keys", "values") and not given:
                return self.view(owner, name, f"{self.run('call_method')}({{}}, {name!r})")
            if name == "get" and len(given) in (1, 2) and isinstance(node.args[0], nodes.Const):
                return self.got(owner, (known, bound), given, slow, at)
        if start:
            return Value(f"{self.run('call_method')}({', '.join([owner.text, repr(name), *given])})")
        return Value(slow)

    def got(self, owner: Value, names: tuple[str, str], given: Sequence[str], slow: str, at: Place) -> Value:  # noqa: ARG002
        """Return what ``owner.get(name)`` gives: most owners are dicts."""
        known, bound = names
        found = self.code.name("t")
        usual = f"type({bound}) is dict and type({found} := {known}.get({', '.join(given)})) in PLAIN"
        return Value(f"({found} if {usual} else ({found} := {slow}))", "any", found)

    def _text_method(self, owner: Value, names: tuple[str, str], name: str, direct: str, slow: str) -> Value:
        known, bound = names
        kind: Kind = "str" if name in _TEXT_METHODS and not self.facts.marks else "any"
        fast, usual = f"{known}.{name}({direct})", self.is_short(known, bound)
        if name in _ENDS:
            if owner.kind == "str":
                return Value(f"{owner.text}.{name}({direct})")
            usual = f"type({bound}) is str"
        elif name in _PARTS:
            if owner.kind == "str":
                return Value(self.charged(known, bound, fast), kind)
            usual = self.is_charged(known, bound)
        elif owner.kind == "str":
            return Value(self.short(known, bound, fast, slow), kind)
        return Value(f"({fast} if {usual} else {slow})", kind)

    def _split(self, owner: Value, separator: Value) -> Value:
        kind: Kind = "texts" if owner.kind == "str" and not self.facts.marks else "any"
        return Value(f"{self.run('split')}({owner.text}, {separator.text})", kind)

    def macro_arguments(self, name: str, node: nodes.Call, at: Place) -> list[str] | None:
        """Return the arguments of a macro in the order of its parameters, None if only the macro can tell."""
        given = takes(self.facts.macros[name], node) if name in self.facts.direct else None
        if given is None:
            return None
        tested, parameters = self.facts.tested[name], self.facts.macros[name].args
        return [
            "MISSING" if each is None else self.value(each, at.barely() if parameter.name in tested else at).text
            for each, parameter in zip(given, parameters, strict=True)
        ]

    def macro_text(self, name: str, given: Sequence[str]) -> Value:
        """Return the text of a macro that is known by name."""
        if name in self.facts.returning:
            return Value(f"macro_{name}({', '.join(given)})", "str")
        return Value(f"{self.run('captured')}({', '.join([f'macro_{name}', *given])})", "str")

    def arguments(self, node: nodes.Call | nodes.Filter | nodes.Test, at: Place) -> list[str]:
        """Return the sources of what is given in a call."""
        return [*(self.value(each, at).text for each in node.args), *self.keywords(node, at)]

    def keywords(self, node: nodes.Call | nodes.Filter | nodes.Test, at: Place) -> list[str]:
        """Return the sources of what is given by name, or by a list or dict."""
        given = []
        for keyword in node.kwargs:
            name, value = str(keyword.key), self.value(keyword.value, at).text
            given.append(f"**{{{name!r}: {value}}}" if iskeyword(name) else f"{name}={value}")
        if node.dyn_args is not None:
            given.append(f"*{self.run('spread')}({self.value(node.dyn_args, at).text})")
        if node.dyn_kwargs is not None:
            given.append(f"**{self.run('named')}({self.value(node.dyn_kwargs, at).text})")
        return given


def _at_once(name: str, values: Sequence[Value]) -> bool:
    """Whether a method of a short text takes little time with what it is given, and that can be said twice."""
    if name in _ANY:
        return all(value.constant or value.text == value.name for value in values)
    return all(value.constant and (name in _ENDS or len(value.text) < SHORT) for value in values)


def _is_usual_json(node: nodes.Filter) -> bool:
    """Whether a filter is ``tojson(ensure_ascii=False)``, which says what is so anyway."""
    if node.name != "tojson" or node.args or node.dyn_args or node.dyn_kwargs:
        return False
    return all(
        each.key == "ensure_ascii" and isinstance(each.value, nodes.Const) and each.value.value is False
        for each in node.kwargs
    )


class Expressions(Calls):
    """Writes every kind of expression."""

    writers = {  # noqa: RUF012
        nodes.Name: "name",
        nodes.Const: "constant",
        nodes.TemplateData: "template_data",
        nodes.List: "sequence",
        nodes.Tuple: "sequence",
        nodes.Dict: "mapping",
        nodes.Getattr: "attribute",
        nodes.Getitem: "item",
        nodes.And: "logic",
        nodes.Or: "logic",
        nodes.Not: "negation",
        nodes.Neg: "sign",
        nodes.Pos: "sign",
        nodes.Compare: "comparison",
        nodes.CondExpr: "choice",
        nodes.Add: "sum",
        nodes.Sub: "difference",
        nodes.Mul: "arithmetic",
        nodes.Div: "arithmetic",
        nodes.FloorDiv: "arithmetic",
        nodes.Mod: "arithmetic",
        nodes.Pow: "arithmetic",
        nodes.Concat: "joined",
        nodes.Filter: "filter",
        nodes.Test: "is_",
        nodes.Call: "call",
    }
