"""What the tests of reports share: the shipped suite played with canned replies, and a run full of foreign markup."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio
import pytest

from toolmend.base.events import Asked, Corrected, Event, Finished, Marked, Replied, Tried
from toolmend.base.messages import Request, Usage
from toolmend.base.mistakes import Correction, Kind, Mark, Mistake
from toolmend.evals.reports.report import build_report
from toolmend.evals.running.plan import Plan
from toolmend.evals.running.runner import run
from toolmend.evals.store import Run, RunConfig, Sample, Store, StoredContestant
from toolmend.evals.suites.suite import load_suite
from toolmend.models.scripted import Scripted

RIGHT = 'action.add_calendar_entry("Meeting with Fred", date="2023-11-11", time="17:00", duration=30)'
MARKUP = "</script><script>alert('1')</script><img src=x onerror=alert(2)> | `tick` @all #1 \x1b[31m"


@dataclass(frozen=True)
class Found:
    """A run, its report and its samples."""

    run: Run
    report: dict[str, Any]
    samples: list[Sample]


def found(store: Store, run_id: str) -> Found:
    return Found(store.run(run_id), build_report(store, run_id), list(store.samples(run_id)))


def sorry(request: Request) -> str:
    """The first request right, then an apology, then a call with an apology beside it."""
    return (RIGHT, "I apologize.", f"I apologize.\n{RIGHT}")[(len(request.messages) - 2) // 2 % 3]


@pytest.fixture(scope="session")
def calendar_run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Found]:
    """Two contestants at the shipped suite, as many attempts as it says."""
    models = [Scripted(sorry, "scripted/sorry"), Scripted([RIGHT], "scripted/stubborn")]
    with Store(tmp_path_factory.mktemp("store") / "runs.db") as store:
        yield found(store, anyio.run(run, Plan.make(load_suite("calendar"), models, ["oneline"]), store).id)


def foreign_events(text: str) -> tuple[Event, ...]:
    """A wrong reply, a branch, and the correction of the talk itself, which mends it."""
    wrong = Mistake(Kind.WRONG_VALUE, "title", "f", text, text)
    return (
        Asked(0, text),
        Replied(0, text, model=text, usage=Usage(3, 4, 0.5), exchange="ab12", unmet=(text,)),
        Tried(0, "level 0", Correction(text, 0), text, (Mark.MISTAKE,), (wrong,), (wrong,), usage=Usage(5, 6, 0.25)),
        Corrected(1, Correction(text, 2, wrong), 0),
        Asked(1, text, amends=0),
        Replied(1, text, model=text),
        Marked(0, (Mark.MISTAKE,), (wrong,), True, 0),
        Marked(1, (Mark.FIXED,), (), True, 0),
        Finished(),
    )


@pytest.fixture(scope="session")
def markup() -> str:
    """What a model may write."""
    return MARKUP


@pytest.fixture
def corrected() -> tuple[Event, ...]:
    """A conversation of three dots."""
    return foreign_events("…")


@pytest.fixture
def foreign_run(tmp_path: Path) -> Iterator[Found]:
    """Everything that can be named or written by others is markup."""
    config = RunConfig(MARKUP, contestants=(StoredContestant(MARKUP, "oneline"),))
    with Store(tmp_path / "foreign.db") as store:
        run_id = store.open_run(config)
        store.commit(run_id, Sample(f"main/{MARKUP}", MARKUP, "oneline", events=foreign_events(MARKUP), seed=1))
        store.commit(run_id, Sample("main/down", MARKUP, "oneline", status="error", detail=MARKUP))
        yield found(store, run_id)
