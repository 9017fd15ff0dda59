"""What one clause says about one call, and how clauses go together. Internal to the room."""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import dataclass, field
from typing import Any

Values = dict[str, Any]


@dataclass(slots=True)
class Part:
    """New values and their words, what is blamed, praised or excluded, readings that are left (`unclear` tells why).

    `wrong`: that something is; `sure`: the words point at this call (an old value is named, a slip is mended); `same`
    are arguments whose value is what was said already.
    """

    edits: Values = field(default_factory=dict)
    words: dict[str, str] = field(default_factory=dict)
    blamed: set[str] = field(default_factory=set)
    praised: set[str] = field(default_factory=set)
    excluded: dict[str, tuple[Any, ...]] = field(default_factory=dict)
    same: dict[str, str] = field(default_factory=dict)
    candidates: list[Values] = field(default_factory=list)
    unclear: str = ""
    wrong: bool = False
    sure: bool = False
    how: str = ""
    likely: float = 0.0

    @property
    def says_something(self) -> bool:
        """Whether it is more than filling."""
        return bool(self.edits or self.blamed or self.praised or self.unclear or self.wrong or self.same)


def edit(name: str, value: Any, words: str, how: str, *, sure: bool = False) -> Part:
    """One new value."""
    return Part({name: value}, {name: words}, how=how, sure=sure)


def renewed(name: str, old: Any, value: Any, words: str, how: str, *, sure: bool = False) -> Part:
    """One value, which may be the old one."""
    return Part(same={name: words}) if value == old else edit(name, value, words, how, sure=sure)


def unclear(reason: str, candidates: Iterable[Values] = ()) -> Part:
    """No single reading."""
    return Part(unclear=reason, candidates=list(candidates))


def together(one: Part, other: Part, over: Set[str] = frozenset()) -> Part:
    """Both clauses as one; two values for one argument are a contradiction, but for texts, `over`,
    in which the second keeps the words of the first."""
    over = {name for name in over if one.words.get(name, "").lower() in str(other.edits.get(name)).lower()}
    clash = [
        name for name in one.edits if name not in over and name in other.edits and one.edits[name] != other.edits[name]
    ]
    joined = Part(
        {**one.edits, **other.edits},
        {**one.words, **other.words},
        one.blamed | other.blamed,
        one.praised | other.praised,
        {**one.excluded, **other.excluded},
        {**one.same, **other.same},
        [*one.candidates, *other.candidates],
        one.unclear or other.unclear,
        one.wrong or other.wrong,
        one.sure or other.sure or bool(one.blamed or one.wrong or one.same),
        ", ".join(filter(None, (one.how, other.how))),
        min(one.likely, other.likely),
    )
    if clash:
        joined.unclear = f"two values for the {clash[0]}"
        joined.candidates = [{clash[0]: part.edits[clash[0]]} for part in (one, other)]
    return joined
