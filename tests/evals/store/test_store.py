"""What every store promises, whatever database keeps it."""

from __future__ import annotations

import threading
from dataclasses import replace
from datetime import date

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from toolmend.base.errors import BadFile, BadOption, UnknownName
from toolmend.base.events import Asked, Called, Marked, Replied
from toolmend.base.messages import Call, CallResult
from toolmend.base.mistakes import Kind, Mistake
from toolmend.evals.store import RunConfig, Sample, Store, queries

ANY_TEXT = st.text(st.characters(), max_size=30)
ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | ANY_TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(ANY_TEXT, inner, max_size=3),
    max_leaves=8,
)


def failed(sample: Sample, detail: str) -> Sample:
    return replace(sample, status="error", detail=detail, events=sample.events[:2])


# -- runs ------------------------------------------------------------------------------------------------------------


def test_a_run_keeps_its_configuration(store: Store, config: RunConfig) -> None:
    run = store.run(store.open_run(config))
    assert (run.config, run.status, run.finished) == (config, "open", None)


def test_times_are_iso_in_utc(store: Store, config: RunConfig) -> None:
    run = store.finish(store.open_run(config))
    assert run.finished is not None and run.created < run.finished
    assert run.created.endswith("Z") and len(run.created) == len("2024-11-11T17:00:00.000000Z")


def test_the_same_configuration_goes_on_until_it_is_finished(store: Store, config: RunConfig) -> None:
    first = store.open_run(config)
    assert store.open_run(config) == first
    assert store.finish(first).status == "finished"
    assert store.open_run(config) != first


def test_another_configuration_is_another_run(store: Store, config: RunConfig) -> None:
    assert store.open_run(config) != store.open_run(replace(config, attempts=3))


def test_a_run_with_errors_goes_on_with_the_same_command(store: Store, config: RunConfig, sample: Sample) -> None:
    run = store.open_run(config)
    store.commit(run, failed(sample, "server down"))
    assert store.finish(run).status == "errors"
    assert store.open_run(config) == run
    assert (store.run(run).status, store.run(run).finished) == ("open", None)
    store.commit(run, sample)
    assert store.finish(run).status == "finished"


def test_finishing_twice_changes_nothing(store: Store, config: RunConfig) -> None:
    run = store.open_run(config)
    assert store.finish(run) == store.finish(run)


def test_runs_are_listed_newest_first_and_by_suite(store: Store, config: RunConfig) -> None:
    made = [store.open_run(replace(config, suite=suite)) for suite in ("a", "b", "c")]
    assert [run.id for run in store.runs()] == made[::-1]
    assert [run.id for run in store.runs("b")] == [made[1]]


def test_the_last_run(store: Store, config: RunConfig) -> None:
    assert store.last_run() is None
    _, newer = [store.open_run(replace(config, suite=suite)) for suite in ("a", "b")]
    last = store.last_run()
    assert last is not None and last.id == newer


def test_a_run_of_which_nothing_could_be_run_is_not_the_last(store: Store, config: RunConfig) -> None:
    good, bad = (store.open_run(replace(config, suite=suite)) for suite in ("a", "b"))
    store.commit(good, Sample("lunch", "m", "s"))
    store.commit(bad, Sample("lunch", "m", "s", status="error", detail="no server"))
    last = store.last_run()
    assert last is not None
    assert last.id == good


def test_a_run_is_found_by_the_beginning_of_its_id(store: Store, config: RunConfig) -> None:
    run = store.open_run(config)
    assert [store.find_run(run[:length]).id for length in (4, 11, 12)] == [run] * 3


@pytest.mark.parametrize("prefix", ["", "zz", "%", "_"])
def test_a_run_that_is_not_there_is_an_unknown_name(store: Store, config: RunConfig, prefix: str) -> None:
    run = store.open_run(config)
    with pytest.raises(UnknownName, match=f"known: {run}"):
        store.find_run(prefix)


def test_a_beginning_that_several_runs_share_is_a_bad_option(store: Store, config: RunConfig) -> None:
    made = [store.open_run(replace(config, attempts=number)) for number in range(17)]
    shared = next(digit for digit in "0123456789abcdef" if sum(run.startswith(digit) for run in made) > 1)
    with pytest.raises(BadOption, match=f"run '{shared}' may be any of {shared}"):
        store.find_run(shared)


def test_deleting_a_run_deletes_its_samples_and_no_others(store: Store, config: RunConfig, sample: Sample) -> None:
    gone, kept = store.open_run(config), store.open_run(replace(config, suite="other"))
    for run in (gone, kept):
        store.commit(run, sample)
    store.delete_run(gone)
    assert [run.id for run in store.runs()] == [kept]
    assert list(store.samples(kept)) == [sample]


@pytest.mark.parametrize("method", ["run", "finish", "done_keys", "counts", "samples", "delete_run"])
def test_every_method_names_a_run_that_is_not_there(store: Store, method: str) -> None:
    with pytest.raises(UnknownName, match="unknown run 'nowhere'"):
        getattr(store, method)("nowhere")


# -- samples ---------------------------------------------------------------------------------------------------------


def test_a_sample_comes_back_as_it_was(store: Store, config: RunConfig, sample: Sample) -> None:
    run = store.open_run(config)
    assert store.commit(run, sample)
    assert list(store.samples(run)) == [sample]


def test_the_first_good_sample_wins(store: Store, config: RunConfig, sample: Sample) -> None:
    run = store.open_run(config)
    assert [store.commit(run, sample), store.commit(run, replace(sample, seed=8, events=()))] == [True, False]
    assert list(store.samples(run)) == [sample]


def test_several_are_kept_at_once_and_of_those_that_are_there_none(
    store: Store, config: RunConfig, sample: Sample
) -> None:
    run = store.open_run(config)
    three = [(replace(sample, attempt=number), None) for number in range(3)]
    assert [store.commit_all(run, three[:2]), store.commit_all(run, three)] == [2, 1]
    assert [kept.attempt for kept in store.samples(run)] == [0, 1, 2]


def test_an_error_gives_way_to_a_good_sample_and_to_a_newer_error(
    store: Store, config: RunConfig, sample: Sample
) -> None:
    run = store.open_run(config)
    assert [store.commit(run, failed(sample, detail)) for detail in ("down", "wrong key")] == [True, True]
    assert [found.detail for found in store.samples(run)] == ["wrong key"]
    assert store.commit(run, sample)
    assert list(store.samples(run)) == [sample]


def test_a_good_sample_never_gives_way(store: Store, config: RunConfig, sample: Sample) -> None:
    run = store.open_run(config)
    store.commit(run, sample)
    assert not store.commit(run, failed(sample, "down"))
    assert list(store.samples(run)) == [sample]


def test_only_good_samples_are_done(store: Store, config: RunConfig, sample: Sample) -> None:
    run = store.open_run(config)
    store.commit(run, sample)
    store.commit(run, failed(replace(sample, case="other"), "down"))
    assert store.done_keys(run) == {"concert|m|oneline|1|corrected"}
    assert store.counts(run) == {"ok": 1, "error": 1}


def test_the_same_key_in_another_run_is_another_sample(store: Store, config: RunConfig, sample: Sample) -> None:
    runs = [store.open_run(replace(config, suite=suite)) for suite in ("a", "b")]
    assert [store.commit(run, sample) for run in runs] == [True, True]


def test_a_sample_for_a_deleted_run_names_the_run(store: Store, config: RunConfig, sample: Sample) -> None:
    run = store.open_run(config)
    store.delete_run(run)
    with pytest.raises(UnknownName, match=run):
        store.commit(run, sample)
    assert store.commit(store.open_run(config), sample)


def test_committed_samples_are_seen_by_another_store_at_once(
    place: str, store: Store, config: RunConfig, sample: Sample
) -> None:
    run = store.open_run(config)
    store.commit(run, sample)
    with Store(place, create=False) as other:
        assert list(other.samples(run)) == [sample]


def test_samples_come_in_the_order_of_their_coming(
    store: Store, config: RunConfig, sample: Sample, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queries, "CHUNK", 2)
    run = store.open_run(config)
    for name in "edcba":
        store.commit(run, replace(sample, case=name))
    assert [found.case for found in store.samples(run)] == list("edcba")


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=ANY_TEXT, value=ANY_JSON, name=ANY_TEXT)
def test_any_text_and_any_json_value_come_back(
    store: Store, config: RunConfig, text: str, value: object, name: str
) -> None:
    call = Call(text, {name: value}, id="c1")
    mistake = Mistake(Kind.WRONG_VALUE, name, text, value, [value])
    events = (Asked(0, text), Replied(0, text), Called(0, call, CallResult("c1", value)), Marked(0, (), (mistake,)))
    sample = Sample(text, name, text, arm=name, detail=text, events=events)
    run = store.open_run(config)
    store.commit(run, sample)
    assert [found.events for found in store.samples(run)] == [events]
    assert store.done_keys(run) == {sample.key}
    store.delete_run(run)


def test_a_value_that_json_does_not_know_is_kept_as_text(store: Store, config: RunConfig) -> None:
    run = store.open_run(config)
    result = CallResult("c1", {"on": date(2024, 11, 11), "all": {2, 1}, "what": 1j})
    store.commit(run, Sample("a", "m", "s", events=(Called(0, Call("t"), result),)))
    (found,) = store.samples(run)
    assert isinstance(found.events[0], Called)
    assert found.events[0].result.value == {"on": "2024-11-11", "all": [1, 2], "what": "1j"}


# -- at once, and not at all -----------------------------------------------------------------------------------------


def test_threads_may_share_a_store(store: Store, config: RunConfig, sample: Sample) -> None:
    run = store.open_run(config)
    won: list[bool] = []

    def work() -> None:
        won.extend([store.commit(run, replace(sample, attempt=number)) for number in range(30)])

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(won), sum(won), store.counts(run)) == (120, 30, {"ok": 30, "error": 0})


def test_a_closed_store_opens_again(place: str, config: RunConfig, sample: Sample) -> None:
    for expected in (True, False):
        with Store(place) as store:
            assert store.commit(store.open_run(config), sample) is expected


def test_a_store_that_is_not_there_is_not_made_for_reading(new_place: str) -> None:
    for _ in range(2):
        with pytest.raises(BadFile, match=r"no (such )?store.*; `toolmend run` makes one"):
            Store(new_place, create=False)


def test_a_seed_of_63_bits_and_ten_megabytes_of_text_come_back(store: Store, config: RunConfig) -> None:
    events = (Asked(0, "Add a rock concert at 5PM. 🥦 " * 350_000), Replied(0, "x" * 10_000_000))
    kept = [
        Sample("a", "m", "s", number, seed=seed, events=events) for number, seed in enumerate((2**63 - 1, -(2**63)))
    ]
    run = store.open_run(config)
    for sample in kept:
        assert store.commit(run, sample)
    assert list(store.samples(run)) == kept


def test_a_run_is_shared_by_whoever_opens_it(place: str, store: Store, config: RunConfig, sample: Sample) -> None:
    with Store(place) as other:
        run = store.open_run(config)
        assert other.open_run(config) == run
        assert [each.commit(run, sample) for each in (store, other)] == [True, False]
        store.finish(run)
        assert other.open_run(config) != run
