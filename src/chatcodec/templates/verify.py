"""Verification of derived pieces: random turns are rendered by the template and must be read back.

Rules: what a turn must come back as is told by the trace of its own prompt. A reply is read from where the generation
prompt ends, whole, character by character, and in random chunks; all must agree. White space that the template has
before content may be read as content. The same seed gives the same turns.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from time import thread_time
from typing import Any, NamedTuple

from chatcodec.chat.inputs import take
from chatcodec.errors import ChatCodecError
from chatcodec.render.rendered import Rendered
from chatcodec.reply.pieces import NO_HINTS, Pieces
from chatcodec.reply.reading import Reading
from chatcodec.templates.derive import Derived
from chatcodec.templates.printed_turn import PrintedTurn, printed_turn, read_turn
from chatcodec.templates.probes import MOST_SECONDS, NOW, USER, Probes
from chatcodec.templates.random_turns import RandomTurns
from chatcodec.templates.turn_shape import CONTENT, SLOTS, shape_of

COUNT, MOST_FAULTS, MOST_REFUSED = 200, 3, 20
MOST_BEHIND = 400
"""How many characters behind the last value of a turn come in chunks; some templates write pages there."""


class Fault(NamedTuple):
    """A turn that did not come back: the text behind the prompt, what it must be read as, and what it was read as."""

    text: str
    expected: Any
    read: Any


@dataclass
class Verification:
    """How many turns came back, how many the template did not print whole or refused, and the first faults."""

    passed: int = 0
    refused: int = 0
    faults: list[Fault] = field(default_factory=list)


def verify(probes: Probes, derived: Derived, count: int = COUNT, seed: int = 1) -> Verification:
    """Return what came of so many random turns; it ends at the first few faults, or if too many are refused."""
    assert derived.pieces is not None
    verifier, done = _Verifier(probes, derived, derived.pieces, seed), Verification()
    started = thread_time()
    while done.passed < count and len(done.faults) < MOST_FAULTS and done.refused < MOST_REFUSED + 2 * done.passed:
        if thread_time() - started > MOST_SECONDS * count / COUNT:
            break
        try:
            fault = verifier.fault()
        except ChatCodecError:
            done.refused += 1
            continue
        if isinstance(fault, Fault):
            done.faults.append(fault)
        else:
            done.passed += fault
            done.refused += not fault
    return done


class _Verifier:
    def __init__(self, probes: Probes, derived: Derived, pieces: Pieces, seed: int):
        self.probes, self.derived, self.pieces = probes, derived, pieces
        self.turns = RandomTurns(seed, pieces, derived.facts)
        self.reading = Reading(pieces, NO_HINTS)

    def fault(self) -> Fault | bool:
        """Return what is wrong with the next turn, True if nothing is, False if it is not printed whole.

        Raises ChatCodecError if it is refused.
        """
        turn, tools = self.turns.turn()
        options = {**self.probes.tokens, **self.derived.options}
        messages = [{"role": "user", "content": USER}, turn]
        rendered = self.probes.renderer.render(take(messages, tools, None, options, False, False, NOW))
        printed = printed_turn(rendered, turn, self.pieces, self.derived.facts.prints_ids)
        if printed is None:
            return False
        return self._read_otherwise(rendered, printed, tools) or True

    def _read_otherwise(self, rendered: Rendered, printed: PrintedTurn, tools: list[Any]) -> Fault | None:
        shape = shape_of(rendered, 1, head=self.derived.head)
        header = self.pieces.header
        text = rendered.text[shape.start :].lstrip() if shape else ""
        if shape is None or not text.startswith(header):
            return Fault(text, header, text[: len(header)])
        prompt = max((each for each in self.derived.prompts if text.startswith(each)), key=len, default=header)
        text = text[len(prompt) :]
        behind = len(rendered.text) - _last_value(rendered)
        near = max(len(text) - behind, 0) + MOST_BEHIND
        if not any(stop.strip() in re.split(f"[{SLOTS}]", shape.text)[-1] for stop in self.pieces.stops):
            text = text.rstrip()  # what stands between two messages belongs to none
        space = text[: len(text) - len(text.lstrip())]
        space = space if shape.text.lstrip()[len(prompt) :].startswith(space + CONTENT) else ""
        for message in self._messages(text, prompt[len(header) :], tools, near):
            read = read_turn(message)
            if not printed.is_read_as(read, space):
                return Fault(text, printed, read)
        return None

    def _messages(self, text: str, begun: str, tools: list[Any], near: int) -> Iterator[Mapping[str, Any]]:
        """Yield the message that a reply is, read at once and in chunks, which are small up to `near`."""
        known = self.reading.known(self.reading.checked(tools, prepare=False))
        yield self.reading.parse(text, begun, known).message
        for chunks in (list(text[:near]), _chunks(text[:near], self.turns.random)):
            reader = self.reading.reader(begun, known)
            for chunk in (*chunks, text[near:]):
                reader.feed(chunk)
            yield reader.close().message


def _last_value(rendered: Rendered) -> int:
    """Return where the last value of the turn ends."""
    return max((span.end for span in rendered.spans if (span.pointer or "").startswith("/messages/1/")), default=0)


def _chunks(text: str, pick: random.Random) -> list[str]:
    found, at = [], 0
    while at < len(text):
        size = pick.randint(1, 20)
        found.append(text[at : at + size])
        at += size
    return found
