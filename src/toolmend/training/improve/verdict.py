"""Keep the new model or not: better beyond chance where it decides, and nowhere worse. Pure; knows only what moved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from toolmend.evals.comparing.figures import BY_NAME, chance, change
from toolmend.training.improve.measured import Moved, Part


@dataclass(frozen=True)
class Verdict:
    """Whether it is kept, and why, a sentence each."""

    kept: bool
    why: tuple[str, ...]


def decide(parts: Sequence[Part]) -> Verdict:
    """Kept if a rate of a part that decides is better and no rate of any part is worse, beyond chance after Holm."""
    better = [_told(each, moved) for each in parts if each.decides for moved in each.moved if moved.way == "better"]
    worse = [_told(each, moved) for each in parts for moved in each.moved if moved.way == "worse"]
    if better and not worse:
        return Verdict(True, tuple(better))
    missing = () if better else tuple(_missing(each) for each in parts if each.decides)
    return Verdict(False, (*worse, *missing))


def _missing(part: Part) -> str:
    if part.powerless:
        return f"{part.name}: {part.cases} cases are too few: no difference, however clear, could be beyond chance"
    return f"{part.name}: nothing is better beyond chance"


def _told(part: Part, moved: Moved) -> str:
    figure = BY_NAME[moved.figure]
    low, high = moved.ends or (None, None)
    shown = change(moved.difference, low, high, figure)
    return f"{part.name}: {figure.label} is {moved.way}, {shown}, p {chance(moved.p_holm)} after Holm"
