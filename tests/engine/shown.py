"""A chat in which each leaf and name can be told from all others, and what a prompt's spans say of each.

Every text of the chat has letters that no other text has, and words; names and numbers have words of their own. So
whatever a template does with them, what comes out tells where it came from.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import chatcodec
from chatcodec.chat.pointer import pointer
from jinja_vectors import NOW

CHAT: dict[str, Any] = {
    "messages": [
        {
            "role": "user",
            "content": " жд zqalpha лп ",
            "many": ["ря zqlist", "мн"],
            "object": {"zqkeyb": "фы zqvala", "zqkeya": "чб"},
            "pairs": [["эю", "ъщ"]],
            "number": 900111,
            "fraction": 900222.5,
            "flag": True,
        },
        {
            "role": "assistant",
            "content": "αβ zqbeta γδ",
            "tool_calls": [
                {"id": "zqid", "function": {"name": "εζ", "arguments": {"zqarg": "ηθ zqvalb", "zqnumber": 900333}}},
                {"id": "zqidb", "function": {"name": "ικ", "arguments": {"zqlistarg": ["λμ", None]}}},
            ],
        },
        {"role": "user", "content": [{"type": "text", "text": "νξ zqgamma"}, {"type": "image", "url": "πρ"}]},
    ],
    "tools": [
        {
            "type": "function",
            "function": {
                "name": "աբ",
                "description": "գդ zqdelta",
                "parameters": {"type": "object", "properties": {"zqprop": {"type": "string", "description": "եզ"}}},
            },
        }
    ],
    "documents": [{"title": "էը", "text": "թժ zqtext"}],
    "options": {"opt": "իլ zqopt", "opts": {"zqkeyo": ["խծ"]}, "count": 900444},
}

_WORD = re.compile(r"zq(?:\d{6}z|[a-z]+)|900\d{3,6}", re.IGNORECASE)


class Place(NamedTuple):
    """A leaf, or a name, of the chat."""

    pointer: str
    is_key: bool


def _places(value: Any, path: tuple[Any, ...]) -> Iterator[tuple[str, Place]]:
    if isinstance(value, dict):
        for key, item in value.items():
            for word in _WORD.findall(str(key)):
                yield word, Place(pointer((*path, key)), True)
            yield from _places(item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _places(item, (*path, index))
    elif isinstance(value, (str, int, float)):
        for token in (*_WORD.findall(str(value)), *(char for char in str(value) if not char.isascii())):
            yield token, Place(pointer(path), False)


def places_of(chat: dict[str, Any]) -> dict[str, Place]:
    """Return where each token is in a chat."""
    return dict(_places(chat, ()))


PLACES: Mapping[str, Place] = places_of(CHAT)


def render(template: str, **changes: Any) -> chatcodec.Rendered:
    """Return the prompt of the chat, or of one with some arguments changed."""
    given = {"now": NOW, "allow_unknown": True, **CHAT, **changes}
    options = given.pop("options")
    return chatcodec.load(template).render(**given, **options)


def said_of(prompt: chatcodec.Rendered, places: Mapping[str, Place] = PLACES) -> Counter[str]:
    """Return how often a token of the chat is said to be what it is (``exact``), or ``derived``.

    places: where each token is in the chat, in small letters. Fails with the token if its origin is wrong, or lost.
    """
    spans = [leaf for span in prompt.spans for leaf in _leaves(prompt, span)]
    said = Counter[str]()
    for start, end, place in _tokens(prompt.text, places):
        around = [span for span in spans if span.start < end and start < span.end]
        said[_verdict(start, end, place, around, prompt)] += 1
    return said


def _leaves(prompt: chatcodec.Rendered, span: chatcodec.Span) -> list[chatcodec.Span]:
    return prompt.leaves(span) if span.origin == "data" else [span]


def _tokens(text: str, places: Mapping[str, Place]) -> Iterator[tuple[int, int, Place]]:
    for found in _WORD.finditer(text):
        if found[0].lower() in places:
            yield found.start(), found.end(), places[found[0].lower()]
    for index, char in enumerate(text):
        if char.lower() in places:
            yield index, index + 1, places[char.lower()]


def _verdict(start: int, end: int, place: Place, around: list[chatcodec.Span], prompt: chatcodec.Rendered) -> str:
    token, verdict = prompt.text[start:end], "exact"
    for span in around:
        assert span.start <= start, f"{token!r} lies in no leaf"
        start = max(start, span.end)
        assert span.origin != "template", f"{token!r} of {place.pointer} is said to be of the template"
        if span.origin == "data":
            assert (span.pointer, span.shows == "key") == place, f"{token!r} of {place.pointer}: {span}"
            continue
        verdict = "derived"
        assert not span.sources or any(_related(place.pointer, source) for source in span.sources), f"{token!r}: {span}"
    assert start >= end, f"{token!r} lies in no leaf"
    return verdict


def _related(one: str, other: str) -> bool:
    """Whether one pointer is of a part of what the other is of."""
    return f"{one}/".startswith(f"{other}/") or f"{other}/".startswith(f"{one}/")


def stretches(prompt: chatcodec.Rendered, owners: bool = False) -> list[tuple[str, str | None]]:
    """Return the text of each span, with its pointer or owner; of those that follow each other with the same as one."""
    joined: list[tuple[str, str | None]] = []
    for span in prompt.spans:
        text, about = prompt.text[span.start : span.end], span.owner if owners else span.pointer
        if joined and joined[-1][1] == about:
            text = joined.pop()[0] + text
        joined.append((text, about))
    return joined
