"""``chatcodec parse``: the reply that a completion is, or each completion of a JSONL file; whole, or as it comes.

Rules: what a model wrote is never an error; what is wrong with it is a warning, and the exit code is 0. A completion is
read exactly as it is, but for a byte order mark. What is wrong in the arguments is said before anything is read. With a
completion a line, a bad line is an error on stderr, the next line goes on, and the exit code is 2.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import click

from chatcodec.cli.arguments import (
    allow_unknown_option,
    blamed,
    expect_one_stdin,
    read_tools,
    set_option,
    template_name_option,
    thinking_option,
    without_reserved,
)
from chatcodec.cli.chatfile import in_file
from chatcodec.cli.completion import Completion, completion_of
from chatcodec.cli.documents import Document, is_jsonl, open_input, read_documents, read_text, text_as_it_comes
from chatcodec.cli.failure import Refused, at, debug_option, place, report, say, warn
from chatcodec.cli.present import json_line
from chatcodec.cli.replies import deltas, everything, last_delta, table, warnings
from chatcodec.cli.settings import settings_of
from chatcodec.cli.terminal import color_option, drawing, width, write
from chatcodec.codec import Codec, load
from chatcodec.errors import ChatCodecError, UnreadableInput
from chatcodec.reply.events import Event
from chatcodec.reply.reader import Reader
from chatcodec.reply.reply import Reply

RESERVED = frozenset(
    {"self", "completion", "finish_reason", "tools", "prompt", "tool_choice", "piece", "added", "state"}
    | {"messages", "add_generation_prompt", "documents", "continue_final_message", "now", "allow_unknown"}
)
"""Arguments of `Codec.parse`, `Codec.reader` and `Codec.render`, which no option can be named after."""

_AS_IT_COMES = ("events", "deltas")
OUTPUTS = ("message", "turn", *_AS_IT_COMES, "segments", "json")


@dataclass(frozen=True)
class Request:
    """What the command line asks for, apart from the completion; it counts before what a line says."""

    codec: Codec
    settings: dict[str, Any]
    tools_file: str | None
    tools: list[Any] | None
    prompt: str | None
    finish_reason: str | None
    tool_choice: str | None
    allow_unknown: bool
    noted: set[str] = field(default_factory=set)

    def note(self, completion: Completion) -> None:
        """Say, once for each name, what of the `completion`'s line is passed over."""
        names = [name for name in completion.passed_over if name not in self.noted]
        if names:
            self.noted.update(names)
            say(f"note: passed over: {', '.join(names)}")

    def reader(self, completion: Completion) -> Reader:
        """Return a reader for `completion`. Raises Refused for faults of the command line, else what the codec does."""
        options = completion.options | self.settings
        try:
            return self.codec.reader(
                tools=completion.tools if self.tools is None else self.tools,
                prompt=completion.prompt if self.prompt is None else self.prompt,
                tool_choice=self.tool_choice or completion.tool_choice,
                allow_unknown=self.allow_unknown,
                **without_reserved(options, RESERVED, self.allow_unknown),
            )
        except ChatCodecError as error:
            raise blamed(error, self.tools_file, self.settings) or in_file(error, completion.places) from error

    def read(self, reader: Reader, completion: Completion) -> Reply:
        """Return the reply that `completion` is."""
        reader.feed(completion.text)
        return reader.close(self.finish_reason or completion.finish_reason)


@click.command("parse")
@click.argument("codec_name", metavar="CODEC")
@click.argument("file", default="-", metavar="[FILE|-]")
@click.option("--tools", "tools_file", metavar="FILE", help="Tool definitions, a JSON list, or an object with tools.")
@click.option("--prompt", "prompt_file", metavar="FILE", help="The prompt that the completion answers, or its end.")
@set_option
@thinking_option
@template_name_option
@click.option("--pieces", metavar="FORMAT", help="The format by whose pieces a template's replies are read.")
@allow_unknown_option
@click.option("--finish-reason", metavar="REASON", help="Why the engine ended the completion, where it said.")
@click.option("--tool-choice", type=click.Choice(["auto", "required", "none"]), help="With none, nothing is a call.")
@click.option("--stream", is_flag=True, help="Print events, or deltas, as the completion comes in.")
@click.option("--jsonl", "by_line", is_flag=True, help="Take each line as a completion, in JSON.")
@click.option(
    "--output", type=click.Choice(OUTPUTS), help="OpenAI's message, the turn to render again, a table, or all."
)
@color_option("what it is")
@debug_option
def command(
    codec_name: str,
    file: str,
    tools_file: str | None,
    prompt_file: str | None,
    given: tuple[str, ...],
    thinking: str | int | None,
    template_name: str | None,
    pieces: str | None,
    allow_unknown: bool,
    finish_reason: str | None,
    tool_choice: str | None,
    stream: bool,
    by_line: bool,
    output: str | None,
    color: str,
) -> int:
    """Read a completion back: reasoning, content, tool calls.

    FILE is the text that the model wrote, exactly; without FILE it is read from stdin. It is read from where the
    prompt ends. Without --prompt that is the generation prompt of a chat with the options of --set.

    In a JSONL file each line is a completion: a string, or an object with completion and, where wanted, prompt, tools,
    finish_reason, tool_choice and options. Each reply is then printed as a JSON object on a line of its own.

    \b
    Examples:
      chatcodec parse qwen3.6 completion.txt --tools tools.json
      chatcodec parse seed-oss completion.txt --set thinking_budget:=0 --output segments
      your-engine | chatcodec parse qwen3.6 --prompt prompt.txt --stream
    """  # noqa: D301
    codec = load(codec_name, name=template_name, pieces=pieces)
    settings = settings_of(given, codec.options, thinking)
    by_line = by_line or is_jsonl(file)
    _check_use(stream, by_line, output, bool(settings and prompt_file))
    expect_one_stdin({"the completion": file, "--tools": tools_file, "--prompt": prompt_file})
    tools, prompt = read_tools(tools_file), _prompt(prompt_file)
    request = Request(codec, settings, tools_file, tools, prompt, finish_reason, tool_choice, allow_unknown)
    reader = request.reader(Completion(""))
    if by_line:
        return _parse_lines(request, file, output or "message")
    if stream:
        return _parse_stream(request, reader, file, output or "events")
    return _parse_one(request, reader, file, output or "message", color)


def _check_use(stream: bool, by_line: bool, output: str | None, both: bool) -> None:
    """Raise UnreadableInput for arguments that cannot go together."""
    if both:
        raise UnreadableInput("--set says how a prompt ends, and --prompt too; give one of them")
    if stream and by_line:
        raise UnreadableInput("--stream takes one completion, not one a line")
    if stream and output not in (None, *_AS_IT_COMES):
        raise UnreadableInput(f"--stream prints events or deltas as they come; there is no {output} before the end")


def _prompt(file: str | None) -> str | None:
    if file is None:
        return None
    with at(place(file)), open_input(file, "text") as source:
        return read_text(source)


def _parse_one(request: Request, reader: Reader, file: str, output: str, color: str) -> int:
    with at(place(file)), open_input(file, "text") as source:
        reply = request.read(reader, Completion(read_text(source)))
        if output == "segments":
            text = "".join(table(reply, drawing(color), width()))
        else:
            text = "".join(map(json_line, _forms(reply, output)))
    warn(warnings(reply))
    write(text)
    return 0


def _parse_stream(request: Request, reader: Reader, file: str, output: str) -> int:
    with at(place(file)), open_input(file, "text") as source:
        for text in text_as_it_comes(source):
            _write_events(reader.feed(text), output)
        _write_events(reader.finish(request.finish_reason), output)
        reply = reader.close()
    if output == "deltas":
        write(json_line(last_delta(reply)))
    warn(warnings(reply))
    return 0


def _write_events(events: Iterable[Event], output: str) -> None:
    lines = deltas(events) if output == "deltas" else (event.as_json() for event in events)
    text = "".join(map(json_line, lines))
    if text:
        write(text)


def _parse_lines(request: Request, file: str, output: str) -> int:
    where = place(file)
    with at(where), open_input(file) as source:
        _, each = read_documents(source, file, by_line=True)
        return max((_parse_line(request, document, where, output) for document in each), default=0)


def _parse_line(request: Request, document: Document, where: str, output: str) -> int:
    """Parse and print the completion of one line; return its exit code."""
    where = f"{where}:{document.line}"
    try:
        with at(where):
            completion = completion_of(document.value)
            reply = request.read(request.reader(completion), completion)
            forms = list(_forms(reply, output, by_line=True))
    except Refused as error:  # of this line, since the arguments were found to be fine
        report(error)
        return 2
    request.note(completion)
    warn(warnings(reply), f"{where}: ")
    write("".join(json_line({"line": document.line, **form}) for form in forms))
    return 0


def _forms(reply: Reply, output: str, by_line: bool = False) -> Iterator[dict[str, Any]]:
    """Yield what is printed of `reply`: JSON objects."""
    if output == "events":
        yield from (event.as_json() for event in reply.events)
    elif output == "deltas":
        yield from (*deltas(reply.events), last_delta(reply))
    elif output in ("message", "turn"):
        form = reply.message if output == "message" else reply.turn
        yield {output: form, "finish": reply.finish} if by_line else form
    else:
        yield everything(reply)
