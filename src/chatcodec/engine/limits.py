"""Limits on what a template may cost, and the budget of one render.

Rules: an operation that can grow is charged before it allocates. Budgets grow with the input: a long chat may cost
more. How large the input is, is only reckoned once a budget for the smallest is spent. Deterministic: the same template
and chat cost the same on every machine.

A step stands for at most 40 nanoseconds of work, and for 8 bytes that may be kept. What short code does with short
texts is charged by the weight of its source (see `weights`), before it runs; all else when it is done.

=============  =====================================================================================
steps          work: the weight of the template, of each pass through a loop's body, of each call of a macro that may
               call itself, and whatever goes through long values
text           characters that operations on long texts produce, all together
string         characters of one text
items          elements of one list or dict that a template puts together, arguments of one call
depth          macros and loops that call themselves; values within values
bits           of a whole number that arithmetic gives; numbers in the chat may be longer
output         characters of the prompt
source, nodes  characters of a template; nodes of its syntax tree, and tokens and code in proportion
=============  =====================================================================================
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NoReturn

from chatcodec.engine.faults import OverLimit
from chatcodec.engine.sizes import Extent, Sizes

LONG = 512
"""Texts up to this length are made without being charged: the weight of the code covers that."""
MANY = 256
"""Lists and dicts, and what may be one, up to this length too."""
FEW = 32
"""In lists up to this length a short text is looked for without being charged."""
PIECE = 1024
"""Pieces of a prompt up to this length are only counted, not measured, until there are very many."""
SHORT = 44
"""The source of what is looked for in short texts without being charged has up to so many characters."""
PART = 32
"""Steps for a text that is split off another: about 250 bytes where it has an origin."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a template may cost; those that end with ``_per`` are what each value or character of the input adds.

    ``steps_per`` is for each value, ``reading_per`` for each character the steps to go through it a few times.
    """

    steps: int = 10_000_000
    steps_per: int = 20_000
    reading_per: int = 16
    text: int = 8 * 1024 * 1024
    text_per: int = 64
    string: int = 8 * 1024 * 1024
    string_per: int = 8
    output: int = 8 * 1024 * 1024
    output_per: int = 4
    items: int = 100_000
    depth: int = 64
    bits: int = 256
    source: int = 256 * 1024
    nodes: int = 12_000


DEFAULT = Limits()


class Budget:
    """What is left while a template runs."""

    def __init__(self, limits: Limits, given: Any):
        """Take the limits, and what the template is given: its size counts once it must."""
        self.limits = limits
        self.steps_left, self.text_left = limits.steps, limits.text
        self.longest, self.most_items, self.most_output = limits.string, limits.items, limits.output
        self._given = given
        self._grown = False

    def steps(self, count: int) -> None:
        """Charge steps."""
        self.steps_left -= count
        if self.steps_left < 0:
            self._grow()
            if self.steps_left < 0:
                self.over("steps", "the template takes too long")

    def grow(self, length: int) -> None:
        """Charge a text that is about to be made."""
        self.text_left -= length
        if self.text_left < 0 or length > self.longest:
            self._grow()
            if length > self.longest:
                self.over("string", f"a text of {_number(length)} characters")
            if self.text_left < 0:
                self.over("text", "the template makes too much text")

    def items(self, length: int, each: int = 1) -> None:
        """Charge a list or dict that is about to be made, with so many steps for each element."""
        if length > self.most_items:
            self._grow()
            if length > self.most_items:
                self.over("items", f"a list of {_number(length)} items")
        self.steps(length * each)

    def parts(self, count: int) -> None:
        """Charge texts that are about to be split off another."""
        self.items(count, PART)

    def read(self, text: str) -> str:
        """Charge going through a text quickly, and return it."""
        if len(text) > LONG:
            self.steps(len(text) >> 4)
        return text

    def weigh(self, value: Any) -> Extent:
        """Return how large a value is; charge going through it."""
        sizes = Sizes()
        extent = sizes.of(value)
        self.steps(40 + sizes.seen * 10)
        return extent

    def output(self, length: int) -> None:
        """Check the length of the prompt."""
        if length > self.most_output:
            self._grow()
            if length > self.most_output:
                self.over("output", f"a prompt of {length} characters")

    def over(self, limit: str, words: str) -> NoReturn:
        """Say that a limit was reached."""
        allowed = {
            "string": self.longest, "items": self.most_items, "output": self.most_output,
        }.get(limit, getattr(self.limits, limit))  # fmt: skip
        raise OverLimit(f"{words}; the limit on {limit} is {allowed}", limit)

    def _grow(self) -> None:
        """Add what the size of the input allows."""
        if self._grown:
            return
        self._grown = True
        values, characters = size_of(self._given)
        limits = self.limits
        self.steps_left += limits.steps_per * values + limits.reading_per * characters
        self.text_left += limits.text_per * characters
        self.longest += limits.string_per * characters
        self.most_output += limits.output_per * characters
        self.most_items += values


def size_of(value: Any) -> tuple[int, int]:
    """Return how many values and how many characters there are in plain data; what occurs twice counts once."""
    values = characters = 0
    seen: set[int] = set()
    left = [value]
    while left:
        each = left.pop()
        values += 1
        if isinstance(each, str):
            characters += len(each)
        elif isinstance(each, dict):
            if id(each) not in seen:
                seen.add(id(each))
                characters += sum(len(key) for key in each if isinstance(key, str))
                left += each.values()
        elif isinstance(each, (list, tuple)) and id(each) not in seen:
            seen.add(id(each))
            left += each
    return values, characters


def _number(length: int) -> str:
    """Return a number in words that stay short."""
    return str(length) if length.bit_length() <= 64 else "very many"
