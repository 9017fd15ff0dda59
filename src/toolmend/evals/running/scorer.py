"""A reply judged by its step: the calls, and apart from them the world."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from toolmend.evals.suites.suite import Step
from toolmend.grading import Grade, grade
from toolmend.grading.worlds import joined
from toolmend.messages import ToolSpec
from toolmend.mistakes import Mistake
from toolmend.reading import Reading


def judge(
    step: Step,
    reading: Reading,
    specs: Sequence[ToolSpec],
    world: Sequence[Mistake],
    *,
    bare: bool,
    lenience: str = "default",
) -> Grade:
    """The grade of a reading; `world` is what is wrong with the world after it, `bare` whether words are chatter."""
    wordy = step.world is not None and step.world.wordy
    graded = grade(reading, replace(step.expected, bare=bare and not wordy), specs, lenience=lenience)
    return joined(graded, reading, world, step.reference.partition("(")[0] or None)
