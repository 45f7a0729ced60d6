"""What formats lose of tool calls: rules of `canon`, one loss each; first tagged pairs, then JSON.

Rules: a rule changes the draft where something is lost, and says whether it did; its first line says what and why. What
a value comes back as is told by `typed`.
"""

from __future__ import annotations

import json
import re
from typing import Any, Literal

from drafts import SPACE, Draft, object_of
from odd_turns import end_of_call, next_argument
from typed import read_back, written

_NAME = re.compile(r"[^\s<>\"'`]{1,256}").fullmatch

# Tagged pairs, as they are written


def text_arguments(draft: Draft) -> bool:
    """Arguments that are a text are written as one argument of the name ``arguments``."""
    changed = False
    for call in draft.calls:
        if isinstance(call.arguments, str):
            call.arguments, call.plain, changed = {"arguments": call.arguments}, False, True
    return changed


def arguments_dropped(draft: Draft) -> bool:
    """Arguments that are no object are written as none."""
    changed = False
    for call in draft.calls:
        if not isinstance(call.arguments, (dict, str)):
            call.arguments, changed = {}, True
    return changed


# Tagged pairs, as they are read


def name_is_text(draft: Draft) -> bool:
    """A call of a name with white space, angle brackets or quotes in it is no call: it is content as it was written."""
    changed = False
    while draft.calls and not _NAME(draft.calls[-1].name):
        call, syntax = draft.calls.pop(), draft.tagged
        assert not call.arguments
        spacing = syntax.spacing
        space = spacing.between if draft.calls else spacing.after_content if draft.content else spacing.first
        draft.content += space + syntax.call.replace("{name}", call.name) + syntax.closing
        changed = True
    return changed


def end_in_value(draft: Draft) -> bool:
    """The end of a call inside a value ends the value and the call: the rest is content."""
    end, changed = end_of_call(draft.pieces), False
    for call, key, value in list(draft.values()):
        if isinstance(value, str) and end in value:
            assert call is draft.calls[-1]
            assert key == next(reversed(call.arguments))
            call.arguments[key], _, rest = value.partition(end)
            draft.content += rest + end
            changed = True
    return changed


def closing_in_value(draft: Draft) -> bool:
    """The end of a call inside a value, where the next one seems to begin behind it, ends both: the rest is content."""
    closing, changed = draft.tagged.closing, False
    end = f"{closing}\n{draft.tagged.call.partition('>')[0]}>"
    for call, key, value in list(draft.values()):
        if isinstance(value, str) and end in value:
            assert call is draft.calls[-1]
            call.arguments[key] = value.partition(end)[0]
            draft.content += value.partition(closing)[2] + end_of_call(draft.pieces)
            call.plain, changed = False, True
    return changed


def argument_in_value(draft: Draft) -> bool:
    """The end of a value and an argument inside a value are an argument of their own."""
    before, after = draft.tagged.argument.split("{value}")
    pattern = re.compile(re.escape(after) + re.escape(before).replace(re.escape("{key}"), "([^<>\n]*)"))
    changed = False
    for call, key, value in list(draft.values()):
        found = pattern.search(value) if isinstance(value, str) else None
        if found:
            call.arguments[key], call.arguments[found[1]] = value[: found.start()], value[found.end() :]
            call.plain, changed = False, True
    return changed


def declared_argument_in_value(draft: Draft) -> bool:
    """The start of an argument that is declared and not given, on a line of its own in a value, begins the argument."""
    changed = False
    for call, key, value in list(draft.values()):
        declared = (draft.parameters(call.name) or {}).get("properties", {})
        for name in declared.keys() - call.arguments.keys():
            start = "\n" + next_argument(draft.pieces, name).lstrip()
            if isinstance(value, str) and start in value:
                call.arguments[key], _, call.arguments[name] = value.partition(start)
                call.plain, changed = False, True
    return changed


def untyped_value(draft: Draft) -> bool:
    """A value of which the schema says nothing is text: its tags say no type either."""
    return _typed(draft, "untyped")


def value_as_text(draft: Draft) -> bool:
    """A value that the schema does not allow is text, where it allows text; and where text comes first."""
    return _typed(draft, "as text")


def text_as_value(draft: Draft) -> bool:
    """A text that spells a value that the schema allows, and allows before text, is that value."""
    return _typed(draft, "as value")


def text_respelled(draft: Draft) -> bool:
    """A text that spells such a value in another way than the format does is written anew as the value."""
    return _typed(draft, "respelled")


def number_retyped(draft: Draft) -> bool:
    """A whole number with a point is an integer, where the schema wants one."""
    return _typed(draft, "retyped")


def _typed(draft: Draft, wanted: Literal["untyped", "as text", "as value", "respelled", "retyped"]) -> bool:
    changed = False
    for call, key, value in draft.values():
        options = draft.options_of(call, key)
        back = read_back(value, options, draft.style)
        if exact(back) != exact(value) and _kind_of_loss(value, back, options, draft) == wanted:
            call.arguments[key] = back
            changed = True
    return changed


def _kind_of_loss(value: Any, back: Any, options: list[Any], draft: Draft) -> str:
    if isinstance(value, str):
        return "as value" if written(back, draft.style) == value else "respelled"
    if isinstance(back, str):
        return "as text" if options else "untyped"
    return "retyped"


# JSON


def call_rewrapped(draft: Draft) -> bool:
    """A call without ``function`` is written whole; it comes back with it."""
    return any(call.bare for call in draft.calls)


def id_replaced(draft: Draft) -> bool:
    """An id that is no text is none: the call gets one of its index."""
    changed = False
    for index, call in enumerate(draft.calls):
        if not isinstance(call.id, str):
            call.id, changed = f"call_{index}", True
    return changed


def arguments_empty(draft: Draft) -> bool:
    """Arguments that are null or a blank text are no arguments: an empty object."""
    changed = False
    for call in draft.calls:
        if call.arguments is None or (isinstance(call.arguments, str) and not call.arguments.strip(SPACE)):
            call.arguments, call.plain, changed = f"{call.arguments or ''}{{}}", False, True
    return changed


def arguments_broken(draft: Draft) -> bool:
    """A call whose arguments are no JSON object is no call for a client; the turn has it as content."""
    changed = False
    for call in draft.calls:
        if isinstance(call.arguments, str) and object_of(call.arguments) is None:
            call.usable, changed = False, True
    return changed


def calls_dropped(draft: Draft) -> bool:
    """Calls apart from the content are not written."""
    before, draft.calls = draft.calls, []
    return bool(before)


def exact(value: Any) -> str:
    """Return a text that is the same for values that are the same JSON: 1 and 1.0 are not, nor is the order of keys."""
    return json.dumps(value)
