"""Every example in the README and in docs/ runs, and prints what it says."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import pages

ROOT = Path(__file__).parent.parent
DOCUMENTS = sorted({ROOT / "README.md", *ROOT.glob("docs/**/*.md"), *ROOT.glob("*.md")})
FENCE = re.compile(r"^(`{3,})(\w*)\n(.*?)^\1$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?!https?:)([^)#]*)(#[^)]*)?\)")
RUN = ("python", "console")
SHOWN = ("", "text", "json")


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def blocks(path: Path, language: str) -> Iterator[str]:
    return (found[3] for found in FENCE.finditer(path.read_text("utf-8")) if found[2] == language)


WITH_PYTHON = [path for path in DOCUMENTS if any(blocks(path, "python"))]
WITH_CONSOLE = [path for path in DOCUMENTS if any(blocks(path, "console"))]


@pytest.mark.parametrize("path", DOCUMENTS, ids=name)
def test_each_block_is_run_or_only_shown(path: Path) -> None:
    assert {found[2] for found in FENCE.finditer(path.read_text("utf-8"))} <= {*RUN, *SHOWN}


@pytest.mark.parametrize("path", WITH_PYTHON, ids=name)
def test_python_examples(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    namespace: dict[str, object] = {}
    for block in blocks(path, "python"):
        exec(compile(block, name(path), "exec"), namespace)
    printed = capsys.readouterr().out
    for block in blocks(path, "python"):
        for expected in re.findall(r"print\(error\) +# (.*)", block):
            assert expected in printed


@pytest.mark.parametrize("path", WITH_CONSOLE, ids=name)
def test_console_examples(path: Path) -> None:
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "NO_COLOR": "1",
    }
    for block in blocks(path, "console"):
        commands = re.split(r"^\$ ", block, flags=re.MULTILINE)
        assert commands[0] == ""
        for command in commands[1:]:
            line, _, expected = command.partition("\n")
            assert "chatcodec" in line
            done = subprocess.run(
                ["bash", "-c", line],
                cwd=ROOT,
                env=environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                check=False,
            )
            assert done.stdout.decode().rstrip("\n") == expected.rstrip("\n")


@pytest.mark.parametrize("path", DOCUMENTS, ids=name)
def test_links_lead_somewhere(path: Path) -> None:
    for target, _ in LINK.findall(path.read_text("utf-8")):
        assert not target or (path.parent / target).exists(), target


def test_the_readme_is_one_screen() -> None:
    assert len((ROOT / "README.md").read_text("utf-8").splitlines()) <= 75


def test_the_pages_of_the_formats_are_up_to_date(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["pages.py", "--check"])
    assert pages.main() == 0
