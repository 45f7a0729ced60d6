"""What starting costs: CPU seconds over bare Python, both measured here and now, the fastest of several runs."""

from __future__ import annotations

import resource
import subprocess
import sys

RUNS = 7


def cpu_seconds(*arguments: str) -> float:
    """Return the CPU seconds of the fastest run of ``python ARGUMENTS``."""
    best = float("inf")
    for _ in range(RUNS):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, *arguments], check=True, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        best = min(best, after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)
    return best


def test_importing_costs_at_most_100_ms() -> None:
    assert cpu_seconds("-c", "import chatcodec") - cpu_seconds("-c", "pass") <= 0.100


def test_help_costs_at_most_200_ms() -> None:
    assert cpu_seconds("-m", "chatcodec", "--help") - cpu_seconds("-c", "pass") <= 0.200


def test_importing_brings_in_nothing_heavy() -> None:
    code = (
        "import sys, chatcodec; print(*sorted(set(sys.modules) & {'jinja2', 'click', 'rich', 'numpy', 'transformers'}))"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == ""
