"""What a template may cost: each limit holds to the last unit, is named with the line, and grows with the input."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

import pytest

from chatcodec.engine.faults import OverLimit
from chatcodec.engine.globals import GLOBALS, clock
from chatcodec.engine.limits import DEFAULT, LONG, MANY, Limits, size_of
from chatcodec.engine.program import Program

USER = {"role": "user", "content": "Hi"}
LEAST = replace(DEFAULT, steps_per=0, reading_per=0, text_per=0, string_per=0, output_per=0)
"""The limits for an input of no size."""


def variables(**given: Any) -> dict[str, Any]:
    return {**GLOBALS, "strftime_now": clock(None), "messages": [USER], **given}


VALUES = size_of(variables())[0]


def over(template: str, limits: Limits = DEFAULT, **given: Any) -> tuple[str, int | None]:
    """Return the name of the limit that a template reaches, and the line."""
    program = Program(template, "t", limits)
    with pytest.raises(OverLimit) as caught:
        program.text(variables(**given))
    assert "limit on " + caught.value.limit in str(caught.value)
    return caught.value.limit, program.line_of(caught.value)


def least(name: str, template: str, limits: Limits = LEAST, **given: Any) -> int:
    """Return the smallest value of a limit with which a template renders."""

    def renders(value: int) -> bool:
        try:
            Program(template, "t", replace(limits, **{name: value})).text(variables(**given))
        except OverLimit as error:
            if error.limit != name:
                raise
            return False
        return True

    low, high = 0, getattr(limits, name)
    assert renders(high)
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if renders(middle) else (middle + 1, high)
    return low


# To the last unit


@pytest.mark.parametrize(
    ("name", "template", "needed", "line"),
    [
        ("source", "a" * 100, 100, None),
        ("nodes", "{{ x }}" * 100, 101, None),
        ("nodes", "{% macro m() %}{% endmacro %}" * 10, 90, None),
        ("string", "a\n{{ 'ab' * 5000 }}", 10_000, 2),
        ("text", "a\n{{ 'ab' * 5000 }}\n{{ 'ab' * 2000 }}", 14_000, 3),
        ("text", f"a\n{{% set x = 'a' * {LONG} %}}\n{{% set y = x ~ '' %}}{{% set y = x ~ 'a' %}}", 2 * LONG + 1, 3),
        ("items", "a\n\n{{ ([1] * 4000)|length }}", 4000 - VALUES, 3),
        ("items", f"{{% set x = [1] * {MANY} %}}\n{{{{ (x + x)|length }}}}", 2 * MANY - VALUES, 2),
        ("depth", "{% macro m(n) %}\n{{ m(n - 1) if n }}{% endmacro %}\n\n{{ m(9) }}", 10, 1),
        ("bits", "a\n\n{{ 2 ** 99 * 3 }}", 198, 3),
        ("output", "a" * 500, 500, None),
    ],
)
def test_a_limit_holds_to_the_last_unit(name: str, template: str, needed: int, line: int | None) -> None:
    assert least(name, template) == needed
    limits = replace(LEAST, **{name: needed - 1})
    if name in ("source", "nodes"):
        with pytest.raises(OverLimit) as caught:
            Program(template, "t", limits)
        assert caught.value.limit == name
    else:
        assert over(template, limits) == (name, line)


@pytest.mark.parametrize(
    "template",
    [
        "{% for i in range(100) %}{{ i }}{% endfor %}",
        "{% macro m(n) %}{% if n %}{{ m(n - 1) }}{% endif %}{% endmacro %}{{ m(20) }}",
        "{% for m in messages %}{{ m.content|upper|tojson }}{% endfor %}",
        "{{ messages|tojson(indent=2) }}{{ [1, 2, 3]|sort|join }}{{ '%5d' % 7 }}",
        "{% set ns = namespace(t='') %}{% for c in 'abc' %}{% set ns.t = ns.t ~ c %}{% endfor %}{{ ns.t }}",
    ],
)
def test_the_same_template_and_chat_cost_the_same(template: str) -> None:
    needed = {name: least(name, template) for name in ("steps", "text", "output")}
    assert needed["steps"] > 0
    for name, value in needed.items():
        assert least(name, template) == value
        if value:
            assert over(template, replace(LEAST, **{name: value - 1}))[0] == name


def test_the_line_of_a_loop_that_takes_too_long() -> None:
    template = "a\n{% for i in range(10) %}\n{% for j in range(99999) %}\n{% endfor %}\n{% endfor %}"
    assert over(template, replace(LEAST, steps=1_000_000)) == ("steps", 3)


# With the input


@pytest.mark.parametrize(
    ("name", "grown", "template"),
    [
        ("steps", "steps_per", "{% for m in messages %}{% for n in messages %}{% endfor %}{% endfor %}"),
        ("steps", "reading_per", "{% for c in messages[0].content %}{{ c }}{% endfor %}"),
        ("text", "text_per", "{{ messages[0].content|upper }}"),
        ("string", "string_per", "{% set x = messages[0].content ~ messages[0].content %}"),
        ("output", "output_per", "{{ messages[0].content }}{{ messages[0].content }}"),
    ],
)
def test_a_long_chat_may_cost_more(name: str, grown: str, template: str) -> None:
    long = [{"role": "user", "content": "word " * 200}] * 50
    limits = replace(LEAST, **{name: 500})
    assert over(template, limits, messages=long)[0] == name
    Program(template, "t", replace(limits, **{grown: 10_000})).text(variables(messages=long))


def test_a_list_may_have_as_many_items_as_the_chat_has_values() -> None:
    limits = replace(LEAST, items=300)
    assert over("{{ ([1] * 600)|length }}", limits)[0] == "items"
    Program("{{ ([1] * 600)|length }}", "t", limits).text(variables(messages=[USER] * 100 + [[1] * 600]))


def test_the_size_of_a_chat_counts_what_occurs_twice_once() -> None:
    part = {"a": "four", "bc": [1, None]}
    assert size_of([part]) == (6, 7)
    assert size_of([part, part]) == (7, 7)
    assert size_of({}) == (1, 0)


def test_the_defaults_are_those_that_are_documented() -> None:
    growing = {field.name for field in fields(Limits) if field.name.endswith("_per")}
    assert growing == {"steps_per", "reading_per", "text_per", "string_per", "output_per"}
    named = {field.name for field in fields(Limits)} - growing
    assert named == {"steps", "text", "string", "output", "items", "depth", "bits", "source", "nodes"}
    assert Limits() == DEFAULT


# Traced


@pytest.mark.parametrize(
    ("name", "template"),
    [
        ("steps", "{% for m in range(1000) %}{% for n in range(1000) %}{{ n }}{% endfor %}{% endfor %}"),
        ("string", "{% set ns = namespace(s=messages[0].long) %}{% for i in range(64) %}{% set ns.s = ns.s ~ ns.s %}"
         "{% endfor %}"),
        ("output", "{% for i in range(400) %}{{ messages[0].long }}{% endfor %}"),
    ],
)  # fmt: skip
def test_a_prompt_whose_origins_are_kept_may_not_cost_more(name: str, template: str) -> None:
    given = variables(messages=[{"role": "user", "content": "Hi", "long": "abc " * 1000}])
    limits = replace(LEAST, steps=1_000_000, string=1_000_000, output=1_000_000)
    program = Program(template, "t", limits)
    for render in (program.text, lambda values: program.trace(values, [])):
        with pytest.raises(OverLimit) as caught:
            render(given)
        assert caught.value.limit == name


def test_texts_that_get_an_origin_are_copied_so_they_are_charged() -> None:
    given = variables(messages=[{"role": "user", "content": "Hi", "long": "abc " * 1000}])
    program = Program(
        "{% for i in range(999) %}{% set x = messages[0].long %}{% endfor %}", "t", replace(LEAST, steps=10**6)
    )
    assert program.text(given) == ""
    with pytest.raises(OverLimit) as caught:
        program.trace(given, [])
    assert caught.value.limit == "steps"


# What does not grow is free of limits, what grows is not


@pytest.mark.parametrize(
    ("template", "names"),
    [
        ("{{ 'a' * 10 ** 9 }}", "string text"),
        ("{{ 'a'.ljust(10 ** 9) }}", "string text"),
        ("{{ '%1000000000d' % 1 }}", "string text"),
        ("{{ '%((a))1000000000d' % {'(a)': 1} }}", "string text"),
        ("{{ '{:>1000000000}'.format(1) }}", "string text"),
        ("{{ '{:>{w}}'.format(1, w=10 ** 9) }}", "string text"),
        ("{{ ('{0}' * 9999).format('a' * 9999) }}", "string text steps"),
        ("{{ ('a\n' * 9999)|indent(99999) }}", "string text"),
        ("{{ ('a\x0b' * 9999)|indent(99999) }}", "string text"),
        ("{{ messages|tojson(indent=10 ** 9) }}", "string text"),
        ("{{ range(9999)|join('x' * 99999) }}", "string text"),
        ("{{ ('a' * 9999)|replace('', 'b' * 9999) }}", "string text"),
        ("{{ 'a\t'.expandtabs(10 ** 9) }}", "string text"),
        ("{{ strftime_now('%1000Y' * 100) }}{{ strftime_now('x' * 2000) }}", "text"),
        ("{{ ([1] * 10 ** 9)|length }}", "items"),
        ("{{ [1]|batch(10 ** 9, 0)|list }}", "items"),
        ("{{ ('ab ' * 999999).split()|length }}", "items"),
        ("{{ cycler(*('a' * 99999)) }}", "items"),
        ("{{ 9 ** 9 ** 9 }}", "bits"),
        ("{{ ('f' * 99999)|int(base=16) }}", "bits"),
        ("{{ 1.5|round(10 ** 9) }}", "bits"),
        ("{{ {1: 2}[(0,) * 100] }}", "items"),
        ("{{ {(0,) * 100: 2} }}", "items"),
        ("{{ dict.fromkeys(same) }}", "steps items"),
        ("{{ same|unique|list }}", "steps items"),
        ("{{ ('a' * 99999).rfind('ab' ~ 'a' * 9999) }}", "steps"),
        ("{{ ('a' * 99999).strip('b' * 99999) }}", "steps"),
        ("{{ ('.' * 99999 ~ 'x.')|urlize }}", "steps items"),
        ("{{ ('a' * 99999)|wordwrap(1) }}", "steps"),
        ("{{ shared }}", "string text"),
        ("{{ shared|tojson }}", "string text"),
        ("{{ shared == shared|list }}", "steps"),
        ("{{ shared in [other] }}", "steps"),
        ("{{ [shared].index(other) }}", "steps string text"),
        ("{{ [shared, other]|sort }}", "steps"),
        ("{{ '%s' % [shared] }}", "string text"),
        ("{{ '{!r}'.format(shared) }}", "string text"),
        ("{{ raise_exception(shared) }}", "string text"),
        ("{{ shared|e }}{{ shared|pprint }}", "string text steps"),
        ("{{ nested }}", "depth"),
        ("{{ nested|tojson }}", "depth"),
        ("{% set ns = namespace(g=['x']) %}{% for i in range(9999) %}{% set ns.g = ns.g|map('string') %}{% endfor %}"
         "{{ ns.g|list }}", "depth"),
        ("{% macro a() %}{{ b() }}{% endmacro %}{% macro b() %}{{ a() }}{% endmacro %}{{ a() }}", "depth"),
        ("{% macro m(f) %}{{ f(f) }}{% endmacro %}{{ m(m) }}", "depth"),
    ],
)  # fmt: skip
def test_what_can_grow_is_charged_before_it_does(template: str, names: str) -> None:
    assert over(template, **_large(template))[0] in names.split()


def _large(template: str) -> Mapping[str, Any]:
    """Return what a template asks for of some large values."""
    shared, other, nested = [0], [0], []
    for _ in range(60):
        shared, other = [shared, shared], [other, other]
    for _ in range(500):
        nested = [nested]
    same = [k * (2**61 - 1) for k in range(30_000)]
    values = {"shared": shared, "other": other, "nested": nested, "same": same}
    return {name: value for name, value in values.items() if name in template}


@pytest.mark.parametrize(
    ("template", "text"),
    [
        ("{{ {}[shared] is defined }}{{ {}[nested] is defined }}", "FalseFalse"),
        ("{{ shared|length }}{{ shared[0]|length }}{{ same|length }}", "2230000"),
        ("{{ ('5' * 4000)|int > 5 }}{{ same[2] % 7 }}", "True2"),
        ("{{ ('%d items in 2024-20240101' % 5) }}", "5 items in 2024-20240101"),
        ("{{ range(99999)|length }}{{ 99998 in range(99999) }}", "99999True"),
        ("{{ {(1, 2): 3}[(1, 2)] }}", "3"),
        ("{{ 'ab\x0bcd'|indent(2) }}", "ab\n  cd"),
        ("{{ messages[0].content * 3 }}", "HiHiHi"),
        ("{{ {'a': [1, (2, none)]}|tojson(indent=1) }}", '{\n "a": [\n  1,\n  [\n   2,\n   null\n  ]\n ]\n}'),
    ],
)
def test_what_is_small_is_not_refused(template: str, text: str) -> None:
    assert Program(template, "t").text(variables(**_large(template))) == text


def test_the_words_of_a_failure_are_few() -> None:
    shared = _large("shared")["shared"]
    program = Program("{{ {}[shared].x }}", "t")
    with pytest.raises(Exception, match="has no element of type list object"):
        program.text(variables(shared=shared))
    with pytest.raises(Exception, match="has no attribute 'aaa") as caught:
        Program("{{ messages[0]['a' * 100000].x }}", "t").text(variables())
    assert len(str(caught.value)) < 200
