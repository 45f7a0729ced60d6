"""The reference: a chat rendered by a model's own template, under transformers 5.23.

Rules: a template is used as it is, through `apply_chat_template` of a tokenizer without any special token. Whatever it
raises becomes an `Outcome`, never an exception. Nothing here knows a format; its file's name comes from the registry.
"""

from __future__ import annotations

import linecache
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, NamedTuple, TypeAlias

from jinja2 import Template, TemplateError

os.environ.setdefault("TRANSFORMERS_NO_ADVISORY_WARNINGS", "1")

import transformers
from tokenizers import Tokenizer
from tokenizers.models import BPE
from transformers.utils import chat_template_utils

from chatcodec.formats import registry

Kind: TypeAlias = Literal["template", "input", "python"]
Chat: TypeAlias = Mapping[str, Any]
"""What is rendered: messages, and maybe tools, documents, options, add_generation_prompt, continue_final_message."""

_LIBRARY = str(Path(transformers.__file__).parent)
_ARGUMENTS = ("tools", "documents", "add_generation_prompt", "continue_final_message")


class Outcome(NamedTuple):
    """A text, or an error: its message, and who raised it.

    kind: ``template`` by the template's own `raise_exception`; ``input`` by a check that transformers words itself;
    ``python`` by Jinja or Python, underneath.
    """

    text: str | None = None
    error: str | None = None
    kind: Kind | None = None


class Reference:
    """A template of a model, as transformers compiles it."""

    def __init__(self, source: str):
        self.source = source
        self.template: Template = chat_template_utils._compile_jinja_template(source)
        self._apply: Callable[..., str] = _TOKENIZER.apply_chat_template

    @classmethod
    def load(cls, directory: Path, format_name: str) -> Reference:
        """Return the template in `directory` that the format of that name equals. Exits if it is not there."""
        path = directory / registry.get(format_name).source
        if not path.is_file():
            raise SystemExit(f"{directory} does not have {path.name}, the template of {format_name}")
        return cls(path.read_text(encoding="utf-8"))

    def render(self, chat: Chat) -> Outcome:
        """Return what `apply_chat_template` makes of `chat`."""
        return attempt(lambda: self._text(chat))

    def variables(self, chat: Chat) -> dict[str, Any] | None:
        """Return the variables that the template gets for `chat`; None if transformers refuses it before that."""
        seen: list[dict[str, Any]] = []

        def spy(**variables: Any) -> str:
            seen.append(variables)
            return ""

        self.template.render = spy  # type: ignore[method-assign]  # on the one instance that transformers keeps
        try:
            self.render(chat)
        finally:
            del self.template.render
        return seen[0] if seen else None

    def _text(self, chat: Chat) -> str:
        arguments = {name: chat[name] for name in _ARGUMENTS if name in chat}
        options = chat.get("options") or {}
        return self._apply(chat["messages"], chat_template=self.source, tokenize=False, **arguments, **options)


def attempt(render: Callable[[], str]) -> Outcome:
    """Return what `render` does, as an Outcome."""
    try:
        return Outcome(text=render())
    except Exception as error:  # whatever a template can raise is an outcome
        return Outcome(error=str(error), kind=_kind(error))


def _kind(error: Exception) -> Kind:
    if type(error) is TemplateError:
        return "template"
    if isinstance(error, TemplateError) or error.__traceback__ is None:
        return "python"
    return "input" if _is_worded_check(error.__traceback__) else "python"


def _is_worded_check(trace: TracebackType) -> bool:
    while trace.tb_next is not None:
        trace = trace.tb_next
    file = trace.tb_frame.f_code.co_filename
    return file.startswith(_LIBRARY) and linecache.getline(file, trace.tb_lineno).lstrip().startswith("raise ")


transformers.logging.set_verbosity_error()
_TOKENIZER = transformers.PreTrainedTokenizerFast(tokenizer_object=Tokenizer(BPE()))
