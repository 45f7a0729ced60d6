"""Which names a template reads before it assigns to them, and of which type each is meant to be."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jinja2
import jinja2.meta
import pytest
from jinja2.ext import LoopControlExtension

import chatcodec
from chatcodec.engine.faults import Fault
from chatcodec.engine.globals import GLOBALS
from chatcodec.engine.parse import Generation
from chatcodec.engine.program import Program
from jinja_vectors import paths
from jinja_vectors import read as read_vector


def read(source: str) -> set[str]:
    return set(Program(source).reads)


@pytest.mark.parametrize(
    ("source", "names"),
    [
        # a name counts if some path reads it first
        ("{{ x }}", "x"),
        ("{{ x }}{% set x = 1 %}", "x"),
        ("{% set x = 1 %}{{ x }}", ""),
        ("{% set x = x %}", "x"),
        ("{% set x = x|default('d') %}{{ x }}", "x"),
        ("{% set x, y = y, 1 %}", "y"),
        ("{{ x.y }}{{ z['w'] }}{{ f(a, b=c) }}", "x z f a c"),
        ("{{ x|default(y)|replace(z, '') }}{{ a is divisibleby(b) }}", "x y z a b"),
        ("{{ a if b else c }}{{ d ~ e }}{{ [f, {g: h}, (i,)] }}", "a b c d e f g h i"),
        ("{{ j[k:l] }}{{ -m }}{{ not n }}{{ o < p <= q }}{{ r in s }}", "j k l m n o p q r s"),
        ("{{ f(*x, **y) }}", "f x y"),
        ("{{ true }}{{ none }}{{ 'x' }}{{ 1 }}", ""),
        # branches
        ("{% if a %}{% set x = 1 %}{% endif %}{{ x }}", "a x"),
        ("{% if a %}{% set x = 1 %}{% else %}{% set x = 2 %}{% endif %}{{ x }}", "a"),
        ("{% if a %}{% set x = 1 %}{% elif b %}{% set x = 2 %}{% endif %}{{ x }}", "a b x"),
        ("{% if a %}{% set x = 1 %}{% elif b %}{% set x = 2 %}{% else %}{% set x = 3 %}{% endif %}{{ x }}", "a b"),
        ("{% if a %}{% set x = 1 %}{% else %}{{ raise_exception('') }}{% endif %}{{ x }}", "a raise_exception x"),
        ("{% if a %}{{ x }}{% else %}{% set x = 1 %}{% endif %}", "a x"),
        ("{% if x is not defined %}{% set x = 1 %}{% endif %}{{ x }}", "x"),
        ("{% if false %}{{ x }}{% endif %}", "x"),
        ("{% if a %}{% if b %}{% set x = 1 %}{% else %}{% set x = 2 %}{% endif %}{% endif %}{{ x }}", "a b x"),
        ("{% if a %}{% if b %}{% set x = 2 %}{% endif %}{% else %}{% set x = 3 %}{% endif %}{{ x }}", "a b x"),
        # loops
        ("{% for i in a %}{{ i }}{% endfor %}{{ i }}", "a i"),
        ("{% for i in a %}{% set x = 1 %}{% endfor %}{{ x }}", "a x"),
        ("{% for i in a %}{{ x }}{% set x = 1 %}{% endfor %}", "a x"),
        ("{% for i in a %}{% set x = 1 %}{{ x }}{% endfor %}", "a"),
        ("{% for i in a if i == x and loop.first %}{% endfor %}", "a x"),
        ("{% for i in a %}{{ loop.index }}{% else %}{{ loop }}{{ i }}{% endfor %}", "a i loop"),
        ("{% for i in i %}{% endfor %}", "i"),
        ("{% for k, v in a %}{{ k }}{{ v }}{{ w }}{% endfor %}", "a w"),
        ("{% for i in a recursive %}{{ loop(i) }}{% endfor %}", "a"),
        ("{% for i in a %}{% break %}{% endfor %}{% for j in b %}{% set x = 1 %}{% endfor %}{{ x }}", "a b x"),
        # macros read where they are called, with what is assigned there
        ("{% macro m() %}{{ x }}{% endmacro %}", ""),
        ("{% macro m() %}{{ x }}{% endmacro %}{{ m() }}", "x"),
        ("{% macro m() %}{{ x }}{% endmacro %}{% set x = 1 %}{{ m() }}", ""),
        ("{% macro m() %}{{ x }}{% endmacro %}{{ m() }}{% set x = 1 %}", "x"),
        ("{% macro m() %}{{ x }}{% endmacro %}{% if a %}{% set x = 1 %}{% endif %}{{ m() }}", "a x"),
        ("{% macro m(x, y=z) %}{{ x }}{{ y }}{{ varargs }}{{ kwargs }}{{ caller() }}{% endmacro %}{{ m(1) }}", "z"),
        ("{% macro m(x) %}{% endmacro %}{{ m(y) }}", "y"),
        ("{% macro m(x, y=x, z=x ~ y) %}{% endmacro %}{{ m(1) }}", ""),
        ("{% macro m(x=y, y=1) %}{% endmacro %}{{ m() }}", ""),
        ("{% macro m() %}{{ caller(1) }}{% endmacro %}{% call(x, y=x) m() %}{% endcall %}", ""),
        ("{% macro a() %}{{ b() }}{% endmacro %}{% macro b() %}{{ x }}{% endmacro %}{{ a() }}", "x"),
        ("{% macro a(n) %}{{ a(n - 1) }}{{ x }}{% endmacro %}{{ a(3) }}", "x"),
        ("{% macro a() %}{% set x = 1 %}{% endmacro %}{{ a() }}{{ x }}", "x"),
        ("{{ m() }}{% macro m() %}{{ x }}{% endmacro %}", "m"),
        ("{% macro m() %}{{ x }}{% endmacro %}{% set f = m %}", "x"),
        ("{% for i in a %}{% macro m() %}{{ i }}{{ x }}{% endmacro %}{{ m() }}{% endfor %}", "a x"),
        # blocks
        ("{% set x %}{{ y }}{% endset %}{{ x }}", "y"),
        ("{% set x %}{% set z = 1 %}{% endset %}{{ z }}", "z"),
        ("{% set x | replace(y, '') %}a{% endset %}{{ x }}", "y"),
        ("{% set x %}{% for i in y %}{{ i }}{{ loop.index }}{% endfor %}{% endset %}", "y"),
        ("{% set x %}{% set z = 1 %}{{ z }}{% endset %}", ""),
        ("{% set x %}{% macro m(a) %}{{ a }}{% endmacro %}{{ m(1) }}{% endset %}", ""),
        ("{% filter upper %}{% for i in y %}{{ i }}{{ loop.index }}{% endfor %}{% endfilter %}", "y"),
        ("{% with %}{% set z = 1 %}{{ z }}{% endwith %}", ""),
        ("{% filter replace(x, y) %}{{ z }}{% set w = 1 %}{% endfilter %}{{ w }}", "x y z w"),
        ("{% with x = y %}{{ x }}{% endwith %}{{ x }}", "x y"),
        ("{% with x = x %}{{ x }}{% endwith %}", "x"),
        ("{% with %}{% set x = 1 %}{% endwith %}{{ x }}", "x"),
        ("{% macro m() %}{{ caller() }}{% endmacro %}{% call m() %}{{ x }}{% endcall %}", "x"),
        ("{% macro m() %}{{ caller(1) }}{% endmacro %}{% call(x, y=z) m() %}{{ x }}{{ y }}{% endcall %}", "z"),
        ("{% generation %}{{ x }}{% set y = 1 %}{% endgeneration %}{{ y }}", "x y"),
        # namespaces
        ("{% set ns = namespace(a=x) %}{% set ns.b = y %}{{ ns.b }}", "namespace x y"),
        # text, comments, raw
        ("x {# {{ x }} #}{% raw %}{{ x }}{% endraw %}", ""),
    ],
)  # fmt: skip
def test_names_that_are_read_first(source: str, names: str) -> None:
    assert read(source) == set(names.split())


READ_TOO_EARLY = {
    "macro-sees-later-set",
    "scope-block-reads-set-later",
    "scope-loop-reads-set-later",
    "scope-macro-option",
}
"""Vectors in which a name is read before the template sets it, in a scope where it is no option to jinja2."""


@pytest.mark.filterwarnings("ignore:invalid escape sequence:DeprecationWarning")  # jinja2's, of templates
@pytest.mark.parametrize("path", paths(), ids=[path.stem for path in paths()])
def test_no_name_is_read_that_jinja2_does_not_look_for(path: Path) -> None:
    vector = read_vector(path)
    try:
        program = Program(vector["template"])
    except Fault:
        return
    environment = jinja2.Environment(extensions=[Generation, LoopControlExtension])
    looked_for = jinja2.meta.find_undeclared_variables(environment.parse(vector["template"]))
    if path.stem not in READ_TOO_EARLY:
        assert set(program.reads) <= looked_for | GLOBALS.keys()


def test_a_macro_that_is_called_in_many_ways() -> None:
    calls = "".join(f"{{% if a{number} %}}{{% set x{number} = 1 %}}{{{{ m() }}}}{{% endif %}}" for number in range(100))
    source = f"{{% macro m() %}}{{{{ y }}}}{{% if y %}}{{{{ m() }}}}{{% endif %}}{{% endmacro %}}{calls}"
    assert read(source) == {"y", *(f"a{number}" for number in range(100))}
    reading = "{% macro m() %}" + "".join(f"{{{{ x{number} }}}}" for number in range(100)) + "{% endmacro %}"
    assert read(reading + calls) == {f"{letter}{number}" for letter in "ax" for number in range(100)}
    always = "{% set z = 1 %}{% macro m() %}{{ z }}{% endmacro %}"
    assert read(always + calls) == {f"a{number}" for number in range(100)}


def test_they_are_in_the_order_of_the_source() -> None:
    assert Program("{{ b }}{% macro m() %}{{ d }}{% endmacro %}{{ a }}{% if c %}{% endif %}{{ m() }}{{ b }}").reads == [
        "b", "d", "a", "c",
    ]  # fmt: skip


def options(source: str) -> dict[str, tuple[str, Any]]:
    return {option.name: (option.type, option.default) for option in chatcodec.load(source).options}


def test_what_every_template_is_given_is_no_option() -> None:
    source = (
        "{{ messages }}{{ tools }}{{ documents }}{{ add_generation_prompt }}{{ bos_token }}{{ eos_token }}"
        "{{ namespace() }}{{ range(1) }}{{ raise_exception('') }}{{ strftime_now('') }}{{ loop }}{{ dict() }}{{ x }}"
    )
    assert list(options(source)) == ["x"]


def test_a_given_name_that_is_set_first_is_accepted_still() -> None:
    codec = chatcodec.load("{% set tools = none %}{% set bos_token = 'b' %}{{ tools }}{{ bos_token }}")
    assert codec.render([{"role": "user"}], tools=[], bos_token="x").text == "Noneb"


def test_an_option_that_is_not_read_is_refused_with_the_nearest() -> None:
    codec = chatcodec.load("{{ enable_thinking }}{% set other = 1 %}{{ other }}")
    with pytest.raises(chatcodec.UnknownOption, match="enable_thinking") as caught:
        codec.render([{"role": "user"}], enable_thinkin=True)
    assert caught.value.nearest == ("enable_thinking",)
    with pytest.raises(chatcodec.UnknownOption):
        codec.render([{"role": "user"}], other=1)
    assert codec.render([{"role": "user"}], other=1, allow_unknown=True).text == "1"


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        # booleans: tests for truth, comparisons with true and false, defaults
        ("{% if x %}a{% endif %}", "boolean"),
        ("{% if not x %}a{% endif %}", "boolean"),
        ("{% if x and y %}a{% endif %}", "boolean"),
        ("{{ 'a' if x else 'b' }}", "boolean"),
        ("{% if x == true %}{% endif %}", "boolean"),
        ("{% if x is true %}{% endif %}", "boolean"),
        ("{% if x is false %}{% endif %}", "boolean"),
        ("{% if x is defined and x is false %}{% endif %}", "boolean"),
        ("{% if x is boolean %}{% endif %}", "boolean"),
        ("{% set x = x|default(false) %}{% if x %}{% endif %}", "boolean"),
        ("{% if x is not defined %}{% set x = true %}{% endif %}{% if x %}{% endif %}", "boolean"),
        ("{% if x in [true, false] %}{% endif %}", "boolean"),
        ("{% if x is undefined %}{% set x = false %}{% endif %}", "boolean"),
        # numbers
        ("{% if x > 5 %}{% endif %}", "number"),
        ("{% if 5 < x %}{% endif %}", "number"),
        ("{% if x == -1 %}{% endif %}", "number"),
        ("{% if x == 0 or x %}{% endif %}", "number"),
        ("{{ x|int }}", "number"),
        ("{% if x is number %}{% endif %}", "number"),
        ("{% if x == 0.5 %}{{ x }}{% endif %}", "number"),
        # texts
        ("{% if x == 'low' %}{% endif %}", "string"),
        ("{% if x in ['low', 'high'] %}{% endif %}", "string"),
        ("{% if x not in ('low', 'high') %}{% endif %}", "string"),
        ("{{ x|trim }}", "string"),
        ("{{ x.strip() }}", "string"),
        ("{% if x %}{{ x|upper }}{% endif %}", "string"),
        ("{% if x is string %}{{ x }}{% endif %}", "string"),
        ("{% if x.startswith('a') %}{{ x }}{% endif %}", "string"),
        # what says nothing, or different things
        ("{{ x }}", "any"),
        ("{% if x is defined %}{% endif %}", "any"),
        ("{% if x is none %}{% endif %}", "any"),
        ("{% if x %}{{ x }}{% endif %}", "any"),
        ("{% for y in x %}{% endfor %}", "any"),
        ("{{ x.y }}", "any"),
        ("{{ x|tojson }}", "any"),
        ("{% if x == 'a' or x == 1 %}{% endif %}", "any"),
        ("{% if x == true or x == 'auto' %}{% endif %}", "any"),
        ("{% if x == y %}{% endif %}", "any"),
        ("{{ x|default(none) }}", "any"),
        ("{{ f(x) }}", "any"),
    ],
)
def test_type_of_an_option(source: str, kind: str) -> None:
    assert Program(source).option_types.type_of("x") == kind


@pytest.mark.parametrize(
    ("source", "default"),
    [
        ("{{ x|default('d') }}", "d"),
        ("{{ x|default(true) }}", True),
        ("{{ x|d(5) }}", 5),
        ("{% set x = x|default(false) %}", False),
        ("{% if x is not defined %}{% set x = 'low' %}{% endif %}", "low"),
        ("{% if x is undefined %}{% set x = 512 %}{% endif %}", 512),
        ("{% if x is not defined %}{% set x = -1 %}{% endif %}", -1),
        ("{% if not x is defined %}{% set x = -1.5 %}{% endif %}", -1.5),
        ("{% if x is not defined %}{% set y = 1 %}{% endif %}", None),
        ("{% if x is defined %}{% set x = 1 %}{% endif %}", None),
        ("{{ x|default(y) }}", None),
        ("{{ x|default }}", None),
        ("{% if x is not defined %}{% set x = -'a' %}{% endif %}{{ x }}", None),
        ("{{ x|default('a') }}{{ x|default('b') }}", "a"),
        ("{{ x }}", None),
        ("{{ y|default('d') }}{{ x }}", None),
        ("{{ x.y|default('d') }}", None),
    ],
)
def test_default_of_an_option(source: str, default: Any) -> None:
    found = Program(source).option_types.default_of("x")
    assert (found, type(found)) == (default, type(default))


def test_options_of_a_codec_have_types_and_defaults() -> None:
    assert options(
        "{% if enable_thinking is not defined %}{% set enable_thinking = true %}{% endif %}"
        "{% if enable_thinking %}t{% endif %}{% set effort = effort|default('low') %}"
        "{% if effort == 'high' %}h{% endif %}"
        "{% if budget is defined and budget > 0 %}{{ budget }}{% endif %}{{ anything }}"
    ) == {
        "enable_thinking": ("boolean", True),
        "effort": ("string", "low"),
        "budget": ("number", None),
        "anything": ("any", None),
    }


def test_a_value_of_another_type_is_warned_about() -> None:
    codec = chatcodec.load("{% if flag == true %}on{% else %}off{% endif %}")
    [warning] = codec.render([{"role": "user"}], flag="true").warnings
    assert (warning.code, warning.pointer) == ("option-type", "/options/flag")
    assert codec.render([{"role": "user"}], flag=True).warnings == []


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("{% if x == 'low' %}{% elif 'high' == x %}{% endif %}", ("low", "high")),
        ("{% if x in ['none', 'all'] %}{% endif %}", ("none", "all")),
        ("{% if x not in ('a', 1) and x != 'b' %}{% endif %}", ("a", "b")),
        ("{{ x ~ 'c' }}{% if y == 'd' %}{% endif %}", ()),
        ("{% if x | default('low') | lower == 'high' or x.strip() == 'none' %}{% endif %}", ("high", "none")),
        ("{% if x in 'abc' %}{% endif %}{% if 'd' in x %}{% endif %}", ("d",)),
    ],
)
def test_texts_that_an_option_is_compared_with(source: str, words: tuple[str, ...]) -> None:
    assert Program(source).option_types.words_of("x") == words
