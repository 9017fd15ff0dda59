"""Wrong replies to a request for a made-up tool, what a person says about each, and the reply that mends it.

A wrong argument is mended by `change(…)` with the right words, anything else by the right lines. Knows no talk.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from toolmend.language.resolve.said import MISSING, Said
from toolmend.training.phrases import Phrases
from toolmend.training.teach.tool_requests import Asking, Offered, ToolAsk, family

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
    slips = _Slips(asks[-1], asking, tools, said_before)
    if random.random() < 0.1:
        return ToolSlip((), "chatter", phrases.say(random, "wrong chatter", lambda slot: slot))
    if len(asks) == 1:
        return random.choices(list(_KINDS), list(_KINDS.values()))[0](slips)
    if random.random() < 0.5:
        return ToolSlip(lines[: random.randint(1, len(lines) - 1)], "too little")
    slip = slips.wrong_words()
    return replace(slip, lines=(*lines[:-1], *slip.lines)) if slip else None


def differing(values: Mapping[str, Any], others: Mapping[str, Any]) -> list[str]:
    """The arguments that are not the same."""
    return [name for name in {**values, **others} if values.get(name) != others.get(name)]


def complaint_about(slip: ToolSlip, ask: ToolAsk, value: str, random: Random, phrases: Phrases) -> tuple[int, str]:
    """The level (1 says that it is wrong, 2 names the argument, 3 gives the value in these words) and the sentence."""
    level = random.choices(_LEVELS, _LEVEL_WEIGHTS)[0]
    if slip.topic in ("wrong", "forgotten"):
        section = "wrong 1" if level == 1 else f"{slip.topic} {level}"
    elif slip.topic == "asked needlessly":
        level = max(level, 2)
        section = slip.topic + " 2" * (level == 2)
    else:
        level = 1 if slip.topic not in ("chatter", "not due") and level == 1 else 2
        section = "wrong 1" if level == 1 else slip.topic
    called = ask.offered.called(slip.argument, random) if slip.argument else ""
    return level, phrases.say(random, section, {"argument": called, "value": value}.__getitem__)


class _Slips:
    """The wrong replies to one request, by their kinds; None where a kind does not fit it."""

    def __init__(self, ask: ToolAsk, asking: Asking, tools: Sequence[Offered], before: Sequence[str]) -> None:
        self.ask, self.asking, self.tools, self.before = ask, asking, tools, before
        self.random, self.line = asking.random, ask.line()
        self.said = [name for name in ask.whole if ask.told[name].words in ask.sentence]

    def _saying(self, words: Mapping[str, Any], topic: str, name: str, right: Mapping[str, str] | None) -> ToolSlip:
        return ToolSlip((replace(self.line, words=words),), topic, "", name, right)

    def wrong_words(self) -> ToolSlip | None:
        """An argument in other words: cut, of another argument, of an earlier call, or any."""
        ask, random = self.ask, self.random
        if not ask.whole:
            return None
        name = random.choice(ask.whole)
        words, kind = ask.told[name].words, ask.offered.parameter(name).kind
        others = [ask.told[key].words for key in ask.whole if key != name]
        ways = [self.asking.say(kind).words, *random.sample(others, min(1, len(others)))]
        ways += random.sample(list(self.before), min(1, len(self.before)))
        if kind.name == "text" and len(split := words.split(" ")) > 1:
            ways += [" ".join(split[1:]), " ".join(split[:-1]), split[-1]]
        wrong = random.choice(ways)
        if kind.name == "text" and random.random() < 0.15:
            wrong = _wider(words, ask.sentence) or wrong
        if wrong in (words, MISSING):
            return None
        return self._saying({**self.line.words, name: wrong}, "wrong", name, {name: words})

    def swapped(self) -> ToolSlip | None:
        """Two arguments of one kind, each in the words of the other."""
        names = self.random.sample(self.said, len(self.said))
        kinds = {name: family(self.ask.offered.parameter(name).kind) for name in names}
        pairs = [(one, two) for one in names for two in names if one < two and kinds[one] == kinds[two]]
        if not pairs:
            return None
        one, two = pairs[0]
        words = self.line.words
        right = {one: words[one], two: words[two]}
        return self._saying({**words, one: words[two], two: words[one]}, "wrong", one, right)

    def forgotten(self) -> ToolSlip | None:
        """An argument left out that need not be given but was."""
        optional = [name for name in self.ask.whole if not self.ask.offered.parameter(name).required]
        if not optional:
            return None
        name = self.random.choice(optional)
        words = {key: value for key, value in self.line.words.items() if key != name}
        return self._saying(words, "forgotten", name, {name: self.line.words[name]})

    def needless(self) -> ToolSlip | None:
        """An argument asked for that was said."""
        required = [name for name in self.said if self.ask.offered.parameter(name).required]
        if not required:
            return None
        name = self.random.choice(required)
        words = {**self.line.words, name: MISSING}
        return self._saying(words, "asked needlessly", name, {name: self.line.words[name]})

    def other_tool(self) -> ToolSlip | None:
        """Another tool, with the words that could be its arguments."""
        others = [other for other in self.tools if other.spec.full_name != self.ask.offered.spec.full_name]
        if not others:
            return None
        other, words = self.random.choice(others), dict[str, str]()
        free = {name: told for name, told in self.ask.told.items() if name in self.said}
        for own, name in other.names.items():
            kind = family(other.tool.parameters[own].kind)
            like = [key for key in free if family(self.ask.offered.parameter(key).kind) == kind]
            if like and name in other.arguments:
                words[name] = free.pop(like[0]).words
        return ToolSlip((Said(other.spec.full_name, words),), "wrong tool")

    def too_much(self) -> ToolSlip | None:
        """A second call that nobody asked for."""
        lines = [self.line, self.line]
        if self.random.random() < 0.6:
            lines[self.random.randrange(2)] = self.asking.ask(self.random.choice(self.tools)).line()
        return ToolSlip(tuple(lines), "too much")

    def invented(self) -> ToolSlip | None:
        """An argument that was not said."""
        offered = self.ask.offered
        optional = [name for name in offered.arguments
                    if not offered.parameter(name).required and name not in self.ask.told]  # fmt: skip
        if not optional:
            return None
        name = self.random.choice(optional)
        words = self.asking.say(offered.parameter(name).kind).words
        return self._saying({**self.line.words, name: words}, "invented", name, None)


def _wider(words: str, sentence: str) -> str:
    """With the word before or after it."""
    before, found, after = sentence.partition(words)
    if not found:
        return ""
    first, last = after.split()[:1], before.split()[-1:]
    return f"{words} {first[0].strip('.,?!;:')}" if first else f"{last[0]} {words}" if last else ""


_KINDS: Mapping[Callable[[_Slips], ToolSlip | None], int] = {
    _Slips.wrong_words: 48, _Slips.swapped: 6, _Slips.forgotten: 14, _Slips.needless: 8, _Slips.other_tool: 12,
    _Slips.too_much: 5, _Slips.invented: 7,
}  # fmt: skip
