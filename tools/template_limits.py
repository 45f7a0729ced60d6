"""How much of each limit ordinary templates need.

`stays_within_defaults(directory)` renders every template of a directory with the bench chat and some small ones. Rules:
only the engine's interface is used. What a template needs of a limit is found by rendering it with less of it: as much
as the templates before it needed, and somewhat more whenever it asks for more; so each figure is at most an eighth too
high. What the input adds to a budget is left out here, and is there when a template is said to reach a limit.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from chatcodec.engine.faults import OverLimit, Unsafe
from chatcodec.engine.globals import GLOBALS, clock
from chatcodec.engine.limits import DEFAULT, Limits
from chatcodec.engine.program import Program
from jinja_reference import NOW, text_of

BENCH = Path(__file__).resolve().parents[1] / "benchmarks" / "chat.json"
_STEP, _LEAST = 1.125, 1 / 4096
_CALL = {"type": "function", "id": "call_1", "function": {"name": "f", "arguments": {"a": 1, "b": ["x"]}}}
_FUNCTION = {"name": "f", "description": "Does it.", "parameters": {"type": "object", "properties": {}}}
_TOOL = {"type": "function", "function": _FUNCTION}
_TOKENS = {"bos_token": "<s>", "eos_token": "</s>", "pad_token": "<pad>", "unk_token": "<unk>"}
_OPTIONS = {**_TOKENS, "add_generation_prompt": True, "tools": None, "documents": None}
SMALL: tuple[dict[str, Any], ...] = (
    {"messages": [{"role": "user", "content": "Hi"}]},
    {"messages": [{"role": "user", "content": [{"type": "text", "text": "What is this?"}, {"type": "image"}]}]},
    {
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "Hi"},
            {"role": "assistant", "content": "<think>\nA greeting.\n</think>\n\nHello."},
            {"role": "user", "content": "Bye"},
        ],
        "enable_thinking": False,
    },
    {
        "messages": [
            {"role": "user", "content": "Do it"},
            {"role": "assistant", "content": "", "reasoning_content": "So.", "tool_calls": [_CALL]},
            {"role": "tool", "tool_call_id": "call_1", "name": "f", "content": "done"},
        ],
        "tools": [_TOOL],
    },
)


class Needs:
    """How much of each limit was needed so far, as a share of the default, and by which template."""

    def __init__(self, limits: Limits = DEFAULT):
        """Take the limits that are asked about."""
        names = [field.name for field in fields(limits)]
        self.names = [name for name in names if not name.endswith("_per")]
        self._growth = {name: 0 for name in names if name.endswith("_per")}
        self._limits = limits
        self.shares = dict.fromkeys(self.names, _LEAST)
        self.by = dict.fromkeys(self.names, "")
        self._compiled: tuple[str, Limits, Program] | None = None

    def tight(self) -> Limits:
        """Return limits that are as large as was needed so far."""
        return replace(self._limits, **self._growth, **{name: self._allowed(name) for name in self.names})

    def _allowed(self, name: str) -> int:
        return max(1, int(getattr(self._limits, name) * self.shares[name]))

    def measure(self, name: str, source: str, variables: dict[str, Any]) -> None:
        """Take note of what a template needs for a chat. Raises what it raises, but OverLimit within 16 times."""
        while True:
            try:
                self._program(source, name).text(variables)
            except OverLimit as error:
                if self.shares.get(error.limit, 16) >= 16:
                    raise
                before = self._allowed(error.limit)
                while self._allowed(error.limit) == before:
                    self.shares[error.limit] *= _STEP
                self.by[error.limit] = name
            else:
                return

    def _program(self, source: str, name: str) -> Program:
        """Return a template compiled within the tight limits, the last one if it is that."""
        limits = self.tight()
        if self._compiled is None or self._compiled[:2] != (source, limits):
            self._compiled = (source, limits, Program(source, name, limits))
        return self._compiled[2]


def chats() -> Iterator[dict[str, Any]]:
    """Yield the chats that templates are rendered with."""
    bench = json.loads(BENCH.read_text(encoding="utf-8"))
    for chat in (bench, *SMALL):
        yield {**GLOBALS, "strftime_now": clock(NOW), **_OPTIONS, **chat}


def stays_within_defaults(directory: Path) -> bool:
    """Return whether all templates of a directory render without reaching a limit, and print what they need of each."""
    files, needs, renders, failures = sorted(directory.glob("*.jinja")), Needs(), 0, 0
    for file in files:
        source = file.read_text(encoding="utf-8")
        try:
            program = Program(source, file.stem)
        except Exception as error:
            failures += 1
            print(f"{file.name}: {type(error).__name__}: {error}")
            continue
        for variables in chats():
            words = _refusal(program, variables)
            failures += bool(words)
            if words:
                print(f"{file.name}: {words}")
                continue
            try:
                needs.measure(file.stem, source, variables)
                renders += 1
            except Exception:  # what the template itself refuses, or cannot be rendered with this chat
                continue
    print(f"{len(files)} templates, {renders} renders, {failures} refused by a limit or as unsafe; the most they need:")
    for name in needs.names:
        print(f"  {name:8} {100 * needs.shares[name]:8.3f} % of {getattr(DEFAULT, name):>10}  {needs.by[name]}")
    return bool(files) and not failures


def _refusal(program: Program, variables: dict[str, Any]) -> str:
    """Return why the engine refuses what jinja2 renders, empty if it does not."""
    try:
        program.text(variables)
    except (OverLimit, Unsafe) as error:
        given = {name: value for name, value in variables.items() if name not in GLOBALS and name != "strftime_now"}
        try:
            text_of(program.source, given)
        except Exception:
            return ""
        return f"{type(error).__name__}: {error}"
    except Exception:
        return ""
    return ""
