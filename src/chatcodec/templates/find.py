"""What a string means as the source of templates: a model of the cache, a folder, a file, or a template's text.

Rules: in this order. A string with ``{{``, ``{%`` or ``{#`` in it is a template's text, and no file is looked for.
``hf:org/name`` is a model of the Hugging Face cache. Anything else is a path: of a model folder; of a file that ends
with ``.gguf``, or begins as such files do; of one that ends with ``.json``; of any other file, which is the text of one
template, alone, without the tokens that are beside it. It does not know the names of formats.
"""

from __future__ import annotations

import errno
import os
import stat
from contextlib import suppress

from chatcodec.chat.pointer import describe
from chatcodec.errors import UnknownCodec, UnreadableInput
from chatcodec.render.options import nearest_names
from chatcodec.templates import hub
from chatcodec.templates.files import entries, opened, read_template, unreadable
from chatcodec.templates.folder import read_config, read_folder
from chatcodec.templates.gguf import MAGIC, read_gguf
from chatcodec.templates.source import DEFAULT, Source, template_text

TEXT = "template text"
"""What a template is called that was given as its text."""

_MARKS = ("{{", "{%", "{#")
_NO_MARKS = f"it has none of {' '.join(_MARKS)}"
_NO_SUCH = (errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG)
_MAX_PATH, _MAX_NAME = 4096, 255  # characters: what is longer is no path, and near to none


def find(what: str | os.PathLike[str]) -> Source:
    """Return the templates that `what` means; a path object is always a path.

    Raises UnknownCodec, with the nearest names, for what is not there or has no template; UnreadableInput for a file
    that is broken; LimitExceeded for one that is too long.
    """
    if not isinstance(what, str):
        return _at_path(_path(what))
    if is_template_text(what):
        return Source({DEFAULT: template_text(what, TEXT)}, {}, TEXT, {})
    if what.startswith(hub.PREFIX):
        return _of_hub(what)
    return _at_path(what)


def is_template_text(what: str) -> bool:
    """Whether a string is taken as the text of a template, and never as a path."""
    return any(mark in what for mark in _MARKS)


def _path(what: object) -> str:
    if not isinstance(what, os.PathLike):
        raise UnknownCodec(f"found {describe(what)}, accepted: a path, a model of the cache, or the text of a template")
    return os.fsdecode(what)


def _of_hub(what: str) -> Source:
    folder = hub.snapshot(what)
    try:
        return read_folder(folder, what)
    except UnknownCodec as error:  # a snapshot has the files that were fetched, which may be the weights alone
        raise UnknownCodec(f"{error.message}; {hub.how_to_fetch(what)}", error.nearest) from None


def _at_path(path: str) -> Source:
    try:
        found = os.stat(path)
    except ValueError:  # a character that no path can have
        raise _no_such(path) from None
    except OSError as error:
        if error.errno in _NO_SUCH:
            raise _no_such(path) from None
        raise unreadable(path, error) from error
    if stat.S_ISDIR(found.st_mode):
        return read_folder(path)
    ending = os.path.splitext(path)[1].lower()
    if ending == ".gguf" or (stat.S_ISREG(found.st_mode) and _begins_as_gguf(path)):
        return read_gguf(path)
    if ending == ".json":
        return read_config(path)
    return Source({DEFAULT: template_text(read_template(path), path)}, {}, path, {DEFAULT: path})


def _begins_as_gguf(path: str) -> bool:
    with opened(path) as stream:
        return stream.read(len(MAGIC)) == MAGIC


def _no_such(path: str) -> UnknownCodec:
    """Say what is near to a path that is not there."""
    folder, name = os.path.split(path)
    if not path or len(path) > _MAX_PATH or len(name) > _MAX_NAME or not path.isprintable():
        return UnknownCodec(
            f"{describe(path).removeprefix('string ')}: no such file, and no template text: {_NO_MARKS}"
        )
    reason = "no such file" if not folder or os.path.isdir(folder) else f"no such file: there is no folder {folder}"
    near: list[str] = []
    with suppress(UnreadableInput):  # these are hints: what cannot be read has none
        near = [os.path.join(folder, file) for file in nearest_names(name, entries(folder or os.curdir))]
        near += [f"{hub.PREFIX}{path}"] if path in hub.models() else []
    hint = f"; did you mean {' or '.join(near)}?" if near else ""
    return UnknownCodec(f"{path}: {reason}{hint}", near)
