"""The vectors: every chat in vectors/formats renders to the text, or fails with the error, that the reference gives.

They need no transformers: what the references make of the chats is in the files (see vectors/README.md).
"""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

import chatcodec

FORMATS = Path(__file__).parents[1] / "vectors" / "formats"
PATHS = sorted(FORMATS.glob("*/render/*.json"))


def read(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text(encoding="utf-8"))


def render(path: Path, chat: dict[str, Any]) -> chatcodec.Rendered:
    codec = chatcodec.load(path.parts[-3])
    options = chat.get("options", {})
    return codec.render(**{name: value for name, value in chat.items() if name != "options"}, **options)


@pytest.mark.parametrize("path", PATHS, ids=[str(path.relative_to(FORMATS)) for path in PATHS])
def test_vector(path: Path) -> None:
    vector = read(path)
    assert list(vector) in (["about", "chat", "text"], ["about", "chat", "error"])
    chat = copy.deepcopy(vector["chat"])
    if "error" in vector:
        check_error(path, chat, vector["error"])
    else:
        check_text(path, chat, vector["text"])
    assert json.dumps(chat) == json.dumps(vector["chat"]), "the chat was changed"


def check_text(path: Path, chat: dict[str, Any], text: str) -> None:
    rendered = render(path, chat)
    assert rendered.text == text
    ends = [0, *(span.end for span in rendered.spans)]
    assert [span.start for span in rendered.spans] == ends[:-1], "spans overlap or leave gaps"
    assert ends[-1] == len(text), "spans end early"
    assert all(span.start < span.end for span in rendered.spans), "a span is empty"


def check_error(path: Path, chat: dict[str, Any], expected: dict[str, str]) -> None:
    if expected["kind"] == "python":
        with pytest.raises(chatcodec.InvalidChat) as caught:
            render(path, chat)
        assert caught.value.pointer is not None
    else:
        with pytest.raises(chatcodec.ChatCodecError) as caught:
            render(path, chat)
        assert str(caught.value) == expected["message"]


@pytest.mark.parametrize("name", chatcodec.available())
def test_format_has_vectors(name: str) -> None:
    assert any(path.parts[-3] == name for path in PATHS)


def test_vectors_are_of_formats() -> None:
    assert {path.parts[-3] for path in PATHS} <= set(chatcodec.available())
