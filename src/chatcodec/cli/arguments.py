"""Arguments that several commands take, and who is blamed for what is wrong in one.

Rules: what is wrong in ``--set`` or in the file of ``--tools`` is said of these, not of the input. Of all inputs, one
may be stdin.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import click

from chatcodec.chat.pointer import pointer
from chatcodec.cli.chatfile import tools_of
from chatcodec.cli.documents import open_input, read_document
from chatcodec.cli.failure import Refused, at, place
from chatcodec.errors import ChatCodecError, UnknownOption, UnreadableInput

_THINKING = "/options/thinking"
_MOST_DIGITS = 19

set_option = click.option(
    "--set", "given", multiple=True, metavar="NAME:=JSON|NAME=TEXT", help="Set an option of the codec."
)
allow_unknown_option = click.option(
    "--allow-unknown", is_flag=True, help="Pass over options that the codec does not read."
)


def _switch(_context: click.Context, _parameter: click.Parameter, value: str | None) -> str | int | None:
    """Return the value of ``--thinking``: a text, or a number of tokens."""
    if value is None or value in ("on", "off"):
        return value
    if not (value.isascii() and value.isdigit() and len(value) < _MOST_DIGITS):
        raise click.BadParameter(f'found "{value}", accepted: on, off, or a number of tokens')
    return int(value)


thinking_option = click.option(
    "--thinking",
    metavar="on|off|N",
    callback=_switch,
    help="Switch reasoning by whichever option the codec has for it; N is a budget of tokens.",
)
template_name_option = click.option(
    "--name", "template_name", metavar="NAME", help="Which template, where a model has several."
)


def expect_one_stdin(inputs: Mapping[str, str | None]) -> None:
    """Raise UnreadableInput if more than one of the `inputs`, each by what it is called, is stdin."""
    from_stdin = [name for name, file in inputs.items() if file == "-"]
    if len(from_stdin) > 1:
        names = " and ".join(from_stdin[:2])
        raise UnreadableInput(f"stdin cannot be both {names}; name a file for one of them")


def read_tools(file: str | None) -> list[Any] | None:
    """Return the tools in the file of ``--tools``, if one was given."""
    if file is None:
        return None
    with at(place(file)), open_input(file) as source:
        return tools_of(read_document(source))


def without_reserved(options: Mapping[str, Any], reserved: Iterable[str], allow_unknown: bool) -> dict[str, Any]:
    """Return the `options` whose names are not `reserved`. Raises UnknownOption if others are there and not allowed."""
    names = set(reserved) & options.keys()
    if names and not allow_unknown:
        name = min(names)
        raise UnknownOption(f'an option cannot be named "{name}"', pointer(("options", name)))
    return {name: value for name, value in options.items() if name not in names}


def blamed(error: ChatCodecError, tools_file: str | None, settings: Iterable[str]) -> Refused | None:
    """Return the `error` with the argument that is at fault, None if none is."""
    where = error.pointer or ""
    if tools_file is not None and (where + "/").startswith("/tools/"):
        return Refused(place(tools_file), error)
    if any(f"{where}/".startswith(pointer(("options", name, ""))) for name in settings):
        return Refused("--thinking" if where == _THINKING else "--set", error)
    return None
