"""A smaller part of the oracle: 2,000 random chats a format against the reference templates, where they are there."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

import pytest

import chatcodec

REFERENCE = os.environ.get("REFERENCE", "")

pytestmark = [
    pytest.mark.skipif(
        importlib.util.find_spec("transformers") is None, reason="transformers is not installed: pip install .[bench]"
    ),
    pytest.mark.skipif(
        not REFERENCE, reason="REFERENCE is not set: make test REFERENCE=DIR compares with the templates"
    ),
]


@pytest.mark.parametrize("name", chatcodec.available())
def test_random_chats_equal_the_reference(name: str) -> None:
    import oracle

    tally = oracle.compare(REFERENCE, name, seed=20, count=2000)
    tally.add(oracle.unknown_fields(Path(REFERENCE), name))
    assert tally.reports == []
    assert tally.counts["rendered"] >= oracle.RENDERED * tally.counts["chats"] == oracle.RENDERED * 2000


def test_the_oracle_sees_a_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    import oracle

    def wrong(codec: chatcodec.Codec, chat: dict[str, object]) -> tuple[str, None]:
        return "wrong", None

    monkeypatch.setattr(oracle, "own", wrong)
    tally = oracle.compare(REFERENCE, "qwen3-tir", seed=20, count=50)
    assert tally.counts["text"] + tally.counts["one raises"] == 50
    assert tally.reports
