"""Contestants with the ladder: what is played, stored, counted and shown of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import pytest

from toolmend.base.errors import BadOption
from toolmend.base.events import Corrected, Event, Guarded, Tried, from_json, to_json
from toolmend.base.messages import Request
from toolmend.base.mistakes import Correction, Mistake
from toolmend.evals.metrics.rates import tally, to_right
from toolmend.evals.metrics.repairs import repairs
from toolmend.evals.reports.report import build_report
from toolmend.evals.reports.tables import ladder
from toolmend.evals.running.plan import Plan
from toolmend.evals.running.play import play
from toolmend.evals.running.runner import run
from toolmend.evals.store import Sample, Store
from toolmend.evals.suites.suite import BRANCHES, Case, Experiment, Step, Suite, load_suite
from toolmend.grading import Expected, ExpectedCall
from toolmend.language.corrections import open_pool
from toolmend.models.scripted import Scripted
from toolmend.session import Session
from toolmend.tools.toolboxes import Calendar

ADD = "action.add_calendar_entry"
SAY = "Add dinner with Marta on 6 March 2026 at seven"


def call(time: str) -> str:
    return f'{ADD}("Dinner with Martha", date="2026-03-06", time="{time}")'


def case(time: str) -> Case:
    values = {"title": "Dinner with Martha", "date": "2026-03-06", "time": time}
    return Case("dinner", "dinner", (Step(SAY, Expected((ExpectedCall(ADD, values),)), call(time)),))


def played(script: Any, due: str = "19:00", strategy: str = "oneline", **options: Any) -> tuple[Event, ...]:
    how = replace(Experiment("main", "", (case(due),), branches=BRANCHES), **options)
    return anyio.run(
        play,
        lambda sink: Session(Scripted(script), Calendar(), strategy, sink=sink),
        how.cases[0],
        how,
        1,
        "",
        open_pool(),
    )


def branch(events: tuple[Event, ...], arm: str) -> Tried:
    return next(event for event in events if isinstance(event, Tried) and event.arm == arm)


def sample(events: tuple[Event, ...]) -> Sample:
    return Sample("main/dinner", "m", "oneline + ladder", events=events)


def test_a_value_that_is_said_is_a_repair_without_a_model() -> None:
    tried = branch(played(lambda request: call("07:00")), "level 3")
    assert (tried.mended, tried.mistakes, tried.replies) == ("edit", (), 0)


def test_what_happened_is_stored() -> None:
    tried = branch(played(lambda request: call("07:00")), "level 3")
    assert from_json(to_json(tried)) == tried
    old = {name: value for name, value in to_json(tried).items() if name not in ("mended", "choice", "stands")}
    assert (from_json(old).mended, from_json(old).choice) == ("", 0)  # type: ignore[union-attr]


def test_of_the_answers_offered_the_right_one_is_chosen_and_counted_apart() -> None:
    events = played(lambda request: call("07:00"), branches=("level 0", "level 1"))
    asked = branch(events, "level 1")
    assert (asked.mended, bool(asked.mistakes), asked.choice > 0, asked.stands) == ("question", True, True, True)
    [trial] = [trial for trial in tally([sample(events)])["m", "oneline + ladder"].trials if trial.level == 1]
    counted = repairs([trial])
    assert [hits[0][1] for hits in counted.fixed.values()] == [False, False, False, True]
    assert (counted.one_choice, counted.unasked) == ([("main/dinner", True)], [("main/dinner", True)])


def test_turns_and_sentences_to_right_differ_by_choices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "toolmend.evals.running.simulated_user.correction_for", lambda *_, **__: Correction("That's wrong.", 2)
    )  # so that the first correction is asked about
    events = played(lambda request: call("07:00"), branches=())
    assert [event.correction.text for event in events if isinstance(event, Corrected)] == ["That's wrong.", "3"]
    assert Guarded(1, "offered", "3") in events
    assert to_right(tally([sample(events)])["m", "oneline + ladder"].to_right) == (2.0, 1.0)


def test_who_is_told_what_was_said_says_the_value() -> None:
    values = {"title": "Dinner with Martha", "date": "2026-03-13", "time": "19:00"}
    due = Case("dinner", "dinner", (Step(SAY, Expected((ExpectedCall(ADD, values),)), call("19:00")),))
    events = played(lambda request: call("19:00"), branches=(), cases=(due,))
    said = [event.correction for event in events if isinstance(event, Corrected)]
    assert [(one.level, str(one.mistake)) for one in said] == [(2, "wrong_value(date)"), (3, "wrong_value(date)")]
    assert "insists" in [event.detail for event in events if isinstance(event, Guarded)]


def test_who_is_asked_what_is_right_says_the_value_where_no_answer_is(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[int] = []

    def complains(mistake: Mistake, level: int, *_: object, **__: object) -> Correction:
        told.append(level)
        return Correction("That's wrong." if level < 3 else "It's at 12:34.", level, mistake)

    monkeypatch.setattr("toolmend.evals.running.simulated_user.correction_for", complains)
    events = played(lambda request: call("07:00"), due="12:34", branches=())
    said = [event.correction for event in events if isinstance(event, Corrected)]
    assert [str(one.mistake) for one in said] == ["wrong_value(time)", "wrong_value(time)"]
    assert (told, to_right(tally([sample(events)])["m", "oneline + ladder"].to_right)) == ([2, 3], (2.0, 2.0))


def test_a_groundless_doubt_that_is_only_asked_about_gives_nothing_up() -> None:
    events = played(lambda request: call("19:00"), branches=("false",))
    counted = tally([sample(events)])["m", "oneline + ladder"]
    assert [given_up for _, _, given_up in counted.doubts] == [False]


def test_a_question_that_was_not_due_is_answered() -> None:
    def asks(request: Request) -> str:
        return 'add_calendar_entry(title="Dinner with Martha", date="6 March 2026", time="seven")'

    events = played(asks, strategy="spoken", branches=("level 0", "level 3"))
    tried = branch(events, "level 3")
    assert (tried.mended, tried.mistakes, tried.correction.level) == ("answer", (), 3)


@pytest.fixture
def lunch(suite_file: Callable[..., Any]) -> Suite:
    return load_suite(str(suite_file()))


def test_both_plays_every_contestant_without_and_with_it(lunch: Suite) -> None:
    plan = Plan.make(lunch, [Scripted([""], "canned/x")], ["oneline"], mend="both")
    assert [player.name for player in plan.players] == ["canned/x · oneline", "canned/x · oneline + ladder"]
    assert plan.config().settings["wordings"]["file"] == "wordings.jsonl"


def test_what_was_published_has_no_ladder(lunch: Suite) -> None:
    with pytest.raises(BadOption, match="has no ladder"):
        Plan.make(lunch, [Scripted([""], "canned/x")], ["freyr_paper"], mend="yes")


def test_the_report_tells_by_whom_it_was_mended(lunch: Suite, tmp_path: Path) -> None:
    wrong = f'{ADD}("Lunch", "2024-05-03", "13:00")'
    plan = Plan.make(lunch, [Scripted(lambda request: wrong, "canned/x")], ["oneline"], mend="yes")
    with Store(tmp_path / "runs.db") as store:
        report = build_report(store, anyio.run(run, plan, store).id)
    told = report["contestants"][0]["ladder"]
    assert told["3"]["without_model"]["value"] == told["3"]["unasked"]["value"] == 1.0
    table = ladder(report)
    assert table is not None
    assert [row.head for row in table.rows][-2:] == ["  ↳ 3 the value", "  ↳ groundless"]
    assert [cell.text for cell in table.rows[4].cells[:3]] == ["100 %", "0 %", "0 %"]
