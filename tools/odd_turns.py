"""What makes a turn odd, one way each: functions that change a case, listed by the formats that it means something to.

Rules: each function does what some model, client or server does now and then, and leaves the rest of the turn alone.
Where a text shows how to call a tool, the call is `quoted_call`, so that `canon` can find it.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

from chatcodec.reply.json_calls import JsonCalls
from chatcodec.reply.pieces import Pieces
from chatcodec.reply.tagged import TaggedCalls

if TYPE_CHECKING:
    from turns import Case, Turns

Odd: TypeAlias = Callable[["Turns", "Case"], None]

RATE = 0.035
"""How many of all turns are odd."""

QUOTED, SHOWN_ID = ("look_up", {"q": "x"}), "shown"
"""The call that a text shows, and its id where calls have one."""


def quoted_call(pieces: Pieces) -> str:
    """Return the text of the call that a text shows."""
    name, arguments = QUOTED
    if isinstance(pieces.calls, TaggedCalls):
        return pieces.calls.example(name, **arguments)
    assert isinstance(pieces.calls, JsonCalls)
    shown = pieces.calls.example(json.dumps(name), json.dumps(json.dumps(arguments)))
    return shown.replace("{id}", json.dumps(SHOWN_ID))


def end_of_call(pieces: Pieces) -> str:
    """Return what stands behind the last value of a tagged call."""
    assert isinstance(pieces.calls, TaggedCalls)
    return pieces.calls.argument.partition("{value}")[2] + pieces.calls.closing


def bare_call(pieces: Pieces) -> str:
    """Return the call that a text shows, without the outermost markers."""
    return quoted_call(pieces).split("\n", 1)[1].rsplit("\n", 1)[0]


def head_of_call(pieces: Pieces) -> str:
    """Return the head of a call, which makes it one; in JSON, a call without a name."""
    if isinstance(pieces.calls, TaggedCalls):
        return pieces.calls.call.replace("{name}", QUOTED[0]).rstrip()
    assert isinstance(pieces.calls, JsonCalls)
    return f'{pieces.calls.opening}{{"arguments": "{{}}"}}{pieces.calls.closing}'


def next_argument(pieces: Pieces, key: str) -> str:
    """Return what stands before the value of the argument `key`."""
    assert isinstance(pieces.calls, TaggedCalls)
    return pieces.calls.argument.partition("{value}")[0].replace("{key}", key)


def _markers(turns: Turns) -> tuple[str, str]:
    assert turns.pieces.reasoning is not None
    return turns.pieces.reasoning.opening.strip(), turns.pieces.reasoning.closing.strip()


def _think(turns: Turns, case: Case) -> None:
    """Give the turn reasoning, apart from its content."""
    for name in ("reasoning", "thinking"):
        case.turn.pop(name, None)
    case.turn["reasoning_content"] = turns.text()


def _calls(turns: Turns, case: Case) -> list[Any]:
    """Return the turn's calls, of which there is one at least."""
    case.turn["tool_calls"] = case.turn.get("tool_calls") or [turns.call(case.tools)]
    return case.turn["tool_calls"]  # type: ignore[no-any-return]


def _last_arguments(turns: Turns, case: Case) -> dict[str, Any]:
    """Return the arguments of the turn's last call, of which the last is a text that no schema restricts."""
    calls = _calls(turns, case)
    arguments: dict[str, Any] = calls[-1]["function"]["arguments"]
    arguments.pop("note", None)
    arguments["note"] = turns.text()
    return arguments


# Reasoning and content


def thinks_again(turns: Turns, case: Case) -> None:
    """Begin the content with the marker that opens reasoning, or with the one that closes it once more."""
    opening, closing = _markers(turns)
    _think(turns, case)
    shown = (f"{opening}\nAgain.\n{closing}\n\n", f"{opening}Again.{closing}", opening, f"{closing}\n\n")
    case.turn["content"] = turns.pick(shown) + turns.text()


def opens_twice(turns: Turns, case: Case) -> None:
    """Leave the marker that opens reasoning in it, or both markers."""
    opening, closing = _markers(turns)
    _think(turns, case)
    ends = (("", ""), ("\n", ""), ("\n", f"\n{closing}"), ("", closing))
    after, end = turns.pick(ends)
    case.turn["reasoning_content"] = opening + after + case.turn["reasoning_content"] + end


def closes_early(turns: Turns, case: Case) -> None:
    """Mention the marker that closes reasoning in the reasoning."""
    _think(turns, case)
    case.turn["reasoning_content"] += (
        turns.pick((" ", "\n", "")) + _markers(turns)[1] + turns.pick((" ", "\n\n", "")) + "and on."
    )


def closes_again(turns: Turns, case: Case) -> None:
    """Mention the marker that closes reasoning in the content."""
    _think(turns, case)
    case.turn["content"] = f"The marker {_markers(turns)[1]} ends it."


def reasons_inline(turns: Turns, case: Case) -> None:
    """Put the reasoning into the content, with its markers."""
    opening, closing = _markers(turns)
    for name in ("reasoning_content", "reasoning", "thinking"):
        case.turn.pop(name, None)
    case.turn["content"] = turns.pick((
        f"{opening}\n{turns.text()}\n{closing}\n\n{turns.text()}", f"{turns.text()}{closing}{turns.text()}",
        f"{opening}{turns.text()}{closing}\nlost{closing}\n{turns.text()}", f"{closing}{turns.text()}",
    ))  # fmt: skip


def stops_early(turns: Turns, case: Case) -> None:
    """Mention the marker that ends a turn, in the content or the reasoning."""
    stop = turns.pieces.stops[0]
    if turns.pieces.reasoning is not None and turns.name != "qwen3-tir" and turns.chance(0.4):
        _think(turns, case)
        case.turn["reasoning_content"] += f" {stop} and on"
    else:
        case.turn["content"] = f"{turns.text()}{turns.pick((' ', ''))}{stop} {turns.text()}"


def shows_a_call(turns: Turns, case: Case) -> None:
    """Show a whole call in the content."""
    case.turn["content"] = (
        f"Write:\n\n{quoted_call(turns.pieces)}{turns.pick((' and wait.', '', chr(10) + 'Then wait.'))}"
    )


def shows_a_bare_call(turns: Turns, case: Case) -> None:
    """Show a whole call in the content, without the outer markers, perhaps of one of the tools."""
    if turns.chance(0.7):
        parameters = {"type": "object", "properties": {"q": {"type": "string"}}}
        case.tools = [
            *(case.tools or ()),
            {"type": "function", "function": {"name": QUOTED[0], "parameters": parameters}},
        ]
    case.turn["content"] = f"Write\n{bare_call(turns.pieces)}{turns.pick((' and wait.', ''))}"


def shows_the_head(turns: Turns, case: Case) -> None:
    """Show the head of a call in the content, or a call without a name."""
    rest = turns.pick((" and so on.", "\nand so on."))
    if turns.name == "bailing-v3":  # where it takes an argument to tell that it is a head
        rest = "\n<arg_key>" + rest
    case.turn["content"] = f"It begins with\n{head_of_call(turns.pieces)}{rest}"


def thinks_of_a_call(turns: Turns, case: Case) -> None:
    """Show a whole call in the reasoning."""
    _think(turns, case)
    case.turn["reasoning_content"] = f"I could write\n{quoted_call(turns.pieces)}{turns.pick((' but will not.', ''))}"


def has_parts(turns: Turns, case: Case) -> None:
    """Give the content as a list of parts, as OpenAI's API allows."""
    case.turn["content"] = [{"type": "text", "text": turns.text()} for _ in range(turns.pick((1, 1, 2)))]


def says_nothing(turns: Turns, case: Case) -> None:
    """Leave all out."""
    case.turn.clear()
    case.turn.update(role="assistant", content=turns.pick(("", None, " ")))


def counts_tokens(turns: Turns, case: Case) -> None:
    """Put notices of the thinking budget into the reasoning; with a budget of 0 the prompt opens the first."""
    assert turns.hints.notice is not None
    opening, closing = turns.hints.notice.opening, turns.hints.notice.closing
    _think(turns, case)
    text = turns.text()
    case.turn["reasoning_content"] = f"{text}{opening}I have used 10 tokens.{closing}{turns.text()}"
    if turns.chance(0.5):
        case.turn["reasoning_content"] = f"{opening}There are 0 tokens left.{closing}"
        case.options["thinking_budget"] = 0


def thinks_unseen(turns: Turns, case: Case) -> None:
    """Give reasoning to a format that prints none."""
    case.turn["reasoning_content"] = turns.text()


# Calls


def argues_in_text(turns: Turns, case: Case) -> None:
    """Give arguments as JSON text, as OpenAI's API does, or none at all."""
    _last_arguments(turns, case)
    function = case.turn["tool_calls"][-1]["function"]
    function["arguments"] = turns.pick((json.dumps(function["arguments"]), json.dumps({"note": "x"}), None, 5))


def argues_not(turns: Turns, case: Case) -> None:
    """Leave the arguments out."""
    _last_arguments(turns, case)
    del case.turn["tool_calls"][-1]["function"]["arguments"]


def calls_barely(turns: Turns, case: Case) -> None:
    """Give a call without ``function`` around it."""
    calls = _calls(turns, case)
    function = calls[-1].pop("function")
    calls[-1] = {"id": "bare", **function}


def ends_in_a_value(turns: Turns, case: Case) -> None:
    """Show the end of a call inside a value."""
    arguments = _last_arguments(turns, case)
    arguments["note"] = (
        f"Write{turns.pick((' ', '', chr(10)))}{end_of_call(turns.pieces)}{turns.pick((' then', chr(10) + 'then', ''))}"
    )


def closes_in_a_value(turns: Turns, case: Case) -> None:
    """Show the end of a call, and how the next one begins, inside a value, without the end of the value."""
    arguments, calls = _last_arguments(turns, case), turns.pieces.calls
    assert isinstance(calls, TaggedCalls)
    arguments["note"] = f"Write{calls.closing}\n{calls.call.partition('>')[0]}> and so on"


def argues_in_a_value(turns: Turns, case: Case) -> None:
    """Show the end of a value, and another argument, inside a value."""
    arguments, pieces = _last_arguments(turns, case), turns.pieces
    assert isinstance(pieces.calls, TaggedCalls)
    closing = pieces.calls.argument.partition("{value}")[2]
    arguments["note"] = (
        f"Write{closing}{next_argument(pieces, turns.pick(('other', 'a b')))}{turns.pick(('this', '42', ''))}"
    )


def leaves_a_value_open(turns: Turns, case: Case) -> None:
    """Show, inside a value, how the value of an argument begins that is declared and not given."""
    tool = turns.tool("write_note")
    tool["function"]["parameters"] = {
        "type": "object",
        "properties": {"note": {"type": "string"}, "tags": {"type": "string"}},
    }
    case.tools = [*(case.tools or []), tool]
    arguments = {"note": f"Write\n{next_argument(turns.pieces, 'tags').lstrip()}{turns.pick(('and so on', ''))}"}
    call = {"id": "call_n", "type": "function", "function": {"name": "write_note", "arguments": arguments}}
    case.turn["tool_calls"] = [*(case.turn.get("tool_calls") or ()), call]


def names_oddly(turns: Turns, case: Case) -> None:
    """Call a tool by a name that is none."""
    call = {"type": "function", "function": {"name": turns.pick(("my tool", "<f>", 'say "hi"')), "arguments": {}}}
    case.turn["tool_calls"] = [*(case.turn.get("tool_calls") or ()), call]


def names_an_argument_oddly(turns: Turns, case: Case) -> None:
    """Give an argument a name with an angle bracket in it."""
    arguments = _last_arguments(turns, case)
    del arguments["note"]
    arguments[turns.pick(("a>b", "a<b"))] = "x"


def breaks_json(turns: Turns, case: Case) -> None:
    """Give arguments whose text is no JSON object."""
    _json_call(turns, case)["arguments"] = turns.pick(
        ('{"city": "Par', "Paris", "[1]", '{"a": 1} {"b": 2}', "{'a': 1}", "{a: 1}", "null")
    )


def spaces_json(turns: Turns, case: Case) -> None:
    """Put space around the JSON text of arguments."""
    function = _json_call(turns, case)
    function["arguments"] = f"{turns.pick((' ', '', chr(10)))}{function['arguments']}{turns.pick((' ', chr(10)))}"


def argues_nothing(turns: Turns, case: Case) -> None:
    """Give arguments that are an empty text, or null."""
    _json_call(turns, case)["arguments"] = turns.pick(("", None, " "))


def has_no_id(turns: Turns, case: Case) -> None:
    """Give a call an id that is no text."""
    _json_call(turns, case)
    case.turn["tool_calls"][-1]["id"] = turns.pick((None, 7))


def _json_call(turns: Turns, case: Case) -> dict[str, Any]:
    """Return the last call's function, with arguments as JSON text."""
    calls = _calls(turns, case)
    function: dict[str, Any] = calls[-1]["function"]
    if not isinstance(function["arguments"], str):
        function["arguments"] = json.dumps(function["arguments"])
    return function


# TIR: a turn that is all in its content


def calls_apart(turns: Turns, case: Case) -> None:
    """Give a call apart from the content, where the format has no place for it."""
    case.turn["tool_calls"] = [turns.call(case.tools)]


def answers_at_once(turns: Turns, case: Case) -> None:
    """Give an answer without the marker that closes the reasoning."""
    for name in ("reasoning_content", "reasoning", "thinking"):
        case.turn.pop(name, None)
    case.turn["content"] = turns.text()


_TAGGED: tuple[Odd, ...] = (
    thinks_again, opens_twice, closes_early, closes_again, stops_early, stops_early, shows_a_call, shows_the_head,
    thinks_of_a_call, has_parts, calls_barely, ends_in_a_value, closes_in_a_value, argues_in_a_value,
    leaves_a_value_open, names_oddly,
)  # fmt: skip
_INLINE: tuple[Odd, ...] = (
    thinks_again, opens_twice, closes_early, closes_again, stops_early, has_parts, calls_apart, answers_at_once,
    reasons_inline,
)  # fmt: skip
_JSON: tuple[Odd, ...] = (
    stops_early, shows_a_call, shows_the_head, has_parts, calls_barely, thinks_unseen, thinks_unseen, breaks_json,
    spaces_json, argues_nothing, has_no_id,
)  # fmt: skip

ODD: dict[str, tuple[Odd, ...]] = {
    "qwen3.6": (*_TAGGED, shows_a_bare_call, reasons_inline, reasons_inline, argues_in_text, argues_in_text),
    "bailing-v3": (*_TAGGED, reasons_inline, reasons_inline),
    "seed-oss": (*_TAGGED, shows_a_bare_call, says_nothing, counts_tokens, counts_tokens, argues_not),
    "qwen3-tir": _INLINE,
    "qwen2.5-ja-struct": _JSON,
}
"""The ways to be odd, by format; one that is listed twice comes twice as often."""
