"""Content that is a list of parts: text and media placeholders, as one text that remembers its origins.

Rules: a format says what tells a part's kind, and the placeholders; this file walks the parts. Parts may be objects,
but also strings or lists, since templates test them with ``in``; what makes the reference fail fails here too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from chatcodec.chat.check import invalid, refused
from chatcodec.chat.plain import expect_plain
from chatcodec.chat.pointer import Path, describe
from chatcodec.errors import TemplateRefused
from chatcodec.render.marks import Mark, pad, within
from chatcodec.render.printed import Printed
from chatcodec.render.trace import Captured
from chatcodec.render.writer import WarningKind, Writer

PartKind = Literal["image", "audio", "video", "text", "other"]

_TEXT = Printed("text")
_PADS = {"image": pad("image"), "audio": pad("audio"), "video": pad("video")}


class Placeholder(NamedTuple):
    """The text that stands for one image, audio or video: ``pad`` is what a processor repeats."""

    before: str
    pad: str
    after: str


_PART_ODD = WarningKind("part-odd", (), "a part that is no object: the template looks for words in it")
_PART_DROPPED = WarningKind("part-dropped", (), "a part without text: nothing of it is printed")
_TEXT_DROPPED = WarningKind("text-dropped", (), "the text of a part that counts as media is dropped")
_PART_AS_PYTHON = WarningKind("part-as-python", (), "a part's text that is no string is printed as Python prints it")


@dataclass
class Numbers:
    """Counts images and videos over a chat, and prints ``Picture 1: `` before each where that is wanted."""

    printed: bool
    counts: dict[str, int] = field(default_factory=lambda: {"image": 0, "video": 0})

    def next(self, kind: str, counted: bool) -> str:
        """Return what is printed before a placeholder of this kind; it moves the count on if it is `counted`."""
        if kind not in self.counts:
            return ""
        if counted:
            self.counts[kind] += 1
        return f"{'Picture' if kind == 'image' else 'Video'} {self.counts[kind]}: " if self.printed else ""


@dataclass(frozen=True, slots=True)
class Parts:
    """How one family reads content: what stands for media, which part is what, and its words for what it refuses.

    keys: for each kind of part the keys that tell it, in the order in which they are tried.
    types: if a part's ``type`` counts ``first``, before any key, wherever it has a true one; or ``also``, for media.
    """

    placeholders: Mapping[PartKind, Placeholder]
    keys: Mapping[PartKind, tuple[str, ...]]
    types: Literal["first", "also"]
    unknown_part: str
    unknown_content: str

    def kind_of(self, part: Any) -> PartKind:
        """Tell what a part is. Keys count whatever their values; strings and lists are searched for them."""
        given = part.get("type") if isinstance(part, dict) else None
        expect_plain(given)
        if self.types == "first" and given:
            return next((kind for kind in self.keys if kind == given), "other")
        for kind, keys in self.keys.items():
            if any(key in part for key in keys) or (kind == given and kind in self.placeholders):
                return kind
        return "other"

    def text(
        self,
        content: Any,
        message: Mark,
        numbers: Numbers,
        out: Writer | None = None,
        *,
        counted: bool = True,
        banned: Mapping[PartKind, str] = {},
    ) -> str:
        """Return `content` of `message` as text: a str, or Captured for a list of parts. None is empty.

        Warnings go to `out`, which is None where the text is only looked at. `banned` gives the template's words
        against a kind of media that may not be here. Raises TemplateRefused.
        """
        if type(content) is str:
            return content
        if content is None:
            return ""
        if type(content) is not list and type(content) is not tuple:
            path = (*message.path, "content")
            raise refused(self.unknown_content, path, describe(content), "a string or a list of parts")
        pieces: list[str] = []
        for index, (part, owner) in enumerate(zip(content, within("content", len(content)), strict=False)):
            path = (*message.path, "content", index)
            expect_plain(part)
            if not isinstance(part, (dict, str, list, tuple)):
                raise invalid(path, part, "an object")
            kind = self.kind_of(part)
            if out is not None:
                _warn(part, kind, message, owner, out)
            if kind in banned:
                raise refused(banned[kind], path, kind, "text")
            if kind == "other":
                raise self._unknown(part, path)
            pieces.append(owner)
            if kind == "text":
                pieces += _TEXT.of(part["text"]) if isinstance(part, dict) and "text" in part else ()
            else:
                placeholder = self.placeholders[kind]
                before = numbers.next(kind, counted) + placeholder.before
                pieces += (before, _PADS[kind], placeholder.pad, placeholder.after)
        return Captured.of(pieces, message)

    def _unknown(self, part: Any, path: Path) -> TemplateRefused:
        kind = part.get("type") if isinstance(part, dict) else None
        if kind is not None and kind not in list(self.keys):
            return refused(self.unknown_part, (*path, "type"), describe(kind), f"a type of {', '.join(self.keys)}")
        keys = ", ".join(key for keys in self.keys.values() for key in keys)
        return refused(self.unknown_part, path, describe(part), f"a part with one of the keys {keys}")


def _warn(part: Any, kind: PartKind, message: Mark, owner: Mark, out: Writer) -> None:
    if not isinstance(part, dict):
        out.warn((_PART_ODD.at(owner.path), message))
    elif kind != "text" and "text" in part:
        out.warn((_TEXT_DROPPED.at((*owner.path, "text")), message))
    elif kind == "text" and "text" not in part:
        out.warn((_PART_DROPPED.at(owner.path), message))
    elif kind == "text" and not isinstance(part["text"], str):
        out.warn((_PART_AS_PYTHON.at((*owner.path, "text")), message))
