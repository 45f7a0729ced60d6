"""What a string means as the source of templates, and what is said where it means nothing."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chatcodec.errors import ChatCodecError, LimitExceeded, UnknownCodec, UnreadableInput
from chatcodec.templates.find import find
from chatcodec.templates.source import MAX_TEMPLATE_BYTES, Source

from .gguf_writer import STRING, gguf
from .model_folder import CONFIG, write_files

GGUF = gguf(("tokenizer.chat_template", STRING, "{{ g }}"))


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with one of each kind, in which the tests run; there is no cache."""
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "no cache"))
    files: dict[str, Any] = {
        "model/chat_template.jinja": "{{ f }}",
        f"model/{CONFIG}": {"chat_template": "{{ c }}", "bos_token": "<s>"},
        "model/chat_template.json": {"chat_template": "{{ l }}"},
        "m.gguf": GGUF,
        "M.GGUF": GGUF,
        "weights": GGUF,
        "a.jinja": "\ufeff{{ a }}\r\n",
        "b.j2": "{{ b }}",
        "c.txt": "plain",
    }
    monkeypatch.chdir(tmp_path)
    return write_files(tmp_path, files)


def said(what: Any, error: type[ChatCodecError] = UnknownCodec) -> str:
    with pytest.raises(error) as caught:
        find(what)
    assert type(caught.value) is error
    assert caught.value.pointer is None
    return caught.value.message


@pytest.mark.parametrize(
    ("what", "text", "file"),
    [
        ("model", "{{ f }}", "model/chat_template.jinja"),
        ("model/chat_template.jinja", "{{ f }}", "model/chat_template.jinja"),
        (f"model/{CONFIG}", "{{ c }}", f"model/{CONFIG}"),
        ("model/chat_template.json", "{{ l }}", "model/chat_template.json"),
        ("m.gguf", "{{ g }}", "m.gguf"),
        ("M.GGUF", "{{ g }}", "M.GGUF"),
        ("weights", "{{ g }}", "weights"),
        ("a.jinja", "{{ a }}\r\n", "a.jinja"),
        ("b.j2", "{{ b }}", "b.j2"),
        ("c.txt", "plain", "c.txt"),
    ],
)
def test_files_and_folders(place: Path, what: str, text: str, file: str) -> None:
    for kind in (str, Path):
        source = find(kind(what))
        assert (source.templates, source.name, source.files) == ({"default": text}, what, {"default": file})
        assert source.tokens == ({"bos_token": "<s>"} if what in ("model", f"model/{CONFIG}") else {})
    assert find(str(place / what)).templates == {"default": text}


@pytest.mark.parametrize(
    "text",
    ["{{ x }}", "{% if x %}", "{# note #}", "hf:{{ x }}", "a\n{{ b }}\n", "a.jinja{{", "\0{{",
     "x" * 100_000 + "{{ y }}", "/" * 5000 + "{%", "{{ \N{SNOWMAN} }}"],
)  # fmt: skip
def test_template_text(place: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(os, "stat", lambda *_: pytest.fail("a file was looked for"))
    assert find(text) == Source({"default": text}, {}, "template text", {})


def test_template_text_that_is_none(place: Path) -> None:
    assert said("{{" + "x" * MAX_TEMPLATE_BYTES, LimitExceeded) == "template text: a template of more than 1024 KiB"
    assert said("{{\ud800", UnreadableInput).startswith("template text: not valid Unicode: character 2")


def test_a_path_object_is_never_text(place: Path) -> None:
    write_files(place, {"{{ x }}": "{{ y }}"})
    assert find(Path("{{ x }}")).templates == {"default": "{{ y }}"}
    assert said(Path("hf:a/b")).startswith("hf:a/b: no such file")


def test_no_such_file(place: Path) -> None:
    assert said("a.jinj") == "a.jinj: no such file; did you mean a.jinja?"
    assert said("model/chat_tmplate.jinja") == (
        "model/chat_tmplate.jinja: no such file; did you mean model/chat_template.jinja or model/chat_template.json?"
    )
    assert said("qwen9") == "qwen9: no such file"
    assert said("nowhere/a.jinja") == "nowhere/a.jinja: no such file: there is no folder nowhere"
    assert said("c.txt/a") == "c.txt/a: no such file: there is no folder c.txt"
    assert said(str(place / "b.j3")) == f"{place / 'b.j3'}: no such file; did you mean {place / 'b.j2'}?"
    with pytest.raises(UnknownCodec) as caught:
        find("b.j3")
    assert caught.value.nearest == ("b.j2",)


def test_a_model_of_the_cache_by_its_bare_name(place: Path) -> None:
    (place / "no cache" / "models--acme--rocket").mkdir(parents=True)
    assert said("acme/rocket") == ("acme/rocket: no such file: there is no folder acme; did you mean hf:acme/rocket?")


@pytest.mark.parametrize("what", ["", "a\0b", "hello\nworld", "x" * 5000, "x/" * 5000, "\ud800", "y" * 3_000_000])
def test_what_can_be_no_path(place: Path, what: str) -> None:
    begun = time.process_time()
    words = said(what)
    assert "no such file" in words
    assert len(words) < 200
    assert time.process_time() - begun < 0.5


def test_words_for_what_is_neither_path_nor_text(place: Path) -> None:
    assert said("") == '"": no such file, and no template text: it has none of {{ {% {#'
    assert said("hello\nworld").startswith('"hello\\nworld": no such file, and no template text')
    assert said(5) == "found number 5, accepted: a path, a model of the cache, or the text of a template"
    assert said(None).startswith("found null")
    assert said(b"a.jinja").startswith("found a Python bytes")


def test_what_cannot_be_read(place: Path) -> None:
    write_files(place, {"latin.jinja": b"{{ '\xe9' }}", "broken.json": "{", "cut.gguf": GGUF[:30], "none.json": "{}"})
    assert said("latin.jinja", UnreadableInput) == "latin.jinja: not UTF-8: byte 4 is 0xe9"
    assert said("broken.json", UnreadableInput).startswith("broken.json: not JSON: Expecting property name")
    assert said("cut.gguf", UnreadableInput).startswith("cut.gguf: byte 16: metadata of 1 keys, and 6 bytes follow")
    assert said("none.json").startswith("none.json: no chat template; accepted: ")
    assert said("model/additional").startswith("model/additional: no such file")
    (place / "loop").symlink_to("loop")
    assert said("loop", UnreadableInput).startswith("loop: cannot be read: ")
    (place / "empty").mkdir()
    assert said("empty").startswith("empty: no chat template: looked for chat_template.jinja, ")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_what_may_not_be_read(place: Path) -> None:
    (place / "a.jinja").chmod(0)
    assert said("a.jinja", UnreadableInput) == "a.jinja: cannot be read: Permission denied"
    (place / "model").chmod(0)
    assert said("model/chat_template.jinja", UnreadableInput).endswith("cannot be read: Permission denied")
    (place / "model").chmod(0o700)


def test_a_long_file_is_refused_by_its_size(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with (place / "long.jinja").open("wb") as stream:
        stream.truncate(50 * 1024 * 1024)
    begun = time.process_time()
    assert said("long.jinja", LimitExceeded) == "long.jinja: a template of more than 1024 KiB"
    assert time.process_time() - begun < 0.1
    write_files(place, {"just.jinja": "x" * MAX_TEMPLATE_BYTES})
    assert find("just.jinja").templates == {"default": "x" * MAX_TEMPLATE_BYTES}


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there is no /dev/zero")
def test_a_device_is_read_no_further_than_a_template_may_be(place: Path) -> None:
    assert said("/dev/zero", LimitExceeded) == "/dev/zero: a template of more than 1024 KiB"


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="there is no /dev/fd")
def test_a_pipe(place: Path) -> None:
    reading, writing = os.pipe()
    os.write(writing, b"{{ p }}")
    os.close(writing)
    try:
        assert find(f"/dev/fd/{reading}").templates == {"default": "{{ p }}"}
    finally:
        os.close(reading)


@given(what=st.one_of(st.text(), st.text("./\\~hf:@{%#\0\n", max_size=30), st.text(min_size=4000)))
def test_no_string_does_harm(what: str) -> None:
    try:
        source = find(what)
    except ChatCodecError as error:
        assert error.message  # noqa: PT017  # it is the type that counts
    else:
        assert source.templates
