"""Options in a name: typed, known, and never a key."""

from dataclasses import dataclass, field
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolmend.base.errors import BadOption
from toolmend.base.options import read_options, split_name


@dataclass(frozen=True)
class Known:
    url: str = ""
    many: int = 1
    most: int | None = None
    seconds: float = 1.0
    again: int = field(default=4, metadata={"least": 0})
    loud: bool = False
    kind: Literal["", "a", "b"] = ""
    names: tuple[str, ...] = ()


def test_options_stand_behind_a_question_mark():
    name, given = split_name("llama3:8b?url=http://x:1/v1&many=2&names=a%2Cb")
    assert (name, given) == ("llama3:8b", {"url": "http://x:1/v1", "many": "2", "names": "a,b"})


def test_a_name_without_options_is_a_name():
    assert split_name("org/model-1.5:free") == ("org/model-1.5:free", {})


def test_values_get_the_type_of_their_field():
    given = {"url": "x", "many": "2", "most": "3", "seconds": "0.5", "again": "0", "loud": "yes", "kind": "b"}
    assert read_options(Known, given | {"names": "a, b,"}, "m") == Known("x", 2, 3, 0.5, 0, True, "b", ("a", "b"))


def test_values_of_the_right_type_stay():
    given = {"many": 2, "most": None, "loud": True, "names": ("a",)}
    assert read_options(Known, given, "m") == Known(many=2, loud=True, names=("a",))


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (
            {"man": "1"},
            r"m: unknown option 'man' \(did you mean many\?\); known: again, kind, loud, many, most",
        ),
        ({"many": "x"}, "m: many is 'x', not a whole number"),
        ({"many": "1.5"}, "m: many is '1.5', not a whole number"),
        ({"many": "0"}, "m: many is 0; it must be above 0"),
        ({"most": "-1"}, "m: most is -1; it must be above 0"),
        ({"again": "-1"}, "m: again is -1; it must be 0 or more"),
        ({"seconds": "soon"}, "m: seconds is 'soon', not a number"),
        ({"seconds": "inf"}, "m: seconds is inf; it must be above 0"),
        ({"loud": "maybe"}, "m: loud is 'maybe', neither true nor false"),
        ({"kind": "c"}, "m: kind is 'c', not one of a, b"),
    ],
)
def test_what_makes_no_sense_is_refused(given, expected):
    with pytest.raises(BadOption, match=expected):
        read_options(Known, given, "m")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("m?many", r"option 'many' has no value; write many=VALUE"),
        ("m?many=1&many=2", "option 'many' is given twice"),
        ("?many=1", "a name is missing"),
    ],
)
def test_a_name_that_makes_no_sense_is_refused(name, expected):
    with pytest.raises(BadOption, match=expected):
        split_name(name)


def test_the_refusal_names_what_it_is_an_option_of():
    with pytest.raises(BadOption, match="strategy 'freyr': option 'many' has no value"):
        split_name("freyr?many", "strategy")


@pytest.mark.parametrize("option", ["key", "api_key", "API_KEY", "token", "password"])
def test_a_key_is_no_option_and_is_not_shown(option):
    with pytest.raises(BadOption, match="put it into the environment, and key_env=NAME says where") as error:
        split_name(f"m?{option}=abc-secret")
    assert "secret" not in str(error.value)


@given(st.text(), st.text())
def test_no_name_raises_anything_else(name, value):
    try:
        model, given = split_name(f"{name}?many={value}")
        read_options(Known, given, model)
    except BadOption as error:
        assert str(error)
