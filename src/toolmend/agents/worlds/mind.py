"""The memory of one small life: what it saw and heard, recalled by recency, importance and relevance (Park et al. 2023,
arXiv 2304.03442, section 4.1), and what it makes of it. Ranking is memory/'s; words stand for embeddings.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from toolmend.agents.worlds.town import LIVES, Town, moment_of
from toolmend.memory import PUBLISHED, Memory
from toolmend.memory.memory import Kind, importance, plain
from toolmend.memory.recall import rank

ENOUGH = 15.0
"""Importance that comes in between two reflections: 150 on the paper's scale of 1 to 10."""
_RECALLED = 5


class Mind:
    """What one life remembers, whom it told what, and what it concluded."""

    def __init__(self, town: Town, number: int) -> None:
        self.life = town.lives[number]
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
        ranked = [recalled.memory for recalled in rank(self.memories, question, moment_of(slot), PUBLISHED)]
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


def minds_of(town: Town) -> list[Mind]:
    """The minds of a town, two of which have news."""
    minds = [Mind(town, number) for number in range(LIVES)]
    minds[0].keep(town.invitation, 0)
    minds[1].keep(town.candidacy, 0)
    return minds
