"""How the calls that `TaggedCalls` declares are found: its markers, made ready for `tagged_reader`."""

from __future__ import annotations

import re

from chatcodec.reply.call_reading import Marks, Surroundings, Waits
from chatcodec.reply.calls import Block
from chatcodec.reply.literals import Literals
from chatcodec.reply.match import Atom, Cut, Gap, Matcher, Slot, atoms, before, behind, texts

TEXT, OTHER, QUOTED = 1, 2, 3
"""The forms of a value: a text, or what its schema makes of it; no text; a text between quotes."""


class TaggedMarks:
    """The markers of `TaggedCalls`, made ready for reading."""

    def __init__(
        self,
        call: str,
        argument: str,
        closing: str,
        values: str,
        other: str,
        quotes: Block | None,
        around: Surroundings,
    ) -> None:
        """Take the declaration, and what stands around calls."""
        spell, end = around.spell, _ends_of_names(call, argument, closing)
        slots = {"{name}": Slot(end=end), "{key}": Slot(loose=True, end=end)}
        opening, (pair, _, value_closing) = atoms(call, slots, spell), argument.partition("{value}")
        self.around, self.bare = around, False
        self.style: Literals = "json" if values == "json" else "python"
        self.pair = Matcher(atoms(pair, slots, spell))
        self.pairs = [Matcher(atoms(each.partition("{value}")[0], slots, spell)) for each in {argument: 0, other: 0}]
        self.short_pair = _short(self.pair.sequence)
        self.key = texts(self.pair.sequence)[0]
        self.value_lead, self.value_tail = behind(pair), before(value_closing)
        self.other_tail = self.value_tail or behind(value_closing) or before(closing)
        self.value_end, *more = texts(atoms(value_closing, {}, spell))
        self.behind_value = tuple(more)
        self.closers = texts(atoms(closing, {}, spell))
        self.openings = _openings(opening)
        if texts(opening)[0] in around.stand_ins:  # a token that is not there was not written
            self.openings = self.openings[:1]
        self.openers = tuple(opener for opener, _, _ in self.openings)
        self.structure = (self.key, *self.behind_value, *self.closers)
        self.firsts = frozenset(mark[0] for mark in (*self.structure, self.value_end))
        self.outside = (*self.openers, *around.stops)
        self.anything = (*self.structure, *self.outside)
        self.ends = Marks((self.value_end, *self.closers, self.key, *around.stops))
        # A value's last newline may have to be known where the next argument begins on a line of its own.
        self.held_space = (self.value_tail, "\n")
        self.flow = self.ends.flow("arguments", *self.held_space, quoted=True)
        self.quote, self.unquote = (spell(quotes.opening), spell(quotes.closing)) if quotes else ("", "")
        self.quote_ends = Marks((self.unquote, *around.stops)) if quotes else self.ends
        self.quoted_flow = self.quote_ends.flow("arguments", quoted=True)
        self.literals: tuple[str, ...] = ()
        self.heads: tuple[str, ...] = (spell(call.partition("{name}")[0]),)
        key = argument.partition("{key}")[0]
        ends = [value_closing + key.lstrip(), value_closing.rstrip() + key, value_closing + closing.lstrip()]
        self.value_waits = Waits(map(spell, ends))
        spaces = {behind(value_closing), behind(call), before(key)}
        closings = [spell(space + closing.lstrip()) for space in spaces]
        self.between_waits = Waits(closings, [spell(space + key.lstrip()) for space in spaces])

    def begins(self, text: str, at: int, final: bool) -> tuple[re.Match[str], int] | Cut | None:
        """Match the beginning of an argument, up to its value; return with it TEXT, or OTHER if its value is none."""
        found: Cut | None = None
        for form, pair in enumerate(self.pairs, TEXT):
            matched = pair(text, at, final)
            if isinstance(matched, re.Match):
                return matched, form
            found = matched or found
        return found


def _ends_of_names(*literals: str) -> str:
    """Return the signs with which the markers of a syntax begin, where a name ends before one."""
    firsts = {part.strip()[:1] for literal in literals for part in re.split(r"\{name\}|\{key\}|\{value\}|\s", literal)}
    return "".join(sorted(first for first in firsts if first and not first.isalnum()))


def _short(pair: tuple[Atom, ...]) -> Matcher | None:
    """Return what matches the beginning of an argument without its last marker, where another closes its name."""
    slot = next(index for index, atom in enumerate(pair) if isinstance(atom, Slot))
    behind = [index for index in range(slot, len(pair)) if isinstance(pair[index], str)]
    return Matcher(pair[: behind[-2] + 1]) if len(behind) > 1 else None


def _openings(opening: tuple[Atom, ...]) -> list[tuple[str, Matcher, bool]]:
    """Return how a call may open: its first marker, what matches, and whether the name ends with what follows.

    A name that nothing else ends may stand on a line of its own. Where the name has two markers before it, the first
    may be missing, if what follows the name leaves no doubt.
    """
    name = next(index for index, atom in enumerate(opening) if isinstance(atom, Slot))
    marks = texts(opening[:name])
    if name == len(opening) - 1:
        return [(marks[0], Matcher((*opening[:-1], Gap(line=True), opening[-1])), True)]
    whole = (marks[0], Matcher(opening), False)
    return [whole, (marks[-1], Matcher(opening[name - 1 :]), True)] if len(marks) > 1 else [whole]
