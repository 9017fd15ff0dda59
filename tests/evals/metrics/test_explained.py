"""Whether what a strategy says of its own calls is so, sentence by sentence."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import pytest

from toolmend.base.events import Asked, Called, Event, Guarded, Looked, Replied
from toolmend.base.messages import Call, CallResult, Request
from toolmend.evals.metrics.explained import explained
from toolmend.evals.reports.markdown import to_markdown
from toolmend.evals.reports.report import build_report
from toolmend.evals.running.plan import Plan
from toolmend.evals.running.runner import run
from toolmend.evals.store import Store
from toolmend.evals.suites.suite import read_suite
from toolmend.models.scripted import Scripted

ASKED = Asked(0, "A ghoul with 8 hp in the Crypt, and a bat with 30 hp")
GHOUL = Called(0, Call("add_enemy", {"name": "Ghoul", "room": "Crypt", "hp": 8}, id="c1"), CallResult("c1", "added"))
BAT = Called(0, Call("add_enemy", {"name": "Bat", "hp": 30}, id="c2"), CallResult("c2", error="hp is 20 at most"))


def summed_up(text: str, *events: Event) -> list[bool | None]:
    return [so for _, so in explained([ASKED, *events, Replied(0, text, "summary")])]


@pytest.mark.parametrize(
    ("text", "so"),
    [
        ("I added Ghoul with 8 hp.", [True]),
        ("I added Ghoul. It has 12 hp.", [True, False]),
        ('I put "Ghoul" into the Crypt.', [True]),
        ('I put "Ghast" into the crypt.', [False]),
        ("Now Ghoul waits in the Chapel.", [False]),
        ("Is there anything else?", [None]),
        ("I could not add anything.", [False]),
    ],
)
def test_a_sentence_is_held_against_the_calls_that_ran(text: str, so: list[bool | None]) -> None:
    assert summed_up(text, GHOUL) == so


def test_what_was_only_asked_for_is_no_evidence_that_it_was_done() -> None:
    assert summed_up("I added the bat with 30 hp. The bat with 30 hp was not added.", GHOUL, BAT) == [False, True]


def test_nothing_was_done_where_the_state_stayed_as_it_was() -> None:
    assert summed_up("I added it.", GHOUL, Looked(0, {"rooms": []}, {"rooms": []}, False)) == [False]
    assert summed_up("I added it.", GHOUL, Looked(0, {"rooms": []}, {"rooms": ["Crypt"]}, True)) == [True]


def test_what_the_state_has_is_so() -> None:
    look = Looked(0, {"rooms": []}, {"rooms": [{"name": "Mill", "dodge": 0.4, "opens": "17:00"}]}, True)
    assert summed_up("The Mill has 40 % dodge and opens at 5 PM. It opens at 6 PM.", GHOUL, look) == [True, False]


def test_reasons_are_held_against_what_was_said_and_not_against_what_came_of_it() -> None:
    reasons = (Guarded(0, "intent", "add_enemy: a bat of 30 hp is wanted"), Guarded(0, "intent", "add_enemy: of 9 hp"))
    made = Called(0, Call("add_enemy", {"hp": 9}, id="c3"), CallResult("c3", "added"))
    assert [*explained([ASKED, *reasons, made])] == [("reason", True), ("reason", False)]


def test_what_is_left_out_of_a_list_that_is_too_long_was_not_done() -> None:
    assert summed_up("The others were left out.", Guarded(0, "too_many_intents", "12, the first 10")) == [True]


def answer(request: Request) -> str:
    """A list of intents, the values, and a summary of which the second sentence is not so."""
    told = request.messages[0].content
    if "Tell the user" in told:
        return "Lunch was added at 12:00. It takes 90 minutes. Enjoy!"
    return "- title: Lunch\n- date: 2024-05-03\n- time: 12:00" if "Write the values" in told else "add_calendar_entry"


def test_the_report_has_the_share_with_its_interval(store: Store, suite_file: Callable[..., Path]) -> None:
    path = suite_file(chosen="cases: [lunch]\n    corrections: 0\n    branches: []")
    plan = Plan.make(read_suite(path), [Scripted(answer)], ["freyr"])
    report: dict[str, Any] = build_report(store, anyio.run(run, plan, store).id)
    said = report["contestants"][0]["explained"]["summary"]
    assert (said["hits"], said["trials"], said["unchecked"]) == (1, 2, 1)
    assert "are so" in to_markdown(report)
