"""The suite `darkroom`: its oracle, its floor, its mutants, and the policies that play it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

import wrong_answers
from toolmend.base.errors import UnknownName
from toolmend.base.portal import run_sync
from toolmend.extras.agents.bench import Bench
from toolmend.extras.agents.networks.darkroom import DarkRoom, Moving
from toolmend.extras.agents.selftest import test_system as tried
from toolmend.extras.agents.system import AgentTask
from toolmend.models import load_model
from wrong_answers import accepted


class OneRoom(DarkRoom):
    """The first room alone."""

    def tasks(self) -> Sequence[AgentTask]:
        return super().tasks()[:1]


def test_right_is_accepted_and_wrong_refused() -> None:
    trials = run_sync(tried, OneRoom())
    assert (len(trials), [trial for trial in trials if trial.problem]) == (5, [])
    assert accepted(OneRoom(), wrong_answers.darkroom) == []


def test_rewards_are_counted_where_the_moves_lead() -> None:
    system = DarkRoom()
    goal = system.tasks()[0]
    half = [*[["stay"] * 14] * 18, *system.reference(goal)[:2]]
    assert system.score(goal, half).value == pytest.approx(2 / 3)
    assert system.score(goal, half).figures["rise"] == pytest.approx(2 / 3)


@pytest.mark.parametrize("name", ["policy/distilled", "policy/source"])
def test_a_policy_reads_its_history_and_moves(name: str) -> None:
    system = OneRoom()
    told = []
    for _ in range(2):
        bench = Bench(load_model(name), steps=40)
        with pytest.raises(Exception, match="40 steps"):
            run_sync(system.solve, bench, system.tasks()[0], Moving())
        told.append(bench.answer)
    assert told[0] == told[1]
    assert len({move for episode in told[0] for move in episode}) > 2


def test_a_policy_that_nobody_knows_is_told() -> None:
    with pytest.raises(UnknownName, match="distilled"):
        load_model("policy/perfect")
