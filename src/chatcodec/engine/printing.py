"""What is printed by statements that follow each other, as pieces of one tuple.

Rules: texts of the template that stand side by side are one text, also across a choice between texts. Each piece stands
on a line of its own, so that a traceback names its line of the template.
"""

from __future__ import annotations

from ast import literal_eval
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from jinja2 import nodes

_LONGEST = 400
"""Up to how many characters a text is repeated in each arm of a choice beside it."""


_MOST_ARMS = 8
"""Up to how many branches more a choice has that is one piece."""


class Piece(NamedTuple):
    """Python source of a text, and the line of the template that prints it.

    arms: if it is a choice between texts of the template, the conditions with the text of each; ``text`` is what is
    left then.
    """

    text: str
    line: int
    arms: tuple[tuple[str, str], ...] = ()

    @property
    def source(self) -> str:
        """The source of the text."""
        source = self.text
        for test, text in reversed(self.arms):
            source = f"({text} if {test} else {source})"
        return source

    @property
    def is_literal(self) -> bool:
        """Whether it is text of the template, or a choice between such texts."""
        return bool(self.arms) or self.text[0] in "'\""

    @property
    def longest(self) -> int:
        """Of texts of the template: how many characters the longest has."""
        return max(len(literal_eval(text)) for text in (self.text, *(text for _, text in self.arms)))

    def joined(self, other: Piece) -> Piece | None:
        """Return this text with another behind it, None if they stay apart."""
        if not (self.is_literal and other.is_literal) or (self.arms and other.arms):
            return None
        if not other.arms:
            if self.arms and len(self.text) + len(other.text) > _LONGEST:
                return None
            arms = tuple((test, _sum(text, other.text)) for test, text in self.arms)
            return self._replace(text=_sum(self.text, other.text), arms=arms)
        if len(self.text) + len(other.text) > _LONGEST:
            return None
        arms = tuple((test, _sum(self.text, text)) for test, text in other.arms)
        return self._replace(text=_sum(self.text, other.text), arms=arms)


def merged(pieces: Iterable[Piece]) -> list[Piece]:
    """Return pieces with texts of the template that stand side by side as one."""
    found: list[Piece] = []
    for piece in _without_seams(pieces):
        whole = found[-1].joined(piece) if found else None
        if whole is not None:
            found[-1] = whole
        elif piece.arms or piece.text not in ("''", '""'):
            found.append(piece)
    return found


def _without_seams(pieces: Iterable[Piece]) -> Iterator[Piece]:
    """Yield pieces, with texts side by side as one, choices left out."""
    texts: list[str] = []
    line = 0
    for piece in pieces:
        if piece.is_literal and not piece.arms:
            line = line if texts else piece.line
            texts.append(str(literal_eval(piece.text)))
            continue
        if texts:
            yield Piece(repr("".join(texts)), line)
            texts = []
        yield piece
    if texts:
        yield Piece(repr("".join(texts)), line)


def literal_of(body: Sequence[nodes.Node]) -> str | None:
    """Return the source of the text that a body prints, None if it does more than to print text of the template."""
    text = ""
    for output in body:
        if not isinstance(output, nodes.Output):
            return None
        for node in output.nodes:
            if isinstance(node, nodes.TemplateData):
                text += node.data
            elif isinstance(node, nodes.Const) and isinstance(node.value, str):
                text += node.value
            else:
                return None
    return repr(text)


def is_choice(node: nodes.Node) -> bool:
    """Whether a statement is a choice between texts of the template."""
    if not isinstance(node, nodes.If) or not node.else_ or len(node.elif_) > _MOST_ARMS:
        return False
    return all(
        literal_of(body) is not None for body in (node.body, *(branch.body for branch in node.elif_), node.else_)
    )


def _sum(one: str, other: str) -> str:
    return repr(str(literal_eval(one)) + str(literal_eval(other)))
