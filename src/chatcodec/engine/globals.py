"""What every template may call by name: jinja2's own, and those that transformers 5.23 adds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from chatcodec.engine.faults import Fault, Refused, UndefinedUse, Unsafe
from chatcodec.engine.running import Running
from chatcodec.engine.undefined import Undefined
from chatcodec.engine.values import Namespace, Object

WIDEST_RANGE = 100_000
LONGEST_FORM = 1024
_MEMBER = 12  # steps for a member of a dict
_KEPT = 64  # steps for an object that stays
_WIDEST_FIELD = 256  # Python gives up on a form of a date that grows by more


class Function(Object):
    """A function: its first argument is the run."""

    def __init__(self, name: str, function: Callable[..., Any]):
        self._name, self._function = name, function

    def __call__(self, run: Running, /, *args: Any, **kwargs: Any) -> Any:
        """Call it."""
        return self._function(run, *args, **kwargs)

    def __repr__(self) -> str:
        return f"<function {self._name}>"


class Dict(Object):
    """``dict``: makes one, or one with the same value for each key."""

    attributes = frozenset({"fromkeys"})

    def __call__(self, run: Running, /, *args: Any, **kwargs: Any) -> Any:
        """Make a dict."""
        return _dict(run, args, kwargs)

    @property
    def fromkeys(self) -> Function:
        """What makes a dict with the same value for each key."""
        return Function("fromkeys", _fromkeys)


def _dict(run: Running, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[Any, Any]:
    """Return ``dict(...)``."""
    if len(args) == 1 and isinstance(args[0], dict):
        run.items(len(args[0]), _MEMBER)
    elif len(args) == 1 and isinstance(args[0], Undefined):
        raise UndefinedUse(args[0]._undefined_message)
    elif len(args) == 1:
        pairs = [pair if isinstance(pair, (list, tuple, str)) else tuple(pair) for pair in run.listed(args[0], _MEMBER)]
        run.items(len(pairs), _MEMBER)
        run.keys([pair[0] for pair in pairs if len(pair) == 2])
        args = (pairs,)
    run.items(len(kwargs), _MEMBER)
    return dict(*args, **kwargs)


def _fromkeys(run: Running, keys: Any, value: Any = None) -> dict[Any, Any]:
    """Return ``dict.fromkeys(...)``."""
    many = list(run.listed(keys, _MEMBER))
    run.items(len(many), _MEMBER)
    run.keys(many)
    return dict.fromkeys(many, value)


class Cycler(Object):
    """``cycler(a, b)``: gives one value after the other, again and again."""

    attributes = frozenset({"current", "next", "reset", "items", "pos"})

    def __init__(self, *items: Any):
        if not items:
            raise RuntimeError("at least one item has to be provided")
        self.items, self.pos = items, 0

    @property
    def current(self) -> Any:
        """The value whose turn it is."""
        return self.items[self.pos]

    @property
    def next(self) -> Function:
        """What gives the value whose turn it is, and goes on."""
        return Function("next", self._next)

    @property
    def reset(self) -> Function:
        """What begins again."""
        return Function("reset", self._reset)

    def _next(self, _: Running) -> Any:
        found = self.current
        self.pos = (self.pos + 1) % len(self.items)
        return found

    def _reset(self, _: Running) -> None:
        self.pos = 0


class Joiner(Object):
    """``joiner(text)``: gives nothing when it is called first, then the text."""

    attributes = frozenset({"sep", "used"})

    def __init__(self, sep: Any = ", "):
        self.sep, self.used = sep, False

    def __call__(self, _: Running, /) -> Any:
        """Give nothing the first time, then the text."""
        used, self.used = self.used, True
        return self.sep if used else ""


def _range(run: Running, *args: Any) -> range:
    made = range(*args)
    if len(made) > WIDEST_RANGE:
        raise Fault(f"Range too big. The sandbox blocks ranges larger than MAX_RANGE ({WIDEST_RANGE}).")
    run.steps(1)
    return made


def _namespace(run: Running, /, *args: Any, **kwargs: Any) -> Namespace:
    run.steps(_KEPT)
    return Namespace(_dict(run, args, kwargs))


def _cycler(run: Running, *items: Any) -> Cycler:
    run.items(len(items), 8)
    run.steps(_KEPT)
    return Cycler(*items)


def _joiner(run: Running, sep: Any = ", ") -> Joiner:
    run.steps(_KEPT)
    return Joiner(sep)


def _raise(run: Running, message: Any) -> None:
    raise Refused(str(message) if isinstance(message, str) else run.text(message))


def _not_for_templates(*_: Any, **__: Any) -> None:
    raise Unsafe("lipsum() is not for chat templates: its output cannot be reproduced")


GLOBALS: Mapping[str, Any] = {
    "cycler": Function("cycler", _cycler),
    "dict": Dict(),
    "joiner": Function("joiner", _joiner),
    "lipsum": Function("lipsum", _not_for_templates),
    "namespace": Function("namespace", _namespace),
    "raise_exception": Function("raise_exception", _raise),
    "range": Function("range", _range),
}


def clock(now: datetime | None) -> Function:
    """Return ``strftime_now``, at `now` or at the time when it is asked."""

    def strftime_now(run: Running, format: str) -> str:  # its name in transformers
        if len(format) > LONGEST_FORM:
            run.over("text", f"a form of a date of {len(format)} characters")
        run.steps(16 * len(format))
        wide = any(each.isdecimal() for each in format)  # the C library pads a field to the width that is said
        run.made(len(format) * (_WIDEST_FIELD if wide else 32))
        return run.unknown((now or datetime.now()).strftime(format))

    return Function("strftime_now", strftime_now)
