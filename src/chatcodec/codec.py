"""The face over all: `load` gives a codec, a codec renders.

Rules: nothing here knows a model family. A codec is made once and used for many chats, from any thread.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from chatcodec.chat.continuation import length_to_keep, open_final_message
from chatcodec.chat.inputs import take
from chatcodec.chat.pointer import describe
from chatcodec.chat.types import MessageLike, ToolLike
from chatcodec.errors import UnknownCodec
from chatcodec.formats import registry
from chatcodec.render.options import check_names, nearest_names, type_warnings
from chatcodec.render.protocol import Option, Renderer
from chatcodec.render.rendered import Rendered, cut
from chatcodec.render.run import run


def load(codec: str) -> Codec:
    """Return the codec of that name. Raises UnknownCodec with the nearest names."""
    if not isinstance(codec, str):
        raise UnknownCodec(f"a codec is known by its name, a string; found {describe(codec)}")
    if codec in registry.NAMES:
        return Codec(registry.get(codec))
    nearest = nearest_names(codec.lower(), registry.NAMES)
    hint = f"did you mean {' or '.join(nearest)}?" if nearest else f"there are: {', '.join(registry.NAMES)}"
    raise UnknownCodec(f'no codec is named "{codec}"; {hint}', nearest)


def available() -> tuple[str, ...]:
    """Return the names of the formats that `load` knows, sorted."""
    return registry.NAMES


class Codec:
    """One model family's wire text: what `load` returns."""

    def __init__(self, renderer: Renderer):
        self._renderer = renderer

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

        Raises UnknownOption; InvalidChat, with a JSON pointer; TemplateRefused, in the template's own words.
        """
        if options and not allow_unknown:
            check_names(self.name, self.options, options)
        chat = take(messages, tools, documents, options, add_generation_prompt, continue_final_message, now)
        warned = type_warnings(self.options, chat.options) if options else ()
        if not continue_final_message:
            return run(self._renderer, chat, warned)
        chat, final = open_final_message(chat, continue_final_message, self._renderer.mentions)
        rendered = run(self._renderer, chat, warned)
        return cut(rendered, length_to_keep(rendered.text, final))
