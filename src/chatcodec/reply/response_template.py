"""Pieces as a Hugging Face response template: what ``tokenizer.parse_response`` of transformers reads replies by.

Rules: the template is plain JSON, for ``response_template`` in tokenizer_config.json. White space is declared as the
pieces declare it, so nothing is stripped. Patterns hold literal text, white space, character classes and looks ahead,
no more. What a response template cannot say is returned beside it, as sentences. The way back is in
`read_response_template`.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from chatcodec.reply.json_calls import JsonCalls
from chatcodec.reply.json_shape import members
from chatcodec.reply.keyed_calls import KeyedCalls
from chatcodec.reply.named_calls import NamedCalls
from chatcodec.reply.patterns import any_of, escaped, gap, gapped, up_to
from chatcodec.reply.pieces import NO_HINTS, Block, Calls, Hints, Pieces
from chatcodec.reply.python_calls import PythonCalls
from chatcodec.reply.response_import import Imported, read_response_template
from chatcodec.reply.tagged import TaggedCalls

__all__ = ["Exported", "Imported", "export", "read_response_template"]

NAME_SLOT, KEY_SLOT = r"""[\w$@][^\s<>"'`{}]{0,255}?""", r"[^\r\n<>]{0,256}?"
NAME = f"(?P<name>{NAME_SLOT})"
"""What a name and a key are, as `chatcodec.reply.match.Slot` has them."""

ALWAYS = (
    "Markers count wherever their text stands: token ids are not looked at.",
    "The message also has what the prompt has of the turn.",
)
REASONING = ("A closing marker that is written twice, and reasoning that is opened once more, are content.",)
CALLS = (
    "A value that mentions what closes a call ends the call.",
    "Calls have no status, and a marker that a model left out is not made up for.",
    "White space between a call and text behind it is dropped.",
    "How calls are spaced where they are written is not said.",
)
TAGGED = (
    "A call that is cut off counts as whole, with the arguments that were complete.",
    "Schemas are read by type, anyOf, oneOf and nullable only, and the first type that a text may be of counts.",
)
PYTHON = ("Lists and objects that are written as Python prints them stay text.",)
NAMED = ("A call that is cut off, or whose JSON does not parse, makes the whole reply fail.",)
KEYED = (
    "A text ends at the first marker that ends one.",
    "Names of arguments are letters, digits and _, right behind a bracket or a comma; white space is not free.",
    "No words but true, false and null are read, and no value without markers as text.",
)
JSON = (*NAMED, "Several calls in one list, and calls of another shape than the declared one, are not read.")
AS_TEXT = ("Arguments that are JSON text inside a string stay text.",)
NO_CALLS = ("Calls are content: a transform cannot name the members of their object.",)
CONTENT = ("Text outside of the markers of content is dropped.",)
RESPONSE = (
    "Calls that have their response already are among the calls.",
    "A response inside the turn is dropped, and the text behind it counts as reasoning.",
    "Text between a call inside reasoning and its response is content.",
)
PLAIN_RESPONSE = ("A response inside the turn is content.",)
NOTICE = ("A notice inside reasoning is not told apart from it.",)


class Exported(NamedTuple):
    """A response template, and what of the pieces it does not say, a sentence each."""

    template: dict[str, Any]
    lost: tuple[str, ...]


class _Call(NamedTuple):
    """What the template needs of calls: a pattern that tells where one begins, their field, and what it loses."""

    opener: str
    field: dict[str, Any]
    lost: tuple[str, ...]


def export(pieces: Pieces, hints: Hints = NO_HINTS) -> Exported:
    """Return the response template that reads what these pieces read, as far as one can."""
    calls = pieces.calls or hints.calls
    call = _call(calls) if calls else None
    stops = [escaped(stop.strip()) for stop in pieces.stops]
    ends = [*stops, *([call.opener] if call else [])]
    fields: dict[str, Any] = {}
    lost = list(ALWAYS)
    if pieces.reasoning:
        opening = _reasoning_opening(pieces.reasoning, hints.response)
        fields["reasoning_content"] = _text(opening, pieces.reasoning, ends)
        lost += REASONING
    if call:
        fields["tool_calls"] = call.field
    if calls:
        lost += call.lost if call else NO_CALLS
    if pieces.content:
        fields["content"] = _text(_marker(pieces.content.opening), pieces.content, ends)
        lost += CONTENT
    else:
        fields["content"] = _rest(stops, calls.section if calls and call else None)
    if hints.response:
        lost += RESPONSE if pieces.reasoning else PLAIN_RESPONSE
    if hints.notice:
        lost += NOTICE
    anchor = {"start_anchor": pieces.header} if pieces.header else {"start_anchor_pattern": "$"}
    template = {"version": 1, "defaults": {"role": "assistant"}, **anchor, "fields": fields}
    return Exported(template, tuple(lost))


def _text(opening: str, block: Block, ends: list[str]) -> dict[str, Any]:
    """Return a field of text inside a block, which one of `ends` ends too."""
    looks = [f"(?={'|'.join(ends)})"] if ends else []
    closing = [_marker(block.closing)] if block.closing else []
    return {"open_pattern": opening, "close_pattern": "|".join([*closing, *looks]) or "$", **_verbatim()}


def _rest(stops: list[str], section: Block | None) -> dict[str, Any]:
    """Return the field of all text that no other field has, without the marker behind all calls."""
    marker = [gapped(section.closing.strip(), {}) + r"\s*"] if section else []
    ends = [*marker, *([any_of(stops) + ".*"] if stops else [])]
    return {**({"close_pattern": "|".join(ends)} if ends else {}), **_verbatim()}


def _verbatim() -> dict[str, Any]:
    return {"content": "text", "content_args": {"strip": False}, "repeats": True, "join": ""}


def _space_before(one: str, other: str) -> str:
    """Return the pattern of the end of either white space."""
    if one.endswith(other) or other.endswith(one):
        return up_to(max(one, other, key=len), behind=False)
    return f"(?:{up_to(one, behind=False)}|{up_to(other, behind=False)})?"


def _marker(literal: str) -> str:
    """Return the pattern of a marker, with as much of the white space beside it as is there."""
    before, marker, behind = _cut(literal)
    return up_to(before, behind=False) + escaped(marker) + up_to(behind, behind=True)


def _cut(literal: str) -> tuple[str, str, str]:
    marker = literal.strip()
    return literal[: len(literal) - len(literal.lstrip())], marker, literal[len(literal.rstrip()) :]


def _reasoning_opening(reasoning: Block, response: Block | None) -> str:
    """Return the pattern of what opens reasoning: its marker where the turn begins, or a response inside the turn."""
    _, marker, behind = _cut(reasoning.opening)
    opening = rf"^\s*{escaped(marker)}{up_to(behind, behind=True)}"
    if response is None:
        return opening
    before, opened, after = _cut(response.opening)
    inside = f"{escaped(opened)}{up_to(after, behind=True)}.*?{_marker(response.closing)}"
    return f"{opening}|{gap(before) if before else ''}{inside}"


def _call(calls: Calls) -> _Call | None:
    if isinstance(calls, PythonCalls):
        return None
    if isinstance(calls, TaggedCalls):
        return _tagged(calls) if calls.other is None is calls.quotes else None
    unmarked = not calls.closing or (isinstance(calls, JsonCalls) and (calls.list is not None or not calls.opening))
    if unmarked or (isinstance(calls, (NamedCalls, KeyedCalls)) and "{name}" not in calls.call):
        return None  # a field needs markers around it, and a name
    if isinstance(calls, KeyedCalls):
        return _keyed(calls)
    return _named(calls) if isinstance(calls, NamedCalls) else _json(calls)


def _framed(calls: Calls, opening: str, opener: str, field: dict[str, Any], *lost: str) -> _Call:
    """Return what the template needs of calls, each of which begins with `opening`, and with `opener` to look ahead."""
    separator = _left_out(calls.spacing.between)
    before, behind = (_left_out(calls.section.opening), _left_out(calls.section.closing)) if calls.section else ("", "")
    space = _space_before(calls.spacing.after_content, calls.spacing.first)
    delimiters = {
        "open_pattern": space + before + separator + opening,
        "close_pattern": gapped(calls.closing.rstrip(), {}) + r"\s*" + separator + behind,
    }
    return _Call(before + opener, {**delimiters, "repeats": True, **field}, (*CALLS, *lost))


def _left_out(marker: str) -> str:
    """Return the pattern of a marker that says nothing, where it is there."""
    return rf"(?:{gapped(marker.strip(), {})}\s*)?" if marker.strip() else ""


def _tagged(calls: TaggedCalls) -> _Call:
    pair, _, behind = calls.argument.partition("{value}")
    key = pair.partition("{key}")[0].split()[0]
    structure = any_of([escaped(marker) for marker in (key, *calls.closing.split())])
    follows = rf"(?=\s*{structure})" if calls.call.rstrip().endswith("{name}") else ""
    lead, tail = pair[len(pair.rstrip()) :], behind[: len(behind) - len(behind.lstrip())]
    tag = (
        gapped(pair.rstrip(), {"{key}": f"(?P<key>{KEY_SLOT})"})
        + up_to(lead, behind=True)
        + "(?P<value>.*?)"
        + up_to(tail, behind=False)
        + gapped(behind.lstrip(), {})
        + rf"(?=\s*(?:{escaped(key)}|$))"
    )
    field = {"content": "xml-inline", "content_args": {"tag_pattern": tag}, "transform": _named_parts(calls.call)}
    opening = gapped(calls.call.lstrip(), {"{name}": NAME}) + follows
    opener = gapped(calls.call.strip(), {"{name}": NAME_SLOT}) + follows
    return _framed(calls, opening, opener, field, *TAGGED, *(PYTHON if calls.values == "str" else ()))


def _named(calls: NamedCalls | KeyedCalls) -> _Call:
    call = calls.call.strip()
    opening = gapped(call, {"{name}": NAME, "{id}": NAME.replace("name", "id")}) + r"\s*(?=\{)"
    opener = gapped(call, {"{name}": NAME_SLOT, "{id}": NAME_SLOT}) + r"\s*\{"
    return _framed(calls, opening, opener, {"content": "json", "transform": _named_parts(call)}, *NAMED)


def _keyed(calls: KeyedCalls) -> _Call:
    found = _named(calls)
    text = [calls.text.opening.strip(), calls.text.closing.strip()]
    args = {"unquoted_keys": True, "string_delims": [text]}
    return found._replace(field={**found.field, "content_args": args}, lost=(*found.lost, *KEYED))


def _named_parts(call: str) -> dict[str, Any]:
    """Return the transform of a call whose opening has groups for what it has slots for."""
    call_id = {"id": "{id}"} if "{id}" in call else {}
    return {**call_id, "type": "function", "function": {"name": "{name}", "arguments": "{content}"}}


def _json(calls: JsonCalls) -> _Call | None:
    transform = _transform(members(calls.object) or {}, calls.as_text)
    if transform is None:
        return None
    opening = gapped(calls.opening.lstrip(), {}) + r'(?=\{\s*")'
    opener = rf'{gapped(calls.opening.strip(), {})}\s*\{{\s*"'
    field = {"content": "json", **({"transform": transform} if transform else {})}
    return _framed(calls, opening, opener, field, *JSON, *(AS_TEXT if calls.as_text else ()))


def _transform(places: dict[str, tuple[str, ...]], as_text: bool) -> dict[str, Any] | None:
    """Return what makes a call in OpenAI's shape of one whose parts are at these `places`.

    It is empty where the object is such a call already. None where a place cannot be named.
    """
    if any(re.fullmatch(r"\w+", key) is None for place in places.values() for key in place) or not places:
        return None
    call_id = {"id": _placeholder(places["id"])} if "id" in places else {}
    name, arguments = places["name"], places["arguments"]
    if (name[-1], arguments[-1]) == ("name", "arguments") and name[:-1] == arguments[:-1]:
        if name[:-1] == ("function",) and places.get("id") == ("id",) and as_text:
            return {}
        return {**call_id, "type": "function", "function": _placeholder(name[:-1])}
    function = {"name": _placeholder(name), "arguments": _placeholder(arguments)}
    return {**call_id, "type": "function", "function": function}


def _placeholder(place: tuple[str, ...]) -> str:
    return "{" + ".".join(("content", *place)) + "}"
