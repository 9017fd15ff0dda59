"""A run over Ray: what is refused before anything is spent, a worker's part of it, and a small cluster where Ray is."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from clusters import two_nodes
from toolmend.base.errors import BadOption, BudgetSpent
from toolmend.evals.running import on_ray
from toolmend.evals.running.on_ray import connect, play_on
from toolmend.evals.running.plan import RunPart
from toolmend.evals.running.recipe import RunRecipe
from toolmend.evals.running.runner import begin
from toolmend.evals.store import RunConfig, Store, StoredContestant
from toolmend.models.budget import Spending


@pytest.fixture(autouse=True)
def a_process_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a worker changes in its process is put right again: shared limits, the folder, where modules are found."""
    monkeypatch.setattr("toolmend.base.http.pace._sharers", 1)
    monkeypatch.setattr("sys.path", [*sys.path])
    monkeypatch.chdir(os.getcwd())


@pytest.fixture
def recipe(suite_file: Callable[..., Path], tmp_path: Path) -> RunRecipe:
    """Twenty samples of one request."""
    suite = suite_file(chosen="cases: [lunch]\n    attempts: 20\n    branches: []")
    return RunRecipe(str(suite), models=("scripted/echo",), strategies=("oneline",), store=str(tmp_path / "runs.db"))


def worker(recipe: RunRecipe) -> Any:
    terms = on_ray._Terms(
        recipe, str(recipe.store), os.getcwd(), 2, {"concurrency": 2, "cache": False, "timeout": None}
    )
    return on_ray._Worker(terms, None, None)


# before anything is spent --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("address", ["dask", "http://head:10001", "ray://", "ray:8000"])
def test_an_address_that_is_none(address: str) -> None:
    with pytest.raises(BadOption, match="give ray for this machine"):
        connect(address)


def test_a_head_that_cannot_be_reached() -> None:
    pytest.importorskip("ray", reason="the extra 'ray' is not installed")
    with pytest.raises(BadOption, match=r"no Ray head to work with at 127\.0\.0\.1:9 .*refused.*ray start --head"):
        connect("ray://127.0.0.1:9")


def test_a_file_is_not_shared_across_machines() -> None:
    nodes = [{"NodeManagerHostname": "elsewhere", "Alive": True}]
    with pytest.raises(BadOption, match="workers are on elsewhere: a file cannot be shared over a network"):
        on_ray._check_machines(nodes, "/data/runs.db")
    on_ray._check_machines(nodes, "postgresql+psycopg://me@host/runs")
    on_ray._check_machines([{"NodeManagerHostname": "elsewhere", "Alive": False}], "/data/runs.db")


def test_a_worker_says_which_run_it_would_play(recipe: RunRecipe) -> None:
    *_, config, why = worker(recipe).hello()
    assert (config, why) == (recipe.plan().config(), "")


def test_a_worker_that_has_not_the_suite_says_why() -> None:
    *_, config, why = worker(RunRecipe("nowhere.yaml", models=("scripted/echo",), store="runs.db")).hello()
    assert config is None
    assert "nowhere.yaml" in why


@pytest.mark.parametrize(
    ("theirs", "told"),
    [
        ({"versions": {"toolmend": "9.0"}}, "its run was made by toolmend 9.0, not toolmend 1.0. Nothing was played"),
        ({"suite_hash": "9"}, "suite 'bench' has another content. Nothing was played"),
    ],
)
def test_workers_that_would_play_another_run(
    monkeypatch: pytest.MonkeyPatch, theirs: dict[str, Any], told: str
) -> None:
    ours = RunConfig("bench", "0", (StoredContestant("scripted/echo", "oneline"),), versions={"toolmend": "1.0"})
    hello = ("elsewhere", 1, replace(ours, **theirs), "")
    ray = SimpleNamespace(wait=lambda refs, **_: (refs, []), get=lambda _ref: hello)
    monkeypatch.setattr(on_ray, "_ray", lambda: ray)
    with pytest.raises(BadOption, match=rf"a worker on elsewhere would not play this run: .*{told}"):
        on_ray._team(lambda: SimpleNamespace(hello=SimpleNamespace(remote=object)), 1, ours)


def test_shards_make_the_run(recipe: RunRecipe) -> None:
    with Store(recipe.store) as store:
        run = begin(recipe.plan(), store)
        for number in (1, 2, 3, 2):
            made = worker(recipe)
            made.hello()
            assert made.play(RunPart(number, 3)) == ""
        assert store.counts(run) == {"ok": 20, "error": 0}
        assert store.run(run).status == "finished"


# where Ray is --------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def cluster() -> Iterator[None]:
    """Two nodes in two processes on this machine."""
    pytest.importorskip("ray", reason="the extra 'ray' is not installed")
    with two_nodes() as address, pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_ADDRESS", address)
        yield


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.filterwarnings("ignore")  # Ray's own
def test_a_cluster_plays_the_run_and_keeps_its_limits(cluster: None, recipe: RunRecipe) -> None:
    plan, told = recipe.plan(), list[int]()
    with Store(recipe.store) as store:
        with pytest.raises(BudgetSpent):
            play_on("ray", recipe, plan, store, concurrency=2, budget=Spending(max_tokens=1))
        assert sum(store.counts(begin(plan, store)).values()) <= 4
        run = play_on("ray", recipe, plan, store, concurrency=4, on_progress=lambda seen: told.append(seen.done))
        assert run.status == "finished"
        assert store.done_keys(run.id) == {sample.key for sample in plan.samples()}
        assert told[-1] <= 20
