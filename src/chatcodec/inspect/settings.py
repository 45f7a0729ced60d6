"""What prompts are under a setting of options, as far as reasoning goes.

Rules: the generation prompt opens or closes reasoning if the markers of reasoning are there. Templates that print none
show its markers as an empty block, which is in some generation prompts only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import Any, Final, NamedTuple

from chatcodec.inspect.chats import ASSISTANT, NEXT_USER, REASONED, SYSTEM, USER
from chatcodec.inspect.outcome import PRINTED, Outcome, seen, tried
from chatcodec.render.protocol import Option
from chatcodec.render.rendered import Rendered
from chatcodec.render.span import GENERATION_OWNER
from chatcodec.reply.pieces import Pieces
from chatcodec.templates import probes as words
from chatcodec.templates.borders import first_marker, last_marker
from chatcodec.templates.option_values import WORD, values_of
from chatcodec.templates.probes import Probes
from chatcodec.templates.turn_shape import is_unowned


class Setting(NamedTuple):
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

    def differs_from(self, other: Setting) -> tuple[str, ...]:
        """Return where the prompts differ under two settings."""
        pairs = zip((self.prompt, *self.bodies), (other.prompt, *other.bodies), strict=True)
        return tuple(place for place, (one, two) in zip(PLACES, pairs, strict=True) if one != two)


PLACES: Final = ("generation prompt", "prompt", "prompt without a system message")


class Settings:
    """Looks at settings of one codec's options."""

    def __init__(self, probes: Probes, pieces: Pieces | None):
        """Take what renders, and the pieces that it seems to have."""
        self.probes = probes
        marks = pieces.reasoning if pieces else None
        self.opening, self.closing = (marks.opening.strip(), marks.closing.strip()) if marks else ("", "")
        self.header = pieces.header.strip() if pieces else ""
        if self.header and not marks:
            self.opening, self.closing = self._empty_block()

    def _empty_block(self) -> tuple[str, str]:
        """Return the two markers with nothing between them that a generation prompt has under some options only.

        They stand around reasoning in templates that print none.
        """
        for option in self.probes.renderer.options:
            if self.is_printed(option):
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

    def of(self, options: Mapping[str, Any]) -> Setting | None:
        """Return what is printed under a setting of options; None if the simplest chat is refused."""
        messages = ([USER], [SYSTEM, USER], [USER, ASSISTANT, NEXT_USER])
        prompt = tried(self.probes, [USER], generation=True, options=options)
        without, body, longer = (tried(self.probes, each, options=options) for each in messages)
        if isinstance(prompt, Outcome) or isinstance(without, Outcome):
            return None
        text = _generation_prompt(prompt)
        with_system = body.text if isinstance(body, Rendered) else ""
        turn = self.printed([USER, REASONED], options) == PRINTED
        return Setting(
            options,
            text,
            self._state(text),
            (with_system, without.text),
            turn,
            bool(self.opening and self.opening in with_system.partition(words.USER)[0]),
            isinstance(longer, Rendered) and longer.text.startswith(prompt.text),
        )

    def _state(self, prompt: str) -> str:
        if self.closing and prompt.rstrip().endswith(self.closing):
            return "closed"
        return "opened" if self.opening and self.opening in prompt else "free"

    def is_printed(self, option: Option) -> bool:
        """Whether the generation prompt has the value of an option itself: then that is text, and no switch."""
        where = f"/options/{option.name}"
        for value in (*values_of(option), WORD):
            prompt = tried(self.probes, [USER], generation=True, options={option.name: value})
            spans = prompt.spans if isinstance(prompt, Rendered) else ()
            if any(span.owner == GENERATION_OWNER and where in (span.pointer, *span.sources) for span in spans):
                return True
        return False

    def printed(self, messages: Sequence[Mapping[str, Any]], options: Mapping[str, Any]) -> Outcome:
        """Return whether the reasoning of a chat is printed."""
        tools = any("tool_calls" in message for message in messages)
        return seen(tried(self.probes, messages, tools=tools, options=options), words.REASONING)


def _generation_prompt(rendered: Rendered) -> str:
    """Return the generation prompt; of a template that always writes it, what stands for nobody at the end."""
    own = [span for span in rendered.spans if span.owner == GENERATION_OWNER]
    own = own or list(takewhile(is_unowned, reversed(rendered.spans)))[::-1]
    return "".join(rendered.text[span.start : span.end] for span in own)
