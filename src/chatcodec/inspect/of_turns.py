"""Whether a prompt goes on where it ended: if the next prompt of a chat begins with the one before, and with its turn.

Rules: a longer chat is compared with the whole prompt, generation prompt included; if that is kept, with the turn as it
was written while nothing followed; if it is not, with what stands before the generation prompt. Reasoning and calls are
tried with reasoning on, content with reasoning off, where an option switches it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from chatcodec.inspect import chats
from chatcodec.inspect.card import Reasoning
from chatcodec.inspect.chats import ASSISTANT, CALL, NEXT_USER, REASONED, SYSTEM, USER
from chatcodec.inspect.outcome import LOST, Outcome, tried
from chatcodec.templates import probes as words
from chatcodec.templates.probes import Probes

_CALLED = chats.calling(CALL)
_REASONED_CALL = chats.calling(CALL, reasoning_content=words.REASONING)


def of_turns(probes: Probes, reasoning: Reasoning, calls: Outcome) -> dict[str, Outcome]:
    """Return what becomes of a prompt when its chat goes on. `calls` is what becomes of calls."""
    on, off = (reasoning.switch.on, reasoning.switch.off) if reasoning.switch else ({}, {})
    reasons = reasoning.last.how == "printed"
    turn = _REASONED_CALL if reasoning.tool_loop.how == "printed" else _CALLED
    loop = [USER, turn, chats.result(0)]
    found = {
        "content": _goes_on(probes, [USER], ASSISTANT, [NEXT_USER], off),
        "content behind a system message": _goes_on(probes, [SYSTEM, USER], ASSISTANT, [NEXT_USER], off),
        "content with tools": _goes_on(probes, [USER], ASSISTANT, [NEXT_USER], off, tools=True),
        "reasoning": _goes_on(probes, [USER], REASONED, [NEXT_USER], on) if reasons else LOST,
    }
    if calls.how != "printed":
        return found | dict.fromkeys(("a call", "an answer to results"), calls)
    return found | {
        "a call": _goes_on(probes, [USER], turn, [chats.result(0)], on, tools=True),
        "an answer to results": _goes_on(probes, loop, ASSISTANT, [NEXT_USER], on, tools=True),
    }


def _goes_on(
    probes: Probes,
    before: Sequence[chats.Message],
    turn: chats.Message,
    behind: Sequence[chats.Message],
    options: Mapping[str, Any],
    tools: bool = False,
) -> Outcome:
    prompt = tried(probes, before, tools=tools, generation=True, options=options)
    body, alone, longer = (
        tried(probes, messages, tools=tools, options=options)
        for messages in (before, [*before, turn], [*before, turn, *behind])
    )
    for each in (prompt, body, longer):
        if isinstance(each, Outcome):
            return each
    assert not isinstance(prompt, Outcome)
    assert not isinstance(body, Outcome)
    assert not isinstance(longer, Outcome)
    if longer.text.startswith(prompt.text):
        kept = isinstance(alone, Outcome) or longer.text.startswith(alone.text.rstrip())
        return Outcome("goes on" if kept else "the turn is rewritten")
    return Outcome("other generation prompt" if longer.text.startswith(body.text) else "rewritten")
