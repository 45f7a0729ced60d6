"""Prove that the vectors pin every decision of the references: force each to true and to false, and see a vector fail.

    python tools/mutants.py DIRECTORY

DIRECTORY holds the references. A decision is the test of an `if`, `elif`, inline `if` or loop, or an operand of an
`and` or `or`. A mutant is the template with one decision forced; it is killed by a vector whose outcome differs from
that of the template. One that no vector kills has to be listed, with the reason why none can, in the format's
equivalent.json; one that is listed and killed is stale. Exit code 1 if there is either.

This file knows no format and no template; mutants are named by line, source of the decision and forced value.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from jinja2 import Environment, Template, nodes

from chatcodec.formats import registry
from reference import Outcome, Reference, attempt
from vector_file import FORMATS
from vectors import paths, read

Variables: TypeAlias = dict[str, Any]


class Mutant(NamedTuple):
    """A decision and what it is forced to; ``ordinal`` tells decisions of the same words on one line apart."""

    line: int
    expression: str
    ordinal: int
    forced: bool

    def __str__(self) -> str:
        again = f" (number {self.ordinal + 1} on its line)" if self.ordinal else ""
        return f"line {self.line}: {self.expression}{again} is {str(self.forced).lower()}"


class Site(NamedTuple):
    """Where a decision is in a tree: a node, and the field that holds the decision."""

    node: nodes.Node
    field: str

    @property
    def decision(self) -> nodes.Expr:
        """The expression that decides."""
        expression: nodes.Expr = getattr(self.node, self.field)
        return expression


class Report(NamedTuple):
    """What became of the mutants of one format."""

    name: str
    mutants: int
    killed: int
    equivalent: int
    surviving: list[Mutant]
    stale: list[Mutant]


def sites(tree: nodes.Template) -> Iterator[Site]:
    """Yield every decision of a template, always in the same order."""
    for node in tree.find_all((nodes.If, nodes.CondExpr, nodes.For, nodes.And, nodes.Or)):
        if isinstance(node, (nodes.And, nodes.Or)):
            yield Site(node, "left")
            yield Site(node, "right")
        elif not isinstance(node, nodes.For) or node.test is not None:
            yield Site(node, "test")


def mutants(environment: Environment, source: str) -> Iterator[tuple[Mutant, Template]]:
    """Yield every mutant of a template, compiled."""
    seen: Counter[tuple[int, str]] = Counter()
    for position, site in enumerate(sites(environment.parse(source))):
        key = site.decision.lineno, source_of(site.decision)
        for forced in (True, False):
            yield Mutant(*key, seen[key], forced), _forced(environment, source, position, forced)
        seen[key] += 1


def _forced(environment: Environment, source: str, position: int, value: bool) -> Template:
    tree = environment.parse(source)  # anew each time: compiling changes a tree
    site = list(sites(tree))[position]
    setattr(site.node, site.field, nodes.Const(value, lineno=site.decision.lineno))
    code = environment.compile(tree)
    return Template.from_code(environment, code, environment.make_globals(None))


_OPERATORS = {"eq": "==", "ne": "!=", "gt": ">", "gteq": ">=", "lt": "<", "lteq": "<=", "in": "in", "notin": "not in"}


def source_of(node: nodes.Node) -> str:
    """Return the source of an expression, as far as decisions need it; what it does not know keeps jinja2's repr."""
    match node:
        case nodes.Name():
            return node.name
        case nodes.Const():
            return json.dumps(node.value, ensure_ascii=False)
        case nodes.And() | nodes.Or():
            word = type(node).__name__.lower()
            return f"{_operand(node.left)} {word} {_operand(node.right)}"
        case nodes.Neg():
            return f"-{_operand(node.node)}"
        case nodes.Not(node=nodes.Test() as test):
            return f"{_operand(test.node)} is not {test.name}"
        case nodes.Not():
            return f"not {_operand(node.node)}"
        case nodes.Compare():
            return " ".join([_operand(node.expr), *(f"{_OPERATORS[o.op]} {_operand(o.expr)}" for o in node.ops)])
        case nodes.BinExpr():
            return f"{_operand(node.left)} {node.operator} {_operand(node.right)}"
        case nodes.Tuple() | nodes.List():
            opening, closing = "()" if isinstance(node, nodes.Tuple) else "[]"
            return f"{opening}{', '.join(map(source_of, node.items))}{closing}"
        case nodes.Getattr():
            return f"{_operand(node.node)}.{node.attr}"
        case nodes.Getitem():
            return f"{_operand(node.node)}[{source_of(node.arg)}]"
        case nodes.Call():
            return f"{_operand(node.node)}({', '.join(map(source_of, node.args))})"
        case nodes.Test():
            return f"{_operand(node.node)} is {node.name}"
        case nodes.Filter() if node.node is not None:
            return f"{_operand(node.node)}|{node.name}"
        case _:
            return repr(node)


def _operand(node: nodes.Node) -> str:
    text = source_of(node)
    composite = isinstance(node, (nodes.And, nodes.Or, nodes.Not, nodes.Compare, nodes.BinExpr, nodes.Test))
    return f"({text})" if composite else text


def inputs(reference: Reference, format_name: str) -> list[tuple[Variables, Outcome]]:
    """Return what the template gets for each vector that reaches it, and what it makes of that."""
    chats = (read(path)["chat"] for path in paths(format_name))
    found = [variables for variables in map(reference.variables, chats) if variables is not None]
    return [(variables, _render(reference.template, variables)) for variables in found]


def _render(template: Template, variables: Variables) -> Outcome:
    outcome = attempt(lambda: template.render(**variables))
    return Outcome(kind="python") if outcome.kind == "python" else outcome


def is_killed(template: Template, cases: list[tuple[Variables, Outcome]]) -> bool:
    """Whether an outcome differs. The case that tells moves to the front: it may well tell on the next mutant too."""
    for position, (variables, outcome) in enumerate(cases):
        if _render(template, variables) != outcome:
            cases.insert(0, cases.pop(position))
            return True
    return False


def listed(format_name: str) -> set[Mutant]:
    """Return the mutants that are said to be equivalent. Raises ValueError for one without a reason."""
    path = FORMATS / format_name / "equivalent.json"
    if not path.exists():
        return set()
    entries = json.loads(path.read_text(encoding="utf-8"))
    if not all(entry["reason"].strip() for entry in entries):
        raise ValueError(f"{path}: a mutant without a reason")
    return {Mutant(entry["line"], entry["expression"], entry.get("ordinal", 0), entry["forced"]) for entry in entries}


def report(directory: Path, format_name: str) -> Report:
    """Try every mutant of one format on all of its vectors."""
    reference = Reference.load(directory, format_name)
    cases = inputs(reference, format_name)
    excused = listed(format_name)
    fates = {
        mutant: is_killed(template, cases)
        for mutant, template in mutants(reference.template.environment, reference.source)
    }
    survivors = [mutant for mutant, killed in fates.items() if not killed]
    return Report(
        name=format_name,
        mutants=len(fates),
        killed=len(fates) - len(survivors),
        equivalent=len(excused.intersection(survivors)),
        surviving=[mutant for mutant in survivors if mutant not in excused],
        stale=sorted(excused.difference(survivors)),
    )


def main() -> int:
    """Run the command; return its exit code."""
    parser = argparse.ArgumentParser(description="Force each decision of the references, and see a vector fail.")
    parser.add_argument("directory", type=Path, help="where the references are")
    reports = [report(parser.parse_args().directory, name) for name in registry.NAMES]
    for done in reports:
        for word, found in (("survives", done.surviving), ("is listed, but killed or not there", done.stale)):
            for mutant in found:
                print(f"{done.name}: {mutant}: {word}")
    print(f"{'format':<20}{'mutants':>10}{'killed':>10}{'equivalent':>12}{'surviving':>11}")
    for done in reports:
        print(f"{done.name:<20}{done.mutants:>10}{done.killed:>10}{done.equivalent:>12}{len(done.surviving):>11}")
    return 1 if any(done.surviving or done.stale for done in reports) else 0


if __name__ == "__main__":
    sys.exit(main())
