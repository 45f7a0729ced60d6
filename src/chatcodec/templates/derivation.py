"""The pieces of a template, derived and verified: what a codec reads its replies by if nobody told it how.

Rules: pieces that were not verified are not given. What a template prints and no pieces say is a reason too: a reader
that takes calls for content is none. The text of a special token that is not known is in no piece. What was derived
for a template is kept, so that the same template is derived once.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from chatcodec.errors import ChatCodecError
from chatcodec.render.protocol import Renderer
from chatcodec.reply.pieces import Pieces
from chatcodec.reply.pieces_json import piece_json
from chatcodec.templates.derive import Derived, derive
from chatcodec.templates.derive_calls import Beside
from chatcodec.templates.probes import Probes
from chatcodec.templates.template import Template
from chatcodec.templates.verify import COUNT, Verification, verify

_KEPT = 16


_NOTES: dict[Beside, tuple[str, ...]] = {
    "free": (),
    "always": ("a turn that calls and has no content is printed without its beginning",),
    "never": ("a turn that calls and has content is printed as two turns",),
}

_ASSUMED = "no turn shows what closes reasoning: it is assumed to be the marker that markup closes with"


class Derivation:
    """What is known of how a template's replies are written.

    ``reasons`` says why there are no pieces, ``notes`` which turns are not printed in a way that could be read back.
    """

    def __init__(self, derived: Derived, verification: Verification | None, probes: Probes):
        """Take what was read off, and how that fared."""
        self.derived, self.verification, self.probes = derived, verification, probes
        self.reasons = list(derived.reasons)
        if verification is not None and verification.faults:
            self.reasons.append(f"a turn is read otherwise than it was written: {verification.faults[0].text!r:.300}")
        elif verification is not None and verification.passed < COUNT:
            self.reasons.append(
                f"only {verification.passed} of {COUNT} turns could be tried: the others are refused, or take long"
            )
        self.notes = _NOTES[derived.facts.beside] + ((_ASSUMED,) if derived.assumed else ())
        self.pieces: Pieces | None = None
        if derived.pieces is not None and not self.reasons:
            self._take(derived.pieces, probes)

    def _take(self, pieces: Pieces, probes: Probes) -> None:
        """Take pieces, without stops that are special tokens whose text is not known."""
        unknown = tuple(probes.tokens.values())
        stops = tuple(stop for stop in pieces.stops if not any(token in stop for token in unknown))
        pieces = replace(pieces, stops=stops)
        if any(token in repr(piece_json(pieces)) for token in unknown):
            self.reasons.append(f"the texts of {', '.join(probes.tokens)} are not known: they come with a model folder")
        else:
            self.pieces = pieces


def derivation_of(template: Template) -> Derivation:
    """Return what is known of a template's replies."""
    return _derivation(Same(template))


def expect_pieces(template: Renderer) -> tuple[Pieces, tuple[str, ...]]:
    """Return the pieces of a template's replies, and what ends a turn for the results of its calls beside their stops.

    Raises ChatCodecError, with the reason, if they are not known.
    """
    assert isinstance(template, Template)
    found = derivation_of(template)
    if found.pieces is None:
        raise ChatCodecError(
            f"{template.name}: how this template's replies are written cannot be read off its prompts: "
            f"{'; '.join(found.reasons)}. Load it with pieces=, the name of a format that writes them alike, or pieces"
        )
    return found.pieces, found.derived.call_stops


class Same:
    """A template, equal to one of the same sources."""

    def __init__(self, template: Template):
        self.template = template
        self._key = template.identity

    def __hash__(self) -> int:
        return hash(self._key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and self._key == other._key


@lru_cache(_KEPT)
def _derivation(same: Same) -> Derivation:
    probes = Probes(same.template, same.template.unknown_tokens)
    derived = derive(probes)
    return Derivation(derived, None if derived.pieces is None else verify(probes, derived), probes)
