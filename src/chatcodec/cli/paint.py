"""A prompt or a reply for a terminal: text in the colour of who wrote it, or what it is; control characters shown.

Rules: template text is dim; a message's text has the colour of the message's role; tool definitions, documents and
options have theirs. A control character is drawn in reverse, so that it differs from a text that spells it. Nothing is
lost: without colours and pictures the text is the prompt's. It does not know whether anybody wants colours.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import click

from chatcodec.cli.visible import CONTROLS, picture
from chatcodec.render.rendered import Rendered
from chatcodec.render.span import Span

STYLES: dict[str, dict[str, Any]] = {
    "template": {"dim": True},
    "system": {"fg": "magenta"},
    "user": {"fg": "green"},
    "assistant": {"fg": "cyan"},
    "tool": {"fg": "yellow"},
    "other role": {"fg": "red"},
    "tool definition": {"fg": "blue"},
    "document": {"fg": "bright_blue"},
    "option": {"bold": True},
}
"""Who may have written a text, and how it looks."""

KINDS: dict[str, dict[str, Any]] = {
    "reasoning": {"fg": "magenta"},
    "content": {"fg": "green"},
    "notice": {"fg": "blue"},
    "response": {"fg": "yellow"},
    "call": {"fg": "cyan"},
    "marker": {"dim": True},
    "stop": {"bold": True},
    "after": {"fg": "red"},
}
"""What a part of a reply may be, and how it looks."""

_ROLES = {"developer": "system", "function": "tool", "ipython": "tool"} | {
    role: role for role in ("system", "user", "assistant", "tool")
}
_PLACES = {"tools": "tool definition", "documents": "document", "options": "option"}


def paint(rendered: Rendered, roles: Sequence[Any]) -> str:
    """Return the prompt in colours; `roles` has the role of each message."""
    text = rendered.text
    return "".join(styled(text[span.start : span.end], writer_of(span, roles)) for span in rendered.spans)


def legend() -> str:
    """Return a line that names each writer in its colour."""
    return "  ".join(click.style(writer, **style) for writer, style in STYLES.items())


def writer_of(span: Span, roles: Sequence[Any]) -> str:
    """Return who wrote the text of `span`, a key of `STYLES`. What is derived counts as its first source's."""
    shown = span.pointer or next(iter(span.sources), None)
    if shown is None:
        return "template"
    _, place, *rest = shown.split("/")
    if place == "messages" and rest:
        role = roles[int(rest[0])]
        return _ROLES.get(role, "other role") if isinstance(role, str) else "other role"
    return _PLACES.get(place, "template")


def styled(text: str, writer: str) -> str:
    """Return `text` in the style of `writer`, with control characters shown."""
    return in_style(text, STYLES[writer])


def in_style(text: str, style: dict[str, Any]) -> str:
    """Return `text` in a style, with control characters shown."""
    return "".join(click.style(piece, **style, reverse=control or None) for piece, control in _pieces(text))


def _pieces(text: str) -> Iterator[tuple[str, bool]]:
    position = 0
    for found in CONTROLS.finditer(text):
        if position < found.start():
            yield text[position : found.start()], False
        yield picture(found[0]), True
        position = found.end()
    if position < len(text):
        yield text[position:], False
