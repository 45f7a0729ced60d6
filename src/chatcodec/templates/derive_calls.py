"""How a template writes tool calls, read off the shapes of turns that have some.

Rules: what two calls have between them, and what stands before the first and behind the last, tells what belongs to
each call and what stands around all of them; what two arguments have between them tells the same of arguments.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, NamedTuple

from chatcodec.reply.calls import Block, Spacing
from chatcodec.reply.json_calls import JsonCalls
from chatcodec.reply.json_shape import members
from chatcodec.reply.named_calls import NamedCalls
from chatcodec.reply.pieces import Calls, Reasoning
from chatcodec.reply.python_calls import PythonCalls
from chatcodec.reply.tagged import TaggedCalls
from chatcodec.templates import probes as words
from chatcodec.templates.borders import common_end, common_start, last_marker
from chatcodec.templates.call_literals import (
    TEXTS,
    cuts,
    end_of_object,
    numbers,
    object_with_names,
    slots_of_calls,
    without_block,
    without_start,
)
from chatcodec.templates.derive_keyed import keyed_calls
from chatcodec.templates.turn_shape import (
    ARGUMENTS,
    ARGUMENTS_STR,
    ARGUMENTS_TEXT,
    CONTENT,
    ID,
    KEY,
    NAME,
    REASONING,
    SLOTS,
    UNKNOWN,
    VALUE,
    VALUE_JSON,
    VALUE_STR,
    Shape,
)

_VALUES = VALUE + VALUE_JSON + VALUE_STR


class Underivable(Exception):
    """What the shapes of calls say cannot be said by any syntax of calls that is known."""


class Unmarked(Underivable):
    """Nothing stands before the name of a call."""


class AsPython(Underivable):
    """Arguments that are an object are printed as Python prints them."""


@dataclass(frozen=True)
class Around:
    """What is known of a turn before its calls are looked at."""

    header: str
    reasoning: Reasoning | None
    content: Block | None
    content_closing: str
    stops: tuple[str, ...]


Beside = Literal["free", "always", "never"]
"""Whether content stands beside calls."""


class Facts(NamedTuple):
    """What turns may have beside what their pieces say: see `CallShapes`."""

    text_arguments: bool = False
    most_calls: int = 0
    prints_ids: bool = False
    beside: Beside = "free"


Render = Callable[..., Shape | None]


class CallShapes:
    """Shapes of turns with calls."""

    def __init__(self, shape: Render, around: Around, text_arguments: bool):
        """Take what gives shapes, what is known of turns, and whether arguments are given as JSON text."""
        self._shape, self.around, self.text_arguments = shape, around, text_arguments

    def calls(
        self,
        *arguments: Mapping[str, Any],
        content: str | None = "",
        reasoning: str | None = None,
        as_text: bool | None = None,
    ) -> str | None:
        """Return the shape of a turn with one call for each of `arguments`; None if its calls are not printed."""
        found = self._text(arguments, content, reasoning, self.text_arguments if as_text is None else as_text)
        return found if found is not None and slots_of_calls(found) else None

    def _text(
        self, arguments: Sequence[Mapping[str, Any]], content: str | None, reasoning: str | None, as_text: bool
    ) -> str | None:
        given = [json.dumps(each) if as_text else each for each in arguments]
        calls = [words.call(index, each) for index, each in enumerate(given)]
        found = self._shape(content, reasoning, calls, text_arguments=as_text)
        return None if found is None else found.text

    def are_hidden(self) -> bool:
        """Whether calls are printed, and it is not known where."""
        shapes = [self._text([TWO_TEXTS], content, None, self.text_arguments) for content in ("", words.CONTENT)]
        return any(word in shape for shape in shapes if shape for word in (words.NAME, *TWO_TEXTS.values()))

    @cached_property
    def beside(self) -> Beside:
        """Whether a turn that calls may have content, may not, or must: only then it is printed as one turn."""
        around = self.around
        alone, both = self.calls(TWO_TEXTS), self.calls(TWO_TEXTS, content=words.CONTENT)
        between = both[both.index(CONTENT) + 1 : slots_of_calls(both)[0]] if both and CONTENT in both else ""
        if around.reasoning is not None:  # content may be printed as reasoning is
            between = between.replace(around.reasoning.closing.strip(), "")
        ended = [stop.strip() for stop in around.stops if stop.strip() in between]
        if alone is None or not alone.lstrip().startswith(around.header.strip()):
            if ended:
                raise Underivable("calls are printed behind the end of a turn only")
            return "always"
        lead = alone[: slots_of_calls(alone)[0]]
        return "never" if any(stop not in lead for stop in ended) else "free"

    def facts(self) -> Facts:
        """Return what is known of turns that call."""
        content = words.CONTENT if self.beside == "always" else ""
        one, two = self.calls(TWO_TEXTS, content=content) or "", self.calls(TWO_TEXTS, TWO_TEXTS, content=content)
        several = two is not None and len(slots_of_calls(two)) == 2 * len(slots_of_calls(one))
        return Facts(self.text_arguments, 3 if several else 1, ID in one, self.beside)


def _values(*names: str) -> dict[str, Any]:
    return {name: words.VALUES[name] for name in names}


_AS_OPENAI = {"name": ("function", "name"), "arguments": ("function", "arguments")}
"""Where a tool call has its parts as OpenAI writes it: there, arguments are JSON text."""

TWO_TEXTS = _values("kqvs", "kqvt")


def calls_of(shapes: CallShapes) -> tuple[Calls, tuple[str, ...]] | None:
    """Return the syntax of calls, and further stops behind calls; None if no calls are printed.

    Raises Underivable, with the reason.
    """
    content = words.CONTENT
    if shapes.calls(TWO_TEXTS) or shapes.calls(TWO_TEXTS, content=content):
        content = content if shapes.beside == "always" else ""
    one = shapes.calls(TWO_TEXTS, content=content)
    if one is None and shapes.are_hidden():
        raise Underivable("calls are printed, but it cannot be followed what of them stands where")
    if one is None:
        return None
    if not any(slot in one for slot in (ARGUMENTS, ARGUMENTS_STR, ARGUMENTS_TEXT, KEY)):
        raise Underivable("calls are printed without their arguments")
    if UNKNOWN in one:
        raise Underivable("a part of a call is made of several values, or of a part of one")
    return _Calls(shapes, one).found()


class _Calls:
    def __init__(self, shapes: CallShapes, one: str):
        self.shapes, self.around = shapes, shapes.around
        self.content_given = words.CONTENT if CONTENT in one else ""
        two = shapes.calls(TWO_TEXTS, TWO_TEXTS, content=self.content_given)
        if two is not None and len(slots_of_calls(two)) != 2 * len(slots_of_calls(one)):
            two = None
        self.numbers = numbers(one, two) if two is not None else []
        self.one = self._numbered(one)
        two = two and self._numbered(two)
        at = slots_of_calls(self.one)
        self.first, self.last = at[0], at[-1]
        slots = slots_of_calls(two) if two else []
        self.between = two[slots[len(at) - 1] + 1 : slots[len(at)]] if two else None
        self.more_stops: tuple[str, ...] = ()

    def _numbered(self, shape: str) -> str:
        """Return a shape with a slot where it counts calls."""
        for number, behind in self.numbers:
            for each in (number, number + 1):
                shape = shape.replace(f"{each}{behind}", f"{ID}{behind}", 1)
        return shape

    def calls(self, *arguments: Mapping[str, Any], **given: Any) -> str | None:
        """Return the shape of a turn with calls, with a slot where it counts them; None if that is not one turn."""
        if {"always": not given.get("content"), "never": bool(given.get("content"))}.get(self.shapes.beside):
            return None
        found = self.shapes.calls(*arguments, **given)
        return None if found is None else self._numbered(found)

    def found(self) -> tuple[Calls, tuple[str, ...]]:
        before, behind = self._before(self.one, self.first), self._behind()
        inner = self.one[self.first : self.last + 1]
        opening, closing, between = before.lstrip(), behind, ""
        section = None
        if self.between is not None:
            opening = common_end(self.between, before).lstrip()
            closing = common_start(self.between, behind)
            while len(opening) + len(closing) > len(self.between):
                closing = common_start(self.between[: len(closing) - 1], closing[:-1])
            between = self.between[len(closing) : len(self.between) - len(opening)]
            section = self._section(self._before_all(opening, before), behind[len(closing) :])
        spacing = self._spacing(opening, section, between)
        return self._syntax(opening, inner, closing, section, spacing), self.more_stops

    def _before(self, shape: str, first: int) -> str:
        """Return what stands before the first slot of the calls: behind content, reasoning, or the header."""
        text_slot = max((at for at in range(first) if shape[at] in TEXTS), default=-1)
        before = shape[text_slot + 1 : first]
        around = self.around
        if text_slot < 0:
            before = before.lstrip().removeprefix(around.header) if around.header else before
            return without_block(before, around.reasoning, around.content)
        if shape[text_slot] == REASONING and around.reasoning is not None:
            return without_start(before, around.reasoning.closing)
        return before.removeprefix(around.content_closing) if around.content_closing.strip() else before

    def _behind(self) -> str:
        """Return what stands behind the last slot of the calls, up to the stop."""
        behind = self.one[self.last + 1 :]
        for slot in SLOTS:
            behind = behind.partition(slot)[0]
        for stop in self.around.stops:
            if stop.strip() in behind:
                behind = behind[: behind.rindex(stop.strip())].removesuffix(stop[: -len(stop.lstrip())])
                break
        if self.around.content is not None:
            behind = behind.removesuffix(self.around.content_closing)
        return behind

    def _before_all(self, opening: str, before: str) -> str:
        """Return what stands before all calls of a turn, with content before them and without."""
        with_content = self.calls(TWO_TEXTS, content=words.CONTENT)
        before = before[: len(before) - len(opening)]
        if with_content is None:
            return before
        first = slots_of_calls(with_content)[0]
        if CONTENT not in with_content[:first]:
            return before
        return common_end(before, self._before(with_content, first).removesuffix(opening))

    def _section(self, opening: str, rest: str) -> Block | None:
        if opening.strip():
            closing = rest
            return Block(opening.lstrip(), closing) if closing.strip() else None
        if rest.strip():
            self.more_stops = (last_marker(rest).strip(),)
        return None

    def _spacing(self, opening: str, section: Block | None, between: str) -> Spacing:
        opened = (section.opening if section else "") + opening
        alone = (self.calls(TWO_TEXTS, reasoning=reasoning) for reasoning in (words.REASONING, None))
        first = max((self._space_before(opened, shape) or "" for shape in alone), key=len)
        after = self._space_before(opened, self.calls(TWO_TEXTS, content=words.CONTENT))
        return Spacing(first, "" if after is None else after, between)

    def _space_before(self, opened: str, shape: str | None) -> str | None:
        if shape is None:
            return None
        before = self._before(shape, slots_of_calls(shape)[0])
        space = before.removesuffix(opened)
        return space if space.isspace() else ""

    def _syntax(self, opening: str, inner: str, closing: str, section: Block | None, spacing: Spacing) -> Calls:
        if KEY in inner:
            if re.search(f"{NAME}\\({KEY} ?= ?", inner):
                return self._python(opening, inner, closing, section, spacing)
            if keyed := keyed_calls(opening, inner, closing, lambda args: self.calls(args, content=self.content_given)):
                return replace(keyed, spacing=spacing, section=section)
            return self._tagged(opening, inner, closing, section, spacing)
        if ARGUMENTS_STR in inner:
            raise AsPython("arguments are printed as Python prints them")
        whole = opening + inner + closing
        for begin in (at for at in range(len(opening) + 1) if whole[at : at + 1] == "{"):
            end = end_of_object(whole, begin)
            if end >= len(opening) + len(inner):
                found = object_with_names(whole[begin:end])
                as_text = ARGUMENTS_TEXT in inner or (_is_as_openai(found) and self._takes_text())
                return _listed(JsonCalls(whole[:begin], found, whole[end:], as_text, spacing, section))
        if inner.endswith(ARGUMENTS) and (NAME in inner or ID in inner):
            if not (opening + inner[: re.search(f"[{NAME}{ID}]", inner).start()]).strip():  # type: ignore[union-attr]
                raise Unmarked("nothing stands before the name of a call")
            call = (opening + inner[:-1]).replace(NAME, "{name}").replace(ID, "{id}")
            return NamedCalls(call, closing, spacing, section)
        raise Underivable("calls are written in a syntax that is not known")

    def _python(self, opening: str, inner: str, closing: str, section: Block | None, spacing: Spacing) -> PythonCalls:
        before, bracket, behind = closing.partition(")")
        if not bracket or before.strip("'\""):
            raise Underivable("calls begin as in Python, and do not end so")
        first, last = (section.opening, section.closing) if section else ("", "")
        if not (first + opening).strip():
            raise Underivable("calls are written as in Python, without a marker before them")
        quoted = re.search(f"{KEY} ?= ?(['\"]){VALUE}(?=\\1)", inner)
        values: Literal["json", "repr", "raw"] = "raw" if quoted else "json" if VALUE_JSON in inner else "repr"
        return PythonCalls(first + opening, behind + last, values, spacing)

    def _takes_text(self) -> bool:
        """Whether arguments that are given as JSON text are written as a JSON string."""
        shape = self.calls(TWO_TEXTS, content=self.content_given, as_text=True)
        return shape is not None and ARGUMENTS_TEXT in shape

    def _tagged(self, opening: str, inner: str, closing: str, section: Block | None, spacing: Spacing) -> TaggedCalls:
        keys = [at for at, char in enumerate(inner) if char == KEY]
        values = [at for at, char in enumerate(inner) if char in _VALUES]
        if len(keys) != 2 or len(values) != 2 or not keys[0] < values[0] < keys[1] < values[1]:
            raise Underivable("the names and values of arguments do not come in pairs")
        if NAME not in inner[: keys[0]]:
            raise Underivable("the name of a call does not stand before its arguments")
        first, middle = inner[: keys[0]], inner[keys[0] + 1 : values[0]]
        between = inner[values[0] + 1 : keys[1]]
        name_end = first.rindex(NAME) + 1
        bare = self._bare(closing)
        possible = cuts(between, first[name_end:], closing)
        fitting = [cut for cut in possible if bare is None or cut[2] + cut[3] == bare]
        if bare is not None and not fitting:  # then there may be more white space where no argument is
            fitting = [cut for cut in possible if (cut[2] + cut[3]).split() == bare.split()]
        if not fitting:
            raise Underivable("what stands between two arguments is not what stands around them")
        end, start, named, closed = fitting[0]
        other = self.calls(_values("kqvl", "kqvo"), content=self.content_given)
        values_form, other_middle = self._values_form(other, middle)
        call = (opening + first[:name_end] + named).replace(NAME, "{name}").replace(ID, "{id}")
        argument = f"{start}{{key}}{middle}{{value}}{end}"
        other_argument = f"{start}{{key}}{other_middle}{{value}}{end}"
        differs = other_argument if other_middle != middle else None
        quotes = self._quotes(middle)
        return TaggedCalls(call, argument, closed, values_form, spacing, section, differs, quotes)

    def _quotes(self, middle: str) -> Block | None:
        """Return what stands around a text that has markup in it; `middle` stands between a name and any text."""
        shape = self.calls({"kqvs": words.MARKUP}, content=self.content_given)
        found = re.search(f"{KEY}([^{SLOTS}]*){VALUE}([^{SLOTS}]*)", shape or "")
        behind = re.split(f"[{SLOTS}]", self.one[self.last + 1 :])[0]
        if found is None or not found[1].startswith(middle) or not found[2].endswith(behind):
            return None
        quotes = Block(found[1].removeprefix(middle), found[2].removesuffix(behind))
        return quotes if quotes.opening.strip() and quotes.closing.strip() else None

    def _bare(self, closing: str) -> str | None:
        """Return what stands behind the name of a call without arguments, to its end."""
        shape = self.calls({}, content=self.content_given)
        if shape is None:
            return None
        behind = shape[shape.rindex(NAME) + 1 :] if NAME in shape else ""
        return behind.removesuffix(self.one[self.last + 1 + len(closing) :])

    def _values_form(self, other: str | None, middle: str) -> tuple[Literal["json", "str"], str]:
        """Return how values are written that are no texts, and what stands between their name and them."""
        if other is None:
            return "json", middle
        at = [index for index, char in enumerate(other) if char in _VALUES]
        keys = [index for index, char in enumerate(other) if char == KEY]
        slots = slots_of_calls(self.one)
        first = next(index for index in slots if self.one[index] in _VALUES)
        behind = self.one[first + 1 : slots[slots.index(first) + 1]]
        if len(at) != 2 or len(keys) != 2 or other[at[0] + 1 : keys[1]] != behind:
            raise Underivable("texts among the arguments are written between other markers than other values")
        if self.one[first] != VALUE:
            raise Underivable("texts among the arguments are written as JSON")
        return "json" if other[at[0]] == VALUE_JSON else "str", other[keys[0] + 1 : at[0]]


def _is_as_openai(shape: str) -> bool:
    return _AS_OPENAI.items() <= (members(shape) or {}).items()


def _listed(calls: JsonCalls) -> JsonCalls:
    """Return calls whose section has the brackets of a list as such, with the markers around that as theirs."""
    if calls.section is None or calls.opening.strip() or calls.closing.strip():
        return calls
    opening, bracket, first = calls.section.opening.rpartition("[")
    last, end, closing = calls.section.closing.partition("]")
    if not (bracket and end) or first.strip() or last.strip():
        return calls
    return replace(calls, opening=opening, closing=closing, section=None, list=Block(bracket + first, last + end))
