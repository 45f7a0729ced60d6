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
from chatcodec.inspect.outcome import PRINTED, Outcome, seen, span_of, tried
from chatcodec.inspect.settings import Setting, Settings
from chatcodec.render.span import GENERATION_OWNER
from chatcodec.reply.pieces import Pieces
from chatcodec.templates import probes as words
from chatcodec.templates.option_values import values_of
from chatcodec.templates.probes import Probes

_PART = {"type": "thinking", "thinking": words.REASONING}
_WHOLE = {"json": Outcome("as JSON"), "str": Outcome("as Python prints it")}
_DEFAULTS = {"opened": "on", "closed": "off", "free": "left to the model"}


def of_reasoning(probes: Probes, pieces: Pieces | None) -> Reasoning:
    """Return what becomes of reasoning; the `pieces` are those that the codec seems to have."""
    settings = Settings(probes, pieces)
    found, usual = find_switch(settings), settings.of({})
    shown = _shown_with(settings, found.on.options if found else {})
    return Reasoning(
        fields=_fields(probes, shown),
        with_options=shown,
        last=settings.printed(_LAST, shown),
        history=settings.printed([USER, REASONED, NEXT_USER], shown),
        tool_loop=settings.printed(_LOOP, shown),
        parts=_part(probes, shown),
        inline=_inline(settings, shown),
        default=_default(usual, found),
        prompts=_prompts(probes, usual, found),
        switch=found.switch if found else None,
    )


_LAST = [USER, REASONED]
_LOOP = [USER, chats.calling(CALL, reasoning_content=words.REASONING), chats.result(0)]


def _shown_with(settings: Settings, on: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the options under which reasoning is printed: those for on, or with another one's value added."""
    options = settings.probes.renderer.options
    added = ({**on, option.name: value} for option in options for value in values_of(option))
    for given in (on, *added):
        if PRINTED in (settings.printed(_LAST, given), settings.printed(_LOOP, given)):
            return given
    return on


def _part(probes: Probes, options: Mapping[str, Any]) -> Outcome:
    """Return what becomes of reasoning that is a part of content."""
    turn = chats.text("assistant", [_PART, *chats.parts(words.CONTENT)])
    result = tried(probes, [USER, turn], options=options)
    found = seen(result, words.REASONING)
    if found != PRINTED or isinstance(result, Outcome):
        return found
    span = span_of(result, words.REASONING)
    return PRINTED if span is None else _WHOLE.get(span.shows or "", PRINTED)


def _fields(probes: Probes, options: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the names under which reasoning is read: of several texts, the one that is printed."""
    given = dict(zip(REASONING_NAMES, (words.REASONING, "Rqvaz", "Rqvez"), strict=True))
    turns = ([chats.text("assistant", words.CONTENT, **given)], [chats.calling(CALL, **given), chats.result(0)])
    for turn in turns:
        result = tried(probes, [USER, *turn], tools=len(turn) > 1, options=options)
        found = () if isinstance(result, Outcome) else tuple(name for name in given if given[name] in result.text)
        if found:
            return found
    return ()


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


def _prompts(probes: Probes, usual: Setting | None, found: Found | None) -> dict[str, str | None]:
    """Return the generation prompts, without options and with reasoning on and off, and behind a result."""
    return {
        "default": usual.prompt if usual else None,
        "on": found.on.prompt if found else None,
        "off": found.off.prompt if found else None,
        "after a result": _after_a_result(probes),
    }


def _after_a_result(probes: Probes) -> str | None:
    result = tried(probes, _LOOP, tools=True, generation=True)
    if isinstance(result, Outcome):
        return None
    own = [span for span in result.spans if span.owner == GENERATION_OWNER]
    return "".join(result.text[span.start : span.end] for span in own)


def _default(usual: Setting | None, found: Found | None) -> str:
    if usual is None:
        return "unknown"
    for name, setting in (("on", found.on), ("off", found.off)) if found else ():
        if not setting.differs_from(usual):
            return name
    return _DEFAULTS[usual.state]
