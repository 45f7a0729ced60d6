"""One render: what the code of a template calls, each operation charged before it allocates.

Rules: the usual case is tested for first, all others do what Python and jinja2 do. It knows nothing of spans:
`TracedRun` has the same operations for text that has origins.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from operator import eq, ge, gt, le, lt, ne
from typing import Any, NoReturn

from jinja2.runtime import LoopContext
from markupsafe import Markup

from chatcodec.engine.faults import Fault
from chatcodec.engine.filters import FILTERS
from chatcodec.engine.limits import LONG, Budget, Limits, printed_size
from chatcodec.engine.macros import Macro
from chatcodec.engine.methods import TEXT_METHODS, widest
from chatcodec.engine.tests import TESTS
from chatcodec.engine.undefined import Undefined, type_name
from chatcodec.engine.values import (
    METHODS,
    PLAIN,
    Method,
    Namespace,
    Object,
    attribute,
    expect_plain,
    item,
    not_plain,
    plain,
)
from chatcodec.render.forms import JsonForm
from chatcodec.render.remembered import definition_text
from chatcodec.render.values import json_text


class Run(Budget):
    """What is there while a template runs once."""

    def __init__(self, variables: Mapping[str, Any], limits: Limits, shared: bool):
        """Take what names mean at the start, and whether the template makes what may hold the same value many times."""
        super().__init__(limits, variables)
        self.variables = variables
        self.shared = shared
        self._depth = 0
        self._tuples: dict[int, Any] = {}

    filters, tests = FILTERS, TESTS

    # Names and calls

    def filter(self, name: str) -> Callable[..., Any]:
        """Return a filter. Raises Fault if there is none."""
        function = FILTERS.get(name)
        if function is None:
            raise Fault(f"No filter named {name!r}.")
        return partial(function, self)

    def test(self, name: str) -> Callable[..., Any]:
        """Return a test. Raises Fault if there is none."""
        function = TESTS.get(name)
        if function is None:
            raise Fault(f"No test named {name!r}.")
        return partial(function, self)

    def call(self, called: Any, /, *args: Any, **kwargs: Any) -> Any:
        """Call a value."""
        if isinstance(called, (Macro, LoopContext)):
            return called(*args, **kwargs)
        if isinstance(called, Object):
            return called(self, *args, **kwargs)
        if type(called) is Method:
            return self.call_method(called.owner, called.name, *args, **kwargs)
        if callable(called) and getattr(called, "__self__", None).__class__ is LoopContext:
            return called(*args, **kwargs)
        if type(called) is Undefined:
            called._fail_with_undefined_error()
        raise Fault(f"{type_name(called)!r} is not callable")

    def call_method(self, owner: Any, name: str, /, *args: Any, **kwargs: Any) -> Any:
        """Call a method of a value."""
        if isinstance(owner, str):
            special = TEXT_METHODS.get(name)
            if special is not None:
                return special(self, owner, *args, **kwargs)
            if name in METHODS[str]:
                self.read(owner)
                return getattr(owner, name)(*args, **kwargs)
        elif name in METHODS.get(type(owner), ()):
            if type(owner) is not dict:
                self.steps(len(owner) if isinstance(owner, (list, tuple)) else 1)
            elif name == "copy":
                self.items(len(owner))
            result = getattr(owner, name)(*args, **kwargs)
            return plain(result) if name == "get" else result
        return self.call(attribute(owner, name), *args, **kwargs)

    def macro(self, write: Callable[..., None], *facts: Any) -> Macro:
        """Return a macro as a value."""
        return Macro(write, self, *facts)

    def captured(self, write: Callable[..., None], /, *args: Any) -> str:
        """Return the text of a macro."""
        out: list[Any] = []
        write(out, *args)
        return self.joined(out)

    def deeper(self, weight: int) -> None:
        """Charge a call of a macro that may call itself."""
        self.steps(weight)
        self._depth += 1
        if self._depth > self.limits.depth:
            self.over("depth", f"macros and loops within themselves, {self._depth} deep")

    def back(self) -> None:
        """Come back from such a call."""
        self._depth -= 1

    # Loops

    def listed(self, value: Any, weight: int = 1) -> Any:
        """Return what a loop goes through; charge its passes, all before the first if it has a length."""
        if type(value) not in _USUAL and not isinstance(value, _SIZED):
            return self._metered(value, weight)
        left = self.steps_left = self.steps_left - len(value) * weight
        if left < 0:
            self.steps(0)
        return value

    def _metered(self, value: Any, weight: int) -> Iterator[Any]:
        for each in value:
            self.steps(weight)
            yield each

    def whole(self, value: Any, weight: int = 1) -> Any:
        """Return what is gone through, as something with a length; charge its passes."""
        listed = self.listed(value, weight)
        return listed if isinstance(listed, _SIZED) else list(listed)

    def indexable(self, items: Any) -> Any:
        """Return the items of a loop that looks at those before and behind."""
        return items if isinstance(items, (list, tuple, str, range)) else list(items)

    def looped(self, items: Any, again: Any = None, depth: int = 0) -> LoopContext:
        """Return items each with the loop that it is in."""
        return LoopContext(items, Undefined, again, depth)

    # Text

    def text(self, value: Any) -> str:
        """Return a value as it is printed."""
        if type(value) not in PLAIN:
            not_plain(value)
        if isinstance(value, (dict, list, tuple, Namespace)):
            self.grow(self.size_of_print(value))
            expect_plain(value.members if isinstance(value, Namespace) else value)
        text = str(value)
        if len(text) > LONG:
            self.grow(len(text))
        return text

    def soft_text(self, value: Any) -> str:
        """Return a value as text; text as it is, even if it is marked as safe."""
        return value if isinstance(value, str) else self.text(value)

    def read(self, text: str) -> str:
        """Charge going through a text, and return it."""
        if len(text) > LONG:
            self.grow(len(text))
        return text

    def joined(self, out: list[Any]) -> str:
        """Return the text that was written into a list."""
        length = sum(map(len, out))
        if length > LONG:
            self.grow(length)
        return "".join(out)

    def prompt(self, out: list[Any]) -> str:
        """Return the text of the whole template."""
        self.output(sum(map(len, out)))
        return "".join(out)

    def join_texts(self, texts: Sequence[str]) -> str:
        """Return texts one behind the other."""
        return self.joined(texts)  # type: ignore[arg-type]

    def join(self, separator: str, texts: Sequence[str]) -> str:
        """Return texts with a separator between them."""
        self.grow(sum(map(len, texts)) + len(separator) * len(texts))
        return separator.join(texts)

    def replace(self, text: str, old: str, new: str, count: int = -1) -> str:
        """Return a text with one text in place of another."""
        self.read(text)
        if len(new) > len(old):
            found = text.count(old) if count < 0 else min(count, text.count(old))
            self.grow(len(text) + found * (len(new) - len(old)))
        return text.replace(old, new, count)

    def json_of(self, value: Any) -> str:
        """Return a value as ``tojson`` prints it."""
        if self.shared and isinstance(value, (dict, list, tuple)):
            self.grow(self.size_of_print(value))
        return self.json_given(value)

    def json_given(self, value: Any) -> str:
        """Return a value that the template did not put together as ``tojson`` prints it."""
        text = json_text(value)
        if len(text) > LONG:
            self.grow(len(text))
        return text

    def json_of_tools(self, value: Any) -> str:
        """Return what may be a tool definition as ``tojson`` prints it."""
        if type(value) is not dict:
            return self.json_given(value)
        text = definition_text(value)
        if len(text) > LONG:
            self.grow(len(text))
        return text

    def size_of_print(self, value: Any) -> int:
        """Return about how many characters a value has when it is printed."""
        if isinstance(value, str):
            return len(value)
        if not self.shared and type(value) is not Namespace:
            return 0
        return printed_size(value, self.limits.text * 4)

    def pieces(self, value: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return a tuple that a template put together.

        As the key of a dict it is gone through whole, however often parts occur in it.
        """
        weight = 1 + sum(self._tuples.get(id(each), (1,))[0] for each in value)
        self.items(weight)
        self._tuples[id(value)] = weight, value
        return value

    # Operators

    def add(self, left: Any, right: Any) -> Any:
        """Return ``left + right``."""
        if type(left) is str and type(right) is str:
            length = len(left) + len(right)
            if length > LONG:
                self.grow(length)
            return left + right
        if type(left) is list and type(right) is list:
            length = len(left) + len(right)
            if length > 256:  # shorter ones are covered by the step
                self.items(length)
            return left + right
        return self._add(left, right)

    def _add(self, left: Any, right: Any) -> Any:
        if isinstance(left, str) and isinstance(right, str):
            self.grow(6 * (len(left) + len(right)))
        elif isinstance(left, (list, tuple)) and isinstance(right, (list, tuple)):
            self.items(len(left) + len(right))
        return self._whole(left + right, left, right)

    def sum_of(self, *operands: Any) -> Any:
        """Return the sum of more than two."""
        total = operands[0]
        for operand in operands[1:]:
            total = self.add(total, operand)
        return total

    def subtract(self, left: Any, right: Any) -> Any:
        """Return ``left - right``."""
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
        return left / right

    def divide_whole(self, left: Any, right: Any) -> Any:
        """Return ``left // right``."""
        return left // right

    def modulo(self, left: Any, right: Any) -> Any:
        """Return ``left % right``: of a text, what formatting gives."""
        if isinstance(left, str):
            self.charge_format(left, right)
        return left % right

    def power(self, left: Any, right: Any) -> Any:
        """Return ``left ** right``."""
        if isinstance(left, int) and isinstance(right, int):
            self._bits(left.bit_length() * abs(right), left, right)
        return left**right

    def _whole(self, result: Any, left: Any, right: Any) -> Any:
        if isinstance(result, int):
            self._bits(result.bit_length(), left, right)
        return result

    def _bits(self, bits: int, *operands: Any) -> None:
        """Refuse a whole number of more bits than the limit, unless an operand is as long."""
        most = self.limits.bits
        if bits > most and bits > 2 + max(operand.bit_length() for operand in operands if isinstance(operand, int)):
            self.over("bits", f"a whole number of {bits} bits")

    def charge_format(self, form: str, values: Any) -> None:
        """Charge what ``form % values`` may give."""
        many = values if isinstance(values, tuple) else tuple(values.values()) if isinstance(values, dict) else (values,)
        size = sum(self.size_of_print(each) for each in many)
        fields = form.count("%") + 1
        self.grow(len(form) + widest(form, many) * fields + size * (fields if isinstance(values, dict) else 1))

    def stretch(self, value: Any, part: slice) -> Any:
        """Return ``value[a:b]``."""
        if type(value) is Undefined:
            value._fail_with_undefined_error()
        if isinstance(value, (list, tuple)):
            self.items(len(value))
        elif isinstance(value, str):
            self.read(value)
        return value[part]

    def contained(self, part: Any, whole: Any) -> bool:
        """Return ``part in whole``."""
        if isinstance(whole, str):
            self.read(whole)
        elif isinstance(whole, (list, tuple)):
            self.steps(len(whole))
        return part in whole

    def sorting(self, items: Any) -> None:
        """Charge sorting, or going through, a list."""
        count = len(items)
        self.steps(count * max(count.bit_length(), 1))
        longest = max((len(each) for each in items if isinstance(each, str)), default=0)
        if longest > LONG:
            self.grow(longest * count)

    def compared(self, left: Any, operator: str, right: Any) -> bool:
        """Return what a comparison of two values says."""
        if isinstance(left, str):
            self.read(left)
        elif self.shared and isinstance(left, (dict, list, tuple)):
            self.steps(min(self.size_of_print(left), self.size_of_print(right)))
        return bool(_COMPARE[operator](left, right))

    def nothing(self, what: str, name: str, *_: Any, **__: Any) -> NoReturn:
        """Say that there is no filter or test of a name."""
        raise Fault(f"No {what} named {name!r}.")

    def item_of(self, owner: Any, key: Any) -> Any:
        """Return what ``owner[key]`` is."""
        return item(owner, key)

    def json_in(self, value: Any, text: str, form: JsonForm) -> str:  # noqa: ARG002
        """Return the JSON of a value in some form."""
        return text

    def unknown(self, text: str) -> str:
        """Return a text that comes from outside the chat and the template."""
        return text

    def marked(self, text: str) -> Markup:
        """Return a text marked as safe."""
        return Markup(text)

    def lost(self, made: Any, *sources: Any) -> Any:  # noqa: ARG002
        """Return what a function made that keeps no origins."""
        return made

    def items_of(self, value: Any) -> Any:
        """Return what has the items of a value."""
        return value

    def pairs(self, value: Any) -> Any:
        """Return the members of a dict, names with values."""
        return value.items()


_COMPARE = {"==": eq, "!=": ne, ">": gt, ">=": ge, "<": lt, "<=": le}
_SIZED = (list, tuple, str, dict, range, Undefined, type({}.items()), type({}.keys()), type({}.values()))
_USUAL = frozenset({list, type({}.items())})
