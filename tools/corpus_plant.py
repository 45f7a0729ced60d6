"""Plants sentinels in a chat for somebody's template, so that the template takes it as it took the chat before.

Beside what `Planter` does: ids are sentinels and nothing else, the same where the same id is meant; entries of
``required`` follow the names that they mean; fractions stay fractions; of the options, those that are words to be
printed are planted. A sentinel may so have several places: each of them is right.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from chatcodec.chat.plain import plain
from chatcodec.chat.pointer import Path, pointer
from corpus_words import Chat
from sentinels import Keys, Place, Planter

_IDS = ("id", "tool_call_id")
_ROLES = (
    "system user assistant tool developer function model ipython observation human gpt context environment chatbot "
    "thought document response_1 response_2 principle System User ASSISTANT"
)
_FREE_OPTIONS = (
    "date_string model_identity system_message system_prompt custom_instructions developer_instruction policy "
    "knowledge_cutoff conversation_start_date platform_instruction_override custom_tools available_tools "
    "response_format guardian_config schema"
)
_KEPT_NAMES = frozenset({"items", "get", "keys", "values", "pop", "update", "copy"})
"""Names of arguments and properties that a template may take for a method: they stay."""


@dataclass
class CorpusPlanter(Planter):
    """A planter; ``more`` has the further places of sentinels that are found in several."""

    more: dict[str, set[Place]] = field(default_factory=dict)
    _ids: dict[str, str] = field(default_factory=dict)

    def places_of(self, sentinel: str) -> set[Place]:
        """Return each place where a sentinel was planted."""
        return {self.places[sentinel]} | self.more.get(sentinel, set())

    def chat(self, chat: Chat) -> Chat:
        """Return a copy of a chat with sentinels."""
        planted = {
            name: value for name, value in chat.items() if name not in ("messages", "tools", "documents", "options")
        }
        for part in ("messages", "tools", "documents"):
            if part in chat:
                planted[part] = self.plant(chat[part], (part,))
        planted["options"] = {
            name: self.plant(value, ("options", name)) if name in _FREE_OPTIONS.split() else value
            for name, value in chat["options"].items()
        }
        return planted

    def plant(self, value: Any, path: Path, keys: Keys = "fields") -> Any:
        """Return a copy of `value` with sentinels."""
        if isinstance(value, float):
            if value != value or value in (float("inf"), float("-inf")):
                return value
            return float(self.remember(f"900{len(self.places):06d}", Place(pointer(path), False)) + ".5")
        planted = super().plant(value, path, keys)
        if (
            isinstance(value, dict)
            and isinstance(value.get("properties"), dict)
            and isinstance(value.get("required"), list)
        ):
            self._follow(value, planted, path)
        return planted

    def member(self, key: Any, item: Any, path: Path, keys: Keys) -> tuple[Any, Any]:
        """Return a key and its value, with sentinels."""
        if keys == "fields" and key == "role" and isinstance(item, str) and item in _ROLES.split():
            return key, item
        if keys == "fields" and key in _IDS and isinstance(item, str) and item:
            return key, self._id(item, (*path, key))
        if keys != "fields" and key in _KEPT_NAMES:
            return key, self.plant(item, (*path, key), "free" if keys == "free" else "fields")
        if keys == "fields" and _is_free(key, item):
            return key, self.plant(item, (*path, key), "free")
        return super().member(key, item, path, keys)

    def _id(self, value: str, path: Path) -> str:
        place = Place(pointer(path), False)
        if value not in self._ids:
            self._ids[value] = self.remember(f"Zq{len(self.places):06d}z", place)
        self.more.setdefault(self._ids[value], set()).add(place)
        return self._ids[value]

    def _follow(self, value: Mapping[str, Any], planted: dict[str, Any], path: Path) -> None:
        """Let the names in ``required`` be those that were planted in ``properties``."""
        names = dict(zip(value["properties"], planted["properties"], strict=True))
        planted["required"] = [names.get(name, name) for name in value["required"]]
        for index, (name, now) in enumerate(zip(value["required"], planted["required"], strict=True)):
            if name != now:
                sentinel = now[len(name[:1]) : len(now) - len(name[1:])]
                self.more.setdefault(sentinel, set()).add(Place(pointer((*path, "required", index)), False))


class Case(NamedTuple):
    """A chat, as it is or planted; the same as plain data; and what knows where its sentinels are."""

    name: str
    chat: Chat
    seen: Chat
    planter: CorpusPlanter


def cases_of(chats: Mapping[str, Chat]) -> Iterator[Case]:
    """Yield each chat twice: as it is, and planted."""
    for name, chat in chats.items():
        seen, planter = plain(chat), CorpusPlanter()
        yield Case(name, chat, seen, CorpusPlanter())
        planted = planter.chat(seen)
        yield Case(f"{name}, planted", planted, planted, planter)


def _is_free(key: Any, item: Any) -> bool:
    """Whether a field holds an object whose names are the author's own."""
    return isinstance(item, dict) and (key == "response" or (key == "content" and not {"text", "type"} & item.keys()))
