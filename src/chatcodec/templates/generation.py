"""The generation prompt of a codec: what its prompt of a question has only for the assistant's next turn.

Rules: spans tell it where the template asks whether it is wanted. A template that writes it for nobody is rendered with
and without it; one that always writes it shows it behind the last message, where no earlier message has the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import takewhile
from typing import Any, NamedTuple

from chatcodec.render.rendered import Rendered
from chatcodec.render.span import GENERATION_OWNER
from chatcodec.templates import probes as words
from chatcodec.templates.probes import Probes
from chatcodec.templates.turn_shape import is_unowned

_USER = {"role": "user", "content": words.USER}


class GenerationPrompt(NamedTuple):
    """Its text, and whether that shows nothing of the chat or its options."""

    text: str
    is_literal: bool


def generation_prompt(
    probes: Probes, options: Mapping[str, Any], tools: bool = False, always: bool = True
) -> GenerationPrompt | None:
    """Return the generation prompt behind a question; None if that is refused.

    always: whether one that is written without being asked for counts.
    """
    rendered = probes.render([_USER], generation=True, options=options, tools=tools)
    if not isinstance(rendered, Rendered):
        return None
    own = [span for span in rendered.spans if span.owner == GENERATION_OWNER]
    if own:
        text = "".join(rendered.text[span.start : span.end] for span in own)
        return GenerationPrompt(text, all(span.origin == "template" for span in own))
    without = probes.render([_USER], options=options, tools=tools)
    if isinstance(without, Rendered) and len(rendered.text) > len(without.text):
        added = rendered.text.startswith(without.text)
        return GenerationPrompt(rendered.text[len(without.text) :] if added else "", True)
    return GenerationPrompt(_behind_the_last(probes, rendered, options, tools) if always else "", True)


def _behind_the_last(probes: Probes, rendered: Rendered, options: Mapping[str, Any], tools: bool) -> str:
    """Return what stands for nobody at the end, if that is not what stands behind any user message."""
    tail = list(takewhile(is_unowned, reversed(rendered.spans)))[::-1]
    text = "".join(rendered.text[span.start : span.end] for span in tail)
    turn, later = {"role": "assistant", "content": words.CONTENT}, {"role": "user", "content": words.NEXT_USER}
    longer = probes.render([_USER, turn, later], options=options, tools=tools)
    behind = longer.text.partition(words.USER)[2] if isinstance(longer, Rendered) else ""
    return "" if behind.startswith(text) else text
