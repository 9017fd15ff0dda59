"""What samples count for, kept beside them: the report comes out as it does from the samples themselves."""

from __future__ import annotations

import json
from dataclasses import replace

import anyio
import pytest

from toolmend.base.errors import BadFile
from toolmend.evals.metrics import counted as module
from toolmend.evals.metrics.counted import count, gathered
from toolmend.evals.metrics.rates import tally
from toolmend.evals.reports.report import READ, _build, _contestant
from toolmend.evals.running.plan import Plan
from toolmend.evals.running.runner import run
from toolmend.evals.store import RunConfig, Sample, Store
from toolmend.evals.suites.suite import load_suite, select
from toolmend.models.scripted import Scripted

LIMITS = {"reliability": 0, "complete": 3, "fixing": 3}
WRONG = 'action.add_calendar_entry("Meeting with Fred", date="2023-11-11", time="05:00", duration=30)'
RIGHT = WRONG.replace("05:00", "17:00")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> list[Sample]:
    """Two models with and without the ladder, corrections, branches and groundless doubt; and an error."""
    suite = select(load_suite("calendar"), ["complete", "fixing"])
    models = [Scripted([WRONG, RIGHT, "Sure!"], name="scripted/b"), Scripted([RIGHT, WRONG], name="scripted/a")]
    with Store(tmp_path_factory.mktemp("played") / "a.db") as store:
        plan = Plan.make(suite, models, ["oneline"], mend="both", attempts=2)
        samples = list(store.samples(anyio.run(run, plan, store).id, by_case=True))
    return [*samples, replace(samples[0], case="fixing/broken", status="error", detail="down")]


def keep(store: Store, samples: list[Sample], counted: bool) -> str:
    """A finished run of these samples, the last first, counted as they were stored or not."""
    experiments = [{"id": name, "corrections": most} for name, most in LIMITS.items()]
    run_id = store.open_run(RunConfig("mine", settings={"experiments": experiments}))
    for sample in reversed(samples):
        store.commit(run_id, sample, count(sample, LIMITS) if counted else None)
    store.finish(run_id)
    return run_id


def told(store: Store, run_id: str) -> str:
    """What the report says, to the letter."""
    return json.dumps([_build(store, run_id)["contestants"], _build(store, run_id)["notes"]])


def test_counts_that_were_kept_are_those_of_the_samples(played: list[Sample]) -> None:
    kept = [(sample.attempt, *(lambda c: (c.kind, c.numbers))(count(sample, LIMITS))) for sample in reversed(played)]
    by_case = sorted(played, key=lambda sample: (sample.model, sample.strategy, sample.case, sample.attempt))
    from_samples, from_counts = tally(by_case, LIMITS), gathered([kept[:5], kept[5:]])
    assert [*from_counts] == [*from_samples]
    for who, counts in from_counts.items():
        assert json.dumps(_contestant(*who, counts, {})) == json.dumps(_contestant(*who, from_samples[who], {}))


def test_the_samples_have_something_to_count(played: list[Sample]) -> None:
    every = tally(played, LIMITS)
    assert len(every) == 4
    for name in ("first", "within", "trials", "to_right", "doubts", "dialogues", "kinds", "errors"):
        assert any(getattr(counts, name) for counts in every.values()), name


def test_a_store_of_before_says_the_same(store: Store, played: list[Sample]) -> None:
    old = keep(store, played, counted=False)
    before = told(store, old)
    assert told(store, old) == before
    store.delete_run(old)
    assert told(store, keep(store, played, counted=True)) == before


def test_other_code_counts_anew(store: Store, played: list[Sample], monkeypatch: pytest.MonkeyPatch) -> None:
    run_id = keep(store, played, counted=True)
    before = told(store, run_id)
    monkeypatch.setattr(module, "version", lambda: "another")
    assert told(store, run_id) == before
    assert [len(page) for page in store.counted(run_id, "another")] == [len(played)]


def test_a_store_that_cannot_be_written_tells_its_counts_all_the_same(
    store: Store, played: list[Sample], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise BadFile("a.db", "cannot be written")

    run_id = keep(store, played, counted=False)
    with monkeypatch.context() as patch:
        patch.setattr(store, "keep_counted", refuse)
        told_without = told(store, run_id)
    assert told_without == told(store, run_id)


def test_a_sample_that_takes_the_place_of_an_error_is_counted_in_its_place(store: Store, played: list[Sample]) -> None:
    run_id = store.open_run(RunConfig("mine"))
    error = replace(played[0], status="error", detail="down")
    store.commit(run_id, error, count(error, LIMITS))
    store.commit(run_id, played[0])
    (contestant,) = _build(store, run_id)["contestants"]
    assert (contestant["samples"], contestant["errors"]) == (1, 0)


def test_events_that_are_left_out_count_for_nothing(played: list[Sample]) -> None:
    for sample in played:
        short = replace(sample, events=tuple(event for event in sample.events if isinstance(event, READ)))
        assert count(short, LIMITS) == count(sample, LIMITS)


def test_the_first_attempts_are_found_by_what_was_counted(store: Store, played: list[Sample]) -> None:
    run_id = keep(store, played, counted=True)
    assert {sample.attempt for sample in store.samples(run_id, attempts=1)} == {0}
