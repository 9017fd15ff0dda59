"""What a model might get wrong in a reply that is due: made by rule, to be complained about and mended. Knows no
net.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from toolmend.base.messages import ToolSpec
from toolmend.language.resolve.said import AGAIN, CHANGE, MISSING, UNDO, Said
from toolmend.reading.spoken import read_spoken, write_spoken
from toolmend.training.adapter.turn import Turn
from toolmend.training.people.tool_line import ToolLine
from toolmend.training.phrases import phrases_of

_NO_CALL = "None of these tools can do that."
_VERBS = (CHANGE, AGAIN, UNDO)
_CHATTER = 0.08


def slipped(turn: Turn, tools: Sequence[str], random: Random) -> str:
    """A wrong reply to a turn; "" where none is found."""
    signatures = {one.name: one for one in map(ToolLine.read, tools)}
    lines = list(read_spoken(turn.reply, [ToolSpec(name) for name in signatures]).lines)
    if not lines:
        return ""
    if random.random() < _CHATTER:
        said = phrases_of("tool_talks.txt").say(random, "wrong chatter", str)
        return random.choice((said, _NO_CALL))
    if len(lines) > 1 and random.random() < 0.3:
        del lines[random.randrange(len(lines))]
        return write_spoken(lines, ())
    place = random.randrange(len(lines))
    ways = list(_WAYS)
    for way in random.sample(ways, len(ways)):
        wrong = way(lines[place], signatures, turn.said, random)
        if wrong and wrong != lines[place]:
            lines[place] = wrong
            return write_spoken(lines, ())
    return ""


Tools = dict[str, ToolLine]


def _forgotten(line: Said, tools: Tools, said: str, random: Random) -> Said | None:
    if (len(line.words) < 2 and line.tool in _VERBS) or not line.words:
        return None
    gone = random.choice(list(line.words))
    return Said(line.tool, {name: words for name, words in line.words.items() if name != gone}, line.of)


def _asked(line: Said, tools: Tools, said: str, random: Random) -> Said | None:
    told = [name for name, words in line.words.items() if words != MISSING]
    return Said(line.tool, {**line.words, random.choice(told): MISSING}, line.of) if told else None


def _swapped(line: Said, tools: Tools, said: str, random: Random) -> Said | None:
    told = [name for name, words in line.words.items() if words != MISSING]
    if len(told) < 2:
        return None
    one, other = random.sample(told, 2)
    return Said(line.tool, {**line.words, one: line.words[other], other: line.words[one]}, line.of)


def _cut(line: Said, tools: Tools, said: str, random: Random) -> Said | None:
    """Words that are one too few, or other ones of the sentence."""
    told = [name for name, words in line.words.items() if isinstance(words, str) and words != MISSING]
    if not told:
        return None
    name = random.choice(told)
    words, heard = str(line.words[name]).split(), said.split()
    if len(words) > 1 and random.random() < 0.5:
        other = " ".join(words[1:] if random.random() < 0.5 else words[:-1])
    elif heard:
        start = random.randrange(len(heard))
        other = " ".join(heard[start : start + random.choice((1, 1, 2))]).strip('.,!?"')
    else:
        return None
    return Said(line.tool, {**line.words, name: other}, line.of) if other else None


def _other_argument(line: Said, tools: Tools, said: str, random: Random) -> Said | None:
    """The words for another argument of the tool."""
    signature = tools.get(line.tool)
    free = [name for name, _ in signature.arguments if name not in line.words] if signature else []
    told = [name for name, words in line.words.items() if words != MISSING]
    if not free or not told:
        return None
    old, new = random.choice(told), random.choice(free)
    return Said(line.tool, {new if name == old else name: words for name, words in line.words.items()}, line.of)


def _invented(line: Said, tools: Tools, said: str, random: Random) -> Said | None:
    """An argument more, with words that were not said of it."""
    signature = tools.get(line.tool)
    free = [name for name, _ in signature.arguments if name not in line.words] if signature else []
    heard = said.split()
    if not free or not heard:
        return None
    return Said(line.tool, {**line.words, random.choice(free): random.choice(heard).strip('.,!?"') or "1"}, line.of)


def _other_tool(line: Said, tools: Tools, said: str, random: Random) -> Said | None:
    others = [one for name, one in tools.items() if name != line.tool]
    if not others or line.tool in _VERBS:
        return None
    other = random.choice(others)
    names = [name for name, _ in other.arguments]
    kept = {name: words for name, words in line.words.items() if name in names}
    told = [words for words in line.words.values() if words != MISSING]
    return Said(other.name, kept or ({names[0]: random.choice(told)} if names and told else {}))


_WAYS: tuple[Callable[[Said, Tools, str, Random], Said | None], ...] = (
    _forgotten, _asked, _swapped, _cut, _cut, _other_argument, _invented, _other_tool
)  # fmt: skip
