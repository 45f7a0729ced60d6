"""Tries one template with one chat: whether the text is transformers' text, and whether the spans say the truth.

Text: both give the same, or both raise, and in the same words where the template or transformers worded it. Our side is
run both ways, plain and traced. Spans: each occurrence of a planted sentinel lies in data that names exactly its place,
or in what is derived from it; anything else is wrong. Rules: nothing is known of any template; every fault of ours is a
verdict, never an exception.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple, Protocol, TypeAlias

import chatcodec
from chatcodec.chat.pointer import lookup
from corpus_plant import CorpusPlanter
from corpus_words import Chat
from sentinels import Place

NOW = datetime(2031, 5, 1, 12, 30, 15)
"""The time, on both sides."""

SAME = ("equal", "raise")
"""Verdicts on a text that are good."""

SENTINEL = re.compile(r"zq(\d{6})z|900\d{6}", re.IGNORECASE)
"""A sentinel, in any case that a template may have given it."""


class Expected(Protocol):
    """What the reference makes of a chat; see `reference.Outcome`."""

    @property
    def text(self) -> str | None:
        """The text, None if it raises."""
        ...

    @property
    def error(self) -> str | None:
        """What it raises."""
        ...

    @property
    def kind(self) -> str | None:
        """Who words the error."""
        ...


class Ours(NamedTuple):
    """What chatcodec makes of a chat."""

    prompt: chatcodec.Rendered | None = None
    error: Exception | None = None

    def __str__(self) -> str:
        return repr(self.error if self.prompt is None else self.prompt.text)


def ours(codec: chatcodec.Codec, chat: Chat, traced: bool) -> Ours:
    """Render a chat, whatever comes of it; `traced`: as if the spans of the prompt before had been asked for."""
    vars(codec._renderer)["_asked"] = [traced]
    arguments = {name: value for name, value in chat.items() if name != "options"}
    try:
        return Ours(codec.render(**arguments, **chat["options"], now=NOW, allow_unknown=True))
    except Exception as error:  # whatever it is
        return Ours(error=error)


def text_verdict(expected: Expected, found: Ours) -> str:
    """Return ``equal``, ``raise`` if both do, or what differs."""
    if found.error is not None and not isinstance(found.error, chatcodec.ChatCodecError):
        return "crash"
    text = None if found.prompt is None else found.prompt.text
    if expected.text != text:
        return "text" if None not in (expected.text, text) else "one raises"
    if found.error is None:
        return "equal"
    return "raise" if expected.kind == "python" or expected.error == str(found.error) else "message"


def both_ways(codec: chatcodec.Codec, chat: Chat, expected: Expected) -> tuple[str, Ours]:
    """Return the verdict on a chat rendered plainly, then traced; the first that differs counts."""
    plain = ours(codec, chat, traced=False)
    said = text_verdict(expected, plain)
    if said not in SAME:
        return said, plain
    traced = ours(codec, chat, traced=True)
    said_traced = text_verdict(expected, traced)
    if said_traced != said or str(plain) != str(traced):
        return f"traced: {said_traced}", traced
    return said, traced


Leaves: TypeAlias = list[chatcodec.Span] | None
"""What is inside a span; None if it cannot be said."""


class Shown(NamedTuple):
    """What the spans of a prompt came to: counts of ``exact``, ``derived``, ``wrong`` and ``foreign``, and reports.

    faults: what is wrong; notes: what is derived, or belongs to another message.
    """

    counts: Counter[str]
    faults: list[str]
    notes: list[str]


def spans_verdict(prompt: chatcodec.Rendered, chat: Chat, planter: CorpusPlanter) -> Shown:
    """Check the spans of a planted chat."""
    shown = Shown(Counter(), [], [])
    try:
        spans = list(prompt.spans)
        leaves = [_leaves(prompt, span) for span in spans]
        shown.faults.extend([*_structure(spans, prompt.text), *_truth(prompt.text, spans, leaves, chat)])
        shown.faults.extend(_media(prompt, chat))
    except Exception as error:  # whatever it is
        shown.faults.append(f"asking for spans: {error!r}")
    else:
        shown.notes.extend(_foreign(spans, prompt.text))
        shown.counts["foreign"] += len(shown.notes)
        _sentinels(prompt.text, spans, leaves, planter, shown)
    shown.counts["wrong"] += len(shown.faults)
    return shown


def _structure(spans: list[chatcodec.Span], text: str) -> Iterator[str]:
    end = 0
    for span in spans:
        if span.start != end or span.end <= span.start:
            yield f"no partition at {end}: {span}"
        end = span.end
        data, derived = span.origin == "data", span.origin == "derived"
        if (span.pointer is not None, span.shows is not None) != (data, data) or bool(span.sources) > derived:
            yield f"what does not go together: {span}"
    if end != len(text):
        yield f"spans end at {end} of {len(text)}"


def _truth(text: str, spans: list[chatcodec.Span], leaves: list[Leaves], chat: Chat) -> Iterator[str]:
    """Say which spans do not show what they name."""
    for span, inside in zip(spans, leaves, strict=True):
        for where in (span.pointer, None if span.owner == "generation" else span.owner, *span.sources):
            try:
                value = resolve(chat, where) if where else None
            except (LookupError, TypeError, ValueError):
                yield f"{where} is no place: {span}"
                break
            if (
                where == span.pointer
                and where is not None
                and not _shows(text[span.start : span.end], span, inside, value)
            ):
                yield f"{text[span.start : span.end]!r} is not in {value!r}: {span}"


def _media(prompt: chatcodec.Rendered, chat: Chat) -> Iterator[str]:
    """Say which placeholders are none of a part, or not where they are said to be."""
    for media in prompt.media:
        if not isinstance(resolve(chat, media.pointer), dict) or not 0 <= media.start < media.end <= len(prompt.text):
            yield f"media: {media}"


def _shows(text: str, span: chatcodec.Span, leaves: Leaves, value: Any) -> bool:
    """Whether a text is a part of what its span names, in whatever case."""
    if span.shows == "value":
        return isinstance(value, str) and text.casefold() in value.casefold()
    if span.shows == "key":
        return text.casefold() in _steps(span.pointer or "")[-1].casefold()
    return leaves is not None


def _leaves(prompt: chatcodec.Rendered, span: chatcodec.Span) -> Leaves:
    """Return the leaves of a span of data, the span if it is of another kind, None if the leaves are refused."""
    if span.origin != "data":
        return [span]
    try:
        return prompt.leaves(span)
    except chatcodec.ChatCodecError:
        return None


@lru_cache(maxsize=4096)
def _steps(where: str) -> tuple[str, ...]:
    return tuple(step.replace("~1", "/").replace("~0", "~") for step in where.split("/")[1:])


def resolve(root: Any, where: str) -> Any:
    """Return the value at a JSON pointer. Raises LookupError, TypeError or ValueError if there is none."""
    for step in _steps(where):
        root = root[int(step)] if isinstance(root, (list, tuple)) else lookup(root, (step,))
    return root


def _sentinels(
    text: str, spans: list[chatcodec.Span], leaves: list[Leaves], planter: CorpusPlanter, shown: Shown
) -> None:
    """Count where each sentinel is."""
    starts = [span.start for span in spans]
    for match in SENTINEL.finditer(text):
        sentinel = f"Zq{match[1]}z" if match[1] else match[0]
        if sentinel not in planter.places:
            continue
        start, end = match.span()
        first, last = bisect_right(starts, start) - 1, bisect_left(starts, end)
        inside = [leaf for each in leaves[first:last] for leaf in each or () if leaf.start < end and start < leaf.end]
        places = planter.places_of(sentinel)
        said = _occurrence(start, end, inside, places)
        if said != "wrong":
            shown.counts[said] += 1
        if said != "exact":
            place = ", ".join(f"{place.pointer}{' (key)' * place.is_key}" for place in sorted(places))
            words = f"{said}: {text[max(0, start - 30) : end + 10]!r} of {place}: {spans[first:last]}"
            (shown.faults if said == "wrong" else shown.notes).append(words)


def _occurrence(start: int, end: int, around: list[chatcodec.Span], places: set[Place]) -> str:
    """Return what is to be said of a sentinel from `start` to `end`, given the leaves and spans around."""
    said = "exact"
    for span in around:
        if span.start > start:
            return "wrong"  # a gap: punctuation that shows no leaf
        start = max(start, span.end)
        if span.origin == "derived":
            if not _derived_from(span, places):
                return "wrong"
            said = "derived"
        elif (span.pointer, span.shows == "key") not in places:
            return "wrong"
    return said if start >= end else "wrong"


def _derived_from(span: chatcodec.Span, places: set[Place]) -> bool:
    """Whether what is derived is derived from one of the places, as far as it is known from what."""
    return not span.sources or any(
        f"{place.pointer}/".startswith(f"{source}/") or f"{source}/".startswith(f"{place.pointer}/")
        for source in span.sources
        for place in places
    )


def _foreign(spans: list[chatcodec.Span], text: str) -> Iterator[str]:
    """Say which spans show a message's data but belong to another message."""
    for span in spans:
        steps = _steps(span.pointer or "")
        if span.message is not None and len(steps) > 1 and steps[0] == "messages" and int(steps[1]) != span.message:
            yield f"foreign: {text[span.start : span.end]!r} of {span.pointer} for {span.owner}"
