"""The suite `town`: oracle, floor, mutants; news spreads only from who knows."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

import wrong_answers
from toolmend.agents.selftest import test_system as tried
from toolmend.agents.system import AgentTask
from toolmend.agents.worlds.party import Party, news_of, problem_of
from toolmend.agents.worlds.town import Town
from toolmend.portal import run_sync
from wrong_answers import accepted


class OneTown(Party):
    """The first town alone."""

    def tasks(self) -> Sequence[AgentTask]:
        return super().tasks()[:1]


def test_right_is_accepted_and_wrong_refused() -> None:
    trials = run_sync(tried, OneTown())
    assert (len(trials), [trial for trial in trials if trial.problem]) == (5, [])
    assert accepted(OneTown(), wrong_answers.town) == []


def test_news_starts_with_one_and_is_with_many_after_two_days() -> None:
    [task] = OneTown().tasks()
    answer = Party().reference(task)
    informed, invited, _ = news_of(Town(task.data), answer["lines"])
    assert (len(informed), len(invited), len(answer["came"])) == (13, 4, 3)
    assert set(answer["came"]) <= set(informed)
    early = [line for line in answer["lines"] if line["slot"] == 0]
    assert len(news_of(Town(task.data), early)[0]) == 1


def test_what_a_model_makes_up_informs_nobody() -> None:
    town = Town(1)
    said = {"slot": 9, "from": 7, "to": 8, "text": town.invitation}
    heard = {"slot": 9, "from": 0, "to": 5, "text": "There will be a party."}
    assert news_of(town, [said, heard])[0] == [0]


@pytest.mark.parametrize("answer", [None, [], {"lines": [{"slot": 1}], "came": []}, {"lines": [], "came": ["Ben"]}])
def test_what_is_no_answer_is_told(answer: object) -> None:
    assert problem_of(Town(1), answer) == "no lines that were said"
