"""One render: what the code of a template calls, each operation charged before it allocates.

Rules: the usual case is tested for first, all others do what Python and jinja2 do. It knows nothing of spans:
`TracedRun` has the same operations for text that has origins. Operators are in `operations`, filters, tests and methods
in modules of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NoReturn

from jinja2.runtime import LoopContext
from markupsafe import Markup

from chatcodec.engine.faults import Fault
from chatcodec.engine.filters import FILTERS
from chatcodec.engine.limits import LONG, PART, PIECE, Limits
from chatcodec.engine.macros import Macro
from chatcodec.engine.methods import TEXT_METHODS
from chatcodec.engine.operations import Operations
from chatcodec.engine.tests import TESTS
from chatcodec.engine.undefined import Undefined, type_name
from chatcodec.engine.values import METHODS, PLAIN, VIEWS, Method, Namespace, Object, attribute, item, not_plain, plain
from chatcodec.render.forms import JsonForm
from chatcodec.render.remembered import remembered_text
from chatcodec.render.values import json_text

_SIZED = (list, tuple, str, dict, range, Undefined, *VIEWS)
USUAL = frozenset({list, type({}.items())})
"""What most loops go through."""
_CONTAINERS = frozenset({dict, list, tuple})
_SHOWN_WHOLE = (dict, list, tuple, Namespace, *VIEWS)
_UNUSUAL = 48  # steps to find a member that is not simply one of a dict, and to say that there is none
_MOST_GIVEN = 10_000  # values given to one call by a list or dict


class Run(Operations):
    """What is there while a template runs once."""

    def __init__(self, variables: Mapping[str, Any], limits: Limits):
        """Take what names mean at the start."""
        super().__init__(limits, variables)
        self.variables = variables
        self._depth = 0
        self._long = 0  # characters of the long pieces of the output

    filters: Mapping[str, Callable[..., Any]] = FILTERS
    tests: Mapping[str, Callable[..., Any]] = TESTS

    # Names and calls

    def filter(self, name: str) -> Callable[..., Any]:
        """Return a filter. Raises Fault if there is none."""
        function = FILTERS.get(name)
        if function is None:
            raise Fault(f"No filter named {_clipped(name)}.")
        return partial(function, self)

    def test(self, name: str) -> Callable[..., Any]:
        """Return a test. Raises Fault if there is none."""
        function = TESTS.get(name)
        if function is None:
            raise Fault(f"No test named {_clipped(name)}.")
        return partial(function, self)

    def nothing(self, what: str, name: str, *_: Any, **__: Any) -> NoReturn:
        """Say that there is no filter or test of a name."""
        raise Fault(f"No {what} named {name!r}.")

    def call(self, called: Any, /, *args: Any, **kwargs: Any) -> Any:
        """Call a value."""
        if isinstance(called, (Macro, LoopContext)):
            return called(*args, **kwargs)
        if isinstance(called, Object) and callable(called):
            return called(self, *args, **kwargs)
        if type(called) is Method:
            return self.call_method(called.owner, called.name, *args, **kwargs)
        if callable(called) and getattr(called, "__self__", None).__class__ is LoopContext:
            for each in (*args, *kwargs.values()):
                self.compares(each, 1)  # with what the loop was told before
            return called(*args, **kwargs)
        if type(called) is Undefined:
            called._fail_with_undefined_error()
        raise Fault(f"{type_name(called)!r} is not callable")

    def call_method(self, owner: Any, name: str, /, *args: Any, **kwargs: Any) -> Any:
        """Call a method of a value."""
        if isinstance(owner, str):
            method = TEXT_METHODS.get(name)
            if method is not None:
                return method(self, owner, *args, **kwargs)
        elif name in METHODS.get(type(owner), frozenset()):
            return self._call_other(owner, name, args, kwargs)
        return self.call(attribute(owner, name), *args, **kwargs)

    def _call_other(self, owner: Any, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Call a method of what is no text."""
        if name == "copy":
            self.items(len(owner), 8)
        elif name == "get" and args:
            self.key(args[0])
        elif name in ("count", "index") and args and not (type(owner) is range and type(args[0]) is int):
            self.compares(args[0], len(owner))
            self.grow(self.printed(args[0]))  # what Python says of it if it is not there
        result = getattr(owner, name)(*args, **kwargs)
        return plain(result) if name == "get" else result

    def attribute(self, owner: Any, name: str) -> Any:
        """Return what ``owner.name`` is, if it is not simply a member of a dict."""
        self.steps(_UNUSUAL)
        return attribute(owner, name)

    def item(self, owner: Any, key: Any) -> Any:
        """Return what ``owner[key]`` is."""
        self.steps(_UNUSUAL)
        return item(owner, key)

    def spread(self, value: Any) -> Any:
        """Return what a call is given by ``*``."""
        if not isinstance(value, _SIZED):
            value = list(self._metered(value, 1))
        return self._few(value)

    def named(self, value: Any) -> Any:
        """Return what a call is given by ``**``."""
        return self._few(value) if isinstance(value, dict) else value

    def _few(self, value: Any) -> Any:
        if len(value) > _MOST_GIVEN:
            self.over("items", f"{len(value)} values given to one call")
        self.items(len(value), 12)
        return value

    def split(self, text: Any, separator: str) -> Any:
        """Return ``text.split(separator)``, with a short separator."""
        if type(text) is str and len(text) <= LONG:
            parts = text.split(separator)
            self.steps(len(parts) * PART)
            return parts
        return self.call_method(text, "split", separator)

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
        if type(value) not in USUAL and not isinstance(value, _SIZED):
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
        if type(value) is str:
            return value
        if isinstance(value, _SHOWN_WHOLE):
            self.grow(self.weigh(value).size)
            return str(value)
        if type(value) not in PLAIN:
            not_plain(value)
        text = str(self.number(value))
        if len(text) > LONG:
            self.grow(len(text))
        return text

    def soft_text(self, value: Any) -> str:
        """Return a value as text; text as it is, even if it is marked as safe."""
        return value if isinstance(value, str) else self.text(value)

    def charged(self, text: str) -> bool:
        """Charge a long text that is made of another one."""
        self.grow(len(text))
        return True

    def joined(self, out: list[Any]) -> str:
        """Return the text that was written into a list."""
        length = sum(map(len, out))
        if length > LONG:
            self.grow(length)
        return "".join(out)

    def prompt(self, out: list[Any]) -> str:
        """Return the text of the whole template."""
        if len(out) * PIECE + self._long > self.limits.output:
            self.output(sum(map(len, out)))
        return "".join(out)

    def long_piece(self, text: str) -> str:
        """Take note of a long piece of the output, and return it."""
        self._long += len(text)
        return text

    def join_texts(self, texts: Sequence[str]) -> str:
        """Return texts one behind the other."""
        return self.joined(texts)  # type: ignore[arg-type]

    def join(self, separator: str, texts: Sequence[str]) -> str:
        """Return texts with a separator between them."""
        self.made(sum(map(len, texts)) + len(separator) * len(texts))
        return separator.join(texts)

    def replace(self, text: str, old: str, new: str, count: int = -1) -> str:
        """Return a text with one text in place of another."""
        self.searched(text, old)
        growth = len(new) - len(old)
        found = text.count(old) if growth > 0 else 0
        self.made(len(text) + growth * (found if count < 0 else min(count, found)))
        return text.replace(old, new, count)

    # JSON

    def json_of(self, value: Any) -> str:
        """Return a value as ``tojson`` prints it."""
        return self._weighed_json(value) if isinstance(value, (dict, list, tuple)) else self._json(value)

    def json_given(self, value: Any) -> str:
        """Return a value that the template did not put together as ``tojson`` prints it."""
        if type(value) in _CONTAINERS:
            inner = value.values() if type(value) is dict else value
            if not _CONTAINERS.isdisjoint(map(type, inner)):
                return self._weighed_json(value)
        return self._json(value)

    def json_of_tools(self, value: Any) -> str:
        """Return what may be a tool definition as ``tojson`` prints it."""
        if type(value) is not dict:
            return Run.json_given(self, value)
        text = remembered_text(value)
        return self._weighed_json(value) if text is None else text

    def _weighed_json(self, value: Any) -> str:
        self.grow(self.weigh(value).size)
        return json_text(value)

    def _json(self, value: Any) -> str:
        text = json_text(value)
        if len(text) > LONG:
            self.grow(len(text))
        return text

    def json_in(self, value: Any, text: str, form: JsonForm) -> str:  # noqa: ARG002
        """Return the JSON of a value in some form."""
        return text

    # What keeps origins in `TracedRun`

    def item_of(self, owner: Any, key: Any) -> Any:
        """Return what ``owner[key]`` is."""
        return item(owner, key)

    def unknown(self, text: str) -> str:
        """Return a text that comes from outside the chat and the template."""
        return text

    def marked(self, text: str) -> Markup:
        """Return a text marked as safe."""
        return Markup(text)

    def literal(self, text: str) -> str:
        """Return a text of the template's own."""
        return text

    def is_own(self, text: str) -> bool:  # noqa: ARG002
        """Whether a text is the template's own, as far as it matters."""
        return True

    def lost(self, made: Any, *sources: Any) -> Any:  # noqa: ARG002
        """Return what a function made that keeps no origins."""
        return made

    def items_of(self, value: Any) -> Any:
        """Return what has the items of a value."""
        return value

    def pairs(self, value: Any) -> Any:
        """Return the members of a dict, names with values."""
        return value.items()


def _clipped(name: Any) -> str:
    """Return what a message calls a name."""
    return repr(name[:100]) if isinstance(name, str) else type_name(name)
