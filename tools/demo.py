"""One conversation, rendered by every format, coloured by who wrote each part: ``make demo``."""

from __future__ import annotations

import json
from pathlib import Path

import click

import chatcodec
from chatcodec.cli.paint import legend, paint

CHAT = Path(__file__).parent.parent / "examples" / "weather.json"


def main() -> None:
    """Print the prompts. Colours are there however the output is read: showing them is what this is for."""
    chat = json.loads(CHAT.read_text(encoding="utf-8"))
    roles = [message["role"] for message in chat["messages"]]
    for name in chatcodec.available():
        prompt = chatcodec.load(name).render(**chat, add_generation_prompt=True)
        click.echo(click.style(f"\n── {name} ".ljust(80, "─"), bold=True), color=True)
        click.echo(paint(prompt, roles), color=True)
        for warning in prompt.warnings:
            click.echo(f"   (warning: {warning.pointer}: {warning.message})", color=True)
    click.echo(f"\nwritten by  {legend()}", color=True)


if __name__ == "__main__":
    main()
