"""What of the literals around calls and their arguments belongs to what.

Rules: a literal is cut at borders only (`borders`); where two cuts are as good, the one that gives white space to what
comes first counts.
"""

from __future__ import annotations

import json
import re

from chatcodec.reply.calls import Block
from chatcodec.templates.borders import is_border
from chatcodec.templates.turn_shape import ARGUMENTS, ARGUMENTS_TEXT, CONTENT, ID, NAME, REASONING, SLOTS

TEXTS = CONTENT + REASONING


def slots_of_calls(shape: str) -> list[int]:
    """Return where a shape has its slots for parts of calls."""
    return [at for at, char in enumerate(shape) if char in SLOTS and char not in TEXTS]


def numbers(one: str, two: str) -> list[tuple[int, str]]:
    """Return how calls are counted: the number of the first one, and what stands behind it up to a slot."""
    literals, found = re.split(f"[{SLOTS.replace(TEXTS, '')}]", two), []
    count = len(slots_of_calls(one))
    for first, second in zip(literals[:count], literals[count:], strict=False):
        number, next_number = (re.search(r"([0-9]+)([^0-9]+)$", text) for text in (first, second))
        if number and next_number and number[2] == next_number[2] and int(number[1]) + 1 == int(next_number[1]):
            found.append((int(number[1]), number[2]))
    return found


def cuts(between: str, first: str, closing: str) -> list[tuple[str, str, str, str]]:
    """Return how what stands between two arguments may belong to them: the end of one, the start of the next.

    With each, what is left behind the name before the first one, and behind the last one.
    """
    found = []
    for at in range(len(between), -1, -1):
        end, start = between[:at], between[at:]
        if is_border(between, at) and first.endswith(start) and closing.startswith(end):
            found.append((end, start, first[: len(first) - len(start)], closing[len(end) :]))
    return sorted(found, key=lambda cut: bool(cut[2]) and cut[2].isspace())


def without_block(before: str, *blocks: Block | None) -> str:
    """Return what follows an empty block of reasoning or content, or what is left of one."""
    for block in blocks:
        if block is None:
            continue
        opening, closing = block.opening.strip(), block.closing.strip()
        rest = before.lstrip()
        if rest.startswith(opening) and closing in rest:
            before = without_start(before[before.index(closing) :], block.closing.lstrip())
        elif rest.startswith(closing):
            before = without_start(rest, block.closing.lstrip())
        elif rest.startswith(block.opening.lstrip() or "\0"):
            before = without_start(rest, block.opening.lstrip())
    return before


def without_start(text: str, start: str) -> str:
    """Return a text without as much of `start` as it begins with; at least what is no white space."""
    if not text.startswith(start.rstrip()):
        return text
    length = len(start.rstrip())
    while length < len(start) and text.startswith(start[: length + 1]):
        length += 1
    return text[length:]


def end_of_object(text: str, begin: int) -> int:
    """Return where the JSON object at `begin` ends, with slots in place of its values; -1 if it is none."""
    stand_ins = {ARGUMENTS: "0", ARGUMENTS_TEXT: "0"}
    plain = "".join(stand_ins.get(char, "x" if char in SLOTS else char) for char in text)
    try:
        value, end = json.JSONDecoder().raw_decode(plain, begin)
    except ValueError:
        return -1
    return end if isinstance(value, dict) else -1


def object_with_names(text: str) -> str:
    """Return a call's JSON with the names of its slots, as pieces have them."""
    text = text.replace(f'"{NAME}"', "{name}").replace(f'"{ID}"', "{id}")
    return text.replace(ARGUMENTS, "{arguments}").replace(ARGUMENTS_TEXT, "{arguments}")
