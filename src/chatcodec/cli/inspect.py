"""``chatcodec inspect``: what is known of one codec."""

from __future__ import annotations

from typing import Any

import click

from chatcodec.cli.about import described, grammar, paragraph, stops
from chatcodec.cli.arguments import template_name_option
from chatcodec.cli.card import screen
from chatcodec.cli.failure import debug_option, say
from chatcodec.cli.present import SCHEMA_VERSION, json_line
from chatcodec.cli.terminal import write
from chatcodec.codec import Codec, load
from chatcodec.errors import ChatCodecError, UnreadableInput


@click.command("inspect")
@click.argument("codec_name", metavar="CODEC")
@click.option("--details", is_flag=True, help="The options with what is said of them, and the pieces, too.")
@click.option("--pieces", is_flag=True, help="Only how a reply is written: its markers, and the syntax of calls.")
@click.option("--python", is_flag=True, help="The Python code that a template was compiled to.")
@template_name_option
@click.option("--response-template", is_flag=True, help="The pieces as a Hugging Face response template, in JSON.")
@click.option("--output", type=click.Choice(["text", "json"]), default="text", help="For people, or one JSON object.")
@debug_option
def command(
    codec_name: str,
    details: bool,
    pieces: bool,
    python: bool,
    template_name: str | None,
    response_template: bool,
    output: str,
) -> int:
    """Print the card of a codec: what it does, measured on its prompts.

    CODEC is a format's name, a .jinja file, a model folder, a .gguf file, hf:ORG/NAME in the local Hugging Face
    cache, or the text of a template.

    \b
    Examples:
      chatcodec inspect seed-oss
      chatcodec inspect qwen3.6 --pieces --output json
      chatcodec inspect qwen3.6 --response-template > template.json
      chatcodec inspect chat_template.jinja --python
    """  # noqa: D301
    codec = load(codec_name, name=template_name)
    if python:
        write(_python(codec))
    elif response_template:
        template, lost = codec.response_template()
        write(json_line(template))
        for sentence in lost:
            say(f"note: {sentence}")
    elif output == "json":
        about = {"name": codec.name} if pieces else described(codec)
        card = {} if pieces else {"card": codec.describe().as_json()}
        write(json_line({"schema_version": SCHEMA_VERSION, **about, **_replies(codec, pieces), **card}))
    elif pieces:
        write(grammar(codec))
    else:
        write(screen(codec.describe()))
        write("".join(f"\n{part}" for part in (paragraph(described(codec)), *_told(codec))) if details else "")
    return 0


def _python(codec: Codec) -> str:
    """Return the code of the templates of a codec. Raises UnreadableInput for a format, which has none."""
    if not codec.python:
        raise UnreadableInput(f"{codec.name} is a format: nothing was compiled; accepted with --python: a template")
    if len(codec.python) == 1:
        return next(iter(codec.python.values()))
    return "\n".join(f"# {name}\n\n{python}" for name, python in codec.python.items())


def _told(codec: Codec) -> tuple[str, ...]:
    """Return how replies are written, for people; or why that is not known."""
    try:
        return (stops(codec), grammar(codec)) if codec.stops else (grammar(codec),)
    except ChatCodecError as error:
        return (f"{error}\n",)


def _knows_replies(codec: Codec) -> bool:
    try:
        return bool(codec.pieces)
    except ChatCodecError:
        return False


def _replies(codec: Codec, only_pieces: bool) -> dict[str, Any]:
    """Return how replies are written, for JSON; null where that is not known."""
    if not _knows_replies(codec):
        return {"pieces": None, "hints": None}
    known = {"pieces": codec.pieces.as_json(), "hints": codec.hints.as_json()}
    return known if only_pieces else {"stops": list(codec.stops), **known}
