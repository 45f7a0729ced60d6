"""How times are taken: each candidate in blocks, the fastest of a block, the median of the ratios of several rounds."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from statistics import median

Candidate = Callable[[], object]


def fastest(run: Candidate, times: int) -> float:
    """Return the seconds that the fastest of some runs takes."""
    best = float("inf")
    for _ in range(times):
        start = time.perf_counter()
        run()
        best = min(best, time.perf_counter() - start)
    return best


def rounds(candidates: Mapping[str, tuple[Candidate, int]], count: int) -> list[dict[str, float]]:
    """Return, for each of `count` rounds, the fastest run of each candidate, in seconds.

    A candidate is what is run, and how often in a block: one candidate's runs follow each other, so that none pays for
    what another left in the caches.
    """
    return [{name: fastest(run, times) for name, (run, times) in candidates.items()} for _ in range(count)]


def ratio(times: list[dict[str, float]], over: str, under: str) -> float:
    """Return the median over the rounds of one candidate's time by another's."""
    return median(each[over] / each[under] for each in times)
