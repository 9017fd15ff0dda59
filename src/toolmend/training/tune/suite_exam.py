"""A suite played with the weights as they are: the exam that stops a training before it has learned by heart.

The score of a request is 1 where the first reply is right, a half where the last one after corrections is, else 0.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from toolmend.errors import BadOption
from toolmend.evals.metrics.outcomes import played
from toolmend.evals.running.plan import Plan
from toolmend.evals.running.runner import run
from toolmend.evals.suites.suite import Suite, load_suite
from toolmend.portal import run_sync
from toolmend.store import Store
from toolmend.training.tune.base import Base
from toolmend.training.tune.exams import Exam, Mark
from toolmend.training.tune.net import Net


class SuiteExam:
    """Plays every case once, greedily; what `beside` measures goes into the figures, too."""

    def __init__(self, suite: Suite, base: Base, beside: Exam | None = None) -> None:
        self._suite, self._base, self._beside = suite, base, beside

    def __call__(self, net: Net) -> Mark:
        """The mean score of all requests; worth is how far it is from 1."""
        plan = Plan.make(self._suite, [self._base.player(net.assigned())], ["oneline"], attempts=1, temperature=0.0)
        with TemporaryDirectory() as folder, Store(Path(folder) / "exam.db") as store:
            done = run_sync(run, plan, store)
            outcomes = played(done, store.samples(done.id)).outcomes
        scores = [step.score for outcome in outcomes for step in outcome.steps.values()]
        score = sum(scores) / len(scores)
        beside = self._beside(net).figures if self._beside else {}
        return Mark(1 - score, {"score": score, **beside})


def dev_suite(name: str, toolboxes: tuple[str, ...]) -> Suite:
    """The suite to be played, without what only a report needs. Raises BadOption for one of another toolbox."""
    suite = load_suite(name)
    if toolboxes and suite.tools not in toolboxes:
        raise BadOption(f"--dev {name} is played with the toolbox {suite.tools}; the base knows {', '.join(toolboxes)}")
    return replace(suite, experiments=tuple(replace(each, branches=()) for each in suite.experiments))
