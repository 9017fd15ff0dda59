"""The memory of one small life: what it saw and heard, recalled by either formula, and what it makes of it.

`paper`: recency, importance and relevance, each brought to 0..1, all weights 1; recency falls by 0.5 % an hour since
the memory was last recalled (Park et al. 2023, arXiv 2304.03442, section 4.1). `code`: what their program computes:
0.5 · recency + 2 · importance + 3 · relevance, recency falling by rank and not by hours, in a list that begins with
the oldest, so that the oldest counts as the most recent. Ranking is memory/'s; words stand for embeddings.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from toolmend.extras.agents.worlds.town import LIVES, Town, moment_of
from toolmend.extras.memory import PUBLISHED, Memory
from toolmend.extras.memory.memory import Kind, importance, plain
from toolmend.extras.memory.recall import rank, relevance

ENOUGH = 15.0
"""Importance that comes in between two reflections: 150 on the paper's scale of 1 to 10."""
_RECALLED = 5
_DECAY = 0.99  # of recency from rank to rank, in the program


def by_paper(memories: Sequence[Memory], question: str, now: str) -> list[Memory]:
    """Memories for a question, best first; `at` is when each was last recalled."""
    return [recalled.memory for recalled in rank(memories, question, now, PUBLISHED)]


def by_code(memories: Sequence[Memory], question: str, now: str) -> list[Memory]:
    """The same by what the program computes."""
    oldest_first = sorted(memories, key=lambda memory: (memory.at, memory.number))
    parts = (
        (0.5, [_DECAY ** (place + 1) for place in range(len(oldest_first))]),
        (2.0, [memory.importance for memory in oldest_first]),
        (3.0, relevance(question, [f"{memory.who}: {memory.text}" for memory in oldest_first])),
    )
    scores = [0.0] * len(oldest_first)
    for weight, values in parts:
        low, high = min(values, default=0.0), max(values, default=0.0)
        for place, value in enumerate(values):
            scores[place] += weight * ((value - low) / (high - low) if high > low else 0.5)
    order = sorted(range(len(scores)), key=lambda place: scores[place], reverse=True)
    return [oldest_first[place] for place in order]


Formula = Callable[[Sequence[Memory], str, str], list[Memory]]
FORMULAS: Mapping[str, Formula] = MappingProxyType({"paper": by_paper, "code": by_code})


class Mind:
    """What one life remembers, whom it told what, and what it concluded."""

    def __init__(self, town: Town, number: int, formula: str = "paper") -> None:
        self.life, self._formula = town.lives[number], FORMULAS[formula]
        self._memories: dict[str, Memory] = {}
        self._tellers: dict[str, set[str]] = {}
        self._told: set[tuple[int, str]] = set()
        self._since = 0.0
        self.keep(f"{self.life.name} plans to {self.life.plan}", 0)

    @property
    def memories(self) -> list[Memory]:
        """All of them, the first one first; `at` is when each was last recalled."""
        return list(self._memories.values())

    def keep(
        self, text: str, slot: int, *, who: str = "", kind: Kind = "observation", cites: Sequence[int] = ()
    ) -> None:
        """Remember something; the same again is only fresh again."""
        name, at = plain(text), moment_of(slot)
        self._tellers.setdefault(name, set()).add(who)
        if known := self._memories.get(name):
            self._memories[name] = replace(known, at=at)
            return
        weight, number = importance(kind, text), len(self._memories) + 1
        self._memories[name] = Memory(
            *(number, self.life.name, kind, who or self.life.name, text, weight, at), cites=tuple(cites)
        )
        self._since += weight

    def recall(self, question: str, slot: int, apart: Callable[[Memory], bool] = lambda _: False) -> list[Memory]:
        """The five best memories for a question but those set apart, now fresh again."""
        ranked = self._formula(self.memories, question, moment_of(slot))
        best = [memory for memory in ranked if not apart(memory)][:_RECALLED]
        for memory in best:
            self._memories[plain(memory.text)] = replace(memory, at=moment_of(slot))
        return best

    def to_tell(self, other: Mind, slot: int) -> list[Memory]:
        """What comes to mind that the other was not told, did not tell, and that is not about the other."""
        number, name = other.life.number, other.life.name

        def known(memory: Memory) -> bool:
            return memory.text.startswith(f"{name} ") or (number, plain(memory.text)) in self._told

        return self.recall(f"What news or plans can I tell {name}?", slot, known)

    def tells(self, other: Mind, text: str, slot: int) -> None:
        """Say something to another, who remembers it and by whom it was said."""
        if known := plain(text):
            self._told.add((other.life.number, known))
            other._told.add((self.life.number, known))
            other.keep(text, slot, who=self.life.name)

    def reflect(self, slot: int) -> Memory | None:
        """By rule, once enough has come in: what most people talk about, citing it; None where nothing follows."""
        if self._since < ENOUGH:
            return None
        self._since = 0.0
        seen = (name for name, memory in self._memories.items() if memory.kind != "reflection")
        count, name = max((len(self._tellers[name]), name) for name in seen)
        if count < 2:
            return None
        about = self._memories[name]
        text = f"Many talk about it: {about.text}"
        self.keep(text, slot, kind="reflection", cites=[about.number])
        return self._memories[plain(text)]


def minds_of(town: Town, formula: str) -> list[Mind]:
    """The minds of a town, two of which have news."""
    minds = [Mind(town, number, formula) for number in range(LIVES)]
    minds[0].keep(town.invitation, 0)
    minds[1].keep(town.candidacy, 0)
    return minds
