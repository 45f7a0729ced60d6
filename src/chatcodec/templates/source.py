"""What every reader of templates returns: their texts, the special tokens beside them, and where they come from.

Rules: data only, nothing is read here. A template without a name is called ``default``. A name chooses as in
`get_chat_template` of transformers 5.23. It does not know what a template's text means, nor that it is Jinja.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from chatcodec.chat.pointer import describe
from chatcodec.errors import LimitExceeded, UnknownCodec, UnreadableInput
from chatcodec.render.options import nearest_names

DEFAULT = "default"
TOOL_USE = "tool_use"

MAX_TEMPLATE_BYTES = 1024 * 1024
"""How long a template may be in UTF-8: the longest that models ship have some 30 KiB."""

MAX_TEMPLATES = 64
"""How many templates a model may have; models have up to three."""


@dataclass(frozen=True)
class Source:
    """The templates of one model, or one template.

    templates: the text of each, by name.
    tokens: the variables that transformers passes for the special tokens (``bos_token``, ...), with their texts.
    name: what people call the source: a path, ``hf:org/name``, or words.
    files: the path of the file that each template was read from, by the template's name; none for text as such.
    """

    templates: Mapping[str, str]
    tokens: Mapping[str, str]
    name: str
    files: Mapping[str, str]


def choose(source: Source, name: str | None, has_tools: bool) -> str:
    """Return the name of the template to render with.

    name: the template that was asked for; None leaves the choice to the source.
    has_tools: whether tools were given, be it an empty list; ``tool_use`` is preferred then.

    Raises UnknownCodec with the nearest names, or with all if none is the default.
    """
    there = source.templates
    if name is not None and not isinstance(name, str):
        raise UnknownCodec(
            f"name: found {describe(name)}, accepted: the name of a template; there are: {_names(there)}"
        )
    if name is not None:
        if name in there:
            return name
        nearest = nearest_names(name, there)
        hint = f"did you mean {' or '.join(nearest)}?" if nearest else f"there are: {_names(there)}"
        raise UnknownCodec(f"{source.name}: no template is named {_quoted(name)}; {hint}", nearest)
    if has_tools and TOOL_USE in there:
        return TOOL_USE
    if DEFAULT in there:
        return DEFAULT
    raise UnknownCodec(
        f"{source.name}: none of the templates is the default, so one has to be named; there are: {_names(there)}",
        sorted(there),
    )


def template_text(value: Any, where: str) -> str:
    """Return `value` if it can be a template's text; `where` begins the message if it cannot.

    Raises UnreadableInput for what is no text or not valid Unicode, LimitExceeded for what is too long.
    """
    if not isinstance(value, str):
        raise UnreadableInput(f"{where}: found {describe(value)}, accepted: the text of a template")
    return _within_limit(valid_text(value, where), where)


def valid_text(text: str, where: str) -> str:
    """Return `text`. Raises UnreadableInput, which begins with `where`, if it is not valid Unicode."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        code = ord(text[error.start])
        raise UnreadableInput(
            f"{where}: not valid Unicode: character {error.start} is the lone surrogate U+{code:04X}"
        ) from None
    return text


def too_long(where: str) -> LimitExceeded:
    """Return the error for a template of more than `MAX_TEMPLATE_BYTES`."""
    return LimitExceeded(f"{where}: a template of more than {MAX_TEMPLATE_BYTES // 1024} KiB", "source")


def _within_limit(text: str, where: str) -> str:
    if len(text) * 4 > MAX_TEMPLATE_BYTES and len(text.encode()) > MAX_TEMPLATE_BYTES:
        raise too_long(where)
    return text


def _names(templates: Mapping[str, str]) -> str:
    return ", ".join(name or '""' for name in sorted(templates))


def _quoted(name: str) -> str:
    return describe(name).removeprefix("string ")
