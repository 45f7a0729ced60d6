"""What random chats are made of: words and markers, odd texts, Python objects, and values for each option.

Rules: every text that a template looks for, or that could break one, is here; so is each kind of object that a caller might
leave in a chat. The file knows the references' options, not how they write.
"""

from __future__ import annotations

import datetime
import decimal
import enum
from collections import OrderedDict, UserDict
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy

WORDS = (
    "weather", "Paris", "report", "flight", "42", "null", "true", "", " ", "detailed thinking on", "detailed thinking off",
    "東京の天気", "Größe", "🙂👩‍👩‍👧", "naïve", "image", "video", "text", "a", "工具",
)  # fmt: skip
MARKERS = (
    "<think>", "</think>", "<think>\n", "\n</think>\n\n", "<tool_response>", "</tool_response>", "<tool_call>",
    "</tool_call>", "<|im_start|>", "<|im_end|>", "<|im_start|>assistant\n", "<role>HUMAN</role>", "<|role_end|>",
    "<seed:bos>", "<seed:eos>", "<seed:think>", "</seed:think>", "<|image_pad|>", "<|vision_start|>", "{{ messages }}",
    "</parameter>", "<function=f>", "</arg_value>", "<b>&amp;\"'</b>",
)  # fmt: skip
SPACES = ("\n", "\n\n", " ", "  ", "\t", "\r\n", "\u2028", "\u00a0", "\u3000", "\x00", "\x1b[31m", "\x85", "")
NAMES = ("get_weather", "search", "f", "名前", "a b", "items", "name", "")
KEYS = ("city", "days", "q", "items", "type", "名", "a/b~c", "with space", "", "keys", "text")
FIELDS = (
    "content",
    "content",
    "reasoning_content",
    "thinking",
    "reasoning",
    "name",
    "tool_calls",
    "role",
    "nothing",
    "image",
)


class Color(str, enum.Enum):
    """A str that is more than a str."""

    RED = "red\n"
    USER = "user"
    THINK = "a</think>b"


class Level(enum.IntEnum):
    """An int that is more than an int."""

    LOW = 1


@dataclass
class Point:
    """An object with fields."""

    text: Any = "point"
    image: Any = None


OBJECTS: tuple[Any, ...] = (
    datetime.date(2026, 1, 2), decimal.Decimal("1.0"), {1, 2}, b"bytes", Color.RED, Color.THINK, Level.LOW, Point(),
    ("a", 1), (), MappingProxyType({"text": "proxied"}), UserDict(image=1), OrderedDict(type="text", text="ordered"),
    numpy.float64(1.5), numpy.int64(7), numpy.bool_(False), numpy.bool_(True), numpy.str_("np"), numpy.zeros(2),
)  # fmt: skip

OPTIONS: dict[str, dict[str, tuple[Any, ...]]] = {
    "qwen3.6": {
        "enable_thinking": (True, False, 0, None, "false", ""),
        "preserve_thinking": (True, False, 1, "true", None),
        "add_vision_id": (True, False, 1, "", "yes", None),
    },
    "qwen3-tir": {},
    "bailing-v3": {
        "enable_thinking": (True, False, 0, None, "false", "", [], 0.0),
        "preserve_thinking": (True, False, 0, 1, "", "no", None),
        "add_vision_id": (True, False, 1, "", None),
    },
    "qwen2.5-ja-struct": {
        "model_identity": ("You are Hanako.", "", None, 5, {"a": "b"}, "a<b>\n"),
        "schema": ('{"type": "object"}', {"type": "object", "a": True, "b": [None, 1.0]}, "", None, {}, [1], 3, "線"),
    },
    "seed-oss": {
        "thinking_budget": (
            -1, 0, -5, 1, 511, 512, 513, 1024, 4000, 8192, 16384, 16385, 10**30, 512.5, -1.0, 0.0, True, False,
            float("nan"), float("inf"), "512", None, [],
        ),
        "use_json_tooldef": (True, False, 1, 0, "", "yes", None),
        "system_message": ("From the option.", "", None, 5, ["a"]),
    },
}  # fmt: skip
