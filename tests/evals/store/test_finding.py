"""Finding samples: filters, orders, and reading only what is wanted."""

from __future__ import annotations

from dataclasses import replace

import pytest
import sqlalchemy as sa

from toolmend.base import db
from toolmend.base.events import Asked, Finished, Marked, Replied
from toolmend.base.mistakes import Kind, Mark, Mistake
from toolmend.evals.store import RunConfig, Sample, Store, queries, tables


@pytest.fixture
def varied(store: Store, config: RunConfig, sample: Sample) -> str:
    """A run with: a fixed wrong time (m, concert), chatter (n, concert), a right reply (m, lunch), an error."""
    run = store.open_run(config)
    chatter = Marked(0, (Mark.MISTAKE,), (Mistake(Kind.CHATTER),))
    store.commit(run, sample)
    store.commit(run, replace(sample, model="n", events=(Asked(0, "x"), Replied(0, "sure"), chatter)))
    store.commit(run, replace(sample, case="lunch", events=(Replied(0, "y"), Marked(0, (Mark.CORRECT,)))))
    store.commit(run, replace(sample, case="dinner", status="error", detail="down", events=sample.events[:2]))
    return run


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({}, ["concert m", "concert n", "lunch m", "dinner m"]),
        ({"status": "ok"}, ["concert m", "concert n", "lunch m"]),
        ({"status": "error"}, ["dinner m"]),
        ({"model": "m"}, ["concert m", "lunch m", "dinner m"]),
        ({"case": "concert"}, ["concert m", "concert n"]),
        ({"status": "ok", "model": "n", "case": "concert"}, ["concert n"]),
    ],
)
def test_filters(store: Store, varied: str, filters: dict[str, str], expected: list[str]) -> None:
    found = store.samples(varied, **filters)  # type: ignore[arg-type]
    assert [f"{sample.case} {sample.model}" for sample in found] == expected


def test_with_only_other_events_are_left_out(store: Store, config: RunConfig, sample: Sample) -> None:
    run = store.open_run(config)
    store.commit(run, sample)
    (found,) = store.samples(run, only=(Marked, Finished))
    assert found == replace(sample, events=tuple(e for e in sample.events if isinstance(e, Marked | Finished)))


def test_by_case_is_the_order_of_model_strategy_case_and_attempt(
    store: Store, config: RunConfig, sample: Sample, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queries, "CHUNK", 2)
    run = store.open_run(config)
    identities = [
        ("n", "b", 0),
        ("m", "b", 2),
        ("m", "b", 10),
        ("m", "B", 0),
        ("m", "ä", 0),
        ("m", "a b", 0),
        ("m", "a", 0),
    ]
    for model, case, attempt in identities:
        store.commit(run, replace(sample, model=model, case=case, attempt=attempt))
    found = [(each.model, each.case, each.attempt) for each in store.samples(run, by_case=True)]
    assert found == sorted(identities)
    assert [each.case for each in store.samples(run, by_case=True, model="m", case="b", status="ok")] == ["b", "b"]


@pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
def test_a_page_of_samples_is_read_by_index_however_large_the_store(store: Store) -> None:
    page = queries.sample_rows(queries.Filter("r"), 0).compile(compile_kwargs={"literal_binds": True})
    failures = sa.select(tables.samples.c.key).where(tables.samples.c.run == "r", queries.FAILED)
    with db.reading(store.engine) as connection:
        plans = [
            " ".join(row[3] for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {query}"))
            for query in (page, failures.compile(compile_kwargs={"literal_binds": True}))
        ]
    assert "samples_in_order (run=? AND id>?)" in plans[0] and "TEMP B-TREE" not in plans[0]
    assert "samples_failed (run=?)" in plans[1]
