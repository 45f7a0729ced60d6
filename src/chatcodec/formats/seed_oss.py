"""Seed-OSS: a thinking budget in the prompt, tools as Python function docs, arguments as Python prints them.

    <seed:bos>assistant
    <seed:think>REASONING</seed:think>
    CONTENT

    <seed:tool_call>
    <function=NAME>
    <parameter=KEY>VALUE</parameter>
    </function>
    </seed:tool_call><seed:eos>

Reasoning and content of assistants are trimmed and left out when blank; a turn without content and calls has no end
marker. Any other role is printed as it is. A budget of 0 leaves reasoning and a budget notice open.
"""

from __future__ import annotations

from typing import Any

from chatcodec.chat.check import invalid, need_text
from chatcodec.chat.plain import expect_plain
from chatcodec.chat.types import Chat
from chatcodec.formats.budget import budget_words
from chatcodec.formats.format import Format
from chatcodec.formats.function_docs import write_function_docs
from chatcodec.formats.tools import EXAMPLE, CallRules
from chatcodec.formats.turns import CONTENT_DROPPED, ROLE_PRINTED, given_reasoning
from chatcodec.render.marks import GENERATION, NOBODY, Mark, elements, shows
from chatcodec.render.protocol import Option
from chatcodec.render.values import json_text
from chatcodec.render.writer import Writer
from chatcodec.reply.pieces import Block, Hints, Pieces, Reasoning, Spacing, TaggedCalls

START, END = "<seed:bos>", "<seed:eos>"
SYSTEM, ASSISTANT = f"{START}system\n", f"{START}assistant"
HEADERS = {"user": f"{START}user\n", "tool": f"{START}tool\n", "system": SYSTEM}
REASONING = Reasoning("<seed:think>", "</seed:think>\n")
CALLS = TaggedCalls(
    call="<seed:tool_call>\n<function={name}>\n",
    argument="<parameter={key}>{value}</parameter>\n",
    closing="</function>\n</seed:tool_call>",
    values="str",
    spacing=Spacing(after_content="\n\n", between="\n"),
)
CALL_RULES = CallRules(function="present", arguments="optional", passes_over=(int, float))
NOTICE = Block("<seed:cot_budget_reflect>", "</seed:cot_budget_reflect>")
IDENTITY = "You are Doubao, a helpful AI assistant. You may call one or more functions to assist with the user query."
JSON_TOOLS = (
    "\nTool List:\nYou are authorized to use the following tools (described in JSON Schema format). "
    "Before performing any task, you must decide how to call them based on the descriptions and parameters of these "
    "tools.\n"
)
INSTRUCTIONS = f"\n工具调用请遵循如下格式:\n{CALLS.example(**EXAMPLE)}\n"
CONTENT, ROLE, TOOLS = shows("content"), shows("role"), shows("tools", form="json")
SYSTEM_OPTION, BUDGET_OPTION = shows("options", "system_message"), shows("options", "thinking_budget", form="str")


def write(chat: Chat, out: Writer) -> None:
    """Write a chat: system block, budget block, then each message but a leading system message."""
    budget = chat.options.get("thinking_budget", -1)
    if not isinstance(budget, (int, float)):
        raise invalid(("options", "thinking_budget"), budget, "a number")
    _write_system(chat, out)
    words = budget_words(budget, BUDGET_OPTION)
    if words:
        out.emit((SYSTEM, *words, "\n" + END))
    for message, owner in zip(chat.messages, elements("messages", len(chat.messages)), strict=False):
        role = message.get("role")
        if role == "assistant":
            _write_assistant(message, owner, out)
        elif role != "system" or owner.path[1]:
            _write_other(message, role, owner, out)
    if chat.add_generation_prompt:
        opened = REASONING.opening + NOTICE.opening if budget == 0 else ""
        out.emit((GENERATION, f"{ASSISTANT}\n{opened}"))


def _write_system(chat: Chat, out: Writer) -> None:
    system, tools = _system(chat), chat.tools or []
    if system:
        out.emit((SYSTEM, *system))
    elif tools:
        out.emit((SYSTEM + IDENTITY,))
    if chat.options.get("use_json_tooldef"):
        out.emit((JSON_TOOLS, TOOLS, json_text(tools)) if chat.tools is not None else (JSON_TOOLS, "[]"))
    else:
        write_function_docs(tools, out)
    if tools:
        out.emit((NOBODY, INSTRUCTIONS))
    if system or tools:
        out.emit((END,))


def _system(chat: Chat) -> tuple[str, ...]:
    first = chat.messages[0]
    if first.get("role") == "system":
        content = first.get("content")
        path = ("messages", 0, "content")
        return () if content is None else (shows(*path), need_text(content, path))
    if "system_message" in chat.options:
        return SYSTEM_OPTION, need_text(chat.options["system_message"], SYSTEM_OPTION.path)
    return ()


def _write_assistant(message: Any, owner: Mark, out: Writer) -> None:
    emit, calls = out.emit, CALL_RULES.calls(message, owner, out)
    content = message.get("content")
    if content is not None and type(content) is not str:
        expect_plain(content)
        out.warn((CONTENT_DROPPED, owner))
    text = content.strip() if type(content) is str else ""
    reasoning, shown = given_reasoning(message)
    thought = reasoning.strip() if reasoning else ""
    emit((owner, f"{ASSISTANT}\n" if thought or text or calls else ASSISTANT))
    if thought:
        emit((REASONING.opening, shown, thought, REASONING.closing if text or calls else REASONING.closing.rstrip()))
    if text:
        emit((CONTENT, text))
    CALL_RULES.write(CALLS, calls, owner, bool(text), out)
    if text or calls:
        emit((owner, END))


def _write_other(message: Any, role: Any, owner: Mark, out: Writer) -> None:
    text = need_text(message.get("content"), (*owner.path, "content"))
    header = HEADERS.get(role) if type(role) is str else None
    if header:
        out.emit((owner, header, CONTENT, text, END))
    else:
        out.warn((ROLE_PRINTED, owner))
        out.emit((owner, START, ROLE, need_text(role, (*owner.path, "role")), "\n", CONTENT, text, END))


FORMAT = Format(
    name="seed-oss",
    title="Seed-OSS: thinking budget, tools as function docs, arguments as Python values",
    source="seed-oss.jinja",
    options=(
        Option("thinking_budget", "number", -1, "Tokens to think: -1 is no limit, 0 is no thinking."),
        Option("use_json_tooldef", "boolean", False, "Any true value prints tools as JSON instead of function docs."),
        Option("system_message", "string", None, "Printed when the first message is no system message."),
    ),
    reads="role id content reasoning_content tool_calls function name arguments type parameters properties description "
    "required returns",
    writer=write,
    pieces=Pieces(header=f"{ASSISTANT}\n", stops=(END,), reasoning=REASONING, calls=CALLS),
    hints=Hints(notice=NOTICE),
)
