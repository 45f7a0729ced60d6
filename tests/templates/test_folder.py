"""Model folders: the templates and special tokens that transformers finds in them, and what is said of broken ones."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

import peer
from chatcodec.errors import ChatCodecError, LimitExceeded, UnknownCodec, UnreadableInput
from chatcodec.templates.folder import read_config, read_folder
from chatcodec.templates.source import MAX_TEMPLATE_BYTES, MAX_TEMPLATES, Source

from .model_folder import CONFIG, write_files

LEGACY = "special_tokens_map.json"
ADDED = {"__type": "AddedToken", "lstrip": False, "normalized": False, "rstrip": False, "single_word": False}


def read(folder: Path, **files: Any) -> Source:
    """Read a folder with these files; ``__`` in a name stands for a dot."""
    write_files(folder, {name.replace("__", "."): content for name, content in files.items()})
    return read_folder(str(folder))


def said(folder: Path, files: dict[str, Any], error: type[ChatCodecError] = UnreadableInput) -> str:
    """Return what is said of a folder with these files, behind its path."""
    write_files(folder, files)
    with pytest.raises(error) as caught:
        read_folder(str(folder))
    assert type(caught.value) is error
    assert caught.value.message.startswith(str(folder))
    assert caught.value.pointer is None
    return caught.value.message.removeprefix(str(folder)).removeprefix("/")


class TestTemplates:
    def test_a_file_of_its_own(self, tmp_path: Path) -> None:
        source = read(tmp_path, chat_template__jinja="{{ 1 }}\r\n")
        assert source == Source(
            {"default": "{{ 1 }}\r\n"}, {}, str(tmp_path), {"default": str(tmp_path / "chat_template.jinja")}
        )

    def test_files_stand_for_all_that_the_configuration_says(self, tmp_path: Path) -> None:
        config = {"chat_template": [{"name": "default", "template": "c"}, {"name": "rag", "template": "r"}]}
        files = {"additional_chat_templates/tool_use.jinja": "t", "additional_chat_templates/notes.txt": "n"}
        write_files(tmp_path, {CONFIG: config, **files, "additional_chat_templates/sub/x.jinja": "s"})
        source = read_folder(str(tmp_path))
        assert source.templates == {"tool_use": "t"}
        assert source.files == {"tool_use": str(tmp_path / "additional_chat_templates" / "tool_use.jinja")}
        assert read(tmp_path, chat_template__jinja="d").templates == {"default": "d", "tool_use": "t"}

    def test_the_configuration(self, tmp_path: Path) -> None:
        source = read(tmp_path, tokenizer_config__json={"chat_template": "c"})
        assert source.templates == {"default": "c"}
        assert source.files == {"default": str(tmp_path / CONFIG)}
        named = [{"name": "default", "template": "c"}, {"name": "rag", "template": "r", "more": 1}]
        named += [{"name": "default", "template": "again"}]
        assert read(tmp_path, tokenizer_config__json={"chat_template": named}).templates == {
            "default": "again",
            "rag": "r",
        }
        assert read(tmp_path, tokenizer_config__json={"chat_template": {"x": "y"}}).templates == {"x": "y"}

    def test_a_processor_where_the_tokenizer_has_none(self, tmp_path: Path) -> None:
        config = {"chat_template": None, "bos_token": "<s>"}
        source = read(tmp_path, tokenizer_config__json=config, chat_template__json={"chat_template": "legacy"})
        assert (source.templates, source.tokens) == ({"default": "legacy"}, {"bos_token": "<s>"})
        assert source.files == {"default": str(tmp_path / "chat_template.json")}
        named = {"chat_template": {"default": "d", "x": "x"}}
        assert read(tmp_path, chat_template__json=named).templates == {"default": "d", "x": "x"}
        assert read(tmp_path, processor_config__json={"chat_template": "p"}).templates == {"default": "p"}
        assert read(tmp_path, tokenizer_config__json={"chat_template": "t"}).templates == {"default": "t"}
        assert read(tmp_path, chat_template__jinja="j").templates == {"default": "j"}

    def test_a_legacy_file_beside_additional_ones(self, tmp_path: Path) -> None:
        files = {"chat_template.json": {"chat_template": "l"}, "additional_chat_templates/x.jinja": "x"}
        assert said(tmp_path, files) == (
            ": chat_template.json beside additional_chat_templates, which has no default: these do not go together; "
            "accepted: the default as chat_template.jinja"
        )
        assert read(tmp_path, chat_template__jinja="d").templates == {"default": "d", "x": "x"}

    def test_an_empty_template_is_one(self, tmp_path: Path) -> None:
        assert read(tmp_path, tokenizer_config__json={"chat_template": ""}).templates == {"default": ""}
        assert read(tmp_path, chat_template__jinja="\ufeff").templates == {"default": ""}

    def test_no_template(self, tmp_path: Path) -> None:
        looked = (
            ": no chat template: looked for chat_template.jinja, additional_chat_templates/*.jinja, and chat_template "
            "in tokenizer_config.json, processor_config.json, chat_template.json"
        )
        assert said(tmp_path, {}, UnknownCodec) == looked
        assert said(tmp_path, {CONFIG: {"chat_template": []}}, UnknownCodec) == looked
        (tmp_path / "chat_template.jinja").mkdir()
        words = said(tmp_path, {"a.gguf": "", "b.JINJA": "", "c.txt": ""}, UnknownCodec)
        assert words == f"{looked}; one may be in {tmp_path / 'a.gguf'} or {tmp_path / 'b.JINJA'}"

    def test_a_folder_of_the_cache(self, tmp_path: Path) -> None:
        words = said(tmp_path, {"refs/main": "abcd", "snapshots/abcd/config.json": "{}"}, UnknownCodec)
        assert words.endswith("it is a folder of the Hugging Face cache, whose models are named as in hf:org/name")


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({CONFIG: '{\n "a": }'}, f"{CONFIG}: not JSON: Expecting value at line 2, column 7"),
        ({CONFIG: "[1]"}, f"{CONFIG}: found list of 1, accepted: a JSON object"),
        ({CONFIG: b'{"a": "\xe9"}'}, f"{CONFIG}: not UTF-8: byte 7 is 0xe9"),
        ({CONFIG: '{"a": 1}'.encode("utf-16")}, f"{CONFIG}: not UTF-8: byte 0 is 0xff; it looks like UTF-16"),
        ({"chat_template.jinja": b"ab\x80"}, "chat_template.jinja: not UTF-8: byte 2 is 0x80"),
        (
            {CONFIG: {"chat_template": 5}},
            f"{CONFIG}: chat_template: found number 5, accepted: a text, or a list of named templates",
        ),
        (
            {CONFIG: {"chat_template": {"x": None}}},
            f"{CONFIG}: chat_template/x: found null, accepted: the text of a template",
        ),
        (
            {CONFIG: {"chat_template": [{"name": "a", "template": "b"}, {"name": "c"}]}},
            f"{CONFIG}: chat_template/1: found object with name, accepted: an object with name and template",
        ),
        (
            {CONFIG: {"chat_template": [{"name": "a", "template": []}]}},
            f"{CONFIG}: chat_template/0: found list of 0, accepted: the text of a template",
        ),
        (
            {CONFIG: '{"chat_template": "\\ud800"}'},
            f"{CONFIG}: chat_template: not valid Unicode: character 0 is the lone surrogate U+D800",
        ),
        (
            {CONFIG: {"chat_template": "x", "bos_token": 5}},
            f"{CONFIG}: bos_token: found number 5, accepted: a token's text, or an object with its content",
        ),
        (
            {CONFIG: {"chat_template": "x"}, LEGACY: {"eos_token": {"lstrip": True}}},
            f"{LEGACY}: eos_token: found object with lstrip, accepted: a token's text, or an object with its content",
        ),
        ({CONFIG: {"chat_template": "x"}, LEGACY: "{"}, None),
        ({CONFIG: {"chat_template": "x"}, "tokenizer.json": '{"padding" 1}'}, None),
    ],
)
def test_what_is_broken(tmp_path: Path, files: dict[str, Any], words: str | None) -> None:
    found = said(tmp_path, files)
    if words is None:
        assert ": not JSON: Expecting " in found
    else:
        assert found == words


def test_limits(tmp_path: Path) -> None:
    with (tmp_path / "chat_template.jinja").open("wb") as stream:
        stream.truncate(50 * 1024 * 1024)
    with pytest.raises(LimitExceeded, match="a template of more than 1024 KiB") as caught:
        read_folder(str(tmp_path))
    assert caught.value.limit == "source"
    (tmp_path / "chat_template.jinja").unlink()
    assert "tokenizer_config.json: chat_template: a template of more" in said(
        tmp_path, {CONFIG: {"chat_template": "x" * (MAX_TEMPLATE_BYTES + 1)}}, LimitExceeded
    )
    assert said(tmp_path, {CONFIG: '{"a":' + "[" * 200_000}, LimitExceeded) == f"{CONFIG}: nested too deeply"
    assert "an integer of more than" in said(tmp_path, {CONFIG: '{"a": ' + "1" * 5000 + "}"}, LimitExceeded)
    with (tmp_path / CONFIG).open("wb") as stream:
        stream.truncate(64 * 1024 * 1024 + 1)
    assert said(tmp_path, {}, LimitExceeded) == f"{CONFIG}: longer than 64 MiB"
    many = {f"additional_chat_templates/{index}.jinja": "" for index in range(MAX_TEMPLATES + 1)}
    assert "more than 64 files" in said(tmp_path, {CONFIG: "{}", **many}, LimitExceeded)


class TestOneFile:
    def test_a_tokenizer_configuration(self, tmp_path: Path) -> None:
        files = {"my_config.json": {"chat_template": "c", "bos_token": "<s>"}, "chat_template.jinja": "not this"}
        path = str(write_files(tmp_path, files) / "my_config.json")
        assert read_config(path) == Source({"default": "c"}, {"bos_token": "<s>"}, path, {"default": path})

    @pytest.mark.parametrize("name", ["chat_template.json", "processor_config.json"])
    def test_a_processor_has_no_special_tokens(self, tmp_path: Path, name: str) -> None:
        path = str(write_files(tmp_path, {name: {"chat_template": "c", "image_token": "<i>"}}) / name)
        assert read_config(path) == Source({"default": "c"}, {}, path, {"default": path})

    def test_without_a_template(self, tmp_path: Path) -> None:
        path = str(write_files(tmp_path, {"tokenizer.json": {"model": {}}}) / "tokenizer.json")
        with pytest.raises(UnknownCodec) as caught:
            read_config(path)
        assert str(caught.value) == (
            f"{path}: no chat template; accepted: a tokenizer_config.json or chat_template.json with a chat_template, "
            "or a model folder"
        )


class TestSpecialTokens:
    def tokens(self, folder: Path, config: Any = None, legacy: Any = None, tokenizer: Any = None) -> dict[str, str]:
        files = {"chat_template.jinja": "x", CONFIG: config, LEGACY: legacy, "tokenizer.json": tokenizer}
        write_files(folder, {name: content for name, content in files.items() if content is not None})
        return dict(read_folder(str(folder)).tokens)

    def test_named_ones(self, tmp_path: Path) -> None:
        config = {"bos_token": "<s>", "eos_token": {**ADDED, "content": "</s>"}, "pad_token": None, "cls_token": ""}
        assert self.tokens(tmp_path, config) == {"bos_token": "<s>", "eos_token": "</s>", "cls_token": ""}

    def test_the_models_own(self, tmp_path: Path) -> None:
        config = {"image_token": "<i>", "add_bos_token": True, "x_token": {**ADDED, "content": "<x>"}, "y_token": {}}
        config["extra_special_tokens"] = {"image_token": "<j>", "video": "<v>"}
        assert self.tokens(tmp_path, config) == {"image_token": "<j>", "video": "<v>", "x_token": "<x>"}

    def test_the_legacy_file_wins_where_it_counts(self, tmp_path: Path) -> None:
        config = {"bos_token": "<s>", "eos_token": "</s>", "image_token": "<i>"}
        legacy = {"bos_token": {"content": "<b>"}, "eos_token": None, "image_token": "<j>", "new_token": "<n>"}
        found = self.tokens(tmp_path, config, legacy)
        assert found == {"bos_token": "<b>", "image_token": "<i>", "new_token": "<n>"}
        found = self.tokens(tmp_path, {**config, "added_tokens_decoder": {}})
        assert found == {"bos_token": "<s>", "eos_token": "</s>", "image_token": "<i>"}

    def test_padding(self, tmp_path: Path) -> None:
        tokenizer = '\n{ "version" : "1.0", "truncation": null, "padding": {"pad_token": "<p>"}, "model": broken'
        assert self.tokens(tmp_path, {}, tokenizer=tokenizer) == {"pad_token": "<p>"}
        assert self.tokens(tmp_path, {"pad_token": None}) == {}
        assert self.tokens(tmp_path, {}, {"pad_token": "<q>"}) == {"pad_token": "<q>"}
        for none in ("{ }", '{"padding": null}', '{"a": {"padding": {"pad_token": "x"}} }'):
            assert self.tokens(tmp_path, {}, {}, none) == {}

    def test_padding_is_found_without_parsing_the_vocabulary(self, tmp_path: Path) -> None:
        deep = '{"padding": null, "vocab": ' + "[" * 500_000
        assert self.tokens(tmp_path, {}, tokenizer=deep) == {}


NAMES = ["bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token"]
OWN = ["image_token", "x_token"]
EXTRA = "extra_special_tokens"


def some_token(rng: random.Random, typed: bool) -> Any:
    word = rng.choice(["<s>", "</s>", "<x>", "a"])
    if rng.random() < 0.6:
        return word
    return {**(ADDED if typed else {"lstrip": False}), "content": word}


def some_tokens(rng: random.Random, typed: bool) -> dict[str, Any]:
    found: dict[str, Any] = {name: some_token(rng, typed) for name in rng.sample(NAMES + OWN, rng.randint(0, 5))}
    found |= dict.fromkeys(rng.sample(NAMES, rng.randint(0, 1)))
    return found


def some_folder(rng: random.Random) -> dict[str, Any]:
    """Return the files of a folder that transformers may load."""
    config: dict[str, Any] = {"tokenizer_class": "PreTrainedTokenizerFast", **some_tokens(rng, True)}
    named = [{"name": name, "template": f"config {name}"} for name in rng.choices(["default", "tool_use", "rag"], k=2)]
    config["chat_template"] = rng.choice(["config", None, named, {"default": "object", "x": "object x"}, ""])
    if rng.random() < 0.3:
        config["added_tokens_decoder"] = {}
    if rng.random() < 0.3:
        config[EXTRA] = rng.choice([None, ["<q>"], [], {"image_token": "<e>", "video": "<v>"}])
    if rng.random() < 0.2:
        config["additional_special_tokens"] = rng.choice([["<q>"], {"image_token": "<a>"}])
    if rng.random() < 0.2:
        config["model_specific_special_tokens"] = {"image_token": "<m>", "bos_token": "<mb>"}
    files: dict[str, Any] = {CONFIG: config}
    if rng.random() < 0.4:
        files[LEGACY] = some_tokens(rng, False)
        if rng.random() < 0.2:
            files[LEGACY][EXTRA] = {"image_token": "<le>", "z": "<z>"}
    if rng.random() < 0.4:
        files["chat_template.jinja"] = rng.choice(["jinja {{ 1 }}", "", "é\n\n"])
    for name in ("tool_use", "default", ".h"):
        if rng.random() < 0.15:
            files[f"additional_chat_templates/{name}.jinja"] = f"file {name}"
    return files


def save_tokenizer(path: Path, padding: bool) -> None:
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel

    tokenizer = Tokenizer(WordLevel({"a": 0, "<unk>": 1}, unk_token="<unk>"))
    if padding:
        tokenizer.enable_padding(pad_token="<P>")
    tokenizer.save(str(path))


@pytest.mark.parametrize("seed", range(120))
def test_what_is_found_is_what_transformers_finds(tmp_path: Path, seed: int) -> None:
    transformers = peer.transformers()
    rng = random.Random(seed)
    folder = write_files(tmp_path, some_folder(rng))
    save_tokenizer(folder / "tokenizer.json", rng.random() < 0.3)
    theirs = transformers.AutoTokenizer.from_pretrained(str(folder), local_files_only=True)
    expected = theirs.chat_template
    if not expected and expected != "":
        with pytest.raises(UnknownCodec):
            read_folder(str(folder))
        expected = "put in"
        write_files(folder, {"chat_template.jinja": expected})
    ours = read_folder(str(folder))
    assert ours.templates == (expected if isinstance(expected, dict) else {"default": expected})
    assert ours.tokens == theirs.special_tokens_map


PROCESSOR: list[dict[str, Any]] = [
    {"chat_template.json": {"chat_template": "legacy"}},
    {"chat_template.json": {"chat_template": {"default": "d", "x": "y"}}},
    {"processor_config.json": {"chat_template": "p"}},
    {"processor_config.json": {"chat_template": "p"}, "chat_template.json": {"chat_template": "legacy"}},
    {"processor_config.json": {"chat_template": None}, "chat_template.json": {"chat_template": "legacy"}},
    {"chat_template.json": {"chat_template": "legacy"}, "additional_chat_templates/x.jinja": "x"},
]


@pytest.mark.parametrize("files", PROCESSOR)
def test_a_processor_has_the_templates_that_transformers_finds(tmp_path: Path, files: dict[str, Any]) -> None:
    mixin = peer.transformers().processing_utils.ProcessorMixin
    folder = str(write_files(tmp_path, files))
    try:
        found, _ = mixin.get_processor_dict(folder, local_files_only=True)
    except ValueError:
        with pytest.raises(UnreadableInput):
            read_folder(folder)
    else:
        expected = found["chat_template"]
        assert read_folder(folder).templates == (expected if isinstance(expected, dict) else {"default": expected})


def test_a_folder_that_transformers_saved(tmp_path: Path) -> None:
    tokenizer = peer.tokenizer()
    tokenizer.chat_template = {"default": "{{ 1 }}\n", "tool_use": "{{ 2 }}"}
    tokenizer.add_special_tokens({"bos_token": "<s>", "pad_token": "<p>"})
    for style in (True, False):
        folder = tmp_path / str(style)
        tokenizer.save_pretrained(folder, save_jinja_files=style)
        ours = read_folder(str(folder))
        assert ours.templates == tokenizer.chat_template
        assert ours.tokens == tokenizer.special_tokens_map
        assert ("chat_template" in json.loads((folder / CONFIG).read_text("utf-8"))) is not style
