"""Toolformer: which calls are kept, by whose chances, and what counts."""

from __future__ import annotations

import re

import pytest

import wrong_answers
from toolmend.base.errors import ModelError
from toolmend.base.messages import Reply, Request
from toolmend.base.portal import run_sync
from toolmend.extras.agents.bench import Bench
from toolmend.extras.agents.selftest import test_system as tried
from toolmend.extras.agents.system import load_way
from toolmend.extras.agents.thinking.toolformer import Toolformer, weighted_loss
from toolmend.models.gguf.model import Chance
from toolmend.models.scripted import Scripted
from wrong_answers import accepted


class Copier(Scripted):
    """It finds likely what it has read before, as a model that copies does: the first five tokens are letters."""

    def __init__(self, unmet: tuple[str, ...] = ()) -> None:
        super().__init__([""], "fake/copier")
        self.unmet = unmet

    async def reply_with_chances(self, request: Request) -> tuple[Reply, tuple[Chance, ...]]:
        """The forced reply, each token certain where its first word stands in the prompt."""
        self.requests.append(request)
        assert request.constraint is not None
        rest = str(request.constraint.value).replace("\\", "")
        word = re.findall(r"\w+", rest)[0]
        sure = word in re.findall(r"\w+", request.messages[-1].content)
        return Reply(rest[:5], unmet=self.unmet), tuple(Chance(letter, -0.5 if sure else -3.0) for letter in rest[:5])


def filtered(model: Scripted, way: str = "filter", number: int = 0) -> tuple[Bench, list[list[object]]]:
    system = Toolformer()
    bench = Bench(model, steps=system.steps)
    return bench, run_sync(system.solve, bench, system.tasks()[number], load_way(system, way)[1])


def test_the_system_judges_as_it_should() -> None:
    trials = run_sync(tried, Toolformer())
    assert (len(trials), [trial for trial in trials if trial.problem]) == (65, [])
    assert accepted(Toolformer(), wrong_answers.toolformer) == []


def test_the_next_tokens_weigh_most_and_the_sixth_nothing() -> None:
    assert weighted_loss([-3.0, 0, 0, 0, 0]) == pytest.approx(1.0)
    assert weighted_loss([0, 0, 0, 0, -3.0]) == pytest.approx(0.2)
    assert weighted_loss([-2.0] * 5 + [-100.0]) == pytest.approx(2.0)


def test_what_tells_the_words_that_follow_is_kept_and_a_wrong_or_useless_call_is_not() -> None:
    bench, rows = filtered(Copier())
    assert [[kept, round(float(str(gain)), 3)] for kept, gain in rows] == [
        [True, 2.5],
        [False, 0],
        [True, 2.5],
        [False, 0],
    ]
    assert (bench.asked, Toolformer().score(Toolformer().tasks()[0], rows).value) == (10, 1.0)


def test_a_higher_bar_keeps_less() -> None:
    assert [kept for kept, _ in filtered(Copier(), "filter?tau=2.6")[1]] == [False] * 4


def test_a_call_stands_in_front_of_the_whole_text() -> None:
    model = Copier()
    filtered(model)
    said = [request.messages[-1].content for request in model.requests[:3]]
    text = "The shop sold 98 boxes of 18 eggs,"
    assert said == [text, f"[Calculator(98 * 18)] {text}", f"[Calculator(98 * 18) -> 1764] {text}"]


def test_a_model_that_tells_no_chances_keeps_nothing_and_is_unreadable() -> None:
    bench, rows = filtered(Scripted(["1764 eggs in all."]))
    assert rows == [[False, None]] * 4
    assert sum(getattr(event, "problem", "") == "syntax" for event in bench.events) == 10


def test_a_reply_that_was_not_forced_is_no_measure() -> None:
    with pytest.raises(ModelError, match="fake/copier: cannot be made to say a given text"):
        filtered(Copier(("constraint: regex asked, not kept to",)))


def test_what_was_measured_before_is_not_measured_again() -> None:
    first = filtered(Copier())
    told = [event for event in first[0].events if hasattr(event, "finish")]
    model, system = Copier(), Toolformer()
    bench = Bench(model, steps=system.steps, told=told[:7])  # type: ignore[arg-type]
    rows = run_sync(system.solve, bench, system.tasks()[0], load_way(system)[1])
    assert (rows, len(model.requests)) == (first[1], 3)


def test_texts_are_always_the_same_and_true() -> None:
    first = Toolformer().tasks()[0]
    assert first.say.startswith("The shop sold 98 boxes of 18 eggs, 1764 eggs in all. The parcel left on 2025-01-08 ")
    assert [row["kind"] for row in first.data] == ["useful", "wrong", "useful", "useless"]
    assert all(row["head"] + " " + row["rest"] in task.say for task in Toolformer().tasks() for row in task.data)
