"""The growth worlds: so many tools, the smaller among the bigger ones, calls that can be taken back."""

from __future__ import annotations

import pytest

from toolmend.base.errors import BadFile, BadOption
from toolmend.base.messages import Call
from toolmend.evals.suites.suite import load_suite
from toolmend.extras.worlds.growth import SIZES, Growth, chosen
from toolmend.reading import read_python
from toolmend.tools import Toolbox

CALL = Call("set_heater_level", {"room": "study", "level": 35}, "c1")


@pytest.mark.parametrize("size", SIZES)
def test_each_size_is_registered_and_has_tools_of_different_names_and_descriptions(size: int) -> None:
    specs = Toolbox.load(f"growth-{size}").specs
    assert len({spec.name for spec in specs}) == len({spec.description for spec in specs}) == size
    core = {"book_table", "set_heater_level", "send_invoice", "rent_bicycle", "search_train"}
    assert core <= {spec.name for spec in specs}


def test_smaller_worlds_are_within_bigger_ones_in_the_same_order() -> None:
    for small, big in ((5, 20), (20, 80), (80, 320)):
        names = [spec.name for spec in chosen(small, 1)]
        assert [spec.name for spec in chosen(big, 1) if spec.name in names] == names


def test_a_seed_makes_the_same_world_and_another_seed_another() -> None:
    assert Growth(20, 3).specs == Growth(20, 3).specs
    assert Growth(20, 3).specs != Growth(20, 4).specs


def test_an_unknown_size_is_refused() -> None:
    with pytest.raises(BadOption, match="a growth world has 5, 20, 80, 320 tools, not 7"):
        Growth(7)


def test_a_call_is_noted_and_can_be_taken_back() -> None:
    world = Growth(80)
    assert world.run_sync(CALL).value == "done"
    state = world.state()
    assert state == {"done": [{"tool": "set_heater_level", "arguments": {"room": "study", "level": 35}}]}
    world.undo_sync("c1")
    assert world.state() == {"done": []}
    world.set_state(state)
    assert world.state() == state
    with pytest.raises(BadFile):
        world.set_state({"done": [3]})


def test_reading_changes_nothing_and_bad_arguments_are_refused() -> None:
    world = Growth(5)
    world.run_sync(Call("search_train", {"start": "Ulm", "end": "Trier", "day": "2025-10-15"}))
    assert world.run_sync(Call("set_heater_level", {"room": "study", "level": 101})).fault == "arguments"
    assert world.done == ()


@pytest.mark.parametrize("size", SIZES)
def test_the_twenty_requests_can_be_played_in_every_world(size: int) -> None:
    suite = load_suite("growth", f"growth-{size}")
    steps = [step for case in suite.cases().values() for step in case.steps]
    world = Toolbox.load(suite.tools)
    results = [world.run_sync(read_python(step.reference, world.specs).calls[0]) for step in steps]
    assert (len(results), all(result.ok for result in results)) == (20, True)


def test_a_parameter_that_may_be_left_out_is_not_required() -> None:
    [review] = [spec for spec in chosen(320, 1) if spec.name == "review_haircut"]
    assert review.parameters["required"] == ["stars"]
    assert set(review.parameters["properties"]) == {"stars", "text"}


def test_a_thing_that_begins_with_a_vowel_is_described_with_an() -> None:
    [invoice] = [spec for spec in chosen(5, 1) if spec.name == "send_invoice"]
    assert invoice.description == "Send an invoice to somebody."
