"""From a reply to mistakes and marks."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolmend.base.errors import BadOption, UnknownName
from toolmend.base.messages import Call, Reply, ToolSpec
from toolmend.base.mistakes import Kind, Mark, Mistake
from toolmend.grading import Date, Expected, ExpectedCall, Grade, OneOf, compare, grade
from toolmend.reading import Reading, read_json

Tools = tuple[ToolSpec, ...]
ADD, REMOVE = "action.add_calendar_entry", "action.remove_calendar_entry"
FRED = {"title": "Meeting with Fred", "date": "2024-11-11", "time": "17:00", "duration": 30}
LINE = f'{ADD}("Meeting with Fred", date="2024-11-11", time="17:00", duration=30)'
REMOVAL = f'{REMOVE}("Meeting with Fred", "2024-11-11", "17:00")'
ONE = Expected((ExpectedCall(ADD, FRED),))
REMOVED = ExpectedCall(REMOVE, {name: FRED[name] for name in ("title", "date", "time")})
CORRECT = Grade((), True, (Mark.CORRECT,))


def kinds(reply: Any, expected: Expected, tools: Tools, **options: Any) -> list[str]:
    return [str(mistake) for mistake in grade(reply, expected, tools, **options).mistakes]


def changed(**changes: Any) -> list[Call]:
    return [Call(ADD, {**FRED, **changes})]


def test_right_as_text_reading_reply_call_and_calls(tools: Tools) -> None:
    call = Call(ADD, FRED)
    for reply in (LINE, Reading((call,)), Reply(LINE), Reply("", calls=(call,)), call, [call], (call,)):
        assert grade(reply, ONE, tools) == CORRECT


@pytest.mark.parametrize(
    "text",
    [
        f'{ADD}("Meeting with Fred", "2024-11-11", "17:00", 30)',
        f'{ADD}("meeting  with FRED", date="2024-11-11", time="17:00")',
        f'{ADD}(title="Meeting with Fred", time="17:00", date="2024-11-11", duration=15*2)',
        f'{ADD}("Meeting with Fred", date="2024-11-11", time="17:00", duration=30.0)',
        f'{ADD}("Meeting with Fred", date=date(2024, 11, 11), time=time(17, 0))',
    ],
)
def test_equal_ways_of_writing_it(tools: Tools, text: str) -> None:
    assert grade(text, ONE, tools).correct


@pytest.mark.parametrize(
    ("text", "mistakes"),
    [
        (LINE.replace("17:00", "18:00"), ["wrong_value(time)"]),
        (LINE.replace("17:00", "5PM"), ["wrong_format(time)"]),
        (LINE.replace('"2024-11-11"', '"11/11/2024"'), ["wrong_format(date)"]),
        (LINE.replace("=30", '="30"'), ["wrong_type(duration)"]),
        (LINE.replace("=30", "=45"), ["wrong_value(duration)"]),
        (LINE.replace(', time="17:00"', ""), ["missing_argument(time)"]),
        (LINE.replace("time=", "at="), ["missing_argument(time)", "unknown_argument(at)"]),
        (LINE.replace("action.", ""), ["unknown_tool"]),
        (LINE.replace("action.", "calendar."), ["unknown_tool"]),
        (LINE.replace("action.", "").replace("17:00", "18:00"), ["unknown_tool", "wrong_value(time)"]),
        (LINE.replace("add_calendar_entry", "create"), ["unknown_tool"]),
        (REMOVAL, ["wrong_tool"]),
        (f"Sure! {LINE}", ["chatter"]),
        (f"{LINE}\nI hope this helps.", ["chatter"]),
        (f"{LINE})", ["syntax"]),
        (LINE.replace('"Meeting with Fred"', "Meeting with Fred"), ["syntax"]),
        (f"{LINE}\n{LINE}", ["repeated_call"]),
        (f"{LINE}\n{REMOVAL}", ["extra_call"]),
        (f"{REMOVAL}\n{REMOVAL}\n{LINE}", ["extra_call", "repeated_call"]),
        ("I cannot do that.", ["no_call"]),
        ("", ["no_call"]),
        (f"{ADD}(", ["syntax", *(f"missing_argument({name})" for name in ("title", "date", "time"))]),
        (f"I can use {ADD}(title, date, time) for that.", ["no_call"]),
    ],
)
def test_mistakes(tools: Tools, text: str, mistakes: list[str]) -> None:
    assert kinds(text, ONE, tools) == mistakes


def test_a_mistake_says_what_was_expected_and_got(tools: Tools) -> None:
    found = grade(LINE.replace("17:00", "18:00"), ONE, tools).mistakes
    assert found == (Mistake(Kind.WRONG_VALUE, "time", ADD, "17:00", "18:00"),)


def test_an_argument_that_the_tool_has_not_is_told_with_its_tool_and_value(tools: Tools) -> None:
    found = grade(changed(at="noon"), ONE, tools).mistakes
    assert found == (Mistake(Kind.UNKNOWN_ARGUMENT, "at", ADD, None, "noon"),)


def test_names_of_tools_in_mistakes(tools: Tools) -> None:
    assert grade(REMOVAL, ONE, tools).mistakes == (Mistake(Kind.WRONG_TOOL, None, ADD, ADD, REMOVE),)


def test_several_acceptable_values_and_any_year(tools: Tools) -> None:
    call = ExpectedCall(ADD, {**FRED, "title": OneOf(("Fred", "Meeting with Fred")), "date": Date(None, 11, 11)})
    assert grade(LINE.replace("2024", "2023"), Expected((call,)), tools).correct
    assert kinds(LINE.replace("11-11", "11-12"), Expected((call,)), tools) == ["wrong_value(date)"]


def test_an_argument_that_was_not_expected_must_have_its_default(tools: Tools) -> None:
    due = Expected((ExpectedCall(ADD, {name: FRED[name] for name in ("title", "date", "time")}),))
    assert grade(LINE, due, tools).correct
    assert grade(changed(duration=45), due, tools).mistakes == (Mistake(Kind.WRONG_VALUE, "duration", ADD, 30, 45),)


def test_native_calls_may_leave_out_the_receiver(tools: Tools) -> None:
    call = Call("add_calendar_entry", FRED)
    assert grade(Reply("", calls=(call,)), ONE, tools).correct
    assert kinds([call], ONE, tools) == ["unknown_tool"]


def test_calls_in_any_order_unless_ordered(tools: Tools) -> None:
    calls = (ExpectedCall(ADD, FRED), REMOVED)
    assert grade(f"{REMOVAL}\n{LINE}", Expected(calls), tools).correct
    assert kinds(f"{REMOVAL}\n{LINE}", Expected(calls, ordered=True), tools) == ["wrong_tool", "wrong_tool"]


def test_least_cost_pairing_names_the_nearest(tools: Tools) -> None:
    paul = ExpectedCall(ADD, {**FRED, "title": "Paul", "time": "08:00"})
    text = f'{ADD}("Paul", "2024-11-12", "08:00")\n{LINE}'
    assert kinds(text, Expected((ExpectedCall(ADD, FRED), paul)), tools) == ["wrong_value(date)"]


def test_missing_call(tools: Tools) -> None:
    assert kinds(LINE, Expected((REMOVED, ExpectedCall(ADD, FRED))), tools) == ["missing_call"]


def test_repeated_call_has_defaults_filled_in(tools: Tools) -> None:
    assert kinds([*changed(), Call(ADD, {**REMOVED.arguments})], ONE, tools) == ["repeated_call"]


def test_where_no_call_is_due_text_is_right_and_a_call_is_not(tools: Tools) -> None:
    assert grade("There is nothing on that day.", Expected(), tools) == Grade((), False, (Mark.CORRECT,))
    assert grade("", Expected(), tools).correct
    assert kinds(LINE, Expected(), tools) == ["unwanted_call"]
    assert kinds([], Expected(), tools) == []


def test_where_a_question_is_due(tools: Tools) -> None:
    asks = Expected(asks=("date",))
    assert grade("On which day?", asks, tools).correct
    assert kinds("Done.", asks, tools) == ["chatter"]
    assert kinds("", asks, tools) == ["no_call"]
    assert kinds(LINE, asks, tools) == ["unwanted_call"]


def test_where_the_world_is_looked_at_text_beside_the_call_is_told(tools: Tools) -> None:
    assert grade(f"Sure! {LINE}", Expected(free=True), tools).mistakes == (Mistake(Kind.CHATTER, got="Sure!"),)


def test_text_beside_the_call_is_no_chatter_where_it_is_allowed(tools: Tools) -> None:
    assert grade(f"Sure! {LINE}", Expected(ONE.calls, bare=False), tools).correct


@pytest.mark.parametrize(
    ("text", "leniency", "mistake"),
    [
        (f"```python\n{LINE}\n```", "fence", "chatter"),
        (f"print({LINE})", "print", "chatter"),
        (f"{LINE} # minutes", "comment", "chatter"),
        (f"entry = {LINE}", "assignment", "chatter"),
        (LINE.replace('"Meeting with Fred"', "“Meeting with Fred”"), "quotes", "syntax"),
        (LINE.replace('"2024-11-11"', "date(2024, 11, 11)"), "constructor", "syntax"),
    ],
)
def test_leniencies_are_recorded_or_with_lenience_none_mistakes(
    tools: Tools, text: str, leniency: str, mistake: str
) -> None:
    forgiven = grade(text, ONE, tools)
    assert (forgiven.mistakes, forgiven.leniencies) == ((), (leniency,))
    assert kinds(text, ONE, tools, lenience="none") == [mistake]


def test_repaired_json_is_a_syntax_mistake_with_lenience_none(tools: Tools) -> None:
    reading = read_json(f'{{"name": "{ADD}", "arguments": {{"title": "x"}}', tools)
    assert "syntax" in kinds(reading, ONE, tools, lenience="none")
    assert "syntax" not in kinds(reading, ONE, tools)


@pytest.mark.parametrize(
    ("text", "marks"),
    [
        (LINE, [Mark.CORRECT]),
        (f"Sure! {LINE}", [Mark.MISTAKE]),
        (f"Sure! {LINE}".replace("17:00", "18:00"), [Mark.MISTAKE, Mark.MISTAKE]),
        (f"Sure! {LINE}".replace("17:00", "18:00").replace("=30", "=31"), [Mark.GARBAGE, Mark.GARBAGE]),
        ("Hello!", [Mark.GARBAGE]),
        ("Hello!\n" * 3, [Mark.GARBAGE, Mark.GARBAGE]),
        (f"{LINE}\n" * 4, [Mark.GARBAGE, Mark.GARBAGE]),
        (f"{LINE}\nhm\nhm\nhm", [Mark.GARBAGE, Mark.GARBAGE]),
        (f"{LINE}\n---\n---\n---", [Mark.MISTAKE]),
        ('calendar.create("x")', [Mark.MISTAKE]),
    ],
)
def test_marks(tools: Tools, text: str, marks: list[Mark]) -> None:
    assert list(grade(text, ONE, tools).marks) == marks


def test_a_broken_call_that_cannot_be_mended_is_syntax_and_garbage(tools: Tools) -> None:
    graded = grade(Reading(problem="syntax", detail="broken"), ONE, tools)
    assert graded == Grade((Mistake(Kind.SYNTAX, got="broken"),), False, (Mark.GARBAGE,))


def test_an_expected_tool_must_be_among_the_tools(tools: Tools) -> None:
    with pytest.raises(UnknownName, match="unknown tool 'nothing'"):
        grade(LINE, Expected((ExpectedCall("nothing"),)), tools)


def test_an_expected_call_must_have_its_required_arguments(tools: Tools) -> None:
    with pytest.raises(BadOption, match="lacks the required date, time"):
        grade(LINE, Expected((ExpectedCall(ADD, {"title": "x"}),)), tools)


def test_an_expected_tool_may_go_without_its_receiver(tools: Tools) -> None:
    assert grade(LINE, Expected((ExpectedCall("add_calendar_entry", FRED),)), tools).correct


def test_many_expected_calls_one_after_another(tools: Tools) -> None:
    for number in range(2_100):
        due = Expected((ExpectedCall(ADD, {**FRED, "duration": number}),))
        assert grade(changed(duration=number), due, tools).correct


def test_unknown_lenience(tools: Tools) -> None:
    with pytest.raises(BadOption, match="known: default, none"):
        grade(LINE, ONE, tools, lenience="some")


def test_tools_that_look_alike_are_not_mixed_up() -> None:
    def spec(default: int) -> ToolSpec:
        return ToolSpec("f", parameters={"properties": {"x": {"type": "integer", "default": default}}})

    due = Expected((ExpectedCall("f", {"x": 1}),))
    assert grade("f()", due, [spec(1)]).correct
    assert kinds("f()", due, (spec(2),)) == ["missing_argument(x)"]


@given(st.one_of(st.text(max_size=80), st.text("action.d_clenry(\"2024-1:70',=) \n", max_size=120)))
@settings(deadline=None, max_examples=200)
def test_no_text_raises(tools: Tools, text: str) -> None:
    for expected in (ONE, Expected(), Expected(asks=("date",))):
        for lenience in ("default", "none"):
            graded = grade(text, expected, tools, lenience=lenience)
            assert graded.marks[0] is Mark.CORRECT if graded.correct else graded.marks[0] is not Mark.CORRECT


def test_a_type_of_somebody_else_is_warned_of() -> None:
    specs = (ToolSpec("f", "", {"properties": {"x": {"type": "float"}}}),)
    with pytest.warns(UserWarning, match="f: the type 'float' of x is none of JSON Schema's"):
        grade(Call("f", {"x": 1.5}), Expected((ExpectedCall("f", {"x": 1.5}),)), specs)


def test_many_tool_sets_are_made_ready_once_each(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []
    original = compare.GradedTools.__init__
    monkeypatch.setattr(compare.GradedTools, "__init__", lambda self, *given: made.append(1) or original(self, *given))
    cases = [((ToolSpec(f"f{number}"),), Expected((ExpectedCall(f"f{number}"),))) for number in range(300)]
    for specs, expected in cases * 2:
        assert grade(Call(specs[0].name), expected, specs).correct
    assert len(made) == 300


def test_a_notebook_shows_the_marks_and_what_should_have_been() -> None:
    graded = Grade((Mistake(Kind.WRONG_VALUE, "time", expected="17:00", got="<5>"),), marks=(Mark.MISTAKE,))
    assert graded._repr_html_().endswith(
        "<tr><td>wrong_value</td><td>time</td><td>17:00</td><td>&lt;5&gt;</td></tr></table>"
    )
    assert graded._repr_html_().startswith("<p>🍄</p><table>")
