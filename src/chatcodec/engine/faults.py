"""What goes wrong inside a template while it runs. Whoever runs it says where, and raises an error of chatcodec's."""

from __future__ import annotations

import jinja2


class Fault(Exception):
    """A template did what fails in jinja2 too."""


class UndefinedUse(Fault):
    """Something that is not there was used."""


class Refused(Fault):
    """The template called ``raise_exception``: its own words."""


class Unsafe(Fault):
    """The template asked for what no template may have, in jinja2's sandbox or here."""


class OverLimit(Fault):
    """A limit was reached; ``limit`` is its name."""

    def __init__(self, words: str, limit: str):
        super().__init__(words)
        self.limit = limit


NATURAL = (
    Fault,
    jinja2.TemplateError,
    TypeError,
    ValueError,
    LookupError,
    ArithmeticError,
    AttributeError,
    NameError,
    RuntimeError,
)
"""What Python and jinja2 raise where a template does what it cannot; a name is missing for a macro that comes later."""
