"""Acceptable values out of JSON, and back for display."""

from __future__ import annotations

from typing import Any

import pytest

from toolmend.base.errors import BadOption
from toolmend.grading import Any_, Date, Duration, OneOf, Optional_, Regex, Time, accepted
from toolmend.grading.expected import shown


@pytest.mark.parametrize(
    ("data", "value", "display"),
    [
        ("x", "x", "x"),
        ([1, 2], [1, 2], [1, 2]),
        ({"a": 1, "b": 2}, {"a": 1, "b": 2}, {"a": 1, "b": 2}),
        ({"oneof": ["a", {"time": "17:00"}]}, OneOf(("a", Time(17))), "a"),
        ({"date": "2024-11-11"}, Date(2024, 11, 11), "2024-11-11"),
        ({"date": {"month": 11, "day": 11}}, Date(None, 11, 11), {"date": {"month": 11, "day": 11}}),
        ({"time": "17:00"}, Time(17), "17:00"),
        ({"time": "17:00:30"}, Time(17, 0, 30), "17:00:30"),
        ({"duration": 30}, Duration(30), 30),
        ({"duration": 1.5}, Duration(1.5), 1.5),
        ({"regex": "a+"}, Regex("a+"), {"regex": "a+"}),
        ({"regex": "a+", "example": "aa"}, Regex("a+", "aa"), {"regex": "a+"}),
        ({"any": True}, Any_(), None),
        ({"optional": {"oneof": [1, 2]}}, Optional_(OneOf((1, 2))), 1),
        ({"a": {"time": "17:00"}}, {"a": Time(17)}, {"a": "17:00"}),
        ([{"oneof": [1, 2]}, 3], [OneOf((1, 2)), 3], [1, 3]),
        ({"value": {"date": "x"}}, {"date": "x"}, {"date": "x"}),
    ],
)
def test_accepted_and_shown(data: Any, value: Any, display: Any) -> None:
    assert accepted(data) == value
    assert shown(value) == display


@pytest.mark.parametrize(
    ("data", "what"),
    [
        ({"date": "2024-02-30"}, "no day"),
        ({"date": {"month": "11"}}, "makes no rule"),
        ({"date": {}}, "makes no rule"),
        ({"time": "25:00"}, "no time of day"),
        ({"time": 17}, "makes no rule"),
        ({"duration": "x"}, "a number of minutes"),
        ({"oneof": []}, "at least one"),
        ({"any": 1}, "wanted: true"),
        ([{"optional": 1}], "an item of a list"),
        ({"oneof": [{"optional": 1}]}, "one of several"),
        ({"regex": "("}, "no regular expression"),
        ({"regex": 3}, "no regular expression"),
    ],
)
def test_broken_rules_say_what_is_wanted(data: Any, what: str) -> None:
    with pytest.raises(BadOption, match=what):
        accepted(data)


def test_what_json_does_not_know_is_shown_as_text() -> None:
    assert shown({"a": {3, 1}, "b": (1, b"x")}) == {"a": [1, 3], "b": [1, "b'x'"]}
