"""The JSON schema of a tool's parameters, brought down to what decides the type of each.

A schema becomes its *options*: the kinds of value that it allows, in declared order, each for every value of that kind
or for one listed value (enum, const). `parameter` reads a text by them.

Rules:

- What a schema says beside types, enum, const, nullable, combinations and references (items, format, not, ...) is
  neither read nor checked. What is read is checked when the tools come in, not when the model replies.
- An empty list of types, values or schemas says nothing. A reference back to a schema that is being read adds nothing.
- A schema of more than 50 levels, or 100,000 parts a tool with its references followed, raises LimitExceeded.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from chatcodec.chat.check import invalid, need_object, need_text
from chatcodec.chat.pointer import Path, pointer
from chatcodec.errors import LimitExceeded
from chatcodec.reply.parameter import (
    ANYTHING,
    EVERY,
    KIND_OF_VALUE,
    PLAIN,
    Options,
    Parameter,
    is_whole,
    key_of,
    parameter_of,
)  # fmt: skip

_ALIASES = {
    "string": "string str text varchar char",
    "integer": "integer int int8 int16 int32 int64 uint uint8 uint16 uint32 uint64 short long bigint",
    "number": "number num float float32 float64 double decimal",
    "boolean": "boolean bool",
    "object": "object dict map",
    "array": "array list tuple",
    "null": "null none nonetype",
}
_KIND_OF_NAME = {name: kind for kind, names in _ALIASES.items() for name in names.split()}
_DEEPEST = 50
_MOST_PARTS = 100_000
_REFINING = ("$ref", "enum", "const", "allOf", "anyOf", "oneOf")
_NOT_PLAIN = frozenset({*_REFINING, "nullable"})


is_usual = re.compile(r"[A-Za-z0-9_.:/-]{1,200}").fullmatch
"""Whether a name has nothing in it that any syntax could mistake."""


@dataclass(frozen=True, slots=True, eq=False)
class Signature:
    """One tool: its name and its parameters.

    ``usual`` has, as far as `usual_parameter` was asked, parameters of usual names with how they stand in JSON.
    """

    name: str
    _schemas: Mapping[str | None, Options | None]  # by parameter; under None what holds for all others
    _compiled: dict[str | None, Parameter] = field(default_factory=dict)
    usual: dict[str, tuple[str, Parameter]] = field(default_factory=dict)
    has_usual_name: bool = False

    def parameter(self, name: str | None) -> Parameter:
        """Return the parameter of this name, whether the tool declares it or not."""
        key = name if name in self._schemas else None
        found = self._compiled.get(key)
        if found is None:
            found = self._compiled[key] = parameter_of(self._schemas[key])
        return found

    def usual_parameter(self, name: str) -> tuple[str, Parameter] | None:
        """Return how a declared parameter of a usual name stands in JSON, and the parameter; None for others."""
        if name not in self._schemas or not is_usual(name):
            return None
        found = self.usual[name] = (f'"{name}": ', self.parameter(name))
        return found

    def prepare(self) -> None:
        """Compile every parameter now, not when it is first used."""
        for name in self._schemas:
            self.parameter(name) if name is None else self.usual_parameter(name)

    def declares(self, name: str) -> bool:
        """Whether the tool names this parameter."""
        return name in self._schemas


def signatures(tools: Sequence[Any] | None) -> dict[str, Signature]:
    """Return the signature of each tool that is a function, by name; the first of equal names wins.

    `tools` are plain JSON objects. Raises InvalidChat that names the part of a tool that is broken.
    """
    if tools is None:
        return {}
    if not isinstance(tools, (list, tuple)):
        raise invalid(("tools",), tools, "a list of tools")
    found: dict[str, Signature] = {}
    for index, tool in enumerate(tools):
        path: Path = ("tools", index)
        tool = need_object(tool, path)
        if tool.get("type", "function") != "function":
            continue
        if "function" in tool:
            path = (*path, "function")
            tool = need_object(tool["function"], path)
        name = need_text(tool.get("name"), (*path, "name"))
        if name not in found:
            schemas = _Schemas(tool.get("parameters"), (*path, "parameters")).parameters()
            found[name] = Signature(name, schemas, has_usual_name=is_usual(name) is not None)
    return found


class _Schemas:
    """The schemas of one tool's parameters, while they are compiled."""

    __slots__ = ("_found", "_parts", "_path", "_reading", "_root")

    def __init__(self, root: Any, path: Path):
        self._root = root
        self._path = path
        self._parts = 0
        self._reading: set[int] = set()
        self._found: dict[str | None, Options | None] = {}

    def parameters(self) -> dict[str | None, Options | None]:
        """Return what each parameter allows, and under None what those do that are not declared."""
        if self._root is not None:
            self._options(self._root, self._path)  # for its faults only
            self._collect(self._root, self._path, set())
        self._found.setdefault(None, None)
        return self._found

    def _collect(self, schema: Any, path: Path, seen: set[int]) -> None:
        """Find what an object's schema declares: itself, by reference, and by each schema in allOf."""
        if isinstance(schema, bool) or id(schema) in seen:
            return
        seen.add(id(schema))
        properties = schema.get("properties")
        if properties is not None:
            for name, each in need_object(properties, (*path, "properties")).items():
                if name not in self._found:
                    self._found[name] = self._options(each, (*path, "properties", name))
        others = schema.get("additionalProperties", True)
        if not isinstance(others, bool) and None not in self._found:
            self._found[None] = self._options(others, (*path, "additionalProperties"))
        target = self._resolve(schema["$ref"], path) if "$ref" in schema else None
        if target is not None:
            self._collect(*target, seen)
        for index, each in enumerate(schema.get("allOf", ())):  # a list: _options has been here
            self._collect(each, (*path, "allOf", index), seen)

    def _options(self, schema: Any, path: Path, depth: int = 0) -> Options | None:
        """Return what `schema` allows; None if it is being read already, further out, so that it adds nothing here."""
        kind = _plain_kind(schema)
        if kind is not None:
            return PLAIN[kind]
        if schema is False:
            return {}
        if not isinstance(schema, dict):
            raise invalid(path, schema, "a schema: an object, true or false")
        if depth > _DEEPEST:
            raise LimitExceeded(f"{pointer(path)}: a schema of more than {_DEEPEST} levels", "depth", pointer(path))
        if id(schema) in self._reading:
            return None
        self._reading.add(id(schema))
        options = _of_types(schema["type"], (*path, "type")) if "type" in schema else ANYTHING
        is_open = False
        for keyword in _REFINING:
            if keyword in schema:
                said = self._said(keyword, schema[keyword], path, depth)
                is_open = is_open or said is None
                options = options if said is None else _meet(options, said)
        nothing = is_open and options is ANYTHING
        if schema.get("nullable") is True:
            options, nothing = {**({} if nothing else options), ("null", EVERY): None}, False
        self._charge(len(options), path)
        self._reading.discard(id(schema))
        return None if nothing else options

    def _said(self, keyword: str, said: Any, path: Path, depth: int) -> Options | None:
        """Return what one keyword allows; None if all that it names is being read already."""
        if keyword == "$ref":
            target = self._resolve(said, path)
            return ANYTHING if target is None else self._options(*target, depth + 1)
        path = (*path, keyword)
        if keyword == "const":
            return {_listed(said, path): None}
        if not isinstance(said, (list, tuple)):
            raise invalid(path, said, "a list of values" if keyword == "enum" else "a list of schemas")
        if keyword == "enum":
            return {_listed(value, path, index): None for index, value in enumerate(said)} or ANYTHING
        self._charge(len(said), path)
        result: Options | None = None if said else ANYTHING
        for index, schema in enumerate(said):
            options = self._options(schema, (*path, index), depth + 1)
            if result is None or options is None:
                result = options if result is None else result
            elif keyword == "allOf":
                result = _meet(result, options)
            else:
                result = result | options
        return result

    def _charge(self, parts: int, path: Path) -> None:
        self._parts += 1 + parts
        if self._parts > _MOST_PARTS:
            problem = f"{pointer(path)}: schemas of more than {_MOST_PARTS} parts, with references followed"
            raise LimitExceeded(problem, "schema parts", pointer(path))

    def _resolve(self, reference: Any, path: Path) -> tuple[Any, Path] | None:
        """Return the schema that a reference in the schema at `path` leads to, and its path; None if it is not here."""
        if not isinstance(reference, str):
            raise invalid((*path, "$ref"), reference, "a reference as text")
        if reference != "#" and not reference.startswith("#/"):
            return None
        from urllib.parse import unquote  # costs more to import than all the rest, and is seldom needed

        at, steps = self._root, self._path
        for step in unquote(reference).split("/")[1:]:
            step = step.replace("~1", "/").replace("~0", "~")
            if isinstance(at, dict) and step in at:
                at = at[step]
            elif isinstance(at, (list, tuple)) and step.isdecimal() and len(step) < 9 and int(step) < len(at):
                at = at[int(step)]
            else:
                raise invalid((*path, "$ref"), reference, f"a reference to a part of {pointer(self._path)}")
            steps = (*steps, step)
        return at, steps


def _plain_kind(schema: Any) -> str | None:
    """Return the kind that a schema allows if it says no more than that, as nearly all do."""
    if schema is True:
        return "any"
    if isinstance(schema, dict) and _NOT_PLAIN.isdisjoint(schema):
        name = schema.get("type", "any")
        if isinstance(name, str):
            return _KIND_OF_NAME.get(name.lower(), "any")
    return None


def _of_types(said: Any, path: Path) -> Options:
    if isinstance(said, str):
        return PLAIN[_KIND_OF_NAME.get(said.lower(), "any")]
    if not isinstance(said, (list, tuple)):
        raise invalid(path, said, "the name of a type, or a list of names")
    for index, name in enumerate(said):
        if not isinstance(name, str):
            raise invalid((*path, index), name, "the name of a type")
    return {(_KIND_OF_NAME.get(name.lower(), "any"), EVERY): None for name in said} or ANYTHING


def _listed(value: Any, path: Path, *index: int) -> tuple[str, Any]:
    if type(value) is str:
        return "string", value
    kind = KIND_OF_VALUE.get(type(value))
    try:
        key = key_of(value)
        hash(key)
    except TypeError:
        kind = None
    except RecursionError:
        where = pointer((*path, *index))
        raise LimitExceeded(f"{where}: a value nested too deeply", "depth", where) from None
    if kind is None:
        raise invalid((*path, *index), value, "a JSON value")
    return kind, key


def _meet(left: Options, right: Options) -> Options:
    """Return what both allow, in the order of `left`."""
    if left is ANYTHING or right is ANYTHING:
        return left if right is ANYTHING else right
    met: Options = {}
    for kind, key in left:
        # Only few are for every value: the rest is looked up, so that two long lists take no quadratic time.
        near = ("number", "integer") if kind in ("number", "integer") else (kind,)
        others = right if key is EVERY else [(a, b) for a in (*near, "any") for b in (EVERY, key) if (a, b) in right]
        for other, other_key in others:
            value = other_key if key is EVERY else key
            if kind == other or other == "any":
                met[kind, value] = None
            elif kind == "any":
                met[other, value] = None
            elif {kind, other} == {"integer", "number"} and is_whole(value):
                met["integer", value] = None
    return met
