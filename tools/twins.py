"""Twins: a format and the template that it equals, rendered by chatcodec both, must say the same of each character.

    python tools/twins.py REFERENCE [--chats N] [--seed N] [FORMAT ...]

The same means: the same text or both raise; the same owning message everywhere; and the same data, leaf by leaf, for
content, reasoning, tool calls, results and tool definitions, but where one of the two says that it is derived: that is
counted, and may be at most one character in a thousand. A role is data where a template prints it raw and text of
the format where it is tested first, so roles are left out. Prints one table and the first differences; exits with 1 if
there is one.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import chatcodec
from chatcodec.formats import registry
from chats import Chats

COMPARED = frozenset({"content", "reasoning_content", "thinking", "reasoning", "tool_calls", "tool_call_id", "name"})
"""The fields of a message whose data is compared; tools are compared whole."""

DERIVED = "derived"


def rendered(codec: chatcodec.Codec, chat: dict[str, Any]) -> chatcodec.Rendered | chatcodec.ChatCodecError:
    """Return the prompt of a chat, or why there is none."""
    options = chat.get("options", {})
    given = {key: value for key, value in chat.items() if key != "options"}
    try:
        return codec.render(**given, allow_unknown=True, **options)
    except chatcodec.ChatCodecError as error:
        return error


def owners(prompt: chatcodec.Rendered) -> list[Any]:
    """Return for each character the message that owns it, or ``generation``."""
    found: list[Any] = []
    for span in prompt.spans:
        owner = span.owner if span.owner == "generation" else span.message
        found += [owner] * (span.end - span.start)
    return found


def shown(prompt: chatcodec.Rendered) -> list[str | None]:
    """Return for each character the leaf or key that it shows, if that is compared."""
    found: list[str | None] = [None] * len(prompt.text)
    for span in prompt.spans:
        if span.origin == "derived":
            found[span.start : span.end] = [DERIVED] * (span.end - span.start)
        if span.origin != "data":
            continue
        for leaf in prompt.leaves(span):
            steps = (leaf.pointer or "").split("/")
            if steps[1] == "tools" or (steps[1] == "messages" and len(steps) > 3 and steps[3] in COMPARED):
                found[leaf.start : leaf.end] = [f"{leaf.pointer} {leaf.shows}"] * (leaf.end - leaf.start)
    return found


def difference(native: Any, template: Any) -> str | None:
    """Return what differs between two prompts (or errors), None if nothing does."""
    if isinstance(native, Exception) or isinstance(template, Exception):
        return None if isinstance(native, Exception) and isinstance(template, Exception) else "one raises"
    if native.text != template.text:
        return "text"
    if owners(native) != owners(template):
        return "owners"
    pairs = zip(shown(native), shown(template), strict=True)
    return "data" if any(one != other and DERIVED not in (one, other) for one, other in pairs) else None


def report(name: str, index: int, what: str, native: Any, template: Any, chat: dict[str, Any]) -> str:
    """Return a difference in a few lines."""
    place = ""
    if what in ("owners", "data"):
        look = owners if what == "owners" else shown
        pairs = list(zip(look(native), look(template), strict=True))
        at = next(at for at, pair in enumerate(pairs) if pair[0] != pair[1] and DERIVED not in pair)
        place = (
            f"\n  at {at}, {native.text[max(0, at - 30) : at + 30]!r}: native {pairs[at][0]}, template {pairs[at][1]}"
        )
    elif what == "one raises":
        place = f"\n  native {native!r}\n  template {template!r}"
    return f"{name}, chat {index}: {what}{place}\n  {str(chat)[:800]}"


def compare(name: str, directory: Path, seed: int, count: int) -> tuple[Counter[str], list[str]]:
    """Compare `count` random chats of one format."""
    native = chatcodec.load(name)
    template = chatcodec.load(directory / registry.get(name).source)
    chats, counts = Chats(seed), Counter[str]()
    reports: list[str] = []
    for index in range(count):
        chat = chats.chat(name)
        one, other = rendered(native, chat), rendered(template, chat)
        counts["chats"] += 1
        if isinstance(one, chatcodec.Rendered) and isinstance(other, chatcodec.Rendered):
            counts["rendered"] += 1
            counts["characters"] += len(other.text)
            pairs = zip(shown(one), shown(other), strict=one.text == other.text)
            counts["derived"] += sum(theirs == DERIVED and ours is not None for ours, theirs in pairs)
        what = difference(one, other)
        if what is not None:
            counts[what] += 1
            if len(reports) < 5:
                reports.append(report(name, index, what, one, other, chat))
    return counts, reports


def main() -> int:
    """Run the comparison and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("reference", type=Path, help="the directory with the reference templates")
    parser.add_argument("formats", nargs="*", default=chatcodec.available(), help="which formats; all unless given")
    parser.add_argument("--chats", type=int, default=4000, help="how many chats a format")
    parser.add_argument("--seed", type=int, default=1, help="where the random chats begin")
    asked = parser.parse_args()
    columns = ("text", "one raises", "owners", "data")
    print(
        f"{'twins':<18} {'chats':>8} {'rendered':>9} " + " ".join(f"{column:>11}" for column in (*columns, "derived")),
        flush=True,
    )
    failed = False
    for name in asked.formats:
        counts, reports = compare(name, asked.reference, asked.seed, asked.chats)
        share = counts["rendered"] / max(counts["chats"], 1)
        row = " ".join(f"{counts[column]:>11}" for column in columns)
        derived = counts["derived"] / max(counts["characters"], 1)
        print(f"{name:<18} {counts['chats']:>8} {share:>8.1%} {row} {derived:>9.4%}", flush=True)
        print("\n".join(reports), file=sys.stderr, end="\n" if reports else "")
        failed |= share < 0.6 or derived > 0.001 or any(counts[column] for column in columns)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
