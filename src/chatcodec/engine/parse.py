"""A template's source as jinja2's syntax tree, under the settings of transformers 5.23.

Rules: the same syntax as there: blocks eat the newline behind them and the space before them, ``generation`` marks what
the model writes, loops may be left. What reaches for other templates is refused, and so is what no chat template
needs: blocks to be overridden, and switching escapes on. How long a template is, is found out while it is read. It does
not run anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from unicodedata import normalize

import jinja2
from jinja2 import nodes
from jinja2.ext import Extension, LoopControlExtension
from jinja2.lexer import Token, TokenStream
from jinja2.parser import Parser

from chatcodec.engine.faults import Fault, OverLimit
from chatcodec.engine.tree import Index, children

_REFUSED: dict[type[nodes.Node], str] = {
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


_TOKENS = 4
"""How many tokens a node may take: in templates it takes two or three."""
_FUNCTION = 8
"""How many nodes more a macro counts for, and whatever else becomes a function: Python compiles many slowly."""
_DEEPEST = 30
"""How deep statements may stand in each other."""
_DIGITS = 4300
"""Digits of a number: Python prints no more."""


def parse(source: str, most: int) -> Index:
    """Return the tree of a template of `most` nodes at most, with an index. Raises SyntaxFault or OverLimit."""
    parser = None
    try:
        parser = Parser(_environment, source)
        parser.stream = TokenStream(_counted(parser.stream, most), None, None)
        tree = parser.parse()
    except jinja2.TemplateSyntaxError as error:
        raise SyntaxFault(error.message or "bad syntax", error.lineno) from None
    except ValueError as error:  # a number too long for Python
        raise SyntaxFault(str(error), _line(parser)) from None
    except RecursionError:
        raise SyntaxFault("expressions or blocks are nested too deeply", _line(parser)) from None
    index = Index(tree)
    if index.count + _FUNCTION * _functions(index) > most:
        _too_long(most)
    for node in index.of(*_REFUSED):
        raise SyntaxFault(f"a chat template stands alone: {_REFUSED[type(node)]} is not possible", node.lineno)
    for constant in index.all(nodes.Const):
        if type(constant.value) is int and constant.value.bit_length() > _DIGITS * 10 // 3:
            raise SyntaxFault(f"a number of more than {_DIGITS} digits", constant.lineno)
    _expect_python_names(index)
    _expect_in_loop(tree, inside=False, depth=0)
    return index


def _expect_python_names(index: Index) -> None:
    """Raise SyntaxFault for names that Python takes for others, and for arguments that are named twice."""
    for node in index.of(nodes.Name, nodes.NSRef, nodes.Macro, nodes.Keyword):
        name: str = node.key if isinstance(node, nodes.Keyword) else node.name  # type: ignore[attr-defined]
        if not name.isascii() and normalize("NFKC", name) != name:
            raise SyntaxFault(f"the name {name!r} is not in Unicode's form NFKC, so it may mean another", node.lineno)
    for node in index.of(nodes.Call, nodes.Filter, nodes.Test):
        _expect_once([keyword.key for keyword in node.kwargs], node)  # type: ignore[attr-defined]
    for node in index.of(nodes.Macro, nodes.CallBlock):
        _expect_once([argument.name for argument in node.args], node)  # type: ignore[attr-defined]


def _expect_once(names: list[str], node: nodes.Node) -> None:
    for index, name in enumerate(names):
        if name in names[:index]:
            raise SyntaxFault(f"the argument {name!r} is there twice", node.lineno)


def _functions(index: Index) -> int:
    loops = sum(loop.test is not None or loop.recursive for loop in index.all(nodes.For))
    return loops + len(index.all(nodes.Macro)) + len(index.all(nodes.CallBlock))


def _counted(tokens: Iterable[Token], most: int) -> Iterator[Token]:
    """Yield tokens, as many as belong to so many nodes. Raises OverLimit behind them."""
    for count, token in enumerate(tokens):
        if count > most * _TOKENS:
            _too_long(most)
        yield token


def _too_long(most: int) -> None:
    raise OverLimit(f"a template of more than {most} nodes; the limit on nodes is {most}", "nodes")


def _line(parser: Parser | None) -> int:
    return 1 if parser is None else parser.stream.current.lineno


def _expect_in_loop(node: nodes.Node, inside: bool, depth: int) -> None:
    """Raise SyntaxFault for what leaves a loop and is in none, and for statements too deep in each other."""
    if depth > _DEEPEST:
        raise SyntaxFault(f"statements within statements, more than {_DEEPEST} deep", node.lineno or 1)
    for child in children(node):
        if isinstance(child, (nodes.Break, nodes.Continue)):
            if not inside:
                word = type(child).__name__.lower()
                raise SyntaxFault(f"{word} outside of a loop", child.lineno)
        elif isinstance(child, nodes.For):
            for part in (child.body, child.else_):
                around = nodes.Template(part).set_lineno(child.lineno)
                _expect_in_loop(around, inside or part is child.body, depth + 1)
        elif isinstance(child, (nodes.If, nodes.Scope, nodes.With, nodes.AssignBlock, nodes.FilterBlock)):
            _expect_in_loop(child, inside, depth + 1)
        elif not isinstance(child, nodes.Expr):
            _expect_in_loop(child, inside=False, depth=depth + 1)
