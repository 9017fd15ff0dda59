"""Which cases are learned from and which are held out, and which suites must not be learned from at all.

A case is held out by its first request, as data/curation.py holds talks out: a talk of it is never in the lessons.
"""

from __future__ import annotations

from collections.abc import Collection

from toolmend.errors import BadOption
from toolmend.evals.benchmarks.bfcl_report import NOTATION as BENCHMARK
from toolmend.evals.suites.suite import Suite, load_suite, shipped
from toolmend.training.datasets.build import DEV
from toolmend.training.datasets.curation import in_test
from toolmend.training.datasets.lines import Chat
from toolmend.training.datasets.talks import talk_id

HOLD = 0.5
FEW = 20  # different talks under which none is held out unless that is asked for
TEST = "_test"


def held_cases(suite: Suite, share: float) -> frozenset[str]:
    """Names of the cases whose talks are held out at that share."""
    return frozenset(
        name for name, case in suite.cases().items() if in_test(Chat("", (), (), {"talk": _talk(suite, name)}), share)
    )


def usual_share(suite: Suite) -> float:
    """Half of the talks of a suite that has enough of them, else none."""
    return HOLD if len({_talk(suite, name) for name in suite.cases()}) >= FEW else 0.0


def check_share(suite: Suite, held: Collection[str], share: float) -> None:
    """Raise BadOption where a share leaves nothing to learn from, or nothing to judge by."""
    if not share:
        return
    every = len(suite.cases())
    if len(held) in (0, every):
        left = "judge by" if not held else "learn from"
        raise BadOption(f"--hold {share:g} leaves none of the {every} cases of '{suite.name}' to {left}; try --hold 0")


def kept_for_testing(suite: Suite) -> str | None:
    """Why a suite is kept for testing: its name ends in `_test`, it has requests of a shipped one so called, or it is
    a public benchmark."""
    if suite.name.endswith(TEST):
        return f"'{suite.name}' is kept for testing"
    if suite.notation == BENCHMARK:
        return f"'{suite.name}' is a public benchmark, and so kept for testing"
    said = _requests(suite)
    for name in shipped():
        if name.endswith(TEST) and (common := said & _requests(load_suite(name))):
            return f"'{suite.name}' has {len(common)} requests of '{name}', which is kept for testing"
    return None


def is_dev(suite: Suite) -> bool:
    """Whether the suite is there to be learned from."""
    return suite.name in DEV


def _talk(suite: Suite, name: str) -> str:
    return talk_id(suite.cases()[name].steps[0].say)


def _requests(suite: Suite) -> set[str]:
    return {talk_id(step.say) for case in suite.cases().values() for step in case.steps}
