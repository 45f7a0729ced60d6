"""Reasoning that no turn prints: its markers, told by the generation prompts, and by what a turn loses.

Templates that drop the reasoning of earlier turns show it in none, and yet ask for it. Rules: a generation prompt that
ends with two markers has an empty block of reasoning; one that ends with what no turn has there opens it. What closes
it is the marker that a template takes content apart at, so that what was before it is lost. Where it does that at none,
the marker that closes in markup what was opened is assumed, and that is said. It knows no model's markers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from chatcodec.reply.pieces import Reasoning
from chatcodec.templates.borders import first_marker, last_marker

MOST_MARKER, MOST_TEXTS = 60, 100
"""How long a marker may be that is looked for among a template's texts, and how many are tried."""

_MARKUP = re.compile(r"([<\[])(\w[\w -]*)([>\]])")


class Unprinted(NamedTuple):
    """What was told: the header of turns, their reasoning, what opens content, and whether what closes is assumed."""

    header: str
    reasoning: Reasoning
    content_opening: str
    assumed: bool


def unprinted_reasoning(
    header: str, content_opening: str, prompts: Sequence[str], texts: Iterable[str], is_dropped: Callable[[str], bool]
) -> Unprinted | None:
    """Return the reasoning that prompts ask for, None if they do not.

    content_opening: what a turn has before content. texts: those that the template knows, which may be a marker.
    is_dropped: whether a turn loses what its content has before a marker.
    """
    behind = _behind(prompts, header)
    if block := _empty_block(behind, content_opening):
        closing = block.closing.strip()
        _, _, left = content_opening.partition(closing)
        return Unprinted(header, block, left.lstrip(), False)
    if content_opening.strip():
        return _closed_by_content(header, content_opening, behind)
    openings = {each.strip(): each for each in behind if each.strip()}
    pairs = [(one, two) for one in openings for two in openings if in_markup(one) == two]
    if pairs:
        opening, closing = pairs[0]
        return Unprinted(header, _spaced(openings[opening], closing), "", False)
    if len(openings) != 1:
        return None
    ((marker, opening),) = openings.items()
    candidates = [text.strip() for text in texts if not text.strip().isalnum() and len(text) <= MOST_MARKER]
    known = next((text for text in list(dict.fromkeys(candidates))[:MOST_TEXTS] if is_dropped(text)), "")
    closing = known or in_markup(marker)
    return Unprinted(header, _spaced(opening, closing), "", not known) if closing and closing != marker else None


def markers(text: str) -> tuple[str, ...]:
    """Return the one or two markers that a text begins with."""
    text = text.strip()
    first = first_marker(text) if text else ""
    rest = text[len(first) :].lstrip()
    return tuple(marker for marker in (first, first_marker(rest) if rest else "") if marker)


def in_markup(marker: str) -> str:
    """Return what closes in markup what a marker opens; '' if it is none of markup."""
    found = _MARKUP.fullmatch(marker)
    return f"{found[1]}/{found[2]}{found[3]}" if found else ""


def _behind(prompts: Iterable[str], header: str) -> list[str]:
    return [prompt[len(header) :] for prompt in prompts if prompt.startswith(header)]


def _empty_block(behind: Sequence[str], content_opening: str) -> Reasoning | None:
    """Return the block of two markers that a prompt has with nothing between, and turns where they open content.

    If all turns have it, another prompt must open it alone.
    """
    for text in behind:
        found = markers(text)
        if len(found) != 2 or "".join(text.split()) != "".join("".join(found).split()):
            continue
        alone = next((each for each in behind if each.strip() == found[0]), None)
        if content_opening.strip() and (alone is None or markers(content_opening) != found):
            continue
        between = text[text.index(found[0]) + len(found[0]) : text.rindex(found[1])]
        space = between[: (len(between) + 1) // 2]
        if alone is not None and between.startswith(alone[len(alone.rstrip()) :]):
            space = alone[len(alone.rstrip()) :]
        after = text[len(text.rstrip()) :]
        return Reasoning(found[0] + space, (between[len(space) :] or space) + found[1] + max(after, 2 * space, key=len))
    return None


def _closed_by_content(header: str, content_opening: str, behind: Sequence[str]) -> Unprinted | None:
    """Return the reasoning that turns close where content begins: their header, or other prompts, open it."""
    closing = content_opening.strip()
    opening = last_marker(header)
    if in_markup(opening.strip()) == closing:
        return Unprinted(header[: len(header) - len(opening)], Reasoning(opening, content_opening), "", False)
    for text in behind:
        if in_markup(text.strip()) == closing:
            return Unprinted(header, Reasoning(text, content_opening), "", False)
    return None


def _spaced(opening: str, closing: str) -> Reasoning:
    """Return reasoning with the white space beside its end that stands behind its beginning; twice before content."""
    space = opening[len(opening.rstrip()) :]
    return Reasoning(opening, space + closing + 2 * space)
