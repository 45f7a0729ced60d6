"""A template made ready: its source goes in, a function that writes prompts comes out.

Rules: the Python source can be printed, and stands in tracebacks. A template is compiled once; the code that keeps
origins only when somebody asks for them.
"""

from __future__ import annotations

import linecache
from collections.abc import Callable, Mapping
from functools import cached_property
from json.encoder import encode_basestring
from types import CodeType
from typing import Any
from weakref import finalize

from jinja2 import nodes

from chatcodec.engine import values
from chatcodec.engine.code import Code
from chatcodec.engine.calls import Expressions
from chatcodec.engine.facts import facts_of
from chatcodec.engine.faults import OverLimit
from chatcodec.engine.functions import Functions
from chatcodec.engine.limits import DEFAULT, Limits
from chatcodec.engine.parse import parse
from chatcodec.engine.run import Run
from chatcodec.engine.undefined import Undefined

_NAMES: Mapping[str, Any] = {
    "ITERABLE": values.ITERABLE,
    "MISSING": values.MISSING,
    "PLAIN": values.PLAIN,
    "Undefined": Undefined,
    "attribute": values.attribute,
    "expect_namespace": values.expect_namespace,
    "item": values.item,
    "quoted": encode_basestring,
    "not_plain": values.not_plain,
    "plain": values.plain,
}
_compiled = 0


class Program:
    """A compiled template."""

    def __init__(self, source: str, name: str = "template", limits: Limits = DEFAULT):
        """Compile `source`. Raises Fault, OverLimit or SyntaxFault."""
        global _compiled
        if len(source) > limits.source:
            raise OverLimit(f"a template of {len(source)} characters; the limit on source is {limits.source}", "source")
        self.source, self.name, self.limits = source, name, limits
        self.index = parse(source)
        if self.index.count > limits.nodes:
            raise OverLimit(f"a template of {self.index.count} nodes; the limit on nodes is {limits.nodes}", "nodes")
        self._facts = facts_of(self.index)
        _compiled += 1
        self.file = f"<chat template {name} {_compiled}>"
        self.python, self._code, self._constants, self.lines = self._write()
        linecache.cache[self.file] = (len(self.python), None, self.python.splitlines(True), self.file)
        finalize(self, linecache.cache.pop, self.file, None)

    def _write(self) -> tuple[str, CodeType, dict[str, Any], list[int]]:
        code, facts = Code(), self._facts
        expressions = Expressions(code, facts)
        Functions(code, facts, expressions).template(self.index.template)
        python = str(code)
        return python, compile(python, self.file, "exec"), code.constants, code.places

    @cached_property
    def root(self) -> Callable[[Run, list[Any]], None]:
        """The function that writes."""
        space = {**_NAMES, **self._constants}
        exec(self._code, space)
        root: Callable[[Run, list[Any]], None] = space["root"]
        return root

    def text(self, variables: Mapping[str, Any], limits: Limits | None = None) -> str:
        """Return the prompt for these variables."""
        run = Run(variables, limits or self.limits, self._facts.made.at_all)
        out: list[Any] = []
        self.root(run, out)
        return run.prompt(out)
