"""Parts of a run: together all of it, none of it twice."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import anyio
import pytest

from toolmend.base.errors import BadOption
from toolmend.evals.running.plan import Plan, RunPart, read_part
from toolmend.evals.running.runner import run
from toolmend.evals.store import Store
from toolmend.evals.suites.suite import read_suite
from toolmend.models.scripted import Scripted

RIGHT = 'action.add_calendar_entry("Lunch", "2024-05-03", "12:00")'


@pytest.fixture
def plans(suite_file: Callable[..., Path]) -> Callable[[RunPart | None], Plan]:
    """A plan of ten samples, or a part of it."""
    suite = read_suite(suite_file(chosen="cases: [lunch]\n    attempts: 10\n    branches: []"))
    return lambda part: Plan.make(suite, [Scripted([RIGHT])], ["oneline"], part=part)


def test_what_is_read() -> None:
    assert read_part("3/16") == RunPart(3, 16)
    assert str(RunPart(3, 16)) == "3/16"


@pytest.mark.parametrize("text", ["0/4", "5/4", "1/0", "x", "1/2/3", "-1/4", "1", "1/9999999"])
def test_what_is_no_part(text: str) -> None:
    with pytest.raises(BadOption, match="part"):
        read_part(text)


def test_every_key_is_in_one_part_and_no_part_is_much_larger() -> None:
    keys = [f"main/case {number}|m|oneline|0|corrected" for number in range(1600)]
    sizes = [sum(RunPart(number, 16).has(key) for key in keys) for number in range(1, 17)]
    assert sum(sizes) == 1600
    assert max(sizes) < 140


def test_parts_play_one_run_into_one_store(store: Store, plans: Callable[[RunPart | None], Plan]) -> None:
    seen = [anyio.run(run, plans(RunPart(number, 3)), store) for number in (1, 2, 3)]
    assert len({each.id for each in seen}) == 1
    assert [each.status for each in seen] == ["open", "open", "finished"]
    assert store.done_keys(seen[0].id) == {sample.key for sample in plans(None).samples()}


def test_a_part_played_again_after_the_end_finds_the_run_and_plays_nothing(
    store: Store, plans: Callable[[RunPart | None], Plan]
) -> None:
    whole = anyio.run(run, plans(None), store)
    plan = plans(RunPart(1, 3))
    assert anyio.run(run, plan, store) == whole
    assert plan.players[0].model.requests == []  # type: ignore[attr-defined]
