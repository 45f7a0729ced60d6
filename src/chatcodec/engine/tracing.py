"""One render that keeps origins: the operations of `Run` on text that knows where it came from.

Rules: the same text, and at least the same charge. A string of the chat gets its origin where it is loaded to go
somewhere. What the run writes into its output, `runs` reads:

    str, Text                text; without an origin it is the template's
    (source, key)            the next text shows ``source[key]``, as it is or as Python prints it
    OPEN, an item, CLOSE     a loop begins, what is written next is for this item of it, the loop is over; an item is
                             an object of the chat, or an `Item`
    GENERATION, BACK         what follows is only written for the generation prompt; it is over
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from markupsafe import Markup, escape

from chatcodec.engine.limits import LONG, Limits
from chatcodec.engine.loading import Members, expect_text, wrapped
from chatcodec.engine.run import Run
from chatcodec.engine.running import total_length
from chatcodec.engine.text import (
    DERIVED,
    GIVEN,
    KEY,
    LITERAL,
    MOST_FOLLOWED,
    PIECES,
    STR,
    VALUE,
    WHOLE,
    Fraction,
    Marked,
    Origin,
    Text,
    Whole,
    derived,
    joined,
    literal,
    made,
    plain_text,
    put_together,
    replaced,
    unknown,
)
from chatcodec.engine.values import METHODS, item, plain
from chatcodec.render.forms import JSON, JsonForm

FOLLOWED = frozenset({
    "trim", "string", "safe", "tojson", "upper", "lower", "capitalize", "replace", "join", "format", "default", "d",
    "list", "first", "last", "items", "reverse", "map", "select", "reject", "selectattr", "rejectattr", "attr", "sum",
    "dictsort", "sort", "unique", "batch", "slice", "groupby", "min", "max", "length", "count", "center", "indent",
})  # fmt: skip
"""The filters that keep origins by themselves."""
_SCALARS = frozenset({str, int, float})
_new = str.__new__
_LOOKED_UP = 48  # steps to find a member
_LOOKED_THROUGH = 8  # steps for a value that is looked through for origins
_COPIED = 30  # steps for a text with an origin, beside its characters
_NO_DATA: Origin = ((None,), None, 0, DERIVED)
"""The origin of what is printed of something that is no data, such as a method: a mark before it says nothing of it."""


class TracedRun(Run):
    """What is there while a template runs once and origins are kept."""

    _sum: Any = None

    def __init__(self, variables: Mapping[str, Any], limits: Limits):
        """Take the variables, and the limits."""
        super().__init__(variables, limits)
        self._members: dict[int, tuple[Any, list[tuple[Any, Any]]]] = {}  # of dicts that loops went through, by ids

    # Filters

    def filter(self, name: str) -> Any:
        """Return a filter; what keeps no origins gives something derived."""
        function = super().filter(name)
        return (
            function
            if name in FOLLOWED
            else lambda *args, **kwargs: self.lost(function(*args, **kwargs), *args, *kwargs.values())
        )

    # Members and items

    def item_of(self, owner: Any, key: Any) -> Any:
        """Return what ``owner[key]`` is."""
        self.steps(_LOOKED_UP)
        if isinstance(key, int) and isinstance(owner, (list, tuple)) and -len(owner) <= key < 0:
            key = len(owner) + int(key)
        return self.wrapped(item(owner, key), owner, key)

    def wrapped(self, value: Any, owner: Any, key: Any) -> Any:
        """Return a value that was loaded from ``owner[key]`` with that for its origin; a text is copied, so charged."""
        if type(value) is not str:
            return wrapped(value, owner, key)
        self.steps_left -= _COPIED  # the next charge looks at what is left
        if len(value) > LONG:
            self.steps(len(value) >> 1)
        text = _new(Text, value)
        text.origin = (owner, key, 0, VALUE)
        return text

    def pairs(self, value: Any) -> Any:
        """Return the members of a dict, names with values."""
        return Members("items", value) if type(value) is dict else value.items()

    def members_of(self, value: dict[Any, Any]) -> list[Any]:
        """Return the members of a dict that a loop goes through, names with values."""
        self.steps(4 * _COPIED * len(value))
        known = self._members.get(id(value))
        if known is not None:
            return known[1]
        found: list[tuple[Any, Any]] = []
        for key, each in value.items():
            name: Any = key
            if type(key) is str:
                name = _new(Text, key)
                name.origin = (value, key, 0, KEY)
            if type(each) is str:
                if len(each) > LONG:
                    self.steps(len(each) >> 1)
                text = _new(Text, each)
                text.origin = (value, key, 0, VALUE)
                found.append((name, text))
            elif type(each) is dict:
                found.append((name, each))
            else:
                found.append((name, wrapped(each, value, key)))
        self._members[id(value)] = value, found  # with the dict, so that nothing else gets its id
        return found

    def names(self, value: Any) -> Any:
        """Return the names of a dict's members."""
        return Members("keys", value)

    def values(self, value: Any) -> Any:
        """Return the values of a dict's members."""
        return Members("values", value)

    def items_of(self, value: Any) -> Any:
        """Return what has the items of a value."""
        if type(value) is dict:
            self.steps(2 * _COPIED * len(value))
            return list(Members("keys", value))
        if type(value) not in (list, tuple):
            return value
        self.steps(len(value) >> 2)
        if _SCALARS.isdisjoint(map(type, value)):
            return value
        self.steps(_COPIED * len(value) + (total_length(value) >> 1))
        return type(value)(wrapped(each, value, index) for index, each in enumerate(value))

    def listed(self, value: Any, weight: int = 1) -> Any:
        """Return what a loop goes through; charge its passes."""
        if type(value) is list:  # as most are
            left = self.steps_left = self.steps_left - len(value) * weight
            if left < 0:
                self.steps(0)
            return value if _SCALARS.isdisjoint(map(type, value)) else self.items_of(value)
        if type(value) is Members:
            self.steps(4 * _COPIED * len(value) + (total_length(value.mapping.values()) >> 1))
            value = list(value)
        elif isinstance(value, str):
            self.steps(_COPIED * len(value))
        return self.items_of(super().listed(value, weight))

    def call_method(self, owner: Any, name: str, /, *args: Any, **kwargs: Any) -> Any:
        """Call a method of a value."""
        if type(owner) is dict and name in METHODS[dict]:
            if name == "get" and args and not kwargs:
                self.key(args[0])
                found = plain(owner.get(*args))
                return self.wrapped(found, owner, args[0]) if args[0] in owner else found
            view = {"items": self.pairs, "keys": self.names, "values": self.values}.get(name)
            if view is not None and not args and not kwargs:
                return view(owner)
        result = super().call_method(owner, name, *args, **kwargs)
        if type(result) is str and isinstance(owner, str) and name not in ("join", "format", "replace"):
            return derived(result, owner, *args, *kwargs.values())
        return result

    # Text

    def text(self, value: Any) -> str:
        """Return a value as it is printed."""
        if type(value) is Text:
            return value
        if isinstance(value, str):
            return plain_text(value) if isinstance(value, Markup) else unknown(plain(value))
        text = super().text(value)
        if isinstance(value, (Whole, Fraction)):
            return made(text, value.origin)
        if isinstance(value, (dict, list, tuple)):
            return made(text, (value, WHOLE, 0, STR))
        if value is None or isinstance(value, (bool, int, float)):
            return unknown(text)
        return made(text, _NO_DATA) if text else text

    def joined(self, out: list[Any]) -> str:
        """Return the text that was written into a list."""
        texts = [piece for piece in out if isinstance(piece, str)]
        text = super().joined(texts)
        if not text:
            return text
        if len(out) == 1:
            return texts[0] if type(texts[0]) is Text else literal(text)
        return made(text, (out, None, 0, PIECES))

    def join_texts(self, texts: Sequence[str]) -> str:
        """Return texts one behind the other."""
        for text in texts:
            expect_text(text)
        super().join_texts(texts)  # which charges
        return put_together(list(texts))

    def join(self, separator: str, texts: Sequence[str]) -> str:
        """Return texts with a separator between them."""
        super().join(separator, texts)
        return joined(separator, list(texts))

    def replace(self, text: str, old: str, new: str, count: int = -1) -> str:
        """Return a text with one text in place of another."""
        made = super().replace(text, old, new, count)
        self.steps(_COPIED * min(str.count(text, old) + 1, MOST_FOLLOWED))
        if isinstance(made, Markup):
            return made
        return replaced(text, old, new, count)

    def json_of(self, value: Any) -> str:
        """Return a value as ``tojson`` prints it."""
        return made(str.__str__(super().json_of(value)), _json_origin(value, WHOLE))

    def json_given(self, value: Any) -> str:
        """Return a value that the template did not put together as ``tojson`` prints it."""
        return made(str.__str__(super().json_given(value)), _json_origin(value, GIVEN))

    def json_of_tools(self, value: Any) -> str:
        """Return what may be a tool definition as ``tojson`` prints it."""
        return made(str.__str__(super().json_of_tools(value)), _json_origin(value, GIVEN))

    def json_in(self, value: Any, text: str, form: JsonForm) -> str:
        """Return the JSON of a value with its origin."""
        return made(str.__str__(text), (value, WHOLE, 0, form))

    def unknown(self, text: str) -> str:
        """Return a text that comes from outside the chat and the template."""
        return unknown(text)

    def text_from(self, value: Any, owner: Any, key: Any) -> str:
        """Return a value that was loaded from ``owner[key]`` as it is printed."""
        text = self.text(value)
        if type(text) is Text and text.origin[3] is DERIVED and not text.origin[0]:
            return made(text, (owner, _plain_key(key), 0, STR))
        return text

    def json_from(self, text: str, owner: Any, key: Any) -> str:
        """Return the JSON of a value that was loaded from ``owner[key]``."""
        if type(text) is Text and type(text.origin[0]) in (bool, type(None)):
            return made(text, (owner, _plain_key(key), 0, text.origin[3]))
        return text

    def lost(self, made_text: Any, *sources: Any) -> Any:
        """Return what a function made that keeps no origins."""
        if type(made_text) is not str:
            return made_text
        for each in sources:
            if isinstance(each, (list, tuple, dict)):
                self.steps(_LOOKED_THROUGH * self.weigh(each).values)
        return derived(made_text, *sources)

    def is_own(self, text: str) -> bool:
        """Whether a text is the template's own."""
        return type(text) is Text and text.origin[3] is LITERAL

    def literal(self, text: str) -> str:
        """Return a text of the template's own."""
        return literal(text)

    def modulo(self, left: Any, right: Any) -> Any:
        """Return ``left % right``: of a text, what formatting gives."""
        result = super().modulo(left, right)
        if type(result) is not str:
            return result
        return _formatted(self, left, right, result)

    def stretch(self, value: Any, part: slice) -> Any:
        """Return ``value[a:b]``."""
        if isinstance(value, str) and part.step is not None and len(value) <= MOST_FOLLOWED:
            self.steps(_COPIED * len(value))
        return super().stretch(self.items_of(value) if isinstance(value, (list, tuple)) else value, part)

    def marked(self, text: str) -> Markup:
        """Return a text marked as safe."""
        marked = Marked(text)
        marked.origin = text.origin if isinstance(text, (Text, Marked)) else None
        return marked

    def _add(self, left: Any, right: Any) -> Any:
        if isinstance(left, str) and isinstance(right, str):
            return self._marked_sum(left, right, super()._add(left, right))
        if isinstance(left, (list, tuple)) and isinstance(right, (list, tuple)):
            left, right = self.items_of(left), self.items_of(right)
        return super()._add(left, right)

    def add(self, left: Any, right: Any) -> Any:
        """Return ``left + right``."""
        if type(left) is not list or type(right) is not list:
            return super().add(left, right)
        known = left is self._sum  # lists grow one by one: what was looked through once is not looked through again
        self._sum = super().add(left if known else self.items_of(left), self.items_of(right))
        return self._sum

    def _marked_sum(self, left: str, right: str, result: str) -> str:
        """Return a sum with its origin: of marked text and other text, which was escaped then."""
        if not isinstance(result, Markup):
            return result
        pieces = []
        for each in (left, right):
            if isinstance(each, Markup):
                pieces.append(plain_text(each))
            else:
                escaped = str.__str__(escape(each))
                pieces.append(each if escaped == each else derived(escaped, each))
        marked = Marked(result)
        marked.origin = pieces, None, 0, PIECES
        return marked

    def multiply(self, left: Any, right: Any) -> Any:
        """Return ``left * right``."""
        if isinstance(left, str) or isinstance(right, str):
            self.steps(MOST_FOLLOWED)
        return super().multiply(self._elements(left), self._elements(right))

    def _elements(self, value: Any) -> Any:
        return self.items_of(value) if isinstance(value, (list, tuple)) else value


def _json_origin(value: Any, key: Any) -> Origin:
    """Return the origin of a value's JSON: of a text that is all of a string of the chat, that of the string."""
    if type(value) is Text:
        source, name, start, how = value.origin
        if how is VALUE and start == 0 and str.__eq__(source[name], value) is True:
            return source, name, 0, JSON
        return value, WHOLE, 0, JSON
    if isinstance(value, (Whole, Fraction)):
        return (*value.origin[:3], JSON)
    return value, key, 0, JSON


def _plain_key(key: Any) -> Any:
    return str.__str__(key) if isinstance(key, str) else key


def _formatted(run: TracedRun, form: str, values: Any, result: str) -> str:
    """Return what ``form % values`` gave; ``%s`` is followed."""
    many = values if isinstance(values, tuple) else (values,)
    parts = form.split("%s")
    odd = isinstance(form, Markup) or isinstance(values, Mapping) or any("%" in part for part in parts)
    if odd or len(parts) != len(many) + 1:
        return derived(result, form, *many)
    pieces = [parts[0]]
    for value, (_, behind) in zip(many, pairwise(parts), strict=True):
        pieces += (value if isinstance(value, str) else run.text(value), behind)
    return put_together(pieces)
