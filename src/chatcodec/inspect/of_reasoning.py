"""What a codec does with reasoning: where it is printed, and which options switch it.

Rules: an option switches reasoning if the generation prompt closes it under one value and not under another; or opens
it under one only; or if it is printed, or its markers are shown, under one only; or if a turn without reasoning goes on
from the generation prompt under one only, which is then off. An option that is a number, which is printed, and under 0
of which the prompt is another, is a budget. Nothing is known of the names of options.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from chatcodec.chat.inputs import REASONING_NAMES
from chatcodec.inspect import chats
from chatcodec.inspect.card import Reasoning, Switch
from chatcodec.inspect.chats import ASSISTANT, CALL, NEXT_USER, REASONED, SYSTEM, USER
from chatcodec.inspect.outcome import PRINTED, Outcome, seen, tried
from chatcodec.inspect.trying import values_of
from chatcodec.render.protocol import Option
from chatcodec.render.rendered import Rendered
from chatcodec.render.span import GENERATION_OWNER
from chatcodec.reply.pieces import Pieces
from chatcodec.templates import probes as words
from chatcodec.templates.borders import common_end, first_marker, last_marker
from chatcodec.templates.probes import Probes

_BUDGET = 4217
"""A budget that occurs nowhere else."""


def of_reasoning(probes: Probes, pieces: Pieces | None) -> Reasoning:
    """Return what becomes of reasoning."""
    return _Reasoning(probes, pieces).card()


class _Setting(NamedTuple):
    """What a setting of options gives: the generation prompt, and whether that opens or closes reasoning.

    bodies: the prompts before it, with a system message and without. printed: whether reasoning is, in a turn.
    named: whether its opening marker stands before the turns. unreasoned: whether a turn without reasoning goes on from
    the prompt.
    """

    options: Mapping[str, Any]
    prompt: str
    state: str
    bodies: tuple[str, str]
    printed: bool
    named: bool
    unreasoned: bool

    def differs_from(self, other: _Setting) -> tuple[str, ...]:
        """Return where the prompts differ under two settings."""
        pairs = zip((self.prompt, *self.bodies), (other.prompt, *other.bodies), strict=True)
        return tuple(place for place, (one, two) in zip(PLACES, pairs, strict=True) if one != two)


PLACES: Final = ("generation prompt", "prompt", "prompt without a system message")


class _Reasoning:
    def __init__(self, probes: Probes, pieces: Pieces | None):
        self.probes = probes
        marks = pieces.reasoning if pieces else None
        self.opening, self.closing = (marks.opening.strip(), marks.closing.strip()) if marks else ("", "")
        self.header = pieces.header.strip() if pieces else ""
        if self.header and not marks:
            self.opening, self.closing = self._empty_block()
        self.usual = self.setting({})

    def card(self) -> Reasoning:
        switch = self.switch()
        shown = switch.on.options if switch else {}
        turns = {
            "last": [USER, REASONED],
            "history": [USER, REASONED, NEXT_USER],
            "tool_loop": [USER, chats.calling(CALL, reasoning_content=words.REASONING), chats.result(0)],
        }
        found = {name: self.printed(turn, shown) for name, turn in turns.items()}
        return Reasoning(
            fields=self._fields(shown),
            **found,
            parts=self.printed([USER, chats.text("assistant", [_PART, *chats.parts(words.CONTENT)])], shown),
            inline=self._inline(shown),
            default=self._default(switch),
            prompts=self._prompts(switch),
            switch=switch.switch if switch else None,
        )

    def _empty_block(self) -> tuple[str, str]:
        """Return the two markers with nothing between them that a generation prompt has under some options only.

        They stand around reasoning in templates that print none.
        """
        for option in self.probes.renderer.options:
            if self._is_printed(option):
                continue
            given = ({option.name: value} for value in values_of(option))
            results = (tried(self.probes, [USER], generation=True, options=each) for each in given)
            prompts = {_generation_prompt(each).strip() for each in results if isinstance(each, Rendered)}
            for prompt in sorted(each for each in prompts if each.startswith(self.header)):
                behind = prompt.removeprefix(self.header).strip()
                first, last = first_marker(behind), last_marker(behind)
                is_block = behind == first + last or behind.split() == [first, last]
                if is_block and any(last not in other for other in prompts):
                    return first, last
        return "", ""

    def printed(self, messages: Sequence[Mapping[str, Any]], options: Mapping[str, Any]) -> Outcome:
        tools = any("tool_calls" in message for message in messages)
        return seen(tried(self.probes, messages, tools=tools, options=options), words.REASONING)

    def _fields(self, options: Mapping[str, Any]) -> tuple[str, ...]:
        """Return the names under which reasoning is read: of several texts, the one that is printed."""
        given = dict(zip(REASONING_NAMES, (words.REASONING, "Rqvaz", "Rqvez"), strict=True))
        result = tried(self.probes, [USER, chats.text("assistant", words.CONTENT, **given)], options=options)
        return () if isinstance(result, Outcome) else tuple(name for name in given if given[name] in result.text)

    def _inline(self, options: Mapping[str, Any]) -> Outcome:
        """Return what becomes of reasoning that is written into content of an earlier turn, with its markers."""
        if not self.opening or not self.closing:
            return Outcome("no markers are known")
        content = f"{self.opening}{words.REASONING}{self.closing}{words.CONTENT}"
        result = tried(self.probes, [USER, chats.text("assistant", content), NEXT_USER], options=options)
        if isinstance(result, Outcome):
            return result
        if content in result.text:
            return Outcome("kept as it is")
        return Outcome("split off") if words.REASONING in result.text else Outcome("taken out")

    def _prompts(self, switch: _Pair | None) -> dict[str, str]:
        prompts = {"default": self.usual.prompt} if self.usual else {}
        return prompts | ({"on": switch.on.prompt, "off": switch.off.prompt} if switch else {})

    def _default(self, switch: _Pair | None) -> str:
        if self.usual is None:
            return "unknown"
        for name, setting in (("on", switch.on), ("off", switch.off)) if switch else ():
            if not setting.differs_from(self.usual):
                return name
        return _DEFAULTS[self.usual.state]

    # The switch

    def setting(self, options: Mapping[str, Any]) -> _Setting | None:
        """Return what is printed under a setting of options; None if the simplest chat is refused."""
        messages = ([USER], [SYSTEM, USER], [USER, ASSISTANT, NEXT_USER])
        prompt = tried(self.probes, [USER], generation=True, options=options)
        without, body, longer = (tried(self.probes, each, options=options) for each in messages)
        if isinstance(prompt, Outcome) or isinstance(without, Outcome):
            return None
        text = _generation_prompt(prompt)
        with_system = body.text if isinstance(body, Rendered) else ""
        turn = self.printed([USER, REASONED], options) == PRINTED
        return _Setting(
            options,
            text,
            self._state(text),
            (with_system, without.text),
            turn,
            bool(self.opening and self.opening in with_system),
            isinstance(longer, Rendered) and longer.text.startswith(prompt.text),
        )

    def _state(self, prompt: str) -> str:
        if self.closing and prompt.rstrip().endswith(self.closing):
            return "closed"
        return "opened" if self.opening and self.opening in prompt else "free"

    def switch(self) -> _Pair | None:
        """Return the settings that switch reasoning, if there are any."""
        options = self.probes.renderer.options
        budget = next(filter(None, map(self._budget, options)), None)
        switch = next(filter(None, map(self._pair, options)), None)
        if switch is None:
            return budget
        return switch._replace(budget=budget.budget) if budget else switch

    def _pair(self, option: Option) -> _Pair | None:
        """Return the settings of an option that switch reasoning on and off; None if none do."""
        if self._is_printed(option):
            return None
        values = [value for value in values_of(option) if type(value) in (bool, str)]
        settings = [found for value in values if (found := self.setting({option.name: value})) is not None]
        for rule in (_by_state, _by_what_shows, self._by_turns):
            for on, off in _pairs(settings):
                if rule(on, off) and on.differs_from(off):
                    return _Pair(on, off, None)
        return None

    def _by_turns(self, on: _Setting, off: _Setting) -> bool:
        """Whether a turn without reasoning goes on from off alone, or has what off adds to on, behind its header."""
        if not self.header or not all(each.prompt.lstrip().startswith(self.header) for each in (on, off)):
            return False
        closes = off.prompt.startswith(on.prompt)
        if off.prompt == on.prompt or (not closes and common_end(on.prompt, off.prompt).strip()):
            return False  # what differs is within the header
        return off.unreasoned and (closes or not on.unreasoned)

    def _is_printed(self, option: Option) -> bool:
        """Whether the generation prompt has the value of an option itself: then that is text, and no switch."""
        where = f"/options/{option.name}"
        for value in values_of(option):
            prompt = tried(self.probes, [USER], generation=True, options={option.name: value})
            spans = prompt.spans if isinstance(prompt, Rendered) else ()
            if any(span.owner == GENERATION_OWNER and where in (span.pointer, *span.sources) for span in spans):
                return True
        return False

    def _budget(self, option: Option) -> _Pair | None:
        """Return the settings of an option that is a budget; None if it is none."""
        if option.type != "number":
            return None
        given, off = self.setting({option.name: _BUDGET}), self.setting({option.name: 0})
        on = self.setting({} if option.default is None else {option.name: option.default})
        if given is None or off is None or on is None or not (given.printed or self.opening):
            return None
        printed = any(str(_BUDGET) in text for text in (given.prompt, *given.bodies))
        return _Pair(on, off, option.name) if printed and given.differs_from(off) else None


class _Pair(NamedTuple):
    """The settings for on and off, and the option that takes a budget."""

    on: _Setting
    off: _Setting
    budget: str | None

    @property
    def switch(self) -> Switch:
        return Switch(self.on.options, self.off.options, self.budget, self.on.differs_from(self.off))


def _by_state(on: _Setting, off: _Setting) -> bool:
    return (on.state, off.state) in (("opened", "closed"), ("free", "closed"), ("opened", "free"))


def _by_what_shows(on: _Setting, off: _Setting) -> bool:
    return (on.printed, on.named) > (off.printed, off.named)


def _pairs(settings: list[_Setting]) -> Iterator[tuple[_Setting, _Setting]]:
    """Yield each setting with each other one: what opens reasoning first, what closes it last."""
    order = ("opened", "free", "closed")
    found = sorted(settings, key=lambda setting: order.index(setting.state))
    return ((on, off) for on in found for off in reversed(found) if on is not off)


_PART = {"type": "thinking", "thinking": words.REASONING}
_DEFAULTS = {"opened": "on", "closed": "off", "free": "left to the model"}


def _generation_prompt(rendered: Rendered) -> str:
    return "".join(rendered.text[span.start : span.end] for span in rendered.spans if span.owner == GENERATION_OWNER)
