"""The calls of somebody else's response template, as pieces.

Rules: four kinds of calls are read: the name in a marker and the arguments in tags, as JSON, or as an object with bare
keys and marked texts; and one JSON object with the name in it. A template that says any other kind is refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NamedTuple

from chatcodec.chat.pointer import describe
from chatcodec.reply.calls import Block, Spacing
from chatcodec.reply.json_calls import JsonCalls
from chatcodec.reply.keyed_calls import KeyedCalls
from chatcodec.reply.named_calls import NamedCalls
from chatcodec.reply.patterns import Space
from chatcodec.reply.pieces import Calls
from chatcodec.reply.response_fields import Part, Way
from chatcodec.reply.tagged import TaggedCalls

VALUES_STRIPPED = "All white space around a value is dropped there; here it is one line break on each side."
GUESSED = "Values are typed there by what they look like; here by the schemas of tools, and are text without one."
MERGED = "An argument that comes twice becomes a list there; here the last one counts."
NO_JSON = "A call that is no JSON is kept as text there; here it is content."
OPENAI = "It does not say where a call has its parts: OpenAI's shape is taken, with arguments as JSON text."
NAMES = "A name may have blanks in it there; here it may not."
INNER = "What closes a call is taken to begin with {}, which it does not say."

Note = Callable[[str], None]

_PLACEHOLDER = re.compile(r"\{(\w+(?:\.\w+)*)\}").fullmatch
_TAG, _END_TAG = re.compile(r"<([A-Za-z][\w:.-]*)(?=[ =>])"), re.compile(r"</([\w:.-]+)>")
_ARGUMENTS = ("arguments", "parameters")
_DIALECT = ("unquoted_keys", "string_delims", "allow_non_json")
_SHAPES = {
    (): '{{id}"name": {name}, "arguments": {arguments}}',
    ("function",): '{{id}"type": "function", "function": {"name": {name}, "arguments": {arguments}}}',
}


class _Frame(NamedTuple):
    """What stands around calls of any kind: the last three fields of their pieces."""

    closing: str
    spacing: Spacing
    section: Block | None


def read_calls(field: Part, stripped: bool, note: Note) -> Calls:
    """Return the calls that the field says; `stripped`: whether white space before them is dropped anyway."""
    space, way = field.only("open", field.ways("open")).without_space()
    before, way = way.without_maybes(behind=False)
    if not way.starts:
        raise way.fault(str(way), "a marker that begins a call")
    behind, end = field.only("close", field.ways("close")).without_maybes(behind=True)
    closing = end.literal(tail="")
    if not closing.strip():
        raise end.fault(str(end), "a marker that ends a call")
    usual = "\n\n" if stripped or space is None else ""
    between, section = _around(before, behind, way)
    spacing = Spacing(after_content=max(space or "", usual, key=len), between=between)
    frame = _Frame(closing, spacing, section)
    if field.value("content", str, "text") == "xml-inline":
        return _tagged(field, way, frame, note)
    return _named(field, way, frame, note) if way.groups else _json(field, way, frame, note)


def _around(before: list[str], behind: list[str], way: Way) -> tuple[str, Block | None]:
    """Return what stands between calls and around all of them, of markers that may be left out by each call."""
    both = [marker for marker in before if marker in behind]
    before, behind = ([marker for marker in markers if marker not in both] for markers in (before, behind))
    section = Block(before[0], behind[0]) if before and behind else None
    between = [*both, *(behind[1:] if section else behind)]
    if len(before) > bool(section) or len(between) > 1:
        found = f"{' and '.join([*before, *between])}, which may be left out"
        raise way.fault(found, "one marker before all calls and one behind them, and one between them")
    return "".join(between), section


def _tagged(field: Part, way: Way, frame: _Frame, note: Note) -> TaggedCalls:
    if field.value("transform_each", bool, False):
        raise field.fault("transform_each", "false: tags are no list")
    call = _opening(field, way, ("name",), note)
    argument = _argument(field.part("content_args", "tag_pattern", "value_parser", "merge_duplicates"), note)
    closing = _with_inner_tags(call, frame.closing, note)
    return TaggedCalls(call, argument, closing, spacing=frame.spacing, section=frame.section)


def _named(field: Part, way: Way, frame: _Frame, note: Note) -> NamedCalls | KeyedCalls:
    text = _text_of_keyed(field)
    if text is None:
        _check_json(field, note)
    if field.value("transform_each", bool, False):
        raise field.fault("transform_each", "false: the name of a call stands before its arguments")
    call = _opening(field, way, ("name", "id"), note)
    if re.search(r"(name|id)\}\s*\{(name|id)\}", call):
        raise way.fault(str(way), "text between the name and the id")
    return NamedCalls(call.rstrip(), *frame) if text is None else _keyed(call.rstrip(), text, frame)


def _keyed(call: str, text: Block, frame: _Frame) -> KeyedCalls:
    return KeyedCalls(call, frame.closing, text, spacing=frame.spacing, section=frame.section)


def _text_of_keyed(field: Part) -> Block | None:
    """Return what stands around texts in an object whose keys are bare; None if neither is so."""
    args = field.part("content_args", *_DIALECT)
    if not args.value("unquoted_keys", bool, False):
        return None
    match args.data.get("string_delims"):
        case [[str(opening), str(closing)]] if opening.strip() and closing.strip():
            return Block(opening.strip(), closing.strip())
    raise args.fault("string_delims", "one pair of markers around texts, where keys are not quoted")


def _opening(field: Part, way: Way, slots: tuple[str, ...], note: Note) -> str:
    """Return what opens a call, with slots for what its groups are."""
    places = _places(field)
    groups = {what: places[what][0] for what in slots if what in places}
    whole = all(len(place) == 1 for place in places.values()) and places["arguments"] == ("content",)
    if not whole or set(places) - {*slots, "arguments"} or sorted(groups.values()) != sorted(way.groups):
        found = f"groups {', '.join(way.groups) or 'none'} and transform {describe(field.data['transform'])}"
        raise way.fault(found, f'groups for {" and ".join(slots)}, and a transform with "{{content}}" as arguments')
    blanks = [way.slot(group) for group in groups.values()]
    if any(blanks):
        note(NAMES)
    call = way.literal(slots={group: f"{{{what}}}" for what, group in groups.items()})
    if any(call.count(f"{{{what}}}") != (what in groups) for what in slots):
        raise way.fault("a marker with {name} or {id} in it")
    return call


def _argument(args: Part, note: Note) -> str:
    if args.value("merge_duplicates", bool, False):
        note(MERGED)
    parser = args.part("value_parser", "name", "args")
    name, options = parser.value("name", str, "text"), parser.part("args").data
    if "value_parser" in args and name == "text" and options.get("strip", True):
        note(VALUES_STRIPPED)
    elif name == "json" and options.get("allow_non_json"):
        note(GUESSED)
    elif name != "text":
        raise parser.fault("name", 'text, or json with "allow_non_json": true')
    if "tag_pattern" not in args:
        raise args.fault("tag_pattern", "a pattern with a group key and a group value")
    way = args.only("tag_pattern", args.pattern("tag_pattern"))
    if list(way.groups) != ["key", "value"]:
        raise way.fault(f"groups {', '.join(way.groups) or 'none'}", "a group key, and behind it a group value")
    way.slot("key")
    way.slot("value")
    at = way.items.index(way.groups["value"])
    if Space(None) in way.items[at - 1 : at + 2]:
        note(VALUES_STRIPPED)
    before, behind = way.split(at)
    pair, end = before.literal(slots={"key": "{key}"}), behind.literal()
    opening, _, rest = pair.partition("{key}")
    if not (opening.strip() and rest and end.strip()):
        raise way.fault(str(way), "markers before the key and behind the value, and text between them")
    if re.search(r"\{(key|value)\}", opening + rest + end):
        raise way.fault("a marker with {key} or {value} in it")
    return f"{pair}{{value}}{end}"


def _with_inner_tags(call: str, closing: str, note: Note) -> str:
    """Return what closes a call with the tags that it leaves out: those opened inside of what it names."""
    named, missing = set(_END_TAG.findall(closing)), ""
    for tag in reversed(_TAG.findall(call)):
        if tag in named:
            break
        missing += f"</{tag}>\n"
    else:
        return closing
    if not missing:
        return closing
    note(INNER.format(", ".join(missing.split())))
    return missing + closing.lstrip()


def _check_json(field: Part, note: Note) -> None:
    args = field.part("content_args", *_DIALECT)
    for key in ("unquoted_keys", "string_delims"):
        if args.data.get(key):
            raise args.fault(key, "calls that are strict JSON")
    if args.value("allow_non_json", bool, False):
        note(NO_JSON)


def _json(field: Part, way: Way, frame: _Frame, note: Note) -> JsonCalls:
    _check_json(field, note)
    each = field.value("transform_each", bool, False)
    if field.data.get("transform") in (None, "{content}") and not each:
        note(OPENAI)
        shape = _shape(("function",), "arguments", True)
        return JsonCalls(way.literal(), shape, frame.closing, True, frame.spacing, frame.section)
    places = _places(field)
    if not each:
        for what, (first, *_) in places.items():
            if first != "content":
                raise field.fault("transform", _ACCEPTED, f"{what} outside of the content")
        places = {what: place[1:] for what, place in places.items()}
    base, arguments = places["name"][:-1], "".join(places["arguments"][-1:])
    known = places["name"] == (*base, "name") and places["arguments"] == (*base, arguments) and base in _SHAPES
    if not known or arguments not in _ARGUMENTS or places.get("id", ("id",)) != ("id",):
        found = ", ".join(f"{what} at {'.'.join(place)}" for what, place in places.items())
        raise field.fault("transform", _ACCEPTED, found)
    shape = _shape(base, arguments, "id" in places)
    return JsonCalls(way.literal(), shape, frame.closing, False, frame.spacing, frame.section)


_ACCEPTED = "name, with arguments or parameters beside it, at the top or under function, and perhaps id at the top"


def _shape(base: tuple[str, ...], arguments: str, has_id: bool) -> str:
    shape = _SHAPES[base].replace("{id}", '"id": {id}, ' if has_id else "")
    return shape.replace('"arguments"', f'"{arguments}"')


def _places(field: Part) -> dict[str, tuple[str, ...]]:
    """Return where the field's transform takes the name, the arguments and perhaps the id of a call from."""
    transform = field.part("transform", "type", "id", "function", "name", "arguments")
    if transform.data.get("type", "function") != "function":
        raise transform.fault("type", '"function"')
    call_id = {"id": _place(transform, "id")} if "id" in transform else {}
    function: Any = transform.data.get("function")
    if isinstance(function, str):
        base = _place(transform, "function")
        return {**call_id, "name": (*base, "name"), "arguments": (*base, "arguments")}
    inner = transform if function is None else transform.part("function", "name", "arguments")
    return {**call_id, "name": _place(inner, "name"), "arguments": _place(inner, "arguments")}


def _place(part: Part, key: str) -> tuple[str, ...]:
    found = _PLACEHOLDER(part.value(key, str, ""))
    if found is None:
        raise part.fault(key, 'a place such as "{content.name}"')
    return tuple(found[1].split("."))
