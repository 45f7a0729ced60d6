"""Whatever a template does with the chat, what comes out is said to be of where it came from, or derived.

Never of another place, and never of the template: text of a user's that counted as the template's could be encoded as
control tokens.
"""

from __future__ import annotations

import copy
import json
import pickle
from pathlib import Path
from typing import Any

import pytest

import chatcodec
from chatcodec.engine.filters import FILTERS
from chatcodec.engine.values import METHODS
from engine.expressions import EXACT, JSON, LOOSE, STATEMENTS, cases, lines
from engine.shown import CHAT, PLACES, Place, places_of, render, said_of, stretches
from jinja_vectors import paths, read
from sentinels import Planter
from template_grammar import Grammar

TEMPLATES = cases(STATEMENTS)


@pytest.mark.parametrize("expression", lines(EXACT))
def test_what_is_followed(expression: str) -> None:
    prompt = render(f"<{{{{ {expression} }}}}>")
    said = said_of(prompt)
    assert said["exact"] > 0
    assert said["derived"] == 0


@pytest.mark.parametrize("expression", lines(LOOSE))
def test_what_need_not_be_followed(expression: str) -> None:
    said_of(render(f"<{{{{ {expression} }}}}>"))


@pytest.mark.parametrize("expression", lines(JSON))
def test_json(expression: str) -> None:
    assert said_of(render(f"<{{{{ {expression} }}}}>")).total() > 0


AROUND = (
    "[{{ x }}]{% set ns = namespace(y=x) %}[{{ ns.y }}]"
    "{% macro m(z) %}<{{ z }}>{% endmacro %}{{ m(x) }}{{ m(z=x)|trim }}"
    "{% set t %}{{ x }}{{ m(x) }}{% endset %}[{{ t }}]"
    "{% filter trim %}{{ x }}{% endfilter %}{% with w = x %}{{ w }}{% endwith %}"
)


@pytest.mark.parametrize("expression", lines(EXACT + LOOSE + JSON))
def test_what_is_assigned_passed_and_captured_first(expression: str) -> None:
    said_of(render(f"{{% set x = {expression} %}}" + AROUND))


def test_all_filters_and_methods_are_tried() -> None:
    text = EXACT + LOOSE + JSON
    filters = FILTERS.keys() - {"random", "rejectattr", "selectattr"}
    assert [name for name in sorted(filters) if f"|{name}" not in text and f"'{name}'" not in text] == []
    asking = {name for name in METHODS[str] if name.startswith("is") or name in ASKING}
    assert [name for name in sorted(METHODS[str] - asking) if f".{name}(" not in text] == []


ASKING = {"count", "endswith", "find", "index", "rfind", "rindex", "startswith"}


@pytest.mark.parametrize("name", TEMPLATES)
def test_statements(name: str) -> None:
    assert said_of(render(TEMPLATES[name])).total() > 0


@pytest.mark.parametrize(
    "name", ["loop through a list", "loop through an object", "loop through members", "captured in JSON"]
)
def test_statements_are_followed(name: str) -> None:
    said = said_of(render(TEMPLATES[name]))
    assert said["derived"] == 0


# The vectors, with a word of its own in each leaf and name of their chats


def planted(vector: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Place]]:
    """Return the chat of a vector with sentinels, and the place of each."""
    planter, chat = Planter(), copy.deepcopy(vector["chat"])
    for part in ("messages", "tools", "documents"):
        if part in chat:
            chat[part] = planter.plant(chat[part], (part,))
    options = chat.pop("options", {})
    chat["options"] = {name: planter.plant(value, ("options", name), "free") for name, value in options.items()}
    return chat, {word.lower(): Place(*place) for word, place in planter.places.items()}


@pytest.mark.filterwarnings("ignore:invalid escape sequence:DeprecationWarning")  # jinja2's, of templates
@pytest.mark.parametrize("path", paths(), ids=[path.stem for path in paths()])
def test_vectors(path: Path) -> None:
    vector = read(path)
    if "error" in vector:
        return
    chat, places = planted(vector)
    given = {"tools": None, "documents": None, **chat}
    try:
        prompt = render(vector["template"], **given)
    except chatcodec.ChatCodecError:
        return  # it does not take another chat
    said_of(prompt, places)


def test_random_templates() -> None:
    for seed in range(150):
        template = Grammar(f"origins {seed}").template()
        for generation in (False, True):
            try:
                prompt = render(template, options=NAMES, add_generation_prompt=generation)
            except chatcodec.ChatCodecError:
                continue
            try:
                said_of(prompt, {**PLACES, **places_of({**CHAT, "options": NAMES})})
            except AssertionError as error:
                raise AssertionError(f"seed {seed}: {error}: {template!r}") from error


NAMES = {
    "s": "იკ zqopt", "t": "ლმ, zqt & %s", "long": "ნო zqlong " * 3, "n": 900444, "i": 1, "b": True,
    "l": ["პჟ zqa", "რს", 900555, ["ტუ zqinner"]], "d": {"a": "ფქ zqd", "b": ["ღყ"], "zqkeyd": "შჩ", "n": 900666},
    "x": "ცძ zqx", "y": ["წჭ", {"a": "ხჯ"}], "z": {"a": "ჰჱ zqz", "zqkeyz": "ჲჳ"}, "item": "ჴჵ zqitem",
}  # fmt: skip
"""Options called like the names that random templates use."""


def test_a_method_that_is_printed_is_no_data() -> None:
    for expression in ("messages[0].items", "messages[0]['get']", "messages[0].content.upper", "opts.values"):
        prompt = render(f"{{{{ {expression} }}}}")
        assert {span.origin for span in prompt.spans} == {"derived"}


# What a template says itself


@pytest.mark.parametrize(
    "template",
    [
        "a{{ 'b' }}{{ 'c' ~ 'd' }}{{ 'x'|upper }}{{ ['a', 'b']|join('-') }}{{ {'a': 'b'}|tojson }}{{ ['x'] }}{{ 1 }}",
        "{% set x = 'lit' %}{{ x }}{{ x|replace('l', 'L') }}{% for c in 'pq' %}{{ c }}{{ loop.index }}{% endfor %}",
        "{% macro m(a='d') %}{{ a }}{% endmacro %}{{ m() }}{{ m('e') }}{% set t %}block{% endset %}{{ t }}{{ t|trim }}",
        "{{ 'yes' if messages[0].flag else 'no' }}{{ '%s' % 'a' }}{{ 'a b'.split()[1] }}{{ none }}{{ true }}",
    ],
)
def test_the_words_of_the_template_are_not_data(template: str) -> None:
    assert {span.pointer for span in render(template).spans} == {None}


# JSON and Python of whole values


def test_a_value_of_the_chat_is_one_span() -> None:
    for expression, shows in (("tojson", "json"), ("tojson(indent=2)", "json"), ("string", "str")):
        [span] = render(f"{{{{ messages[0].object|{expression} }}}}").spans
        assert (span.origin, span.pointer, span.shows) == ("data", "/messages/0/object", shows)
        assert span.owner == "/messages/0"


@pytest.mark.parametrize(
    "arguments",
    ["", "ensure_ascii=true", "indent=0", "indent=3", "indent='--'", "sort_keys=true", "separators=('', '')",
     "separators=(' , ', ' : ')", "true, 1, [';', '='], true"],
)  # fmt: skip
@pytest.mark.parametrize("made", [False, True])
def test_leaves_of_json_are_what_they_show(arguments: str, made: bool) -> None:
    data = {"b": ['é"\\\n', 1, 1.5, True, None, [], {}], "a": {"ü": "日😀", "": ""}}
    value = "{'x': data, 'y': [data.a, 'é']}" if made else "data"
    prompt = render(f"{{{{ {value}|tojson({arguments}) }}}}", options={"data": data})
    found = {}
    for span in prompt.spans:
        for leaf in prompt.leaves(span):
            assert leaf.pointer is not None
            found[leaf.pointer, leaf.shows] = prompt.text[leaf.start : leaf.end]
    ascii_only = "true" in arguments.split(",")[0] and "sort" not in arguments.split(",")[0]

    def text(leaf: Any) -> str:
        return json.dumps(leaf, ensure_ascii=ascii_only)

    assert found["/options/data/b/0", "value"] == text(data["b"][0])[1:-1]
    assert found["/options/data/b/1", "value"] == "1"
    assert found["/options/data/b/3", "value"] == "true"
    assert found["/options/data/b/4", "value"] == "null"
    assert found["/options/data/a/ü", "key"] == text("ü")[1:-1]
    assert found["/options/data/a/ü", "value"] == text("日😀")[1:-1]


def test_json_of_what_a_template_made_is_taken_apart() -> None:
    prompt = render(
        "{{ {'role': messages[0].role, 'list': [messages[1].tool_calls[0].function.name, 'x', 5]}|tojson }}"
    )
    assert [each for each in stretches(prompt) if each[1] is not None] == [
        ('"user"', "/messages/0/role"),
        ('"εζ"', "/messages/1/tool_calls/0/function/name"),
    ]
    assert all(span.origin != "data" for span in prompt.spans if prompt.text[span.start : span.end] in ('"x"', "5"))


def test_python_of_what_a_template_made_is_taken_apart() -> None:
    prompt = render("{{ {'k': messages[0].many, 'n': messages[0].number, 't': ('x', messages[1].content)} }}")
    assert [each for each in stretches(prompt) if each[1] is not None] == [
        ("['ря zqlist', 'мн']", "/messages/0/many"),
        ("900111", "/messages/0/number"),
        ("αβ zqbeta γδ", "/messages/1/content"),
    ]


def test_a_text_that_python_escapes_is_no_wrong_origin() -> None:
    prompt = render("{{ [x, 'lit'] }}{{ {'a': x} }}", options={"x": 'it\'s\n"é"'})
    assert "".join(text for text, _ in stretches(prompt)) == prompt.text
    for span in prompt.spans:
        if "é" in prompt.text[span.start : span.end]:
            assert span.origin == "derived"
            assert span.sources == ("/options/x",)


# A container that is in the chat twice

TWICE = {"role": "user", "content": "Twice", "o": {"k": "v"}}


@pytest.mark.parametrize(
    "template",
    [
        "{% for m in messages %}{{ m.content }}{% endfor %}",
        "{% for m in messages %}{{ m|tojson }}{% endfor %}",
        "{% for m in messages %}{{ m.o }}{{ m.o.k }}{% endfor %}",
        "{% for m in messages %}{% for k, v in m.o|items %}{{ k }}{{ v }}{% endfor %}{% endfor %}",
        "{% for m in messages %}{{ {'a': m.o, 'b': m.content}|tojson }}{{ [m.o] }}{% endfor %}",
    ],
)
def test_a_message_that_is_there_twice_has_two_places(template: str) -> None:
    prompt = render(template, messages=[TWICE, copy.deepcopy(TWICE), TWICE])
    places = [leaf.pointer or "" for span in prompt.spans for leaf in prompt.leaves(span)]
    assert [place.split("/")[2] for place in places] == sorted(place.split("/")[2] for place in places)
    assert {place.split("/")[2] for place in places} == {"0", "1", "2"}


def test_a_container_shared_by_messages_and_options() -> None:
    shared = {"k": "v"}
    prompt = render(
        "{{ messages[0].o.k }}{{ opts.k }}{{ opts|tojson }}{{ messages[0].o|tojson }}"
        "{{ [opts, messages[0].o]|tojson }}",
        messages=[{"role": "user", "content": "", "o": shared}],
        options={"opts": shared},
    )
    shown = [each for each in stretches(prompt) if each[1] is not None]
    assert [where.split("/")[1] for _, where in shown if where] == [
        "messages", "options", "options", "messages", "options", "messages"
    ]  # fmt: skip


# Reasoning under other names


@pytest.mark.parametrize("name", ["reasoning", "thinking", "reasoning_content"])
def test_reasoning_is_where_it_was_given(name: str) -> None:
    template = (
        "{% for m in messages %}{{ m.reasoning_content }}|{{ m.thinking }}|{{ m.get('thinking')|upper }}{% endfor %}"
    )
    prompt = render(template, messages=[{"role": "assistant", "content": "c", name: "ree"}])
    shown = [span for span in prompt.spans if span.origin == "data"]
    assert [span.pointer for span in shown] == [f"/messages/0/{name}"] * 3


@pytest.mark.parametrize("name", ["reasoning", "thinking", "reasoning_content"])
@pytest.mark.parametrize(
    "expression", ["m|tojson", "m", "m|tojson(indent=1)", "{'a': m}|tojson", "m|items|list", "messages|tojson"]
)
def test_leaves_of_a_dumped_message_are_in_the_chat_that_was_given(name: str, expression: str) -> None:
    chat = [{"role": "assistant", "content": "c", name: {"deep": ["ree"]}}]
    prompt = render(f"{{% for m in messages %}}{{{{ {expression} }}}}{{% endfor %}}", messages=chat)
    found = 0
    for span in prompt.spans:
        for leaf in prompt.leaves(span):
            if prompt.text[leaf.start : leaf.end] == "ree":
                found += 1
                assert leaf.pointer == f"/messages/0/{name}/deep/0"
    assert found >= 2


def test_the_first_name_of_several_counts() -> None:
    chat = [{"role": "assistant", "content": "", "reasoning": "last", "thinking": "second", "reasoning_content": None}]
    prompt = render(
        "{{ messages[0].reasoning_content }}|{{ messages[0].thinking }}|{{ messages[0].reasoning }}", messages=chat
    )
    assert [span.pointer for span in prompt.spans if span.pointer] == [
        "/messages/0/thinking", "/messages/0/thinking", "/messages/0/reasoning"
    ]  # fmt: skip


# Prompts as objects

DUMP = (
    "{% for m in messages %}<{{ m.role }}>{{ m.content }}"
    "{% for c in m.tool_calls %}{{ c|tojson }}{{ c.id|title }}{% endfor %}{% endfor %}"
    "{{ tools|tojson }}{{ {'a': opts, 'b': opt}|tojson }}{% if add_generation_prompt %}GEN{% endif %}"
)


def test_a_prompt_can_be_pickled() -> None:
    prompt = render(DUMP, add_generation_prompt=True)
    again = pickle.loads(pickle.dumps(prompt))
    assert again.text == prompt.text
    assert again.spans == prompt.spans
    assert again.media == prompt.media
    assert [again.leaves(span) for span in again.spans] == [prompt.leaves(span) for span in prompt.spans]
    assert pickle.loads(pickle.dumps(again)).spans == prompt.spans


def test_spans_are_the_same_however_they_are_asked_for() -> None:
    codec = chatcodec.load(DUMP)
    options = {**CHAT["options"]}
    given = {name: CHAT[name] for name in ("messages", "tools", "documents")}

    def prompt() -> chatcodec.Rendered:
        return codec.render(**given, **options, allow_unknown=True)

    first = prompt()
    before = list(first.spans)  # rendered once more, with origins
    second = prompt()  # origins are kept at once
    third = prompt()  # nobody asked for those of the second
    assert before == list(third.spans) == list(second.spans)
    assert [second.leaves(span) for span in second.spans] == [first.leaves(span) for span in before]


def test_a_chat_that_was_changed_is_said_to_be() -> None:
    chat = copy.deepcopy(CHAT)
    codec = chatcodec.load("{% for m in messages %}{{ m.content }}{% endfor %}")
    prompt = codec.render(chat["messages"])
    chat["messages"][0]["content"] = "changed"
    with pytest.raises(chatcodec.ChatCodecError, match="the chat was changed after it was rendered"):
        list(prompt.spans)


def test_a_chat_that_can_no_longer_be_rendered_was_changed() -> None:
    chat = copy.deepcopy(CHAT)
    prompt = chatcodec.load("{% for m in messages %}{{ m.content ~ m.role.upper() }}{% endfor %}").render(
        chat["messages"]
    )
    chat["messages"][1]["role"] = 5
    with pytest.raises(chatcodec.ChatCodecError, match="the chat was changed after it was rendered"):
        list(prompt.spans)


def test_leaves_of_a_chat_that_was_changed() -> None:
    chat = copy.deepcopy(CHAT)
    prompt = chatcodec.load("{{ messages[0].object|tojson }}").render(chat["messages"])
    [span] = prompt.spans
    chat["messages"][0]["object"]["zqkeya"] = "other"
    with pytest.raises(chatcodec.ChatCodecError, match="the chat was changed after it was rendered"):
        prompt.leaves(span)


def test_rendering_changes_nothing_of_the_chat() -> None:
    chat = copy.deepcopy(CHAT)
    for template in (*TEMPLATES.values(), DUMP):
        list(render(template, **chat).spans)
    assert chat == CHAT
    assert repr(chat) == repr(CHAT)


def test_cutting_keeps_spans() -> None:
    prompt = chatcodec.load("{% for m in messages %}<{{ m.role }}>{{ m.content }}</s>\n{% endfor %}").render(
        [{"role": "user", "content": "Q"}, {"role": "assistant", "content": "Begun"}], continue_final_message=True
    )
    assert prompt.text == "<user>Q</s>\n<assistant>Begun"
    assert stretches(prompt)[-1] == ("Begun", "/messages/1/content")
    assert prompt.spans[-1].end == len(prompt.text)
