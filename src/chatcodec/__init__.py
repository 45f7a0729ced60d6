"""chatcodec: chat templates that run both ways.

codec = chatcodec.load("seed-oss")
prompt = codec.render(messages, tools=tools, add_generation_prompt=True)
prompt.text; prompt.spans; prompt.media
reply = codec.parse(completion, tools=tools, prompt=prompt)
reply.message; reply.turn; reply.calls
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from chatcodec.codec import Codec, available, load
from chatcodec.errors import (
    ChatCodecError,
    InvalidChat,
    LimitExceeded,
    TemplateRefused,
    UnknownCodec,
    UnknownOption,
    UnreadableInput,
)
from chatcodec.render.protocol import Option
from chatcodec.render.rendered import Rendered
from chatcodec.render.span import Media, Span
from chatcodec.render.writer import RenderWarning

if TYPE_CHECKING:
    from chatcodec.reply.events import Event
    from chatcodec.reply.pieces import Pieces
    from chatcodec.reply.read_calls import Call
    from chatcodec.reply.reader import Reader
    from chatcodec.reply.reply import Reply

__version__ = "0.1.0"

__all__ = [
    "Call",
    "ChatCodecError",
    "Codec",
    "Event",
    "InvalidChat",
    "LimitExceeded",
    "Media",
    "Option",
    "Pieces",
    "Reader",
    "RenderWarning",
    "Rendered",
    "Reply",
    "Span",
    "TemplateRefused",
    "UnknownCodec",
    "UnknownOption",
    "UnreadableInput",
    "available",
    "load",
]

# Who only renders need not load what reads replies.
_WHEN_ASKED_FOR = {"Call": "read_calls", "Event": "events", "Pieces": "pieces", "Reader": "reader", "Reply": "reply"}


def __getattr__(name: str) -> Any:
    if name not in _WHEN_ASKED_FOR:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"chatcodec.reply.{_WHEN_ASKED_FOR[name]}"), name)
