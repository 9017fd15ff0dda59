"""A model's own mistakes in simulated talks: found as it makes them, named, complained about, mended."""

from pathlib import Path
from random import Random

import pytest

from toolmend.messages import Message, Options, Request
from toolmend.models import load_model
from toolmend.models.builtin import PRESETS
from toolmend.models.builtin.preset import Preset
from toolmend.training.corpus import Source
from toolmend.training.meaning import Exchange
from toolmend.training.own_mistakes import complained, lessons, meant_by, mistakes, search, topic_of
from toolmend.training.phrases import Phrases
from toolmend.training.simulate import simulate

ADD = 'action.add_calendar_entry("Lunch with Ada", date="2024-05-03", time="12:00", duration=30)'
REMOVE = 'action.remove_calendar_entry("Lunch with Ada", "2024-05-03", "12:00")'
SAID = [
    (ADD, ADD.replace("05-03", "05-04"), ("date", "date")),
    (ADD, ADD.replace("2024", "2023"), ("year", "date")),
    (ADD, ADD.replace("12:00", "13:00"), ("time", "time")),
    (ADD, ADD.replace("=30", "=60"), ("duration", "duration")),
    (ADD, ADD.replace("Ada", "Bob"), ("title", "title")),
    (ADD, ADD.replace("12:00", "12 PM"), ("time format", "time")),
    (ADD, ADD.replace("2024-05-03", "05/03/2024"), ("date format", "date")),
    (ADD, ADD.replace("=30", '="half an hour"'), ("duration format", "duration")),
    (ADD, ADD.replace(', date="2024-05-03"', ""), ("missing", "date")),
    (ADD, ADD[:-1] + ', place="here")', ("extra argument", "place")),
    (ADD, REMOVE, ("api", "")),
    (ADD, ADD.replace("add_calendar_entry", "create"), ("api", "")),
    (ADD, f"Sure! {ADD}", ("chatter", "")),
    (ADD, f"{ADD}\n{REMOVE}", ("extra call", "")),
    (ADD, "Which Ada?", ("no call", "")),
    (ADD, ADD[:-1], ("syntax", "")),
    (REMOVE, REMOVE.replace("Ada", "Bob").replace("12:00", "13:00"), ("which", "")),
    (REMOVE, REMOVE.replace("12:00", "13:00"), ("time", "time")),
]


@pytest.mark.parametrize(("due", "said", "topic"), SAID, ids=[str(number) for number in range(len(SAID))])
def test_what_is_wrong_has_a_topic(due, said, topic):
    assert topic_of(said, meant_by(due), Random(1)) == topic


def test_another_spelling_of_the_right_call_is_no_mistake():
    assert topic_of(ADD.replace(", duration=30", ""), meant_by(ADD), Random(1)) is None


@pytest.mark.parametrize("reply", ["Which one do you mean?", f"{ADD}\n{REMOVE}", "You are welcome."])
def test_only_one_call_has_a_meaning_here(reply):
    assert meant_by(reply) is None


@pytest.mark.parametrize("reply", [ADD, REMOVE])
def test_a_meaning_is_written_as_the_reply_it_was_read_from(reply):
    assert str(meant_by(reply)) == reply


def test_a_mistake_is_complained_about_and_mended():
    wrong = ADD.replace("12:00", "13:00")
    talk = [
        Exchange("Lunch with Ada on May 3, 2024 at noon", ADD, True, "add"),
        Exchange("Thanks", "OK.", True, "thanks"),
    ]
    made = complained(talk, {0: wrong}, Random(2), Phrases("complaints.txt", 0.0))
    assert [(each.reply, each.gold) for each in made] == [(wrong, False), (ADD, True), ("OK.", True)]
    assert made[0].user == talk[0].user and made[1].op.startswith("fix ") and made[1].op.endswith(" time")


def test_what_is_found_is_what_the_model_says():
    engine, tokens = Preset.read(PRESETS / "small").load()
    model, right, wrong = load_model("builtin/small"), 0, 0
    for number in range(20):
        talk, before = simulate(4_000_000_000 + number, turns=(1, 3)), list[Message]()
        found = mistakes(engine, tokens, talk)
        for place, exchange in enumerate(talk):
            before.append(Message("user", exchange.user))
            if exchange.gold:
                said = model.reply_now(Request(tuple(before), options=Options(max_tokens=100))).text
                endless = len(tokens.encode(said)) >= 100  # and no lesson
                assert endless or said == found.get(place, exchange.reply)
                right, wrong = right + (place not in found), wrong + (place in found)
            before.append(Message("assistant", exchange.reply))
    assert right >= 5 and wrong >= 3


def test_a_search_is_made_once(tmp_path: Path):
    kept, numbers = tmp_path / "mistakes.json", range(4_000_000_000, 4_000_000_004)
    found = search(PRESETS / "plain", numbers, kept, processes=1)
    assert found and set(found) <= set(numbers)
    assert search(tmp_path / "no preset", numbers, kept) == found


def test_lessons_leave_the_exam_alone_and_take_their_share():
    source = Source(lambda number, held_out: simulate(number, held_out=held_out))
    numbers = range(4_000_000_000, 4_000_000_020)
    found = {number: {0: "Hm?"} for number in numbers}
    none, all_ = lessons(source, found, 0.0), lessons(source, found, 1.0)
    assert [none.dialogue(number, False) for number in range(5)] == [simulate(number) for number in range(5)]
    assert [all_.dialogue(number, True) for number in range(5)] == [simulate(n, held_out=True) for n in range(5)]
    made = [all_.dialogue(number, False) for number in range(40)]
    assert sum(talk[0].reply == "Hm?" and not talk[0].gold for talk in made) > 20
    assert made[7] == all_.dialogue(7, False)
