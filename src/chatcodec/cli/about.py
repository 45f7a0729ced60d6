"""What is known of a codec, for people and as JSON: its options, and the pieces of its replies.

Rules: what is printed comes from the codec; nothing about a family is written here. In a table, a literal stands in
quotes and is escaped as in JSON, so that its white space shows.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from chatcodec.cli.visible import visible
from chatcodec.codec import Codec

_LABELS = {
    "header": "turn opening",
    "stops": "turn closing",
    "calls syntax": "tool calls",
    "calls call": "call opening",
    "calls opening": "call opening",
    "calls object": "call",
    "calls argument": "argument",
    "calls closing": "call closing",
    "calls values": "values",
    "calls text opening": "text opening",
    "calls text closing": "text closing",
    "calls words": "true, false, null",
    "calls as_text": "arguments",
    "calls spacing first": "before calls without content",
    "calls spacing after_content": "between content and calls",
    "calls spacing between": "between calls",
}
"""What a person calls the part of a reply that is at this place in the pieces."""

_MEANINGS: dict[str, dict[Any, str]] = {
    "calls syntax": {
        "tagged": "arguments as tagged pairs",
        "json": "a JSON object each",
        "named": "a name and a JSON object each",
        "keyed": "a name and an object with bare keys each",
        "python": "as in Python",
    },
    "calls values": {
        "json": "text as it is, all else as JSON",
        "str": "text as it is, all else as Python prints it",
        "repr": "as Python prints them",
    },
    "calls as_text": {True: "as JSON text in a string", False: "as an object"},
}
"""What the values that are no literals stand for."""


def described(codec: Codec) -> dict[str, Any]:
    """Return the codec's name, title and options, for JSON."""
    options = [
        {"name": option.name, "type": option.type, "default": option.default, "doc": option.doc}
        for option in codec.options
    ]
    return {"name": codec.name, "title": codec.title, "options": options}


def paragraph(about: Mapping[str, Any]) -> str:
    """Return what `described` says, for people."""
    lines = [f"{about['name']}: {about['title']}"]
    for option in about["options"]:
        default = json.dumps(option["default"], ensure_ascii=False)
        lines.append(f"  {option['name']} ({option['type']}, default {default})")
        if option["doc"]:
            lines.append(f"      {option['doc']}")
    return "\n".join(lines) + "\n"


def stops(codec: Codec) -> str:
    """Return the markers at which an engine stops, for people."""
    return f"An engine stops at {', '.join(map(_quoted, codec.stops))}.\n"


def grammar(codec: Codec) -> str:
    """Return the codec's pieces and hints, for people: tables of what is written where."""
    shown, hinted = list(_rows(codec.pieces.as_json())), list(_rows(codec.hints.as_json()))
    width = max(len(label) for label, _ in shown + hinted)
    tables = _table(shown, width)
    if hinted:
        tables += f"\nWritten by models, though the template does not show it:\n\n{_table(hinted, width)}"
    return tables


def _table(rows: Iterable[tuple[str, str]], width: int) -> str:
    return "".join(f"{label.ljust(width)}  {value}\n" for label, value in rows)


def _rows(part: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, str]]:
    """Yield a label and a value for each part of a reply that is written at all."""
    for name, value in part.items():
        path = f"{above} {name}".lstrip()
        if isinstance(value, Mapping):
            yield from _rows(value, path)
            continue
        label, meanings = _LABELS.get(path, path.replace("_", " ")), _MEANINGS.get(path, {})
        for item in value if isinstance(value, list) else [value]:
            if item != "":
                yield label, meanings[item] if item in meanings else _quoted(item)


def _quoted(literal: Any) -> str:
    return visible(json.dumps(literal, ensure_ascii=False))
