"""Votes on pairs of contestants, as arrays of whole numbers with the names beside them.

A vote says which of two sides was better: a, b, neither (tie), or that both were bad. Knows no file and no rating.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from toolmend.base.errors import BadOption

Ints = NDArray[np.integer[Any]]
Floats = NDArray[np.float64]

WINNERS = ("a", "b", "tie", "both_bad")
A, B, TIE, BOTH_BAD = range(4)
LABELS = ("prompt", "rater", "turn", "category")
GREATEST = 1_000_000_000  # weight, or value of a covariate; beyond, sums of squares lose what is small
MOST_CONTESTANTS = 2_000  # beyond, a table of all pairs takes more memory than it is worth


@dataclass(frozen=True, slots=True)
class Labels:
    """What each vote belongs to (a prompt, a rater): a code into `names`, or -1 where nobody said."""

    codes: Ints
    names: tuple[str, ...]

    @classmethod
    def of(cls, values: Iterable[Hashable]) -> Labels:
        """Codes in the order of first appearance; None and "" are unknown."""
        coder = Coder(unknown=True)
        codes = np.fromiter((coder["" if value is None else str(value)] for value in values), dtype=np.int32)
        return cls(codes, tuple(coder.names))

    def groups(self) -> tuple[NDArray[np.int64], int]:
        """A number for each vote, the same within a cluster, and how many there are; an unknown is a cluster alone."""
        codes = self.codes.astype(np.int64)
        alone = np.flatnonzero(codes < 0)
        codes[alone] = len(self.names) + np.arange(len(alone))
        return codes, len(self.names) + len(alone)


class Coder(dict[str, int]):
    """Texts to codes, given out in the order asked for; blanks around a text do not count."""

    def __init__(self, *, unknown: bool = False) -> None:
        super().__init__()
        self.names: list[str] = []
        self._places: dict[str, int] = {"": -1} if unknown else {}

    def __missing__(self, text: str) -> int:
        name = text.strip()
        if name not in self._places:
            self._places[name] = len(self.names)
            self.names.append(name)
        self[text] = self._places[name]
        return self[text]


@dataclass(frozen=True, slots=True, eq=False)
class Votes:
    """Votes in the order they were given. All arrays have one length; `a` and `b` are places in `names`.

    `weight` is None where every vote counts once.
    Raises BadOption for arrays that do not fit together, a contestant against itself, a weight that is no number from 0
    to GREATEST.
    """

    names: tuple[str, ...]
    a: Ints
    b: Ints
    winner: Ints
    weight: Floats | None = None
    prompt: Labels | None = None
    rater: Labels | None = None
    turn: Labels | None = None
    category: Labels | None = None
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if len(set(self.names)) < len(self.names):
            raise BadOption("votes: two contestants have the same name")
        if len(self.names) > MOST_CONTESTANTS:
            raise BadOption(
                f"votes: {len(self.names):,} contestants; at most {MOST_CONTESTANTS:,} can be rated at once"
            )
        for name, values in self._columns():
            if len(values) != len(self.a):
                raise BadOption(f"votes: {len(self.a)} votes, but {len(values)} values of {name}")
        if len(self.a):
            self._check_values()

    def _columns(self) -> Iterable[tuple[str, Ints | Floats]]:
        yield from (("b", self.b), ("winner", self.winner))
        if self.weight is not None:
            yield "weight", self.weight
        for name in LABELS:
            labels: Labels | None = getattr(self, name)
            if labels is not None:
                yield name, labels.codes

    def _check_values(self) -> None:
        low, high = min(self.a.min(), self.b.min()), max(self.a.max(), self.b.max())
        if low < 0 or high >= len(self.names):
            raise BadOption(f"votes: contestants are numbered 0 to {len(self.names) - 1}, not {low} to {high}")
        if self.winner.min() < 0 or self.winner.max() >= len(WINNERS):
            raise BadOption(f"votes: winner is 0 to 3 for {', '.join(WINNERS)}")
        if bool((self.a == self.b).any()):
            vote = int(np.argmax(self.a == self.b))
            raise BadOption(f"votes: vote {vote} has {self.names[int(self.a[vote])]!r} on both sides")
        if self.weight is not None and not bool(((self.weight >= 0) & (self.weight <= GREATEST)).all()):
            raise BadOption(f"votes: every weight must be a number from 0 to {GREATEST:,}")

    def __len__(self) -> int:
        return len(self.a)

    def texts(self, name: str) -> list[str]:
        """The label of that name of each vote, "" where nobody said."""
        labels: Labels | None = getattr(self, name)
        if labels is None:
            return [""] * len(self)
        return [labels.names[code] if code >= 0 else "" for code in labels.codes]

    @classmethod
    def of(
        cls,
        a: Sequence[str],
        b: Sequence[str],
        winner: Sequence[str],
        *,
        weight: Sequence[float] | None = None,
        prompt: Sequence[Hashable] | None = None,
        rater: Sequence[Hashable] | None = None,
        turn: Sequence[Hashable] | None = None,
        category: Sequence[Hashable] | None = None,
    ) -> Votes:
        """Votes from columns of names; a winner is one of WINNERS. A label that is None is unknown."""
        coder = Coder()
        first, second = (np.array([coder[name] for name in side], dtype=np.int32) for side in (a, b))
        wrong = next((word for word in winner if word not in WINNERS), None)
        if wrong is not None:
            raise BadOption(f"votes: winner is one of {', '.join(WINNERS)}, not {wrong!r}")
        won = np.array([WINNERS.index(word) for word in winner], dtype=np.int8)
        weights = None if weight is None else np.array(weight, dtype=np.float64)
        labels = (None if values is None else Labels.of(values) for values in (prompt, rater, turn, category))
        of_prompt, of_rater, of_turn, of_category = labels
        return cls(tuple(coder.names), first, second, won, weights, of_prompt, of_rater, of_turn, of_category)
