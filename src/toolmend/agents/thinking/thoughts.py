"""Ways of thinking over any model: a chain of thought, a vote over several chains, a tree of thoughts.

The puzzle says what is asked and how replies are read; a way says how often and in which order. Tree of thoughts as in
Yao et al. 2023 (arXiv 2305.10601, section 3): thoughts are proposed, states are valued each by itself or voted on side
by side, and searched breadth first or depth first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from toolmend.agents.bench import Bench

if TYPE_CHECKING:
    from toolmend.agents.thinking.game24 import Puzzle, Thought


@dataclass
class Chain:
    """Chain of thought (Wei et al. 2022): one reply, steps first, the answer at its end."""

    async def think(self, bench: Bench, puzzle: Puzzle) -> str | None:
        """The answer."""
        return await _conclude(bench, puzzle)


@dataclass
class Consistent:
    """Self-consistency (Wang et al. 2022): the answer that most of `samples` chains come to, the earliest of equals."""

    samples: int = field(default=10, metadata={"least": 1, "most": 100})
    temperature: float = 0.7

    async def think(self, bench: Bench, puzzle: Puzzle) -> str | None:
        """The answer."""
        votes = Counter[str]()
        for number in range(self.samples):
            answer = await _conclude(bench, puzzle, **_heat(bench, self.temperature, number))
            if answer is not None:
                votes[answer.replace(" ", "")] += 1
                bench.answer = votes.most_common(1)[0][0]
        return votes.most_common(1)[0][0] if votes else None


async def _conclude(bench: Bench, puzzle: Puzzle, **heat: Any) -> str | None:
    reply = await bench.ask(puzzle.chain(), role="chain", **heat)
    answer = puzzle.concluded(reply.text)
    bench.heard(answer is not None, "no answer at the end")
    return answer


def _heat(bench: Bench, temperature: float, number: int) -> dict[str, Any]:
    return {"temperature": temperature, "seed": (bench.options.seed or 0) + number}


@dataclass
class Tree:
    """Tree of thoughts: of each level the `breadth` best are kept (bfs), or the best is followed first and one that is
    worth less than `least` not at all (dfs). A judgement is the sum of `samples` replies."""

    search: Literal["bfs", "dfs"] = "bfs"
    judge: Literal["value", "vote"] = "value"
    breadth: int = field(default=5, metadata={"least": 1, "most": 50})
    depth: int = field(default=8, metadata={"least": 1, "most": 50})
    samples: int = field(default=3, metadata={"least": 1, "most": 50})
    least: float = field(default=0.01, metadata={"least": 0})
    temperature: float = 0.7

    async def think(self, bench: Bench, puzzle: Puzzle) -> str | None:
        """The answer of the best state at its end; None where none is."""
        worth: dict[Thought, float] = {}
        if self.search == "dfs":
            return await self._deeper(bench, puzzle, puzzle.root, worth, self.depth)
        level = [puzzle.root]
        for _ in range(self.depth):
            following = [thought for one in level for thought in await self._propose(bench, puzzle, one)]
            if not following:
                break
            level = (await self._judged(bench, puzzle, following, worth))[: self.breadth]
            bench.answer = next((answer for one in level if (answer := puzzle.answer(one)) is not None), None)
            if bench.answer is not None:
                break
        return bench.answer  # type: ignore[no-any-return]

    async def _deeper(
        self, bench: Bench, puzzle: Puzzle, thought: Thought, worth: dict[Thought, float], left: int
    ) -> str | None:
        if (answer := puzzle.answer(thought)) is not None:
            bench.answer = bench.answer if bench.answer is not None else answer
            return answer if (puzzle.known(thought) or 0) >= self.least else None
        following = await self._propose(bench, puzzle, thought) if left else []
        for one in (await self._judged(bench, puzzle, following, worth))[: self.breadth]:
            if worth[one] < self.least:
                break
            if (deeper := await self._deeper(bench, puzzle, one, worth, left - 1)) is not None:
                return deeper
        return None if left < self.depth else bench.answer

    async def _propose(self, bench: Bench, puzzle: Puzzle, thought: Thought) -> list[Thought]:
        if puzzle.answer(thought) is not None:
            return []
        reply = await bench.ask(puzzle.propose(thought), role="propose", temperature=self.temperature)
        following = puzzle.proposed(thought, reply.text)
        bench.heard(bool(following), "no step")
        return following

    async def _judged(
        self, bench: Bench, puzzle: Puzzle, thoughts: Sequence[Thought], worth: dict[Thought, float]
    ) -> list[Thought]:
        """The different thoughts, best first; nothing is asked twice, nor what can be computed."""
        unknown = []
        for thought in dict.fromkeys(thoughts):
            if thought not in worth:
                known = puzzle.known(thought)
                worth[thought] = known or 0.0
                unknown += [thought] if known is None else []
        vote = self.judge == "vote" and len(unknown) > 1
        role = "vote" if vote else "value"
        for group in [unknown] if vote else [[thought] for thought in unknown]:
            for number in range(self.samples):
                prompt = puzzle.vote(group) if vote else puzzle.value(group[0])
                reply = await bench.ask(prompt, role=role, **_heat(bench, self.temperature, number))
                place = puzzle.voted(reply.text, len(group)) if vote else 0
                value = 1.0 if vote else puzzle.valued(reply.text)
                readable = place is not None and value is not None
                bench.heard(readable, f"no {role}")
                if place is not None:
                    worth[group[place]] += value or 0.0
        return sorted(dict.fromkeys(thoughts), key=lambda thought: -worth[thought])
