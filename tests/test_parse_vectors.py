"""The parse vectors: each completion in vectors/formats is read as its file says, however it is cut.

What holds for every reply is tested on each of them too: nothing is lost, and who joins the deltas of a stream has the
message. They need no transformers and no template.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

import chatcodec
from chatcodec.reply.events import Event, merged
from parse_vectors import FORMATS, GIVEN, TOOLS, load, parse, paths, read, setting, shown
from vector_file import dumps

LONGEST_TO_SPLIT = 400
PATHS = [path for name in chatcodec.available() for path in paths(name)]
each_vector = pytest.mark.parametrize("path", PATHS, ids=[str(path.relative_to(FORMATS)) for path in PATHS])


def name_of(path: Path) -> str:
    return path.parts[-3]


def read_in_pieces(
    path: Path, vector: dict[str, Any], pieces: Iterable[str]
) -> tuple[list[list[Event]], chatcodec.Reply]:
    reader = load(name_of(path)).reader(**setting(vector))
    events = [reader.feed(piece) for piece in pieces]
    events.append(reader.finish(vector.get("finish_reason")))
    return events, reader.close(vector.get("finish_reason"))


@each_vector
def test_reply(path: Path) -> None:
    vector = read(path)
    assert shown(parse(name_of(path), vector)) == vector["reply"]


@each_vector
def test_however_it_is_cut(path: Path) -> None:
    vector = read(path)
    completion, whole = vector["completion"], parse(name_of(path), vector)
    cuts: list[Iterable[str]] = [completion, [completion[:1], "", completion[1:], ""]]
    if len(completion) <= LONGEST_TO_SPLIT:
        cuts += [[completion[:at], completion[at:]] for at in range(len(completion) + 1)]
    for pieces in cuts:
        events, reply = read_in_pieces(path, vector, pieces)
        assert merged(event for said in events for event in said) == whole.events, f"cut as {list(pieces)}"
        assert reply.events == whole.events
        assert (reply.finish, reply.turn, reply.message) == (whole.finish, whole.turn, whole.message)


@each_vector
def test_nothing_is_lost(path: Path) -> None:
    vector = read(path)
    reply = parse(name_of(path), vector)
    assert "".join(segment.text for segment in reply.segments) == vector["completion"]
    assert "".join(event.raw for event in reply.events) == vector["completion"] == reply.text
    ends = [0, *(segment.end for segment in reply.segments)]
    assert [segment.start for segment in reply.segments] == ends[:-1]
    parts = [*reply.segments, *reply.calls, *reply.malformed, *(value for call in reply.calls for value in call.values)]
    for part in parts:
        text = part.raw if isinstance(part, chatcodec.Call) or hasattr(part, "fault") else part.text
        assert vector["completion"][part.start : part.end] == text


@each_vector
def test_who_joins_the_deltas_has_the_message(path: Path) -> None:
    vector = read(path)
    said, reply = read_in_pieces(path, vector, vector["completion"])
    deltas = [event.delta for events in said for event in events if event.delta is not None]
    calls: dict[int, dict[str, Any]] = {}
    for delta in deltas:
        for part in delta.get("tool_calls", ()):
            index, function = part["index"], part["function"]
            if "id" in part:
                assert index not in calls, "a call began twice"
                calls[index] = {"id": part["id"], "type": part["type"], "function": dict(function)}
            else:
                calls[index]["function"]["arguments"] += function["arguments"]
    message = reply.message
    assert "".join(delta.get("content", "") for delta in deltas) == (message["content"] or "")
    assert "".join(delta.get("reasoning_content", "") for delta in deltas) == message.get("reasoning_content", "")
    waiting = [call for call in reply.calls if call.usable and call.response is None]
    assert [calls[call.index] for call in waiting] == message.get("tool_calls", [])
    for call in reply.calls:
        if call.usable:
            assert calls[call.index]["function"] == {"name": call.name, "arguments": call.arguments}
            assert type(json.loads(call.arguments)) is dict
    assert len(waiting) == len(message.get("tool_calls", []))


@each_vector
def test_a_reader_goes_on_from_a_state(path: Path) -> None:
    vector = read(path)
    codec, completion = load(name_of(path)), vector["completion"]
    whole = parse(name_of(path), vector)
    for at in {1, len(completion) // 3, len(completion) // 2, len(completion) - 1} & set(range(1, len(completion))):
        first = codec.reader(**setting(vector))
        events = first.feed(completion[:at])
        second = codec.reader(**setting(vector), state=json.loads(json.dumps(first.state())))
        events = [*events, *second.feed(completion[at:]), *second.finish(vector.get("finish_reason"))]
        assert merged(events) == whole.events, f"went on at {at}"


@each_vector
def test_it_says_what_it_shows(path: Path) -> None:
    vector = read(path)
    assert list(vector) == [key for key in (*GIVEN, "reply") if key in vector], "keys in another order"
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", path.stem)
    assert re.search(r"[.)]$", vector["about"])
    reply = vector["reply"]
    assert {"message", "turn", "finish", "segments"} <= reply.keys()
    assert "".join(text for _, text in reply["segments"]) == vector["completion"]
    assert all(kind and text for kind, text in reply["segments"])
    assert len(reply.get("calls", ())) >= sum(kind == "call" for kind, _ in reply["segments"])
    assert dumps(vector) == path.read_text(encoding="utf-8"), "not in the style of `python tools/parse_vectors.py`"


@pytest.mark.parametrize("name", chatcodec.available())
def test_a_format_has_enough_of_them(name: str) -> None:
    vectors = [read(path) for path in paths(name)]
    assert len(vectors) >= 60
    inputs = Counter(json.dumps({key: vector.get(key) for key in GIVEN[1:]}, sort_keys=True) for vector in vectors)
    assert [given for given, times in inputs.items() if times > 1] == [], "two vectors of one input"
    assert len({vector["about"] for vector in vectors}) == len(vectors), "two vectors say the same"


def test_each_list_of_tools_is_used() -> None:
    used = {vector["tools"] for path in PATHS if isinstance((vector := read(path)).get("tools"), str)}
    assert used == {path.stem for path in TOOLS.glob("*.json")}
