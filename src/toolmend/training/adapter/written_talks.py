"""Talks that were written, each as another kind of person would, with the replies that are due.

A file of data/written has a talk a paragraph: `@ ` before a tool as the notation shows it (without any: the calendar),
`> ` before what is said, then the lines of the reply; `~ ` before those of a wrong one, which is shown and not learned:
what is said next mends it. Talks of files that begin with kept_ are never learned from: they are the exam.
Knows nothing of rows and tokens.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from random import Random

from toolmend.strategies.spoken_signature import spoken_spec, spoken_system, system_of
from toolmend.tools.toolboxes.calendar import Calendar
from toolmend.training.adapter.turn import Turn

_NAMED = {"action.remove_calendar_entry": {"entry": "entry"}}
CALENDAR = tuple(spoken_spec(spec, _NAMED) for spec in Calendar().specs)
"""The tools of the calendar, as the notation has them."""
CALENDAR_SYSTEM = spoken_system(Calendar().specs, _NAMED)
"""What stands before every talk about the calendar."""
_WORDS = re.compile(r'"([^"]*)"')
_MEMBER = re.compile(r"(?<=\|)[^|,)=\]]+|[^|,:(\[]+(?=\|)")
_CHANGES = re.compile(r"^(?:change|again|undo)\(", re.MULTILINE)
_SIGNATURE = re.compile(r"(?P<name>\w+)\((?P<inside>.*?)\)(?P<told>  # .*)?")
_BETWEEN = re.compile(r",\s*(?![^\[]*\])")
_OPTIONAL = re.compile(r"(?P<name>\w+)(?:\?(?:: .+)?|: [^=]+ = .+)")
LOWERED, MIXED, WIDENED, APART = 0.25, 0.5, 0.15, 0.4
"""The shares of talks that are learned as they would be typed in a hurry, no capitals; of those over tools that are
offered among tools of other talks; of tools that could take what nobody says; and of talks of which the requests that
stand alone are learned, in any order."""
_STRANGERS = 7


@dataclass(frozen=True, slots=True)
class HandTalk:
    """Its tools, as the notation shows them (none: the calendar), and the turns."""

    tools: tuple[str, ...]
    turns: tuple[Turn, ...]

    @property
    def system(self) -> str:
        """The system text."""
        return system_of(self.tools) if self.tools else CALENDAR_SYSTEM


@cache
def written_talks(about: str) -> tuple[HandTalk, ...]:
    """Those of a file, such as "calendar", "tools" or "kept_tools", in its order."""
    text = files(__package__).joinpath(f"data/written/{about}.txt").read_text(encoding="utf-8")
    return read_written(text)


def read_written(text: str) -> tuple[HandTalk, ...]:
    """The talks of a text in the form of data/written. Raises IndexError for a reply before anything was said."""
    return tuple(_talk(block.splitlines()) for block in text.strip().split("\n\n"))


def written_talk(about: str, seed: int) -> HandTalk:
    """The talk of a seed: all are gone through in a new order again and again, each time told a little otherwise."""
    talks = written_talks(about)
    rounds, place = divmod(seed, len(talks))
    talk = talks[Random(rounds).sample(range(len(talks)), len(talks))[place]]
    return told_otherwise(talk, talks, Random(seed))


def told_otherwise(talk: HandTalk, talks: Sequence[HandTalk], random: Random, *, apart: float = APART) -> HandTalk:
    """The talk as another person would tell it: at times in small letters, its tools retold()."""
    lowered = random.random() < LOWERED
    if talk.tools:
        talk = retold(talk, talks, random, apart=apart)
    return HandTalk(talk.tools, tuple(map(in_small_letters, talk.turns))) if lowered else talk


def _talk(lines: Sequence[str]) -> HandTalk:
    tools = tuple(line[2:] for line in lines if line.startswith("@ "))
    turns: list[Turn] = []
    for line in lines[len(tools) :]:
        if line.startswith("> "):
            turns.append(Turn(line[2:], "", True, "written"))
            continue
        last = turns.pop()
        reply = f"{last.reply}\n{line.removeprefix('~ ')}".strip()
        turns.append(Turn(last.said, reply, not line.startswith("~ "), "written"))
    return HandTalk(tools, tuple(turns))


def retold(talk: HandTalk, talks: Sequence[HandTalk], random: Random, *, apart: float = APART) -> HandTalk:
    """The talk with its tools in another order, at times among strangers, or (`apart`: so often) with other turns
    before each: a tool's place says nothing of when it is due."""
    tools = {_name(line): line for line in talk.tools}
    if random.random() < MIXED:
        strangers = random.choice(talks).tools + random.choice(talks).tools
        count = random.randint(1, _STRANGERS)
        tools = {_name(line): line for line in random.sample(strangers, min(count, len(strangers)))} | tools
    said = " ".join(turn.said for turn in talk.turns).casefold()
    for name, line in tools.items():
        if random.random() < WIDENED:
            tools[name] = _widened(line, random.choice(random.choice(talks).tools or (line,)), said, random)
    turns = talk.turns
    if random.random() < apart:
        members = {"?", "yes", "no", *(found.strip() for found in _MEMBER.findall(" ".join(talk.tools)))}
        alone = [turn for before, turn in zip((None, *turns), turns, strict=False)
                 if (before is None or before.learned) and _stands_alone(turn, members)]  # fmt: skip
        turns = tuple(random.sample(alone, len(alone))) or turns
    return HandTalk(tuple(random.sample(list(tools.values()), len(tools))), turns)


def _widened(line: str, other: str, said: str, random: Random) -> str:
    """A tool that could take one thing more, which another tool may be given: that it could be said says nothing of
    whether it was."""
    tool, giver = _SIGNATURE.fullmatch(line), _SIGNATURE.fullmatch(other)
    free = [(found["name"], piece) for piece in _BETWEEN.split(giver["inside"]) if (found := _OPTIONAL.fullmatch(piece))
            ] if giver else []  # fmt: skip
    free = [
        (name, piece) for name, piece in free if not any(word[:4] in said for word in re.findall(r"[a-z]{3,}", piece))
    ]
    if tool is None or not free:
        return line
    name, piece = random.choice(free)
    if re.search(rf"\b{name}\b", tool["inside"]):
        return line
    meant = re.search(rf"\b{name}: ([^;]+)", (giver and giver["told"]) or "")
    told = f"{tool['told']}; {name}: {meant[1]}" if tool["told"] and meant else tool["told"] or ""
    return f"{tool['name']}({', '.join(filter(None, (tool['inside'], piece)))}){told}"


def _name(line: str) -> str:
    return line.partition("(")[0]


def _stands_alone(turn: Turn, members: Collection[str]) -> bool:
    """Whether it asks for something new in words of its own, or by members of an enum."""
    told = turn.said.casefold()
    own = all(words.casefold() in told or words in members for words in _WORDS.findall(turn.reply))
    return turn.learned and own and not _CHANGES.search(turn.reply)


def in_small_letters(turn: Turn) -> Turn:
    """As it would be typed in a hurry."""
    return Turn(turn.said.lower(), _WORDS.sub(lambda words: words[0].lower(), turn.reply), turn.learned, turn.op)
