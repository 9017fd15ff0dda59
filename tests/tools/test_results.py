"""What tools return, as JSON-able data."""

import dataclasses
import datetime as dt
import enum
from typing import Any

import pytest

from toolmend.base.errors import ToolError
from toolmend.base.messages import Call
from toolmend.tools import Toolbox
from toolmend.tools.tool import jsonable


class Colour(enum.Enum):
    RED = "red"


@dataclasses.dataclass
class Point:
    x: int


class Own:
    def to_json(self) -> str:
        return "own"


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        (None, None),
        ("a", "a"),
        (1.5, 1.5),
        ((1, "a"), [1, "a"]),
        ({"a": (1,)}, {"a": [1]}),
        ({1: 2}, {"1": 2}),
        (dt.date(2024, 11, 11), "2024-11-11"),
        (Colour.RED, "red"),
        ([Point(1)], [{"x": 1}]),
        ({"it": Own()}, {"it": "own"}),
    ],
)
def test_plain_data(value: Any, plain: Any) -> None:
    assert jsonable(value) == plain


def test_what_json_cannot_carry_is_refused() -> None:
    with pytest.raises(ToolError, match=r"^the tool returned a object, which JSON cannot carry"):
        jsonable([object()])


def test_what_is_done_and_stays_is_told_though_json_cannot_carry_it() -> None:
    class Lamp:
        def __str__(self) -> str:
            return "the lamp in the hall"

    def switch() -> list[Lamp]:
        return [Lamp()]

    assert Toolbox.of(switch).run_sync(Call("switch")).value == ["the lamp in the hall"]
