"""The page of each format in docs/formats/, written from the format itself: ``make pages``.

    python tools/pages.py [--check]

A page has what the module says of itself, the prompt of examples/weather.json, the options and the source. With
``--check`` nothing is written, and the exit code is 1 if a page is not what it would be.
"""

from __future__ import annotations

import inspect
import json
import sys
from pathlib import Path
from typing import Any

import chatcodec
from chatcodec.formats import registry
from chatcodec.formats.format import Format
from chatcodec.render.protocol import Option

ROOT = Path(__file__).parent.parent
PAGES = ROOT / "docs" / "formats"
EXAMPLE = ROOT / "examples" / "weather.json"


def page(name: str) -> str:
    """Return the page of the format of that name."""
    family = registry.get(name)
    module = inspect.getmodule(family.writer)
    assert module is not None
    first, _, rest = (inspect.getdoc(module) or "").partition("\n")
    path = f"src/chatcodec/formats/{module.__name__.rpartition('.')[2]}.py"
    cases = f"vectors/formats/{name}/render"
    return "\n".join(
        (
            f"# {name}\n\n{first}\n{rest}\n",
            f"## A prompt\n\n`chatcodec render {name} examples/weather.json` prints:\n",
            f"{sample(name)}\n",
            f"## Options\n\n{options(family)}\n",
            "## Source\n",
            f"Defined in [`{path}`](../../{path}). Its text equals that of `{family.source}` under transformers 5.23, "
            f"character by character; the cases are in [`{cases}`](../../{cases}).",
            "",
            f"To see whether it is your model's template, compare the SHA-256 of the file: `{digest(name)}`.\n",
            "_This page is written by `make pages`._\n",
        )
    )


def digest(name: str) -> str:
    """Return the hash of the template that the vectors of a format were made with."""
    source = json.loads((ROOT / "vectors" / "formats" / name / "source.json").read_text(encoding="utf-8"))
    assert source["file"] == registry.get(name).source
    return str(source["sha256"])


def sample(name: str) -> str:
    """Return the prompt of the example, and the warnings that come with it."""
    chat = json.loads(EXAMPLE.read_text(encoding="utf-8"))
    prompt = chatcodec.load(name).render(**chat, add_generation_prompt=True)
    warnings = "".join(f"\nWith it comes the warning `{item.pointer}: {item.message}`.\n" for item in prompt.warnings)
    return f"````text\n{prompt.text}\n````\n{warnings}"


def options(family: Format) -> str:
    """Return the table of a format's options."""
    if not family.options:
        return "It reads none."
    lines = ["| option | type | default | |", "|---|---|---|---|"]
    return "\n".join(lines + [row(option) for option in family.options])


def row(option: Option) -> str:
    """Return an option's row of the table."""
    return f"| `{option.name}` | {option.type} | {shown(option.default)} | {option.doc} |"


def shown(default: Any) -> str:
    """Return a default as JSON; none where the option is simply absent."""
    return "" if default is None else f"`{json.dumps(default, ensure_ascii=False)}`"


def main() -> int:
    """Write the pages, or check them."""
    check = "--check" in sys.argv[1:]
    stale = []
    for name in chatcodec.available():
        path, text = PAGES / f"{name}.md", page(name)
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            stale.append(path.name)
            if not check:
                path.write_text(text, encoding="utf-8")
    print(
        f"{len(stale)} pages {'are not up to date' if check else 'written'}: {', '.join(stale)}"
        if stale
        else "pages are up to date"
    )
    return int(check and bool(stale))


if __name__ == "__main__":
    sys.exit(main())
