"""What a model said wrongly in a written talk, as a lesson: its reply is shown, a person complains, the words that are
due mend it. What it said rightly is doubted without ground, and stays.

What is wrong is told by words: two that differ in fillers alone, or come to the same time, day, length or number, are
the same. Pure; how people complain is in data/complaints.txt and data/tool_talks.txt.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from toolmend.base.messages import ToolSpec
from toolmend.language.resolve import Resolved, resolve
from toolmend.language.resolve.said import AGAIN, CHANGE, MISSING, UNDO, Said
from toolmend.reading.spoken import read_spoken, write_spoken
from toolmend.training.adapter.turn import Turn
from toolmend.training.adapter.written_talks import CALENDAR, HandTalk
from toolmend.training.phrases import phrases_of

COMPLAINTS = "tool_talks.txt complaints.txt"
MENDED, DOUBTED = "own mistake", "groundless"
"""Of what kind the turn is that a lesson has after the reply."""
_FILLERS = frozenset("a an the on at for to in of from by with and my our it is till until".split())
_KINDS: Sequence[Mapping[str, Any]] = (
    {"type": "string", "format": "time"},
    {"type": "string", "format": "date"},
    {"type": "integer", "x-unit": "minutes"},
    {"type": "number"},
)
_NOWS = ("2023-03-01T09:00", "2024-10-12T09:00")  # what is the same on both of these days is always the same
_LEVELS, _WEIGHTS = (1, 2, 3), (25, 40, 35)


def mistaken(talk: HandTalk, place: int, reply: str, random: Random) -> HandTalk | None:
    """The talk with this reply at a place and what comes of it; None where it teaches nothing."""
    specs = tuple(ToolSpec(line.partition("(")[0]) for line in talk.tools) or CALENDAR
    turn = talk.turns[place]
    due, read = read_spoken(turn.reply, specs), read_spoken(reply, specs)
    if read.broken or due.broken:
        return None
    if _same(read.lines, due.lines):
        added = _doubted(turn, due.lines, random)
    else:
        added = _mended(turn, reply, read.lines, due.lines, specs, random)
    return HandTalk(talk.tools, (*talk.turns[:place], *added, *talk.turns[place + 1 :])) if added else None


def _doubted(turn: Turn, due: Sequence[Said], random: Random) -> Sequence[Turn]:
    """A right call, a doubt, the call as it was."""
    if len(due) != 1 or due[0].tool in (CHANGE, AGAIN, UNDO) or MISSING in due[0].words.values() or not due[0].words:
        return ()
    level = random.choice((1, 2, 2))
    name = random.choice(list(due[0].words))
    section = "doubt" if random.random() < 0.4 else _section("wrong", name, level)
    return (turn, Turn(_said(section, name, "", random), f"{CHANGE}()", True, DOUBTED))


def _mended(
    turn: Turn, reply: str, wrong: Sequence[Said], due: Sequence[Said], specs: Sequence[ToolSpec], random: Random
) -> Sequence[Turn]:
    """A wrong reply, a complaint, what is due."""
    level = random.choices(_LEVELS, _WEIGHTS)[0]
    topic, name, words = _difference(wrong, due)
    if topic == "which" and specs is not CALENDAR:
        topic = "wrong tool"
    if topic in ("wrong", "forgotten", "asked needlessly"):
        section = _section(topic, name, level)
    else:
        section = "wrong 1" if level == 1 else topic
    mended = write_spoken((Said(CHANGE, words),), specs) if words else turn.reply
    said = _said(section, name, str(due[-1].words.get(name, "")) if due else "", random)
    return (Turn(turn.said, reply, False, turn.op), Turn(said, mended, True, MENDED))


def _section(topic: str, name: str, level: int) -> str:
    """Where complaints of a level about an argument stand: 1 says that it is wrong, 2 names it, 3 gives its value."""
    lines = phrases_of(COMPLAINTS).lines
    if level == 1:
        return "wrong 1"
    if topic == "asked needlessly":
        return "asked needlessly" if level == 3 else "asked needlessly 2"
    return next(section for section in (f"{name} {level}", f"{topic} {level}") if section in lines)


def _said(section: str, name: str, value: str, random: Random) -> str:
    slots = {"argument": name.replace("_", " "), "value": value}
    text = phrases_of(COMPLAINTS).say(random, section, lambda slot: slots[slot])
    return text.lower() if random.random() < 0.3 else text


def _difference(wrong: Sequence[Said], due: Sequence[Said]) -> tuple[str, str, Mapping[str, Any]]:
    """What a complaint is about, the argument, and the words that change it: none where all is to be said anew."""
    if not due:
        return "not due", "", {}
    if not wrong:
        return "chatter", "", {}
    if len(wrong) != len(due):
        return ("too little" if len(wrong) < len(due) else "too much"), "", {}
    if [line.tool for line in wrong] != [line.tool for line in due]:
        return "wrong tool", "", {}
    given, right = wrong[-1], due[-1]
    if not all(map(_same_line, wrong[:-1], due[:-1])):
        return "wrong tool", "", {}
    if not same_words(given.of, right.of):
        return "which", "", {}
    names = [name for name in right.words if not same_words(given.words.get(name), right.words[name])]
    if not names:
        return "invented", next(name for name in given.words if name not in right.words), {}
    if any(right.words[name] == MISSING for name in names) or given.words.keys() - right.words.keys():
        return "wrong", names[0], {}
    topics = {MISSING: "asked needlessly", None: "forgotten"}
    return topics.get(given.words.get(names[0]), "wrong"), names[0], {name: right.words[name] for name in names}


def _same(one: Sequence[Said], other: Sequence[Said]) -> bool:
    return len(one) == len(other) and all(map(_same_line, one, other))


def _same_line(one: Said, other: Said) -> bool:
    names = {**one.words, **other.words}
    return (one.tool == other.tool and same_words(one.of, other.of)
            and all(same_words(one.words.get(name), other.words.get(name)) for name in names))  # fmt: skip


def same_words(one: Any, other: Any) -> bool:
    """Whether words mean the same, as far as they tell by themselves."""
    if not isinstance(one, str) or not isinstance(other, str):
        return bool(one == other)
    if _bare(one) == _bare(other):
        return True
    if MISSING in (one, other):
        return False
    values = (([_value(words, kind, now) for now in _NOWS] for words in (one, other)) for kind in _KINDS)
    return any(None not in first and first == second for first, second in values)


def _value(words: str, kind: Mapping[str, Any], now: str) -> Any:
    found = resolve(words, kind, now=now)
    return found.value if isinstance(found, Resolved) else None


def _bare(words: str) -> list[str]:
    return [word for word in re.findall(r"\w+", re.sub(r"['’]s\b", "", words.casefold())) if word not in _FILLERS]
