"""Qwen3 with tool-integrated reasoning (TIR): one turn holds reasoning, tool calls and their responses, inline.

    <|im_start|>assistant
    <think>
    REASONING<tool_call>
    {"name": NAME, "arguments": {...}}
    </tool_call>
    <tool_response>
    RESULT
    </tool_response>
    REASONING
    </think>

    ANSWER<|im_end|>

A turn's content is everything after the opened ``<think>``, verbatim; or reasoning comes apart from it. There is no
tool role: the runtime appends each response to the turn and lets the model go on.
"""

from __future__ import annotations

from typing import Any

from chatcodec.chat.check import need_text
from chatcodec.chat.plain import expect_plain
from chatcodec.chat.types import Chat
from chatcodec.formats.format import Format
from chatcodec.formats.tools import TOOLS_INTRODUCTION, write_tools
from chatcodec.formats.turns import CONTENT_DROPPED, ROLE_DROPPED, given_reasoning
from chatcodec.render.marks import GENERATION, Mark, elements, shows
from chatcodec.render.writer import Emit, WarningKind, Writer
from chatcodec.reply.pieces import Block, Hints, JsonCalls, Pieces, Reasoning

START, STOP, END = "<|im_start|>", "<|im_end|>", "<|im_end|>\n"
REASONING = Reasoning("<think>\n", "\n</think>\n\n")
HEADER = f"{START}assistant\n"
ASSISTANT = HEADER + REASONING.opening
CALLS = JsonCalls("<tool_call>\n", '{"name": {name}, "arguments": {arguments}}', "\n</tool_call>")
RESPONSE = Block("\n<tool_response>\n", "\n</tool_response>\n")
INSTRUCTIONS = (
    "\n</tools>\n\nFor each function call, return a json object with function name and arguments within "
    "<tool_call></tool_call> XML tags:\n" + CALLS.example("<function-name>", "<args-json-object>") + END
)

CALLS_DROPPED = WarningKind("calls-dropped", ("tool_calls",), "calls are dropped: this format has them in content only")
CONTENT = shows("content")


def write(chat: Chat, out: Writer) -> None:
    """Write a chat: the system block, then each message; roles that are not known vanish."""
    emit = out.emit
    messages = chat.messages
    _write_system(chat, emit)
    for message, owner in zip(messages, elements("messages", len(messages)), strict=False):
        role = message.get("role")
        content = message.get("content")
        if type(content) is not str:
            content = _not_text(content, owner, out)
        if role == "user":
            emit((owner, START + "user\n", CONTENT, content, END))
        elif role == "assistant":
            _write_assistant(message, content, owner, out)
        elif role == "system":
            if owner.path[1] > 0:
                emit((owner, START + "system\n", CONTENT, content, END))
        else:
            out.warn((ROLE_DROPPED, owner))
    if chat.add_generation_prompt:
        emit((GENERATION, ASSISTANT))


def _write_system(chat: Chat, emit: Emit) -> None:
    first = chat.messages[0]
    system: tuple[str, ...] = ()
    if first.get("role") == "system":
        path = ("messages", 0, "content")
        system = (shows(*path), need_text(first.get("content"), path))
    if chat.tools:
        emit((START + "system\n", *system))
        write_tools(emit, ("\n\n" if system else "") + TOOLS_INTRODUCTION, chat.tools, INSTRUCTIONS)
    elif system:
        emit((START + "system\n", *system, END))


def _write_assistant(message: Any, content: str, owner: Mark, out: Writer) -> None:
    reasoning, shown = given_reasoning(message)
    if reasoning:
        reasoning = reasoning.strip("\n")
        out.emit((owner, ASSISTANT, shown, reasoning, REASONING.closing, CONTENT, content.lstrip("\n"), END))
    else:
        out.emit((owner, ASSISTANT, CONTENT, content, END))
    if message.get("tool_calls"):
        out.warn((CALLS_DROPPED, owner))


def _not_text(content: Any, owner: Mark, out: Writer) -> str:
    if content is not None:
        expect_plain(content)
        out.warn((CONTENT_DROPPED, owner))
    return ""


FORMAT = Format(
    name="qwen3-tir",
    title="Qwen3 with tool-integrated reasoning: calls and their responses inside one turn",
    source="qwen3-tir.jinja",
    options=(),
    reads="role content reasoning_content id function name arguments",
    writer=write,
    pieces=Pieces(header=HEADER, stops=(STOP,), reasoning=REASONING),
    hints=Hints(calls=CALLS, response=RESPONSE),
)
