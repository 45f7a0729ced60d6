"""How a whole value is printed, and from which parts: as JSON, in the forms of ``tojson``, or as Python prints it.

Rules: the texts of the tokens of a value, joined, are what `json.dumps` or ``str()`` gives for it. The quotes of a text
belong to its token.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, Literal, NamedTuple, TypeAlias

from chatcodec.chat.pointer import Path


class JsonForm(NamedTuple):
    """The arguments of ``tojson``, and how deep inside another value this one stands."""

    ensure_ascii: Any = False
    indent: Any = None
    separators: Any = None
    sort_keys: Any = False
    depth: int = 0

    @property
    def between(self) -> tuple[str, str]:
        """What stands between two items, and between a key and its value."""
        if self.separators is not None:
            item, key = self.separators
            return item, key
        return ("," if self.indent is not None else ", "), ": "

    def line(self, depth: int) -> str:
        """Return what begins a line `depth` deep inside the value; nothing if all is one line."""
        if self.indent is None:
            return ""
        step = self.indent if isinstance(self.indent, str) else " " * self.indent
        return "\n" + step * (self.depth + depth)

    def deeper(self, depth: int) -> JsonForm:
        """Return the form of a value that stands `depth` deep inside this one."""
        return self._replace(depth=self.depth + depth) if self.indent is not None else self


class PythonForm(NamedTuple):
    """As ``str()`` prints what is no text."""

    def deeper(self, depth: int) -> PythonForm:  # noqa: ARG002
        """Return the form of a value that stands inside this one."""
        return self


JSON, PYTHON = JsonForm(), PythonForm()
ValueForm: TypeAlias = JsonForm | PythonForm
Kind = Literal["punctuation", "key", "leaf", "whole"]


class Token(NamedTuple):
    """A piece of a printed value: its text, the path of what it shows, its kind, and the value (or key) itself."""

    text: str
    path: Path
    kind: Kind
    value: Any


def tokens(
    value: Any, form: ValueForm, whole: Callable[[Any], bool] = lambda _: False, path: Path = (), depth: int = 0
) -> Iterator[Token]:
    """Yield the tokens of a value; a part of which `whole` holds is one token, without text.

    Raises RecursionError if it is nested too deeply, TypeError for what JSON does not have.
    """
    if isinstance(value, (dict, list, tuple)) and whole(value):
        yield Token("", path, "whole", (value, form.deeper(depth)))
    elif isinstance(value, dict):
        yield from _members(value, form, whole, path, depth)
    elif isinstance(value, (list, tuple)):
        yield from _items(value, form, whole, path, depth)
    else:
        yield Token(_scalar(value, form), path, "leaf", value)


def _items(value: Any, form: ValueForm, whole: Any, path: Path, depth: int) -> Iterator[Token]:
    square = isinstance(value, list) or isinstance(form, JsonForm)
    opening, closing = ("[", "]") if square else ("(", ",)" if len(value) == 1 else ")")
    if not value:
        yield Token(opening + closing, path, "punctuation", None)
        return
    between, _, line, end = _spaces(form, depth)
    yield Token(opening + line, path, "punctuation", None)
    for index, item in enumerate(value):
        if index:
            yield Token(between + line, path, "punctuation", None)
        yield from tokens(item, form, whole, (*path, index), depth + 1)
    yield Token(end + closing, path, "punctuation", None)


def _members(value: Any, form: ValueForm, whole: Any, path: Path, depth: int) -> Iterator[Token]:
    if not value:
        yield Token("{}", path, "punctuation", None)
        return
    between, colon, line, end = _spaces(form, depth)
    members = sorted(value.items()) if isinstance(form, JsonForm) and form.sort_keys else value.items()
    yield Token("{" + line, path, "punctuation", None)
    for index, (key, item) in enumerate(members):
        if index:
            yield Token(between + line, path, "punctuation", None)
        text = _scalar(key, form)
        quoted = isinstance(key, str) or isinstance(form, PythonForm)
        yield Token(text if quoted else f'"{text}"', (*path, key), "key", key)
        yield Token(colon, path, "punctuation", None)
        yield from tokens(item, form, whole, (*path, key), depth + 1)
    yield Token(end + "}", path, "punctuation", None)


def _spaces(form: ValueForm, depth: int) -> tuple[str, str, str, str]:
    """Return what is between items, between key and value, before each item, and before the closing bracket."""
    if isinstance(form, PythonForm):
        return ", ", ": ", "", ""
    return (*form.between, form.line(depth + 1), form.line(depth))


def _scalar(value: Any, form: ValueForm) -> str:
    if isinstance(form, PythonForm):
        return repr(value)
    return json.dumps(value, ensure_ascii=bool(form.ensure_ascii))
