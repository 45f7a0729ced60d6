"""What the operators of a template do, each charged before it allocates, and what looking into texts costs.

Rules: the usual case is tested for first, all others do what Python and jinja2 do. Arithmetic gives no whole number of
more bits than the limit, unless an operand is as long: numbers of the chat are.
"""

from __future__ import annotations

from collections.abc import Collection
from operator import eq, ge, gt, le, lt, ne
from typing import Any

from markupsafe import Markup

from chatcodec.engine.faults import Fault, Unsafe
from chatcodec.engine.formatting import charge_percent
from chatcodec.engine.limits import LONG, MANY, Budget
from chatcodec.engine.undefined import Undefined
from chatcodec.engine.values import VIEWS, expect_short_key

_COMPARE = {"==": eq, "!=": ne, ">": gt, ">=": ge, "<": lt, "<=": le}
_COMPARED_WHOLE = (dict, list, tuple, *VIEWS)
HOLDING = frozenset({list, dict})
"""Where looking for a short text takes little time, if there are few."""
_WIDE = 1 << 61  # whole numbers may have the same hash from here on
_MOST_COLLIDING = 1000
_SHORT = 8  # looking for a part up to this length takes about as long as reading


class Operations(Budget):
    """What operators do."""

    # Sums

    def add(self, left: Any, right: Any) -> Any:
        """Return ``left + right``."""
        if type(left) is str and type(right) is str:
            length = len(left) + len(right)
            if length > LONG:
                self.grow(length)
            return left + right
        if type(left) is list and type(right) is list:
            length = len(left) + len(right)
            if length > MANY:
                self.items(length)
            return left + right
        return self._add(left, right)

    def _add(self, left: Any, right: Any) -> Any:
        if isinstance(left, str) and isinstance(right, str):
            length = len(left) + len(right)
            self.made(6 * length if isinstance(left, Markup) or isinstance(right, Markup) else length)
        elif isinstance(left, (list, tuple)) and isinstance(right, (list, tuple)):
            self.items(len(left) + len(right))
        return self._whole(left + right, left, right)

    def sum_of(self, *operands: Any) -> Any:
        """Return the sum of more than two."""
        total = operands[0]
        for operand in operands[1:]:
            total = self.add(total, operand)
        return total

    # Numbers

    def subtract(self, left: Any, right: Any) -> Any:
        """Return ``left - right``."""
        if isinstance(left, VIEWS) or isinstance(right, VIEWS):
            raise Unsafe("a set is not for templates: its order is left to chance")
        return self._whole(left - right, left, right)

    def multiply(self, left: Any, right: Any) -> Any:
        """Return ``left * right``."""
        for one, other in ((left, right), (right, left)):
            if isinstance(other, int):
                if isinstance(one, str):
                    self.grow(len(one) * max(other, 0))
                elif isinstance(one, (list, tuple)):
                    self.items(len(one) * max(other, 0))
        if isinstance(left, int) and isinstance(right, int):
            self._bits(left.bit_length() + right.bit_length(), left, right)
        return left * right

    def divide(self, left: Any, right: Any) -> Any:
        """Return ``left / right``."""
        return self.number(left) / self.number(right)

    def divide_whole(self, left: Any, right: Any) -> Any:
        """Return ``left // right``."""
        self._long_division(left, right)
        return left // right

    def modulo(self, left: Any, right: Any) -> Any:
        """Return ``left % right``: of a text, what formatting gives."""
        if isinstance(left, str):
            charge_percent(self, left, right)  # type: ignore[arg-type]
        else:
            self._long_division(left, right)
        return left % right

    def power(self, left: Any, right: Any) -> Any:
        """Return ``left ** right``."""
        if isinstance(left, int) and isinstance(right, int):
            self._bits(left.bit_length() * abs(right), left, right)
        result = left**right
        if isinstance(result, complex):
            raise Fault("a power that is no real number")
        return result

    def negative(self, value: Any) -> Any:
        """Return ``-value``."""
        return -self.number(value)

    def number(self, value: Any) -> Any:
        """Charge going through a number if it is long, and return it."""
        if isinstance(value, int) and not -_WIDE < value < _WIDE:
            self.steps(value.bit_length() >> 1)
        return value

    def _long_division(self, left: Any, right: Any) -> None:
        if isinstance(left, int) and isinstance(right, int):
            bits = left.bit_length() * right.bit_length()
            if bits > 1 << 16:
                self.steps(bits >> 12)

    def _whole(self, result: Any, left: Any, right: Any) -> Any:
        if isinstance(result, int):
            self._bits(result.bit_length(), left, right)
        return result

    def _bits(self, bits: int, *operands: Any) -> None:
        """Refuse a whole number of more bits than the limit, unless an operand is as long."""
        most = self.limits.bits
        if bits > most:
            if bits > 2 + max(operand.bit_length() for operand in operands if isinstance(operand, int)):
                self.over("bits", f"a whole number of {bits if bits < _WIDE else 'very many'} bits")
            self.steps(bits >> 3)

    # Parts

    def stretch(self, value: Any, part: slice) -> Any:
        """Return ``value[a:b]``."""
        if type(value) is Undefined:
            value._fail_with_undefined_error()
        if isinstance(value, str):
            if len(value) > LONG:
                self.made(len(range(*part.indices(len(value)))))
        elif isinstance(value, (list, tuple)) and len(value) > MANY:
            self.items(len(range(*part.indices(len(value)))))
        return value[part]

    def contained(self, part: Any, whole: Any) -> bool:
        """Return ``part in whole``."""
        if isinstance(part, str) and len(part) < LONG and type(whole) in HOLDING:
            if type(whole) is list:
                self.steps(3 * len(whole))
            return part in whole
        if isinstance(whole, str):
            self.searched(whole, part)
        elif isinstance(whole, dict):
            self.key(part)
        elif isinstance(whole, (list, tuple)):
            self.compares(part, len(whole))
        elif isinstance(whole, VIEWS):
            self.key(part)
            self.compares(part, len(whole))  # type: ignore[arg-type]
        elif isinstance(whole, range):
            if type(part) is not int:
                self.compares(part, len(whole))
        elif not isinstance(whole, Undefined):
            whole = self.listed(whole, 8 + self._comparing(part))
        return part in whole

    def listed(self, value: Any, weight: int = 1) -> Any:
        """Return what is gone through; charge so many steps for each item."""
        raise NotImplementedError

    # Comparisons

    def compared(self, left: Any, operator: str, right: Any) -> bool:
        """Return what a comparison of two values says."""
        if isinstance(left, str):
            if len(left) > LONG and isinstance(right, str):
                self.steps(min(len(left), len(right)) >> 6)
        elif isinstance(left, int):
            if not -_WIDE < left < _WIDE:
                self.number(left)
        elif isinstance(left, _COMPARED_WHOLE) and isinstance(right, _COMPARED_WHOLE):
            self.steps(min(self.weigh(left).size, self.weigh(right).size) >> 2)
        return bool(_COMPARE[operator](left, right))

    def compares(self, value: Any, count: int) -> None:
        """Charge comparing a value with so many others, up to where they differ."""
        self.steps(count * (3 + self._comparing(value)))

    def _comparing(self, value: Any) -> int:
        """Return what it costs to compare a value with another, up to where they differ."""
        if isinstance(value, str):
            return len(value) >> 6
        if isinstance(value, int):
            return value.bit_length() >> 6
        return self.weigh(value).size >> 2

    # Keys

    def key(self, key: Any) -> Any:
        """Charge what may take long as a key of a dict, and return it."""
        expect_short_key(key)
        if isinstance(key, int) and not -_WIDE < key < _WIDE:
            self.steps(1024)
        return key

    def keys(self, keys: Collection[Any]) -> None:
        """Charge making a dict or set with these keys: long numbers and tuples may collide."""
        others = 0
        for key in keys:
            if isinstance(key, tuple) or (isinstance(key, int) and not -_WIDE < key < _WIDE):
                expect_short_key(key)
                others += 1
        if others > _MOST_COLLIDING:
            self.over("items", f"{others} keys that may collide")
        self.steps(len(keys) + (others * others >> 1))

    # Texts

    def made(self, length: int) -> None:
        """Charge a text that is about to be made, unless the weight of the code covers it."""
        if length > LONG:
            self.grow(length)

    def cased(self, text: str) -> str:
        """Charge a text in another case, and return the text."""
        if len(text) > LONG:
            self.grow(len(text) if text.isascii() else 3 * len(text))
        return text

    def searched(self, text: str, part: Any, backwards: bool = False) -> None:
        """Charge looking for a part of a text."""
        length, looked_for = len(text), len(part) if isinstance(part, str) else 0
        if looked_for <= _SHORT:
            self.read(text)
        elif looked_for <= length:
            tries = length - looked_for + 1
            if backwards or length < 2500 or (looked_for < 100 and length < 30_000):
                self.steps(1 + (tries * looked_for >> 5))
            else:
                self.steps((length + looked_for) >> 2)

    def stripped(self, text: str, characters: Any) -> None:
        """Charge taking characters off the ends of a text."""
        self.made(len(text))
        if isinstance(characters, str) and len(characters) > _SHORT:
            self.steps(len(text) * len(characters) >> 6)

    def printed(self, value: Any) -> int:
        """Return about how many characters a value has when it is printed; charge finding that out."""
        if isinstance(value, str):
            return len(value)
        return self.weigh(self.number(value)).size
