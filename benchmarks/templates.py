"""How fast templates render, as ratios to transformers and minijinja in the same run.

    python benchmarks/templates.py REFERENCE [--rounds N]

The chat is chat.json: 82 messages and 8 tools, rendered with the generation prompt, by the five reference templates.
Each figure is the median over the rounds of a ratio of fastest runs. Exits with 1 if a figure is missed:

    render     transformers' apply_chat_template by ours, input steps on both sides: at least 6.5 each, 9 in geometric
               mean
    engine     transformers' compiled template by ours, on the same plain data: at least 6.5 each, 10 in geometric mean
    minijinja  minijinja's time by ours, on the same plain data: at least 2.5 each
    spans      our time with spans (pointers on demand) by our time without: at most 3 each
    metering   our time by that of the same code where nothing is counted: at most 1.25 each
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from math import prod
from pathlib import Path
from typing import Any, NamedTuple

import minijinja

import chatcodec
from chatcodec.engine.globals import GLOBALS, clock
from chatcodec.engine.program import Program
from timing import ratio, rounds
from unmetered import FreeProgram

sys.path.insert(0, str(Path(__file__).parent.parent / "tools"))
from reference import Reference

CHAT = Path(__file__).with_name("chat.json")


class Goal(NamedTuple):
    """What a figure has to be: at least or at most that for each, and for the geometric mean of all."""

    least: float = 0.0
    most: float = float("inf")
    mean: float = 0.0


GOALS = {
    "render": Goal(least=6.5, mean=9),
    "engine": Goal(least=6.5, mean=10),
    "minijinja": Goal(least=2.5),
    "spans": Goal(most=3),
    "metering": Goal(most=1.25),
}


def refuse(message: str) -> None:
    """Do what a template's raise_exception does."""
    raise ValueError(message)


def tojson(value: Any, ensure_ascii: bool = False) -> str:
    """Return a value as transformers' filter does."""
    return json.dumps(value, ensure_ascii=ensure_ascii)


def of_minijinja(source: str) -> minijinja.Environment:
    """Return an environment with `source` compiled in it, as the template ``chat``.

    Its own ``tojson`` escapes HTML and sorts keys, so the text would be another: it gets that of transformers.
    """
    environment = minijinja.Environment(templates={"chat": source}, trim_blocks=True, lstrip_blocks=True, pycompat=True)
    environment.add_global("raise_exception", refuse)
    environment.add_filter("tojson", tojson)
    return environment


def measure(name: str, directory: Path, chat: dict[str, Any], count: int) -> dict[str, float]:
    """Return the figures of one template."""
    reference = Reference.load(directory, name)
    codec = chatcodec.load(reference.source)
    asked = {**chat, "add_generation_prompt": True}
    given: Mapping[str, Any] = reference.variables(asked) or {}
    program = Program(reference.source)
    free = FreeProgram(program)
    variables = {**GLOBALS, "strftime_now": clock(None), **given}
    other = of_minijinja(reference.source)
    expected = reference.render(asked).text
    for text in (
        codec.render(**asked).text,
        program.text(variables),
        free.text(variables),
        other.render_template("chat", **given),
    ):
        assert text == expected, f"{name}: the texts differ"
    times = rounds(
        {
            "transformers": (lambda: reference.render(asked), 10),
            "render": (lambda: codec.render(**asked), 60),
            "compiled": (lambda: reference.template.render(**given), 10),
            "engine": (lambda: program.text(variables), 60),
            "minijinja": (lambda: other.render_template("chat", **given), 30),
            "free": (lambda: free.text(variables), 60),
            "spans": (lambda: codec.render(**asked).spans, 60),
        },
        count,
    )
    return {
        "render": ratio(times, "transformers", "render"),
        "engine": ratio(times, "compiled", "engine"),
        "minijinja": ratio(times, "minijinja", "engine"),
        "spans": ratio(times, "spans", "render"),
        "metering": ratio(times, "engine", "free"),
    }


def missed(name: str, figures: Mapping[str, float]) -> list[str]:
    """Return what is not as it has to be, in sentences."""
    return [
        f"{name}: {figure} {value:.2f}"
        for figure, value in figures.items()
        if not GOALS[figure].least <= value <= GOALS[figure].most
    ]


def main() -> int:
    """Measure every template, print the table and say what was missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("reference", type=Path, help="the directory with the reference templates")
    parser.add_argument("--rounds", type=int, default=9)
    asked = parser.parse_args()
    chat = json.loads(CHAT.read_text(encoding="utf-8"))
    print(f"{'template':<18} " + " ".join(f"{figure:>10}" for figure in GOALS))
    rows, faults = [], []
    for name in chatcodec.available():
        figures = measure(name, asked.reference, chat, asked.rounds)
        print(f"{name:<18} " + " ".join(f"{figures[figure]:>10.2f}" for figure in GOALS), flush=True)
        rows.append(figures)
        faults += missed(name, figures)
    means = {figure: prod(row[figure] for row in rows) ** (1 / len(rows)) for figure in GOALS}
    print(f"{'geometric mean':<18} " + " ".join(f"{means[figure]:>10.2f}" for figure in GOALS))
    faults += [f"geometric mean of {name} {means[name]:.2f}" for name, goal in GOALS.items() if means[name] < goal.mean]
    for line in faults:
        print(f"missed: {line}", file=sys.stderr)
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
