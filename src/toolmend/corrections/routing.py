"""Whether what a person says is a new request or amends the last call: a named, replaceable router.

The default one goes by cues (cues.py), and where there are none by what is understood of the sentence. Knows calls and
sentences; nothing of worlds, models or grading.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Protocol

from toolmend.corrections.cues import UNSURE, Verdict, by_cues
from toolmend.corrections.understanding import understand
from toolmend.errors import UnknownName
from toolmend.messages import Call

__all__ = [
    "Router",
    "RoutingScore",
    "Turn",
    "Verdict",
    "by_words",
    "default_router",
    "labelled_turns",
    "router",
    "routing_report",
]


class Router(Protocol):
    """Decides about `text`, given the calls in effect and what the person said before, both oldest first."""

    def __call__(self, text: str, calls: Sequence[Call], texts: Sequence[str]) -> Verdict:
        """Whether `text` amends the calls of the last turn."""
        ...


def by_words(text: str, calls: Sequence[Call], texts: Sequence[str]) -> Verdict:
    """The default router: by cues, else by whether the sentence gives the last call another value."""
    verdict = by_cues(text, calls, texts)
    if verdict.reason != UNSURE:
        return verdict
    understood = understand(text, calls[-1:], (), request=texts[-1])
    return Verdict(True, understood.reason) if understood.kind in ("edit", "blame", "wrong") else verdict


default_router: Router = by_words
ROUTERS: Mapping[str, Router] = {"words": by_words}


def router(name: str) -> Router:
    """The router of that name; raises UnknownName, which says what is known."""
    if name not in ROUTERS:
        raise UnknownName("router", name, ROUTERS)
    return ROUTERS[name]


@dataclass(frozen=True, slots=True)
class Turn:
    """One labelled turn: what was said, after what, and whether it amends the last call."""

    text: str
    calls: tuple[Call, ...]
    texts: tuple[str, ...]
    amends: bool
    split: str


@dataclass(frozen=True, slots=True)
class RoutingScore:
    """How a router did on one split: counts of turns by what it said and what was true."""

    right_amends: int
    false_amends: int
    missed_amends: int
    right_new: int

    @property
    def precision(self) -> float:
        """Share of its "amends" that are right; 1.0 where it never says so."""
        said = self.right_amends + self.false_amends
        return self.right_amends / said if said else 1.0

    @property
    def recall(self) -> float:
        """Share of the amending turns that it found; 1.0 where there are none."""
        due = self.right_amends + self.missed_amends
        return self.right_amends / due if due else 1.0


def labelled_turns() -> tuple[Turn, ...]:
    """The shipped labelled set (suites/routing.jsonl); `split` is "dev" (the rules were tuned on it) or "test"."""
    lines = files("toolmend").joinpath("suites", "routing.jsonl").read_text(encoding="utf-8").splitlines()
    return tuple(
        Turn(
            text=row["text"],
            calls=tuple(Call(call["tool"], call["arguments"]) for call in row["calls"]),
            texts=tuple(row["texts"]),
            amends=row["amends"],
            split=row["split"],
        )
        for row in map(json.loads, lines)
    )


def routing_report(route: Router = by_words, turns: Sequence[Turn] | None = None) -> dict[str, RoutingScore]:
    """A router's score on each split of the labelled set, or of the given turns."""
    counts: dict[str, dict[tuple[bool, bool], int]] = {}
    for turn in labelled_turns() if turns is None else turns:
        count = counts.setdefault(turn.split, dict.fromkeys(((a, b) for a in (True, False) for b in (True, False)), 0))
        count[route(turn.text, turn.calls, turn.texts).amends, turn.amends] += 1
    return {
        split: RoutingScore(count[True, True], count[True, False], count[False, True], count[False, False])
        for split, count in counts.items()
    }
