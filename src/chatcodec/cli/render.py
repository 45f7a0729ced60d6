"""``chatcodec render``: the prompt of a chat, or of each chat of a JSONL file.

Rules: of one chat, nothing reaches stdout before all of it is rendered. With a chat a line, each is printed as it is
rendered and then forgotten; a bad line is an error on stderr, the next line goes on, and the exit code is 2. What is
wrong in ``--set`` or ``--tools`` is said once, and ends the run. Warnings go to stderr.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import click

from chatcodec.chat.pointer import pointer
from chatcodec.cli.chatfile import ChatFile, chat_of, tools_of
from chatcodec.cli.documents import Document, open_input, read_document, read_documents
from chatcodec.cli.failure import Refused, at, debug_option, place, report, say
from chatcodec.cli.present import everything, json_line, prompt_text, summary, table
from chatcodec.cli.settings import settings_of
from chatcodec.cli.terminal import color_option, drawing, is_terminal, width, write
from chatcodec.codec import Codec, load
from chatcodec.errors import ChatCodecError, UnknownOption, UnreadableInput
from chatcodec.render.rendered import Rendered

RESERVED = frozenset(
    {
        "self",
        "messages",
        "tools",
        "documents",
        "add_generation_prompt",
        "continue_final_message",
        "now",
        "allow_unknown",
    }
)
"""Arguments of `Codec.render`, which no option can be named after."""

MAX_WARNINGS = 20


class RenderCommand(click.Command):
    """A command whose ``--continue`` takes its value behind ``=`` only, so that a file may follow it."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments."""
        end = args.index("--") if "--" in args else len(args)
        given = ["--continue=content" if item == "--continue" else item for item in args[:end]]
        return super().parse_args(ctx, given + args[end:])


@dataclass(frozen=True)
class Request:
    """What the command line asks for, apart from the chat."""

    codec: Codec
    settings: dict[str, Any]
    tools_file: str | None
    tools: list[Any] | None
    prompted: bool
    continued: str | None
    allow_unknown: bool
    noted: set[str] = field(default_factory=set)

    def note(self, chat: ChatFile) -> None:
        """Say, once for each name, what `chat` says to an engine and is passed over here."""
        names = [name for name in chat.request if name not in self.noted and name not in self._read()]
        if names:
            self.noted.update(names)
            say(f"note: passed over, as it is for an engine: {', '.join(names)}")

    def _read(self) -> set[str]:
        return {option.name for option in self.codec.options}

    def render(self, chat: ChatFile) -> Rendered:
        """Return the prompt of `chat`. Raises Refused for faults of the command line, else what the codec does."""
        read = self._read()
        for_codec = {name: value for name, value in chat.request.items() if name in read}
        options = for_codec | chat.options | self.settings
        continued = self.continued or chat.continue_final_message
        wanted = chat.add_generation_prompt and self.continued is None
        if chat.add_generation_prompt is None:
            wanted = not continued
        try:
            return self.codec.render(
                chat.messages,
                tools=chat.tools if self.tools is None else self.tools,
                documents=chat.documents,
                add_generation_prompt=bool(wanted and self.prompted),
                continue_final_message=continued,
                allow_unknown=self.allow_unknown,
                **self._without_reserved(options),
            )
        except ChatCodecError as error:
            culprit = self._culprit(error.pointer or "")
            if culprit is None:
                raise chat.in_file(error) from error
            raise Refused(culprit, error) from error

    def _without_reserved(self, options: dict[str, Any]) -> dict[str, Any]:
        names = RESERVED & options.keys()
        if names and not self.allow_unknown:
            name = min(names)
            raise UnknownOption(f'an option cannot be named "{name}"', pointer(("options", name)))
        return {name: value for name, value in options.items() if name not in names}

    def _culprit(self, at_fault: str) -> str | None:
        if self.tools_file is not None and at_fault.startswith("/tools/"):
            return place(self.tools_file)
        at_fault += "/"
        return "--set" if any(at_fault.startswith(pointer(("options", name, ""))) for name in self.settings) else None


@click.command("render", cls=RenderCommand)
@click.argument("codec_name", metavar="CODEC")
@click.argument("file", default="-", metavar="[FILE|-]")
@click.option("--tools", "tools_file", metavar="FILE", help="Tool definitions, a JSON list, instead of the chat's own.")
@click.option("--set", "given", multiple=True, metavar="NAME:=JSON|NAME=TEXT", help="Set an option of the codec.")
@click.option("--no-generation-prompt", is_flag=True, help="End the prompt behind the last message.")
@click.option(
    "--continue", "continued", metavar="[=FIELD]", help="Leave the last message open, behind content or FIELD."
)
@click.option("--jsonl", "by_line", is_flag=True, help="Take each line as a chat, whatever the input is called.")
@click.option("--allow-unknown", is_flag=True, help="Pass over options that the codec does not read.")
@click.option(
    "--output", type=click.Choice(["text", "json", "spans"]), help="The prompt alone, all, or a table of spans."
)
@color_option
@debug_option
def command(
    codec_name: str,
    file: str,
    tools_file: str | None,
    given: tuple[str, ...],
    no_generation_prompt: bool,
    continued: str | None,
    by_line: bool,
    allow_unknown: bool,
    output: str | None,
    color: str,
) -> int:
    """Print the prompt of a chat, exactly as the model reads it.

    FILE is a JSON list of messages, or an object with messages, tools, documents, add_generation_prompt,
    continue_final_message and options; without FILE it is read from stdin. The prompt ends in the generation prompt,
    the header of the assistant's next turn, unless the chat or an argument says otherwise.

    In a JSONL file each line is a chat. Each prompt is then printed as a JSON object on a line of its own: its text and
    warnings, with --output json or spans also its spans; or with --output text as it is, and a newline.

    \b
    Examples:
      chatcodec render seed-oss chat.json --set thinking_budget:=512
      chatcodec render qwen3.6 chat.json --tools tools.json --output spans
      echo '[{"role": "user", "content": "Hi"}]' | chatcodec render qwen3.6
    """  # noqa: D301
    codec = load(codec_name)
    settings = settings_of(given, codec.options)
    if continued == "":
        raise UnreadableInput("--continue=: accepted: the name of a field, such as content")
    tools = None if tools_file is None else _tools(tools_file, file)
    request = Request(codec, settings, tools_file, tools, not no_generation_prompt, continued, allow_unknown)
    return _render_file(request, file, by_line, output, color)


def _tools(tools_file: str, file: str) -> list[Any]:
    if tools_file == file == "-":
        raise UnreadableInput("stdin cannot be both the chat and --tools; name a file for one of them")
    with at(place(tools_file)), open_input(tools_file) as stream:
        return tools_of(read_document(stream))


def _render_file(request: Request, file: str, by_line: bool, output: str | None, color: str) -> int:
    where = place(file)
    with at(where), open_input(file) as stream:
        by_line, each = read_documents(stream, file, by_line)
        if by_line:
            printed = _line_printer(output, color)
            return max((_render_line(request, document, where, printed) for document in each), default=0)
        chat = chat_of(next(each).value)
        rendered = request.render(chat)
    request.note(chat)
    _warn(rendered, "")
    _print_one(rendered, chat.roles, output or "text", color)
    return 0


def _render_line(
    request: Request, document: Document, where: str, printed: Callable[[int, Rendered, list[Any]], str]
) -> int:
    """Render and print the chat of one line; return its exit code. Raises Refused if the fault is elsewhere."""
    where = f"{where}:{document.line}"
    try:
        with at(where):
            chat = chat_of(document.value)
            rendered = request.render(chat)
    except Refused as error:
        if error.place != where:
            raise
        report(error)
        return 2
    request.note(chat)
    _warn(rendered, f"{where}: ")
    write(printed(document.line or 0, rendered, chat.roles))
    return 0


def _print_one(rendered: Rendered, roles: list[Any], output: str, color: str) -> None:
    if output == "json":
        write(json_line(everything(rendered)))
    elif output == "spans":
        write("".join(table(rendered, roles, drawing(color), width())))
    else:
        text = prompt_text(rendered, roles, drawing(color))
        write(text + "\n" if is_terminal() and not rendered.text.endswith("\n") else text)


def _line_printer(output: str | None, color: str) -> Callable[[int, Rendered, list[Any]], str]:
    drawn = drawing(color)

    def printed(number: int, rendered: Rendered, roles: list[Any]) -> str:
        if output == "text":
            return prompt_text(rendered, roles, drawn) + "\n"
        return json_line({"line": number, **(everything(rendered) if output else summary(rendered))})

    return printed


def _warn(rendered: Rendered, where: str) -> None:
    warnings = rendered.warnings
    for warning in warnings[:MAX_WARNINGS]:
        say(f"warning: {where}{warning.pointer}: {warning.message}")
    if len(warnings) > MAX_WARNINGS:
        say(f"warning: {where}{len(warnings) - MAX_WARNINGS} more like these")
