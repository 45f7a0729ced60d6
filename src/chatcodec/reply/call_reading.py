"""What reading calls of any syntax takes: the protocols, and looking out for markers.

Rules: a reader of calls says what it reads on the tape, and waits rather than guess. Everything that is looked for is
short, so that what is held back is short.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol, TypeAlias

from chatcodec.reply.events import EventType
from chatcodec.reply.match import Spell, at_end
from chatcodec.reply.schema import Signature
from chatcodec.reply.tape import Tape

Outcome: TypeAlias = Literal["", "ended", "broken", "released"]
"""How a call that was being read ended: not yet; as calls do; at something that is no part of it; it was none."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What stands around calls in a text.

    stops: the markers that end a turn. inline: whether an engine stops behind a call, for the tool's response. spell:
    how a literal is spelled in what is read. tokens: whether token ids are read, so that a marker is never spelled out.
    stand_ins: what then stands for markers that are one token.
    """

    stops: tuple[str, ...]
    inline: bool
    spell: Spell
    tokens: bool
    stand_ins: frozenset[str] = frozenset()


class Flow(NamedTuple):
    """Where nothing but text comes: a chunk without anything special needs no other look.

    It goes out as an event of this ``type``, with this ``call`` and ``detail``; if it is ``quoted``, as a piece of a
    JSON string; or it is kept in ``pending``. ``special`` finds what is special. Where ``sign`` is not empty, a text
    without it anywhere, and without one of the ``ends`` at its end, has nothing special, but for a lone surrogate.
    """

    special: Callable[[str], object]
    type: EventType
    sign: str = ""
    ends: str = ""
    call: int | None = None
    detail: str | None = None
    quoted: bool = False
    pending: list[str] | None = None


class CallReader(Protocol):
    """Reads calls of one syntax, one after the other."""

    outcome: Outcome

    def begin(self, text: str, before: int, at: int, final: bool) -> int | None:
        """Begin a call at `at`, where one of the openers stands, with space since `before`.

        Return where to go on; `WAIT` if more text must tell whether it is one; None if it is none.
        """
        ...

    def read(self, text: str, at: int, final: bool) -> int:
        """Read on; return where to go on, or the complement of where to wait for more. Sets ``outcome``."""
        ...

    def give_up(self) -> str:
        """Return the text that was taken and not said, of what turned out to be no call."""
        ...

    def flow(self) -> Flow | None:
        """Return the flow that the next chunk belongs to, if it is in one."""
        ...

    def waits(self) -> Waits:
        """Return what tells texts that wait for more."""
        ...


class CallGrammar(Protocol):
    """A syntax of calls, made ready for reading.

    openers, closers: the markers that begin and end a call. bare: whether what begins one is no marker, but may be
    anywhere in a text. literals, heads: how one begins, as `Waits` takes it.
    """

    bare: bool

    openers: tuple[str, ...]
    closers: tuple[str, ...]
    literals: tuple[str, ...]
    heads: tuple[str, ...]

    def reader(self, tape: Tape, signatures: Mapping[str, Signature] | None) -> CallReader:
        """Return what reads such calls."""
        ...


WAIT = -1


class Marks:
    """A set of markers to look out for in a text."""

    def __init__(self, marks: tuple[str, ...]) -> None:
        self.marks = marks
        firsts = "".join(sorted({mark[0] for mark in marks}))
        self.sign = firsts if len(firsts) == 1 else ""
        self._firsts = frozenset(firsts)
        either = "|".join(re.escape(mark) for mark in sorted(marks, key=len, reverse=True))
        self._search = re.compile(either or r"(?!)").search
        self._prefixes = frozenset(mark[:length] for mark in marks for length in range(1, len(mark)))
        # A marker may be the beginning of another, or have it inside: then the first one that may yet come counts.
        self._growing = any(mark in self._prefixes or self._firsts & set(mark[1:]) for mark in marks)
        self._longest = max(map(len, marks), default=0)

    def find(self, text: str, at: int, final: bool = True) -> re.Match[str] | None:
        """Return the first marker at or behind `at`; one that may yet become a longer one only if that is `final`."""
        if self.sign:
            at = text.find(self.sign, at)
            if at < 0:
                return None
        found = self._search(text, at)
        if found is None or final or not self._growing:
            return found
        return None if self.hold(text, at) <= found.start() else found

    def up_to(self, text: str, at: int, final: bool) -> tuple[int, str]:
        """Return where what stands before the first marker ends, as far as it has come, and the marker if it has."""
        found = self.find(text, at, final)
        if found is not None:
            return found.start(), found[0]
        return len(text) if final else self.hold(text, at), ""

    def flow(self, kind: EventType, *spaces: str, quoted: bool = False) -> Flow:
        """Return the flow of a text between these marks; one of `spaces` at a chunk's end may belong to a mark."""
        ends = "".join(sorted(set("".join(spaces))))
        ending = f"|[{re.escape(ends)}]\\Z" if ends else ""
        special = re.compile(f"[{re.escape(''.join(sorted(self._firsts)))}\ud800-\udfff]{ending}").search
        return Flow(special, kind, self.sign, ends, quoted=quoted)

    def hold(self, text: str, at: int) -> int:
        """Return from where `text`, which has no marker behind `at`, may be the beginning of one."""
        end = len(text)
        for start in range(max(at, end - self._longest + 1), end):
            if text[start] in self._firsts and text[start:] in self._prefixes:
                return start
        return end


def space_to_hold(text: str, at: int, end: int, *spaces: str) -> int:
    """Return from where the end of ``text[at:end]`` may belong to one of the `spaces` before a marker."""
    held = end
    for space in spaces:
        for length in range(min(len(space), end - at), end - held, -1):
            if text[end - length : end] in space:
                held = end - length
                break
    return held


def space_before(text: str, at: int, end: int, *spaces: str) -> int:
    """Return where the space before a marker at `end` begins: as much as is there of the longest of `spaces`."""
    begin = end
    for space in spaces:
        for length in range(min(len(space), end - at), end - begin, -1):
            if text.startswith(space[len(space) - length :], end - length):
                begin = end - length
                break
    return begin


class BeforeStop:
    """Tells how much of a text may be read as a value: a stop at its end, or what may become one, is none of it.

    Within a value a stop is text; only where nothing comes behind it does it end the turn. Where token ids are read, a
    stop cannot be taken for text.
    """

    def __init__(self, around: Surroundings) -> None:
        """Take the stops."""
        self._marks, self._tokens = Marks(around.stops), around.tokens
        self._stops = self._marks if around.stops and not around.tokens else None
        self._text, self._part, self._ended = "", "", False

    def __call__(self, text: str, at: int, final: bool) -> str:
        """Return what may be read of `text`, from `at` on: its beginning."""
        stops = self._stops
        if stops is None:
            return text
        if text is not self._text or final:
            found = stops.find(text, at, final)
            while found is not None and not at_end(text, found.end(), stops.marks, final):
                at = found.start() + 1
                found = stops.find(text, at, final)
            self._text = text
            end = found.start() if found else len(text) if final else stops.hold(text, at)
            self._part = text if end == len(text) else text[:end]
        return self._part

    def part(self, text: str, at: int, final: bool) -> tuple[str, bool]:
        """Return what may be read, and whether no more of the call will come; where ids are read, a stop ends it."""
        if not self._tokens:
            return self(text, at, final), final
        if text is not self._text or final or at > len(self._part):  # that stop was a part of another marker
            end, stop = self._marks.up_to(text, at, final)
            self._text, self._part, self._ended = text, text[:end], final or bool(stop)
        return self._part, self._ended


_NAME = r"[A-Za-z0-9_.:/-]{0,200}"


class Waits:
    """Tells some of the texts that wait for more: the beginnings of what is usual.

    It only saves time, as of those a closer look says nothing either before more has come.
    """

    def __init__(self, literals: Iterable[str], heads: Iterable[str] = ()) -> None:
        """Take literals, which wait for their ends, and heads, which wait for the end of a name behind them."""
        heads = tuple(heads)
        whole = (*literals, *heads)
        self._beginnings = frozenset(literal[:length] for literal in whole for length in range(1, len(literal)))
        self._named = re.compile(f"(?:{'|'.join(map(re.escape, heads)) or '(?!)'}){_NAME}").fullmatch

    def __call__(self, held: str) -> bool:
        """Whether `held` is such a text."""
        return held in self._beginnings or self._named(held) is not None


NO_WAITS = Waits(())
