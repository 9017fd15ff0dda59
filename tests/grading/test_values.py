"""When two values are the same, and what is wrong with one that is not."""

from __future__ import annotations

from typing import Any

import pytest

from toolmend.base.mistakes import Kind
from toolmend.grading import Any_, Date, Duration, OneOf, Regex, Time
from toolmend.grading.schemas import Shape
from toolmend.grading.values import accepts, fault, folded, same


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (1, 1.0),
        (180, 180.0),
        ("Meeting with Fred", "  meeting\twith  FRED "),
        ("Caf\u00e9", "cafe\u0301"),
        ("STRASSE", "straße"),
        ([1, "A"], [1.0, "a"]),
        ({"a": [1], "b": None}, {"b": None, "a": [1.0]}),
        ({1, 2}, {2, 1}),
        ((1, 2), [1, 2]),
    ],
)
def test_same(left: Any, right: Any) -> None:
    assert same(left, right)
    assert accepts(left, right)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (1, True),
        (0, False),
        ([1], [True]),
        (1, "1"),
        ("-5", "5"),
        ("1.10.0", "11.0.0"),
        ("1.10", "1.1"),
        ("a b", "ab"),
        ("don't", "dont"),
        ([1, 2], [2, 1]),
        ({"a": 1}, {"a": 1, "b": None}),
        (None, "none"),
        (None, 0),
        ("", None),
        (0.1 + 0.2, 0.3),
        ([], {}),
        ("é", "e"),
    ],
)
def test_not_same(left: Any, right: Any) -> None:
    assert not same(left, right)
    assert not accepts(left, right)
    assert not accepts(right, left)


def test_a_list_that_the_schema_calls_a_set_compares_by_content() -> None:
    shape = Shape({"type": "array", "uniqueItems": True}, {})
    assert accepts(["a", "b"], ["B", "A"], shape)
    assert not accepts(["a", "b"], ["a"], shape)


def test_sets_inside_objects_through_references() -> None:
    root = {"$defs": {"Tags": {"type": "array", "uniqueItems": True}}}
    shape = Shape({"type": "object", "properties": {"tags": {"$ref": "#/$defs/Tags"}}}, root)
    assert accepts({"tags": [1, 2]}, {"tags": [2, 1]}, shape)
    assert not accepts({"other": [1, 2]}, {"other": [2, 1]}, shape)


def test_a_set_is_equal_to_a_list_of_its_content() -> None:
    assert accepts({1, 2}, [2, 1])
    assert accepts([1, 2], {2, 1})


def test_alternatives_and_lists_of_types_in_a_schema() -> None:
    either = Shape({"oneOf": [{"type": ["integer", "null"]}, {"const": "x"}, "broken"]}, {})
    assert either.types == {"integer", "null", "string"}
    assert Shape({"$ref": "#/$defs/Loop"}, {"$defs": {"Loop": {"$ref": "#/$defs/Loop"}}}).types == frozenset()
    inner = Shape({"additionalProperties": {"type": "string"}}, {}).of("any")
    assert inner is not None and inner.types == {"string"}


def test_folding_of_text_is_idempotent_where_composition_and_case_meet() -> None:
    assert folded("\u0345\u0399") == folded(folded("\u0345\u0399"))


@pytest.mark.parametrize(
    ("rule", "right", "wrong"),
    [
        (Date(2024, 11, 11), "2024-11-11", "2024-11-12"),
        (Date(None, 11, 11), "1999-11-11", "1999-12-11"),
        (Date(2024, 11, 11), " 2024-11-11 ", "2024-11-1"),
        (Time(17), "17:00", "17:00:00"),
        (Time(17, 0, 0), "17:00:00", "17:00"),
        (Duration(180), 180, "180"),
        (Duration(180), 180.0, True),
        (OneOf(("a", Time(17))), "17:00", "b"),
        (Regex("[a-z]+ party"), "Fred   Party", "party"),
        (Any_(), None, ...),
        ({"when": Date(None, 1, 2), "n": 1}, {"n": 1.0, "when": "2024-01-02"}, {"when": "2024-01-02"}),
        ([Time(17), "x"], ["17:00", "X"], ["x", "17:00"]),
    ],
)
def test_rules(rule: Any, right: Any, wrong: Any) -> None:
    assert accepts(rule, right)
    assert wrong is ... or not accepts(rule, wrong)


def test_duration_of_a_text_parameter() -> None:
    words, iso = Shape({"type": "string"}, {}), Shape({"type": "string", "format": "duration"}, {})
    assert accepts(Duration(90), "an hour and a half", words)
    assert accepts(Duration(90), "PT1H30M", iso)
    assert not accepts(Duration(90), "an hour and a half", iso)
    assert fault(Duration(90), "an hour and a half", iso) is Kind.WRONG_FORMAT


INTEGER, TEXT = Shape({"type": "integer"}, {}), Shape({"type": "string"}, {})


@pytest.mark.parametrize(
    ("expected", "got", "shape", "kind"),
    [
        ("17:00", "5PM", TEXT, Kind.WRONG_FORMAT),
        ("17:00", "5:00 PM", TEXT, Kind.WRONG_FORMAT),
        ("17:00", "17:00:00", TEXT, Kind.WRONG_FORMAT),
        ("17:00", "2024-11-11T17:00", TEXT, Kind.WRONG_FORMAT),
        ("09:00", "9:00", TEXT, Kind.WRONG_FORMAT),
        ("17:00", "5:00", TEXT, Kind.WRONG_VALUE),
        ("17:00", "8PM", TEXT, Kind.WRONG_VALUE),
        ("17:00", "in the evening", TEXT, Kind.WRONG_VALUE),
        ("17:00", 17, TEXT, Kind.WRONG_TYPE),
        ("2024-11-11", "11/11/2024", TEXT, Kind.WRONG_FORMAT),
        ("2024-11-11", "Nov 11, 2024", TEXT, Kind.WRONG_FORMAT),
        ("2024-11-11", "2024-11-11T17:00", TEXT, Kind.WRONG_FORMAT),
        ("2024-11-11", "20 24-11-11", TEXT, Kind.WRONG_FORMAT),
        ("2024-11-11", "YYYY-11-11", TEXT, Kind.WRONG_FORMAT),
        ("2024-11-11", "Nov 11", TEXT, Kind.WRONG_FORMAT),
        ("2024-11-11", "11/12/2024", TEXT, Kind.WRONG_VALUE),
        ("2024-11-12", "11/12/2024", TEXT, Kind.WRONG_FORMAT),
        ("2024-11-11", "2023-11-11", TEXT, Kind.WRONG_VALUE),
        ("2024-11-11", 20241111, TEXT, Kind.WRONG_TYPE),
        ("2024-11-11", 2002, TEXT, Kind.WRONG_TYPE),
        ("2024-11-11T17:00", "11/11/2024 5PM", TEXT, Kind.WRONG_FORMAT),
        (Date(None, 11, 11), "11/11/2024", TEXT, Kind.WRONG_FORMAT),
        (180, "180", INTEGER, Kind.WRONG_TYPE),
        (180, "200", INTEGER, Kind.WRONG_VALUE),
        (180, "3 hours", INTEGER, Kind.WRONG_FORMAT),
        (180, "180 min", INTEGER, Kind.WRONG_FORMAT),
        (180, "2 hours", INTEGER, Kind.WRONG_VALUE),
        (180, "long", INTEGER, Kind.WRONG_TYPE),
        (180, [180], INTEGER, Kind.WRONG_TYPE),
        (1, True, INTEGER, Kind.WRONG_TYPE),
        (180, 3, INTEGER, Kind.WRONG_VALUE),
        (180, 180.5, INTEGER, Kind.WRONG_TYPE),
        (180, None, INTEGER, Kind.WRONG_TYPE),
        (180, "180", None, Kind.WRONG_TYPE),
        ("Fred", ["Fred"], TEXT, Kind.WRONG_TYPE),
        ("Fred", "Freda", None, Kind.WRONG_VALUE),
        ("5", 5, TEXT, Kind.WRONG_TYPE),
        ("1.10", "1.1", TEXT, Kind.WRONG_VALUE),
        (True, "true", None, Kind.WRONG_TYPE),
        (True, "false", None, Kind.WRONG_VALUE),
        (True, False, None, Kind.WRONG_VALUE),
        (["a", "b"], "a, b", None, Kind.WRONG_TYPE),
        (["a", "b"], ["b", "a"], None, Kind.WRONG_VALUE),
        ([1], ["1"], None, Kind.WRONG_TYPE),
        (["1.10"], ["1.1"], None, Kind.WRONG_VALUE),
        ({"a": 1}, {"a": "1"}, None, Kind.WRONG_TYPE),
        (None, "x", None, Kind.WRONG_VALUE),
        (Regex("a+"), 3, None, Kind.WRONG_TYPE),
        (Regex("a+"), "b", None, Kind.WRONG_VALUE),
        (30, "30", Shape({"anyOf": [{"type": "integer"}, {"type": "null"}]}, {}), Kind.WRONG_TYPE),
    ],
)
def test_fault(expected: Any, got: Any, shape: Shape | None, kind: Kind) -> None:
    assert not accepts(expected, got, shape)
    assert fault(expected, got, shape) is kind
