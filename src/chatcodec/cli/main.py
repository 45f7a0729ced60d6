"""The program: the group of commands, and what becomes of an error.

Rules: a command is a line in `COMMANDS` and a module of its name that defines ``command``; the module is imported when
the command is used, not to list it. A command returns its exit code. An error is one line on stderr and exit code 2,
with a traceback only under ``--debug``; Ctrl-C gives 130. It does not know what any command does.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from importlib import import_module
from typing import Any, NoReturn

import click

from chatcodec import __version__
from chatcodec.cli.failure import debug_option, report, wants_debug

COMMANDS = {
    "render": "Print the prompt of a chat, exactly as the model reads it.",
    "parse": "Read a completion back: reasoning, content, tool calls.",
    "inspect": "Print the card of a codec: what it does, measured on its prompts.",
    "list": "List the codecs, and the options that each one reads.",
}
"""The commands in the order of the help, each with its line."""


class Program(click.Group):
    """A group whose commands are imported when they are used."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Return the names of all commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Return the command of that name, None if there is none."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"chatcodec.cli.{cmd_name}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that `args` begins with. Raises UsageError that says which there are."""
        name = args[0]
        if name not in COMMANDS and not name.startswith("-"):
            ctx.fail(f'no command is named "{name}"; there are: {", ".join(COMMANDS)}')
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the commands' part of the help, without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def main(self, args: Any = None, prog_name: str | None = None, *_: Any, **extra: Any) -> NoReturn:
        """Run the program and exit."""
        arguments = list(sys.argv[1:] if args is None else args)
        extra["standalone_mode"] = False
        try:
            code = super().main(arguments, prog_name, **extra)
        except click.Abort:
            code = 130
        except Exception as error:
            with suppress(click.exceptions.Exit):
                report(error, traceback=wants_debug(arguments))
            code = 2
        sys.exit(code if isinstance(code, int) else 0)


@click.group("chatcodec", cls=Program, no_args_is_help=False, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="chatcodec", message="%(prog)s %(version)s")
@debug_option
def cli() -> None:
    """Chat templates that run both ways.

    A codec turns a chat (messages, tools, options) into the exact prompt that a model was trained on, and knows for
    each character whether the template wrote it or which message it came from. It reads what the model answers back
    as reasoning, content and tool calls.

    \b
    Examples:
      chatcodec render seed-oss chat.json --set thinking_budget:=512
      chatcodec parse seed-oss completion.txt --tools chat.json

    "chatcodec COMMAND -h" tells more about a command.
    """  # noqa: D301


def main() -> NoReturn:
    """Run the command line."""
    cli.main(prog_name="chatcodec")
