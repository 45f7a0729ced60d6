"""What comes of a probe: an `Outcome`, one word and what there is to add to it.

Rules: a word of the chat is printed if the prompt has it, and lost if it has not. A refusal is what the template raises
itself, in its own words; whatever else is raised is a failure. It does not know what a probe is for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from chatcodec.errors import ChatCodecError, LimitExceeded, TemplateFailed, TemplateRefused, UnsafeTemplate
from chatcodec.render.rendered import Rendered
from chatcodec.render.span import Span
from chatcodec.templates.probes import Probes


@dataclass(frozen=True, slots=True)
class Outcome:
    """What comes of something that a chat has: ``how`` is a word, ``detail`` is '' or what there is to add."""

    how: str
    detail: str = ""

    def __str__(self) -> str:
        return f"{self.how}: {self.detail}" if self.detail else self.how


PRINTED, LOST = Outcome("printed"), Outcome("lost")


def tried(
    probes: Probes,
    messages: Sequence[Mapping[str, Any]],
    *,
    tools: bool = False,
    generation: bool = False,
    options: Mapping[str, Any] | None = None,
) -> Rendered | Outcome:
    """Return the prompt of a probe, or why there is none."""
    found = probes.render(messages, tools=tools, generation=generation, options=options)
    return found if isinstance(found, Rendered) else failure(found)


def failure(error: ChatCodecError) -> Outcome:
    """Return what an error says."""
    if isinstance(error, TemplateRefused):
        return Outcome("refused", error.message)
    if isinstance(error, LimitExceeded):
        return Outcome("over a limit", error.limit)
    if isinstance(error, (TemplateFailed, UnsafeTemplate)):
        place = "" if error.line is None else f"line {error.line}: "
        return Outcome("fails", place + error.words)
    return Outcome("fails", error.message)


def seen(result: Rendered | Outcome, *words: str) -> Outcome:
    """Return whether a prompt has all these words; or why there is no prompt."""
    if isinstance(result, Outcome):
        return result
    return PRINTED if all(word in result.text for word in words) else LOST


def between(result: Rendered, first: str, second: str) -> str | None:
    """Return what stands between two words; None if they are not there in this order."""
    begin = result.text.find(first)
    end = result.text.find(second, begin + len(first)) if begin >= 0 else -1
    return None if end < 0 else result.text[begin + len(first) : end]


def span_of(result: Rendered, word: str) -> Span | None:
    """Return the span in which a word first stands."""
    at = result.text.find(word)
    return None if at < 0 else next(span for span in result.spans if span.start <= at < span.end)
