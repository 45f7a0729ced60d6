"""A made-up tokenizer: added tokens for some texts, and for all else tokens that cut bytes anywhere."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence


class Vocabulary:
    """Tokens by id: the added ones come first, all others are made as they are needed."""

    def __init__(self, markers: Sequence[str], others: Sequence[str] = ()):
        """Take the texts of added tokens: markers, which may be spelled out too, and others."""
        added = [*markers, *others]
        self._markers = frozenset(markers)
        self.pieces = [text.encode() for text in added]
        self.added = range(len(added))
        self._ids = {text: number for number, text in enumerate(added)}
        self._ordinary: dict[bytes, int] = {}
        longest_first = sorted(added, key=len, reverse=True)
        self._split = re.compile("(" + "|".join(map(re.escape, longest_first)) + ")") if added else None

    def piece(self, token: int) -> bytes:
        """Return the bytes of a token. Raises LookupError for an id that there is none of."""
        if token < 0:
            raise LookupError(token)
        return self.pieces[token]

    def runs(self, text: str) -> list[str]:
        """Return `text` cut where added tokens begin and end: the text of every second run is that of one."""
        return self._split.split(text) if self._split else [text]

    def ordinary(self, raw: bytes, chance: random.Random) -> list[int]:
        """Return tokens that spell out `raw`, cut anywhere."""
        ids = []
        at = 0
        while at < len(raw):
            piece = raw[at : at + chance.choice((1, 1, 2, 3, 4, 9))]
            at += len(piece)
            if piece not in self._ordinary:
                self._ordinary[piece] = len(self.pieces)
                self.pieces.append(piece)
            ids.append(self._ordinary[piece])
        return ids

    def encode(self, text: str, chance: random.Random, spelled: float = 0.0) -> tuple[list[int], str, str]:
        """Return ids of `text`; the text that they stand for; and that text with a twin for each marker spelled out.

        spelled: the chance that a marker is spelled out in ordinary tokens. A twin has the same length, and
        is no marker. What is no character becomes bytes that are none, so the text that ids stand for may be another.
        """
        ids: list[int] = []
        bytes_so_far, texts, twins = b"", [], []
        twins_so_far = b""

        def flush() -> None:
            nonlocal bytes_so_far, twins_so_far
            ids.extend(self.ordinary(bytes_so_far, chance))
            texts.append(bytes_so_far.decode("utf-8", "replace"))
            twins.append(twins_so_far.decode("utf-8", "replace"))
            bytes_so_far = twins_so_far = b""

        for number, run in enumerate(self.runs(text)):
            if number % 2 and (run not in self._markers or chance.random() >= spelled):
                flush()
                ids.append(self._ids[run])
                texts.append(run)
                twins.append(run)
            else:
                raw = run.encode("utf-8", "surrogatepass")
                bytes_so_far += raw
                twins_so_far += twin(run).encode() if number % 2 else raw
        flush()
        return ids, "".join(texts), "".join(twins)


def twin(marker: str) -> str:
    """Return a text like `marker` that is none: its last letter is another one."""
    place = max((at for at, char in enumerate(marker) if char.isalpha()), default=len(marker) - 1)
    return marker[:place] + ("ø" if marker[place].isascii() else "o") + marker[place + 1 :]
