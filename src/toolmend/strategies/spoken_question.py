"""What has to be asked, as one short English sentence with the answers that could be given.

"At 07:00 or 19:00?", "The meeting at 09:00 or the one at 15:00?", "At what time?". Knows no talk and no world.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from toolmend.base.messages import ToolSpec
from toolmend.language.resolve.background import Question
from toolmend.language.resolve.filters import UNREAD
from toolmend.language.resolve.parameters import typed

_OPEN = {"date": "On what day?", "time": "At what time?", "date-time": "When?"}
_BEFORE = {"date": "on ", "time": "at ", "date-time": "on "}
_LENGTHS = ("seconds", "minutes", "hours", "days", "weeks")
_ASKS = frozenset(("when", "where", "who", "what", "why", "how", "which"))  # names that are questions by themselves
_MOMENT = re.compile(r"(?<=\d{4}-\d\d-\d\d)T(?=\d\d:\d\d)")
_DAY, _CLOCK = re.compile(r"\d{4}-\d\d-\d\d"), re.compile(r"\d\d:\d\d")


def sentence(question: Question, specs: Sequence[ToolSpec]) -> str:
    """The question, told to a person."""
    things = [one for one in question.candidates if isinstance(one, Mapping)]
    if things and question.reason.endswith(UNREAD):
        listed = ", ".join(_told(things, question.argument))
        return f"{question.reason[0].upper()}{question.reason[1:]}. Which of these: {listed}?"
    if things:
        return _either(_told(things, question.argument))
    spec = next((spec for spec in specs if spec.full_name == question.tool), None)
    schema = spec.properties.get(question.argument) if spec else None
    schema = typed(question.argument, schema) if schema else None
    if schema is None or question.reason.startswith("there is no "):
        return _which(question)
    form = str(schema.get("format", ""))
    if question.candidates:
        return _either(
            [f"{_BEFORE.get(form, '')}{_plain(value)}" for value in question.candidates], _BEFORE.get(form, "")
        )
    if form in _OPEN:
        return _OPEN[form]
    if question.argument == "duration" or schema.get("x-unit") in _LENGTHS:
        return "How long?"
    if schema.get("enum"):
        return _either([str(member) for member in schema["enum"]])
    return _plainly(question.argument.replace("_", " "), str(schema.get("type")))


def _plainly(name: str, kind: str) -> str:
    """What is asked for by an argument's name: "How many seats?", "Which puppets?", "Where?"."""
    if name.split(" ")[0] in _ASKS:
        return f"{name.capitalize()}?"
    if kind == "boolean":
        return f"{name.capitalize()}: yes or no?"
    if name.endswith("s") and not name.endswith("ss"):
        return f"{'How many' if kind in ('integer', 'number') else 'Which'} {name}?"
    return f"What is the {name}?"


def _which(question: Question) -> str:
    """About a thing or an earlier call that could not be told, or about what is not there."""
    reason = question.reason if question.reason not in ("", "it was not said") else ""
    if reason.startswith("there is nothing") or " has no " in reason:
        return f"{reason[0].upper()}{reason[1:]}."
    what = "one" if question.argument in ("of", "") else question.argument.replace("_", " ")
    return f"{reason[0].upper()}{reason[1:]}: which {what} do you mean?" if reason else f"Which {what} do you mean?"


def _either(answers: Sequence[str], before: str = "") -> str:
    """ "At 07:00 or 19:00?": what stands before each is said once."""
    first, *others = answers
    others = [other.removeprefix(before) for other in others]
    text = first if not others else f"{', '.join([first, *others[:-1]])} or {others[-1]}"
    return f"{text[0].upper()}{text[1:]}?"


def _told(things: Sequence[Mapping[str, Any]], kind: str) -> list[str]:
    """Each thing by its name, and by what tells it from the others; a number is named with what it is of."""
    values = list[dict[str, str]]()
    for thing in ({key: _plain(value) for key, value in thing.items()} for thing in things):
        values += [] if thing in values else [thing]
    keys = dict.fromkeys(key for thing in values for key in thing)
    apart = [key for key in keys if len({thing.get(key) for thing in values}) > 1][:3]
    told, first = list[str](), ""
    for thing in sorted(values, key=lambda thing: [thing.get(key, "") for key in apart]):
        name = next(iter(thing.values()))
        marks = [_placed(thing[key], key) for key in apart if key in thing and thing[key] != name]
        called = f"{kind} {name}" if name.isdigit() else f"the {name}"
        told.append(" ".join(["the one" if called == first and marks else called, *marks]))
        first = first or called
    return told


def _placed(text: str, key: str) -> str:
    if text.isdigit() or text in ("no", "yes"):  # says nothing without its name
        return f"({key.replace('_', ' ')} {text})"
    return f"on {text}" if _DAY.fullmatch(text) else f"at {text}" if _CLOCK.fullmatch(text) else f"({text})"


def _plain(value: Any) -> str:
    return ("no", "yes")[value] if isinstance(value, bool) else _MOMENT.sub(" at ", str(value))
