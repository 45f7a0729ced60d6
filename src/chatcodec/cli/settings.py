"""Options from the command line: ``--set name=text`` and ``--set name:=json``.

Rules: text is text. For an option that is yes or no, or a number, text is surely a mistake (the text "false" is true to
a template), so it is refused, and the error shows ``:=``. Of two settings of one name the last counts. Whether a codec
reads an option is for the codec to say.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from chatcodec.cli.documents import parse
from chatcodec.cli.failure import located
from chatcodec.cli.visible import one_line
from chatcodec.errors import ChatCodecError, UnreadableInput
from chatcodec.render.protocol import Option

_SPELLINGS = {"true": "true", "yes": "true", "on": "true", "1": "true"} | dict.fromkeys(
    ("false", "no", "off", "0"), "false"
)

_PYTHON = {"true": "true", "false": "false", "none": "null", "null": "null"}


def settings_of(given: Iterable[str], options: Iterable[Option], thinking: str | int | None = None) -> dict[str, Any]:
    """Return the options that the arguments of ``--set`` set, and ``--thinking``.

    Raises UnreadableInput for one that is wrong.
    """
    types = {option.name: option.type for option in options}
    settings: dict[str, Any] = {} if thinking is None else {"thinking": thinking}
    for argument in given:
        name, equals, text = argument.partition("=")
        as_json = name.endswith(":")
        name = name.removesuffix(":")
        if not equals or not name:
            raise UnreadableInput(f"--set {_shown(argument)}: accepted: NAME=TEXT or NAME:=JSON")
        if name == "thinking" and thinking is not None:
            raise UnreadableInput(f"--set {_shown(argument)}: --thinking is given too")
        settings[name] = _json(name, text) if as_json else _text(name, text, types.get(name))
    return settings


def _json(name: str, text: str) -> Any:
    try:
        return parse(text, one_line="\n" not in text)
    except ChatCodecError as error:
        meant = _PYTHON.get(text.strip().lower())
        hint = f"; did you mean {name}:={meant}?" if meant else f"; text in quotes is JSON, or write {name}=TEXT"
        raise UnreadableInput(f"--set {name}:={_shown(text)}: {located(error)}{hint}") from error


def _text(name: str, text: str, kind: str | None) -> str:
    if kind == "boolean":
        known = _SPELLINGS.get(text.strip().lower())
        better = f"{name}:={known}" if known else f"{name}:=true or {name}:=false"
    elif kind == "number":
        better = f"{name}:={text if _is_number(text) else 'NUMBER'}"
    else:
        return text
    raise UnreadableInput(f"--set {name}={_shown(text)} passes text; write --set {better}")


def _is_number(text: str) -> bool:
    try:
        return type(parse(text)) in (int, float)
    except ChatCodecError:
        return False


def _shown(text: str) -> str:
    return one_line(text, 60)
