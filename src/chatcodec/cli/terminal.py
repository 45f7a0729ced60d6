"""Stdout: whether to draw for a terminal, how wide it is, and writing to it.

Rules: ``NO_COLOR`` counts before ``FORCE_COLOR``, as in Python itself, and ``--color`` before both. What is drawn has
its control characters shown; what is exact goes out byte for byte. A reader that has gone away is no error.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from shutil import get_terminal_size
from typing import Any, Literal, TypeAlias, TypeVar

import click

Drawing: TypeAlias = Literal["exact", "visible", "colour"]
"""Byte for byte; with control characters shown; with colours too."""

_Command = TypeVar("_Command", bound=Callable[..., Any])


def color_option(by: str) -> Callable[[_Command], _Command]:
    """Return the option ``--color`` of a command that colours text `by` something."""
    return click.option(
        "--color",
        type=click.Choice(["auto", "always", "never"]),
        default="auto",
        help=f"Colour text by {by}: auto does on a terminal.",
    )


def drawing(color: str) -> Drawing:
    """Return how to write for ``--color`` `color`."""
    plain: Drawing = "visible" if is_terminal() else "exact"
    if color != "auto":
        return "colour" if color == "always" else plain
    if os.environ.get("NO_COLOR"):
        return plain
    if os.environ.get("FORCE_COLOR"):
        return "colour"
    return "colour" if is_terminal() and os.environ.get("TERM") != "dumb" else plain


def is_terminal() -> bool:
    """Whether stdout is a terminal."""
    return sys.stdout is not None and sys.stdout.isatty()


def width() -> int | None:
    """Return how many characters fit on a line, None where that is no question."""
    return get_terminal_size().columns if is_terminal() else None


def write(text: str) -> None:
    """Write `text` to stdout in UTF-8, as it is. Exits if nobody reads on; raises ClickException if it cannot."""
    if sys.stdout is None:
        raise click.ClickException("stdout is closed")
    try:
        sys.stdout.buffer.write(text.encode("utf-8", "backslashreplace"))
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        _forget_stdout()
        raise click.exceptions.Exit(0) from None
    except OSError as error:
        _forget_stdout()
        raise click.ClickException(f"cannot write to stdout: {error.strerror or error}") from error


def _forget_stdout() -> None:
    """Turn stdout into nothing, so that Python does not fail again when it flushes at its end."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
