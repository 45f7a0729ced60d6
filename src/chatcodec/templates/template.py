"""A template that renders: compiled once, run for each chat, with the input steps of `apply_chat_template`.

Rules: the first way is the fast one, from the caller's own objects. If anything goes wrong there, the chat is copied as
plain data and run once more, by the code that keeps origins: what goes wrong then is an error of the chat, with the
line of the template and the place in the chat. A prompt whose spans were asked for makes the next one keep its origins
at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from functools import cached_property, partial
from traceback import clear_frames
from typing import Any

from chatcodec.chat.inputs import plain_chat
from chatcodec.chat.types import Chat
from chatcodec.engine.faults import OverLimit
from chatcodec.engine.globals import GLOBALS, clock
from chatcodec.engine.loading import wrapped
from chatcodec.engine.program import Program
from chatcodec.engine.text import literal
from chatcodec.errors import ChatCodecError
from chatcodec.render.marks import Mark
from chatcodec.render.options import SPECIAL_TOKENS
from chatcodec.render.protocol import Option
from chatcodec.render.rendered import Rendered
from chatcodec.render.writer import WarningKind
from chatcodec.templates.failures import compiled, explained
from chatcodec.templates.input_steps import messages_for_template
from chatcodec.templates.prompt import Prompt, Traced
from chatcodec.templates.source import Source, choose

_GIVEN = frozenset({"messages", "tools", "documents", "add_generation_prompt", "continue_final_message"})


class Template:
    """Somebody's templates, ready to render; `name` chooses one of them for all chats."""

    def __init__(self, source: Source, name: str | None = None):
        """Compile the templates. Raises InvalidTemplate, UnsafeTemplate or LimitExceeded; UnknownCodec for the name."""
        self._source, self._wanted = source, name
        if name is not None:
            choose(source, name, has_tools=False)
        names = source.templates if name is None else [name]
        self.programs: Mapping[str, Program] = {
            each: compiled(source.templates[each], _called(source, each)) for each in names
        }
        self._asked = [False]  # whether the spans of the last prompt were asked for

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the source: code is compiled where it is used."""
        return Template, (self._source, self._wanted)

    @property
    def name(self) -> str:
        """What people call it."""
        return self._source.name

    @property
    def title(self) -> str:
        """One line that says what it is."""
        count = len(self.programs)
        return "a chat template" if count == 1 else f"{count} chat templates: {', '.join(self.programs)}"

    @property
    def special_tokens(self) -> frozenset[str]:
        """The names of special tokens, which are always accepted."""
        return SPECIAL_TOKENS | self._source.tokens.keys()

    @property
    def identity(self) -> tuple[Any, ...]:
        """What is the same for templates that render the same."""
        sources = tuple((name, program.source) for name, program in self.programs.items())
        return sources, tuple(sorted(self._source.tokens.items())), self._wanted

    @property
    def unknown_tokens(self) -> tuple[str, ...]:
        """The names of special tokens that it reads, and whose texts are not known."""
        read = dict.fromkeys(name for program in self.programs.values() for name in program.reads)
        return tuple(name for name in read if name in SPECIAL_TOKENS and name not in self._source.tokens)

    @cached_property
    def options(self) -> tuple[Option, ...]:
        """The options that it reads: names that some path reads before it assigns to them."""
        first = {name: program for program in reversed(list(self.programs.values())) for name in program.reads}
        names = dict.fromkeys(name for program in self.programs.values() for name in program.reads)
        taken = _GIVEN | GLOBALS.keys() | {"strftime_now", "loop"} | self.special_tokens
        return tuple(_option(name, first[name]) for name in names if name not in taken)

    @property
    def python(self) -> dict[str, str]:
        """The Python code that each template was compiled to, by the template's name."""
        return {name: program.python for name, program in self.programs.items()}

    @property
    def tells_time(self) -> bool:
        """Whether its prompts may depend on the clock."""
        return any(program.tells_time for program in self.programs.values())

    @property
    def features(self) -> dict[str, tuple[str, ...]]:
        """What of Jinja its templates use."""
        each = [program.features for program in self.programs.values()]
        kinds = dict.fromkeys(kind for features in each for kind in features)
        return {kind: tuple(sorted({name for features in each for name in features.get(kind, ())})) for kind in kinds}

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts that its templates compare with, look for, or write out of expressions."""
        return tuple(dict.fromkeys(text for program in self.programs.values() for text in program.texts))

    def mentions(self, word: str) -> bool:
        """Whether the source of a template has `word` in it."""
        return any(word in program.source for program in self.programs.values())

    def program(self, chat: Chat) -> Program:
        """Return the template for a chat. Raises UnknownCodec if that takes a name."""
        if self._wanted is not None:
            return self.programs[self._wanted]
        return self.programs[choose(self._source, None, chat.tools is not None)]

    def render(self, chat: Chat, warned: Iterable[tuple[WarningKind, Mark]] = ()) -> Rendered:
        """Return the prompt of a chat. Raises what `explained` gives."""
        program = self.program(chat)
        if program.tells_time and chat.now is None:
            chat = replace(chat, now=datetime.now())  # one time, also when it is rendered again for its spans
        traced: Traced | None = None
        try:
            if self._asked[0]:
                traced = self._trace(program, chat)
                text = traced.text
            else:
                text = program.text(self._variables(chat, messages_for_template(chat.messages)))
            if not text.isascii():
                text.encode("utf-16-le")  # UnicodeEncodeError for a lone surrogate, by the fastest codec that looks
        except ChatCodecError:
            raise
        except Exception as error:  # anything: objects that are not plain data fail in their own ways
            clear_frames(error.__traceback__)  # what the template made takes memory
            chat, traced = plain_chat(chat), None
            text = self._text_of_plain(program, chat, error)
        self._asked = [False]
        return Rendered(text, Prompt(text, chat, partial(self._trace, program), self._asked, traced), list(warned))

    def _variables(self, chat: Chat, messages: list[Any]) -> dict[str, Any]:
        return {
            **self._source.tokens,
            **chat.options,
            **GLOBALS,
            "strftime_now": clock(chat.now),
            "messages": messages,
            "tools": chat.tools,
            "documents": chat.documents,
            "add_generation_prompt": chat.add_generation_prompt,
        }

    def _trace(self, program: Program, chat: Chat, out: list[Any] | None = None) -> Traced:
        """Return the prompt of a chat with its origins; it is written into `out` if that is given."""
        seen = self._seen(chat)
        options = {name: wrapped(value, chat.options, name) for name, value in chat.options.items()}
        tokens = {name: literal(text) for name, text in self._source.tokens.items()}
        variables = tokens | self._variables(replace(chat, options=tokens | options), seen["messages"])
        return Traced(*program.trace(variables, [] if out is None else out), seen)

    @staticmethod
    def _seen(chat: Chat) -> dict[str, Any]:
        return {**chat.root(), "messages": messages_for_template(chat.messages)}

    def _text_of_plain(self, program: Program, chat: Chat, cause: Exception) -> str:
        """Return the prompt of a chat of plain data, where `cause` was raised before. Raises what `explained` gives."""
        out: list[Any] = []
        over = isinstance(cause, OverLimit)
        try:
            if not over:
                text = program.text(self._variables(chat, messages_for_template(chat.messages)))
                text.encode("utf-16-le")
                return text
        except Exception as error:
            clear_frames(error.__traceback__)
            cause = error
        try:
            text = self._trace(program, chat, out).text
            if over:
                return text
        except Exception as error:  # the same, and it says where
            cause = error
        explanation = explained(cause, program, out, self._seen(chat), chat)
        if explanation is None:
            raise cause
        raise explanation from cause


def _option(name: str, program: Program) -> Option:
    types = program.option_types
    return Option(name, types.type_of(name), types.default_of(name), "", types.words_of(name))


def _called(source: Source, name: str) -> str:
    """Return what errors call one of the templates."""
    return source.files.get(name) or (source.name if len(source.templates) == 1 else f"{source.name} ({name})")
