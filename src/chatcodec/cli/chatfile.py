"""What a chat file says: messages, tools, documents, options, and how the prompt ends.

A chat file is a list of messages, or an object with ``messages`` and, where wanted, ``tools``, ``documents``,
``add_generation_prompt``, ``continue_final_message`` and options. Options are under ``options``, under
``chat_template_kwargs`` (vLLM's name for them) or further keys beside ``messages``; where these three disagree, an
earlier one counts. A request to OpenAI's API is a chat file too: what it says to the engine (``model``,
``temperature``, ...) is passed over. Each message has a role: a file without roles is no chat, whatever a template
would make of it.

A tools file is a list of tool definitions, the single one too; or an object with ``tools``, such as a chat file.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, field
from typing import Any

from chatcodec.chat.check import check_shape, invalid, missing
from chatcodec.chat.pointer import Path, describe, pointer
from chatcodec.errors import ChatCodecError, InvalidChat

_KNOWN = frozenset(
    {"messages", "tools", "documents", "add_generation_prompt", "continue_final_message"}
    | {"options", "chat_template_kwargs"}
)

UNDER = ("chat_template_kwargs", "options")
"""Where options may stand together, the one that counts last."""

# fmt: off
_REQUEST = frozenset({
    "add_special_tokens", "allowed_token_ids", "audio", "bad_words", "best_of", "cache_salt", "chat_template",
    "echo", "extra_body", "frequency_penalty", "guided_json", "ignore_eos", "include_reasoning",
    "kv_transfer_params", "length_penalty", "logit_bias", "logprobs", "max_completion_tokens", "max_tokens",
    "metadata", "min_p", "min_tokens", "mm_processor_kwargs", "modalities", "model", "n", "parallel_tool_calls",
    "prediction", "presence_penalty", "priority", "prompt_cache_key", "prompt_cache_retention", "prompt_logprobs",
    "reasoning_effort", "repetition_penalty", "request_id", "response_format", "return_tokens_as_token_ids",
    "safety_identifier", "seed", "separate_reasoning", "service_tier", "skip_special_tokens",
    "spaces_between_special_tokens", "stop", "stop_token_ids", "store", "stream", "stream_options",
    "structured_outputs", "temperature", "thinking_token_budget", "tool_choice", "top_k", "top_logprobs", "top_p",
    "truncate_prompt_tokens", "user", "verbosity", "web_search_options",
})
# fmt: on
"""What a request says to an engine, and not to a template."""


@dataclass(frozen=True, slots=True)
class ChatFile:
    """A chat as its file gives it; None where the file says nothing."""

    messages: list[Any]
    tools: list[Any] | None = None
    documents: list[Any] | None = None
    add_generation_prompt: bool | None = None
    continue_final_message: bool | str = False
    options: dict[str, Any] = field(default_factory=dict)
    request: dict[str, Any] = field(default_factory=dict, compare=False)
    """What stands beside the messages and is for the engine, unless the codec reads it."""
    places: dict[str, str] = field(default_factory=dict, compare=False)
    """The JSON pointer in the file of each option."""

    @property
    def roles(self) -> list[Any]:
        """The role of each message."""
        return [message.get("role") for message in self.messages]


def chat_of(value: Any) -> ChatFile:
    """Return the chat that the JSON `value` of a file is. Raises InvalidChat with a pointer to what is wrong."""
    if isinstance(value, list):
        check_shape(value)
        return ChatFile(value)
    if not isinstance(value, dict):
        raise _no_chat(describe(value))
    messages = value.get("messages")
    if messages is None and "role" in value:
        raise _no_chat("a single message")
    if messages is None:
        found, accepted = f"none in {describe(value)}", "a list of messages"
        raise InvalidChat(f"/messages: {found}, accepted: {accepted}", "/messages", found, accepted)
    check_shape(messages)
    return ChatFile(
        messages,
        objects(value.get("tools"), ("tools",), "tool definitions"),
        objects(value.get("documents"), ("documents",), "documents"),
        _flag(value.get("add_generation_prompt"), ("add_generation_prompt",)),
        _continued(value.get("continue_final_message")),
        _options(value),
        {name: item for name, item in value.items() if name in _REQUEST},
        {name: pointer((name,)) for name in value} | places_under(value),
    )


def tools_of(value: Any) -> list[Any]:
    """Return the tools that the JSON `value` of a tools file is. Raises InvalidChat with a pointer."""
    if isinstance(value, dict):
        if "tools" not in value:
            raise invalid(("tools",), value, "a list of tool definitions, or an object with tools")
        value = value["tools"]
    tools = objects(value, ("tools",), "tool definitions")
    if tools is None:
        raise missing(("tools",), "a list of tool definitions")
    return tools


def objects(value: Any, path: Path, what: str) -> list[Any] | None:
    """Return the list of objects at `path`, None if it is null. Raises InvalidChat with a pointer to what is wrong."""
    if value is None:
        return None
    if not isinstance(value, list):
        raise invalid(path, value, f"a list of {what}")
    for index, item in enumerate(value):
        if not isinstance(item, dict):
            raise invalid((*path, index), item, "an object")
    return value


def options_under(value: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options under the keys of `value` that may hold some. Raises InvalidChat with a pointer."""
    options: dict[str, Any] = {}
    for key in UNDER:
        given = value.get(key)
        if given is not None and not isinstance(given, dict):
            raise invalid((key,), given, "an object with options")
        options |= given or {}
    return options


def in_file(error: ChatCodecError, places: Mapping[str, str]) -> ChatCodecError:
    """Return `error` with its pointer as it is in the file, where an option may stand in several `places`."""
    _, _, name = (error.pointer or "").partition("/options/")
    place = places.get(name)
    if not error.pointer or not place or place == error.pointer:
        return error
    moved = copy(error)
    moved.message = error.message.replace(f"{error.pointer}:", f"{place}:", 1)
    moved.pointer, moved.args = place, (moved.message,)
    return moved


def places_under(value: Mapping[str, Any]) -> dict[str, str]:
    """Return the pointer of each option under the keys of `value` that may hold some."""
    return {name: pointer((key, name)) for key in UNDER for name in value.get(key) or {}}


def _no_chat(found: str) -> InvalidChat:
    accepted = "a list of messages, or an object with messages"
    return InvalidChat(f"found {found}, accepted: {accepted}", None, found, accepted)


def _flag(value: Any, path: Path) -> bool | None:
    if value is None or isinstance(value, bool):
        return value
    raise invalid(path, value, "true or false")


def _continued(value: Any) -> bool | str:
    if value is None or isinstance(value, (bool, str)):
        return value or False
    raise invalid(("continue_final_message",), value, "true, false, or the name of a field")


def _options(value: dict[str, Any]) -> dict[str, Any]:
    beside = {name: item for name, item in value.items() if name not in _KNOWN and name not in _REQUEST}
    return beside | options_under(value)
