"""Options: what a codec reads beside messages and tools, and what is said about any other.

Rules: a name that the codec does not read is an error with the nearest names, since it would change nothing, silently.
Special tokens are always accepted, read or not: transformers passes them to every template. A value of another type
than the option's author means counts as it counts in the reference, and is warned about.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import Any

from chatcodec.chat.pointer import describe, pointer
from chatcodec.errors import UnknownOption
from chatcodec.render.marks import NOBODY, Mark
from chatcodec.render.protocol import Option
from chatcodec.render.writer import WarningKind

SPECIAL_TOKENS = frozenset({f"{name}_token" for name in ("bos", "eos", "unk", "sep", "pad", "cls", "mask")})
"""The variables by which transformers passes special tokens to a template."""

_NOT_HERE = frozenset(
    {"chat_template", "conversation", "max_length", "padding", "return_assistant_tokens_mask", "return_dict"}
    | {"return_tensors", "sanitize_control_tokens", "tokenize", "tokenizer_kwargs", "truncation"}
)
"""Arguments of `apply_chat_template` that have no meaning where no tokens are made."""


def check_names(
    codec: str, options: Sequence[Option], given: Iterable[str], special_tokens: Container[str] = SPECIAL_TOKENS
) -> None:
    """Raise UnknownOption if a name among `given` is neither one of `options` nor a special token."""
    read = {option.name for option in options}
    unknown = [name for name in given if name not in read and name not in special_tokens]
    if unknown:
        raise _unknown(codec, unknown[0], unknown[1:], sorted(read))


def type_warnings(options: Sequence[Option], given: Mapping[str, Any]) -> Iterator[tuple[WarningKind, Mark]]:
    """Yield a warning for each of the `given` options whose value is of another type than is meant."""
    for option in options:
        if option.name in given and not option.fits(given[option.name]):
            message = f"found {describe(given[option.name])}, meant: a {option.type}. {option.doc}"
            yield WarningKind("option-type", ("options", option.name), message), NOBODY


def nearest_names(name: str, known: Iterable[str]) -> list[str]:
    """Return up to three of the `known` names that look like `name`, the nearest first."""
    from difflib import get_close_matches  # only when something is misspelt: it costs as much as this whole room

    return get_close_matches(name, list(known), n=3, cutoff=0.6)


def _unknown(codec: str, name: str, others: list[str], accepted: list[str]) -> UnknownOption:
    nearest = nearest_names(name, accepted)
    if name in _NOT_HERE:
        hint = "it belongs to apply_chat_template, and means nothing where no tokens are made"
    elif nearest:
        hint = f"did you mean {' or '.join(nearest)}?"
    else:
        hint = f"it reads: {', '.join(accepted)}" if accepted else "it reads none"
    also = f", nor {', '.join(others)}" if others else ""
    message = f'{codec} does not read an option "{name}"{also}; {hint}'
    return UnknownOption(message, pointer(("options", name)), accepted, nearest)
