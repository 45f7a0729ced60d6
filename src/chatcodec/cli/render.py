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
from chatcodec.cli.chatfile import ChatFile, chat_of, in_file
from chatcodec.cli.documents import Document, open_input, read_documents
from chatcodec.cli.failure import Refused, at, debug_option, place, report, say, warn
from chatcodec.cli.present import everything, json_line, prompt_text, summary, table
from chatcodec.cli.settings import settings_of
from chatcodec.cli.terminal import color_option, drawing, is_terminal, width, write
from chatcodec.codec import Codec, load
from chatcodec.errors import ChatCodecError, UnreadableInput
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
                **without_reserved(options, RESERVED, self.allow_unknown),
            )
        except ChatCodecError as error:
            raise blamed(error, self.tools_file, self.settings) or in_file(error, chat.places) from error


@click.command("render", cls=RenderCommand)
@click.argument("codec_name", metavar="CODEC")
@click.argument("file", default="-", metavar="[FILE|-]")
@click.option("--tools", "tools_file", metavar="FILE", help="Tool definitions, a JSON list, instead of the chat's own.")
@set_option
@thinking_option
@template_name_option
@click.option("--no-generation-prompt", is_flag=True, help="End the prompt behind the last message.")
@click.option(
    "--continue", "continued", metavar="[=FIELD]", help="Leave the last message open, behind content or FIELD."
)
@click.option("--jsonl", "by_line", is_flag=True, help="Take each line as a chat, whatever the input is called.")
@allow_unknown_option
@click.option(
    "--output", type=click.Choice(["text", "json", "spans"]), help="The prompt alone, all, or a table of spans."
)
@color_option("who wrote it")
@debug_option
def command(
    codec_name: str,
    file: str,
    tools_file: str | None,
    given: tuple[str, ...],
    thinking: str | int | None,
    template_name: str | None,
    no_generation_prompt: bool,
    continued: str | None,
    by_line: bool,
    allow_unknown: bool,
    output: str | None,
    color: str,
) -> int:
    """Print the prompt of a chat, exactly as the model reads it.

    CODEC is a format's name (chatcodec list), a .jinja file, a model folder, a .gguf file, hf:ORG/NAME in the local
    Hugging Face cache, or the text of a template.

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
    codec = load(codec_name, name=template_name)
    settings = settings_of(given, codec.options, thinking)
    if continued == "":
        raise UnreadableInput("--continue=: accepted: the name of a field, such as content")
    expect_one_stdin({"the chat": file, "--tools": tools_file})
    tools = read_tools(tools_file)
    request = Request(codec, settings, tools_file, tools, not no_generation_prompt, continued, allow_unknown)
    return _render_file(request, file, by_line, output, color)


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
    warn([f"{warning.pointer}: {warning.message}" for warning in rendered.warnings], where)
