"""Random chats for random templates: messages, and options that are called like the names that templates use.

`TemplateChats(random).chat()` gives the variables of one render. Rules: a name usually holds what
`template_expressions` takes it to hold, now and then anything else, and now and then it is not there. It knows nothing
of templates.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

_WORDS = (
    "a", "b", "Hi", " ", "\n", "<b>", "&", "é", "日本", "😀", "{{ x }}", "%s", "x, y", "\t", "http://a.b", "ß", "'",
    '"', "\\", "12",
)  # fmt: skip
_RARE = ("item", "k", "ns", "message", "loop", "caller", "joined", "m", "varargs", "range")
_TOOL = {"name": "f", "parameters": {"type": "object", "properties": {}}}


class TemplateChats:
    """A source of random chats."""

    def __init__(self, random: Random):
        self.random = random

    def chat(self) -> dict[str, Any]:
        """Return the variables of a chat: messages, options, and the rest."""
        count = self.random.choice((0, 1, 1, 2, 2, 2, 3, 3, 4))
        chat: dict[str, Any] = {"messages": [self.message() for _ in range(count)]}
        chat["add_generation_prompt"] = self.random.random() < 0.5
        if self.random.random() < 0.3:
            chat["tools"] = [{"type": "function", "function": _TOOL}]
        usual: dict[str, Callable[[], Any]] = {
            "s": self.text,
            "t": self.text,
            "long": self.long,
            "n": self.number,
            "i": self.number,
            "b": lambda: self.random.random() < 0.5,
            "l": lambda: [self.value(1) for _ in range(self.random.choice((0, 1, 2, 3)))],
            "d": lambda: {key: self.value(1) for key in self.random.sample(("a", "b", "n", "d", "items", "é"), 3)},
        }
        for name, make in usual.items():
            if self.random.random() < 0.93:
                chat[name] = make() if self.random.random() < 0.95 else self.value(2)
        for name in (*"xyz", *_RARE):
            if self.random.random() < (0.5 if name in "xyz" else 0.04):
                chat[name] = self.value(2)
        return chat

    def message(self) -> dict[str, Any]:
        """Return a message."""
        role = self.random.choice(("user", "assistant", "system", "tool"))
        message: dict[str, Any] = {"role": role, "content": self.text()}
        chance = self.random.random()
        if chance < 0.1:
            message["content"] = [{"type": "text", "text": self.text()}, {"type": "image"}]
        elif chance < 0.15:
            message["content"] = None
        elif chance < 0.35:
            call = {"name": "f", "arguments": {"a": self.value(1), "b": self.value(2)}}
            message["tool_calls"] = [{"type": "function", "id": "c1", "function": call}]
        return message

    def text(self) -> str:
        """Return a text."""
        return "".join(self.random.choice(_WORDS) for _ in range(self.random.choice((0, 1, 2, 3, 5))))

    def long(self) -> str:
        """Return a text of some thousand characters."""
        return self.random.choice(("ab ", "x<é\n", "-", "日本 ")) * self.random.choice((600, 1100, 2100))

    def number(self) -> Any:
        """Return a number."""
        return self.random.choice((0, 1, 2, 3, 7, -1, 10, 1.5, -0.0, 1e20, 12345678901234567890))

    def value(self, depth: int) -> Any:
        """Return any JSON value."""
        chance = self.random.random()
        if depth and chance < 0.2:
            return [self.value(depth - 1) for _ in range(self.random.choice((0, 1, 2, 3)))]
        if depth and chance < 0.4:
            return {key: self.value(depth - 1) for key in self.random.sample(("a", "b", "c", "n", "keys", "upper"), 2)}
        if chance < 0.7:
            return self.text()
        return self.random.choice((None, True, False, self.number(), self.number()))
