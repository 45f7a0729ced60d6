"""One switch over models: ``thinking="on"``, ``"off"`` or a budget of tokens, as the options of one codec.

Rules: the card says which options those are. What a codec has no option for is refused, and why is said. Where the
system text of a chat decides instead of the option, that is a warning; it is found by rendering the chat with both
settings, and with another system text.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any

from chatcodec.chat.pointer import describe
from chatcodec.chat.types import Chat
from chatcodec.errors import ChatCodecError, UnknownOption
from chatcodec.inspect.card import Card, OptionCard, Switch
from chatcodec.render.marks import NOBODY, Mark
from chatcodec.render.protocol import Renderer
from chatcodec.render.writer import WarningKind
from chatcodec.templates.probes import SYSTEM

_NAME = "thinking"


def switched(card: Card, options: Mapping[str, Any], allow_unknown: bool = False) -> Mapping[str, Any]:
    """Return options with those that ``thinking`` stands for.

    A codec's own option of that name gets the values that are not the switch's, or that it compares itself with.
    Raises UnknownOption if there is no option for it, unless `allow_unknown`; or if one is given with another value.
    """
    wanted, others = options[_NAME], {name: value for name, value in options.items() if name != _NAME}
    own = next((option for option in card.options if option.name == _NAME), None)
    if own is not None and (not _is_value(wanted) or card.reasoning.switch is None or _takes(own, wanted)):
        return options
    try:
        chosen = _chosen(card, wanted)
    except UnknownOption:
        if allow_unknown:
            return others
        raise
    for name, value in chosen.items():
        if name in others and (type(others[name]), others[name]) != (type(value), value):
            given = describe(others[name])
            raise _refused(card, f"{describe(wanted)} sets {name} to {json.dumps(value)}, and {given} is given too")
    return {**others, **chosen}


def _takes(own: OptionCard, wanted: Any) -> bool:
    """Whether an option is compared with a value, or is a number as it is."""
    if isinstance(wanted, int):
        return own.type == "number"
    return any(wanted == change.value for change in own.changes)


def _chosen(card: Card, wanted: Any) -> Mapping[str, Any]:
    """Return the options that a value stands for. Raises UnknownOption if there are none."""
    switch, found = card.reasoning.switch, f"found {describe(wanted)}, accepted: {_accepted(card)}"
    if not _is_value(wanted):
        raise _refused(card, found)
    if switch is None:
        raise _refused(card, f"{_why_none(card)}; {found}")
    if isinstance(wanted, str):
        return switch.on if wanted == "on" else switch.off
    if switch.budget is None:
        raise _refused(card, f"no option takes a budget; {found}")
    return {**switch.on, switch.budget: wanted} if wanted else switch.off


def _is_value(value: Any) -> bool:
    return value in ("on", "off") if isinstance(value, str) else type(value) is int and value >= 0


def _refused(card: Card, why: str) -> UnknownOption:
    return UnknownOption(f"{card.name}: thinking: {why}", f"/options/{_NAME}")


def _why_none(card: Card) -> str:
    if card.reasoning.last.how == card.reasoning.tool_loop.how == "lost":
        return "no option is known to switch reasoning, and it prints none"
    return "no option is known to switch reasoning, which it prints in turns that have it"


def _accepted(card: Card) -> str:
    switch = card.reasoning.switch
    if switch is None:
        return "nothing"
    return 'the texts "on" and "off"' + (f", a number of tokens ({switch.budget})" if switch.budget else "")


def overridden(renderer: Renderer, chat: Chat, switch: Switch | None) -> Iterator[tuple[WarningKind, Mark]]:
    """Yield a warning if the system text of a chat decides what the switch should.

    It costs four renders of the chat for each place where the switch shows, and four more if nothing differs there.
    """
    index = next((at for at, message in enumerate(chat.messages) if _is_system(message)), None)
    if switch is None or index is None:
        return
    chat = replace(chat, now=chat.now or datetime.now())
    neutral = [{**each, "content": SYSTEM} if _is_system(each) else each for each in chat.messages]
    for place in ("prompt", "generation prompt"):
        if place not in switch.changes or (place == "generation prompt" and not chat.add_generation_prompt):
            continue
        differs = partial(_differs, renderer, switch, place == "generation prompt")
        if not differs(chat) and differs(replace(chat, messages=neutral)):
            message = f"the text of this message decides whether the {place} asks for reasoning; thinking= does not"
            yield WarningKind("thinking-overridden", ("messages", index, "content"), message), NOBODY


def _is_system(message: Any) -> bool:
    return isinstance(message, Mapping) and message.get("role") == "system"


def _differs(renderer: Renderer, switch: Switch, generation: bool, chat: Chat) -> bool:
    """Whether the prompts of a chat differ under the two settings, or the generation prompts do."""
    try:
        one, two = (_texts(renderer, chat, options) for options in (switch.on, switch.off))
    except ChatCodecError:  # it is said when the chat itself is rendered
        return False
    if not generation:
        return one[0] != two[0]
    return one[1].removeprefix(one[0]) != two[1].removeprefix(two[0])


def _texts(renderer: Renderer, chat: Chat, options: Mapping[str, Any]) -> tuple[str, str]:
    """Return the prompt without and with a generation prompt."""
    without = replace(chat, options={**chat.options, **options}, add_generation_prompt=False)
    given = replace(without, add_generation_prompt=True)
    return renderer.render(without).text, renderer.render(given).text
