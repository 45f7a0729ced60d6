"""Bailing V3 (Ling and Ring): roles in tags, a header with the thinking switch in every prompt.

    <role>ASSISTANT</role>
    <think>REASONING</think>CONTENT
    <tool_call>NAME
    <arg_key>KEY</arg_key>
    <arg_value>VALUE</arg_value>
    </tool_call><|role_end|>

Of texts nothing is trimmed but newlines around reasoning, and before the content behind it. A system text that says
"detailed thinking on" or "off" stands instead of the option's line, but the generation prompt follows the option. Roles
that are not known are printed as they are.
"""

from __future__ import annotations

from typing import Any

from chatcodec.chat.check import need_text
from chatcodec.chat.types import Chat
from chatcodec.formats.format import Format
from chatcodec.formats.parts import Numbers, Parts, Placeholder
from chatcodec.formats.tools import TOOLS_INTRODUCTION, CallRules, write_tools
from chatcodec.formats.turns import ROLE_PRINTED, Turn, ends_group, given_reasoning, last_query, turns_of
from chatcodec.render.marks import GENERATION, Mark, shows
from chatcodec.render.protocol import Option
from chatcodec.render.writer import Writer
from chatcodec.reply.pieces import Pieces, Reasoning, Spacing, TaggedCalls

END = "<|role_end|>"
SYSTEM, HUMAN, ASSISTANT, OBSERVATION = (
    f"<role>{role}</role>" for role in ("SYSTEM", "HUMAN", "ASSISTANT", "OBSERVATION")
)
REASONING = Reasoning("<think>", "</think>")
HEADER = f"{ASSISTANT}\n"
THINKING = HEADER + REASONING.opening
CALLS = TaggedCalls(
    call="<tool_call>{name}",
    argument="\n<arg_key>{key}</arg_key>\n<arg_value>{value}</arg_value>",
    closing="\n</tool_call>",
    values="json",
    spacing=Spacing(after_content="\n", between="\n"),
)
CALL_RULES = CallRules(function="true", arguments="object")
RESPONSE, RESPONSE_END = "\n<tool_response>\n", "\n</tool_response>"
ON, OFF = "detailed thinking on", "detailed thinking off"
INSTRUCTIONS = (
    "\n</tools>\n\nIf none of the functions can be used, point it out. If the given question lacks the parameters "
    "required by the function, also point it out.\nIf you need to use a function, for each function call, output the "
    "function name and arguments within the following XML format:\n<tool_call>{function-name}\n"
    "<arg_key>{arg-key-1}</arg_key>\n<arg_value>{arg-value-1}</arg_value>\n<arg_key>{arg-key-2}</arg_key>\n"
    "<arg_value>{arg-value-2}</arg_value>\n...\n</tool_call>\n"
)
CONTENT, ROLE = shows("content"), shows("role")


PARTS = Parts(
    {
        "image": Placeholder("<|vision_start|>", "<|image_pad|>", "<|vision_end|>"),
        "audio": Placeholder("<|audio_start|>", "<|audio_pad|>", "<|audio_end|>"),
        "video": Placeholder("<|video_start|>", "<|video_pad|>", "<|video_end|>"),
    },
    keys={"image": ("image", "image_url"), "audio": ("audio", "audio_url"), "video": ("video",), "text": ("text",)},
    types="first",
    unknown_part="Unexpected item type in content list: each item must have type image/audio/video/text.",
    unknown_content="Unexpected content type: expected string, list, or none.",
)


def write(chat: Chat, out: Writer) -> None:
    """Write a chat: the header, then each message but a leading system message."""
    thinking = bool(chat.options.get("enable_thinking", True))
    numbers = Numbers(printed=bool(chat.options.get("add_vision_id")))
    turns = turns_of(chat)
    _write_header(chat, turns[0], thinking, numbers, out)
    _write_turns(turns, chat, numbers, out)
    if chat.add_generation_prompt:
        out.emit((GENERATION, THINKING if thinking else THINKING + REASONING.closing))


def _write_header(chat: Chat, first: Turn, thinking: bool, numbers: Numbers, out: Writer) -> None:
    emit = out.emit
    line = ON if thinking else OFF
    emit((SYSTEM,))
    message, role, owner = first
    if role == "system":
        text = PARTS.text(message.get("content"), owner, numbers, out, counted=False)
        if ON in text or OFF in text:
            line = ""
        ended = not text or text[-1] == "\n" or not (chat.tools or line)
        emit((shows(*owner.path, "content"), text, "" if ended else "\n"))
    if chat.tools:
        write_tools(emit, TOOLS_INTRODUCTION, chat.tools, INSTRUCTIONS)
    emit((line + END,))


def _write_turns(turns: list[Turn], chat: Chat, numbers: Numbers, out: Writer) -> None:
    emit = out.emit
    query = last_query(turns, lambda message, owner: PARTS.text(message.get("content"), owner, numbers, counted=False))
    if chat.options.get("preserve_thinking", True):
        query = -1
    for index, (message, role, owner) in enumerate(turns):
        if role == "system" and index == 0:
            continue
        content = message.get("content")
        text = content if type(content) is str else PARTS.text(content, owner, numbers, out)
        if role == "user":
            emit((owner, HUMAN, CONTENT, text, END))
        elif role == "assistant":
            _write_assistant(message, text, owner, query is not None and index > query, out)
        elif role == "tool":
            opening = RESPONSE if index and turns[index - 1][1] == "tool" else OBSERVATION + RESPONSE
            ending = RESPONSE_END + END if ends_group(turns, index) else RESPONSE_END
            emit((owner, opening, CONTENT, text, ending))
        elif role == "system":
            emit((owner, SYSTEM, CONTENT, text, END))
        else:
            out.warn((ROLE_PRINTED, owner))
            emit((owner, "<role>", ROLE, need_text(role, (*owner.path, "role")), "</role>", CONTENT, text, END))


def _write_assistant(message: Any, text: str, owner: Mark, thinking: bool, out: Writer) -> None:
    reasoning, shown = given_reasoning(message)
    if not reasoning:
        reasoning, text = REASONING.split(text)
        shown = CONTENT
    if thinking and reasoning:
        out.emit((owner, THINKING, shown, reasoning.strip("\n"), REASONING.closing, CONTENT, text.lstrip("\n")))
    else:
        out.emit((owner, THINKING + REASONING.closing, CONTENT, text))
    CALL_RULES.write(CALLS, CALL_RULES.calls(message, owner, out), owner, bool(text), out)
    out.emit((owner, END))


FORMAT = Format(
    name="bailing-v3",
    title="Bailing V3 (Ling, Ring): role tags, thinking switch in the header",
    source="bailing-v3.jinja",
    options=(
        Option("enable_thinking", "boolean", True, "Off for any false value (null, 0, an empty text)."),
        Option("preserve_thinking", "boolean", True, "Off for any false value: drops reasoning before the last query."),
        Option("add_vision_id", "boolean", False, "Any true value numbers images and videos: `Picture 1: `."),
    ),
    reads="role content type text image image_url audio audio_url video reasoning_content tool_calls function "
    "name arguments",
    writer=write,
    pieces=Pieces(header=HEADER, stops=(END,), reasoning=REASONING, calls=CALLS),
)
