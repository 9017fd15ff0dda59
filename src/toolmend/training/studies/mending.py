"""A suite of simulated dialogues never trained on: one request each, and wrong replies of others to be mended.

    asked/7   the dialogue so far as it should have gone, then a request                            first replies
    told/7    the same with a wrong reply given, then a correction, and "again" as its control      fix@1, net fix

Both models are given the very same mistakes, so that every case is a pair. Names are held out, and most wordings; the
corrections are the simulated user's own, which no training has seen. Plays nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass

from toolmend.evals.suite import Case, Experiment, Step, Suite
from toolmend.grading import Expected, ExpectedCall, grade
from toolmend.messages import ToolSpec
from toolmend.reading import read_python
from toolmend.tools import Toolbox
from toolmend.training.meaning import Exchange
from toolmend.training.simulate import simulate
from toolmend.training.studies.simulated import TOOLBOX, chains

SEED = 8_000_000_000  # apart from training, the exam, and what models are reminded of
LONGEST = 4  # requests of a dialogue, so that it fits every window
LEVELS = ("level 0", "level 1", "level 2", "level 3")
NAME = "mending"


@dataclass(frozen=True)
class _Request:
    """One request of a dialogue: what was said, the right reply, and a wrong one where somebody gave it."""

    said: str
    right: str
    wrong: str | None = None


def mending_suite(cases: int, seed: int = 0) -> Suite:
    """So many dialogues, each twice: asked, and told what is wrong. The same seed gives the same suite."""
    specs = Toolbox.load(TOOLBOX).specs
    found: list[tuple[Case, Case]] = []
    number = SEED + seed * 1_000_000
    while len(found) < cases:
        made = _case(simulate(number, held_out=True, slips=0.6), len(found) + 1, specs)
        found += [made] if made else []
        number += 1
    asked, told = (tuple(side) for side in zip(*found, strict=True))
    experiments = (
        Experiment("asked", "a request", asked, corrections=0, history="gold", branches=()),
        Experiment("told", "a mistake of others, corrected", told, corrections=1, history="gold", branches=LEVELS),
    )
    digest = hashlib.sha256(repr(experiments).encode()).hexdigest()[:16]
    return Suite(NAME, 1, TOOLBOX, None, experiments, digest, NAME, about="simulated mistakes to be mended")


def _case(exchanges: list[Exchange], number: int, specs: tuple[ToolSpec, ...]) -> tuple[Case, Case] | None:
    """The dialogue up to its first request that was answered wrongly; None where there is none soon enough."""
    steps: list[Step] = []
    for request in list(_requests(exchanges))[:LONGEST]:
        step = _step(request, specs)
        if step is None:
            return None
        steps.append(step)
        if step.given is not None:
            plain = Step(step.say, step.expected, step.reference)
            before = tuple(steps[:-1])
            return Case(str(number), "asked", (*before, plain)), Case(str(number), "told", (*before, step))
    return None


def _requests(exchanges: list[Exchange]) -> Iterator[_Request]:
    """The requests in order, without complaints about right replies."""
    ends = dict(chains(exchanges))
    for place, exchange in enumerate(exchanges):
        if place in ends:
            yield _Request(exchange.user, exchanges[ends[place]].reply, exchange.reply)
        elif exchange.gold and exchange.op != "groundless" and not exchange.op.startswith("fix"):
            yield _Request(exchange.user, exchange.reply)


def _step(request: _Request, specs: tuple[ToolSpec, ...]) -> Step | None:
    """The request as a step of a suite; None where no call is due, or the wrong reply would be let pass."""
    reading = read_python(request.right, specs)
    if not reading.calls or reading.rest.strip():
        return None
    expected = Expected(tuple(ExpectedCall(call.tool, call.arguments) for call in reading.calls))
    if request.wrong is not None and not grade(request.wrong, expected, specs).mistakes:
        return None
    return Step(request.said, expected, request.right, given=request.wrong)
