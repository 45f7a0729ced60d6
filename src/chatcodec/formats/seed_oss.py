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
marker. Any other role is printed as it is. A budget of 0 leaves the reasoning marker open, and a budget marker after it.
"""

from __future__ import annotations

from typing import Any

from chatcodec.chat.check import invalid, need_text
from chatcodec.chat.types import Chat
from chatcodec.formats.function_docs import write_function_docs
from chatcodec.formats.tools import CallRules
from chatcodec.formats.turns import given_reasoning
from chatcodec.render.marks import GENERATION, NOBODY, Mark, elements, shows
from chatcodec.render.protocol import Format, Option
from chatcodec.render.values import json_text
from chatcodec.render.writer import Caution, Emit, Writer
from chatcodec.reply.pieces import Reasoning, TaggedCalls

START, END = "<seed:bos>", "<seed:eos>"
SYSTEM, ASSISTANT = f"{START}system\n", f"{START}assistant"
REASONING = Reasoning("<seed:think>", "</seed:think>")
CALLS = TaggedCalls(
    opening="<seed:tool_call>\n<function=",
    named=">\n",
    key_opening="<parameter=",
    value_opening=">",
    value_closing="</parameter>\n",
    closing="</function>\n</seed:tool_call>",
    values="str",
)
CALL_RULES = CallRules(function="present", arguments="optional", passes_over=(int, float))
BUDGET = "<seed:cot_budget_reflect>"
INTERVALS = ((0, 0), (512, 128), (1024, 256), (2048, 512), (4096, 512), (8192, 1024), (16384, 1024))
IDENTITY = "You are Doubao, a helpful AI assistant. You may call one or more functions to assist with the user query."
JSON_TOOLS = (
    "\nTool List:\nYou are authorized to use the following tools (described in JSON Schema format). Before performing any "
    "task, you must decide how to call them based on the descriptions and parameters of these tools.\n"
)
INSTRUCTIONS = (
    "\n工具调用请遵循如下格式:\n<seed:tool_call>\n<function=example_function_name>\n"
    "<parameter=example_parameter_1>value_1</parameter>\n<parameter=example_parameter_2>This is the value for the second "
    "parameter\nthat can span\nmultiple lines</parameter>\n</function>\n</seed:tool_call>\n"
)
NO_BUDGET = (
    "You are an intelligent assistant that can answer questions in one step without the need for reasoning and thinking, "
    "that is, your thinking budget is 0. Next, please skip the thinking process and directly start answering the user's "
    "questions.\n"
)
SOME_BUDGET = (
    "You are an intelligent assistant with reflective ability. In the process of thinking and reasoning, you need to "
    "strictly follow the thinking budget, which is ",
    ". That is, you need to complete your thinking within ",
    " tokens and start answering the user's questions. You will reflect on your thinking process every {} tokens, stating "
    "how many tokens have been used and how many are left.\n",
)
ROLE_PRINTED = Caution("role-printed", ("role",), "this format has no such role: it is printed as it is")
CONTENT, ROLE, TOOLS = shows("content"), shows("role"), shows("tools", form="json")
SYSTEM_OPTION, BUDGET_OPTION = shows("options", "system_message"), shows("options", "thinking_budget", form="str")


def write(chat: Chat, out: Writer) -> None:
    """Write a chat: system block, budget block, then each message but a leading system message."""
    budget = chat.options.get("thinking_budget", -1)
    if not isinstance(budget, (int, float)):
        raise invalid(("options", "thinking_budget"), budget, "a number")
    _write_system(chat, out)
    _write_budget(budget, out.emit)
    for message, owner in zip(chat.messages, elements("messages", len(chat.messages)), strict=True):
        role = message.get("role")
        if role == "assistant":
            _write_assistant(message, owner, out.emit)
        elif role != "system" or owner.path[1]:
            _write_other(message, role, owner, out)
    if chat.add_generation_prompt:
        opened = REASONING.opening + BUDGET if budget == 0 else ""
        out.emit((GENERATION, f"{ASSISTANT}\n{opened}"))


def _write_system(chat: Chat, out: Writer) -> None:
    system, tools = _system(chat), chat.tools or []
    if system:
        out.emit((SYSTEM, *system))
    elif tools:
        out.emit((SYSTEM + IDENTITY,))
    if chat.options.get("use_json_tooldef"):
        out.emit((JSON_TOOLS, TOOLS, json_text(tools)))
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


def _write_budget(budget: float, emit: Emit) -> None:
    if budget == 0:
        emit((SYSTEM + NO_BUDGET + END,))
    elif budget != -1:
        interval = next((interval for tier, interval in INTERVALS if budget <= tier), INTERVALS[-1][1])
        before, between, after = SOME_BUDGET
        shown = (BUDGET_OPTION, str(budget))
        emit((SYSTEM + before, *shown, between, *shown, after.format(interval) + END))


def _write_assistant(message: Any, owner: Mark, emit: Emit) -> None:
    calls = CALL_RULES.calls(message, owner)
    content = message.get("content")
    text = content.strip() if isinstance(content, str) else ""
    reasoning, shown = given_reasoning(message)
    thought = reasoning.strip() if reasoning else ""
    emit((owner, ASSISTANT))
    if thought:
        emit(("\n" + REASONING.opening, shown, thought, REASONING.closing))
    if text:
        emit(("\n", CONTENT, text, "\n" if calls else END))
    if calls:
        CALL_RULES.write(CALLS, calls, owner, "\n", "\n", emit)
        emit((owner, END))


def _write_other(message: Any, role: Any, owner: Mark, out: Writer) -> None:
    text = need_text(message.get("content"), (*owner.path, "content"))
    if role == "user" or role == "tool" or role == "system":
        out.emit((owner, f"{START}{role}\n", CONTENT, text, END))
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
    reads="role content reasoning_content tool_calls function name arguments type parameters properties description "
    "required returns",
    writer=write,
)
