"""A thinking budget in words, the way that Seed-OSS was trained to read it."""

from __future__ import annotations

from chatcodec.render.marks import Mark

_INTERVALS = ((0, 0), (512, 128), (1024, 256), (2048, 512), (4096, 512), (8192, 1024), (16384, 1024))
"""Up to which budget (the first that is not smaller counts) the model reflects every so many tokens."""

_NONE = (
    "You are an intelligent assistant that can answer questions in one step without the need for reasoning and "
    "thinking, that is, your thinking budget is 0. Next, please skip the thinking process and directly start answering "
    "the user's questions."
)
_SOME = (
    "You are an intelligent assistant with reflective ability. In the process of thinking and reasoning, you need to "
    "strictly follow the thinking budget, which is "
)
_WITHIN = ". That is, you need to complete your thinking within "
_EVERY = " tokens and start answering the user's questions. You will reflect on your thinking process every "
_STATING = " tokens, stating how many tokens have been used and how many are left."


def budget_words(budget: float, mark: Mark) -> tuple[str, ...]:
    """Return the pieces that tell the model its `budget`, which `mark` says where to find; none for -1, no limit.

    Any number is a budget; above the largest tier its interval holds.
    """
    if budget == -1:
        return ()
    if budget == 0:
        return (_NONE,)
    interval = next((interval for tier, interval in _INTERVALS if budget <= tier), _INTERVALS[-1][1])
    return (_SOME, mark, str(budget), _WITHIN, mark, str(budget), f"{_EVERY}{interval}{_STATING}")
