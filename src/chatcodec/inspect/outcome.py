"""What comes of a probe: an `Outcome`, one word and what there is to add to it.

Rules: a word of the chat is printed if the prompt has it, and lost if it has not. A refusal is what the template raises
itself, in its own words; whatever else is raised is a failure. It does not know what a probe is for.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from chatcodec.errors import ChatCodecError, LimitExceeded, TemplateFailed, TemplateRefused, UnsafeTemplate
from chatcodec.render.rendered import Rendered
from chatcodec.render.span import Span
from chatcodec.templates.probes import USER, Probes, call


@dataclass(frozen=True, slots=True)
class Outcome:
    """What comes of something that a chat has: ``how`` is a word, ``detail`` is '' or what there is to add."""

    how: str
    detail: str = ""


PRINTED, LOST = Outcome("printed"), Outcome("lost")


def tried(
    probes: Probes,
    messages: Sequence[Mapping[str, Any]],
    *,
    tools: bool = False,
    generation: bool = False,
    options: Mapping[str, Any] | None = None,
) -> Rendered | Outcome:
    """Return the prompt of a probe, or why there is none.

    Where the codec takes no tools, there are none; where it takes arguments as text only, they are texts.
    """
    tools = tools and takes_tools(probes)
    if any(message.get("tool_calls") for message in messages) and not takes_objects(probes):
        messages = [_with_text_arguments(message) for message in messages]
    return tried_as_it_is(probes, messages, tools=tools, generation=generation, options=options)


def tried_as_it_is(
    probes: Probes,
    messages: Sequence[Mapping[str, Any]],
    *,
    tools: bool = False,
    generation: bool = False,
    options: Mapping[str, Any] | None = None,
) -> Rendered | Outcome:
    """Return the prompt of a probe, or why there is none."""
    found = probes.render(messages, tools=tools, generation=generation, options=options)
    return found if isinstance(found, Rendered) else failure(found)


def takes_tools(probes: Probes) -> bool:
    """Whether a question with tools renders, or does not render without them either."""
    asked = [{"role": "user", "content": USER}]
    with_tools, without = (isinstance(probes.render(asked, tools=tools), Rendered) for tools in (True, False))
    return with_tools or not without


def takes_objects(probes: Probes) -> bool:
    """Whether calls whose arguments are an object render, or those with text do not either."""
    tools = takes_tools(probes)
    turns = (_call({"a": "b"}), _call('{"a": "b"}'))
    asked = {"role": "user", "content": USER}
    as_object, as_text = (isinstance(probes.render([asked, turn], tools=tools), Rendered) for turn in turns)
    return as_object or not as_text


def _call(arguments: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": "", "tool_calls": [call(0, arguments)]}


def _with_text_arguments(message: Mapping[str, Any]) -> Mapping[str, Any]:
    calls = message.get("tool_calls")
    return {**message, "tool_calls": [_as_text(each) for each in calls]} if calls else message


def _as_text(made: Mapping[str, Any]) -> Mapping[str, Any]:
    if "function" in made:
        return {**made, "function": _as_text(made["function"])}
    arguments = made.get("arguments")
    return {**made, "arguments": json.dumps(arguments)} if isinstance(arguments, dict) else made


def failure(error: ChatCodecError) -> Outcome:
    """Return what an error says."""
    if isinstance(error, TemplateRefused):
        return Outcome("refused", error.message)
    if isinstance(error, LimitExceeded):
        return Outcome("over a limit", error.limit)
    if isinstance(error, (TemplateFailed, UnsafeTemplate)):
        place = "" if error.line is None else f"line {error.line}: "
        return Outcome("fails", place + error.words)
    return Outcome("fails", error.message)


def seen(result: Rendered | Outcome, *texts: str) -> Outcome:
    """Return whether a prompt has all these texts, in any case; or why there is no prompt."""
    if isinstance(result, Outcome):
        return result
    prompt = result.text.casefold()
    return PRINTED if all(text.casefold() in prompt for text in texts) else LOST


def written_for(result: Rendered, index: int) -> str:
    """Return the text that a prompt has for the message at `index`."""
    inside = f"/messages/{index}/"
    own = (span for span in result.spans if span.message == index or f"{span.pointer}/".startswith(inside))
    return "".join(result.text[span.start : span.end] for span in own)


def between(result: Rendered, first: str, second: str) -> str | None:
    """Return what stands between two words; None if they are not there in this order."""
    begin = result.text.find(first)
    end = result.text.find(second, begin + len(first)) if begin >= 0 else -1
    return None if end < 0 else result.text[begin + len(first) : end]


def span_of(result: Rendered, word: str) -> Span | None:
    """Return the span in which a word first stands."""
    at = result.text.find(word)
    return None if at < 0 else next(span for span in result.spans if span.start <= at < span.end)
