"""Where a text that a template wrote may be cut: between markers, never inside one.

Rules: what is a marker to a model is not known here, so a cut is only made where no marker can go on: at white space,
beside a slot, behind a closing bracket or before an opening one. White space belongs to the marker before it.
"""

from __future__ import annotations

from chatcodec.templates.turn_shape import SLOTS

_OPENING, _CLOSING = "<[({", ">])}"


def is_border(text: str, at: int) -> bool:
    """Whether `text` may be cut at `at`."""
    if at <= 0 or at >= len(text):
        return True
    before, behind = text[at - 1], text[at]
    return (
        before.isspace()
        or behind.isspace()
        or before in SLOTS
        or behind in SLOTS
        or before in _CLOSING
        or behind in _OPENING
    )


def common_start(*texts: str) -> str:
    """Return what all texts begin with, up to a border in each."""
    first = min(texts, key=len)
    length = next((at for at in range(len(first)) if len({text[at] for text in texts}) > 1), len(first))
    while not all(is_border(text, length) for text in texts):
        length -= 1
    return first[:length]


def common_end(*texts: str) -> str:
    """Return what all texts end with, from a border in each on."""
    first = min(texts, key=len)
    length = next((n for n in range(len(first)) if len({text[-n - 1] for text in texts}) > 1), len(first))
    while not all(is_border(text, len(text) - length) for text in texts):
        length -= 1
    return first[len(first) - length :]


def last_marker(text: str) -> str:
    """Return the last marker of a text, with the white space behind it."""
    end = len(text.rstrip())
    at = end - 1
    while at > 0 and not text[at - 1].isspace() and not (text[at - 1] in _CLOSING and text[at] in _OPENING):
        at -= 1
    return text[max(at, 0) :]


def first_marker(text: str) -> str:
    """Return the first marker of a text, without the white space around it."""
    text = text.lstrip()
    at = 1
    while at < len(text) and not text[at].isspace() and not (text[at - 1] in _CLOSING and text[at] in _OPENING):
        at += 1
    return text[:at]


def through_first_marker(text: str) -> str:
    """Return a text through its first marker, if that is one in brackets; else all of it."""
    marker = first_marker(text)
    return text[: text.index(marker) + len(marker)] if marker[-1:] in _CLOSING else text
