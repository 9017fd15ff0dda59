"""The training itself: steps, examinations, checkpoints, the best kept; stopped anywhere it goes on to the same result.

Everything that decides what comes next is in a checkpoint, or follows from the recipe. Knows no files but checkpoints.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from toolmend.errors import ToolmendError
from toolmend.training.tune.checkpoint import Checkpoint, checkpoint_of, last_checkpoint, save_checkpoint
from toolmend.training.tune.exams import HeldOut, References
from toolmend.training.tune.net import Net
from toolmend.training.tune.recipe import Recipe
from toolmend.training.tune.stream import Stream

Report = Callable[[Mapping[str, Any]], None]
TELL = 5  # steps between rows of progress


@dataclass
class State:
    """Where a training is. `curve` has a row for every examination: step, tokens, loss since the last one, figures."""

    step: int = 0
    tokens: int = 0
    best: int = 0
    worth: float = math.inf
    stale: int = 0
    ended: bool = False
    curve: list[dict[str, Any]] = field(default_factory=list)


class Loop:
    """A training of a net on a stream. `run` says which training it is; `work` is where its checkpoints are."""

    def __init__(
        self,
        net: Net,
        stream: Stream,
        exam: HeldOut,
        references: References,
        *,
        recipe: Recipe,
        work: Path,
        run: Mapping[str, Any],
        report: Report,
    ) -> None:
        self._net, self._stream, self._exam, self._references = net, stream, exam, references
        self._recipe, self._work, self._run, self._report = recipe, work, run, report
        self._places = list(stream.places(recipe.epochs, recipe.tokens))
        self._sizes = [stream.size(stream.plan(epoch)[place][0]) for epoch, place in self._places]
        self._clock = Clock()
        self.state = State()

    def run(self) -> State:
        """Train to the end, from the last checkpoint on; then the net has the best weights. Where it ended."""
        found = last_checkpoint(self._work, self._run)
        if found is None:
            self._examine(None)
        else:
            self.state = State(**found.about)
            self._net.restore(dict(found.tensors))
        lost = learned = 0.0
        while not self.state.ended and self.state.step < len(self._places):
            total, count = self._one()
            lost, learned = lost + total, learned + count
            if self.state.step % TELL == 0:
                self._tell(lost / max(1.0, learned))
            if self.state.step % self._recipe.every == 0 or self.state.step == len(self._places):
                self._examine(lost / max(1.0, learned))
                lost = learned = 0.0
        best = checkpoint_of(self._work / "best", self.state.best)
        self._net.restore_weights(dict(best.tensors))
        return self.state

    def _one(self) -> tuple[float, float]:
        """One step: (sum of its loss, count)."""
        state = self.state
        batch = self._stream.batch(*self._places[state.step])
        began = time.monotonic()
        total, count = map(float, self._net.step(batch, self._references.of(batch)))
        if not math.isfinite(total):
            raise ToolmendError(
                f"the loss is no number any more at step {state.step + 1:,}: a lower --rate than "
                f"{self._recipe.rate:g} may help; remove {self._work} to start over"
            )
        self._clock.count(batch.ids.shape[1], batch.ids.size, time.monotonic() - began)
        state.step, state.tokens = state.step + 1, state.tokens + batch.ids.size
        return total, count

    def _tell(self, loss: float) -> None:
        of = sum(self._sizes)
        row = {"step": self.state.step, "steps": len(self._places), "tokens": self.state.tokens, "of": of}
        self._report({**row, "loss": loss, "tokens_per_second": self._clock.speed})

    def _examine(self, loss: float | None) -> None:
        """Mark the weights, keep them if they are the best, write a checkpoint, and say whether this is the end."""
        state, mark = self.state, self._exam(self._net)
        better = mark.worth < state.worth
        state.stale = 0 if better else state.stale + 1
        state.curve.append({"step": state.step, "tokens": state.tokens, "loss": loss, **mark.figures})
        if better:
            state.best, state.worth = state.step, mark.worth
            weights = {name: each for name, each in self._net.tensors().items() if name.startswith("weight/")}
            save_checkpoint(self._work / "best", Checkpoint(state.step, weights, {}), self._run)
        state.ended = state.stale >= self._recipe.patience or state.step == len(self._places)
        save_checkpoint(self._work, Checkpoint(state.step, self._net.tensors(), asdict(state)), self._run)
        self._report({"step": state.step, "tokens": state.tokens, **mark.figures, "best": better})


class Clock:
    """Padded tokens a second; the first step of each length, which compiles, is not counted."""

    def __init__(self) -> None:
        self._lengths: set[int] = set()
        self._tokens, self._seconds = 0, 0.0

    def count(self, length: int, tokens: int, seconds: float) -> None:
        """Take note of a step."""
        if length in self._lengths:
            self._tokens, self._seconds = self._tokens + tokens, self._seconds + seconds
        self._lengths.add(length)

    @property
    def speed(self) -> int:
        """Tokens a second so far, 0 while not known."""
        return round(self._tokens / self._seconds) if self._seconds else 0
