"""``chatcodec list``: the codecs by name, and the options that each one reads."""

from __future__ import annotations

import click

from chatcodec.cli.about import described, paragraph
from chatcodec.cli.failure import debug_option
from chatcodec.cli.present import SCHEMA_VERSION, json_line
from chatcodec.cli.terminal import write
from chatcodec.codec import available, load


@click.command("list")
@click.option("--output", type=click.Choice(["text", "json"]), default="text", help="For people, or one JSON object.")
@debug_option
def command(output: str) -> int:
    """List the codecs, and the options that each one reads.

    \b
    Example:
      chatcodec list --output json | jq -r '.codecs[].name'
    """  # noqa: D301
    codecs = [described(load(name)) for name in available()]
    if output == "json":
        write(json_line({"schema_version": SCHEMA_VERSION, "codecs": codecs}))
    else:
        write("\n".join(map(paragraph, codecs)))
    return 0
