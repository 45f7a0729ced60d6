"""From an error to one line on stderr: ``error: [FILE[:LINE]: ]POINTER: reason``.

Rules: a line is one line, of a sane length, without control characters. A pointer that the reason begins with is not
repeated. What nobody expected is called an internal error, and points to ``--debug``. It raises nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

import click

from chatcodec.cli.visible import one_line, visible
from chatcodec.errors import ChatCodecError, InvalidChat, LimitExceeded, UnknownOption

MAX_WARNINGS = 20

debug_option = click.option("--debug", is_flag=True, expose_value=False, help="Show the traceback of an error.")
"""For the program and each command; who acts on it is `Program.main`."""


class Refused(Exception):
    """An error, and the place of the input that is at fault: a file, a line of it, or an argument."""

    def __init__(self, place: str, reason: ChatCodecError):
        super().__init__(f"{place}: {reason}")
        self.place = place
        self.reason = reason


@contextmanager
def at(place: str) -> Iterator[None]:
    """Put `place` on the errors of the block."""
    try:
        yield
    except ChatCodecError as error:
        raise Refused(place, error) from error
    except RecursionError as error:
        raise Refused(place, LimitExceeded("nested too deeply", "depth")) from error


def wants_debug(arguments: Sequence[str]) -> bool:
    """Whether ``--debug`` is among the arguments, before any ``--``."""
    options = arguments[: arguments.index("--")] if "--" in arguments else arguments
    return "--debug" in options


def report(error: Exception, *, traceback: bool = False) -> None:
    """Say on stderr what went wrong."""
    if traceback:
        import traceback as printer

        with suppress(OSError, ValueError):
            click.echo(visible("".join(printer.format_exception(error))), err=True)
    say(f"error: {_words(error)}")


def say(words: str) -> None:
    """Write one line for people to stderr, if it is open. Exits if its reader has gone away."""
    try:
        click.echo(one_line(words), err=True)
    except BrokenPipeError:
        raise click.exceptions.Exit(2) from None
    except (OSError, ValueError):
        return


def warn(warnings: Sequence[str], where: str = "") -> None:
    """Say each of the `warnings`, behind `where` its input is; of many, how many more there are."""
    for words in warnings[:MAX_WARNINGS]:
        say(f"warning: {where}{words}")
    if len(warnings) > MAX_WARNINGS:
        say(f"warning: {where}{len(warnings) - MAX_WARNINGS} more like these")


def _words(error: Exception) -> str:
    if isinstance(error, Refused):
        return f"{error.place}: {located(error.reason)}"
    if isinstance(error, ChatCodecError):
        return located(error)
    if isinstance(error, click.UsageError):
        command = error.ctx.command_path if error.ctx else "chatcodec"
        return f'{error.format_message().rstrip(".")}; see "{command} -h"'
    if isinstance(error, click.ClickException):
        return error.format_message()
    if isinstance(error, MemoryError):
        return "out of memory"
    return f"internal error: {type(error).__name__}: {error} (--debug shows the traceback)"


def located(error: ChatCodecError) -> str:
    """Return the error's message behind its pointer; and what is accepted, where a template's own words do not say."""
    words = error.message
    if isinstance(error, InvalidChat) and error.found and error.accepted and error.accepted not in words:
        words += f" (found {error.found}, accepted: {error.accepted})"
    if isinstance(error, UnknownOption) and not error.nearest and "does not read" in words:
        words += " (--allow-unknown passes over what it does not read)"
    if not error.pointer or words.startswith(f"{error.pointer}:"):
        return words
    return f"{error.pointer}: {words}"


def place(file: str) -> str:
    """Return what to call the input `file` in a message."""
    return "stdin" if file == "-" else file
