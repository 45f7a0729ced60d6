"""A rendered chat in the forms that the command line prints: text, a JSON object, a table of spans.

Rules: the JSON forms are stable, ``schema_version`` counts their changes, and what a terminal would obey is escaped in
them. The table is for people: control characters are shown, and long texts are cut, with an ellipsis behind the quotes.
It does not know where its text goes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from chatcodec.cli.paint import STYLES, in_style, paint, writer_of
from chatcodec.cli.terminal import Drawing
from chatcodec.cli.visible import CONTROLS, visible
from chatcodec.render.rendered import Rendered
from chatcodec.render.span import Span

SCHEMA_VERSION = 1
_LONGEST_COLUMN = 48
_TEXT = 60
_LEAST_TEXT = 16


class Row(NamedTuple):
    """A row of a table: cells of one line each, and a text with its style."""

    cells: tuple[str, ...]
    text: str
    style: dict[str, Any]


def prompt_text(rendered: Rendered, roles: Sequence[Any], drawing: Drawing) -> str:
    """Return the prompt: as it is, or drawn for a terminal."""
    if drawing == "colour":
        return paint(rendered, roles)
    return rendered.text if drawing == "exact" else visible(rendered.text)


def summary(rendered: Rendered) -> dict[str, Any]:
    """Return the text and the warnings, for JSON."""
    return {"text": rendered.text, "warnings": [warning._asdict() for warning in rendered.warnings]}


def everything(rendered: Rendered) -> dict[str, Any]:
    """Return all that is known of the prompt, for JSON."""
    spans = [
        {
            "start": span.start,
            "end": span.end,
            "origin": span.origin,
            "pointer": span.pointer,
            "shows": span.shows,
            "owner": span.owner,
            **({"sources": list(span.sources)} if span.origin == "derived" else {}),
        }
        for span in rendered.spans
    ]
    media = [item._asdict() for item in rendered.media]
    return {"schema_version": SCHEMA_VERSION, **summary(rendered), "spans": spans, "media": media}


def json_line(value: Any) -> str:
    """Return `value` as JSON on one line, in UTF-8 but for control characters."""
    text = json.dumps(value, ensure_ascii=False)
    return CONTROLS.sub(lambda found: f"\\u{ord(found[0]):04x}", text) + "\n"


def table(rendered: Rendered, roles: Sequence[Any], drawing: Drawing, width: int | None) -> Iterator[str]:
    """Yield a line for each span: where, origin, pointer, owner, text. `width` is the terminal's, if there is one."""
    rows = [
        Row(_columns(span), rendered.text[span.start : span.end], STYLES[writer_of(span, roles)])
        for span in rendered.spans
    ]
    return ruled(rows, drawing, width)


def ruled(rows: Sequence[Row], drawing: Drawing, width: int | None) -> Iterator[str]:
    """Yield a line for each of `rows`: cells, and the text in quotes, cut where there is no room."""
    widths = [min(max(map(len, column)), _LONGEST_COLUMN) for column in zip(*(row.cells for row in rows), strict=True)]
    room = _TEXT if width is None else max(width - sum(widths) - 2 * len(widths) - 1, _LEAST_TEXT)
    for row in rows:
        cells = "  ".join(cell.ljust(size) for cell, size in zip(row.cells, widths, strict=True))
        shown = _quoted(row.text, room)
        if drawing == "colour":
            shown = in_style(shown, row.style)
        yield f"{cells}  {shown}\n"


def _columns(span: Span) -> tuple[str, ...]:
    return f"{span.start}-{span.end}", span.origin, _in_a_cell(span.pointer), _in_a_cell(span.owner)


def _in_a_cell(text: str | None) -> str:
    return visible(text or "-").replace("\n", "␊").replace("\t", "␉")


def _quoted(text: str, room: int) -> str:
    quoted = visible(json.dumps(text[:room], ensure_ascii=False))
    if len(text) <= room and len(quoted) <= room:
        return quoted
    kept = text[:room]
    while len(quoted) > room - 1:
        kept = kept[: -max((len(quoted) - room) // 6, 1)]
        quoted = visible(json.dumps(kept, ensure_ascii=False))
    return f"{quoted}…"
