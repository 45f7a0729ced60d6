"""Which name means which variable, and how each variable begins: without values, from the source alone."""

from __future__ import annotations

import pytest
from jinja2 import nodes

from chatcodec.engine.program import Program
from chatcodec.engine.scope import Scope, Start, names_in, own_expressions, undeclared


def scope_of(source: str) -> Scope:
    scope = Scope()
    scope.visit(Program(source).index.template.body)
    return scope


def starts(source: str) -> dict[str, Start]:
    """Return how each name at the top of a template begins, by the name."""
    scope = scope_of(source)
    return {name: scope.starts[variable] for name, variable in scope.variables.items()}


def inner_starts(source: str) -> dict[str, Start]:
    """Return how each name in the first loop of a template begins."""
    tree = Program(source).index.template
    outer = Scope()
    outer.visit(tree.body)
    [loop] = [node for node in tree.body if isinstance(node, nodes.For)]
    inner = Scope(outer)
    inner.add_targets(loop.target)
    inner.visit(loop.body)
    return {name: inner.starts[variable] for name, variable in inner.variables.items()}


OPTION, UNDEFINED = "option", Start("undefined")


@pytest.mark.parametrize(
    ("source", "how"),
    [
        ("{{ x }}", Start(OPTION, "x")),
        ("{{ x }}{% set x = 1 %}", Start(OPTION, "x")),
        ("{% set x = 1 %}{{ x }}", UNDEFINED),
        ("{% set x = x %}", Start(OPTION, "x")),
        ("{% set x = x|default(1) %}{{ x }}", Start(OPTION, "x")),
        ("{% if a %}{% set x = 1 %}{% endif %}{{ x }}", Start(OPTION, "x")),
        ("{% if a %}{% set x = 1 %}{% endif %}", Start(OPTION, "x")),
        ("{% if a %}{% set x = 1 %}{% else %}{% set x = 2 %}{% endif %}", Start(OPTION, "x")),
        ("{% if a %}{{ x }}{% else %}{% set x = 2 %}{% endif %}", Start(OPTION, "x")),
        ("{% if a %}{% if b %}{% set x = 1 %}{% endif %}{% endif %}", Start(OPTION, "x")),
        ("{% if a %}{% elif b %}{% set x = 1 %}{% endif %}", Start(OPTION, "x")),
        ("{% if x %}{% set x = 1 %}{% endif %}", Start(OPTION, "x")),
        ("{% set x = 1 %}{% if a %}{% set x = 2 %}{% endif %}", UNDEFINED),
        ("{% set x %}{{ x }}{% endset %}", UNDEFINED),
        ("{% macro x() %}{% endmacro %}", UNDEFINED),
        ("{{ x }}{% macro x() %}{% endmacro %}", Start(OPTION, "x")),
        ("{% for i in x %}{% endfor %}", Start(OPTION, "x")),
        ("{% set ns.x = x %}", Start(OPTION, "x")),
        ("{% with y = x %}{% endwith %}", Start(OPTION, "x")),
        ("{{ x.y }}{{ x['z'] }}", Start(OPTION, "x")),
        ("{% filter replace(x, '') %}{% endfilter %}", Start(OPTION, "x")),
        ("{% set a, (b, x) = c %}", UNDEFINED),
    ],
)
def test_how_a_name_begins(source: str, how: Start) -> None:
    assert starts(source)["x"] == how


@pytest.mark.parametrize(
    "source",
    [
        "{% for x in a %}{{ x }}{% endfor %}",
        "{% for i in a %}{{ x }}{% set x = 1 %}{% endfor %}",
        "{% for i in a if x %}{% endfor %}",
        "{% for i in a %}{% else %}{{ x }}{% endfor %}",
        "{% macro m(x) %}{{ x }}{% endmacro %}",
        "{% macro m(y=x) %}{% endmacro %}",
        "{% set y %}{{ x }}{% endset %}",
        "{% filter upper %}{{ x }}{% endfilter %}",
        "{% with x = 1 %}{{ x }}{% endwith %}",
        "{% call m() %}{{ x }}{% endcall %}",
        "{% generation %}{{ x }}{% endgeneration %}",
    ],
)
def test_what_has_a_scope_of_its_own(source: str) -> None:
    assert "x" not in scope_of(source).variables


@pytest.mark.parametrize(
    ("source", "how"),
    [
        ("{% for i in a %}{{ x }}{% endfor %}", Start(OPTION, "x")),
        ("{{ x }}{% for i in a %}{% set x = 1 %}{% endfor %}", Start("alias", "v0_x")),
        ("{% set x = 1 %}{% for i in a %}{% set x = 2 %}{% endfor %}", Start("alias", "v0_x")),
        ("{% for i in a %}{% set x = 2 %}{% endfor %}{% set x = 1 %}", Start("alias", "v0_x")),
        ("{% for i in a %}{% set x = 2 %}{% endfor %}", UNDEFINED),
        ("{% for i in a %}{% if b %}{% set x = 2 %}{% endif %}{% endfor %}", Start(OPTION, "x")),
        ("{{ x }}{% for i in a %}{% if b %}{% set x = 2 %}{% endif %}{% endfor %}", Start("alias", "v0_x")),
        ("{% for x in a %}{% endfor %}", Start("parameter")),
        ("{{ x }}{% for x in a %}{% endfor %}", Start("parameter")),
        ("{% for i, x in a %}{% endfor %}", Start("parameter")),
        ("{% for x in a %}{% set x = 2 %}{% endfor %}", Start("parameter")),
    ],
)
def test_how_a_name_begins_in_a_loop(source: str, how: Start) -> None:
    assert inner_starts(source)["x"] == how


def test_a_name_that_is_only_read_is_the_one_around() -> None:
    source = "{% set x = 1 %}{% for i in a %}{{ x }}{% endfor %}"
    assert "x" not in inner_starts(source)


def test_variables_are_called_by_their_scope_and_name() -> None:
    outer = scope_of("{% set x = 1 %}{{ y }}")
    inner = Scope(outer)
    inner.add_parameter("x")
    inner.read("y")
    inner.store("z")
    assert outer.variables == {"x": "v0_x", "y": "v0_y"}
    assert inner.variables == {"x": "v1_x", "z": "v1_z"}
    assert [inner.variable(name) for name in "xyz"] == ["v1_x", "v0_y", "v1_z"]
    assert inner.find("nothing") is None
    assert inner.start_of("v0_y") == Start(OPTION, "y")
    assert inner.start_of("v9_y") is None


def test_a_branch_does_not_change_what_another_reads() -> None:
    scope = scope_of("{% if a %}{% set x = 1 %}{{ y }}{% else %}{% set y = 1 %}{{ x }}{% endif %}")
    assert {name: scope.starts[f"v0_{name}"] for name in "axy"} == {name: Start(OPTION, name) for name in "axy"}


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("{{ loop }}", {"loop"}),
        ("{% set loop = 1 %}{{ loop }}", set()),
        ("{{ loop }}{% set loop = 1 %}", {"loop"}),
        ("{% for x in loop %}{% endfor %}", {"loop"}),
        ("{{ caller() }}{{ kwargs.a }}", {"caller", "kwargs"}),
        ("{% macro m(caller=none) %}{{ caller() }}{% endmacro %}", set()),
        ("{{ x|f(varargs) }}{{ y if loop.first }}", {"loop", "varargs"}),
        ("{{ 'loop' }}{{ x.loop }}{{ f(loop=1) }}", set()),
    ],
)
def test_special_names_that_are_read_before_they_are_set(source: str, names: set[str]) -> None:
    source = source.replace("|f(", "|replace(")
    assert undeclared(Program(source).index.template.body, ("loop", "caller", "kwargs", "varargs")) == names


def test_names_that_a_target_assigns_to() -> None:
    [assign] = Program("{% set a, (b, c) = x %}").index.all(nodes.Assign)
    assert names_in(assign.target) == ["a", "b", "c"]
    [single] = Program("{% set a = x %}").index.all(nodes.Assign)
    assert names_in(single.target) == ["a"]


@pytest.mark.parametrize(
    ("source", "cls", "count"),
    [
        ("{% for x in a if b %}{{ c }}{% endfor %}", nodes.For, 1),
        ("{% with x = a, y = b %}{{ c }}{% endwith %}", nodes.With, 2),
        ("{% call m(a) %}{{ c }}{% endcall %}", nodes.CallBlock, 1),
        ("{% filter upper %}{{ c }}{% endfilter %}", nodes.FilterBlock, 1),
    ],
)
def test_what_is_evaluated_around(source: str, cls: type[nodes.Node], count: int) -> None:
    [node] = Program(source).index.all(cls)
    found = list(own_expressions(node))
    assert len(found) == count
    assert "c" not in {name.name for each in found for name in each.find_all(nodes.Name)}
