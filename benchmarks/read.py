"""How fast chatcodec reads replies, as ratios to SGLang's parsers in the same run.

    python benchmarks/read.py [--rounds N]

The replies are in replies.json, as their models write them after a prompt that opened the reasoning, with the tools
that they call: about 600 characters of reasoning, 300 of content, two calls of three arguments each (a long text, an
integer, an object). For qwen3-tir all the text is reasoning, and the first call ends the reply. A reply comes in
chunks of 4 characters or at once, and both sides make an assistant message of it.

SGLang's parsers are those that llm-router-utils packages, driven as SGLang's server drives them: new parsers for each
reply, what the reasoning parser leaves handed on to the call parser, both ended; without ids for the calls and without
logging. Each reply has its own tools, made before the clock starts: SGLang's own objects for SGLang, plain data for us.

Before timing, both sides read each reply. We must read the calls that the file has, in chunks as at once. What SGLang
reads otherwise than we do is said in the table; spaces and newlines around a text do not count.

Each round times some runs of every candidate and keeps the fastest of each; the figure is the median over the rounds.
Exits with 1 if a figure is missed: SGLang's time by ours is at least 5, in chunks and at once, where it has a parser.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from copy import deepcopy
from pathlib import Path
from statistics import median
from typing import Any

os.environ.setdefault("TRANSFORMERS_NO_ADVISORY_WARNINGS", "1")

from llm_router_utils.sglang.srt.entrypoints.openai.protocol import Tool
from llm_router_utils.sglang.srt.function_call.function_call_parser import FunctionCallParser
from llm_router_utils.sglang.srt.parser.reasoning_parser import ReasoningParser

import chatcodec

REPLIES = Path(__file__).with_name("replies.json")
CHUNK = 4
IN_CHUNKS, AT_ONCE = 5.0, 5.0
PARSERS = {"qwen3.6": ("qwen3", "qwen3_coder"), "bailing-v3": ("ling3", "ling3"), "qwen3-tir": ("qwen3", "qwen25")}
"""SGLang's parsers of reasoning and of calls. For qwen3-tir `hermes` reads the same, about as fast."""
UNSUPPORTED = ("qwen3-tir",)
"""Formats that SGLang has no parser for: the nearest one reads this reply, but no responses, nor several rounds."""


class Ours:
    """A codec of ours, reading."""

    def __init__(self, name: str):
        self.codec = chatcodec.load(name)

    def in_chunks(self, chunks: Iterable[str], tools: Any) -> Any:
        """Return the message, and let the events go by as a server would."""
        reader = self.codec.reader(tools=tools)
        events: list[Any] = []
        for chunk in chunks:
            events.extend(reader.feed(chunk))
        return reader.close().message

    def native(self, tools: Any) -> Any:
        """Return tools as we have them for many replies."""
        return self.codec.tools(deepcopy(tools))

    def at_once(self, completion: str, tools: Any) -> Any:
        return self.codec.parse(completion, tools=tools).message


class Theirs:
    """SGLang's two parsers of a format, used as in its `serving_chat.py`."""

    def __init__(self, name: str):
        self.reasoning, self.calls = PARSERS[name]

    def in_chunks(self, chunks: Iterable[str], tools: Any) -> Any:
        reasoning = ReasoningParser(self.reasoning, stream_reasoning=True, force_reasoning=True)
        calls = FunctionCallParser(tools, self.calls)
        thoughts, texts = [], []
        names: dict[int, str] = {}
        arguments: dict[int, list[str]] = {}

        def collect(text: str, items: Iterable[Any]) -> None:
            if text:
                texts.append(text)
            for item in items:
                if item.name:
                    names[item.tool_index] = item.name
                arguments.setdefault(item.tool_index, []).append(item.parameters)

        for chunk in chunks:
            thought, rest = reasoning.parse_stream_chunk(chunk)
            if thought:
                thoughts.append(thought)
            collect(*calls.parse_stream_chunk(rest))
        thought, rest = reasoning.parse_stream_end()
        if thought:
            thoughts.append(thought)
        collect(*calls.parse_stream_chunk(rest))
        collect(*calls.parse_stream_end())
        made = [(name, "".join(arguments[index])) for index, name in names.items()]
        return message("".join(thoughts), "".join(texts), made)

    def at_once(self, completion: str, tools: Any) -> Any:
        reasoning = ReasoningParser(self.reasoning, stream_reasoning=False, force_reasoning=True)
        thought, text = reasoning.parse_non_stream(completion)
        calls = FunctionCallParser(tools, self.calls)
        items = []
        if calls.has_tool_call(text):
            text, items = calls.parse_non_stream(text)
        return message(thought, text, [(item.name, item.parameters) for item in items])


def message(reasoning: str, content: str, calls: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """Return an assistant message in OpenAI shape."""
    return {
        "role": "assistant",
        "content": content or None,
        "reasoning_content": reasoning or None,
        "tool_calls": [
            {"type": "function", "function": {"name": name, "arguments": arguments}} for name, arguments in calls
        ],
    }


def calls_of(read: Any) -> list[str]:
    """Return the calls of a message as text to compare, arguments as JSON values."""
    calls = []
    for call in read.get("tool_calls") or ():
        name, arguments = call["function"]["name"], call["function"]["arguments"]
        try:
            arguments = json.loads(arguments)
        except ValueError:
            arguments = f"no JSON: {arguments}"
        calls.append(as_json({"name": name, "arguments": arguments}))
    return calls


def as_json(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


def differences(one: Any, other: Any) -> str:
    """Return the fields that two messages do not have alike, or nothing."""
    fields = ["calls"] if calls_of(one) != calls_of(other) else []
    for field in ("reasoning_content", "content"):
        if (one.get(field) or "").strip() != (other.get(field) or "").strip():
            fields.append(field)
    return ", ".join(fields)


def fastest(run: Callable[[Any], object], own_tools: Sequence[Any]) -> float:
    """Return the seconds that the fastest run takes, each with its own tools."""
    best = float("inf")
    for tools in own_tools:
        start = time.perf_counter()
        run(tools)
        best = min(best, time.perf_counter() - start)
    return best


def native(tools: Any) -> list[Any]:
    """Return tools as SGLang has them."""
    return [Tool(**deepcopy(tool)) for tool in tools]


def check(name: str, reply: Any, tools: Any) -> tuple[str, str]:
    """Return what SGLang reads otherwise than we do, in chunks and at once. Fails if we do not read what is there."""
    ours, theirs = Ours(name), Theirs(name)
    completion = reply["completion"]
    in_chunks, at_once = ours.in_chunks(cut(completion), tools), ours.at_once(completion, tools)
    assert calls_of(at_once) == [as_json(call) for call in reply["calls"]], f"{name}: we do not read the calls"
    assert not differences(in_chunks, at_once), f"{name}: we read chunks otherwise"
    return (
        differences(theirs.in_chunks(cut(completion), native(tools)), in_chunks),
        differences(theirs.at_once(completion, native(tools)), at_once),
    )


def cut(completion: str) -> list[str]:
    return [completion[start : start + CHUNK] for start in range(0, len(completion), CHUNK)]


def measure(name: str, completion: str, tools: Any, rounds: int) -> tuple[float, float]:
    """Return the two figures of one format."""
    ours, theirs, chunks = Ours(name), Theirs(name), cut(completion)
    figures = []
    for _ in range(rounds):
        plain, typed = [ours.native(tools) for _ in range(60)], [native(tools) for _ in range(60)]
        theirs_chunks = fastest(lambda tools: theirs.in_chunks(chunks, tools), typed[:8])
        ours_chunks = fastest(lambda tools: ours.in_chunks(chunks, tools), plain[:30])
        theirs_once = fastest(lambda tools: theirs.at_once(completion, tools), typed)
        ours_once = fastest(lambda tools: ours.at_once(completion, tools), plain)
        figures.append((theirs_chunks / ours_chunks, theirs_once / ours_once))
    in_chunks, at_once = (median(column) for column in zip(*figures, strict=True))
    return in_chunks, at_once


def main() -> int:
    """Measure every format, print the table and say what was missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=9)
    asked = parser.parse_args()
    logging.disable(logging.CRITICAL)
    file = json.loads(REPLIES.read_text(encoding="utf-8"))
    print(f"{'format':<12} {'in chunks':>10} {'at once':>8}  SGLang reads otherwise")
    missed = []
    for name, reply in file["replies"].items():
        others = dict(zip(("in chunks", "at once"), check(name, reply, file["tools"]), strict=True))
        in_chunks, at_once = measure(name, reply["completion"], file["tools"], asked.rounds)
        said = "; ".join(f"{how}: {fields}" for how, fields in others.items() if fields) or "nothing"
        said += " (no parser for it: not compared)" if name in UNSUPPORTED else ""
        print(f"{name:<12} {in_chunks:>10.1f} {at_once:>8.1f}  {said}", flush=True)
        for figure, value, limit in (("in chunks", in_chunks, IN_CHUNKS), ("at once", at_once, AT_ONCE)):
            if value < limit and name not in UNSUPPORTED:
                missed.append(f"{name}: {figure} {value:.1f}")
    for line in missed:
        print(f"missed: {line}", file=sys.stderr)
    return int(bool(missed))


if __name__ == "__main__":
    sys.exit(main())
