"""Whether a prompt goes on where it ended: if the next prompt of a chat begins with the one before and its turn.

Rules: what comes behind the turn is compared with the whole prompt, generation prompt included, and if that is not
kept, with what stands before it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from chatcodec.inspect import chats
from chatcodec.inspect.chats import ASSISTANT, CALL, NEXT_USER, REASONED, USER
from chatcodec.inspect.outcome import Outcome, tried
from chatcodec.templates import probes as words
from chatcodec.templates.probes import Probes

_CALLED = chats.calling(CALL, reasoning_content=words.REASONING)


def of_turns(probes: Probes, off: Mapping[str, Any] | None) -> dict[str, Outcome]:
    """Return what becomes of a prompt when its chat goes on; `off` are the options that switch reasoning off."""
    found = {
        "content": _goes_on(probes, [USER], [ASSISTANT, NEXT_USER]),
        "reasoning": _goes_on(probes, [USER], [REASONED, NEXT_USER]),
        "call": _goes_on(probes, [USER], [_CALLED, chats.result(0)], tools=True),
        "after a tool loop": _goes_on(probes, [USER, _CALLED, chats.result(0)], [ASSISTANT, NEXT_USER], tools=True),
    }
    if off is not None:
        found["content with reasoning off"] = _goes_on(probes, [USER], [ASSISTANT, NEXT_USER], options=off)
    return found


def _goes_on(
    probes: Probes,
    before: Sequence[chats.Message],
    more: Sequence[chats.Message],
    tools: bool = False,
    options: Mapping[str, Any] | None = None,
) -> Outcome:
    prompt = tried(probes, before, tools=tools, generation=True, options=options)
    body = tried(probes, before, tools=tools, options=options)
    longer = tried(probes, [*before, *more], tools=tools, options=options)
    if isinstance(prompt, Outcome) or isinstance(body, Outcome) or isinstance(longer, Outcome):
        return next(each for each in (prompt, body, longer) if isinstance(each, Outcome))
    if longer.text.startswith(prompt.text):
        return Outcome("goes on")
    return Outcome("other generation prompt" if longer.text.startswith(body.text) else "rewritten")
