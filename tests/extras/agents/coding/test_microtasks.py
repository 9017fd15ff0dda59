"""Micro-tasks: what counts as passed, what is told of a failure, and how often the code is written again."""

from __future__ import annotations

import pytest

import wrong_answers
from toolmend.base.events import Asked, Read
from toolmend.base.messages import Request
from toolmend.base.portal import run_sync
from toolmend.extras.agents.bench import Bench
from toolmend.extras.agents.coding.microtasks import Microtasks, code_of, failure
from toolmend.extras.agents.coding.sandbox import no_sandbox
from toolmend.extras.agents.selftest import test_system as tried
from toolmend.extras.agents.system import AgentTask, Scored, load_way
from toolmend.models.scripted import Scripted
from wrong_answers import accepted

boxed = pytest.mark.skipif(bool(no_sandbox()), reason=no_sandbox() or "there is a sandbox")

GOOD, BAD = "```python\ndef double(n):\n    return 2 * n\n```", "```python\ndef double(n):\n    return n\n```"
TASK = AgentTask("double", "Write double(n).", "numbers", ["double(2) == 4", "double('a') == 'aa'"])


def solved(way: str, *replies: str) -> tuple[Bench, list[Request], Scored]:
    system, model = Microtasks(), Scripted(replies)
    bench = Bench(model, steps=50)
    answer = run_sync(system.solve, bench, TASK, load_way(system, way)[1])
    return bench, model.requests, system.score(TASK, answer)


def test_there_are_sixty_tasks_of_six_kinds() -> None:
    tasks = Microtasks().tasks()
    assert (len(tasks), len({task.id for task in tasks}), len({task.group for task in tasks})) == (60, 60, 6)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (GOOD, "def double(n):\n    return 2 * n\n"),
        ("Sure:\n```\nx = 1\n```\nUse it so:\n```py\nprint(x)\n```", "x = 1\n\nprint(x)\n"),
        ("def double(n): return 2 * n", "def double(n): return 2 * n"),
        ("```python\ndef cut_off(", "def cut_off("),
        ("I cannot do that.", None),
        ("", None),
    ],
)
def test_code_is_found_in_a_reply(text: str, code: str | None) -> None:
    assert code_of(text) == code


@boxed
@pytest.mark.parametrize(
    ("code", "tests", "said"),
    [
        ("def f(n): return n + 1", ("f(1) == 2",), ""),
        ("def f(n): return n", ("f(1) == 2",), "f(1) gave 1, not 2."),
        ("def f(n): return 1.0", ("f(1) == 1",), "f(1) gave 1.0, not 1."),
        (
            "def f(n): return n[0]",
            ("f(1) == 2",),
            "f(1) gave raises TypeError: 'int' object is not subscriptable, not 2.",
        ),
        ("def f(n): raise ValueError", ("f(1) raises ValueError",), ""),
        ("def f(n): return 0", ("f(1) raises ValueError",), "f(1) gave 0, not an error ValueError."),
        ("def f(n): print('> 2')", ("f(1) == 2",), "f(1) gave None, not 2."),
        ("def f(n) return n", ("f(1) == 2",), "The tests could not be run: SyntaxError: expected ':'."),
        ("import os\nos._exit(0)", ("f(1) == 2",), "The tests could not be run: it ended before them."),
        ("while True: print('x' * 9999)", ("f(1) == 2",), "The tests could not be run: it printed without end."),
        ("", ("f(1) == 2",), "There was no code."),
    ],
)
def test_a_failure_is_said_in_words(code: str, tests: tuple[str, ...], said: str) -> None:
    assert failure(code, tests) == said


@boxed
def test_what_failed_goes_back_as_a_correction() -> None:
    bench, requests, scored = solved("rounds", BAD, "I see.", GOOD)
    assert requests[1].messages[-1].content == "double(2) gave 2, not 4. Write the whole code again."
    assert [event.amends for event in bench.events if isinstance(event, Asked)] == [None, 0, 1]
    assert [event.problem for event in bench.events if isinstance(event, Read)] == ["no_call", "syntax", "no_call"]
    assert scored.figures == {"right at once": 0.0, "fixed@1": 0.0, "fixed@2": 1.0, "fixed@3": 1.0}


@boxed
def test_after_so_many_rounds_it_ends() -> None:
    _, requests, scored = solved("rounds?rounds=2", BAD)
    assert (len(requests), scored.value) == (3, 0.0)


@boxed
def test_at_most_three_reflections_are_told() -> None:
    replies = [part for number in range(5) for part in (BAD, f"lesson {number}")]
    _, requests, _ = solved("rounds?rounds=5&reflect=true", *replies)
    assert requests[-1].messages[-1].content == (
        "Write double(n).\nWhat you learned from earlier tries:\n- lesson 2\n- lesson 3\n- lesson 4"
    )


class OneOfEach(Microtasks):
    """Every tenth task: one of each kind."""

    def tasks(self) -> list[AgentTask]:
        return list(super().tasks())[::10]


@boxed
def test_the_system_judges_as_it_should() -> None:
    trials = run_sync(tried, OneOfEach())
    assert (len(trials), [trial for trial in trials if trial.problem]) == (25, [])
    assert accepted(OneOfEach(), wrong_answers.microtasks) == []
