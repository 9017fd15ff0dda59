"""Which conversations of a run somebody wants to see: by what they are, how they went, and what was said in them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import click

from toolmend.apps.cli.kit.options import F

if TYPE_CHECKING:
    from toolmend.store import Run, Sample, Store

_OPTIONS = (
    click.option("--model", metavar="NAME", help="Conversations of this model; a part of its name will do."),
    click.option("--strategy", metavar="NAME", help="With this strategy."),
    click.option("--experiment", metavar="NAME", help="Of this experiment."),
    click.option("--case", metavar="NAME", help="Of this case; a part of its name will do."),
    click.option("--mark", metavar="WORD", help="With a reply so marked: fixed, recurring, garbage …"),
    click.option("--mistake", metavar="KIND", help="With such a mistake: chatter, wrong_value(time) …"),
    click.option("--status", type=click.Choice(["ok", "error"]), help="That could be run, or could not."),
    click.option("--grep", metavar="TEXT", help="In which this text stands, whatever its capitals."),
)


def filter_options(function: F) -> F:
    """The options of `Wanted`."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


@dataclass(frozen=True)
class Wanted:
    """Which samples: each that is given must hold. `model` and `case` may be parts of the name."""

    model: str | None = None
    strategy: str | None = None
    experiment: str | None = None
    case: str | None = None
    mark: str | None = None
    mistake: str | None = None
    status: Any = None
    grep: str | None = None

    def __bool__(self) -> bool:
        """Whether anything is asked for."""
        return any(getattr(self, field.name) for field in fields(self))

    def __str__(self) -> str:
        """`case lunch, mark fixed`."""
        given = {field.name: getattr(self, field.name) for field in fields(self)}
        return ", ".join(f"{name} {value}" for name, value in given.items() if value)

    def samples(self, store: Store, run: Run) -> Iterator[Sample]:
        """The samples that match, one by one.

        Raises UnknownName for a model, strategy, experiment, mark or mistake that cannot be.
        """
        self._check(run)
        found = store.samples(run.id, status=self.status)
        return (sample for sample in found if self._fits(sample))

    def _check(self, run: Run) -> None:
        from toolmend.errors import UnknownName
        from toolmend.mistakes import Kind, Mark

        if self.mark is not None and self.mark not in list(Mark):
            raise UnknownName("mark", self.mark, list(Mark))
        if self.mistake is not None and self.mistake.partition("(")[0] not in list(Kind):
            raise UnknownName("mistake", self.mistake, list(Kind))
        models = [each.model for each in run.config.contestants]
        if self.model and not any(self.model in name for name in models):
            raise UnknownName(f"model in run {run.id}", self.model, models)
        experiments = [each["id"] for each in run.config.settings.get("experiments", ())]
        strategies = [each.strategy for each in run.config.contestants]
        for kind, name, known in (
            ("strategy", self.strategy, strategies),
            ("experiment", self.experiment, experiments),
        ):
            if name and known and name not in known:
                raise UnknownName(f"{kind} in run {run.id}", name, set(known))

    def _fits(self, sample: Sample) -> bool:
        from toolmend.evals.reports.talk import words

        played = sample.status == "ok"
        return (
            (not self.model or self.model in sample.model)
            and (not self.strategy or self.strategy == sample.strategy)
            and (not self.experiment or self.experiment == sample.case.split("/")[0])
            and (not self.case or self.case in sample.case)
            and (not self.mark or (played and any(self.mark in each.marks for each in sample.marked)))
            and (not self.mistake or (played and self.mistake in _mistakes(sample)))
            and (not self.grep or self.grep.casefold() in words(sample).casefold())
        )


def _mistakes(sample: Sample) -> set[str]:
    """The mistakes of a sample's replies, by kind and with their argument: wrong_value, wrong_value(time)."""
    found = [mistake for marked in sample.marked for mistake in marked.mistakes]
    return {name for mistake in found for name in (str(mistake), mistake.kind.value)}
