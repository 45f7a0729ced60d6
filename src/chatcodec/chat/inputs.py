"""From what a caller passes to what a renderer gets: the input steps of `apply_chat_template`, transformers 5.23.

1. choose the template (templates only); 2. leave out message keys whose value is null; 3. check that a final message to
continue and a generation prompt are not both wanted; 4. variables: special tokens, then options; 5. tools: definitions,
or functions to describe; documents are objects; 6. plain data; 7. reasoning under any of its names; 8. render.

Rules: steps 2 and 7 happen where a renderer loads a field (``message.get`` makes null and absent one, and
`reasoning_of` knows the names), so an ordinary chat is never copied. Step 6 is done by `plain_chat`, for chats that
turn out to hold something else than plain JSON data, or that fail. Where transformers checks its input, its words are
used.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from dataclasses import is_dataclass, replace
from datetime import datetime
from typing import Any

from chatcodec.chat.check import invalid
from chatcodec.chat.plain import is_far_more, plain
from chatcodec.chat.pointer import Path, describe, pointer
from chatcodec.chat.types import Chat
from chatcodec.errors import InvalidChat, LimitExceeded

REASONING_NAMES = ("reasoning_content", "thinking", "reasoning")
"""The keys under which a message's reasoning may come; the first that is not null counts."""

_EMPTY = "Cannot apply chat template to an empty conversation. Provide at least one message."
_BOTH = (
    "continue_final_message and add_generation_prompt are not compatible. Use continue_final_message when you want the "
    "model to continue the final message, and add_generation_prompt when you want to add a header that will prompt it "
    "to start a new assistant message instead."
)
_TOOL = (
    "Tools should either be a JSON schema, or a callable function with type hints and a docstring suitable for "
    "auto-conversion to a schema."
)
_DOCUMENT = "Documents should be a list of dicts with 'title' and 'text' keys!"


def take(
    messages: Any,
    tools: Any,
    documents: Any,
    options: Mapping[str, Any],
    add_generation_prompt: bool,
    continue_final_message: bool | str,
    now: datetime | None = None,
) -> Chat:
    """Return the chat that a caller means. Raises InvalidChat for what transformers' own checks refuse."""
    if now is not None and not isinstance(now, datetime):
        raise InvalidChat(f"now: found {describe(now)}, accepted: a datetime")
    return Chat(
        messages=_messages(messages, continuing=bool(continue_final_message and add_generation_prompt)),
        tools=None if tools is None else take_tools(tools),
        documents=None if documents is None else _documents(documents),
        options={name: _plain(value, ("options", name)) for name, value in options.items()},
        add_generation_prompt=add_generation_prompt,
        now=now,
    )


def plain_chat(chat: Chat) -> Chat:
    """Return a deep copy of `chat` as plain data. Raises InvalidChat for what cannot be read, or is no message."""
    messages = [_plain(message, ("messages", index)) for index, message in enumerate(chat.messages)]
    for index, message in enumerate(messages):
        if not isinstance(message, dict):
            raise invalid(("messages", index), chat.messages[index], "an object with role and content")
    tools, documents = _plain(chat.tools, ("tools",)), _plain(chat.documents, ("documents",))
    return replace(chat, messages=messages, tools=tools, documents=documents)


def reasoning_of(message: Mapping[str, Any]) -> tuple[str | None, Any]:
    """Return the key under which `message` has its reasoning, and the reasoning; ``(None, None)`` without any."""
    get = message.get
    for name in REASONING_NAMES:
        value = get(name)
        if value is not None:
            return name, value
    return None, None


def _plain(value: Any, path: Path) -> Any:
    if value is None or type(value) in (str, bool, int):
        return value
    try:
        if is_far_more(value):
            raise LimitExceeded("the same lists or objects occur too many times", "items", pointer(path))
        return plain(value)
    except LimitExceeded:
        raise
    except RecursionError:
        raise LimitExceeded("the chat is nested too deeply", "depth", pointer(path)) from None
    except Exception as error:  # anything: code of the caller's own objects runs here
        raise InvalidChat(f"{pointer(path)}: cannot be read as plain data: {error}", pointer(path)) from error


def _messages(messages: Any, continuing: bool) -> list[Any]:
    if isinstance(messages, (str, bytes, Mapping)) or not isinstance(messages, Iterable):
        raise invalid(("messages",), messages, "a list of messages")
    taken = [m if type(m) is dict else _plain(m, ("messages", index)) for index, m in enumerate(messages)]
    if not taken:
        raise InvalidChat(_EMPTY, "/messages")
    if continuing:
        raise InvalidChat(_BOTH, "/continue_final_message")
    return taken


def take_tools(tools: Any) -> list[Any]:
    """Return tools as definitions: functions are described. Raises InvalidChat for what is no tool."""
    if not isinstance(tools, Iterable):
        raise invalid(("tools",), tools, "a list of tool definitions")
    if tools and isinstance(tools, (str, Mapping)):
        raise InvalidChat(_TOOL, "/tools", describe(tools), "a list of tool definitions")
    return [tool if type(tool) is dict else _tool(tool, index) for index, tool in enumerate(tools)]


def _tool(tool: Any, index: int) -> Any:
    if isinstance(tool, Mapping):
        return _plain(tool, ("tools", index))
    if inspect.isfunction(tool) or inspect.ismethod(tool):
        from chatcodec.chat.functions import describe_function  # its import costs more than most chats

        return describe_function(tool, index)
    if not isinstance(tool, type) and (is_dataclass(tool) or callable(getattr(tool, "model_dump", None))):
        return _plain(tool, ("tools", index))
    raise InvalidChat(_TOOL, pointer(("tools", index)), describe(tool), "a definition, or a Python function")


def _documents(documents: Any) -> list[Any]:
    if not isinstance(documents, Iterable):
        raise invalid(("documents",), documents, "a list of objects")
    taken = list(documents)
    for index, document in enumerate(taken):
        if not isinstance(document, dict):
            raise InvalidChat(_DOCUMENT, pointer(("documents", index)), describe(document), "an object")
    return taken
