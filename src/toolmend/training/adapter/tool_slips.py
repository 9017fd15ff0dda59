"""Wrong replies to a request for a made-up tool, what a person says about each, and the reply that mends it.

A wrong argument is mended by `change(…)` with the right words, anything else by the right lines. Knows no talk.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from toolmend.resolve.background import Question
from toolmend.resolve.said import MISSING, Said
from toolmend.training.adapter.tool_requests import Asking, Offered, ToolAsk, family
from toolmend.training.phrases import Phrases

_LEVELS, _LEVEL_WEIGHTS = (1, 2, 3), (25, 40, 35)


@dataclass(frozen=True, slots=True)
class ToolSlip:
    """A wrong reply: its lines, or its text; the `topic` of the complaint; the parameter that is wrong; the words that
    change it (None where the right lines are due)."""

    lines: tuple[Said, ...]
    topic: str
    text: str = ""
    argument: str = ""
    words: Mapping[str, str] | None = None


def tool_slip(
    asks: Sequence[ToolAsk], asking: Asking, tools: Sequence[Offered], said_before: Sequence[str], phrases: Phrases
) -> ToolSlip | None:
    """A wrong reply where the lines of `asks` are due; None where the kind that was drawn does not fit.

    `said_before` are words of earlier arguments, which a model confuses with those of now."""
    random = asking.random
    lines = tuple(ask.line() for ask in asks)
    ask = asks[-1]
    if random.random() < 0.1:
        return ToolSlip((), "chatter", phrases.say(random, "wrong chatter", lambda slot: slot))
    if len(asks) > 1:
        if random.random() < 0.5:
            return ToolSlip(lines[: random.randint(1, len(lines) - 1)], "too little")
        slip = _wrong_words(ask, asking, tools, said_before)
        return replace(slip, lines=(*lines[:-1], *slip.lines)) if slip else None
    makers, weights = zip(*_KINDS, strict=True)
    made: ToolSlip | None = random.choices(makers, weights)[0](ask, asking, tools, said_before)
    return made


def own_slip(
    reply: str,
    lines: tuple[Said, ...],
    question: Question | None,
    calls: Sequence[tuple[str, Mapping[str, Any]]],
    asks: Sequence[ToolAsk],
    due: Sequence[tuple[str, Mapping[str, Any]]],
) -> ToolSlip | None:
    """What is wrong with a model's reply, read as `lines` (none where it is broken) and come to a question or calls,
    where others are due; None for one that is right or taken for it."""
    if not lines:
        return ToolSlip((), "chatter", reply)
    if question and len(due) == 1:
        name = question.argument
        told = asks[0].told.get(name)
        words = {name: told.words} if told else None
        return ToolSlip(lines, "asked needlessly" if told else "chatter", reply, name if told else "", words)
    if [tool for tool, _ in calls] != [tool for tool, _ in due]:
        topic = "too little" if len(calls) < len(due) else "too much" if len(calls) > len(due) else "wrong tool"
        return ToolSlip(lines, topic, reply)
    wrong = [(place, name) for place, ((_, values), (_, right)) in enumerate(zip(calls, due, strict=True))
             for name in differing(values, right)]  # fmt: skip
    if not wrong:
        return None
    place, name = wrong[-1]
    ask = asks[min(place, len(asks) - 1)]
    if not ask.told.keys() & calls[place][1].keys():
        (thing, told), *_ = ask.told.items()
        return ToolSlip(lines, "which", reply, thing, {thing: told.words})
    if name not in ask.told:
        return ToolSlip(lines, "invented", reply, name)
    if len(wrong) > 1 or place != len(asks) - 1:
        return ToolSlip(lines, "wrong", reply, name)
    topic = "wrong" if name in calls[place][1] else "forgotten"
    return ToolSlip(lines, topic, reply, name, {name: ask.told[name].words})


def differing(values: Mapping[str, Any], others: Mapping[str, Any]) -> list[str]:
    """The arguments that are not the same."""
    return [name for name in {**values, **others} if values.get(name) != others.get(name)]


def complaint_about(slip: ToolSlip, ask: ToolAsk, value: str, random: Random, phrases: Phrases) -> tuple[int, str]:
    """The level (1 says that it is wrong, 2 names the argument, 3 gives the value in these words) and the sentence."""
    level = random.choices(_LEVELS, _LEVEL_WEIGHTS)[0]
    if slip.topic in ("wrong", "forgotten"):
        own = f"{slip.argument} {level}"
        section = "wrong 1" if level == 1 else own if own in phrases.lines else f"{slip.topic} {level}"
    elif slip.topic == "asked needlessly":
        level = max(level, 2)
        section = slip.topic + " 2" * (level == 2)
    else:
        level = 1 if slip.topic not in ("chatter", "not due") and level == 1 else 2
        section = "wrong 1" if level == 1 else slip.topic
    called = ask.offered.called(slip.argument, random) if slip.argument else ""
    return level, phrases.say(random, section, {"argument": called, "value": value}.__getitem__)


def _said_arguments(ask: ToolAsk) -> list[str]:
    """Parameters whose words stand in the sentence."""
    return [name for name in ask.whole if ask.told[name].words in ask.sentence]


def _wrong_words(ask: ToolAsk, asking: Asking, _tools: Sequence[Offered], before: Sequence[str]) -> ToolSlip | None:
    """An argument in other words: cut, of another argument, of an earlier call, or any."""
    random = asking.random
    if not ask.whole:
        return None
    name = random.choice(ask.whole)
    told, kind = ask.told[name], ask.offered.parameter(name).kind
    others = [ask.told[key].words for key in ask.whole if key != name]
    split = told.words.split(" ")
    ways = [asking.say(kind).words, *random.sample(others, min(1, len(others)))]
    ways += random.sample(list(before), min(1, len(before)))
    if kind.name == "text" and len(split) > 1:
        ways += [" ".join(split[1:]), " ".join(split[:-1]), split[-1]]
    wrong = random.choice(ways)
    if kind.name == "text" and random.random() < 0.15:
        wrong = _wider(told.words, ask.sentence) or wrong
    if wrong == told.words or wrong == MISSING:
        return None
    line = ask.line()
    return ToolSlip((replace(line, words={**line.words, name: wrong}),), "wrong", "", name, {name: told.words})


def _wider(words: str, sentence: str) -> str:
    """With the word before or after it."""
    place = sentence.find(words)
    if place < 0:
        return ""
    before, after = sentence[:place].split(), sentence[place + len(words) :].split()
    return f"{words} {after[0].strip('.,?!;:')}" if after else f"{before[-1]} {words}" if before else ""


def _swapped(ask: ToolAsk, asking: Asking, _tools: Sequence[Offered], _before: Sequence[str]) -> ToolSlip | None:
    """Two arguments of one kind, each in the words of the other."""
    names = _said_arguments(ask)
    asking.random.shuffle(names)
    kinds = [family(ask.offered.parameter(name).kind) for name in names]
    pairs = [(one, two) for one, kind in zip(names, kinds, strict=True)
             for two, other in zip(names, kinds, strict=True) if one < two and kind == other]  # fmt: skip
    if not pairs:
        return None
    one, two = pairs[0]
    line = ask.line()
    words = {**line.words, one: line.words[two], two: line.words[one]}
    right = {one: line.words[one], two: line.words[two]}
    return ToolSlip((replace(line, words=words),), "wrong", "", one, right)


def _forgotten(ask: ToolAsk, asking: Asking, _tools: Sequence[Offered], _before: Sequence[str]) -> ToolSlip | None:
    """An argument left out that need not be given but was."""
    optional = [name for name in ask.whole if not ask.offered.parameter(name).required]
    if not optional:
        return None
    name, line = asking.random.choice(optional), ask.line()
    words = {key: value for key, value in line.words.items() if key != name}
    return ToolSlip((replace(line, words=words),), "forgotten", "", name, {name: line.words[name]})


def _needless(ask: ToolAsk, asking: Asking, _tools: Sequence[Offered], _before: Sequence[str]) -> ToolSlip | None:
    """An argument asked for that was said."""
    required = [name for name in _said_arguments(ask) if ask.offered.parameter(name).required]
    if not required:
        return None
    name, line = asking.random.choice(required), ask.line()
    wrong = replace(line, words={**line.words, name: MISSING})
    return ToolSlip((wrong,), "asked needlessly", "", name, {name: line.words[name]})


def _other_tool(ask: ToolAsk, asking: Asking, tools: Sequence[Offered], _before: Sequence[str]) -> ToolSlip | None:
    """Another tool, with the words that could be its arguments."""
    others = [other for other in tools if other.spec.full_name != ask.offered.spec.full_name]
    if not others:
        return None
    other = asking.random.choice(others)
    free = {name: told for name, told in ask.told.items() if name in _said_arguments(ask)}
    words: dict[str, str] = {}
    for own, name in other.names.items():
        kind = family(other.tool.parameters[own].kind)
        like = [key for key in free if family(ask.offered.parameter(key).kind) == kind]
        if like and name in other.arguments:
            words[name] = free.pop(like[0]).words
    return ToolSlip((Said(other.spec.full_name, words),), "wrong tool")


def _too_much(ask: ToolAsk, asking: Asking, tools: Sequence[Offered], _before: Sequence[str]) -> ToolSlip | None:
    """A second call that nobody asked for."""
    line = ask.line()
    more = line if asking.random.random() < 0.4 else asking.ask(asking.random.choice(tools)).line()
    lines = (line, more) if asking.random.random() < 0.6 else (more, line)
    return ToolSlip(lines, "too much")


def _invented(ask: ToolAsk, asking: Asking, _tools: Sequence[Offered], _before: Sequence[str]) -> ToolSlip | None:
    """An argument that was not said."""
    optional = [name for name in ask.offered.arguments
                if not ask.offered.parameter(name).required and name not in ask.told]  # fmt: skip
    if not optional:
        return None
    name, line = asking.random.choice(optional), ask.line()
    words = asking.say(ask.offered.parameter(name).kind).words
    return ToolSlip((replace(line, words={**line.words, name: words}),), "invented", "", name)


_Maker = Callable[[ToolAsk, Asking, Sequence[Offered], Sequence[str]], ToolSlip | None]
_KINDS: tuple[tuple[_Maker, int], ...] = (
    (_wrong_words, 48), (_swapped, 6), (_forgotten, 14), (_needless, 8), (_other_tool, 12), (_too_much, 5),
    (_invented, 7),
)  # fmt: skip
