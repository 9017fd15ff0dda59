"""Suite `town`: two days of 25 lives, one of whom plans a party. What they say to each other is the model's.

A line counts as news only if who says it knew, and knowing is traced line by line back to the host: what a model makes
up informs nobody. Where each life is, and whom it meets, is the town's (town.py), what it remembers mind.py's.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from toolmend.base.errors import BadOption
from toolmend.extras.agents.bench import Bench
from toolmend.extras.agents.system import AgentSystem, AgentTask, Scored
from toolmend.extras.agents.worlds.mind import FORMULAS, Mind, minds_of
from toolmend.extras.agents.worlds.town import LIVES, PARTY, PLACES, SLOTS, Town, located, moment_of
from toolmend.models import Model
from toolmend.models.scripted import Scripted

_SPEECH = """You are {speaker}. You meet {hearer} {place}. This comes to your mind:
{memories}
Say one of these things to {hearer}, in one sentence, with all names, days and times.
"""
_LONGEST = 300  # characters of a line
_TOWNS = 3
Answer = dict[str, Any]
"""What was said, as `lines` of slot, from, to and text, and who `came` to the party."""


@dataclass(frozen=True)
class Speaking:
    """Every line is asked of the model. `formula` is how memories are recalled: paper or code."""

    formula: str = "paper"

    def __post_init__(self) -> None:
        """Refuse a formula that nobody knows."""
        if self.formula not in FORMULAS:
            raise BadOption(f"formula {self.formula!r}; known: {', '.join(FORMULAS)}")


class Party(AgentSystem):
    """The towns, and how news spread in them."""

    name = "town"
    about = "25 small lives, two days; how far the news of a party spreads by what they say, and who comes"
    ways: Mapping[str, Any] = {"speech": Speaking}
    steps = 1000

    def tasks(self) -> Sequence[AgentTask]:
        """Three towns."""
        return [
            AgentTask(f"town-{seed}", f"Live for two days. {Town(seed).invitation}.", "towns", seed)
            for seed in range(1, _TOWNS + 1)
        ]

    def oracle(self, task: AgentTask, way: Any) -> Model:
        """The lives by rule: each says what comes to its mind first."""
        return Scripted(lambda request: _first_thought(request.messages[-1].content), "scripted/oracle")

    def reference(self, task: AgentTask) -> Answer:
        """Two days by rule, recalled as in the paper."""
        return _by_rule(task.data)

    async def solve(self, bench: Bench, task: AgentTask, way: Any) -> Answer:
        """Two days."""
        answer: Answer = {"lines": [], "came": []}
        bench.answer, days = answer, two_days(Town(task.data), way.formula, answer)
        prompt = _sent(days, None)
        while prompt is not None:
            prompt = _sent(days, (await bench.ask(prompt, max_tokens=60)).text)
        return answer

    def score(self, task: AgentTask, answer: Any) -> Scored:
        """How many were told, as a share of those whom lives by rule tell; 0 for days that cannot have been."""
        town = Town(task.data)
        if problem := problem_of(town, answer):
            return Scored(0.0, problem)
        informed, invited, election = map(len, news_of(town, answer["lines"]))
        usual = len(news_of(town, self.reference(task)["lines"])[0])
        share = (informed - 1) / max(1, usual - 1)
        figures = {
            "informed": informed / LIVES,
            "invited": invited,
            "came": len(answer["came"]),
            "election": election / LIVES,
            "lines": len(answer["lines"]),
        }
        why = "" if share >= 1 else f"{informed} know of the party; by rule it is {usual}"
        return Scored(min(1.0, share), why, figures)


def two_days(town: Town, formula: str, answer: Answer) -> Generator[str, str, None]:
    """The days as they go, written into `answer`: yields what is asked for a line, and takes what is said."""
    minds = minds_of(town, formula)
    for slot in range(SLOTS):
        if slot == PARTY[0]:
            answer["came"] += _comers(town, minds)
        here = [town.place(number, slot, answer["came"]) for number in range(LIVES)]
        for number, mind in enumerate(minds):
            for other, where in enumerate(here):
                if other != number and where == here[number]:
                    mind.keep(f"{town.lives[other].name} is {located(where)}", slot)
            mind.reflect(slot)
        for place, pair in town.meetings(slot, answer["came"]):
            for speaker, hearer in (pair, pair[::-1]):
                if not (thoughts := minds[speaker].to_tell(minds[hearer], slot)):
                    continue
                names = {"speaker": town.lives[speaker].name, "hearer": town.lives[hearer].name}
                memories = "\n".join(f"- {memory.text}." for memory in thoughts)
                said = yield _SPEECH.format(place=located(place), memories=memories, **names)
                if text := " ".join(said.split()).strip(" -.\"'")[:_LONGEST]:
                    minds[speaker].tells(minds[hearer], text, slot)
                    answer["lines"].append({"slot": slot, "from": speaker, "to": hearer, "text": text})


def news_of(town: Town, lines: Sequence[Mapping[str, Any]]) -> tuple[list[int], list[int], list[int]]:
    """Who knew of the party in the end, each from somebody who knew; whom the host told; who knew of the election."""
    informed, election, invited = [0], [1], list[int]()
    for line in lines:
        speaker, hearer, words = line["from"], line["to"], _words(line["text"])
        for known, news in ((informed, _words(town.invitation)), (election, _words(town.candidacy))):
            if speaker in known and hearer not in known and news <= words:
                known.append(hearer)
        if speaker == 0 and hearer not in invited and _words(town.invitation) <= words:
            invited.append(hearer)
    return informed, invited, election


def replay_of(task: AgentTask, answer: Answer) -> dict[str, Any]:
    """What a page needs to show the days again: map and names, and for each slot who is where and what was said."""
    town, slots, informed = Town(task.data), [], [0]
    for slot in range(SLOTS):
        lines = []
        for line in (line for line in answer["lines"] if line["slot"] == slot):
            news = line["from"] in informed and _words(town.invitation) <= _words(line["text"])
            informed += [line["to"]] * (news and line["to"] not in informed)
            lines.append({**line, "news": news})
        at, time = [town.place(number, slot, answer["came"]) for number in range(LIVES)], moment_of(slot)[:16]
        slots.append({"time": time.replace("T", " "), "at": at, "lines": lines, "informed": [*informed]})
    return {"id": task.id, "places": PLACES, "names": [life.name for life in town.lives], "slots": slots}


def problem_of(town: Town, answer: Any) -> str:
    """What cannot have been in an answer, "" for nothing."""
    try:
        lines, came = list(answer["lines"]), list(answer["came"])
        rows = [(line["slot"], line["from"], line["to"]) for line in lines]
        numbers = [*came, *(number for row in rows for number in row)]
        sound = all(isinstance(number, int) for number in numbers) and all(
            isinstance(line["text"], str) for line in lines
        )
    except (KeyError, TypeError):
        sound = False
    if not sound:
        return "no lines that were said"
    if [row[0] for row in rows] != sorted(row[0] for row in rows):
        return "lines out of time"
    if len(set(rows)) != len(rows):
        return "one says two things to another at once"
    met = {
        (slot, *both)
        for slot in {row[0] for row in rows} & set(range(SLOTS))
        for _, pair in town.meetings(slot, came)
        for both in (pair, pair[::-1])
    }
    if strange := [row for row in rows if row not in met]:
        return f"in slot {strange[0][0]} life {strange[0][1]} does not meet life {strange[0][2]}"
    informed = news_of(town, [line for line in lines if line["slot"] < PARTY[0]])[0]
    for number in sorted(came):
        if number not in informed:
            return f"life {number} came, and could not know"
        if town.working(number, PARTY[0]):
            return f"life {number} came, and was at work"
    return ""


@lru_cache(4096)
def _words(text: str) -> frozenset[str]:
    """What makes a line news: its names, numbers, and the words that matter."""
    return frozenset(re.findall(r"\d+|\b[A-Z]\w+|\b(?:party|café|council|vote)\b", text))


def _comers(town: Town, minds: Sequence[Mind]) -> list[int]:
    """Who goes: told by the host or a friend of hers, free then, with the party in mind when the evening is planned."""
    came = []
    for number, mind in enumerate(minds):
        near = number in town.lives[0].friends or any(memory.who == town.lives[0].name for memory in mind.memories)
        if number and near and not town.working(number, PARTY[0]):
            recalled = mind.recall("What plans are there for the 14th at 17:00?", PARTY[0])
            if any(_words(town.invitation) <= _words(memory.text) for memory in recalled):
                came.append(number)
    return came


def _first_thought(prompt: str) -> str:
    thoughts = re.findall(r"^- (.+)$", prompt, re.MULTILINE)
    return thoughts[0] if thoughts else ""


def _sent(days: Generator[str, str, None], said: str | None) -> str | None:
    """The next thing that is asked; None at the end."""
    try:
        return next(days) if said is None else days.send(said)
    except StopIteration:
        return None


@cache
def _by_rule(seed: int) -> Answer:
    answer: Answer = {"lines": [], "came": []}
    days = two_days(Town(seed), "paper", answer)
    prompt = _sent(days, None)
    while prompt is not None:
        prompt = _sent(days, _first_thought(prompt))
    return answer
