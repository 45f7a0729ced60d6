"""What of Jinja a template uses beyond plain text, loops and conditions: for those who run templates elsewhere.

Rules: read off the tree, so a name counts also where no chat reaches it. Filters, tests and functions are named as in
the source; methods are those that are called on a value.
"""

from __future__ import annotations

from jinja2 import nodes

from chatcodec.engine.tree import Index

_STATEMENTS: dict[type[nodes.Node], str] = {
    nodes.Macro: "macro",
    nodes.FilterBlock: "filter",
    nodes.AssignBlock: "set block",
    nodes.With: "with",
    nodes.Break: "break",
    nodes.Continue: "continue",
}


def features_of(index: Index) -> dict[str, tuple[str, ...]]:
    """Return the names of statements, filters, tests, functions and methods that a template uses, each sorted."""
    macros = {macro.name for macro in index.all(nodes.Macro)}
    calls = list(index.all(nodes.Call))
    functions = {call.node.name for call in calls if isinstance(call.node, nodes.Name)} - macros
    methods = {call.node.attr for call in calls if isinstance(call.node, nodes.Getattr)}
    blocks = {_called(block) for block in index.all(nodes.CallBlock)}
    found = {
        "statements": {name for kind, name in _STATEMENTS.items() if index.all(kind)} | blocks,
        "filters": {each.name for each in index.all(nodes.Filter)},
        "tests": {each.name for each in index.all(nodes.Test)},
        "functions": functions,
        "methods": methods,
    }
    return {kind: tuple(sorted(names)) for kind, names in found.items() if names}


def _called(block: nodes.CallBlock) -> str:
    return "generation" if isinstance(block.call.node, nodes.ExtensionAttribute) else "call"
