"""The rules of readers, each checked on one reply: `check` raises `Broken`, with the rule's name, where one is broken.

Rules of this file: a check asks only what chatcodec promises for every reply, so it knows no family. What a check draws
by chance (where a text is cut, which tokens are added ones) comes from the case's seed.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from chatcodec.codec import Codec
from chatcodec.errors import ChatCodecError, UnreadableInput
from chatcodec.reply.events import Event, merged
from chatcodec.reply.read_calls import Call
from chatcodec.reply.reader import Reader
from chatcodec.reply.reply import Reply
from replies import TOOLS, USER, Case, markers
from vocabulary import Vocabulary

_SIZES = (1, 1, 2, 3, 5, 8, 20, 100)
_FIELDS = ("message", "calls", "segments", "finish", "malformed", "content", "reasoning", "text")
_TEXTS = ("content", "reasoning", "response")
_SURROGATES = re.compile("[\ud800-\udfff]")


class Broken(Exception):
    """A rule that a reply breaks."""

    def __init__(self, rule: str, detail: str):
        super().__init__(f"{rule}: {detail}")
        self.rule, self.detail = rule, detail


def check(codec: Codec, case: Case, seed: object) -> None:
    """Check all rules on one case. Raises Broken; anything else that it raises, chatcodec raised."""
    chance = random.Random(f"{seed} {len(case.text)}")
    text = case.text

    def reader(**more: Any) -> Reader:
        return codec.reader(tools=tools_of(case), prompt=case.prompt, **more)

    first = reader()
    reason = chance.choice((None, "stop", "length"))
    events = first.feed(text)
    events += first.finish(reason)
    reply = first.close()
    check_reply(text, events, reply)
    one_by_one = read(reader(), text, reason)
    same("cut by character", merged(one_by_one), merged(events))
    pieces = pieces_of(text, chance)
    expect("chunks and states", merged(events), lambda: merged(resumed(reader, pieces, chance, reason)))
    whole = codec.collect(one_by_one, finish_reason=reason, tools=tools_of(case), prompt=case.prompt)
    same("collect", *([getattr(each, name) for name in (*_FIELDS, "turn")] for each in (whole, reply)))
    check_parse(codec.parse(text, finish_reason=reason, tools=tools_of(case), prompt=case.prompt), reply)
    if case.kind == "turn":
        check_turn(codec, case, reply)
    other = chance.random()
    if other < 0.3:
        check_ids(codec, case, chance, reply)
    elif other < 0.55:
        check_prompt(codec, case, chance)
    elif other < 0.6:
        check_text_only(codec, case)


def expect(rule: str, expected: Any, make: Callable[[], Any]) -> None:
    """Check that what `make` gives is as expected."""
    same(rule, make(), expected)


def same(rule: str, found: Any, expected: Any) -> None:
    """Check that two lists, or two values, are equal. Says where they part."""
    if found == expected:
        return
    if isinstance(found, list) and isinstance(expected, list):
        part = next((i for i, (a, b) in enumerate(zip(found, expected, strict=False)) if a != b), -1)
        found, expected = found[part:][:3], expected[part:][:3]
    raise Broken(rule, f"found    {found!r:.700}\n  expected {expected!r:.700}")


def read(reader: Reader, pieces: Iterable[str], reason: str | None = None) -> list[Event]:
    """Return the events of a reply that comes in pieces."""
    events: list[Event] = []
    for piece in pieces:
        events += reader.feed(piece)
    return events + reader.finish(reason)


def resumed(
    make: Callable[..., Reader], pieces: Sequence[Any], chance: random.Random, reason: str | None = None
) -> list[Event]:
    """Return the events of a reply that comes in pieces, where at some pieces another reader goes on from the state."""
    reader, events = make(), []
    often = min(0.3, 2 / max(len(pieces), 1))
    for piece in pieces:
        if chance.random() < often:
            state = through_json(reader.state())
            reader = make(state=state)
            same("state of a resumed reader", through_json(reader.state()), state)
        events += reader.feed(piece) if isinstance(piece, str) else reader.feed_ids(piece)
    return events + reader.finish(reason)


def through_json(data: Any) -> Any:
    """Return `data` as JSON gives it back; written as escapes, two halves of a character would become one."""
    return json.loads(json.dumps(data, ensure_ascii=False))


def pieces_of(whole: Any, chance: random.Random) -> list[Any]:
    """Return a text or a list, cut into pieces at random; some are empty."""
    pieces, at = [], 0
    sizes = chance.choice((_SIZES, (1, 2), (30,), (0, 1, 7)))
    while at < len(whole):
        size = chance.choice(sizes)
        pieces.append(whole[at : at + size])
        at += size
    return pieces


def tools_of(case: Case) -> list[dict[str, Any]] | None:
    """Return the tools of a case."""
    return TOOLS if case.tools else None


def check_reply(text: str, events: list[Event], reply: Reply) -> None:
    """Check that what is said of a text is of that text, and makes sense."""
    same("lossless", "".join(event.raw for event in events), text)
    for event in events:
        same("texts", event.text if event.type in _TEXTS else event.raw, event.raw)
    same("lossless", "".join(segment.text for segment in reply.segments), text)
    position = 0
    for segment in reply.segments:
        same("segments", (segment.start, segment.end), (position, position + len(segment.text)))
        position = segment.end
    kinds = [segment.kind for segment in reply.segments]
    if kinds.count("stop") > 1 or ("stop" in kinds and set(kinds[kinds.index("stop") + 1 :]) - {"after"}):
        raise Broken("segments", repr(kinds))
    for call in reply.calls:
        same("spans of calls", text[call.start : call.end], call.raw)
        for argument in call.values:
            same("spans of arguments", text[argument.start : argument.end], argument.raw)
            if not call.start <= argument.start <= argument.end <= call.end:
                raise Broken("spans of arguments", repr(call))
    for span in reply.malformed:
        same("malformed", text[span.start : span.end], span.text)
        within = {s.kind for s in reply.segments if s.start < span.end and span.start < s.end}
        if not within <= {"content", "reasoning", "marker", "notice"}:
            raise Broken("malformed", f"{span} is in {within}")
    repr(reply), json.dumps([reply.message, reply.turn, [event.as_json() for event in events]])
    if not _SURROGATES.search(text) and any(_SURROGATES.search(event.text) for event in events):
        raise Broken("characters of the completion", repr(events))
    check_calls(events, reply)
    check_message(reply)


def check_calls(events: list[Event], reply: Reply) -> None:
    """Check usable calls, and that the deltas of a stream join to the message."""
    deltas = dict[int, str]()
    starts = [event.call for event in events if event.type == "call_start"]
    for event in events:
        for delta in (event.delta or {}).get("tool_calls", ()):
            deltas[delta["index"]] = deltas.get(delta["index"], "") + delta["function"].get("arguments", "")
    same("numbers of calls", starts, list(range(len(starts))))
    same("numbers of calls", [call.index for call in reply.calls], starts)
    for call in reply.calls:
        if not call.usable:
            continue
        if call.name is None or not isinstance(json.loads(call.arguments), dict):
            raise Broken("usable calls", repr(call))
        same("deltas of calls", deltas.get(call.index), call.arguments)
        if call.values:
            same("members", list(dict(json.loads(call.arguments))), list(dict.fromkeys(a.name for a in call.values)))
    content = "".join((event.delta or {}).get("content", "") for event in events)
    same("deltas of content", content, reply.content)
    reasoning = "".join((event.delta or {}).get("reasoning_content", "") for event in events)
    same("deltas of reasoning", reasoning, reply.reasoning)


def check_message(reply: Reply) -> None:
    """Check that the message has the texts, and the calls to carry out, and that the reply says why it ended."""
    calls = [call for call in reply.calls if call.usable and call.response is None]
    message: dict[str, Any] = {"role": "assistant", "content": reply.content or (None if calls else "")}
    if reply.reasoning:
        message["reasoning_content"] = reply.reasoning
    if calls:
        message["tool_calls"] = [
            {
                "id": f"call_{call.index}" if call.id is None else call.id,
                "type": "function",
                "function": {"name": call.name, "arguments": call.arguments},
            }
            for call in calls
        ]
    same("message", reply.message, message)
    if reply.finish in ("stop", "tool_calls"):
        same("finish", reply.finish, "tool_calls" if calls else "stop")


def check_parse(at_once: Reply, reply: Reply) -> None:
    """Check that a reply that was parsed at once is the same as one that was read."""
    for name in (*_FIELDS, "turn", "events"):  # the message first: it may have been made in another way
        same(f"parse: {name}", getattr(at_once, name), getattr(reply, name))


def check_turn(codec: Codec, case: Case, reply: Reply) -> None:
    """Check that an ordinary turn, read and rendered again, gives the same text."""
    rendered = codec.render([USER, reply.turn]).text.partition(codec.pieces.header)[2]
    if not rendered.endswith(case.text):
        raise Broken("round trip", f"rendered {rendered!r:.700}\n  of turn  {reply.turn!r:.700}")
    if [
        call
        for call in reply.calls
        if not {"unknown tool", "untyped", "ambiguous", "retyped"}.issuperset(call.problems)
    ]:
        raise Broken("round trip", repr(reply.calls))


def check_prompt(codec: Codec, case: Case, chance: random.Random) -> None:
    """Check that a turn whose beginning is in the prompt is read on from there."""
    header, text = codec.pieces.header, case.text
    if not header.strip() or header.split()[0] in text:
        return
    at = chance.randint(0, len(text))
    if text[:at].rstrip().endswith(codec.pieces.stops):  # that turn is over
        return

    def reader(begun: int, **more: Any) -> Reader:
        return codec.reader(tools=tools_of(case), prompt=header + text[:begun], **more)

    def read_from(begun: int) -> Reply:
        behind = reader(begun)
        events = [*behind.feed(text[begun:]), *behind.finish()]
        check_reply(text[begun:], events, behind.close())
        return behind.close()

    whole, behind = read_from(0), read_from(at)

    def again(**more: Any) -> Reader:
        return reader(at, **more)

    expect("cut by character behind a prompt", behind.events, lambda: merged(read(again(), text[at:])))
    expect(
        "states behind a prompt", behind.events, lambda: merged(resumed(again, pieces_of(text[at:], chance), chance))
    )
    if any(s.kind in ("stop", "after") and s.start < at for s in whole.segments):
        return
    same("calls behind a prompt", _calls(behind.calls), _calls(whole.calls[len(whole.calls) - len(behind.calls) :]))
    if len(behind.calls) < len([call for call in whole.calls if call.end > at]):
        raise Broken("calls behind a prompt", repr(whole.calls))
    if not again().state()["tape"]["open"]:
        same("turn behind a prompt", behind.turn, whole.turn)


def _calls(calls: Iterable[Call]) -> list[Any]:
    return [(call.name, call.arguments, call.problems, call.as_text, call.response) for call in calls]


def check_text_only(codec: Codec, case: Case) -> None:
    """Check that nothing is read as a call where no tool may be called."""
    reader = codec.reader(tools=tools_of(case), prompt=case.prompt, tool_choice="none")
    events = reader.feed(case.text)
    events += reader.finish()
    reply = reader.close()
    check_reply(case.text, events, reply)
    begun = case.prompt is not None and codec.reader(tools=tools_of(case), prompt=case.prompt).state()["tape"]["open"]
    if not begun and (reply.calls or reply.malformed):
        raise Broken("no calls", repr(reply.calls))


def check_ids(codec: Codec, case: Case, chance: random.Random, as_text: Reply) -> None:
    """Check that a reply is read alike however its token ids come in, and that a marker spelled out is text."""
    marks = [mark for mark in markers(codec) if len(mark) > 2]  # shorter ones never count as markers by their id
    added = marks if chance.random() < 0.6 else [mark for mark in marks if chance.random() < 0.6]
    others = chance.sample((" ", "\n\n", "<|x|>", "{", "é"), chance.choice((0, 0, 1, 2)))
    vocabulary = Vocabulary(added, others)
    spelled = chance.choice((0.0, 0.0, 0.3, 1.0))
    ids, text, twins = vocabulary.encode(case.text, chance, spelled)

    def reader(**more: Any) -> Reader:
        more |= {"piece": vocabulary.piece, "added": vocabulary.added}
        return codec.reader(tools=tools_of(case), prompt=case.prompt, **more)

    first = reader()
    events = first.feed_ids(ids)
    events += first.finish()
    check_reply(text, events, first.close())
    events = merged(events)
    if chance.random() < 0.3:
        more: dict[str, Any] = {"piece": vocabulary.piece, "added": vocabulary.added}
        check_parse(codec.parse(ids, tools=tools_of(case), prompt=case.prompt, **more), first.close())
    expect("ids one by one", events, lambda: merged(resumed(reader, [[token] for token in ids], chance)))
    expect("ids in chunks", events, lambda: merged(resumed(reader, pieces_of(ids, chance), chance)))
    if case.kind == "turn" and not spelled:
        same("ids as text", events, as_text.events)
    if twins != text and all(text.count(mark) == twins.count(mark) for mark in marks if mark not in added):
        same_ids = vocabulary.encode(twins, chance)[0]
        twin = reader()
        twin_events = merged([*twin.feed_ids(same_ids), *twin.finish()])
        shape, expected = ([(e.type, len(e.raw), e.call) for e in each] for each in (events, twin_events))
        same("a marker spelled out is text", shape, expected)
    check_unknown_id(reader(), ids, len(vocabulary.pieces), chance)


def check_unknown_id(reader: Reader, ids: list[int], size: int, chance: random.Random) -> None:
    """Check that an id that the vocabulary lacks raises UnreadableInput, and changes nothing."""
    reader.feed_ids(ids[: chance.randint(0, len(ids))])
    before = json.dumps(reader.state())
    wrong: Any = chance.choice((size, -1, 1 << 70, None, "a", 1.5))
    try:
        reader.feed_ids([*ids[:2], wrong])
    except UnreadableInput:
        same("an unknown id changes nothing", json.dumps(reader.state()), before)
    else:
        raise Broken("an unknown id raises UnreadableInput", repr(wrong))
    try:
        reader.feed("a")
    except ChatCodecError:
        return
    raise Broken("a reader of ids takes no text", "")
