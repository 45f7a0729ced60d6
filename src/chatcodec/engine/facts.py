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
from dataclasses import dataclass

from jinja2 import nodes

from chatcodec.engine.endings import prints_at_its_end
from chatcodec.engine.made import Made, Tools
from chatcodec.engine.marking import marking_matters
from chatcodec.engine.tree import Index, children, names_below, walk
from chatcodec.engine.weights import Weights

_SPECIAL = {"caller", "kwargs", "varargs"}
_ONE_BY_ONE = frozenset({
    "map", "select", "reject", "selectattr", "rejectattr", "items", "batch", "slice", "reverse", "unique",
})  # fmt: skip
_TAKES_ALL = frozenset({"list", "join", "sort", "sum", "max", "min"}) | _ONE_BY_ONE
_CHANGING = frozenset({"cycler", "joiner"})


@dataclass(frozen=True)
class Facts:
    """What is known of a template.

    macros: those at its top level, by name. direct: those of them that are only called, with arguments that are plain
    to see. returning: those of them that return their text. recursive: those that may call themselves. namespaces:
    members that each has from the start. marks: whether marked text may differ. steady: whether what was read once
    stays. tested: parameters of macros that go nowhere. made: what may be put together by the template. tools: what may
    be of the tools. lazy: whether a name may hold something that is gone through only once.
    """

    macros: Mapping[str, nodes.Macro]
    direct: frozenset[str]
    returning: frozenset[str]
    recursive: frozenset[str]
    namespaces: Mapping[str, frozenset[str]]
    marks: bool
    steady: bool
    weights: Weights
    weight: int
    tested: Mapping[str, frozenset[str]]
    made: Made
    tools: Tools
    lazy: bool


def facts_of(index: Index) -> Facts:
    """Return what is known of the template that `index` is of."""
    loaded = Counter(node.name for node in index.all(nodes.Name) if node.ctx == "load")
    stored = Counter(node.name for node in index.all(nodes.Name) if node.ctx != "load")
    stored.update(node.name for node in index.all(nodes.Macro))
    body = index.template.body
    macros = {node.name: node for node in body if isinstance(node, nodes.Macro) and stored[node.name] == 1}
    namespaces = {} if stored["namespace"] else dict(_namespaces(index, stored, loaded))
    order, recursive = _order(macros)
    direct, returning = _uses(index, macros, loaded)
    weights = Weights(macros, order, recursive)
    return Facts(
        macros=macros,
        direct=direct,
        returning=returning - recursive,
        recursive=recursive,
        namespaces=namespaces,
        marks=marking_matters(index),
        steady=loaded["namespace"] == len(namespaces) and not _CHANGING & loaded.keys(),
        weights=weights,
        weight=weights.of(body),
        tested={name: _only_tested(macros[name]) for name in direct},
        made=Made(index),
        tools=Tools(index),
        lazy=_keeps_generators(index),
    )


def _namespaces(
    index: Index, stored: Mapping[str, int], loaded: Mapping[str, int]
) -> Iterable[tuple[str, frozenset[str]]]:
    """Yield each name that is a namespace before it is used, everywhere, and only used by its members."""
    asked = [node for node in index.all(nodes.Getattr) if isinstance(node.node, nodes.Name)]
    by_member = Counter(node.node.name for node in asked)  # type: ignore[attr-defined]
    odd = {node.node.name for node in asked if node.attr.startswith("_")}  # type: ignore[attr-defined]
    odd |= {node.name for node in index.all(nodes.NSRef) if node.attr.startswith("_")}
    for call in index.all(nodes.Call):
        if isinstance(call.node, nodes.Getattr) and isinstance(call.node.node, nodes.Name):
            odd.add(call.node.node.name)
    before: set[str] = set()
    for node in index.template.body:
        names = {each.name for each in walk(node) if isinstance(each, (nodes.Name, nodes.NSRef))}
        if isinstance(node, nodes.Assign) and isinstance(node.target, nodes.Name):
            name, members = node.target.name, _members(node.node)
            only_members = stored[name] == 1 and loaded.get(name, 0) == by_member[name] and name not in odd
            if members is not None and only_members and name not in before:
                yield name, members
        before |= names


def _members(node: nodes.Node) -> frozenset[str] | None:
    """Return what ``namespace(a=1, b=2)`` has from the start, None if the expression is none such."""
    if not (isinstance(node, nodes.Call) and isinstance(node.node, nodes.Name) and node.node.name == "namespace"):
        return None
    if node.args or node.dyn_args or node.dyn_kwargs or any(keyword.key.startswith("_") for keyword in node.kwargs):
        return None
    return frozenset(keyword.key for keyword in node.kwargs)


def _uses(
    index: Index, macros: Mapping[str, nodes.Macro], loaded: Mapping[str, int]
) -> tuple[frozenset[str], frozenset[str]]:
    """Return the macros that are only called, and those of them that can as well return their text."""
    plain: Counter[str] = Counter()
    printed = {
        node.node.name
        for output in index.all(nodes.Output)
        for node in output.nodes
        if isinstance(node, nodes.Call) and isinstance(node.node, nodes.Name)
    }
    blocks = {id(block.call) for block in index.all(nodes.CallBlock)}
    looks_at_rest = {name for name, macro in macros.items() if _SPECIAL & {each.name for each in names_below(macro)}}
    for node in index.all(nodes.Call):
        if isinstance(node.node, nodes.Name) and node.node.name in macros and id(node) not in blocks:
            name = node.node.name
            plain[name] += name not in looks_at_rest and takes(macros[name], node) is not None
    direct = frozenset(name for name in macros if plain[name] == loaded.get(name, 0))
    returning = {name for name in direct if name not in printed or prints_at_its_end(macros[name].body)}
    return direct, frozenset(name for name in returning if not _writes_generation(macros[name]))


def _keeps_generators(index: Index) -> bool:
    """Whether a filter that gives its items one by one is used elsewhere than right where they are all taken."""
    taken = {id(node.iter) for node in index.all(nodes.For)}
    taken |= {id(node.node) for node in index.all(nodes.Filter) if node.name in _TAKES_ALL}
    return any(node.name in _ONE_BY_ONE and id(node) not in taken for node in index.all(nodes.Filter))


def _writes_generation(macro: nodes.Macro) -> bool:
    """Whether a macro may write the generation prompt, which is marked where it is written."""
    return any(name.name == "add_generation_prompt" for name in names_below(macro))


def _only_tested(macro: nodes.Macro) -> frozenset[str]:
    """Return the parameters of a macro that it compares and tests, and nothing else: they go nowhere."""
    names = {each.name for each in macro.args} - {each.name for each in macro.defaults if isinstance(each, nodes.Name)}
    left: list[nodes.Node] = [*macro.defaults, *macro.body]
    while left:
        node = left.pop()
        tests = isinstance(node, (nodes.Compare, nodes.Operand, nodes.Test, nodes.Not))
        for child in children(node):
            if not isinstance(child, nodes.Name):
                left.append(child)
            elif not tests and not (isinstance(node, (nodes.If, nodes.CondExpr)) and child is node.test):
                names.discard(child.name)
    return frozenset(names)


def takes(macro: nodes.Macro, call: nodes.Call) -> list[nodes.Node | None] | None:
    """Return what a call gives a macro in the order of its parameters; None if only the macro can tell."""
    names = [argument.name for argument in macro.args]
    if call.dyn_args or call.dyn_kwargs or len(call.args) > len(names):
        return None
    keywords = {keyword.key: keyword.value for keyword in call.kwargs}
    rest = names[len(call.args) :]
    if len(keywords) < len(call.kwargs) or not keywords.keys() <= set(rest):
        return None
    return [*call.args, *(keywords.get(name) for name in rest)]


def _order(macros: Mapping[str, nodes.Macro]) -> tuple[list[str], frozenset[str]]:
    """Return the macros, each behind those that it calls, and which of them may call themselves, directly or not.

    Tarjan's components, without recursion: what is left on the stack above a macro that reaches nothing before it can
    be reached from there, and reaches it.
    """
    calls = {
        name: sorted({found.name for found in names_below(macro) if found.ctx == "load" and found.name in macros})
        for name, macro in macros.items()
    }
    order: list[str] = []
    recursive: set[str] = set()
    number: dict[str, int] = {}
    lowest: dict[str, int] = {}
    stack: list[str] = []
    done: set[str] = set()
    for top in macros:
        work = [] if top in number else [(top, iter(calls[top]))]
        while work:
            name, left = work[-1]
            if name not in number:
                number[name] = lowest[name] = len(number)
                stack.append(name)
            for called in left:
                if called not in number:
                    work.append((called, iter(calls[called])))
                    break
                if called not in done:
                    lowest[name] = min(lowest[name], number[called])
            else:
                work.pop()
                if work:
                    lowest[work[-1][0]] = min(lowest[work[-1][0]], lowest[name])
                if lowest[name] == number[name]:
                    component = stack[stack.index(name) :]
                    del stack[len(stack) - len(component) :]
                    done.update(component)
                    order += component
                    if len(component) > 1 or name in calls[name]:
                        recursive.update(component)
    return order, frozenset(recursive)
