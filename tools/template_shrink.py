"""A template and its chat made as small as they get while something stays true of them.

Rules: parts of the source are left out: stretches of tokens, a tag with its end, brackets around what is in them; then
variables of the chat. Each step is kept if `holds` still says so. It does not know what is looked for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

Holds = Callable[[str, dict[str, Any]], bool]

_TOKEN = re.compile(r"\{%[-+]?|[-+]?%\}|\{\{[-+]?|-?\}\}|\w+|'[^'\n]*'|\s+|.", re.DOTALL)
_TAG = re.compile(r"\{%[-+]?\s*(\w+).*?%\}", re.DOTALL)
_CLOSING = {")": "(", "]": "[", "}": "{"}
_MOST = 6000


class Shrinker:
    """Makes a template small; `holds` is asked some thousand times at most."""

    def __init__(self, holds: Holds):
        self._holds = holds
        self._left = _MOST

    def __call__(self, source: str, chat: dict[str, Any]) -> tuple[str, dict[str, Any]]:
        """Return a smaller template and a smaller chat."""
        before = None
        while before != (source, str(chat)) and self._left > 0:
            before = (source, str(chat))
            source = self._first(source, chat, _without_tags)
            source = self._stretches(source, chat)
            source = self._first(source, chat, _without_brackets)
            source = self._first(source, chat, _simpler)
            chat = self._chat(source, chat)
        return source, chat

    def _true(self, source: str, chat: dict[str, Any]) -> bool:
        self._left -= 1
        return self._left > 0 and self._holds(source, chat)

    def _first(self, source: str, chat: dict[str, Any], smaller: Callable[[str], Iterator[str]]) -> str:
        """Return what is left when of the smaller sources the first that holds is taken, again and again."""
        while True:
            for each in smaller(source):
                if each != source and self._true(each, chat):
                    source = each
                    break
            else:
                return source

    def _stretches(self, source: str, chat: dict[str, Any]) -> str:
        tokens = _TOKEN.findall(source)
        size = max(1, len(tokens) // 2)
        while size:
            at = 0
            while at < len(tokens):
                fewer = tokens[:at] + tokens[at + size :]
                if self._true("".join(fewer), chat):
                    tokens = fewer
                else:
                    at += size
            size //= 2
        return "".join(tokens)

    def _chat(self, source: str, chat: dict[str, Any]) -> dict[str, Any]:
        for name in list(chat):
            fewer = {key: value for key, value in chat.items() if key != name}
            if self._true(source, fewer):
                chat = fewer
        for name, value in list(chat.items()):
            for simple in _simpler_values(value):
                if self._true(source, {**chat, name: simple}):
                    chat = {**chat, name: simple}
                    break
        return chat


def _without_tags(source: str) -> Iterator[str]:
    """Yield the source without a block, and with what is in the block only."""
    opened: list[re.Match[str]] = []
    for tag in _TAG.finditer(source):
        if not tag[1].startswith("end"):
            opened.append(tag)
            continue
        while opened and opened[-1][1] != tag[1][3:]:
            opened.pop()
        if opened:
            first = opened.pop()
            yield source[: first.start()] + source[tag.end() :]
            yield source[: first.start()] + source[first.end() : tag.start()] + source[tag.end() :]


def _without_brackets(source: str) -> Iterator[str]:
    """Yield the source with brackets left out, with and without what is in them."""
    opened: list[tuple[str, int]] = []
    for at, character in enumerate(source):
        if character in "([{":
            opened.append((character, at))
        elif character in ")]}" and opened and opened[-1][0] == _CLOSING[character]:
            _, start = opened.pop()
            yield source[:start] + source[start + 1 : at] + source[at + 1 :]
            yield source[:start] + source[at + 1 :]
            yield source[: start + 1] + source[at:]


def _simpler(source: str) -> Iterator[str]:
    """Yield the source with a name or a text in place of something longer."""
    for found in re.finditer(r"'[^'\n]+'|\b\d{2,}\b|[-+](?=%\})|(?<=\{%)[-+]|(?<=\{\{)[-+]|-(?=\}\})", source):
        simple = "''" if found[0][0] == "'" else "1" if found[0].isdigit() else ""
        if simple != found[0]:
            yield source[: found.start()] + simple + source[found.end() :]


def _simpler_values(value: Any) -> Iterator[Any]:
    """Yield simpler values than one of a chat."""
    if isinstance(value, str) and len(value) > 1:
        yield from ("", "a", value[: len(value) // 2])
    elif isinstance(value, list) and value:
        yield from ([], value[:1], value[1:], value[:-1])
        for at, item in enumerate(value):
            yield from ([*value[:at], each, *value[at + 1 :]] for each in _simpler_values(item))
    elif isinstance(value, dict) and value:
        yield {}
        yield from ({key: each for key, each in value.items() if key != left} for left in value)
        yield from ({**value, key: each} for key in value for each in _simpler_values(value[key]))
    elif not isinstance(value, (str, list, dict)) and value not in (0, 1):
        yield from (0, 1)
