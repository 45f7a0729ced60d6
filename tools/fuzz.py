"""Fuzzing of readers: random replies to each codec, read in many ways, must keep the rules of the reader.

    python tools/fuzz.py [--count N] [--seed N] [--jobs N] [CODEC ...]

The rules: the same events and the same reply however the text is cut, also as token ids, and when another reader goes
on from a state; each character said once; spans are slices; the arguments of a usable call are a JSON object; an
ordinary turn is read as it was meant; a turn that begins in the prompt is read on; and nothing is ever raised. See
`replies.py` for the replies. A failure is made as small as it gets, and printed; exits with 1 if there is one.
"""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context

from replies import CODECS, Case, Replies
from rules import Broken, check

_SHARE = 1000
_OF_TURNS = ("round trip", "ids as text")
_SEEDS, _MOST = 4, 3000
"""How many seeds a smaller text is tried with, since where it is cut is drawn anew; and how many checks at most."""


@dataclass
class Tally:
    """What came of some cases: how many there were of each kind, how many failed, and reports of failures."""

    kinds: Counter[str] = field(default_factory=Counter)
    failed: Counter[str] = field(default_factory=Counter)
    reports: dict[str, str] = field(default_factory=dict)

    def add(self, other: Tally) -> None:
        """Count what `other` counted; of each rule the first report is kept."""
        self.kinds += other.kinds
        self.failed += other.failed
        self.reports = {**other.reports, **self.reports}


def failure(name: str, case: Case, seed: object) -> Broken | None:
    """Return the rule that a case breaks, or None."""
    try:
        check(CODECS[name], case, seed)
    except Broken as broken:
        return broken
    except Exception:
        return Broken("raises", traceback.format_exc(limit=-3))
    return None


def shrunk(name: str, case: Case, rule: str) -> tuple[Case, Broken | None]:
    """Return a case as small as it gets by leaving parts out, that still breaks the rule; a turn stays what it is."""
    checks = 0

    def broken(smaller: Case) -> Broken | None:
        nonlocal checks
        for seed in range(_SEEDS):
            found, checks = failure(name, smaller, seed), checks + 1
            if found is not None and found.rule == rule:
                return found
        return None

    why = broken(case)
    size = len(case.text) if case.kind != "turn" else 0
    while size and why is not None:
        at = 0
        while at < len(case.text) and checks < _MOST:
            smaller = case._replace(text=case.text[:at] + case.text[at + size :])
            found = broken(smaller)
            if found is not None:
                case, why = smaller, found
            else:
                at += size
        size //= 2
    return case, why


def fuzz(name: str, seed: int, start: int, count: int) -> Tally:
    """Check `count` cases of one codec."""
    replies, tally = Replies(f"{seed} {name} {start}", CODECS[name]), Tally()
    for index in range(start, start + count):
        case = replies.draw()
        tally.kinds[case.kind] += 1
        broken = failure(name, case, index)
        if broken is None:
            continue
        tally.failed[broken.rule] += 1
        if broken.rule not in tally.reports:
            anything = case if broken.rule in _OF_TURNS else case._replace(kind="shrunk")
            least, why = shrunk(name, anything, broken.rule)
            tally.reports[broken.rule] = (
                f"{name}: {broken.rule}: seed {seed}, share {start}, case {index}, {case.kind}\n  {least!r:.1500}\n"
                f"  {(why or broken).detail:.1500}"
            )
    return tally


def main() -> int:
    """Run the fuzzer and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "codecs", nargs="*", default=list(CODECS), metavar="CODEC", help="which codecs; all unless given"
    )
    parser.add_argument("--count", type=int, default=100_000, help="how many replies a codec")
    parser.add_argument("--seed", type=int, default=1, help="where the random replies begin")
    parser.add_argument("--jobs", type=int, default=2, help="how many processes")
    asked = parser.parse_args()
    failed = False
    with ProcessPoolExecutor(asked.jobs, mp_context=get_context("spawn")) as pool:
        for name in asked.codecs:
            tally, begun = Tally(), time.perf_counter()
            shares = range(0, asked.count, _SHARE)
            for share in [pool.submit(fuzz, name, asked.seed, at, min(_SHARE, asked.count - at)) for at in shares]:
                tally.add(share.result())
            kinds = " ".join(f"{kind} {number}" for kind, number in sorted(tally.kinds.items()))
            wrong = ", ".join(f"{rule} {number}" for rule, number in sorted(tally.failed.items())) or "no failure"
            print(
                f"{name}: {tally.kinds.total()} replies in {time.perf_counter() - begun:.0f} s ({kinds}): {wrong}",
                flush=True,
            )
            for report in tally.reports.values():
                print(report, file=sys.stderr, flush=True)
            failed |= bool(tally.failed)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
