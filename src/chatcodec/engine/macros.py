"""Macros as values: called with whatever a template gives, by jinja2's rules for arguments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from chatcodec.engine.faults import Fault
from chatcodec.engine.running import Running
from chatcodec.engine.undefined import Undefined
from chatcodec.engine.values import MISSING, Object


class Macro(Object):
    """A macro, or the body of a call block. ``write`` puts its text into a list."""

    attributes = frozenset({"name", "arguments", "catch_kwargs", "catch_varargs", "caller"})

    def __init__(
        self,
        write: Callable[..., None],
        run: Running,
        weight: int,
        name: str | None,
        arguments: Sequence[str],
        caller: bool,
        catch_kwargs: bool,
        catch_varargs: bool,
    ):
        self._write, self._run, self._weight = write, run, weight
        self.name, self.arguments = name, arguments
        self.caller, self.catch_kwargs, self.catch_varargs = caller, catch_kwargs, catch_varargs

    def __call__(self, *args: Any, **kwargs: Any) -> str:
        """Return the text of the macro for these arguments."""
        out: list[Any] = []
        self._run.deeper(self._weight)
        self._write(out, *self._bound(args, kwargs))
        self._run.back()
        return self._run.joined(out)

    def __repr__(self) -> str:
        return f"<Macro {'anonymous' if self.name is None else repr(self.name)}>"

    def _bound(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
        """Return the values of its parameters; `MISSING` for those that were not given."""
        count = len(self.arguments)
        bound = list(args[:count])
        found_caller = "caller" in self.arguments
        bound += [kwargs.pop(name, MISSING) for name in self.arguments[len(bound) :]]
        if self.caller and not found_caller:
            caller = kwargs.pop("caller", None)
            bound.append(Undefined("No caller defined") if caller is None else caller)
        if self.catch_kwargs:
            bound.append(kwargs)
        elif "caller" in kwargs:
            raise Fault(
                f"macro {self.name!r} was invoked with two values for the special caller argument. "
                "This is most likely a bug."
            )
        elif kwargs:
            raise Fault(f"macro {self.name!r} takes no keyword argument {next(iter(kwargs))!r}")
        if self.catch_varargs:
            bound.append(args[count:])
        elif len(args) > count:
            raise Fault(f"macro {self.name!r} takes not more than {count} argument(s)")
        return bound
