"""chatcodec: chat templates that run both ways.

codec = chatcodec.load("seed-oss")
prompt = codec.render(messages, tools=tools, add_generation_prompt=True)
prompt.text; prompt.spans; prompt.media
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

__version__ = "0.1.0"

__all__ = [
    "ChatCodecError",
    "Codec",
    "InvalidChat",
    "LimitExceeded",
    "Media",
    "Option",
    "RenderWarning",
    "Rendered",
    "Span",
    "TemplateRefused",
    "UnknownCodec",
    "UnknownOption",
    "UnreadableInput",
    "available",
    "load",
]
