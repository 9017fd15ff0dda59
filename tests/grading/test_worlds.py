"""Checks of a world: what was to change and did not, what changed and was not to, and what was to be said."""

import copy

import pytest

from toolmend.base.errors import BadOption
from toolmend.base.mistakes import Kind, Mark, Mistake
from toolmend.grading import Grade
from toolmend.grading.world_rules import BadState, world_of
from toolmend.grading.worlds import Seen, joined
from toolmend.reading import Reading

BEFORE = {
    "current": "Hall",
    "rooms": [
        {"name": "Hall", "text": "a hall", "enemies": []},
        {"name": "Crypt", "text": "a crypt", "enemies": [{"name": "Ghoul", "hp": 10}], "cells": [{}, {}]},
    ],
}


def after(*changes):
    """The state with some changes: functions of its copy."""
    made = copy.deepcopy(BEFORE)
    for change in changes:
        change(made)
    return made


def enemy(name, hp=5, room=0, **more):
    return lambda state: state["rooms"][room]["enemies"].append({"name": name, "hp": hp, **more})


def wrong(check, state, words="", aside=()):
    """What a check finds: `name: what was found`."""
    found = world_of(check, aside=aside).mistakes(Seen(BEFORE, state, words))
    assert all(each.kind is Kind.WRONG_STATE for each in found)
    return [f"{each.argument}: {each.got}" for each in found]


TWO = [{"at": "rooms/Hall/enemies", "added": 2, "like": {"hp": 5}}]


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        (after(enemy("Rat"), enemy("Bat")), []),
        (after(enemy("Rat")), ["enemies: 1 added (Rat)"]),
        (after(), ["enemies: 0 added"]),
        (after(enemy("Rat"), enemy("Bat", 6)), ["enemies: 2 added (Rat, Bat), 1 of them as asked"]),
        (after(enemy("Rat"), enemy("Bat"), enemy("Cat", 9)), ["everything else: rooms/Hall/enemies/Cat was added"]),
        (
            after(enemy("Rat"), enemy("Bat"), enemy("Cat", room=1)),
            ["everything else: rooms/Crypt/enemies/Cat was added"],
        ),
    ],
)
def test_items_added(state, expected):
    assert wrong(TWO, state) == expected


@pytest.mark.parametrize(
    ("check", "changes", "expected"),
    [
        ({"added": {"range": [1, 2]}}, [enemy("Rat"), enemy("Bat")], []),
        ({"added": {"oneof": [1, 3]}}, [enemy("Rat"), enemy("Bat")], ["enemies: 2 added (Rat, Bat)"]),
        ({"added": 1, "like": {"*": {"contains": "FANG"}}}, [enemy("Rat", looks=["a long fang"])], []),
        ({"added": 1, "like": {"*": [{"contains": "fang"}, {"contains": "rat"}]}}, [enemy("Rat", looks="fang")], []),
        (
            {"added": 1, "like": {"*": [{"contains": "fang"}, {"contains": "cat"}]}},
            [enemy("Rat", looks="fang")],
            ["enemies: 1 added (Rat), 0 of them as asked"],
        ),
        ({"added": 1, "like": {"oneof": [{"name": "Rat", "hp": 9}, {"hp": 5}]}}, [enemy("Rat")], []),
        ({"added": 2, "sum": {"hp": 12}}, [enemy("Rat", 5), enemy("Bat", 7)], []),
        ({"added": 2, "sum": {"hp": 12}}, [enemy("Rat", 5), enemy("Bat", 8)], ["enemies: hp altogether 13"]),
        ({"added": 2, "distinct": "hp"}, [enemy("Rat", 5), enemy("Bat", 7)], []),
        ({"added": 2, "distinct": "hp"}, [enemy("Rat"), enemy("Bat")], ["enemies: hp: 5, 5"]),
        ({"added": 2, "distinct": {"*": "r[ab]t|bat"}}, [enemy("Rat"), enemy("Rat King")], ["enemies: *: rat, rat"]),
        ({"added": 2, "distinct": {"*": "r[ab]t|bat"}}, [enemy("Rat"), enemy("Bat")], []),
    ],
)
def test_what_is_asked_of_added_items(check, changes, expected):
    assert wrong([{"at": "rooms/Hall/enemies", **check}], after(*changes)) == expected


def test_items_of_two_kinds_in_one_place():
    check = [
        {"name": "rats", "at": "rooms/Hall/enemies", "added": 1, "like": {"name": {"contains": "rat"}}},
        {"name": "bats", "at": "rooms/Hall/enemies", "added": 1, "like": {"name": {"contains": "bat"}}},
    ]
    assert wrong(check, after(enemy("Old Rat"), enemy("Old Bat"))) == []
    assert wrong(check, after(enemy("Old Rat"))) == ["bats: 1 added (Old Rat), 0 of them as asked"]


def test_items_removed():
    def gone(state):
        del state["rooms"][1]["enemies"][0]

    check = [{"at": "rooms/*/enemies", "removed": 1, "like": {"name": "Ghoul"}}]
    assert wrong(check, after(gone)) == []
    assert wrong(check, after()) == ["enemies: 0 removed"]


def test_what_something_has_become():
    def weaker(state):
        state["rooms"][1]["enemies"][0]["hp"] = 5

    at = "rooms/Crypt/enemies/Ghoul"
    assert wrong([{"at": f"{at}/hp", "to": 5}], after(weaker)) == []
    assert wrong([{"at": at, "to": {"hp": {"range": [1, 5]}}, "name": "ghoul"}], after(weaker)) == []
    assert wrong([{"at": f"{at}/hp", "to": 6}], after(weaker)) == [f"hp: {at}/hp not as asked"]
    assert wrong([{"at": "rooms/Crypt/enemies/Wight/hp", "to": 6}], after()) == ["hp: not there"]


def test_fields_that_are_not_named_must_stay():
    def other(state):
        state["rooms"][1]["enemies"][0] |= {"hp": 5, "looks": "pale"}

    check = [{"name": "ghoul", "at": "rooms/Crypt/enemies/Ghoul", "to": {"hp": 5}}]
    assert wrong(check, after(other)) == ["everything else: rooms/Crypt/enemies/Ghoul/looks was added"]


def test_counted_over_all_places_or_at_each():
    both = after(enemy("Rat"), enemy("Bat", room=1))
    assert wrong([{"at": "rooms/*/enemies", "added": 2}], both) == []
    assert wrong([{"at": "rooms/*/enemies", "added": 1, "each": True}], both) == []
    two = after(enemy("Rat"), enemy("Bat"))
    assert wrong([{"at": "rooms/*/enemies", "added": 1, "each": True}], two) == ["enemies: 2 added (Rat, Bat)"]


def test_what_may_change_freely_and_what_nobody_looks_at():
    def moved(state):
        state["current"] = "Crypt"

    assert wrong("same", after(moved)) == ["everything else: current was changed"]
    assert wrong([{"at": "current", "free": True}], after(moved)) == []
    assert wrong("same", after(moved), aside=["current"]) == []
    assert wrong("same", after(enemy("Rat")), aside=["rooms/*/enemies"]) == []


def test_only_false_lets_the_rest_change():
    check = {"changes": TWO, "only": False}
    assert wrong(check, after(enemy("Rat"), enemy("Bat"), enemy("Cat", room=1))) == []


@pytest.mark.parametrize(
    ("says", "words", "expected"),
    [
        (True, "That cannot be.", []),
        (True, "  ", ["reply: no words"]),
        ({"contains": ["full", "limit"]}, "The hall is FULL.", []),
        ({"contains": ["full", "limit"]}, "Done.", ["reply: Done."]),
    ],
)
def test_words_that_are_due(says, words, expected):
    assert wrong({"says": says}, after(), words) == expected


def test_one_of_several_ways_is_enough_and_the_nearest_is_told():
    check = {"oneof": [TWO, [{"at": "rooms/Crypt/enemies", "added": 1}]]}
    assert wrong(check, after(enemy("Rat"), enemy("Bat"))) == []
    assert wrong(check, after(enemy("Rat", room=1))) == []
    assert len(wrong(check, after(enemy("Rat")))) == 1


def test_sentences_go_into_the_mistake():
    world = world_of([{**TWO[0], "say": "There should be two of them."}])
    [found] = world.mistakes(Seen(BEFORE, after()))
    assert (str(found), found.expected) == ("wrong_state(enemies)", ["There should be two of them."])


@pytest.mark.parametrize(
    ("check", "key", "said"),
    [
        ("other", "state", "must be `same`, a list of changes or a mapping"),
        ([3], "state", "a change is a mapping"),
        ([{"added": 1}], "at", "must be a path"),
        ([{"at": "rooms//enemies", "added": 1}], "at", "must be a path"),
        ([{"at": "rooms"}], "at", "one of added, removed, to, free"),
        ([{"at": "rooms", "added": 1, "removed": 1}], "removed", "one of added, removed, to, free"),
        ([{"at": "rooms", "add": 1}], "add", "did you mean added?"),
        ([{"at": "rooms", "added": {"range": [2]}}], "added", "two numbers"),
        ([{"at": "rooms", "free": False}], "free", "must be true"),
        ([{"at": "rooms", "to": 1, "like": 2}], "like", "goes with added or removed"),
        ([{"at": "Hall", "added": 1}], "name", "is missing"),
        ([{"at": "rooms", "added": 1, "name": "reply"}], "name", "must be words"),
        ([{"at": "rooms", "added": 1}, {"at": "rooms", "removed": 1}], "name", "two changes are called 'rooms'"),
        ([{"at": "rooms", "added": 1, "say": "two more"}], "say", "is no sentence"),
        ([{"at": "rooms", "added": 1, "say": "Add 2 more."}], "say", "not as people speak"),
        ([{"at": "rooms", "added": 1, "distinct": {"a": "("}}], "distinct", "no regular expression"),
        ({"oneof": [TWO]}, "oneof", "at least two ways"),
        ({"only": "yes"}, "only", "must be true or false"),
        ({"change": []}, "change", "did you mean changes?"),
        ({"say": {"rooms": "X."}}, "rooms", "unknown key"),
    ],
)
def test_a_broken_check_says_where_and_what(check, key, said):
    with pytest.raises(BadState) as caught:
        world_of(check, {}, "state")
    assert caught.value.key == key and said in str(caught.value)
    assert isinstance(caught.value, BadOption)


def test_the_grade_has_both_what_is_wrong_with_the_calls_and_with_the_world():
    call, world = Mistake(Kind.WRONG_VALUE, "hp"), Mistake(Kind.WRONG_STATE, "enemies")
    made = joined(Grade((call,), True, (Mark.MISTAKE,)), Reading(), [world])
    assert (made.mistakes, made.marks) == ((call, world), (Mark.MISTAKE, Mark.MISTAKE))


def test_without_any_call_that_is_what_is_wrong():
    made = joined(Grade((), False), Reading(rest="Sure!"), [Mistake(Kind.WRONG_STATE, "enemies")], "add_enemy")
    assert made.mistakes == (Mistake(Kind.NO_CALL, None, "add_enemy", "add_enemy", "Sure!"),)
    assert made.marks == (Mark.GARBAGE,)


def test_without_any_call_where_none_was_due_only_the_words_are_missing():
    made = joined(Grade((), False), Reading(), [Mistake(Kind.WRONG_STATE, "reply")])
    assert [str(each) for each in made.mistakes] == ["wrong_state(reply)"]


def test_a_field_may_be_called_like_a_rule():
    before, now = {"visits": []}, {"visits": [{"title": "Ada", "date": "2025-05-03"}]}
    check = [{"at": "visits", "added": 1, "like": {"date": "2025-05-03"}}]
    assert world_of(check).mistakes(Seen(before, now)) == ()
    becomes = [{"at": "visits/Ada/date", "to": {"date": {"month": 6}}}]
    moved = {"visits": [{"title": "Ada", "date": "2025-06-03"}]}
    assert world_of(becomes).mistakes(Seen(now, moved)) == ()
