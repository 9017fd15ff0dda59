"""Which conversations of a run somebody wants to see: by what they are, how they went, and what was said in them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

import click

from toolmend.apps.cli.kit.options import several

if TYPE_CHECKING:
    from toolmend.store import Run, Sample, Store

filter_options = several(
    click.option("--model", metavar="NAME", help="Conversations of this model; a part of its name will do."),
    click.option("--case", metavar="NAME", help="Of this case; a part of its name will do."),
    click.option("--mark", metavar="WORD", help="With a reply so marked: fixed, recurring, garbage …"),
    click.option("--mistake", metavar="KIND", help="With such a mistake: chatter, wrong_value(time) …"),
    click.option("--grep", metavar="TEXT", help="In which this text stands, whatever its capitals."),
)
"""The options of `Wanted`."""


@dataclass(frozen=True)
class Wanted:
    """Which samples: each that is given must hold. `model` and `case` may be parts of the name."""

    model: str | None = None
    case: str | None = None
    mark: str | None = None
    mistake: str | None = None
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

        Raises UnknownName for a model, mark or mistake that cannot be.
        """
        from toolmend.errors import UnknownName

        models = [each.model for each in run.config.contestants]
        if self.model and not any(self.model in name for name in models):
            raise UnknownName(f"model in run {run.id}", self.model, models)
        found = store.samples(run.id, mark=self.mark, mistake=self.mistake)
        return (sample for sample in found if self._fits(sample))

    def _fits(self, sample: Sample) -> bool:
        from toolmend.evals.reports.talk import words

        return (
            (not self.model or self.model in sample.model)
            and (not self.case or self.case in sample.case)
            and (not self.grep or self.grep.casefold() in words(sample).casefold())
        )
