"""How fast grading is, on one core, measured through `grade`. Run: PYTHONPATH=src python benchmarks/grading.py

Prints checks a second for calls given as values (specs and expected calls reused, as a run does) and for texts; then
for 2,000 tool sets of three tools that come one after the other, again and again, as lines of a benchmark do. With
TOOLMEND_PEERS (a Python that has bfcl-eval) its checker's speed stands below, on texts made from its data.
"""

from __future__ import annotations

import itertools
import json
import time
from collections.abc import Callable

import bfcl_peer

from toolmend.base.messages import Call, ToolSpec
from toolmend.grading import Date, Expected, ExpectedCall, OneOf, grade, grade_lines

_TEXT = {"type": "string"}
_PROPERTIES = {"title": _TEXT, "date": {**_TEXT, "format": "date"}, "time": {**_TEXT, "format": "time"}}
_REQUIRED = ["title", "date", "time"]
_ADD_PROPERTIES = {**_PROPERTIES, "duration": {"type": "integer", "default": 30}}
TOOLS = (
    ToolSpec(
        "add_calendar_entry",
        parameters={"type": "object", "properties": _ADD_PROPERTIES, "required": _REQUIRED},
        receiver="action",
    ),
    ToolSpec(
        "remove_calendar_entry",
        parameters={"type": "object", "properties": _PROPERTIES, "required": _REQUIRED},
        receiver="action",
    ),
)
ARGUMENTS = {"title": "Meeting with Fred", "date": "2024-11-11", "time": "17:00", "duration": 30}
CALL = Call("action.add_calendar_entry", ARGUMENTS)
OTHER = Call("action.remove_calendar_entry", {name: ARGUMENTS[name] for name in _REQUIRED})
PLAIN = ExpectedCall(CALL.tool, ARGUMENTS)
RULED = {"title": OneOf(("Fred", "Meeting with Fred")), "date": Date(None, 11, 11)}
RULES = ExpectedCall(CALL.tool, {**ARGUMENTS, **RULED})
LINE = 'action.add_calendar_entry("Meeting with Fred", date="2024-11-11", time="17:00", duration=30)'
CHATTY = f"Sure, here it is:\n```python\n{LINE}\n```\nAnything else?"
JUNK = ("action.add_calendar_entry(title=Fred, " * 400)[:12_000]


def rate(check: Callable[[], object], seconds: float = 1.0) -> float:
    """Runs a second: the best of three."""
    start = time.process_time()
    check()
    best, rounds = 0.0, 1_000 if time.process_time() - start < 1e-3 else 10
    for _ in range(3):
        done, start = 0, time.process_time()
        while (spent := time.process_time() - start) < seconds / 3:
            for _ in range(rounds):
                check()
            done += rounds
        best = max(best, done / spent)
    return best


def changed(**arguments: object) -> Call:
    """The call with some arguments changed."""
    return Call(CALL.tool, {**ARGUMENTS, **arguments})


Case = tuple[tuple[ToolSpec, ...], Expected, Call, str]


def tool_sets(count: int) -> list[Case]:
    """Different sets of three tools with a call that is due, as a call and as a line."""
    made = []
    for number in range(count):
        name = f"book_{number}"
        specs = tuple(ToolSpec(f"{name}{more}", parameters=TOOLS[0].parameters) for more in ("", "_later", "_never"))
        expected = Expected((ExpectedCall(name, RULES.arguments),))
        tools = [{"name": spec.name, "parameters": spec.parameters} for spec in specs]
        due = [{"tool": name, "arguments": {**ARGUMENTS, "title": {"oneof": ["Fred", "Meeting with Fred"]}}}]
        text = LINE.replace(CALL.tool, name)
        made.append(
            (specs, expected, Call(name, ARGUMENTS), json.dumps({"tools": tools, "reply": text, "expected": due}))
        )
    return made


def many_tool_sets() -> None:
    """Print what checks cost when every one brings another tool set."""
    cases = tool_sets(2_000)
    turn, texts = (
        itertools.cycle(cases),
        itertools.cycle([(case, LINE.replace(CALL.tool, case[2].tool)) for case in cases]),
    )
    rows = grade_lines(case[3] for case in itertools.cycle(cases))

    def call() -> object:
        specs, expected, made, _ = next(turn)
        return grade((made,), expected, specs)

    def text() -> object:
        (specs, expected, _, _), line = next(texts)
        return grade(line, expected, specs)

    for name, check in (("calls", call), ("text", text), ("lines of JSON", lambda: next(rows))):
        for _ in cases:
            check()
        print(f"{f'{name}, another tool set each time':40} {rate(check):>12,.0f} a second")


def main() -> None:
    """Print every figure."""
    one, rules = Expected((PLAIN,)), Expected((RULES,))
    two = Expected((PLAIN, ExpectedCall(OTHER.tool, OTHER.arguments)))
    spelled, wrong, format_ = changed(title="meeting  with FRED"), changed(time="18:00"), changed(time="5PM")
    figures = {
        "calls, right": lambda: grade((CALL,), one, TOOLS),
        "calls, right, other letter case": lambda: grade((spelled,), one, TOOLS),
        "calls, right, by rules": lambda: grade((CALL,), rules, TOOLS),
        "calls, wrong value": lambda: grade((wrong,), one, TOOLS),
        "calls, wrong format": lambda: grade((format_,), one, TOOLS),
        "calls, two of two in another order": lambda: grade((OTHER, CALL), two, TOOLS),
        "text, the bare call": lambda: grade(LINE, one, TOOLS),
        "text, call and chatter": lambda: grade(CHATTY, one, TOOLS),
        "text, 12,000 characters of broken calls": lambda: grade(JUNK, one, TOOLS),
        "text, no call": lambda: grade("I am sorry, I cannot do that for you.", one, TOOLS),
    }
    for name, check in figures.items():
        print(f"{name:40} {rate(check):>12,.0f} a second")
    many_tool_sets()
    bfcl_peer.main()


if __name__ == "__main__":
    main()
