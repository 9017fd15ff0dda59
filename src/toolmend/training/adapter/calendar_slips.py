"""Wrong replies to a simulated calendar request: one argument in words for something else, and what would mend it."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from toolmend.messages import Call
from toolmend.resolve.background import Background, Computed
from toolmend.resolve.calls import compute
from toolmend.resolve.said import CHANGE, MISSING, Said
from toolmend.training import saying
from toolmend.training.adapter.calendar_values import REMOVE, SPECS, same_thing
from toolmend.training.words import Words

TOPICS = ("time", "date", "title", "duration")


@dataclass(frozen=True, slots=True)
class WrongLine:
    """A line with one argument in words for something else: which (`topic`), the right words by argument, and what the
    line comes to."""

    line: Said
    topic: str
    right: dict[str, str]
    computed: Computed


def wrong_line(line: Said, due: Call, background: Background, words: Words, random: Random) -> WrongLine | None:
    """A slip in the line that makes the call that is due; None where none comes out as a slip in one argument."""
    names = [name for name in due.arguments if name in TOPICS]
    if line.tool == REMOVE or not names:
        return _wrong_entry(line, due, background, random)
    name = random.choice(names)
    other = _other_words(name, due, background, words, random)
    wrong = replace(line, words={**line.words, name: other})
    if name == "duration" and "duration" in line.words and random.random() < 0.5:
        wrong = replace(line, words={key: value for key, value in line.words.items() if key != name})
    computed = compute([wrong], SPECS, background)
    if len(computed.calls) != 1:
        return None
    differing = [key for key in names if computed.calls[0].arguments.get(key, 30) != due.arguments.get(key, 30)]
    if differing != [name]:
        return None
    return WrongLine(wrong, name, {name: str(line.words.get(name, due.arguments[name]))}, computed)


def needless_question(line: Said, background: Background, random: Random) -> tuple[Said, Computed] | None:
    """The line with a word that was said asked for, or an entry that is not there; None where that asks nothing."""
    names = [name for name in line.words if name in (*TOPICS[:3], "entry")]
    if not names:
        return None
    if line.tool == CHANGE and random.random() < 0.5:
        wrong = replace(line, of="the other one")
    else:
        wrong = replace(line, words={**line.words, random.choice(names): MISSING})
    computed = compute([wrong], SPECS, background)
    return (wrong, computed) if computed.question else None


def _wrong_entry(line: Said, due: Call, background: Background, random: Random) -> WrongLine | None:
    """Another entry removed than was meant."""
    others = [thing for thing in background.things["entry"] if not same_thing(thing, due.arguments)]
    if not others:
        return None
    wrong = Said(REMOVE, {"entry": f"the {random.choice(others)['title'].lower()}"})
    computed = compute([wrong], SPECS, background)
    if len(computed.calls) != 1 or computed.calls[0].arguments == due.arguments:
        return None
    return WrongLine(wrong, "which", {"entry": str(line.words.get("entry", ""))}, computed)


def _other_words(name: str, due: Call, background: Background, words: Words, random: Random) -> str:
    """Words for another value: one said before in this talk, or any."""
    values = [call.arguments for call in background.calls if name in call.arguments]
    if name == "title":
        own = str(due.arguments["title"]).split()
        cut = own[: max(1, random.randint(1, len(own)))]
        return random.choice([words.title(random), " ".join(cut), *(str(value[name]) for value in values)])
    if values and random.random() < 0.3:
        return str(random.choice(values)[name])
    if name == "time":
        clock = dt.time.fromisoformat(str(due.arguments["time"]))
        return saying.clock(clock.replace(hour=(clock.hour + random.choice((12, 12, 1, 23, 2))) % 24), random)
    if name == "date":
        day = dt.date.fromisoformat(str(due.arguments["date"])) + dt.timedelta(random.choice((-1, 1, 7, -7, 30, 2)))
        return saying.day(day, random, with_year=random.random() < 0.2)
    return saying.length(random.choice((15, 30, 45, 60, 90, 120, 20, 180)), random)


def changed_to(words: str, name: str, background: Background) -> Any:
    """The value of an argument after a change of the last call in these words; None where there is none."""
    computed = compute([Said(CHANGE, {name: words})], SPECS, background, whole=False)
    return computed.calls[0].arguments.get(name) if computed.calls else None
