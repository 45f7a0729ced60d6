"""Templates as transformers renders them: jinja2's sandbox, set up in the same way.

Rules: where transformers is installed, its own environment is used; else one with the same settings, filters and
globals, written anew here. The clock stands still. It knows nothing of chatcodec.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from datetime import datetime
from functools import lru_cache
from typing import Any

import jinja2
from jinja2 import nodes
from jinja2.ext import Extension
from jinja2.sandbox import ImmutableSandboxedEnvironment

NOW = datetime(2026, 4, 27, 12, 30, 15)
"""What ``strftime_now`` reads, here and wherever the same is rendered to compare."""


class _Generation(Extension):
    """``{% generation %}``: a call block that gives its own text."""

    tags = {"generation"}  # noqa: RUF012

    def parse(self, parser: jinja2.parser.Parser) -> nodes.Node:
        line = next(parser.stream).lineno
        body = parser.parse_statements(("name:endgeneration",), drop_needle=True)
        return nodes.CallBlock(self.call_method("_text"), [], [], body).set_lineno(line)

    def _text(self, caller: Any) -> Any:
        return caller()


class _Dict:
    def __call__(self, *args: Any, **kwargs: Any) -> dict[Any, Any]:
        return dict(*args, **kwargs)

    def fromkeys(self, *args: Any, **kwargs: Any) -> dict[Any, Any]:
        return dict.fromkeys(*args, **kwargs)


class _Namespace(jinja2.utils.Namespace):
    def __init__(*args: Any, **kwargs: Any) -> None:
        attributes = dict(*args[1:], **kwargs)
        for name in attributes:
            _Namespace.check(name)
        jinja2.utils.Namespace.__init__(args[0], attributes)

    def __setitem__(self, name: str, value: Any) -> None:
        _Namespace.check(name)
        super().__setitem__(name, value)

    @staticmethod
    def check(name: object) -> None:
        if isinstance(name, str) and name.startswith("_"):
            raise jinja2.exceptions.SecurityError(f"a namespace has no {name!r}")


def _tojson(
    value: Any, ensure_ascii: Any = False, indent: Any = None, separators: Any = None, sort_keys: Any = False
) -> str:
    return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)


def _raise(message: str) -> None:
    raise jinja2.exceptions.TemplateError(message)


@lru_cache(maxsize=1)
def environment() -> jinja2.Environment:
    """Return the environment that templates are compiled in."""
    os.environ.setdefault("TRANSFORMERS_VERBOSITY", "critical")
    try:
        from transformers.utils.chat_template_utils import _compile_jinja_template
    except ImportError:
        made: jinja2.Environment = ImmutableSandboxedEnvironment(
            trim_blocks=True, lstrip_blocks=True, extensions=[_Generation, "jinja2.ext.loopcontrols"]
        )
        made.filters["tojson"] = _tojson
        made.globals.update(raise_exception=_raise, dict=_Dict(), namespace=_Namespace)
    else:
        made = _compile_jinja_template("").environment
    made.globals["strftime_now"] = NOW.strftime
    return made


def text_of(source: str, variables: Mapping[str, Any]) -> str:
    """Return what a template makes of variables. Raises whatever jinja2 and Python raise."""
    return environment().from_string(source).render(**variables)
