"""Write what the references make of the chats in vectors/, or check that nothing would change.

    python tools/vectors.py DIRECTORY [--check]

DIRECTORY holds the references. A vector is written by hand as ``{"about": ..., "chat": ...}``; its ``text`` or
``error`` is filled in here, never by chatcodec itself. Rules: one case a file; the same input gives the same bytes.
This file does not know what to test; see vectors/README.md.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from chatcodec.formats import registry
from reference import Outcome, Reference
from vector_file import FORMATS, Vector, dumps


def paths(format_name: str) -> list[Path]:
    """Return the render vectors of a format, sorted."""
    return sorted((FORMATS / format_name / "render").glob("*.json"))


def read(path: Path) -> Vector:
    """Return the vector in a file. Raises ValueError for one without `about` or `chat`, or with a key of no meaning."""
    vector: Vector = json.loads(path.read_text(encoding="utf-8"))
    if not {"about", "chat"} <= vector.keys() <= {"about", "chat", "text", "error"}:
        raise ValueError(f"{path}: a vector has about, chat, and text or error")
    return vector


def completed(vector: Vector, outcome: Outcome) -> Vector:
    """Return `vector` with its outcome; the message only where the template or transformers chose the words."""
    given = {"about": vector["about"], "chat": vector["chat"]}
    if outcome.kind is None:
        return given | {"text": outcome.text}
    message = {} if outcome.kind == "python" else {"message": outcome.error}
    return given | {"error": {"kind": outcome.kind, **message}}


def _changes(directory: Path) -> Iterator[tuple[Path, str]]:
    for name in registry.NAMES:
        reference = Reference.load(directory, name)
        wanted = {FORMATS / name / "source.json": _source(directory / registry.get(name).source)}
        for path in paths(name):
            vector = read(path)
            wanted[path] = dumps(completed(vector, reference.render(vector["chat"])))
        for path, text in wanted.items():
            if not path.exists() or text != path.read_text(encoding="utf-8"):
                yield path, text


def _source(path: Path) -> str:
    """Return what identifies a template: its name, and the hash of its bytes."""
    return json.dumps({"file": path.name, "sha256": hashlib.sha256(path.read_bytes()).hexdigest()}, indent=2) + "\n"


def main() -> int:
    """Run the command; return its exit code."""
    parser = argparse.ArgumentParser(description="Fill in the outcomes of the vectors from the references.")
    parser.add_argument("directory", type=Path, help="where the references are")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if anything would change")
    arguments = parser.parse_args()
    changed = 0
    for path, text in _changes(arguments.directory):
        changed += 1
        print(f"{'would change' if arguments.check else 'written'}: {path.relative_to(FORMATS)}")
        if not arguments.check:
            path.write_text(text, encoding="utf-8")
    print(f"{sum(len(paths(name)) for name in registry.NAMES)} vectors, {changed} changed")
    return 1 if changed and arguments.check else 0


if __name__ == "__main__":
    sys.exit(main())
