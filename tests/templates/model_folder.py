"""Model folders for tests, written from what their files should hold."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

CONFIG = "tokenizer_config.json"


def write_files(folder: Path, files: Mapping[str, Any]) -> Path:
    """Write text and bytes as they are, anything else as JSON; return the folder."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        raw = content if isinstance(content, (str, bytes)) else json.dumps(content)
        path.write_bytes(raw if isinstance(raw, bytes) else raw.encode())
    return folder
