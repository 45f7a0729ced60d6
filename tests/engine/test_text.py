"""Text with an origin does what `str` does, and says of each character where it came from, or nothing.

Operations are applied in parallel to plain text and to text with origins, drawn at random. The texts of the sources
hold letters that only they have, so that a character tells by itself where it came from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from chatcodec.engine.filters import FILTERS
from chatcodec.engine.limits import DEFAULT
from chatcodec.engine.loading import wrapped
from chatcodec.engine.run import Run
from chatcodec.engine.runs import runs_of, sources_of
from chatcodec.engine.text import (
    DERIVED,
    KEY,
    STR,
    VALUE,
    Text,
    derived,
    joined,
    literal,
    made,
    put_together,
    replaced,
    unknown,
)
from chatcodec.engine.tracing import TracedRun

LETTERS = {"a": "abcdegß", "b": "hjkmopŉ", "c": "quvwﬁΣ"}
OF_THE_TEMPLATE = "xyz"
SHARED = " \n\t-%12"
WHOSE = {letter: key for key, letters in LETTERS.items() for letter in letters}
LONGEST = 400


class Pair(NamedTuple):
    """A plain text, and the same with origins."""

    plain: str
    text: str


class Sources:
    """The strings that texts come from."""

    def __init__(self, a: str, b: str, c: str):
        self.strings = {"a": a, "b": b}
        self.listed = [c]
        self.pool = [Pair(value, wrapped(value, self.strings, key)) for key, value in self.strings.items()]
        self.pool.append(Pair(c, wrapped(c, self.listed, 0)))

    def key_of(self, source: Any, key: Any) -> str:
        """Return which of the three an origin names; nothing for a list or object that is not of the chat."""
        if source is self.strings:
            return str(key)
        return "c" if source is self.listed else ""


def same(one: str, other: str) -> bool:
    return any(fold(one) == fold(other) for fold in (str.casefold, str.upper, str.lower, str.title))


def owners(stretch: str) -> set[str]:
    """Return the keys of the sources whose letters are in some text."""
    return {WHOSE[letter] for letter in stretch.lower() if letter in WHOSE}


def check(text: str, sources: Sources) -> None:
    """Check what a text says of its characters; one that says nothing is nobody's."""
    assert type(text) in (str, Text)
    if type(text) is str:
        return
    runs = runs_of([text])
    ends = [0, *(run[1] for run in runs)]
    assert [run[0] for run in runs] == ends[:-1]
    assert ends[-1] == len(text)
    for start, end, what, whose in runs:
        assert whose is None
        stretch = text[start:end]
        if what is None:
            assert not owners(stretch), f"{stretch!r} has lost its origin"
        elif what[3] == DERIVED:
            keys = {sources.key_of(origin[0], origin[1]) for origin in sources_of(what)}
            assert not keys or owners(stretch) <= keys  # all that it is made from, or nothing is said
        else:
            source, key, first, how = what
            assert how in (VALUE, KEY, STR)
            if not sources.key_of(source, key):
                assert not owners(stretch), f"{stretch!r} is said to be of the template"
            shown = str(source[key])
            assert first + len(stretch) <= len(shown)
            assert all(map(same, stretch, shown[first:])), (stretch, what)


def letters_of(key: str) -> st.SearchStrategy[str]:
    own = st.lists(st.sampled_from(LETTERS[key]), unique=True, max_size=6)
    between = st.lists(st.sampled_from(SHARED), max_size=5)
    return st.tuples(own, between).flatmap(lambda both: st.permutations(both[0] + both[1])).map("".join)


SOURCES = st.builds(Sources, letters_of("a"), letters_of("b"), letters_of("c"))
PLAIN = st.text(alphabet=OF_THE_TEMPLATE + SHARED, max_size=5)
NUMBER = st.integers(-4, 9)

# Operations on a text: each takes the text, other texts, two numbers and a short text of the template


def split_at(one: str, other: str) -> str | None:
    """Return a text to split at: a part of the other, which may be in the one."""
    return other[:1] or None


OPERATIONS: dict[str, Callable[..., Any]] = {
    "add": lambda a, b, m, n, p: a + b,
    "add plain": lambda a, b, m, n, p: a + p,
    "add to plain": lambda a, b, m, n, p: p + a,
    "multiply": lambda a, b, m, n, p: a * m,
    "multiply from the left": lambda a, b, m, n, p: max(m, 0) * a,
    "strip": lambda a, b, m, n, p: a.strip(),
    "strip of": lambda a, b, m, n, p: a.strip(p),
    "lstrip": lambda a, b, m, n, p: a.lstrip(),
    "lstrip of": lambda a, b, m, n, p: a.lstrip(str.__str__(a)[:2]),
    "rstrip": lambda a, b, m, n, p: a.rstrip(),
    "rstrip of": lambda a, b, m, n, p: a.rstrip(str.__str__(a)[-2:]),
    "removeprefix": lambda a, b, m, n, p: a.removeprefix(str.__str__(a)[: abs(m)]),
    "removesuffix": lambda a, b, m, n, p: a.removesuffix(str.__str__(a)[abs(m) :]),
    "split": lambda a, b, m, n, p: a.split(),
    "split at most": lambda a, b, m, n, p: a.split(None, m),
    "split at": lambda a, b, m, n, p: a.split(split_at(a, b), n),
    "split at plain": lambda a, b, m, n, p: a.split(p[:2] or "-"),
    "split by names": lambda a, b, m, n, p: a.split(sep=p[:1] or " ", maxsplit=m),
    "rsplit": lambda a, b, m, n, p: a.rsplit(),
    "rsplit at most": lambda a, b, m, n, p: a.rsplit(None, m),
    "rsplit at": lambda a, b, m, n, p: a.rsplit(p[:1] or "-", n),
    "splitlines": lambda a, b, m, n, p: a.splitlines(),
    "splitlines with ends": lambda a, b, m, n, p: a.splitlines(True),
    "partition": lambda a, b, m, n, p: a.partition(p[:1] or "-"),
    "partition at own": lambda a, b, m, n, p: a.partition(str.__str__(a)[abs(m) : abs(m) + 2]),
    "rpartition": lambda a, b, m, n, p: a.rpartition(p[:1] or "-"),
    "rpartition at own": lambda a, b, m, n, p: a.rpartition(str.__str__(a)[abs(m) : abs(m) + 2]),
    "lower": lambda a, b, m, n, p: a.lower(),
    "upper": lambda a, b, m, n, p: a.upper(),
    "title": lambda a, b, m, n, p: a.title(),
    "capitalize": lambda a, b, m, n, p: a.capitalize(),
    "swapcase": lambda a, b, m, n, p: a.swapcase(),
    "casefold": lambda a, b, m, n, p: a.casefold(),
    "replace": lambda a, b, m, n, p: a.replace(p[:1] or "-", b),
    "replace some": lambda a, b, m, n, p: a.replace(p[:1] or " ", b, n),
    "replace own": lambda a, b, m, n, p: a.replace(str.__str__(a)[abs(m) : abs(m) + 1], b, n),
    "replace nothing": lambda a, b, m, n, p: a.replace("", b, n),
    "center": lambda a, b, m, n, p: a.center(len(a) + m),
    "center with": lambda a, b, m, n, p: a.center(len(a) + m, p[:1] or "."),
    "ljust": lambda a, b, m, n, p: a.ljust(len(a) + m, p[:1] or "."),
    "rjust": lambda a, b, m, n, p: a.rjust(len(a) + m, b[:1] or "."),
    "zfill": lambda a, b, m, n, p: a.zfill(len(a) + m),
    "expandtabs": lambda a, b, m, n, p: a.expandtabs(abs(m)),
    "part": lambda a, b, m, n, p: a[m:n],
    "part from": lambda a, b, m, n, p: a[m:],
    "part with step": lambda a, b, m, n, p: a[n :: m or 1],
    "backwards": lambda a, b, m, n, p: a[::-1],
    "character": lambda a, b, m, n, p: a[m],
    "characters": lambda a, b, m, n, p: list(a)[:4],
    "joined characters": lambda a, b, m, n, p: joined(p, list(a)),
    "join": lambda a, b, m, n, p: a.join([b, p, a]),
    "join others": lambda a, b, m, n, p: joined(p, [a, b]),
    "replace in plain": lambda a, b, m, n, p: replaced(p, p[:1] or "x", a, n),
    "put together": lambda a, b, m, n, p: put_together([a, p, b]),
    "format": lambda a, b, m, n, p: a % (b,),
    "in": lambda a, b, m, n, p: b in a,
    "find": lambda a, b, m, n, p: (a.find(b), a.rfind(p), a.count(p), a.index(b[:0])),
    "ask": lambda a, b, m, n, p: (a.startswith(p), a.endswith(b), a.isalpha(), a == b, a < b),
}
STEPS = st.lists(
    st.tuples(st.sampled_from(sorted(OPERATIONS)), st.integers(0, 99), st.integers(0, 99), NUMBER, NUMBER, PLAIN),
    min_size=1,
    max_size=8,
)


def outcome(operation: Callable[..., Any], *arguments: Any) -> Any:
    try:
        return operation(*arguments)
    except (ValueError, IndexError, TypeError, OverflowError) as error:
        return type(error)


def texts_in(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, tuple)):
        for each in value:
            yield from texts_in(each)


@settings(max_examples=500)
@given(SOURCES, STEPS)
@example(Sources("a b", "h", "q"), [("split", 0, 0, 0, 0, ""), ("title", 3, 0, 0, 0, "")])
@example(Sources("aß-b", "h", "q"), [("upper", 0, 0, 0, 0, ""), ("split at plain", 3, 0, 0, 0, "-")])
@example(Sources("ab", "hj", "q"), [("add", 0, 1, 0, 0, ""), ("backwards", 3, 0, 0, 0, ""), ("part", 4, 0, 1, 3, "")])
def test_text_does_what_str_does(sources: Sources, steps: list[Any]) -> None:
    pool = list(sources.pool)
    for name, first, second, m, n, plain in steps:
        one, other = pool[first % len(pool)], pool[second % len(pool)]
        if type(one.text) is not Text:  # it has nothing of the sources
            one = pool[first % 3]
        expected = outcome(OPERATIONS[name], one.plain, other.plain, m, n, plain)
        found = outcome(OPERATIONS[name], one.text, other.text, m, n, literal(plain))
        assert found == expected, name
        assert type(found) is (Text if type(found) is Text else type(expected))
        for text, pair in zip(texts_in(expected), texts_in(found), strict=True):
            assert hash(pair) == hash(text)
            check(pair, sources)
            if len(text) <= LONGEST:
                pool.append(Pair(text, pair))


# The same by what a template runs with

FILTERS_OF_TEXT = {
    "trim": [()], "upper": [()], "lower": [()], "capitalize": [()], "title": [()], "string": [()], "list": [()],
    "first": [()], "last": [()], "reverse": [()], "default": [("p",)], "replace": [("p", "b"), ("p", "b", "n")],
    "center": [("m",)], "indent": [("m",), ("p", True, True)], "wordwrap": [(5,)], "truncate": [(5, True), (7,)],
    "striptags": [()], "pprint": [()], "format": [("b",)], "join": [("p",)],
    "unique": [()], "sort": [()], "batch": [(2,)], "slice": [(2,)], "length": [()], "wordcount": [()],
}  # fmt: skip
METHODS_OF_TEXT = {
    "strip": [(), ("p",)], "lstrip": [()], "rstrip": [()], "split": [(), ("q",), ("q", "m")], "rsplit": [("q", "m")],
    "splitlines": [(), (True,)], "partition": [("q",)], "rpartition": [("q",)], "lower": [()], "upper": [()],
    "title": [()], "capitalize": [()], "swapcase": [()], "casefold": [()], "replace": [("q", "b"), ("q", "b", "n")],
    "center": [("w",), ("w", "q")], "ljust": [("w", "q")], "rjust": [("w", "q")], "zfill": [("w",)],
    "expandtabs": [()], "join": [(["b", "p", "a"],)], "removeprefix": [("p",)],
    "removesuffix": [("p",)], "count": [("q",)], "find": [("b",)],
}  # fmt: skip
RUN_OPERATIONS: dict[str, Callable[..., Any]] = {
    "add": lambda run, a, b, m, p: run.add(a, b),
    "add plain": lambda run, a, b, m, p: run.add(p, a),
    "sum": lambda run, a, b, m, p: run.sum_of(p, a, b, p),
    "multiply": lambda run, a, b, m, p: run.multiply(a, m),
    "modulo": lambda run, a, b, m, p: run.modulo(f"{p.replace('%', '')}%s-%s", (a, b)),
    "modulo of one": lambda run, a, b, m, p: run.modulo("<%s>", a),
    "modulo of a name": lambda run, a, b, m, p: run.modulo("%(x)s%(x)s%(y)5s", {"x": a, "y": b}),
    "modulo of a width": lambda run, a, b, m, p: run.modulo("%7s|%-4.2s", (a, b)),
    "modulo of a repr": lambda run, a, b, m, p: run.modulo("%r%%", (a,)),
    "format": lambda run, a, b, m, p: run.call_method("{}-{}{{}}", "format", a, b),
    "format by name": lambda run, a, b, m, p: run.call_method("{x}{0}{x}", "format", b, x=a),
    "format with spec": lambda run, a, b, m, p: run.call_method("{:>6}{!r}", "format", a, b),
    "join_texts": lambda run, a, b, m, p: run.join_texts((a, p, b)),
    "join": lambda run, a, b, m, p: run.join(p, [a, b, a]),
    "join by data": lambda run, a, b, m, p: run.join(b, [p, a]),
    "join characters": lambda run, a, b, m, p: FILTERS["join"](run, a, p),
    "join list": lambda run, a, b, m, p: FILTERS["join"](run, [a, 1, b], p),
    "part": lambda run, a, b, m, p: run.stretch(a, slice(m, None)),
    "part with step": lambda run, a, b, m, p: run.stretch(a, slice(None, None, m or -1)),
    "item": lambda run, a, b, m, p: run.item_of(a, m) if a else "",
    "characters": lambda run, a, b, m, p: list(run.listed(a))[:3],
    "replace": lambda run, a, b, m, p: run.replace(p, p[:1] or "x", a),
    "captured": lambda run, a, b, m, p: run.joined([a, p, b]),
    "macro": lambda run, a, b, m, p: run.captured(lambda out, x: out.extend((p, x)), a),
    "map": lambda run, a, b, m, p: list(FILTERS["map"](run, [a, b], "upper")),
    "select": lambda run, a, b, m, p: list(FILTERS["select"](run, [a, p, b])),
    "sort": lambda run, a, b, m, p: FILTERS["sort"](run, [a, p, b]),
    "max": lambda run, a, b, m, p: FILTERS["max"](run, [a, p or "x", b]),
    "sum of lists": lambda run, a, b, m, p: run.add([a], [b, p]),
    "list multiplied": lambda run, a, b, m, p: run.multiply([a, p], 2),
    "part of list": lambda run, a, b, m, p: run.stretch([a, b, p], slice(m, None)),
    "sorted members": lambda run, a, b, m, p: [pair[1] for pair in FILTERS["dictsort"](run, {"k": a, "j": b})],
}


def _named(name: str, arguments: tuple[Any, ...], method: bool) -> Callable[..., Any]:
    def operation(run: Run, a: str, b: str, m: int, p: str) -> Any:
        meaning = {"a": a, "b": b, "p": p, "q": p[:1] or "-", "m": m, "n": m, "w": len(a) + m}

        def value(argument: Any) -> Any:
            if isinstance(argument, list):
                return [value(each) for each in argument]
            return meaning.get(argument, argument) if isinstance(argument, str) else argument

        taken = [value(argument) for argument in arguments]
        result = run.call_method(a, name, *taken) if method else FILTERS[name](run, a, *taken)
        return list(result) if hasattr(result, "__next__") else result

    return operation


for _filters, _method in ((FILTERS_OF_TEXT, False), (METHODS_OF_TEXT, True)):
    for _name, _forms in _filters.items():
        for _arguments in _forms:
            _about = f"{'.' if _method else '|'}{_name}{_arguments}"
            RUN_OPERATIONS[_about] = _named(_name, _arguments, _method)

RUN_STEPS = st.lists(
    st.tuples(st.sampled_from(sorted(RUN_OPERATIONS)), st.integers(0, 99), st.integers(0, 99), NUMBER, PLAIN),
    min_size=1,
    max_size=6,
)
LOST = frozenset({"|title", "|wordwrap", "|truncate", "|striptags", "|pprint"})
"""Filters that keep no origins by themselves: the code that is written for them says so."""


@settings(max_examples=500)
@given(SOURCES, RUN_STEPS)
def test_a_traced_run_does_what_a_run_does(sources: Sources, steps: list[Any]) -> None:
    plain_run, traced_run = Run({}, DEFAULT), TracedRun({}, DEFAULT)
    pool = list(sources.pool)
    for name, first, second, m, plain in steps:
        one, other = pool[first % len(pool)], pool[second % len(pool)]
        expected = outcome(RUN_OPERATIONS[name], plain_run, one.plain, other.plain, m, plain)
        found = outcome(RUN_OPERATIONS[name], traced_run, one.text, other.text, m, literal(plain))
        if name.partition("(")[0] in LOST:
            found = traced_run.lost(found, one.text)
        assert str(found) == str(expected), name
        for text, pair in zip(texts_in(expected), texts_in(found), strict=True):
            assert pair == text, name
            check(pair, sources)
            if len(text) <= LONGEST:
                pool.append(Pair(text, pair))


# By hand

CHAT = {"content": "Hello World", "n": 5}


def origins(text: str) -> list[tuple[str, str | None, int]]:
    """Return the stretches of a text with the key and place that each comes from."""
    return [
        (text[start:end], None if what is None else what[1], 0 if what is None else what[2])
        for start, end, what, _ in runs_of([text])
    ]


@pytest.fixture
def content() -> Text:
    text = wrapped(CHAT["content"], CHAT, "content")
    assert type(text) is Text
    return text


def test_a_part_knows_where_it_begins(content: Text) -> None:
    assert origins(content[6:]) == [("World", "content", 6)]
    assert origins(content[-1]) == [("d", "content", 10)]
    assert origins(content[2:8][1:3]) == [("lo", "content", 3)]
    assert origins(content.split()[1]) == [("World", "content", 6)]
    assert origins(content.rsplit(" ", 1)[1]) == [("World", "content", 6)]
    assert origins(content.partition(" ")[2]) == [("World", "content", 6)]
    assert origins(content.removeprefix("Hello ")) == [("World", "content", 6)]


def test_a_sum_knows_its_parts(content: Text) -> None:
    text = literal("<") + content[:5] + literal("|") + content[6:] + literal(">")
    assert origins(text) == [
        ("<", None, 0),
        ("Hello", "content", 0),
        ("|", None, 0),
        ("World", "content", 6),
        (">", None, 0),
    ]
    assert origins(text[3:9]) == [("llo", "content", 2), ("|", None, 0), ("Wo", "content", 6)]
    assert origins(text.replace(literal("|"), content[5]))[2] == (" ", "content", 5)


def test_case_keeps_places_only_where_no_character_gets_longer(content: Text) -> None:
    assert origins(content.upper()) == [("HELLO WORLD", "content", 0)]
    strange = wrapped("Straße", {"content": "Straße"}, "content")
    [(text, key, _)] = origins(strange.upper())
    assert (text, key) == ("STRASSE", None)
    assert strange.upper().origin[3] == DERIVED


def test_lines_know_where_they_begin() -> None:
    chat = {"t": "a\r\nbc\n\nd\u2028e"}
    text = wrapped(chat["t"], chat, "t")
    assert [origins(line) for line in text.splitlines()] == [
        [("a", "t", 0)], [("bc", "t", 3)], [], [("d", "t", 7)], [("e", "t", 9)]
    ]  # fmt: skip


def test_white_space_of_any_length_between_parts() -> None:
    chat = {"t": "  a \t a\n\na  "}
    text = wrapped(chat["t"], chat, "t")
    assert [origins(part) for part in text.split()] == [[("a", "t", 2)], [("a", "t", 6)], [("a", "t", 9)]]
    assert [origins(part) for part in text.split(None, 1)] == [[("a", "t", 2)], [("a\n\na  ", "t", 6)]]
    assert [origins(part) for part in text.rsplit(None, 1)] == [[("  a \t a", "t", 0)], [("a", "t", 9)]]


def test_the_same_part_twice() -> None:
    chat = {"t": "ab-ab-ab"}
    text = wrapped(chat["t"], chat, "t")
    assert [origins(part) for part in text.split("-")] == [[("ab", "t", 0)], [("ab", "t", 3)], [("ab", "t", 6)]]
    assert origins(text.rpartition("-")[2]) == [("ab", "t", 6)]
    assert origins(text.rpartition("-")[0]) == [("ab-ab", "t", 0)]
    assert [origins(part) for part in text.rsplit("ab", 1)] == [[("ab-ab-", "t", 0)], []]


def test_what_is_not_followed_is_derived(content: Text) -> None:
    for text in (
        content.zfill(20),
        content.replace("", literal("-")),
        content.expandtabs(),
        content.center(20, content[0]),
    ):
        assert type(text) is Text
        assert text.origin[3] == DERIVED
        assert next(sources_of(text.origin))[:2] == (CHAT, "content")


def test_an_operation_that_changes_nothing_keeps_all(content: Text) -> None:
    for text in (
        content.strip(),
        content.replace("x", "y"),
        content[:],
        content.removesuffix("?"),
        content * 1,
        content + "",
    ):
        assert origins(text) == [("Hello World", "content", 0)]


@pytest.mark.parametrize("form", ["plain", "a {} b", "{x} a {0:>4}", "{{a}}"])
def test_data_that_is_a_form(form: str) -> None:
    text = TracedRun({}, DEFAULT).call_method(wrapped(form, {"t": form}, "t"), "format", "y", x="z")
    assert text == form.format("y", x="z")
    for start, end, what, _ in runs_of([text]):
        assert what is not None or text[start:end] in ("y", "z"), "data is said to be of the template"


@pytest.mark.parametrize("values", [(), ("y",), {"x": "y"}])
def test_data_that_is_a_form_of_percent(values: Any) -> None:
    form = {(): "plain", ("y",): "a %s b"}.get(values, "a") if isinstance(values, tuple) else "a %(x)s b"
    text = TracedRun({}, DEFAULT).modulo(wrapped(form, {"t": form}, "t"), values)
    assert text == form % values
    for start, end, what, _ in runs_of([text]):
        assert what is not None or text[start:end] == "y", "data is said to be of the template"


def shown(text: str) -> list[str]:
    """Return what each stretch of a text is: ``template``, ``derived``, or how it shows a value."""
    return ["template" if what is None else str(what[3]) for _, _, what, _ in runs_of([text])]


def test_text_of_the_template_is_known_to_be(content: Text) -> None:
    said = literal("a b")
    for text in (said, said + said, said[1:], said.upper(), said.split()[0], said * 2, said.center(9, said[1])):
        assert set(shown(text)) == {"template"}, text
    assert shown(derived("abc", said)) == ["template"]
    assert shown(said + content) == ["template", VALUE]
    assert shown(said.replace(literal(" "), content)) == ["template", VALUE, "template"]


def test_text_that_nobody_knows_is_derived(content: Text) -> None:
    assert shown(unknown("abc")) == [DERIVED]
    assert shown(derived("abc")) == [DERIVED]
    assert shown(put_together(["a", "b"])) == [DERIVED, DERIVED]
    assert shown(literal("a") + "b") == ["template", DERIVED]
    assert shown(content + "b") == [VALUE, DERIVED]
    assert shown(joined(literal("-"), ["a", content])) == [DERIVED, "template", VALUE]
    assert shown(replaced(literal("abc"), "b", "x", -1)) == ["template", DERIVED, "template"]
    assert shown(derived("abc", literal("a"), {"k": "v"})) == [DERIVED]


def test_no_text_is_no_text() -> None:
    assert put_together([]) == put_together(["", ""]) == derived("") == unknown("") == ""


@pytest.mark.parametrize("form", ["a %s b", "a %s %s b", "%r%5s", "a %(x)s %(y)s b", "%(x)d%%%(y)r"])
def test_derived_text_names_all_that_it_is_made_from(form: str) -> None:
    chat = {"x": 1, "y": "w"}
    x, y = (wrapped(value, chat, key) for key, value in chat.items())
    values: Any = {"x": x, "y": y} if "(" in form else (y,) if form.count("%") == 1 else (x, y)
    text = TracedRun({}, DEFAULT).modulo(wrapped(form, {"form": form}, "form"), values)
    assert text == form % values
    named = {origin[1] for _, _, what, _ in runs_of([text]) if what is not None for origin in sources_of(what)}
    assert named == {"form", "y"} | ({"x"} if len(values) == 2 else set())


def test_names_have_origins_too() -> None:
    name = made("key", (CHAT, "key", 0, KEY))
    [(_, _, what, _)] = runs_of([name[1:]])
    assert what == (CHAT, "key", 1, KEY)


def test_messages_of_python_call_it_a_text(content: Text) -> None:
    with pytest.raises(TypeError, match="must be str, not None"):
        content.strip(None).removeprefix(None)  # type: ignore[arg-type]
    assert type(content).__name__ == "str"
