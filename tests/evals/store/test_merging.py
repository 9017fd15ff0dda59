"""Parts of a run brought together: nothing twice, nothing lost, and nothing of another run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest

from toolmend.base.errors import BadOption
from toolmend.base.messages import Wire
from toolmend.evals.store import RunConfig, Sample, Store

Maker = Callable[..., Store]


@pytest.fixture
def config(config: RunConfig) -> RunConfig:
    """A run of four samples."""
    return replace(config, settings={"samples": 4})


@pytest.fixture
def part(tmp_path: Path, config: RunConfig, sample: Sample) -> Iterator[Maker]:
    """Makes a store with some attempts of one run."""
    numbers = count()
    with ExitStack() as stack:

        def make(*attempts: int, config: RunConfig = config, **given: str) -> Store:
            store = stack.enter_context(Store(tmp_path / f"part {next(numbers)}.db"))
            run = store.open_run(config)
            for attempt in attempts:
                store.commit(run, replace(sample, attempt=attempt, **given))
            return store

        yield make


def attempts(store: Store) -> list[int]:
    return sorted(sample.attempt for sample in store.samples(store.runs()[0].id))


def test_parts_make_the_run(store: Store, part: Maker) -> None:
    merged = store.merge([part(0, 2), part(1, 3)])
    assert (merged.new, merged.there, merged.whole, merged.run.status) == (4, 0, True, "finished")
    assert attempts(store) == [0, 1, 2, 3]


def test_samples_are_what_they_were(store: Store, part: Maker, sample: Sample) -> None:
    one = part(1)
    run = store.merge([one]).run.id
    assert list(store.samples(run)) == [sample]


def test_a_second_time_changes_nothing(store: Store, part: Maker) -> None:
    parts = [part(0, 2), part(1, 3)]
    first = store.merge(parts).run
    again = store.merge(parts)
    assert (again.run, again.new, again.there) == (first, 0, 4)


def test_a_run_with_samples_missing_stays_open_until_they_come(store: Store, part: Maker) -> None:
    assert store.merge([part(0, 2)]).run.status == "open"
    assert store.merge([part(1, 3)]).run.status == "finished"


def test_an_error_gives_way_to_a_good_sample_and_never_the_other_way(store: Store, part: Maker) -> None:
    failed, good = part(0, status="error", detail="no answer"), part(0)
    assert store.counts(store.merge([failed, good, failed]).run.id) == {"ok": 1, "error": 0}


def test_what_went_over_the_wire_comes_along(store: Store, part: Maker) -> None:
    one, wire = part(0), Wire("asked", "said")
    one.keep_exchange("m", wire)
    store.merge([one])
    assert store.exchange(wire.key) == wire


def test_two_runs_of_one_name_are_refused_and_nothing_is_kept(store: Store, part: Maker) -> None:
    with pytest.raises(BadOption, match="two runs of one name"):
        store.merge([part(0, 1), part(1, 2, started="2025-01-01T00:00:00+00:00")])
    assert store.runs() == []


@pytest.mark.parametrize(
    ("other", "told"),
    [
        ({"suite": "shop"}, "it is of the suite 'shop', not 'calendar'"),
        ({"suite_hash": "9"}, "its suite 'calendar' has another content"),
        ({"versions": {"toolmend": "9.0"}}, "it was made by toolmend 9.0, not toolmend 1.0"),
        ({"temperature": 0.5}, "it has other temperature"),
    ],
)
def test_a_part_of_another_run_is_refused(
    store: Store, part: Maker, config: RunConfig, other: dict[str, object], told: str
) -> None:
    config = replace(config, suite="calendar", versions={"toolmend": "1.0"})
    with pytest.raises(BadOption, match=told):
        store.merge([part(0, config=config), part(1, config=replace(config, **other))])  # type: ignore[arg-type]
    assert store.runs() == []


def test_a_part_with_several_runs_or_none_is_refused(store: Store, part: Maker, config: RunConfig) -> None:
    one = part(0)
    one.open_run(replace(config, temperature=0.5))
    with pytest.raises(BadOption, match="holds 2 runs"):
        store.merge([one])
    one.delete_run(one.runs()[0].id)
    one.delete_run(one.runs()[0].id)
    with pytest.raises(BadOption, match="holds no run"):
        store.merge([one])


def test_a_store_is_not_merged_into_itself(store: Store) -> None:
    with pytest.raises(BadOption, match="itself"):
        store.merge([store])
