"""What two contestants' calls made up for the same requests, as in table 3 of Freyr (Gallotta et al. 2025).

Beside it how much of a description repeats the request: counted words, no judgement. What is better is for people to
say, who get the answers blind (blind_pairs.py).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from toolmend.base.errors import BadOption
from toolmend.base.stats import Interval, bootstrap_mean
from toolmend.evals.store import Run, Sample
from toolmend.extras.arena.judges.blind_pairs import Place, ShownAnswer, answers, named

NAMES, DESCRIPTIONS = ("name", "title"), ("description", "text")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*|\d+")
_HUMP = re.compile(r"(?<=[^\W\d_A-Z])(?=[A-Z])")  # SwampySnake: Swampy Snake
_GRAMMAR = frozenset(
    "a an the this that these those and or but nor so as at by for from in into of off on onto out over per than then "
    "to under up upon via with within without is are was were be been being am do does did has have had having it its "
    "it's he him his she her they them their theirs i me my we us our you your who whom whose which what where when "
    "while there here not no any all each both some such can could may might must shall should will would if also just "
    "very".split()
)


@dataclass(frozen=True, slots=True)
class MadeThing:
    """A thing that a call made or changed: its name ("" without one) and the description that the call gave it."""

    name: str
    description: str


@dataclass(frozen=True, slots=True)
class MadeSideBySide:
    """A request of a case, and by contestant the things that its calls made up."""

    case: str
    request: str
    things: Mapping[str, tuple[MadeThing, ...]]


@dataclass(frozen=True, slots=True)
class Repeating:
    """The mean share of a description's content words that stand in its request (0 to 1), over so many descriptions."""

    share: float | None
    interval: Interval | None
    descriptions: int
    words: float | None


def made_up(run: Run, samples: Iterable[Sample], a: str, b: str) -> list[MadeSideBySide]:
    """The requests for which contestants a or b (parts of their names) described something, in order.

    Raises UnknownName or BadOption for names, BadOption where nothing was described.
    """
    sides = tuple(named(run, word) for word in (a, b))
    rows: dict[Place, MadeSideBySide] = {}
    for sample in samples:
        who = " · ".join(sample.contestant)
        for step, answer in answers(sample).items() if who in sides and sample.status == "ok" else ():
            if things := _things(answer.shown):
                place = (sample.case, sample.attempt, step)
                earlier = rows.get(place, MadeSideBySide(sample.case, answer.request, {}))
                rows[place] = MadeSideBySide(sample.case, answer.request, {**earlier.things, who: things})
    if not rows:
        raise BadOption(f"no call of {sides[0]} or {sides[1]} describes anything: nothing was made up in this run")
    return [rows[place] for place in sorted(rows)]


def repeating(rows: Sequence[MadeSideBySide], who: str) -> Repeating:
    """How much a contestant's descriptions repeat of their requests; the interval is clustered by case."""
    told = [(row, thing.description) for row in rows for thing in row.things.get(who, ())]
    shares = [(row.case, share) for row, text in told if (share := repeated(text, row.request)) is not None]
    values = [share for _, share in shares]
    return Repeating(
        sum(values) / len(values) if values else None,
        bootstrap_mean(values, [case for case, _ in shares]) if values else None,
        len(told),
        sum(len(words_in(text)) for _, text in told) / len(told) if told else None,
    )


def repeated(description: str, request: str) -> float | None:
    """The share of a description's content words that stand in the request, in that very form; None if it has none."""
    content = [word for word in words_in(description) if word not in _GRAMMAR]
    asked = set(words_in(request))
    return sum(word in asked for word in content) / len(content) if content else None


def words_in(text: str) -> list[str]:
    """Its words in small letters, numbers too: `SwampySnake` and `ancient_runes` are two each."""
    return [word.replace("’", "'") for word in _WORD.findall(_HUMP.sub(" ", text).lower())]


def _things(shown: ShownAnswer) -> tuple[MadeThing, ...]:
    made = [(_text(call["arguments"], NAMES), _text(call["arguments"], DESCRIPTIONS)) for call in shown.calls]
    return tuple(MadeThing(name, description) for name, description in made if description)


def _text(arguments: Mapping[str, Any], wanted: Iterable[str]) -> str:
    texts = (arguments.get(name) for name in wanted)
    return next((" ".join(text.split()) for text in texts if isinstance(text, str) and text.strip()), "")
