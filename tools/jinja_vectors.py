"""Write what transformers makes of the templates in vectors/jinja, or check that nothing would change.

    python tools/jinja_vectors.py [--check]

A vector is written by hand as ``{"about": ..., "template": ..., "chat": ...}``; its ``text`` or ``error`` is filled in
here, by `apply_chat_template` of transformers, never by chatcodec. Rules: one behaviour a file; the same input gives
the same bytes; the clock stands at `NOW`. This file does not know what to test; see vectors/README.md.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from datetime import datetime, tzinfo
from pathlib import Path
from typing import TYPE_CHECKING

from vector_file import FORMATS, Vector, dumps

if TYPE_CHECKING:
    from reference import Outcome

FOLDER = FORMATS.parent / "jinja"
NOW = datetime(2026, 1, 2, 3, 4, 5)
"""What ``strftime_now`` reads, here and wherever the same is rendered to compare."""

_GIVEN = {"about", "template", "chat"}


class _Clock(datetime):
    """A clock that stands still."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> _Clock:
        """Return `NOW`."""
        return cls.combine(NOW.date(), NOW.time(), tz)


def paths() -> list[Path]:
    """Return the vectors, sorted."""
    return sorted(FOLDER.glob("*.json"))


def read(path: Path) -> Vector:
    """Return the vector in a file. Raises ValueError for one that lacks something, or has a key of no meaning."""
    vector: Vector = json.loads(path.read_text(encoding="utf-8"))
    if not _GIVEN <= vector.keys() <= _GIVEN | {"text", "error"}:
        raise ValueError(f"{path}: a vector has about, template, chat, and text or error")
    return vector


def completed(vector: Vector, outcome: Outcome | None) -> Vector:
    """Return `vector` with its outcome, None if its template does not compile.

    An error has its message only where the template or transformers chose the words.
    """
    given = {key: vector[key] for key in ("about", "template", "chat")}
    if outcome is None:
        return given | {"error": {"kind": "load"}}
    if outcome.kind is None:
        return given | {"text": outcome.text}
    message = {} if outcome.kind == "python" else {"message": outcome.error}
    return given | {"error": {"kind": outcome.kind, **message}}


def outcome_of(vector: Vector) -> Outcome | None:
    """Return what transformers makes of a vector, None if its template does not compile."""
    from jinja2 import TemplateSyntaxError
    from transformers.utils import chat_template_utils

    from reference import Reference  # transformers is not there wherever vectors are read

    chat_template_utils.datetime = _Clock
    try:
        reference = Reference(vector["template"])
    except (TemplateSyntaxError, SyntaxError, ValueError):
        return None
    return reference.render(vector["chat"])


def _changes() -> Iterator[tuple[Path, str]]:
    for path in paths():
        vector = read(path)
        text = dumps(completed(vector, outcome_of(vector)))
        if text != path.read_text(encoding="utf-8"):
            yield path, text


def main() -> int:
    """Run the command; return its exit code."""
    parser = argparse.ArgumentParser(description="Fill in the outcomes of the vectors of templates from transformers.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if anything would change")
    check = parser.parse_args().check
    changed = 0
    for path, text in _changes():
        changed += 1
        print(f"{'would change' if check else 'written'}: {path.relative_to(FOLDER)}")
        if not check:
            path.write_text(text, encoding="utf-8")
    print(f"{len(paths())} vectors, {changed} changed")
    return 1 if changed and check else 0


if __name__ == "__main__":
    sys.exit(main())
