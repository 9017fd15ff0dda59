"""What the world must be after a reply: changes that must have come about, and that nothing else has.

    Change("the enemies in the crypt", ("rooms", "Crypt", "enemies"), "added", 2, like={"hp": 10})

States are JSON data, as `Toolbox.state()` gives it; what differs between two of them is said by changes.py. Knows no
world and no call: calls are graded apart (grade.py), and how checks are written is world_rules.py's business.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from toolmend.base.mistakes import Kind, Mistake
from toolmend.grading.changes import MISSING, Path, differences, paired, places, texts_in
from toolmend.grading.expected import Any_
from toolmend.grading.grade import Grade
from toolmend.grading.marks import is_junk, marks_of
from toolmend.grading.values import accepts, folded
from toolmend.reading import Reading

Op = Literal["added", "removed", "to", "free"]

ANYTHING = Any_()
ELSE, REPLY = "everything else", "reply"
ANYWHERE = "*"
_SHOWN = 300


@dataclass(frozen=True, slots=True)
class Fields:
    """A value with these fields; others do not matter. `*` stands for any text at any depth; of several rules under it
    each must find one."""

    fields: Mapping[str, Any]

    def fit(self, value: Any) -> bool:
        """Whether the value has them all."""
        return isinstance(value, Mapping) and all(self._has(value, name, rule) for name, rule in self.fields.items())

    def _has(self, value: Mapping[str, Any], name: str, rule: Any) -> bool:
        if name == ANYWHERE:
            rules = rule if isinstance(rule, tuple) else (rule,)
            return all(any(accepts(wanted, text) for text in texts_in(value)) for wanted in rules)
        return name in value and fits(rule, value[name])


@dataclass(frozen=True, slots=True)
class Either:
    """What may be read as a rule or as one field that is called like it: a record is looked at as fields."""

    fields: Fields
    rule: Any


@dataclass(frozen=True, slots=True)
class AnyFields:
    """A value that fits one of several patterns."""

    patterns: tuple[Any, ...]


def fits(pattern: Any, value: Any) -> bool:
    """Whether a value fits: Fields, several patterns, or an acceptable value as in calls (expected.py)."""
    pattern = _read(pattern, value)
    if isinstance(pattern, Fields):
        return pattern.fit(value)
    if isinstance(pattern, AnyFields):
        return any(fits(way, value) for way in pattern.patterns)
    return value is not MISSING and accepts(pattern, value)


def _read(pattern: Any, value: Any) -> Any:
    if isinstance(pattern, Either):
        return pattern.fields if isinstance(value, Mapping) else pattern.rule
    return pattern


@dataclass(frozen=True, slots=True)
class Change:
    """One change that is due, at the places that `at` names.

    `added`, `removed`: so many items (`amount`, an acceptable number) that are `like` a pattern, counted over all the
    places, or at each of them with `each`. `to`: what is there now fits `like`. `free`: whatever is there may change.
    `sums` are acceptable sums of a field over those items; `distinct` are fields that differ from item to item, or the
    first match of a pattern in a field. `name` is what a person calls it, `say` sentences that say what is due.
    """

    name: str
    at: Path
    op: Op
    amount: Any = 1
    like: Any = ANYTHING
    each: bool = False
    sums: Mapping[str, Any] = field(default_factory=dict)
    distinct: Mapping[str, str] = field(default_factory=dict)
    say: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Seen:
    """What is judged: the state before the request and after the reply, and the words beside the calls."""

    before: Any
    after: Any
    words: str = ""


@dataclass(frozen=True)
class ExpectedWorld:
    """What must have become of the world: every one of `changes`, with `only` nothing else, and words if `says`.

    `aside` are places that nobody looks at. `others` are further ways of being right; the first is the one to show.
    """

    changes: tuple[Change, ...] = ()
    only: bool = True
    says: Any = None
    aside: tuple[Path, ...] = ()
    others: tuple[ExpectedWorld, ...] = ()
    say: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def wordy(self) -> bool:
        """Whether words are due beside the calls, or instead of them."""
        return any(world.says is not None for world in (self, *self.others))

    def mistakes(self, seen: Seen) -> tuple[Mistake, ...]:
        """What is not as it should be; of several ways of being right, what is wrong with the nearest."""
        found = [world.own_mistakes(seen) for world in (self, *self.others)]
        return min(found, key=len)

    def own_mistakes(self, seen: Seen) -> tuple[Mistake, ...]:
        """`mistakes`, without the other ways of being right."""
        found, covered = list[Mistake](), list[Path]()
        left = [
            difference for difference in differences(seen.before, seen.after) if not self._is_aside(difference.path)
        ]
        for change in self.changes:
            wrong, mine = _judged(change, seen)
            covered += mine
            if wrong:
                found.append(_mistake(change.name, change.say, wrong))
        rest = [difference for difference in left if not any(_under(difference.path, path) for path in covered)]
        if self.only and rest:
            found.append(_mistake(ELSE, self.say.get(ELSE, ()), "; ".join(map(str, rest))))
        if self.says is not None and not (seen.words.strip() and fits(self.says, seen.words)):
            found.append(_mistake(REPLY, self.say.get(REPLY, ()), seen.words.strip() or "no words"))
        return tuple(found)

    def _is_aside(self, path: Path) -> bool:
        return any(len(path) >= len(place) and _matches(path[: len(place)], place) for place in self.aside)


def joined(graded: Grade, reading: Reading, found: Sequence[Mistake], tool: str | None = None) -> Grade:
    """The grade of the calls with what is wrong with the world.

    Where something was to change and nothing callable came, that is what is wrong, and not every change that is
    missing; `tool` is one that could have made it.
    """
    if not found:
        return graded
    mistakes = (*graded.mistakes, *found)
    if not graded.valid_call and any(mistake.argument not in (ELSE, REPLY) for mistake in found):
        mistakes = graded.mistakes or (Mistake(Kind.NO_CALL, None, tool, tool, reading.rest[:_SHOWN]),)
    marks = marks_of(mistakes, graded.valid_call, is_junk(mistakes, reading.rest))
    return replace(graded, mistakes=mistakes, marks=marks)


# how one change is judged --------------------------------------------------------------------------------------------


def _judged(change: Change, seen: Seen) -> tuple[str, list[Path]]:
    """What is wrong ("" if nothing is), and the places whose differences this change accounts for."""
    at = places(seen.before, seen.after, change.at)
    if change.op == "free":
        return "", [path for path, _, _ in at]
    if change.op == "to":
        return _has_become(change, at)
    items = {path: list(_items(change, before, after)) for path, before, after in at}
    like = {path: [(key, item) for key, item in found if fits(change.like, item)] for path, found in items.items()}
    wrong = _counted(change, items, like)
    chosen = items if wrong else like
    return wrong, [(*path, key) for path, found in chosen.items() for key, _ in found]


def _items(change: Change, before: Any, after: Any) -> Iterable[tuple[str, Any]]:
    """What was added at a place, or removed from it."""
    for key, one, other in paired(before, after):
        if (one if change.op == "added" else other) is MISSING:
            yield key, other if change.op == "added" else one


def _counted(
    change: Change,
    items: Mapping[Path, Sequence[tuple[str, Any]]],
    like: Mapping[Path, Sequence[tuple[str, Any]]],
) -> str:
    counts = [len(found) for found in like.values()] if change.each else [sum(map(len, like.values()))]
    if not counts or not all(fits(change.amount, count) for count in counts):
        every = [key for found in items.values() for key, _ in found]
        fitting = sum(map(len, like.values()))
        named = f" ({', '.join(every)})" if every else ""
        but = f", {fitting} of them as asked" if fitting != len(every) else ""
        return f"{len(every)} {change.op}{named}{but}"
    chosen = [item for found in like.values() for _, item in found]
    for name, due in change.sums.items():
        numbers = [item.get(name) for item in chosen if isinstance(item, Mapping)]
        total = sum(number for number in numbers if isinstance(number, (int, float)))
        if not fits(due, total):
            return f"{name} altogether {total:g}"
    for name, pattern in change.distinct.items():
        told = [_told(item, name, pattern) for item in chosen]
        if "" in told or len(set(told)) < len(told):
            return f"{name}: {', '.join(text or 'none' for text in told)}"
    return ""


def _told(item: Any, name: str, pattern: str) -> str:
    """What a field says: all of it, or the first match of a pattern."""
    whole = item if name == ANYWHERE else item.get(name) if isinstance(item, Mapping) else None
    texts = [folded(text) for text in texts_in(whole)] or ([str(whole)] if whole is not None else [])
    found = (re.search(pattern, text, re.IGNORECASE) for text in texts) if pattern else iter(())
    return texts[0] if texts and not pattern else next((match[0] for match in found if match), "")


def _has_become(change: Change, at: Sequence[tuple[Path, Any, Any]]) -> tuple[str, list[Path]]:
    covered = list[Path]()
    for path, _, after in at:
        like = _read(change.like, after)
        named = isinstance(like, Fields) and ANYWHERE not in like.fields
        covered += [(*path, name) for name in like.fields] if named else [path]
    wrong = [path for path, _, after in at if not fits(change.like, after)]
    if at and not wrong:
        return "", covered
    return (f"{', '.join('/'.join(path) for path in wrong)} not as asked" if at else "not there"), covered


def _mistake(name: str, say: tuple[str, ...], got: str) -> Mistake:
    return Mistake(Kind.WRONG_STATE, name, expected=list(say) or None, got=got[:_SHOWN])


def _under(path: Path, cover: Path) -> bool:
    return path[: len(cover)] == cover


def _matches(path: Path, pattern: Path) -> bool:
    return all(part in (ANYWHERE, key) or folded(part) == folded(key) for key, part in zip(path, pattern, strict=True))
