"""The templates and special tokens of a model folder, or of one of its JSON files.

Rules: what `AutoTokenizer` of transformers 5.23 finds in the folder. ``chat_template.jinja`` (the default) and
``additional_chat_templates/NAME.jinja`` stand for all templates of ``tokenizer_config.json``, which count if there are
no such files. Where a tokenizer has no template, those of the processor count, as for `AutoProcessor`:
``processor_config.json``, and then the legacy ``chat_template.json``. As there, a legacy file beside additional
templates is refused, but only where it would have to be the default. It does not know templates that are in the Python
code of a tokenizer.
"""

from __future__ import annotations

import os
from itertools import islice
from typing import Any, NamedTuple

from chatcodec.chat.pointer import describe
from chatcodec.errors import LimitExceeded, UnknownCodec, UnreadableInput
from chatcodec.templates.files import entries, read_object, read_template
from chatcodec.templates.source import DEFAULT, MAX_TEMPLATES, Source, template_text
from chatcodec.templates.special_tokens import Settings, special_tokens

TOKENIZER_CONFIG = "tokenizer_config.json"
TEMPLATE_FILE = "chat_template.jinja"
MORE_TEMPLATES = "additional_chat_templates"
LEGACY_FILE = "chat_template.json"
PROCESSOR_FILES = ("processor_config.json", LEGACY_FILE)


class Found(NamedTuple):
    """Templates by name, and the file of each."""

    templates: dict[str, str]
    files: dict[str, str]


def read_folder(folder: str, name: str | None = None) -> Source:
    """Return what the files of a model folder say. `name` is what people call it, if not by its path.

    Raises UnknownCodec if no template is there, UnreadableInput for a file that is broken, LimitExceeded.
    """
    config = Settings(_object_if_there(folder, TOKENIZER_CONFIG) or {}, os.path.join(folder, TOKENIZER_CONFIG))
    found = _template_files(folder)
    if not found.templates:
        found = _of_config(config)
    for file in PROCESSOR_FILES:
        if not found.templates:
            found = _of_config(Settings(_object_if_there(folder, file) or {}, os.path.join(folder, file)))
    if not found.templates:
        raise _no_template(folder)
    return Source(found.templates, _tokens(folder, config), name or folder, found.files)


def read_config(path: str) -> Source:
    """Return what one JSON file says: ``tokenizer_config.json``, ``chat_template.json``, or another of their shape.

    The rest of its folder is not looked at. Raises UnknownCodec if it has no template, UnreadableInput, LimitExceeded.
    """
    config = Settings(read_object(path), path)
    found = _of_config(config)
    if not found.templates:
        accepted = f"a {TOKENIZER_CONFIG} or {LEGACY_FILE} with a chat_template, or a model folder"
        raise UnknownCodec(f"{path}: no chat template; accepted: {accepted}")
    tokens = {} if os.path.basename(path) in PROCESSOR_FILES else special_tokens(config)
    return Source(found.templates, tokens, path, found.files)


def templates_of(value: Any, where: str) -> dict[str, str]:
    """Return the templates that a ``chat_template`` in a JSON file is, by name: one text, or several with their names.

    Raises UnreadableInput, which begins with `where`; LimitExceeded.
    """
    if value is None:
        return {}
    if isinstance(value, str):
        return {DEFAULT: template_text(value, where)}
    if isinstance(value, (dict, list)) and len(value) > MAX_TEMPLATES:
        raise LimitExceeded(f"{where}: {len(value)} templates, accepted: up to {MAX_TEMPLATES}", "templates")
    if isinstance(value, dict):
        return {name: template_text(text, f"{where}/{name}") for name, text in value.items()}
    if not isinstance(value, list):
        raise UnreadableInput(f"{where}: found {describe(value)}, accepted: a text, or a list of named templates")
    templates = {}
    for index, item in enumerate(value):
        if not isinstance(item, dict) or not isinstance(item.get("name"), str) or "template" not in item:
            raise UnreadableInput(
                f"{where}/{index}: found {describe(item)}, accepted: an object with name and template"
            )
        templates[item["name"]] = template_text(item["template"], f"{where}/{index}")
    return templates


def _template_files(folder: str) -> Found:
    """Return the templates that are files of their own."""
    files = {}
    if os.path.isfile(path := os.path.join(folder, TEMPLATE_FILE)):
        files[DEFAULT] = path
    more = {}
    for file in sorted(entries(os.path.join(folder, MORE_TEMPLATES))):
        if file.endswith(".jinja") and os.path.isfile(path := os.path.join(folder, MORE_TEMPLATES, file)):
            more[file.removesuffix(".jinja")] = path
    if len(more) > MAX_TEMPLATES:
        raise LimitExceeded(f"{folder}: more than {MAX_TEMPLATES} files in {MORE_TEMPLATES}", "templates")
    files |= more
    legacy = os.path.join(folder, LEGACY_FILE)
    if more and DEFAULT not in files and os.path.isfile(legacy):
        raise UnreadableInput(
            f"{folder}: {LEGACY_FILE} beside {MORE_TEMPLATES}, which has no default: these do not go together; "
            f"accepted: the default as {TEMPLATE_FILE}"
        )
    return Found({name: read_template(path) for name, path in files.items()}, files)


def _of_config(config: Settings) -> Found:
    templates = templates_of(config.values.get("chat_template"), f"{config.path}: chat_template")
    return Found(templates, dict.fromkeys(templates, config.path))


def _tokens(folder: str, config: Settings) -> dict[str, str]:
    legacy = _object_if_there(folder, "special_tokens_map.json")
    settings = None if legacy is None else Settings(legacy, os.path.join(folder, "special_tokens_map.json"))
    tokenizer = os.path.join(folder, "tokenizer.json")
    return special_tokens(config, settings, tokenizer if os.path.isfile(tokenizer) else None)


def _object_if_there(folder: str, file: str) -> dict[str, Any] | None:
    path = os.path.join(folder, file)
    return read_object(path) if os.path.isfile(path) else None


def _no_template(folder: str) -> UnknownCodec:
    """Say what was looked for, and what is there that a template may be in."""
    configs = ", ".join((TOKENIZER_CONFIG, *PROCESSOR_FILES))
    looked = f"{TEMPLATE_FILE}, {MORE_TEMPLATES}/*.jinja, and chat_template in {configs}"
    there = sorted(entries(folder))
    likely = (os.path.join(folder, file) for file in there if file.lower().endswith((".gguf", ".jinja", ".j2")))
    others = list(islice(filter(os.path.isfile, likely), 3))
    hint = f"; one may be in {' or '.join(others)}" if others else ""
    if {"refs", "snapshots"} <= set(there):
        hint = "; it is a folder of the Hugging Face cache, whose models are named as in hf:org/name"
    return UnknownCodec(f"{folder}: no chat template: looked for {looked}{hint}", others)
