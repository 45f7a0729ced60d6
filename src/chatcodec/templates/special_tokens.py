"""The special tokens that a tokenizer's files name, as transformers 5.23 passes them to a template.

Rules: as in `special_tokens_map` of the tokenizer that `AutoTokenizer` loads from these files.
- The seven named ones (``bos_token``, ...) that are set, and the model's own: further keys that end with ``_token``,
  and what ``extra_special_tokens`` or ``model_specific_special_tokens`` say as an object. The model's own win.
- ``special_tokens_map.json`` is from before ``added_tokens_decoder``: it is read, and wins, only if the configuration
  has no such key. Null in it unsets a token.
- ``pad_token``, if no file mentions it, is the one that ``tokenizer.json`` pads with.
- A token is a text, or an object whose ``content`` is the text.

It does not know what a tokenizer's class adds where the files are silent (``LlamaTokenizer`` has ``<s>``), nor the
tokens inside of a SentencePiece model.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, TypeAlias

from chatcodec.chat.pointer import describe
from chatcodec.errors import UnreadableInput
from chatcodec.render.options import SPECIAL_TOKENS as NAMED
from chatcodec.templates.files import read_member
from chatcodec.templates.source import valid_text

_Placed: TypeAlias = dict[str, tuple[Any, str]]
"""Tokens by variable: the value, and the file that has it."""


class Settings(NamedTuple):
    """The object of a JSON file, and the path of the file."""

    values: Mapping[str, Any]
    path: str


def special_tokens(config: Settings, legacy: Settings | None = None, tokenizer: str | None = None) -> dict[str, str]:
    """Return the texts of the special tokens, by their variables.

    config: ``tokenizer_config.json``; legacy: ``special_tokens_map.json``; tokenizer: the path of ``tokenizer.json``.

    Raises UnreadableInput for a token that is neither text nor null.
    """
    named = _placed(config.path, {name: value for name, value in config.values.items() if name in NAMED})
    added = {name: value for name, value in config.values.items() if _is_own(name) and _is_added_token(value)}
    weak = _placed(config.path, added)  # the model's own as well, which give way to those spelled as text
    own = _placed(config.path, _own(config.values))
    if legacy is not None and "added_tokens_decoder" not in config.values:
        tokens = {name: value for name, value in legacy.values.items() if isinstance(value, (str, dict))}
        named |= _placed(legacy.path, {name: value for name, value in legacy.values.items() if name in NAMED})
        weak |= _placed(legacy.path, {name: value for name, value in tokens.items() if _is_own(name)})
        own |= _placed(legacy.path, _extra(legacy.values))
    if "pad_token" not in named and tokenizer is not None:
        named["pad_token"] = padding_token(tokenizer), tokenizer
    set_ones = {name: found for name, found in named.items() if found[0] is not None}
    return {name: _content(value, f"{path}: {name}") for name, (value, path) in (set_ones | weak | own).items()}


def padding_token(path: str) -> str | None:
    """Return the token that a ``tokenizer.json`` pads with, None if it does not pad. Raises UnreadableInput.

    Its vocabulary, behind ``padding``, is not parsed.
    """
    padding = read_member(path, "padding")
    token = padding.get("pad_token") if isinstance(padding, dict) else None
    return token if isinstance(token, str) else None


def _placed(path: str, values: Mapping[str, Any]) -> _Placed:
    return {name: (value, path) for name, value in values.items()}


def _own(config: Mapping[str, Any]) -> dict[str, Any]:
    """Return the tokens of the model's own that a configuration names."""
    own = {name: value for name, value in config.items() if _is_own(name) and isinstance(value, str)}
    own.update(_extra(config))
    if own:
        return own
    specific = config.get("model_specific_special_tokens")
    return specific if isinstance(specific, dict) else {}


def _extra(values: Mapping[str, Any]) -> dict[str, Any]:
    extra = values.get("extra_special_tokens") or values.get("additional_special_tokens")
    return extra if isinstance(extra, dict) else {}


def _is_own(name: str) -> bool:
    return name.endswith("_token") and name not in NAMED


def _is_added_token(value: Any) -> bool:
    return isinstance(value, dict) and value.get("__type") == "AddedToken"


def _content(value: Any, where: str) -> str:
    content = value.get("content") if isinstance(value, dict) else value
    if not isinstance(content, str):
        raise UnreadableInput(
            f"{where}: found {describe(value)}, accepted: a token's text, or an object with its content"
        )
    return valid_text(content, where)
