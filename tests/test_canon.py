"""The way there and back: random turns come back as canon says, and each loss that it declares has a vector."""

from __future__ import annotations

from pathlib import Path

import pytest

import chatcodec
import roundtrip
from canon import REWRITES, RULES, loss
from canon_vectors import FORMATS, again, completed, kept, paths, read, trip
from roundtrip import difference, same
from vector_file import dumps

PATHS = [path for name in chatcodec.available() for path in paths(name)]
each_vector = pytest.mark.parametrize("path", PATHS, ids=[str(path.relative_to(FORMATS)) for path in PATHS])
each_format = pytest.mark.parametrize("name", chatcodec.available())


def name_of(path: Path) -> str:
    return path.parts[-3]


@each_vector
def test_what_comes_back(path: Path) -> None:
    vector, name = read(path), name_of(path)
    back = trip(name, vector)
    assert back.completion == vector["completion"]
    assert back.reply.message == vector["message"]
    assert back.reply.text == vector["completion"]


@each_vector
def test_canon_says_so(path: Path) -> None:
    vector, name = read(path), name_of(path)
    draft, back = kept(name, vector), trip(name, vector)
    assert draft.losses == [path.stem], "a vector shows the one loss that it is named after"
    assert same(vector["message"], draft.message)
    assert difference(name, back, draft) is None
    assert again(name, vector, back, draft) == vector.get("again")
    assert (path.stem in REWRITES[name]) == ("again" in vector)
    assert dumps(completed(name, vector)) == path.read_text("utf-8"), "run tools/canon_vectors.py"


@each_format
def test_each_loss_has_a_vector(name: str) -> None:
    assert [path.stem for path in paths(name)] == sorted(map(loss, RULES[name]))
    assert REWRITES[name] <= set(map(loss, RULES[name]))


def test_each_rule_says_what_is_lost() -> None:
    for rule in {rule for rules in RULES.values() for rule in rules}:
        assert (rule.__doc__ or "").partition("\n")[0].endswith("."), rule.__name__


@each_format
def test_random_turns_come_back(name: str) -> None:
    tally = roundtrip.compare(name, seed=30, count=300)
    assert roundtrip.verdict(name, tally) == []
    assert tally.counts["equal"] == tally.counts["turns"] == 300


def test_the_same_seed_gives_the_same_turns() -> None:
    first, second = (roundtrip.compare("qwen3.6", seed=31, count=50) for _ in range(2))
    assert first == second


def test_a_difference_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(RULES, "qwen3.6", ())
    monkeypatch.setattr(roundtrip, "ENOUGH", 50)
    tally = roundtrip.compare("qwen3.6", seed=30, count=100)
    assert tally.counts["equal"] < tally.counts["turns"]
    assert "message" in tally.reports[0]
    assert any("turns differ" in line for line in roundtrip.verdict("qwen3.6", tally))


def test_an_error_is_a_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(codec: chatcodec.Codec, case: object) -> None:
        raise ValueError("broken")

    monkeypatch.setattr(roundtrip, "travel", fail)
    tally = roundtrip.compare("qwen3.6", seed=30, count=5)
    assert tally.counts["equal"] == 0
    assert "qwen3.6, seed 30, turn 0: ValueError('broken')" in roundtrip.verdict("qwen3.6", tally)[0]


def test_a_loss_that_never_comes_is_seen() -> None:
    tally = roundtrip.Tally()
    tally.counts.update(turns=roundtrip.ENOUGH, equal=roundtrip.ENOUGH, whole=roundtrip.ENOUGH)
    assert roundtrip.verdict("qwen3-tir", tally) == [
        f"qwen3-tir: never came: {', '.join(map(loss, RULES['qwen3-tir']))}"
    ]


def test_numbers_and_the_order_of_keys_are_told_apart() -> None:
    def message(arguments: object) -> dict[str, object]:
        return {"content": None, "tool_calls": [{"id": "c", "function": {"name": "f", "arguments": arguments}}]}

    assert same(message('{"a": 1,  "b": 2}'), message({"a": 1, "b": 2}))
    for other in ({"a": 1.0, "b": 2}, {"b": 2, "a": 1}, {"a": True, "b": 2}, {"a": "1", "b": 2}, '{"a": 1, "b": 2}'):
        assert not same(message('{"a": 1,  "b": 2}'), message(other))
