"""Talks about the calendar: every kind of request, what is due on literal examples, and that a calendar can do it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date, datetime
from functools import cache
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from simulated import Exchanges, Unanswered
from toolmend.messages import Call
from toolmend.reading.spoken import read_spoken
from toolmend.resolve.calls import compute
from toolmend.toolboxes import Calendar
from toolmend.training.adapter.calendar_adding import ADD, REMOVE, SHOWN, SPECS
from toolmend.training.adapter.calendar_changes import change_of
from toolmend.training.adapter.calendar_person import CalendarPerson, MadeEntry
from toolmend.training.adapter.calendar_talks import CalendarTalk
from toolmend.training.adapter.talks import Turn, phrases_of

FILES = "tool_talks.txt complaints.txt phrases.txt moves.txt"
LUNCH = {"title": "Lunch with Anna", "date": "2024-05-03", "time": "12:00", "duration": 45}
YOGA = {"title": "Yoga Class", "date": "2024-06-07", "time": "09:00"}


def person(seed: int) -> CalendarPerson:
    """Somebody who types."""
    made = CalendarPerson(Random(seed), phrases_of(FILES, False), date(2023, 1, 1), held_out=False)
    made.speech = False
    return made


def talk(seed: int, *entries: Mapping[str, Any], together: int = 1) -> Unanswered:
    """A talk in which these entries were made, the last `together` by the last reply."""
    made = Unanswered(seed)
    made.person = person(seed)
    made.calls = [Call(ADD, entry, f"c{place}") for place, entry in enumerate(entries, 100)]
    made.made = [call.id for call in made.calls[-together:]]
    made.bares = {
        str(entry["title"]).casefold(): str(entry["title"])[:1].lower() + str(entry["title"])[1:] for entry in entries
    }
    return made


def said_and_due(act: str, *entries: Mapping[str, Any], seeds: int = 400, **more: Any) -> Iterator[tuple[str, Any]]:
    """What is said, and the arguments due."""
    for seed in range(seeds):
        made = talk(seed, *entries, **more)
        getattr(made, act)()
        _, said, due = made.exchanges[0]
        yield said, [values for _, values in due]


@cache
def played() -> list[list[Turn]]:
    """The turns of many talks."""
    return [CalendarTalk(seed).play() for seed in range(150)]


@pytest.mark.parametrize(
    ("base", "pattern", "due"),
    [
        ("2024-05-03", r"the (very )?same day(?! the| of| a | one| two| 3| \w+ weeks?)", "2024-05-03"),
        ("2024-01-31", r"the (next|following) day|the day after", "2024-02-01"),
        ("2024-02-28", r"the (next|following) day|the day after", "2024-02-29"),
        ("2023-02-28", r"the (next|following) day|the day after", "2023-03-01"),
        ("2023-12-31", r"the (next|following) day|the day after", "2024-01-01"),
        ("2024-03-01", r"the (previous|preceding) day|the day before", "2024-02-29"),
        ("2024-12-28", r"week (later|after that)|the week after|the following week|7 days later", "2025-01-04"),
        ("2024-02-27", r"\b(three|3) days (later|after that)", "2024-03-01"),
        ("2024-01-02", r"\b(two|2) days (earlier|before that)", "2023-12-31"),
    ],
)
def test_days_relative_to_the_last_entry(base: str, pattern: str, due: str) -> None:
    told = said_and_due("_relative", {**YOGA, "date": base})
    assert {values["date"] for said, (values,) in told if re.search(pattern, said)} == {due}


@pytest.mark.parametrize(
    ("pattern", "due"),
    [(r"same day as|the day of", "2024-02-29"), (r"day after|day following", "2024-03-01"),
     (r"day before", "2024-02-28"), (r"week after", "2024-03-07")],
)  # fmt: skip
def test_days_relative_to_a_named_entry(pattern: str, due: str) -> None:
    dinner = {"title": "Dinner with Tom", "date": "2024-02-29", "time": "19:00"}
    told = said_and_due("_relative_to", YOGA, dinner, seeds=800)
    assert {
        each["date"] for said, (each,) in told if re.search(rf"({pattern}) (the|my) (dinner|one with Tom)", said)
    } == {due}


@pytest.mark.parametrize("act", ["_relative", "_relative_to"])
def test_right_after_begins_when_the_other_ends(act: str) -> None:
    dinner = {"title": "Dinner", "date": "2024-02-28", "time": "23:30", "duration": 60}
    pattern = r"(?<!day )(right|immediately|directly) after"
    told = said_and_due(act, dinner)
    assert {(each["date"], each["time"]) for said, (each,) in told if re.search(pattern, said)} == {
        ("2024-02-29", "00:30")
    }


def test_an_hour_before_counts_from_the_beginning() -> None:
    pattern = r"(?<![hH]alf )(?<!of )\b(an|one|1) hour (before|ahead of|earlier than) that"
    told = said_and_due("_near", LUNCH, seeds=2000)
    assert {(each["date"], each["time"]) for said, (each,) in told if re.search(pattern, said)} == {
        ("2024-05-03", "11:00")
    }


@pytest.mark.parametrize(
    ("kind", "changed"),
    [("duration", {"duration"}), ("time", {"time"}), ("date", {"date"}), ("rename", {"title"}), ("person", {"title"}),
     ("year", {"date"}), ("both", {"date", "time"}), ("longer", {"duration"}), ("until", {"duration"}),
     ("word", {"title"}), ("head", {"title"}), ("move_days", {"date"}), ("time_and_length", {"time", "duration"}),
     ("span_to", {"time", "duration"}), ("shift", {"date", "time"}), ("shift_days", {"date", "time"})],
)  # fmt: skip
def test_a_change_changes_that_and_nothing_else(kind: str, changed: set[str]) -> None:
    entry = MadeEntry("c1", "lunch with Anna", datetime(2024, 2, 29, 23, 30), 45)
    for seed in range(60):
        change = change_of(kind, entry, person(seed))
        assert set(change.values) == changed
        assert any(entry.values[name] != value for name, value in change.values.items()) or kind == "date"
        assert kind not in ("word", "person", "head") or " with " in change.values["title"]


def test_later_and_earlier_move_across_midnight() -> None:
    dinner = MadeEntry("c1", "dinner", datetime(2023, 12, 31, 23), 30)
    made = [change_of("shift", dinner, person(seed)) for seed in range(200)]
    hours = [change for change in made if change.slots["dur"] in ("an hour", "1 hour", "one hour")]
    assert {(change.section, change.values["date"], change.values["time"]) for change in hours} == {
        ("later", "2024-01-01", "00:00"), ("earlier", "2023-12-31", "22:00")
    }  # fmt: skip


def test_all_that_were_made_together_move_as_far() -> None:
    week_later = {**LUNCH, "date": "2024-05-10", "time": "13:15"}
    told = said_and_due("_group", LUNCH, week_later, together=2)
    moved = [due for said, due in told if re.search(r"(?<!of )(?<!half )\b(an|1|one) hour later", said)]
    assert moved
    assert {(one["time"], other["time"]) for one, other in moved} == {("13:00", "14:15")}


def test_an_entry_is_named_by_a_word_only_when_no_other_has_it() -> None:
    entries = [
        MadeEntry("1", "lunch with Anna", datetime(2024, 5, 3, 12), 30),
        MadeEntry("2", "lunch with Ben", datetime(2024, 5, 4, 13), 30),
    ]
    named = {person(seed).the(entries[0], entries) for seed in range(500)}
    assert "the Anna one" in named
    assert not named & {"the lunch", "the lunch one", "my lunch"}


def test_nobody_says_when_two_days_have_one_name() -> None:
    entries = [MadeEntry(str(day), "swimming", datetime(2024, 5, day, 12), 30) for day in (1, 8)]
    assert all("on " in person(seed).the(entries[0], entries) for seed in range(50))


def test_what_is_wanted_back_is_what_was_cancelled() -> None:
    made = talk(1, LUNCH, YOGA)
    made.gone = [Call(ADD, LUNCH, "c7")]
    made._revive()
    assert [values["title"].casefold() for _, values in made.exchanges[0][2]] == ["lunch with anna"]


def test_what_is_asked_back_is_answered() -> None:
    kinds = set()
    for seed in range(40):
        made = talk(seed, YOGA)
        made._lacking()
        (kind, _, none), (answered, _, due) = made.exchanges
        kinds.add(kind)
        assert (none, answered) == ((), "answer")
        assert [tool for tool, _ in due] == [ADD]
    assert kinds == {"without time", "without day", "without name", "without when"}


def test_what_begins_a_talk_can_be_done() -> None:
    for turns in played():
        computed = (
            compute(read_spoken(turns[0].reply, SHOWN).lines, SPECS, turns[0].against) if turns[0].learned else None
        )
        box = Calendar()
        for place, call in enumerate(computed.calls if computed else ()):
            result = box.run_sync(replace(call, id=f"c{place}"))
            assert result.ok, (turns[0], result.error)


def test_every_learned_reply_comes_to_calls_a_question_or_words() -> None:
    for turns in played():
        for turn in turns:
            if not turn.learned or turn.reply in ("change()", "You're welcome.", "All right."):
                continue
            said = read_spoken(turn.reply, SHOWN)
            computed = compute(said.lines, SPECS, turn.against)
            assert not said.broken
            assert computed.calls or computed.question or turn.op in ("cannot", "question"), turn
            assert all(call.tool in (ADD, REMOVE) for call in computed.calls)


def test_every_kind_of_request_is_made(dialogues: list[Exchanges]) -> None:
    kinds = {kind for made in dialogues for kind, _, _ in made if not kind.startswith("complaint")}
    assert kinds == {
        "add", "relative", "relative_to", "near", "weekday", "two", "three", "days", "again",
        "duration", "time", "date", "both", "shift", "shift_days", "move_days", "until", "longer", "time_and_length",
        "span_to", "rename", "word", "head", "person", "year",
        "duration_of", "time_of", "date_of", "both_of", "shift_of", "move_days_of", "until_of", "time_and_length_of",
        "span_to_of", "rename_of", "word_of", "head_of",
        "group_time", "group_duration", "group_shift", "group_shift_days", "group_one", "group_cancel",
        "cancel", "cancel_last", "cancel_two", "clear", "which", "restore", "revive", "not_that",
        "without time", "without day", "without name", "without when", "vague", "answer",
        "thanks", "cannot", "question", "idle",
    }  # fmt: skip


def test_replies_are_wrong_at_first_in_every_way_and_mended() -> None:
    kinds = {re.sub(r"fix \d", "fix", turn.op) for turns in played() for turn in turns}
    assert kinds >= {"fix wrong", "fix chatter", "fix wrong tool", "fix which", "fix asked needlessly", "groundless"}
    for turns in played():
        for wrong, mended in pairwise(turns):
            assert wrong.learned or (mended.learned and mended.op.startswith("fix"))


def test_some_talks_are_dictated() -> None:
    said = [" ".join(turn.said for turn in turns) for turns in played()]
    dictated = [text for text in said if re.fullmatch(r"[a-zà-ÿ' ]+", text)]
    assert 5 < len(dictated) < 40
