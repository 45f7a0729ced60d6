"""The oracle: random chats, rendered by chatcodec and by the references under transformers, must be equal.

    python tools/oracle.py REFERENCE [--chats N] [--seed N] [--jobs N] [FORMAT ...]

Equal means: the same text, or both raise; and the same message where the template or transformers itself words it.
Where Jinja or Python fails underneath the reference, any error of chatcodec will do, with a JSON pointer. Prints one
table, and the first differences; exits with 1 if there is one, or if fewer than 60 % of the chats render.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import chatcodec
from chatcodec.formats import registry
from chats import Chats
from reference import Outcome, Reference

RENDERED = 0.6
"""The least share of chats that must render, for the comparison to mean something."""

FIELDS = (
    "role",
    "content",
    "name",
    "tool_calls",
    "tool_call_id",
    "reasoning_content",
    "thinking",
    "reasoning",
    "refusal",
    "function_call",
    "audio",
    "annotations",
    "prefix",
    "id",
    "type",
    "text",
    "image",
    "images",
    "video",
    "function",
    "arguments",
    "weight",
    "nothing",
)
"""Fields that a message may have; a format must know which of them its template's source mentions."""

_SHARE = 2000


@dataclass
class Tally:
    """What came out for some chats of one format."""

    counts: Counter[str] = field(default_factory=Counter)
    reports: list[str] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        """Count what `other` counted."""
        self.counts += other.counts
        self.reports += other.reports


def own(codec: chatcodec.Codec, chat: dict[str, Any]) -> tuple[str | None, Exception | None]:
    """Return the text that chatcodec gives, or the exception that it raises, whatever it is."""
    chat = dict(chat)
    options = chat.pop("options")
    try:
        return codec.render(**chat, **options).text, None
    except Exception as error:
        return None, error


def difference(expected: Outcome, text: str | None, error: Exception | None) -> str | None:
    """Return what differs, None if nothing does."""
    if error is not None and not isinstance(error, chatcodec.ChatCodecError):
        return "crash"
    if error is not None and error.pointer is None:
        return "no pointer"
    if expected.text != text:
        return "text" if expected.text is not None and text is not None else "one raises"
    if error is not None and expected.kind != "python" and expected.error != str(error):
        return "message"
    return None


def report(what: str, where: str, chat: Any, expected: Outcome, text: str | None, error: Exception | None) -> str:
    """Return a difference in a few lines, texts from a little before they part."""
    first, second = repr(expected.text or expected.error), repr(text if error is None else error)
    same = next((index for index, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), 0)
    start = max(0, same - 40)
    return (
        f"{where}: {what}\n  reference {first[start:][:160]}\n  chatcodec {second[start:][:160]}\n  {str(chat)[:1500]}"
    )


def compare(directory: str, name: str, seed: int, count: int) -> Tally:
    """Compare `count` chats of one seed."""
    reference, codec, chats = Reference.load(Path(directory), name), chatcodec.load(name), Chats(seed)
    tally = Tally()
    for index in range(count):
        chat = chats.chat(name)
        expected = reference.render(chat)
        text, error = own(codec, chat)
        tally.counts["chats"] += 1
        tally.counts["rendered"] += expected.text is not None
        what = difference(expected, text, error)
        if what is not None:
            tally.counts[what] += 1
            if len(tally.reports) < 3:
                tally.reports.append(report(what, f"{name}, seed {seed}, chat {index}", chat, expected, text, error))
    return tally


def unknown_fields(directory: Path, name: str) -> Tally:
    """Compare which fields a format says its template mentions with those that the template does mention."""
    source = Reference.load(directory, name).source
    mentions = registry.get(name).mentions
    wrong = [word for word in FIELDS if mentions(word) != (word in source)]
    return Tally(Counter(fields=len(wrong)), [f"{name}: {word} is wrongly (not) mentioned" for word in wrong])


def main() -> int:
    """Run the comparison and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("reference", type=Path, help="the directory with the reference templates")
    parser.add_argument("formats", nargs="*", default=chatcodec.available(), help="which formats; all unless given")
    parser.add_argument("--chats", type=int, default=100_000, help="how many chats a format")
    parser.add_argument("--seed", type=int, default=1, help="where the random chats begin")
    parser.add_argument("--jobs", type=int, default=2, help="how many processes")
    asked = parser.parse_args()
    columns = ("text", "one raises", "message", "no pointer", "crash", "fields")
    print(f"{'format':<18} {'chats':>8} {'rendered':>9} " + " ".join(f"{column:>11}" for column in columns), flush=True)
    failed = False
    with ProcessPoolExecutor(asked.jobs, mp_context=get_context("spawn")) as pool:
        for name in asked.formats:
            tally = unknown_fields(asked.reference, name)
            shares = range(0, asked.chats, _SHARE)
            waiting = [
                pool.submit(
                    compare, str(asked.reference), name, asked.seed * 1_000_000 + at, min(_SHARE, asked.chats - at)
                )
                for at in shares
            ]
            for share in waiting:
                tally.add(share.result())
            counts = tally.counts
            rendered = counts["rendered"] / max(counts["chats"], 1)
            row = " ".join(f"{counts[column]:>11}" for column in columns)
            print(f"{name:<18} {counts['chats']:>8} {rendered:>8.1%} {row}", flush=True)
            print("\n".join(tally.reports[:5]), file=sys.stderr, end="\n" if tally.reports else "")
            failed |= rendered < RENDERED or any(counts[column] for column in columns)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
