"""Tries one template with one chat: whether the text is transformers' text, and whether the spans say the truth.

Text: both give the same, or both raise, and in the same words where the template or transformers worded it. Our side is
run both ways, plain and traced. Spans: each occurrence of a planted sentinel lies in data that names exactly its place,
or in what is derived from it; anything else is wrong. Rules: nothing is known of any template; every fault of ours is a
verdict, never an exception.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple, Protocol

import chatcodec
from chatcodec.chat.pointer import lookup
from corpus_plant import CorpusPlanter
from corpus_words import Chat
from sentinels import Place

NOW = datetime(2031, 5, 1, 12, 30, 15)
"""The time, on both sides."""

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
    if said not in ("equal", "raise"):
        return said, plain
    traced = ours(codec, chat, traced=True)
    said_traced = text_verdict(expected, traced)
    if said_traced != said or str(plain) != str(traced):
        return f"traced: {said_traced}", traced
    return said, traced


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
        faults = [*_structure(spans, prompt.text), *_truth(prompt, spans, chat)]
    except Exception as error:  # whatever it is
        faults, spans = [f"asking for spans: {error!r}"], []
    shown.faults.extend(faults)
    shown.counts["wrong"] += len(faults)
    if spans:
        _sentinels(prompt, spans, planter, shown)
        foreign = list(_foreign(spans, prompt.text))
        shown.notes.extend(foreign)
        shown.counts["foreign"] += len(foreign)
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


def _truth(prompt: chatcodec.Rendered, spans: list[chatcodec.Span], chat: Chat) -> Iterator[str]:
    """Say which spans do not show what they name."""
    root = {**chat, "add_generation_prompt": chat.get("add_generation_prompt", False)}
    for span in spans:
        for where in (span.pointer, None if span.owner == "generation" else span.owner, *span.sources):
            try:
                value = resolve(root, where) if where else None
            except (LookupError, TypeError, ValueError):
                yield f"{where} is no place: {span}"
                break
            if where == span.pointer and where is not None and not _shows(prompt, span, value):
                yield f"{prompt.text[span.start : span.end]!r} is not in {value!r}: {span}"


def _shows(prompt: chatcodec.Rendered, span: chatcodec.Span, value: Any) -> bool:
    text = prompt.text[span.start : span.end].casefold()
    if span.shows == "value":
        return isinstance(value, str) and text in value.casefold()
    if span.shows == "key":
        name = (span.pointer or "").rpartition("/")[2].replace("~1", "/").replace("~0", "~")
        return text in name.casefold()
    return _leaves(prompt, span) != [span]


def _leaves(prompt: chatcodec.Rendered, span: chatcodec.Span) -> list[chatcodec.Span]:
    """Return the leaves of a span; the span itself where they are refused."""
    try:
        return prompt.leaves(span)
    except chatcodec.ChatCodecError:
        return [span]


@lru_cache(maxsize=4096)
def _steps(where: str) -> tuple[str, ...]:
    return tuple(step.replace("~1", "/").replace("~0", "~") for step in where.split("/")[1:])


def resolve(root: Any, where: str) -> Any:
    """Return the value at a JSON pointer. Raises LookupError, TypeError or ValueError if there is none."""
    for step in _steps(where):
        root = root[int(step)] if isinstance(root, (list, tuple)) else lookup(root, (step,))
    return root


def _sentinels(prompt: chatcodec.Rendered, spans: list[chatcodec.Span], planter: CorpusPlanter, shown: Shown) -> None:
    starts = [span.start for span in spans]
    leaves: dict[int, list[chatcodec.Span]] = {}
    for match in SENTINEL.finditer(prompt.text):
        sentinel = f"Zq{match[1]}z" if match[1] else match[0]
        if sentinel not in planter.places:
            continue
        around: list[chatcodec.Span] = []
        for index in range(bisect_right(starts, match.start()) - 1, len(spans)):
            if spans[index].start >= match.end():
                break
            if spans[index].origin != "data":
                around.append(spans[index])
                continue
            if index not in leaves:
                leaves[index] = _leaves(prompt, spans[index])
            around += [leaf for leaf in leaves[index] if leaf.start < match.end() and match.start() < leaf.end]
        said = _occurrence(match.start(), match.end(), around, planter.places_of(sentinel))
        shown.counts[said] += 1
        if said != "exact":
            place = ", ".join(f"{place.pointer}{' (key)' * place.is_key}" for place in planter.places_of(sentinel))
            words = f"{said}: {prompt.text[max(0, match.start() - 30) : match.end() + 10]!r} of {place}: {around}"
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
