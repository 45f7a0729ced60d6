"""``chatcodec inspect``: what is known of one codec."""

from __future__ import annotations

import click

from chatcodec.cli.about import described, grammar, paragraph, stops
from chatcodec.cli.failure import debug_option, say
from chatcodec.cli.present import SCHEMA_VERSION, json_line
from chatcodec.cli.terminal import write
from chatcodec.codec import load


@click.command("inspect")
@click.argument("codec_name", metavar="CODEC")
@click.option("--pieces", is_flag=True, help="Only how a reply is written: its markers, and the syntax of calls.")
@click.option("--response-template", is_flag=True, help="The pieces as a Hugging Face response template, in JSON.")
@click.option("--output", type=click.Choice(["text", "json"]), default="text", help="For people, or one JSON object.")
@debug_option
def command(codec_name: str, pieces: bool, response_template: bool, output: str) -> int:
    """Print a codec's options, and the pieces of its replies.

    \b
    Examples:
      chatcodec inspect seed-oss
      chatcodec inspect qwen3.6 --pieces --output json
      chatcodec inspect qwen3.6 --response-template > template.json
    """  # noqa: D301
    codec = load(codec_name)
    if response_template:
        template, lost = codec.response_template()
        write(json_line(template))
        for sentence in lost:
            say(f"note: {sentence}")
    elif output == "json":
        about = {"name": codec.name} if pieces else described(codec) | {"stops": list(codec.stops)}
        both = {"pieces": codec.pieces.as_json(), "hints": codec.hints.as_json()}
        write(json_line({"schema_version": SCHEMA_VERSION, **about, **both}))
    elif pieces:
        write(grammar(codec))
    else:
        write("\n".join((paragraph(described(codec)), stops(codec), grammar(codec))))
    return 0
