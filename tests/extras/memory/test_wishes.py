"""Preferences: learned from what is said again and again, citing it; only what is confirmed holds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from toolmend.base.errors import BadOption
from toolmend.base.events import Event
from toolmend.extras.memory import Preferences, Stream
from toolmend.extras.memory.context import Changes

Made = Callable[..., list[Event]]


@pytest.fixture
def wishes(stream: Stream) -> Preferences:
    return Preferences(stream)


def changes(events: list[Event]) -> list[tuple[str, dict[str, Any]]]:
    taken = Changes()
    return [change for event in events for change in taken.take(event)]


def learned(wishes: Preferences, made: list[list[Event]], first: int = 0) -> list[str]:
    for number, events in enumerate(made, start=first):
        for text, data in changes(events):
            wishes.stream.remember(text, kind="correction", talk=f"t{number}", data=data)
    return [each.text for each in wishes.propose()]


def test_a_correction_is_the_argument_it_changed(corrected: Made) -> None:
    [(text, data)] = changes(corrected(45))
    assert text == "corrected duration of add from 30 to 45: “make it longer”"
    beside = {"title": "Team meeting"}
    about = {"tool": "add", "argument": "duration", "was": 30, "now": 45, "beside": beside, "call": "c2"}
    assert data == about
    assert changes(corrected(45)[:-2]) == []


def test_three_corrections_that_agree_propose_a_wish(wishes: Preferences, corrected: Made) -> None:
    talks = [corrected(45, title=title) for title in ("Team meeting", "Meeting with Bo", "board meeting")]
    assert learned(wishes, talks[:2]) == []
    assert learned(wishes, talks) == [
        'duration of add is 45 by default where it is about "meeting" (corrected 3 times)'
    ]
    [wish] = wishes.known()
    assert (wish.state, wish.cites) == ("proposed", (1, 2, 3))


def test_corrections_that_differ_propose_nothing(wishes: Preferences, corrected: Made) -> None:
    assert learned(wishes, [corrected(now) for now in (45, 60, 45, 60, 45)]) == []


def test_only_what_is_confirmed_is_applied(wishes: Preferences, corrected: Made) -> None:
    learned(wishes, [corrected(45)] * 3)
    [wish] = wishes.known()
    assert wishes.text() == ""
    wishes.confirm(wish.id)
    assert wishes.text().endswith(
        '- duration of add is 45 by default where it is about "team meeting" (corrected 3 times)'
    )
    wishes.undo(wish.id)
    assert wishes.text() == ""
    with pytest.raises(BadOption, match="is undone; only what is confirmed can be undone"):
        wishes.undo(wish.id)


def test_what_was_declined_needs_fresh_corrections(wishes: Preferences, corrected: Made) -> None:
    learned(wishes, [corrected(45)] * 3)
    wishes.decline(wishes.known()[0].id)
    assert learned(wishes, [corrected(45)] * 2, first=3) == []
    assert len(learned(wishes, [corrected(45)], first=5)) == 1


def test_a_new_wish_takes_the_place_of_the_old_one(wishes: Preferences) -> None:
    old, new = wishes.prefer("add", "duration", 45), wishes.prefer("add", "duration", 60)
    wishes.confirm(old.id)
    wishes.confirm(new.id)
    assert [each.state for each in wishes.known()] == ["undone", "confirmed"]


@pytest.mark.parametrize("value", [None, [1], {"a": 1}, "x" * 81])
def test_a_default_is_a_number_or_a_short_text(wishes: Preferences, value: Any) -> None:
    with pytest.raises(BadOption, match="a preferred value"):
        wishes.prefer("add", "duration", value)


def test_only_preferences_are_confirmed(stream: Stream, wishes: Preferences) -> None:
    stream.remember("It rains.")
    with pytest.raises(BadOption, match="m1 is no preference"):
        wishes.confirm("m1")
