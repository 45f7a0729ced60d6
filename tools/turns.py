"""Seeded random turns of an assistant, with the tools that they call: from ordinary to what breaks a format.

`Turns(name, seed).case()` gives a turn for the format of that name. Rules: the same seed gives the same turns; most are
as models write them; a turn is odd in one way at most (`odd_turns`), beside small things that happen in any (space at
the ends, a marker in a text, a value that does not fit its schema). It knows the markers of a format, not what becomes
of a turn: that is what `canon` says.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

import chatcodec
from chatcodec.reply.json_calls import JsonCalls
from chatcodec.reply.pieces import Hints, Pieces
from chatcodec.reply.tagged import TaggedCalls
from odd_turns import ODD, RATE
from oddities import MARKERS
from turn_parts import (
    ENDS,
    INTEGERS,
    KEYS,
    LOOK_ALIKES,
    NAMES,
    NUMBERS,
    PLACE,
    PROSE,
    SCHEMAS,
    SPELLINGS,
    TEXTS,
)
from typed import EVERY, KINDS, allowed


@dataclass
class Case:
    """A turn, the tools, and how it is rendered; ``open``: without its end, as `continue_final_message` leaves it."""

    turn: dict[str, Any]
    tools: list[Any] | None
    options: dict[str, Any] = field(default_factory=dict)
    open: bool = False


class Turns:
    """A source of random turns for one format."""

    def __init__(self, name: str, seed: int):
        self.name = name
        self.random = random.Random(f"{name} {seed}")
        codec = chatcodec.load(name)
        self.pieces, self.hints = codec.pieces, codec.hints
        stop, reasoning = self.pieces.stops[0], self.pieces.reasoning
        self.fatal = (stop, *((reasoning.closing.strip(),) if reasoning else ()))
        self.json_calls = name in ("qwen3-tir", "qwen2.5-ja-struct")
        self.markers = markers_of(self.pieces, self.hints)
        self.ambiguous = None if self.json_calls else ends_in_value(self.pieces)

    def case(self) -> Case:
        """Return the next turn."""
        case = Case(self.turn(), self.tools())
        if self.name == "qwen3-tir":
            case.turn["content"] = self.inline_turn(case)
        else:
            calls = [self.call(case.tools) for _ in range(self.pick((0, 0, 0, 0, 1, 1, 1, 2, 3, 4)))]
            if calls:
                case.turn["tool_calls"] = calls
                case.turn["content"] = self.pick(("", None)) if self.chance(0.5) else case.turn.get("content")
        if self.chance(RATE):
            self.pick(ODD[self.name])(self, case)
            case.open = False
        self.options(case)
        return case

    def chance(self, probability: float) -> bool:
        """Whether something of this probability happens now."""
        return self.random.random() < probability

    def pick(self, items: Any) -> Any:
        """Return one of `items`."""
        return items[int(self.random.random() * len(items))]

    # Texts

    def text(self) -> str:
        """Return a text as a model writes it: no space at its ends, now and then a marker of some family in it."""
        parts = [self.pick(TEXTS)]
        while self.chance(0.5):
            parts += [self.pick((" ", "\n", "\n\n", "\n")), self.pick(TEXTS)]
        if self.chance(0.01):
            parts += ["\n", self.pick(PROSE)]
        if self.chance(0.02):
            parts[1:1] = [" ", self.harmless(MARKERS), " ", self.pick(TEXTS)]
        if self.chance(0.02):
            parts += [self.pick((" ", "\n", "")), self.harmless(self.markers)]
        return "".join(parts)

    def harmless(self, markers: Sequence[str]) -> str:
        """Return one of `markers`, or the beginning of one, that ends nothing in this format."""
        marker = str(self.pick(markers)).strip()
        if marker in self.fatal or self.chance(0.3):
            return marker[: 1 + int(self.random.random() * (len(marker) - 1))]
        return marker

    def with_ends(self, text: str, probability: float = 0.012) -> str:
        """Return `text`, now and then with space at its ends."""
        if not self.chance(probability):
            return text
        return f"{self.pick(ENDS)}{text}{self.pick(ENDS)}"

    # Turns

    def turn(self) -> dict[str, Any]:
        """Return a turn without calls."""
        turn: dict[str, Any] = {"role": "assistant", "content": self.with_ends(self.text())}
        if self.chance(0.02):
            turn["content"] = self.pick(("", None, "", "\n"))
        elif self.chance(0.01):
            del turn["content"]
        if self.chance(0.03):
            turn["tool_calls"] = self.pick(([], None))
        if self.chance(0.03):
            turn["refusal"] = None
        if self.name == "qwen2.5-ja-struct" or self.chance(0.3):
            return turn
        reasoning = self.with_ends(self.text()) if self.chance(0.95) else self.pick(("", "\n", None))
        turn[self.pick(("reasoning_content",) * 8 + ("reasoning", "thinking"))] = reasoning
        return turn

    def inline_turn(self, case: Case) -> str:
        """Return the content of a turn of TIR: reasoning, calls with responses, an answer; reasoning apart is kept."""
        turn, parts = case.turn, []
        apart = turn.get("reasoning_content") is not None and self.chance(0.15)
        for name in ("reasoning_content", "reasoning", "thinking"):
            turn[name] = turn.pop(name, None) if apart else None
        answer = turn.get("content") or ""
        for _ in range(self.pick((0, 0, 1, 1, 2, 3, 4)) if not apart else 0):
            text = self.with_ends(self.text(), 0.3) if self.chance(0.9) else ""
            parts += [text, self.inline_call(case.tools), self.response()]
        if parts and self.chance(0.2):
            case.open = True
            return "".join(parts[: -1 if self.chance(0.8) else None])
        assert self.pieces.reasoning is not None
        closing = self.pieces.reasoning.closing if not self.chance(0.1) else self.pieces.reasoning.closing.strip()
        if self.chance(0.05):
            answer += self.inline_call(case.tools) + self.response() + self.text()
        return answer if apart else "".join(parts) + self.pick(("", self.text())) + closing + answer

    def inline_call(self, tools: Any) -> str:
        """Return the text of a call of TIR, spelled in one of the ways that JSON allows."""
        function: dict[str, Any] = self.call(tools)["function"]
        if self.chance(0.1):
            function = self.pick((
                dict(reversed(function.items())), {"id": "call_7", **function}, {**function, "id": "call_8"},
                {"type": "function", "function": function},
                {**function, "arguments": json.dumps(function["arguments"])},
            ))  # fmt: skip
        return "<tool_call>\n" + json.dumps(function, **self.pick(SPELLINGS)) + "\n</tool_call>"

    def response(self) -> str:
        """Return the text of a tool's response, as a runtime of TIR puts it behind the call."""
        assert self.hints.response is not None
        text = self.with_ends(self.text(), 0.1) if self.chance(0.95) else ""
        return self.hints.response.opening + text + self.hints.response.closing

    def options(self, case: Case) -> None:
        """Give `case` options that change the prompt, but not how the turn goes on from it."""
        reasoning = any(case.turn.get(name) for name in ("reasoning_content", "reasoning", "thinking"))
        closes = self.pieces.reasoning is not None and self.pieces.reasoning.closing.strip() in str(
            case.turn.get("content")
        )
        thinks = reasoning or closes
        if self.name in ("qwen3.6", "bailing-v3") and not thinks and self.chance(0.5):
            case.options["enable_thinking"] = False
        if self.name in ("qwen3.6", "bailing-v3") and self.chance(0.1):
            case.options["preserve_thinking"] = self.name == "qwen3.6"
        if self.name == "seed-oss" and self.chance(0.2):
            case.options.setdefault("thinking_budget", self.pick((512, 1024, -1)))
        if self.name == "qwen2.5-ja-struct" and self.chance(0.1):
            case.options["schema"] = '{"type": "object"}'

    # Calls

    def call(self, tools: list[Any] | None) -> dict[str, Any]:
        """Return a call, mostly of one of `tools`, with arguments that mostly fit."""
        function = deepcopy(self.pick(tools)["function"]) if tools else {"name": self.pick(NAMES)}
        if self.chance(0.01):
            function = {"name": "no_such_tool"}
        root = function.get("parameters", {})
        declared = list(root.get("properties", {}).items())
        given = declared if self.chance(0.6) else self.random.sample(declared, self.random.randint(0, len(declared)))
        arguments = {key: self.value_of(schema, root) for key, schema in given}
        if self.chance(0.015 if tools else 0.5):
            arguments[self.pick(KEYS)] = self.value() if self.chance(0.2) else self.string()
        call: dict[str, Any] = {"type": "function", "function": {"name": function["name"], "arguments": arguments}}
        if self.name == "qwen2.5-ja-struct":
            call["id"] = self.pick(("call_1", "call_9f3aBc", "0", "", "呼_1", "call_1"))
            if self.chance(0.85):
                call["function"]["arguments"] = json.dumps(arguments, **self.pick(SPELLINGS))
        elif self.chance(0.5):
            call["id"] = self.pick(("call_1", "x"))
        return call

    def value_of(self, schema: Any, root: Any) -> Any:
        """Return a value for a parameter: one that fits, but for a few."""
        options = allowed(schema, root)
        misfit = 0.03 if self.json_calls else 0.008
        if not options:
            return self.string() if not self.chance(0.15) else self.value()
        if options == [("integer", EVERY)] and self.chance(0.01):
            return self.pick((3.0, -2.0, 1e3, 0.5))
        if self.chance(misfit):
            return self.value() if not self.chance(0.5) else self.pick(LOOK_ALIKES)
        kind, listed = self.pick(options)
        return (
            listed
            if listed is not EVERY
            else self.string(0.01 if len(options) > 1 else 0.1)
            if kind == "string"
            else self.of_kind(kind)
        )

    def of_kind(self, kind: str, depth: int = 2) -> Any:
        """Return a value of a kind."""
        if kind == "string":
            return self.string()
        if kind == "integer":
            return self.pick(INTEGERS)
        if kind == "array":
            return [self.value(depth - 1) for _ in range(self.pick((0, 1, 2, 3)))]
        if kind == "object":
            return {self.pick((*KEYS, *TEXTS, "")): self.value(depth - 1) for _ in range(self.pick((0, 1, 2, 3)))}
        return {"number": self.pick(NUMBERS), "boolean": self.chance(0.5), "null": None}[kind]

    def value(self, depth: int = 2) -> Any:
        """Return any JSON value."""
        return self.of_kind(self.pick(KINDS if depth > 0 else KINDS[:5]), depth)

    def string(self, look_alikes: float = 0.1) -> str:
        """Return a text as an argument: any text, also one that spells another value, or has markers in it."""
        if self.chance(look_alikes):
            return str(self.pick(LOOK_ALIKES))
        text = "" if self.chance(0.03) else self.with_ends(self.text(), 0.1)
        marked = text
        if self.chance(0.05):
            marker = self.pick((*MARKERS, *self.markers))
            marked += self.pick((" ", "\n", "")) + marker + self.pick((" and on", "\nand on"))
        elif self.chance(0.05):
            marker = self.pick(self.markers)
            marked = self.pick((text, "", text))
            ends = (
                marker,
                marker[:-1],
                "\n" + marker,
                marker + "\n",
                marker * 2,
                marker + self.pick(self.markers) + ".",
            )
            marked += self.pick(ends)
        return "" if self.ambiguous and self.ambiguous(marked) else marked

    # Tools

    def tools(self) -> list[Any] | None:
        """Return tool definitions; now and then none."""
        if self.chance(0.015):
            return self.pick((None, []))  # type: ignore[no-any-return]
        return [self.tool(name) for name in self.random.sample(NAMES, self.pick((1, 1, 2, 3)))]

    def tool(self, name: str) -> dict[str, Any]:
        """Return the definition of one tool."""
        keys = self.random.sample(KEYS, self.pick((0, 1, 1, 2, 2, 3, 4)))
        properties = {key: deepcopy(self.schema()) for key in keys}
        parameters = {"type": "object", "properties": properties, "required": keys[:1], "$defs": {"place": PLACE}}
        if self.chance(0.05):
            parameters["additionalProperties"] = self.pick((False, True, {"type": "integer"}, {"type": "string"}))
        function = {"name": name, "description": "A tool.", "parameters": parameters}
        if self.name != "seed-oss" and self.chance(0.02):
            del function["parameters"]
        return {"type": "function", "function": function}

    def schema(self) -> Any:
        """Return the schema of a parameter."""
        [group] = self.random.choices([group for _, group in SCHEMAS], [weight for weight, _ in SCHEMAS])
        return self.pick(group)


def markers_of(pieces: Pieces, hints: Hints) -> tuple[str, ...]:
    """Return all markers of a format, each once."""
    calls = pieces.calls or hints.calls
    if isinstance(calls, TaggedCalls):
        texts = [calls.call, calls.argument, calls.closing]
    else:
        assert isinstance(calls, JsonCalls)
        texts = [calls.opening, calls.closing, calls.opening + "{", calls.opening + '{"name"']
    for block in (pieces.reasoning, hints.response, hints.notice):
        texts += [block.opening, block.closing] if block else []
    parts = [part.strip() for text in (*texts, *pieces.stops) for part in re.split(r"\{\w+\}", text)]
    return tuple(dict.fromkeys(part for part in parts if part))


def ends_in_value(pieces: Pieces) -> Callable[[str], Any]:
    """Return what finds, in a value, the end of a value or call, with the next part of a call behind it."""
    assert isinstance(pieces.calls, TaggedCalls)
    key, _, end = pieces.calls.argument.partition("{key}")
    closers = pieces.calls.closing.split()
    openers = [part for part in re.split(r"\{name\}|\s", pieces.calls.call) if len(part) > 1]
    either = ["|".join(map(re.escape, texts)) for texts in ((key.strip(), *closers), closers, openers)]
    value_end = re.escape(end.partition("{value}")[2].strip())
    return re.compile(rf"{value_end}\s*(?:{either[0]})|(?:{either[1]})\s*(?:{either[2]})").search
