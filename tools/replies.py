"""Seeded random replies, from what a codec renders to plain noise, for testing readers.

`Replies(seed, codec).draw()` gives one `Case`. `CODECS` has the formats, and codecs of families that do not exist.
Rules: the same seed gives the same cases; markers are read off a codec's pieces, so none is spelled out here.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import cache
from typing import Any, NamedTuple, TypeVar

import chatcodec
from chatcodec.codec import Codec
from chatcodec.reply.json_calls import JsonCalls
from chatcodec.reply.keyed_calls import KeyedCalls
from chatcodec.reply.match import GAP, SLOT
from invented import INVENTED, written

T = TypeVar("T")

PARAMETERS: dict[str, Any] = {
    "city": {"type": "string"},
    "n": {"type": "integer"},
    "x": {"type": "number"},
    "b": {"type": "boolean"},
    "o": {"type": "object"},
    "a": {"type": "array"},
    "e": {"enum": ["a", 1, None, "x\ny"]},
    "z": {"type": ["string", "null"]},
    "any": {},
}
TOOLS: list[dict[str, Any]] = [
    {"type": "function", "function": {"name": "f", "parameters": {"type": "object", "properties": PARAMETERS}}},
    {"type": "function", "function": {"name": "g", "parameters": {"type": "object", "properties": {}}}},
]
USER = {"role": "user", "content": "."}
NAMES, KEYS = ("f", "f", "f", "g", "h", "get_weather"), (*PARAMETERS, "city", "n", "o", "unknown", "a b")
WORDS = (
    "Hello world",
    "a",
    "42",
    "é😀",
    "東京",
    "x" * 70,
    "the quick brown fox",
    "1.5e3",
    "null",
    "True",
    "{'a': None}",
)
SPACES = (
    " ",
    "\n",
    "\n",
    "\n\n",
    "\t",
    "  \n",
    "\r\n",
    " " * (GAP - 1),
    " " * GAP,
    " " * (GAP + 1),
    "\u00a0",
    "\u2028",
)
SHARDS = ("<", "</", ">", "[", "]", "{", "}", '"', "\\", ":", ",", "'", "|", "=", "/", "\\n", '\\"', "\\u12", "\\ud83d")
ODD = ("\x00", "\ud83d", "\ude00", "\ud800", "\udfff", "\ufffd", "\x1b", "\x7f", "\u0300", "\U0010ffff", "\ufeff")
JSON_SHARDS = (
    '{"name": "f", "arguments": ', '{"city": "x"}', '{"arguments": {"n": 1}, "name": "g"}', '"name"', '"arguments"',
    '"parameters": ', '"function": {', '"id": "q"', '"f"', '"{\\"city\\": \\"x\\"}"', "null", "-1.5e3", "[]", "{}",
    "[{", '"arguments": {', '"arguments": "', "{\\n", "\\ude00", '\\\\\\"', "}}", "1" * 1001, "[" * 201, "true", "0",
)  # fmt: skip


class Case(NamedTuple):
    """What to read: the kind of text, the text, whether `TOOLS` are given, and the prompt (None: the codec's)."""

    kind: str
    text: str
    tools: bool
    prompt: str | None = None


CODECS: dict[str, Codec] = {name: chatcodec.load(name) for name in chatcodec.available()}
CODECS |= {plain.name: Codec(plain, plain.pieces, plain.hints) for plain in INVENTED}


def literals(codec: Codec) -> list[str]:
    """Return the texts in a codec's pieces and hints, in order, each once."""

    def texts(value: Any) -> Iterator[str]:
        if isinstance(value, str):
            yield value
        elif isinstance(value, (dict, list, tuple)):
            for item in value.values() if isinstance(value, dict) else value:
                yield from texts(item)

    both = {"pieces": asdict(codec.pieces), "hints": asdict(codec.hints)}
    for part in both.values():
        for syntax in part.values():
            if isinstance(syntax, dict):
                syntax.pop("values", None)
                syntax.pop("words", None)
                syntax.pop("_cut", None)
    return [text for text in dict.fromkeys(texts(both)) if text]


@cache
def markers(codec: Codec) -> tuple[str, ...]:
    """Return the markers: what is left of the literals without slots, space and JSON."""
    parts = [part for text in literals(codec) if text[0] != "{" for part in re.split(r"\{\w+\}|\s+", text)]
    return tuple(part for part in dict.fromkeys(parts) if len(part) > 1)


class Replies:
    """A source of random replies to one codec."""

    def __init__(self, seed: int | str, codec: Codec):
        self.random = random.Random(seed)
        self.codec = codec
        self.syntax = codec.pieces.calls or codec.hints.calls
        self.header = codec.pieces.header
        self.marks = markers(codec)
        self.atoms = self._atoms()
        self.foreign = [mark for other in CODECS.values() if other is not codec for mark in markers(other)]
        tail = codec.render([USER], add_generation_prompt=True).text
        self.begun = tail[tail.rfind(self.header) + len(self.header) :]
        self._turns: list[str] = []
        self.kinds: dict[str, Callable[[], str]] = {
            "cut": self.cut, "spliced": self.spliced, "mutated": self.mutated, "soup": self.soup, "call": self.call,
            "foreign": self.among_foreign, "noise": self.noise, "bytes": self.decoded, "limits": self.limits,
        }  # fmt: skip

    def _atoms(self) -> list[str]:
        slots = {"{name}": NAMES, "{key}": tuple(PARAMETERS), "{value}": ("x", "5", "{}"), "{id}": ('"q"',)}
        found = [*self.marks]
        for text in literals(self.codec):
            filled = re.sub(r"\{\w+\}", lambda slot: self.pick(slots.get(slot[0], ("{}",))), text)
            found += [text.strip(), *re.split(r"(?<=\n)", text), filled, filled.strip()]
            found += [re.sub(r"\{\w+\}", lambda slot: self.pick(slots.get(slot[0], ("{}",))), text) for _ in range(3)]
        if isinstance(self.syntax, JsonCalls):
            found += [*JSON_SHARDS, *JSON_SHARDS]
        return [atom for atom in found if atom]

    # Chance

    def pick(self, items: Sequence[T]) -> T:
        """Return one of `items`."""
        return items[int(self.random.random() * len(items))]

    def chance(self, probability: float) -> bool:
        """Whether something of this probability happens now."""
        return self.random.random() < probability

    def some(self, most: int, make: Callable[[], str]) -> str:
        """Return one to `most` texts that `make` gives, joined."""
        return "".join([make() for _ in range(self.random.randint(1, most))])

    # Cases

    def draw(self) -> Case:
        """Return a case of any kind."""
        tools = self.chance(0.7)
        if self.chance(0.15):
            return self.turn(tools)
        kind = self.pick(tuple(self.kinds))
        prompt = self.pick((None, None, self.header, self.header + self.some(9, self.atom), self.begun))
        if prompt and prompt.rstrip().endswith(self.codec.pieces.stops):  # there is nothing to reply to
            prompt += "."
        return Case(kind, self.kinds[kind]()[: 4 * SLOT], tools, prompt)

    def turn(self, tools: bool) -> Case:
        """Return an ordinary turn, as the codec renders it behind its generation prompt."""
        text = self.rendered(self.message(clean=True))
        if self.begun and not text.startswith(self.begun):
            return Case("turn", text, tools, self.header)
        return Case("turn", text[len(self.begun) :], tools)

    def rendered(self, message: Mapping[str, Any]) -> str:
        """Return what the codec renders for a turn, behind its header."""
        text = self.codec.render([USER, message]).text
        return text.partition(self.header)[2]

    def message(self, clean: bool = False) -> dict[str, Any]:
        """Return a message of the assistant; a clean one has no markers in it."""
        text: Callable[[], str] = self.clean if clean else self.odd
        message: dict[str, Any] = {"role": "assistant", "content": text() if self.chance(0.7) else ""}
        if self.chance(0.6):
            message["reasoning_content"] = text()
        if self.chance(0.6):
            arguments = [self.arguments(text) for _ in range(self.pick((1, 1, 2, 3)))]
            calls = [
                {"id": f"c{index}", "type": "function", "function": {"name": self.pick(NAMES), "arguments": each}}
                for index, each in enumerate(arguments)
            ]
            if isinstance(self.syntax, JsonCalls) and self.syntax.as_text and self.chance(0.6):
                for call in calls:
                    call["function"]["arguments"] = json.dumps(call["function"]["arguments"])  # type: ignore[index]
            message["tool_calls"] = calls
        if self.codec.hints.response is not None:
            message["content"] += self.inline(message.pop("tool_calls", []))
        return message

    def inline(self, calls: list[dict[str, Any]]) -> str:
        """Return calls with their responses, as they stand inside a text."""
        response = self.codec.hints.response
        assert response is not None
        assert self.syntax is not None
        text = ""
        for call in calls:
            text += written(self.syntax, **call["function"])
            if self.chance(0.7):
                text += response.opening + self.clean() + response.closing + self.pick(("", self.clean()))
        return text

    def arguments(self, text: Callable[[], str]) -> dict[str, Any]:
        """Return the arguments of a call."""
        values: dict[str, Callable[[], Any]] = {
            "city": lambda: self.pick(("", "\n", " ")) + text() + self.pick(("", "\n", " ")),
            "n": lambda: self.random.randint(-5, 10**20), "x": lambda: self.pick((1.5, -0.0, 1e22, 7)),
            "b": lambda: self.chance(0.5), "o": lambda: {self.member(text): [text(), None, {}]},
            "a": lambda: [1, [text()], True],
            "e": lambda: self.pick(("a", 1, None, "x\ny")), "z": lambda: text(),
        }  # fmt: skip
        names = self.random.sample(tuple(values), self.random.randint(0, 4))
        return {name: values[name]() for name in names}

    def member(self, text: Callable[[], str]) -> str:
        """Return the name of a member: any text where names stand between marks."""
        return self.pick(KEYS) if isinstance(self.syntax, KeyedCalls) else text()

    # Texts

    def clean(self) -> str:
        """Return a text without markers that begins and ends with a letter."""
        inside = [
            self.pick(WORDS[:7]) + self.pick((" ", "\n", "\n\n", ", ", ' "', "' "))
            for _ in range(self.pick((0, 0, 1, 3)))
        ]
        return "".join(inside) + self.pick(WORDS[:2])

    def common(self) -> str:
        """Return a word, a space or a shard of syntax."""
        return self.pick(self.pick((WORDS, SPACES, SHARDS)))

    def atom(self) -> str:
        """Return a marker or another piece of the grammar, more often than not."""
        return self.pick(self.atoms) if self.chance(0.7) else self.common()

    def odd(self) -> str:
        """Return a text that may have anything in it."""
        return self.some(4, self.atom) if self.chance(0.3) else self.clean()

    def soup(self) -> str:
        """Return pieces of the grammar in any order."""
        return self.some(25, self.atom)

    def call(self) -> str:
        """Return calls whose parts were left out, doubled, swapped or moved apart."""
        syntax, text = self.syntax, ""
        assert syntax is not None
        for _ in range(self.pick((1, 1, 2, 3))):
            whole = written(syntax, self.pick(NAMES), self.arguments(self.odd))
            parts = re.split(r"(?<=[>\n\]{:,])|(?=[<\[}])", whole)
            for _ in range(self.pick((0, 1, 1, 2, 4))):
                place = self.random.randrange(len(parts))
                parts[place : place + self.pick((0, 0, 1, 1, 2))] = self.pick(
                    ([], [self.atom()], [self.pick(parts)], [self.pick(SPACES)])
                )
                parts = parts or [""]
            text += self.pick(("", "", self.pick(SPACES), self.clean())) + "".join(parts)
        return text

    def pooled(self) -> str:
        """Return one of some rendered turns; each is used several times."""
        if len(self._turns) < 200 and (len(self._turns) < 20 or self.chance(0.2)):
            self._turns.append(self.rendered(self.message(clean=self.chance(0.3))))
        return self.pick(self._turns)

    def part(self) -> str:
        """Return a stretch of a rendered turn."""
        text = self.pooled()
        begin, end = sorted((self.random.randint(0, len(text)), self.random.randint(0, len(text))))
        return text[begin:end] if self.chance(0.5) else text[:end]

    def cut(self) -> str:
        """Return a turn that is cut."""
        text = self.pooled()
        return text[: self.random.randint(0, len(text))]

    def spliced(self) -> str:
        """Return stretches of several turns."""
        return self.some(4, self.part)

    def mutated(self) -> str:
        """Return a turn with a few changes."""
        text = self.pooled()
        for _ in range(self.random.randint(1, 4)):
            at = self.random.randint(0, len(text))
            size = self.pick((0, 0, 1, 1, 2, 7))
            text = text[:at] + self.pick(("", "", self.atom(), self.common(), text[at : at + 9])) + text[at + size :]
        return text

    def among_foreign(self) -> str:
        """Return pieces of other grammars with some of this one."""
        return self.some(15, lambda: self.pick(self.foreign) if self.chance(0.5) else self.atom())

    def noise(self) -> str:
        """Return random characters, also such as no text has, among pieces of the grammar."""
        return self.some(20, lambda: self.pick(ODD) if self.chance(0.4) else self.atom())

    def decoded(self) -> str:
        """Return what random bytes among pieces of the grammar decode to."""
        pieces = [
            self.random.randbytes(self.random.randint(1, 4))
            if self.chance(0.4)
            else self.atom().encode("utf-8", "replace")
            for _ in range(15)
        ]
        return b"".join(pieces).decode("utf-8", "replace")

    def limits(self) -> str:
        """Return pieces of the grammar with space and names of about the longest that are read."""
        sizes = (GAP - 1, GAP, GAP + 1, 2 * GAP, SLOT - 1, SLOT, SLOT + 1)
        return self.some(12, lambda: self.pick(" \nn5") * self.pick(sizes) if self.chance(0.3) else self.atom())
