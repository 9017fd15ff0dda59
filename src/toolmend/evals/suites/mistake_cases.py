"""Mistakes that others made, out of a stored run, as cases for anybody to mend: the blog's third experiment on any run.

Each wrong first reply becomes a case: the talk up to it as it should have gone, the wrong reply given, the same
expectation. Equal mistakes at the same step are taken once.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import replace

from toolmend.errors import BadOption
from toolmend.evals.suites.suite import BRANCHES, Case, Experiment, Suite
from toolmend.events import Read, Replied
from toolmend.store import Sample

EXPERIMENT = "others"
MOST = 50


def with_mistakes(suite: Suite, samples: Iterable[Sample]) -> Suite:
    """The suite with one more experiment, `others`: at most 50 wrong replies of these samples, three attempts each.

    Raises BadOption where the samples hold no wrong reply to a case of this suite.
    """
    cases = suite.cases()
    found: dict[tuple[str, int, str, str], Case] = {}
    for sample in samples:
        case = cases.get(sample.case)
        if case is None or sample.status == "error":
            continue
        for number, text, kind in _wrong(sample):
            key = (case.id.split("/")[0], number, case.steps[number].say, text)
            if key not in found and case.steps[number].given is None:
                found[key] = _given(case, number, text, f"{kind} {len(found) + 1}")
    if not found:
        raise BadOption(f"that run holds no wrong reply to a case of suite '{suite.name}'")
    made = tuple(found.values())[:MOST]
    about = "mistakes of a stored run, three attempts each"
    experiment = Experiment(EXPERIMENT, about, made, attempts=3, corrections=3, history="gold", branches=BRANCHES)
    source = hashlib.sha256(repr([case.steps[-1].given for case in made]).encode()).hexdigest()[:8]
    return replace(suite, experiments=(*suite.experiments, experiment), hash=f"{suite.hash}+{source}")


def _wrong(sample: Sample) -> Iterable[tuple[int, str, str]]:
    """Step, text and first mistake of every wrong first reply to a step."""
    texts = {event.turn: event.told for event in sample.events if isinstance(event, Read)}
    texts |= {event.turn: event.text for event in sample.events if isinstance(event, Replied)}
    seen: set[int] = set()
    for marked in sample.marked:
        step = marked.step or 0
        if step not in seen and marked.mistakes:
            yield step, texts[marked.turn], str(marked.mistakes[0])
        seen.add(step)


def _given(case: Case, number: int, text: str, label: str) -> Case:
    steps = (*case.steps[:number], replace(case.steps[number], given=text))
    return Case(f"{EXPERIMENT}/{label}", EXPERIMENT, steps)
