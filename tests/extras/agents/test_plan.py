"""Runs of agent systems: gone on with where they were killed, within what they may spend, refused if nothing fits."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import anyio
import pytest

from toolmend.base.errors import BadOption, BudgetSpent, UnknownName
from toolmend.base.events import Finished, Guarded, Replied
from toolmend.base.messages import Reply, Request, Usage
from toolmend.evals.store import Store
from toolmend.extras.agents.plan import AgentPlan
from toolmend.extras.agents.report import agent_report
from toolmend.extras.agents.system import load_system, load_way
from toolmend.extras.agents.thinking.game24 import Game24
from toolmend.models.budget import Spending
from toolmend.models.scripted import Scripted

# Solves puzzles as the oracle does, writes a line for every request, and kills the process at the one it is told.
KILLED = """
import os, signal, sys
import anyio
from toolmend.extras.agents.plan import AgentPlan
from toolmend.extras.agents.thinking.game24 import Game24
from toolmend.models.scripted import Scripted
from toolmend.evals.store import Store
place, log, last = sys.argv[1], sys.argv[2], int(sys.argv[3])
def script(request):
    with open(log, "a") as stream:
        stream.write("asked\\n")
    if len(open(log).readlines()) == last:
        os.kill(os.getpid(), signal.SIGKILL)
    return right(request)
right = Game24().oracle(Game24().tasks()[0], None)._script
plan = AgentPlan.make(Game24(), "game24", [Scripted(script)], ["tot"], first=1)
with Store(place) as store:
    anyio.run(lambda: plan.play(store))
"""


def plan_of(model: Any, *, steps: int = 0, way: str = "tot", first: int = 1) -> AgentPlan:
    return AgentPlan.make(Game24(), "game24", [model], [way], first=first, steps=steps)


def test_a_killed_run_goes_on_at_the_step_where_it_was(tmp_path: Path) -> None:
    place, log = tmp_path / "runs.db", tmp_path / "asked.txt"
    command = [sys.executable, "-c", KILLED, str(place), str(log)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    killed = subprocess.run([*command, "5"], env=environment, timeout=60)
    assert killed.returncode == -signal.SIGKILL
    with Store(place) as store:
        [run] = store.runs()
        [sample] = store.samples(run.id)
        assert (sample.status, sample.detail) == ("error", "under way: 4 steps")
    assert subprocess.run([*command, "-1"], env=environment, timeout=60).returncode == 0
    with Store(place) as store:
        [sample] = store.samples(store.runs()[0].id)
    replies = [event for event in sample.events if isinstance(event, Replied)]
    assert (sample.status, len(replies), log.read_text().count("asked")) == ("ok", 9, 10)  # the fifth was asked twice


def test_a_budget_is_passed_by_one_step_at_most(tmp_path: Path) -> None:
    model = Scripted(lambda request: Reply("8 - 5 = 3", usage=Usage(60, 40)))
    budget = Spending(max_tokens=250)
    with Store(tmp_path / "runs.db") as store, pytest.raises(BudgetSpent):
        anyio.run(lambda: plan_of(model, way="sc", first=8).play(store, budget=budget, concurrency=8))
    assert (len(model.requests), budget.tokens) == (3, 300)


def test_what_a_killed_try_used_counts_in_the_budget_of_the_next(tmp_path: Path) -> None:
    model = Scripted(lambda request: Reply("8 - 5 = 3", usage=Usage(60, 40)))
    with Store(tmp_path / "runs.db") as store:
        for tokens in (250, 500):
            with pytest.raises(BudgetSpent):
                anyio.run(lambda: plan_of(model, way="sc").play(store, budget=Spending(max_tokens=tokens)))  # noqa: B023
    assert len(model.requests) == 5


def test_a_goal_without_end_is_stopped_named_and_kept(tmp_path: Path) -> None:
    model = Scripted(["no answer yet"])
    with Store(tmp_path / "runs.db") as store:
        run = anyio.run(lambda: plan_of(model, way="sc?samples=50", steps=7).play(store))
        [sample] = store.samples(run.id)
        report = agent_report(store, run.id)
    assert len(model.requests) == 7
    assert sample.events[-1] == Finished("gave_up", "7 steps")
    assert Guarded(7, "step_limit", "a goal without end: 7 steps and not done") in sample.events
    assert (report["rows"][0]["score"], report["rows"][0]["gave_up"]) == (0.0, 1.0)


def test_a_model_that_failed_is_asked_on_from_there(tmp_path: Path) -> None:
    calls = [0]

    def script(request: Request) -> str:
        calls[0] += 1
        if calls[0] == 3:
            raise OSError("the line is dead")
        return "Answer: 24"

    with Store(tmp_path / "runs.db") as store:
        for _ in range(2):
            run = anyio.run(lambda: plan_of(Scripted(script), way="sc?samples=4").play(store))
        [sample] = store.samples(run.id)
    assert (sample.status, calls[0]) == ("ok", 5)


@pytest.mark.parametrize(
    ("name", "words"),
    [("game25", "unknown agent system 'game25'"), ("game24?size=3", "takes no options; it was given size")],
)
def test_a_system_that_is_not_there_is_named(name: str, words: str) -> None:
    with pytest.raises((UnknownName, BadOption), match=words.replace("?", r"\?")):
        load_system(name)


@pytest.mark.parametrize(
    ("way", "words"),
    [
        ("tit", "unknown way of playing game24 'tit'"),
        ("tot?breath=2", "unknown option 'breath' .did you mean breadth"),
        ("tot?search=best", "'best', not one of bfs, dfs"),
    ],
)
def test_a_way_that_is_not_there_is_named(way: str, words: str) -> None:
    with pytest.raises((UnknownName, BadOption), match=words):
        load_way(Game24(), way)


def test_tasks_that_are_not_there_are_named() -> None:
    with pytest.raises(BadOption, match="game24 has no task or group '899'; its groups: 24"):
        AgentPlan.make(Game24(), "game24", [], [], only=["899"])
