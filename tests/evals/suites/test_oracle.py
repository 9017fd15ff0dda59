"""scripted/oracle: right replies in whatever way a strategy asks for them, read and run like any model's."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import anyio
import pytest

from toolmend.base.errors import ModelError
from toolmend.base.events import Called, Replied
from toolmend.base.messages import Message, Request
from toolmend.evals.running.plan import Plan
from toolmend.evals.running.runner import run
from toolmend.evals.store import Sample, Store
from toolmend.evals.suites.suite import Suite, read_suite
from toolmend.models import load_model

ADD = "action.add_calendar_entry"
SUITE = f"""\
suite: diary
tools: calendar
cases:
  week:
    - steps:
        - say: Put Ada in
          state: [{{at: entries, added: 2}}]
          reference:
            - {ADD}("Ada", "2025-05-03", "10:00")
            - {ADD}("Ada", "2025-05-04", "10:00", 60)
        - say: Put Ada in again
          asks: [time]
        - say: Put Ada in
          state: [{{at: entries, added: 1}}]
          reference: {ADD}("Ada", "2025-05-05", "10:00")
        - say: Take Ben out
          refuses: {{contains: cannot}}
        - say: Nothing for today
          expect: none
          words: Good night.
"""


@pytest.fixture
def diary(tmp_path: Path) -> Suite:
    """A dialogue with two calls, a question, an equal request, a refusal and small talk."""
    path = tmp_path / "diary.yaml"
    path.write_text(SUITE, encoding="utf-8")
    return read_suite(path)


def answered(suite: Suite, store: Store, strategy: str) -> Sample:
    """What the oracle's only sample is."""
    plan = Plan.make(suite, ["scripted/oracle"], [strategy])
    finished = anyio.run(run, plan, store)
    [sample] = store.samples(finished.id)
    return sample


@pytest.mark.parametrize("strategy", ["oneline", "native", "freyr", "react", "spoken"])
def test_every_strategy_gets_what_it_asks_for(diary: Suite, store: Store, strategy: str) -> None:
    sample = answered(diary, store, strategy)
    assert (sample.status, sample.detail) == ("ok", "")
    assert [marked.mistakes for marked in sample.marked] == [(), (), (), (), ()]
    calls = [event.call.arguments["date"] for event in sample.events if isinstance(event, Called)]
    assert calls == ["2025-05-03", "2025-05-04", "2025-05-05"]


def test_its_calls_are_texts(diary: Suite, store: Store) -> None:
    replies = [event for event in answered(diary, store, "oneline").events if isinstance(event, Replied)]
    assert replies[0].text == diary.experiments[0].cases[0].steps[0].reference
    assert [reply.text for reply in replies[-2:]] == [
        "That cannot be done here, so nothing was changed.",
        "Good night.",
    ]


def test_the_roles_of_freyr_are_answered_each(diary: Suite, store: Store) -> None:
    replies = [event for event in answered(diary, store, "freyr").events if isinstance(event, Replied)]
    assert [(reply.role, reply.text) for reply in replies[:4]] == [
        ("intent", f"{ADD}, {ADD}"),
        ("params", "- title: Ada\n- date: 2025-05-03\n- time: 10:00"),
        ("params", "- title: Ada\n- date: 2025-05-04\n- time: 10:00\n- duration: 60"),
        ("summary", "That is done."),
    ]


def test_untold_it_says_nothing(make_request: Callable[[], Request]) -> None:
    with pytest.raises(ModelError, match="only answers in runs of a suite"):
        anyio.run(load_model("scripted/oracle").reply, make_request())


@pytest.fixture
def make_request() -> Callable[[], Request]:
    """Any request."""
    return lambda: Request((Message("user", "Hello"),))
