"""Families that do not exist, for what no format has: codecs that have nothing but pieces.

Markers without angle brackets, markers around content, calls without space between their parts, calls in a section,
a value behind more than a newline, calls inside a text, calls in a list, without markers, or with their names in ids.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from chatcodec.chat.types import Chat
from chatcodec.render.marks import NOBODY, Mark
from chatcodec.render.protocol import Option
from chatcodec.render.rendered import Rendered
from chatcodec.render.run import run
from chatcodec.render.writer import WarningKind, Writer
from chatcodec.reply.calls import BARE, Block, Spacing
from chatcodec.reply.json_calls import JsonCalls
from chatcodec.reply.keyed_calls import KeyedCalls
from chatcodec.reply.named_calls import NamedCalls
from chatcodec.reply.pieces import NO_HINTS, Calls, Hints, Pieces, Reasoning
from chatcodec.reply.python_calls import PythonCalls
from chatcodec.reply.tagged import TaggedCalls


@dataclass(frozen=True)
class Plain:
    """A renderer that writes the pieces of a turn one behind the other."""

    name: str
    pieces: Pieces
    hints: Hints = NO_HINTS
    title: str = ""
    options: tuple[Option, ...] = ()

    def mentions(self, word: str) -> bool:
        """Whether the renderer reads a field of that name."""
        return word in "content reasoning_content tool_calls"

    @property
    def special_tokens(self) -> frozenset[str]:
        """The names of special tokens."""
        return frozenset()

    def render(self, chat: Chat, warned: Iterable[tuple[WarningKind, Mark]] = ()) -> Rendered:
        """Return the prompt of a chat."""
        return run(self.write, chat, warned)

    def write(self, chat: Chat, out: Writer) -> None:
        """Write the turns of the assistant, and nothing else."""
        opening = self.pieces.reasoning.opening if self.pieces.reasoning and self.hints.response else ""
        for message in chat.messages:
            if message["role"] == "assistant":
                out.emit((self.pieces.header + opening, *self._turn(message, opening), self.pieces.stops[0]))
        if chat.add_generation_prompt:
            out.emit((self.pieces.header + opening,))

    def _turn(self, message: Any, opening: str) -> Iterator[str]:
        content, block, reasoning = message.get("content") or "", self.pieces.content, self.pieces.reasoning
        if reasoning and message.get("reasoning_content"):
            yield f"{reasoning.opening}{message['reasoning_content']}{reasoning.closing}".removeprefix(opening)
        if content:
            yield f"{block.opening}{content}{block.closing}" if block else content
        syntax = self.pieces.calls or self.hints.calls
        if syntax is not None:
            before = syntax.spacing.after_content if content else syntax.spacing.first
            opening, closing = (syntax.section.opening, syntax.section.closing) if syntax.section else ("", "")
            calls = message.get("tool_calls") or ()
            if calls and (isinstance(syntax, PythonCalls) or (isinstance(syntax, JsonCalls) and syntax.list)):
                yield before + listed(syntax, *(call["function"] for call in calls))
                return
            for call in calls:
                yield before + opening + written(syntax, **call["function"])
                before, opening = syntax.spacing.between, ""
            yield closing if calls else ""


def written(syntax: Calls, name: str, arguments: Any) -> str:
    """Return the text of a call."""
    if isinstance(syntax, JsonCalls):
        return syntax.example(json.dumps(name), json.dumps(arguments)).replace("{id}", '"id"')
    if isinstance(syntax, PythonCalls):
        return syntax.example(name, **arguments)
    pieces: list[str] = []
    if isinstance(syntax, (NamedCalls, KeyedCalls)):
        call_id = "call-id" if "{name}" in syntax.call else f"functions.{name}:0"
        syntax.write(pieces.extend, NOBODY, "", call_id, name, arguments)
    else:
        syntax.write(pieces.extend, NOBODY, "", name, arguments, BARE)
    return "".join(pieces)


def listed(syntax: JsonCalls | PythonCalls, *functions: Any) -> str:
    """Return the text of calls that stand in a list, or one behind the other between the same markers."""
    alone: JsonCalls | PythonCalls = replace(syntax, opening="", closing="")
    alone = replace(alone, list=None) if isinstance(alone, JsonCalls) else alone
    calls = syntax.spacing.between.join(written(alone, **function) for function in functions)
    brackets = syntax.list if isinstance(syntax, JsonCalls) and syntax.list else Block("", "")
    return syntax.opening + brackets.opening + calls + brackets.closing + syntax.closing


INVENTED = (
    Plain(
        "brackets",
        Pieces(
            header="[BOT]",
            stops=("[END]",),
            reasoning=Reasoning("[THINK]", "[/THINK]"),
            content=Block("[SAY]", "[/SAY]"),
            calls=TaggedCalls("[CALL {name}]", "[ARG {key}]{value}[/ARG]", "[/CALL]", values="str"),
        ),
    ),
    Plain(
        "tight-json",
        Pieces(
            header="<|bot|>",
            stops=("<|end|>", "<|stop|>"),
            content=Block("<|say|>\n", "\n<|said|>"),
            calls=JsonCalls("<|call|>", '{"name": {name}, "parameters": {arguments}}', "<|called|>"),
        ),
    ),
    Plain(
        "sections",
        Pieces(
            header="<|bot|>",
            stops=("<|end|>",),
            reasoning=Reasoning("<think>\n", "\n</think>\n\n"),
            calls=NamedCalls(
                "<|call|>{name}<|id|>{id}<|with|>", "<|called|>", section=Block("<|calls|>", "<|calls-end|>")
            ),
        ),
    ),
    Plain(
        "spaced-tags",
        Pieces(
            header="<bot>\n",
            stops=("</bot>", "<user>"),
            calls=TaggedCalls(
                call="<calls>\n  <call name={name}>\n",
                argument="  <arg>\n    <key> {key} </key>\n    <value>\n  {value}\n  </value>\n  </arg>\n",
                closing="  </call>\n</calls>",
                spacing=Spacing("\n", " \n", "\n\n"),
            ),
        ),
    ),
    Plain(
        "json-section",
        Pieces(
            header="[/INST]",
            stops=("</s>",),
            calls=JsonCalls(
                "<call>",
                '{"name": {name}, "arguments": {arguments}}',
                "</call>",
                spacing=Spacing("\n", "\n", ",\n"),
                section=Block("[CALLS]\n", "\n[/CALLS]"),
            ),
        ),
    ),
    Plain(
        "inline-tagged",
        Pieces(header="BOT:", stops=("END.",), reasoning=Reasoning("Think: ", "\nAnswer: ")),
        Hints(
            calls=TaggedCalls(
                "((call {name}\n", "((arg {key}: {value}))\n", "call))", spacing=Spacing("\n", "\n", "\n")
            ),
            response=Block("\n((result\n", "\nresult))\n"),
            notice=Block("((note ", " note))"),
        ),
    ),
    Plain(
        "json-list",
        Pieces(
            header="<|bot|>",
            stops=("\n<|end|>",),
            reasoning=Reasoning("<think>", "</think>"),
            calls=JsonCalls(
                "<calls>",
                '{"id": {id}, "tool": {name}, "input": {arguments}}',
                "</calls>",
                spacing=Spacing("", "\n", ",\n  "),
                list=Block("[\n  ", "\n]"),
            ),
        ),
    ),
    Plain(
        "bare-json",
        Pieces(
            header="<|bot|>",
            stops=("<|end|>",),
            reasoning=Reasoning("<think>", "</think>"),
            content=Block("<|say|>", ""),
            calls=JsonCalls("", '{"name": {name}, "parameters": {arguments}}', "", spacing=Spacing(between=" ")),
        ),
    ),
    Plain(
        "bare-list",
        Pieces(
            header="<|bot|>",
            stops=("<|end|>",),
            calls=JsonCalls("", "{{name}: {arguments}}", "", spacing=Spacing(between=", "), list=Block("[", "]")),
        ),
    ),
    Plain(
        "open-ended",
        Pieces(header="[/INST]", stops=("</s>",), calls=NamedCalls("[CALLS]{name}[ARGS]", "")),
    ),
    Plain(
        "shared-stop",
        Pieces(
            header="<|bot|>",
            stops=("<|sep|>",),
            reasoning=Reasoning("<think>", "</think>"),
            calls=JsonCalls("<|sep|>\n\ncall<|of|>\n", '{"name": {name}, "arguments": {arguments}}', ""),
        ),
    ),
    Plain(
        "named-by-id",
        Pieces(
            header="<|bot|>",
            stops=("<|end|>",),
            calls=NamedCalls("<|call|>{id}<|with|>", "<|called|>", section=Block("<|calls|>", "<|calls-end|>")),
        ),
    ),
    Plain(
        "typed-tags",
        Pieces(
            header="<|bot|>",
            stops=("<|end|>",),
            reasoning=Reasoning("<think>", "</think>"),
            calls=TaggedCalls(
                '<call name="{name}">\n',
                '<arg name="{key}" text="yes">{value}</arg>\n',
                "</call>",
                section=Block("<calls>\n", "</calls>"),
                other='<arg name="{key}" text="no">{value}</arg>\n',
            ),
        ),
    ),
    Plain(
        "quoted-tags",
        Pieces(
            header="<|bot|>",
            stops=("<|end|>",),
            reasoning=Reasoning("<think>", "</think>"),
            calls=TaggedCalls(
                '<call name="{name}">',
                '<arg name="{key}">{value}</arg>',
                "</call>",
                "str",
                Spacing("", "\n", "\n"),
                quotes=Block("<![RAW[", "]]>"),
            ),
        ),
    ),
    Plain(
        "python-list",
        Pieces(
            header="<|bot|>",
            stops=("<|end|>",),
            reasoning=Reasoning("<think>", "</think>"),
            calls=PythonCalls("<|calls|>[", "]<|called|>", spacing=Spacing(between=", ")),
        ),
    ),
    Plain(
        "python-raw",
        Pieces(
            header="<|bot|>",
            stops=("<|end|>",),
            calls=PythonCalls("<|calls|>[", "]<|called|>", "raw", Spacing("", "\n", ", ")),
        ),
    ),
    Plain(
        "python-lines",
        Pieces(
            header="<|bot|>",
            stops=("<|end|>",),
            calls=PythonCalls("<calls>\n```\n", "\n```\n</calls>", "json", Spacing("", "\n", "\n")),
        ),
    ),
    Plain(
        "keyed",
        Pieces(
            header="<|bot|>",
            stops=("<|end|>", "<|result|>"),
            reasoning=Reasoning("<|think|>\n", "\n<|thought|>"),
            calls=KeyedCalls("<|call|>do:{name}", "<|called|>", Block("<|'|>", "<|'|>")),
        ),
    ),
    Plain(
        "keyed-open",
        Pieces(
            header="[BOT]",
            stops=("[END]",),
            calls=KeyedCalls(
                "[CALL {id}] {name} ", "", Block("<<", ">>"), ("yes", "no", "None"), Spacing("\n", "\n", ";\n")
            ),
        ),
    ),
)
