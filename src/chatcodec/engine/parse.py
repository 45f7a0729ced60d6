"""A template's source as jinja2's syntax tree, under the settings of transformers 5.23.

Rules: the same syntax as there: blocks eat the newline behind them and the space before them, ``generation`` marks what
the model writes, loops may be left. What reaches for other templates is refused, and so is what no chat template
needs: blocks to be overridden, and switching escapes on. It does not run anything.
"""

from __future__ import annotations

import jinja2
from jinja2 import nodes
from jinja2.ext import Extension, LoopControlExtension
from jinja2.parser import Parser

from chatcodec.engine.faults import Fault
from chatcodec.engine.tree import Index, children

_REFUSED = {
    nodes.Extends: "extends",
    nodes.Include: "include",
    nodes.Import: "import",
    nodes.FromImport: "import",
    nodes.Block: "block",
    nodes.ScopedEvalContextModifier: "autoescape",
}


class Generation(Extension):
    """``{% generation %}``: a call block, so what is set inside is not seen behind it."""

    tags = {"generation"}  # noqa: RUF012

    def parse(self, parser: Parser) -> nodes.Node:
        """Parse the tag and what is in it."""
        line = next(parser.stream).lineno
        body = parser.parse_statements(("name:endgeneration",), drop_needle=True)
        return nodes.CallBlock(self.call_method("generation"), [], [], body).set_lineno(line)


class SyntaxFault(Fault):
    """The source is no template. ``line`` says where."""

    def __init__(self, words: str, line: int):
        super().__init__(words)
        self.line = line


_environment = jinja2.Environment(
    trim_blocks=True, lstrip_blocks=True, extensions=[Generation, LoopControlExtension], autoescape=False
)


def parse(source: str) -> Index:
    """Return the tree of a template, with an index. Raises SyntaxFault."""
    try:
        tree = _environment.parse(source)
    except jinja2.TemplateSyntaxError as error:
        raise SyntaxFault(error.message or "bad syntax", error.lineno) from None
    except ValueError as error:  # a number too long for Python
        raise SyntaxFault(str(error), 1) from None
    except RecursionError:
        raise SyntaxFault("expressions are nested too deeply", 1) from None
    index = Index(tree)
    for node in index.of(*_REFUSED):
        raise SyntaxFault(f"a chat template stands alone: {_REFUSED[type(node)]} is not possible", node.lineno)
    _expect_in_loop(tree, inside=False)
    return index


def _expect_in_loop(node: nodes.Node, inside: bool) -> None:
    """Raise SyntaxFault for what leaves a loop and is in none."""
    for child in children(node):
        if isinstance(child, (nodes.Break, nodes.Continue)):
            if not inside:
                word = type(child).__name__.lower()
                raise SyntaxFault(f"{word} outside of a loop", child.lineno)
        elif isinstance(child, nodes.For):
            for part in (child.body, child.else_):
                for each in part:
                    _expect_in_loop(nodes.Template([each]), inside or part is child.body)
        elif isinstance(child, (nodes.If, nodes.Scope, nodes.With)):
            _expect_in_loop(child, inside)
        elif not isinstance(child, nodes.Expr):
            _expect_in_loop(child, inside=False)
