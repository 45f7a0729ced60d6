"""The filters of a chat template: jinja2's own, and ``tojson`` as transformers 5.23 has it.

Rules: a filter takes the run first, then what the template gives. Filters that need chance or the file system are not
there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from chatcodec.engine import list_filters as lists
from chatcodec.engine import text_filters as texts
from chatcodec.engine import their_filters as theirs
from chatcodec.engine.faults import Unsafe


def not_for_templates(name: str) -> Callable[..., Any]:
    """Return a filter that only says that it is none."""

    def refuse(*_: Any, **__: Any) -> Any:
        raise Unsafe(f"the filter {name!r} is not for chat templates: its output cannot be reproduced")

    return refuse


FILTERS: Mapping[str, Callable[..., Any]] = {
    "abs": lists.abs_,
    "attr": lists.attr,
    "batch": lists.batch,
    "capitalize": texts.capitalize,
    "center": texts.center,
    "count": lists.length,
    "d": lists.default,
    "default": lists.default,
    "dictsort": lists.dictsort,
    "e": texts.escaped,
    "escape": texts.escaped,
    "filesizeformat": theirs.filesizeformat,
    "first": lists.first,
    "float": lists.float_,
    "forceescape": theirs.forceescape,
    "format": texts.format_,
    "groupby": lists.groupby,
    "indent": texts.indent,
    "int": lists.int_,
    "items": lists.items,
    "join": texts.join,
    "last": lists.last,
    "length": lists.length,
    "list": lists.list_,
    "lower": texts.lower,
    "map": lists.map_,
    "max": lists.max_,
    "min": lists.min_,
    "pprint": theirs.pprint,
    "random": not_for_templates("random"),
    "reject": lists.reject,
    "rejectattr": lists.rejectattr,
    "replace": texts.replace,
    "reverse": lists.reverse,
    "round": lists.round_,
    "safe": texts.safe,
    "select": lists.select,
    "selectattr": lists.selectattr,
    "slice": lists.slice_,
    "sort": lists.sort,
    "string": texts.string,
    "striptags": theirs.striptags,
    "sum": lists.sum_,
    "title": theirs.title,
    "tojson": texts.tojson,
    "trim": texts.trim,
    "truncate": theirs.truncate,
    "unique": lists.unique,
    "upper": texts.upper,
    "urlencode": theirs.urlencode,
    "urlize": theirs.urlize,
    "wordcount": theirs.wordcount,
    "wordwrap": theirs.wordwrap,
    "xmlattr": theirs.xmlattr,
}

GIVES_TEXT = frozenset({
    "capitalize", "center", "format", "indent", "join", "lower", "replace", "string", "title", "tojson", "trim",
    "upper",
})  # fmt: skip
"""The filters whose value is a text for sure."""
