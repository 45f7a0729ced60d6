"""The card of a codec, put together from what its probes show.

Rules: probes are rendered once for all lines. What fails is a line of the card, so a card is made of any codec. It
does not know whether a format or a template renders, but for what only a template has.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from chatcodec.errors import ChatCodecError
from chatcodec.inspect.card import Card, Reasoning, Replies, Source
from chatcodec.inspect.likeness import likeness_of
from chatcodec.inspect.of_messages import of_messages
from chatcodec.inspect.of_options import of_options
from chatcodec.inspect.of_python import of_python
from chatcodec.inspect.of_reasoning import of_reasoning
from chatcodec.inspect.of_tools import of_calls, of_results, of_tools
from chatcodec.inspect.of_turns import of_turns
from chatcodec.inspect.outcome import failure
from chatcodec.render.protocol import Compiled, Renderer
from chatcodec.reply.pieces import Pieces
from chatcodec.reply.pieces_json import piece_json
from chatcodec.templates.probes import Probes

if TYPE_CHECKING:
    from chatcodec.templates.derivation import Same

_KEPT = 16


def describe(renderer: Renderer, pieces: Pieces | None) -> Card:
    """Return the card of a renderer. `pieces` are those that it declares or was given; None derives a template's."""
    if pieces is not None or not isinstance(renderer, Compiled):
        origin = "given" if isinstance(renderer, Compiled) else "declared"
        known = None if pieces is None else piece_json(pieces)
        tokens = renderer.unknown_tokens if isinstance(renderer, Compiled) else ()
        return card_of(Probes(renderer, tokens), pieces, Replies(known, origin, 0, ()))
    from chatcodec.templates.derivation import Same  # formats need no template
    from chatcodec.templates.template import Template

    assert isinstance(renderer, Template)
    return replace(_of_template(Same(renderer)), name=renderer.name, title=renderer.title)


@lru_cache(_KEPT)
def _of_template(same: Same) -> Card:
    from chatcodec.templates.derivation import derivation_of

    found = derivation_of(same.template)
    pieces = None if found.pieces is None else piece_json(found.pieces)
    turns = found.verification.passed if found.verification else 0
    return card_of(
        found.probes, found.derived.pieces, Replies(pieces, "derived", turns, (*found.reasons, *found.notes))
    )


def card_of(probes: Probes, pieces: Pieces | None, replies: Replies) -> Card:
    """Return the card of what `probes` render: with the `pieces` that it seems to have, verified or not."""
    renderer = probes.renderer
    messages, tools, calls, results = of_messages(probes), of_tools(probes), of_calls(probes), of_results(probes)
    reasoning = of_reasoning(probes, pieces)  # with options, which may take more than the limits allow
    return Card(
        name=renderer.name,
        title=renderer.title,
        messages=messages,
        tools=tools,
        calls=calls,
        results=results,
        reasoning=reasoning,
        stability=of_turns(probes, reasoning, calls.object if calls.object.how == "printed" else calls.text),
        options=of_options(probes),
        python=of_python(probes),
        stops=(),
        replies=_with_notes(replies, pieces, reasoning),
        likeness=likeness_of(probes),
        source=Source(renderer.tells_time, renderer.unknown_tokens, renderer.features)
        if isinstance(renderer, Compiled)
        else None,
        failures=_failures(probes),
    )


def _with_notes(replies: Replies, pieces: Pieces | None, reasoning: Reasoning) -> Replies:
    """Say that reasoning is not read which the generation prompt asks for, and no turn shows."""
    if replies.pieces is None or pieces is None or pieces.reasoning is not None:
        return replies
    if reasoning.default != "on" and reasoning.switch is None:
        return replies
    note = "reasoning is not read, since no turn shows how it ends: it is content"
    return replace(replies, reasons=(*replies.reasons, note))


def _failures(probes: Probes) -> tuple[str, ...]:
    """Return what is wrong with all probes, or ended them."""
    if probes.ended is not None:
        return (f"no more probes are rendered: a limit is exceeded again and again ({probes.ended.limit})",)
    errors = [each for each in probes.results if isinstance(each, ChatCodecError)]
    if errors and len(errors) == len(probes.results):
        first = failure(errors[0])
        return (f"every probe {'is refused' if first.how == 'refused' else first.how}: {first.detail}",)
    return ()
