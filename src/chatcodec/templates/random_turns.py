"""Seeded random turns of an assistant, with the tools that they call, to try derived pieces on.

Rules: the same seed gives the same turns. Most are as models write them; texts among the arguments often have in them
what ends a call or an argument. A turn has no more than its pieces can say.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping
from typing import Any

from chatcodec.reply.keyed_calls import KeyedCalls
from chatcodec.reply.pieces import Pieces
from chatcodec.templates.derive_calls import Facts
from chatcodec.templates.probes import IDS

MOST_ARGUMENTS = 4


class RandomTurns:
    """Seeded turns, and the tools that they call."""

    def __init__(self, seed: int, pieces: Pieces, facts: Facts):
        """Take what turns may have: reasoning and calls if there are pieces for them."""
        self.random = random.Random(seed)
        self.pieces, self.facts = pieces, facts
        self.closers = [text for text in _markers(pieces) if text]

    def turn(self) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        """Return a turn and its tools."""
        pick, pieces = self.random, self.pieces
        tools = [self._tool(index) for index in range(pick.randint(1, 3))]
        turn: dict[str, Any] = {"role": "assistant", "content": self._text() if pick.random() < 0.8 else ""}
        if pieces.reasoning is not None and pick.random() < 0.6:
            turn["reasoning_content"] = self._text()
        if pieces.calls is not None and pick.random() < 0.7:
            count = pick.randint(1, self.facts.most_calls)
            turn["tool_calls"] = [self._call(index, pick.choice(tools)) for index in range(count)]
            if self.facts.beside == "never":
                turn["content"] = ""
        if not turn["content"] and ("tool_calls" not in turn or self.facts.beside == "always"):
            turn["content"] = self._text()
        return turn, tools

    def _tool(self, index: int) -> dict[str, Any]:
        properties = {}
        for position in range(self.random.randint(0, MOST_ARGUMENTS)):
            kind = self.random.choice(["string", "string", "integer", "number", "boolean", "null", "array", "object"])
            properties[f"{self.random.choice(_KEYS)}{position}"] = {"type": kind}
        parameters = {"type": "object", "properties": properties}
        name = f"{self.random.choice(_NAMES)}{index}"
        return {"type": "function", "function": {"name": name, "description": "d", "parameters": parameters}}

    def _call(self, index: int, tool: Mapping[str, Any]) -> dict[str, Any]:
        function = tool["function"]
        arguments: Any = {
            name: self._value(schema["type"])
            for name, schema in function["parameters"]["properties"].items()
            if self.random.random() < 0.8
        }
        if self.facts.text_arguments:
            arguments = json.dumps(arguments, ensure_ascii=False)
        return {"id": IDS[index], "type": "function", "function": {"name": function["name"], "arguments": arguments}}

    def _value(self, kind: str, depth: int = 0) -> Any:
        pick = self.random
        match kind:
            case "string":
                return self._string()
            case "integer":
                return pick.choice([0, 1, -7, 42, 10**12])
            case "number":
                return pick.choice([0.5, -2.25, 3.125, 1e-7])
            case "boolean":
                return pick.random() < 0.5
            case "null":
                return None
            case "array":
                return [self._value(self._kind(depth), depth + 1) for _ in range(pick.randint(0, 3))]
        return {pick.choice(_KEYS): self._value(self._kind(depth), depth + 1) for _ in range(pick.randint(0, 3))}

    def _kind(self, depth: int) -> str:
        kinds = ["string", "integer", "boolean", "null", *(["array", "object"] if depth < 2 else [])]
        return self.random.choice(kinds)

    def _string(self) -> str:
        if self.closers and self.random.random() < 0.25:
            return f"{self._word()} {self.random.choice(self.closers)} {self._word()}"
        return self._text() if self.random.random() < 0.9 else ""

    def _text(self) -> str:
        words = [self._word() for _ in range(self.random.randint(1, 8))]
        return "".join(word + self.random.choice([" ", " ", " ", "\n", "\n\n"]) for word in words).strip()

    def _word(self) -> str:
        return self.random.choice(_WORDS)


_WORDS = (
    "the", "weather", "in", "Oslo", "is", "12°", "né", "日本語", "🙂", "{x}", '"quoted"', "it's", "a<b", "x>y", "[1]",
    "C:\\dir", "100%", "&amp;", "# head", "f(x)", "key: value", "a,b", "`code`", "null", "True", "-1",
)  # fmt: skip
_NAMES = ("get_weather", "search", "run-code", "ns.lookup", "f")
_KEYS = ("city", "query", "max_items", "flag", "x-y")


def _markers(piece: Any) -> Iterator[str]:
    """Yield the markers by which calls, their arguments and quoted texts end."""
    for name in ("closing", "argument"):
        literal = getattr(piece.calls, name, "")
        yield literal.rpartition("}")[2].strip()
    if isinstance(piece.calls, KeyedCalls):
        yield piece.calls.text.closing.strip()
    quotes = getattr(piece.calls, "quotes", None)
    if quotes is not None:
        yield quotes.closing.strip()
