"""Where the text of a template's prompt came from: runs with the paths of what they show.

Rules: paths are looked for when somebody asks, by one walk through the chat. What a template put together and printed
whole is taken apart: what in it came from the chat is data. What is shown of a container that is no part of the chat is
derived, since nobody knows who filled it.
Chats in which the same container occurs twice have to be copied before: `Paths` says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from chatcodec.chat.pointer import Path, pointer
from chatcodec.engine.loading import GENERATION, Item
from chatcodec.engine.runs import Run, Whose, Work, flat, sources_of
from chatcodec.engine.text import DERIVED, GIVEN, LITERAL, STR, VALUE, Fraction, Itself, Origin, Text, Whole
from chatcodec.render.forms import PYTHON, JsonForm, ValueForm, tokens
from chatcodec.render.marks import Form
from chatcodec.render.span import GENERATION_OWNER, Span


class Paths:
    """The path of each container of a chat. ``shared``: whether one occurs twice, so that it has two."""

    def __init__(self, root: Mapping[str, Any], given: Callable[[Path], Path] = lambda path: path):
        """Take the chat as the template saw it, and what gives the path of the same in the chat of the caller."""
        self.root, self._given = root, given
        self.shared = False
        self._known: dict[int, Path] = {}
        left: list[tuple[Path, Any]] = [((name,), value) for name, value in root.items()]
        while left:
            path, value = left.pop()
            if not isinstance(value, (dict, list, tuple)):
                continue
            known = self._known.get(id(value))
            if known is not None:  # reasoning has two names in what a template sees, and one in what was given
                self.shared = self.shared or (bool(value) and given(known) != given(path))
                continue
            self._known[id(value)] = path
            members = value.items() if isinstance(value, dict) else enumerate(value)
            left += [((*path, key), each) for key, each in members if isinstance(each, (dict, list, tuple))]
        self._known[id(root["options"])] = ("options",)

    def of(self, container: Any) -> Path | None:
        """Return the path of a container, None if it is no part of the chat."""
        return self._known.get(id(container))

    def has(self, container: Any) -> bool:
        """Whether a container is a part of the chat."""
        return id(container) in self._known

    def shown(self, what: Any) -> tuple[Path, Form] | None:
        """Return the path and form of what a run shows, None if it is the template's."""
        seen = self.seen(what)
        return None if seen is None else (self._given(seen), _form(VALUE if len(what) == 2 else what[3]))

    def seen(self, what: Any) -> Path | None:
        """Return the path of what a run shows, in the chat as the template saw it."""
        source, key = what[0], what[1]
        if isinstance(key, Itself):
            if isinstance(source, (Text, Whole, Fraction)):
                return self.seen(source.origin)
            return self.of(source)
        path = self.of(source)
        return None if path is None else (*path, key)

    def owner(self, whose: Whose) -> str | None:
        """Return the pointer of the innermost message, part, call, tool or document around."""
        if whose is GENERATION:
            return GENERATION_OWNER
        while whose is not None and whose is not GENERATION:
            item, whose = whose
            path = self._element(item)
            if path is not None:
                return pointer(path)
        return GENERATION_OWNER if whose is GENERATION else None

    def owner_path(self, whose: Whose) -> Path | None:
        """Return the path of the innermost item that is an element of the chat."""
        while isinstance(whose, tuple):
            item, whose = whose
            path = self._element(item)
            if path is not None:
                return path
        return None

    def _element(self, item: Any) -> Path | None:
        if isinstance(item, Item):
            around = self.of(item[0])
            path = None if around is None else (*around, item[1])
        else:
            path = self.of(item)
        return path if path is not None and _is_element(path) else None

    def span(self, run: Run) -> Span:
        """Return the span that a run is."""
        start, end, what, whose = run
        owner = self.owner(whose)
        if what is None:
            return Span(start, end, "template", owner=owner)
        if len(what) == 4 and what[3] is DERIVED:
            found = [self.shown(origin) for origin in sources_of(what)]
            sources = dict.fromkeys(pointer(each[0]) for each in found if each is not None)
            return Span(start, end, "derived", owner=owner, sources=tuple(sources))
        shown = self.shown(what)
        if shown is None:  # of a container that the template made: nobody knows from what
            return Span(start, end, "derived", owner=owner)
        path, form = shown
        if owner is None and path[0] == "messages" and len(path) > 1:
            owner = pointer(path[:2])
        return Span(start, end, "data", pointer(path), form, owner)


def _is_element(path: Path) -> bool:
    """Whether a path is that of a message, part, call, tool or document."""
    count = len(path)
    if count == 2:
        return path[0] in ("messages", "tools", "documents") and isinstance(path[1], int)
    return count == 4 and path[0] == "messages" and isinstance(path[3], int)


def _form(how: Any) -> Form:
    if isinstance(how, JsonForm):
        return "json"
    return how  # type: ignore[no-any-return]


def value_form(how: Any) -> ValueForm:
    """Return the form of a run that prints a whole value."""
    return how if isinstance(how, JsonForm) else PYTHON


def taken_apart(run: Run, paths: Paths, work: Work) -> Iterator[Run]:
    """Yield the runs of something that was printed whole; it is one run if it is a part of the chat.

    What is too much `work` to take apart is derived.
    """
    start, end, what, whose = run
    assert what is not None
    source, _, skip, how = what
    if isinstance(source, (dict, list, tuple)) and paths.has(source):
        yield run
        return
    for length, inner, owner in _inside(source, value_form(how), paths, whose):
        work.left -= 1
        if work.left < 0 and start < end:
            yield start, end, ((), None, 0, DERIVED), whose
            return
        taken = min(length - min(skip, length), end - start)
        skipped, skip = min(skip, length), max(0, skip - length)
        if taken > 0:
            yield start, start + taken, _moved(inner, skipped), owner
            start += taken


def _moved(what: Any, by: int) -> Any:
    if what is None or not by:
        return what
    source, key, first, how = what if len(what) == 4 else (*what, 0, VALUE)
    return source, key, first if how is DERIVED else first + by, how


def _inside(value: Any, form: ValueForm, paths: Paths, whose: Whose) -> Iterator[tuple[int, Origin | None, Whose]]:
    for text, _, kind, shown in tokens(value, form, paths.has):
        if kind == "whole":
            container, inner = shown
            length = sum(len(part.text) for part in tokens(container, inner))
            yield length, (container, GIVEN, 0, inner if isinstance(inner, JsonForm) else STR), whose
        elif isinstance(shown, Text):
            yield from _text(text, shown, form, paths, whose)
        elif isinstance(shown, (Whole, Fraction)):
            source, key, _, _ = shown.origin
            yield len(text), (source, key, 0, form if isinstance(form, JsonForm) else STR), whose
        else:
            yield len(text), None if kind == "punctuation" else ((), None, 0, DERIVED), whose


def _text(
    text: str, shown: Text, form: ValueForm, paths: Paths, whose: Whose
) -> Iterator[tuple[int, Origin | None, Whose]]:
    source, key, start, how = shown.origin
    if how is VALUE and start == 0 and paths.has(source) and source[key] == shown and isinstance(form, JsonForm):
        yield len(text), (source, key, 0, form), whose
    elif text[1:-1] == shown:
        yield 1, None, whose
        yield from flat(shown, whose)
        yield 1, None, whose
    else:
        yield len(text), None if how is LITERAL else ([shown], None, 0, DERIVED), whose
