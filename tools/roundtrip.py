"""The round trip: random turns, rendered and read back, must be what `canon` says that their format keeps.

    python tools/roundtrip.py [--count N] [--seed N] [--jobs N] [FORMAT ...]

A turn is rendered behind a user's message; what stands behind the generation prompt is the completion that a model
would have written. Read with the same tools, it must give the message that canon gives: content, reasoning, calls with
their arguments as JSON values, in order, 1 and 1.0 told apart. And the turn that comes back, rendered again, must go on
from the prompt as the completion did, unless one of the losses is known to be rewritten. Prints a table, and what was
lost how often; the first difference of each format in full. Exits with 1 if there is one, if more than a tenth of the
turns of a format lose something, or if a loss that is declared never came.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context
from textwrap import fill
from typing import Any

import chatcodec
from canon import REWRITES, RULES, canon, loss
from drafts import Draft
from turns import Case, Turns

USER = {"role": "user", "content": "Go on."}
KEPT = 0.9
"""The least share of turns that must come back as they were."""

ENOUGH = 5_000
"""From how many turns on shares count, and each loss must have come."""

STRUCTURE = {"unclosed", "missing name", "invalid arguments", "unexpected text", "missing marker", "duplicate argument"}
_SHARE = 1000


@dataclass
class Tally:
    """What came out for some turns of one format."""

    counts: Counter[str] = field(default_factory=Counter)
    losses: Counter[str] = field(default_factory=Counter)
    reports: list[str] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        """Count what `other` counted."""
        self.counts += other.counts
        self.losses += other.losses
        self.reports += other.reports


@dataclass
class Trip:
    """One turn, there and back: what it is rendered as, and the reply that is read from that."""

    prompt: chatcodec.Rendered
    completion: str
    reply: chatcodec.Reply
    again: str


def travel(codec: chatcodec.Codec, case: Case) -> Trip:
    """Render a turn, read it, and render what was read."""
    prompt = codec.render([USER], tools=case.tools, add_generation_prompt=True, **case.options)
    completion = completion_of(codec, case, prompt.text)
    given = (prompt, prompt.text, None)[len(completion) % 3]  # all say the same
    reply = codec.parse(completion, tools=case.tools, prompt=given, **case.options)
    again = codec.render([USER, reply.turn], tools=case.tools, continue_final_message=case.open, **case.options)
    return Trip(prompt, completion, reply, again.text)


def completion_of(codec: chatcodec.Codec, case: Case, prompt: str) -> str:
    """Return what a model would write for a turn: what stands behind the prompt, through the end of the turn.

    Raises ValueError if the turn does not go on from the prompt.
    """
    whole = codec.render([USER, case.turn], tools=case.tools, continue_final_message=case.open, **case.options).text
    if not whole.startswith(prompt):
        if prompt.startswith(whole):
            return ""
        raise ValueError(f"the turn does not go on from the prompt:\n{prompt}\n{whole}")
    stop = codec.pieces.stops[0]
    return whole[len(prompt) :].removesuffix("\n") if whole.endswith(stop + "\n") else whole[len(prompt) :]


def difference(name: str, trip: Trip, kept: Draft) -> str | None:
    """Return what differs from what canon says for the format `name`, None if nothing does."""
    reply = trip.reply
    if reply.text != trip.completion:
        return "text"
    if not same(reply.message, kept.message):
        return "message"
    if len(reply.calls) != len(kept.calls) or any(
        a.response != b.response for a, b in zip(reply.calls, kept.calls, strict=True)
    ):
        return "calls"
    for call, draft in zip(reply.calls, kept.calls, strict=True):
        if (
            call.usable != draft.usable
            or (draft.plain and call.problems)
            or not (kept.losses or STRUCTURE.isdisjoint(call.problems))
        ):
            return "status"
    if reply.finish != ("tool_calls" if kept.message.get("tool_calls") else "stop"):
        return "finish"
    if not goes_on(trip, kept) and REWRITES[name].isdisjoint(kept.losses):
        return "prefix"
    return None


def goes_on(trip: Trip, kept: Draft) -> bool:
    """Whether the turn that came back is written as it was, through its stop."""
    completion = trip.completion
    if kept.cut:
        completion = completion[
            : len(completion) - sum(len(part.text) for part in trip.reply.segments if part.kind == "after")
        ]
    return trip.again.startswith(trip.prompt.text + completion)


def same(message: Mapping[str, Any], kept: Mapping[str, Any]) -> bool:
    """Whether a message is the one that was kept: arguments are compared as JSON, key order and all, or as text."""
    calls, kept_calls = message.get("tool_calls", ()), kept.get("tool_calls", ())
    if {**message, "tool_calls": None} != {**kept, "tool_calls": None} or len(calls) != len(kept_calls):
        return False
    for call, kept_call in zip(calls, kept_calls, strict=True):
        given, wanted = call["function"]["arguments"], kept_call["function"]["arguments"]
        if not isinstance(wanted, str):
            given, wanted = json.dumps(json.loads(given)), json.dumps(wanted)
        if given != wanted or {**call, "function": call["function"]["name"]} != {
            **kept_call,
            "function": kept_call["function"]["name"],
        }:
            return False
    return True


def report(what: str, where: str, case: Case, trip: Trip, kept: Draft) -> str:
    """Return a difference in full."""
    reply = trip.reply
    lines = {
        "turn": case.turn, "tools": case.tools, "options": case.options, "open": case.open,
        "completion": trip.completion, "read": reply.message, "kept": kept.message, "losses": kept.losses,
        "finish": reply.finish,
        "calls": [(call.name, call.arguments, call.problems, call.response) for call in reply.calls],
        "turn back": reply.turn, "written": trip.again[len(trip.prompt.text) :],
    }  # fmt: skip
    return "\n".join([f"{where}: {what}", *(f"  {name:<10} {value!r}" for name, value in lines.items())])


def compare(name: str, seed: int, count: int) -> Tally:
    """Send `count` turns of one seed there and back."""
    codec, turns, tally = chatcodec.load(name), Turns(name, seed), Tally()
    for index in range(count):
        case, where = turns.case(), f"{name}, seed {seed}, turn {index}"
        tally.counts["turns"] += 1
        kept = canon(name, case.turn, case.tools, case.options)
        tally.counts["whole"] += not kept.losses
        tally.losses.update(kept.losses)
        try:
            trip = travel(codec, case)
        except Exception as error:  # whatever it is, nothing may raise here
            tally.reports.append(f"{where}: {error!r}\n  {case!r}")
            continue
        what = difference(name, trip, kept)
        tally.counts["goes on"] += goes_on(trip, kept)
        tally.counts["equal"] += what is None
        if what is not None:
            tally.reports.append(report(what, where, case, trip, kept))
    del tally.reports[3:]
    return tally


def verdict(name: str, tally: Tally) -> list[str]:
    """Return what is wrong with the turns of a format."""
    counts, wrong = tally.counts, tally.reports[:1]
    if counts["equal"] < counts["turns"]:
        wrong.append(f"{name}: {counts['turns'] - counts['equal']} turns differ")
    if counts["turns"] < ENOUGH:
        return wrong
    if counts["whole"] < KEPT * counts["turns"]:
        wrong.append(f"{name}: fewer than {KEPT:.0%} of the turns come back as they were")
    never = [loss(rule) for rule in RULES[name] if not tally.losses[loss(rule)]]
    if never:
        wrong.append(f"{name}: never came: {', '.join(never)}")
    return wrong


def main() -> int:
    """Run the check and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("formats", nargs="*", default=chatcodec.available(), help="which formats; all unless given")
    parser.add_argument("--count", type=int, default=20_000, help="how many turns a format")
    parser.add_argument("--seed", type=int, default=1, help="where the random turns begin")
    parser.add_argument("--jobs", type=int, default=2, help="how many processes")
    asked = parser.parse_args()
    print(f"{'format':<18} {'turns':>7} {'equal':>7} {'identity':>9} {'prefix':>8}", flush=True)
    wrong = []
    with ProcessPoolExecutor(asked.jobs, mp_context=get_context("spawn")) as pool:
        for name in asked.formats:
            tally = Tally()
            shares = range(0, asked.count, _SHARE)
            waiting = [
                pool.submit(compare, name, asked.seed * 1_000_000 + at, min(_SHARE, asked.count - at)) for at in shares
            ]
            for share in waiting:
                tally.add(share.result())
            counts, turns = tally.counts, max(tally.counts["turns"], 1)
            whole, goes = counts["whole"] / turns, counts["goes on"] / turns
            losses = ", ".join(f"{lost} {number}" for lost, number in tally.losses.most_common())
            print(f"{name:<18} {counts['turns']:>7} {counts['equal']:>7} {whole:>9.1%} {goes:>8.1%}")
            print(
                fill(losses, 116, initial_indent="    ", subsequent_indent="    ", break_on_hyphens=False), flush=True
            )
            wrong += verdict(name, tally)
    print("\n".join(wrong), file=sys.stderr, end="\n" if wrong else "")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
