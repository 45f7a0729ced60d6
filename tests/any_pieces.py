"""Pieces of no family: hypothesis strategies, and a codec that has nothing but pieces."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from chatcodec.chat.types import Chat
from chatcodec.codec import Codec
from chatcodec.errors import TemplateRefused
from chatcodec.render.rendered import Rendered
from chatcodec.reply.calls import Block, Spacing
from chatcodec.reply.json_calls import JsonCalls
from chatcodec.reply.keyed_calls import KeyedCalls
from chatcodec.reply.named_calls import NamedCalls
from chatcodec.reply.pieces import NO_HINTS, Hints, Pieces, Reasoning
from chatcodec.reply.tagged import TaggedCalls

SPACES = st.sampled_from(["", "", "\n", "\n\n", " ", "\n  ", "\t", "\r\n"])
WORDS = st.text(alphabet="<>|/[]()=ab.*+?{}\\$^-\"'é｜▁", min_size=1, max_size=6)
MARKERS = st.one_of(WORDS, WORDS, st.tuples(WORDS, st.sampled_from(["\n", " ", "\n\n"]), WORDS).map("".join))
LITERALS = st.tuples(SPACES, MARKERS, SPACES).map("".join)
BETWEEN = st.one_of(SPACES, SPACES, LITERALS)
SPACINGS = st.builds(Spacing, SPACES, SPACES, BETWEEN)
BLOCKS = st.builds(Block, LITERALS, LITERALS)

SECTIONS = st.one_of(st.none(), st.none(), BLOCKS)
TAGGED = st.builds(
    TaggedCalls,
    call=st.tuples(LITERALS, st.just("{name}"), st.one_of(st.just(""), LITERALS)).map("".join),
    argument=st.tuples(LITERALS, st.just("{key}"), LITERALS, st.just("{value}"), LITERALS).map("".join),
    closing=LITERALS,
    values=st.sampled_from(["json", "str"]),
    spacing=SPACINGS,
    section=SECTIONS,
    quotes=st.one_of(st.none(), st.none(), st.builds(Block, MARKERS, MARKERS)),
)
OBJECTS = (
    '{"name": {name}, "arguments": {arguments}}',
    '{"name": {name}, "parameters": {arguments}}',
    '{"id": {id}, "name": {name}, "arguments": {arguments}}',
    '{"type": "function", "function": {"name": {name}, "arguments": {arguments}}}',
    '{"id": {id}, "type": "function", "function": {"name": {name}, "arguments": {arguments}}}',
)
JSON = st.builds(
    JsonCalls,
    opening=LITERALS,
    object=st.sampled_from(OBJECTS),
    closing=LITERALS,
    as_text=st.booleans(),
    spacing=SPACINGS,
    section=SECTIONS,
)
NAMED = st.builds(
    NamedCalls,
    call=st.tuples(
        LITERALS, st.sampled_from(["{name}", "{id}<{name}", "{name}:{id}"]), st.one_of(st.just(""), LITERALS)
    ).map("".join),
    closing=LITERALS,
    spacing=SPACINGS,
    section=SECTIONS,
)
CALLS = st.one_of(TAGGED, JSON, NAMED)


def _maybe(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.one_of(st.none(), strategy)


ANY_PIECES = st.builds(
    Pieces,
    header=st.one_of(st.just(""), LITERALS),
    stops=st.lists(LITERALS, min_size=1, max_size=3).map(tuple),
    reasoning=_maybe(st.builds(Reasoning, LITERALS, LITERALS)),
    content=_maybe(BLOCKS),
    calls=_maybe(CALLS),
)
WORDS_OF_JSON = st.sampled_from([("true", "false", "null"), ("True", "False", "None"), ("yes", "no", "null")])
MAYBE_NOTHING = st.one_of(st.just(""), LITERALS, LITERALS)
LISTS = st.builds(Block, SPACES.map("[{}".format), SPACES.map("{}]".format))
UNMARKED_CALLS = st.one_of(
    st.builds(
        JsonCalls,
        opening=MAYBE_NOTHING,
        object=st.sampled_from((*OBJECTS, "{{name}: {arguments}}")),
        closing=MAYBE_NOTHING,
        as_text=st.booleans(),
        spacing=SPACINGS,
        list=st.one_of(st.none(), LISTS),
    ),
    st.builds(
        NamedCalls,
        call=st.tuples(LITERALS, st.sampled_from(["{name}", "{id}"]), st.one_of(st.just(""), LITERALS)).map("".join),
        closing=MAYBE_NOTHING,
        spacing=SPACINGS,
        section=SECTIONS,
    ),
    st.builds(
        KeyedCalls,
        call=st.tuples(LITERALS, st.sampled_from(["{name}", "{id}<{name}"]), SPACES).map("".join),
        closing=MAYBE_NOTHING,
        text=st.builds(Block, WORDS, WORDS),
        words=WORDS_OF_JSON,
        spacing=SPACINGS,
        section=SECTIONS,
    ),
)
"""Calls that may have no markers around them, stand in a list, have no name but in their ids, or are keyed."""
UNMARKED_PIECES = st.builds(
    Pieces,
    header=st.one_of(st.just(""), LITERALS),
    stops=st.lists(LITERALS, max_size=3).map(tuple),
    reasoning=_maybe(st.builds(Reasoning, LITERALS, LITERALS)),
    content=_maybe(st.builds(Block, LITERALS, MAYBE_NOTHING)),
    calls=_maybe(UNMARKED_CALLS),
)
ANY_HINTS = st.builds(Hints, calls=_maybe(CALLS), response=_maybe(BLOCKS), notice=_maybe(BLOCKS))


@st.composite
def tame(draw: st.DrawFn) -> tuple[Pieces, Hints]:
    """Draw pieces and hints whose markers are all different, with any white space beside them."""
    marks = iter(
        [draw(st.sampled_from(["<{}>", "<|{}|>", "</{}>"])).format(word) for word in "abcdefghijklmnopqrstuvwxyzABCDEF"]
    )

    def literal(*parts: str) -> str:
        return "".join(f"{draw(SPACES)}{next(marks)}{draw(SPACES)}{part}" for part in parts)

    between = draw(st.one_of(SPACES, st.just(literal(""))))
    spacing = Spacing(draw(SPACES), draw(SPACES), between)
    section = draw(st.sampled_from([None, Block(literal(""), literal(""))]))
    tagged = TaggedCalls(
        call=literal(draw(st.sampled_from(["", "", " "])), "{name}") + draw(st.sampled_from(["", ">", "|\n"])),
        argument=literal("{key}", "{value}", ""),
        closing=literal(""),
        spacing=spacing,
        section=section,
    )
    json_calls = JsonCalls(literal(""), draw(st.sampled_from(OBJECTS)), literal(""), spacing=spacing, section=section)
    named_calls = NamedCalls(literal("{name}", ""), literal(""), spacing, section)
    quotes = Block(literal("").strip(), literal("").strip())
    keyed_calls = KeyedCalls(literal("{name}"), literal(""), quotes, spacing=spacing, section=section)

    def block() -> Block | None:
        return draw(st.sampled_from([None, None, Block(literal(""), literal(""))]))

    pieces = Pieces(
        header=next(marks),
        stops=(next(marks),),
        reasoning=draw(st.sampled_from([None, Reasoning(literal("").lstrip(), literal(""))])),
        content=block(),
        calls=draw(st.sampled_from([None, tagged, json_calls, named_calls, keyed_calls])),
    )
    return pieces, Hints(response=block(), notice=block())


def tame_pieces() -> st.SearchStrategy[Pieces]:
    """Pieces alone, as `tame` draws them."""
    return tame().map(lambda drawn: drawn[0])


class Nobody:
    """Takes no chat: replies are read with a prompt, or from where the pieces' header ends."""

    name, title, options = "nobody", "Nobody's", ()
    special_tokens: frozenset[str] = frozenset()

    def mentions(self, word: str) -> bool:
        return False

    def render(self, chat: Chat, warned: Any = ()) -> Rendered:
        raise TemplateRefused("no chat is taken here")


def codec_of(pieces: Pieces, hints: Hints = NO_HINTS) -> Codec:
    """Return a codec that reads by these pieces."""
    return Codec(Nobody(), pieces, hints)
