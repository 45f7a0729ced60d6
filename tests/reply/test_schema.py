"""What an argument's text is, by the schema of its tool; and schemas that are broken."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from chatcodec.errors import InvalidChat, LimitExceeded
from chatcodec.reply.literals import strict_json
from chatcodec.reply.parameter import UNTYPED, Parameter
from chatcodec.reply.schema import Signature, signatures

PROPERTY = settings(max_examples=500)


def tool(parameters: Any, name: str = "f") -> dict[str, Any]:
    return {"type": "function", "function": {"name": name, "parameters": parameters}}


def signature(parameters: Any) -> Signature:
    return signatures([tool(parameters)])["f"]


def parameter(schema: Any, **beside: Any) -> Parameter:
    return signature({"type": "object", "properties": {"x": schema}, **beside}).parameter("x")


STRING = {"type": "string"}
INTEGER = {"type": "integer"}
NUMBER = {"type": "number"}
BOOLEAN = {"type": "boolean"}
NULL = {"type": "null"}
OBJECT = {"type": "object"}
ARRAY = {"type": "array"}


def any_of(*schemas: Any) -> dict[str, Any]:
    return {"anyOf": list(schemas)}


def types(*names: str) -> dict[str, Any]:
    return {"type": list(names)}


def enum(*values: Any, **beside: Any) -> dict[str, Any]:
    return {**beside, "enum": list(values)}


# What engines were seen to do with these, and why this is what we do: the typing table of the research.
MEASURED = [
    ("null", STRING, '"null"', None),
    ("null", types("string", "null"), "null", "ambiguous"),
    ("42", STRING, '"42"', None),
    ("42", types("string", "null"), '"42"', None),
    ('"Paris"', STRING, r'"\"Paris\""', None),
    ("7", any_of(INTEGER, STRING), "7", "ambiguous"),
    ("5", {}, '"5"', "untyped"),
    ("3.0", INTEGER, "3", "retyped"),
    ("3.0", NUMBER, "3.0", None),
    ("three", INTEGER, '"three"', "does not fit"),
    ("True", BOOLEAN, "true", None),
    ("1", BOOLEAN, "1", "does not fit"),
    ("yes", BOOLEAN, '"yes"', "does not fit"),
    ("{'a': None}", OBJECT, '''"{'a': None}"''', "does not fit"),
    ("1e999", NUMBER, '"1e999"', "does not fit"),
]

TEXT = [
    *[(raw, STRING, json.dumps(raw), None) for raw in ("", " ", "\n a \n", "true", "3.0", "{}", "[1]", "'a'", "None")],
    ("é漢", STRING, '"é漢"', None),
    ("\ud800", STRING, r'"\ud800"', None),
    ("celsius", enum("celsius", "kelvin", type="string"), '"celsius"', None),
    ("celsius", enum("celsius", "kelvin"), '"celsius"', None),
    ("Celsius", enum("celsius", "kelvin"), '"Celsius"', "does not fit"),
    (" celsius", enum("celsius"), '" celsius"', "does not fit"),
    ('"celsius"', enum("celsius"), r'"\"celsius\""', "does not fit"),
    ("5", enum("a", type="string"), '"5"', "does not fit"),
    ("a", {"const": "a"}, '"a"', None),
    ("b", {"const": "a", "type": "string"}, '"b"', "does not fit"),
    ("2024-01-01", {"type": "string", "format": "date", "pattern": "x"}, '"2024-01-01"', None),
]

NOTHING_SAID = [
    *[
        (raw, schema, json.dumps(raw), "untyped")
        for raw in ("5", "null", "a", '{"a": 1}', "", "True")
        for schema in ({}, True, {"description": "d"}, {"type": "any"}, {"type": "quux"}, {"items": {}, "minimum": 1})
    ],
    ("5", {"type": []}, '"5"', "untyped"),
    ("5", {"enum": []}, '"5"', "untyped"),
    ("5", {"anyOf": []}, '"5"', "untyped"),
    ("5", {"allOf": [{}, True]}, '"5"', "untyped"),
    ("5", {"$ref": "https://example.com/schema.json"}, '"5"', "untyped"),
    ("5", {"$ref": "#anchor"}, '"5"', "untyped"),
    ("5", {"$ref": "other.json#/$defs/A"}, '"5"', "untyped"),
    ("5", {"type": "integer", "allOf": []}, "5", None),
    ("5", types("quux", "string"), '"5"', None),
    ("5", any_of(INTEGER, {}), "5", "ambiguous"),
    ("five", any_of(INTEGER, {}), '"five"', "untyped"),
    ("null", {"nullable": True}, "null", "ambiguous"),
    ("5", {"nullable": True}, '"5"', "untyped"),
]

INTEGERS = [
    *[(raw, INTEGER, raw.strip(), None) for raw in ("7", "-7", "0", "-0", " 7\n", "123456789012345678901234567890")],
    ("1e2", INTEGER, "100", "retyped"),
    (" -2.0 ", INTEGER, "-2", "retyped"),
    ("-0.0", INTEGER, "0", "retyped"),
    ("9007199254740993.0", INTEGER, "9007199254740993", "retyped"),
    ("1e18", INTEGER, "1000000000000000000", "retyped"),
    ("1e30", INTEGER, "1e30", "does not fit"),
    ("2.5", INTEGER, "2.5", "does not fit"),
    ("1e-400", INTEGER, "1e-400", "does not fit"),
    ("3.0000000000000000000001", INTEGER, "3.0000000000000000000001", "does not fit"),
    *[
        (raw, INTEGER, json.dumps(raw), "does not fit")
        for raw in ("", "+7", "07", "7,", "1_000", "0x10", "7 8", "NaN", "1e999", '"7"', "'7'", "True", "None")
    ],
    ("٧", INTEGER, '"٧"', "does not fit"),
    ("null", INTEGER, "null", "does not fit"),
    ("true", INTEGER, "true", "does not fit"),
    ('{"a": 1}', INTEGER, '{"a": 1}', "does not fit"),
    ("[1]", INTEGER, "[1]", "does not fit"),
]

NUMBERS = [
    *[(raw, NUMBER, raw.strip(), None) for raw in ("3", "3.0", "-0.0", "1e2", "1E-7", " 2.50\n", "1e-999", "0.10")],
    *[(raw, NUMBER, json.dumps(raw), "does not fit") for raw in (".5", "5.", "Infinity", "-Infinity", "NaN", "-1e999")],
    ("null", NUMBER, "null", "does not fit"),
    ("3.0", types("integer", "number"), "3.0", None),
    ("3", types("integer", "number"), "3", None),
]

OTHERS = [
    *[(raw, BOOLEAN, raw.strip().lower(), None) for raw in ("true", "false", "True", "False", " true\n")],
    *[(raw, BOOLEAN, json.dumps(raw), "does not fit") for raw in ("TRUE", "no", "", '"true"', "None", "truefalse")],
    ("0", BOOLEAN, "0", "does not fit"),
    ("null", BOOLEAN, "null", "does not fit"),
    *[(raw, NULL, "null", None) for raw in ("null", "None", " null ")],
    *[(raw, NULL, json.dumps(raw), "does not fit") for raw in ("none", "NULL", "nil", "", "True")],
    ("0", NULL, "0", "does not fit"),
    ('\n{"b": 1.0, "a": [1e2,  null]}\n', OBJECT, '{"b": 1.0, "a": [1e2,  null]}', None),
    ('{"a": 1, "a": 2}', OBJECT, '{"a": 1, "a": 2}', None),
    ('{"a": "\ud800é"}', OBJECT, '{"a": "\\ud800é"}', None),
    ("{}", OBJECT, "{}", None),
    ("[]", ARRAY, "[]", None),
    ("[]", OBJECT, "[]", "does not fit"),
    ("{}", ARRAY, "{}", "does not fit"),
    *[
        (raw, OBJECT, json.dumps(raw), "does not fit")
        for raw in ("", "{", '{"a": NaN}', '{"a": 1e999}', '{"a": 1,}', '{"a": 1} x', "{a: 1}", '"{}"', "None")
    ],
    ("5", False, "5", "does not fit"),
    ("a", False, '"a"', "does not fit"),
    ("5", {"allOf": [STRING, INTEGER]}, "5", "does not fit"),
]

UNIONS = [
    ("null", types("null", "string"), "null", "ambiguous"),
    (" null ", types("string", "null"), "null", "ambiguous"),
    ("None", types("string", "null"), '"None"', None),
    ("", types("string", "null"), '""', None),
    ("nullable", types("string", "null"), '"nullable"', None),
    ('{"a": 1}', types("string", "null"), r'"{\"a\": 1}"', None),
    ("null", {"type": "string", "nullable": True}, "null", "ambiguous"),
    ("null", {"type": "string", "nullable": False}, '"null"', None),
    ("null", {"type": "integer", "nullable": True}, "null", None),
    ("null", {"$ref": "#/$defs/Text", "nullable": True}, "null", "ambiguous"),
    ("null", enum("a", type="string", nullable=True), "null", None),
    ("7", types("string", "integer"), '"7"', "ambiguous"),
    ("7", types("integer", "string"), "7", "ambiguous"),
    ("seven", types("integer", "string"), '"seven"', None),
    ("3.0", types("integer", "string"), '"3.0"', "ambiguous"),
    ("2.5", types("integer", "string"), '"2.5"', None),
    ("1e999", types("number", "string"), '"1e999"', None),
    ("True", types("boolean", "string"), '"True"', None),
    ("true", types("string", "boolean"), '"true"', "ambiguous"),
    ("None", types("boolean", "string"), '"None"', None),
    ('{"a": 1}', any_of(OBJECT, NULL), '{"a": 1}', None),
    ("null", any_of(OBJECT, NULL), "null", None),
    ("5", any_of(OBJECT, NULL), "5", "does not fit"),
    ('["a"]', any_of({"type": "array", "items": STRING}, NULL), '["a"]', None),
    ("null", any_of({"type": "array", "items": STRING}, NULL), "null", None),
    ("a", any_of({"type": "array", "items": STRING}, NULL), '"a"', "does not fit"),
    ('["a"]', any_of(STRING, ARRAY), r'"[\"a\"]"', "ambiguous"),
    ('["a"]', any_of(ARRAY, STRING), '["a"]', "ambiguous"),
    ('["a"', any_of(ARRAY, STRING), '"[\\"a\\""', None),
    ("5", {"oneOf": [INTEGER, BOOLEAN]}, "5", None),
    ("5", any_of(any_of(BOOLEAN, any_of(NULL)), any_of(INTEGER)), "5", None),
    ("5", any_of(False, INTEGER), "5", None),
    ("null", any_of(enum("a", "b"), NULL), "null", None),
    ("a", any_of(enum("a", "b", type="string"), NULL), '"a"', None),
    ("c", any_of(enum("a", "b", type="string"), NULL), '"c"', "does not fit"),
    ("7", any_of(enum("auto"), INTEGER), "7", None),
    ("auto", any_of(INTEGER, {"const": "auto"}), '"auto"', None),
]

LISTED = [
    ("1", enum(1, 2), "1", None),
    (" 1 ", enum(1, 2), "1", None),
    ("3", enum(1, 2), "3", "does not fit"),
    ("a", enum(1, 2), '"a"', "does not fit"),
    ("1.0", enum(1, 2), "1.0", None),
    ("1.0", enum(1, 2, type="integer"), "1", "retyped"),
    ("3.0", enum(1, 2, type="integer"), "3.0", "does not fit"),
    ("true", enum(1), "true", "does not fit"),
    ("1", enum(True), "1", "does not fit"),
    ("True", enum(True), "true", None),
    ("1", enum("1", 1), '"1"', "ambiguous"),
    ("1", enum(1, "1"), "1", "ambiguous"),
    ("1", enum("a", 1, "1"), "1", "ambiguous"),
    ("2", enum("1", 1, 2), "2", None),
    ("null", enum("null", None), '"null"', "ambiguous"),
    ("null", enum(None, "null"), "null", "ambiguous"),
    ("null", enum("a", None), "null", None),
    ("3", enum("a", 1), '"3"', "does not fit"),
    ("3", enum(1, "a"), "3", "does not fit"),
    ("[]", enum("a", 1), '"[]"', "does not fit"),
    ('{"a": [1.0, true]}', enum({"a": [1, True]}), '{"a": [1.0, true]}', None),
    ('{"a": [1, 1]}', enum({"a": [1, True]}), '{"a": [1, 1]}', "does not fit"),
    ('["bool", 1]', enum(["bool", True]), '["bool", 1]', "does not fit"),
    ('{"b": 1, "a": 2}', {"const": {"a": 2, "b": 1}}, '{"b": 1, "a": 2}', None),
    ("[]", enum({}), "[]", "does not fit"),
    ("1", enum("a", 1, 2.5, None, type="number"), "1", None),
    ("a", enum("a", 1, 2.5, None, type="number"), '"a"', "does not fit"),
    ("2.5", enum("a", 1, 2.5, None, type="integer"), "2.5", "does not fit"),
    ("1", enum(1, "1", type=["string", "integer"]), '"1"', "ambiguous"),
    ("null", enum("a", None, type=["string", "null"]), "null", None),
    ("null", {"const": None}, "null", None),
    ("a", {"oneOf": [{"const": "a", "title": "A"}, {"const": "b"}]}, '"a"', None),
    ("1", {"const": 1, "enum": [1, 2]}, "1", None),
    ("2", {"const": 1, "enum": [1, 2]}, "2", "does not fit"),
    pytest.param("9" * 601, enum(10**600), f'"{"9" * 601}"', "does not fit", id="more digits than the limit"),
]

ALL_OF = [
    ("5", {"allOf": [INTEGER]}, "5", None),
    ("5", {"allOf": [{"description": "d"}, NUMBER, INTEGER]}, "5", None),
    ("5.5", {"allOf": [NUMBER, INTEGER]}, "5.5", "does not fit"),
    ("null", {"allOf": [types("string", "null"), STRING]}, '"null"', None),
    ("5", {"type": ["integer", "null"], "allOf": [types("null", "integer", "string")]}, "5", None),
    ("a", {"allOf": [STRING, enum("a", "b")]}, '"a"', None),
    ("c", {"allOf": [STRING, enum("a", "b")]}, '"c"', "does not fit"),
    ("b", {"allOf": [enum("a", "b"), enum("b", "c")]}, '"b"', None),
    ("a", {"allOf": [enum("a", "b"), enum("b", "c")]}, '"a"', "does not fit"),
    ("1", {"allOf": [enum(1, 2.5, "1"), INTEGER]}, "1", None),
    ("2.5", {"allOf": [INTEGER, enum(1, 2.5)]}, "2.5", "does not fit"),
    ("1", {"allOf": [{"type": ["number", "string"]}], "anyOf": [INTEGER, STRING]}, "1", "ambiguous"),
    ("5", {"allOf": [any_of(INTEGER, {}), STRING]}, '"5"', None),
    ("5", {"allOf": [STRING, any_of(INTEGER, {})]}, '"5"', None),
    ("a", {"allOf": [enum("a"), any_of(INTEGER, {})]}, '"a"', None),
]

DEFS = {
    "Text": STRING,
    "Unit": enum("c", "f"),
    "Maybe": any_of({"$ref": "#/$defs/Unit"}, NULL),
    "a/b~c": INTEGER,
    "é d": BOOLEAN,
    "Tree": any_of(
        {"type": "object", "properties": {"next": {"$ref": "#/$defs/Tree"}}}, {"$ref": "#/$defs/Tree"}, NULL
    ),
    "Self": {"$ref": "#/$defs/Self"},
    "Left": any_of({"$ref": "#/$defs/Right"}, STRING),
    "Right": any_of({"$ref": "#/$defs/Left"}, INTEGER),
    "Both": {"allOf": [{"$ref": "#/$defs/Both"}, INTEGER]},
    "List": [INTEGER, STRING],
}

REFERENCES = [
    ("5", {"$ref": "#/$defs/Text"}, '"5"', None),
    ("c", {"$ref": "#/$defs/Unit", "description": "d"}, '"c"', None),
    ("null", {"$ref": "#/$defs/Maybe"}, "null", None),
    ("c", {"$ref": "#/$defs/Maybe"}, '"c"', None),
    ("d", {"$ref": "#/$defs/Maybe"}, '"d"', "does not fit"),
    ("5", {"$ref": "#/$defs/a~1b~0c"}, "5", None),
    ("5", {"$ref": "#/%24defs/a%7E1b~0c"}, "5", None),
    ("true", {"$ref": "#/$defs/%C3%A9%20d"}, "true", None),
    ("5", {"$ref": "#/$defs/List/0"}, "5", None),
    ("5", {"$ref": "#/properties/y/anyOf/0"}, "5", None),
    ("{}", {"$ref": "#"}, "{}", None),
    ("c", {"$ref": "#/$defs/Unit", "type": "string"}, '"c"', None),
    ("5", {"$ref": "#/$defs/Text", "type": "integer"}, "5", "does not fit"),
    ("5", {"allOf": [{"$ref": "#/$defs/Text"}]}, '"5"', None),
    ("{}", {"$ref": "#/$defs/Tree"}, "{}", None),
    ("null", {"$ref": "#/$defs/Tree"}, "null", None),
    ("a", {"$ref": "#/$defs/Tree"}, '"a"', "does not fit"),
    ("5", {"$ref": "#/$defs/Self"}, '"5"', "untyped"),
    ("5", {"$ref": "#/properties/x"}, '"5"', "untyped"),
    ("5", {"$ref": "#/properties/x", "type": "integer"}, "5", None),
    ("5", any_of({"$ref": "#/properties/x"}, INTEGER), "5", None),
    ("5", any_of({"$ref": "#/properties/x", "enum": []}, INTEGER), "5", None),
    ("null", {"$ref": "#/properties/x", "nullable": True}, "null", None),
    ("5", {"$ref": "#/$defs/Left"}, "5", "ambiguous"),
    ("5", {"$ref": "#/$defs/Right"}, '"5"', "ambiguous"),
    ("5", {"$ref": "#/$defs/Both"}, "5", None),
]

ALIASES = [
    *[("5", {"type": name}, '"5"', None) for name in ("str", "string", "text", "varchar", "char", "String", "STRING")],
    *[("5", {"type": name}, "5", None) for name in ("int", "integer", "int32", "int64", "long", "INTEGER")],
    *[("5.0", {"type": name}, "5.0", None) for name in ("float", "double", "number", "num")],
    *[("True", {"type": name}, "true", None) for name in ("bool", "boolean")],
    *[("{}", {"type": name}, "{}", None) for name in ("dict", "object", "map")],
    *[("[]", {"type": name}, "[]", None) for name in ("list", "array", "tuple")],
    *[("None", {"type": name}, "null", None) for name in ("null", "none", "NoneType")],
    ("null", types("str", "NoneType"), "null", "ambiguous"),
]


@pytest.mark.parametrize(
    ("raw", "schema", "written", "fault"),
    [
        *MEASURED, *TEXT, *NOTHING_SAID, *INTEGERS, *NUMBERS, *OTHERS, *UNIONS, *LISTED, *ALL_OF, *REFERENCES, *ALIASES,
    ],
)  # fmt: skip
def test_read(raw: str, schema: Any, written: str, fault: str | None) -> None:
    parameters = {"type": "object", "properties": {"x": schema, "y": any_of(INTEGER, NULL)}, "$defs": DEFS}
    assert signature(parameters).parameter("x").read(raw, "json") == (written, fault)
    strict_json(written)
    assert written.encode("utf-8")


PYTHON = [
    ("{'a': None}", OBJECT, '{"a": null}', None),
    (" {'a': [True, 1.0, 'it\\'s']}\n", OBJECT, '{"a": [true, 1.0, "it\'s"]}', None),
    ('{"a": null}', OBJECT, '{"a": null}', None),
    ('{"a": "\\u00e9"}', OBJECT, '{"a": "\\u00e9"}', None),
    ("{'a': null}", OBJECT, "\"{'a': null}\"", "does not fit"),
    ("('a',)", ARRAY, "\"('a',)\"", "does not fit"),
    ("['a']", ARRAY, '["a"]', None),
    ("['a']", any_of(ARRAY, NULL), '["a"]', None),
    ("['a']", any_of(ARRAY, STRING), '["a"]', "ambiguous"),
    ("['a']", STRING, "\"['a']\"", None),
    ("['a']", {}, "\"['a']\"", "untyped"),
    ("None", {}, '"None"', "untyped"),
    ("['a']", OBJECT, '["a"]', "does not fit"),
    ("True", INTEGER, "true", "does not fit"),
    ("None", INTEGER, "null", "does not fit"),
    ("True", BOOLEAN, "true", None),
    ("true", BOOLEAN, "true", None),
    ("None", types("string", "null"), "null", "ambiguous"),
    ("1e+16", NUMBER, "1e+16", None),
    ("inf", NUMBER, '"inf"', "does not fit"),
    ("nan", NUMBER, '"nan"', "does not fit"),
    ("'a'", STRING, "\"'a'\"", None),
    ("{'a': 1}", enum({"a": 1}), '{"a": 1}', None),
]


@pytest.mark.parametrize(("raw", "schema", "written", "fault"), PYTHON)
def test_read_what_python_prints(raw: str, schema: Any, written: str, fault: str | None) -> None:
    assert parameter(schema).read(raw, "python") == (written, fault)


@pytest.mark.parametrize(
    ("schema", "text"),
    [
        (STRING, True),
        ({}, True),
        (True, True),
        ({"type": "quux"}, True),
        (enum("a", "b"), True),
        ({"const": "a"}, True),
        (any_of(STRING, enum("a")), True),
        (enum("a", 2.5, type=["integer", "string"]), True),
        (any_of(STRING, {}), True),
        ({"allOf": [types("string", "null"), STRING]}, True),
        ({"$ref": "#/properties/x"}, True),
        ({"$ref": "elsewhere.json"}, True),
        (types("string", "null"), False),
        ({"type": "string", "nullable": True}, False),
        (enum("a", None), False),
        (any_of(STRING, INTEGER), False),
        (any_of(INTEGER, {}), False),
        (INTEGER, False),
        (False, False),
        ({"allOf": [STRING, INTEGER]}, False),
    ],
)
def test_text(schema: Any, text: bool) -> None:
    assert parameter(schema).text is text


@pytest.mark.parametrize(
    ("schema", "fitting", "others"),
    [
        (STRING, ["", "5"], [5, None, True, [], {}]),
        (INTEGER, [5, -0, 3.0, 10**400], [3.5, True, "5", None]),
        (NUMBER, [5, 3.5], [True, "5", None]),
        (BOOLEAN, [True, False], [1, 0, "true", None]),
        (NULL, [None], [False, 0, "", "null"]),
        (OBJECT, [{}, {"a": 1}], [[], "{}", None]),
        (ARRAY, [[], [1]], [{}, "[]", None]),
        (types("string", "null"), ["", None], [5]),
        (enum("a", 1, [True]), ["a", 1, 1.0, [True]], ["b", True, 2, [1], "1"]),
        ({"const": None}, [None], ["null", 0]),
        ({"allOf": [enum(1, 2), INTEGER]}, [1, 2.0], [3]),
        ({}, [1, "a", None, [], {}, True], []),
        (True, [1, "a"], []),
        (False, [], [1, "a", None]),
    ],
)
def test_fits(schema: Any, fitting: list[Any], others: list[Any]) -> None:
    fits = parameter(schema).fits
    assert [value for value in fitting if not fits(value)] == []
    assert [value for value in others if fits(value)] == []


def test_fits_takes_what_strict_json_reads() -> None:
    digits = "1" * 600
    assert parameter(INTEGER).fits(strict_json(digits))
    assert parameter(NUMBER).fits(strict_json(digits))
    assert not parameter(STRING).fits(strict_json(digits))
    assert not parameter(enum(1)).fits(strict_json(digits))


def test_untyped() -> None:
    assert UNTYPED.text
    assert UNTYPED.read("a\n", "json") == ('"a\\n"', "untyped")
    assert UNTYPED.read("None", "python") == ('"None"', "untyped")
    assert UNTYPED.fits(None)


# Tools


def test_signatures_of_nothing() -> None:
    assert signatures(None) == signatures([]) == signatures(()) == {}


def test_a_tool_may_be_bare() -> None:
    parameters = {"properties": {"x": INTEGER}}
    found = signatures([{"name": "a", "parameters": parameters}, {"function": {"name": "b", "parameters": parameters}}])
    assert list(found) == ["a", "b"]
    assert [each.parameter("x").read("5", "json").fault for each in found.values()] == [None, None]
    assert found["a"].name == "a"


def test_what_is_no_function_is_skipped() -> None:
    assert list(signatures([{"type": "web_search"}, {"type": None, "name": 5}, tool({})])) == ["f"]


def test_the_first_of_equal_names_wins() -> None:
    found = signatures([tool({"properties": {"x": INTEGER}}), tool({"properties": {"x": STRING}})])
    assert found["f"].parameter("x").read("5", "json") == ("5", None)


@pytest.mark.parametrize("parameters", [None, {}, True, False, {"type": "object"}, {"properties": None}])
def test_a_tool_may_declare_nothing(parameters: Any) -> None:
    found = signature(parameters)
    assert found.parameter("x") is UNTYPED
    assert not found.declares("x")
    assert signatures([{"name": "f"}])["f"].parameter("x") is UNTYPED


def test_declared_and_undeclared_parameters() -> None:
    found = signature({"properties": {"x": STRING, "y": {}}, "additionalProperties": INTEGER})
    assert [found.declares(name) for name in ("x", "y", "z", "")] == [True, True, False, False]
    assert found.parameter("x").read("5", "json") == ('"5"', None)
    assert found.parameter("y") is UNTYPED
    assert found.parameter("z").read("5", "json") == ("5", None)
    assert found.parameter("z") is found.parameter("w")


@pytest.mark.parametrize("others", [True, False, {}, STRING])
def test_the_first_additional_properties_win(others: Any) -> None:
    found = signature({"additionalProperties": INTEGER, "allOf": [{"additionalProperties": others}]})
    assert found.parameter("x").read("5", "json") == ("5", None)


@pytest.mark.parametrize("others", [True, False, {}])
def test_additional_properties_that_say_nothing(others: Any) -> None:
    assert signature({"properties": {}, "additionalProperties": others}).parameter("x") is UNTYPED


@pytest.mark.parametrize(
    "parameters",
    [
        {"$ref": "#/$defs/A", "$defs": {"A": {"properties": {"x": INTEGER}}}},
        {"allOf": [{"properties": {"y": STRING}}, {"properties": {"x": INTEGER}}]},
        {"properties": {"x": INTEGER}, "allOf": [{"properties": {"x": STRING}}]},
        {"allOf": [{"$ref": "#/$defs/A"}], "$defs": {"A": {"allOf": [{"$ref": "#"}], "properties": {"x": INTEGER}}}},
        {"allOf": [True, {"additionalProperties": INTEGER}]},
    ],
)
def test_parameters_may_be_declared_by_reference(parameters: Any) -> None:
    assert signature(parameters).parameter("x").read("5", "json") == ("5", None)


def test_the_tools_are_not_changed() -> None:
    tools = [tool({"properties": {"x": any_of(enum("a", 1), {"$ref": "#/$defs/A"})}, "$defs": {"A": NULL}})]
    before = json.dumps(tools)
    signatures(tools)["f"].parameter("x").read("a", "json")
    assert json.dumps(tools) == before


# Broken schemas

AT = "/tools/0/function/parameters"
SCHEMA = "a schema: an object, true or false"
NAMES = "the name of a type, or a list of names"


@pytest.mark.parametrize(
    ("parameters", "where", "found", "accepted"),
    [
        (5, "", "number 5", SCHEMA),
        ("{}", "", 'string "{}"', SCHEMA),
        ([], "", "list of 0", SCHEMA),
        ({"type": 5}, "/type", "number 5", NAMES),
        ({"properties": []}, "/properties", "list of 0", "an object"),
        ({"properties": {"x": "string"}}, "/properties/x", 'string "string"', SCHEMA),
        ({"properties": {"x": None}}, "/properties/x", "null", SCHEMA),
        ({"properties": {"a/b": 1}}, "/properties/a~1b", "number 1", SCHEMA),
        ({"additionalProperties": "x"}, "/additionalProperties", 'string "x"', SCHEMA),
        ({"additionalProperties": {"type": 1}}, "/additionalProperties/type", "number 1", NAMES),
        ({"allOf": {}}, "/allOf", "empty object", "a list of schemas"),
        ({"allOf": [{"properties": 5}]}, "/allOf/0/properties", "number 5", "an object"),
        ({"$ref": "#/$defs/A", "$defs": {"A": {"properties": {"x": 1}}}}, "/$defs/A/properties/x", "number 1", SCHEMA),
        ({"$ref": "#/$defs/A"}, "/$ref", 'string "#/$defs/A"', f"a reference to a part of {AT}"),
    ],
)  # fmt: skip
def test_broken_parameters(parameters: Any, where: str, found: str, accepted: str) -> None:
    check_broken(parameters, AT + where, found, accepted)


@pytest.mark.parametrize(
    ("schema", "where", "found", "accepted"),
    [
        ({"type": 5}, "/type", "number 5", NAMES),
        ({"type": None}, "/type", "null", NAMES),
        ({"type": {}}, "/type", "empty object", NAMES),
        ({"type": ["string", 5]}, "/type/1", "number 5", "the name of a type"),
        ({"type": ["string", {"type": "null"}]}, "/type/1", "object with type", "the name of a type"),
        ({"enum": "a"}, "/enum", 'string "a"', "a list of values"),
        ({"enum": {}}, "/enum", "empty object", "a list of values"),
        ({"type": "string", "enum": None}, "/enum", "null", "a list of values"),
        ({"enum": ["a", b"b"]}, "/enum/1", "a Python bytes", "a JSON value"),
        ({"enum": [{"a": {1}}]}, "/enum/0", "object with a", "a JSON value"),
        ({"const": b"b"}, "/const", "a Python bytes", "a JSON value"),
        ({"anyOf": STRING}, "/anyOf", "object with type", "a list of schemas"),
        ({"oneOf": 5}, "/oneOf", "number 5", "a list of schemas"),
        ({"allOf": True}, "/allOf", "boolean true", "a list of schemas"),
        (any_of(STRING, 5), "/anyOf/1", "number 5", SCHEMA),
        (any_of(STRING, any_of({"enum": 1})), "/anyOf/1/anyOf/0/enum", "number 1", "a list of values"),
        ({"oneOf": [{"type": 1}]}, "/oneOf/0/type", "number 1", NAMES),
        ({"allOf": [STRING, None]}, "/allOf/1", "null", SCHEMA),
        ({"$ref": 5}, "/$ref", "number 5", "a reference as text"),
        ({"$ref": None}, "/$ref", "null", "a reference as text"),
    ],
)
def test_broken_schema(schema: Any, where: str, found: str, accepted: str) -> None:
    check_broken({"properties": {"x": schema}}, f"{AT}/properties/x{where}", found, accepted)


@pytest.mark.parametrize(
    "reference",
    ["#/$defs/B", "#/$defs/A/type/s", "#/$defs/L/2", "#/$defs/L/x", "#/$defs/L/-", f"#/$defs/L/{'9' * 5000}", "#/"],
)
def test_references_that_lead_nowhere(reference: str) -> None:
    parameters = {"properties": {"x": any_of({"$ref": reference})}, "$defs": {"A": STRING, "L": [STRING, NULL]}}
    with pytest.raises(InvalidChat) as caught:
        signature(parameters)
    assert caught.value.pointer == f"{AT}/properties/x/anyOf/0/$ref"
    assert caught.value.accepted == f"a reference to a part of {AT}"


@pytest.mark.parametrize(
    ("reference", "where", "found"),
    [
        ("#/$defs/A", "/$defs/A/type", "number 5"),
        ("#/$defs/B", "/$defs/B", "null"),
        ("#/$defs/C", "/$defs/A/type", "number 5"),
        ("#/$defs/a~1b", "/$defs/a~1b", "list of 0"),
        ("#/properties/x/$ref", "/properties/x/$ref", 'string "#/properties/x/$ref"'),
    ],
)
def test_what_a_reference_leads_to_is_named(reference: str, where: str, found: str) -> None:
    defs = {"A": {"type": 5}, "B": None, "C": {"$ref": "#/$defs/A"}, "a/b": []}
    with pytest.raises(InvalidChat) as caught:
        signature({"properties": {"x": {"$ref": reference}}, "$defs": defs})
    assert (caught.value.pointer, caught.value.found) == (AT + where, found)


def check_broken(parameters: Any, where: str, found: str, accepted: str) -> None:
    with pytest.raises(InvalidChat) as caught:
        signatures([tool(parameters)])
    error = caught.value
    assert (error.pointer, error.found, error.accepted) == (where, found, accepted)
    assert str(error) == f"{where}: found {found}, accepted: {accepted}"


@pytest.mark.parametrize(
    ("tools", "where"),
    [
        ({}, "/tools"),
        ("f", "/tools"),
        (["f"], "/tools/0"),
        ([None], "/tools/0"),
        ([{}], "/tools/0/name"),
        ([{"name": 5}], "/tools/0/name"),
        ([{"type": "function"}], "/tools/0/name"),
        ([{"type": "function", "function": None}], "/tools/0/function"),
        ([{"type": "function", "function": []}], "/tools/0/function"),
        ([{"type": "function", "function": {}}], "/tools/0/function/name"),
        ([{"name": "f"}, {"name": "g", "parameters": 5}], "/tools/1/parameters"),
    ],
)
def test_broken_tools(tools: Any, where: str) -> None:
    with pytest.raises(InvalidChat) as caught:
        signatures(tools)
    assert caught.value.pointer == where


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object", "properties": 5, "required": 5, "items": None, "$defs": 5, "additionalProperties": 5},
        {"type": "array", "items": [5], "minItems": "x", "not": 5, "if": 5},
        {"nullable": "yes", "type": "integer", "description": 5, "default": object()},
    ],
)
def test_what_is_not_read_is_not_checked(schema: Any) -> None:
    parameter(schema)


# Limits


def nested(keyword: str, depth: int) -> Any:
    schema: Any = INTEGER
    for _ in range(depth):
        schema = {keyword: [schema]}
    return schema


@pytest.mark.parametrize("keyword", ["anyOf", "oneOf", "allOf"])
def test_depth_of_a_schema(keyword: str) -> None:
    assert parameter(nested(keyword, 50)).read("5", "json") == ("5", None)
    for depth in (52, 100_000):
        with pytest.raises(LimitExceeded) as caught:
            parameter(nested(keyword, depth))
        assert caught.value.limit == "depth"
        assert caught.value.pointer == f"{AT}/properties/x" + f"/{keyword}/0" * 51


def test_depth_of_references() -> None:
    defs: dict[str, Any] = {str(level): {"$ref": f"#/$defs/{level + 1}"} for level in range(1000)}
    with pytest.raises(
        LimitExceeded, match=r"^/tools/0/function/parameters/\$defs/50: a schema of more than 50 levels$"
    ):
        parameter({"$ref": "#/$defs/0"}, **{"$defs": {**defs, "1000": STRING}})
    assert parameter({"$ref": "#/$defs/960"}, **{"$defs": {**defs, "1000": STRING}}).text


def test_depth_of_listed_values() -> None:
    value: Any = 1
    for _ in range(100_000):
        value = [value]
    with pytest.raises(LimitExceeded) as caught:
        parameter(enum("a", value))
    assert (caught.value.limit, caught.value.pointer) == ("depth", f"{AT}/properties/x/enum/1")
    while isinstance(value, list):  # Python takes it apart by recursion otherwise
        value = value[0]


def test_depth_of_what_is_not_read() -> None:
    schema: Any = INTEGER
    for _ in range(100_000):
        schema = {"type": "object", "properties": {"x": schema}}
    assert parameter(schema).read("{}", "json") == ("{}", None)


def test_a_schema_that_holds_itself() -> None:
    schema: dict[str, Any] = {"anyOf": [INTEGER]}
    schema["anyOf"].append(schema)
    assert parameter(schema).read("5", "json") == ("5", None)


@pytest.mark.parametrize("keyword", ["anyOf", "allOf"])
def test_references_that_unfold_without_end(keyword: str) -> None:
    defs: dict[str, Any] = {str(i): {keyword: [{"$ref": f"#/$defs/{i + 1}"}] * 2} for i in range(24)}
    with pytest.raises(LimitExceeded) as caught:
        parameter({"$ref": "#/$defs/0"}, **{"$defs": {**defs, "24": STRING}})
    assert caught.value.limit == "schema parts"


@pytest.mark.parametrize("schema", [any_of(*[INTEGER] * 100_000), enum(*range(100_000))], ids=["schemas", "values"])
def test_a_list_counts_with_all_that_is_in_it(schema: Any) -> None:
    with pytest.raises(LimitExceeded) as caught:
        parameter(schema)
    assert caught.value.limit == "schema parts"


def test_large_schemas_are_read() -> None:
    names = [f"name {index}" for index in range(5000)]
    found = signature({"properties": {f"p{index}": enum(*range(50), *"abc") for index in range(500)}})
    assert found.parameter("p499").read("49", "json") == ("49", None)
    schema = {"allOf": [{"oneOf": [{"const": name} for name in names]}, {"enum": [*names, None]}], "nullable": True}
    assert parameter(schema).read("name 4999", "json") == ('"name 4999"', None)
    assert parameter(schema).read("name 5000", "json") == ('"name 5000"', "does not fit")


@pytest.mark.parametrize(
    "raw",
    ["[" * 100_000, "[" * 100_000 + "]" * 100_000, '{"a":' * 100_000, "{'a': " * 100_000 + "1" + "}" * 100_000],
    ids=["open", "lists", "objects", "as Python prints"],
)
@pytest.mark.parametrize(
    "schema", [STRING, {}, OBJECT, ARRAY, INTEGER, any_of(ARRAY, STRING), enum([[1]], {"a": 1}, 1)]
)
def test_texts_of_any_depth(raw: str, schema: Any) -> None:
    for literals in ("json", "python"):
        value = parameter(schema).read(raw, literals)  # type: ignore[arg-type]
        assert strict_json(value.json) == raw


def test_integers_up_to_the_limit_on_digits() -> None:
    raw = "9" * 600
    assert parameter(INTEGER).read(raw, "json") == (raw, None)
    assert parameter(enum(5, [1])).read(raw, "json") == (raw, "does not fit")
    for longer in (raw + "9", "9" * 100_000):
        assert parameter(INTEGER).read(longer, "json") == (f'"{longer}"', "does not fit")
        assert parameter(STRING).read(longer, "json") == (f'"{longer}"', None)


def test_a_text_deeper_than_a_listed_value() -> None:
    raw = "[" * 200 + "]" * 200
    assert parameter(enum([[1]])).read(raw, "json") == (raw, "does not fit")
    assert parameter({"type": "array"}).read(raw, "json") == (raw, None)
    deeper = f"[{raw}]"
    assert parameter({"type": "array"}).read(deeper, "json") == (f'"{deeper}"', "does not fit")


# Properties

VALUES = st.sampled_from(
    ["a", "", "null", "1", "true", 0, 1, 1.0, 2.5, -3, None, True, False, [], [1], [True], {}, {"a": 1}]
)
NAMES_OF_TYPES = st.sampled_from(["string", "integer", "number", "boolean", "null", "object", "array", "any", "quux"])
REFERENCES_OUT = st.sampled_from(["#/$defs/A", "#/$defs/B", "elsewhere.json"])
LEAVES = st.fixed_dictionaries(
    {},
    optional={
        "type": NAMES_OF_TYPES | st.lists(NAMES_OF_TYPES, max_size=3),
        "enum": st.lists(VALUES, max_size=4),
        "const": VALUES,
        "nullable": st.booleans(),
        "description": st.just("d"),
    },
)


def schemas(references: st.SearchStrategy[str] | None) -> st.SearchStrategy[Any]:
    leaves = st.booleans() | LEAVES
    if references is not None:
        leaves |= st.builds(lambda leaf, reference: {**leaf, "$ref": reference}, LEAVES, references)
    return st.recursive(
        leaves,
        lambda inner: st.builds(
            lambda leaf, keyword, members: {**leaf, keyword: members},
            LEAVES,
            st.sampled_from(["anyOf", "oneOf", "allOf"]),
            st.lists(inner, max_size=3),
        ),
        max_leaves=5,
    )


SPELLINGS = [
    "null",
    "None",
    "true",
    "True",
    "false",
    "1",
    "1.0",
    "2.5",
    "-3",
    "0.0",
    "1e2",
    "1e999",
    "NaN",
    " 1\n",
    "a",
]
SPELLINGS += ['"a"', "[]", "[1]", "[true]", "[True]", "{}", '{"a": 1}', "{'a': 1}"]
CHARACTERS = "{}[]\"':,0123456789.eE+-trufalsnTFN \n"
RAW = st.text(max_size=6) | st.text(CHARACTERS, max_size=10) | st.sampled_from(SPELLINGS)


def allows(schema: Any, value: Any, defs: dict[str, Any]) -> bool:
    """Whether `schema` allows the type and the value, read as the standard says and without any of our shortcuts."""
    if isinstance(schema, bool):
        return schema
    if value is None and schema.get("nullable"):
        return True
    names = schema.get("type", [])
    listed = [schema["const"]] if "const" in schema else []
    return (
        (not names or any(is_of_type(name, value) for name in ([names] if isinstance(names, str) else names)))
        and (not schema.get("enum") or any(same(value, each) for each in schema["enum"]))
        and all(same(value, each) for each in listed)
        and all(allows(each, value, defs) for each in schema.get("allOf", ()))
        and all(
            not schema.get(keyword) or any(allows(each, value, defs) for each in schema[keyword])
            for keyword in ("anyOf", "oneOf")
        )
        and ("#" not in schema.get("$ref", "") or allows(defs[schema["$ref"][-1]], value, defs))
    )


def is_of_type(name: str, value: Any) -> bool:
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return {
        "string": isinstance(value, str),
        "number": number,
        "integer": number and value == int(value),
        "boolean": isinstance(value, bool),
        "null": value is None,
        "object": isinstance(value, dict),
        "array": isinstance(value, list),
    }.get(name, True)


def same(left: Any, right: Any) -> bool:
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same, left, right))
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    return isinstance(left, bool) == isinstance(right, bool) and bool(left == right)


@PROPERTY
@given(schemas(REFERENCES_OUT), schemas(None), schemas(None), VALUES)
def test_fits_is_what_the_schema_says(schema: Any, a: Any, b: Any, value: Any) -> None:
    defs = {"A": a, "B": b}
    assert parameter(schema, **{"$defs": defs}).fits(value) == allows(schema, value, defs)


@settings(PROPERTY, max_examples=800)
@given(
    schemas(REFERENCES_OUT), schemas(REFERENCES_OUT), schemas(REFERENCES_OUT), RAW, st.sampled_from(["json", "python"])
)
@example(
    any_of({"$ref": "#/$defs/A"}, INTEGER), any_of({"$ref": "#/$defs/B"}, NULL), {"$ref": "#/$defs/A"}, "1", "json"
)
def test_read_whatever_the_text_and_the_schema(schema: Any, a: Any, b: Any, raw: str, literals: Any) -> None:
    each = parameter(schema, **{"$defs": {"A": a, "B": b}})
    written, fault = each.read(raw, literals)
    value = strict_json(written)
    assert fault in (None, "untyped", "ambiguous", "retyped", "does not fit")
    assert each.fits(value) is (fault != "does not fit")
    is_text = isinstance(value, str)
    assert value == raw or not is_text
    if each.text:
        assert is_text
    if literals == "json" and not is_text and fault != "retyped":
        assert written == raw.strip() or raw.strip() in ("True", "False", "None")


@PROPERTY
@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_strings_are_the_text_itself(raw: str) -> None:
    for schema in (STRING, {}, types("string", "quux"), enum("a")):
        for literals in ("json", "python"):
            assert json.loads(parameter(schema).read(raw, literals).json) == raw  # type: ignore[arg-type]


JSON_DATA = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)
SCHEMA_OF = {
    dict: OBJECT, list: ARRAY, str: STRING, bool: BOOLEAN, int: INTEGER, float: NUMBER, type(None): NULL,
}  # fmt: skip


@PROPERTY
@given(JSON_DATA)
def test_a_printed_value_is_read_back(value: Any) -> None:
    each = parameter(SCHEMA_OF[type(value)])
    text = value if isinstance(value, str) else json.dumps(value)
    printed = str(value)
    for literals, raw in (("json", text), ("python", text), ("python", printed)):
        written, fault = each.read(raw, literals)  # type: ignore[arg-type]
        assert fault is None
        assert json.dumps(json.loads(written)) == json.dumps(value)


# Time


def seconds(work: Callable[[], object]) -> float:
    """Return the CPU seconds of the fastest run."""
    best = float("inf")
    for _ in range(3):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


@pytest.mark.parametrize(
    "schema", [STRING, INTEGER, OBJECT, any_of(INTEGER, STRING), any_of(OBJECT, NULL), enum(1, {"a": [1]}, [1])]
)
@pytest.mark.parametrize("unit", ["a", "1", "[", '{"a": ', "{'a': '", "\\n", " ", "1, ", "\ud800", "é"])
def test_reading_is_linear(schema: Any, unit: str) -> None:
    """Four times the size may cost ten times as much: quadratic would be sixteen. Below 20 ms nothing is measured."""
    each = parameter(schema)

    def read(size: int) -> None:
        for before, after in (("", ""), ("[", "0]"), ("1.", "e1")):
            each.read(before + unit * (size // len(unit)) + after, "python")

    large = seconds(lambda: read(240_000))
    assert large < 0.02 or large < 10 * seconds(lambda: read(60_000))
