"""Pieces of public templates, read off their prompts: how many hold, and why the others do not.

    python tools/derive.py [--only TEXT] [--reference DIR] [--more N] [--record] [--jobs N]

Of each template it is seen whether a probe prints a call with its arguments, or reasoning, in any way; and whether the
derived pieces say how. Reasoning that no turn prints, told by generation prompts, is counted for itself. What holds is
tried on `--more` further random turns: one that does not come back is a false reader, and fails. The five references
must give the pieces that the formats declare, but for the calls of qwen3-tir, whose template shows none. Results are
held against vectors/corpus/derived.json, by the templates' hashes: what is worse fails, and what is better fails until
it is recorded.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import chatcodec
from chatcodec.errors import ChatCodecError
from chatcodec.formats import registry
from chatcodec.templates import probes as words
from chatcodec.templates.derivation import Derivation, derivation_of
from chatcodec.templates.probes import Probes
from chatcodec.templates.template import Template
from chatcodec.templates.verify import verify
from corpus import templates

FILE = Path(__file__).resolve().parents[1] / "vectors" / "corpus" / "derived.json"
REFERENCES = {
    "bailing-v3": "bailing-v3",
    "qwen2.5-ja-struct": "qwen2.5-ja-struct",
    "qwen3-tir": "qwen3-tir",
    "qwen3.6": "qwen3.6-multi-system",
    "seed-oss": "seed-oss",
}
GOAL = 0.95
"""Of the templates that print calls, and of those that print reasoning: how many must be read."""


_READ = {(True, True): "read", (True, False): "unread", (False, True): "unprinted", (False, False): "none"}
"""What is known of reasoning, by whether a turn prints it and whether it is read."""


class Line(NamedTuple):
    """What is known of one template: whether it prints calls and reasoning, and whether those are read."""

    name: str
    calls: str
    reasoning: str

    @property
    def worth(self) -> int:
        """How much of it is read."""
        return (self.calls != "unread") + (self.reasoning != "unread") + (self.reasoning == "unprinted")


class Result(NamedTuple):
    """What came of one template: its hash, its line, why not more, what was false, and the CPU time of it all."""

    key: str
    line: Line
    reason: str
    false: str
    seconds: float


def printed(template: Template) -> tuple[bool, bool]:
    """Return whether a probe prints a call with its arguments, and reasoning, in any way."""
    probes, calls, reasoning = Probes(template, template.unknown_tokens), False, False
    options = [{}, *({option.name: value} for option in template.options for value in (True, False))]
    for given in options:
        for turn in _turns():
            rendered = probes.render([{"role": "user", "content": words.USER}, *turn], tools=True, options=given)
            text = "" if isinstance(rendered, Exception) else rendered.text
            reasoning = reasoning or words.REASONING in text
            calls = calls or (words.VALUES["kqvs"] in text and "tool_calls" in turn[0])
    return calls, reasoning


def _turns() -> Iterator[list[dict[str, Any]]]:
    """Yield turns, those that call also with a result behind them."""
    result: dict[str, Any] = {"role": "tool", "content": words.RESULTS[0], "tool_call_id": words.IDS[0]}
    arguments = {"kqvs": words.VALUES["kqvs"]}
    for content in (words.CONTENT, ""):
        turn = {"role": "assistant", "content": content, "reasoning_content": words.REASONING}
        yield [turn]
        for given in (arguments, json.dumps(arguments)):
            called: dict[str, Any] = {**turn, "tool_calls": [words.call(0, given)]}
            yield [called]
            yield [called, result]


def examine(path: Path, more: int) -> Result:
    """Return what comes of one template."""
    source = path.read_text(encoding="utf-8")
    key = hashlib.sha256(source.encode()).hexdigest()[:32]
    started = time.process_time()
    template = chatcodec.load(path)._renderer
    assert isinstance(template, Template)
    found = derivation_of(template)
    seconds = time.process_time() - started
    calls, reasoning = printed(template)
    pieces = found.pieces
    read = (pieces and pieces.calls, pieces and pieces.reasoning)
    line = Line(
        path.name,
        type(read[0]).__name__ if read[0] else "unread" if calls else "none",
        _READ[bool(reasoning), bool(read[1])],
    )
    return Result(key, line, "; ".join(found.reasons), _false(found, template, more), seconds)


def _false(found: Derivation, template: Template, more: int) -> str:
    if found.pieces is None or not more:
        return ""
    again = verify(Probes(template, template.unknown_tokens), found.derived, more, seed=2)
    return f"{again.faults[0]}" if again.faults else ""


def wrong_references(folder: Path) -> list[str]:
    """Return the formats whose declared pieces their references do not give."""
    wrong = []
    for name, stem in REFERENCES.items():
        declared = registry.get(name).pieces
        declared = replace(declared, calls=None) if name == "qwen3-tir" else declared
        try:
            same = chatcodec.load(folder / f"{stem}.jinja").pieces == declared
        except ChatCodecError as error:
            print(error, file=sys.stderr)
            same = False
        print(f"{name}: derived pieces {'equal' if same else 'differ from'} the declared ones")
        wrong += [] if same else [name]
    return wrong


def recorded() -> dict[str, Line]:
    """Return what is recorded, by the templates' hashes."""
    data = json.loads(FILE.read_text("utf-8")) if FILE.is_file() else {}
    return {key: Line(*line) for key, line in data.items()}


def record(results: list[Result]) -> None:
    """Write the results down."""
    rows = [f"{json.dumps(result.key)}: {json.dumps(list(result.line))}" for result in sorted(results)]
    FILE.write_text("{\n" + ",\n".join(rows) + "\n}\n", encoding="utf-8")


def changes(results: list[Result]) -> list[str]:
    """Return what is not as it is recorded."""
    before = recorded()
    found = []
    for result in results:
        known = before.get(result.key)
        if known is None or known[1:] == result.line[1:]:
            found += [] if known else [f"not recorded: {result.line}"]
        else:
            found.append(f"{'worse' if result.line.worth < known.worth else 'better'}: {known} is now {result.line}")
    return found


def share(results: list[Result], what: str) -> float:
    """Print how many of those that print something are read, and return their share."""
    kinds = Counter(getattr(result.line, what) for result in results)
    there = sum(kinds.values()) - kinds["none"] - kinds["unprinted"]
    read = there - kinds["unread"]
    others = ", ".join(f"{kind} {count}" for kind, count in kinds.most_common() if kind not in ("none", "unread"))
    print(f"{what}: {read} of the {there} templates that print any are read ({read / max(there, 1):.1%}): {others}")
    return read / max(there, 1)


def main() -> int:
    """Examine the templates, print what came of them, and say what was missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="only templates whose names have this in them")
    parser.add_argument("--reference", type=Path, help="the folder of the five references")
    parser.add_argument("--more", type=int, default=1000, help="further turns for each reader that holds")
    parser.add_argument("--record", action="store_true", help="write down what came of it")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many processes")
    asked = parser.parse_args()
    paths = [path for path in templates() if asked.only in path.name]
    with ProcessPoolExecutor(asked.jobs) as pool:
        results = list(pool.map(partial(examine, more=asked.more), paths, chunksize=8))
    for result in results:
        if "unread" in result.line[1:]:
            print(f"unread {result.line.name}: {result.reason}")
    missed = [f"false: {result.line.name}: {result.false}" for result in results if result.false]
    missed += [f"{what}: less than {GOAL:.0%}" for what in ("calls", "reasoning") if share(results, what) < GOAL]
    times = sorted(result.seconds for result in results)
    print(f"load and derive: {times[len(times) // 2]:.2f} s of CPU in the median, {times[-1]:.2f} s at most")
    if asked.record:
        record(results)
    elif not asked.only:
        missed += changes(results)
    if asked.reference:
        missed += [f"reference: {name}" for name in wrong_references(asked.reference)]
    for words_ in missed:
        print(words_, file=sys.stderr)
    return int(bool(missed))


if __name__ == "__main__":
    sys.exit(main())
