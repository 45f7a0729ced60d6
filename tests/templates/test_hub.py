"""Models of the Hugging Face cache: where it is, which snapshot a name means, and what is said of what is not there."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from chatcodec.errors import ChatCodecError, UnknownCodec, UnreadableInput
from chatcodec.templates import hub
from chatcodec.templates.find import find

from .model_folder import CONFIG, write_files

ONE = "0123456789abcdef0123456789abcdef01234567"
TWO = "0123ffff" + "0" * 32
VARIABLES = ("HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE", "HF_HOME", "XDG_CACHE_HOME")


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a cache with one model: two commits, a branch, a pull request, and a tag whose commit is not there."""
    for variable in VARIABLES:
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
    model = tmp_path / "hub" / "models--acme--Rocket-7B"
    write_files(
        model,
        {
            "refs/main": ONE,
            "refs/refs/pr/1": TWO,
            "refs/v1.0": "f" * 40 + "\n",
            "blobs/aa": "{{ one }}",
            f"snapshots/{TWO}/chat_template.jinja": "{{ two }}",
            f"snapshots/{TWO}/{CONFIG}": {"bos_token": "<s>"},
        },
    )
    (model / "snapshots" / ONE).mkdir()
    (model / "snapshots" / ONE / "chat_template.jinja").symlink_to("../../blobs/aa")
    write_files(
        tmp_path / "hub", {"models--gpt2/refs/main": TWO, "version.txt": "1", "datasets--acme--x/refs/main": ONE}
    )
    return tmp_path / "hub"


def said(what: str, error: type[ChatCodecError] = UnknownCodec) -> str:
    with pytest.raises(error) as caught:
        hub.snapshot(what)
    assert type(caught.value) is error
    assert caught.value.pointer is None
    return caught.value.message


@pytest.mark.parametrize(
    ("what", "commit"),
    [
        ("hf:acme/Rocket-7B", ONE),
        ("hf:acme/Rocket-7B@main", ONE),
        ("hf:acme/Rocket-7B@refs/pr/1", TWO),
        (f"hf:acme/Rocket-7B@{ONE}", ONE),
        ("hf:acme/Rocket-7B@01234", ONE),
        ("hf:acme/Rocket-7B@0123f", TWO),
    ],
)
def test_which_snapshot(cache: Path, what: str, commit: str) -> None:
    assert hub.snapshot(what) == str(cache / "models--acme--Rocket-7B" / "snapshots" / commit)


def test_the_templates_of_a_snapshot(cache: Path) -> None:
    source = find("hf:acme/Rocket-7B")
    assert (source.templates, source.tokens, source.name) == ({"default": "{{ one }}"}, {}, "hf:acme/Rocket-7B")
    source = find("hf:acme/Rocket-7B@0123f")
    assert (source.templates, source.tokens) == ({"default": "{{ two }}"}, {"bos_token": "<s>"})
    assert source.files["default"].endswith(f"{TWO}/chat_template.jinja")


def test_a_model_that_is_not_there(cache: Path) -> None:
    assert said("hf:acme/rocket-7b") == (
        f"hf:acme/rocket-7b: not in the Hugging Face cache {cache}; did you mean hf:acme/Rocket-7B? "
        '"hf download acme/rocket-7b" fetches it'
    )
    assert said("hf:other/thing@v2").endswith(
        f'not in the Hugging Face cache {cache}; "hf download other/thing --revision v2" fetches it'
    )
    with pytest.raises(UnknownCodec) as caught:
        hub.snapshot("hf:acme/Rocket-8B")
    assert caught.value.nearest == ("hf:acme/Rocket-7B",)
    assert hub.models() == ["acme/Rocket-7B", "gpt2"]


def test_a_revision_that_is_not_there(cache: Path) -> None:
    place = cache / "models--acme--Rocket-7B"
    assert said("hf:acme/Rocket-7B@v1.1") == (
        f"hf:acme/Rocket-7B@v1.1: no revision v1.1 in {place}; did you mean hf:acme/Rocket-7B@v1.0? "
        '"hf download acme/Rocket-7B --revision v1.1" fetches it'
    )
    words = said("hf:acme/Rocket-7B@zzz")
    assert f"there are hf:acme/Rocket-7B@{ONE}, hf:acme/Rocket-7B@{TWO}, hf:acme/Rocket-7B@main; " in words
    assert said("hf:acme/Rocket-7B@v1.0").startswith(
        f"hf:acme/Rocket-7B@v1.0: {place} knows commit {'f' * 40} and does not have it; "
    )
    assert said("hf:gpt2").startswith(f"hf:gpt2: {cache / 'models--gpt2'} knows commit {TWO} and does not have it; ")
    assert "several commits begin with 0123: " in said("hf:acme/Rocket-7B@0123")
    assert "no revision 012 in" in said("hf:acme/Rocket-7B@012")
    (cache / "models--bare--one").mkdir()
    assert said("hf:bare/one") == (
        f'hf:bare/one: no revision main in {cache / "models--bare--one"}; "hf download bare/one" fetches it'
    )


def test_a_snapshot_without_templates_says_how_to_fetch_them(cache: Path) -> None:
    write_files(cache / "models--gpt2" / "snapshots" / TWO, {"model.gguf": "", "config.json": "{}"})
    with pytest.raises(UnknownCodec) as caught:
        find("hf:gpt2")
    assert caught.value.message.startswith(
        f"{cache / 'models--gpt2' / 'snapshots' / TWO}: no chat template: looked for"
    )
    assert caught.value.message.endswith('model.gguf; "hf download gpt2" fetches it')
    assert caught.value.nearest == (str(cache / "models--gpt2" / "snapshots" / TWO / "model.gguf"),)


@pytest.mark.parametrize("content", ["../../../etc", "", "main", "x" * 5000, "0123 4567", b"\xff" * 40])
def test_a_broken_reference(cache: Path, content: str | bytes) -> None:
    write_files(cache, {"models--gpt2/refs/main": content})
    words = said("hf:gpt2", UnreadableInput)
    assert words.startswith(str(cache / "models--gpt2" / "refs" / "main") + ": found string ")
    assert words.endswith(", accepted: a commit")


def test_a_cache_that_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "loop").symlink_to("loop")
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "loop"))
    assert said("hf:a/b", UnreadableInput).startswith(f"{tmp_path / 'loop'}: cannot be read: ")
    assert find("{{ x }}").name == "template text"
    with pytest.raises(UnknownCodec, match=r"^a/b: no such file: there is no folder a$"):
        find("a/b")


@pytest.mark.parametrize(
    "name",
    ["", "/", "a/", "/a", "..", "../a", "a/..", "a/../b", "a/b/c", "/etc/passwd", "a\\b", "a b", "a\0b", "a\n", "é",
     "a--b", ".a", "-a/b", "a..b", "C:x", "~", "x" * 97, "x" * 100_000],
)  # fmt: skip
def test_what_is_no_name_of_a_model(cache: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr(os, "stat", lambda *_: pytest.fail("a file was looked at"))
    words = said(f"hf:{name}")
    assert words.endswith(": no name of a model, accepted: hf:org/name or hf:org/name@revision")
    assert len(words) < 200


@pytest.mark.parametrize(
    "revision",
    ["", "/", "/main", "main/", "..", "../main", "a/../../b", "a//b", ".", "a/./b", "a..b", "a\\b", "a b", "a\0", "a\n",
     "C:x", "a~1", "a^", "a*", "../../models--gpt2/refs/main"],
)  # fmt: skip
def test_what_is_no_name_of_a_revision(cache: Path, monkeypatch: pytest.MonkeyPatch, revision: str) -> None:
    monkeypatch.setattr(os, "stat", lambda *_: pytest.fail("a file was looked at"))
    assert said(f"hf:gpt2@{revision}").endswith(": no name of a revision, accepted: a branch, a tag, or a commit")


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({}, "HOME/.cache/huggingface/hub"),
        ({"XDG_CACHE_HOME": "/xdg"}, "/xdg/huggingface/hub"),
        ({"XDG_CACHE_HOME": "/xdg", "HF_HOME": "~/hf"}, "HOME/hf/hub"),
        ({"HF_HOME": "$HOME/hf"}, "HOME/hf/hub"),
        ({"HF_HOME": "/hf", "HUGGINGFACE_HUB_CACHE": "/old"}, "/old"),
        ({"HF_HOME": "/hf", "HUGGINGFACE_HUB_CACHE": "/old", "HF_HUB_CACHE": "/new"}, "/new"),
        ({"HF_HUB_CACHE": "", "HF_HOME": ""}, "HOME/.cache/huggingface/hub"),
    ],
)
def test_where_the_cache_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], expected: str
) -> None:
    for variable in VARIABLES:
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    for variable, text in environment.items():
        monkeypatch.setenv(variable, text)
    assert hub.cache() == expected.replace("HOME", str(tmp_path))
    assert said("hf:a/b").startswith(f"hf:a/b: not in the Hugging Face cache {hub.cache()}; ")


@pytest.mark.parametrize("revision", [None, "main", "refs/pr/1", ONE, TWO])
def test_the_snapshot_is_that_of_huggingface_hub(cache: Path, revision: str | None) -> None:
    theirs = pytest.importorskip("huggingface_hub", reason="huggingface_hub is not installed: nothing to compare with")
    expected = theirs.snapshot_download("acme/Rocket-7B", revision=revision, cache_dir=cache, local_files_only=True)
    assert hub.snapshot("hf:acme/Rocket-7B" + (f"@{revision}" if revision else "")) == expected
