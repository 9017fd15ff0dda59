"""Kept reports: found under their key, replaced, gone with their run; and the state that makes part of the key."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

from toolmend.base.errors import UnknownName
from toolmend.evals.store import RunConfig, Sample, Store

REPORT = {"schema": 1, "value": 0.1 + 0.2, "none": None, "names": ["naïve 🥦", "\ud800", "\0"], "deep": {"1": [True]}}


def test_a_report_comes_back_as_it_was(store: Store, config: RunConfig) -> None:
    run = store.open_run(config)
    store.keep_report(run, "key", REPORT)
    assert store.kept_report(run, "key") == REPORT


def test_under_another_key_there_is_none(store: Store, config: RunConfig) -> None:
    run = store.open_run(config)
    assert store.kept_report(run, "key") is None
    store.keep_report(run, "key", REPORT)
    assert store.kept_report(run, "another") is None
    assert store.kept_report("nowhere", "key") is None


def test_a_later_report_takes_the_place_of_the_one_before(store: Store, config: RunConfig) -> None:
    run = store.open_run(config)
    for key in ("first", "second"):
        store.keep_report(run, key, {"key": key})
    assert [store.kept_report(run, key) for key in ("first", "second")] == [None, {"key": "second"}]


def test_a_report_goes_with_its_run(store: Store, config: RunConfig) -> None:
    run, other = store.open_run(config), store.open_run(replace(config, attempts=9))
    for each in (run, other):
        store.keep_report(each, "key", REPORT)
    store.delete_run(run)
    assert [store.kept_report(each, "key") for each in (run, other)] == [None, REPORT]


def test_a_report_of_no_run_names_the_run(store: Store) -> None:
    with pytest.raises(UnknownName, match="unknown run 'nowhere'"):
        store.keep_report("nowhere", "key", {})
    with pytest.raises(UnknownName, match="unknown run 'nowhere'"):
        store.state("nowhere")


def test_the_state_changes_with_everything_that_changes_a_run(store: Store, config: RunConfig, sample: Sample) -> None:
    run = store.open_run(config)
    failed = replace(sample, case="dinner", status="error", detail="down", events=())
    states = [store.state(run)]
    for step in (
        lambda: store.commit(run, sample),
        lambda: store.commit(run, failed),
        lambda: store.finish(run),
        lambda: store.open_run(config),
        lambda: store.finish(run),
        lambda: store.commit(run, replace(failed, status="ok")),
        lambda: store.open_run(config),
    ):
        step()
        states.append(store.state(run))
    assert [n for n, (before, after) in enumerate(pairwise(states)) if before == after] == []


def test_the_state_stays_while_nothing_changes(store: Store, config: RunConfig, sample: Sample) -> None:
    run, other = store.open_run(config), store.open_run(replace(config, attempts=9))
    store.commit(run, sample)
    store.finish(run)
    before = store.state(run)
    assert not store.commit(run, replace(sample, seed=9))
    store.commit(other, sample)
    store.finish(run)
    assert store.state(run) == before
