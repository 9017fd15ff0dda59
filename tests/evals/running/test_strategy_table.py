"""The table that `auto` picks from, out of stored runs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import anyio
import pytest

from toolmend.evals.running.plan import Plan
from toolmend.evals.running.runner import run
from toolmend.evals.running.strategy_table import choices, with_table
from toolmend.evals.suites.suite import read_suite
from toolmend.models.scripted import Scripted
from toolmend.store import Store
from toolmend.strategies.auto import Auto, Known

RIGHT = 'action.add_calendar_entry("Lunch", "2024-05-03", "12:00")'
PLAY = "cases: [lunch]\n    corrections: 0\n    branches: []"


@pytest.fixture
def play(suite_file: Callable[..., Path], store: Store) -> Callable[..., Plan]:
    """Play the suite of one request with a model of one reply, in some strategies."""

    def make(reply: str, *strategies: str | Auto, name: str = "scripted/canned") -> Plan:
        suite = read_suite(suite_file(chosen=PLAY))
        plan = Plan.make(suite, [Scripted([reply], name)], strategies)
        anyio.run(run, plan, store)
        return plan

    return make


def test_the_share_that_is_done_and_the_tokens_of_a_request(play, store):
    play(RIGHT, "oneline", "native")
    rows = {row.strategy: row for row in choices(store)}
    assert rows["oneline"] == Known("scripted/canned", "calendar", "oneline", 1.0, rows["oneline"].cost)
    assert (rows["native"].done, rows["oneline"].cost > 0, rows["native"].cost > rows["oneline"].cost) == (
        1.0,
        True,
        True,
    )


def test_the_newest_run_counts(play, store):
    play(RIGHT, "oneline")
    play("Sorry?", "oneline", "freyr")
    assert {row.strategy: row.done for row in choices(store)} == {"oneline": 0.0, "freyr": 0.0}


def test_a_run_that_is_not_finished_does_not_count(play, store, suite_file):
    suite = read_suite(suite_file(chosen=PLAY))
    store.open_run(Plan.make(suite, [Scripted(["x"])], ["oneline"]).config())
    assert choices(store) == ()


def test_auto_is_given_the_table_unless_it_has_one(play, store):
    play(RIGHT, "oneline")
    plan = play(RIGHT, Auto())
    (player,) = with_table(plan, store).players
    assert {row.strategy for row in player.strategy.known} == {"auto", "oneline"}
    known = Auto(rows=[Known("m", "t", "react", 1.0, 1.0)])
    plan = play(RIGHT, known)
    assert with_table(plan, store) is plan
