"""GGUF metadata: what is read from right files, and what is said of wrong ones."""

from __future__ import annotations

import io
import os
import random
import struct
import time
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chatcodec.errors import ChatCodecError, LimitExceeded, UnknownCodec, UnreadableInput
from chatcodec.templates import gguf_values
from chatcodec.templates.gguf import MAX_PAIRS, read_gguf
from chatcodec.templates.source import MAX_TEMPLATE_BYTES, Source

from .gguf_writer import ARRAY, BOOL, F32, F64, I8, I16, I32, I64, STRING, U8, U16, U32, U64, Raw, gguf, pair, text

TEMPLATE = "tokenizer.chat_template"
TOKENS = "tokenizer.ggml.tokens"
EOS = "tokenizer.ggml.eos_token_id"
WORDS = ["<unk>", "<s>", "</s>", "▁a", "<pad>", "<sep>", "<cls>", "<mask>", "<eot>"]
HELLO: tuple[Any, ...] = (TEMPLATE, STRING, "{{ messages }}")
VOCABULARY: tuple[Any, ...] = (TOKENS, ARRAY, (STRING, WORDS))


@pytest.fixture
def read(tmp_path: Path) -> Any:
    def reading(raw: bytes) -> Source:
        path = tmp_path / "m.gguf"
        path.write_bytes(raw)
        return read_gguf(str(path))

    return reading


def said(read: Any, raw: bytes, error: type[ChatCodecError] = UnreadableInput) -> str:
    """Return what is said of a file, behind its path."""
    with pytest.raises(error) as caught:
        read(raw)
    assert type(caught.value) is error
    path, _, words = caught.value.message.partition(".gguf: ")
    assert path.endswith("/m")
    assert caught.value.pointer is None
    return words


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("version", [2, 3])
def test_templates_and_special_tokens(read: Any, order: str, version: int) -> None:
    ids = {"bos": 1, "eos": 2, "eot": 8, "unknown": 0, "padding": 4, "seperator": 5, "cls": 6, "mask": 7}
    pairs = [
        ("general.architecture", STRING, "llama"),
        ("tokenizer.chat_templates", ARRAY, (STRING, ["tool_use", "rag"])),
        ("tokenizer.chat_template.tool_use", STRING, "{{ tools }}"),
        ("tokenizer.chat_template.rag", STRING, "{{ documents }}"),
        *((f"tokenizer.ggml.{name}_token_id", U32, number) for name, number in ids.items()),
        VOCABULARY,
        HELLO,
    ]
    source = read(gguf(*pairs, order=order, version=version))
    assert source.templates == {"default": "{{ messages }}", "tool_use": "{{ tools }}", "rag": "{{ documents }}"}
    assert source.tokens == {
        "bos_token": "<s>",
        "eos_token": "</s>",
        "eot_token": "<eot>",
        "unk_token": "<unk>",
        "pad_token": "<pad>",
        "sep_token": "<sep>",
        "cls_token": "<cls>",
        "mask_token": "<mask>",
    }
    assert source.name.endswith("m.gguf")
    assert set(source.files.values()) == {source.name}
    assert source.files.keys() == source.templates.keys()


@pytest.mark.parametrize("kind", [U8, I8, U16, I16, U32, I32, U64, I64])
@pytest.mark.parametrize("order", ["<", ">"])
def test_the_number_of_a_token_has_any_integer_type(read: Any, kind: int, order: str) -> None:
    assert read(gguf(HELLO, VOCABULARY, (EOS, kind, 2), order=order)).tokens == {"eos_token": "</s>"}


def test_values_of_every_type_are_passed_over(read: Any) -> None:
    others = [
        *(
            (f"a.{kind}", kind, number)
            for kind, number in {
                U8: 1,
                I8: -1,
                U16: 2,
                I16: -2,
                U32: 3,
                I32: -3,
                U64: 4,
                I64: -4,
                F32: 0.5,
                F64: 0.25,
            }.items()
        ),
        ("a.bool", BOOL, True),
        ("a.text", STRING, "x" * 600_000),
        ("a.empty", STRING, ""),
        ("a.bytes", ARRAY, (U8, range(256))),
        ("a.floats", ARRAY, (F64, [0.5] * 100_000)),
        ("a.no texts", ARRAY, (STRING, [])),
        ("a.long texts", ARRAY, (STRING, ["y" * 300_000, "", "z" * 262_136, "u"])),
        ("a.lists", ARRAY, (ARRAY, [(U8, [1]), (STRING, ["a", "b"]), (ARRAY, [(I32, []), (BOOL, [True])])])),
        ("a.not UTF-8", STRING, b"\xff\xfe"),
    ]
    assert read(gguf(*others, HELLO)).templates == {"default": "{{ messages }}"}


def test_strings_are_found_wherever_the_buffer_ends(read: Any) -> None:
    rng = random.Random(1)
    words = [str(index) * rng.choice((0, 1, 2, 20, 2000)) for index in range(4000)]
    for number in (0, 1, 1999, 2000, 3998, 3999):
        found = read(gguf(HELLO, (TOKENS, ARRAY, (STRING, words)), (EOS, U32, number))).tokens
        assert found == {"eos_token": words[number]}


def test_one_token_may_have_several_uses(read: Any) -> None:
    pairs = (
        (f"tokenizer.ggml.{name}_token_id", U32, number) for name, number in (("eos", 2), ("padding", 2), ("bos", 0))
    )
    found = read(gguf(HELLO, *pairs, VOCABULARY)).tokens
    assert found == {"eos_token": "</s>", "pad_token": "</s>", "bos_token": "<unk>"}


def test_what_follows_the_metadata_is_not_read(read: Any) -> None:
    assert read(gguf(HELLO, end=b"\xff" * 1000)).tokens == {}


def test_the_template_without_a_name_is_the_default(read: Any) -> None:
    named = (f"{TEMPLATE}.default", STRING, "{{ 1 }}")
    assert read(gguf(named)).templates == {"default": "{{ 1 }}"}
    for pairs in ((named, HELLO), (HELLO, named)):
        assert read(gguf(*pairs)).templates == {"default": "{{ messages }}"}


def test_a_file_without_a_template(read: Any) -> None:
    assert said(read, gguf(VOCABULARY), UnknownCodec) == (
        "no chat template: its metadata has no tokenizer.chat_template"
    )


WRONG = {
    "empty": (b"", "byte 0: no GGUF file: it is empty"),
    "short": (b"GG", "byte 0: no GGUF file: it begins with 0x4747"),
    "another magic": (b"GGML\3\0\0\0" + bytes(16), "byte 0: no GGUF file: it begins with 0x47474d4c"),
    "no version": (b"GGUF\3\0", "byte 4: a value of 4 bytes, and 2 bytes follow"),
    "version 1": (gguf(HELLO, version=1), "byte 4: GGUF version 1, accepted: 2 and 3"),
    "version 4": (gguf(HELLO, version=4, order=">"), "byte 4: GGUF version 4, accepted: 2 and 3"),
    "no count": (gguf()[:-1], "byte 16: a value of 8 bytes, and 7 bytes follow"),
    "many keys": (gguf(HELLO, count=2**63), f"byte 16: metadata of {2**63} keys, and 57 bytes follow"),
    "more keys than there are": (
        gguf(HELLO, ("a", STRING, "b" * 99), count=3),
        "byte 201, a key: a value of 8 bytes, and 0 bytes follow",
    ),
    "long key": (
        gguf(count=1, end=struct.pack("<Q", 2**40) + bytes(9)),
        f"byte 24, a key: a string of {2**40} bytes, and 9 bytes follow",
    ),
    "key not UTF-8": (gguf((b"a\xff", U8, 1)), "byte 33, a key: not UTF-8: 0xff"),
    "two of a key": (gguf(HELLO, HELLO), "byte 81, tokenizer.chat_template: this key is there twice"),
    "two of another key": (gguf(("a", U8, 1), ("a", U8, 1)), "byte 38, a: this key is there twice"),
    "odd key": (gguf(("a\n", U8, 1), ("a\n", U8, 1)), 'byte 39, "a\\n": this key is there twice'),
    "no such type": (gguf(("a", 13, Raw(bytes(9)))), "byte 33, a: type 13, accepted: 0 to 12"),
    "value cut off": (gguf(("a", U64, Raw(bytes(7)))), "byte 37, a: a uint64 of 8 bytes, and 7 bytes follow"),
    "text cut off": (gguf(HELLO)[:-1], "byte 59, tokenizer.chat_template: a string of 14 bytes, and 13 bytes follow"),
    "text not UTF-8": (gguf((TEMPLATE, STRING, b"{{\xff}}")), "byte 69, tokenizer.chat_template: not UTF-8: 0xff"),
    "template no text": (
        gguf((TEMPLATE, U32, 1)),
        "byte 55, tokenizer.chat_template: found a value of type uint32, accepted: the text of a template, a string",
    ),
    "named template no text": (
        gguf((f"{TEMPLATE}.x", ARRAY, (STRING, ["a"]))),
        "byte 57, tokenizer.chat_template.x: found a value of type array, accepted: the text of a template, a string",
    ),
    "names no list": (
        gguf(("tokenizer.chat_templates", STRING, "x")),
        "byte 56, tokenizer.chat_templates: found a value of type string, "
        "accepted: the names of the templates, a list of strings",
    ),
    "names no texts": (
        gguf(("tokenizer.chat_templates", ARRAY, (U8, [1]))),
        "byte 56, tokenizer.chat_templates: found a list of uint8, "
        "accepted: the names of the templates, a list of strings",
    ),
    "name of none": (
        gguf(HELLO, ("tokenizer.chat_templates", ARRAY, (STRING, ["rag"]))),
        'byte 113, tokenizer.chat_templates: it names "rag", and no template has this name',
    ),
    "tokens no list": (
        gguf((TOKENS, U8, 1)),
        "byte 53, tokenizer.ggml.tokens: found a value of type uint8, accepted: the tokens, a list of strings",
    ),
    "tokens no texts": (
        gguf((TOKENS, ARRAY, (I32, [1]))),
        "byte 53, tokenizer.ggml.tokens: found a list of int32, accepted: the tokens, a list of strings",
    ),
    "more tokens than there are": (
        gguf((TOKENS, ARRAY, Raw(struct.pack("<IQ", STRING, 2**60) + text("a") * 9))),
        f"byte 57, tokenizer.ggml.tokens: a list of {2**60} values of type string, and 81 bytes follow",
    ),
    "long token": (
        gguf((TOKENS, ARRAY, Raw(struct.pack("<IQ", STRING, 2) + text("a") + struct.pack("<Q", 2**64 - 1)))),
        f"byte 78, tokenizer.ggml.tokens: a string of {2**64 + 7} bytes, and 8 bytes follow",
    ),
    "token not UTF-8": (
        gguf(HELLO, (TOKENS, ARRAY, (STRING, ["a", b"\xc3("])), (EOS, U8, 1)),
        "byte 143, tokenizer.ggml.tokens: not UTF-8: 0xc3",
    ),
    "more numbers than there are": (
        gguf(("a", ARRAY, Raw(struct.pack("<IQ", F64, 2**61) + bytes(80)))),
        f"byte 37, a: a list of {2**61} values of type float64, and 80 bytes follow",
    ),
    "list of no type": (
        gguf(("a", ARRAY, Raw(struct.pack("<IQ", 99, 0)))),
        "byte 37, a: type 99, accepted: 0 to 12",
    ),
    "more lists than there are": (
        gguf(("a", ARRAY, Raw(struct.pack("<IQ", ARRAY, 9) + bytes(12)))),
        "byte 37, a: a list of 9 values of type array, and 12 bytes follow",
    ),
    "deep lists": (
        gguf(("a", ARRAY, Raw(struct.pack("<IQ", ARRAY, 1) * 99))),
        "byte 85, a: lists in lists, more than 4 deep",
    ),
    "number no integer": (
        gguf(HELLO, VOCABULARY, (EOS, F32, 2.0)),
        "byte 275, tokenizer.ggml.eos_token_id: found a value of type float32, "
        "accepted: the number of eos_token, an integer",
    ),
    "number a bool": (
        gguf((EOS, BOOL, True)),
        "byte 59, tokenizer.ggml.eos_token_id: found a value of type bool, "
        "accepted: the number of eos_token, an integer",
    ),
    "negative number": (
        gguf(HELLO, VOCABULARY, (EOS, I32, -1)),
        "byte 279, tokenizer.ggml.eos_token_id: eos_token is token -1, and there are 9 tokens",
    ),
    "number too large": (
        gguf(HELLO, (EOS, U32, 9), VOCABULARY),
        "byte 120, tokenizer.ggml.eos_token_id: eos_token is token 9, and there are 9 tokens",
    ),
    "number without tokens": (
        gguf(HELLO, (EOS, U64, 2)),
        "byte 120, tokenizer.ggml.eos_token_id: eos_token is token 2, and there is no tokenizer.ggml.tokens",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_said_with_its_place(read: Any, case: str) -> None:
    raw, words = WRONG[case]
    assert said(read, raw) == words


def test_limits(read: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    long = gguf((TEMPLATE, STRING, "x" * (MAX_TEMPLATE_BYTES + 1)))
    assert said(read, long, LimitExceeded).endswith(
        f"a string of {MAX_TEMPLATE_BYTES + 1} bytes, accepted: up to 1048576"
    )
    assert read(gguf((TEMPLATE, STRING, "x" * MAX_TEMPLATE_BYTES))).templates["default"][:2] == "xx"
    keys = gguf(*((f"a{index}", U8, 1) for index in range(MAX_PAIRS + 1)))
    assert said(read, keys, LimitExceeded) == "byte 16: metadata of 4097 keys, accepted: up to 4096"
    assert "a string of 2000 bytes" in said(read, gguf(("k" * 2000, U8, 1)), LimitExceeded)
    names = gguf(("tokenizer.chat_templates", ARRAY, (STRING, ["a"] * 65)))
    assert "65 names of templates, accepted: up to 64" in said(read, names, LimitExceeded)
    templates = gguf(*((f"{TEMPLATE}.{index}", STRING, "") for index in range(65)))
    assert "tokenizer.chat_template.64: more than 64 templates" in said(read, templates, LimitExceeded)
    token = gguf(HELLO, (TOKENS, ARRAY, (STRING, ["t" * 65_537])), (EOS, U8, 0))
    assert "a string of 65537 bytes" in said(read, token, LimitExceeded)
    lists = gguf(("a", ARRAY, (ARRAY, [(U8, [])] * 65_537)))
    assert "more than 65536 lists in lists" in said(read, lists, LimitExceeded)
    monkeypatch.setattr(gguf_values, "MAX_STRINGS", 20)
    texts = gguf(("a", ARRAY, (STRING, ["b"] * 15)), ("b", ARRAY, (STRING, ["b"] * 6)))
    assert "more than 20 strings in lists" in said(read, texts, LimitExceeded)


def test_long_metadata_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "m.gguf"
    with path.open("wb") as stream:  # a sparse file: it has the bytes that it says, and they cost nothing
        stream.write(gguf(count=2, end=text("a") + struct.pack("<IIQ", ARRAY, U8, 2**33)))
        stream.truncate(2**33 + 1000)
    with pytest.raises(LimitExceeded, match="metadata of more than 256 MiB") as caught:
        read_gguf(str(path))
    assert caught.value.limit == "metadata bytes"


def test_what_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(UnreadableInput, match="a directory, not a file"):
        read_gguf(str(tmp_path))
    with pytest.raises(UnreadableInput, match="no such file"):
        read_gguf(str(tmp_path / "x.gguf"))
    with pytest.raises(UnreadableInput, match="cannot be read"):
        read_gguf("a\0b.gguf")


def test_a_file_that_gets_shorter_while_it_is_read() -> None:
    with pytest.raises(UnreadableInput, match=r"^m\.gguf: byte 0: the file ends here$"):
        gguf_values.Values(io.BytesIO(b"GG"), "m.gguf", 100).take(4)


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="there is no /dev/fd")
def test_a_pipe_cannot_be_read() -> None:
    reading, writing = os.pipe()
    os.close(writing)
    try:
        with pytest.raises(UnreadableInput, match=r"^/dev/fd/\d+: cannot be read: "):
            read_gguf(f"/dev/fd/{reading}")
    finally:
        os.close(reading)


def test_a_large_vocabulary_is_quick_and_takes_little_memory(tmp_path: Path) -> None:
    count = 150_000
    words = [f"token{index}" for index in range(count)]
    path = tmp_path / "m.gguf"
    path.write_bytes(
        gguf(
            (TOKENS, ARRAY, (STRING, words)),
            ("tokenizer.ggml.merges", ARRAY, (STRING, [f"a{index} b" for index in range(count)])),
            ("tokenizer.ggml.scores", ARRAY, (F32, [0.5] * count)),
            ("tokenizer.ggml.token_type", ARRAY, (I32, [1] * count)),
            (EOS, U32, count - 1),
            HELLO,
        )
    )
    seconds = []
    for _ in range(5):
        begun = time.process_time()
        assert read_gguf(str(path)).tokens == {"eos_token": "token149999"}
        seconds.append(time.process_time() - begun)
    assert min(seconds) < 0.3
    tracemalloc.start()
    read_gguf(str(path))
    assert tracemalloc.get_traced_memory()[1] < 2 * 1024 * 1024
    tracemalloc.stop()


GOOD = gguf(
    ("a", ARRAY, (ARRAY, [(U8, [1]), (STRING, ["a"])])),
    VOCABULARY,
    ("tokenizer.chat_templates", ARRAY, (STRING, ["x"])),
    (f"{TEMPLATE}.x", STRING, "{{ 2 }}"),
    HELLO,
    (EOS, U32, 2),
    ("b", F64, 0.5),
)
EDGES = [struct.pack("<Q", number) for number in (0, 1, 8, 9, 13, 2**31, 2**32 - 1, 2**40, 2**63, 2**64 - 1)]


@st.composite
def broken(draw: st.DrawFn) -> bytes:
    """Draw a file with some bytes changed, put in, left out or cut off."""
    raw = bytearray(GOOD)
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, len(raw)))
        piece = draw(st.one_of(st.binary(min_size=1, max_size=9), st.sampled_from(EDGES)))
        raw[at : at + draw(st.sampled_from([0, len(piece), 1, 20]))] = piece
    return bytes(raw[: draw(st.one_of(st.just(len(raw)), st.integers(0, len(raw))))])


@settings(max_examples=1500)
@given(raw=st.one_of(broken(), st.binary(max_size=200).map(GOOD[:24].__add__)))
def test_no_bytes_do_harm(tmp_path_factory: pytest.TempPathFactory, raw: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "any.gguf"
    path.write_bytes(raw)
    refused = None
    begun = time.process_time()
    tracemalloc.start()
    try:
        read_gguf(str(path))
    except ChatCodecError as error:
        refused = error.message
    finally:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert refused is None or refused.startswith(f"{path}: ")
    assert peak < 1024 * 1024
    assert time.process_time() - begun < 1.0


def test_each_beginning_of_a_file_is_refused(read: Any) -> None:
    assert pair("b", F64, 0.5) == GOOD[-21:]
    for end in range(len(GOOD)):
        with pytest.raises(UnreadableInput):
            read(GOOD[:end])
