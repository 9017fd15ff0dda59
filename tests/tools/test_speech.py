"""Values that were sent as they were said."""

from __future__ import annotations

import datetime as dt
from typing import Any, Literal

import pytest

from toolmend.base.messages import Call, ToolSpec
from toolmend.models.scripted import Scripted
from toolmend.session import Session
from toolmend.tools import Toolbox, tool
from toolmend.tools.foreign import foreign
from toolmend.tools.toolboxes import Calendar

ADD = "action.add_calendar_entry"
TEA = {"title": "Tea", "date": "2025-06-08", "time": "15:00"}


class Jars(Toolbox):
    """Jars with a clock."""

    receiver = "jars"
    now = dt.datetime(2025, 1, 1)

    @tool
    def put(
        self, many: int, sizes: list[int] | None = None, kind: Literal["plum", "dark cherry"] = "plum"
    ) -> list[Any]:
        """Put jars.

        Args:
            many: how many jars
        """
        return [many, sizes, kind]

    @tool
    def open_on(self, day: dt.date | None, sure: bool = False) -> str:
        """Open a jar."""
        return f"{day} {sure}"


@pytest.mark.parametrize(
    ("given", "argument", "value", "note"),
    [
        ({"time": "7 in the evening"}, "time", "19:00", "time: '7 in the evening' -> '19:00' as spoken"),
        ({"date": "tomorrow"}, "date", "2025-01-02", "date: 'tomorrow' -> '2025-01-02' as spoken"),
        ({"duration": "an hour and a half"}, "duration", 90, "duration: 'an hour and a half' -> 90 as spoken"),
    ],
)
def test_words_are_taken_for_the_value_they_mean(given: dict[str, Any], argument: str, value: Any, note: str) -> None:
    result = Calendar(now=dt.datetime(2025, 1, 1)).run_sync(Call(ADD, {**TEA, **given}))
    assert (result.error, result.value[argument], result.coerced) == (None, value, (note,))


@pytest.mark.parametrize(
    "given", [{"time": "at 7"}, {"date": "some day"}, {"duration": "long"}, {"date": "2025-02-30"}]
)
def test_what_may_mean_several_things_or_none_is_refused(given: dict[str, Any]) -> None:
    result = Calendar(now=dt.datetime(2025, 1, 1)).run_sync(Call(ADD, {**TEA, **given}))
    assert result.fault == "arguments"


def test_switched_off_only_values_are_taken() -> None:
    calendar = Calendar(now=dt.datetime(2025, 1, 1))
    calendar.spoken_values = False
    assert calendar.run_sync(Call(ADD, {**TEA, "time": "7 in the evening"})).fault == "arguments"


def test_inside_lists_choices_and_optional_values_too() -> None:
    box = Jars()
    put = box.run_sync(Call("jars.put", {"many": "two dozen", "sizes": ["three", 4], "kind": "the dark cherry one"}))
    assert put.value == [24, [3, 4], "dark cherry"]
    assert box.run_sync(Call("jars.open_on", {"day": "tomorrow", "sure": "yes"})).value == "2025-01-02 True"


def test_tools_from_elsewhere_are_given_values() -> None:
    spec = ToolSpec("wake", parameters={"type": "object", "properties": {"at": {"type": "string", "format": "time"}}})
    box = Toolbox.of(foreign(spec, lambda arguments: arguments["at"]))
    assert box.run_sync(Call("wake", {"at": "half past six in the morning"})).value == "06:30"


def test_a_call_that_runs_by_its_words_needs_consent_as_any_other() -> None:
    calendar = Calendar(now=dt.datetime(2025, 1, 1))
    session = Session(Scripted([f'{ADD}("Tea", date="8 June", time="3 pm")']), calendar, approve="write=deny")
    assert (session.say("tea").results[0].fault, calendar.entries) == ("refused", [])


def test_the_published_strategy_plays_in_a_world_that_takes_values_alone() -> None:
    calendar = Calendar()
    Session(Scripted([""]), calendar, "freyr_paper")
    assert calendar.spoken_values is False


@pytest.mark.parametrize(
    ("said", "taken"), [("two hours", "2:00:00"), ("an hour and a half", "1:30:00"), ("PT45M", "0:45:00")]
)
def test_a_span_of_time_is_taken_as_it_is_said(said: str, taken: str) -> None:
    def brew(every: dt.timedelta) -> str:
        return str(every)

    assert Toolbox.of(brew).run_sync(Call("brew", {"every": said})).value == taken
