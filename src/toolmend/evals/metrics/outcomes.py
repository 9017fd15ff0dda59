"""What one sample came to, in values that can be paired with another sample's: docs/comparing.md.

    outcome.values["first_right"] == {0: 1.0, 1: 0.0}      right at once at step 0, wrong at step 1

What counts as what is decided by rates.py alone. Knows one sample at a time; pairs nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from toolmend.base.events import Asked, Corrected, Finished, Marked, Replied, Tried
from toolmend.base.messages import Usage
from toolmend.base.mistakes import Mark
from toolmend.evals.metrics.rates import Tally, tally
from toolmend.evals.store import Run, Sample

NEEDED = (Asked, Corrected, Finished, Marked, Replied, Tried)  # the events that figures come from
WHOLE = 0  # the place of what a sample has once: done, tokens, seconds

Values = dict[str, dict[int, float]]


@dataclass(frozen=True, slots=True)
class StepAnswers:
    """One step: the request, the first reply with its mistakes, and the marks of every reply to it."""

    asked: str
    reply: str
    mistakes: tuple[str, ...]
    marks: tuple[tuple[Mark, ...], ...]
    right: tuple[bool, ...]

    @property
    def score(self) -> float:
        """1 where the first reply was right, a half where the last was, else 0."""
        return 1.0 if self.right[0] else 0.5 if self.right[-1] else 0.0


@dataclass(frozen=True, slots=True)
class SampleOutcome:
    """A sample's figures by name and step, and what was said at each step.

    `ok` is False for a sample that could not be run: it has no figures.
    """

    case: str
    model: str
    strategy: str
    attempt: int
    arm: str
    ok: bool = True
    values: Mapping[str, Mapping[int, float]] = field(default_factory=dict)
    steps: Mapping[int, StepAnswers] = field(default_factory=dict)

    @property
    def contestant(self) -> str:
        """`builtin/small · oneline`."""
        return f"{self.model} · {self.strategy}"


@dataclass(frozen=True)
class Played:
    """A run with what its samples came to; `origin` is the id or file by which it was asked for."""

    run: Run
    outcomes: tuple[SampleOutcome, ...]
    origin: str


def played(run: Run, samples: Iterable[Sample], origin: str = "") -> Played:
    """A run with its outcomes, read sample by sample."""
    limits = {experiment["id"]: experiment["corrections"] for experiment in run.config.settings.get("experiments", ())}
    return Played(run, tuple(outcome(sample, limits) for sample in samples), origin or run.id)


def outcome(sample: Sample, limits: Mapping[str, int] | None = None) -> SampleOutcome:
    """What a sample came to. `limits` as in `rates.tally`."""
    about = (sample.case, sample.model, sample.strategy, sample.attempt, sample.arm)
    if sample.status == "error":
        return SampleOutcome(*about, ok=False)
    found = tally([sample], limits)[sample.contestant]
    texts = {event.turn: event.text for event in sample.events if isinstance(event, Replied)}
    turns: dict[int, list[Marked]] = {}
    for marked in sample.marked:
        turns.setdefault(marked.step or 0, []).append(marked)
    return SampleOutcome(
        *about,
        values=_values(found, turns) | _costs(sample, turns),
        steps=_steps(sample, turns, texts),
    )


def _values(found: Tally, turns: Mapping[int, list[Marked]]) -> Values:
    step_of = {marked.turn: step for step, replies in turns.items() for marked in replies}
    control = {trial.place: trial.clean for trial in found.trials if trial.level == 0}
    told = [(step_of[trial.place[2]], trial) for trial in found.trials if trial.headline]
    more = {step: trial.clean - control[trial.place] for step, trial in told if trial.place in control}
    done = {WHOLE: float(done) for _, done, _ in found.dialogues}  # noqa: B035  # one sample has one
    tokens = sum(read + written for read, written, _ in found.replies)
    seconds = sum(took for _, _, took in found.replies)

    def by_step(name: str, hits: Sequence[tuple[str, bool]]) -> dict[int, float]:
        return {step_of[turn]: float(hit) for turn, (_, hit) in zip(found.turns[name], hits, strict=True)}

    values: Values = {
        "first_right": by_step("first", found.first),
        "fix_at_1": {step: float(trial.clean) for step, trial in told},
        "net_fix": {step: float(gain) for step, gain in more.items()},
        "regress": by_step("groundless", found.groundless),
        "done": done,
        "tokens": {WHOLE: float(tokens)} if tokens else {},  # none counted is not none used
        "seconds": {WHOLE: seconds} if seconds else {},
    }
    return {name: places for name, places in values.items() if places}


def _costs(sample: Sample, turns: Mapping[int, list[Marked]]) -> Values:
    """What each request took until its first answer, all roles and retries together; corrections are left out."""
    spent: dict[int, Usage] = {}
    for event in sample.events:
        if isinstance(event, Replied) and event.model != "given":
            spent[event.turn] = spent.get(event.turn, Usage()) + event.usage
    first = {step: spent[replies[0].turn] for step, replies in turns.items() if replies[0].turn in spent}
    tokens = {step: float(usage.input_tokens) for step, usage in first.items() if usage.input_tokens}
    seconds = {step: usage.seconds for step, usage in first.items() if usage.seconds}
    values: Values = {"request_input_tokens": tokens, "request_seconds": seconds}
    return {name: places for name, places in values.items() if places}


def _steps(sample: Sample, turns: Mapping[int, list[Marked]], texts: Mapping[int, str]) -> dict[int, StepAnswers]:
    asked = {event.turn: event.text for event in sample.events if isinstance(event, Asked)}
    return {
        step: StepAnswers(
            asked.get(replies[0].turn, ""),
            texts.get(replies[0].turn, ""),
            tuple(str(mistake) for mistake in replies[0].mistakes),
            tuple(marked.marks for marked in replies),
            tuple(not marked.mistakes for marked in replies),
        )
        for step, replies in turns.items()
    }
