"""chatcodec: chat templates that run both ways.

codec = chatcodec.load("seed-oss")
prompt = codec.render(messages, tools=tools, add_generation_prompt=True)
prompt.text; prompt.spans; prompt.media
reply = codec.parse(completion, tools=tools, prompt=prompt)
reply.message; reply.turn; reply.calls
"""

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
from chatcodec.render.rendered import Media, Rendered, Span
from chatcodec.render.writer import RenderWarning
from chatcodec.reply.events import Event
from chatcodec.reply.pieces import Pieces
from chatcodec.reply.reader import Reader
from chatcodec.reply.reply import Call, Reply

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
