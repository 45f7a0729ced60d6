r"""Literals as regular expressions, and regular expressions that are literals in disguise.

A pattern such as ``\s*<tool_call>\s*<function=(?P<name>[^>]+)>`` says a literal with white space and a slot in it.
Writing uses literal text, optional white space, and looks ahead. Reading takes what people write for that: groups,
alternatives, character classes in slots. Rules: a pattern that somebody else wrote is taken apart here and never run;
what it says beyond literals is an error that names the place.
"""

from __future__ import annotations

import re
from typing import Final, Literal, NamedTuple, TypeAlias

LONGEST, DEEPEST, MOST_WAYS, MOST_SPACE = 4000, 20, 64, 64


class PatternError(ValueError):
    """A pattern that says more than literals, or none at all: what is in the way, and where."""


class Space(NamedTuple):
    """White space that may be there: at most ``longest``, or any amount if that is None."""

    longest: str | None


class Run(NamedTuple):
    """Characters of one kind: ``kind`` is how that is written. ``blank``: whether a blank is of that kind."""

    kind: str
    blank: bool
    lazy: bool


class Named(NamedTuple):
    """A named group, with what is in it."""

    name: str
    items: Sequence


class Look(NamedTuple):
    """What has to follow, without being taken: one of these."""

    ways: Ways


class Maybe(NamedTuple):
    """Something that may be left out."""

    ways: Ways


class Edge(NamedTuple):
    """The beginning or the end of the text."""

    where: Literal["start", "end"]


Item: TypeAlias = str | Space | Run | Named | Look | Maybe | Edge
Sequence: TypeAlias = tuple[Item, ...]
Ways: TypeAlias = tuple[Sequence, ...]


def escaped(text: str) -> str:
    """Return the pattern of a literal, for any dialect of regular expressions."""
    return "".join(_ESCAPED.get(char, char) for char in text)


def any_of(patterns: list[str]) -> str:
    """Return the pattern of one of `patterns`."""
    return patterns[0] if len(patterns) == 1 else f"(?:{'|'.join(patterns)})"


def up_to(space: str, behind: bool) -> str:
    """Return the pattern of as much of `space` as is there: its beginning `behind` a marker, its end before one."""
    if not space:
        return ""
    if len(set(space)) == 1:
        return escaped(space[0]) + ("?" if len(space) == 1 else f"{{0,{len(space)}}}")
    pattern = ""
    for char in reversed(space) if behind else space:
        pattern = f"(?:{escaped(char)}{pattern})?" if behind else f"(?:{pattern}{escaped(char)})?"
    return pattern


def gap(space: str) -> str:
    r"""Return the pattern of white space that is free, and is usually `space`: a newline if nothing else is said."""
    return r"\s*" if space == "\n" else up_to(space, behind=True) + r"\s*"


def gapped(literal: str, slots: dict[str, str]) -> str:
    """Return the pattern of a literal in which white space is free; `slots` are patterns for what stands in it."""
    cuts = "|".join([r"[ \t\r\n]+", *map(re.escape, slots)])
    parts = re.split(f"({cuts})", literal)
    return "".join(slots.get(part) or (gap(part) if part.isspace() else escaped(part)) for part in parts)


def read_pattern(pattern: str) -> Ways:
    """Return the ways in which a pattern can be met, each a sequence of items. Raises PatternError."""
    if len(pattern) > LONGEST:
        raise PatternError(f"a pattern of {len(pattern)} characters, where {LONGEST} are read")
    parser = _Parser(pattern)
    ways = parser.ways(0)
    if parser.at < len(pattern):
        raise parser.fault("a ) that closes nothing")
    return ways


_ESCAPED = {**{char: "\\" + char for char in r"\.^$*+?{}[]|()"}, "\n": r"\n", "\r": r"\r", "\t": r"\t"}
_CONTROLS: Final = {"n": "\n", "r": "\r", "t": "\t", "f": "\f", "v": "\v", "a": "\a"}
_WITH_BLANK: Final = {"s": True, "S": False, "d": False, "D": True, "w": False, "W": True}
_HEX = {"x": 2, "u": 4, "U": 8}
_BOUNDS = re.compile(r"\{(\d{0,4})(,?)(\d{0,4})\}").match
_HEX_CODE = re.compile("[0-9a-fA-F]{1,8}").match
_GROUP = re.compile(r"\(\?P?<([A-Za-z_]\w*)>").match
_SPACES = " \t\r\n\f\v"


class _Chars(NamedTuple):
    """One character: ``only`` this one, or one of a ``kind``. ``space``: white space only. ``blank``: also a blank."""

    kind: str
    only: str | None
    space: bool
    blank: bool


class _Parser:
    def __init__(self, pattern: str) -> None:
        self.text, self.at = pattern, 0

    def fault(self, what: str, at: int | None = None) -> PatternError:
        return PatternError(f"{what}, at character {self.at if at is None else at}")

    def _take(self, expected: str) -> bool:
        found = self.text.startswith(expected, self.at)
        self.at += len(expected) if found else 0
        return found

    def ways(self, depth: int) -> Ways:
        if depth > DEEPEST:
            raise self.fault(f"groups more than {DEEPEST} deep")
        found = [*self._sequences(depth)]
        while self._take("|"):
            found += self._sequences(depth)
        if len(found) > MOST_WAYS:
            raise self.fault(f"more than {MOST_WAYS} alternatives")
        return tuple(found)

    def _sequences(self, depth: int) -> Ways:
        ways: Ways = ((),)
        while self.at < len(self.text) and self.text[self.at] not in "|)":
            start = self.at
            unit = self._unit(depth)
            options = self._repeated(unit, start)
            ways = tuple(_joined(way, option) for way in ways for option in options)
            if len(ways) > MOST_WAYS:
                raise self.fault(f"more than {MOST_WAYS} alternatives")
        return ways

    def _unit(self, depth: int) -> _Chars | Ways:
        char = self.text[self.at]
        if char == "(":
            return self._group(depth)
        if char == "[":
            return self._class()
        self.at += 1
        if char == "\\":
            return self._escape()
        if char in "*+?":
            raise self.fault(f"a {char} that repeats nothing", self.at - 1)
        if char in "^$":
            return ((Edge("start" if char == "^" else "end"),),)
        return _Chars(".", None, False, True) if char == "." else _one(char)

    def _escape(self) -> _Chars | Ways:
        if self.at == len(self.text):
            raise self.fault("a backslash at the end")
        char = self.text[self.at]
        self.at += 1
        if char in "AZz":
            return ((Edge("start" if char == "A" else "end"),),)
        if char in _WITH_BLANK:
            return _Chars("\\" + char, None, char == "s", _WITH_BLANK[char])
        if char in _CONTROLS:
            return _one(_CONTROLS[char])
        if char in _HEX:
            return _one(self._code(_HEX[char]))
        if char.isalnum():
            raise self.fault(f"\\{char}", self.at - 2)
        return _one(char)

    def _code(self, digits: int) -> str:
        code = _HEX_CODE(self.text, self.at)
        if code is None or len(code[0]) < digits or int(code[0][:digits], 16) > 0x10FFFF:
            raise self.fault("a character whose number is none")
        self.at += digits
        return chr(int(code[0][:digits], 16))

    def _group(self, depth: int) -> Ways:
        start = self.at
        named = _GROUP(self.text, start)
        if named:
            self.at = named.end()
        elif self._take("(?:") or self._take("(?="):
            pass
        elif self._take("(?"):
            raise self.fault(f"a group of the kind {self.text[start : start + 3]}", start)
        else:
            self.at += 1
        ways = self.ways(depth + 1)
        if not self._take(")"):
            raise self.fault("a ( that nothing closes", start)
        if named:
            return tuple((Named(named[1], way),) for way in ways)
        return ((Look(ways),),) if self.text.startswith("(?=", start) else ways

    def _class(self) -> _Chars:
        start = self.at
        self.at += 1
        negated = self._take("^")
        first, tests, plain, space = self.at, [], [], not negated
        while self.at == first or not self._take("]"):
            if self.at >= len(self.text):
                raise self.fault("a [ that nothing closes", start)
            low, high = self._range()
            space = space and low.space and high.space
            plain += [low.only, high.only]
            tests.append(low.blank or high.blank or bool(low.only and high.only and low.only < " " < high.only))
        if not negated and len(set(plain)) == 1 and plain[0] is not None:
            return _one(plain[0])
        return _Chars(self.text[start : self.at], None, space, any(tests) != negated)

    def _range(self) -> tuple[_Chars, _Chars]:
        start, low = self.at, self._member()
        if low.only is None or not self.text.startswith("-", self.at) or self.text.startswith("-]", self.at):
            return low, low
        self.at += 1
        high = self._member()
        if high.only is None or high.only < low.only:
            raise self.fault("a range of characters that has no end", start)
        if low.only < high.only:  # white space beside each other is no range that anybody writes
            return low._replace(space=False), high
        return low, high

    def _member(self) -> _Chars:
        if self._take("\\"):
            found = self._escape()
            if not isinstance(found, _Chars):
                raise self.fault("an edge inside of [ ]")
            return found
        if self.at == len(self.text):
            raise self.fault("a [ that nothing closes")
        self.at += 1
        return _one(self.text[self.at - 1])

    def _bounds(self) -> tuple[int, int | None] | None:
        for sign, bounds in (("*", (0, None)), ("+", (1, None)), ("?", (0, 1))):
            if self._take(sign):
                return bounds
        found = _BOUNDS(self.text, self.at)
        if found is None or not (found[1] or found[3]):
            return None
        self.at = found.end()
        low = int(found[1] or 0)
        return low, (int(found[3]) if found[3] else None) if found[2] else low

    def _repeated(self, unit: _Chars | Ways, start: int) -> Ways:
        bounds = self._bounds()
        lazy = bounds is not None and self._take("?")
        if bounds is not None and not lazy:
            self._take("+")
        low, high = bounds or (1, 1)
        if isinstance(unit, _Chars):
            return ((self._run(unit, low, high, lazy, start),),)
        if bounds is None:
            return unit
        if (low, high) == (0, 1):
            spaces = all(map(_is_space, unit))
            return ((max(map(_space, unit), key=_length) if spaces else Maybe(unit),),)
        raise self.fault("a group that is repeated", start)

    def _run(self, chars: _Chars, low: int, high: int | None, lazy: bool, start: int) -> Item:
        if chars.only is None:
            return Space(None) if chars.space else Run(chars.kind, chars.blank, lazy)
        if low == high and 0 < low <= MOST_SPACE:
            return chars.only * low
        if chars.only in _SPACES:
            return Space(None if high is None or high > MOST_SPACE else chars.only * high)
        raise self.fault(f"{chars.only!r} as often as one likes", start)


def _one(char: str) -> _Chars:
    return _Chars(char, char, char in _SPACES, char == " ")


def _joined(left: Sequence, right: Sequence) -> Sequence:
    if left and right and isinstance(left[-1], str) and isinstance(right[0], str):
        return (*left[:-1], left[-1] + right[0], *right[1:])
    return left + right


def _is_space(way: Sequence) -> bool:
    return all(isinstance(item, Space) or (isinstance(item, str) and not item.strip(_SPACES)) for item in way)


def _space(way: Sequence) -> Space:
    """Return the white space that a sequence of nothing else comes to."""
    longest = ""
    for item in way:
        part = item.longest if isinstance(item, Space) else item
        if part is None:
            return Space(None)
        longest += str(part)
    return Space(longest)


def _length(space: Space) -> int:
    return MOST_SPACE + 1 if space.longest is None else len(space.longest)
