"""The face over all: `load` gives a codec, a codec renders chats and reads replies.

Rules: nothing here knows a model family. A codec is made once and used for many chats, from any thread.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from copy import deepcopy
from dataclasses import replace
from datetime import datetime
from functools import cached_property
from os import PathLike
from os.path import exists
from typing import TYPE_CHECKING, Any

from chatcodec.chat.continuation import length_to_keep, open_final_message
from chatcodec.chat.inputs import take, take_tools
from chatcodec.chat.pointer import describe
from chatcodec.chat.types import Chat, MessageLike, ToolLike
from chatcodec.errors import ChatCodecError, UnknownCodec
from chatcodec.formats import registry
from chatcodec.render.marks import Mark
from chatcodec.render.options import check_names, nearest_names, type_warnings
from chatcodec.render.protocol import Compiled, Option, Renderer
from chatcodec.render.rendered import Rendered, cut
from chatcodec.render.writer import WarningKind
from chatcodec.reply.pieces import NO_HINTS, Hints, Pieces

if TYPE_CHECKING:
    from chatcodec.inspect.card import Card
    from chatcodec.reply.events import Event
    from chatcodec.reply.reader import Piece, Reader
    from chatcodec.reply.reading import Reading, Tools
    from chatcodec.reply.reply import Reply
    from chatcodec.reply.response_template import Exported
    from chatcodec.reply.schema import Signature
    from chatcodec.reply.turn_start import TurnStart


def load(codec: str | PathLike[str], *, name: str | None = None, pieces: str | Pieces | None = None) -> Codec:
    """Return a codec: a format by its name, or a template.

    codec: a format's name; or a ``.jinja`` file, a model folder, a ``.gguf`` file, ``hf:org/name[@rev]`` in the local
    Hugging Face cache, or the text of a template.
    name: which of several templates; without it transformers' choice, for each chat.
    pieces: how replies are read, for a template: a format's name, or pieces.

    Raises UnknownCodec with the nearest names; UnreadableInput, InvalidTemplate, UnsafeTemplate or LimitExceeded for a
    template.
    """
    if not isinstance(codec, (str, PathLike)):
        raise UnknownCodec(f"a codec is known by its name, a path or the text of a template; found {describe(codec)}")
    if codec in registry.NAMES:
        return _of_format(str(codec), name, pieces)
    from chatcodec.templates.find import find  # formats need neither these nor jinja2
    from chatcodec.templates.template import Template

    reply, hints = _borrowed(pieces)
    try:
        source = find(codec)
    except UnknownCodec:
        if isinstance(codec, str) and not _LIKE_A_PATH.search(codec) and not exists(codec):
            raise _no_such_name(codec) from None
        raise
    return Codec(Template(source, name), reply, hints)


def _of_format(codec: str, name: str | None, pieces: object) -> Codec:
    if name is not None or pieces is not None:
        raise UnknownCodec(f"{codec} is a format: it has one template and pieces of its own")
    found = registry.get(codec)
    return Codec(found, found.pieces, found.hints)


def _borrowed(pieces: str | Pieces | None) -> tuple[Pieces | None, Hints]:
    """Return the pieces that a template is given, and hints to read by them."""
    if pieces is None or isinstance(pieces, Pieces):
        return pieces, NO_HINTS
    if not isinstance(pieces, str):
        raise UnknownCodec(
            f"pieces: found {describe(pieces)}, accepted: a format's name ({', '.join(registry.NAMES)}), or a Pieces, "
            "which Pieces.from_json makes of JSON data"
        )
    if pieces not in registry.NAMES:
        raise _no_such_name(pieces)
    lender = registry.get(pieces)
    return lender.pieces, lender.hints


def _no_such_name(name: str) -> UnknownCodec:
    nearest = nearest_names(name.lower(), registry.NAMES)
    hint = f"did you mean {' or '.join(nearest)}?" if nearest else f"there are: {', '.join(registry.NAMES)}"
    return UnknownCodec(f'no codec is named "{name}"; {hint}', nearest)


def available() -> tuple[str, ...]:
    """Return the names of the formats that `load` knows, sorted."""
    return registry.NAMES


class Codec:
    """One model family's wire text: what `load` returns."""

    def __init__(self, renderer: Renderer, pieces: Pieces | None, hints: Hints):
        """Take what renders, and the pieces and hints by which replies are read, if they are known."""
        self._renderer, self._pieces, self.hints = renderer, pieces, hints
        self._told, self._call_stops = pieces, tuple[str, ...]()

    @cached_property
    def _reading(self) -> Reading:
        from chatcodec.reply.reading import Reading  # who only renders need not load what reads

        return Reading(self.pieces, self.hints)

    @property
    def pieces(self) -> Pieces:
        """How its replies are written; for a template that got none, what its prompts show of that, if it holds.

        Raises ChatCodecError, with the reason, if it does not.
        """
        if self._pieces is None:
            from chatcodec.templates.derivation import expect_pieces  # formats need neither this nor jinja2

            self._pieces, self._call_stops = expect_pieces(self._renderer)
        return self._pieces

    def __repr__(self) -> str:
        return f"<Codec {self.name}>"

    @property
    def name(self) -> str:
        """The name that it was loaded by."""
        return self._renderer.name

    @property
    def title(self) -> str:
        """One line that says what it is for."""
        return self._renderer.title

    @property
    def options(self) -> tuple[Option, ...]:
        """The options that it reads, each with type, default and a line of documentation."""
        return self._renderer.options

    @property
    def python(self) -> Mapping[str, str]:
        """The Python code that each of its templates was compiled to, by the template's name; a format has none."""
        return self._renderer.python if isinstance(self._renderer, Compiled) else {}

    def render(
        self,
        messages: Iterable[MessageLike],
        *,
        tools: Iterable[ToolLike] | None = None,
        add_generation_prompt: bool = False,
        documents: Iterable[Mapping[str, Any]] | None = None,
        continue_final_message: bool | str = False,
        now: datetime | None = None,
        allow_unknown: bool = False,
        **options: Any,
    ) -> Rendered:
        """Return the prompt of a chat, equal to ``apply_chat_template(tokenize=False)`` of transformers 5.23.

        messages: a list of messages in OpenAI shape; mappings, dataclasses or pydantic objects. Never mutated.
        tools: tool definitions, or Python functions with type hints and a Google docstring.
        add_generation_prompt: whether the prompt ends where the assistant's next turn begins.
        continue_final_message: leave the last message open at the end of its content, or of the field named.
        now: the clock, for templates that print the date. No format does.
        allow_unknown: whether options that the codec does not read are passed over instead of refused.
        options: those that the codec reads; and ``thinking``, ``"on"``, ``"off"`` or a number of tokens, for whichever
        of them switches reasoning.

        Raises UnknownOption; InvalidChat, with a JSON pointer; TemplateRefused, in the template's own words.
        """
        settings = self._set(options, allow_unknown)
        if settings and not allow_unknown:
            check_names(self.name, self.options, settings, self._renderer.special_tokens)
        chat = take(messages, tools, documents, settings, add_generation_prompt, continue_final_message, now)
        warned = tuple(type_warnings(self.options, chat.options)) if settings else ()
        if settings is not options:
            warned += self._overridden(chat)
        if not continue_final_message:
            return self._renderer.render(chat, warned)
        chat, final = open_final_message(chat, continue_final_message, self._renderer.mentions)
        rendered = self._renderer.render(chat, warned)
        return cut(rendered, length_to_keep(rendered.text, final))

    @property
    def stops(self) -> tuple[str, ...]:
        """The markers that end a turn; the last ones, where the end of calls ends it too, end it for their results."""
        stops = self.pieces.stops
        if self.hints.response is not None and self.hints.calls is not None:
            return (*stops, self.hints.calls.closing.strip())
        return (*stops, *self._call_stops)

    def reader(
        self,
        *,
        tools: Iterable[ToolLike] | None = None,
        prompt: Rendered | str | None = None,
        tool_choice: Any = "auto",
        piece: Piece | None = None,
        added: Iterable[int] = (),
        state: Mapping[str, Any] | None = None,
        allow_unknown: bool = False,
        **options: Any,
    ) -> Reader:
        """Return a reader of one reply: feed it, take events, close it.

        tools: those of the prompt; without them every argument is text.
        prompt: what the reply answers: a Rendered, its text, or the end of it. Without it the reply starts where the
        generation prompt of a chat with these `options` ends.
        tool_choice: as in OpenAI's requests; with ``none`` nothing is read as a call.
        piece, added: to read token ids: the bytes of a token, and the ids of added tokens.
        state: of another reader, to go on from.

        Raises UnknownOption; InvalidChat for tools whose schema is broken, with a JSON pointer.
        """
        turn, calls = self._turn_of(prompt, options, allow_unknown), _may_call(tool_choice)
        tokens = None if piece is None else self._reading.tokens(piece, added)
        reader = self._reading.reader(None if state else turn, self._known(tools), tokens, calls)
        if state is not None:
            reader.resume(state)
        return reader

    def parse(
        self,
        completion: str | Iterable[int],
        *,
        finish_reason: str | None = None,
        tools: Iterable[ToolLike] | None = None,
        prompt: Rendered | str | None = None,
        tool_choice: Any = "auto",
        piece: Piece | None = None,
        added: Iterable[int] = (),
        allow_unknown: bool = False,
        **options: Any,
    ) -> Reply:
        """Return the reply that a completion is: a text, or token ids.

        finish_reason: why the engine ended it, where it said. The others are those of `reader`. Never raises for what a
        model wrote.
        """
        turn, calls = self._turn_of(prompt, options, allow_unknown), _may_call(tool_choice)
        if piece is None and isinstance(completion, str):
            return self._reading.parse(completion, turn, self._known(tools), calls, finish_reason)
        if piece is None or isinstance(completion, (str, bytes)) or not isinstance(completion, Iterable):
            raise ChatCodecError(
                f"a completion is a text, or token ids together with `piece`; found {describe(completion)}"
                + (" together with `piece`" if piece is not None else "")
            )
        reader = self._reading.reader(turn, self._known(tools), self._reading.tokens(piece, added), calls)
        reader.feed_ids(completion)
        return reader.close(finish_reason)

    def collect(
        self,
        events: Iterable[Event],
        *,
        finish_reason: str | None = None,
        tools: Iterable[ToolLike] | None = None,
        prompt: Rendered | str | None = None,
        allow_unknown: bool = False,
        **options: Any,
    ) -> Reply:
        """Return the reply that `events` make: all events of one completion, in order, from one reader or several.

        The others are those that the first reader was made with.
        """
        turn = self._turn_of(prompt, options, allow_unknown)
        return self._reading.collect(events, turn, self._known(tools), finish_reason)

    def tools(self, tools: Iterable[ToolLike]) -> Tools:
        """Return tools that are checked once, to be used for many prompts and replies."""
        return self._reading.checked(take_tools(tools))

    def describe(self) -> Card:
        """Return its capability card: what it does with roles, content, tools, calls, results, reasoning, options.

        Measured with probe chats, once. Never raises for what a template does: that is on the card.
        """
        return self._card

    @cached_property
    def _card(self) -> Card:
        from chatcodec.inspect.describe import describe  # who only renders need not load what judges

        card = deepcopy(describe(self._renderer, self._told))  # nobody changes that of another codec
        return replace(card, stops=self.stops) if card.replies.pieces else card

    def _set(self, options: Mapping[str, Any], allow_unknown: bool) -> Mapping[str, Any]:
        """Return options with those that `thinking` stands for, if it is given as the switch."""
        if "thinking" not in options or isinstance(options["thinking"], bool):
            return options
        from chatcodec.inspect.switch import switched  # needs the card

        return switched(self._card, options, allow_unknown)

    def _overridden(self, chat: Chat) -> tuple[tuple[WarningKind, Mark], ...]:
        from chatcodec.inspect.switch import overridden

        return tuple(overridden(self._renderer, chat, self._card.reasoning.switch))

    def response_template(self) -> Exported:
        """Return the pieces as a Hugging Face ``response_template``, and what that cannot say, in sentences."""
        from chatcodec.reply.response_template import export

        return export(self.pieces, self.hints)

    def _known(self, tools: Iterable[ToolLike] | None) -> Mapping[str, Signature] | None:
        """Return the signatures of the tools; none is as if no tools were given."""
        known = self._reading.known(tools)
        if known is not None or not tools:
            return known
        return self._reading.known(self._reading.checked(take_tools(tools), prepare=False))

    def _turn_of(self, prompt: Rendered | str | None, options: Mapping[str, Any], allow_unknown: bool) -> str:
        """Return what the prompt has of the turn that the model continues."""
        start = self._turn_start
        if prompt is not None:
            return start.of(prompt)
        options = self._set(options, allow_unknown)
        if options and not allow_unknown:
            check_names(self.name, self.options, options, self._renderer.special_tokens)
        return start.usual(options)

    @cached_property
    def _turn_start(self) -> TurnStart:
        from chatcodec.reply.turn_start import TurnStart

        return TurnStart(self._renderer, self.pieces)


def _may_call(tool_choice: Any) -> bool:
    """Whether a request with this ``tool_choice`` allows calls. Raises ChatCodecError for what is none."""
    if tool_choice is None or tool_choice in ("auto", "required") or isinstance(tool_choice, Mapping):
        return True
    if tool_choice == "none":
        return False
    choices = "auto, required, none, or an object that names a tool"
    raise ChatCodecError(f"tool_choice: found {describe(tool_choice)}, accepted: {choices}")


_LIKE_A_PATH = re.compile(r"[/\\]|^hf:|\.(jinja2?|j2|gguf|json|txt)$")
