"""What filters, tests, methods, functions and macros ask of the run that they belong to.

`Run` is it, and `TracedRun` for text that has origins. It is said here once more so that those who are called by a run
do not have to know it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, NoReturn, Protocol

from markupsafe import Markup

from chatcodec.engine.sizes import Extent
from chatcodec.render.forms import JsonForm


class Running(Protocol):
    """One render."""

    filters: Mapping[str, Callable[..., Any]]
    tests: Mapping[str, Callable[..., Any]]

    # Charges

    longest: int
    """How many characters a text may have."""

    def steps(self, count: int) -> None:
        """Charge steps."""

    def grow(self, length: int) -> None:
        """Charge a text that is about to be made."""

    def items(self, length: int, each: int = 1) -> None:
        """Charge a list or dict that is about to be made."""

    def parts(self, count: int) -> None:
        """Charge texts that are about to be split off another."""

    def read(self, text: str) -> str:
        """Charge going through a text quickly, and return it."""

    def weigh(self, value: Any) -> Extent:
        """Return how large a value is; charge going through it."""

    def over(self, limit: str, words: str) -> NoReturn:
        """Say that a limit was reached."""

    def made(self, length: int) -> None:
        """Charge a text that is about to be made, unless the weight of the code covers it."""

    def cased(self, text: str) -> str:
        """Charge a text in another case, and return the text."""

    def searched(self, text: str, part: Any, backwards: bool = False) -> None:
        """Charge looking for a part of a text."""

    def stripped(self, text: str, characters: Any) -> None:
        """Charge taking characters off the ends of a text."""

    def printed(self, value: Any) -> int:
        """Return about how many characters a value has when it is printed; charge finding that out."""

    def number(self, value: Any) -> Any:
        """Charge going through a number if it is long, and return it."""

    def compares(self, value: Any, count: int) -> None:
        """Charge comparing a value with others."""

    def keys(self, keys: Collection[Any]) -> None:
        """Charge making a dict or set with these keys."""

    # Operations

    def filter(self, name: str) -> Callable[..., Any]:
        """Return a filter."""

    def test(self, name: str) -> Callable[..., Any]:
        """Return a test."""

    def add(self, left: Any, right: Any) -> Any:
        """Return ``left + right``."""

    def modulo(self, left: Any, right: Any) -> Any:
        """Return ``left % right``."""

    def compared(self, left: Any, operator: str, right: Any) -> bool:
        """Return what a comparison says."""

    def contained(self, part: Any, whole: Any) -> bool:
        """Return ``part in whole``."""

    def stretch(self, value: Any, part: slice) -> Any:
        """Return ``value[a:b]``."""

    def item_of(self, owner: Any, key: Any) -> Any:
        """Return what ``owner[key]`` is."""

    # What is gone through

    def listed(self, value: Any, weight: int = 1) -> Any:
        """Return what is gone through; charge so many steps for each item."""

    def whole(self, value: Any, weight: int = 1) -> Any:
        """Return what is gone through, as something with a length."""

    def items_of(self, value: Any) -> Any:
        """Return what has the items of a value."""

    def pairs(self, value: Any) -> Any:
        """Return the members of a dict, names with values."""

    # Text

    def text(self, value: Any) -> str:
        """Return a value as it is printed."""

    def soft_text(self, value: Any) -> str:
        """Return a value as text; text as it is."""

    def joined(self, out: list[Any]) -> str:
        """Return the text that was written into a list."""

    def join_texts(self, texts: Sequence[str]) -> str:
        """Return texts one behind the other."""

    def join(self, separator: str, texts: Sequence[str]) -> str:
        """Return texts with a separator between them."""

    def replace(self, text: str, old: str, new: str, count: int = -1) -> str:
        """Return a text with one text in place of another."""

    def json_of(self, value: Any) -> str:
        """Return a value as ``tojson`` prints it."""

    def json_in(self, value: Any, text: str, form: JsonForm) -> str:
        """Return the JSON of a value in some form."""

    def unknown(self, text: str) -> str:
        """Return a text that comes from outside the chat and the template."""

    def literal(self, text: str) -> str:
        """Return a text of the template's own."""

    def is_own(self, text: str) -> bool:
        """Whether a text is the template's own, as far as it matters."""

    def marked(self, text: str) -> Markup:
        """Return a text marked as safe."""

    def lost(self, made: Any, *sources: Any) -> Any:
        """Return what a function made that keeps no origins."""

    # Macros

    def deeper(self, weight: int) -> None:
        """Charge a call of a macro that may call itself."""

    def back(self) -> None:
        """Come back from such a call."""


def total_length(texts: Iterable[Any]) -> int:
    """Return how many characters the texts among some values have together."""
    return sum(len(each) for each in texts if isinstance(each, str))
