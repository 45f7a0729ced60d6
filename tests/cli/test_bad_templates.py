"""Templates that cannot be used, on the command line: one clear sentence with the file, exit code 2, no traceback."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from templates.gguf_writer import STRING, Raw, gguf
from templates.model_folder import CONFIG, write_files

from .running import HI, run

KEY = "tokenizer.chat_template"
FILES = {
    "end.jinja": b"{% if x %}\n{{ a",
    "filter.jinja": b"\n{{ a|frobnicate }}",
    "test.jinja": b"{{ a is frobnicated }}",
    "include.jinja": b"\n\n{% include 'x' %}",
    "latin.jinja": b"{{ '\xe9' }}",
    "huge.jinja": b"a" * 50_000_000,
    f"broken/{CONFIG}": b'{"chat_template": ',
    f"wrong/{CONFIG}": b'{"chat_template": 5}',
    "empty/README.md": b"",
    "cut.gguf": gguf((KEY, STRING, "{{ a }}"))[:-3],
    "many.gguf": b"GGUF" + struct.pack("<IQQ", 3, 2**62, 2**62),
    "long.gguf": gguf((KEY, STRING, Raw(struct.pack("<Q", 2**60)))),
    "kind.gguf": gguf((KEY, 5, 77)),
    "twice.gguf": gguf((KEY, STRING, "{{ a }}"), (KEY, STRING, "{{ b }}")),
}
CASES = {
    "end.jinja": "end.jinja, line 2: `{{ a`: unexpected end of template",
    "filter.jinja": "filter.jinja, line 2: `{{ a|frobnicate }}`: No filter named 'frobnicate'.",
    "test.jinja": "test.jinja, line 1: `{{ a is frobnicated }}`: No test named 'frobnicated'.",
    "include.jinja": "include.jinja, line 3: `{% include 'x' %}`: a chat template stands alone",
    "latin.jinja": "latin.jinja: not UTF-8",
    "huge.jinja": "huge.jinja: a template of more than 1024 KiB",
    "broken": "tokenizer_config.json: not JSON",
    "wrong": "tokenizer_config.json: chat_template: found number 5",
    "empty": "empty: no chat template: looked for chat_template.jinja",
    "cut.gguf": f"{KEY}: a string of 7 bytes, and 4 bytes follow",
    "many.gguf": "metadata of 4611686018427387904 keys, and 0 bytes follow",
    "long.gguf": f"{KEY}: a string of 1152921504606846976 bytes, and 0 bytes follow",
    "kind.gguf": KEY,
    "twice.gguf": "this key is there twice",
}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with all of the files."""
    return write_files(tmp_path_factory.mktemp("templates"), FILES)


@pytest.mark.parametrize("name", CASES)
def test_it_is_refused(name: str, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(place)
    for arguments in (("render", name), ("inspect", name)):
        ran = run(*arguments, stdin=HI)
        assert (ran.code, ran.out, len(ran.errors)) == (2, b"", 1), ran.err
        assert CASES[name] in ran.err
        assert "Traceback" not in ran.err
