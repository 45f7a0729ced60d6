"""Replies without anything unusual in them, read at once.

Most replies are spelled exactly as their format writes turns: reasoning, content, calls, the stop, with no other marker
anywhere. Such a text needs no states: it is split at its markers. Rules: `Quick.message` gives exactly what the events
of a reader make, or None for a text that it is not sure of; nobody can tell the difference but by the time it takes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from chatcodec.reply.grammar import Grammar, Scope
from chatcodec.reply.literals import Literals, json_string
from chatcodec.reply.pieces import Pieces
from chatcodec.reply.schema import Signature
from chatcodec.reply.tagged import TaggedCalls

_NO_SIGNATURES: Mapping[str, Signature] = {}


class Quick:
    """The literals of a codec whose calls are tagged, for splitting."""

    def __init__(self, pieces: Pieces, grammar: Grammar) -> None:
        """Take the pieces. ``usable`` is whether such a codec can be read by splitting."""
        calls = pieces.calls
        first = {mark[0] for scope in grammar.scopes.values() for mark in scope.marks.marks}
        self.usable = (
            isinstance(calls, TaggedCalls)
            and len(pieces.stops) == 1 == len(first)
            and pieces.content is None
            and calls.other is None
            and calls.quotes is None
            and calls.spacing.after_content.endswith(calls.spacing.first)
        )
        if not isinstance(calls, TaggedCalls) or not self.usable:
            return
        self._sign = first.pop()
        self._marked = grammar.calls.ends.find  # type: ignore[union-attr]
        self._in_reasoning, self._in_content = (grammar.scopes[scope].marks.find for scope in ("reasoning", "content"))
        self._closing = pieces.reasoning.closing if pieces.reasoning else None
        self._stop = pieces.stops[0]
        self._space = calls.spacing.after_content
        self._head, named = calls.call.split("{name}")
        key, rest = calls.argument.split("{key}")
        self._middle, self._value_end = rest.split("{value}")
        self._name_end, self._first_key, self._key = named, named + key, key
        self._end, self._next = calls.closing, calls.closing + calls.spacing.between
        self._literals: Literals = "json" if calls.values == "json" else "python"

    def message(
        self, text: str, scope: Scope, signatures: Mapping[str, Signature] | None = None
    ) -> dict[str, Any] | None:
        """Return OpenAI's message of a reply that starts in `scope`, or None."""
        reasoning, sign = "", self._sign
        if scope == "reasoning":
            reasoning, closed, text = text.partition(self._closing)  # type: ignore[arg-type]
            if not closed or sign in reasoning:
                return None
        end = text.find(sign)
        called: list[dict[str, Any]] | None = None
        if end >= 0:
            if text.startswith(self._head, end):
                called = self._calls(text[end + len(self._head) :], signatures or _NO_SIGNATURES)
                if called is None:
                    return None
                if end:
                    if not text.endswith(self._space, 0, end):
                        return None
                    end -= len(self._space)
            elif text[end:] != self._stop:
                return None
            text = text[:end]
        message: dict[str, Any] = {"role": "assistant", "content": text or (None if called else "")}
        if reasoning:
            message["reasoning_content"] = reasoning
        if called:
            message["tool_calls"] = called
        return message

    def _calls(self, text: str, signatures: Mapping[str, Signature]) -> list[dict[str, Any]] | None:
        text = text.removesuffix(self._stop)
        if not text.endswith(self._end):
            return None
        called = []
        bodies = text[: -len(self._end)].split(self._next + self._head)
        for index, body in enumerate(bodies):
            name, arguments = self._call(body, signatures)
            if arguments is None:
                return None
            function = {"name": name, "arguments": arguments}
            called.append({"id": f"call_{index}", "type": "function", "function": function})
        return called

    def _call(self, body: str, signatures: Mapping[str, Signature]) -> tuple[str, str | None]:
        """Return name and arguments of a call, from its name on."""
        first, *others = body.split(self._value_end)
        name, argued, pair = first.partition(self._first_key)
        if not argued:
            name = name.removesuffix(self._name_end)
        signature = signatures.get(name)
        if signature is None or not signature.has_usual_name or (argued and (not others or others.pop())):
            return name, None
        if not argued:
            return name, "{}" if body == name + self._name_end else None
        sign, key_opening, middle, usual = self._sign, self._key, self._middle, signature.usual
        parts: dict[str, str] = {}
        for other in (pair, *others):
            if other is not pair:
                if not other.startswith(key_opening):
                    return name, None
                other = other[len(key_opening) :]
            key, valued, value = other.partition(middle)
            known = usual.get(key) or signature.usual_parameter(key)
            if known is None or not valued or key in parts or (sign in value and self._marked(value, 0)):
                return name, None
            head, parameter = known
            if parameter.streams:
                parts[key] = head + json_string(value)
            elif parameter.sure is not None and parameter.sure(value):
                parts[key] = head + value
            else:
                parts[key] = head + parameter.read(value, self._literals).json
        return name, "{" + ", ".join(parts.values()) + "}"
