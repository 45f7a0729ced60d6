"""What every template may call by name: jinja2's own, and those that transformers 5.23 adds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from chatcodec.engine.faults import Fault, Refused, Unsafe
from chatcodec.engine.values import Namespace, Object

if TYPE_CHECKING:
    from chatcodec.engine.run import Run

WIDEST_RANGE = 100_000
LONGEST_FORM = 1024


class Function(Object):
    """A function: its first argument is the run."""

    def __init__(self, name: str, function: Callable[..., Any]):
        self._name, self._function = name, function

    def __call__(self, run: Run, /, *args: Any, **kwargs: Any) -> Any:
        return self._function(run, *args, **kwargs)

    def __repr__(self) -> str:
        return f"<function {self._name}>"


class Dict(Object):
    """``dict``: makes one, or one with the same value for each key."""

    attributes = frozenset({"fromkeys"})

    def __call__(self, run: Run, /, *args: Any, **kwargs: Any) -> Any:
        return run.pieces(dict(*args, **kwargs))

    @property
    def fromkeys(self) -> Function:
        return Function("fromkeys", lambda run, keys, value=None: run.pieces(dict.fromkeys(run.listed(keys), value)))


class Cycler(Object):
    """``cycler(a, b)``: gives one value after the other, again and again."""

    attributes = frozenset({"current", "next", "reset", "items", "pos"})

    def __init__(self, *items: Any):
        if not items:
            raise RuntimeError("at least one item has to be provided")
        self.items, self.pos = items, 0

    @property
    def current(self) -> Any:
        return self.items[self.pos]

    @property
    def next(self) -> Function:
        return Function("next", self._next)

    @property
    def reset(self) -> Function:
        return Function("reset", self._reset)

    def _next(self, _: Run) -> Any:
        found = self.current
        self.pos = (self.pos + 1) % len(self.items)
        return found

    def _reset(self, _: Run) -> None:
        self.pos = 0


class Joiner(Object):
    """``joiner(text)``: gives nothing when it is called first, then the text."""

    attributes = frozenset({"sep", "used"})

    def __init__(self, sep: Any = ", "):
        self.sep, self.used = sep, False

    def __call__(self, _: Run, /) -> Any:
        used, self.used = self.used, True
        return self.sep if used else ""


def _range(run: Run, *args: Any) -> range:
    made = range(*args)
    if len(made) > WIDEST_RANGE:
        raise Fault(f"Range too big. The sandbox blocks ranges larger than MAX_RANGE ({WIDEST_RANGE}).")
    run.steps(1)
    return made


def _namespace(_: Run, /, *args: Any, **kwargs: Any) -> Namespace:
    return Namespace(dict(*args, **kwargs))


def _raise(_: Run, message: Any) -> None:
    raise Refused(str(message))


def _not_for_templates(run: Run, *_: Any, **__: Any) -> None:
    raise Unsafe("lipsum() is not for chat templates: its output cannot be reproduced")


GLOBALS: Mapping[str, Any] = {
    "cycler": Function("cycler", lambda _, *items: Cycler(*items)),
    "dict": Dict(),
    "joiner": Function("joiner", lambda _, sep=", ": Joiner(sep)),
    "lipsum": Function("lipsum", _not_for_templates),
    "namespace": Function("namespace", _namespace),
    "raise_exception": Function("raise_exception", _raise),
    "range": Function("range", _range),
}


def clock(now: datetime | None) -> Function:
    """Return ``strftime_now``, at `now` or at the time when it is asked."""

    def strftime_now(run: Run, format: str) -> str:  # noqa: A002  # its name in transformers
        if len(format) > LONGEST_FORM:
            run.over("text", f"a form of a date of {len(format)} characters")
        return run.unknown((now or datetime.now()).strftime(format))

    return Function("strftime_now", strftime_now)
