"""Growth: replies that are long in one way each, read in small chunks: ten times the text takes ten times the work.

    python tools/growth.py [--rounds N] [CODEC ...]

Reads 200 KB and 2 MB of each text in chunks of 4 characters, at once, and with `parse`; prints the steps a character
(what a reader counts itself), how many more they are for the long text, how the CPU time grows, and the size of the
state before the end. Exits with 1 if there are more than 5 % more steps, or more than 14 times the time in each round.
"""

from __future__ import annotations

import argparse
import gc
import json
import re
import sys
import time
from collections.abc import Iterator
from typing import NamedTuple

from chatcodec.codec import Codec
from chatcodec.reply.calls import Block
from chatcodec.reply.json_calls import JsonCalls
from chatcodec.reply.keyed_calls import KeyedCalls
from chatcodec.reply.python_calls import PythonCalls
from chatcodec.reply.tagged import TaggedCalls
from invented import written
from replies import CODECS, TOOLS

SHORT, LONG = 200_000, 2_000_000
WAYS = {"chunks": 4, "at once": LONG * 2, "parse": 0}
NUMBER = "NUMBER"
MOST_STEPS, MOST_TIME, LEAST = 1.05, 14.0, 0.1
"""What is allowed; a text that takes less than ``LEAST`` seconds is fast enough."""


class Text(NamedTuple):
    """A kind of long text: what it is, how it begins, the part that is repeated (`NUMBER` counts up), how it ends."""

    about: str
    opening: str
    part: str
    closing: str = ""

    def of(self, size: int) -> str:
        """Return the text, about `size` characters long."""
        times, numbered = size // len(self.part), NUMBER in self.part
        middle = (self.part.replace(NUMBER, str(at)) for at in range(times)) if numbered else [self.part * times]
        return "".join((self.opening, *middle, self.closing))


def texts(codec: Codec) -> Iterator[Text]:
    """Yield the kinds of long text that may be hard for a codec."""
    syntax, pieces = codec.pieces.calls or codec.hints.calls, codec.pieces
    assert syntax is not None
    empty = written(syntax, "f", {})
    yield Text("plain text", "", "The quick brown fox. ")
    for part in ("<", "\n", " ", "[", "((", "\u00e9"):
        yield Text(f"{part!r} again and again", "", part)
    if pieces.reasoning:
        yield Text("reasoning opened again and again", "", pieces.reasoning.opening)
        yield Text("reasoning closed again and again", pieces.reasoning.opening, pieces.reasoning.closing)
    yield Text("calls", "", empty)
    full = written(syntax, "f", {"city": "Paris", "n": 5, "o": {"a": [1, "x"]}})
    for stop in (pieces.stops[0], pieces.stops[0][:2]):
        yield Text(f"calls, then {stop}", "", full, stop)
        yield Text(f"text, then {stop}", "", "<b>The</b> ", stop)
    yield Text("calls with text between", "", empty + " and ")
    yield Text("calls with a value", "", written(syntax, "f", {"city": "Paris", "n": 5}))
    yield Text("stopped", pieces.stops[0], "x")
    if isinstance(syntax, TaggedCalls):
        yield from _of_pairs(syntax.call, syntax.argument, empty)
        if syntax.quotes:
            yield from _of_quotes(full.partition("city")[0], syntax.argument, syntax.quotes)
    elif isinstance(syntax, PythonCalls):
        yield from _of_python(syntax.opening, syntax.closing)
    elif isinstance(syntax, KeyedCalls):
        yield from _of_keyed(empty.partition("{")[0], syntax.text, syntax.closing)
    else:
        head, tail = full.split('{"city"')[0], full.split("]}}")[1]
        opening = syntax.opening if isinstance(syntax, JsonCalls) else re.split(r"\{name\}|\{id\}", syntax.call)[0]
        yield from _of_json(opening or head[:1], head, tail)
    if codec.hints.response:
        yield Text("a response", empty + codec.hints.response.opening, "result\n")
        yield Text("responses", empty, codec.hints.response.opening + "x" + codec.hints.response.closing)
    if codec.hints.notice and pieces.reasoning:
        yield Text("a notice", pieces.reasoning.opening + codec.hints.notice.opening, "tokens ")


def _of_quotes(head: str, argument: str, quotes: Block) -> Iterator[Text]:
    before, end = argument.partition("{key}")[2].split("{value}")
    begin = f"{head}city{before}{quotes.opening}"
    yield Text("a quoted text", begin, "abc ", quotes.closing + end)
    yield Text("a quoted text of closing quotes", begin, quotes.closing, end)
    yield Text("a quoted text of markers", begin, end)
    yield Text("a quoted text of closing quotes and markers", begin, quotes.closing + end)


def _of_python(opening: str, closing: str) -> Iterator[Text]:
    yield Text("openers", "", opening)
    yield Text("openers with a name", "", opening + "f(")
    yield Text("a string", opening + "f(city='", "abc ", "')" + closing)
    yield Text("a string of escapes", opening + "f(city='", "\\n\\u00e9", "')" + closing)
    yield Text("a string of markers", opening + "f(city='", closing.strip() + opening.strip(), "')" + closing)
    for part in ("', ", "', x", "') "):
        yield Text(f"a string of {part!r}", opening + "f(city='", part, "')" + closing)
    yield Text("a list", opening + "f(a=[0", ", 12", "])" + closing)
    yield Text("brackets", opening + "f(a=", "[", closing)
    yield Text("arguments", opening + "f(a=0", ", NUMBER=1", ")" + closing)
    yield Text("arguments without names", opening + "f(a=0", ", 1", ")" + closing)
    yield Text("a name", opening, "f", "()" + closing)
    yield Text("spaces inside", opening + "f(", " ", ")" + closing)
    yield Text("spaces behind", opening + "f()", " ", closing)
    yield Text("calls between markers", opening + "f()", ", f()", closing)


def _of_keyed(head: str, text: Block, closing: str) -> Iterator[Text]:
    yield Text("openers", "", head)
    yield Text("openers with a brace", "", head + "{")
    yield Text("a text", head + "{city:" + text.opening, "abc ", text.closing + "}" + closing)
    for part in (text.closing, text.closing + ", ", text.closing + ",a", text.closing + "}", "}" + closing + head):
        yield Text(f"a text of {part!r}", head + "{city:" + text.opening, part, text.closing + "}" + closing)
    yield Text("a word", head + "{a:", "abc ", "}" + closing)
    yield Text("a word of commas", head + "{a:", "b, c ", "}" + closing)
    yield Text("a word of what begins as a closing marker", head + "{a:b", closing[:3] or "]", "}" + closing)
    yield Text("a list", head + "{a:[0", ",12", "]}" + closing)
    yield Text("texts", head + "{a:[0", "," + text.opening + "x" + text.closing, "]}" + closing)
    yield Text("brackets", head + "{a:", "[", closing)
    yield Text("arguments", head + "{a:0", ",kNUMBER:1", "}" + closing)
    yield Text("a key", head + "{", "f", ":1}" + closing)
    yield Text("spaces inside", head + "{", " ", "}" + closing)
    yield Text("spaces behind", head + "{}", " ", closing)
    yield Text("behind a fault", head + "{a,", " " + closing[:3], closing)


def _of_json(opening: str, head: str, tail: str) -> Iterator[Text]:
    closing = tail.lstrip("}")
    yield Text("openers", "", opening)
    yield Text("openers with a brace", "", opening + "{")
    yield Text("openers with a quote", "", opening + '{"')
    yield Text("a string", head + '{"city": "', "abc ", '"}' + tail)
    yield Text("a string of escapes", head + '{"city": "', "\\n\\u00e9", '"}' + tail)
    yield Text("a string of markers", head + '{"city": "', closing.strip() + opening.strip(), '"}' + tail)
    yield Text("a list", head + '{"a": [0', ", 12", "]}" + tail)
    yield Text("members", head + '{"a": 0', ', "NUMBER": 1', "}" + tail)
    yield Text("arguments as text", head + '"{\\"city\\": \\"', "abc ", '\\"}"' + tail)
    yield Text("escapes in arguments as text", head + '"{\\"city\\": \\"', "\\\\n", '\\"}"' + tail)
    yield Text("halves of characters in arguments as text", head + '"{\\"city\\": \\"', "\\ud83d", '\\"}"' + tail)
    yield Text("arguments first", opening + '{"arguments": {"city": "', "abc ", '"}, "name": "f"' + tail)
    yield Text("another member first", opening + '{"x": [0', ", 12", '], "name": "f", "arguments": {}' + tail)
    yield Text("a name", opening + '{"name": "', "f", '", "arguments": {}' + tail)
    yield Text("a key", opening + '{"', "f", '": 0, "name": "f", "arguments": {}' + tail)
    yield Text("behind a fault", head + "{x", " " + opening.strip()[:-1], closing)
    yield Text("spaces inside", head, " ", "{}" + tail)
    yield Text("spaces behind", head + "{}}", " ", closing)
    yield Text(
        "a list of calls", opening + "[" + '{"name": "f", "arguments": {}}', ', {"name": "f", "arguments": {}}', "]"
    )
    yield Text("deep", head + '{"a": ', "[" * 150 + "]" * 150 + ", ")


def _of_pairs(call: str, argument: str, empty: str) -> Iterator[Text]:
    head = call.replace("{name}", "f")
    city, number, value = (argument.replace("{key}", key) for key in ("city", "n", "o"))
    before, behind = city.split("{value}")
    closing = empty.partition(head.strip())[2]
    yield Text("openers", "", call.partition("{name}")[0])
    yield Text("heads", "", head)
    yield Text("a name", call.partition("{name}")[0], "f")
    yield Text("a key", head + argument.partition("{key}")[0], "f")
    yield Text("a text", head + before, "abc ", behind + closing)
    yield Text("a number", head + number.split("{value}")[0], "12", behind + closing)
    yield Text("an object", head + value.split("{value}")[0] + '{"a": [0', ", 12", "]}" + behind + closing)
    yield Text("the end of a value inside one", head + before, behind.strip() + " x", behind + closing)
    yield Text("the end of a value inside one, bare", head + before, behind.strip())
    yield Text("the end of a call inside a value", head + before, closing.strip() + " x")
    yield Text("the beginning of a pair inside a value", head + before, "\n" + before.strip())
    yield Text("heads inside a value", head + before, head)
    yield Text("newlines in a value", head + before, "\n")
    yield Text("spaces between pairs", head + city.replace("{value}", "x"), " ")
    yield Text("pairs of one name", head, city.replace("{value}", "x"))
    named = argument.replace("{key}", "kNUMBER").replace("{value}", "x")
    yield Text("pairs of many names", head, named, closing)
    yield Text("broken calls", "", head + city.replace("{value}", "x") + "y ")
    yield Text("calls without an end", "", head + city.replace("{value}", "x"))


class Cost(NamedTuple):
    """What reading cost: the steps, the CPU seconds, and the size of the state before the end."""

    steps: int
    seconds: float
    state: int


def cost(codec: Codec, text: str, chunk: int) -> Cost:
    """Read `text` in chunks, or parse it if the chunk is 0, and use the reply; no garbage is collected meanwhile."""
    gc.collect()
    gc.disable()
    try:
        begun = time.process_time()
        reader, size = codec.reader(tools=TOOLS), 0
        if chunk:
            for at in range(0, len(text), chunk):
                reader.feed(text[at : at + chunk])
            size = len(json.dumps(reader.state()))
        reply = reader.close() if chunk else codec.parse(text, tools=TOOLS)
        _ = reply.message, reply.turn, reply.segments, reply.malformed, reply.finish
        return Cost(reader.steps, time.process_time() - begun, size)
    finally:
        gc.enable()


class Growth(NamedTuple):
    """How the cost grows: the steps a character of the long text, how much more that is, and how much more time."""

    steps: float
    more_steps: float
    more_time: float
    state: int


def grown(codec: Codec, text: Text, chunk: int, rounds: int) -> Growth:
    """Return how the cost grows from the short text to the long one; the time's growth is the least of all rounds."""
    long, short = text.of(LONG), text.of(SHORT)
    most = float("inf")
    for _ in range(rounds):
        few = min((cost(codec, short, chunk) for _ in range(3)), key=lambda each: each.seconds)
        many = cost(codec, long, chunk)
        most = min(most, many.seconds / few.seconds if many.seconds > LEAST else 0.0)
        if most <= MOST_TIME:
            break
    steps = many.steps / len(long)
    return Growth(steps, steps * len(short) / max(few.steps, 1), most, many.state)


def main() -> int:
    """Measure, and print a line a text."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "codecs", nargs="*", default=list(CODECS), metavar="CODEC", help="which codecs; all unless given"
    )
    parser.add_argument("--rounds", type=int, default=3, help="how often to measure what seems to grow")
    asked = parser.parse_args()
    failed = False
    for name in asked.codecs:
        for text in texts(CODECS[name]):
            for way, chunk in WAYS.items():
                growth = grown(CODECS[name], text, chunk, asked.rounds)
                wrong = growth.more_time > MOST_TIME or (way == "chunks" and growth.more_steps > MOST_STEPS)
                failed |= wrong
                print(
                    f"{name:<17} {text.about:<41} {way:<8} {growth.steps:6.2f} steps {growth.more_steps:5.2f} more "
                    f"{growth.more_time:6.1f}x time {growth.state:>8} state{'  <-- grows' if wrong else ''}",
                    flush=True,
                )
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
