"""The vectors of templates: each renders its chat to the text, or fails with the error, that transformers gives.

They need no transformers: what it makes of them is in the files (see vectors/README.md). Each is rendered plainly, and
once more by the code that keeps origins. Together they use every filter, test, function, method and tag.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jinja2
import pytest
from jinja2 import nodes

import chatcodec
from chatcodec.chat.pointer import lookup
from chatcodec.engine.filters import FILTERS
from chatcodec.engine.globals import GLOBALS
from chatcodec.engine.tests import TESTS
from chatcodec.engine.values import METHODS
from chatcodec.errors import InvalidTemplate, TemplateFailed
from jinja_vectors import NOW, paths, read

PATHS = paths()
REFUSED_ON_PURPOSE = {"random", "lipsum"}


def render(codec: chatcodec.Codec, chat: dict[str, Any]) -> chatcodec.Rendered:
    given = {name: value for name, value in chat.items() if name != "options"}
    return codec.render(**given, **chat.get("options", {}), now=NOW, allow_unknown=True)


@pytest.mark.filterwarnings("ignore:invalid escape sequence:DeprecationWarning")  # jinja2's, of templates
@pytest.mark.parametrize("path", PATHS, ids=[path.stem for path in PATHS])
def test_vector(path: Path) -> None:
    vector = read(path)
    assert list(vector) in (["about", "template", "chat", "text"], ["about", "template", "chat", "error"])
    chat = copy.deepcopy(vector["chat"])
    if "error" in vector:
        check_error(vector["template"], chat, vector["error"])
    else:
        check_text(vector["template"], chat, vector["text"])
    assert json.dumps(chat) == json.dumps(vector["chat"]), "the chat was changed"


def check_text(template: str, chat: dict[str, Any], text: str) -> None:
    codec = chatcodec.load(template)
    plain = render(codec, chat)
    assert plain.text == text
    check_spans(plain, chat)  # who asks for spans gets the next prompt with its origins kept at once
    traced = render(codec, chat)
    assert traced.text == text, "the code that keeps origins gives another text"
    check_spans(traced, chat)
    assert traced.spans == plain.spans


def check_spans(rendered: chatcodec.Rendered, chat: dict[str, Any]) -> None:
    ends = [0, *(span.end for span in rendered.spans)]
    assert [span.start for span in rendered.spans] == ends[:-1], "spans overlap or leave gaps"
    assert ends[-1] == len(rendered.text), "spans end early"
    assert all(span.start < span.end for span in rendered.spans), "a span is empty"
    for span in rendered.spans:
        check_span(span, rendered.text[span.start : span.end], chat)


def check_span(span: chatcodec.Span, text: str, chat: dict[str, Any]) -> None:
    """Check that a span names what there is, and that what it shows is there."""
    for pointer in (None if span.owner == "generation" else span.owner, *span.sources):
        if pointer is not None:
            resolve(chat, pointer)
    if span.pointer is None:
        return
    value = resolve(chat, span.pointer)
    if span.shows == "value":
        assert text.casefold() in value.casefold(), span
    elif span.shows == "key":
        assert text.casefold() in span.pointer.rpartition("/")[2].replace("~1", "/").replace("~0", "~").casefold(), span


def resolve(root: Any, pointer: str) -> Any:
    """Return the value at a JSON pointer; what is not given of a chat is as `render` has it."""
    root = {"add_generation_prompt": False, "tools": None, "documents": None, "options": {}, **root}
    for step in pointer.split("/")[1:]:
        step = step.replace("~1", "/").replace("~0", "~")
        root = root[int(step)] if isinstance(root, (list, tuple)) else lookup(root, (step,))
    return root


def check_error(template: str, chat: dict[str, Any], expected: dict[str, str]) -> None:
    if expected["kind"] == "load":
        with pytest.raises(InvalidTemplate):
            chatcodec.load(template)
        return
    try:
        codec = chatcodec.load(template)
    except InvalidTemplate:
        assert expected["kind"] == "python"  # found earlier
        return
    for traced in (False, True):
        vars(codec._renderer)["_asked"] = [traced]  # as if the spans of the prompt before had been asked for
        check_failure(codec, chat, expected)


def check_failure(codec: chatcodec.Codec, chat: dict[str, Any], expected: dict[str, str]) -> None:
    with pytest.raises(chatcodec.ChatCodecError) as caught:
        render(codec, chat)
    if expected["kind"] == "template":
        assert isinstance(caught.value, chatcodec.TemplateRefused)
        assert str(caught.value) == expected["message"]
    else:
        assert isinstance(caught.value, (TemplateFailed, InvalidTemplate))


def trees() -> Iterator[nodes.Template]:
    environment = jinja2.Environment(extensions=["jinja2.ext.loopcontrols"])
    for path in PATHS:
        source = read(path)["template"].replace("endgeneration", "endif").replace("generation %}", "if true %}")
        try:
            yield environment.parse(source)
        except jinja2.TemplateSyntaxError:
            continue


def used(kind: type[nodes.Node], name: str) -> set[str]:
    return {getattr(node, name) for tree in trees() for node in tree.find_all(kind)}


def test_every_filter_is_used() -> None:
    named = {node.value for tree in trees() for node in tree.find_all(nodes.Const) if isinstance(node.value, str)}
    assert FILTERS.keys() - REFUSED_ON_PURPOSE <= used(nodes.Filter, "name")
    assert FILTERS.keys() - REFUSED_ON_PURPOSE <= jinja2.Environment().filters.keys()
    assert named >= {"upper", "escape"}


def test_every_test_is_used() -> None:
    named = {node.value for tree in trees() for node in tree.find_all(nodes.Const) if isinstance(node.value, str)}
    assert TESTS.keys() <= used(nodes.Test, "name") | named


def test_every_function_is_used() -> None:
    assert GLOBALS.keys() | {"strftime_now"} <= used(nodes.Name, "name") | REFUSED_ON_PURPOSE


def test_every_method_is_called() -> None:
    called = {node.node.attr for tree in trees() for node in tree.find_all(nodes.Call) if hasattr(node.node, "attr")}
    assert set().union(*METHODS.values()) <= called


def test_everything_that_a_loop_tells_is_asked() -> None:
    asked = {
        node.attr
        for tree in trees()
        for node in tree.find_all(nodes.Getattr)
        if isinstance(node.node, nodes.Name) and node.node.name == "loop"
    }
    told = "index index0 revindex revindex0 first last length previtem nextitem cycle changed depth depth0"
    assert set(told.split()) <= asked


def test_every_statement_is_used() -> None:
    kinds = {type(node) for tree in trees() for node in tree.find_all(nodes.Stmt)}
    assert kinds >= {
        nodes.If, nodes.For, nodes.Assign, nodes.AssignBlock, nodes.Macro, nodes.CallBlock, nodes.FilterBlock,
        nodes.With, nodes.Break, nodes.Continue, nodes.Output, nodes.Include, nodes.Import, nodes.FromImport,
        nodes.Extends,
    }  # fmt: skip
    assert any("{% generation %}" in read(path)["template"] for path in PATHS)
    assert any("{% raw %}" in read(path)["template"] for path in PATHS)
