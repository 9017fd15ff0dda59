"""Corrections in stored talks as lines of examples."""

from __future__ import annotations

from pathlib import Path

import pytest

from toolmend.base.events import Asked, Called, Event, Finished, Read, Replied, Undone
from toolmend.base.messages import Call, CallResult
from toolmend.evals.store import RunConfig, Sample, Store, StoredContestant
from toolmend.training.teach.examples import Example
from toolmend.training.teach.stored import corrected, same_tools


def turn(number: int, said: str, product: str, quantity: int, amends: int | None = None) -> list[Event]:
    call = Call("shop.write_off", {"product": product, "quantity": quantity, "cause": "lost"}, f"c{number}")
    taken = [] if amends is None else [Undone(number, (f"c{amends}",))]
    text = Replied(number, "write_off(…)", model="m")
    return [
        Asked(number, said, amends),
        *taken,
        text,
        Read(number, (call,)),
        Called(number, call, CallResult(call.id, 1)),
    ]


TALK = [
    *turn(0, "We lost 3 seed boxes", "Seed box", 2),
    *turn(1, "No, three", "Seed box", 3, amends=0),
    *turn(2, "And the same for the kettle", "Copper kettle", 1),
    *turn(3, "No, three, too", "Copper kettle", 3, amends=2),
    *turn(4, "4 wool blankets are lost", "Wool blanket", 4),
    Finished(),
]


@pytest.fixture
def place(tmp_path: Path) -> str:
    """A store with a talk of the shop."""
    place = str(tmp_path / "runs.db")
    with Store(place) as store:
        run = store.open_run(
            RunConfig("chat", contestants=(StoredContestant("m", "spoken"),), settings={"tools": "shop"})
        )
        store.commit(run, Sample("talk", "m", "spoken", events=tuple(TALK)))
        store.finish(run)
    return place


def test_a_request_that_was_put_right_is_an_example_with_its_correction(place: str) -> None:
    assert corrected("shop", (), place, ()) == [
        'We lost 3 seed boxes => shop.write_off("Seed box", quantity=3, cause="lost")',
        '    No, three => shop.write_off("Seed box", quantity=3, cause="lost")',
    ]  # the second one says "the same", which no sentence alone does; the third was never corrected


def test_an_answer_that_was_picked_is_no_correction_to_learn(tmp_path: Path) -> None:
    place, picked = str(tmp_path / "picked.db"), turn(1, "2", "Seed box", 3, amends=0)
    with Store(place) as store:
        run = store.open_run(
            RunConfig("chat", contestants=(StoredContestant("m", "spoken"),), settings={"tools": "shop"})
        )
        store.commit(run, Sample("talk", "m", "spoken", events=(*TALK[:5], *picked, Finished())))
        store.finish(run)
    assert corrected("shop", (), place, ()) == [
        'We lost 3 seed boxes => shop.write_off("Seed box", quantity=3, cause="lost")'
    ]


def test_what_is_known_is_not_found_again(place: str) -> None:
    assert corrected("shop", (), place, (Example("We lost 3 seed boxes"),)) == []


def test_talks_of_other_tools_are_none(place: str) -> None:
    assert corrected("dungeon", (), place, ()) == []


def test_the_same_file_has_several_names() -> None:
    assert same_tools("./my_tools.py", "my_tools.py")
    assert not same_tools("my_tools.py", "other.py")
    assert not same_tools("shop", "calendar")
