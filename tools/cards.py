"""Write the cards of the references into vectors/, or check that nothing would change.

    python tools/cards.py DIRECTORY [--check]

DIRECTORY holds the references. Rules: a card is that of the template itself, derived and measured, never of the format
that stands for it: a test holds the two together.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import chatcodec
from chatcodec.formats import registry
from vector_file import FORMATS


def card_of(directory: Path, format_name: str) -> str:
    """Return the card of a reference, as a vector has it."""
    source = registry.get(format_name).source
    card = chatcodec.load((directory / source).read_text(encoding="utf-8")).describe().as_json()
    return json.dumps({**card, "name": source}, ensure_ascii=False, indent=2) + "\n"


def _changes(directory: Path) -> Iterator[tuple[Path, str]]:
    for name in registry.NAMES:
        path, text = FORMATS / name / "card.json", card_of(directory, name)
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            yield path, text


def main() -> int:
    """Write what differs, or with --check say it and return 1."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", type=Path, help="the references")
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a card would change")
    asked = parser.parse_args()
    changes = list(_changes(asked.directory))
    for path, text in changes:
        if not asked.check:
            path.write_text(text, encoding="utf-8")
        print(f"{path.relative_to(FORMATS)}: {'would change' if asked.check else 'written'}")
    print(f"{len(registry.NAMES)} cards, {len(changes)} changed")
    return int(asked.check and bool(changes))


if __name__ == "__main__":
    sys.exit(main())
