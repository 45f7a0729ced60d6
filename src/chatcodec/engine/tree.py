"""Walks through jinja2's syntax trees, quick enough to be done for each pass, and an index of a whole tree.

Rules: the order is that of the source. It knows nothing of what nodes mean.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

from jinja2 import nodes

_Node = TypeVar("_Node", bound=nodes.Node)

_LEAVES = frozenset({nodes.Const, nodes.TemplateData, nodes.Name, nodes.NSRef, nodes.Break, nodes.Continue})
_SCALARS = frozenset(
    {"name", "ctx", "attr", "key", "op", "recursive", "required", "scoped", "with_context", "identifier"}
)
_fields: dict[type, tuple[str, ...]] = {}


def children(node: nodes.Node) -> list[nodes.Node]:
    """Return the nodes right below a node."""
    cls = type(node)
    if cls in _LEAVES:
        return []
    fields = _fields.get(cls)
    if fields is None:
        scalars = _SCALARS - {"key"} if cls is nodes.Pair else _SCALARS
        fields = _fields[cls] = tuple(name for name in node.fields if name not in scalars)
    found: list[nodes.Node] = []
    for name in fields:
        value = getattr(node, name)
        if isinstance(value, nodes.Node):
            found.append(value)
        elif isinstance(value, list):
            found += [each for each in value if isinstance(each, nodes.Node)]
    return found


def walk(node: nodes.Node) -> Iterator[nodes.Node]:
    """Yield all nodes below a node."""
    left = children(node)[::-1]
    while left:
        each = left.pop()
        yield each
        if type(each) not in _LEAVES:
            left += children(each)[::-1]


def names_below(*tops: nodes.Node) -> Iterator[nodes.Name]:
    """Yield the names in some nodes, themselves included."""
    for top in tops:
        if isinstance(top, nodes.Name):
            yield top
        for node in walk(top):
            if isinstance(node, nodes.Name):
                yield node


class Index:
    """The nodes of a template by their type."""

    def __init__(self, template: nodes.Template):
        self.template = template
        self.count = 0
        self._by_type: dict[type, list[nodes.Node]] = {}
        for node in walk(template):
            self.count += 1
            self._by_type.setdefault(type(node), []).append(node)

    def all(self, cls: type[_Node]) -> list[_Node]:
        """Return the nodes of one type, in the order of the source."""
        return self._by_type.get(cls, [])  # type: ignore[return-value]

    def of(self, *classes: type[nodes.Node]) -> Iterable[nodes.Node]:
        """Return the nodes of some types, type by type."""
        return [node for cls in classes for node in self.all(cls)]
