"""One line of Python -> calls."""

from __future__ import annotations

import warnings

import pytest

from toolmend.base.messages import Call, ToolSpec
from toolmend.reading import Reading, read_python

Tools = tuple[ToolSpec, ...]
FRED = {"title": "Meeting with Fred", "date": "2024-11-11", "time": "17:00", "duration": 30}
LINE = 'action.add_calendar_entry("Meeting with Fred", date="2024-11-11", time="17:00", duration=30)'
FRED_CALL = Call("action.add_calendar_entry", FRED)


def test_bare_call(tools: Tools) -> None:
    assert read_python(LINE, tools) == Reading(calls=(FRED_CALL,))


def test_positional_arguments_follow_the_signature(tools: Tools) -> None:
    reading = read_python('action.remove_calendar_entry("Meeting with Fred", "2024-11-11", "17:00")', tools)
    assert reading.calls[0].arguments == {"title": "Meeting with Fred", "date": "2024-11-11", "time": "17:00"}


def test_constant_arithmetic_folds(tools: Tools) -> None:
    assert read_python('action.add_calendar_entry("x", duration=60*3)', tools).calls[0].arguments["duration"] == 180


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("-5", -5),
        ("+3", 3),
        ("7 // 2", 3),
        ("7 % 4", 3),
        ("3 / 2", 1.5),
        ("2 ** 10", 1024),
        ('"a" + "b"', "ab"),
        ('"a" "b"', "ab"),
        ('f"plain"', "plain"),
        ("(1, 2)", [1, 2]),
        ("{1, 1, 2}", [1, 2]),
        ('{"a": [None, True]}', {"a": [None, True]}),
        ("{1: 2, True: None}", {"1": 2, "true": None}),
        ("r'\\d'", "\\d"),
        ("'\\d'", "\\d"),
        ("date(2024, 11, 11)", "2024-11-11"),
        ("datetime.date(2024, 2, 30)", "2024-02-30"),
        ("datetime.time(17, 0)", "17:00"),
        ("time(hour=8, minute=5, second=9)", "08:05:09"),
        ("datetime.datetime(2024, 11, 11, 17, 30)", "2024-11-11T17:30"),
        ("timedelta(hours=3)", "PT180M"),
    ],
)
def test_constants(tools: Tools, source: str, value: object) -> None:
    reading = read_python(f"action.add_calendar_entry(title={source})", tools)
    assert (reading.calls[0].arguments["title"], reading.problem) == (value, None)


def test_constructors_are_recorded(tools: Tools) -> None:
    assert read_python("action.add_calendar_entry('x', date(2024, 11, 11))", tools).leniencies == ("constructor",)


@pytest.mark.parametrize(
    ("source", "named"),
    [
        ("1/0", "1/0 divides by zero"),
        ("9**9**9", "9**9**9 is too large"),
        ("9**9999", "9**9999 is too large"),
        ("1e999", "1e999 is too large"),
        ("f'{x}'", "f'{x}' has holes"),
        ("open('f')", "open('f') is not a constant"),
        ("lambda: 1", "lambda: 1 is not a constant"),
        ("[x for x in y]", "[x for x in y] is not a constant"),
        ("1j", "1j is not a JSON value"),
        ("b'x'", "b'x' is not a JSON value"),
        ("'a' * 99", "'a' * 99 is not a constant"),
        ("True + 1", "True + 1 is not a constant"),
        ("date()", "date() is not a constant"),
        ("date(2024, 11)", "date(2024, 11) is not a constant"),
        ("date(2024, 11, '1')", "is not a constant"),
        ("~5", "~5 is not a constant"),
        ("5 & 3", "5 & 3 is not a constant"),
        ("9.0 ** 900", "is too large"),
        ("(-8) ** 0.5", "not real"),
        ("1e308 * 10", "is too large"),
        ("{(1, 2): 3}", "cannot be a key"),
        ("{**x}", "{**x} is not a constant"),
        ("{'a': 1, 'a': 2}", "'a' is a key given twice"),
    ],
)
def test_anything_else_is_a_syntax_problem_that_names_it(tools: Tools, source: str, named: str) -> None:
    reading = read_python(f"action.add_calendar_entry(title={source})", tools)
    assert reading.problem == "syntax"
    assert named in reading.detail


def test_spread_of_what_is_no_constant(tools: Tools) -> None:
    assert read_python("action.add_calendar_entry(*x)", tools).detail == "*x is not a constant"
    assert read_python("action.add_calendar_entry(**x)", tools).detail == "**x is not a constant"


def test_unquoted_word_is_kept_as_text_for_comparison(tools: Tools) -> None:
    reading = read_python("action.add_calendar_entry(title=Fred)", tools)
    assert (reading.calls[0].arguments, reading.problem) == ({"title": "Fred"}, "syntax")


def test_name_is_kept_as_written(tools: Tools) -> None:
    for name in ("action.add_calendar_entry", "add_calendar_entry", "calendar.add_calendar_entry"):
        call = Call(name, {"title": "x"})
        assert read_python(f'{name}("x")', tools).calls == (call,)


def test_unknown_call_on_a_line_of_its_own_is_a_call(tools: Tools) -> None:
    assert read_python('calendar.create("x", day=3)', tools).calls == (Call("calendar.create", {"*1": "x", "day": 3}),)


def test_surplus_positional_argument_keeps_its_place(tools: Tools) -> None:
    assert read_python('action.remove_calendar_entry("a", "b", "c", "d")', tools).calls[0].arguments["*4"] == "d"


def test_argument_given_by_place_and_by_name(tools: Tools) -> None:
    reading = read_python('action.add_calendar_entry("a", title="b")', tools)
    assert reading.calls[0].arguments == {"*1": "a", "title": "b"}


def test_spread_of_a_literal_dict(tools: Tools) -> None:
    assert read_python('action.add_calendar_entry(**{"from": 1})', tools).calls[0].arguments == {"from": 1}


@pytest.mark.parametrize(
    ("text", "leniency"),
    [
        (f"```python\n{LINE}\n```", "fence"),
        (f"```{LINE}```", "fence"),
        (f"`{LINE}`", "fence"),
        (f"```tool_code\n{LINE}", "fence"),
        (f"{LINE}  # duration in minutes", "comment"),
        (f"print({LINE})", "print"),
        (f"entry = {LINE}", "assignment"),
        (f"await {LINE}", "await"),
        (f"{LINE};", "semicolon"),
        (f"[{LINE}]", "list"),
        (f"<think>hm, {LINE}</think>\n{LINE}", "reasoning"),
        (LINE.replace('"Meeting with Fred"', "“Meeting with Fred”"), "quotes"),
    ],
)
def test_leniency(tools: Tools, text: str, leniency: str) -> None:
    assert read_python(text, tools) == Reading(calls=(FRED_CALL,), leniencies=(leniency,))


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        (f"```python\n{LINE}\n```", "```python\n```"),
        (f"{LINE} # minutes", "# minutes"),
        (f"print({LINE})", "print(\n)"),
        (f"entry = {LINE}", "entry ="),
        (f"{LINE};", ";"),
        (f"[{LINE}]", "[\n]"),
    ],
)
def test_a_strict_reader_leaves_noise_in_the_rest(tools: Tools, text: str, rest: str) -> None:
    assert read_python(text, tools, lenient=False).rest == rest


def test_a_strict_reader_calls_mended_quotes_a_syntax_problem(tools: Tools) -> None:
    text = LINE.replace('"Meeting with Fred"', "“Meeting with Fred”")
    assert read_python(text, tools, lenient=False).problem == "syntax"


@pytest.mark.parametrize(
    "text",
    [
        f"{LINE})",
        f'{LINE}"',
        LINE[:-1],
        LINE.replace('"Meeting with Fred"', '"Meeting with Fred'),
        LINE.replace('"Meeting with Fred"', "Meeting with Fred"),
        LINE.replace('"17:00"', "17:00"),
        LINE.replace('"Meeting with Fred"', "“Meeting with Fred”") + ")",
    ],
)
def test_broken_call_is_mended_and_named(tools: Tools, text: str) -> None:
    reading = read_python(text, tools)
    assert (reading.calls, reading.problem, reading.rest) == ((FRED_CALL,), "syntax", "")
    assert reading.detail


def test_apostrophe_in_single_quotes(tools: Tools) -> None:
    reading = read_python("action.add_calendar_entry('Fred's party', date='2024-11-11')", tools)
    assert reading.calls[0].arguments == {"title": "Fred's party", "date": "2024-11-11"}


def test_chatter_around_the_call_is_the_rest(tools: Tools) -> None:
    reading = read_python(f"Sure, here's the updated code:\n\n{LINE}\n\nI'm sorry!", tools)
    assert (reading.calls, reading.rest) == ((FRED_CALL,), "Sure, here's the updated code:\nI'm sorry!")


def test_only_one_fence_is_forgiven(tools: Tools) -> None:
    assert read_python(f"```\n{LINE}\n```\n```\n{LINE}\n```", tools).rest == "```\n```"


def test_call_over_several_lines(tools: Tools) -> None:
    assert read_python(LINE.replace(", ", ",\n    "), tools).calls == (FRED_CALL,)


def test_call_over_several_lines_that_is_never_closed(tools: Tools) -> None:
    reading = read_python(LINE.replace(", ", ",\n    ")[:-1] + "\n\nThere you are.", tools)
    assert (reading.calls, reading.problem, reading.rest) == ((FRED_CALL,), "syntax", "There you are.")


def test_windows_line_ends(tools: Tools) -> None:
    text = f"```python\r\n{LINE}\r\n```\r\n"
    assert read_python(text, tools) == Reading(calls=(FRED_CALL,), leniencies=("fence",))


def test_invisible_characters_are_no_text(tools: Tools) -> None:
    assert read_python(f"\ufeff{LINE}\u200b", tools) == Reading(calls=(FRED_CALL,))


def test_comment_inside_a_call(tools: Tools) -> None:
    assert read_python(LINE.replace(", date", ",  # a title (or so\n date"), tools).calls == (FRED_CALL,)


def test_a_stray_closing_line(tools: Tools) -> None:
    reading = read_python(f"{LINE}\n)", tools)
    assert (reading.calls, reading.rest, reading.problem) == ((FRED_CALL,), "", "syntax")


def test_awaited_call_inside_print(tools: Tools) -> None:
    assert read_python(f"print(await {LINE})", tools).leniencies == ("await", "print")


def test_unknown_call_inside_print(tools: Tools) -> None:
    assert read_python("print(len('x'))", tools).calls == (Call("len", {"*1": "x"}),)
    assert read_python("print(len(x))", tools).calls == ()


def test_a_tool_may_be_called_print() -> None:
    tools = (ToolSpec("print", parameters={"properties": {"text": {}}}),)
    assert read_python("print('x')", tools) == Reading(calls=(Call("print", {"text": "x"}),))


def test_broken_call_without_arguments(tools: Tools) -> None:
    reading = read_python("action.add_calendar_entry(]", tools)
    assert (reading.calls, reading.problem) == ((), "syntax")


def test_nesting_has_a_limit(tools: Tools) -> None:
    deep = "[" * 39 + "1" + "]" * 39
    assert read_python(f"action.add_calendar_entry({deep})", tools).problem is None
    assert read_python(f"action.add_calendar_entry([{deep}])", tools).problem == "syntax"
    assert "too deep" in read_python(f"action.add_calendar_entry({'1+' * 120}1)", tools).detail


def test_several_calls(tools: Tools) -> None:
    assert read_python(f"{LINE}\n{LINE}", tools) == Reading(calls=(FRED_CALL, FRED_CALL))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I can do f(x) for you (really).",
        "Meeting (2024)",
        'print("hello")',
        "# action.add_calendar_entry('x')",
        "I will use add_calendar_entry() for this.",
        "It is action.add_calendar_entry(title, date, time, duration) that I need.",
        "def add(title): return 3",
        "You have 3 event(s) on that day.",
    ],
)
def test_prose_holds_no_call(tools: Tools, text: str) -> None:
    assert read_python(text, tools) == Reading(rest=text, problem="no_call")


def test_call_text_inside_a_string_is_text(tools: Tools) -> None:
    title = "then action.remove_calendar_entry('x')"
    assert [dict(call.arguments) for call in read_python(f'action.add_calendar_entry("{title}")', tools).calls] == [
        {"title": title}
    ]


def test_no_warning_escapes_the_parser(tools: Tools) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert read_python("action.add_calendar_entry('\\d', 1if 1 else 2)", tools).problem == "syntax"


@pytest.mark.parametrize("text", ["[f(a=1),\n f(a=2)]", "[\n f(a=1),\n f(a=2)\n]", "(f(a=1),\n\nf(a=2))"])
def test_a_list_of_calls_over_lines(text: str) -> None:
    reading = read_python(text, (ToolSpec("f", "", {"type": "object", "properties": {"a": {}}}),))
    assert ([call.arguments["a"] for call in reading.calls], reading.rest, reading.problem) == ([1, 2], "", None)
