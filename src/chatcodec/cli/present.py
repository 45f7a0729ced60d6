"""A rendered chat in the forms that the command line prints: text, a JSON object, a table of spans.

Rules: the JSON forms are stable, ``schema_version`` counts their changes, and what a terminal would obey is escaped in
them. The table is for people: control characters are shown, and long texts are cut, with an ellipsis behind the quotes.
It does not know where its text goes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from chatcodec.cli.paint import paint, styled, writer_of
from chatcodec.cli.terminal import Drawing
from chatcodec.cli.visible import CONTROLS, visible
from chatcodec.render.rendered import Rendered, Span

SCHEMA_VERSION = 1
_LONGEST_COLUMN = 48
_TEXT = 60
_LEAST_TEXT = 16


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
    spans = list(rendered.spans)
    columns = [_columns(span) for span in spans]
    widths = [min(max(map(len, column)), _LONGEST_COLUMN) for column in zip(*columns, strict=True)]
    room = _TEXT if width is None else max(width - sum(widths) - 2 * len(widths) - 1, _LEAST_TEXT)
    for span, texts in zip(spans, columns, strict=True):
        cells = "  ".join(cell.ljust(size) for cell, size in zip(texts, widths, strict=True))
        shown = _quoted(rendered.text[span.start : span.end], room)
        if drawing == "colour":
            shown = styled(shown, writer_of(span, roles))
        yield f"{cells}  {shown}\n"


def _columns(span: Span) -> tuple[str, ...]:
    pointer, owner = (visible(path or "-").replace("\n", "␊").replace("\t", "␉") for path in (span.pointer, span.owner))
    return f"{span.start}-{span.end}", span.origin, pointer, owner


def _quoted(text: str, room: int) -> str:
    quoted = visible(json.dumps(text[:room], ensure_ascii=False))
    if len(text) <= room and len(quoted) <= room:
        return quoted
    kept = text[:room]
    while len(quoted) > room - 1:
        kept = kept[: -max((len(quoted) - room) // 6, 1)]
        quoted = visible(json.dumps(kept, ensure_ascii=False))
    return f"{quoted}…"
