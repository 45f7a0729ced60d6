"""Fuzzing of the Jinja engine: random templates and chats, rendered by it and by jinja2's sandbox, must be equal.

    python tools/fuzz_templates.py [--count N] [--seed N] [--chats N] [--without TEXT ...] [--traced] [--keep-going]

Equal means: the same text, or both raise. The engine may refuse more: limits, and what it calls unsafe; these are
counted by reason, and must be few. Where both raise, the engine's error must not be one of its own making (a
SyntaxError or NameError of the code it wrote, say). A render of more than a second of CPU is a failure too. The
templates come from `template_grammar`, the chats from `template_chats`, what they are compared with from
`jinja_reference`. Known differences: `random`, `lipsum`, other templates (include, import, extends, block) and
autoescape are refused, and are not drawn. The first difference is made small and printed; exits with 1 if there is one.
"""

from __future__ import annotations

import argparse
import re
import signal
import sys
import time
import warnings
from collections import Counter
from collections.abc import Callable
from types import FrameType
from typing import Any, NamedTuple

from chatcodec.engine.faults import Fault, OverLimit, Unsafe
from chatcodec.engine.globals import GLOBALS, clock
from chatcodec.engine.program import Program
from jinja_reference import NOW, text_of
from template_chats import TemplateChats
from template_grammar import Grammar
from template_shrink import Shrinker

FEW = 0.02
"""Which share of the renders the engine may refuse that jinja2 renders."""
_SECONDS = 1.0
_REPORTS = 5
"""How many failures of one kind are made small and printed."""
_OWN = (
    *(SyntaxError, NameError, AssertionError, RecursionError, MemoryError, SystemError, Warning),
    *(AttributeError, KeyError, IndexError),
)
_BUGS = re.compile(r"macro\(\) takes \d+ positional arguments|Tried to resolve a name to a reference that was unknown")
"""What jinja2 says where it fails by mistake: a parameter called `caller`, a name in the filter of a `set` block."""
_ADDRESS = re.compile(r" at 0x[0-9a-f]+|<function ")


class Slow(BaseException):
    """A render took too long."""


class Outcome(NamedTuple):
    """A text, or an error."""

    text: str | None = None
    error: BaseException | None = None

    def __str__(self) -> str:
        if self.error is None:
            return repr(self.text)[:600]
        limit = f" of {self.error.limit}" if isinstance(self.error, OverLimit) else ""
        return f"{type(self.error).__name__}{limit}: {str(self.error)[:300]}"


def engine_text(source: str, chat: dict[str, Any], traced: bool = False) -> str:
    """Return what the engine makes of a template and a chat, with code that keeps origins if it is to be `traced`."""
    variables = {**GLOBALS, "strftime_now": clock(NOW), "messages": [], "tools": None, "documents": None, **chat}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        program = Program(source, "random")
        return program.trace(variables, [])[0] if traced else program.text(variables)


def traced_text(source: str, chat: dict[str, Any]) -> str:
    """Return the same, by code that keeps origins."""
    return engine_text(source, chat, traced=True)


def reference_text(source: str, chat: dict[str, Any]) -> str:
    """Return what jinja2 makes of them."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return text_of(source, {"messages": [], "tools": None, "documents": None, **chat})


def outcome(render: Callable[[str, dict[str, Any]], str], source: str, chat: dict[str, Any]) -> Outcome:
    """Return what a render gives, within a second."""
    signal.setitimer(signal.ITIMER_PROF, _SECONDS)
    try:
        return Outcome(text=render(source, chat))
    except (Exception, Slow) as error:  # whatever it raises is an outcome
        return Outcome(error=error)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def verdict(ours: Outcome, theirs: Outcome) -> str:
    """Return what is to be said of two outcomes: equal, raised, refused for some reason, or a failure (``!``)."""
    if isinstance(theirs.error, Slow):
        return "slow in jinja2" if not isinstance(ours.error, Slow) else "! slow in both"
    if isinstance(ours.error, Slow):
        return "! slow"
    if theirs.text is not None and _ADDRESS.search(theirs.text):
        return "address"
    if ours.error is None or theirs.error is None:
        return _one_text(ours, theirs)
    if isinstance(ours.error, _OWN) and not isinstance(theirs.error, type(ours.error)) and not _by_jinja2(ours.error):
        return f"! {type(ours.error).__name__} for {type(theirs.error).__name__}"
    return "both raise"


def _by_jinja2(error: BaseException) -> bool:
    """Whether a filter of jinja2's raised an error, which the engine uses too."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace is not None and "jinja2" in trace.tb_frame.f_code.co_filename


def _one_text(ours: Outcome, theirs: Outcome) -> str:
    if ours.error is None and theirs.error is None:
        return "equal" if ours.text == theirs.text else "! text"
    if ours.error is None and _BUGS.search(str(theirs.error)):
        return "bug of jinja2"
    if ours.error is None:
        return f"! renders what raises {type(theirs.error).__name__}"
    if isinstance(ours.error, OverLimit):
        return f"refused: limit on {ours.error.limit}"
    if isinstance(ours.error, Unsafe):
        return f"refused: {re.sub('[0-9]+', 'N', str(ours.error))[:60]}"
    kind = "Fault" if isinstance(ours.error, Fault) else type(ours.error).__name__
    return f"! {kind} for text"


def judged(source: str, chat: dict[str, Any], traced: bool = False) -> tuple[str, Outcome, Outcome]:
    """Return the verdict on a template and a chat, and what both engines make of them."""
    ours = outcome(traced_text if traced else engine_text, source, chat)
    theirs = outcome(reference_text, source, chat)
    return verdict(ours, theirs), ours, theirs


def report(source: str, chat: dict[str, Any], said: str, traced: bool = False) -> str:
    """Return a failure made small, in words."""
    source, chat = Shrinker(lambda smaller, fewer: judged(smaller, fewer, traced)[0] == said)(source, chat)
    _, ours, theirs = judged(source, chat, traced)
    return f"{said[2:]}\n  {source!r}\n  chat: {chat!r:.800}\n  ours:   {ours}\n  jinja2: {theirs}"


def fuzz(asked: argparse.Namespace) -> tuple[Counter[str], list[str]]:
    """Return how often each verdict was given, and reports of failures."""
    counts: Counter[str] = Counter()
    reports: list[str] = []
    grammar = Grammar(asked.seed, tuple(asked.without))
    chats = TemplateChats(grammar.random)
    for number in range(asked.count):
        source = grammar.template()
        for chat in [chats.chat() for _ in range(asked.chats)]:
            said, *_ = judged(source, chat, asked.traced)
            counts[said] += 1
            if said.startswith("!") and counts[said] <= _REPORTS:
                reports.append(f"seed {asked.seed}, template {number}: {report(source, chat, said, asked.traced)}")
                print(reports[-1], file=sys.stderr, flush=True)
                if not asked.keep_going:
                    return counts, reports
                break
    return counts, reports


def _too_slow(_: int, __: FrameType | None) -> None:
    raise Slow(f"more than {_SECONDS} s of CPU")


def main() -> int:
    """Run the fuzzer and print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=10_000, help="how many templates")
    parser.add_argument("--seed", type=int, default=1, help="where the random templates begin")
    parser.add_argument("--chats", type=int, default=2, help="how many chats a template")
    parser.add_argument(
        "--without", nargs="*", default=[], metavar="TEXT", help="leave out what contains one of these texts"
    )
    parser.add_argument("--traced", action="store_true", help="compare the code that keeps origins")
    parser.add_argument("--keep-going", action="store_true", help="go on behind a difference")
    asked = parser.parse_args()
    signal.signal(signal.SIGPROF, _too_slow)
    begun = time.perf_counter()
    counts, reports = fuzz(asked)
    print(f"{counts.total()} renders in {time.perf_counter() - begun:.0f} s")
    for said, count in counts.most_common():
        print(f"{count:8}  {100 * count / counts.total():6.2f} %  {said}")
    rendered = counts["equal"] + sum(count for said, count in counts.items() if said.startswith("refused"))
    refused = rendered - counts["equal"]
    if refused > FEW * rendered:
        print(f"the engine refuses {refused} of {rendered} renders: more than {FEW:.0%}", file=sys.stderr)
    return int(bool(reports) or refused > FEW * rendered)


if __name__ == "__main__":
    sys.exit(main())
