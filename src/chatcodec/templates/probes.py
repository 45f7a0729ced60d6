"""Probe chats: what a template is asked to render, so that its traces tell what it does.

Rules: every value in a probe is a word that occurs nowhere else. A probe is rendered once, under the limits of any
chat, and kept: whatever judges a template shares them. A template that fails on a probe is told by the error, which is
kept too; one that exceeds limits again and again is asked no more. It does not know what anybody reads off a trace.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from time import thread_time
from typing import Any

from chatcodec.chat.inputs import take
from chatcodec.errors import ChatCodecError, LimitExceeded
from chatcodec.render.protocol import Renderer
from chatcodec.render.rendered import Rendered

NOW = datetime(2026, 1, 31, 12, 34, 56)
"""The clock of all probes."""

MOST_EXCEEDED = 2
"""So many probes may exceed a limit. Then no more are rendered: each further one is answered with the last error."""

MOST_TEXT = 100_000
"""Characters of a probe's prompt: the chat has hardly any."""

MOST_SECONDS = 10
"""Of CPU time, for all probes of one template: the median takes a tenth of a second."""

USER, NEXT_USER = "Uqvax", "Uqvel"
SYSTEM, NEXT_SYSTEM, DEVELOPER = "Sqvam", "Sqvem", "Dqvam"
CONTENT, REASONING = "Cqvox", "Rqvuz"
RESULTS = ("Tqvac", "Tqvec")
NAME, BARE_NAME = "fqvan", "fqven"
IDS = ("idqvxa001", "idqvxa002", "idqvxa003")
"""Nine letters and digits, which is what some templates insist on."""

DESCRIPTION = "dkqvs"
PROPERTIES: dict[str, Any] = {
    "kqvs": {"type": "string", "description": DESCRIPTION},
    "kqvt": {"type": "string"},
    "kqvi": {"type": "integer"},
    "kqvf": {"type": "number"},
    "kqvb": {"type": "boolean"},
    "kqvn": {"type": "string", "nullable": True},
    "kqvl": {"type": "array", "items": {"type": "string"}},
    "kqvo": {"type": "object", "properties": {"kqvy": {"type": "string"}}},
}
"""The parameters of the tool that probes call: one of each JSON type, and one text more."""

VALUES: dict[str, Any] = {
    "kqvs": "vqvad",
    "kqvt": "vqved",
    "kqvi": 4711,
    "kqvf": 2.5,
    "kqvb": True,
    "kqvn": None,
    "kqvl": ["vqvid", "vqvod"],
    "kqvo": {"kqvy": "vqvud"},
}

MARKUP = "vqvyd <vqvyt> & \"vqvyn\"\n{'vqvyr': [1]}\nvqvyl"
"""A text with signs that may have to be quoted, in two lines and more."""


def _tool(name: str, properties: Mapping[str, Any]) -> dict[str, Any]:
    parameters = {"type": "object", "properties": dict(properties), "required": []}
    function = {"name": name, "description": f"d{name}", "parameters": parameters}
    return {"type": "function", "function": function}


TOOLS = [_tool(NAME, PROPERTIES), _tool(BARE_NAME, {})]


def call(index: int, arguments: Mapping[str, Any] | str, name: str = NAME) -> dict[str, Any]:
    """Return a tool call, with an id of its own."""
    return {"id": IDS[index], "type": "function", "function": {"name": name, "arguments": arguments}}


class Probes:
    """Renders probes for one renderer, each once."""

    def __init__(self, renderer: Renderer, unknown_tokens: Iterable[str] = ()):
        """Take what renders them, and the names of special tokens whose texts are not known."""
        self.renderer = renderer
        self.tokens = {name: f"<|{name}|>" for name in unknown_tokens}
        self.ended: LimitExceeded | None = None
        self._kept: dict[str, Rendered | ChatCodecError] = {}
        self._exceeded, self._seconds = 0, 0.0

    @property
    def results(self) -> Collection[Rendered | ChatCodecError]:
        """What came of each probe so far."""
        return self._kept.values()

    def render(
        self,
        messages: Sequence[Mapping[str, Any]],
        *,
        tools: bool = False,
        generation: bool = False,
        options: Mapping[str, Any] | None = None,
    ) -> Rendered | ChatCodecError:
        """Return the prompt of a chat, with the generation prompt if that is wanted; or why there is none."""
        key = json.dumps([list(messages), tools, generation, dict(options or {})])
        if key not in self._kept:
            self._kept[key] = self._rendered(messages, tools, generation, options or {})
        return self._kept[key]

    def _rendered(
        self, messages: Sequence[Mapping[str, Any]], tools: bool, generation: bool, options: Mapping[str, Any]
    ) -> Rendered | ChatCodecError:
        if self.ended is not None:
            return self.ended
        started = thread_time()
        try:
            return self._asked(messages, tools, generation, options)
        finally:
            self._seconds += thread_time() - started
            if self._seconds > MOST_SECONDS and self.ended is None:
                self.ended = LimitExceeded(f"the probes take more than {MOST_SECONDS} s", "time")

    def _asked(
        self, messages: Sequence[Mapping[str, Any]], tools: bool, generation: bool, options: Mapping[str, Any]
    ) -> Rendered | ChatCodecError:
        try:
            chat = take(
                list(messages), TOOLS if tools else None, None, {**self.tokens, **options}, generation, False, NOW
            )
            rendered = self.renderer.render(chat)
            if len(rendered.text) > MOST_TEXT:
                raise LimitExceeded(f"a probe's prompt has more than {MOST_TEXT} characters", "probe")
            list(rendered.spans)
        except LimitExceeded as error:
            self._exceeded += error.limit != "depth"  # which costs nothing
            if self._exceeded >= MOST_EXCEEDED:
                self.ended = error
            return error
        except ChatCodecError as error:
            return error
        return rendered
