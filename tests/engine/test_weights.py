"""How much a pass through a body weighs: found from the source alone, in one walk."""

from __future__ import annotations

import time

import pytest

from chatcodec.engine.facts import facts_of
from chatcodec.engine.faults import OverLimit
from chatcodec.engine.limits import DEFAULT, LONG
from chatcodec.engine.parse import parse
from chatcodec.engine.program import Program
from chatcodec.engine.weights import filter_weight


def weight(template: str) -> int:
    return facts_of(parse(template, 10**6)).weight


def test_more_weighs_more() -> None:
    assert 0 < weight("a") < weight("{{ a.b }}") < weight("{{ a.b }}{{ b }}") < weight("{{ a|upper }}{{ b }}")


@pytest.mark.parametrize("made", ["x|upper", "x ~ y", "x + y", "x.upper()", "x[1:]", "x|tojson", "m(x)"])
def test_what_makes_a_text_weighs_as_much_as_a_short_one(made: str) -> None:
    before = "{% macro m(x) %}{{ x }}{% endmacro %}"
    assert weight(f"{before}{{{{ {made} }}}}") - weight(f"{before}{{{{ x }}}}") >= LONG * 4 // 8


@pytest.mark.parametrize("light", ["x + 1", "1 + x", "x|length + y", "x == y", "not x", "x.y", "x['y']", "x is none"])
def test_what_makes_none_does_not(light: str) -> None:
    assert weight(f"{{{{ {light} }}}}") - weight("{{ x }}") < 64


def test_what_is_looked_for_weighs_by_its_length() -> None:
    short, long = (weight(f"{{{{ '{'a' * count}' in x }}}}") for count in (1, 30))
    assert long - short == 29 * 8
    assert weight("{{ x.find('" + "a" * 30 + "') }}") > weight("{{ x.find('a') }}")


def test_of_branches_the_heaviest_counts() -> None:
    heavy = weight("{% if a %}{{ x|upper }}{% endif %}")
    assert weight("{% if a %}{{ x }}{% else %}{{ x|upper }}{% endif %}") == heavy
    assert weight("{% if a %}{{ x|upper }}{% else %}{{ y|lower }}{% endif %}") == heavy
    assert weight("{% if a %}{% elif b %}{{ x|upper }}{% endif %}") > heavy  # one more test
    assert weight("{{ x|upper if a else y|lower }}") < weight("{{ x|upper }}{{ y|lower }}")


def test_the_body_of_a_loop_charges_itself() -> None:
    assert weight("{% for x in y %}{{ x|upper }}{% endfor %}") == weight("{% for x in y %}{% endfor %}")
    assert weight("{% for x in y %}{% else %}{{ x|upper }}{% endfor %}") > weight("{% for x in y %}{% endfor %}")
    assert weight("{% for x in y|sort %}{% endfor %}") > weight("{% for x in y %}{% endfor %}")


def test_a_macro_weighs_where_it_is_called() -> None:
    macro = "{% macro m() %}{{ x|upper }}{{ y|upper }}{% endmacro %}"
    one = weight(macro + "{{ m() }}") - weight(macro)
    assert one > 2 * filter_weight("upper")
    assert weight(macro + "{{ m() }}{{ m() }}") == weight(macro) + 2 * one
    assert weight("{% macro m() %}{{ m() }}" + "{{ x|upper }}" * 9 + "{% endmacro %}{{ m() }}") < 9 * filter_weight(
        "upper"
    )


def test_an_unknown_filter_weighs_as_a_text_does() -> None:
    assert filter_weight("nothing") == filter_weight("upper") == filter_weight(None) > filter_weight("length")


def macro(number: int, body: str) -> str:
    """Return a macro, `m` with a number."""
    return f"{{% macro m{number}() %}}{body}{{% endmacro %}}"


def chain(count: int, calls: int) -> str:
    """Return macros that each call the one before some times."""
    links = (macro(each, f"{{{{ m{each - 1}() }}}}" * calls) for each in range(1, count))
    return macro(0, "a") + "".join(links)


def test_macros_that_call_macros_are_refused_by_their_weight() -> None:
    template = chain(30, 2) + "{{ m29() }}"
    assert weight(template) > 2**29
    with pytest.raises(OverLimit) as caught:
        Program(template, "t").text({})
    assert caught.value.limit == "steps"
    assert Program(chain(8, 2) + "{{ m7() }}", "t").text({}) == "a" * 2**7


def test_no_weight_is_without_end() -> None:
    assert weight(chain(400, 2) + "{{ m399() }}" * 3) < 2**45


def test_weighing_takes_one_walk() -> None:
    begun = time.process_time()
    weight(chain(3000, 1) + "{{ m2999() }}")
    weight("{% macro a() %}{{ b() }}{% endmacro %}{% macro b() %}{{ a() }}{% endmacro %}" + "{{ a() }}" * 3000)
    weight("".join(macro(each, "{{ m5() }}" * 60) for each in range(60)))
    assert time.process_time() - begun < 5


def test_macros_are_ordered_behind_those_that_they_call() -> None:
    template = "{% macro a() %}{{ b() }}{{ x|upper }}{% endmacro %}{% macro b() %}{{ c() }}{% endmacro %}"
    template += "{% macro c() %}{{ x|upper }}{{ c }}{% endmacro %}{% macro d() %}{{ a() }}{% endmacro %}"
    facts = facts_of(parse(template, DEFAULT.nodes))
    assert facts.recursive == {"c"}
    assert facts.weights.of_macro("d") > facts.weights.of_macro("a") > facts.weights.of_macro("b")


def test_macros_that_call_each_other_are_recursive() -> None:
    template = "".join(macro(each, f"{{{{ m{(each + 1) % 50}() }}}}") for each in range(50))
    facts = facts_of(parse(template + "{% macro x() %}{{ m1() }}{% endmacro %}", DEFAULT.nodes))
    assert facts.recursive == {f"m{i}" for i in range(50)}
