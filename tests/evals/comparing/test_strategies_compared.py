"""Strategies of one run compared: every step with the same step of the same attempt, and so of the same seed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import anyio
import pytest

from toolmend.base.messages import Reply, Request, Usage
from toolmend.evals.comparing.compare import Compared, Comparison, compare_within
from toolmend.evals.metrics.outcomes import Played, played
from toolmend.evals.running.plan import Plan
from toolmend.evals.running.runner import run
from toolmend.evals.store import Store
from toolmend.evals.suites.suite import read_suite
from toolmend.models.scripted import Scripted
from toolmend.strategies import Strategy

TWO_STEPS = """\
suite: lunch
tools: calendar
experiments:
  main:
    cases: [lunch]
    attempts: 3
    corrections: 0
    branches: []
cases:
  lunch:
    - steps:
        - say: Lunch on 3 May 2024 at noon
          expect: action.add_calendar_entry("Lunch", "2024-05-03", "12:00")
        - say: Lunch on 4 May 2024 at noon
          expect: action.add_calendar_entry("Lunch", "2024-05-04", "12:00")
"""


def answer(request: Request) -> Reply:
    """`oneline` is right with seed 2 only, `two` with seeds 2 and 3; the second step is always right."""
    role, seed = request.messages[0].content, request.options.seed or 0
    day = 4 if "4 May" in request.messages[-1].content else 3
    right = day == 4 or seed == 2 or (role == "write" and seed == 3)
    text = (
        "let me see"
        if role == "plan"
        else f'action.add_calendar_entry("Lunch", "2024-05-0{day if right else 9}", "12:00")'
    )
    return Reply(text, usage=Usage(100 * seed if role == "plan" else 10, 5, 0.5))


@pytest.fixture
def both(store: Store, suite_file: Callable[..., Path], two_roles: Strategy) -> Played:
    """Two strategies and two models, three attempts of two steps each."""
    models = [Scripted(answer, "scripted/a"), Scripted(answer, "scripted/b")]
    plan = Plan.make(read_suite(suite_file(TWO_STEPS)), models, ["oneline", two_roles])
    done = anyio.run(run, plan, store)
    return played(done, store.samples(done.id))


def figure(found: Comparison, name: str) -> Compared:
    (contrast,) = found.contrasts
    return next(each for each in contrast.figures if each.figure == name)


def test_every_step_of_every_attempt_is_a_pair(both: Played) -> None:
    found = compare_within(both, "strategy")
    (contrast,) = found.contrasts
    assert (contrast.a, contrast.b, contrast.paired, contrast.only_a, contrast.only_b) == ("oneline", "two", 6, 0, 0)
    right = figure(found, "first_right")
    assert (right.pairs, right.a, right.b) == (2 * 3 * 2, 8 / 12, 10 / 12)


def test_steps_are_paired_by_seed(both: Played) -> None:
    """Only attempt 2 (seed 3) differs, in each model; were attempts mixed, more would."""
    (contrast,) = compare_within(both, "strategy").contrasts
    assert [(each.of, each.step, each.attempts, each.differ) for each in contrast.cases] == [
        ("scripted/a", 0, 3, 1),
        ("scripted/b", 0, 3, 1),
    ]


def test_what_a_request_costs_is_compared_by_step(both: Played) -> None:
    found = compare_within(both, "strategy")
    tokens, seconds = figure(found, "request_input_tokens"), figure(found, "request_seconds")
    assert (tokens.pairs, tokens.a, tokens.b) == (12, 10.0, 210.0)  # plan reads 100, 200, 300: 200 on average
    assert (seconds.pairs, seconds.a, seconds.b) == (12, 0.5, 1.0)


def test_between_models_only_whole_dialogues_cost(both: Played) -> None:
    (contrast,) = compare_within(both, "model").contrasts
    assert [each.figure for each in contrast.figures][-2:] == ["tokens", "seconds"]
