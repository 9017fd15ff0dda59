"""Steps that look at the world: read from a file, played, corrected, graded anew; where dialogues begin."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from toolmend.base.errors import BadFile, BadOption
from toolmend.base.events import Looked, Marked, Tried
from toolmend.evals.suites.selftest import test_suite as try_suite
from toolmend.evals.suites.suite import Suite, load_suite, read_suite
from toolmend.grading.world_rules import world_of

from ..conftest import Played

ADD, REMOVE = "action.add_calendar_entry", "action.remove_calendar_entry"
DIARY = """\
suite: diary
tools: calendar
open: [duration]
starts:
  busy: {entries: [{title: Yoga, date: 2025-05-03, time: "09:00", duration: 60}]}
experiments:
  main: {cases: [week], corrections: 1, branches: []}
cases:
  week:
    - steps:
        - say: Ada and Ben each come by on 3 May 2025.
          state:
            - {name: visits, at: entries, added: 2, like: {date: 2025-05-03}, say: Both of them come on that Saturday.}
          reference: |
            action.add_calendar_entry("Ada", "2025-05-03", "10:00")
            action.add_calendar_entry("Ben", "2025-05-03", "11:00")
          open: [title, time]
        - say: Take the swimming out.
          start: busy
          refuses: {contains: ["no ", not]}
          attempt: action.remove_calendar_entry("Swimming", "2025-05-03", "09:00")
          words: There is no swimming in your calendar.
        - say: Make yoga two hours long.
          state: [{at: entries/Yoga/duration, to: 120}]
          reference:
            - action.remove_calendar_entry("Yoga", "2025-05-03", "09:00")
            - action.add_calendar_entry("Yoga", "2025-05-03", "09:00", 120)
"""
BOTH = f'{ADD}("Ada", "2025-05-03", "10:00")\n{ADD}("Ben", "2025-05-03", "11:00")'
ONE = f'{ADD}("Ada", "2025-05-03", "10:00")'


@pytest.fixture
def diary(tmp_path: Path) -> Callable[..., Suite]:
    """The suite above."""

    def read() -> Suite:
        path = tmp_path / "diary.yaml"
        path.write_text(DIARY, encoding="utf-8")
        return read_suite(path)

    return read


def first(suite: Suite, played: Callable[..., Played], *replies: str, **changes: object) -> Played:
    """The first step alone, with these replies."""
    case = suite.experiments[0].cases[0]
    how = suite.experiments[0]
    return played([*replies, "Sorry."], replace(case, steps=case.steps[:1]), how, **changes)


def test_a_step_that_looks_at_the_world_leaves_the_calls_free(diary: Callable[..., Suite]) -> None:
    step = diary().experiments[0].cases[0].steps[0]
    assert step.expected.free and step.reference == BOTH and step.open == ("duration", "title", "time")
    assert step.world == world_of(
        [
            {
                "name": "visits",
                "at": "entries",
                "added": 2,
                "like": {"date": "2025-05-03"},
                "say": "Both of them come on that Saturday.",
            }
        ]
    )


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("          state: [{at: entries/Yoga/duration, too: 120}]", r":24: too: unknown key 'too'"),
        ("          state: [{at: entries/Yoga/duration}]", r":24: at: a change has one of"),
        ("          state: other", r":24: state: must be `same`"),
        ("          state: {only: 3}", r":24: only: must be true or false"),
        (
            '          state: [{at: entries/Yoga/duration, to: 120, say: "Yoga takes long."}]',
            r":24: state: 'Yoga takes",
        ),
    ],
)
def test_a_broken_check_is_one_line_with_its_place(diary: Callable[..., Suite], line: str, told: str) -> None:
    text = DIARY.replace("          state: [{at: entries/Yoga/duration, to: 120}]", line)
    with pytest.raises(BadFile, match=f"diary.yaml{told}"):
        _read(text, diary)


def _read(text: str, diary: Callable[..., Suite]) -> Suite:
    path = Path(diary().path)
    path.write_text(text, encoding="utf-8")
    return read_suite(path)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("start: busy", "start: buzy", "start: unknown starting state 'buzy' (did you mean busy?)"),
        ("start: busy", "start: {entries: 3}", "start: calendar JSON"),
        ("busy: {entries", "busy: {entry", "busy: calendar JSON"),
        ("attempt: action.remove", "attempt: action.erase", "attempt: unknown tool"),
        ("          open: [title, time]", "          open: [titel]", "open: unknown argument 'titel'"),
        (
            "state: [{at: entries/Yoga/duration, to: 120}]",
            "asks: [title]\n          attempt: x",
            "attempt: goes with refuses",
        ),
        ("          refuses:", "          state: same\n          refuses:", "refuses: goes without state"),
    ],
)
def test_what_goes_with_what(diary: Callable[..., Suite], old: str, new: str, told: str) -> None:
    with pytest.raises(BadFile) as caught:
        _read(DIARY.replace(old, new), diary)
    assert told in str(caught.value)


def test_what_is_to_change_needs_a_reference(diary: Callable[..., Suite]) -> None:
    cut = DIARY[: DIARY.index("          reference:\n            - action.remove")]
    with pytest.raises(BadFile, match=r"diary.yaml:\d+: reference: is missing: the calls that bring this about"):
        _read(cut, diary)


def test_states_may_stand_in_a_file_of_their_own(diary: Callable[..., Suite], tmp_path: Path) -> None:
    state = {"entries": [{"title": "Yoga", "date": "2025-05-03", "time": "09:00", "duration": 60}]}
    (tmp_path / "states.json").write_text(json.dumps({"busy": state}), encoding="utf-8")
    line = next(line for line in DIARY.splitlines() if "busy: {" in line)
    made = _read(DIARY.replace(line, "  busy: states.json#busy"), diary)
    assert made.experiments[0].cases[0].steps[1].start == state
    (tmp_path / "states.json").write_text(json.dumps({"busy": {"entries": []}}), encoding="utf-8")
    assert read_suite(Path(made.path)).hash != made.hash
    for name, told in (("states.json#lazy", "has no 'lazy'"), ("gone.json", "cannot be read as JSON")):
        with pytest.raises(BadFile, match=told):
            _read(DIARY.replace(line, f"  busy: {name}"), diary)


def test_a_dialogue_goes_on_in_its_world_or_is_cut_at_every_start(diary: Callable[..., Suite]) -> None:
    chained = diary().experiments[0].cases
    each = _read(DIARY.replace("corrections: 1", "corrections: 1, start: each"), diary).experiments[0].cases
    assert [(case.id, len(case.steps)) for case in chained] == [("week", 3)]
    assert [(case.id, len(case.steps)) for case in each] == [("week/1", 1), ("week/2", 2)]
    assert diary().toolbox(chained[0]).state() == {"entries": []}
    assert diary().toolbox(each[1]).state() == each[1].steps[0].start


def test_a_step_cannot_amend_one_beyond_another_start(diary: Callable[..., Suite]) -> None:
    text = DIARY.replace("corrections: 1", "start: each").replace(
        "          refuses", "          amends: 1\n          refuses"
    )
    with pytest.raises(BadFile, match="week: a step amends one that another start lies between"):
        _read(text, diary)


def test_the_world_is_graded_and_recorded(diary: Callable[..., Suite], played: Callable[..., Played]) -> None:
    [looked] = first(diary(), played, BOTH).of(Looked)
    assert looked.right and looked.was == {"entries": []} and len(looked.now["entries"]) == 2
    found = first(diary(), played, ONE, BOTH)
    assert [[str(each) for each in marked.mistakes] for marked in found.of(Marked)] == [["wrong_state(visits)"], []]
    assert [looked.right for looked in found.of(Looked)] == [False, True]
    assert found.of(Looked)[1].was == {"entries": []}  # the correction is judged by the world before the request


def test_a_person_says_what_is_wrong_with_the_world(diary: Callable[..., Suite], played: Callable[..., Played]) -> None:
    levels = ("level 0", "level 2", "level 3")
    found = first(diary(), played, ONE, branches=levels, corrections=0)
    said = {tried.arm: tried.correction.text for tried in found.of(Tried)}
    assert list(said) == list(levels)
    assert "visits" in said["level 2"]
    assert said["level 3"].endswith("Both of them come on that Saturday.")


def test_no_call_where_the_world_should_change(diary: Callable[..., Suite], played: Callable[..., Played]) -> None:
    [marked, _] = first(diary(), played, "Sure, both are in.").of(Marked)
    assert [str(mistake) for mistake in marked.mistakes] == ["no_call"]


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("There is no swimming.", []),
        (f'{REMOVE}("Swimming", "2025-05-03", "09:00")\nThere is not any swimming.', []),
        (f'{REMOVE}("Swimming", "2025-05-03", "09:00")', ["wrong_state(reply)"]),
        (f'{REMOVE}("Yoga", "2025-05-03", "09:00")\nThere is no swimming.', ["wrong_state(everything else)"]),
    ],
)
def test_a_refusal(diary: Callable[..., Suite], played: Callable[..., Played], reply: str, expected: list[str]) -> None:
    suite = diary()
    case = suite.experiments[0].cases[0]
    alone = replace(case, steps=case.steps[1:2])
    found = played([reply], alone, suite.experiments[0], tools=suite.toolbox(alone), corrections=0)
    assert [str(mistake) for mistake in found.of(Marked)[0].mistakes] == expected


def test_calls_and_world_may_both_be_looked_at(diary: Callable[..., Suite], played: Callable[..., Played]) -> None:
    text = DIARY.replace("          reference: |", "          expect:", 1)
    text = text.replace("            action.add", "            - action.add")
    suite = _read(text, diary)
    assert suite.experiments[0].cases[0].steps[0].reference == BOTH
    [marked, _] = first(suite, played, BOTH.replace('"Ben", "2025-05-03"', '"Ben", "2025-05-04"')).of(Marked)
    assert [str(mistake) for mistake in marked.mistakes] == ["wrong_value(date)", "wrong_state(visits)"]


def test_gold_history_makes_the_reference(diary: Callable[..., Suite], played: Callable[..., Played]) -> None:
    suite = diary()
    case = suite.experiments[0].cases[0]
    found = played(["x"], replace(case, steps=case.steps[:2]), suite.experiments[0], history="gold", corrections=0)
    assert len(found.session.tools.state()["entries"]) == 2


def test_the_self_test_tries_references_and_mutants_in_the_world(diary: Callable[..., Suite]) -> None:
    tried = try_suite(_read(DIARY.replace("corrections: 1", "start: each"), diary))
    assert [each.problem for each in tried if not each.ok] == []
    assert {each.name for each in tried} == {
        "world: reference", "world: dropped call", "world: changed argument", "world: surplus call",
        "world: attempt refused", "world: words left out",
    }  # fmt: skip


def test_the_self_test_finds_a_check_that_is_too_loose(diary: Callable[..., Suite]) -> None:
    text = DIARY.replace("state: [{at: entries/Yoga/duration, to: 120}]", "state: {only: false}")
    loose = _read(text.replace("corrections: 1", "start: each"), diary)
    failures = {(each.place, each.name) for each in try_suite(loose) if not each.ok}
    assert ("week/2, step 2", "world: changed argument") in failures
    assert {place for place, _ in failures} == {"week/2, step 2"}


def test_a_suite_that_a_program_makes_takes_its_options_only() -> None:
    with pytest.raises(BadOption, match="suite 'llmaker' takes no steps; it takes cases"):
        load_suite("llmaker?steps=3")
    with pytest.raises(BadOption, match="suite 'calendar' takes no cases"):
        load_suite("calendar", cases="x")
