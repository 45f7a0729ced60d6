"""Pieces of any template, read off the shapes of its turns.

A turn is rendered with and without reasoning, content, calls and arguments; what the literals of these shapes have in
common, and where they differ, are the pieces. Rules: nothing is known of the template's source, of models, or of what
markers look like, but where a text may be cut (`borders`). What is read off is not trusted before it was verified.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from chatcodec.render.protocol import Compiled
from chatcodec.render.rendered import Rendered
from chatcodec.reply.pieces import Block, Calls, Pieces, Reasoning
from chatcodec.templates import probes as words
from chatcodec.templates.borders import (
    common_end,
    common_start,
    first_marker,
    is_border,
    last_marker,
    through_first_marker,
)
from chatcodec.templates.derive_calls import Around, AsPython, CallShapes, Facts, Underivable, Unmarked, calls_of
from chatcodec.templates.generation import generation_prompt
from chatcodec.templates.option_values import values_of
from chatcodec.templates.probes import Probes
from chatcodec.templates.turn_shape import (
    ARGUMENTS,
    ARGUMENTS_STR,
    ARGUMENTS_TEXT,
    CONTENT,
    KEY,
    REASONING,
    SLOTS,
    VALUE,
    VALUE_JSON,
    VALUE_STR,
    Shape,
    is_unowned,
    lead,
    shape_of,
    tail,
)
from chatcodec.templates.unprinted import Unprinted, unprinted_reasoning

_RESULT = {"role": "tool", "content": words.RESULTS[0], "tool_call_id": words.IDS[0]}
_VALUES = ARGUMENTS + ARGUMENTS_TEXT + ARGUMENTS_STR + VALUE + VALUE_JSON + VALUE_STR


class Derived(NamedTuple):
    """What was read off: the pieces, if there are any; the options that show all of them; and what is not known."""

    pieces: Pieces | None
    options: Mapping[str, Any]
    facts: Facts
    prompts: tuple[str, ...]
    head: str | None
    reasons: tuple[str, ...]
    call_stops: tuple[str, ...] = ()
    """What ends a turn for the results of its calls, where that belongs to the calls."""
    assumed: bool = False
    """Whether what closes reasoning is, since no turn shows it."""


class Reasoned(NamedTuple):
    """What stands before reasoning, and between it and content; or behind it, if such turns are without content."""

    opened: str
    between: str
    without_content: bool


def derive(probes: Probes) -> Derived:
    """Return the pieces of a template."""
    return _Derivation(probes).derived()


def _before_calls(shape: str) -> str:
    """Return what stands before the first call of a turn, behind content if that comes first."""
    first, text = lead(shape), shape.find(CONTENT)
    return lead(shape[text + 1 :]) if text == len(first) else first


class _Derivation:
    def __init__(self, probes: Probes):
        self.probes = probes
        self.reasons: list[str] = []

    def shape(
        self,
        content: str | None = None,
        reasoning: str | None = None,
        calls: Sequence[Mapping[str, Any]] = (),
        *,
        after: Sequence[Mapping[str, Any]] = (),
        tools: bool | None = None,
        text_arguments: bool = False,
        options: Mapping[str, Any] | None = None,
    ) -> Shape | None:
        """Return the shape of a turn behind a user message; None if it is refused or not printed."""
        options = self.options if options is None else options
        turn: dict[str, Any] = {"role": "assistant", "content": content}
        if reasoning is not None:
            turn["reasoning_content"] = reasoning
        if calls:
            turn["tool_calls"] = list(calls)
        chat = [{"role": "user", "content": words.USER}, turn, *after]
        rendered = self._render(chat, tools=bool(calls) if tools is None else tools, options=options)
        return None if isinstance(rendered, Exception) else shape_of(rendered, 1, text_arguments, self.head)

    def _render(self, chat: Sequence[Mapping[str, Any]], *, tools: bool = False, **how: Any) -> Rendered | Exception:
        """Return the prompt of a chat; with tools if there are none without them."""
        return self.probes.render(chat, tools=tools or self._needs_tools, **how)

    @cached_property
    def _needs_tools(self) -> bool:
        """Whether the template takes no chat without tools."""
        asked = [{"role": "user", "content": words.USER}]
        without, given = (self.probes.render(asked, tools=tools) for tools in (False, True))
        return isinstance(without, Exception) and not isinstance(given, Exception)

    @cached_property
    def head(self) -> str | None:
        """The marker that begins a turn, where that is written for nobody, as the generation prompt has it.

        None where a turn has its own head; '' where there is no generation prompt.
        """
        chat = [{"role": "user", "content": words.USER}, {"role": "assistant", "content": words.CONTENT}]
        rendered = self._render(chat)
        shape = None if isinstance(rendered, Exception) else shape_of(rendered, 1)
        begins = lead(shape.text).lstrip() if shape else ""
        if any(common_start(begins, prompt).strip() for prompt in self.prompts) or (begins and not self.prompts):
            return None
        return first_marker(self.prompts[0]) if self.prompts else ""

    def switches(self) -> Iterator[dict[str, Any]]:
        """Yield settings of options that may change what is printed."""
        yield {}
        for option in self.probes.renderer.options:
            for value in values_of(option) if option.type != "number" else ():
                yield {option.name: value}

    @cached_property
    def options(self) -> Mapping[str, Any]:
        """The setting under which reasoning is printed, if it is under any, in turns that end as they do without it."""
        found = (options for options in self.switches() if self._reasoned(options) is not None)
        return next((options for options in found if self._ends(options) == self._ends({})), {})

    def _ends(self, options: Mapping[str, Any]) -> str | None:
        shape = self.shape(words.CONTENT, options=options)
        return None if shape is None else tail(shape.text)

    def _reasoned(self, options: Mapping[str, Any]) -> Reasoned | None:
        """Return what stands before reasoning, and between it and content; in a turn that calls, if in no other."""
        shape = self.shape(words.CONTENT, words.REASONING, options=options)
        if shape is not None and (found := re.search(f"{REASONING}([^{SLOTS}]*){CONTENT}", shape.text)):
            return Reasoned(lead(shape.text).lstrip(), found[1], False)
        called, plain = (
            self.shape(content, reasoning, [words.call(0, {})], options=options)
            for content, reasoning in (("", words.REASONING), (words.CONTENT, None))
        )
        if called is None or REASONING not in called.text:
            return None
        between = lead(called.text.partition(REASONING)[2])
        if plain is None or CONTENT not in plain.text:  # such turns have no content: what closes is the first marker
            marker = first_marker(between)
            length = between.index(marker) + len(marker)
            return Reasoned(lead(called.text).lstrip(), between[:length], True)
        calls = common_end(between, _before_calls(plain.text))
        return Reasoned(lead(called.text).lstrip(), between[: len(between) - len(calls)], False)

    def derived(self) -> Derived:
        """Return all that can be read off."""
        plain = self.shape(words.CONTENT)
        if plain is None or CONTENT not in plain.text:
            return self._none("a turn with nothing but content is refused, or its content is not printed")
        if plain.text.count(CONTENT) > 1:
            return self._none("content is printed more than once")
        reasoned = self._reasoned(self.options)
        header, opening = self._header(plain.text, reasoned)
        try:
            return self._behind_header(header, opening, plain, reasoned)
        except Unmarked as error:  # what every turn begins with opens calls too
            marker = last_marker(header)
            if len(marker.strip()) == len(header.strip()):
                return self._none(str(error))
            opening = marker + opening if opening else ""
            self.reasons.clear()
            return self._behind_header(header[: len(header) - len(marker)], opening, plain, reasoned)

    def _behind_header(self, header: str, opening: str, plain: Shape, reasoned: Reasoned | None) -> Derived:
        """Return what can be read off, where this opens a turn, and reasoning in it."""
        reasoning, content_opening = self._reasoning(header, opening, plain.text, reasoned)
        unprinted = self._unprinted(header, content_opening) if reasoned is None else None
        if unprinted is not None:
            header, reasoning, content_opening, _ = unprinted
        stops, content_closing = self._stops(plain.text, header)
        content = None
        if content_opening.strip():
            content = Block(content_opening, content_closing)
            if content_opening.strip().isalnum():
                self.reasons.append("content is opened by a word, which texts may have in them too")
        elif content_closing.strip():
            stops = (through_first_marker(content_closing), *stops)
        elif lead(plain.text).strip() == header.strip() and (beside := self._content_beside_calls(header)):
            content, content_closing = beside, beside.closing
        calls, more_stops, shapes = self._calls(header, reasoning, content, content_closing, stops)
        heads, call_stops = self._stops_of_calls((*stops, *more_stops)) if calls else ((), ())
        pieces = Pieces(header, tuple(dict.fromkeys((*stops, *more_stops, *heads))), reasoning, content, calls)
        facts = shapes.facts() if shapes else Facts()
        prompts, reasons = tuple(self.prompts), tuple(self.reasons)
        assumed = unprinted is not None and unprinted.assumed
        return Derived(pieces, self.options, facts, prompts, self.head, reasons, call_stops, assumed)

    def _none(self, reason: str) -> Derived:
        return Derived(None, {}, Facts(), (), None, (*self.reasons, reason))

    # Header and reasoning

    @cached_property
    def prompts(self) -> list[str]:
        """The generation prompts under all settings, without white space before them."""
        found = [self._prompt(options) for options in self.switches()]
        return [text for text in dict.fromkeys(text.lstrip() for text in found) if text]

    def _prompt(self, options: Mapping[str, Any]) -> str:
        """Return the generation prompt; where the template writes it for nobody, what only that one has."""
        found = generation_prompt(self.probes, options, self._needs_tools, always=False)
        if found is None or not found.is_literal:  # what an option's value is belongs to no turn
            return ""
        return found.text or self._begun(options)

    def _begun(self, options: Mapping[str, Any]) -> str:
        """Return what stands for nobody behind the last message, where a turn begins with its reasoning itself."""
        turn = {"role": "assistant", "content": words.CONTENT, "reasoning_content": words.REASONING}
        user = {"role": "user", "content": words.USER}
        reasoned = self._render([user, turn], options=options)
        rendered = self._render([user], generation=True, options=options)
        shape = None if isinstance(reasoned, Exception) else shape_of(reasoned, 1)
        if shape is None or not shape.text.startswith(REASONING) or isinstance(rendered, Exception):
            return ""
        last = max((span.end for span in rendered.spans if not is_unowned(span)), default=0)
        return rendered.text[last:]

    def _leads(self) -> Iterator[str]:
        """Yield what turns of all kinds begin with, without white space before it."""
        later = [{"role": "user", "content": words.NEXT_USER}]
        called = [words.call(0, words.VALUES)]
        for options in ({}, self.options):
            for shape in (
                self.shape(words.CONTENT, options=options),
                self.shape(words.CONTENT, after=later, options=options),
                self.shape(words.CONTENT, words.REASONING, after=later, options=options),
                self.shape("", calls=called, options=options),
            ):
                if shape is not None and lead(shape.text) != shape.text:
                    yield lead(shape.text).lstrip()

    def _header(self, plain: str, reasoned: Reasoned | None) -> tuple[str, str]:
        """Return what opens a turn, and what opens reasoning in it."""
        header = lead(plain).lstrip()
        for begin in (*self._leads(), *self.prompts):
            both = common_start(header, begin)
            header = both if both.strip() or not header else header  # some begin otherwise, or with nothing
        if reasoned is None:
            return header, ""
        opened = reasoned.opened
        header = common_start(header, opened)
        if not opened[len(header) :].strip():  # every turn opens reasoning, and the prompt too
            header = header[: len(header) - len(last_marker(header))]
        return header, opened[len(header) :]

    def _reasoning(
        self, header: str, opening: str, plain: str, reasoned: Reasoned | None
    ) -> tuple[Reasoning | None, str]:
        """Return the markers of reasoning, and what opens content."""
        opened = lead(plain).lstrip()[len(header) :]
        if reasoned is None:
            return None, opened
        between = reasoned.between
        if opening.strip() and opened.startswith(opening.strip()):
            opened = ""  # an empty block of reasoning
        left = between[: len(between) - len(opened)]
        if opened.strip() and between.endswith(opened) and left.strip() and is_border(between, len(left)):
            between = left
        elif not reasoned.without_content:
            opened = ""
        if not opening.strip() or not between.strip():
            self.reasons.append("reasoning is printed, but no markers stand around it")
            return None, opened
        return Reasoning(opening, between), opened

    def _unprinted(self, header: str, content_opening: str) -> Unprinted | None:
        """Return the reasoning that generation prompts ask for, and no turn prints."""
        renderer = self.probes.renderer
        texts = renderer.texts if isinstance(renderer, Compiled) else ()
        return unprinted_reasoning(header, content_opening, self.prompts, texts, self._is_dropped)

    def _is_dropped(self, marker: str) -> bool:
        """Whether a turn loses what its content has before a marker, and not without it."""
        before, behind = words.REASONING, words.CONTENT
        shapes = (self._text_of(before + marker + behind), self._text_of(f"{before} {behind}"))
        cut, whole = (shape or "" for shape in shapes)
        return behind in cut and before not in cut and before in whole

    def _text_of(self, content: str) -> str | None:
        """Return the prompt of a turn with this content."""
        rendered = self._render([{"role": "user", "content": words.USER}, {"role": "assistant", "content": content}])
        return None if isinstance(rendered, Exception) else rendered.text

    # Stops

    def _stops(self, plain: str, header: str) -> tuple[tuple[str, ...], str]:
        """Return what ends a turn, and what closes content before that.

        What stands there in the last turn and in an earlier one does; where nothing does, the head of the next message.
        """
        after = [{"role": "user", "content": words.NEXT_USER}]
        earlier = self.shape(words.CONTENT, after=after)
        last, before = tail(plain), tail(earlier.text) if earlier is not None else tail(plain)
        written = common_start(last, before)
        if not written.strip():
            written = last if last.strip() else before
        stop = last_marker(written).strip()
        if stop:
            before = written[: written.rindex(stop)]
            space = before[len(before.rstrip()) :]
            return (space + stop,), before.rstrip()
        head = self._head(after)
        opens_turns_too = header.lstrip().startswith(head)
        return () if opens_turns_too else (head,), ""

    def _stops_of_calls(self, stops: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return what ends a turn for the results of its calls, if no stop does.

        That is the head of a result, where turns end by the head of the next message; or else the end of the calls.
        """
        called = [words.call(0, words.VALUES)]
        shape = self.shape("", calls=called, after=[_RESULT])
        behind = re.split(f"[{_VALUES}]", shape.text)[-1] if shape else ""
        if any(stop.strip() in behind for stop in stops) or not behind.strip() or set(behind) & set(SLOTS):
            return (), ()
        if stops and self._head([{"role": "user", "content": words.NEXT_USER}]) in stops:
            head = self._head([_RESULT], {"role": "assistant", "content": "", "tool_calls": called})
            return ((head,), ()) if through_first_marker(head + " .") == head else ((), ())
        return (), (last_marker(behind).strip(),)

    def _head(self, after: Sequence[Mapping[str, Any]], turn: Mapping[str, Any] | None = None) -> str:
        """Return the first marker of the message behind a turn; '' if there is none."""
        turn = turn or {"role": "assistant", "content": words.CONTENT}
        chat = [{"role": "user", "content": words.USER}, turn, *after]
        rendered = self._render(chat, tools="tool_calls" in turn, options=self.options)
        if isinstance(rendered, Exception):
            return ""
        shape = shape_of(rendered, 2)
        if shape is None:
            return ""
        begin = shape.text[: shape.text.find(CONTENT)] if CONTENT in shape.text else shape.text
        return first_marker(begin) if begin.strip() else ""

    # Calls

    def _content_beside_calls(self, header: str) -> Block | None:
        """Return the markers around content where only turns that call have some, and have them without content too."""
        called = [words.call(0, words.VALUES)]
        alone, both = (self.shape(content, calls=called) for content in ("", words.CONTENT))
        if alone is None or both is None or CONTENT not in both.text:
            return None
        opening = lead(both.text).lstrip().removeprefix(header)
        behind = lead(both.text.partition(CONTENT)[2])
        if not opening.strip() or lead(alone.text).lstrip().removeprefix(header) != opening + behind:
            return None
        return Block(opening, first_marker(behind)) if behind.strip() else None

    def _calls(
        self, header: str, reasoning: Reasoning | None, content: Block | None, closing: str, stops: tuple[str, ...]
    ) -> tuple[Calls | None, tuple[str, ...], CallShapes | None]:
        around = Around(header, reasoning, content, closing, stops)
        for text_arguments in (False, True):
            shapes = CallShapes(self.shape, around, text_arguments)
            try:
                found = calls_of(shapes)
            except AsPython:
                continue  # perhaps it prints a text as it is
            except Unmarked:
                raise
            except Underivable as error:
                self.reasons.append(str(error))
                return None, (), None
            if found is not None:
                return *found, shapes
        shape = self.shape("", calls=[words.call(0, words.VALUES)], after=[_RESULT])
        if shape is not None and set(shape.text) & set(_VALUES + KEY):
            self.reasons.append("calls are printed only where their results follow")
        return None, (), None
