"""A compiled template: Python that can be read, found in tracebacks, and run by many at once; the same each time."""

from __future__ import annotations

import ast
import copy
import gc
import linecache
import pickle
import re
import sys
import threading
import time
import traceback
import weakref
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

import chatcodec
from chatcodec.engine.faults import Fault
from chatcodec.engine.globals import GLOBALS, clock
from chatcodec.engine.program import Program
from engine.expressions import GENERATION, STATEMENTS, cases
from engine.shown import CHAT, render
from jinja_vectors import NOW, paths, read

TEMPLATES = {**cases(STATEMENTS), **cases(GENERATION)}
VECTORS = [vector for vector in map(read, paths()) if "text" in vector]
MANY = (
    "{% set ns = namespace(n=0) %}{% macro turn(m, last=false) %}<{{ m.role }}>{{ m.content }}"
    "{% for c in m.tool_calls %}{{ c.function.name }}({{ c.function.arguments|tojson }}){% endfor %}</{{ last }}>"
    "{% endmacro %}"
    "{% for m in messages if m.role != 'tool' %}{% set ns.n = ns.n + 1 %}{{ ns.n }}{{ turn(m, loop.last) }}"
    "{{ loop.cycle('a', 'b') }}{% endfor %}{{ tools|tojson }}{{ opt }}"
    "{% set c = cycler('x', 'y') %}{{ c.next() }}{{ c.next() }}"
    "{% set j = joiner() %}{{ j() }}{{ j() }}{{ strftime_now('%H:%M') }}{% if add_generation_prompt %}GEN{% endif %}"
)


def variables(chat: dict[str, Any]) -> dict[str, Any]:
    given = {"tools": None, "documents": None, "add_generation_prompt": False, **chat}
    options = given.pop("options", {})
    return {**options, **GLOBALS, "strftime_now": clock(NOW), **given}


# The Python source


def test_the_source_can_be_printed_and_read() -> None:
    program = Program("a\n{% for m in messages %}\n{{ m.content|upper }}{% endfor %}")
    assert "def root(run, out):" in program.python
    assert "'a\\n'" in program.python
    tree = ast.parse(program.python)
    assert [node.name for node in tree.body if isinstance(node, ast.FunctionDef)] == ["root"]
    assert ast.parse(program.traced.python)


def test_a_codec_shows_its_source() -> None:
    codec = chatcodec.load("{{ messages[0].role }}")
    assert list(codec.python) == ["default"]
    assert "def root(run, out):" in codec.python["default"]
    assert chatcodec.load("qwen3.6").python == {}


@pytest.mark.parametrize("vector", VECTORS, ids=[vector["about"] for vector in VECTORS])
@pytest.mark.filterwarnings("ignore:invalid escape sequence:DeprecationWarning")  # jinja2's, of templates
def test_sources_are_python_without_imports_and_attributes_of_objects(vector: dict[str, Any]) -> None:
    program = Program(vector["template"])
    for python in (program.python, program.traced.python):
        tree = ast.parse(python)
        for node in ast.walk(tree):
            assert not isinstance(node, (ast.Import, ast.ImportFrom, ast.Global, ast.Nonlocal, ast.Try))
            if isinstance(node, ast.Attribute):
                assert not node.attr.startswith("_"), "the code looks into objects"


def test_the_same_source_gives_the_same_code() -> None:
    for template in (MANY, *TEMPLATES.values()):
        one, other = Program(template), Program(template)
        assert one.python == other.python
        assert one.traced.python == other.traced.python


def test_code_that_keeps_origins_is_made_when_it_is_asked_for() -> None:
    codec = chatcodec.load("{{ messages[0].content }}")
    [program] = codec._renderer.programs.values()  # type: ignore[attr-defined]
    prompt = codec.render([{"role": "user", "content": "Hi"}])
    assert "traced" not in vars(program)
    assert prompt.spans[0].pointer == "/messages/0/content"
    assert "traced" in vars(program)


@pytest.mark.parametrize("name", ["x", "a b", "ü", "../x", "<y>", "line\nbreak", "per%cent"])
def test_any_name_of_a_template_will_do(name: str) -> None:
    program = Program("{{ 1 }}", name)
    assert program.text(variables({})) == "1"
    assert program.plain.file in linecache.cache


# Tracebacks


def test_the_source_stands_in_tracebacks() -> None:
    program = Program("one\n{{ messages.nothing.more }}", "mine")
    with pytest.raises(Fault) as caught:
        program.text(variables({"messages": []}))
    shown = "".join(traceback.format_exception(caught.value))
    assert program.line_of(caught.value) == 2
    assert '"<chat template mine' in shown
    assert ", in root\n" in shown
    [at] = re.findall(r'File "<chat template mine \d+>", line (\d+), in root', shown)
    assert program.python.splitlines()[int(at) - 1].strip() in shown


def test_lines_of_the_code_are_lines_of_the_template() -> None:
    program = Program("a\nb{{ x }}\n{% if x %}\n{{ y.z }}\n{% endif %}\n{% for i in x %}{{ i }}\n{% endfor %}")
    lines = program.python.splitlines()
    assert len(lines) == len(program.plain.lines)
    for line, place in zip(lines, program.plain.lines, strict=True):
        if "'z'" in line:
            assert place == 4
        if line.lstrip().startswith("for "):
            assert place == 6


def test_the_line_of_an_error_elsewhere() -> None:
    program = Program("{{ 1 }}")
    assert program.line_of(ValueError()) is None
    with pytest.raises(ValueError, match="invalid literal") as caught:
        int("x")
    assert program.line_of(caught.value) is None


def test_two_templates_of_one_name_have_sources_of_their_own() -> None:
    one, other = Program("{{ messages.a.b }}", "same"), Program("\n{{ messages.c.d }}", "same")
    assert one.plain.file != other.plain.file
    assert linecache.getlines(one.plain.file) != linecache.getlines(other.plain.file)


def test_what_is_no_longer_used_is_forgotten() -> None:
    program = Program("{{ messages }}{% macro m() %}{{ m() }}{% endmacro %}")
    program.text(variables({"messages": []}))
    program.trace(variables({"messages": []}), [])
    files, gone = [program.plain.file, program.traced.file], weakref.ref(program)
    assert all(file in linecache.cache for file in files)
    del program
    gc.collect()
    assert gone() is None
    assert not any(file in linecache.cache for file in files)


def test_no_template_stays_behind_many() -> None:
    before = len(linecache.cache)
    for number in range(50):
        chatcodec.load(f"{{{{ messages[0].role }}}}{number}").render([{"role": "user"}])
    gc.collect()
    assert len(linecache.cache) <= before + 1


# Again and again


@pytest.mark.filterwarnings("ignore:invalid escape sequence:DeprecationWarning")  # jinja2's, of templates
def test_a_program_gives_the_same_each_time() -> None:
    for vector in VECTORS:
        program = Program(vector["template"])
        chat = copy.deepcopy(vector["chat"])
        if "continue_final_message" in chat:
            continue
        assert len({program.text(variables(chat)) for _ in range(3)}) == 1, vector["about"]


def test_nothing_of_a_render_is_seen_in_the_next() -> None:
    codec = chatcodec.load(
        "{% if messages[0].content == 'first' %}{% set x = 'set' %}{% macro m() %}m{% endmacro %}{% endif %}"
        "{% set ns = namespace(l=[]) %}{% set ns.l = ns.l + [1] %}{{ x }}{{ m is defined }}{{ ns.l }}{{ opt }}"
    )
    first, second = [{"role": "user", "content": "first"}], [{"role": "user", "content": "second"}]
    for _ in range(2):
        assert codec.render(first, opt=1).text == "setTrue[1]1"
        assert codec.render(second).text == "False[1]"
        list(codec.render(first, opt=1).spans)


def test_a_failure_leaves_nothing_behind() -> None:
    program = Program("{% macro m(n) %}{{ n.x.y if n == 0 else m(n - 1) }}{% endmacro %}{{ m(n) }}{{ messages }}")
    for _ in range(3):
        with pytest.raises(Exception, match="no attribute"):
            program.text(variables({"messages": [], "n": 30}))
    good = Program("{% macro m(n) %}{{ n if n == 0 else m(n - 1) }}{% endmacro %}{{ m(n) }}")
    assert good.text(variables({"n": 60})) == "0"


def test_threads_render_with_one_codec() -> None:
    codec = chatcodec.load(MANY)

    def prompt(number: int) -> tuple[str, list[chatcodec.Span]]:
        chat = copy.deepcopy(CHAT)
        chat["messages"][0]["content"] = f"number {number}"
        rendered = codec.render(
            chat["messages"], tools=chat["tools"], add_generation_prompt=bool(number % 2), now=NOW, opt=number
        )
        return rendered.text, list(rendered.spans) if number % 3 else []

    expected = [prompt(number) for number in range(60)]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(8) as pool:
            found = list(pool.map(prompt, list(range(60)) * 4))
    finally:
        sys.setswitchinterval(interval)
    assert found == expected * 4


def test_threads_ask_for_one_prompts_spans() -> None:
    for _ in range(10):
        prompt = render(MANY, add_generation_prompt=True)
        expected = list(render(MANY, add_generation_prompt=True).spans)
        begin = threading.Barrier(4)

        def ask(prompt: chatcodec.Rendered = prompt, begin: threading.Barrier = begin) -> list[chatcodec.Span]:
            begin.wait()
            return list(prompt.spans)

        with ThreadPoolExecutor(4) as pool:
            assert [task.result() for task in [pool.submit(ask) for _ in range(4)]] == [expected] * 4


def test_threads_compile_at_once() -> None:
    def compiled(number: int) -> str:
        return chatcodec.load(MANY + str(number % 5)).render(CHAT["messages"], now=NOW).text

    with ThreadPoolExecutor(8) as pool:
        texts = list(pool.map(compiled, range(40)))
    assert len(set(texts)) == 5


# The chat stays as it is


@pytest.mark.parametrize("name", TEMPLATES)
def test_no_value_of_the_chat_is_changed(name: str) -> None:
    chat = copy.deepcopy(CHAT)
    before = pickle.dumps(chat)
    render(TEMPLATES[name], **chat)
    assert pickle.dumps(chat) == before


def test_the_chat_may_be_shared_by_prompts() -> None:
    chat = copy.deepcopy(CHAT)
    one = chatcodec.load("{% for m in messages %}{{ m.content }}{% endfor %}")
    other = chatcodec.load("{% for m in messages|reverse %}{{ m|tojson }}{% endfor %}")
    prompts = [one.render(chat["messages"]), other.render(chat["messages"]), one.render(chat["messages"])]
    assert list(prompts[0].spans) == list(prompts[2].spans)
    assert {span.pointer for span in prompts[1].spans} == {f"/messages/{index}" for index in range(3)}


# The clock


def test_the_clock_is_an_argument() -> None:
    codec = chatcodec.load("{{ strftime_now('%Y-%m-%d %H:%M:%S') }}")
    message = [{"role": "user", "content": ""}]
    assert codec.render(message, now=datetime(1999, 12, 31, 23, 59, 58)).text == "1999-12-31 23:59:58"
    assert codec.render(message, now=NOW).text == "2026-01-02 03:04:05"
    assert codec.render(message).text[:2] == "20"


def test_the_clock_stands_still_for_a_prompt() -> None:
    codec = chatcodec.load("{{ strftime_now('%f') }} {{ strftime_now('%f') }}")
    prompt = codec.render([{"role": "user", "content": ""}])
    time.sleep(0.01)
    assert prompt.spans[-1].end == len(prompt.text)
    assert len(set(prompt.text.split())) == 1


def test_the_clock_is_no_option() -> None:
    assert chatcodec.load("{{ strftime_now('%Y') }}{{ x }}").options[0].name == "x"


def test_a_template_of_a_file_is_compiled_the_same(tmp_path: Path) -> None:
    path = tmp_path / "t.jinja"
    path.write_text(MANY, encoding="utf-8")
    given = {"tools": CHAT["tools"], "now": NOW, "opt": "o"}
    assert (
        chatcodec.load(path).render(CHAT["messages"], **given).text
        == chatcodec.load(MANY).render(CHAT["messages"], **given).text
    )
