"""Fill in the replies of new parse vectors, or check that each vector has the reply that is read.

    python tools/parse_vectors.py [--check] [FORMAT ...]

A vector is written by hand; see vectors/README.md for its keys. What is read by chatcodec is filled in only where
``reply`` is missing, to be judged by whoever wrote the vector: a reply that is there is right, and is never written
over. Rules: one case a file; the same input gives the same bytes. This file does not know what to test.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import chatcodec
from vector_file import FORMATS, Vector, dumps

TOOLS = FORMATS.parent / "tools"
NEEDED = ("about", "completion")
GIVEN = (*NEEDED, "tools", "options", "prompt", "finish_reason", "tool_choice")

load = cache(chatcodec.load)
"""`chatcodec.load`, each format once: a codec keeps what its readers share."""


def paths(format_name: str) -> list[Path]:
    """Return the parse vectors of a format, sorted."""
    return sorted((FORMATS / format_name / "parse").glob("*.json"))


def read(path: Path) -> Vector:
    """Return the vector in a file. Raises ValueError for one that lacks a key, or has one of no meaning."""
    vector: Vector = json.loads(path.read_text(encoding="utf-8"))
    if not set(NEEDED) <= vector.keys() <= {*GIVEN, "reply"}:
        raise ValueError(f"{path}: a vector has about, completion and reply, and may have {', '.join(GIVEN[2:])}")
    return vector


@cache
def named_tools(name: str) -> list[dict[str, Any]]:
    """Return the list of tools of that name. Raises FileNotFoundError."""
    tools: list[dict[str, Any]] = json.loads((TOOLS / f"{name}.json").read_text(encoding="utf-8"))
    return tools


def setting(vector: Vector) -> dict[str, Any]:
    """Return what `Codec.reader` takes for a vector."""
    given: dict[str, Any] = {name: vector[name] for name in ("tools", "prompt", "tool_choice") if name in vector}
    if isinstance(given.get("tools"), str):
        given["tools"] = named_tools(given["tools"])
    return {**given, **vector.get("options", {})}


def parse(format_name: str, vector: Vector) -> chatcodec.Reply:
    """Return the reply to a vector's completion, read at once."""
    return load(format_name).parse(vector["completion"], finish_reason=vector.get("finish_reason"), **setting(vector))


def shown(reply: chatcodec.Reply) -> dict[str, Any]:
    """Return a reply as a vector has it."""
    data: dict[str, Any] = {"message": reply.message, "turn": reply.turn, "finish": reply.finish}
    if reply.calls:
        data["calls"] = [_shown_call(call) for call in reply.calls]
    data["segments"] = [[segment.kind, segment.text] for segment in reply.segments]
    if reply.malformed:
        data["malformed"] = [malformed.text for malformed in reply.malformed]
    return data


def _shown_call(call: chatcodec.Call) -> dict[str, Any]:
    data: dict[str, Any] = {"name": call.name}
    if call.id is not None:
        data["id"] = call.id
    data |= {"arguments": call.arguments, "status": call.status}
    if call.problems:
        data["problems"] = list(call.problems)
    data["raw"] = call.raw
    if call.response is not None:
        data["response"] = call.response
    return data


def completed(format_name: str, vector: Vector) -> Vector:
    """Return `vector` in the order of its keys, with a reply if it has none."""
    given = {name: vector[name] for name in GIVEN if name in vector}
    return {**given, "reply": vector["reply"] if "reply" in vector else shown(parse(format_name, vector))}


def _faults(format_name: str, check: bool) -> Iterator[str]:
    """Yield what is wrong with the vectors of a format; write what can be put right, unless it is only to `check`."""
    for path in paths(format_name):
        vector = read(path)
        text, where = dumps(completed(format_name, vector)), path.relative_to(FORMATS)
        if text != path.read_text(encoding="utf-8"):
            yield f"{'would change' if check else 'written'}: {where}"
            if not check:
                path.write_text(text, encoding="utf-8")
        if "reply" in vector and vector["reply"] != shown(parse(format_name, vector)):
            yield f"is read otherwise: {where}"


def main() -> int:
    """Run the command; return its exit code."""
    parser = argparse.ArgumentParser(description="Fill in the replies of parse vectors that have none.")
    parser.add_argument("formats", nargs="*", default=chatcodec.available(), metavar="FORMAT", help="default: all")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if anything would change")
    arguments = parser.parse_args()
    faults = [fault for name in arguments.formats for fault in _faults(name, arguments.check)]
    print(*faults, sep="\n", end="\n" if faults else "")
    print(
        f"{sum(len(paths(name)) for name in arguments.formats)} parse vectors, {len(faults)} changed or read otherwise"
    )
    return 1 if any(arguments.check or fault.startswith("is") for fault in faults) else 0


if __name__ == "__main__":
    sys.exit(main())
