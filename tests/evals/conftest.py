"""What the tests of measuring share: the shipped suite, dialogues played with canned replies, a suite file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import anyio
import pytest

from toolmend.base.events import Event, Sink
from toolmend.base.messages import Message
from toolmend.evals.running.play import play
from toolmend.evals.store import Sample, Store
from toolmend.evals.suites.suite import Case, Experiment, Suite, load_suite
from toolmend.models.scripted import Script, Scripted
from toolmend.reading import read_python
from toolmend.session import Session
from toolmend.strategies import Act, Ask, Flow, Strategy, Talk
from toolmend.tools.toolboxes import Calendar

LUNCH = """\
suite: lunch
tools: calendar
experiments:
  main:
    cases: [lunch]
cases:
  lunch:
    - steps:
        - say: Lunch on 3 May 2024 at noon
          expect: action.add_calendar_entry("Lunch", "2024-05-03", "12:00")
"""


@dataclass(frozen=True)
class Played:
    """What became of one dialogue."""

    events: tuple[Event, ...]
    session: Session
    model: Scripted

    def of(self, kind: type[Any]) -> list[Any]:
        """Its events of one type."""
        return [event for event in self.events if isinstance(event, kind)]

    @property
    def asked(self) -> list[tuple[Message, ...]]:
        """The messages of each request, without the system text."""
        return [request.messages[1:] for request in self.model.requests]


@pytest.fixture(scope="session")
def calendar() -> Suite:
    """The published experiment."""
    return load_suite("calendar")


@pytest.fixture
def suite_file(tmp_path: Path) -> Callable[..., Path]:
    """Write a suite: the text given, or one dialogue of one step with some of its text replaced."""

    def write(text: str = LUNCH, **changes: str) -> Path:
        path = tmp_path / "suite.yaml"
        for old, new in changes.items():
            assert LUNCH_PARTS[old] in text
            text = text.replace(LUNCH_PARTS[old], new)
        path.write_text(text, encoding="utf-8")
        return path

    return write


LUNCH_PARTS = {
    "suite": "suite: lunch",
    "tools": "tools: calendar",
    "experiments": "experiments:\n  main:\n    cases: [lunch]\n",
    "experiment": "  main:\n    cases: [lunch]\n",
    "chosen": "cases: [lunch]",
    "cases": LUNCH[LUNCH.index("cases:\n  lunch:") :],
    "case": "    - steps:\n",
    "say": "say: Lunch on 3 May 2024 at noon",
    "expect": 'expect: action.add_calendar_entry("Lunch", "2024-05-03", "12:00")',
}


@pytest.fixture
def played() -> Callable[..., Played]:
    """Play a case with canned replies, one after the other, or with a function of the request."""

    def run(script: Script, case: Case, experiment: Experiment | None = None, seed: int = 1, **changes: Any) -> Played:
        sessions = []
        model = Scripted(script)
        tools, strategy = changes.pop("tools", None), changes.pop("strategy", "oneline")

        def make(sink: Sink) -> Session:
            sessions.append(Session(model, tools or Calendar(), strategy, sink=sink, mend=False))
            return sessions[-1]

        reminder = changes.pop("reminder", "")
        how = experiment or Experiment("main", "", (case,), branches=())
        events = anyio.run(play, make, case, replace(how, **changes), seed, reminder)
        return Played(events, sessions[0], model)

    return run


@pytest.fixture
def sample() -> Callable[..., Sample]:
    """A good sample of some events."""

    def make(events: Sequence[Event] = (), case: str = "main/lunch", **more: Any) -> Sample:
        return Sample(case, **{"model": "scripted/canned", "strategy": "oneline", "events": tuple(events), **more})

    return make


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """An empty store."""
    with Store(tmp_path / "runs.db") as made:
        yield made


class _TwoRoles:
    """Asks `plan` once, then `write` until a call takes effect, three times at most."""

    name, prompt_hash, bare, roles = "two", "", True, ("plan", "write")

    def turn(self, talk: Talk) -> Flow:
        asked = talk.messages[-1]
        yield Ask((Message("system", "plan"), asked), role="plan")
        for _ in range(3):
            reply: Any = yield Ask((Message("system", "write"), asked), role="write")
            reading = read_python(reply.text, talk.tools)
            results: Any = yield Act(reading.calls, reading)
            if results and all(each.ok for each in results):
                return

    def system_text(self, talk: Talk) -> str:
        return ""


@pytest.fixture
def two_roles() -> Strategy:
    """A strategy of two roles that tries again: `two`."""
    return _TwoRoles()
