"""What every syntax of tool calls has: the space around calls, and the marks of what is written.

Rules: the space between a message's content and its calls is the format's, and is declared, so that reading takes away
what writing put there, and no more.
"""

from __future__ import annotations

from dataclasses import dataclass

from chatcodec.render.marks import Mark, member, member_key, shows


@dataclass(frozen=True, slots=True)
class Spacing:
    """What stands before calls: before the ``first`` where there is no content, ``after_content``, ``between`` calls.

    The first two are white space.
    """

    first: str = ""
    after_content: str = ""
    between: str = ""


NO_SPACE = Spacing()

WORDS = ("true", "false", "null")
"""What JSON writes for True, False and None."""


@dataclass(frozen=True, slots=True)
class Block:
    """Two markers, with the white space beside them that belongs to them."""

    opening: str
    closing: str


@dataclass(frozen=True, slots=True)
class CallMarks:
    """Where a call has its name and arguments: at its top, or under ``function``."""

    id: Mark
    name: Mark
    name_json: Mark
    arguments: Mark
    arguments_json: Mark
    key: Mark
    value: Mark
    value_json: Mark
    value_str: Mark


def _call_marks(*prefix: str) -> CallMarks:
    arguments = (*prefix, "arguments")
    return CallMarks(
        id=shows("id", form="json"),
        name=shows(*prefix, "name"),
        name_json=shows(*prefix, "name", form="json"),
        arguments=shows(*arguments),
        arguments_json=shows(*arguments, form="json"),
        key=member_key(*arguments),
        value=member(*arguments),
        value_json=member(*arguments, form="json"),
        value_str=member(*arguments, form="str"),
    )


BARE = _call_marks()
FUNCTION = _call_marks("function")
