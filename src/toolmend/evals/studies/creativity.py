"""How much of what models make up is their own: measures of the names and descriptions in calls. docs/creativity.md.

    distinct-n, how much a description repeats of the request, things of one type with the same name

Counted words, no judgment: what is better is for people to say (blind_pairs.py). Knows texts; finds no call.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from toolmend.stats import bootstrap_mean, share_interval

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*|\d+")
_HUMP = re.compile(r"(?<=[^\W\d_A-Z])(?=[A-Z])")  # SwampySnake -> Swampy Snake
_STOP = frozenset(
    "a an the this that these those and or but nor so as at by for from in into of off on onto out over per than then "
    "to under up upon via with within without is are was were be been being am do does did has have had having it its "
    "it's he him his she her they them their theirs i me my we us our you your who whom whose which what where when "
    "while there here not no any all each both some such can could may might must shall should will would if also just "
    "very".split()
)
_NUMBERS = frozenset("one two three four five six seven eight nine ten first second third i ii iii iv v".split())


@dataclass(frozen=True, slots=True)
class Item:
    """A thing that a call made or changed. `talk` is the dialogue it stands in, `case` what intervals cluster by.

    `type` are the words for such things, `new` whether the call made it; name and description are "" where it has none.
    """

    case: str
    talk: tuple[str, int]
    type: str
    new: bool
    name: str
    description: str
    request: str


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure with its 95 % interval, clustered by case; None where there is none. `trials` in so many `cases`."""

    value: float | None
    low: float | None
    high: float | None
    trials: int
    cases: int


def measured(items: Sequence[Item]) -> dict[str, Figure]:
    """Every measure of these things, by name."""
    described = [item for item in items if item.description]
    texts = [words(item.description) for item in described]
    by_case: dict[str, list[list[str]]] = {}
    for item, text in zip(described, texts, strict=True):
        by_case.setdefault(item.case, []).append(text)
    several = {case: found for case, found in by_case.items() if len(found) > 1}
    repeats = same_names(items)
    low, high = share_interval([hit for _, hit in repeats], [case for case, _ in repeats]) if repeats else (None, None)
    share = sum(hit for _, hit in repeats) / len(repeats) if repeats else None
    return {
        "distinct_1": _whole(texts, 1, by_case),
        "distinct_2": _whole(texts, 2, by_case),
        "distinct_1_by_case": _mean([(case, distinct(found, 1)) for case, found in several.items()]),
        "distinct_2_by_case": _mean([(case, distinct(found, 2)) for case, found in several.items()]),
        "words": _mean([(item.case, float(len(text))) for item, text in zip(described, texts, strict=True)]),
        "overlap": _mean([(item.case, overlap(item.description, item.request)) for item in described]),
        "copied": _mean([(item.case, float(copied(item.description, item.request))) for item in described]),
        "same_name": Figure(share, low, high, len(repeats), len({case for case, _ in repeats})),
    }


# of texts ------------------------------------------------------------------------------------------------------------


def words(text: str) -> list[str]:
    """Its words in lower case, numbers too: `SwampySnake` and `ancient_runes` are two each."""
    return [word.replace("’", "'") for word in _WORD.findall(_HUMP.sub(" ", text).lower())]


def distinct(texts: Iterable[Sequence[str]], n: int) -> float | None:
    """distinct-n: different n-grams over all words written (Li et al. 2016, section 5.2); None without a word.

    It falls with the amount of text: compare equal amounts.
    """
    found: set[tuple[str, ...]] = set()
    count = 0
    for text in texts:
        count += len(text)
        found.update(tuple(text[at : at + n]) for at in range(len(text) - n + 1))
    return len(found) / count if count else None


def overlap(description: str, request: str) -> float | None:
    """Share of the description's content words that stand in the request, as they are; None if it has none."""
    content = [word for word in words(description) if word not in _STOP]
    asked = set(words(request))
    return sum(word in asked for word in content) / len(content) if content else None


def copied(description: str, request: str) -> int:
    """The longest run of words that both have, in words."""
    ours, theirs = words(description), words(request)
    best, before = 0, [0] * (len(theirs) + 1)
    for word in ours:
        now = [0] * (len(theirs) + 1)
        for at, other in enumerate(theirs):
            if word == other:
                now[at + 1] = before[at] + 1
        best, before = max(best, *now), now
    return best


def plain_name(name: str, type_: str) -> tuple[str, ...]:
    """A name without what only numbers it or says what it is: `Gob 1` and `Gob 2`, `Enemy SwampySnake` and
    `SwampySnake` are one. A name of nothing else keeps its words."""
    found = [word for word in words(name) if not word.isdigit() and word not in _NUMBERS]
    kinds = {form for word in words(type_) for form in (word, f"{word}s")}
    bare = [word for word in found if word not in kinds and word not in ("a", "an", "the")]
    return tuple(bare or found)


def same_names(items: Iterable[Item]) -> list[tuple[str, bool]]:
    """For each new thing that is not the first of its type in its dialogue: its case, and whether an earlier one has
    the same plain name."""
    seen: dict[tuple[tuple[str, int], str], set[tuple[str, ...]]] = {}
    found = []
    for item in items:
        if item.new and item.name:
            names = seen.setdefault((item.talk, item.type), set())
            name = plain_name(item.name, item.type)
            if names:
                found.append((item.case, name in names))
            names.add(name)
    return found


# figures -------------------------------------------------------------------------------------------------------------


def _whole(texts: Sequence[Sequence[str]], n: int, by_case: Mapping[str, object]) -> Figure:
    """Over everything written. No interval: a draw that takes a case twice repeats its words, and so is lower."""
    return Figure(distinct(texts, n), None, None, len(texts), len(by_case))


def _mean(values: Sequence[tuple[str, float | None]]) -> Figure:
    known = [(case, value) for case, value in values if value is not None]
    numbers, cases = [value for _, value in known], [case for case, _ in known]
    low, high = bootstrap_mean(numbers, cases) or (None, None)
    if low == high:  # nothing varied: an interval of no width would claim too much
        low = high = None
    return Figure(sum(numbers) / len(numbers) if numbers else None, low, high, len(numbers), len(set(cases)))
