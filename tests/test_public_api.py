"""The public face: these names, and no others. Changing this list is a decision, with a line in the changelog."""

from __future__ import annotations

import inspect

import pytest

import chatcodec

NAMES = [
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

SIGNATURES = {
    "load": (
        "(codec: 'str | PathLike[str]', *, name: 'str | None' = None, pieces: 'str | Pieces | None' = None) -> 'Codec'"
    ),
    "available": "() -> 'tuple[str, ...]'",
    "Codec.render": (
        "(self, messages: 'Iterable[MessageLike]', *, tools: 'Iterable[ToolLike] | None' = None, "
        "add_generation_prompt: 'bool' = False, documents: 'Iterable[Mapping[str, Any]] | None' = None, "
        "continue_final_message: 'bool | str' = False, now: 'datetime | None' = None, allow_unknown: 'bool' = False, "
        "**options: 'Any') -> 'Rendered'"
    ),
    "Rendered.leaves": "(self, span: 'Span') -> 'list[Span]'",
}

MEMBERS = {
    "Codec": [
        "collect",
        "describe",
        "name",
        "options",
        "parse",
        "pieces",
        "python",
        "reader",
        "render",
        "response_template",
        "stops",
        "title",
        "tools",
    ],
    "Rendered": ["leaves", "media", "spans", "warnings"],
    "Span": ["end", "message", "origin", "owner", "pointer", "shows", "sources", "start"],
    "Option": ["default", "doc", "fits", "name", "type", "words"],
    "Reader": ["begin", "close", "feed", "feed_ids", "finish", "prime", "resume", "start", "state", "steps"],
    "Reply": [
        "calls",
        "content",
        "events",
        "finish",
        "malformed",
        "message",
        "parts",
        "reasoning",
        "segments",
        "text",
        "turn",
    ],
    "Event": ["as_json", "call", "delta", "detail", "from_json", "raw", "text", "type"],
    "Call": [
        "arguments",
        "as_text",
        "end",
        "id",
        "index",
        "name",
        "problems",
        "raw",
        "response",
        "start",
        "status",
        "usable",
        "values",
    ],
    "Pieces": ["as_json", "calls", "content", "from_json", "header", "reasoning", "stops"],
}


def test_names() -> None:
    assert chatcodec.__all__ == NAMES
    assert len(NAMES) <= 20
    assert all(hasattr(chatcodec, name) for name in NAMES)
    assert chatcodec.__version__


@pytest.mark.parametrize("name", SIGNATURES)
def test_signatures(name: str) -> None:
    member: object = chatcodec
    for step in name.split("."):
        member = getattr(member, step)
    assert callable(member)
    assert str(inspect.signature(member)) == SIGNATURES[name]


@pytest.mark.parametrize("name", MEMBERS)
def test_members(name: str) -> None:
    cls = getattr(chatcodec, name)
    assert sorted(member for member in vars(cls) if not member.startswith("_")) == MEMBERS[name]


def test_every_error_is_a_chatcodec_error() -> None:
    errors = [
        name
        for name in NAMES
        if isinstance(getattr(chatcodec, name), type) and issubclass(getattr(chatcodec, name), Exception)
    ]
    assert len(errors) == 7
    assert all(issubclass(getattr(chatcodec, name), chatcodec.ChatCodecError) for name in errors)


def test_the_package_is_typed() -> None:
    assert (inspect.getfile(chatcodec)).endswith("__init__.py")
    from importlib.resources import files

    assert files("chatcodec").joinpath("py.typed").is_file()
