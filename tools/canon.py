"""What a format keeps of a turn: what comes back when it is rendered and read, declared field by field.

`canon(name, turn, tools, options)` says it. A format has a list of rules, in the order of a turn's text: first what is
lost when a turn is written, then what cannot be told when it is read. A rule is a small function that changes a draft
of the message, and says whether it did. Its name is that of the loss, the first line of its docstring says what is
lost and why. Rules: all is told by the wire text of the format and the schemas of the tools; the reader is never asked.
Each rule of a format has a vector, vectors/formats/NAME/canon/LOSS.json.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import chatcodec
import lost_inline
from drafts import Draft, reasoning_of
from lost_calls import (
    argument_in_value,
    arguments_broken,
    arguments_dropped,
    arguments_empty,
    call_rewrapped,
    calls_dropped,
    closing_in_value,
    declared_argument_in_value,
    end_in_value,
    id_replaced,
    name_is_text,
    number_retyped,
    text_arguments,
    text_as_value,
    text_respelled,
    untyped_value,
    value_as_text,
)
from lost_text import (
    bare_call_in_content,
    call_in_content,
    call_in_reasoning,
    closing_in_reasoning,
    content_newlines,
    content_trimmed,
    empty_turn,
    head_in_content,
    inline_reasoning,
    notice_in_prompt,
    opening_in_reasoning,
    parts_as_python,
    parts_dropped,
    parts_joined,
    reasoning_again,
    reasoning_dropped,
    reasoning_newlines,
    reasoning_trimmed,
    stop_in_content,
    stop_in_reasoning,
)

Rule: TypeAlias = Callable[[Draft], bool]

_TEXT = (
    stop_in_reasoning,
    opening_in_reasoning,
    closing_in_reasoning,
    call_in_reasoning,
    reasoning_again,
    stop_in_content,
)
_SHOWN = (call_in_content, head_in_content)
_STRUCTURE = (name_is_text, end_in_value, closing_in_value, argument_in_value, declared_argument_in_value)
_VALUES = (untyped_value, value_as_text, text_as_value, text_respelled, number_retyped)
_TAGGED = (*_TEXT, *_SHOWN, *_STRUCTURE, *_VALUES)

RULES: dict[str, tuple[Rule, ...]] = {
    "qwen3.6": (
        parts_joined, inline_reasoning, reasoning_trimmed, content_trimmed, text_arguments, arguments_dropped, *_TAGGED,
        bare_call_in_content,
    ),
    "bailing-v3": (parts_joined, inline_reasoning, reasoning_newlines, content_newlines, *_TAGGED),
    "seed-oss": (
        parts_dropped, reasoning_trimmed, content_trimmed, arguments_dropped, empty_turn, notice_in_prompt, *_TAGGED,
        bare_call_in_content,
    ),
    "qwen3-tir": (
        calls_dropped, parts_dropped, reasoning_newlines, content_newlines,
        lost_inline.stop_in_text, lost_inline.opening_in_reasoning, lost_inline.closing_in_reasoning,
        lost_inline.reasoning_again, lost_inline.reasoning_unclosed,
    ),
    "qwen2.5-ja-struct": (
        reasoning_dropped, parts_as_python, stop_in_content, *_SHOWN, call_rewrapped, id_replaced, arguments_empty,
        arguments_broken,
    ),
}  # fmt: skip
"""What each format loses, in the order in which it is lost."""

_MOVED = {
    "call-in-content", "bare-call-in-content", "call-in-reasoning", "name-is-text", "end-in-value", "closing-in-value",
}  # fmt: skip
_MARKED = {
    "stop-in-reasoning",
    "opening-in-reasoning",
    "closing-in-reasoning",
    "reasoning-again",
    "declared-argument-in-value",
}
_SPELLED = {"text-respelled", "number-retyped"}
_TAGGED_AGAIN = _MOVED | _MARKED | _SPELLED

REWRITES: dict[str, set[str]] = {
    "qwen3.6": _TAGGED_AGAIN | {"stop-in-content"},
    "bailing-v3": _TAGGED_AGAIN - {"bare-call-in-content"} | {"content-newlines"},
    "seed-oss": _TAGGED_AGAIN | {"stop-in-content", "empty-turn"},
    "qwen3-tir": set(),
    "qwen2.5-ja-struct": {
        "call-in-content", "call-rewrapped", "id-replaced", "arguments-empty", "arguments-broken",
    },
}  # fmt: skip
"""Losses after which the turn that comes back is not written as it was.

A message has its calls behind its content, so a call that stood before text moves, and so does what was no call behind
one; a marker that was left out or meant something else is written where the format has it; a value is spelled as the
format spells it; what was trimmed before a stop is trimmed again.
"""


def loss(rule: Rule) -> str:
    """Return the name of what a rule says is lost, as it is in tables and in the names of vectors."""
    return rule.__name__.replace("_", "-")


def canon(name: str, turn: Mapping[str, Any], tools: Sequence[Any] | None, options: Mapping[str, Any]) -> Draft:
    """Return what the format `name` keeps of a turn."""
    codec = chatcodec.load(name)
    reasoning, content = reasoning_of(turn), turn.get("content")
    if name != "qwen3.6":
        reasoning = reasoning or None  # an empty one is none
    draft = Draft(codec.pieces, codec.hints, tools, options, reasoning, "" if content is None else content)
    draft.opened, draft.apart = name != "seed-oss", bool(reasoning)
    for call in turn.get("tool_calls") or ():
        function = call.get("function", call)
        beside = {"id": call.get("id") if name == "qwen2.5-ja-struct" else None, "bare": "function" not in call}
        draft.calls.append(draft.call(function["name"], function.get("arguments"), **beside))
    for rule in RULES[name]:
        if rule(draft):
            draft.losses.append(loss(rule))
    if name == "qwen3-tir":
        lost_inline.read(draft)
    return draft
