"""The shape of a conversation: plain JSON data, as in OpenAI's chat completions.

Rules: these types describe, they do not check; a chat is an ordinary dict or list. Nobody mutates a caller's data.
They do not know which of these shapes a given model's format accepts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, ClassVar, Literal, Protocol, TypeAlias, TypedDict

Object: TypeAlias = dict[str, Any]


class TextPart(TypedDict):
    """A piece of text among content parts."""

    type: Literal["text"]
    text: str


class MediaPart(TypedDict, total=False):
    """An image, audio or video among content parts; each format's page says which keys and types it accepts."""

    type: str
    image: Any
    image_url: Any
    audio: Any
    audio_url: Any
    input_audio: Any
    video: Any
    video_url: Any


class FunctionCall(TypedDict):
    """What a tool call calls. Formats differ in whether ``arguments`` is an object or JSON text."""

    name: str
    arguments: str | dict[str, Any]


class ToolCall(TypedDict, total=False):
    """One tool call of an assistant message."""

    id: str
    type: Literal["function"]
    function: FunctionCall


class Message(TypedDict, total=False):
    """One message. ``role`` is system, developer, user, assistant or tool; some formats print others too."""

    role: str
    content: str | list[TextPart | MediaPart] | None
    name: str
    reasoning_content: str
    tool_calls: list[ToolCall]
    tool_call_id: str


class FunctionTool(TypedDict, total=False):
    """The function that a tool describes: its parameters are a JSON schema."""

    name: str
    description: str
    parameters: dict[str, Any]


class Tool(TypedDict):
    """One tool definition."""

    type: Literal["function"]
    function: FunctionTool


class DataclassLike(Protocol):
    """Any dataclass."""

    __dataclass_fields__: ClassVar[dict[str, Any]]


class ModelLike(Protocol):
    """A pydantic object, or what dumps itself like one."""

    def model_dump(self) -> dict[str, Any]:
        """Return the fields."""
        ...


MessageLike: TypeAlias = Message | Mapping[str, Any] | DataclassLike | ModelLike
"""What ``render`` takes as a message: a mapping, a dataclass or a pydantic object of that shape."""

ToolLike: TypeAlias = Tool | Mapping[str, Any] | Callable[..., Any] | DataclassLike | ModelLike
"""What ``render`` takes as a tool: a definition, or a Python function with type hints and a Google docstring."""


@dataclass(slots=True)
class Chat:
    """What a renderer gets. ``messages`` and ``tools`` may still be the caller's own objects: read, never written."""

    messages: list[Any]
    tools: list[Any] | None = None
    documents: list[Any] | None = None
    options: Object = field(default_factory=dict)
    add_generation_prompt: bool = False
    now: datetime | None = None

    def root(self) -> Object:
        """Return what pointers into the chat start from."""
        return {
            "messages": self.messages, "tools": self.tools, "documents": self.documents, "options": self.options,
        }  # fmt: skip
