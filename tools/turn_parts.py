"""What random turns are made of: texts, names, numbers, schemas, and how JSON is spelled.

Rules: ordinary things first, as they come in replies; then what breaks a reader: texts that look like other values,
markup, white space of every kind, numbers at the edges. Nothing here knows a format.
"""

from __future__ import annotations

from typing import Any

TEXTS = (
    "It will rain in Paris tomorrow, with 12 °C at noon.", "Let me look that up.", "東京の天気は晴れです。", "x",
    "🙂👩\u200d👩\u200d👧", "cafe\u0301", "שלום", "Größe: 42 µm", "if a < b && c > d:\n    print(\"x\\n\")", "100 %",
    "```python\nfor i in range(3):\n\tprint(i)\n```", '{"city": "Paris", "days": [1, 2.0, null]}', "<b>&amp;</b>",
    "| a | b |\n|---|---|",
    "- one\n- two\n\n- three", "a line\r\nand another", "$\\frac{1}{2}$", "C:\\new\\table", "'quoted' \"text\"",
    "zero\u200bwidth\u2028separated", "bell\x07, null\x00, \x1b[31mred\x1b[0m", "\ue000\U0010ffff\ufeff",
    "a" + "\n" * 71 + "b",
)  # fmt: skip

PROSE = (
    "An inner <function=...></function> block must be nested within <tool_call></tool_call> XML tags.",
    "I use <seed:tool_call>...</seed:tool_call>, with <function=...></function> and <parameter=...></parameter> in it.",
    "As in <tool_call>{function-name}\n<arg_key>{arg-key-1}</arg_key>\n<arg_value>{arg-value-1}</arg_value>\n...\n"
    "</tool_call>, so.",
    '<tool_call>\n{"name": <function-name>, "arguments": <args-json-object>}\n</tool_call> is how, not <tool_call>{}'
    "</tool_call>.",
)
"""What models say about the syntax of calls, in the words of their instructions: no calls."""

LOOK_ALIKES = (
    "null", "42", "True", "1.0", "true", "None", "[]", "{}", "1e3", "-0", "0042", "NaN", " 42 ", '"Paris"',
    "{'a': None}", '{"a":1}',
)  # fmt: skip
"""Texts that spell another value, or nearly."""

ENDS = ("\n", "\n\n", " ", "\n \n", "\t", "\r\n", "\u3000", "\u00a0\n", "\n" * 70, " " * 70, "")

NAMES = ("get_weather", "search", "run_code", "files.read", "mcp__github__create_issue", "update-order", "天気", "f")

KEYS = (
    "city", "query", "days", "options", "path", "limit", "content", "arguments", "name", "type", "items", "名", "a/b~c",
    "two words", "camelCase", "x-y", "_", "id", "keys", "1", "$ref",
)  # fmt: skip

INTEGERS = (0, 1, -7, 42, 2026, 10**12, 12345678901234567890, -(10**25))
NUMBERS = (*INTEGERS, 1.0, 0.5, -0.0, 3.14, 1e-07, 1e22, 1.5e300, -2.0, 100.0)

PLACE = {"type": "object", "properties": {"lat": {"type": "number"}, "lon": {"type": "number"}}}
"""What a tool has under ``$defs/place``."""

SCHEMAS: tuple[tuple[int, tuple[Any, ...]], ...] = (
    (30, ({"type": "string"}, {"type": "string", "description": "The city"}, {"type": "string", "format": "date"})),
    (14, ({"type": "integer"}, {"type": "integer", "minimum": 0})),
    (8, ({"type": "number"},)),
    (8, ({"type": "boolean"}, {"type": "boolean", "default": False})),
    (8, ({"type": "array", "items": {"type": "string"}}, {"type": "array", "items": {"type": "object"}})),
    (8, ({"type": "object", "properties": {"a": {"type": "integer"}}}, {"type": "object"})),
    (6, ({"type": "string", "enum": ["celsius", "fahrenheit"]}, {"enum": [1, 2, "three", None]}, {"const": "fixed"})),
    (1, ({"type": "null"}, *({"type": name} for name in ("str", "int", "float", "bool", "dict", "list")))),
    (5, (
        {"type": ["string", "null"]}, {"anyOf": [{"type": "string"}, {"type": "null"}]}, {"$ref": "#/$defs/place"},
        {"anyOf": [{"type": "array", "items": {}}, {"type": "null"}]}, {"allOf": [{"$ref": "#/$defs/place"}]},
        {"type": "integer", "nullable": True},
    )),
    (2, (
        {"type": ["integer", "string"]}, {"type": ["string", "integer"]}, {"type": ["boolean", "string"]},
        {"oneOf": [{"type": "number"}, {"type": "boolean"}]}, {"anyOf": [{"type": "object"}, {"type": "string"}]},
        {"type": ["string", "array"]},
    )),
    (2, ({}, {"description": "Anything"}, True)),
)  # fmt: skip
"""Schemas of parameters, by how often they come: precise ones, names from Python, unions, none at all."""

SPELLINGS: tuple[dict[str, Any], ...] = (
    {"ensure_ascii": False}, {"ensure_ascii": False}, {}, {"indent": 2},
    {"ensure_ascii": False, "separators": (",", ":")},
)  # fmt: skip
"""How JSON is spelled: arguments of `json.dumps`."""
