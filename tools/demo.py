"""One conversation, rendered by every format, coloured by who wrote each part: ``make demo``."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import click

import chatcodec
from chatcodec.cli.paint import legend, paint

CHAT = Path(__file__).parent.parent / "examples" / "weather.json"


def main() -> None:
    """Print the prompts. Colours are there also in a pipe, unless NO_COLOR is set: showing them is what this is for."""
    color = not os.environ.get("NO_COLOR")
    chat = json.loads(CHAT.read_text(encoding="utf-8"))
    roles = [message["role"] for message in chat["messages"]]
    for name in chatcodec.available():
        prompt = chatcodec.load(name).render(**chat, add_generation_prompt=True)
        click.echo(click.style(f"\n── {name} ".ljust(80, "─"), bold=True), color=color)
        click.echo(paint(prompt, roles), color=color)
        for warning in prompt.warnings:
            click.echo(f"   (warning: {warning.pointer}: {warning.message})", color=color)
    click.echo(f"\nwritten by  {legend()}", color=color)


if __name__ == "__main__":
    try:
        main()
        sys.stdout.flush()
    except BrokenPipeError:  # as in `make demo | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
