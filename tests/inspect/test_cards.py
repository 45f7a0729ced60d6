"""Cards of the references, as vectors: a format does what its reference does, and each line is held by a file."""

import json
from pathlib import Path
from typing import Any

import pytest

import chatcodec

FORMATS = Path(__file__).resolve().parents[2] / "vectors" / "formats"
OF_THE_SOURCE = ("name", "title", "source", "replies", "likeness", "stops", "options")
"""What a template has and a format has otherwise: these are compared one by one."""


def vector(name: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((FORMATS / name / "card.json").read_text(encoding="utf-8"))
    return data


def without_reasons(value: Any) -> Any:
    """A format says in its own words why it fails where the reference fails in Python's."""
    if isinstance(value, dict) and value.get("how") == "fails":
        return {"how": "fails"}
    if isinstance(value, dict):
        return {name: without_reasons(each) for name, each in value.items()}
    return [without_reasons(each) for each in value] if isinstance(value, list) else value


def behaviour(card: dict[str, Any]) -> Any:
    return without_reasons({name: each for name, each in card.items() if name not in OF_THE_SOURCE})


@pytest.mark.parametrize("name", chatcodec.available())
def test_a_format_does_what_its_reference_does(name: str) -> None:
    ours, theirs = chatcodec.load(name).describe().as_json(), vector(name)
    assert behaviour(ours) == behaviour(theirs)
    assert theirs["stops"] == ours["stops"][: len(theirs["stops"])]  # TIR stops at calls too, which its template lacks


@pytest.mark.parametrize("name", chatcodec.available())
def test_options_change_what_they_change_in_the_reference(name: str) -> None:
    ours, theirs = (
        {
            (option["name"], json.dumps(change["value"])): change["places"]
            for option in card["options"]
            for change in option["changes"]
        }
        for card in (chatcodec.load(name).describe().as_json(), vector(name))
    )
    assert {name for name, _ in ours} == {name for name, _ in theirs}
    both = ours.keys() & theirs.keys()
    assert len(both) >= len({name for name, _ in ours})
    assert {key: ours[key] for key in both} == {key: theirs[key] for key in both}


@pytest.mark.parametrize("name", chatcodec.available())
def test_a_reference_is_known_by_what_it_prints(name: str) -> None:
    assert vector(name)["likeness"] == {"format": name, "differs": []}
    assert chatcodec.load(name).describe().likeness is None


@pytest.mark.parametrize("name", chatcodec.available())
def test_the_pieces_of_a_reference_hold(name: str) -> None:
    replies = vector(name)["replies"]
    assert (replies["origin"], replies["turns"], replies["reasons"]) == ("derived", 200, [])
    declared = chatcodec.load(name).pieces.as_json()
    if name == "qwen3-tir":  # neither shows a call, though its models make them: those are its hints
        assert "calls" not in declared
    assert replies["pieces"] == declared
