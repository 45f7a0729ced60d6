r"""Matching of markup that may be cut at the end of what has come so far.

A literal of a piece, such as ``<tool_call>\n<function={name}>\n``, becomes a sequence of atoms: texts, slots, and
gaps where the literal has white space. Rules: a gap takes any white space, up to `GAP` characters; a slot takes a name,
up to `SLOT` characters; so whatever is held back is short. `Matcher` tells apart what is there, what may yet come, and
what is something else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

GAP, SLOT = 64, 256

Cut: TypeAlias = Literal["cut"]
CUT: Final = "cut"
"""Said of markup whose end has not come yet."""

_SPACE = re.compile(rf"[ \t\r\n]{{0,{GAP + 1}}}").match
_SPACES = re.compile(r"[ \t\r\n]+")


@dataclass(frozen=True, slots=True)
class Slot:
    """A place for a name: it begins with a letter, a digit, _, $ or @, and has no white space, bracket or quote in it.

    A loose slot, for the name of an argument, takes blanks, quotes, and may be empty. It ends where what follows it
    begins. ``end`` has the characters that end it where nothing follows.
    """

    loose: bool = False
    end: str = ""

    @property
    def pattern(self) -> str:
        """A regular expression for what fits."""
        no = r"\ud800-\udfff<>" + re.escape(self.end)
        if self.loose:
            return rf"[^\r\n{no}]{{0,{SLOT}}}"
        return rf"""[\w$@][^\s"'`{{}}{no}]{{0,{SLOT - 1}}}"""


@dataclass(frozen=True, slots=True)
class Gap:
    """White space, or none; ``line``: it begins with the end of a line, or there is none."""

    line: bool = False


Atom: TypeAlias = str | Slot | Gap
Spell: TypeAlias = Callable[[str], str]
"""How a literal is spelled in what a reader reads: as it is, or with a stand-in for each marker that is one token."""


def atoms(literal: str, slots: dict[str, Slot], spell: Spell) -> tuple[Atom, ...]:
    """Return the atoms of a literal, in which ``{name}`` stands for a slot. White space around it all is left out."""
    parts = (
        re.split("(" + "|".join(re.escape(slot) for slot in slots) + ")", literal.strip())
        if slots
        else [literal.strip()]
    )
    found: list[Atom] = []
    for part in parts:
        if part in slots:
            found.append(slots[part])
            continue
        for index, text in enumerate(_SPACES.split(part)):
            if index:
                found.append(Gap())
            if text:
                found.append(spell(text))
    return tuple(found)


def texts(sequence: tuple[Atom, ...]) -> tuple[str, ...]:
    """Return the texts among the atoms."""
    return tuple(atom for atom in sequence if isinstance(atom, str))


class Matcher:
    """Matches one sequence of atoms at a place."""

    def __init__(self, sequence: tuple[Atom, ...]):
        self.sequence = sequence
        self._open = not isinstance(sequence[-1], str)  # so that more text can make a match longer
        last = len(sequence) - 1
        parts = [
            f"({atom.pattern}{'?' if index < last else ''})" if isinstance(atom, Slot) else _pattern(atom)
            for index, atom in enumerate(sequence)
        ]
        self._whole = re.compile("".join(parts))
        self._steps = [(atom, re.compile(_pattern(atom)).match) for atom in sequence]
        # Where a slot takes what stands behind it too, what matches now may match otherwise when more has come.
        self._unsure = {index for index in range(last) if _takes_what_follows(sequence, index)}

    def __call__(self, text: str, at: int, final: bool) -> re.Match[str] | Cut | None:
        """Return the match at `at`; CUT if `text` ends in its middle and is not the end of all; or None."""
        found = self._whole.match(text, at)
        if found is not None and (final or not self._open or found.end() < len(text)):
            return CUT if self._unsure and not final and self.is_cut(text, at) else found
        return CUT if not final and self.is_cut(text, at) else None

    def is_cut(self, text: str, at: int, first: int = 0) -> bool:
        """Whether `text` ends in the middle of what may become a match, of the atoms from `first` on."""
        for index in range(first, len(self._steps)):
            atom, step = self._steps[index]
            if isinstance(atom, str):
                if not text.startswith(atom, at):
                    return begins(text, at, (atom,))
                at += len(atom)
                continue
            found = step(text, at)
            if found is None or found.end() == len(text):
                return found is not None or at == len(text)
            if index in self._unsure:  # a name may end wherever what follows it stands
                ends = range(at + (not atom.loose), found.end() + 1)  # type: ignore[union-attr]
                return any(self.is_cut(text, end, index + 1) for end in ends)
            at = found.end()
        return False


def _takes_what_follows(sequence: tuple[Atom, ...], index: int) -> bool:
    """Whether there is a slot at `index` that takes what the text behind it begins with."""
    slot, following = sequence[index], next((atom for atom in sequence[index + 1 :] if not isinstance(atom, Gap)), None)
    if not isinstance(slot, Slot) or not isinstance(following, str):
        return False
    return re.fullmatch(slot.pattern, ("" if slot.loose else "a") + following[0]) is not None


def before(literal: str) -> str:
    """Return the white space that a literal begins with."""
    return literal[: len(literal) - len(literal.lstrip())]


def behind(literal: str) -> str:
    """Return the white space that a literal ends with."""
    return literal[len(literal.rstrip()) :]


def skip_space(text: str, at: int) -> int:
    """Return where the white space at `at` ends, or one character more than a gap has of it."""
    return _SPACE(text, at).end()  # type: ignore[union-attr]


def skip_lead(text: str, at: int, lead: str) -> int:
    """Return where, behind as much of `lead` as is there, the text at `at` goes on."""
    end = at
    while end - at < len(lead) and text.startswith(lead[end - at], end):
        end += 1
    return end


def begins(text: str, at: int, marks: Iterable[str]) -> bool:
    """Whether `text` ends at `at`, or in the middle of one of `marks` that begins there."""
    left = len(text) - at
    return any(left < len(mark) and mark.startswith(text[at:]) for mark in marks)


def is_cut(text: str, at: int, marks: Iterable[str]) -> bool:
    """Whether `text` ends, behind white space at `at`, in the middle of one of `marks`, or before it."""
    return begins(text, skip_space(text, at), marks)


def follows(text: str, at: int, marks: tuple[str, ...], final: bool, at_end: bool = True) -> bool | Cut:
    """Whether one of `marks` stands at `at`, or behind white space; `at_end`: the end of all counts as one."""
    end = skip_space(text, at)
    if end - at > GAP:
        return False
    if end == len(text):
        return at_end if final else CUT
    if text.startswith(marks, end):
        return True
    return CUT if not final and begins(text, end, marks) else False


def at_end(text: str, at: int, stops: tuple[str, ...], final: bool) -> bool | Cut:
    """Whether nothing but white space, and up to four of the `stops`, comes behind `at`."""
    for _ in range(5):
        end = skip_space(text, at)
        if end - at > GAP:
            return False
        if end == len(text):
            return True if final else CUT
        stop = next((stop for stop in stops if text.startswith(stop, end)), "")
        if not stop:
            return CUT if not final and begins(text, end, stops) else False
        at = end + len(stop)
    return False


def _pattern(atom: Atom) -> str:
    if isinstance(atom, str):
        return re.escape(atom)
    if isinstance(atom, Slot):
        return atom.pattern
    return rf"(?:\n[ \t\r\n]{{0,{GAP - 1}}}+)?+" if atom.line else rf"[ \t\r\n]{{0,{GAP}}}+"
