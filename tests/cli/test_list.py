"""``chatcodec list``."""

import json

import chatcodec
from chatcodec.formats import registry

from .running import run, spawn


def test_json_has_each_codec_with_its_options() -> None:
    ran = run("list", "--output", "json")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.endswith(b"}\n")
    listed = json.loads(ran.out)
    assert listed["schema_version"] == 1
    assert [codec["name"] for codec in listed["codecs"]] == list(chatcodec.available())
    for codec in listed["codecs"]:
        assert list(codec) == ["name", "title", "options"]
        assert codec["title"] == registry.get(codec["name"]).title
        assert [
            chatcodec.Option(option["name"], option["type"], option["default"], option["doc"])
            for option in codec["options"]
        ] == list(chatcodec.load(codec["name"]).options)


def test_text_says_the_same() -> None:
    paragraphs = run("list").text.split("\n\n")
    listed = json.loads(run("list", "--output", "json").out)["codecs"]
    assert len(paragraphs) == len(listed)
    for paragraph, codec in zip(paragraphs, listed, strict=True):
        head, *lines = paragraph.splitlines()
        assert head == f"{codec['name']}: {codec['title']}"
        assert len(lines) == 2 * len(codec["options"])
        for option, line, doc in zip(codec["options"], lines[::2], lines[1::2], strict=True):
            assert line.startswith(f"  {option['name']} ({option['type']}, default ")
            assert doc == f"      {option['doc']}"


def test_defaults_are_written_as_for_set() -> None:
    text = run("list").text
    assert "  thinking_budget (number, default -1)\n" in text
    assert "  preserve_thinking (boolean, default false)\n" in text
    assert "  system_message (string, default null)\n" in text


def test_output_is_text_unless_said() -> None:
    assert run("list") == run("list", "--output", "text") == spawn("list")
