"""What goes wrong in a template is an error that says which template, which line, what it says, and where it was."""

from __future__ import annotations

import pickle
import re
import traceback
from pathlib import Path
from typing import Any

import pytest

import chatcodec
from chatcodec.errors import InvalidTemplate, TemplateFailed, UnsafeTemplate

USER = {"role": "user", "content": "Hi"}
TEXT = "template text"


def failure(template: str, messages: list[Any] | None = None, **given: Any) -> chatcodec.ChatCodecError:
    """Return the error of rendering a chat; the same comes if the prompt before was asked for its spans."""
    codec = chatcodec.load(template)
    with pytest.raises(chatcodec.ChatCodecError) as caught:
        codec.render(messages or [USER], allow_unknown=True, **given)
    vars(codec._renderer)["_asked"] = [True]
    with pytest.raises(type(caught.value)) as again:
        codec.render(messages or [USER], allow_unknown=True, **given)
    assert str(again.value) == str(caught.value)
    assert vars(again.value) == vars(caught.value)
    return caught.value


def broken(template: str) -> InvalidTemplate:
    with pytest.raises(InvalidTemplate) as caught:
        chatcodec.load(template)
    return caught.value


# Source that is no template


@pytest.mark.parametrize(
    ("template", "line", "words"),
    [
        ("{{ 1 + }}", 1, "unexpected"),
        ("a\n{% if x %}\nb", 3, "Unexpected end of template"),
        ("a\nb\n{{ x ", 3, "unexpected end of template"),
        ("\n\n{% nothing %}", 3, "unknown tag 'nothing'"),
        ("{% for x in y %}\n{% endif %}", 2, "unknown tag 'endif'"),
        ("a\n{{ x|nothing }}", 2, "No filter named 'nothing'"),
        ("a\n{{ x is nothing }}", 2, "No test named 'nothing'"),
        ("a\n\n{% for m in [] %}\n{{ m|from_json }}\n{% endfor %}", 4, "No filter named 'from_json'"),
        ("{% macro m(x) %}\n{{ x|nothing }}{% endmacro %}", 2, "No filter named 'nothing'"),
        ("a\n{% set x = 1|nothing %}", 2, "No filter named 'nothing'"),
        ("a\n{% filter nothing %}b{% endfilter %}", 2, "No filter named 'nothing'"),
        ("a\n{% set x | nothing %}b{% endset %}", 2, "No filter named 'nothing'"),
        ("a\n{% include 'x' %}", 2, "include"),
        ("a\n\n{% import 'x' as y %}", 3, "import"),
        ("a\n{% from 'x' import y %}", 2, "import"),
        ("a\nb\n{% extends 'x' %}", 3, "extends"),
        ("a\n{% block b %}{% endblock %}", 2, "block"),
        ("a\n{% break %}", 2, "break"),
        ("{% for x in [] %}{% else %}\n{% continue %}{% endfor %}", 2, "continue"),
        ("a\n{% for loop in [] %}{% endfor %}", 2, "loop"),
        ("{% do 1 %}", 1, "unknown tag 'do'"),
        ("a\n{{ 'x }}", 2, "unexpected char"),
        ("a\n{{ x. }}", 2, "expected name or number"),
        ("a\n{% set %}", 2, "[Ee]xpected"),
        ("a\n{% macro m(a=1, b) %}{% endmacro %}", 2, "default"),
        ("a\n{% macro m(caller) %}{{ caller() }}{% endmacro %}", 2, "caller"),
        ("a\n{% macro m(a, a) %}{% endmacro %}", 2, ""),
        ("a\n{{ dict(a=1, a=2) }}", 2, ""),
        ("a\n{# never closed", 2, "[Mm]issing end of comment|end of comment"),
        ("a\n{% raw %}never closed", 2, "[Mm]issing end of raw|end of raw"),
    ],
)
def test_what_is_no_template(template: str, line: int, words: str) -> None:
    error = broken(template)
    assert type(error) is InvalidTemplate
    assert (error.template, error.line, error.pointer) == (TEXT, line, None)
    said = template.splitlines()[line - 1].strip()
    start = f"{TEXT}, line {line}: `{said}`: "
    assert str(error).startswith(start)
    assert re.search(words, str(error)[len(start) :])


def test_source_that_is_nested_too_deeply() -> None:
    for template in ("{{ " + "(" * 5000 + "1" + ")" * 5000 + " }}", "{{ " + "not " * 5000 + "x }}", "{% if x %}" * 500):
        assert broken(template + "{% endif %}" * template.count("{% if")).template == TEXT


def test_a_long_line_is_cut() -> None:
    error = broken("{{ x|nothing }}" + "a" * 500)
    assert len(str(error)) < 300
    assert "…`: No filter named" in str(error)


def test_lines_are_those_of_the_source_whatever_ends_them() -> None:
    assert broken("a\r\nb\r\n{{ x|nothing }}").line == 3
    assert broken("a\rb\r{{ x|nothing }}").line == 3
    error = broken("a\u2028b\x0bc\n{{ x|nothing }}")
    assert error.line == 2
    assert "`{{ x|nothing }}`" in str(error)


def test_a_file_is_called_by_its_path(tmp_path: Path) -> None:
    path = tmp_path / "some.jinja"
    path.write_text("a\n{{ x|nothing }}", encoding="utf-8")
    with pytest.raises(InvalidTemplate) as caught:
        chatcodec.load(path)
    assert str(caught.value).startswith(f"{path}, line 2: ")
    path.write_text("a\n{{ messages.x.y }}", encoding="utf-8")
    with pytest.raises(TemplateFailed) as failed:
        chatcodec.load(path).render([USER])
    assert (failed.value.template, failed.value.line) == (str(path), 2)


# Filters and tests that are not there, and may not be reached


@pytest.mark.parametrize(
    "template",
    ["{{ 'a' }}{% if x %}{{ 1|nothing }}{% endif %}", "{{ 'a' }}{{ 1|nothing if x }}",
     "{{ 'a' if not x else 1|nothing }}", "{{ 'a' }}{% if x %}{% for y in 1|nothing %}{% endfor %}{% endif %}",
     "{{ 'a' }}{% if x %}{% set y = 1|nothing %}{% endif %}",
     "{{ 'a' }}{% if x %}{% elif x and 1|nothing %}{% endif %}",
     "{{ 'a' }}{% for z in [] %}{% if z %}{{ z is nothing }}{% endif %}{% endfor %}"],
)  # fmt: skip
def test_what_is_not_there_does_no_harm_where_it_is_not_reached(template: str) -> None:
    assert chatcodec.load(template).render([USER], allow_unknown=True).text == "a"


@pytest.mark.parametrize("what", ["filter", "test"])
def test_what_is_not_there_fails_where_it_is_reached(what: str) -> None:
    use = "'{}'|nothing" if what == "filter" else "'{}' is nothing"
    error = failure(f"a\n{{% for m in messages %}}{{% if m.content %}}\n{{{{ {use} }}}}{{% endif %}}{{% endfor %}}")
    assert type(error) is TemplateFailed
    assert (error.line, error.pointer) == (3, "/messages/0")
    assert f"No {what} named 'nothing'" in str(error)


def test_a_filter_by_name_that_is_not_there() -> None:
    assert "No filter named 'nothing'" in str(failure("{{ [1]|map('nothing')|list }}"))
    assert "No test named 'nothing'" in str(failure("{{ [1]|select('nothing')|list }}"))


# What a template says itself


def test_a_refusal_is_in_the_words_of_the_template() -> None:
    error = failure("a\n{% for m in messages %}\n{{ raise_exception('No ' ~ m.role ~ '!') }}{% endfor %}")
    assert type(error) is chatcodec.TemplateRefused
    assert str(error) == error.message == "No user!"
    assert error.pointer == "/messages/0"


def test_a_refusal_of_no_message() -> None:
    error = failure("{{ raise_exception('Never.') }}")
    assert (str(error), error.pointer) == ("Never.", None)


def test_a_refusal_quotes_whatever_it_is_given() -> None:
    chat = [{"role": "user", "content": ["x", None]}]
    assert str(failure("{{ raise_exception('Got ' ~ messages[0].content) }}", chat)) == "Got ['x', None]"
    assert str(failure("{{ raise_exception(messages[0].keys()) }}", chat)) == "dict_keys(['role', 'content'])"
    assert str(failure("{{ raise_exception(messages[0].keys()|list) }}", chat)) == "['role', 'content']"
    assert str(failure("{{ raise_exception() }}", chat)) != ""


# What fails in Jinja or Python


@pytest.mark.parametrize(
    ("expression", "words"),
    [
        ("x.y", "'x' is undefined"),
        ("messages[0].nothing.more", "'dict object' has no attribute 'nothing'"),
        ("messages[5].role", "list object has no element 5"),
        ("messages[0]['a b'].c", "'dict object' has no attribute 'a b'"),
        ("messages[0].content.nothing()", "'str object' has no attribute 'nothing'"),
        ("(5).nothing.more", "'int object' has no attribute 'nothing'"),
        ("'a' + 1", 'TypeError: can only concatenate str (not "int") to str'),
        ("messages[0].content + messages[0]", "TypeError: "),
        ("messages[0].content + none", "TypeError: "),
        ("'a' in none", "TypeError: argument of type 'NoneType' is not iterable"),
        ("none|length", "TypeError: object of type 'NoneType' has no len()"),
        ("1 / 0", "ZeroDivisionError"),
        ("'a' < 1", "TypeError: '<' not supported between instances of 'str' and 'int'"),
        ("messages[0].content|items|list", "Can only get item pairs from a mapping."),
        ("'a'.index('b')", "ValueError: substring not found"),
        ("'%d' % 'a'", "TypeError: %d format"),
        ("'{}'.format()", "IndexError"),
        ("'{a}'.format()", "KeyError"),
        ("x|tojson", "TypeError"),
        ("messages()", "'list object' is not callable"),
        ("[1]|sort(attribute='a.b')|list", "'int object' has no attribute 'a'"),
        ("range(100001)|list", "Range too big"),
        ("2.5|round(0, 'up')", "method must be common, ceil or floor"),
        ("[[]]|unique|list", "unhashable type"),
        ("messages[0].content[::0]", "slice step cannot be zero"),
        ("messages[0].content|truncate(1)", "expected length >= 3"),
        ("cycler()", "at least one item has to be provided"),
        ("dict('ab')", "dictionary update sequence"),
        ("'a'|int(base=99)|string ~ 'b'.encode", "encode"),
    ],
)
def test_what_fails_underneath(expression: str, words: str) -> None:
    error = failure(f"one\n{{{{ {expression} }}}}\nthree")
    assert isinstance(error, (TemplateFailed, UnsafeTemplate))
    assert (error.template, error.line) == (TEXT, 2)
    assert str(error).startswith(f"{TEXT}, line 2: `{{{{ {expression} }}}}`: ")
    assert words in str(error)


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("{% for x in none %}{% endfor %}", "'NoneType' object is not iterable"),
        ("{% for x in 5 %}{% endfor %}", "'int' object is not iterable"),
        ("{% for a, b in [1] %}{% endfor %}", "cannot unpack non-iterable int object"),
        ("{% set a, b = [1] %}", "not enough values to unpack"),
        ("{% set a, b = 'xyz' %}", "too many values to unpack"),
        ("{% set x.y = 1 %}", "cannot assign attribute on non-namespace object"),
        ("{% set ns = namespace() %}{% set ns._x = 1 %}", "_x"),
        ("{% macro m(a) %}{% endmacro %}{{ m(1, 2) }}", "takes not more than 1 argument"),
        ("{% macro m(a) %}{% endmacro %}{{ m(b=2) }}", "takes no keyword argument 'b'"),
        ("{% macro m() %}{% endmacro %}{% call m() %}{% endcall %}", "two values for the special caller argument"),
        ("{% macro m() %}{{ caller() }}{% endmacro %}{{ m() }}", "No caller defined"),
        ("{{ m() }}{% macro m() %}{% endmacro %}", "'m' is undefined"),
        ("{% call nothing() %}{% endcall %}", "'nothing' is undefined"),
    ],
)
def test_statements_that_fail(statement: str, words: str) -> None:
    error = failure(f"one\n{statement}\nthree")
    assert (error.line, error.template) == (2, TEXT)  # type: ignore[attr-defined]
    assert words in str(error)


def test_the_line_is_the_innermost_one() -> None:
    template = (
        "{% macro inner(x) %}\n{{ x.nothing.more }}\n{% endmacro %}\n"
        "{% macro outer(x) %}\n{{ inner(x) }}\n{% endmacro %}\n{{ outer(messages[0]) }}"
    )
    assert failure(template).line == 2  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("template", "line"),
    [
        ("{% if a %}\n{% elif messages.x.y %}\n{% endif %}", 2),
        ("{% if a\n and b\n or messages.x.y %}\n{% endif %}", 1),
        ("{% set x %}\n\n{{ messages.x.y }}{% endset %}", 3),
        ("{% filter upper %}\n{{ messages.x.y }}\n{% endfilter %}", 2),
        ("{% for m in messages %}\n{% if m.content %}\n{{ m.x.y }}\n{% endif %}\n{% endfor %}", 3),
        ("{% for m in messages\n if m.x.y %}\n{% endfor %}", 1),
        ("{% for m in [] %}\n{% else %}\n{{ messages.x.y }}{% endfor %}", 3),
        ("{% macro m(a=messages.x.y) %}\n{% endmacro %}\n{{ m() }}", 1),
        ("{% macro m() %}\n{{ caller() }}{% endmacro %}\n{% call m() %}\n{{ messages.x.y }}{% endcall %}", 4),
        ("{{ 'a' }}\n{{ 'b' }}\n{{ 'c' ~ messages.x.y }}\n{{ 'd' }}", 3),
        ("a\n{{ 'b' }}{{ messages.x.y }}", 2),
        ("{%- set x = 1 -%}\n\n{%- set y = messages.x.y -%}", 3),
        ("{% with a = 1 %}\n{{ messages.x.y }}{% endwith %}", 2),
        ("{% macro m() %}\n{{ messages.x.y }}{% endmacro %}\n{% set x = m() %}", 2),
        ("{% macro m() %}\na\n{{ messages.x.y }}{% endmacro %}\n{{ m()|trim }}", 3),
        ("{% macro m() %}\n{% if messages %}\n{{ messages.x.y }}\n{% endif %}\n{% endmacro %}\n{{ m()|trim }}", 3),
        ("{% generation %}\n{{ messages.x.y }}{% endgeneration %}", 2),
        ("{% for x in [1] recursive %}\n{{ messages.x.y }}{% endfor %}", 2),
        ("{# one\ntwo #}\n{{ messages.x.y }}", 3),
        ("{% raw %}\n\n{% endraw %}\n{{ messages.x.y }}", 4),
    ],
)
def test_the_line_that_was_running(template: str, line: int) -> None:
    error = failure(template)
    assert error.line == line  # type: ignore[attr-defined]
    assert f"`{template.splitlines()[line - 1].strip()}`" in str(error)


# Where in the chat

CALL = {"role": "assistant", "content": "", "tool_calls": [{"function": {"name": "f"}}, {"function": {"name": 5}}]}


@pytest.mark.parametrize(
    ("template", "pointer"),
    [
        ("{% for m in messages %}{{ m.role + m.content }}{% endfor %}", "/messages/1"),
        ("{% for m in messages %}{% for c in m.tool_calls %}{{ '' + c.function.name }}{% endfor %}{% endfor %}", None),
        ("{% for m in messages %}x{% for c in m.tool_calls %}{{ '' + c.function.name }}{% endfor %}{% endfor %}", None),
        ("{% for m in messages %}{% endfor %}{{ messages.x.y }}", None),
        ("{% for m in messages %}{% set x = m.role + m.content %}{% endfor %}", None),
        (
            "{% macro t(m) %}{{ m.role + m.content }}{% endmacro %}{% for m in messages %}{{ t(m) }}{% endfor %}",
            "/messages/1",
        ),
        ("{% for m in messages %}{{ '' ~ (m.role + m.content)|trim }}{% endfor %}", "/messages/1"),
        ("{% for m in messages[1:] %}{{ m.role + m.content }}{% endfor %}", "/messages/1"),
        ("{% for m in messages|reverse %}{{ m.role + m.content }}{% endfor %}", "/messages/1"),
        ("{% for t in tools %}{{ t.function.name + 5 }}{% endfor %}", "/tools/0"),
        ("{% for d in documents %}{{ d.title + 5 }}{% endfor %}", "/documents/0"),
    ],
)
def test_the_innermost_element_is_named(template: str, pointer: str | None) -> None:
    if "tool_calls" in template:
        chat, pointer = [USER, CALL], "/messages/1/tool_calls/1"
    else:
        chat = [USER, {"role": "user", "content": ["x"]}]
    if "{% set x" in template:
        pointer = None  # nothing is written in this loop: it does not say where it is
    error = failure(template, chat, tools=[{"function": {"name": "f"}}], documents=[{"title": "t"}])
    assert error.pointer == pointer
    assert (f"at {pointer}: `" in str(error)) == (pointer is not None)


def test_the_part_of_a_message() -> None:
    chat = [{"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "text"}]}]
    error = failure("{% for m in messages %}{% for p in m.content %}{{ p.text + '' }}{% endfor %}{% endfor %}", chat)
    assert error.pointer == "/messages/0/content/1"


def test_behind_a_loop_nothing_of_it_is_named() -> None:
    assert failure("{% for m in messages %}{{ m.role }}{% endfor %}{{ messages.x.y }}").pointer is None
    template = "{% for m in messages %}{% for x in [1, 2] %}{{ x }}{% endfor %}{{ m.x.y }}{% endfor %}"
    assert failure(template).pointer == "/messages/0"


# What a template may not have


@pytest.mark.parametrize(
    "expression",
    ["messages.append(1)", "messages[0].update({})", "messages[0].pop('role')", "messages.clear()", "messages.sort()",
     "''.__class__.__mro__[1]", "messages.__class__()", "lipsum()", "[1]|random", "'a'.encode()", "''['__class__']()",
     "messages[0].__init__()", "namespace(_a=1)", "'{0.__class__}'.format(1)", "'{0[role]}'.format(messages[0])",
     "messages[0].content.format_map({})", "range.__init__.__globals__", "namespace.__init__()"],
)  # fmt: skip
def test_what_is_unsafe(expression: str) -> None:
    error = failure(f"a\n{{% for m in messages %}}\n{{{{ {expression} }}}}{{% endfor %}}")
    assert isinstance(error, UnsafeTemplate)
    assert (error.template, error.line) == (TEXT, 3)
    assert str(error).startswith(f"{TEXT}, line 3, at /messages/0: `{{{{ {expression} }}}}")


# Data that is not as it should be


@pytest.mark.parametrize("where", ["content", "role", "x"])
def test_a_lone_surrogate_is_named(where: str) -> None:
    chat = [USER, {"role": "user", "content": "c", where: "a\ud800b"}]
    error = failure("{% for m in messages %}{{ m.role }}{{ m.content }}{{ m.x }}{% endfor %}", chat)
    assert error.pointer == f"/messages/1/{where}"
    assert "surrogate" in str(error)


def test_a_message_that_is_no_object() -> None:
    error = failure("{{ messages[0].role }}", ["text"])
    assert error.pointer == "/messages/0"


# Errors as objects


def test_errors_cross_processes() -> None:
    for error in (
        failure("{{ 'a' + 1 }}"),
        broken("{{ x|nothing }}"),
        failure("{{ raise_exception('R') }}"),
        failure("{{ [].append(1) }}"),
    ):
        again = pickle.loads(pickle.dumps(error))
        assert type(again) is type(error)
        assert (str(again), vars(again)) == (str(error), vars(error))


def test_the_code_stands_in_the_traceback() -> None:
    error = failure("{% for m in messages %}\n{{ m.role + 5 }}{% endfor %}")
    shown = "".join(traceback.format_exception(error))
    assert "<chat template template text" in shown
    assert "in root" in shown


def test_a_codec_goes_on_after_a_failure() -> None:
    codec = chatcodec.load("{% for m in messages %}{{ '<' + m.content + '>' }}{% endfor %}")
    for _ in range(3):
        assert codec.render([USER]).text == "<Hi>"
        with pytest.raises(TemplateFailed):
            codec.render([{"role": "user", "content": 5}])
    prompt = codec.render([USER])
    assert [span.pointer for span in prompt.spans] == [None, "/messages/0/content", None]
