"""Fill in what comes back of the turns in the canon vectors, or check that nothing would change.

    python tools/canon_vectors.py [--check] [FORMAT ...]

A vector is written by hand as ``{"about": ..., "turn": ..., "tools": ...}``, perhaps with ``options``, and named after
the one loss that it shows. ``completion`` is how the format writes the turn behind its generation prompt; ``message``
what `canon` says that comes back, never what the reader gives, and it stays where only a number is spelled otherwise;
``again`` how the turn that comes back is written, where that is not the completion. Rules: one loss a file; the same
input gives the same bytes.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path

import chatcodec
from canon import canon
from chatcodec.render.values import json_text
from drafts import Draft
from roundtrip import Trip, completion_of, goes_on, same, travel
from turns import Case
from vector_file import FORMATS, Vector, dumps

GIVEN = ("about", "turn", "tools", "options")


def paths(name: str) -> list[Path]:
    """Return the canon vectors of a format, sorted."""
    return sorted((FORMATS / name / "canon").glob("*.json"))


def read(path: Path) -> Vector:
    """Return the vector in a file. Raises ValueError for one that lacks a key, or has one of no meaning."""
    vector: Vector = json.loads(path.read_text(encoding="utf-8"))
    if not set(GIVEN[:3]) <= vector.keys() <= {*GIVEN, "completion", "message", "again"}:
        raise ValueError(f"{path}: a vector has about, turn and tools; see vectors/README.md")
    return vector


def kept(name: str, vector: Vector) -> Draft:
    """Return what canon says of a vector's turn."""
    return canon(name, deepcopy(vector["turn"]), vector["tools"], vector.get("options", {}))


def trip(name: str, vector: Vector) -> Trip:
    """Return what becomes of a vector's turn, there and back."""
    return travel(chatcodec.load(name), Case(deepcopy(vector["turn"]), vector["tools"], vector.get("options", {})))


def again(name: str, vector: Vector, back: Trip, draft: Draft) -> str | None:
    """Return how the turn that comes back is written, None if it goes on from the prompt as the completion does."""
    if goes_on(back, draft):
        return None
    case = Case(back.reply.turn, vector["tools"], vector.get("options", {}))
    return completion_of(chatcodec.load(name), case, back.prompt.text)


def completed(name: str, vector: Vector) -> Vector:
    """Return `vector` with what is told by its turn."""
    draft, back = kept(name, vector), trip(name, vector)
    message = vector.get("message")
    if message is None or not same(message, draft.message):
        message = deepcopy(draft.message)
        for call in message.get("tool_calls", ()):
            if not isinstance(call["function"]["arguments"], str):
                call["function"]["arguments"] = json_text(call["function"]["arguments"])
    given = {key: vector[key] for key in GIVEN if key in vector}
    filled = {**given, "completion": back.completion, "message": message}
    written = again(name, vector, back, draft)
    return filled if written is None else {**filled, "again": written}


def _changes(name: str) -> Iterator[tuple[Path, str]]:
    for path in paths(name):
        text = dumps(completed(name, read(path)))
        if text != path.read_text(encoding="utf-8"):
            yield path, text


def main() -> int:
    """Run the command; return its exit code."""
    parser = argparse.ArgumentParser(description="Fill in what comes back of the turns in the canon vectors.")
    parser.add_argument("formats", nargs="*", default=chatcodec.available(), metavar="FORMAT", help="default: all")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if anything would change")
    asked = parser.parse_args()
    changed = [change for name in asked.formats for change in _changes(name)]
    for path, text in changed:
        print(f"{'would change' if asked.check else 'written'}: {path.relative_to(FORMATS)}")
        if not asked.check:
            path.write_text(text, encoding="utf-8")
    print(f"{sum(len(paths(name)) for name in asked.formats)} canon vectors, {len(changed)} changed")
    return 1 if changed and asked.check else 0


if __name__ == "__main__":
    sys.exit(main())
