"""A card for people: one screen, a line for each thing that they ask.

Rules: what is alike is said once, and what anybody would expect is not said. The words are those of the card.
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from chatcodec.cli.visible import one_line, visible
from chatcodec.inspect.card import Card
from chatcodec.inspect.outcome import LOST, PRINTED, Outcome
from chatcodec.templates.option_values import WORD

_WIDTH, _LABEL, _LONG = 110, 11, 70


def screen(card: Card) -> str:
    """Return the card as text, with a label for each line."""
    lines = _wrapped("", f"{card.name}: {card.title}")
    for failure in card.failures:
        lines += [f"  {line}" for line in _wrapped("", _short(failure, 3 * _LONG))]
    lines.append("")
    for label, line in _LINES.items():
        sentences = [sentence for sentence in line(card) if sentence]
        if sentences:
            lines += _wrapped(label, "; ".join(sentences))
    return visible("\n".join(lines)) + "\n"


def _wrapped(label: str, text: str) -> list[str]:
    width = _WIDTH - (_LABEL if label else 0)
    shown = textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False) or [""]
    indent = " " * (_LABEL if label else 2)
    return [f"{label.ljust(_LABEL) if label else ''}{shown[0]}", *(indent + line for line in shown[1:])]


# What is said of outcomes


def _grouped(outcomes: Mapping[str, Outcome], expected: str = "") -> Iterator[str]:
    """Yield what is the same for several names once; nothing for what is `expected`."""
    groups: dict[str, list[str]] = {}
    for name, outcome in outcomes.items():
        groups.setdefault(_said(outcome), []).append(name)
    for said, names in groups.items():
        if said != expected:
            yield f"{', '.join(names)}: {said}"


def _said(outcome: Outcome) -> str:
    return f"{outcome.how} ({_short(outcome.detail)})" if outcome.detail else outcome.how


def _short(text: str, most: int = _LONG) -> str:
    return one_line(text, most)


def _unless(expected: str, name: str, outcome: Outcome) -> str:
    """Return a sentence about an outcome, unless it is the expected one."""
    return "" if outcome.how == expected else f"{name}: {_said(outcome)}"


def _literal(text: str) -> str:
    return json.dumps(text if len(text) <= _LONG else text[: _LONG - 1] + "…", ensure_ascii=False)


# The lines


def _roles(card: Card) -> Iterator[str]:
    roles = {("any other" if name == "other" else name): each for name, each in card.messages.roles.items()}
    yield ", ".join(name for name, outcome in roles.items() if outcome.how == "printed")
    yield from _grouped({name: outcome for name, outcome in roles.items() if outcome.how != "printed"})


def _system(card: Card) -> Iterator[str]:
    system = card.messages.system
    names = {"several": "several", "later": "between turns", "alone": "without a user message"}
    yield from (f"{said}: {_said(system[name])}" for name, said in names.items())
    if system["in a tool loop"] == LOST and card.messages.roles["system"] != LOST:
        yield "lost while calls are answered"
    default = card.messages.default_system
    if default:
        yield f"if there is none: {_literal(default)}"
    elif default is not None:
        yield "if there is none: an empty one"


def _content(card: Card) -> Iterator[str]:
    for kind, roles in (("lists", card.messages.lists), ("null", card.messages.nulls)):
        found = {role: Outcome(outcome.how) for role, outcome in roles.items()}
        alike = len(set(found.values())) == 1
        yield f"{kind}: {_said(found['user'])}" if alike else f"{kind}, {', '.join(_grouped(found))}"


def _order(card: Card) -> Iterator[str]:
    yield from (f"{name}: {_said(each)}" for name, each in card.messages.order.items() if each != PRINTED)


def _own_text(card: Card) -> Iterator[str]:
    yield from map(_literal, card.messages.own_text)


def _parts(card: Card) -> Iterator[str]:
    parts = {("any other" if name == "other" else name): each for name, each in card.messages.parts.items()}
    yield ", ".join(name for name, outcome in parts.items() if outcome.how == "printed") or "none"
    yield from _grouped({name: Outcome(each.how) for name, each in parts.items() if each.how != "printed"})


def _tools(card: Card) -> Iterator[str]:
    tools = card.tools
    yield _said(tools.given) if tools.form is None else f"{tools.form}, {tools.given.detail}"
    if tools.lost:
        yield f"not printed: {', '.join(tools.lost)}"


def _calls(card: Card) -> Iterator[str]:
    calls = card.calls
    if calls.object.how == calls.text.how == "lost":
        yield "lost"
        return
    yield f"arguments: {_said(calls.object)}"
    yield f"as JSON text: {_said(calls.text)}"
    yield "" if calls.last == calls.object else f"in the last message: {_said(calls.last)}"
    yield "ids printed" if calls.ids.how == "printed" else ""
    for name, outcome in (
        ("names", calls.names),
        ("several", calls.several),
        ("content beside them", calls.content),
        ("content and reasoning beside them", calls.content_and_reasoning),
        ("ids of other forms", calls.other_ids),
        ("without ids", calls.without_ids),
        ("without `function`", calls.bare),
    ):
        yield "" if outcome == calls.object else _unless("printed", name, outcome)
    yield _unless("as if it were not there", "an empty list", calls.none)


def _values(card: Card) -> Iterator[str]:
    odd = {kind: Outcome(how) for kind, how in card.calls.values.items() if how not in ("as JSON", "as it is")}
    yield from _grouped(odd) if card.calls.object.how == "printed" else ()


def _results(card: Card) -> Iterator[str]:
    results = card.results
    if results.given.how != "printed":
        yield _said(results.given)
        return
    yield f"printed {results.given.detail}" if results.given.detail else ""
    yield f"several: {_said(results.several)}"
    yield _unless("as given", "in another order than their calls", results.order)
    yield "with the id of the call" if results.ids else ""
    yield {"its own": "with its own name", "its call's": "with the name of the call"}.get(results.names, "")
    yield _unless("printed", "without a call", results.unasked)


def _reasoning(card: Card) -> Iterator[str]:
    reasoning = card.reasoning
    outcomes = {
        "in a turn": reasoning.last,
        "in earlier turns": reasoning.history,
        "before results": reasoning.tool_loop,
    }
    lost = all(each.how != "printed" for each in outcomes.values())
    if lost and reasoning.switch is None and reasoning.default == "left to the model":
        yield "lost"
        return
    yield f"read from {', '.join(reasoning.fields)}" if reasoning.fields else ""
    yield f"default: {reasoning.default}"
    if reasoning.switch:
        yield f"on: {_settings(reasoning.switch.on)}"
        yield f"off: {_settings(reasoning.switch.off)}"
        yield f"budget: {reasoning.switch.budget}" if reasoning.switch.budget else ""
    if len(set(outcomes.values())) == 1:
        outcomes = {"in all turns": reasoning.last}
    with_options = f"with {_settings(reasoning.with_options)} " if reasoning.with_options else ""
    yield with_options + ", ".join(f"{name}: {_said(each)}" for name, each in outcomes.items())
    if reasoning.inline.how not in ("kept as it is", "no markers are known"):
        yield f"in content, with its markers: {_said(reasoning.inline)}"


def _settings(options: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={json.dumps(value)}" for name, value in options.items()) or "no option"


def _prompts(card: Card) -> Iterator[str]:
    texts = {name: text for name, text in card.reasoning.prompts.items() if text is not None}
    for text in dict.fromkeys(texts.values()):
        names = [name for name, each in texts.items() if each == text]
        yield f"{', '.join(names)}: {_literal(text)}" if len(set(texts.values())) > 1 else _literal(text)


def _turns(card: Card) -> Iterator[str]:
    yield from _grouped(card.stability)


def _options(card: Card) -> Iterator[str]:
    for option in card.options:
        found: dict[tuple[str, ...], list[str]] = {}
        for change in option.changes:
            found.setdefault(change.places, []).append(_value(change.value))
        said = [f"{' or '.join(values)} changes {', '.join(places)}" for places, values in found.items() if places]
        yield f"{option.name}={', '.join(said)}" if said else ""
    idle = [option.name for option in card.options if not any(change.places for change in option.changes)]
    yield f"nothing was seen to change with {', '.join(idle)}" if idle else ""


def _value(value: Any) -> str:
    return "TEXT" if value == WORD else json.dumps(value, ensure_ascii=False)


def _python(card: Card) -> Iterator[str]:
    yield from (f"{', '.join(kinds)} at {place}" for place, kinds in card.python.items())


def _stops(card: Card) -> Iterator[str]:
    yield ", ".join(map(_literal, card.stops))
    unknown = [name for name in card.source.unknown_tokens if name == "eos_token"] if card.source else []
    yield from (f"{name}, whose text comes with a model folder" for name in unknown)


def _jinja(card: Card) -> Iterator[str]:
    if card.source is None:
        return
    yield "reads the clock" if card.source.clock else ""
    shown = [name for kind in ("statements", "functions", "filters") for name in card.source.features.get(kind, ())]
    yield ", ".join(shown)


def _replies(card: Card) -> Iterator[str]:
    replies = card.replies
    if replies.pieces is None:
        yield "how they are written is not known: " + "; ".join(_short(reason, 3 * _LONG) for reason in replies.reasons)
        return
    calls, reasoning = replies.pieces.get("calls"), replies.pieces.get("reasoning")
    read = ["content", "reasoning" if reasoning else "", f"calls ({calls['syntax']})" if calls else ""]
    known = f"read off its prompts, {replies.turns} random turns came back" if replies.turns else replies.origin
    yield f"{', '.join(filter(None, read))}: {known}"
    yield from replies.reasons


def _likeness(card: Card) -> Iterator[str]:
    likeness = card.likeness
    if likeness:
        but = f", but for {', '.join(likeness.differs)}" if likeness.differs else ""
        yield f"it prints as the format {likeness.format} does{but}"


_LINES: Mapping[str, Callable[[Card], Iterable[str]]] = {
    "like": _likeness,
    "roles": _roles,
    "system": _system,
    "own text": _own_text,
    "order": _order,
    "content": _content,
    "parts": _parts,
    "tools": _tools,
    "calls": _calls,
    "values": _values,
    "results": _results,
    "reasoning": _reasoning,
    "prompt": _prompts,
    "next turn": _turns,
    "options": _options,
    "as Python": _python,
    "stops": _stops,
    "replies": _replies,
    "Jinja": _jinja,
}
