"""The engine without its limits, to see what they cost: the same code, where nothing is counted.

It is not safe, and only here. It knows nothing of times.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from chatcodec.engine.calls import Expressions
from chatcodec.engine.functions import Functions
from chatcodec.engine.printing import Piece
from chatcodec.engine.program import NAMES, Program
from chatcodec.engine.run import Run


class FreeExpressions(Expressions):
    """Writes expressions whose size is not looked at."""

    def short(self, name: str, bound: str, fast: str, slow: str, most: int = 0) -> str:  # noqa: ARG002
        return fast if name == bound else fast.replace(name, bound, 1)

    def is_short(self, name: str, bound: str, most: int = 0) -> str:  # noqa: ARG002
        return f"type({bound}) is str"

    def charged(self, name: str, bound: str, text: str) -> str:
        return text if name == bound else text.replace(name, bound, 1)

    def is_charged(self, name: str, bound: str) -> str:  # noqa: ARG002
        return f"type({bound}) is str"

    def is_quickly_read(self, name: str, bound: str) -> str:  # noqa: ARG002
        return f"{bound} is not None"


class FreeFunctions(Functions):
    """Writes loops whose passes are not counted."""

    def measured(self, piece: Piece) -> Piece:
        return piece

    def charge(self, name: str, weight: int, function: str, value: str) -> None:  # noqa: ARG002
        self.code.line(f"if type({name}) not in USUAL: {name} = {self.expressions.run(function)}({name})")


class FreeRun(Run):
    """A run that counts nothing."""

    def listed(self, value: Any, weight: int = 1) -> Any:  # noqa: ARG002
        return value

    def whole(self, value: Any, weight: int = 1) -> Any:  # noqa: ARG002
        return value

    def joined(self, out: list[Any]) -> str:
        return "".join(out)

    def prompt(self, out: list[Any]) -> str:
        return "".join(out)

    def join_texts(self, texts: Sequence[str]) -> str:
        return "".join(texts)

    def add(self, left: Any, right: Any) -> Any:
        return left + right

    def deeper(self, weight: int) -> None:
        pass

    def back(self) -> None:
        pass

    def steps(self, count: int) -> None:
        pass

    def grow(self, length: int) -> None:
        pass

    def items(self, length: int, each: int = 1) -> None:
        pass


class FreeProgram:
    """A compiled template without limits."""

    def __init__(self, program: Program):
        self._program = program
        self._code = program.code(FreeExpressions, FreeFunctions, NAMES)

    def text(self, variables: Mapping[str, Any]) -> str:
        """Return the prompt for these variables."""
        run = FreeRun(variables, self._program.limits)
        out: list[Any] = []
        self._code.write(run, out)
        return run.prompt(out)
