"""Talks of people told otherwise each time: names renamed, tools in any order among strangers, requests that stand
alone in one talk, some of them in one sentence, some of no tool that is offered; slips that are complained about and
mended. The same seed tells the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from random import Random

from toolmend.training.adapter.turn import Turn
from toolmend.training.adapter.written_mistakes import mistaken
from toolmend.training.adapter.written_talks import LOWERED, HandTalk, in_small_letters
from toolmend.training.people.renaming import renamed
from toolmend.training.people.slips import slipped
from toolmend.training.people.talk_lines import PeopleTalk
from toolmend.training.people.tool_line import ToolLine
from toolmend.training.phrases import phrases_of
from toolmend.training.teach.tool_names import content_words, words_of

GROUP = 5
"""So many requests that stand alone come into a talk, now and then two more."""
_REFUSED, _JOINED, _SLIPS, _STRANGERS = 0.2, 0.2, 0.45, 0.5
"""Shares: of requests whose tool is not offered; of those said in one sentence with the next; of talks with a slip; of
talks among strangers."""
_MOST = 6  # strangers
_NONE = "None of these tools can do that."
_COMMON = frozenset(
    "find get search book reserve buy set add make look list show check play my the a of for to in".split()
)


@dataclass(frozen=True)
class TalkPool:
    """Talks that are gone through in a new order again and again. Those of one turn over one tool stand alone."""

    talks: tuple[PeopleTalk, ...]

    @cached_property
    def alone(self) -> tuple[PeopleTalk, ...]:
        """The requests that stand alone."""
        return tuple(talk for talk in self.talks if len(talk.turns) == len(talk.tools) == 1)

    @cached_property
    def longer(self) -> tuple[PeopleTalk, ...]:
        """The others."""
        return tuple(talk for talk in self.talks if len(talk.turns) > 1 or len(talk.tools) > 1)

    def __len__(self) -> int:
        """How many seeds go through all of them once."""
        return len(self.longer) + -(-len(self.alone) // GROUP)

    def told(self, seed: int) -> HandTalk:
        """The talk of a seed."""
        rounds, place = divmod(seed, len(self))
        random = Random(f"people {seed}")
        number = _order(rounds, len(self))[place]
        if number < len(self.longer):
            talk = _among_strangers(renamed(self.longer[number], random), self.talks, random)
        else:
            talk = _together(self._group(number - len(self.longer), rounds, random), self.talks, random)
        if random.random() < _SLIPS:
            talk = _with_slip(talk, random)
        if random.random() < LOWERED:
            talk = replace(talk, turns=tuple(map(in_small_letters, talk.turns)))
        return talk

    def _group(self, number: int, rounds: int, random: Random) -> list[PeopleTalk]:
        order = _order(-1 - rounds, len(self.alone))
        chosen = order[number * GROUP : (number + 1) * GROUP]
        more = [random.randrange(len(order)) for _ in range(random.choice((0, 0, 1, 2)))]
        return [self.alone[place] for place in (*chosen, *more)]


@lru_cache(maxsize=8)
def _order(seed: int, count: int) -> tuple[int, ...]:
    return tuple(Random(f"order {seed}").sample(range(count), count))


def _among_strangers(talk: HandTalk, talks: Sequence[PeopleTalk], random: Random) -> HandTalk:
    """Its tools in any order, at times among those of other talks that could not do what it asks for."""
    tools = list(talk.tools)
    if random.random() < _STRANGERS:
        tools += _strangers(tools, talks, random, random.randint(1, _MOST))
    return HandTalk(tuple(random.sample(tools, len(tools))), talk.turns)


def _strangers(tools: Sequence[str], talks: Sequence[PeopleTalk], random: Random, count: int) -> list[str]:
    """Tools of other talks that have no word of their names or of what they do in common with these."""
    taken = {word for line in tools for word in _subject(line)}
    names = {_named(line) for line in tools}
    found: list[str] = []
    for _ in range(3 * count):
        line = random.choice(renamed(replace(random.choice(talks), turns=()), random).tools)
        words = _subject(line)
        if len(found) < count and words and not taken & words and _named(line) not in names:
            found.append(line)
            taken |= words
            names.add(_named(line))
    return found


def _subject(line: str) -> set[str]:
    signature = ToolLine.read(line)
    words = {*words_of(signature.name), *content_words(signature.about)}
    return {word.removesuffix("s") for word in words} - _COMMON


def _together(group: Sequence[PeopleTalk], talks: Sequence[PeopleTalk], random: Random) -> HandTalk:
    """Requests that stand alone as one talk: some have no tool there, some are said with the next."""
    intents = {_named(talk.tools[0]): talk for talk in reversed(group)}
    gone = [intent for intent in intents if random.random() < _REFUSED][: len(intents) - 1]
    random_name = random.random()
    tools: dict[str, str] = {}
    told: list[Turn] = []
    names: dict[str, float] = {}
    for talk in group:
        intent = _named(talk.tools[0])
        if talk.tools != intents[intent].tools:  # of another set, which gives it other arguments
            continue
        if intent in gone:
            told.append(replace(talk.turns[0], reply=_NONE))
            continue
        names.setdefault(intent, random_name + len(names))
        named = renamed(talk, Random(f"{names[intent]}"))  # an intent has one name in a talk
        if _named(named.tools[0]) in {_named(line) for other, line in tools.items() if other != intent}:
            continue
        tools[intent] = named.tools[0]
        told.append(named.turns[0])
    lines = list({_named(line): line for line in tools.values()}.values())
    refused = [talk.tools[0] for intent, talk in intents.items() if intent in gone]
    lines += _strangers([*lines, *refused], talks, random, random.randint(1, _MOST))
    return HandTalk(tuple(random.sample(lines, len(lines))), tuple(_in_one_sentence(told, random)))


def _named(line: str) -> str:
    return line.partition("(")[0]


def _in_one_sentence(turns: Sequence[Turn], random: Random) -> list[Turn]:
    """The turns, some of them two at once."""
    made: list[Turn] = []
    for turn in turns:
        before = made[-1] if made else None
        if (
            before
            and "\n" not in before.reply
            and _NONE not in (before.reply, turn.reply)
            and random.random() < _JOINED
        ):
            one, two = before.said.rstrip(" .!"), turn.said
            slots = {"one": one, "two": two if two.startswith(("I ", "I'")) else two[:1].lower() + two[1:]}
            said = phrases_of("tool_talks.txt").say(random, "joined", slots.__getitem__)
            made[-1] = Turn(said, f"{before.reply}\n{turn.reply}", True, "people")
        else:
            made.append(turn)
    return made


def _with_slip(talk: HandTalk, random: Random) -> HandTalk:
    """With a wrong reply in the place of a right one, a complaint, and what mends it."""
    places = [place for place, turn in enumerate(talk.turns) if turn.learned and "(" in turn.reply]
    for place in random.sample(places, min(3, len(places))):
        wrong = slipped(talk.turns[place], talk.tools, random)
        if wrong and (lesson := mistaken(talk, place, wrong, random)):
            return lesson
    return talk
