"""Ways of thinking over any model: a chain of thought, a vote over several chains, a tree of thoughts.

A Problem says what is asked and how replies are read; a way says how often and in which order. Tree of thoughts as in
Yao et al. 2023 (arXiv 2305.10601, section 3): thoughts are proposed, states are valued each by itself or voted on side
by side, and searched breadth first or depth first. Knows no puzzle.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from toolmend.agents.bench import Bench
from toolmend.messages import Message

Prompt = tuple[Message, ...]
Thought = Any
"""A state of a problem on the way to an answer: whatever the problem makes of it, hashable."""


class Problem(Protocol):
    """What is to be thought about: prompts, and what is read in the replies, None or nothing where that cannot be.

    `chain` asks for all steps and the answer at once, `propose` for possible next steps, `value` how promising a state
    is, `vote` which of several is the most promising (its place, from 0). `known` is what a state is worth where that
    can be computed, `answer` the answer that it is, None while it is not at its end.
    """

    root: Thought

    def chain(self) -> Prompt: ...  # noqa: D102
    def concluded(self, text: str) -> str | None: ...  # noqa: D102
    def propose(self, thought: Thought) -> Prompt: ...  # noqa: D102
    def proposed(self, thought: Thought, text: str) -> list[Thought]: ...  # noqa: D102
    def value(self, thought: Thought) -> Prompt: ...  # noqa: D102
    def valued(self, text: str) -> float | None: ...  # noqa: D102
    def vote(self, thoughts: Sequence[Thought]) -> Prompt: ...  # noqa: D102
    def voted(self, text: str, count: int) -> int | None: ...  # noqa: D102
    def known(self, thought: Thought) -> float | None: ...  # noqa: D102
    def answer(self, thought: Thought) -> str | None: ...  # noqa: D102


@dataclass
class Chain:
    """Chain of thought (Wei et al. 2022): one reply, steps first, the answer at its end."""

    async def think(self, bench: Bench, problem: Problem) -> str | None:
        """The answer."""
        return await _conclude(bench, problem)


@dataclass
class Consistent:
    """Self-consistency (Wang et al. 2022): the answer that most of `samples` chains come to, the earliest of equals."""

    samples: int = field(default=10, metadata={"least": 1, "most": 100})
    temperature: float = 0.7

    async def think(self, bench: Bench, problem: Problem) -> str | None:
        """The answer."""
        votes = Counter[str]()
        for number in range(self.samples):
            heat = {"temperature": self.temperature, "seed": (bench.options.seed or 0) + number}
            if (answer := await _conclude(bench, problem, **heat)) is not None:
                votes[answer.replace(" ", "")] += 1
                bench.answer = votes.most_common(1)[0][0]
        return votes.most_common(1)[0][0] if votes else None


async def _conclude(bench: Bench, problem: Problem, **heat: Any) -> str | None:
    reply = await bench.ask(problem.chain(), role="chain", **heat)
    answer = problem.concluded(reply.text)
    bench.heard(answer is not None, "no answer at the end")
    return answer


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

    async def think(self, bench: Bench, problem: Problem) -> str | None:
        """The answer of the best state at its end; None where none is."""
        worth: dict[Thought, float] = {}
        if self.search == "dfs":
            return await self._deeper(bench, problem, problem.root, worth, self.depth)
        level = [problem.root]
        for _ in range(self.depth):
            following = [thought for one in level for thought in await self._propose(bench, problem, one)]
            if not following:
                break
            await self._judge(bench, problem, list(dict.fromkeys(following)), worth)
            level = sorted(dict.fromkeys(following), key=lambda thought: -worth[thought])[: self.breadth]
            bench.answer = next((answer for one in level if (answer := problem.answer(one)) is not None), None)
            if bench.answer is not None:
                break
        return bench.answer  # type: ignore[no-any-return]

    async def _deeper(
        self, bench: Bench, problem: Problem, thought: Thought, worth: dict[Thought, float], left: int
    ) -> str | None:
        if (answer := problem.answer(thought)) is not None:
            bench.answer = bench.answer if bench.answer is not None else answer
            return answer if (problem.known(thought) or 0) >= self.least else None
        following = list(dict.fromkeys(await self._propose(bench, problem, thought))) if left else []
        await self._judge(bench, problem, following, worth)
        for one in sorted(following, key=lambda each: -worth[each])[: self.breadth]:
            if worth[one] >= self.least and (
                (found := await self._deeper(bench, problem, one, worth, left - 1)) is not None
            ):
                return found
        return None if left < self.depth else bench.answer

    async def _propose(self, bench: Bench, problem: Problem, thought: Thought) -> list[Thought]:
        if problem.answer(thought) is not None:
            return []
        reply = await bench.ask(problem.propose(thought), role="propose", temperature=self.temperature)
        following = problem.proposed(thought, reply.text)
        bench.heard(bool(following), "no step")
        return following

    async def _judge(
        self, bench: Bench, problem: Problem, thoughts: Sequence[Thought], worth: dict[Thought, float]
    ) -> None:
        """What each is worth; nothing is asked twice, nor what can be computed."""
        new = [thought for thought in thoughts if thought not in worth]
        worth |= {thought: known for thought in new if (known := problem.known(thought)) is not None}
        new = [thought for thought in new if thought not in worth]
        worth |= dict.fromkeys(new, 0.0)
        if self.judge == "vote" and len(new) > 1:
            await self._vote(bench, problem, new, worth)
            return
        for thought in new:
            for number in range(self.samples):
                reply = await bench.ask(problem.value(thought), role="value", **self._heat(bench, number))
                value = problem.valued(reply.text)
                bench.heard(value is not None, "no value")
                worth[thought] += value or 0.0

    async def _vote(
        self, bench: Bench, problem: Problem, thoughts: Sequence[Thought], worth: dict[Thought, float]
    ) -> None:
        for number in range(self.samples):
            reply = await bench.ask(problem.vote(thoughts), role="vote", **self._heat(bench, number))
            place = problem.voted(reply.text, len(thoughts))
            bench.heard(place is not None, "no vote")
            if place is not None:
                worth[thoughts[place]] += 1.0

    def _heat(self, bench: Bench, number: int) -> dict[str, Any]:
        return {"temperature": self.temperature, "seed": (bench.options.seed or 0) + number}
