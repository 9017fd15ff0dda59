"""A run graded anew: nothing changes by itself, planted changes are found, and nothing of the old run is lost."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import pytest

from toolmend import registry
from toolmend.errors import BadOption, UnknownName
from toolmend.evals.comparing.regrade import Regrade, regrade
from toolmend.evals.comparing.regrade_sample import Grader, Reread, fits, reread
from toolmend.evals.running import scorer
from toolmend.evals.running.plan import Plan
from toolmend.evals.running.runner import run as play_run
from toolmend.evals.suites.suite import Suite, load_suite, read_suite
from toolmend.events import Called, Marked, Read, Replied, Tried
from toolmend.grading import Grade, grade
from toolmend.messages import Call, Message, Reply, Request
from toolmend.mistakes import Kind, Mark
from toolmend.models.scripted import Scripted
from toolmend.reading import Reading, read_python
from toolmend.store import Run, Sample, Store
from toolmend.strategies import Act, Ask, Flow, Talk
from toolmend.toolboxes import Calendar

SUITE = """\
suite: lunches
tools: calendar
experiments:
  main:
    cases: [lunch]
    corrections: 1
cases:
  lunch:
    - id: Ada
      steps:
        - say: Lunch with Ada on 3 May 2025 at noon
          expect: action.add_calendar_entry("Lunch with Ada", "2025-05-03", "12:00")
        - say: Make it an hour.
          amends: previous
          expect: action.add_calendar_entry("Lunch with Ada", "2025-05-03", "12:00", duration=60)
    - id: Tom
      steps:
        - say: Lunch with Tom on 4 May 2025 at noon
          expect: action.add_calendar_entry("Lunch with Tom", "2025-05-04", "12:00")
"""

HOUR = ', "12:00", duration=60)'


def reply(request: Request) -> str:
    """Ada's lunch with chatter until it is corrected, then with an hour; Tom's right at once, kept when doubted."""
    said = [message.content for message in request.messages if message.role == "user"]
    if "Tom" in said[0]:
        return 'action.add_calendar_entry("Lunch with Tom", "2025-05-04", "12:00")'
    call = 'action.add_calendar_entry("Lunch with Ada", "2025-05-03", "12:00")'
    if any("hour" in text for text in said):
        return call.replace(', "12:00")', HOUR)
    return call if len(said) > 1 else f"Sure! {call}"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    made = tmp_path / "lunches.yaml"
    made.write_text(SUITE, encoding="utf-8")
    return made


@pytest.fixture
def run(store: Store, path: Path) -> Run:
    """Both dialogues, played once: two steps and a correction, one step; with branches."""
    plan = Plan.make(read_suite(path), [Scripted(reply, "scripted/lunches")], ["oneline"])
    return anyio.run(play_run, plan, store)


def samples(store: Store, run_id: str | None) -> list[Sample]:
    assert run_id is not None
    return sorted(store.samples(run_id), key=lambda each: each.case)


def without_chatter(*given: Any, **options: Any) -> Grade:
    """A grader of tomorrow, to which chatter is no mistake."""
    found = grade(*given, **options)
    rest = tuple(each for each in found.mistakes if each.kind is not Kind.CHATTER)
    return found if len(rest) == len(found.mistakes) else Grade(rest, found.valid_call)


@pytest.fixture
def tomorrow(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scorer, "grade", without_chatter)


def counts(made: Regrade) -> tuple[int, int, int, int]:
    return (made.samples, made.gone, made.asked_otherwise, made.unread)


# nothing changed -----------------------------------------------------------------------------------------------------


def test_the_same_grader_changes_nothing_and_writes_nothing(store: Store, run: Run) -> None:
    made = regrade(store, run)
    assert (made.changes, made.run, made.suite_changed, counts(made)) == ([], None, False, (2, 0, 0, 0))
    assert made.replies == 9  # Ada: two and a correction; three branches; Tom: one and one; Ada's hour was doubted
    assert len(store.runs()) == 1


def test_a_sample_read_anew_is_the_sample(store: Store, run: Run, path: Path) -> None:
    suite = read_suite(path)
    grader = Grader(registry.strategies.get("oneline")(), Calendar().specs, None)
    for sample in samples(store, run.id):
        found = anyio.run(reread, sample, suite.cases()[sample.case], grader)
        assert found is not None
        assert found.sample == sample


def test_the_published_suite_read_anew_is_as_it_was(calendar: Suite, played: Callable[..., Any], sample: Any) -> None:
    """Every experiment, its given mistakes and gold history too, whatever the replies."""
    grader = Grader(registry.strategies.get("oneline")(), Calendar().specs, calendar.system)
    texts = [step.reference for case in calendar.cases().values() for step in case.steps]
    for number, experiment in enumerate(calendar.experiments):
        for case in experiment.cases[:6]:
            script = [*texts[number : number + 3], "Sorry, I cannot.", 'add_calendar_entry("x", "y")', "a(b=c"]
            done = sample(played(script, case, experiment).events, case=f"{experiment.id}/{case.id}")
            assert fits(done, case)
            found = anyio.run(reread, done, case, grader)
            assert found is not None and found.sample == done


# a changed grader ----------------------------------------------------------------------------------------------------


def test_a_changed_grader_is_seen_in_the_marks(store: Store, run: Run, tomorrow: None) -> None:
    made = regrade(store, run)
    change = made.changes[0]
    assert (change.case, change.step, change.arm, change.text[:5]) == ("main/lunch/Ada", 0, "", "Sure!")
    assert (change.before, change.after) == (((Mark.MISTAKE,), ("chatter",)), ((Mark.CORRECT,), ()))
    assert made.transitions() == {("🍄 chatter", "✔"): 1, ("🥦", "✔"): 1}  # what was right already is not fixed
    assert made.branches_dropped == 3  # levels 0, 1 and 3 after a reply that is right now


def test_a_new_run_is_written_and_the_old_one_stays(store: Store, run: Run, tomorrow: None) -> None:
    before = samples(store, run.id)
    made = regrade(store, run)
    assert samples(store, run.id) == before
    assert made.run is not None
    new = store.run(made.run)
    assert (new.status, new.config.settings["regraded"]["run"]) == ("finished", run.id)
    assert new.config.contestants == run.config.contestants
    ada, tom = samples(store, made.run)
    assert tom == before[1]
    assert [event for event in ada.events if isinstance(event, Tried) and event.turn == 0] == []
    kept = (Replied, Called)
    assert [e for e in ada.events if isinstance(e, kept)] == [e for e in before[0].events if isinstance(e, kept)]


def test_the_same_regrade_finds_its_run_again(store: Store, run: Run, tomorrow: None) -> None:
    first, second = regrade(store, run), regrade(store, run)
    assert (first.found, second.found, second.run) == (False, True, first.run)
    assert len(store.runs()) == 2


def test_another_grader_makes_another_run(store: Store, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scorer, "grade", without_chatter)
    first = regrade(store, run)
    monkeypatch.setattr(scorer, "grade", lambda *given, **_options: grade("nothing", *given[1:]))
    assert regrade(store, run).run != first.run


def test_a_dry_run_writes_nothing(store: Store, run: Run, tomorrow: None) -> None:
    made = regrade(store, run, write=False)
    assert (made.run, len(made.changes), len(store.runs())) == (None, 2, 1)


def test_what_became_wrong_has_no_groundless_correction(
    store: Store, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stricter(*given: Any, **options: Any) -> Grade:
        return grade("nothing", *given[1:], **options)

    monkeypatch.setattr(scorer, "grade", stricter)
    _, tom = samples(store, regrade(store, run).run)
    assert [event for event in tom.events if isinstance(event, Tried)] == []
    assert [event.marks for event in tom.marked] == [(Mark.GARBAGE,)]


def test_nothing_forgiven(store: Store, path: Path) -> None:
    fenced = Scripted(['```\naction.add_calendar_entry("Lunch with Tom", "2025-05-04", "12:00")\n```'], "scripted/f")
    path.write_text(SUITE.replace("corrections: 1", "branches: []\n    corrections: 0"), encoding="utf-8")
    run = anyio.run(play_run, Plan.make(read_suite(path), [fenced], ["oneline"]), store)
    made = regrade(store, run, lenience="none")
    assert made.transitions()["✔", "🍄 chatter"] == 1
    assert store.run(str(made.run)).config.settings["regraded"]["lenience"] == "none"


# a changed reader ----------------------------------------------------------------------------------------------------


def test_a_changed_reader_is_seen_in_the_readings(store: Store, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tomorrow's reader sees Tom on the fifth: a call that was never made has no id, and the record of calls stays."""

    def read(text: str, specs: Any) -> Any:
        return read_python(text.replace("05-04", "05-05"), specs)

    monkeypatch.setattr("toolmend.strategies.oneline.read_python", read)
    made = regrade(store, run)
    _, tom = samples(store, made.run)
    (reading,) = (event for event in tom.events if isinstance(event, Read))
    (called,) = (event for event in tom.events if isinstance(event, Called))
    assert [(call.id, call.arguments["date"]) for call in reading.calls] == [("", "2025-05-05")]
    assert called.call.arguments["date"] == "2025-05-04"
    assert made.transitions() == {("✔", "🍄 wrong_value(date)"): 1}


# a changed suite -----------------------------------------------------------------------------------------------------


def test_a_mended_suite_gives_the_expected_calls(store: Store, run: Run, path: Path) -> None:
    path.write_text(SUITE.replace('"2025-05-04", "12:00"', '"2025-05-04", "12:30"'), encoding="utf-8")
    made = regrade(store, run)
    assert made.suite_changed
    assert made.transitions() == {("✔", "🍄 wrong_value(time)"): 1}
    assert store.run(str(made.run)).config.suite_hash == read_suite(path).hash != run.config.suite_hash


def test_cases_that_are_gone_or_ask_otherwise_are_counted_and_left_out(store: Store, run: Run, path: Path) -> None:
    path.write_text(SUITE.replace("id: Tom", "id: Thomas").replace("Make it an", "It takes an"), encoding="utf-8")
    assert counts(regrade(store, run)) == (2, 1, 1, 0)
    path.write_text(
        SUITE.replace("id: Ada", "id: Ida").replace('"12:00")\n"', "").replace("04", "05"), encoding="utf-8"
    )
    made = regrade(store, run)
    assert counts(made) == (2, 1, 0, 0)
    assert [each.case for each in samples(store, made.run)] == ["main/lunch/Tom"]


def test_a_dialogue_that_is_longer_now_does_not_fit(store: Store, run: Run, path: Path) -> None:
    more = "        - say: Thanks!\n          expect: none\n"
    path.write_text(SUITE + more, encoding="utf-8")
    assert counts(regrade(store, run)) == (2, 0, 1, 0)


def test_a_reminder_may_follow_what_is_said(store: Store, run: Run, path: Path) -> None:
    case = read_suite(path).cases()["main/lunch/Tom"]
    _, tom = samples(store, run.id)
    asked = tom.events[0]
    reminded = replace(tom, events=(replace(asked, text=f"{asked.text} Be brief."), *tom.events[1:]))  # type: ignore[call-overload]
    assert fits(reminded, case)


def test_a_suite_that_is_gone_can_be_named(store: Store, run: Run, path: Path) -> None:
    moved = path.rename(path.with_name("elsewhere.yaml"))
    with pytest.raises(BadOption, match=f"the suite of run {run.id} is not where it was .*; name it with --suite"):
        regrade(store, run)
    assert not regrade(store, run, suite=str(moved)).suite_changed
    with pytest.raises(UnknownName):
        regrade(store, run, suite="moon")


def test_samples_that_could_not_be_run_stay_as_they_were(store: Store, run: Run, sample: Any, tomorrow: None) -> None:
    error = sample(case="main/lunch/Ada", model="scripted/lunches", attempt=5, status="error", detail="down")
    store.commit(run.id, error)
    made = regrade(store, run)
    assert (made.errors, samples(store, made.run)[1]) == (1, error)


# strategies that ask more than once ----------------------------------------------------------------------------------


class Twice:
    """Asks what to do, acts, then asks for a summary; the calls of both replies count."""

    name, prompt_hash, bare = "twice", "x", False

    def turn(self, talk: Talk) -> Flow:
        for role in ("act", "tell"):
            reply = yield Ask(talk.messages, role)
            assert isinstance(reply, Reply)
            reading = read_python(reply.text, talk.tools)
            yield Act(reading.calls, reading)

    def system_text(self, talk: Talk) -> str:
        return ""


class Thrice(Twice):
    """A later version, which asks once more."""

    def turn(self, talk: Talk) -> Flow:
        yield from super().turn(talk)
        yield Ask(talk.messages)


@pytest.fixture
def twice(store: Store, path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Run]:
    monkeypatch.setitem(registry.strategies._table, "twice", Twice)

    def told(request: Request) -> str:
        return "It is done." if len(asked.requests) % 2 == 0 else reply(request)

    asked = Scripted(told, "scripted/lunches")
    yield anyio.run(play_run, Plan.make(read_suite(path), [asked], ["twice"]), store)


def test_a_turn_of_several_replies_is_driven_with_all_of_them(store: Store, twice: Run) -> None:
    made = regrade(store, twice)
    assert (made.changes, made.unread) == ([], 0)
    assert made.branches_unread == sum(
        isinstance(event, Tried) for each in samples(store, twice.id) for event in each.events
    )


def test_a_branch_of_several_replies_after_a_given_one_is_left_as_it_was(
    store: Store, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(registry.strategies._table, "twice", Twice)
    given = '          given: action.add_calendar_entry("Lunch with Tom", "2025-05-05", "12:00")\n'
    text = SUITE.replace("    - id: Ada", "    - id: Ida")
    path.write_text(text + given, encoding="utf-8")
    right, told = 'action.add_calendar_entry("Lunch with Tom", "2025-05-04", "12:00")', "It is done."
    asked = Scripted(lambda request: told if len(asked.requests) % 2 == 0 else right, "scripted/t")
    run = anyio.run(play_run, Plan.make(read_suite(path), [asked], ["twice"]), store)
    made = regrade(store, run)
    assert (made.changes, made.branches_unread > 0) == ([], True)


class Native(Twice):
    """Takes native calls alone."""

    name = "native_only"

    def turn(self, talk: Talk) -> Flow:
        reply = yield Ask(talk.messages)
        assert isinstance(reply, Reply)
        yield Act(reply.calls, Reading(reply.calls, reply.text))


def test_native_calls_are_read_anew_in_the_talk_and_in_branches(
    store: Store, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(registry.strategies._table, "native_only", Native)

    def call(request: Request) -> Reply:
        hour = "12:00" if len(request.messages) > 2 else "13:00"
        arguments = {"title": "Lunch with Tom", "date": "2025-05-04", "time": hour}
        return Reply("", (Call("action.add_calendar_entry", arguments),))

    suite = read_suite(path)
    run = anyio.run(play_run, Plan.make(suite, [Scripted(call, "scripted/n")], ["native_only"]), store)
    tried = [event for each in samples(store, run.id) for event in each.events if isinstance(event, Tried)]
    made = regrade(store, run)
    assert any(not event.mistakes for event in tried)
    assert (made.changes, made.branches_unread, made.branches_dropped) == ([], 0, 0)


def test_a_strategy_that_asks_for_more_than_was_recorded_leaves_the_sample_as_it_was(
    store: Store, twice: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(registry.strategies._table, "twice", Thrice)
    made = regrade(store, twice)
    assert (counts(made), made.replies, made.changes) == ((2, 0, 0, 2), 0, [])


def test_what_the_strategy_is_told_is_what_it_was_told_then(store: Store, run: Run, path: Path) -> None:
    told: list[tuple[Message, ...]] = []

    class Listening(Twice):
        def turn(self, talk: Talk) -> Flow:
            told.append(talk.messages)
            reply = yield Ask(talk.messages)
            assert isinstance(reply, Reply)
            reading = read_python(reply.text, talk.tools)
            yield Act(reading.calls, reading)

    ada = samples(store, run.id)[0]
    found = anyio.run(reread, ada, read_suite(path).cases()[ada.case], Grader(Listening(), Calendar().specs))
    assert isinstance(found, Reread)
    assert [[message.content[:5] for message in messages] for messages in told[:3]] == [
        ["Lunch"],
        ["Lunch", "Sure!", told[1][2].content[:5]],
        ["Lunch", "Sure!", told[1][2].content[:5], "actio", "Make "],
    ]
    assert [call.id for call in told[1][1].calls] == ["c1"]
    assert all(isinstance(event, Marked) for event in found.sample.marked)


def test_the_shipped_suite_is_found_by_its_name(store: Store, run: Run) -> None:
    config = replace(run.config, suite="calendar", settings={**run.config.settings, "suite_path": "/no/where.yaml"})
    found = regrade(store, replace(run, config=config))
    assert (found.suite.hash, found.gone) == (load_suite("calendar").hash, 2)
