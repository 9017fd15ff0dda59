"""Measures of what models make up: distinct-n, overlap with the request, same names; where the texts come from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolmend.evals.reports.markdown import tables_as_lines
from toolmend.evals.studies.creativity import Item, copied, distinct, measured, overlap, plain_name, same_names, words
from toolmend.evals.studies.creativity_items import Arguments, created, kind
from toolmend.evals.studies.creativity_report import creativity_report, published, tables
from toolmend.evals.suites.suite import Suite
from toolmend.events import Asked, Called, Event, Replied, Undone
from toolmend.messages import Call, CallResult
from toolmend.store import Contestant, RunConfig, Sample, Store

Make = Callable[..., Sample]


def item(name: str = "", description: str = "", case: str = "c", attempt: int = 0, type_: str = "enemy") -> Item:
    return Item(case, (case, attempt), type_, True, name, description, "Add a couple of enemies")


# words ---------------------------------------------------------------------------------------------------------------


def test_words() -> None:
    assert (
        words("SwampySnake, ancient_runes: it’s 2 Zero-gravity")
        == "swampy snake ancient runes it's 2 zero gravity".split()
    )


def test_distinct_is_over_all_words() -> None:
    """Li et al. 2016: bigrams, too, over the number of words, and none across texts."""
    texts = [["a", "b", "a"], ["a", "b"]]
    assert (distinct(texts, 1), distinct(texts, 2), distinct([], 1)) == (2 / 5, 2 / 5, None)


def test_overlap_is_of_content_words() -> None:
    assert overlap("The runes on the wall", "Draw runes on the floor") == 1 / 2
    assert overlap("It is here", "Here it is") is None


def test_copied_is_the_longest_common_run() -> None:
    assert copied("dark chasm and a bridge spanning a dark chasm", "a collapsed bridge spanning a dark chasm") == 5
    assert copied("nothing", "") == 0


@given(st.text(), st.text())
def test_any_texts_have_their_measures(a: str, b: str) -> None:
    shared, run = overlap(a, b), copied(a, b)
    assert (shared is None or 0 <= shared <= 1) and 0 <= run <= min(len(words(a)), len(words(b)))
    assert copied(a, a) == len(words(a)) and overlap(a, a) in (None, 1.0)


# names ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other"),
    [("Gob 1", "Gob 2"), ("SwampySnake", "Enemy SwampySnake"), ("trap_one", "Trap Two"), ("The Goblin", "goblin II")],
)
def test_numbered_names_are_the_same(one: str, other: str) -> None:
    assert plain_name(one, "enemy") == plain_name(other, "enemy")


@pytest.mark.parametrize(("one", "other"), [("Gob", "Bat"), ("Enemy 1", "Bat 1"), ("Old Bat", "Bat")])
def test_other_names_are_others(one: str, other: str) -> None:
    assert plain_name(one, "enemy") != plain_name(other, "enemy")


def test_same_names_are_looked_for_in_one_dialogue_and_type() -> None:
    found = [item("Gob 1"), item("Gob 2"), item("Bat"), item("Gob", type_="trap"), item("Gob", attempt=1)]
    assert same_names(found) == [("c", True), ("c", False)]


def test_what_was_changed_is_no_new_thing() -> None:
    assert same_names([item("Gob"), replace(item("Gob"), new=False)]) == []


# figures -------------------------------------------------------------------------------------------------------------


def test_figures_and_their_intervals() -> None:
    texts = {"p": ("A red bat", "A red bat"), "q": ("A couple of bats", "Green goblins")}
    found = measured([item("", text, case) for case, pair in texts.items() for text in pair])
    assert (found["words"].value, found["words"].trials, found["words"].cases) == (3.0, 4, 2)
    assert (found["overlap"].value, found["copied"].value) == (1 / 2 / 4, (1 + 1 + 3 + 0) / 4)
    assert (found["distinct_1"].value, found["distinct_1"].low) == (8 / 12, None)
    assert found["distinct_1_by_case"].value == (3 / 6 + 6 / 6) / 2
    assert (found["distinct_1_by_case"].low, found["distinct_1_by_case"].high) == (0.5, 1.0)
    assert (found["same_name"].value, found["same_name"].trials) == (None, 0)


def test_an_interval_of_no_width_is_none() -> None:
    found = measured([item("", "A red bat", case) for case in ("p", "q")])
    assert (found["words"].value, found["words"].low) == (3.0, None)


# where they come from ------------------------------------------------------------------------------------------------


def called(id_: str, tool: str = "add_enemy", turn: int = 0, error: str | None = None, **arguments: object) -> Called:
    return Called(
        turn, Call(tool, arguments or {"name": "Bat", "description": "Bad."}, id_), CallResult(id_, error=error)
    )


def names(events: tuple[Event, ...], sample: Make, arguments: Arguments | None = None) -> list[str]:
    return [each.name for each in created(sample(events), arguments or Arguments())]


def test_calls_that_stand_are_counted(sample: Make) -> None:
    events = (Asked(0, "Add"), called("1", name="a"), called("2", name="b", error="no"), called("3", name="c"))
    assert names((*events, Undone(0, ("3",))), sample) == ["a"]
    assert names((*events, Undone(0, ("3",)), Undone(0, ("3",), redone=True)), sample) == ["a", "c"]


def test_given_calls_are_nobodys(sample: Make) -> None:
    assert names((Asked(0, "Add"), Replied(0, "", model="given"), called("1")), sample) == []


def test_only_what_makes_or_changes_counts(sample: Make) -> None:
    tools = ("d.create_room", "update_room", "remove_room", "list_rooms")
    found = list(created(sample([called(str(n), tool) for n, tool in enumerate(tools)]), Arguments()))
    assert [(each.type, each.new) for each in found] == [("room", True), ("room", False)]


def test_kinds_of_tools() -> None:
    assert (kind("d.add_enemy"), kind("update_enemy_properties"), kind("remove_entity")[0]) == (
        ("add", "enemy"),
        ("update", "enemy"),
        "",
    )


def test_the_request_of_a_correction_is_both(sample: Make) -> None:
    events = (Asked(0, "Add a bat. Please!", reminder=" Please!"), Asked(1, "A red one", amends=0), called("1", turn=1))
    (found,) = created(sample(events), Arguments())
    assert found.request == "Add a bat.\nA red one"


def test_a_suite_says_which_arguments_are_open(calendar: Suite) -> None:
    (first, *rest) = calendar.experiments
    steps = tuple(replace(step, open=("description", "hp")) for step in first.cases[0].steps)
    suite = replace(calendar, experiments=(replace(first, cases=(replace(first.cases[0], steps=steps),)), *rest))
    assert Arguments.of(suite) == Arguments((), ("description",), True)
    assert Arguments.of(calendar) == Arguments.of(None) == Arguments()


# the report ----------------------------------------------------------------------------------------------------------


def test_the_published_examples_say_what_the_paper_says() -> None:
    """Tools repeat the request, Freyr less so; both number or repeat their enemies."""
    rows = {(row["model"], row["strategy"]): row for row in published()["rows"]}
    assert {mode: rows["all", mode]["words"]["trials"] for mode in ("Freyr", "Tools")} == {"Freyr": 7, "Tools": 7}
    assert rows["Command-R", "Tools"]["overlap"]["value"] == 1.0
    assert round(rows["all", "Freyr"]["overlap"]["value"], 2) == 0.08
    assert round(rows["all", "Tools"]["overlap"]["value"], 2) == 0.42
    assert rows["all", "Freyr"]["same_name"]["value"] == rows["all", "Tools"]["same_name"]["value"] == 1.0
    assert rows["all", "Freyr"]["overlap"]["low"] is None


def test_a_report_of_a_run(store: Store, sample: Make) -> None:
    contestants = (Contestant("scripted/canned", "freyr"), Contestant("scripted/canned", "native"))
    run_id = store.open_run(RunConfig("dungeon", contestants=contestants))
    for number in range(2):
        events = [Asked(0, "Add a bat"), called(str(number), name="Bat", description="A red bat")]
        store.commit(run_id, sample(events, case=f"main/{number}", strategy="freyr"))
    report = creativity_report(store, store.run(run_id))
    first, second = report["contestants"]
    assert (first["items"], first["overlap"]["value"], first["overlap"]["trials"]) == (2, 0.5, 2)
    assert (second["items"], second["overlap"]["value"]) == (0, None)
    assert report["notes"] == [
        "not all wrote the same number of descriptions: distinct-n falls with the amount of text"
    ]
    lines = tables_as_lines(tables(report))
    assert "| `scripted/canned · freyr` | 2 | 3.0 |" in "\n".join(lines)
    assert [line for line in lines if line.startswith("| *`Freyr (all)`* | 7 | 15.3 |")]


def test_a_run_that_made_up_nothing(store: Store, sample: Make) -> None:
    run_id = store.open_run(RunConfig("lunch", contestants=(Contestant("m", "s"),)))
    assert creativity_report(store, store.run(run_id))["notes"] == [
        "no call of this run made or changed anything with a description"
    ]
