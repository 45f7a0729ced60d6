"""Where a reply begins: what the prompt already has of the turn that the model continues.

Rules: a prompt's text tells it as far as a text can, its spans where the text may quote a header. Without a prompt the
turn is that of a chat of one message, under the options given. It does not know what is read behind it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cached_property
from typing import Any

from chatcodec.chat.inputs import take
from chatcodec.chat.pointer import describe
from chatcodec.errors import ChatCodecError, TemplateFailed, TemplateRefused
from chatcodec.render.protocol import Renderer
from chatcodec.render.rendered import Rendered
from chatcodec.reply.pieces import Pieces

_KEPT = (bool, int, float, str, type(None))
_MOST_TURNS = 64


class TurnStart:
    """Finds where the assistant's turn begins in the prompts of one renderer."""

    def __init__(self, renderer: Renderer, pieces: Pieces):
        """Take what renders, and the pieces by which replies are read."""
        self._renderer, self._pieces = renderer, pieces
        self._turns: dict[Any, str] = {}  # by options

    def of(self, prompt: Rendered | str) -> str:
        """Return what a prompt has of the turn. Raises ChatCodecError if it opens none."""
        if not isinstance(prompt, (str, Rendered)):
            raise ChatCodecError(f"a prompt is what render returned, or its text; found {describe(prompt)}")
        if isinstance(prompt, str):
            return self._behind_header(prompt)
        turn = self._behind_header(prompt.text)
        if turn in self._turns.values():
            return turn
        # Something else than a generation prompt: the text may quote a header, so its spans tell where the turn begins.
        return self._behind_header(prompt.text[_last_turn(prompt) :])

    def usual(self, options: Mapping[str, Any]) -> str:
        """Return how the turn begins behind the generation prompt of a chat with these options."""
        if not options and () in self._turns:
            return self._turns[()]
        key = tuple((name, type(value), value) for name, value in options.items())
        kept = all(kind in _KEPT for _, kind, _ in key)
        if kept and key in self._turns:
            return self._turns[key]
        turn = self._behind_header(self._usual_prompt(options))
        if kept and len(self._turns) < _MOST_TURNS:
            self._turns[key] = turn
        return turn

    def _behind_header(self, text: str) -> str:
        """Return what follows the first header of an assistant's turn behind the last stop, as far as a text tells.

        Raises ChatCodecError if the text ends with a stop.
        """
        header, stops = self._header, self._pieces.stops
        first, *others = header.splitlines(keepends=True) or [""]
        ended = max((text.rfind(stop) + len(stop) for stop in stops if stop in text), default=0)
        if ended and not text[ended:].strip():
            raise ChatCodecError(
                "this prompt opens no turn of the assistant, it ends with a stop: was it rendered with the generation "
                f"prompt? accepted: a prompt, or its end, with what follows {json.dumps(header)}"
            )
        begun = text.find(first, ended) if ended or header == self._pieces.header.lstrip() else -1
        begun = text.rfind(first) if begun < 0 else begun  # a stop may be quoted in the turn, or be another
        if begun >= 0:
            begun += len(first)
            for _ in others:  # these lines may hold a speaker's name
                begun = text.find("\n", begun) + 1 or len(text)
            return text[begun:]
        cut = next((cut for cut in range(1, len(header)) if text.startswith(header[cut:])), len(header))
        return text[len(header) - cut :]

    @cached_property
    def _header(self) -> str:
        """What opens a turn of the assistant: a template may write another header than that of the pieces it is given.

        Then it is its generation prompt, up to where reasoning or content may begin.
        """
        pieces = self._pieces
        header = pieces.header.lstrip()
        try:
            written = self._usual_prompt({})
        except ChatCodecError:  # the template takes no such chat
            return header
        if not written or header.partition("\n")[0] in written:
            return header
        openings = [block.opening.strip() for block in (pieces.reasoning, pieces.content) if block is not None]
        begins = [written.find(opening) for opening in openings if opening and opening in written]
        return written[: min(begins, default=len(written))]

    def _usual_prompt(self, options: Mapping[str, Any]) -> str:
        """Return the generation prompt of a chat with these options; '' if there is none."""
        try:
            rendered = self._any_chat(options, generation=True)
            begun = next((span.start for span in rendered.spans if span.owner == "generation"), None)
            if begun is None:  # there is none, or it is not known where it begins
                without = self._any_chat(options, generation=False)
                begun = len(rendered.text) if rendered.text == without.text else 0
        except (TemplateFailed, TemplateRefused) as error:
            raise ChatCodecError(
                f"how a turn begins is not known, since the template does not take a chat of one message: {error}; "
                "give prompt="
            ) from error
        return rendered.text[begun:]

    def _any_chat(self, options: Mapping[str, Any], generation: bool) -> Rendered:
        return self._renderer.render(take([{"role": "user", "content": "."}], None, None, options, generation, False))


def _last_turn(prompt: Rendered) -> int:
    """Return where the text of the last message begins, or the generation prompt."""
    begins, last = len(prompt.text), None
    for span in reversed(prompt.spans):
        whose = span.owner if span.message is None else span.message
        if last is not None and whose != last:
            break
        begins, last = span.start, whose
    return begins
