"""What a newcomer relies on: small modules that say what they are, and every thing at its place."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path

import pytest

import chatcodec
from chatcodec.cli.main import cli

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "chatcodec"
MODULES = sorted(SOURCE.rglob("*.py"))
PYTHON = sorted(
    {*MODULES, *(ROOT / "tools").rglob("*.py"), *(ROOT / "tests").rglob("*.py"), *(ROOT / "benchmarks").rglob("*.py")}
)
FORMATS = [path for path in MODULES if path.parent.name == "formats" and "FORMAT = Format(" in path.read_text("utf-8")]
EMPTY_NAMES = {"utils", "util", "base", "common", "helpers", "helper", "manager", "misc"}


def ids(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", PYTHON, ids=ids)
def test_modules_are_small_and_say_what_they_are(path: Path) -> None:
    text = path.read_text("utf-8")
    tree = ast.parse(text)
    first = (ast.get_docstring(tree) or "").partition("\n")[0]
    assert re.search(r"[.:!?]$", first), f"the first line is no sentence: {first!r}"
    if "tests" not in path.parts:
        assert len(text.splitlines()) <= 400
    assert path.stem not in EMPTY_NAMES
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            assert (node.end_lineno or 0) - node.lineno < 60, f"{node.name} is long"


def test_each_format_is_kept_from_the_others() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    [independent] = [contract["modules"] for contract in contracts if contract["type"] == "independence"]
    assert independent == [f"chatcodec.formats.{path.stem}" for path in FORMATS]


def test_a_format_is_one_small_file() -> None:
    assert len(FORMATS) == len(chatcodec.available())
    for path in FORMATS:
        assert len(path.read_text("utf-8").splitlines()) < 150, path.name


@pytest.mark.parametrize("name", chatcodec.available())
def test_each_format_has_vectors_and_a_page(name: str) -> None:
    assert len(list((ROOT / "vectors" / "formats" / name / "render").glob("*.json"))) >= 50
    assert (ROOT / "docs" / "formats" / f"{name}.md").is_file()


def test_the_map_names_each_room() -> None:
    map_text = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
    rooms = {path.name for path in SOURCE.iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert rooms <= set(re.findall(r"`(\w+)/`", map_text))
    mentioned = re.findall(r"`((?:src/chatcodec|tools|tests|docs|vectors|benchmarks|examples)/[\w./<>-]*)`", map_text)
    assert mentioned
    assert [path for path in mentioned if "<" not in path and not (ROOT / path).exists()] == []


def test_the_command_line_reference_has_each_command_and_flag() -> None:
    page = (ROOT / "docs" / "command-line.md").read_text("utf-8")
    context = cli.make_context("chatcodec", [], resilient_parsing=True)
    for name in cli.list_commands(context):
        command = cli.get_command(context, name)
        assert command is not None
        assert f"chatcodec {name}" in page
        flags = [flag for parameter in command.params for flag in parameter.opts if flag.startswith("--")]
        assert [flag for flag in flags if flag not in page] == []
