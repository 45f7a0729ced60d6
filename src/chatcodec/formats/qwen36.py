"""Qwen3.6, with several system messages merged into one at the top.

    <|im_start|>assistant
    <think>
    REASONING
    </think>

    CONTENT

    <tool_call>
    <function=NAME>
    <parameter=KEY>
    VALUE
    </parameter>
    </function>
    </tool_call><|im_end|>

Every text is trimmed. Reasoning is kept after the last user query only, unless ``preserve_thinking``. Tool results are
grouped in a user turn.
"""

from __future__ import annotations

from typing import Any

from chatcodec.chat.check import refused
from chatcodec.chat.pointer import describe
from chatcodec.chat.types import Chat
from chatcodec.formats.format import Format
from chatcodec.formats.parts import Numbers, PartKind, Parts, Placeholder
from chatcodec.formats.tools import EXAMPLE, CallRules, write_tools
from chatcodec.formats.turns import Turn, ends_group, given_reasoning, last_query, no_query, turns_of
from chatcodec.render.marks import GENERATION, Mark, shows
from chatcodec.render.protocol import Option
from chatcodec.render.writer import Writer
from chatcodec.reply.pieces import Pieces, Reasoning, Spacing, TaggedCalls

START, STOP, END = "<|im_start|>", "<|im_end|>", "<|im_end|>\n"
SYSTEM, USER, ASSISTANT = (f"{START}{role}\n" for role in ("system", "user", "assistant"))
REASONING = Reasoning("<think>\n", "\n</think>\n\n")
THINKING, THOUGHT = ASSISTANT + REASONING.opening, REASONING.closing
CALLS = TaggedCalls(
    call="<tool_call>\n<function={name}>\n",
    argument="<parameter={key}>\n{value}\n</parameter>\n",
    closing="</function>\n</tool_call>",
    values="json",
    spacing=Spacing(after_content="\n\n", between="\n"),
)
CALL_RULES = CallRules(function="present", arguments="any", passes_over=(int, float, dict))
RESPONSE, RESPONSE_END = "\n<tool_response>\n", "\n</tool_response>"
INTRODUCTION = "# Tools\n\nYou have access to the following functions:\n\n<tools>"
INSTRUCTIONS = (
    "\n</tools>\n\nIf you choose to call a function ONLY reply in the following format with NO suffix:\n\n"
    + CALLS.example(**EXAMPLE)
    + "\n\n<IMPORTANT>\nReminder:\n"
    "- Function calls MUST follow the specified format: an inner <function=...></function> block must be nested within "
    "<tool_call></tool_call> XML tags\n- Required parameters MUST be specified\n"
    "- You may provide optional reasoning for your function call in natural language BEFORE the function call, but NOT "
    "after\n- If there is no function call available, answer the question like normal with your current knowledge and "
    "do not tell the user about function calls\n</IMPORTANT>"
)
NOT_IN_SYSTEM: dict[PartKind, str] = {
    "image": "System message cannot contain images.",
    "video": "System message cannot contain videos.",
}
CONTENT, ROLES = shows("content"), "system, user, assistant or tool"
PARTS = Parts(
    {
        "image": Placeholder("<|vision_start|>", "<|image_pad|>", "<|vision_end|>"),
        "video": Placeholder("<|vision_start|>", "<|video_pad|>", "<|vision_end|>"),
    },
    keys={"image": ("image", "image_url"), "video": ("video",), "text": ("text",)},
    types="also",
    unknown_part="Unexpected item type in content.",
    unknown_content="Unexpected content type.",
)


def write(chat: Chat, out: Writer) -> None:
    """Write a chat: the merged system block, then each other message."""
    numbers, everyone = Numbers(printed=bool(chat.options.get("add_vision_id"))), turns_of(chat)
    system = [piece for turn in everyone if turn[1] == "system" for piece in _system(turn, numbers, out)]
    turns = [turn for turn in everyone if turn[1] != "system"]
    if not turns and not system:
        raise refused("No messages provided.", ("messages",), "blank system messages only", "a user message")
    if chat.tools:
        write_tools(out.emit, SYSTEM + INTRODUCTION, chat.tools, INSTRUCTIONS)
        out.emit((*system, END))
    elif system:
        out.emit((SYSTEM, *system[1:], END))
    _write_turns(turns, bool(system), chat.options.get("preserve_thinking") is True, numbers, out)
    if chat.add_generation_prompt:
        closed = chat.options.get("enable_thinking") is False
        out.emit((GENERATION, THINKING + THOUGHT if closed else THINKING))


def _system(turn: Turn, numbers: Numbers, out: Writer) -> tuple[str, ...]:
    message, _, owner = turn
    text = PARTS.text(message.get("content"), owner, numbers, out, counted=False, banned=NOT_IN_SYSTEM).strip()
    return ("\n\n", shows(*owner.path, "content"), text) if text else ()


def _write_turns(turns: list[Turn], after: bool, preserve: bool, numbers: Numbers, out: Writer) -> None:
    query = last_query(
        turns, lambda message, owner: PARTS.text(message.get("content"), owner, numbers, counted=False).strip()
    )
    if query is None:
        raise no_query("No user query found in messages.", turns)
    for position, (message, role, owner) in enumerate(turns):
        content = message.get("content")
        text = content.strip() if type(content) is str else PARTS.text(content, owner, numbers, out).strip()
        if role == "user":
            out.emit((owner, USER, CONTENT, text, END))
        elif role == "assistant":
            _write_assistant(message, text, owner, preserve or position > query, out)
        elif role == "tool":
            starts = after if position == 0 else turns[position - 1][1] != "tool"
            ending = RESPONSE_END + END if ends_group(turns, position) else RESPONSE_END
            out.emit((owner, START + "user" + RESPONSE if starts else RESPONSE, CONTENT, text, ending))
        else:
            raise refused("Unexpected message role.", (*owner.path, "role"), describe(role), ROLES)


def _write_assistant(message: Any, text: str, owner: Mark, thinking: bool, out: Writer) -> None:
    reasoning, shown = given_reasoning(message)
    if reasoning is None:
        reasoning, text = REASONING.split(text)
        shown = CONTENT
    if thinking:
        out.emit((owner, THINKING, shown, reasoning.strip(), THOUGHT, CONTENT, text))
    else:
        out.emit((owner, ASSISTANT, CONTENT, text))
    CALL_RULES.write(CALLS, CALL_RULES.calls(message, owner, out), owner, bool(text.strip()), out)
    out.emit((owner, END))


FORMAT = Format(
    name="qwen3.6",
    title="Qwen3.6, several system messages merged at the top",
    source="qwen3.6-multi-system.jinja",
    options=(
        Option("enable_thinking", "boolean", True, "Off only for false itself: then the prompt closes reasoning."),
        Option("preserve_thinking", "boolean", False, "On only for true itself: keeps reasoning of earlier turns."),
        Option("add_vision_id", "boolean", False, "Any true value numbers images and videos: `Picture 1: `."),
    ),
    reads="role content type text images image_url video reasoning_content tool_calls function name arguments",
    writer=write,
    pieces=Pieces(header=ASSISTANT, stops=(STOP,), reasoning=REASONING, calls=CALLS),
)
