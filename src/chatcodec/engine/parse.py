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


def parse(source: str) -> nodes.Template:
    """Return the tree of a template. Raises SyntaxFault."""
    try:
        tree = _environment.parse(source)
    except jinja2.TemplateSyntaxError as error:
        raise SyntaxFault(error.message or "bad syntax", error.lineno) from None
    except RecursionError:
        raise SyntaxFault("expressions are nested too deeply", 1) from None
    for node in tree.find_all(tuple(_REFUSED)):
        raise SyntaxFault(f"a chat template stands alone: {_REFUSED[type(node)]} is not possible", node.lineno)
    return tree
