"""Random templates from a grammar: whatever Jinja lets a chat template say.

`Grammar(seed)` gives one template after the other. Rules: the same seed gives the same; names are few and are used
again in all scopes, also as options of the chats (`template_chats`), so that it matters what is set where; most
templates render. It does not know what a template means: `fuzz_templates` compares engines.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable

from template_collections import COLLECTIONS
from template_expressions import EXPRESSIONS

STATEMENTS = r"""
9: {{ <any> }}
9: {{ <text> }}
4: {{ <word> + <text> + <text> }}
5: <data>
6: {% if <bool> %}<body>{% endif %}
4: {% if <bool> %}<body>{% else %}<body>{% endif %}
2: {% if <bool> %}<body>{% elif <bool> %}<body>{% else %}<body>{% endif %}
2: {% if <bool> %}{% set <name> = <any> %}{% endif %}
6: {% for message in messages %}<body:message>{% endfor %}
2: {% for message in messages if <message>.role == <word> %}<body:message>{% endfor %}
3: {% for <name> in <list> %}<body:loop>{% endfor %}
2: {% for <name> in <list> %}<body:loop>{% else %}<body>{% endfor %}
2: {% for <name> in <list> if <bool> %}<body:loop>{% endfor %}
{% for <name> in <list> if <bool> %}<body:loop>{% else %}<body>{% endfor %}
2: {% for <name>, <name> in <dict>.items() %}<body:loop>{% endfor %}
{% for <name> in <generator> %}<body:loop>{% endfor %}
{% for <name> in <dict> %}<body:loop>{% endfor %}
{% for <name> in <text> %}<body:loop>{% endfor %}
{% for <name>, <name> in <dicts>|groupby('a') %}<body:loop>{% endfor %}
{% for item in <dicts>|groupby('a') %}{{ item.grouper }}{{ item.list|length }}<body:loop>{% endfor %}
{% for x in [1, [<any>, [3]], []] recursive %}{{ loop(x) if x is sequence and x is not string }}<body:loop>{% endfor %}
{% for y in [1, [2, [3, 4]], []] recursive %}{{ loop.depth }}{{ loop(y) if y is iterable }}{% else %}<body>{% endfor %}
{% for y in [[1, [2]], 3] if <bool> recursive %}{{ y }}{{ loop(y) if y is iterable }}<body:loop>{% endfor %}
{% for <name> in range(<small>) %}<body:loop>{% endfor %}
6: {% set s = <text> %}
4: {% set n = <number> %}
3: {% set l = <list> %}
3: {% set d = <dict> %}
2: {% set b = <bool> %}
3: {% set <name> = <any> %}
{% set <name>, <name> = <any>, <any> %}
{% set <name> = <generator> %}
{% set x = <macro.name> %}
2: {% set <name> %}<body>{% endset %}
{% set s | upper %}<body>{% endset %}
{% set s | replace('a', <word>) | trim %}<body>{% endset %}
3: {% set ns = namespace(s=<text>, n=<number>, l=<list>, b=<bool>) %}
{% set ns = namespace(<dict>, x=<any>) %}
@ns 4: {% set ns.s = <text> %}
@ns 3: {% set ns.n = <number> %}
@ns 2: {% set ns.b = <bool> %}
@ns 2: {% set ns.l = <list> %}
@ns {% set ns.l = ns.l + [<any>] %}
@ns {% set ns.n = ns.n + 1 %}
@ns {% set ns.s, <name> = <text>, <any> %}
@joined {% set joined = joiner(<text>) %}
@cycled {% set cycled = cycler(<text>, <any>) %}
{% filter upper %}<body>{% endfilter %}
{% filter replace(<word>, <text>) %}<body>{% endfilter %}
{% filter indent(<small>) | trim %}<body>{% endfilter %}
{% filter escape %}<body>{% endfilter %}
4: <define>
3: {{ <macro> }}
<define>{% call <macro> %}<body:macro>{% endcall %}
2: {% macro f(x, s=<any>) %}{{ caller() }}<body:macro>{% endmacro %}{% call f(<any>) %}<body:macro>{% endcall %}
{% macro g() %}<body:macro>{{ caller(<any>, y=<any>) }}{% endmacro %}{% call(x, y=<any>) g() %}<body:macro>{% endcall %}
{% macro m(x, s=s) %}{{ caller(x) }}{{ s }}{% endmacro %}{% call(<name>) m(<any>) %}<body:macro>{% endcall %}
{% macro f(n) %}{{ n }}{% if n > 0 %}{{ f(n - 1) }}{% endif %}<body:macro>{% endmacro %}{{ f(<small>) }}
2: {% with <name> = <any> %}<body>{% endwith %}
{% with s = <text>, t = s %}<body>{% endwith %}
{% with %}<body>{% endwith %}
2: {% generation %}<body>{% endgeneration %}
{% raw %}{{ raw }} {% endraw %}
{# a comment <data> #}
{% if <bool> %}{{ raise_exception(<text>) }}{% endif %}
@loop 3: {% if <bool> %}{% continue %}{% endif %}
@loop 2: {% if <bool> %}{% break %}{% endif %}
@loop {% set s %}<body>{% if <bool> %}{% break %}{% endif %}{% endset %}
@loop {% filter upper %}{% if <bool> %}{% continue %}{% endif %}<body>{% endfilter %}
@loop {% with y = <any> %}{% if <bool> %}{% continue %}{% endif %}<body>{% endwith %}
@loop 2: {{ loop.index }}{{ ', ' if not loop.last }}
@loop 2: {{ loop.index }}
@macro 3: {{ caller() if caller is defined }}
@macro {{ caller(<any>) if caller }}
@macro {{ varargs }}{{ kwargs }}
@macro {{ kwargs.a }}{{ varargs|length }}
"""

_LOOP = {
    "loop.text": "loop.cycle(<text>, <text>)\nloop.previtem\nloop.nextitem",
    "loop.number": "3: loop.index\n3: loop.index0\n2: loop.length\nloop.revindex\nloop.revindex0\nloop.depth",
    "loop.bool": "3: loop.first\n3: loop.last\n(loop.previtem is defined)\n(loop.nextitem == <any>)",
    "loop.changed": "loop.changed(<any>)",
}
_WORDS = (
    "''", "' '", "'a'", "'b'", "'user'", "'assistant'", "'tool'", "'content'", "'role'", "'x, y'", r"'\n'", "'<'",
    "'&amp;'",
    "'%'", "'%s'", "'%s-%r'", "'{}'", "'{0}'", "'é'", "'日本'", "'😀'", r"' a\tb \n c '", "'A b C'", "'12'", "'-7.5'",
    "'http://a.b/c'", '"it\'s"', "'ß'", "'true'", "'n'", "'a.b'", "'<b>'",
)  # fmt: skip
_DATA = ("text", " ", "\n", "  \n", "\n\n  ", "<b>", "{ }", "# x", "é😀", "a\tb", "\r\n", "%", "'", '"', "")
_LEAVES = ("{{ s }}", "{{ x }}", "{{ n }}", "text", "{% set s = 'in' %}", "{{ loop is defined }}", "")
_NAMES = ("s", "t", "n", "i", "l", "d", "b", "x", "y", "z", "item", "message", "ns", "loop_", "k")
_BEGINNINGS = {
    "ns": "{% set ns = namespace(s='', n=0, b=false, l=[]) %}",
    "joined": "{% set joined = joiner() %}",
    "cycled": "{% set cycled = cycler('a', 'b') %}",
}
_LINE = re.compile(r"(?:@(\w+) )?(?:(\d+): )?(.*)")
_HOLE = re.compile(r"<([a-z]+(?:[.:][a-z]+)?)>")
_SIMPLE = re.compile(r"\w+(\.\w+|\[-?\d\])*|'[^']*'")
_HOLE_OF_LEAF = re.compile(r"<(?:word|small|big|data|name)>")
_DEEP = 3


class Grammar:
    """A source of random templates and chats. `without` are texts that no production drawn may contain."""

    def __init__(self, seed: object, without: tuple[str, ...] = ()):
        self.random = random.Random(f"{seed}")
        self.without = without
        self.macros: list[tuple[str, int]] = []
        self.places: list[str] = []
        rules = {**EXPRESSIONS, **COLLECTIONS, **_LOOP, "statement": STATEMENTS}
        self._rules = {kind: [self._rule(line) for line in text.strip().splitlines()] for kind, text in rules.items()}
        for kind, lines in self._rules.items():
            self._rules[kind] = [line for line in lines if not any(text in line[2] for text in without)]
        self._special: dict[str, Callable[[int], str]] = {
            "body": self.body,
            "body:loop": lambda depth: self.body(depth, "loop"),
            "body:macro": lambda depth: self.body(depth, "macro"),
            "body:message": lambda depth: self.body(depth, "loop", "message"),
            "name": lambda _: self.random.choice(_NAMES),
            "word": lambda _: self.random.choice(_WORDS),
            "data": lambda _: self.random.choice(_DATA),
            "define": self.define,
            "macro": self.macro_call,
            "macro.list": lambda depth: f"[{self.macro_call(depth)}]",
            "macro.name": lambda _: self.random.choice(self.macros)[0] if self.macros else "m",
        }

    @staticmethod
    def _rule(line: str) -> tuple[str | None, int, str]:
        found = _LINE.fullmatch(line)
        assert found is not None
        return found[1], int(found[2] or 1), found[3]

    def template(self) -> str:
        """Return the source of a template."""
        self.macros, self.places = [], [name for name in _BEGINNINGS if self.random.random() < 0.5]
        if self.random.random() < 0.12:
            self.places.append("marked")
        begin = "".join(
            _BEGINNINGS[name] for name in self.places if name in _BEGINNINGS and self.random.random() < 0.97
        )
        count = self.random.choice((1, 1, 2, 3, 4, 6))
        return begin + "".join(self.draw("statement", 0) for _ in range(count))

    # Productions

    def draw(self, kind: str, depth: int) -> str:
        """Return a random expression or statement of a kind."""
        if kind in self._special:
            return self._special[kind](depth)
        if kind != "statement" and kind in ("text", "number", "list", "dict") and self.random.random() < 0.02:
            kind = "any"
        if kind.startswith("loop.") and "loop" not in self.places and self.random.random() < 0.9:
            kind = {"loop.text": "word", "loop.number": "small"}.get(kind, "bool")
            return self.draw(kind, depth + 1)
        rules = [rule for rule in self._rules[kind] if rule[0] is None or rule[0] in self.places]
        if depth > _DEEP:
            rules = [rule for rule in rules if "<" not in _HOLE_OF_LEAF.sub("", rule[2])] or rules
        pattern = self.random.choices([rule[2] for rule in rules], [rule[1] for rule in rules])[0]
        if kind == "statement":
            pattern = self._spaced(pattern)
        return _HOLE.sub(lambda hole: self._fill(hole, depth), pattern)

    def _fill(self, hole: re.Match[str], depth: int) -> str:
        kind = hole[1]
        if kind not in self._special and kind not in self._rules:
            return hole[0]
        drawn = self.draw(kind, depth + 1)
        behind = hole.string[hole.end() : hole.end() + 1]
        return f"({drawn})" if behind in (".", "[") and not _SIMPLE.fullmatch(drawn) else drawn

    def _spaced(self, pattern: str) -> str:
        """Return a pattern with other marks for white space in its tags."""
        if self.random.random() < 0.6 or "raw" in pattern:
            return pattern
        pattern = re.sub(r"\{%|\{\{", lambda tag: tag[0] + self.random.choice(("", "", "-", "+")), pattern)
        pattern = re.sub(r"%\}", lambda tag: self.random.choice(("", "", "-", "+")) + tag[0], pattern)
        return re.sub(r"(?<=\s)\}\}", lambda tag: self.random.choice(("", "", "-")) + tag[0], pattern)

    def body(self, depth: int, *places: str) -> str:
        """Return statements inside another; `places` is what they are the body of."""
        self.places += places
        known = len(self.macros)
        count = self.random.choice((0, 1, 1, 2, 3)) if depth <= _DEEP else 1
        inside = "".join(self.draw("statement", depth + 1) if depth <= _DEEP else self._leaf() for _ in range(count))
        del self.places[len(self.places) - len(places) :]
        del self.macros[known:]
        return inside

    def _leaf(self) -> str:
        return self.random.choice(_LEAVES)

    def define(self, depth: int) -> str:
        """Return the definition of a macro."""
        name = self.random.choice(("m", "f", "g", "x"))
        names = self.random.sample(("x", "y", "s", "n", "message", "l", "caller"), self.random.choice((0, 1, 1, 2, 3)))
        first = self.random.randint(0, len(names))
        parameters = [each for each in names[:first] if each != "caller"]
        parameters += [f"{each}={self.draw('any', depth + 2)}" for each in names if each not in parameters]
        text = f"{{% macro {name}({', '.join(parameters)}) %}}{self.body(depth, 'macro')}{{% endmacro %}}"
        self.macros.append((name, len(names)))
        return text

    def macro_call(self, depth: int) -> str:
        """Return a call of a macro that was defined, most of the time."""
        if not self.macros or self.random.random() < 0.01:
            return "'no macro'" if self.random.random() < 0.9 else "m()"
        name, count = self.random.choice(self.macros)
        count = max(0, count + self.random.choice((0, 0, 0, 0, 0, -1, -1, 1)))
        given = [self.draw("any", depth + 1) for _ in range(count)]
        if self.random.random() < 0.15:
            given.append(f"{self.random.choice(('x', 's', 'a', 'n'))}={self.draw('any', depth + 1)}")
        elif self.random.random() < 0.05:
            given.append("*" + self.draw("list", depth + 1))
        elif self.random.random() < 0.05:
            given.append("**" + self.draw("dict", depth + 1))
        return f"{name}({', '.join(given)})"
