"""What a codec does with reasoning: where it is printed, and what switches it.

Rules: reasoning is looked for with the switch on. What the generation prompt opens or closes without any option is the
default.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from chatcodec.chat.inputs import REASONING_NAMES
from chatcodec.inspect import chats
from chatcodec.inspect.card import Reasoning
from chatcodec.inspect.chats import CALL, NEXT_USER, REASONED, USER
from chatcodec.inspect.find_switch import Found, find_switch
from chatcodec.inspect.outcome import Outcome, tried
from chatcodec.inspect.settings import Setting, Settings
from chatcodec.reply.pieces import Pieces
from chatcodec.templates import probes as words
from chatcodec.templates.probes import Probes

_PART = {"type": "thinking", "thinking": words.REASONING}
_DEFAULTS = {"opened": "on", "closed": "off", "free": "left to the model"}


def of_reasoning(probes: Probes, pieces: Pieces | None) -> Reasoning:
    """Return what becomes of reasoning; the `pieces` are those that the codec seems to have."""
    settings = Settings(probes, pieces)
    found, usual = find_switch(settings), settings.of({})
    shown = found.on.options if found else {}
    called = chats.calling(CALL, reasoning_content=words.REASONING)
    return Reasoning(
        fields=_fields(probes, shown),
        last=settings.printed([USER, REASONED], shown),
        history=settings.printed([USER, REASONED, NEXT_USER], shown),
        tool_loop=settings.printed([USER, called, chats.result(0)], shown),
        parts=settings.printed([USER, chats.text("assistant", [_PART, *chats.parts(words.CONTENT)])], shown),
        inline=_inline(settings, shown),
        default=_default(usual, found),
        prompts=_prompts(usual, found),
        switch=found.switch if found else None,
    )


def _fields(probes: Probes, options: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the names under which reasoning is read: of several texts, the one that is printed."""
    given = dict(zip(REASONING_NAMES, (words.REASONING, "Rqvaz", "Rqvez"), strict=True))
    result = tried(probes, [USER, chats.text("assistant", words.CONTENT, **given)], options=options)
    return () if isinstance(result, Outcome) else tuple(name for name in given if given[name] in result.text)


def _inline(settings: Settings, options: Mapping[str, Any]) -> Outcome:
    """Return what becomes of reasoning that is written into content of an earlier turn, with its markers."""
    if not settings.opening or not settings.closing:
        return Outcome("no markers are known")
    content = f"{settings.opening}{words.REASONING}{settings.closing}{words.CONTENT}"
    result = tried(settings.probes, [USER, chats.text("assistant", content), NEXT_USER], options=options)
    if isinstance(result, Outcome):
        return result
    if content in result.text:
        return Outcome("kept as it is")
    return Outcome("split off") if words.REASONING in result.text else Outcome("taken out")


def _prompts(usual: Setting | None, found: Found | None) -> dict[str, str]:
    """Return the generation prompts without options, and with reasoning on and off."""
    prompts = {"default": usual.prompt} if usual else {}
    return prompts | ({"on": found.on.prompt, "off": found.off.prompt} if found else {})


def _default(usual: Setting | None, found: Found | None) -> str:
    if usual is None:
        return "unknown"
    for name, setting in (("on", found.on), ("off", found.off)) if found else ():
        if not setting.differs_from(usual):
            return name
    return _DEFAULTS[usual.state]
