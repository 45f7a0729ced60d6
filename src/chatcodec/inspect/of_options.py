"""Where a prompt differs under the values of an option.

Rules: a few chats are rendered with each value, and compared with the same chats without the option. A place is told by
the owner of the text that differs. What none of these chats shows is not known.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from chatcodec.inspect import chats
from chatcodec.inspect.card import Change, OptionCard
from chatcodec.inspect.chats import ASSISTANT, CALL, NEXT_USER, REASONED, SYSTEM, USER
from chatcodec.inspect.outcome import Outcome, tried
from chatcodec.render.protocol import Option
from chatcodec.render.rendered import Rendered
from chatcodec.render.span import GENERATION_OWNER, Span
from chatcodec.templates import probes as words
from chatcodec.templates.option_values import values_of
from chatcodec.templates.probes import Probes

_CHATS = (
    ([USER], False),
    ([SYSTEM, USER, REASONED, NEXT_USER], False),
    ([USER, REASONED], False),
    ([chats.text("user", [chats.MEDIA[0], *chats.parts(words.USER)])], False),
    ([USER, chats.calling(CALL), chats.result(0), ASSISTANT], True),
)
"""Messages, and whether tools are given."""


def of_options(probes: Probes) -> tuple[OptionCard, ...]:
    """Return what each option changes."""
    return tuple(_card(probes, option) for option in probes.renderer.options)


def _card(probes: Probes, option: Option) -> OptionCard:
    changes = (Change(value, _changes(probes, option.name, value)) for value in values_of(option))
    return OptionCard(option.name, option.type, option.default, tuple(changes))


def _changes(probes: Probes, name: str, value: object) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_places_changed(probes, name, value)))


def _places_changed(probes: Probes, name: str, value: object) -> Iterator[str]:
    """Yield the places at which prompts differ with and without a value."""
    for messages, tools in _CHATS:
        without, given = (
            tried(probes, messages, tools=tools, generation=True, options=options) for options in ({}, {name: value})
        )
        if isinstance(given, Outcome):
            yield from ["whether it renders"] if isinstance(without, Rendered) else ()
            continue
        if isinstance(without, Outcome):
            yield "whether it renders"
            continue
        if without.text == given.text:
            continue
        before, after = _places(without, messages), _places(given, messages)
        yield from (place for place in dict.fromkeys((*before, *after)) if before[place] != after[place])


def _places(rendered: Rendered, messages: list[chats.Message]) -> dict[str, str]:
    """Return the text of each place in a prompt."""
    found: dict[str, str] = defaultdict(str)
    for span in rendered.spans:
        found[_place(span, messages)] += rendered.text[span.start : span.end]
    return found


def _place(span: Span, messages: list[chats.Message]) -> str:
    if span.owner == GENERATION_OWNER:
        return "generation prompt"
    if span.message is not None:
        return _PLACES[messages[span.message]["role"]]
    return "tools" if (span.owner or "").startswith("/tools") else "beginning"


_PLACES = {
    "system": "system messages",
    "user": "user messages",
    "assistant": "turns",
    "tool": "results",
}
