"""The capability card of a codec: what it does with chats, measured on its prompts, in one object.

Rules: a line of the card is what one probe showed; nothing on it is read off a template's source, but what only the
source can tell: its options, and the Jinja that it uses. `Card.as_json` is plain JSON data, the same for the same
codec. It does not say what should be done about a line: `fit` and the lint rules do.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from math import isfinite
from typing import Any

from chatcodec.inspect.outcome import Outcome


@dataclass(frozen=True, slots=True)
class Messages:
    """What becomes of messages and their content.

    roles: of each role: printed, as system (a developer's message), lost, refused (``raise_exception``), fails (any
    other error), over a limit. ``other`` is a role that nobody knows.
    system: ``alone`` without a user message; ``several`` of them at the beginning: in place, joined, only the first;
    ``later`` between turns: in place, hoisted to the beginning, moved; ``in a tool loop`` while calls are answered.
    default_system: what stands in for a system message that is not there; None if nothing does.
    own_text: texts of several words that the template writes around a system message and a question.
    order: what becomes of two user messages in a row, and of an assistant's that comes first.
    lists, nulls: by role, what becomes of content that is a list of text parts, or null.
    parts: of each kind of part in a user message; the detail is what stands for it. ``other`` is one nobody knows.
    """

    roles: Mapping[str, Outcome]
    system: Mapping[str, Outcome]
    default_system: str | None
    own_text: tuple[str, ...]
    order: Mapping[str, Outcome]
    lists: Mapping[str, Outcome]
    nulls: Mapping[str, Outcome]
    parts: Mapping[str, Outcome]


@dataclass(frozen=True, slots=True)
class Tools:
    """Where definitions of tools are written and how, and which fields of them are not."""

    given: Outcome
    form: str | None
    lost: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Calls:
    """What becomes of the calls of a turn.

    object, text: arguments that are an object, or JSON text as in OpenAI's API: as an object, as it is, as one
    argument, as a JSON string, lost, refused, fails.
    names: whether the name is printed. last: the same as object, in a turn that nothing follows.
    several: several calls in one turn. content, content_and_reasoning: what stands beside calls.
    ids: whether they are printed. other_ids: of another form than nine letters and digits. without_ids; bare: without
    ``function`` around name and arguments. none: a list of calls that is empty.
    values: of each JSON type, how the value of an argument is written.
    """

    object: Outcome
    text: Outcome
    names: Outcome
    last: Outcome
    several: Outcome
    content: Outcome
    content_and_reasoning: Outcome
    ids: Outcome
    other_ids: Outcome
    without_ids: Outcome
    bare: Outcome
    none: Outcome
    values: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Results:
    """What becomes of the results of calls.

    several: in one turn, or a turn each. order: as given, or as called, for results in another order than their calls.
    ids, names: what stands beside a result. unasked: a result that no call came before.
    """

    given: Outcome
    several: Outcome
    order: Outcome
    ids: bool
    names: str
    unasked: Outcome


@dataclass(frozen=True, slots=True)
class Switch:
    """The options that switch reasoning: what is set for on, and for off, and which one takes a budget of tokens.

    changes: where the two differ: ``generation prompt``; ``prompt`` and ``prompt without a system message`` for what is
    written before it.
    """

    on: Mapping[str, Any]
    off: Mapping[str, Any]
    budget: str | None
    changes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Reasoning:
    """What becomes of reasoning, and how it is switched.

    fields: the names of it that the codec reads without the help of ``apply_chat_template``.
    with_options: the options under which that was looked for: reasoning is on, and printed if any option prints it.
    last, history, tool_loop: in the last turn; behind a further user message; before the result of the turn's call.
    parts: as a part of content. inline: written into content with its markers.
    default: on, off, or left to the model, by what the generation prompt opens or closes.
    prompts: the generation prompts: ``default`` without options, ``on``, ``off``, and ``after a result``; None for what
    there is not.
    """

    fields: tuple[str, ...]
    with_options: Mapping[str, Any]
    last: Outcome
    history: Outcome
    tool_loop: Outcome
    parts: Outcome
    inline: Outcome
    default: str
    prompts: Mapping[str, str | None]
    switch: Switch | None


@dataclass(frozen=True, slots=True)
class Change:
    """A value of an option, and the places where prompts differ under it from those without the option."""

    value: Any
    places: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OptionCard:
    """An option: its type, the default that its source says, and what each value that was tried changes."""

    name: str
    type: str
    default: Any
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class Source:
    """What only the source of a template tells: whether it reads the clock, and the Jinja that it uses.

    unknown_tokens: the special tokens that it reads and whose texts are not known. They come with a model folder; the
    card shows ``<|NAME|>`` in their place.
    """

    clock: bool
    unknown_tokens: tuple[str, ...]
    features: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Replies:
    """How replies are read: whence the pieces are, how many random turns came back by them, and what is not known."""

    pieces: Mapping[str, Any] | None
    origin: str
    turns: int
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Likeness:
    """The built-in format that ordinary chats are printed as, and the probes on which the two differ."""

    format: str
    differs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Card:
    """What a codec does.

    failures: what is wrong with all probes, or ended them.
    stability: by what a chat goes on with, whether its next prompt begins with the one before: goes on, the turn is
    rewritten, other generation prompt, rewritten; or that it is lost.
    python: what is printed as Python prints it (``True``, ``{...}``), by the place of the value.
    """

    name: str
    title: str
    failures: tuple[str, ...]
    messages: Messages
    tools: Tools
    calls: Calls
    results: Results
    reasoning: Reasoning
    stability: Mapping[str, Outcome]
    options: tuple[OptionCard, ...]
    python: Mapping[str, tuple[str, ...]]
    stops: tuple[str, ...]
    replies: Replies
    likeness: Likeness | None
    source: Source | None

    def as_json(self) -> dict[str, Any]:
        """Return the card as JSON data."""
        data: dict[str, Any] = _plain(asdict(self))
        return data


def _plain(value: Any) -> Any:
    if isinstance(value, float) and not isfinite(value):
        return str(value)  # JSON has no such number
    if isinstance(value, Mapping):
        return {name: _plain(each) for name, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, (list, tuple)) else value
