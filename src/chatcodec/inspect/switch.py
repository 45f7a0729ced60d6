"""One switch over models: ``thinking="on"``, ``"off"`` or a budget of tokens, as the options of one codec.

Rules: the card says which options those are. What a codec has no option for is refused, and why is said. Where the
system text of a chat decides instead of the option, that is a warning; it is found by rendering the chat with both
settings, and with another system text.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from chatcodec.chat.pointer import describe
from chatcodec.chat.types import Chat
from chatcodec.errors import ChatCodecError, UnknownOption
from chatcodec.inspect.card import Card, Switch
from chatcodec.render.marks import NOBODY, Mark
from chatcodec.render.protocol import Renderer
from chatcodec.render.writer import WarningKind
from chatcodec.templates.probes import SYSTEM

_NAME = "thinking"


def switched(card: Card, options: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return options with those that ``thinking`` stands for.

    A codec's own option of that name gets whatever is no value of the switch. Raises UnknownOption if there is no
    option for it, or if it is given too, with another value.
    """
    wanted, others = options[_NAME], {name: value for name, value in options.items() if name != _NAME}
    own = any(option.name == _NAME for option in card.options)
    if not _is_value(wanted):
        if own:
            return options
        raise _refused(card, f"found {describe(wanted)}, accepted: {_accepted(card)}")
    switch = card.reasoning.switch
    if switch is None:
        raise _refused(card, f"{_why_none(card)}; found {describe(wanted)}, accepted: {_accepted(card)}")
    chosen = _chosen(card, switch, wanted)
    for name, value in chosen.items():
        if name in others and others[name] != value:
            raise _refused(card, f"it sets {name} to {json.dumps(value)}, and {json.dumps(others[name])} is given too")
    return {**others, **chosen}


def _chosen(card: Card, switch: Switch, wanted: Any) -> Mapping[str, Any]:
    if isinstance(wanted, str):
        return switch.on if wanted == "on" else switch.off
    if switch.budget is None:
        raise _refused(card, f"no option takes a budget; found {describe(wanted)}, accepted: {_accepted(card)}")
    return {switch.budget: wanted}


def _is_value(value: Any) -> bool:
    return value in ("on", "off") if isinstance(value, str) else type(value) is int and value >= 0


def _refused(card: Card, words: str) -> UnknownOption:
    return UnknownOption(f"{card.name}: thinking: {words}", f"/options/{_NAME}")


def _why_none(card: Card) -> str:
    if card.reasoning.last.how == card.reasoning.tool_loop.how == "lost":
        return "no option switches reasoning, and it prints none"
    return "no option switches reasoning, which it prints in turns that have it"


def _accepted(card: Card) -> str:
    switch = card.reasoning.switch
    if switch is None:
        return "nothing"
    return 'the texts "on" and "off"' + (f", a number of tokens ({switch.budget})" if switch.budget else "")


def overridden(renderer: Renderer, chat: Chat, switch: Switch | None) -> Iterator[tuple[WarningKind, Mark]]:
    """Yield a warning if the system text of a chat decides what the switch should."""
    index = next((at for at, message in enumerate(chat.messages) if _is_system(message)), None)
    if switch is None or index is None:
        return
    neutral = [*chat.messages]
    neutral[index] = {**neutral[index], "content": SYSTEM}
    other = replace(chat, messages=neutral)
    for place, generation in (("prompt", False), ("generation prompt", True)):
        if place not in switch.changes or generation > chat.add_generation_prompt:
            continue
        if _differ(renderer, other, switch, generation) and not _differ(renderer, chat, switch, generation):
            message = f"the text of this message decides whether the {place} asks for reasoning; thinking= does not"
            yield WarningKind("thinking-overridden", ("messages", index, "content"), message), NOBODY


def _is_system(message: Any) -> bool:
    return isinstance(message, Mapping) and message.get("role") == "system"


def _differ(renderer: Renderer, chat: Chat, switch: Switch, generation: bool) -> bool:
    """Whether the prompts of a chat differ under the two settings."""
    texts = set()
    for options in (switch.on, switch.off):
        tried = replace(chat, options={**chat.options, **options}, add_generation_prompt=generation)
        try:
            texts.add(renderer.render(tried).text)
        except ChatCodecError:  # it is said when the chat itself is rendered
            return False
    return len(texts) > 1
