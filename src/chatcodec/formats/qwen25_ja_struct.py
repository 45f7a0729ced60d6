"""Qwen2.5-ja-struct: speakers in brackets, calls and results as JSON in OpenAI's shape, structured output by schema.

    <|im_start|>assistant
    [SPEAKER]
    CONTENT
    <tool_call>
    {"id": ID, "type": "function", "function": {"name": NAME, "arguments": ARGUMENTS}}
    </tool_call><|im_end|>

The prompt begins with a developer block of its own. Nothing is trimmed; content that is no text is printed as Python prints
it. Arguments are written as they are given: the model was trained on JSON text. Reasoning is not printed, and unknown
roles vanish.
"""

from __future__ import annotations

from typing import Any

from chatcodec.chat.check import invalid, missing, need_object
from chatcodec.chat.plain import expect_plain
from chatcodec.chat.pointer import Path
from chatcodec.chat.types import Chat
from chatcodec.formats.tools import TOOLS_INTRODUCTION, write_tools
from chatcodec.formats.turns import ends_group
from chatcodec.render.marks import GENERATION, Mark, elements, shows, within
from chatcodec.render.protocol import Format, Option
from chatcodec.render.values import json_text, python_text
from chatcodec.render.writer import Caution, Emit, Writer
from chatcodec.reply.pieces import JsonCalls

START, END = "<|im_start|>", "<|im_end|>\n"
HEADERS = {role: f"{START}{role}\n[" for role in ("system", "user", "assistant")}
ASSISTANT = f"{HEADERS['assistant']}assistant]\n"
CALLS = JsonCalls(opening="\n<tool_call>\n", closing="\n</tool_call>")
RESPONSE, RESPONSE_END = "<tool_response>\n", "\n</tool_response>\n"
IDENTITY = "You are a large language model trained by Menhera.org."
INSTRUCTIONS = (
    "\n</tools>\n\nWhen you decide to call a tool, output one or more tool calls using <tool_call></tool_call> tags.\n\n"
    "Each tool call must be a JSON object in the following OpenAI-compatible shape:\n<tool_call>\n{\n"
    '  "id": "call_...",\n  "type": "function",\n  "function": {\n    "name": "<function-name>",\n'
    '    "arguments": "<JSON-string>"\n  }\n}\n</tool_call>\n\nNotes:\n'
    '- "arguments" MUST be a JSON-encoded string (not an object).\n'
    "- You may emit multiple <tool_call> blocks in a single assistant turn.\n"
    "- After tool calls, you will receive tool results in <tool_response> blocks.\n- Then continue the conversation.\n"
)
SCHEMA = (
    "\n\n# Schema\n\nYou must follow the following JSON schema when you output the result. Only output the plain JSON.\n\n"
    "<schema>\n"
)
ROLE_DROPPED = Caution("role-dropped", ("role",), "this format has no such role: the message is not printed")
CONTENT_AS_PYTHON = Caution("content-as-python", ("content",), "what is no text is printed as Python prints it")
CONTENT, CONTENT_STR, CONTENT_JSON = shows("content"), shows("content", form="str"), shows("content", form="json")
NAME, NAME_STR, RESULT_ID = shows("name"), shows("name", form="str"), shows("tool_call_id", form="json")
WHOLE = shows(form="json")


def write(chat: Chat, out: Writer) -> None:
    """Write a chat: the developer block, then each message."""
    emit = out.emit
    _write_developer(chat, emit)
    roles = [message.get("role") for message in chat.messages]
    for index, (message, owner) in enumerate(zip(chat.messages, elements("messages", len(roles)), strict=True)):
        role = roles[index]
        if role == "user" or role == "system":
            _write_plain(message, role, owner, out)
        elif role == "assistant":
            calls = message.get("tool_calls")
            if calls:
                _write_calls(message, calls, owner, out)
            else:
                expect_plain(calls)
                _write_plain(message, "assistant", owner, out)
        elif role == "tool":
            _write_result(message, owner, not index or roles[index - 1] != "tool", ends_group(roles, index), emit)
        else:
            out.warn((ROLE_DROPPED, owner))
    if chat.add_generation_prompt:
        emit((GENERATION, ASSISTANT))


def _write_developer(chat: Chat, emit: Emit) -> None:
    identity, schema = chat.options.get("model_identity"), chat.options.get("schema")
    emit((START + "developer\n",))
    emit(_printed(identity, "options", "model_identity") if identity else (IDENTITY,))
    if chat.tools:
        write_tools(emit, "\n\n" + TOOLS_INTRODUCTION, chat.tools, INSTRUCTIONS)
    if schema:
        emit((SCHEMA, *_printed(schema, "options", "schema"), "\n\n</schema>"))
    emit((END,))


def _printed(value: Any, *path: str) -> tuple[str, str]:
    return (shows(*path), value) if isinstance(value, str) else (shows(*path, form="str"), python_text(value))


def _write_plain(message: Any, role: str, owner: Mark, out: Writer) -> None:
    header = _header(message, role)
    content = message.get("content")
    if isinstance(content, str):
        out.emit((owner, *header, CONTENT, content, END))
    elif content is None:
        out.emit((owner, *header, END))
    else:
        out.warn((CONTENT_AS_PYTHON, owner))
        out.emit((owner, *header, CONTENT_STR, python_text(content), END))


def _header(message: Any, role: str) -> tuple[str, ...]:
    name = message.get("name")
    if name is None:
        return (f"{HEADERS[role]}{role}]\n",)
    shown, text = (NAME, name) if isinstance(name, str) else (NAME_STR, python_text(name))
    return HEADERS[role], shown, text, "]\n"


def _write_calls(message: Any, calls: Any, owner: Mark, out: Writer) -> None:
    emit = out.emit
    emit((owner, *_header(message, "assistant")))
    content = message.get("content")
    if content:
        emit((CONTENT, content) if isinstance(content, str) else (CONTENT_STR, python_text(content)))
    else:
        expect_plain(content)
    if not isinstance(calls, (list, tuple, str, dict)):
        raise invalid((*owner.path, "tool_calls"), calls, "a list of tool calls")
    for call, mark in zip(calls, within("tool_calls", len(calls)), strict=True):
        function = call.get("function") if isinstance(call, dict) else None
        if function is None:
            emit(
                (
                    mark,
                    CALLS.opening,
                    WHOLE if isinstance(calls, (list, tuple)) else CALLS_TEXT,
                    json_text(call),
                    CALLS.closing,
                )
            )
            continue
        path = owner.path + mark.path
        function = need_object(function, (*path, "function"))
        call_id = _need(call, "id", path)
        name, arguments = (_need(function, key, (*path, "function")) for key in ("name", "arguments"))
        CALLS.write(emit, mark, call_id, name, arguments)
    emit((owner, END))


def _need(value: dict[str, Any], key: str, path: Path) -> Any:
    if key not in value:
        raise missing((*path, key), "any value; this format prints it as JSON")
    return value[key]


def _write_result(message: Any, owner: Mark, first: bool, last: bool, emit: Emit) -> None:
    content, call_id = message.get("content"), message.get("tool_call_id")
    if content is None:
        raise missing((*owner.path, "content"), "any value; this format prints it as JSON")
    opening = f"{START}tool\n{RESPONSE}{{" if first else RESPONSE + "{"
    shown: tuple[str, ...] = (opening + '"content": ',)
    if call_id is not None:
        shown = (opening + '"tool_call_id": ', RESULT_ID, json_text(call_id), ', "content": ')
    emit((owner, *shown, CONTENT_JSON, json_text(content), "}" + RESPONSE_END + (END if last else "")))


FORMAT = Format(
    name="qwen2.5-ja-struct",
    title="Qwen2.5-ja-struct: calls and results as OpenAI JSON, output by schema",
    source="qwen2.5-ja-struct.jinja",
    options=(
        Option("model_identity", "string", IDENTITY, "Who the model is; an empty value gives the default."),
        Option(
            "schema", "any", None, "JSON schema of the output, as JSON text: an object is printed as Python prints it."
        ),
    ),
    reads="role content name tool_calls function id arguments tool_call_id",
    writer=write,
)
