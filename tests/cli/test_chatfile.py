"""Chat files: what is in them, how they are read, and what is refused."""

import json
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from chatcodec.cli import documents
from chatcodec.cli.chatfile import ChatFile, chat_of, tools_of
from chatcodec.cli.documents import Source, read_document, read_documents
from chatcodec.errors import ChatCodecError, InvalidChat

from .running import HI, HI_PROMPT, as_json, run, write_json

TOOL = {"type": "function", "function": {"name": "f", "parameters": {"properties": {}}}}


def test_a_list_is_the_messages() -> None:
    assert chat_of(HI) == ChatFile(HI)


def test_an_object_says_everything() -> None:
    chat = chat_of(
        {
            "messages": HI,
            "tools": [TOOL],
            "documents": [{"title": "t", "text": "x"}],
            "add_generation_prompt": False,
            "continue_final_message": "content",
            "thinking_budget": 1,
        }
    )
    assert chat == ChatFile(HI, [TOOL], [{"title": "t", "text": "x"}], False, "content", {"thinking_budget": 1})
    assert chat.roles == ["user"]


def test_null_is_nothing_said() -> None:
    names = ("tools", "documents", "add_generation_prompt", "continue_final_message", "options", "chat_template_kwargs")
    assert chat_of({"messages": HI, **dict.fromkeys(names)}) == ChatFile(HI)


def test_options_stand_in_three_places_and_the_nearest_counts() -> None:
    chat = chat_of(
        {
            "messages": HI,
            "a": 1,
            "b": 1,
            "c": 1,
            "chat_template_kwargs": {"b": 2, "c": 2, "d": 2},
            "options": {"c": 3, "e": None},
        }
    )
    assert chat.options == {"a": 1, "b": 2, "c": 3, "d": 2, "e": None}


REFUSED: list[tuple[bytes, str]] = [
    (b"", "empty, accepted: a chat as JSON"),
    (b" \r\n\n\t", "empty, accepted: a chat as JSON"),
    (b"\xef\xbb\xbf", "empty, accepted: a chat as JSON"),
    (b"null", "found null, accepted: a list of messages, or an object with messages"),
    (b"true", "found boolean true, accepted: a list"),
    (b"5", "found number 5, accepted: a list"),
    (b"NaN", "found number nan, accepted: a list"),
    (b'"Hi"', 'found string "Hi", accepted: a list'),
    (b"[]", "/messages: Cannot apply chat template to an empty conversation. Provide at least one message."),
    (b"{}", "/messages: none in empty object, accepted: a list of messages"),
    (b'{"prompt": [], "completion": []}', "/messages: none in object with prompt, completion, accepted: a list"),
    (b'{"messages": null}', "/messages: none in object with messages, accepted: a list of messages"),
    (b'{"messages": {}}', "/messages: found empty object, accepted: a list of messages"),
    (b'{"messages": "Hi"}', '/messages: found string "Hi", accepted: a list of messages'),
    (b'{"messages": []}', "/messages: Cannot apply chat template to an empty conversation."),
    (b'{"role": "user", "content": "Hi"}', "found a single message, accepted: a list of messages"),
    (b"[1]", "/messages/0: found number 1, accepted: an object with role and content"),
    (b"[[]]", "/messages/0: found list of 0, accepted: an object with role and content"),
    (b'[{"role": "user", "content": ""}, null]', "/messages/1: found null, accepted: an object"),
    (b"[{}]", "/messages/0/role: missing or null, accepted: system, user, assistant or tool"),
    (b'[{"role": null, "content": "Hi"}]', "/messages/0/role: missing"),
    (b'[{"role": 5, "content": "Hi"}]', "/messages/0/role: found number 5"),
    (b'[{"role": "user"}]', "/messages/0/content: missing or null, accepted: a string"),
    (b'[{"role": "user", "content": "\\ud800"}]', "/messages/0/content: found a lone surrogate"),
    (b'{"messages": [], "tools": {}}', "/tools: found empty object, accepted: a list of tool definitions"),
    (b'{"messages": [], "tools": [[]]}', "/tools/0: found list of 0, accepted: an object"),
    (b'{"messages": [], "tools": [{}, "f"]}', '/tools/1: found string "f", accepted: an object'),
    (b'{"messages": [], "documents": "x"}', '/documents: found string "x", accepted: a list of documents'),
    (b'{"messages": [], "documents": ["x"]}', '/documents/0: found string "x", accepted: an object'),
    (b'{"messages": [], "add_generation_prompt": "no"}', '/add_generation_prompt: found string "no", accepted: true'),
    (b'{"messages": [], "add_generation_prompt": 0}', "/add_generation_prompt: found number 0, accepted: true or"),
    (b'{"messages": [], "continue_final_message": 1}', "/continue_final_message: found number 1, accepted: true"),
    (b'{"messages": [], "options": []}', "/options: found list of 0, accepted: an object with options"),
    (b'{"messages": [], "chat_template_kwargs": 1}', "/chat_template_kwargs: found number 1, accepted: an object"),
    (b'{"messages": [{"role": "user"}], "modell": "m"}', '/modell: seed-oss does not read an option "modell"'),
    (b'{"messages": [{"role": "user"}], "options": {"a/b": 1}}', "/options/a~1b: seed-oss does not read"),
    (b'{"messages": [{"role": "user"}], "self": 1}', '/self: an option cannot be named "self"'),
    (b'{"messages": [{"role": "user"}], "options": {"tools": 1}}', "/options/tools: an option cannot be named"),
    (b'[{"role": "user"', "not JSON: Expecting ',' delimiter at line 1, column 17"),
    (
        b'[{"role":\r\n"user",\r\n  Hi}]',
        "not JSON: Expecting property name enclosed in double quotes at line 3, column 3",
    ),
    (b'\n \n[{"role":\n x}]', "not JSON: Expecting value at line 4, column 2"),
    (b'["\nx"]', "not JSON: Invalid control character at line 1, column 3"),
    (b'["x', "not JSON: Unterminated string starting at line 1, column 2"),
    (b"hello", "not JSON: Expecting value at line 1, column 1"),
    (b"hello\n[]\n", "not JSON: Expecting value at line 1, column 1"),
    (b"[\n{}\n{}\n]", "not JSON: Expecting ',' delimiter at line 3, column 1"),
    (b"[\n{},\n{}\n", "not JSON: Expecting ',' delimiter at line 4, column 1"),
    (b'{"messages": []} {}', "not JSON: Extra data at line 1, column 18"),
    (b"'[]'", "not JSON: Expecting value at line 1, column 1"),
    (b"\x00", "not JSON: Expecting value at line 1, column 1"),
    (b"\xef\xbb\xbf\xef\xbb\xbf[]", "not JSON"),
    (b"\xff", "not UTF-8: byte 0 is 0xff"),
    (b'[{"role": "\xe9"}]', "not UTF-8: byte 11 is 0xe9"),
    (b'\xef\xbb\xbf["\xe9"]', "not UTF-8: byte 5 is 0xe9"),
    (b'\n\n["\xe9"]', "not UTF-8: byte 4 is 0xe9"),
    (b'\n[\n"\xc3"]', "not UTF-8: byte 4 is 0xc3"),
    (b'["\xed\xa0\x80"]', "not UTF-8: byte 2 is 0xed"),
    ("[]".encode("utf-16"), "not UTF-8: byte 0 is 0xff; it looks like UTF-16"),
    (b"\x89PNG\r\n\x1a\n\x00\x00", "not UTF-8: byte 0 is 0x89"),
    (b"\x1f\x8b\x08\x00", "not UTF-8: byte 1 is 0x8b"),
    (b"[" * 100_000, "nested too deeply"),
    (b'{"a":' * 100_000, "nested too deeply"),
    (b'{"messages":' + b"[" * 100_000 + b"]" * 100_000 + b"}", "nested too deeply"),
    (b'[{"role": "user", "content": ' + b"9" * 5000 + b"}]", "an integer of more than 4300 digits"),
    (b'[{"role": "user", "content": ' + b"9" * 4000 + b"}]", "/messages/0/content: found number of 13288 bits"),
]


@pytest.mark.parametrize(("raw", "words"), REFUSED, ids=range(len(REFUSED)))
def test_what_is_no_chat_is_refused_in_one_line(raw: bytes, words: str, tmp_path: Path) -> None:
    file = tmp_path / "chat.json"
    file.write_bytes(raw)
    for name, ran in (("stdin", run("render", "seed-oss", stdin=raw)), (file, run("render", "seed-oss", str(file)))):
        assert (ran.code, ran.out) == (2, b"")
        assert ran.err.startswith(f"error: {name}: {words}")
        assert ran.err.count("\n") == 1


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    missing = tmp_path / "a\nb"
    assert run("render", "seed-oss", str(tmp_path)).err == f"error: {tmp_path}: a directory, not a file\n"
    assert run("render", "seed-oss", str(tmp_path / "no")).err == f"error: {tmp_path / 'no'}: no such file\n"
    assert run("render", "seed-oss", str(missing)).err == f"error: {tmp_path}/a b: no such file\n"
    assert run("render", "seed-oss", "a\0b").err == "error: a␀b: cannot be read: embedded null byte\n"
    long = "x" * 5000
    assert run("render", "seed-oss", long).code == 2
    assert len(run("render", "seed-oss", long).err) == 401


def test_permission_denied_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def denied(*_: Any) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("builtins.open", denied)
    assert run("render", "seed-oss", "chat.json").errors == ["error: chat.json: cannot be read: Permission denied"]


def test_a_failure_while_reading_is_said() -> None:
    class Broken(BytesIO):
        def readline(self, size: int | None = -1, /) -> bytes:
            raise OSError(5, "Input/output error")

        read = readline

    for read in (lambda source: read_documents(source, "f"), read_document):
        with pytest.raises(ChatCodecError, match=r"^cannot be read: Input/output error$"):
            read(Source(Broken()))


@pytest.mark.parametrize(
    "raw",
    [
        as_json(HI),
        b"\xef\xbb\xbf" + as_json(HI),
        as_json(HI) + b"\n",
        b"\r\n\r\n " + as_json(HI) + b" \r\n \n",
        json.dumps(HI, indent=2).encode(),
        json.dumps(HI, indent=2).replace("\n", "\r\n").encode(),
        json.dumps({"messages": HI}, indent="\t").encode(),
        b"\xef\xbb\xbf\n" + json.dumps({"messages": HI}, indent=1).encode() + b"\n\n",
        b'[\n{"role": "user", "content": "Hi"}\n]',
        b'[\n{"role": "user",\n"content": "Hi"}]',
        b'{"messages": [{"role": "user", "content": "Hi"}], "tools": []\n}',
        b'[{"role": "user", "content": "Hi", "score": NaN}]',
        b'[{"role": "user", "content": "Hi", "score": ' + b"9" * 4300 + b"}]",
    ],
)
@pytest.mark.parametrize("name", ["-", "chat.json"])
def test_one_chat_however_it_is_written(raw: bytes, name: str, tmp_path: Path) -> None:
    file = tmp_path / name
    file.write_bytes(raw)
    ran = run("render", "seed-oss", "-" if name == "-" else str(file), stdin=raw)
    assert ran == (0, HI_PROMPT, "")


def values(raw: bytes, name: str) -> tuple[bool, list[Any]]:
    by_line, each = read_documents(Source(BytesIO(raw)), name)
    found: list[Any] = []
    for document in each:
        try:
            found.append((document.line, document.value))
        except ChatCodecError as error:
            found.append((document.line, str(error)))
    return by_line, found


def test_lines_of_a_jsonl_file() -> None:
    raw = b'\xef\xbb\xbf[1]\r\n\r\n{"a": \xff}\n  \n5\n[\n[2]'
    assert values(raw, "x.JSONL") == (
        True,
        [
            (1, [1]),
            (3, "not UTF-8: byte 6 is 0xff"),
            (5, 5),
            (6, "not JSON: Expecting value at column 2"),
            (7, [2]),
        ],
    )
    assert values(b"", "x.jsonl") == (True, [])
    assert values(b"[1]", "x.jsonl") == (True, [(1, [1])])


@pytest.mark.parametrize("name", ["-", "x.json", "jsonl"])
def test_lines_without_the_name(name: str) -> None:
    assert values(b"[1]\n[2]\n", name) == (True, [(1, [1]), (2, [2])])
    assert values(b"\n{}\n\nx", name) == (True, [(2, {}), (4, "not JSON: Expecting value at column 1")])
    assert values(b"{x}\n{}", name) == (
        True,
        [(1, "not JSON: Expecting property name enclosed in double quotes at column 2"), (2, {})],
    )
    assert values(b'["\xff"]\n[]', name) == (True, [(1, "not UTF-8: byte 2 is 0xff"), (2, [])])
    assert values(b"[" * 100_000 + b"]" * 100_000 + b"\n[]\n", name) == (True, [(1, "nested too deeply"), (2, [])])
    assert values(b"[" + b"9" * 5000 + b"]\n[]\n", name)[1][1] == (2, [])


def test_one_document_stays_one() -> None:
    assert values(b"[1]", "-") == (False, [(1, [1])])
    assert values(b"[\n1\n]", "-") == (False, [(None, [1])])
    assert values(b"\n5\n", "-") == (False, [(None, 5)])


def test_lines_are_read_when_they_are_asked_for() -> None:
    asked: list[bytes] = []

    class Watched(BytesIO):
        def readline(self, size: int | None = -1, /) -> bytes:
            asked.append(super().readline(size))
            return asked[-1]

    _, each = read_documents(Source(Watched(b"[1]\n[2]\n[3]\n[4]\n")), "-")
    assert next(each).value == [1]
    assert asked == [b"[1]\n", b"[2]\n"]
    assert [document.value for document in each] == [[2], [3], [4]]


def test_a_document_may_be_so_long_and_no_longer(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(documents, "MAX_BYTES", 1 << 20)
    long = as_json([{"role": "user", "content": "x" * (1 << 20)}])
    line = as_json([{"role": "user", "content": "x" * (1 << 19)}])
    words = "a document of more than 1 MiB"
    assert run("render", "seed-oss", stdin=long).errors == [f"error: stdin: {words}"]
    assert run("render", "seed-oss", stdin=b"[\n" + long[1:]).errors == [f"error: stdin: {words}"]
    assert run("render", "seed-oss", "--tools", write_json(tmp_path / "t", "x" * (1 << 20)), stdin=HI).code == 2
    ran = run("render", "seed-oss", stdin=line + b"\n" + line + b"\n" + line)
    assert (ran.code, ran.err, ran.out.count(b"\n")) == (0, "", 3)


def test_tools_are_a_list_of_objects() -> None:
    assert tools_of([TOOL]) == [TOOL]
    assert tools_of([]) == []
    assert tools_of({"tools": [TOOL], "messages": HI}) == [TOOL]
    wrong_tools = (
        (TOOL, "/tools"),
        (None, "/tools"),
        ("f", "/tools"),
        ([TOOL, 1], "/tools/1"),
        ({"tools": TOOL}, "/tools"),
    )
    for wrong, where in wrong_tools:
        with pytest.raises(InvalidChat) as caught:
            tools_of(wrong)
        assert caught.value.pointer == where


def test_a_file_is_not_changed_by_reading(tmp_path: Path) -> None:
    file = tmp_path / "chat.json"
    file.write_bytes(as_json(HI))
    before = file.stat().st_mtime_ns
    run("render", "seed-oss", str(file))
    assert file.stat().st_mtime_ns == before
    assert file.read_bytes() == as_json(HI)


def test_a_request_is_a_chat_file() -> None:
    request = {"model": "m", "temperature": 0.7, "stream": True, "tool_choice": "auto", "messages": HI}
    ran = run("render", "seed-oss", stdin=request)
    assert (ran.code, ran.out) == (0, HI_PROMPT)
    assert ran.err == "note: passed over, as it is for an engine: model, temperature, stream, tool_choice\n"
    wrong = {**request, "chat_template_kwargs": {"thinking_budgett": 1}}
    ran = run("render", "seed-oss", stdin=wrong)
    assert ran.err.startswith("error: stdin: /chat_template_kwargs/thinking_budgett: seed-oss does not read an option")
    assert ran.err.endswith("did you mean thinking_budget?\n")


def test_what_a_request_says_to_an_engine_counts_if_the_codec_reads_it() -> None:
    chat = chat_of({"messages": HI, "verbosity": "low", "thinking_budget": 1})
    assert (chat.options, chat.request) == ({"thinking_budget": 1}, {"verbosity": "low"})
