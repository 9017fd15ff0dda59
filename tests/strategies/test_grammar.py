"""The grammar of one line of Python: every call that `render` writes is in it, mutated ones are not."""

from __future__ import annotations

from datetime import date, datetime, time
from enum import Enum
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from masked import Mask
from toolmend.base.messages import Call, ToolSpec
from toolmend.extras.worlds.dungeon import Dungeon
from toolmend.reading import read_python, render
from toolmend.strategies.grammar import line
from toolmend.tools import Toolbox
from toolmend.tools.toolboxes import Calendar


class Color(Enum):
    RED = "red"
    BLUE = "dark blue"


class Size(BaseModel):
    width: int
    deep: bool


def paint(
    color: Color,
    sizes: list[int],
    when: datetime | None = None,
    mode: Literal["fast", 2, True] = "fast",
    wet: bool = False,
    size: Size | None = None,
    notes: Any = None,
    flags: list[bool] | None = None,
) -> None:
    """Paint."""


PAINT = Toolbox.of(paint).specs
CALENDAR, DUNGEON = Calendar().specs, Dungeon().specs
TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x7f"), max_size=12)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-99, 99) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=4,
)


def fits(tools: tuple[ToolSpec, ...], text: str) -> bool:
    mask = Mask(line(tools))
    if not mask.fits(text.encode()):
        return False
    mask.take(text.encode())
    return mask.may_end


ENTRY = {
    "title": TEXTS,
    "date": st.dates(date(1000, 1, 1)).map(date.isoformat),
    "time": st.times().map(lambda moment: time(moment.hour, moment.minute).isoformat("minutes")),
}
PAINTED = {
    "when": st.none() | st.datetimes(datetime(1000, 1, 1)).map(lambda moment: moment.isoformat(timespec="seconds")),
    "mode": st.sampled_from(["fast", 2, True]),
    "wet": st.booleans(),
    "size": st.none() | st.builds(lambda width, deep: {"width": width, "deep": deep}, st.integers(), st.booleans()),
    "notes": JSON,
    "flags": st.lists(st.booleans(), max_size=3),
}
COLORED = {"color": st.sampled_from(["red", "dark blue"]), "sizes": st.lists(st.integers(), max_size=4)}


@given(st.fixed_dictionaries(ENTRY, optional={"duration": st.integers(-10, 10**6)}), st.booleans())
def test_every_entry_is_in_it(arguments, positional):
    ordered = {name: arguments[name] for name in CALENDAR[0].properties if name in arguments}
    assert fits(CALENDAR, render(Call("action.add_calendar_entry", ordered), CALENDAR[0] if positional else None))


@given(st.fixed_dictionaries(COLORED, optional=PAINTED))
def test_values_of_every_kind_are_in_it(arguments):
    assert fits(PAINT, render(Call("paint", arguments), PAINT[0]))


@pytest.mark.parametrize(
    "text",
    [
        'action.add_calendar_entry("Fred", "2024-11-11", "17:00", 30)',
        'action.add_calendar_entry("Fred", "2024-11-11", time="17:00", duration=30)',
        'action.add_calendar_entry(title="Fred",date="2024-11-11",time="17:00")',
        'action.remove_calendar_entry("She said \\"no\\"\\n", date="2024-11-11", time="17:00")',
    ],
)
def test_with_names_and_without(text):
    assert fits(CALENDAR, text)
    assert read_python(text, CALENDAR).problem is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        'Sure! action.add_calendar_entry("Fred", "2024-11-11", "17:00")',
        'action.add_calendar_entry("Fred", "2024-11-11", "17:00"',
        'action.add_calendar_entry("Fred", "2024-11-11", "17:00") # done',
        'action.add_calendar_entry("Fred", "2024-11-11")',
        'action.add_calendar_entry("Fred", "2024-11-11", "5PM")',
        'action.add_calendar_entry("Fred", "2024-13-11", "17:00")',
        'action.add_calendar_entry("Fred", "2024-11-11", "17:00", "30")',
        'action.add_calendar_entry("Fred", "2024-11-11", "17:00", 30, 40)',
        'action.add_calendar_entry(title="Fred", "2024-11-11", "17:00")',
        'action.add_calendar_entry("Fred", title="Fred", date="2024-11-11", time="17:00")',
        'action.add_calendar_entry("Fred", date="2024-11-11", time="17:00", place="here")',
        'action.remove_calendar_entry("Fred", "2024-11-11", "17:00", 30)',
        'action.add_entry("Fred", "2024-11-11", "17:00")',
        f'action.add_calendar_entry("{"x" * 401}", "2024-11-11", "17:00")',
    ],
)
def test_what_is_wrong_is_not_in_it(text):
    assert not fits(CALENDAR, text)


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ('create_room("Hall", description="big")', True),
        ('create_room("Hall", description="big", direction="north")', True),
        ('create_room("Hall", description="big", direction="up")', False),
        ('add_corridor("A", "B", 4, "north")', True),
        ('add_corridor("A", "B", 5, "north")', False),
        ('remove_room("Hall"), remove_room("Hall")', False),
    ],
)
def test_the_dungeon(text, right):
    assert fits(DUNGEON, text) is right


def test_a_tool_without_parameters():
    spec = (ToolSpec("look"),)
    assert fits(spec, "look()")
    assert not fits(spec, "look(1)")
