"""Seeded random chats, from ordinary to absurd, for comparing renderers.

`Chats(seed).chat(name)` gives the arguments of one render for the format of that name. Rules: the same seed gives the
same chats; most chats are ordinary with one or two oddities, so that most of them render; each behaviour by which the
references differ (kinds of part, reasoning beside inline markers, bare calls, budgets, odd types, ...) has its
generator below.
"""

from __future__ import annotations

import random
from collections import UserDict
from collections.abc import Callable
from types import MappingProxyType
from typing import Any

from oddities import FIELDS, KEYS, MARKERS, NAMES, OBJECTS, OPTIONS, SPACES, WORDS, Color, Point

Chat = dict[str, Any]


class Chats:
    """A source of random chats. `oddness`, drawn anew for each chat, is the chance that a field is not ordinary."""

    def __init__(self, seed: int):
        self.random = random.Random(seed)
        self.oddness = 0.0

    def chat(self, name: str) -> Chat:
        """Return one chat for the format `name`: messages, and by chance tools, documents, options and the rest."""
        self.oddness = self.random.choice((0.0, 0.0, 0.01, 0.02, 0.05, 0.2))
        messages = self.messages(name)
        chat: Chat = {"messages": messages, "options": self.options(name)}
        if self.chance(0.4):
            chat["tools"] = self.tools()
        if self.odd():
            chat["documents"] = self.pick((None, [], [{"title": "t", "text": "x"}], ["x"], 5, {"a": 1}))
        if self.chance(0.5):
            chat["add_generation_prompt"] = True if not self.odd() else self.pick((False, 0, 1, "yes", None))
        if self.chance(0.07):
            chat["continue_final_message"] = self.pick((True, True, True, *FIELDS))
            if not self.odd():
                chat.pop("add_generation_prompt", None)
        return chat

    # Chance

    def chance(self, probability: float) -> bool:
        """Whether something of this probability happens now."""
        return self.random.random() < probability

    def odd(self) -> bool:
        """Whether the next thing should not be ordinary."""
        return self.random.random() < self.oddness

    def pick(self, items: Any) -> Any:
        """Return one of `items`."""
        return items[int(self.random.random() * len(items))]

    def some(self, most: int, make: Callable[[], Any]) -> list[Any]:
        """Return up to `most` things that `make` gives."""
        return [make() for _ in range(int(self.random.random() * (most + 1)))]

    # Leaves

    def text(self) -> str:
        """Return a text: words, white space, now and then a marker."""
        pieces = []
        for _ in range(self.pick((0, 1, 1, 2, 3, 5))):
            pieces.append(self.pick(WORDS))
            if self.chance(0.4):
                pieces.append(self.pick(SPACES))
            if self.chance(0.12):
                pieces.append(self.pick(MARKERS))
        return "".join(pieces)

    def scalar(self) -> Any:
        """Return a JSON scalar."""
        return self.pick((
            None, True, False, 0, 1, -7, 12345678901234567890, 1.0, 1e-07, 1e22, -0.0, 3.14, float("nan"), "x", "1", "null",
        ))  # fmt: skip

    def value(self, depth: int = 2) -> Any:
        """Return any JSON value, now and then a Python object."""
        if self.odd():
            return self.pick(OBJECTS)
        kind = self.random.random()
        if depth and kind < 0.15:
            return self.some(3, lambda: self.value(depth - 1))
        if depth and kind < 0.3:
            return {self.key(): self.value(depth - 1) for _ in range(self.pick((0, 1, 2, 3)))}
        return self.text() if kind < 0.6 else self.scalar()

    def key(self) -> Any:
        """Return a key of an object."""
        return self.pick((5, None, True, 1.5)) if self.chance(0.1 * self.oddness) else self.pick(KEYS)

    # Messages

    def messages(self, name: str) -> Any:
        """Return the messages of a chat."""
        if self.chance(0.1 * self.oddness):
            return self.pick(([], "text", None, {"a": 1}, 5))
        messages: list[Any] = []
        if self.chance(0.5):
            messages.append({"role": "system", "content": self.system()})
        for _ in range(self.pick((1, 1, 2, 3, 4))):
            messages += self.exchange(name)
        if self.chance(0.15):
            messages.insert(int(self.random.random() * (len(messages) + 1)), self.extra(name))
        if self.chance(0.08):
            messages = messages[self.pick((1, 2)) :] or messages
        if self.odd():
            messages[int(self.random.random() * len(messages))] = self.broken()
        return messages if not self.chance(0.02) else tuple(messages)

    def broken(self) -> Any:
        """Return a message that is not quite one."""
        return self.pick((
            "text", None, 5, ["role", "user"], {}, {"role": "user"}, {"content": "no role"}, {"role": None, "content": "x"},
            {"role": 5, "content": "x"}, {"role": ["user"], "content": "x"}, UserDict(role="user", content="mapping"),
            MappingProxyType({"role": "assistant", "content": "proxied"}), {"role": Color.USER, "content": Color.RED},
        ))  # fmt: skip

    def extra(self, name: str) -> Any:
        """Return a message at an unusual place or of an unusual role."""
        role = self.pick(("system", "system", "system", "tool", "developer", "critic", "user", "assistant"))
        if name == "qwen3.6" and not self.odd():
            role = self.pick(("system", "tool", "user"))
        return {"role": role, "content": self.content(name)}

    def exchange(self, name: str) -> list[Any]:
        """Return a user message and what follows it."""
        messages = [self.user(name)]
        while self.chance(0.35) and len(messages) < 7:
            messages.append(self.calling(name))
            messages += [self.result(name) for _ in range(self.pick((0, 1, 1, 2)))]
        if self.chance(0.7):
            messages.append(self.assistant(name))
        return messages

    def system(self) -> Any:
        """Return the content of a system message."""
        if self.odd():
            return self.odd_content()
        if self.chance(0.15):
            return self.pick(("", " \n", "thinking: detailed thinking off.\n", "detailed thinking on"))
        return self.text()

    def user(self, name: str) -> Any:
        """Return a user message."""
        message = {"role": "user", "content": self.content(name)}
        if self.chance(0.1):
            message["content"] = self.pick(
                ("<tool_response>{}</tool_response>", " <tool_response>{}</tool_response>\n")
            ).format(self.text())
        if self.chance(0.08):
            message["name"] = self.pick(("Bob", "", "花子", self.value(1)))
        return message

    def assistant(self, name: str) -> Any:
        """Return an assistant message without calls."""
        message = {"role": "assistant", "content": self.content(name)}
        if self.chance(0.25) and isinstance(message["content"], str):
            message["content"] = self.pick((
                "<think>\n{}\n</think>\n\n{}", "{}</think>{}", "<think>{}{}", "<think>{}</think>a</think>{}", "\n</think>\n{}{}",
            )).format(self.text(), self.text())  # fmt: skip
        self.reason(message)
        if self.chance(0.05):
            message["tool_calls"] = self.pick(([], None, (), "", {}, 0, False))
        if self.chance(0.05):
            message["name"] = self.pick(("Bob", "", None))
        if self.chance(0.05):
            message["content"] = self.pick((None, "", "  "))
        if self.chance(0.03):
            del message["content"]
        return message

    def reason(self, message: Any) -> None:
        """Give `message` reasoning, under one name or several."""
        if self.chance(0.4):
            message[self.pick(("reasoning_content", "reasoning_content", "thinking", "reasoning"))] = self.text()
        if self.chance(0.05):
            message[self.pick(("reasoning_content", "thinking", "reasoning"))] = self.pick(("", "\n", None, 5, ["x"]))
        if self.odd():
            message[self.pick(("reasoning_content", "thinking", "reasoning"))] = self.value()

    def content(self, name: str) -> Any:
        """Return the content of a message: text, or parts where the format takes them."""
        if self.odd():
            return self.odd_content()
        if self.chance(0.15 if name in ("qwen3.6", "bailing-v3") else 0.01):
            return self.some(4, lambda: self.part(name))
        return self.text()

    def odd_content(self) -> Any:
        """Return content that is no text."""
        return self.pick((
            None, 5, 1.0, True, {}, {"text": "object"}, [], ["text"], ("image", "text"), [["text"]], [5], [None],
            [{"type": "text", "text": "parts"}], self.value(), *OBJECTS,
        ))  # fmt: skip

    def part(self, name: str) -> Any:
        """Return a content part."""
        ordinary: list[Any] = [
            {"type": "text", "text": self.text()}, {"type": "text", "text": self.text()}, {"text": self.text()},
            {"type": "image"}, {"type": "image", "image": "x.png"}, {"image": "x.png"}, {"image_url": {"url": "u"}},
            {"type": "video"}, {"video": "x.mp4"}, {"type": "image", "text": "T"},
            {"type": "text", "text": "T", "image": None}, {"image": None, "video": None, "text": None},
            {"text": self.scalar()}, {"type": "text", "text": {"a": ["b", None]}}, "an image", "a video", "a text",
            ["text"], ["video"], {"type": None, "text": "T"}, {"type": "", "video": 1}, {"type": [], "text": "T"},
        ]  # fmt: skip
        if name == "bailing-v3":
            ordinary += [
                {"type": "audio"},
                {"audio": 1},
                {"audio_url": "u"},
                {"type": "text"},
                {"type": "video", "image": 1},
            ]
        if name == "qwen3.6":
            ordinary += [{"type": "image_url", "image_url": {"url": "u"}}, {"type": 5, "text": "T"}]
        if self.chance(0.02) or self.odd():
            return self.pick((
                {"type": "image_url", "image_url": "u"}, {"type": "input_audio", "input_audio": {}}, {"type": "video_url"},
                {"type": "unknown", "text": "T"}, {}, "nothing", 5, None, [], Point(), *OBJECTS,
            ))  # fmt: skip
        return self.pick(ordinary)

    # Calls and results

    def calling(self, name: str) -> Any:
        """Return an assistant message with calls."""
        message: dict[str, Any] = {"role": "assistant", "content": self.content(name)}
        if self.chance(0.4):
            message["content"] = self.pick(("", None, " \n", "\n"))
        self.reason(message)
        message["tool_calls"] = [self.call(name) for _ in range(self.pick((1, 1, 2, 3)))]
        if self.odd():
            message["tool_calls"] = self.pick((
                "text", {"a": 1}, 5, True, ("x",), [None], [5], ["x"], [{}], [{"function": None}], [[]], self.value(), *OBJECTS,
            ))  # fmt: skip
        if self.chance(0.03):
            message["tool_calls"] = tuple(message["tool_calls"]) if isinstance(message["tool_calls"], list) else ()
        if self.chance(0.05):
            message["name"] = self.pick(("Bob", ""))
        return message

    def call(self, name: str) -> Any:
        """Return one tool call."""
        function: dict[str, Any] = {"name": self.pick(NAMES), "arguments": self.arguments(name)}
        if self.chance(0.03):
            del function["arguments"]
        if self.odd():
            function[self.pick(("name", "arguments"))] = self.value()
        if self.odd():
            function.pop(self.pick(("name", "arguments")), None)
        call: dict[str, Any] = {"id": self.pick(("call_1", "c", "")), "type": "function", "function": function}
        if self.chance(0.05):
            call.pop("id")
        if self.odd():
            call["id"] = self.value()
        if self.chance(0.1):
            call = {**function, "id": "bare"}
        if self.odd():
            call["function"] = self.pick((None, {}, "text", 5, [], Point()))
        return call

    def arguments(self, name: str) -> Any:
        """Return the arguments of a call, mostly of the type that the format takes."""
        if self.chance(0.04) or self.odd():
            return self.pick((None, "", "{}", '{"a": 1}', "text", [], [1], 5, UserDict(a=1), Point()))
        if name == "qwen2.5-ja-struct" and self.chance(0.6):
            return self.pick(('{"city": "Paris"}', "{}", "not JSON", '{"q": "線 \\u00e9"}'))
        return {self.key(): self.value() for _ in range(self.pick((0, 1, 1, 2, 3)))}

    def result(self, name: str) -> Any:
        """Return a tool message."""
        message: dict[str, Any] = {"role": "tool", "content": self.content(name)}
        if self.chance(0.7):
            message["tool_call_id"] = self.pick(("call_1", "c", "", None)) if not self.odd() else self.value()
        if name == "qwen2.5-ja-struct" and self.chance(0.2):
            message["content"] = self.value()
        if self.odd():
            message.pop("content")
        return message

    # Tools and options

    def tools(self) -> Any:
        """Return a list of tool definitions."""
        if self.odd():
            return self.pick(
                ([], (), {}, "", "text", 5, False, [5], ["x"], [{}], [None], [Color.RED], {"type": "function"})
            )
        return [self.tool() for _ in range(self.pick((0, 1, 1, 1, 2, 3)))]

    def tool(self) -> Any:
        """Return one tool definition."""
        parameters: dict[str, Any] = {"type": "object", "properties": self.properties()}
        if self.chance(0.7):
            parameters["required"] = self.pick((["city"], [], ["days", "q"], ("city",)))
        if self.chance(0.04):
            parameters["required"] = self.pick((None, "city days", {"city": 1}, 5, [5, None]))
        function: dict[str, Any] = {"name": self.pick(NAMES), "description": self.text(), "parameters": parameters}
        if self.chance(0.15):
            function["returns"] = self.pick(
                (None, {}, "text", {"properties": self.properties()}, {"properties": {}}, {"type": "x"})
            )
        if self.chance(0.05):
            function["return"] = {"type": "string"}
        if self.chance(0.1):
            function.pop(self.pick(("name", "description")))
        if self.odd():
            function[self.pick(("name", "description", "parameters", "returns"))] = self.value()
        if self.odd():
            function.pop(self.pick(("name", "description", "parameters")), None)
        if self.odd():
            parameters["properties"] = self.value()
        tool: dict[str, Any] = {"type": "function", "function": function}
        if self.chance(0.05):
            tool["type"] = self.pick((None, "", "Function", 5))
        if self.chance(0.04):
            del tool["type"]
        if self.odd():
            tool["function"] = self.pick((None, "text", {}, [], Point()))
        return tool if not self.chance(0.03) else function

    def properties(self) -> dict[Any, Any]:
        """Return the members of a schema's object."""
        return {self.key(): self.property() for _ in range(self.pick((0, 1, 2, 3)))}

    def property(self) -> Any:
        """Return the schema of one member."""
        if self.odd():
            return self.value()
        schema: dict[str, Any] = {}
        if self.chance(0.9):
            schema["type"] = self.pick(
                ("string", "number", "integer", "boolean", "array", "object", ["string", "null"], "null", None)
            )
        if self.chance(0.8):
            schema["description"] = self.text() if not self.chance(0.1) else self.scalar()
        return schema if not self.chance(0.05) else self.pick((None, "string", True, {}, []))

    def options(self, name: str) -> dict[str, Any]:
        """Return options that the format reads."""
        options = {option: self.pick(values) for option, values in OPTIONS[name].items() if self.chance(0.3)}
        if options.get("thinking_budget", -1) in ("512", None, []) and not self.chance(0.2):
            options["thinking_budget"] = 512
        if "system_message" in options and not isinstance(options["system_message"], str) and not self.chance(0.2):
            options["system_message"] = "S"
        if self.chance(0.05):
            options[self.pick(("bos_token", "eos_token", "pad_token"))] = "<s>"
        return options
