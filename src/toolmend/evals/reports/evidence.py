"""Which replies stand behind each figure of a report, sample by sample, counted as rates.py counts them.

    evidence(sample, 3) -> [Piece(turn=0, facet="first_right", kind="", outcome=1), …]

A figure with n trials has n pieces of its facet (and kind); those of outcome 1 are its hits. A facet of FACETS names
its outcomes; two more, "all" and "error", are the samples themselves and need no pieces.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from toolmend.base.events import Replied
from toolmend.evals.benchmarks import calendar_blog
from toolmend.evals.metrics import rates
from toolmend.evals.metrics.rates import Tally, Trial
from toolmend.evals.store import Sample
from toolmend.evals.suites.suite import Suite


@dataclass(frozen=True, slots=True)
class Facet:
    """What is counted, in words, and what each outcome is called."""

    title: str
    outcomes: tuple[str, ...] = ("",)


_FIXED = ("not fixed", "fixed")
_LEVEL_WORDS = ("“Try again.”", "“That’s wrong.”", "what is wrong", "the value in words")

FACETS = {
    "first_right": Facet("First right", ("wrong", "right at once")),
    "fix_at_1": Facet("fix@1: the talk’s first correction", _FIXED),
    "fix_at_1_named": Facet("Named mistake gone after one correction", ("not gone", "gone")),
    "told_named": Facet("Named mistake gone when its value was said", ("not gone", "gone")),
    **{f"level {n}": Facet(f"fix@1 at level {n}: {words}", _FIXED) for n, words in enumerate(_LEVEL_WORDS)},
    "net_fix": Facet(
        "Net fix: the correction against asking again",
        ("fixed by neither", "fixed by asking again only", "fixed by the correction only", "fixed by both"),
    ),
    **{f"within {k}": Facet(f"fix@{k}: within {k} corrections", _FIXED) for k in (1, 2, 3)},
    "regress": Facet("After a groundless correction", ("still right", "wrong now")),
    "done": Facet("Whole dialogue done", ("not done", "done")),
    "mistake": Facet("Mistake in a first reply"),
    "empty": Facet("Nothing came although tokens were spent"),
    "truncated": Facet("Conversation cut to fit the window"),
    "cached": Facet("Reply from the cache"),
    "unmet": Facet("Asked for and not honoured"),
    "4.1": Facet("4.1 Reliability"),
    "4.2": Facet("4.2 The complete chat"),
    "4.3": Facet("4.3 Mistakes that others made"),
}


@dataclass(frozen=True, slots=True)
class Piece:
    """One trial: the turn it concerns, what it counts for, its kind of mistake (or ""), and its outcome."""

    turn: int
    facet: str
    kind: str = ""
    outcome: int = 0


def evidence(sample: Sample, limit: int) -> list[Piece]:
    """Every piece of a sample; none if it could not be run. `limit`: the most corrections a step may have."""
    (tally,) = rates.tally([sample], {sample.case.split("/")[0]: limit}).values()
    turns = tally.turns
    pieces = [
        Piece(turn, "first_right", "", int(hit)) for turn, (_, hit) in zip(turns["first"], tally.first, strict=True)
    ]
    pieces += _of_trials(tally.trials)
    for k, pairs in tally.within.items():
        pieces += [
            Piece(t, f"within {k}", "", int(hit)) for t, (_, hit) in zip(turns[f"within {k}"], pairs, strict=True)
        ]
    pieces += [
        Piece(t, "regress", "", int(hit)) for t, (_, hit) in zip(turns["groundless"], tally.groundless, strict=True)
    ]
    pieces += [Piece(0, "done", "", int(done)) for _, done, _ in tally.dialogues]
    return [*pieces, *_of_mistakes(sample, tally), *_of_outcomes(sample)]


def _of_trials(trials: list[Trial]) -> Iterator[Piece]:
    control = {trial.place: trial.clean for trial in trials if trial.level == 0}
    for trial in trials:
        turn = trial.place[2]
        yield Piece(turn, f"level {trial.level}", trial.kind, int(trial.clean))
        if trial.level == 3:
            yield Piece(turn, "told_named", trial.kind, int(trial.named))
        if trial.headline:
            yield Piece(turn, "fix_at_1", trial.kind, int(trial.clean))
            yield Piece(turn, "fix_at_1_named", trial.kind, int(trial.named))
            if trial.place in control:
                yield Piece(turn, "net_fix", trial.kind, 2 * int(trial.clean) + int(control[trial.place]))


def _of_mistakes(sample: Sample, tally: Tally) -> Iterator[Piece]:
    first = set(tally.turns["first"])
    for marked in sample.marked:
        if marked.turn in first:
            yield from (Piece(marked.turn, "mistake", str(mistake)) for mistake in marked.mistakes)


def _of_outcomes(sample: Sample) -> Iterator[Piece]:
    """How replies came; of a sample that could not be run, nothing counts."""
    for event in sample.events if sample.status == "ok" else ():
        if isinstance(event, Replied) and event.model != "given":
            came = {"empty": event.finish == "empty", "truncated": event.truncated, "cached": event.cached}
            yield from (Piece(event.turn, name) for name, so in came.items() if so)
            yield from (
                Piece(event.turn, "unmet", name)
                for name in dict.fromkeys(text.partition(":")[0] for text in event.unmet)
            )


class PublishedEvidence:
    """The pieces of the published tables: the samples that calendar_blog.py draws them from."""

    def __init__(self, suite: Suite) -> None:
        self.cases, self.shown = suite.cases(), calendar_blog.shown_cases(suite)

    def of(self, sample: Sample) -> list[Piece]:
        """The pieces of one sample, mostly none."""
        case = self.cases.get(sample.case) if sample.status == "ok" else None
        if case is None:
            return []
        experiment = sample.case.split("/")[0]
        if experiment == "reliability" and sample.attempt < calendar_blog.ATTEMPTS_41:
            return [Piece(0, "4.1")]
        if experiment == "complete" and sample.attempt == 0:
            return [Piece(0, "4.2")]
        fits = (
            experiment == "fixing"
            and sample.attempt < calendar_blog.ATTEMPTS_43
            and case.id == self.shown.get(case.group)
        )
        return [Piece(sample.marked[1].turn, "4.3", case.group)] if fits and len(sample.marked) > 1 else []
