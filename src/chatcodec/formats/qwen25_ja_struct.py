"""Qwen2.5-ja-struct: speakers in brackets, calls and results as JSON in OpenAI's shape, structured output by schema.

    <|im_start|>assistant
    [SPEAKER]
    CONTENT
    <tool_call>
    {"id": ID, "type": "function", "function": {"name": NAME, "arguments": ARGUMENTS}}
    </tool_call><|im_end|>

The prompt begins with a developer block of its own. Nothing is trimmed; content that is no text is printed as Python
prints it. Arguments are written as they are given: the model was trained on JSON text. Reasoning is not printed, and
unknown roles vanish.
"""

from __future__ import annotations

from typing import Any

from chatcodec.chat.check import missing
from chatcodec.chat.plain import expect_plain
from chatcodec.chat.types import Chat
from chatcodec.formats.format import Format
from chatcodec.formats.tools import TOOLS_INTRODUCTION, write_json_calls, write_tools
from chatcodec.formats.turns import ROLE_DROPPED, ends_group, turns_of
from chatcodec.render.marks import GENERATION, Mark, shows
from chatcodec.render.printed import Printed
from chatcodec.render.protocol import Option
from chatcodec.render.values import json_text
from chatcodec.render.writer import Emit, WarningKind, Writer
from chatcodec.reply.pieces import JsonCalls, Pieces, Spacing

START, STOP, END = "<|im_start|>", "<|im_end|>", "<|im_end|>\n"
HEADERS = {role: f"{START}{role}\n[" for role in ("system", "user", "assistant")}
UNNAMED = {role: f"{header}{role}]\n" for role, header in HEADERS.items()}
CALLS = JsonCalls(
    opening="<tool_call>\n",
    object='{"id": {id}, "type": "function", "function": {"name": {name}, "arguments": {arguments}}}',
    closing="\n</tool_call>",
    as_text=True,
    spacing=Spacing("\n", "\n", "\n"),
)
NEXT_RESPONSE, RESPONSE_END = "<tool_response>\n{", "}\n</tool_response>\n"
FIRST_RESPONSE, LAST_END = f"{START}tool\n{NEXT_RESPONSE}", RESPONSE_END + END
IDENTITY = "You are a large language model trained by Menhera.org."
INSTRUCTIONS = (
    "\n</tools>\n\nWhen you decide to call a tool, output one or more tool calls using <tool_call></tool_call> tags."
    "\n\nEach tool call must be a JSON object in the following OpenAI-compatible shape:\n<tool_call>\n{\n"
    '  "id": "call_...",\n  "type": "function",\n  "function": {\n    "name": "<function-name>",\n'
    '    "arguments": "<JSON-string>"\n  }\n}\n</tool_call>\n\nNotes:\n'
    '- "arguments" MUST be a JSON-encoded string (not an object).\n'
    "- You may emit multiple <tool_call> blocks in a single assistant turn.\n"
    "- After tool calls, you will receive tool results in <tool_response> blocks.\n- Then continue the conversation.\n"
)
SCHEMA = (
    "\n\n# Schema\n\nYou must follow the following JSON schema when you output the result. "
    "Only output the plain JSON.\n\n<schema>\n"
)
CONTENT, NAME = Printed("content"), Printed("name")
MODEL_IDENTITY, SCHEMA_OPTION = Printed("options", "model_identity"), Printed("options", "schema")
CONTENT_JSON, RESULT_ID = shows("content", form="json"), shows("tool_call_id", form="json")
CONTENT_AS_PYTHON = WarningKind("content-as-python", ("content",), "what is no text is printed as Python prints it")


def write(chat: Chat, out: Writer) -> None:
    """Write a chat: the developer block, then each message."""
    emit = out.emit
    _write_developer(chat, emit)
    turns = turns_of(chat)
    for index, (message, role, owner) in enumerate(turns):
        if role == "assistant" and _has_calls(message):
            _write_calls(message, owner, out)
        elif role == "user" or role == "system" or role == "assistant":
            content = message.get("content")
            if type(content) is str and message.get("name") is None:
                emit((owner, UNNAMED[role], CONTENT.as_value, content, END))
            else:
                _write_odd(message, role, content, owner, out)
        elif role == "tool":
            opening = NEXT_RESPONSE if index and turns[index - 1][1] == "tool" else FIRST_RESPONSE
            _write_result(message, owner, opening, LAST_END if ends_group(turns, index) else RESPONSE_END, emit)
        else:
            out.warn((ROLE_DROPPED, owner))
    if chat.add_generation_prompt:
        emit((GENERATION, UNNAMED["assistant"]))


def _write_developer(chat: Chat, emit: Emit) -> None:
    identity, schema = chat.options.get("model_identity"), chat.options.get("schema")
    emit((START + "developer\n",))
    emit(MODEL_IDENTITY.of(identity) if identity else (IDENTITY,))
    if chat.tools:
        write_tools(emit, "\n\n" + TOOLS_INTRODUCTION, chat.tools, INSTRUCTIONS)
    if schema:
        emit((SCHEMA, *SCHEMA_OPTION.of(schema), "\n\n</schema>"))
    emit((END,))


def _write_odd(message: Any, role: str, content: Any, owner: Mark, out: Writer) -> None:
    if content is not None and not isinstance(content, str):
        out.warn((CONTENT_AS_PYTHON, owner))
    out.emit((owner, *_header(message, role), *CONTENT.of("" if content is None else content), END))


def _header(message: Any, role: str) -> tuple[str, ...]:
    name = message.get("name")
    return (UNNAMED[role],) if name is None else (HEADERS[role], *NAME.of(name), "]\n")


def _has_calls(message: Any) -> bool:
    calls = message.get("tool_calls")
    expect_plain(calls)
    return bool(calls)


def _write_calls(message: Any, owner: Mark, out: Writer) -> None:
    emit, content, calls = out.emit, message.get("content"), message["tool_calls"]
    emit((owner, *_header(message, "assistant")))
    expect_plain(content)
    if content:
        emit(CONTENT.of(content))
    write_json_calls(CALLS, calls, owner, out)
    emit((owner, END))


def _write_result(message: Any, owner: Mark, opening: str, ending: str, emit: Emit) -> None:
    content, call_id = message.get("content"), message.get("tool_call_id")
    if content is None:
        raise missing((*owner.path, "content"), "any value: it is printed as JSON")
    shown_id: tuple[str, ...] = () if call_id is None else ('"tool_call_id": ', RESULT_ID, json_text(call_id), ", ")
    emit((owner, opening, *shown_id, '"content": ', CONTENT_JSON, json_text(content), ending))


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
    reads="role content name tool_calls function id type arguments tool_call_id",
    writer=write,
    pieces=Pieces(header=UNNAMED["assistant"], stops=(STOP,), calls=CALLS),
)
