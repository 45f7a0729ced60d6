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
from chatcodec.inspect.outcome import (
    LOST,
    PRINTED,
    Outcome,
    between,
    seen,
    span_of,
    takes_tools,
    tried,
    tried_as_it_is,
    written_for,
)
from chatcodec.render.rendered import Rendered
from chatcodec.render.span import Span
from chatcodec.templates import probes as words
from chatcodec.templates.borders import first_marker
from chatcodec.templates.probes import Probes

_KEY, _VALUE = "kqvs", words.VALUES["kqvs"]


# Definitions


def of_tools(probes: Probes) -> Tools:
    """Return where the definitions of tools are written, how, and what of them is not."""
    chats_of_both = ([SYSTEM, USER, ASSISTANT, NEXT_USER], [USER])
    results = [tried_as_it_is(probes, messages, tools=True) for messages in chats_of_both]
    result = next((each for each in results if seen(each, words.NAME) == PRINTED), results[-1])
    given = seen(result, words.NAME)
    if given != PRINTED or isinstance(result, Outcome):
        return Tools(given, None, ())
    lost = tuple(field for field, word in _FIELDS.items() if word not in result.text)
    return Tools(Outcome("printed", _place(result.text)), _form(span_of(result, words.NAME)), lost)


_FIELDS = {"description": f"d{words.NAME}", "parameters": _KEY, "descriptions of parameters": words.DESCRIPTION}
"""Fields of a definition, and the text of each."""


def _place(text: str) -> str:
    """Return where the tools stand, from what stands beside them."""
    tool, system, user, last = (text.find(word) for word in (words.NAME, words.SYSTEM, words.USER, words.NEXT_USER))
    if 0 <= user < tool and last < 0:
        return "behind the user message"
    if 0 <= user < tool:
        return f"{'before' if tool < last else 'behind'} the last user message"
    if system >= 0:
        return f"{'before' if tool < system else 'behind'} the system text"
    return "before the user message" if user >= 0 else "alone"


def _form(span: Span | None) -> str:
    """Return how the value is written whose name stands in a span."""
    if span is None or span.shows is None or (span.pointer or "").endswith("/name"):
        return "in words of its own"
    return {"json": "as JSON", "str": "as Python prints it"}.get(span.shows, "in words of its own")


# Calls


def of_calls(probes: Probes) -> Calls:
    """Return what becomes of calls."""
    plain = _called(probes, CALL)
    objects = _as_it_is(probes, CALL)
    return Calls(
        object=_arguments(objects),
        text=_text(probes, objects),
        names=_shown(plain, words.NAME),
        last=_arguments(_called(probes, CALL, answered=False)),
        several=_several(probes),
        content=_beside(_called(probes, CALL, content=words.CONTENT)),
        content_and_reasoning=_beside(_called(probes, CALL, content=words.CONTENT, reasoning_content=words.REASONING)),
        ids=_shown(plain, words.IDS[0]),
        other_ids=_same(probes, {**CALL, "id": "call_qvx-1"}),
        without_ids=_same(probes, {name: value for name, value in CALL.items() if name != "id"}),
        bare=_same(probes, {"id": words.IDS[0], **CALL["function"]}),
        none=_none(probes),
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


def _called(probes: Probes, *calls: Any, content: str = "", answered: bool = True, **more: Any) -> Rendered | Outcome:
    """Return the prompt of a turn that calls, with the results of its calls if the codec takes any."""
    turn = chats.calling(*calls, content=content, **more)
    results = [_result(call, index) for index, call in enumerate(calls)] if answered else []
    found = tried(probes, [USER, turn, *results], tools=True)
    return found if isinstance(found, Rendered) or not answered else tried(probes, [USER, turn], tools=True)


def _result(call: Any, index: int) -> chats.Message:
    return chats.result(index, tool_call_id=call.get("id", words.IDS[index]))


def _as_it_is(probes: Probes, call: Any) -> Rendered | Outcome:
    """Return the prompt of one call, whose arguments stay what they are."""
    turn, tools = chats.calling(call), takes_tools(probes)
    found = tried_as_it_is(probes, [USER, turn, chats.result(0)], tools=tools)
    return found if isinstance(found, Rendered) else tried_as_it_is(probes, [USER, turn], tools=tools)


def _shown(result: Rendered | Outcome, *texts: str) -> Outcome:
    """Return whether all these texts are printed in the turn that calls."""
    if isinstance(result, Outcome):
        return result
    turn = written_for(result, 1).casefold()
    return PRINTED if all(text.casefold() in turn for text in texts) else LOST


def _beside(result: Rendered | Outcome) -> Outcome:
    return _shown(result, words.CONTENT, _VALUE)


def _arguments(result: Rendered | Outcome) -> Outcome:
    """Return how the arguments are printed that are an object."""
    found = _shown(result, _VALUE)
    if found != PRINTED or isinstance(result, Outcome):
        return found
    value = next((span for span in result.spans if _VALUE in result.text[span.start : span.end]), None)
    if value is None or value.pointer is None:
        return PRINTED
    if value.pointer.endswith(f"/{_KEY}"):
        return Outcome("printed", "each by its name" if _shown(result, _KEY) == PRINTED else "without their names")
    return Outcome("printed", {"json": "as JSON", "str": "as Python prints it"}.get(value.shows or "", "as it is"))


def _text(probes: Probes, plain: Rendered | Outcome) -> Outcome:
    """Return what becomes of arguments that are JSON text, with spaces that nobody else would write."""
    arguments = json.dumps(CALL["function"]["arguments"], indent=3)
    result = _as_it_is(probes, words.call(0, arguments))
    if isinstance(result, Outcome):
        return result
    if isinstance(plain, Rendered) and result.text == plain.text:
        return Outcome("as an object") if _VALUE in result.text else LOST
    if json.dumps(arguments) in result.text:
        return Outcome("as a JSON string")
    named = _arguments(plain) == Outcome("printed", "each by its name")
    if arguments in result.text:
        return Outcome("as one argument" if named else "as it is")
    return _shown(result, _VALUE)


def _several(probes: Probes) -> Outcome:
    result = _called(probes, *CALLS)
    found = _shown(result, _VALUE, words.VALUES["kqvt"])
    if found != LOST or isinstance(result, Outcome):
        return found
    there = (which for which, word in _WHICH.items() if _shown(result, word) == PRINTED)
    return next((Outcome(f"only the {which}") for which in there), LOST)


_WHICH = {"first": _VALUE, "last": words.VALUES["kqvt"]}


def _same(probes: Probes, call: Any) -> Outcome:
    """Return what becomes of a call that is written otherwise."""
    return _shown(_called(probes, call), _VALUE)


def _none(probes: Probes) -> Outcome:
    """Return what becomes of a list of calls that is empty."""
    result = tried(probes, [USER, {**ASSISTANT, "tool_calls": []}, NEXT_USER])
    without = tried(probes, [USER, ASSISTANT, NEXT_USER])
    if isinstance(result, Outcome):
        return result
    same = isinstance(without, Rendered) and without.text == result.text
    return Outcome("as if it were not there") if same else Outcome("otherwise")


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
        if span.shows == "value" and span.pointer in whole:
            return "as JSON"  # of arguments that are text
    return "in words of its own" if _shown(result, key) == PRINTED else "lost"


# Results


def of_results(probes: Probes) -> Results:
    """Return what becomes of the results of calls."""
    called = tried(probes, [USER, chats.calling(CALL)], tools=True)
    one = tried(probes, [USER, chats.calling(CALL), chats.result(0)], tools=True)
    named = tried(probes, [USER, chats.calling(CALL), chats.result(0, name="nqvam")], tools=True)
    return Results(
        given=_given(one),
        several=_grouped(probes),
        order=_order(probes),
        ids=_adds(called, one, words.IDS[0]),
        names=_names(called, one, named),
        unasked=seen(tried(probes, [USER, chats.result(0)], tools=True), words.RESULTS[0]),
    )


def _names(called: Rendered | Outcome, one: Rendered | Outcome, named: Rendered | Outcome) -> str:
    """Return whose name stands beside a result."""
    if seen(named, "nqvam") == PRINTED:
        return "its own"
    return "its call's" if _adds(called, one, words.NAME) else "none"


def _given(result: Rendered | Outcome) -> Outcome:
    found = seen(result, words.RESULTS[0])
    if found != PRINTED or isinstance(result, Outcome):
        return found
    span = span_of(result, words.RESULTS[0])
    return Outcome("printed", "as a JSON string") if span is not None and span.shows == "json" else PRINTED


def _adds(without: Rendered | Outcome, given: Rendered | Outcome, word: str) -> bool:
    """Whether a word is printed more often with the result than without it."""
    if isinstance(without, Outcome) or isinstance(given, Outcome):
        return False
    return given.text.count(word) > without.text.count(word)


def _grouped(probes: Probes) -> Outcome:
    """Return whether two results stand in one turn: nothing between them ends one, or begins one again."""
    result = tried(probes, [USER, chats.calling(*CALLS), chats.result(0), chats.result(1)], tools=True)
    found = seen(result, *words.RESULTS)
    apart = None if isinstance(result, Outcome) else between(result, *words.RESULTS)
    if found != PRINTED or isinstance(result, Outcome) or apart is None:
        return found
    for number, word in enumerate((*words.IDS, words.NAME)):
        apart = apart.replace(word, words.IDS[0] if number < len(words.IDS) else word)
    head = _head(result)
    begins_again = bool(head.strip()) and apart.endswith(head)
    ends = any(end in apart for end in _ends_of_turns(probes))
    return Outcome("a turn each" if begins_again or ends else "in one turn")


def _head(result: Rendered) -> str:
    """Return what stands before the first result for its message."""
    at = result.text.find(words.RESULTS[0])
    spans = [span for span in result.spans if span.message == 2 and span.end <= at]
    return result.text[spans[0].start : at] if spans else ""


def _ends_of_turns(probes: Probes) -> set[str]:
    """Return the markers that stand both behind a user message and behind an assistant's."""
    result = tried(probes, [USER, ASSISTANT, NEXT_USER])
    if isinstance(result, Outcome):
        return set()
    markers = (first_marker(result.text.partition(word)[2]) for word in (words.USER, words.CONTENT))
    first, second = markers
    return {first} if first and first == second else set()


def _order(probes: Probes) -> Outcome:
    """Return whether results come in the order in which they are given, or in that of their calls."""
    turn, last, first = chats.calling(*CALLS), chats.result(1), chats.result(0)
    result = tried(probes, [USER, turn, last, first], tools=True)
    found = seen(result, *words.RESULTS)
    if found != PRINTED or isinstance(result, Outcome):
        return found
    return Outcome("as called" if between(result, *words.RESULTS) is not None else "as given")
