"""How fast grading is, on one core, measured through `grade`. Run: PYTHONPATH=src python benchmarks/grading.py

Prints checks a second for calls given as values (specs and expected calls reused, as a run does) and for texts.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from toolmend.grading import Date, Expected, ExpectedCall, OneOf, grade
from toolmend.messages import Call, ToolSpec

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


if __name__ == "__main__":
    main()
