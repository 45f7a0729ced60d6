"""A template made ready: its source goes in, a function that writes prompts comes out.

Rules: the Python source can be printed, and stands in tracebacks. A template is compiled once; the code that keeps
origins only when somebody asks for them.
"""

from __future__ import annotations

import linecache
from collections.abc import Callable, Mapping
from functools import cached_property
from itertools import count
from json.encoder import encode_basestring
from types import CodeType
from typing import Any
from weakref import finalize

from jinja2 import nodes

from chatcodec.engine import loading, values
from chatcodec.engine.calls import Expressions
from chatcodec.engine.code import Source
from chatcodec.engine.facts import facts_of
from chatcodec.engine.faults import Fault, OverLimit
from chatcodec.engine.features import features_of
from chatcodec.engine.functions import Functions
from chatcodec.engine.limits import DEFAULT, Limits
from chatcodec.engine.operations import HOLDING
from chatcodec.engine.option_types import OptionTypes
from chatcodec.engine.options import read_first
from chatcodec.engine.parse import SyntaxFault, parse
from chatcodec.engine.run import USUAL, Run
from chatcodec.engine.running import total_length
from chatcodec.engine.runs import Written, read
from chatcodec.engine.text import Fraction, Text, Whole, literal
from chatcodec.engine.traced import TracedExpressions, TracedFunctions
from chatcodec.engine.tracing import TracedRun
from chatcodec.engine.undefined import Undefined

NAMES: Mapping[str, Any] = {
    "HOLDING": HOLDING,
    "ITERABLE": values.ITERABLE,
    "MISSING": values.MISSING,
    "PLAIN": values.PLAIN,
    "USUAL": USUAL,
    "Undefined": Undefined,
    "expect_namespace": values.expect_namespace,
    "not_plain": values.not_plain,
    "plain": values.plain,
    "quoted": encode_basestring,
}
"""What the code of a template uses, beside the run."""
_TRACED_NAMES: Mapping[str, Any] = {
    **NAMES,
    "BACK": loading.BACK,
    "CLOSE": loading.CLOSE,
    "GENERATION": loading.GENERATION,
    "NOTHING": loading.NOTHING,
    "OPEN": loading.OPEN,
    "CONTAINERS": frozenset({list, dict, tuple}),
    "ITERABLE": values.ITERABLE | {Text},
    "PLAIN": values.PLAIN | {Text, Whole, Fraction},
    "TEXTS": frozenset({Text}),
    "literal": literal,
    "expect_text": loading.expect_text,
    "item_mark": loading.item_mark,
    "loaded": loading.loaded,
    "wrapped": loading.wrapped,
}
_CODE = 100
"""Characters of code for a node."""
_MANY_PIECES = 10_000
_numbers = count(1)


class Code:
    """The Python code of one template: its source, and what it does with a run and a list that text goes into."""

    def __init__(self, name: str, source: Source, names: Mapping[str, Any]):
        """Compile the written `source`. Raises SyntaxFault for what Python does not take."""
        self.python, self.lines = str(source), source.places
        self.file = f"<chat template {name} {next(_numbers)}>"
        space = {**names, **source.constants}
        exec(self._compiled(), space)
        self.write: Callable[[Run, list[Any]], None] = space["root"]
        linecache.cache[self.file] = (len(self.python), None, self.python.splitlines(True), self.file)
        finalize(self, linecache.cache.pop, self.file, None)

    def _compiled(self) -> CodeType:
        try:
            return compile(self.python, self.file, "exec")
        except (SyntaxError, RecursionError, MemoryError) as error:  # most likely nested deeper than Python takes
            line, words = (error.lineno, error.msg) if isinstance(error, SyntaxError) else (None, "nested")
            place = self.lines[line - 1] if line and line <= len(self.lines) else 1
            if "nested" in words or "too many" in words:
                words = "expressions or blocks are nested too deeply"
            raise SyntaxFault(words, place or 1) from None


class Program:
    """A compiled template. ``tells_time``: whether its prompt may depend on the clock."""

    def __init__(self, source: str, name: str = "template", limits: Limits = DEFAULT):
        """Compile `source`. Raises Fault, OverLimit or SyntaxFault."""
        if len(source) > limits.source:
            raise OverLimit(f"a template of {len(source)} characters; the limit on source is {limits.source}", "source")
        self.source, self.name, self.limits = source, name, limits
        self.index = parse(source, limits.nodes)
        try:
            self._facts = facts_of(self.index)
        except RecursionError:
            raise SyntaxFault("expressions or blocks are nested too deeply", 1) from None
        self.tells_time = "strftime_now" in source
        self.plain = self.code(Expressions, Functions, NAMES)

    @cached_property
    def traced(self) -> Code:
        """The code that keeps origins."""
        return self.code(TracedExpressions, TracedFunctions, _TRACED_NAMES)

    def code(self, expressions: type[Expressions], functions: type[Functions], names: Mapping[str, Any]) -> Code:
        """Return the template as code that these write, with the `names` that it uses. Raises SyntaxFault."""
        source = Source(self.limits.nodes * _CODE)
        try:
            functions(source, self._facts, expressions(source, self._facts)).template(self.index.template)
        except (SyntaxFault, OverLimit):
            raise
        except Fault as fault:
            raise SyntaxFault(str(fault), source.place) from None
        except RecursionError:
            raise SyntaxFault("expressions or blocks are nested too deeply", source.place) from None
        return Code(self.name, source, names)

    @property
    def python(self) -> str:
        """The Python source."""
        return self.plain.python

    def text(self, variables: Mapping[str, Any]) -> str:
        """Return the prompt for these variables, each of a plain type."""
        run = Run(variables, self.limits)
        out: list[Any] = []
        self._write(self.plain, run, out)
        return run.prompt(out)

    def trace(self, variables: Mapping[str, Any], out: list[Any]) -> tuple[str, Written]:
        """Return the prompt for these variables, and what was written, into `out`, as `runs` reads it."""
        run = TracedRun(variables, self.limits)
        self._write(self.traced, run, out)
        if len(out) > _MANY_PIECES:  # what is too long is not looked through
            run.output(total_length(out))
        written = read(out)
        run.output(written.length)
        return "".join(written.texts), written

    def _write(self, code: Code, run: Run, out: list[Any]) -> None:
        """Run the code. Raises OverLimit for what is nested deeper than Python takes, and what the code raises."""
        run.steps(self._facts.weight)
        try:
            code.write(run, out)
        except RecursionError as error:
            fault = OverLimit("values or macros are nested too deeply; the limit on depth is reached", "depth")
            raise fault.with_traceback(error.__traceback__) from None

    @cached_property
    def reads(self) -> list[str]:
        """The names that it reads before it assigns to them."""
        return read_first(self.index)

    @cached_property
    def option_types(self) -> OptionTypes:
        """Of which type the names are meant to be that it reads."""
        return OptionTypes(self.index)

    @cached_property
    def features(self) -> dict[str, tuple[str, ...]]:
        """What of Jinja it uses."""
        return features_of(self.index)

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The texts that its expressions have, each once, in the order of the source."""
        return tuple(dict.fromkeys(node.value for node in self.index.all(nodes.Const) if isinstance(node.value, str)))

    def line_of(self, error: BaseException) -> int | None:
        """Return the line of the template that was running when `error` was raised, None if none was."""
        codes = {code.file: code for code in (self.plain, self.__dict__.get("traced")) if code is not None}
        found, trace = None, error.__traceback__
        while trace is not None:
            code = codes.get(trace.tb_frame.f_code.co_filename)
            if code is not None and 0 < trace.tb_lineno <= len(code.lines):
                found = code.lines[trace.tb_lineno - 1] or found
            trace = trace.tb_next
        return found
