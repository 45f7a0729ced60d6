"""Random chats for somebody's templates: those of `chats`, with options that some template reads.

Rules: the same seed gives the same chats. Every other chat is plain JSON data; the others may have Python objects in
them. What chatcodec refuses by rule (lone surrogates) is not among them.
"""

from __future__ import annotations

import random

from chatcodec.chat.plain import plain
from chats import Chats
from corpus_chats import CHATS
from corpus_words import SPECIAL_TOKENS, Chat
from oddities import OPTIONS


def random_chats(seed: int, count: int) -> dict[str, Chat]:
    """Return random chats by their names."""
    source, dice = Chats(seed), random.Random(seed)
    settings = [each for chat in CHATS.values() for each in chat["options"].items() if each[0] not in SPECIAL_TOKENS]
    made = {}
    for number in range(count):
        chat = source.chat(dice.choice(list(OPTIONS)))
        chat = plain(chat) if number % 2 else chat
        chosen = dict(dice.sample(settings, dice.choice((0, 0, 1, 2, 5))))
        made[f"random {seed}/{number}"] = {**chat, "options": {**SPECIAL_TOKENS, **chat["options"], **chosen}}
    return made
