"""What formats lose of reasoning and content: rules of `canon`, one loss each.

Rules: a rule changes the draft where something is lost, and says whether it did; its first line says what and why.
"""

from __future__ import annotations

import json
from dataclasses import replace

from chatcodec.reply.json_calls import JsonCalls
from drafts import SPACE, Draft, DraftCall, without_end, without_opening, without_start
from odd_turns import QUOTED, SHOWN_ID, bare_call, head_of_call, quoted_call

# As it is written


def parts_joined(draft: Draft) -> bool:
    """Content that is a list of text parts is written as one text."""
    if not isinstance(draft.content, list):
        return False
    draft.content = "".join(part["text"] for part in draft.content)
    return True


def parts_dropped(draft: Draft) -> bool:
    """Content that is no text is not written."""
    if not isinstance(draft.content, list):
        return False
    draft.content = ""
    return True


def parts_as_python(draft: Draft) -> bool:
    """Content that is no text is written as Python prints it."""
    if not isinstance(draft.content, list):
        return False
    draft.content = str(draft.content)
    return True


def inline_reasoning(draft: Draft) -> bool:
    """Content with reasoning in it is split, where none is apart: before the first closing marker, after the last."""
    if draft.reasoning is not None or draft.closing not in draft.content:
        return False
    before, _, _ = draft.content.partition(draft.closing)
    _, _, draft.content = draft.content.rpartition(draft.closing)
    draft.reasoning = before.rstrip("\n").rpartition(draft.opening)[2].lstrip("\n")
    draft.content = draft.content.lstrip("\n")
    return True


def reasoning_trimmed(draft: Draft) -> bool:
    """White space at the ends of reasoning is left out."""
    before, draft.reasoning = draft.reasoning, (draft.reasoning or "").strip()
    return (before or "") != draft.reasoning


def content_trimmed(draft: Draft) -> bool:
    """White space at the ends of content is left out."""
    before, draft.content = draft.content, draft.content.strip()
    return bool(before != draft.content)


def reasoning_newlines(draft: Draft) -> bool:
    """Newlines at the ends of reasoning are left out."""
    before, draft.reasoning = draft.reasoning, (draft.reasoning or "").strip("\n")
    return (before or "") != draft.reasoning


def content_newlines(draft: Draft) -> bool:
    """Newlines at the start of content are left out, where reasoning is before it."""
    before, draft.content = draft.content, draft.content.lstrip("\n") if draft.apart else draft.content
    return bool(before != draft.content)


def reasoning_dropped(draft: Draft) -> bool:
    """Reasoning is not written."""
    before, draft.reasoning = draft.reasoning, None
    return bool(before)


def empty_turn(draft: Draft) -> bool:
    """A turn without reasoning, content and calls is only the head of a header: not even what the prompt has."""
    return not (draft.reasoning or draft.content or draft.calls)


# As it is read


def stop_in_reasoning(draft: Draft) -> bool:
    """The marker that ends a turn ends it in reasoning too: the rest is lost."""
    stop = draft.pieces.stops[0]
    if stop not in (draft.reasoning or ""):
        return False
    draft.reasoning = (draft.reasoning or "").partition(stop)[0]
    draft.content, draft.calls, draft.cut = "", [], True
    return True


def stop_in_content(draft: Draft) -> bool:
    """The marker that ends a turn ends it in content too: the rest is lost, and the calls."""
    stop = draft.pieces.stops[0]
    if stop not in draft.content:
        return False
    draft.content, draft.calls, draft.cut = draft.content.partition(stop)[0], [], True
    return True


def opening_in_reasoning(draft: Draft) -> bool:
    """The marker that opens reasoning, once more at its start, is left out: models repeat it behind the prompt's."""
    before, draft.reasoning = draft.reasoning or "", without_opening(draft.reasoning or "", draft)
    return before != draft.reasoning


def closing_in_reasoning(draft: Draft) -> bool:
    """The marker that closes reasoning closes it where it stands; the rest is content, and so is the next marker."""
    if draft.closing not in (draft.reasoning or ""):
        return False
    assert draft.pieces.reasoning is not None
    _, before, after = draft.spaces
    reasoning, _, rest = (draft.reasoning or "").partition(draft.closing)
    closing = draft.pieces.reasoning.closing
    if not draft.content and (draft.calls or not draft.opened):
        closing = closing.rstrip()  # what is behind it is the space before a call, or not written
    draft.reasoning = without_end(reasoning, before)
    draft.content = without_start(rest, after) + ("" if draft.cut else closing + draft.content)
    return True


def call_in_reasoning(draft: Draft) -> bool:
    """A whole call in reasoning is a call, and ends the reasoning: the rest is content."""
    reasoning, shown, rest = (draft.reasoning or "").partition(quoted_call(draft.pieces))
    if not shown:
        return False
    draft.reasoning = reasoning
    draft.content = (rest + draft.spaces[1] if rest.strip() else "") + draft.content
    draft.calls.insert(0, _quoted(draft))
    return True


def reasoning_again(draft: Draft) -> bool:
    """A marker of reasoning at the start of content is one: it begins reasoning again, or is doubled."""
    closed, changed = draft.opened or bool(draft.reasoning), False
    behind_opening, before, after = draft.spaces
    while True:
        content = draft.content.lstrip(SPACE)
        if content.startswith(draft.opening):
            content = without_opening(without_start(content.removeprefix(draft.opening), behind_opening), draft)
            reasoning, marker, rest = content.partition(draft.closing)
            if not marker and draft.calls:
                reasoning += draft.tagged.spacing.after_content  # no longer between content and calls
            draft.reasoning = (draft.reasoning or "") + (without_end(reasoning, before) if marker else reasoning)
            draft.content, closed = without_start(rest, after), True
        elif closed and content.startswith(draft.closing):
            draft.content = without_start(content.removeprefix(draft.closing), after)
        else:
            return changed
        changed = True


def call_in_content(draft: Draft) -> bool:
    """A whole call in content is a call."""
    content, shown, rest = draft.content.partition(quoted_call(draft.pieces))
    if not shown:
        return False
    assert draft.pieces.calls is not None
    draft.content = without_end(content, draft.pieces.calls.spacing.after_content) + rest
    draft.calls.insert(0, _quoted(draft))
    return True


def bare_call_in_content(draft: Draft) -> bool:
    """A whole call of a known tool in content is a call also without its outer markers, which models forget."""
    content, shown, rest = draft.content.partition(bare_call(draft.pieces))
    if not shown or (draft.tools and draft.parameters(QUOTED[0]) is None):
        return False
    draft.content = without_end(content, draft.tagged.spacing.after_content) + rest
    draft.calls.insert(0, _quoted(draft))
    return True


def head_in_content(draft: Draft) -> bool:
    """The head of a call in content is a call, but none for a client: the turn has it in its content."""
    content, shown, rest = draft.content.partition(head_of_call(draft.pieces))
    if not shown:
        return False
    assert draft.pieces.calls is not None
    draft.content = without_end(content, draft.pieces.calls.spacing.after_content) + rest
    draft.calls.insert(0, replace(_quoted(draft), usable=False))
    return True


def notice_in_prompt(draft: Draft) -> bool:
    """With a budget of 0 the prompt opens the reasoning and a notice in it: that is in the turn, not in the message."""
    if draft.options.get("thinking_budget") != 0 or draft.hints.notice is None or not draft.reasoning:
        return False
    draft.reasoning = draft.reasoning.removeprefix(draft.hints.notice.opening)
    return True


def _quoted(draft: Draft) -> DraftCall:
    name, arguments = QUOTED
    if isinstance(draft.pieces.calls, JsonCalls):
        return DraftCall(name, json.dumps(arguments), SHOWN_ID, plain=False)
    return DraftCall(name, dict(arguments), plain=False)
