"""The corpus's chats with tools: definitions, calls and results, ordinary ones and odd ones.

Rules: plain JSON data, made once and never changed.
"""

from __future__ import annotations

from typing import Any

from corpus_words import ODD_TEXTS, Chat, assistant, chat, message, system, user

_ASK = user("How warm is it in Oslo?")
_BRIEF = system("You are brief.")
_DONE = assistant("It is 4 degrees.")
_THEN = user("And in Bergen?")


def tool(name: str, description: Any, properties: Any = None, **more: Any) -> dict[str, Any]:
    """Return a definition."""
    parameters = {"type": "object", "properties": properties or {}, **more}
    return {"type": "function", "function": {"name": name, "description": description, "parameters": parameters}}


TOOLS: list[dict[str, Any]] = [
    tool(
        "get_weather",
        "Tells the weather.",
        {
            "city": {"type": "string", "description": "Which town."},
            "days": {"type": "integer", "description": "How many days."},
            "unit": {"type": "string", "enum": ["celsius", "kelvin"], "default": "celsius"},
        },
        required=["city"],
    ),
    tool("add", "Adds numbers.", {"numbers": {"type": "array", "items": {"type": "number"}}}, required=["numbers"]),
]

_RICH: list[dict[str, Any]] = [
    tool(
        "book",
        "Books a berth.\nTakes 'quotes', \"more\", <b>tags</b> & \u00fcmlauts \U0001f6a2.",
        {
            "boat": {
                "type": "object",
                "description": "The boat.",
                "properties": {
                    "name": {"type": "string", "minLength": 1, "maxLength": 40, "pattern": "^[A-Z]"},
                    "length": {"type": "number", "minimum": 2.5, "maximum": 400, "description": "In metres"},
                },
                "required": ["name"],
                "additionalProperties": False,
            },
            "crew": {
                "type": "array",
                "items": {"type": "object", "properties": {"age": {"type": "integer"}}},
                "minItems": 1,
            },
            "flags": {"type": "array", "items": {"type": "string", "enum": ["red", "blue"]}},
            "grid": {"type": "array", "items": {"type": "array", "items": {"type": "number"}}},
            "when": {"anyOf": [{"type": "string", "format": "date"}, {"type": "null"}], "default": None},
            "size": {"oneOf": [{"type": "integer", "description": "A number"}, {"type": "object", "properties": {}}]},
            "paid": {"type": ["boolean", "null"], "nullable": True, "description": "Whether it is paid"},
            "owner": {"$ref": "#/$defs/owner"},
            "tags": {"type": "object", "additionalProperties": {"type": "string"}, "examples": [{"a": "b"}]},
            "level": {"type": "integer", "enum": [1, 2, 3], "default": 2, "title": "Level"},
            "any": {},
        },
        required=["boat", "paid"],
        **{"$defs": {"owner": {"type": "object", "properties": {"id": {"type": "string"}}}}},
    ),
    tool(
        "items",
        "Has odd names.",
        {name: {"type": "string"} for name in ("items", "keys", "get", "type", "name", "values")},
    ),
    {"type": "function", "function": {"name": "ping", "description": "Pings."}},
    {"type": "function", "function": {"name": "pong", "parameters": {}, "strict": True}},
    {
        "type": "function",
        "function": {
            "name": "now",
            "description": "",
            "parameters": {"type": "object"},
            "return": {"type": "string", "description": "The time."},
        },
    },
]

_TYPED: list[dict[str, Any]] = [
    tool(
        "steer",
        "Steers.",
        {
            **{
                f"{kind}s": {"type": "array", "items": {"type": kind}}
                for kind in ("string", "integer", "number", "boolean", "object")
            },
            "maybe": {"type": "array", "items": {"type": "string"}, "nullable": True, "description": "Perhaps"},
            "untyped": {"type": "array"},
            "nested": {
                "type": "array",
                "description": "Legs of the way.",
                "items": {
                    "type": "object",
                    "required": ["to"],
                    "properties": {"to": {"type": "string"}, "by": {"type": "number"}},
                },
            },
            "one": {
                "oneOf": [
                    {"type": "object", "properties": {"a": {"type": "string"}}},
                    {"type": "object", "default": {"b": 1}},
                ]
            },
            "switch": {"type": "boolean", "default": False, "description": "On or off"},
            "word": {"type": "string", "default": "north", "enum": ["north", "south"], "nullable": True},
            "fixed": {"const": "knots"},
            "when": {"type": "string", "format": "date-time", "description": "When"},
            "open": {"type": "object", "additionalProperties": True},
        },
        required=["strings", "nested"],
    ),
    {
        "type": "function",
        "function": {
            "name": "log",
            "description": "Logs.",
            "parameters": {"type": "object", "properties": {"line": {"type": "string"}}, "required": ["line"]},
            "response": {"type": "object", "description": "What was logged."},
            "returns": {"type": "object", "properties": {"line": {"type": "string", "description": "The line."}}},
            "few_shot_examples": [{"request": "Log it.", "params": {"line": "x"}}],
        },
    },
]

_BUILT_IN = [
    tool("python", "Runs code.", {"code": {"type": "string"}}, required=["code"]),
    tool("browser", "Opens pages.", {"url": {"type": "string"}}),
    {"type": "code_interpreter"},
]


def call(name: str, arguments: Any, id: str | None = "callA0001") -> dict[str, Any]:
    """Return a call; without an id if that is None."""
    made: dict[str, Any] = {"type": "function", "function": {"name": name, "arguments": arguments}}
    return made if id is None else {"id": id, **made}


def calling(*calls: Any, content: Any = "", **fields: Any) -> dict[str, Any]:
    """Return an assistant's message with calls."""
    return assistant(content, tool_calls=list(calls), **fields)


def result(content: Any, id: str | None = "callA0001", **fields: Any) -> dict[str, Any]:
    """Return a tool's message."""
    return message("tool", content, **({} if id is None else {"tool_call_id": id}), **fields)


_WEATHER = call("get_weather", {"city": "Oslo", "days": 2})
_TEXT_CALL = call("get_weather", '{"city": "Oslo", "days": 2}')
_ADD = call("add", {"numbers": [1, 2.5, -3]}, "callB0002")
_FOUND = result("4 degrees")

DEFINED: dict[str, Chat] = {
    "tools": chat(_ASK, tools=TOOLS, generation=True),
    "tools, system": chat(_BRIEF, _ASK, tools=TOOLS, generation=True),
    "tools, answered": chat(_BRIEF, _ASK, _DONE, _THEN, tools=TOOLS),
    "tools, only system": chat(_BRIEF, tools=TOOLS),
    "tools, two systems": chat(_BRIEF, system("Be kind."), _ASK, tools=TOOLS, generation=True),
    "tools in parts": chat(_BRIEF, user([{"type": "text", "text": "How warm?"}]), tools=TOOLS, generation=True),
    "no tools": chat(_BRIEF, _ASK, tools=[], generation=True),
    "one tool": chat(_ASK, tools=TOOLS[:1]),
    "rich tools": chat(_ASK, tools=_RICH, generation=True),
    "rich tools, as JSON": chat(_BRIEF, _ASK, tools=_RICH, use_json_tooldef=True, tools_in_user_message=False),
    "typed tools": chat(_BRIEF, _ASK, tools=_TYPED, generation=True),
    "bare tools": chat(_ASK, tools=[each["function"] for each in TOOLS], generation=True),
    "built-in tools": chat(_ASK, tools=_BUILT_IN, builtin_tools=["python", "browser"], generation=True),
    "built-in tools in words": chat(_ASK, builtin_tools=["code_interpreter", "brave_search"], date_string="1 May 2031"),
    "custom tools": chat(_BRIEF, _ASK, custom_tools=TOOLS, tools_in_user_message=True, generation=True),
    "custom tools, in system": chat(_ASK, custom_tools=TOOLS, tools_in_user_message=False, generation=True),
    "tools in user, system": chat(_BRIEF, _ASK, tools=TOOLS, tools_in_user_message=False, generation=True),
    "available tools": chat(_BRIEF, _ASK, available_tools=TOOLS, generation=True),
    "tools and a choice": chat(
        _ASK, tools=TOOLS, tool_choice={"type": "function", "function": {"name": "add"}}, generation=True
    ),
    "tools off": chat(_ASK, tools=TOOLS, tool_choice="none", enable_thinking=False, generation=True),
    "odd names": chat(_ASK, tools=[tool(name, "Odd.") for name in ("items", "a b", "\u5929\u6c17", "<x>", 'q"')]),
    "a null description": chat(_ASK, tools=[tool("f", None, {"a": None, "b": {"description": None, "type": None}})]),
    "empty tool": chat(_ASK, tools=[{}], generation=True),
}

CALLED: dict[str, Chat] = {
    "a call": chat(_ASK, calling(_WEATHER), tools=TOOLS),
    "a call as text": chat(_ASK, calling(_TEXT_CALL), tools=TOOLS),
    "a call, answered": chat(_BRIEF, _ASK, calling(_WEATHER), _FOUND, tools=TOOLS, generation=True),
    "a call as text, answered": chat(_BRIEF, _ASK, calling(_TEXT_CALL), _FOUND, tools=TOOLS, generation=True),
    "a call, no tools given": chat(_ASK, calling(_WEATHER), _FOUND, generation=True),
    "a call, told": chat(_ASK, calling(_WEATHER), _FOUND, _DONE, tools=TOOLS),
    "a call, then more": chat(_ASK, calling(_WEATHER), _FOUND, _DONE, _THEN, tools=TOOLS, generation=True),
    "a call with words": chat(_ASK, calling(_WEATHER, content="I will look."), _FOUND, _DONE, tools=TOOLS),
    "a call with null": chat(_ASK, calling(_WEATHER, content=None), _FOUND, tools=TOOLS, generation=True),
    "a call without content": chat(_ASK, {"role": "assistant", "tool_calls": [_WEATHER]}, _FOUND, tools=TOOLS),
    "a call with parts": chat(
        _ASK, calling(_WEATHER, content=[{"type": "text", "text": "I look."}]), _FOUND, tools=TOOLS
    ),
    "two calls": chat(_ASK, calling(_WEATHER, _ADD), _FOUND, result("0.5", "callB0002"), tools=TOOLS, generation=True),
    "two calls as text": chat(
        _ASK, calling(_TEXT_CALL, call("add", '{"numbers": []}', "callB0002")), _FOUND, result("0", "callB0002")
    ),
    "two calls with words": chat(
        _ASK, calling(_WEATHER, _ADD, content="Both."), _FOUND, result("0.5", "callB0002"), _DONE
    ),
    "results the other way round": chat(_ASK, calling(_WEATHER, _ADD), result("0.5", "callB0002"), _FOUND, tools=TOOLS),
    "two rounds": chat(
        _ASK,
        calling(_WEATHER),
        _FOUND,
        calling(_ADD, content="Now add."),
        result("0.5", "callB0002"),
        _DONE,
        _THEN,
        tools=TOOLS,
        generation=True,
    ),
    "two rounds, last asked": chat(
        _ASK, calling(_WEATHER), _FOUND, _DONE, _THEN, calling(_ADD), result("1", "callB0002"), tools=TOOLS
    ),
    "reasoned calls": chat(
        _ASK,
        calling(_WEATHER, reasoning_content="I must look."),
        _FOUND,
        calling(_ADD, reasoning="Now add.\n"),
        result("1", "callB0002"),
        tools=TOOLS,
        generation=True,
    ),
    "reasoned calls, kept": chat(
        _ASK,
        calling(_WEATHER, reasoning_content="I must look."),
        _FOUND,
        assistant("4.", thinking="Good."),
        _THEN,
        tools=TOOLS,
        generation=True,
        preserve_thinking=True,
        clear_thinking=False,
        truncate_history_thinking=False,
    ),
    "thought calls": chat(
        _ASK, calling(_WEATHER, content="<think>\nLook.\n</think>\n\nOk."), _FOUND, _DONE, _THEN, tools=TOOLS
    ),
    "a planned call": chat(
        _ASK, calling(_WEATHER, tool_plan="I will look."), _FOUND, _DONE, tools=TOOLS, generation=True
    ),
    "no id": chat(_ASK, calling(call("add", {"numbers": [1]}, None)), result("1", None), tools=TOOLS, generation=True),
    "long id": chat(
        _ASK, calling(call("add", {"numbers": [1]}, "call_0123456789abcdef")), result("1", "call_0123456789abcdef")
    ),
    "numbered id": chat(
        _ASK, calling(call("add", {"numbers": [1]}, "functions.add:0")), result("1", "functions.add:0"), _DONE
    ),
    "unknown id": chat(_ASK, calling(_WEATHER), result("4", "callZ9999"), tools=TOOLS, generation=True),
    "bare call": chat(
        _ASK, calling({"name": "add", "arguments": {"numbers": [1]}}), result("1", name="add"), tools=TOOLS
    ),
    "bare call with parameters": chat(
        _ASK, calling({"name": "add", "parameters": {"numbers": [1]}}), result("1"), tools=TOOLS
    ),
    "bare call as text": chat(_ASK, calling({"name": "add", "arguments": "{}", "id": "callA0001"}), _FOUND),
    "no type": chat(_ASK, calling({"function": {"name": "add", "arguments": {"numbers": [1]}}}), result("1")),
    "a built-in call": chat(
        _ASK, calling(call("python", {"code": "print(1)\n"})), result("1"), tools=_BUILT_IN, generation=True
    ),
    "calls of a user": chat(user("Hello?", tool_calls=[_WEATHER])),
    "empty calls": chat(_ASK, calling(content="It is cold."), _THEN, generation=True),
    "call of old": chat(
        _ASK, assistant(None, function_call={"name": "add", "arguments": "{}"}), message("function", "1", name="add")
    ),
    "calls and responses in one": chat(
        _ASK,
        calling(_WEATHER, tool_responses=[{"name": "get_weather", "response": {"degrees": 4, "sky": "grey"}}]),
        _DONE,
        tools=TOOLS,
    ),
}

_ALL_KINDS = {
    "text": 'a "b" \u00e9 <c> & \U0001f30a\n',
    "empty": "",
    "count": 3,
    "big": 10**25,
    "negative": -7,
    "part": 2.5,
    "tiny": 1e-07,
    "huge": 1e22,
    "whole": 2.0,
    "yes": True,
    "no": False,
    "none": None,
    "list": [1, "two", None, [True, {"k": "v"}]],
    "object": {"inner": {"deep": ["x", {"y": 1.5}]}, "void": {}},
    "nothing": [],
}

ARGUMENTS: dict[str, Any] = {
    "all kinds": _ALL_KINDS,
    "names of methods": {
        name: name.upper() for name in ("items", "get", "values", "keys", "pop", "update", "copy", "name")
    },
    "odd keys": {"a b": 1, "\u5929": 2, "<k>": 3, '"': 4, "": 5, "a/b~c": 6, "0": 7, "last": 8},
    "not finite": {"nan": float("nan"), "inf": float("inf"), "minus": float("-inf"), "zero": -0.0},
    "none": {},
    "null": None,
    "empty text": "",
    "empty object as text": "{}",
    "no JSON": "city: Oslo",
    "spaced JSON": '{\n  "city" : "Oslo"\n}\n',
    "a list": ["Oslo", 2],
    "a number": 12,
    "texts": {f"t{number}": words for number, words in enumerate(ODD_TEXTS.values())},
}

RESULTS: dict[str, Any] = {
    "JSON": '{"degrees": 4, "sky": "grey"}',
    "an object": {"degrees": 4, "sky": "grey", "wind": None, "near": [1.5, True]},
    "a list": [{"town": "Oslo"}, "x", 3],
    "parts": [{"type": "text", "text": "4 degrees,"}, {"type": "text", "text": "grey"}],
    "an image": [
        {"type": "image_url", "image_url": {"url": "https://example.org/sky.png"}},
        {"type": "text", "text": "the sky"},
    ],
    "nothing": "",
    "null": None,
    "a number": 4,
    "truth": True,
    "several lines": "\n4 degrees\n\ngrey\n",
    "markers": ODD_TEXTS["markers"] + ODD_TEXTS["call markers"],
    "html": ODD_TEXTS["html"],
}

CALL_CHATS: dict[str, Chat] = {
    **DEFINED,
    **CALLED,
    **{
        f"arguments: {name}": chat(_ASK, calling(call("get_weather", given)), _FOUND, tools=TOOLS)
        for name, given in ARGUMENTS.items()
    },
    "arguments: missing": chat(
        _ASK, calling({"id": "callA0001", "type": "function", "function": {"name": "add"}}), _FOUND
    ),
    **{
        f"result: {name}": chat(_ASK, calling(_WEATHER), result(given), _DONE, tools=TOOLS)
        for name, given in RESULTS.items()
    },
    "result: missing": chat(_ASK, calling(_WEATHER), {"role": "tool", "tool_call_id": "callA0001"}, tools=TOOLS),
    "result with a name": chat(_ASK, calling(_WEATHER), result("4", name="get_weather"), tools=TOOLS, generation=True),
    "orphan": chat(_FOUND, tools=TOOLS),
    "orphan behind a user": chat(_ASK, _FOUND, tools=TOOLS, generation=True),
    "orphan behind an answer": chat(_ASK, _DONE, _FOUND, generation=True),
    "orphan behind a system text": chat(_BRIEF, _FOUND, _ASK),
    "asked twice between": chat(_ASK, calling(_WEATHER), user("Well?"), tools=TOOLS, generation=True),
}
"""Every chat with tools, by its name."""
