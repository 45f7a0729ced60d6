"""Which options switch reasoning.

Rules: an option switches reasoning if the generation prompt closes it under one value and not under another; or opens
it under one only; or if it is printed, or its markers are shown, under one only; or if a turn without reasoning goes on
from the generation prompt under one only, which is then off. An option whose value the generation prompt has is text,
and no switch. A number that is printed is a budget if under 0 the generation prompt is another, or the opening marker
stands in what is written with it. Nothing is known of the names of options.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final, NamedTuple

from chatcodec.inspect.card import Switch
from chatcodec.inspect.settings import Setting, Settings
from chatcodec.render.protocol import Option
from chatcodec.templates.borders import common_end
from chatcodec.templates.option_values import values_of

_BUDGET: Final = 4217
"""A budget that occurs nowhere else."""


class Found(NamedTuple):
    """The settings for on and off, and the name of the option that takes a budget."""

    on: Setting
    off: Setting
    budget: str | None

    @property
    def switch(self) -> Switch:
        """The same for a card."""
        return Switch(self.on.options, self.off.options, self.budget, self.on.differs_from(self.off))


def find_switch(settings: Settings) -> Found | None:
    """Return the settings that switch reasoning, if there are any."""
    options = settings.probes.renderer.options
    budget = next(filter(None, (_budget(settings, option) for option in options)), None)
    switch = next(filter(None, (_pair(settings, option) for option in options)), None)
    if switch is None:
        return budget
    return switch._replace(budget=budget.budget) if budget else switch


def _pair(settings: Settings, option: Option) -> Found | None:
    """Return the settings of an option that switch reasoning on and off; None if none do."""
    if settings.is_printed(option):
        return None
    values = [value for value in values_of(option) if type(value) is bool or value in option.words]
    tried = (settings.of({option.name: value}) for value in values)
    found = [each for each in tried if each is not None and settings.header in each.prompt]
    for rule in (_by_state, _by_what_shows, partial(_by_turns, settings.header)):
        for on, off in _pairs(found):
            if rule(on, off) and on.differs_from(off):
                return Found(on, off, None)
    return None


def _pairs(settings: list[Setting]) -> Iterator[tuple[Setting, Setting]]:
    """Yield each setting with each other one: what opens reasoning first, what closes it last."""
    order = ("opened", "free", "closed")
    found = sorted(settings, key=lambda setting: order.index(setting.state))
    return ((on, off) for on in found for off in reversed(found) if on is not off)


def _by_state(on: Setting, off: Setting) -> bool:
    return (on.state, off.state) in (("opened", "closed"), ("free", "closed"), ("opened", "free"))


def _by_what_shows(on: Setting, off: Setting) -> bool:
    return (on.printed, on.named) > (off.printed, off.named)


def _by_turns(header: str, on: Setting, off: Setting) -> bool:
    """Whether a turn without reasoning goes on from off alone, or has what off adds to on, behind the turn's header."""
    if not header:
        return False
    closes = off.prompt.startswith(on.prompt)
    if off.prompt == on.prompt or (not closes and common_end(on.prompt, off.prompt).strip()):
        return False  # what differs is within the header
    return off.unreasoned and (closes or not on.unreasoned)


def _budget(settings: Settings, option: Option) -> Found | None:
    """Return the settings of an option that is a budget; None if it is none."""
    if option.type != "number":
        return None
    given, off = settings.of({option.name: _BUDGET}), settings.of({option.name: 0})
    on = settings.of({} if option.default is None else {option.name: option.default})
    if given is None or off is None or on is None or not (given.printed or settings.opening):
        return None
    printed = any(str(_BUDGET) in text for text in (given.prompt, *given.bodies))
    about_reasoning = given.prompt != off.prompt or given.named
    return Found(on, off, option.name) if printed and about_reasoning and on.differs_from(off) else None
