"""What a codec does with tools, the calls of a turn, and their results.

Rules: how a value is printed is told by the span that it stands in. A call whose arguments are JSON text is compared
with the same call that has them as an object: servers get the one, most templates are written for the other.
"""

from __future__ import annotations

import json
from typing import Any

from chatcodec.inspect import chats
from chatcodec.inspect.card import Calls, Results, Tools
from chatcodec.inspect.chats import ASSISTANT, CALL, CALLS, NEXT_USER, SYSTEM, USER
from chatcodec.inspect.outcome import LOST, PRINTED, Outcome, between, seen, span_of, tried
from chatcodec.render.rendered import Rendered
from chatcodec.render.span import Span
from chatcodec.templates import probes as words
from chatcodec.templates.probes import Probes

_KEY, _VALUE = "kqvs", words.VALUES["kqvs"]


# Definitions


def of_tools(probes: Probes) -> Tools:
    """Return where the definitions of tools are written, how, and what of them is not."""
    result = tried(probes, [SYSTEM, USER, ASSISTANT, NEXT_USER], tools=True)
    if isinstance(result, Rendered) and words.NAME not in result.text:
        result = tried(probes, [USER], tools=True)
    given = seen(result, words.NAME)
    if given != PRINTED or isinstance(result, Outcome):
        return Tools(given, None, ())
    fields = {"description": f"d{words.NAME}", "parameters": _KEY}
    lost = tuple(field for field, word in fields.items() if word not in result.text)
    return Tools(Outcome("printed", _place(result.text)), _form(span_of(result, words.NAME)), lost)


def _place(text: str) -> str:
    """Return where the tools stand, from what stands beside them."""
    tool = text.find(words.NAME)
    around = (
        (words.SYSTEM, "the system text"),
        (words.USER, "the first user message"),
        (words.NEXT_USER, "the last user message"),
    )
    there = [(text.find(word), name) for word, name in around if word in text]
    before = next((name for at, name in there if at > tool), None)
    behind = next((name for at, name in reversed(there) if at < tool), None)
    if behind == "the system text" or before is None:
        return f"behind {behind}"
    return f"before {before}"


def _form(span: Span | None) -> str:
    """Return how the value is written whose name stands in a span."""
    if span is None or span.shows is None or (span.pointer or "").endswith("/name"):
        return "in words of its own"
    return {"json": "as JSON", "str": "as Python prints it"}.get(span.shows, "in words of its own")


# Calls


def of_calls(probes: Probes) -> Calls:
    """Return what becomes of calls."""
    plain = _called(probes, CALL)
    return Calls(
        object=_arguments(plain),
        text=_text(probes, plain),
        several=_several(probes),
        content=seen(_called(probes, CALL, content=words.CONTENT), words.CONTENT, _VALUE),
        ids=seen(plain, words.IDS[0]),
        other_ids=_same(probes, {**CALL, "id": "call_qvx-1"}),
        without_ids=_same(probes, {name: value for name, value in CALL.items() if name != "id"}),
        bare=_same(probes, {"id": words.IDS[0], **CALL["function"]}),
        values={kind: _value(probes, key) for kind, key in _KINDS.items()},
    )


_KINDS = {
    "text": "kqvs",
    "integer": "kqvi",
    "number": "kqvf",
    "boolean": "kqvb",
    "null": "kqvn",
    "list": "kqvl",
    "object": "kqvo",
}
"""The parameter of the probes' tool that is of each JSON type."""


def _called(probes: Probes, *calls: Any, content: str = "") -> Rendered | Outcome:
    return tried(probes, [USER, chats.calling(*calls, content=content)], tools=True)


def _arguments(result: Rendered | Outcome) -> Outcome:
    """Return how the arguments are printed that are an object."""
    found = seen(result, words.NAME, _KEY, _VALUE)
    if found != PRINTED or isinstance(result, Outcome):
        return found
    span = next((span for span in result.spans if "/messages/1/tool_calls/0" in (span.pointer or "")), None)
    value = next((span for span in result.spans if _VALUE in result.text[span.start : span.end]), None)
    if value is None or span is None:
        return PRINTED
    if (value.pointer or "").endswith(f"/{_KEY}"):
        return Outcome("printed", "each by its name")
    return Outcome("printed", {"json": "as JSON", "str": "as Python prints it"}.get(value.shows or "", ""))


def _text(probes: Probes, plain: Rendered | Outcome) -> Outcome:
    """Return what becomes of arguments that are JSON text."""
    arguments = json.dumps(CALL["function"]["arguments"])
    result = _called(probes, words.call(0, arguments))
    if isinstance(result, Outcome):
        return result
    if isinstance(plain, Rendered) and result.text == plain.text:
        return Outcome("as an object") if _VALUE in result.text else LOST
    if json.dumps(arguments) in result.text:
        return Outcome("as a JSON string")
    return Outcome("as it is") if arguments in result.text else seen(result, _KEY, _VALUE)


def _several(probes: Probes) -> Outcome:
    result = _called(probes, *CALLS)
    found = seen(result, _VALUE, words.VALUES["kqvt"])
    if found != LOST or isinstance(result, Outcome):
        return found
    return next((Outcome(f"only the {which}") for which, word in _WHICH.items() if word in result.text), LOST)


_WHICH = {"first": _VALUE, "last": words.VALUES["kqvt"]}


def _same(probes: Probes, call: Any) -> Outcome:
    """Return what becomes of a call that is written otherwise."""
    return seen(_called(probes, call), _VALUE)


def _value(probes: Probes, key: str) -> str:
    """Return how the value of an argument is written."""
    value = words.VALUES[key]
    result = _called(probes, words.call(0, {key: value}))
    if isinstance(result, Outcome):
        return result.how
    call = "/messages/1/tool_calls"
    whole = {call, f"{call}/0", f"{call}/0/function", f"{call}/0/function/arguments"}
    itself = {f"{call}/0/function/arguments/{key}"}
    for span in result.spans:
        if span.shows == "json" and span.pointer in whole | itself:
            return "as JSON"
        if span.shows == "str" and span.pointer in whole | itself:
            alike = span.pointer in itself and str(value) == json.dumps(value)
            return "as JSON" if alike else "as Python prints it"
        if span.shows == "value" and span.pointer in itself:
            return "as it is"
    return "in words of its own" if key in result.text else "lost"


# Results


def of_results(probes: Probes) -> Results:
    """Return what becomes of the results of calls."""
    one = tried(probes, [USER, chats.calling(CALL), chats.result(0)], tools=True)
    named = tried(probes, [USER, chats.calling(CALL), chats.result(0, name="nqvam")], tools=True)
    return Results(
        given=seen(one, words.RESULTS[0]),
        several=_grouped(probes),
        order=_order(probes),
        ids=_with_it(one, words.IDS[0]),
        names=_names(one, named),
        unasked=seen(tried(probes, [USER, chats.result(0), NEXT_USER]), words.RESULTS[0]),
    )


def _grouped(probes: Probes) -> Outcome:
    """Return whether two results stand in one turn."""
    result = tried(probes, [USER, chats.calling(*CALLS), chats.result(0), chats.result(1)], tools=True)
    found = seen(result, *words.RESULTS)
    apart = None if isinstance(result, Outcome) else between(result, *words.RESULTS)
    if found != PRINTED or isinstance(result, Outcome) or apart is None:
        return found
    return Outcome("in one turn" if _are_in_one_turn(result, apart) else "a turn each")


def _are_in_one_turn(result: Rendered, apart: str) -> bool:
    """Whether what stands between two results has less than what stands before the first one."""
    at = result.text.find(words.RESULTS[0])
    spans = [span for span in result.spans if span.message == 2 and span.end <= at]
    head = result.text[spans[0].start : at] if spans else ""
    return bool(head.strip()) and not apart.endswith(head)


def _order(probes: Probes) -> Outcome:
    """Return whether results come in the order in which they are given, or in that of their calls."""
    turn, last, first = chats.calling(*CALLS), chats.result(1), chats.result(0)
    result = tried(probes, [USER, turn, last, first], tools=True)
    found = seen(result, *words.RESULTS)
    if found != PRINTED or isinstance(result, Outcome):
        return found
    return Outcome("as called" if between(result, *words.RESULTS) is not None else "as given")


def _with_it(result: Rendered | Outcome, word: str) -> bool:
    """Whether a word stands in what was written for the result."""
    if isinstance(result, Outcome):
        return False
    return any(word in result.text[span.start : span.end] for span in result.spans if span.message == 2)


def _names(one: Rendered | Outcome, named: Rendered | Outcome) -> str:
    """Return which name a result has beside it."""
    if _with_it(named, "nqvam"):
        return "its own"
    return "its call's" if _with_it(one, words.NAME) else "none"
