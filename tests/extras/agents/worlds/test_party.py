"""The suite `town`: oracle, floor, mutants; news spreads only from who knows; the page shows it as text."""

from __future__ import annotations

from collections.abc import Sequence
from html import unescape
from pathlib import Path

import pytest

import wrong_answers
from toolmend.apps.cli.kit.form import Form
from toolmend.base.errors import BadOption
from toolmend.base.portal import run_sync
from toolmend.evals.store import Store
from toolmend.extras.agents.plan import AgentPlan
from toolmend.extras.agents.selftest import test_system as tried
from toolmend.extras.agents.system import AgentTask
from toolmend.extras.agents.town_page import write_town
from toolmend.extras.agents.worlds.party import Party, Speaking, news_of, problem_of, replay_of, two_days
from toolmend.extras.agents.worlds.town import Town
from toolmend.models.scripted import Scripted
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
    slots = replay_of(task, answer)["slots"]
    assert (len(slots[0]["informed"]), len(slots[-1]["informed"])) == (1, 13)
    assert all(slot["at"][guest] == "café" for slot in slots[50:54] for guest in answer["came"])


def test_what_a_model_makes_up_informs_nobody() -> None:
    town = Town(1)
    said = {"slot": 9, "from": 7, "to": 8, "text": town.invitation}
    heard = {"slot": 9, "from": 0, "to": 5, "text": "There will be a party."}
    assert news_of(town, [said, heard])[0] == [0]


def test_the_formula_changes_what_is_said() -> None:
    lines = {}
    for formula in ("paper", "code"):
        days = two_days(Town(1), formula, {"lines": [], "came": []})
        prompt, count = next(days, None), 0
        while prompt and count < 60:
            prompt, count = days.send(prompt.partition("\n- ")[2].partition("\n")[0]), count + 1
            lines.setdefault(formula, []).append(prompt)
    assert lines["paper"] != lines["code"]


@pytest.mark.parametrize("answer", [None, [], {"lines": [{"slot": 1}], "came": []}, {"lines": [], "came": ["Ben"]}])
def test_what_is_no_answer_is_told(answer: object) -> None:
    assert problem_of(Town(1), answer) == "no lines that were said"


def test_a_formula_that_nobody_knows_is_told() -> None:
    with pytest.raises(BadOption, match="paper, code"):
        Speaking("dream")


def test_a_run_becomes_a_page_and_what_was_said_stays_text(tmp_path: Path) -> None:
    speech = "Ada: <script>alert(1)</script> </script> party café 14 17 00 19"
    with Store(tmp_path / "runs.db") as store:
        plan = AgentPlan.make(OneTown(), "town", [Scripted([speech])], [])  # type: ignore[list-item]
        run = run_sync(plan.play, store)
        write_town(store, run.id, Form("html", str(tmp_path / "town.html")))
    page = (tmp_path / "town.html").read_text(encoding="utf-8")
    assert "\\u003cscript>alert(1)" in page
    assert (page.count("<script"), page.count("</script")) == (2, 2)
    assert "default-src 'none'" in unescape(page)
