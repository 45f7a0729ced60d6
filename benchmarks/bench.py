"""How fast chatcodec renders, as ratios to transformers in the same run.

    python benchmarks/bench.py REFERENCE [--rounds N]

The chat is chat.json: 82 messages and 8 tools, rendered with the generation prompt, input steps included on both sides.
Each round times a block of runs of every candidate and keeps the fastest of each; the figure is the median over the
rounds. Our side remembers the JSON of tool definitions from render to render, as it does in a server; transformers
remembers the compiled template. Exits with 1 if a figure is missed:

    speed    transformers' time by ours: at least 8 for each format, 11 in geometric mean
    spans    our time with spans (pointers on demand) by our time without: at most 2
    growth   our time a message on 820 messages by that on 82: at most 1.25 (it is 1; ten times the messages would show)
"""

from __future__ import annotations

import argparse
import json
import sys
from math import prod
from pathlib import Path
from statistics import median
from typing import Any

import chatcodec

sys.path.insert(0, str(Path(__file__).parent.parent / "tools"))
from reference import Reference
from timing import fastest

CHAT = Path(__file__).with_name("chat.json")
SPEED, MEAN_SPEED, SPANS, GROWTH = 8.0, 11.0, 2.0, 1.25


def longer(messages: list[Any], count: int) -> list[Any]:
    """Return a chat of `count` messages made of those given, with its system message once."""
    system, *rest = messages
    repeated = rest * (count // len(rest) + 1)
    return [system, *repeated[: count - 1]]


def measure(name: str, directory: Path, chat: dict[str, Any], rounds: int) -> tuple[float, float, float]:
    """Return the three figures of one format."""
    codec, reference = chatcodec.load(name), Reference.load(directory, name)
    messages, tools = chat["messages"], chat["tools"]
    long = longer(messages, 820)
    asked = {**chat, "add_generation_prompt": True}
    assert codec.render(**asked).text == reference.render(asked).text, f"{name}: the texts differ"
    figures = []
    for _ in range(rounds):
        theirs = fastest(lambda: reference.render(asked), 8)
        ours = fastest(lambda: codec.render(messages, tools=tools, add_generation_prompt=True), 60)
        spans = fastest(lambda: codec.render(messages, tools=tools, add_generation_prompt=True).spans, 60)
        short = fastest(lambda: codec.render(messages), 60)
        ten_times = fastest(lambda: codec.render(long), 10)
        figures.append((theirs / ours, spans / ours, ten_times / 820 / (short / 82)))
    speed, with_spans, growth = (median(column) for column in zip(*figures, strict=True))
    return speed, with_spans, growth


def main() -> int:
    """Measure every format, print the table and say what was missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("reference", type=Path, help="the directory with the reference templates")
    parser.add_argument("--rounds", type=int, default=9)
    asked = parser.parse_args()
    chat = json.loads(CHAT.read_text(encoding="utf-8"))
    print(f"{'format':<18} {'speed':>8} {'spans':>8} {'growth':>8}")
    speeds, missed = [], []
    for name in chatcodec.available():
        speed, spans, growth = measure(name, asked.reference, chat, asked.rounds)
        print(f"{name:<18} {speed:>8.1f} {spans:>8.2f} {growth:>8.2f}", flush=True)
        speeds.append(speed)
        for figure, value, right in (
            ("speed", speed, speed >= SPEED),
            ("spans", spans, spans <= SPANS),
            ("growth", growth, growth <= GROWTH),
        ):
            if not right:
                missed.append(f"{name}: {figure} {value:.2f}")
    mean = prod(speeds) ** (1 / len(speeds))
    print(f"{'geometric mean':<18} {mean:>8.1f}")
    if mean < MEAN_SPEED:
        missed.append(f"geometric mean of speed {mean:.1f}")
    for line in missed:
        print(f"missed: {line}", file=sys.stderr)
    return int(bool(missed))


if __name__ == "__main__":
    sys.exit(main())
