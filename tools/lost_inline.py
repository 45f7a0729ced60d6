"""What is lost of a turn of TIR, which has its reasoning, calls, responses and answer in one text; and how it is read.

Rules: a turn whose content has it all comes back as it was, whatever is in it; its message is what `_Reading` makes of
the text. A turn with reasoning apart is joined to such a text, and loses what can then not be told. `canon` lists the
rules; the first line of each says what is lost and why.
"""

from __future__ import annotations

import json
import re
from functools import cached_property

from drafts import SPACE, Draft, DraftCall, without_end, without_opening, without_start

_CALL = re.compile(r"<tool_call>\s*(?=\{)")
_END = re.compile(r"\s*</tool_call>")
_RESPONSE = re.compile(r"\s*<tool_response>\n?(.*?)\n?</tool_response>\n?", re.DOTALL)
_decode = json.JSONDecoder().raw_decode


class _Reading:
    """What the text behind the opened reasoning says."""

    def __init__(self, draft: Draft):
        assert draft.pieces.reasoning is not None
        self.draft = draft
        joined = (draft.reasoning or "") + draft.pieces.reasoning.closing + draft.content
        self.text = joined if draft.apart else draft.content
        self.texts: dict[str, list[str]] = {"reasoning": [], "content": []}
        self.calls: list[DraftCall] = []
        self.scope, self.last = "reasoning", ""
        self.stopped = False
        self._read()

    def _read(self) -> None:
        draft = self.draft
        opening, closing, stop = draft.opening, draft.closing, draft.pieces.stops[0]
        at = len(self.text) - len(without_opening(self.text, draft))
        marker = re.compile("|".join(map(re.escape, ("<tool_call>", closing, stop))))
        while (found := marker.search(self.text, at)) is not None:
            end = found.end()
            if found[0] == stop:
                self.stopped = True
                self._say(self.text[at : found.start()])
                return
            if found[0] == closing and self.scope == "reasoning":
                self._say(without_end(self.text[at : found.start()], draft.spaces[1]))
                at = self._begin_content(end, opening, closing)
            elif found[0] == "<tool_call>" and (behind := self._call(found.start())):
                self._say(self.text[at : found.start()])
                self.last, at = "", behind
            else:
                self._say(self.text[at:end])
                at = end
        self._say(self.text[at:])

    def _say(self, text: str) -> None:
        self.texts[self.scope].append(text)
        self.last += text

    def _begin_content(self, at: int, opening: str, closing: str) -> int:
        behind_opening, _, after = self.draft.spaces
        self.scope = "content"
        rest = without_start(self.text[at:], after)
        while (text := rest.lstrip(SPACE)).startswith((opening, closing)):
            if text.startswith(opening):
                self.scope, rest = "reasoning", without_start(text.removeprefix(opening), behind_opening)
                rest = without_opening(rest, self.draft)
                break
            rest = without_start(text.removeprefix(closing), after)
        return len(self.text) - len(rest)

    def _call(self, at: int) -> int | None:
        """Read the call at `at`; return where the text goes on."""
        found = _CALL.match(self.text, at)
        try:
            call, end = _decode(self.text, found.end()) if found else (None, at)
        except ValueError:
            return None
        ended = _END.match(self.text, end)
        if ended is None or not isinstance(call, dict):
            return None
        function = call.get("function", call)
        if not isinstance(function.get("name"), str):
            return None
        response = _RESPONSE.match(self.text, ended.end())
        known = list(call)[: list(call).index("name" if function is call else "function")]  # as the call is said
        said = {"id": call["id"] if "id" in known else None, "response": response[1] if response else None}
        self.calls.append(self.draft.call(function["name"], function["arguments"], **said))
        return response.end() if response else ended.end()

    @cached_property
    def said(self) -> dict[str, str]:
        """The text of each kind."""
        return {scope: "".join(texts) for scope, texts in self.texts.items()}


def stop_in_text(draft: Draft) -> bool:
    """The marker that ends a turn ends it in its text too, but for calls and responses: the rest is lost."""
    draft.cut = _Reading(draft).stopped
    return draft.cut


def opening_in_reasoning(draft: Draft) -> bool:
    """The marker that opens reasoning, once more at its start, is left out of it where it comes apart."""
    return draft.apart and without_opening(draft.reasoning or "", draft) != draft.reasoning


def closing_in_reasoning(draft: Draft) -> bool:
    """Reasoning apart that has its closing marker in it ends there: the rest is content."""
    return draft.apart and draft.closing in (draft.reasoning or "")


def reasoning_again(draft: Draft) -> bool:
    """A marker of reasoning at the start of content apart is one: it begins reasoning, or is doubled."""
    return draft.apart and draft.content.lstrip(SPACE).startswith((draft.opening, draft.closing))


def reasoning_unclosed(draft: Draft) -> bool:
    """A text without a closing marker is all reasoning, since the prompt opened it."""
    reading = _Reading(draft)
    return reading.scope == "reasoning" and bool(reading.last) and not draft.cut


def read(draft: Draft) -> None:
    """Put what the text says into the draft."""
    reading = _Reading(draft)
    draft.reasoning, draft.content, draft.calls = reading.said["reasoning"], reading.said["content"], reading.calls
