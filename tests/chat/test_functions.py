"""Python functions as tool definitions: written out here, and compared with transformers where it is installed."""

# The hints below are spelled in every way that Python has, old ones too, and many functions are called f.
# ruff: noqa: F811, N803, UP006, UP007, UP035, UP045

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, IntEnum, StrEnum
from functools import wraps
from typing import Annotated, Any, Dict, List, Literal, Optional, Tuple, TypedDict, TypeVar, Union

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import peer
from chatcodec.chat.functions import describe_function
from chatcodec.errors import InvalidChat


class Colour(Enum):
    RED = "red"
    BLUE = "blue"
    CRIMSON = "red"  # noqa: PIE796  # another name of RED, which is listed once


class Level(IntEnum):
    LOW = 1
    HIGH = 2


class Size(StrEnum):
    S = "s"


class Mixed(Enum):
    ONE = 1
    TWO = "two"
    HALF = 0.5
    NOTHING = None


class Empty(Enum): ...


class Unwritable(Enum):
    PAIR = (1, 2)


class Nested(Enum):
    LEVEL = Level.LOW


class Custom: ...


class Point(TypedDict):
    x: int


@dataclass
class Record:
    x: int


T = TypeVar("T")
ONE = "F.\n\nArgs:\n    x: X"
CASES: list[Any] = []
REFUSALS: list[Any] = []


def documented(doc: str | None) -> Callable[[Any], Any]:
    """Give a function a docstring that linters do not rewrite."""

    def give(function: Any) -> Any:
        function.__doc__ = doc
        return function

    return give


def expect(doc: str, expected: dict[str, Any]) -> Callable[[Any], Any]:
    """Make a function with this docstring a case: its definition is `expected`, key order included."""

    def register(function: Any) -> Any:
        CASES.append(pytest.param(documented(doc)(function), expected, id=f"{len(CASES)}-{function.__name__}"))
        return function

    return register


def refuse(doc: str | None, message: str) -> Callable[[Any], Any]:
    """Make a function with this docstring a case: transformers and we refuse it with `message`."""

    def register(function: Any) -> Any:
        REFUSALS.append(pytest.param(documented(doc)(function), message, id=f"{len(REFUSALS)}-{function.__name__}"))
        return function

    return register


def no_schema(hint: str) -> str:
    return (
        f"Couldn't convert the type hint {hint} to a JSON schema, likely because it is a custom class "
        "or object. Supported type hints are basic types like int, float, str and bool, Enum classes, "
        "typing.Literal, and list, tuple, dict and Union types containing those. If you need a more complex "
        "schema than that, you can write the JSON schema for your tool by hand and pass that instead "
        "of the function."
    )


def with_hint(hint: Any) -> Any:
    """Return a function ``f`` with one argument ``x`` of this hint."""

    def f(x): ...

    f.__annotations__["x"] = hint
    return documented(ONE)(f)


def takes_x(schema: dict[str, Any]) -> dict[str, Any]:
    """Return what a function ``f`` with one required argument ``x`` is described as."""
    parameters = {"type": "object", "properties": {"x": schema}, "required": ["x"]}
    return {"name": "f", "description": "F.", "parameters": parameters}


# Docstrings


@expect(
    """
    Multiply two numbers.

    Args:
        x: The first number
        y: The second number
    """,
    {
        "name": "multiply",
        "description": "Multiply two numbers.",
        "parameters": {
            "type": "object",
            "properties": {
                "x": {"type": "number", "description": "The first number"},
                "y": {"type": "number", "description": "The second number"},
            },
            "required": ["x", "y"],
        },
    },
)
def multiply(x: float, y: float): ...


@expect(
    "Tell the time.",
    {"name": "now", "description": "Tell the time.", "parameters": {"type": "object", "properties": {}}},
)
def now(): ...


@expect(
    """Search the web.

    Finds pages: all of them.

    Args:
        query: What to look for,
            on several lines,

            with a blank one: and colons
        limit: How many
    Returns:
        Pages, one a line:
            title: url
    Raises:
        ValueError: never
    """,
    {
        "name": "search",
        "description": "Search the web.\n\nFinds pages: all of them.",
        "parameters": {
            "type": "object",
            "properties": {
                "query": {
                    "type": "string",
                    "description": "What to look for, on several lines, with a blank one: and colons",
                },
                "limit": {"type": "integer", "description": "How many"},
            },
            "required": ["query"],
        },
        "return": {
            "type": "array",
            "items": {"type": "string"},
            "description": "Pages, one a line:\n        title: url",
        },
    },
)
def search(query: str, limit: int = 10) -> list[str]: ...


@expect(
    """Deeper keys are no arguments.

    Args:
        config: The settings, where
            host: is a name
            port: is a number
        mode: How
          strict: or not
    """,
    {
        "name": "nested_keys",
        "description": "Deeper keys are no arguments.",
        "parameters": {
            "type": "object",
            "properties": {
                "config": {
                    "type": "object",
                    "description": "The settings, where host: is a name port: is a number",
                },
                "mode": {"type": "string", "description": "How strict: or not"},
            },
            "required": ["config", "mode"],
        },
    },
)
def nested_keys(config: dict, mode: str): ...


@expect(
    """Odd indentation.

  Args:
          a: deep
      b: less deep
   c:
      on the next line
    """,
    {
        "name": "odd_indentation",
        "description": "Odd indentation.",
        "parameters": {
            "type": "object",
            "properties": {
                "a": {"type": "integer", "description": "deep"},
                "b": {"type": "integer", "description": "less deep"},
                "c": {"type": "integer", "description": "on the next line"},
            },
            "required": ["a", "b", "c"],
        },
    },
)
def odd_indentation(a: int, b: int, c: int): ...


@expect(
    """An argument without text takes the next line, whatever it is.

    Args:
        a:
        b: two
        b: again
    """,
    {
        "name": "swallowed",
        "description": "An argument without text takes the next line, whatever it is.",
        "parameters": {
            "type": "object",
            "properties": {
                "a": {"type": "integer", "description": "b: two"},
                "b": {"type": "integer", "description": "again"},
            },
            "required": ["a", "b"],
        },
    },
)
def swallowed(a: int, b: int): ...


@expect(
    "Tabs.\n\n\tArgs:\n\t\ta:\tone\n\t\t\ttwo\n\t\tb: three\t\n",
    {
        "name": "tabs",
        "description": "Tabs.",
        "parameters": {
            "type": "object",
            "properties": {
                "a": {"type": "integer", "description": "one two"},
                "b": {"type": "integer", "description": "three"},
            },
            "required": ["a", "b"],
        },
    },
)
def tabs(a: int, b: int): ...


@expect(
    """A title within a line ends the text before it: see Returns: above.

    Args:
        a: not what it Raises: this is lost
    Returns:
        Never Args: alone
    """,
    {
        "name": "titles_inside",
        "description": "A title within a line ends the text before it: see",
        "parameters": {
            "type": "object",
            "properties": {"a": {"type": "integer", "description": "not what it"}},
            "required": ["a"],
        },
        "return": {"type": "null", "description": "Never Args: alone"},
    },
)
def titles_inside(a: int) -> None: ...


@expect(
    """Title with text after it is no section.

    Args: none
    Returns: nothing
    """,
    {
        "name": "inline_titles",
        "description": "Title with text after it is no section.",
        "parameters": {"type": "object", "properties": {}},
        "return": {"type": "integer"},
    },
)
def inline_titles() -> int: ...


@expect(
    "Returns:\n    It\nReturns:\n    More\n\nRaises:\n    x",
    {
        "name": "no_description",
        "description": "",
        "parameters": {"type": "object", "properties": {}},
        "return": {"type": "boolean", "description": "More"},
    },
)
def no_description() -> bool: ...


@expect(
    "Read.\n\nReturns:\n\nRaises:\n    OSError: always",
    {
        "name": "empty_returns",
        "description": "Read.",
        "parameters": {"type": "object", "properties": {}},
        "return": {"type": "string", "description": ""},
    },
)
def empty_returns() -> str: ...


@expect(
    "Read.\n\nReturns:\n    Text that nobody typed",
    {"name": "no_return_hint", "description": "Read.", "parameters": {"type": "object", "properties": {}}},
)
def no_return_hint(): ...


@expect(
    "Read.\n\nReturns:\n    A record",
    {"name": "return_without_schema", "description": "Read.", "parameters": {"type": "object", "properties": {}}},
)
def return_without_schema() -> list[Record]: ...


@expect(
    "Read.\n\nReturns:\n    Whatever",
    {
        "name": "returns_any",
        "description": "Read.",
        "parameters": {"type": "object", "properties": {}},
        "return": {"description": "Whatever"},
    },
)
def returns_any() -> Any: ...


@expect(
    "Read.\n\n  Returns:\n          ",
    {
        "name": "blank_end",
        "description": "Read.",
        "parameters": {"type": "object", "properties": {}},
        "return": {"type": "string"},
    },
)
def blank_end() -> str: ...


@expect(
    """Order a drink.

    Args:
        drink: Which one (choices: ["tea", " coffee "])
        size: How large (Choices: [1, 2.5, null, true])
        level: How strong (choices: "ab")
        note: A note (choices: ["x"]) or not
        colour: In which cup (choices: ["red"])
    """,
    {
        "name": "order",
        "description": "Order a drink.",
        "parameters": {
            "type": "object",
            "properties": {
                "drink": {"type": "string", "enum": ["tea", "coffee"], "description": "Which one"},
                "size": {"type": "number", "enum": [1, 2.5, None, True], "description": "How large"},
                "level": {"type": "string", "enum": ["a", "b"], "description": "How strong"},
                "note": {"type": "string", "description": 'A note (choices: ["x"]) or not'},
                "colour": {"type": "string", "enum": ["red"], "description": "In which cup"},
            },
            "required": ["drink", "size", "level", "note", "colour"],
        },
    },
)
def order(drink: str, size: float, level: str, note: str, colour: Colour): ...


@expect(
    'Küche.\n\nArgs:\n    größe: Höhe – in cm\n    名前: 名前 (choices: ["花"])\n',
    {
        "name": "unicode",
        "description": "Küche.",
        "parameters": {
            "type": "object",
            "properties": {
                "größe": {"type": "integer", "description": "Höhe – in cm"},
                "名前": {"type": "string", "enum": ["花"], "description": "名前"},
            },
            "required": ["größe", "名前"],
        },
    },
)
def unicode(größe: int, 名前: str): ...


# Signatures


@expect(
    "F.\n\nArgs:\n    a: A\n    b: B\n    c: C\n    args: More\n    kwargs: Most\n",
    {
        "name": "kinds",
        "description": "F.",
        "parameters": {
            "type": "object",
            "properties": {
                "a": {"type": "integer", "description": "A"},
                "args": {"type": "integer", "description": "More"},
                "b": {"type": "integer", "description": "B"},
                "c": {"type": "integer", "description": "C"},
                "kwargs": {"type": "string", "description": "Most"},
            },
            "required": ["a", "args", "c", "kwargs"],
        },
    },
)
def kinds(a: int, /, *args: int, b: int = 0, c: int, **kwargs: str): ...


@expect(ONE, takes_x({"type": "array", "items": {"type": "string"}, "nullable": True, "description": "X"}))
def f(x: "Optional[list[str]]"): ...


@expect(
    "Default of None.\n\nArgs:\n    x: X",
    {
        "name": "default_none",
        "description": "Default of None.",
        "parameters": {"type": "object", "properties": {"x": {"type": "integer", "description": "X"}}},
    },
)
def default_none(x: int = None): ...  # type: ignore[assignment]  # noqa: RUF013


@expect(ONE, takes_x({"type": "integer", "description": "X"}))
def f(self, x: int): ...


@expect(ONE, takes_x({"type": "integer", "description": "X"}))
def f(cls, x: int): ...


@expect(
    "F.\n\nArgs:\n    self: Who\n    x: X",
    {
        "name": "hinted_self",
        "description": "F.",
        "parameters": {
            "type": "object",
            "properties": {
                "self": {"type": "string", "description": "Who"},
                "x": {"type": "integer", "description": "X"},
            },
            "required": ["self", "x"],
        },
    },
)
def hinted_self(self: str, x: int): ...


# Hints

NULLABLE = {"nullable": True}
HINTS: list[Any] = [
    (int, {"type": "integer"}),
    (float, {"type": "number"}),
    (str, {"type": "string"}),
    (bool, {"type": "boolean"}),
    (None, {"type": "null"}),
    (list, {"type": "array"}),
    (List, {"type": "array"}),
    (tuple, {"type": "array"}),
    (Tuple, {"type": "array"}),
    (tuple[()], {"type": "array"}),
    (dict, {"type": "object"}),
    (Dict, {"type": "object"}),
    (Any, {}),
    (list[int], {"type": "array", "items": {"type": "integer"}}),
    (List[Any], {"type": "array", "items": {}}),
    (list[list[bool]], {"type": "array", "items": {"type": "array", "items": {"type": "boolean"}}}),
    (tuple[int, str], {"type": "array", "prefixItems": [{"type": "integer"}, {"type": "string"}]}),
    (dict[str, float], {"type": "object", "additionalProperties": {"type": "number"}}),
    (dict[int, Any], {"type": "object", "additionalProperties": {}}),
    (Optional[str], {"type": "string", "nullable": True}),
    (Optional[Any], {"nullable": True}),
    (int | None, {"type": "integer", "nullable": True}),
    (Union[str, int], {"type": ["integer", "string"]}),
    (str | int | float | None, {"type": ["integer", "number", "string"], "nullable": True}),
    (list | tuple, {"type": "array"}),
    (int | list[str], {"anyOf": [{"type": "integer"}, {"type": "array", "items": {"type": "string"}}]}),
    (Union[int, Any], {"anyOf": [{"type": "integer"}, {}]}),
    (Union[Literal["a"], int, None], {"anyOf": [{"type": "string", "enum": ["a"]}, {"type": "integer"}], **NULLABLE}),
    (Literal["a"], {"type": "string", "enum": ["a"]}),
    (Literal["b", 2, "a", None], {"type": ["string", "integer", "null"], "enum": ["b", 2, "a", None]}),
    (Literal[1, True], {"type": ["integer", "boolean"], "enum": [1, True]}),
    (Optional[Literal[1, 2]], {"type": "integer", "enum": [1, 2], "nullable": True}),
    (Colour, {"type": "string", "enum": ["red", "blue"]}),
    (Level, {"type": "integer", "enum": [1, 2]}),
    (Size, {"type": "string", "enum": ["s"]}),
    (list[Colour], {"type": "array", "items": {"type": "string", "enum": ["red", "blue"]}}),
    (Annotated[int, "seconds"], {"type": "integer"}),
    (list[Annotated[str, "name"]], {"type": "array", "items": {"type": "string"}}),
    (Mixed, {"type": ["integer", "string", "number", "null"], "enum": [1, "two", 0.5, None]}),
]  # fmt: skip


# Refusals in the words of transformers


@refuse(None, "Cannot generate JSON schema for no_docstring because it has no docstring!")
def no_docstring(x: int): ...


@refuse("", "Cannot generate JSON schema for empty_docstring because it has no docstring!")
def empty_docstring(x: int): ...


@refuse(
    "F.\n\nArgs:\n    x: X",
    "Cannot generate JSON schema for undescribed because the docstring has no description for the argument 'y'",
)
def undescribed(x: int, y: int): ...


@refuse(
    "Args:\n    x: a section cannot be the first line",
    "Cannot generate JSON schema for args_first because the docstring has no description for the argument 'x'",
)
def args_first(x: int): ...


@refuse(
    "\n        \n  Args:\n    x: nor the first that is not blank",
    "Cannot generate JSON schema for blank_first because the docstring has no description for the argument 'x'",
)
def blank_first(x: int): ...


@refuse(
    "F.\n\nArgs: \n    x: a title is alone on its line, without a space after it",
    "Cannot generate JSON schema for args_space because the docstring has no description for the argument 'x'",
)
def args_space(x: int): ...


@refuse(
    "F.\n\nArgs:\n    x (int): types in parentheses are not read",
    "Cannot generate JSON schema for typed_in_doc because the docstring has no description for the argument 'x'",
)
def typed_in_doc(x: int): ...


@refuse(ONE, "Argument x is missing a type hint in function unhinted")
def unhinted(x): ...


@refuse(ONE, "Argument self is missing a type hint in function second_self")
def second_self(x: int, self): ...


@refuse(ONE, no_schema(repr(Custom)))
def custom(x: Custom): ...


@refuse(ONE, no_schema(repr(Record)))
def record(x: list[Record]): ...


@refuse(ONE, no_schema(repr(Point)))
def typed_dict(x: Point | None): ...


@refuse(ONE, no_schema("~T"))
def type_variable(x: T): ...


@refuse(ONE, no_schema("<class 'bytes'>"))
def raw(x: bytes): ...


@refuse(ONE, no_schema("None"))
def bare_none_in_list(x: list[None]): ...


@refuse(ONE, no_schema(repr(Union)))
def bare_union(x: Union): ...


@refuse(ONE, str(("Couldn't parse this type hint, likely due to a custom class or object: ", set[int])))
def a_set(x: set[int]): ...


@refuse(ONE, str(("Couldn't parse this type hint, likely due to a custom class or object: ", Callable[[int], str])))
def a_callable(x: Callable[[int], str]): ...


@refuse(ONE, "The Enum Empty has no members, so no value could ever match it.")
def empty_enum(x: Empty): ...


@refuse(
    ONE,
    "The Enum Unwritable has member values that cannot be written as JSON scalars.\nValues: [(1, 2)]\n"
    "Enum member values must be int, float, str, bool or None to be converted to a JSON schema.",
)
def unwritable_enum(x: Unwritable): ...


@refuse(
    ONE,
    "The Enum Nested has member values that cannot be written as JSON scalars.\nValues: [<Level.LOW: 1>]\n"
    "Enum member values must be int, float, str, bool or None to be converted to a JSON schema.",
)
def nested_enum(x: Nested): ...


@refuse(ONE, "Only the valid python literals can be listed in typing.Literal.")
def enum_in_literal(x: Literal[Colour.RED]): ...


@refuse(ONE, "Only the valid python literals can be listed in typing.Literal.")
def bytes_in_literal(x: Literal[b"x"]): ...


@refuse(
    ONE,
    "The type hint Tuple[int] is a Tuple with a single element, which we do not automatically convert to JSON schema "
    "as it is rarely necessary. If this input can contain more than one element, we recommend using a list[] type "
    "instead, or if it really is a single element, remove the tuple[] wrapper and just pass the element directly.",
)
def single_tuple(x: Tuple[int]): ...


@refuse(
    ONE,
    "Conversion of '...' is not supported in Tuple type hints. Use list[] types for variable-length inputs instead.",
)
def open_tuple(x: tuple[int, ...]): ...


# Refusals that transformers leaves to Python, whose words differ between versions

HINTS_UNREAD = "/tools/4: the function f cannot be described: its type hints cannot be read: "
NO_LIST = "/tools/4: the function f cannot be described: its docstring has choices that are no JSON list: "


def with_choices(text: str) -> Any:
    def f(x: str): ...

    return documented(f"F.\n\nArgs:\n    x: X (choices: {text})")(f)


OTHER_REFUSALS = [
    pytest.param(with_hint("Nowhere"), f"{HINTS_UNREAD}name 'Nowhere' is not defined", id="unknown name"),
    pytest.param(with_hint("list["), HINTS_UNREAD, id="broken hint"),
    pytest.param(with_hint("1 / 0"), f"{HINTS_UNREAD}division by zero", id="failing hint"),
    pytest.param(with_hint({"type": "integer"}), "/tools/4: the function f cannot be described: ", id="schema as hint"),
    pytest.param(with_choices("tea, coffee"), f'{NO_LIST}string "tea, coffee"', id="choices without quotes"),
    pytest.param(with_choices(""), f'{NO_LIST}string ""', id="no choices"),
    pytest.param(with_choices("5"), f'{NO_LIST}string "5"', id="choices are a number"),
    pytest.param(with_choices("[" * 100_000), f'{NO_LIST}string "[[[', id="choices too deep"),
]


@pytest.mark.parametrize(("function", "expected"), CASES)
def test_definition(function, expected):
    described = describe_function(function, 0)
    assert described == {"type": "function", "function": expected}
    assert json.dumps(described) == json.dumps({"type": "function", "function": expected})


@pytest.mark.parametrize(("hint", "schema"), HINTS, ids=[f"{hint}" for hint, _ in HINTS])
def test_hint(hint, schema):
    described = describe_function(with_hint(hint), 0)
    expected = {"type": "function", "function": takes_x({**schema, "description": "X"})}
    assert json.dumps(described) == json.dumps(expected)


@pytest.mark.parametrize(("function", "message"), REFUSALS)
def test_refusal(function, message):
    with pytest.raises(InvalidChat) as caught:
        describe_function(function, 4)
    assert str(caught.value) == message
    assert caught.value.pointer == "/tools/4"
    assert caught.value.found == f"function {function.__name__}"


@pytest.mark.parametrize(("function", "beginning"), OTHER_REFUSALS)
def test_other_refusal(function, beginning):
    with pytest.raises(InvalidChat) as caught:
        describe_function(function, 4)
    assert str(caught.value).startswith(beginning)
    assert len(str(caught.value)) < 300
    assert caught.value.pointer == "/tools/4"


class Parent:
    @documented("Greet.\n\nArgs:\n    name: Whom")
    def greet(self, name: str) -> str: ...

    @classmethod
    @documented("Make.\n\nArgs:\n    name: Whom")
    def make(cls, name: str): ...


class Child(Parent):
    def greet(self, name: str, loudly: bool = False) -> str: ...


GREET = {
    "type": "function",
    "function": {
        "name": "greet",
        "description": "Greet.",
        "parameters": {
            "type": "object",
            "properties": {"name": {"type": "string", "description": "Whom"}},
            "required": ["name"],
        },
        "return": {"type": "string"},
    },
}


def test_methods_leave_their_receiver_out():
    assert describe_function(Parent().greet, 0) == GREET
    assert describe_function(Parent.greet, 0) == GREET
    made = describe_function(Parent.make, 0)["function"]
    assert (made["name"], list(made["parameters"]["properties"])) == ("make", ["name"])


def test_methods_inherit_their_docstring():
    with pytest.raises(InvalidChat, match="no description for the argument 'loudly'"):
        describe_function(Child().greet, 0)


def test_wrapped_function_is_described_as_what_it_wraps():
    @wraps(multiply)
    def wrapper(*args, **kwargs):
        return multiply(*args, **kwargs)

    assert describe_function(wrapper, 0) == describe_function(multiply, 0)


def test_definitions_share_nothing():
    first = describe_function(search, 0)
    first["function"]["parameters"]["properties"]["query"]["type"] = "changed"
    first["function"]["return"]["items"].clear()
    assert describe_function(search, 0)["function"]["parameters"]["properties"]["query"]["type"] == "string"
    assert describe_function(search, 0)["function"]["return"]["items"] == {"type": "string"}


IMAGE = type("Image", (), {"__module__": "PIL.Image"})
TENSOR = type("Tensor", (), {"__module__": "torch"})


@pytest.mark.parametrize(
    ("hint", "schema"),
    [
        (IMAGE, {"type": "image"}),
        (TENSOR, {"type": "audio"}),
        (IMAGE | None, {"type": "image", "nullable": True}),
        (list[TENSOR], {"type": "array", "items": {"type": "audio"}}),
        (IMAGE | str, {"type": ["image", "string"]}),
    ],
)
def test_images_and_tensors_are_told_by_name(hint, schema):
    assert describe_function(with_hint(hint), 0)["function"] == takes_x({**schema, "description": "X"})


@pytest.mark.parametrize(("module", "name"), [("PIL.Image", "Tensor"), ("torch.nn", "Tensor"), ("mine", "Image")])
def test_other_classes_of_that_name_are_no_images(module, name):
    function = with_hint(type(name, (), {"__module__": module}))
    with pytest.raises(InvalidChat, match=f"Couldn't convert the type hint <class '{module}.{name}'>"):
        describe_function(function, 0)


def test_no_library_is_imported(tmp_path):
    for library in ("PIL", "torch"):
        (tmp_path / f"{library}.py").write_text("raise RuntimeError('imported')")
    script = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from chatcodec.chat.functions import describe_function\n"
        "def f(x): 'F.\\n\\nArgs:\\n    x: X'\n"
        "f.__annotations__['x'] = type('Image', (), {'__module__': 'PIL.Image'})\n"
        "print(describe_function(f, 0)['function']['parameters']['properties']['x']['type'])\n"
        "print(sorted({'PIL', 'torch', 'numpy', 'transformers'} & set(sys.modules)))\n"
    )
    done = subprocess.run([sys.executable, "-c", script, str(tmp_path)], capture_output=True, text=True, check=True)
    assert done.stdout == "image\n[]\n"


# Compared with transformers


def refusal_of(function: Any) -> InvalidChat:
    with pytest.raises(InvalidChat) as caught:
        describe_function(function, 7)
    assert caught.value.pointer == "/tools/7"
    return caught.value


def assert_equal_to(utils: Any, function: Any) -> str:
    """Check that we describe `function` as transformers does, or refuse it too; return which of these it was."""
    try:
        expected = json.dumps(utils.get_json_schema(function))
    except (utils.DocstringParsingException, utils.TypeHintParsingException) as error:
        message = str(error)
    except Exception:
        refusal_of(function)
        return "failed"
    else:
        assert json.dumps(describe_function(function, 7)) == expected
        return "described"
    assert str(refusal_of(function)) == message
    return "refused"


@pytest.mark.parametrize(
    ("functions", "outcome"),
    [
        pytest.param([case.values[0] for case in CASES], "described", id="definitions"),
        pytest.param([Parent().greet, Parent.greet, Parent.make], "described", id="methods"),
        pytest.param([case.values[0] for case in REFUSALS] + [Child().greet], "refused", id="refusals"),
        pytest.param([case.values[0] for case in OTHER_REFUSALS], "failed", id="failures"),
        pytest.param([with_hint(hint) for hint, _ in HINTS], "described", id="hints"),
    ],
)
def test_same_as_transformers(functions, outcome):
    utils = peer.template_utils()
    assert {assert_equal_to(utils, function) for function in functions} == {outcome}


@pytest.mark.parametrize(("module", "name"), [("PIL.Image", "Image"), ("torch", "Tensor")])
def test_same_as_transformers_for_the_real_classes(module, name):
    utils = peer.template_utils()
    library = pytest.importorskip(module, reason=f"{module} is not installed")
    assert assert_equal_to(utils, with_hint(getattr(library, name))) == "described"


FRAGMENTS = [
    *("Args:", "Returns:", "Raises:", "kwArgs:", "Args", "Returns"),
    *("\n", "\n\n", "\n    ", "\n  ", "\n        ", " ", "  ", "\t", "\n\t", "\x0b", "\r", "\x1c", "\u00a0", "\u2028"),
    *("a:", "b_1:", "a: one", "b_1: two", "a (int): typed", "é:", "²:", "_:", "- a:", "http://x", ":", "\u200b"),
    *("text", "(", ")", "(choices: no)"),
    *('(choices: ["p", "q "])', "(CHOICES: [1])", '(choices: "ab")', "(choiceſ: [1])"),
    *("\n\nArgs:\n    a: one\n    b_1: two", "\n    Args:\n", "\nReturns:\n    it", "\n\nRaises:\n    E: why"),
]  # fmt: skip


@settings(max_examples=1500)
@given(st.lists(st.sampled_from(FRAGMENTS), max_size=25).map("".join), st.booleans())
def test_docstrings_read_as_transformers_reads_them(doc, described):
    utils = peer.template_utils()

    def f(a: int, b_1: str = "") -> int: ...

    f.__doc__ = f"Do.\n\nArgs:\n    a: A\n    b_1: B\n{doc}" if described else doc
    assert_equal_to(utils, f)


LEAVES = [
    *(int, float, str, bool, None, list, tuple, dict, Any, bytes, object, Custom, Point, T, List, Tuple),
    *(Colour, Level, Size, Mixed, Empty, Unwritable, Literal["a"], Literal[1, "a", None], Literal[b"x"], set[int]),
    *("int", "Nowhere", "list[int] | None", Callable[[int], str], tuple[()], Annotated[int, "x"]),
]  # fmt: skip


def combine(inner: Any) -> Any:
    some = st.lists(inner, min_size=1, max_size=3).map(tuple)
    return st.one_of(
        inner.map(lambda hint: Optional[hint]),
        some.map(lambda hints: Union[hints]),
        inner.map(lambda hint: list[hint]),
        some.map(lambda hints: tuple[hints]),
        inner.map(lambda hint: tuple[hint, ...]),
        inner.map(lambda hint: dict[str, hint]),
    )


@settings(max_examples=1000)
@given(st.recursive(st.sampled_from(LEAVES), combine, max_leaves=4), st.booleans())
def test_hints_read_as_transformers_reads_them(hint, returned):
    utils = peer.template_utils()

    @documented("F.\n\nArgs:\n    x: X\nReturns:\n    It")
    def f(x: int): ...

    f.__annotations__["return" if returned else "x"] = hint
    assert_equal_to(utils, f)
