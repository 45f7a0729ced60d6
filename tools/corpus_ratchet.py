"""What is recorded of each public template: how many cases are equal, and how many sentinels are where.

Rules: one line a template, by the first half of its SHA-256, with its file's name; sorted, so that a change is a line.
It may only get better, and what is better has to be recorded. Nothing of a template's text is in it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple, TypeAlias

COLUMNS = ("equal", "raise", "different", "exact", "derived", "wrong", "foreign")
"""Cases with the same text, cases in which both raise, cases that differ; sentinels in data that names their place, in
what is derived, anywhere else; spans of a message's data that belong to another message."""

WORSE_IF_MORE = frozenset({"different", "derived", "wrong", "foreign"})
FILE = Path(__file__).resolve().parents[1] / "vectors" / "corpus" / "results.json"


class Line(NamedTuple):
    """What is known of one template."""

    name: str
    counts: tuple[int, ...]

    def __str__(self) -> str:
        return ", ".join(f"{count} {column}" for column, count in zip(COLUMNS, self.counts, strict=True))


Lines: TypeAlias = dict[str, Line]


def read(file: Path = FILE) -> tuple[str, Lines]:
    """Return the hash of the chats that were recorded, and the lines; nothing if nothing was."""
    if not file.is_file():
        return "", {}
    found = json.loads(file.read_text("utf-8"))
    return found["chats"], {key: Line(name, tuple(counts)) for key, (name, *counts) in found["templates"].items()}


def write(chats: str, lines: Mapping[str, Line], file: Path = FILE) -> None:
    """Record the lines."""
    rows = [f"{json.dumps(key)}: {json.dumps([line.name, *line.counts])}" for key, line in sorted(lines.items())]
    file.parent.mkdir(parents=True, exist_ok=True)
    head = f'{{\n"chats": {json.dumps(chats)},\n"columns": {json.dumps(["name", *COLUMNS])},\n"templates": {{\n'
    file.write_text(head + ",\n".join(rows) + "\n}}\n", encoding="utf-8")


class Judgement(NamedTuple):
    """What changed against what is recorded: lines for people."""

    worse: list[str]
    better: list[str]
    unknown: list[str]
    missing: list[str]


def judge(recorded: Mapping[str, Line], found: Mapping[str, Line], whole: bool) -> Judgement:
    """Compare lines with those that are recorded; `whole`: whether all templates were tried."""
    said = Judgement([], [], [], [])
    for key, line in found.items():
        before = recorded.get(key)
        if before is None:
            said.unknown.append(line.name)
        elif before.counts != line.counts:
            words = f"{line.name}: {', '.join(_changes(before.counts, line.counts))}"
            (said.worse if is_worse(before.counts, line.counts) else said.better).append(words)
    if whole:
        said.missing.extend(line.name for key, line in recorded.items() if key not in found)
    return said


def is_worse(before: Iterable[int], now: Iterable[int]) -> bool:
    """Whether anything got worse: fewer that are right, or more that are not."""
    return any(
        after > earlier if column in WORSE_IF_MORE else after < earlier and column in ("equal", "exact")
        for column, earlier, after in zip(COLUMNS, before, now, strict=True)
    )


def _changes(before: Iterable[int], now: Iterable[int]) -> Iterable[str]:
    for column, earlier, after in zip(COLUMNS, before, now, strict=True):
        if earlier != after:
            yield f"{column} {earlier} -> {after}"
