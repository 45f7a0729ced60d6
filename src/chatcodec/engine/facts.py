"""What holds of a whole template, found before any code is written: what makes short code right.

- which names are macros that nothing else is ever assigned to, so that a call of them is a plain call; which of them
  are never printed as they are called, so that they can return their text;
- which names are namespaces for good that nobody sees as a whole, so that they are dicts;
- whether text that is marked as safe may differ from other text;
- whether what was read once stays what it was.

Rules: a fact that cannot be told from the source alone is false.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from jinja2 import nodes

from chatcodec.engine.marking import marking_matters
from chatcodec.engine.weights import Weights

_CHANGING = frozenset({"cycler", "joiner"})


@dataclass
class Facts:
    """What is known of a template.

    macros: those at its top level, by name. direct: those of them that are only called. returning: those of them that
    return their text. recursive: those that may call themselves. namespaces: members that each has from the start.
    marks: whether marked text may differ. steady: whether what was read once stays.
    """

    macros: dict[str, nodes.Macro] = field(default_factory=dict)
    direct: frozenset[str] = frozenset()
    returning: frozenset[str] = frozenset()
    recursive: frozenset[str] = frozenset()
    namespaces: Mapping[str, frozenset[str]] = field(default_factory=dict)
    marks: bool = False
    steady: bool = True
    weights: Weights = field(default_factory=lambda: Weights({}, frozenset()))


def facts_of(template: nodes.Template) -> Facts:
    """Return what is known of `template`."""
    stored = _stored(template)
    macros = {node.name: node for node in template.body if isinstance(node, nodes.Macro) and stored[node.name] == 1}
    namespaces = {} if stored["namespace"] else dict(_namespaces(template, stored))
    recursive = _recursive(macros)
    direct, returning = _uses(template, macros)
    return Facts(
        macros=macros,
        direct=direct,
        returning=returning - recursive,
        recursive=recursive,
        namespaces=namespaces,
        marks=marking_matters(template),
        steady=_steady(template, namespaces),
        weights=Weights(macros, recursive),
    )


def _stored(template: nodes.Template) -> Counter[str]:
    """Return how often each name is assigned to."""
    stored: Counter[str] = Counter()
    for node in template.find_all((nodes.Name, nodes.Macro)):
        stored[node.name] += isinstance(node, nodes.Macro) or node.ctx != "load"
    return stored


def _namespaces(template: nodes.Template, stored: Counter[str]) -> Iterable[tuple[str, frozenset[str]]]:
    """Yield each name that is a namespace before it is used, everywhere, and only used by its members."""
    used = Counter(node.name for node in template.find_all(nodes.Name) if node.ctx == "load")
    asked = Counter(
        node.node.name for node in template.find_all(nodes.Getattr) if isinstance(node.node, nodes.Name)
    )  # fmt: skip
    called = Counter(
        node.node.node.name
        for node in template.find_all(nodes.Call)
        if isinstance(node.node, nodes.Getattr) and isinstance(node.node.node, nodes.Name)
    )
    hidden = {
        each.attr.startswith("_") and name
        for each in template.find_all((nodes.Getattr, nodes.NSRef))
        if (name := each.name if isinstance(each, nodes.NSRef) else getattr(each.node, "name", ""))
    }
    before: set[str] = set()
    for node in template.body:
        names = {each.name for each in node.find_all((nodes.Name, nodes.NSRef))}
        if isinstance(node, nodes.Assign) and isinstance(node.target, nodes.Name) and _makes_namespace(node.node):
            name = node.target.name
            once = stored[name] == 1 and used[name] == asked[name] and not called[name]
            if once and name not in before and name not in hidden and not _mentions(node.node, name):
                assert isinstance(node.node, nodes.Call)
                yield name, frozenset(keyword.key for keyword in node.node.kwargs)
            names.add(name)
        before |= names | {each.name for each in [node] if isinstance(each, nodes.Macro)}


def _mentions(node: nodes.Node, name: str) -> bool:
    return any(each.name == name for each in node.find_all(nodes.Name))


def _makes_namespace(node: nodes.Node) -> bool:
    """Whether an expression is ``namespace(a=1, b=2)``."""
    if not (isinstance(node, nodes.Call) and isinstance(node.node, nodes.Name) and node.node.name == "namespace"):
        return False
    given = node.args or node.dyn_args or node.dyn_kwargs
    return not given and not any(keyword.key.startswith("_") for keyword in node.kwargs)


def _steady(template: nodes.Template, namespaces: Mapping[str, object]) -> bool:
    """Whether nothing but known namespaces ever changes."""
    made = sum(_known_as("namespace", node) for node in template.find_all(nodes.Name))
    changing = any(node.name in _CHANGING for node in template.find_all(nodes.Name))
    return made == len(namespaces) and not changing


def _known_as(name: str, node: nodes.Name) -> bool:
    return node.name == name and node.ctx == "load"


def _uses(template: nodes.Template, macros: Mapping[str, nodes.Macro]) -> tuple[frozenset[str], frozenset[str]]:
    """Return the macros that are only called, and those of them that are never printed as they are called."""
    loads = Counter(node.name for node in template.find_all(nodes.Name) if node.ctx == "load" and node.name in macros)
    plain: Counter[str] = Counter()
    printed = {
        node.node.name
        for output in template.find_all(nodes.Output)
        for node in output.nodes
        if isinstance(node, nodes.Call) and isinstance(node.node, nodes.Name)
    }
    blocks = {id(block.call) for block in template.find_all(nodes.CallBlock)}
    for node in template.find_all(nodes.Call):
        if isinstance(node.node, nodes.Name) and node.node.name in macros and id(node) not in blocks:
            plain[node.node.name] += takes(macros[node.node.name], node) is not None
    direct = frozenset(name for name in macros if plain[name] == loads[name])
    return direct, direct - printed


def takes(macro: nodes.Macro, call: nodes.Call) -> list[nodes.Node | None] | None:
    """Return what a call gives a macro in the order of its parameters; None if only the macro can tell."""
    names = [argument.name for argument in macro.args]
    special = {"caller", "kwargs", "varargs"} & {name.name for name in macro.find_all(nodes.Name)}
    if special or call.dyn_args or call.dyn_kwargs or len(call.args) > len(names):
        return None
    keywords = {keyword.key: keyword.value for keyword in call.kwargs}
    rest = names[len(call.args) :]
    if len(keywords) < len(call.kwargs) or not keywords.keys() <= set(rest):
        return None
    return [*call.args, *(keywords.get(name) for name in rest)]


def _recursive(macros: dict[str, nodes.Macro]) -> frozenset[str]:
    """Return the macros that may call themselves, directly or not."""
    calls = {
        name: {found.name for found in macro.find_all(nodes.Name) if found.ctx == "load" and found.name in macros}
        for name, macro in macros.items()
    }
    reached = calls
    for _ in macros:
        wider = {name: set(direct).union(*(reached[each] for each in direct)) for name, direct in calls.items()}
        if wider == reached:
            break
        reached = wider
    return frozenset(name for name in macros if name in reached[name])
