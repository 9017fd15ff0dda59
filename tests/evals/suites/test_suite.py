"""Suites as data: the shipped one, and what a file of one's own may say."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest

from specimens import self_test
from toolmend.base.errors import BadFile, BadOption, UnknownName
from toolmend.evals.suites.suite import BRANCHES, Step, Suite, load_suite, read_suite, select, shipped
from toolmend.grading import Date, Expected, ExpectedCall, OneOf, grade
from toolmend.tools import Toolbox

Write = Callable[..., Path]
ADD = "action.add_calendar_entry"
LUNCH_CALL = ExpectedCall(ADD, {"title": "Lunch", "date": "2024-05-03", "time": "12:00"})


@pytest.fixture
def step(suite_file: Write) -> Callable[..., Step]:
    """The only step of a suite, with more keys."""

    def read(*lines: str, **changes: str) -> Step:
        more = changes.pop("expect", LUNCH_LINE)
        path = suite_file(expect="\n          ".join([more, *lines]), **changes)
        return read_suite(path).experiments[0].cases[0].steps[0]

    return read


LUNCH_LINE = f'expect: {ADD}("Lunch", "2024-05-03", "12:00")'


# the shipped suite ---------------------------------------------------------------------------------------------------


def test_the_calendar_ships() -> None:
    assert "calendar" in shipped()


def test_the_six_prompts_are_the_published_ones(calendar: Suite) -> None:
    assert [step.say for step in calendar.experiments[1].cases[0].steps] == [
        "Add a meeting with Fred on Nov 11 at 5PM",
        "The current year is 2024.",
        "I'm going to a rock concert in the evening of the same day at 8pm. Add a calendar entry for that.",
        "Set the duration to 3 hours.",
        "Add a meeting with Paul on the next day at 8am. 1/2h.",
        "Cancel the meeting with Fred.",
    ]


def test_the_expected_calls_are_the_published_ones(calendar: Suite) -> None:
    assert [step.reference for step in calendar.experiments[1].cases[0].steps] == [
        f'{ADD}("Meeting with Fred", date="2023-11-11", time="17:00", duration=30)',
        f'{ADD}("Meeting with Fred", date="2024-11-11", time="17:00", duration=30)',
        f'{ADD}("Rock Concert", date="2024-11-11", time="20:00", duration=30)',
        f'{ADD}("Rock Concert", date="2024-11-11", time="20:00", duration=60*3)',
        f'{ADD}("Meeting with Paul", date="2024-11-12", time="08:00", duration=30)',
        'action.remove_calendar_entry("Meeting with Fred", "2024-11-11", "17:00")',
    ]


def test_steps_say_what_they_amend(calendar: Suite) -> None:
    assert [step.amends for step in calendar.experiments[1].cases[0].steps] == [None, 0, None, 2, None, None]


@pytest.mark.parametrize(("year", "right"), [("2023", True), ("2024", True), ("1999", True), ("24", False)])
def test_a_year_never_said_is_any_year(calendar: Suite, year: str, right: bool) -> None:
    expected = calendar.experiments[0].cases[0].steps[0].expected
    reply = f'{ADD}("Meeting with Fred", date="{year}-11-11", time="17:00", duration=30)'
    assert grade(reply, expected, Toolbox.load("calendar").specs).correct is right


def test_the_year_is_the_mistake_that_nobody_can_avoid(calendar: Suite) -> None:
    steps = calendar.experiments[1].cases[0].steps
    assert [(step.forced, step.corrects) for step in steps[:3]] == [("date", None), (None, "date"), (None, None)]


def test_the_experiments_are_the_published_ones(calendar: Suite) -> None:
    found = [(e.id, len(e.cases), e.attempts, e.corrections, e.history) for e in calendar.experiments]
    assert found == [("reliability", 1, 5, 0, "own"), ("complete", 1, 1, 3, "own"), ("fixing", 12, 3, 3, "gold")]


def test_fixing_has_the_published_kinds_of_mistakes(calendar: Suite) -> None:
    specs = Toolbox.load("calendar").specs
    found: dict[str, set[str]] = {}
    for case in calendar.experiments[2].cases:
        last = case.steps[-1]
        graded = grade(last.given or "", last.expected, specs)
        found.setdefault(case.group, set()).add(", ".join(map(str, graded.mistakes)))
    assert found == {"wrong time": {"wrong_value(time)"}, "API only": {"chatter"}, "wrong API": {"unknown_tool"}}


def test_the_calendar_is_graded_as_it_should_be(calendar: Suite) -> None:
    steps = [step.expected for e in calendar.experiments for case in e.cases for step in case.steps]
    different = {repr(expected): expected for expected in steps}
    found = self_test(different.values(), Toolbox.load("calendar").specs)
    assert [str(failure) for failure in found.failures] == []
    assert (len(steps), found.counts["reference"]) == (53, (6, 6))


# files of one's own --------------------------------------------------------------------------------------------------


def test_a_suite_is_found_by_its_path(suite_file: Write) -> None:
    suite = load_suite(str(suite_file()))
    assert (suite.name, suite.tools, suite.version, suite.system, suite.notation) == (
        "lunch",
        "calendar",
        1,
        None,
        None,
    )


def test_a_name_nobody_knows_lists_what_ships() -> None:
    with pytest.raises(UnknownName, match=r"unknown suite 'calender' \(did you mean calendar.*\?\); known: .*calendar"):
        load_suite("calender")


def test_defaults_of_an_experiment(suite_file: Write) -> None:
    (made,) = read_suite(suite_file()).experiments
    assert (made.attempts, made.corrections, made.history, made.branches) == (1, 3, "own", BRANCHES)


def test_without_experiments_every_case_is_played(suite_file: Write) -> None:
    (made,) = read_suite(suite_file(experiments="")).experiments
    assert (made.id, [case.id for case in made.cases]) == ("chat", ["lunch"])


def test_a_suite_sets_the_clock_of_its_toolbox(suite_file: Write) -> None:
    suite = read_suite(suite_file(tools="tools: calendar\nnow: 2025-01-01T00:00"))
    [case] = suite.cases().values()
    assert suite.toolbox(case).clock == datetime(2025, 1, 1)


@pytest.mark.parametrize(
    ("written", "what"),
    [
        ("tools: calendar\nnow: noon", "now: must be a time as YYYY-MM-DDTHH:MM, not 'noon'"),
        ("tools: dungeon\nnow: 2025-01-01T00:00", "now: this toolbox has no clock to set"),
    ],
)
def test_a_clock_that_cannot_be_set(suite_file: Write, written: str, what: str) -> None:
    with pytest.raises(BadFile, match=what):
        read_suite(suite_file(tools=written))


def test_the_world_of_a_published_suite_takes_no_words_for_values() -> None:
    published, own = load_suite("calendar"), load_suite("calendar_dev")
    boxes = [suite.toolbox(next(iter(suite.cases().values()))) for suite in (published, own)]
    assert [box.spoken_values for box in boxes] == [False, True]


def test_any_byte_changes_the_hash(suite_file: Write) -> None:
    before = read_suite(suite_file()).hash
    assert read_suite(suite_file(tools="tools: calendar ")).hash != before


def test_an_expected_call_is_read_by_the_signature(step: Callable[..., Step]) -> None:
    assert step().expected == Expected((LUNCH_CALL,))


def test_several_expected_calls(step: Callable[..., Step]) -> None:
    lines = ["expect:", f"  - {LUNCH_LINE[8:]}", '  - action.remove_calendar_entry("Lunch", "2024-05-02", "12:00")']
    made = step(*lines[1:], "ordered: true", expect=lines[0])
    assert [call.tool for call in made.expected.calls] == [ADD, "action.remove_calendar_entry"]
    assert made.expected.ordered is True
    assert made.reference.count("\n") == 1


def test_no_call_is_expected(step: Callable[..., Step]) -> None:
    made = step(expect="expect: none")
    assert (made.expected, made.reference) == (Expected(), "")


def test_a_question_is_expected(step: Callable[..., Step]) -> None:
    assert step(expect="asks: [date, time]").expected == Expected(asks=("date", "time"))


def test_other_values_are_accepted(step: Callable[..., Step]) -> None:
    made = step('accept: {title: {oneof: [lunch, a meal]}, date: {date: {month: 5, day: 3}}, time: "12:00"}')
    arguments = {"title": OneOf(("lunch", "a meal")), "date": Date(None, 5, 3), "time": "12:00"}
    assert made.expected.calls[0].arguments == arguments


def test_several_calls_have_other_values_each(step: Callable[..., Step]) -> None:
    dinner = f'{ADD}("Dinner", "2024-05-03", "19:00")'
    lines = [
        f"  - {LUNCH_LINE.removeprefix('expect: ')}",
        f"  - {dinner}",
        "accept: [{title: {oneof: [Lunch, Meal]}}, {}]",
    ]
    made = step(*lines, expect="expect:").expected
    assert [call.arguments["title"] for call in made.calls] == [OneOf(("Lunch", "Meal")), "Dinner"]


def test_a_step_may_amend_an_earlier_one_by_its_number(suite_file: Write) -> None:
    again = "\n        - {say: Longer., amends: AMENDS, " + LUNCH_LINE.replace("expect: ", "expect: '") + "'}"
    for written, number in (("previous", 0), ("1", 0), ("none", None)):
        path = suite_file(expect=LUNCH_LINE + again.replace("AMENDS", written))
        assert read_suite(path).experiments[0].cases[0].steps[1].amends == number


def test_upto_and_given_belong_to_the_last_step(suite_file: Write) -> None:
    case = "    - upto: 1\n      given: Sure!\n      steps:\n"
    second = "\n        - {say: Cancel it., expect: none}"
    (made,) = read_suite(suite_file(case=case, expect=LUNCH_LINE + second)).experiments[0].cases
    assert [step.given for step in made.steps] == ["Sure!"]


def test_cases_are_numbered_where_they_have_no_id(suite_file: Write) -> None:
    more = "\n    - steps: [{say: Hi, expect: none}]\n    - {id: named, steps: [{say: Hi, expect: none}]}"
    suite = read_suite(suite_file(expect=LUNCH_LINE + more))
    assert [case.id for case in suite.experiments[0].cases] == ["lunch", "lunch/2", "lunch/named"]


def test_recoverable_and_forced(step: Callable[..., Step]) -> None:
    made = step("recoverable: false", "forced: date", "accept: {date: {any: true}}")
    assert (made.recoverable, made.forced) == (False, "date")


def test_reminders_are_for_models_of_a_pattern(suite_file: Write) -> None:
    suite = read_suite(suite_file(suite='suite: a\nreminders: {"a/*": Answer with a call. , b/c: Call!}'))
    assert [suite.reminder(name) for name in ("a/x?top_k=1", "b/c", "b/d")] == ["Answer with a call.", "Call!", ""]


@pytest.mark.parametrize("model", ["gemini/some-model", "openrouter/google/gemini-x", "openai/Gemini-x?base_url=a"])
def test_gemini_is_reminded_as_in_the_published_experiment(calendar: Suite, model: str) -> None:
    assert calendar.reminder(model) == "Answer with an API call from the provided API."
    assert calendar.reminder("builtin/small") == ""


def test_only_some_experiments(calendar: Suite) -> None:
    assert [e.id for e in select(calendar, ["fixing"]).experiments] == ["fixing"]
    assert select(calendar, []) == calendar


def test_an_experiment_nobody_knows(calendar: Suite) -> None:
    with pytest.raises(BadOption, match="suite 'calendar' has no experiment 'slow'; it has reliability, complete, fix"):
        select(calendar, ["slow"])


# broken files --------------------------------------------------------------------------------------------------------

LUNCH_TWICE = LUNCH_LINE.replace(" action", "\n          - action") + LUNCH_LINE.replace("expect: ", "\n          - ")
BROKEN = [
    ({"suite": "suite: 5"}, 1, "suite: must be text, not 5"),
    ({"suite": "name: lunch"}, 1, "name: unknown key 'name'"),
    ({"suite": "suite: a\nversion: new"}, 2, "version: must be a whole number of at least 0, not 'new'"),
    ({"suite": "suite: a\nnotation: vlog"}, 2, "notation: must be blog, not 'vlog'"),
    ({"suite": "suite: a\nsystem: 3"}, 2, "system: must be text, not 3"),
    ({"suite": "suite: a\nreminders: now"}, 2, "reminders: must be a mapping of keys to values, not 'now'"),
    ({"suite": "suite: a\nreminders: {}"}, 2, "reminders: must not be empty"),
    ({"suite": "suite: a\nreminders:\n  a/*: 5"}, 3, "a/*: must be text, not 5"),
    ({"suite": "suite: a\nreminders:\n  a/*: ' '"}, 3, "a/*: must be text, not ' '"),
    ({"tools": "tools: calender"}, 2, "tools: unknown toolbox 'calender' (did you mean calendar?)"),
    ({"tools": "tools: nowhere.at.all:box"}, 2, "tools: cannot load 'nowhere.at.all:box'"),
    ({"tools": ""}, 1, "tools: is missing"),
    ({"cases": ""}, 1, "cases: is missing"),
    ({"cases": "cases: {}\n"}, 6, "cases: must not be empty"),
    ({"cases": "cases: 5\n"}, 6, "cases: must be a mapping of keys to values, not 5"),
    ({"cases": "cases: {lunch: []}\n"}, 6, "lunch: must be a list with at least one item"),
    ({"cases": "cases: {lunch: [5]}\n"}, 6, "lunch: case 1 must be a mapping of keys to values, not 5"),
    ({"experiments": "experiments: {}\n"}, 3, "experiments: must not be empty"),
    ({"experiment": "  main: 5\n"}, 4, "main: must be a mapping of keys to values, not 5"),
    ({"experiment": "  a/b: {cases: [lunch]}\n"}, 4, "a/b: the name of an experiment has no '/' in it"),
    ({"chosen": "about: nothing"}, 5, "cases: must be a list with at least one item"),
    ({"chosen": "cases: [dinner]"}, 5, "cases: unknown group of cases 'dinner'"),
    ({"chosen": "cases: [[lunch]]"}, 5, "cases: unknown group of cases"),
    ({"chosen": "cases: [lunch, lunch]"}, 5, "cases: 'lunch' stands twice"),
    ({"chosen": "cases: [lunch]\n    attempts: 0"}, 6, "attempts: must be a whole number of at least 1, not 0"),
    ({"chosen": "cases: [lunch]\n    attempts: true"}, 6, "attempts: must be a whole number of at least 1, not True"),
    ({"chosen": "cases: [lunch]\n    corrections: -1"}, 6, "corrections: must be a whole number of at least 0, not -1"),
    ({"chosen": "cases: [lunch]\n    history: mine"}, 6, "history: must be own or gold, not 'mine'"),
    ({"chosen": "cases: [lunch]\n    branches: [level 4]"}, 6, "branches: unknown branch 'level 4'"),
    ({"chosen": "cases: [lunch]\n    branches: [false]"}, 6, "branches: unknown branch 'False'"),
    ({"chosen": "cases: [lunch]\n    branches: all"}, 6, "branches: must be a list of names, not 'all'"),
    ({"chosen": "cases: [lunch]\n    branches: [level 1, level 1]"}, 6, "branches: 'level 1' stands twice"),
    ({"case": "    - upto: 2\n      steps:\n"}, 8, "upto: there are only 1 steps"),
    ({"case": "    - step:\n"}, 8, "step: unknown key 'step' (did you mean steps?)"),
    ({"case": "    - steps: [5]\n      given:\n"}, 8, "steps: step 1 must be a mapping of keys to values, not 5"),
    ({"say": "ask: Lunch"}, 9, "ask: unknown key 'ask'"),
    ({"say": "say: 12"}, 9, "say: must be text, not 12"),
    ({"expect": "given: x"}, 9, "expect: is missing: the call that is right, or `none`"),
    ({"expect": "expect: 5"}, 10, "expect: must be a list with at least one item"),
    ({"expect": "expect: []"}, 10, "expect: must be a list with at least one item"),
    ({"expect": "expect: [5]"}, 10, "expect: 5 is not one plain call"),
    ({"expect": "expect: Lunch at noon"}, 10, "expect: 'Lunch at noon' is not one plain call"),
    ({"expect": "expect: x = action.add_calendar_entry('a', '2024-05-03', '12:00')"}, 10, 'expect: "x = action'),
    ({"expect": f'expect: {ADD}("a", "2024-05-03", "12:00"); {ADD}("b", "2024-05-03", "12:00")'}, 10, "expect: '"),
    ({"expect": 'expect: action.add("a")'}, 10, "expect: unknown tool 'action.add'"),
    ({"expect": 'expect: add_calendar_entry("a", "2024-05-03", "12:00")'}, 10, "expect: unknown tool 'add_calendar"),
    ({"expect": f'expect: {ADD}("a", "2024-05-03")'}, 10, "expect: argument 'time'"),
    ({"expect": f'expect: {ADD}("a", "2024-05-03", "5PM")'}, 10, "expect: argument 'time'"),
    ({"expect": f'expect: {ADD}("a", "2024-05-03", "12:00", 30, 1)'}, 10, "expect: "),
    ({"expect": f'expect: {ADD}("a", "2024-05-03", "12:00", "30")'}, 10, "expect: "),
    ({"expect": f"{LUNCH_LINE}\n          accept: 5"}, 11, "accept: must be a mapping of keys to values, not 5"),
    (
        {"expect": f"{LUNCH_LINE}\n          accept: {{dat: x}}"},
        11,
        "accept: unknown argument 'dat' (did you mean date?",
    ),
    (
        {"expect": f"{LUNCH_LINE}\n          accept: {{time: {{time: 5PM}}}}"},
        11,
        "accept: time: time: '5PM' is no time",
    ),
    (
        {"expect": f"{LUNCH_LINE}\n          accept: {{title: {{regex: '('}}}}"},
        11,
        "accept: title: regex: '(' is no reg",
    ),
    (
        {"expect": f"{LUNCH_LINE}\n          accept: {{title: Dinner}}"},
        11,
        "accept: the call itself is not accepted: wrong_value(title)",
    ),
    (
        {"expect": f"{LUNCH_TWICE}\n          accept: {{title: Lunch}}"},
        13,
        "accept: must be a list of 2 mappings, one for each expected call",
    ),
    ({"expect": "expect: none\n          accept: {title: a}"}, 11, "accept: goes with an expected call"),
    ({"expect": "expect: none\n          ordered: true"}, 11, "ordered: goes with an expected call"),
    ({"expect": "asks: [date]\n          expect: none"}, 11, "expect: goes with an expected call"),
    ({"expect": "asks: date"}, 10, "asks: must be a list with at least one item"),
    ({"expect": "asks: [dat]"}, 10, "asks: unknown argument 'dat' (did you mean date?)"),
    ({"expect": f"{LUNCH_LINE}\n          amends: previous"}, 11, "amends: must be previous, none or the number of an"),
    ({"expect": f"{LUNCH_LINE}\n          amends: 1"}, 11, "amends: must be previous, none or the number of an"),
    ({"expect": f"{LUNCH_LINE}\n          amends: true"}, 11, "amends: must be previous, none or the number of an"),
    ({"expect": f"{LUNCH_LINE}\n          ordered: yes"}, 11, "ordered: must be true or false, not 'yes'"),
    ({"expect": f"{LUNCH_LINE}\n          recoverable: no"}, 11, "recoverable: must be true or false, not 'no'"),
    ({"expect": f"{LUNCH_LINE}\n          forced: dat"}, 11, "forced: unknown argument 'dat' (did you mean date?)"),
    ({"expect": f"{LUNCH_LINE}\n          forced: date"}, 11, "forced: say under accept which date is right"),
    ({"expect": f"{LUNCH_LINE}\n          corrects: date"}, 11, "corrects: goes with amends"),
    ({"expect": f"{LUNCH_LINE}\n    - id: '2'\n      steps: []"}, 12, "steps: must be a list with at least one item"),
]


@pytest.mark.parametrize(("changes", "line", "what"), BROKEN, ids=[what[:40] for _, _, what in BROKEN])
def test_a_broken_file_is_told_with_line_and_key(
    suite_file: Write, changes: dict[str, str], line: int, what: str
) -> None:
    path = suite_file(**changes)
    with pytest.raises(BadFile) as caught:
        read_suite(path)
    assert (caught.value.line, caught.value.what[: len(what)]) == (line, what)
    assert str(caught.value).startswith(f"{path}:{line}: ")


def test_two_cases_of_one_name_would_be_played_as_one(suite_file: Write) -> None:
    case = "    - id: a\n      steps: [{say: Hi, expect: none}]\n"
    with pytest.raises(BadFile, match="lunch: two cases are called 'lunch/a'; give each an id of its own"):
        read_suite(suite_file(case=case * 2 + "    - steps:\n"))


def test_groups_that_make_one_name_are_told_too(suite_file: Write) -> None:
    more = "\n  lunch/2:\n    - steps: [{say: Hi, expect: none}]"
    second = "\n    - steps: [{say: Hi, expect: none}]"
    with pytest.raises(BadFile, match="lunch/2: two cases are called 'lunch/2'"):
        read_suite(suite_file(expect=LUNCH_LINE + second + more))


@pytest.mark.parametrize("text", ["", "5", "[a]", "suite\n"])
def test_a_file_that_is_no_mapping(suite_file: Write, text: str) -> None:
    with pytest.raises(BadFile, match="the file must be a mapping of keys to values"):
        read_suite(suite_file(text))
