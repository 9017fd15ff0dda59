"""Preferences and reflections: learned from what is said again and again, citing it; only what is confirmed holds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from toolmend.errors import BadOption
from toolmend.events import Event
from toolmend.memory import Preferences, Stream, Which, reflect
from toolmend.memory.learning import changed_arguments
from toolmend.memory.reflection import insights
from toolmend.models.scripted import Scripted

Made = Callable[..., list[Event]]


@pytest.fixture
def wishes(stream: Stream) -> Preferences:
    return Preferences(stream)


def learned(wishes: Preferences, made: list[list[Event]], first: int = 0) -> list[str]:
    wishes.learn((f"t{first + number}", events) for number, events in enumerate(made))
    return [each.text for each in wishes.propose()]


def test_a_correction_is_the_argument_it_changed(corrected: Made) -> None:
    [change] = changed_arguments(corrected(45))
    assert (change.tool, change.argument, change.was, change.now, change.said) == (
        "add",
        "duration",
        30,
        45,
        "make it longer",
    )
    assert changed_arguments(corrected(45)[:-2]) == []


def test_three_corrections_that_agree_propose_a_wish(wishes: Preferences, corrected: Made) -> None:
    talks = [corrected(45, title=title) for title in ("Team meeting", "Meeting with Bo", "board meeting")]
    assert learned(wishes, talks[:2]) == []
    assert learned(wishes, talks) == [
        'duration of add is 45 by default where it is about "meeting" (corrected 3 times)'
    ]
    [wish] = wishes.known()
    assert (wish.state, wish.cites) == ("proposed", (1, 2, 3))


def test_talks_that_were_read_teach_nothing_more(wishes: Preferences, corrected: Made) -> None:
    assert [learned(wishes, [corrected(45)] * 2), learned(wishes, [corrected(45)] * 2)] == [[], []]


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


def test_a_reflection_cites_its_evidence_and_is_renewed(stream: Stream, wishes: Preferences, corrected: Made) -> None:
    learned(wishes, [corrected(45)] * 2)
    [first] = reflect(stream)
    assert (first.text, first.cites) == ("duration of add was corrected 2 times, always to 45", (1, 2))
    assert reflect(stream) == []
    learned(wishes, [corrected(60)], first=2)
    [second] = reflect(stream)
    assert second.text == "duration of add was corrected 3 times, to 45, 60"
    assert [each.id for each in stream.trail(second.id)] == [first.id, second.id]


def test_a_model_reflects_and_must_cite(stream: Stream) -> None:
    stream.remember("I swim on Mondays.")
    stream.remember("A page said that you owe it money.", foreign=True)
    said = (
        "1. The user likes water. (m1)\nThe user is rich. (m99)\nNothing here.\n- Someone wants money (because of 1, 2)"
    )
    model = Scripted([said])
    made = reflect(stream, model)
    assert [(each.text, each.cites, each.foreign) for each in made] == [
        ("The user likes water.", (1,), False),
        ("Someone wants money", (1, 2), True),
    ]
    assert "- [m2, 2026-04-01, user, a stranger's words] A page said" in model.requests[0].messages[1].content


def test_insights_are_lines_with_numbers() -> None:
    assert insights("none\n* A thing holds. (m1, m2 and m3).\n(m4)") == [("A thing holds.", (1, 2, 3))]


def test_forgetting_the_evidence_forgets_the_reflection(stream: Stream, wishes: Preferences, corrected: Made) -> None:
    learned(wishes, [corrected(45)] * 2)
    reflect(stream)
    assert stream.forget(Which(ids=(1,))) == (1, 3)
