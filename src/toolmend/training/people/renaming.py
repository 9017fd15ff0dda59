"""A talk under other names of its tools and arguments: of those that it has (as SGD-X does), or made up of synonyms.
What the arguments take and the words that were said stay. A model that reads names by heart learns nothing of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from toolmend.base.messages import ToolSpec
from toolmend.language.resolve.said import AGAIN, CHANGE, UNDO, Said
from toolmend.reading.spoken import read_spoken, write_spoken
from toolmend.training.adapter.turn import Turn
from toolmend.training.people.talk_lines import PeopleTalk
from toolmend.training.people.tool_line import ToolLine
from toolmend.training.teach.tool_names import named_otherwise

_MADE_UP, _ARGUMENT = 0.5, 0.5
"""How often names are made up where a talk has no others, and how often an argument's then is."""
_ALL, _ABOUT = 0.4, 0.75
"""What is told of the tools: all; what they do; else nothing."""
_VERBS = (CHANGE, AGAIN, UNDO)


@dataclass(frozen=True, slots=True)
class _Names:
    """A tool's new name, and its arguments' by the old ones."""

    name: str
    arguments: Mapping[str, str]


def renamed(talk: PeopleTalk, random: Random) -> PeopleTalk:
    """The talk under other names, or its own, with more or less told of its tools."""
    own = [ToolLine.read(line) for line in talk.tools]
    shown = [ToolLine.read(line) for line in random.choice((talk.tools, *talk.otherwise))]
    if not talk.otherwise and random.random() < _MADE_UP:
        shown = _made_up(own, random)
    names = {
        old.name: _Names(new.name, {a: b for (a, _), (b, _) in zip(old.arguments, new.arguments, strict=True)})
        for old, new in zip(own, shown, strict=True)
    }
    told = random.random()
    lines = tuple(new.line(about=told < _ABOUT, meanings=told < _ALL) for new in shown)
    return replace(talk, tools=lines, turns=tuple(_turns(talk.turns, names)), otherwise=())


def _made_up(own: Sequence[ToolLine], random: Random) -> list[ToolLine]:
    taken, made = {*_VERBS}, list[ToolLine]()
    for signature in own:
        name = named_otherwise(signature.name, signature.about, random, taken)
        taken.add(name)
        names: dict[str, str] = {}
        for argument, _ in signature.arguments:
            if random.random() < _ARGUMENT:
                meant = (signature.meanings or {}).get(argument, "")
                others = {*names.values(), "of", *(other for other, _ in signature.arguments)}
                names[argument] = named_otherwise(argument, meant, random, others)
        made.append(signature.renamed(name, names))
    return made


def _turns(turns: Sequence[Turn], names: Mapping[str, _Names]) -> list[Turn]:
    """The replies under the new names; a change speaks of the tool that was called last."""
    specs = [ToolSpec(name) for name in names]
    made: list[Turn] = []
    last = next(iter(names.values()))
    for turn in turns:
        lines: list[Said] = []
        for line in read_spoken(turn.reply, specs).lines:
            last = names.get(line.tool, last)
            words = {_new(name, last, names): told for name, told in line.words.items()}
            lines.append(Said(line.tool if line.tool in _VERBS else last.name, words, line.of))
        made.append(replace(turn, reply=write_spoken(lines, ())) if lines else turn)
    return made


def _new(argument: str, last: _Names, names: Mapping[str, _Names]) -> str:
    """An argument's name: of the tool that was called last, else of any that has it."""
    return next((one.arguments[argument] for one in (last, *names.values()) if argument in one.arguments), argument)
