"""Models of the Hugging Face cache: from ``hf:org/name@revision`` to the folder of a snapshot.

::

    CACHE/models--org--name/refs/main                     the commit that a branch or tag was
    CACHE/models--org--name/snapshots/COMMIT/             the files of a commit

Rules: only what is in the cache of this machine counts, nothing is fetched. CACHE is ``HF_HUB_CACHE``, else ``hub`` in
``HF_HOME``, else ``huggingface/hub`` in ``XDG_CACHE_HOME`` or ``~/.cache``. A revision is a branch or tag that was
fetched under its name, a commit, or the beginning of one; without it, ``main``. Names that could leave the cache are
refused before any file is looked at. It does not know what is in the files.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from chatcodec.chat.pointer import describe
from chatcodec.errors import UnknownCodec, UnreadableInput
from chatcodec.render.options import nearest_names
from chatcodec.templates.files import entries, read_within

PREFIX = "hf:"

_MAIN = "main"
_MODEL = re.compile(r"(?:[\w.-]{1,96}/)?[\w.-]{1,96}", re.ASCII)
_COMMIT = re.compile(r"[0-9a-f]{4,64}")
_NO_REVISION = re.compile(r'[\x00-\x20\x7f\\:*?"<>|~^]')
_MAX_REF_BYTES = 1024
_MAX_REFS = 1000  # that are looked at for a hint


class Model(NamedTuple):
    """A model of the Hub, and one of its revisions; None is the default one."""

    name: str
    revision: str | None


def snapshot(what: str) -> str:
    """Return the folder of a snapshot for ``hf:org/name`` or ``hf:org/name@revision``.

    Raises UnknownCodec, with the nearest names, for what is not in the cache; UnreadableInput for a broken cache.
    """
    model = _parse(what)
    place = os.path.join(cache(), _folder_of(model.name))
    if not os.path.isdir(place):
        raise _no_model(what, model.name)
    commit = _commit(place, model.revision or _MAIN, what)
    if commit is None:
        raise _no_revision(what, model, place)
    folder = os.path.join(place, "snapshots", commit)
    if not os.path.isdir(folder):
        raise UnknownCodec(f"{what}: {place} knows commit {commit} and does not have it; {how_to_fetch(what)}")
    return folder


def models() -> list[str]:
    """Return the names of the models in the cache, sorted."""
    folders = (folder.split("--") for folder in entries(cache()) if folder.startswith("models--"))
    return sorted(name for parts in folders if _MODEL.fullmatch(name := "/".join(parts[1:])))


def cache() -> str:
    """Return the folder of the cache, as the environment says; it need not be there."""
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join("~", ".cache")
    home = os.environ.get("HF_HOME") or os.path.join(home, "huggingface")
    found = os.environ.get("HF_HUB_CACHE") or os.environ.get("HUGGINGFACE_HUB_CACHE") or os.path.join(home, "hub")
    return os.path.expandvars(os.path.expanduser(found))


def how_to_fetch(what: str) -> str:
    """Return the words that say how a person gets a model into the cache. Raises UnknownCodec."""
    model = _parse(what)
    revision = "" if model.revision is None else f" --revision {shlex.quote(model.revision)}"
    return f'"hf download {model.name}{revision}" fetches it'


def _parse(what: str) -> Model:
    """Return the parts of ``hf:org/name@revision``. Raises UnknownCodec for what cannot be one."""
    name, at, revision = what.removeprefix(PREFIX).partition("@")
    parts = name.split("/")
    if not _MODEL.fullmatch(name) or any(".." in part or "--" in part or part[0] in ".-" for part in parts):
        raise UnknownCodec(
            f"{_clipped(what)}: no name of a model, accepted: {PREFIX}org/name or {PREFIX}org/name@revision"
        )
    steps = revision.split("/")
    if at and (_NO_REVISION.search(revision) or not all(steps) or {".", ".."} & set(steps) or ".." in revision):
        raise UnknownCodec(f"{_clipped(what)}: no name of a revision, accepted: a branch, a tag, or a commit")
    return Model(name, revision if at else None)


def _commit(place: str, revision: str, what: str) -> str | None:
    """Return the commit that `revision` names; None if it is not known."""
    path = os.path.join(place, "refs", *revision.split("/"))
    if os.path.isfile(path):
        raw = read_within(path, _MAX_REF_BYTES) or b""
        commit = raw.decode("ascii", "replace").strip()
        if not _COMMIT.fullmatch(commit):
            raise UnreadableInput(f"{path}: found {describe(commit)}, accepted: a commit")
        return commit
    if not _COMMIT.fullmatch(revision):
        return None
    begun = sorted(name for name in entries(os.path.join(place, "snapshots")) if name.startswith(revision))
    if len(begun) > 1 and revision not in begun:
        raise UnknownCodec(f"{what}: several commits begin with {revision}: {', '.join(begun[:5])}", begun)
    return revision if revision in begun else next(iter(begun), None)


def _refs(place: str) -> Iterator[str]:
    """Yield the names of branches and tags that were fetched."""
    root = os.path.join(place, "refs")
    found = (os.path.join(folder, file) for folder, _, files in os.walk(root) for file in files)
    return (os.path.relpath(path, root).replace(os.sep, "/") for path in islice(found, _MAX_REFS))


def _no_model(what: str, name: str) -> UnknownCodec:
    """Say which models of the cache have names that look like it, and how to fetch this one."""
    near = [f"{PREFIX}{known}" for known in nearest_names(name, models())]
    hint = f"did you mean {' or '.join(near)}? " if near else ""
    return UnknownCodec(f"{what}: not in the Hugging Face cache {cache()}; {hint}{how_to_fetch(what)}", near)


def _no_revision(what: str, model: Model, place: str) -> UnknownCodec:
    """Say which revisions are there, and how to fetch this one."""
    revision = model.revision or _MAIN
    there = [*_refs(place), *entries(os.path.join(place, "snapshots"))]
    near = nearest_names(revision, there)
    names = [f"{PREFIX}{model.name}@{name}" for name in near or sorted(there)[:3]]
    hint = f"did you mean {' or '.join(names)}? " if near else f"there are {', '.join(names)}; " if there else ""
    return UnknownCodec(f"{what}: no revision {revision} in {place}; {hint}{how_to_fetch(what)}", names)


def _folder_of(name: str) -> str:
    return "--".join(("models", *name.split("/")))


def _clipped(what: str) -> str:
    return describe(what).removeprefix("string ")
