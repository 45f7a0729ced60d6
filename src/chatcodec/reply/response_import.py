"""What a Hugging Face response template says, as pieces: the way back from `export`.

Rules: what a template says and pieces cannot say is UnreadableInput with a JSON pointer: what was found, what is
accepted. Where the two only differ in how lenient they are, a note says so. White space that a template drops without
naming it is declared as what chat templates usually write: a line break inside of a marker, two behind it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from chatcodec.errors import ChatCodecError
from chatcodec.reply.json_calls import JsonCalls
from chatcodec.reply.patterns import Edge, Look, Run
from chatcodec.reply.pieces import Block, Calls, Hints, Pieces, Reasoning
from chatcodec.reply.pieces_json import unknown_key, unreadable
from chatcodec.reply.python_calls import PythonCalls
from chatcodec.reply.response_calls import read_calls
from chatcodec.reply.response_fields import LITERAL, Part, Way

REASONING = ("reasoning_content", "thinking", "reasoning")
FIELDS = ("content", *REASONING, "tool_calls")
TOP = ("version", "defaults", "start_anchor", "start_anchor_pattern", "fields")
KEYS = (
    "open", "open_pattern", "close", "close_pattern", "content", "content_args", "repeats", "join", "optional",
    "transform", "transform_each",
)  # fmt: skip

STRIPPED = "All white space around reasoning and content is dropped there; here it is line breaks beside the markers."
OUTSIDE = "Text outside of its fields is dropped there; here it is content."
ANYWHERE = "Reasoning may begin anywhere there; here where a turn begins, or at a marker that is a token."
NO_STOPS = "It names nothing that ends a turn."
DEFAULTS = "Its defaults are not taken over: a reply has what was read."
REQUIRED = "A reply without one of the required fields fails there; here it is read."
ANCHORS = "The first of several anchors is taken; where another one opens a turn, a reader needs the turn's own text."
INLINE = "What opens reasoning around any text is taken for a tool's response, which stands behind a call."
ENDS = "What ends reasoning there, and is looked at only, is taken for what ends a turn."

LINE, LINES = "\n", "\n\n"


class Imported(NamedTuple):
    """What a response template comes to, and in what reading by it differs, a sentence each."""

    pieces: Pieces
    hints: Hints
    notes: tuple[str, ...]


def read_response_template(template: object, stops: Iterable[str] = ()) -> Imported:
    """Return the pieces that a response template says. Raises UnreadableInput.

    stops: markers that end a turn which are known from elsewhere, such as a tokenizer's ``eos_token``: many templates
    leave them out.
    """
    known = (stops,) if isinstance(stops, str) else tuple(stops)
    if not all(stop.strip() for stop in known):
        raise ChatCodecError("a stop is a text that is not only white space")
    return _Import().read(Part(template, (), TOP), known)


class _Import:
    """The import of one template."""

    def __init__(self) -> None:
        self.notes: dict[str, None] = {}
        self.stops: dict[str, None] = {}
        self.looks: dict[str, None] = {}  # what ends a text without being taken from it
        self.opener = ""  # what begins a call
        self.section = ""  # what stands behind all calls
        self.response: Block | None = None

    def note(self, sentence: str) -> None:
        self.notes[sentence] = None

    def read(self, top: Part, stops: tuple[str, ...]) -> Imported:
        version = top.data.get("version", 1)
        if type(version) is not int or version != 1:
            raise top.fault("version", "1")
        if top.part("defaults").data not in ({}, {"role": "assistant"}):
            self.note(DEFAULTS)
        fields = self._fields(top.part("fields"))
        content, reasoning = fields.get("content"), next((fields[name] for name in REASONING if name in fields), None)
        stripped = content is None or _strips(content)
        calls = read_calls(fields["tool_calls"], stripped, self.note) if "tool_calls" in fields else None
        self.opener, self.section = _opener(calls), calls.section.closing.strip() if calls and calls.section else ""
        pieces = Pieces(
            header=self._header(top),
            stops=(),
            reasoning=self._reasoning(reasoning, stripped) if reasoning else None,
            content=self._content(content) if content else None,
            calls=None if self.response else calls,
        )
        if content is None:
            self.note(OUTSIDE)
        if self.looks.keys() - self.stops.keys() and pieces.content is None:
            self.note(ENDS)
        found = tuple(dict.fromkeys((*self.stops, *self.looks, *stops)))
        if not found:
            self.note(NO_STOPS)
        hints = Hints(calls, self.response) if self.response else Hints()
        return Imported(replace(pieces, stops=found), hints, tuple(self.notes))

    def _header(self, top: Part) -> str:
        ways = top.ways("start_anchor")
        if not ways:
            raise top.fault("start_anchor", "what opens a turn of the assistant")
        if len(ways) > 1:
            self.note(ANCHORS)
        return "" if ways[0].items == (Edge("end"),) else ways[0].literal()

    def _fields(self, given: Part) -> dict[str, Part]:
        if not given.data:
            raise unreadable(given.path, "no fields", f"an object with some of {', '.join(FIELDS)}")
        for name in given.data:
            if name not in FIELDS:
                raise unknown_key(given.path, name, [*FIELDS])
        twice = [name for name in given.data if name in REASONING][1:]
        if twice:
            raise given.fault(twice[0], "one field of reasoning", "a second field of reasoning")
        fields = {name: Part(data, (*given.path, name), KEYS) for name, data in given.data.items()}
        for name, field in fields.items():
            self._check(name, field)
        return fields

    def _check(self, name: str, field: Part) -> None:
        kinds = ("json", "xml-inline") if name == "tool_calls" else ("text",)
        if field.value("content", str, "text") not in kinds:
            raise field.fault("content", " or ".join(kinds))
        for key in ("transform", "transform_each") if name != "tool_calls" else ("join",):
            if field.data.get(key):
                raise field.fault(key, f"no {key} in {name}")
        field.value("repeats", bool, False)
        field.value("join", str, "")
        if not field.value("optional", bool, True):
            self.note(REQUIRED)
        if not field.ways("open") and name != "content":
            raise field.fault("open", f"what opens {name}: only content may do without")
        if not field.ways("close") and (name != "content" or field.ways("open")):
            raise field.fault("close", f"what closes {name}: only content without an opening may do without")

    def _reasoning(self, field: Part, content_stripped: bool) -> Reasoning:
        openings = []
        for way in field.ways("open"):
            at = next((index for index, item in enumerate(way.items) if isinstance(item, Run)), None)
            if at is not None:
                self.response = _response(way, at)
                self.note(INLINE)
                continue
            openings.append(way.without_start())
            if not openings[-1].items:
                raise way.fault("a turn that begins in reasoning without a marker", "a marker that opens reasoning")
            if not way.anchored:
                self.note(ANYWHERE)
        opening, closing = _marked(field.only("open", openings), "", LINE), self._closing(field, LINE, LINES)
        if _strips(field):
            self.note(STRIPPED)
            opening, closing = _with_space(opening, "", LINE), _with_space(closing, LINE, "")
        return Reasoning(opening, _with_space(closing, "", LINES if content_stripped else ""))

    def _closing(self, field: Part, lead: str, tail: str) -> str:
        """Return what closes a field of text, and remember what else ends it."""
        closings = []
        for way in field.ways("close"):
            for end in way.looks:
                if not self.opener or not end.starts.startswith(self.opener):
                    self.looks[_marked(end).strip()] = None
            if not way.looks:
                closings.append(way)
        return _marked(field.only("close", closings), lead, tail)

    def _content(self, field: Part) -> Block | None:
        if _strips(field):
            self.note(STRIPPED)
        openings = field.ways("open")
        if not openings:
            for way in field.ways("close"):
                rest = isinstance(way.last, Run) and way.last.kind == "."
                end = _marked(way.split(len(way.items) - 1)[0] if rest else way).strip()
                if end != self.section:
                    self.stops[end] = None
            return None
        self.note(OUTSIDE)
        opening, closing = _marked(field.only("open", openings)), self._closing(field, LINE, LINE)
        if _strips(field):
            return Block(_with_space(opening, LINES, LINE), _with_space(closing, LINE, LINE))
        return Block(opening, closing)


def _strips(field: Part) -> bool:
    return field.part("content_args", "strip").value("strip", bool, True)


def _response(way: Way, at: int) -> Block:
    """Return what stands around a response, where it takes any text on its `way` to open reasoning."""
    if way.items[at] != Run(".", blank=True, lazy=True):
        raise way.fault(str(way), f"{LITERAL}, or .*? between two markers")
    opening, closing = way.split(at)
    return Block(_marked(opening), _marked(closing))


def _marked(way: Way, lead: str = LINE, tail: str = LINE) -> str:
    if isinstance(way.last, Look):
        raise way.fault(str(way), "a marker on which nothing has to follow")
    literal = way.literal(lead, tail)
    if not literal.strip():
        raise way.fault(str(way), "a marker: text that is not only white space")
    return literal


def _with_space(literal: str, lead: str, tail: str) -> str:
    """Return the literal with at least so much white space beside it."""
    marker = literal.strip()
    before, behind = literal[: literal.index(marker)], literal[literal.index(marker) + len(marker) :]
    return max(before, lead, key=len) + marker + max(behind, tail, key=len)


def _opener(calls: Calls | None) -> str:
    if calls is None:
        return ""
    if isinstance(calls, (JsonCalls, PythonCalls)):
        return calls.opening.split()[0]
    opening = re.split(r"\{(?:name|id)\}", calls.call)[0]
    return opening.split()[0]
