"""``chatcodec list``: the codecs by name, and the options that each one reads.

Rules: what it prints comes from the codecs; nothing about a family is written here.
"""

from __future__ import annotations

import json
from typing import Any

import click

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
    codecs = [_described(name) for name in available()]
    if output == "json":
        write(json_line({"schema_version": SCHEMA_VERSION, "codecs": codecs}))
    else:
        write("\n".join(map(_paragraph, codecs)))
    return 0


def _described(name: str) -> dict[str, Any]:
    codec = load(name)
    options = [
        {"name": option.name, "type": option.type, "default": option.default, "doc": option.doc}
        for option in codec.options
    ]
    return {"name": codec.name, "title": codec.title, "options": options}


def _paragraph(codec: dict[str, Any]) -> str:
    lines = [f"{codec['name']}: {codec['title']}"]
    for option in codec["options"]:
        default = json.dumps(option["default"], ensure_ascii=False)
        lines.append(f"  {option['name']} ({option['type']}, default {default})")
        lines.append(f"      {option['doc']}")
    return "\n".join(lines) + "\n"
