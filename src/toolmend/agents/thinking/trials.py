"""ReAct with an eye on it, and Reflexion: trials, each stopped by a heuristic, each failure told to the next in words.

Shinn et al. 2023, arXiv 2303.11366. What the paper says of the heuristic and what its code does are two things; both
are here under their names. At most three reflections are remembered.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

from toolmend.messages import Call, CallResult
from toolmend.strategies import Act, Flag, Flow, Say, Talk
from toolmend.strategies.react import React

REMEMBERED = 3


@dataclass
class Heuristic:
    """When a trial leads nowhere; told every action with what came of it, in order.

    `published` (section 3): the same action with the same observation more than three times in a row (hallucination),
    or more than 30 actions (inefficient planning). `coded` (alfworld_runs/env_history.py): any action twice in a row,
    whatever came of it, or 49 actions.
    """

    kind: Literal["published", "coded"] = "published"
    actions: int = 0
    same: int = 0
    last: object = None

    def stops(self, call: Call, result: CallResult) -> str:
        """Why the trial is to end; "" where it may go on."""
        acted = (call.tool, repr(sorted(call.arguments.items())))
        cycle: object = (acted, repr(result.value), result.error) if self.kind == "published" else acted
        self.same, self.last = (self.same + 1 if cycle == self.last else 1), cycle
        self.actions += 1
        if self.same > (3 if self.kind == "published" else 1):
            return "hallucination"
        if self.kind == "published":
            return "inefficient planning" if self.actions > 30 else ""
        return "inefficient planning" if self.actions >= 49 else ""


@dataclass
class Watched:
    """A strategy for one trial: ReAct until the goal is reached, or the heuristic stops it."""

    heuristic: Heuristic
    reached: Callable[[], bool]
    react: React = field(default_factory=lambda: React(steps=60))

    name = "react"
    bare = False

    @property
    def prompt_hash(self) -> str:
        """That of ReAct."""
        return self.react.prompt_hash

    def system_text(self, talk: Talk) -> str:
        """That of ReAct."""
        return self.react.system_text(talk)

    def turn(self, talk: Talk) -> Flow:
        """One trial."""
        flow, sent = self.react.turn(talk), None
        while True:
            try:
                step = flow.send(sent)
            except StopIteration:
                return
            sent = yield step
            if not isinstance(step, Act):
                continue
            for call, result in zip(step.calls, sent, strict=False):
                if self.reached():
                    yield Say("The goal is reached.")
                    return
                if reason := self.heuristic.stops(call, result):
                    yield Flag("trial_stopped", f"{reason}, as {self.heuristic.kind}")
                    return


@dataclass
class ReActWay:
    """One trial; `heuristic` says when it is stopped."""

    heuristic: Literal["published", "coded"] = "published"
    trials: int = field(default=1, metadata={"least": 1, "most": 1})


@dataclass
class ReflexionWay:
    """So many trials at most, each with the reflections on those before."""

    heuristic: Literal["published", "coded"] = "published"
    trials: int = field(default=4, metadata={"least": 1, "most": 20})


def memory_of(reflections: list[str]) -> str:
    """What a trial is told of those before it: the last three reflections."""
    kept = reflections[-REMEMBERED:]
    return "" if not kept else "You tried before and failed. Your plans for this time:\n" + "\n".join(kept)


def told_trial(calls: list[Call], results: list[CallResult]) -> str:
    """A trial in lines: what was done, and what came of it."""
    lines: list[Any] = []
    for call, result in zip(calls, results, strict=True):
        shown = ", ".join(map(str, call.arguments.values()))
        lines.append(f"> {call.tool} {shown}\n{result.value if result.ok else result.error}")
    return "\n".join(lines)
