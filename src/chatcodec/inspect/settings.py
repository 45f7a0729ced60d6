"""What prompts are under a setting of options, as far as reasoning goes.

Rules: the generation prompt opens or closes reasoning if the markers of reasoning are there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from chatcodec.inspect.chats import ASSISTANT, NEXT_USER, REASONED, SYSTEM, USER
from chatcodec.inspect.outcome import PRINTED, Outcome, seen, tried
from chatcodec.render.protocol import Option
from chatcodec.render.rendered import Rendered
from chatcodec.render.span import GENERATION_OWNER
from chatcodec.reply.pieces import Pieces
from chatcodec.templates import probes as words
from chatcodec.templates.borders import first_marker, last_marker
from chatcodec.templates.generation import generation_prompt
from chatcodec.templates.option_values import WORD, values_of
from chatcodec.templates.probes import Probes


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

    def _markers(self, prompt: str) -> tuple[str, ...]:
        """Return the one or two markers that a generation prompt is behind its header; nothing if it is more."""
        behind = prompt.strip().removeprefix(self.header).strip()
        if not behind:
            return ()
        first, last = first_marker(behind), last_marker(behind)
        if behind == first:
            return (first,)
        return (first, last) if behind == first + last or behind.split() == [first, last] else ()

    def of(self, options: Mapping[str, Any]) -> Setting | None:
        """Return what is printed under a setting of options; None if the simplest chat is refused."""
        prompt = generation_prompt(self.probes, options)
        whole = tried(self.probes, [USER], generation=True, options=options)
        without, body, longer = (
            tried(self.probes, each, options=options) for each in ([USER], [SYSTEM, USER], [USER, ASSISTANT, NEXT_USER])
        )
        if prompt is None or isinstance(whole, Outcome) or isinstance(without, Outcome):
            return None
        with_system = body.text if isinstance(body, Rendered) else ""
        unreasoned = isinstance(longer, Rendered) and longer.text.startswith(whole.text)
        return Setting(
            options,
            prompt.text,
            self._state(prompt.text, unreasoned),
            (with_system.partition(words.USER)[0], without.text.partition(words.USER)[0]),
            self.printed([USER, REASONED], options) == PRINTED,
            self._is_named(with_system.partition(words.USER)[0]),
            unreasoned,
        )

    def _is_named(self, text: str) -> bool:
        """Whether the opening marker stands in a text, and is not closed at once."""
        _, opened, behind = text.partition(self.opening) if self.opening else ("", "", "")
        return bool(opened) and not behind.lstrip().startswith(self.closing)

    def _state(self, prompt: str, unreasoned: bool) -> str:
        """Return what a generation prompt does with reasoning, by its markers.

        If they are not known: one marker that no turn without reasoning has opens it; what such turns have closes it.
        """
        if not self.opening:
            markers = len(self._markers(prompt)) if self.header else 0
            return "free" if not markers else "closed" if unreasoned or markers == 2 else "opened"
        if self.closing and prompt.rfind(self.closing) > prompt.rfind(self.opening):
            return "closed"
        return "opened" if self.opening in prompt else "free"

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
