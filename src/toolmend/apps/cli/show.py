"""`toolmend show`: the report of a stored run, the list of all runs, or the conversations that a filter finds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from toolmend.apps.cli import options, screen

if TYPE_CHECKING:
    from toolmend.store import Run, Sample, Store


@dataclass(frozen=True)
class Wanted:
    """Which samples: each that is given must hold. `model` and `case` may be parts of the name."""

    model: str | None = None
    case: str | None = None
    mark: str | None = None
    mistake: str | None = None

    def __bool__(self) -> bool:
        """Whether anything is asked for."""
        return any((self.model, self.case, self.mark, self.mistake))


@options.command
@click.argument("run", required=False)
@click.option("--list", "listed", is_flag=True, help="A table of all runs instead.")
@click.option("--model", metavar="NAME", help="Conversations of this model; a part of its name will do.")
@click.option("--case", metavar="NAME", help="Conversations of this case; a part of its name will do.")
@click.option("--mark", metavar="WORD", help="Conversations with a reply so marked: fixed, recurring, garbage …")
@click.option("--mistake", metavar="KIND", help="Conversations with such a mistake: chatter, wrong_value(time) …")
@options.store_option
@options.format_option
@options.notation_option
def show(
    run: str | None, listed: bool, store: str | None, form: str, notation: str | None, **filters: str | None
) -> None:
    """Print the report of RUN (the beginning of its id; default: the last run), or conversations of it.

    With --model, --case, --mark or --mistake the conversations that match are printed instead of the report.
    """
    from toolmend.errors import BadOption
    from toolmend.store import Store

    with Store(store, create=False) as kept:
        if listed:
            _print_list(kept, form)
            return
        found = kept.find_run(run) if run else kept.last_run()
        if found is None:
            raise BadOption(f"{kept.place} holds no run yet; `toolmend run` makes one")
        if found.status == "open":
            screen.note(f"run {found.id} is not finished: this is what it has so far")
        wanted = Wanted(**filters)
        if wanted:
            _print_conversations(kept, found, wanted, form)
        else:
            print_run(kept, found.id, form, notation)


def print_run(store: Store, run_id: str, form: str, notation: str | None) -> None:
    """The report of a run on standard output."""
    from toolmend.evals.report import build_report

    report = build_report(store, run_id)
    if form == "json":
        screen.print_json(report)
    else:
        from toolmend.evals.text import print_report

        print_report(report, screen.console(markup=True), notation or "both")


def _print_list(store: Store, form: str) -> None:
    rows = [_listed(store, run) for run in store.runs()]
    if form == "json":
        screen.print_json({"schema": 1, "runs": rows})
        return
    console = screen.console()
    for row in rows:
        names = ", ".join(f"{each['model']} · {each['strategy']}" for each in row["contestants"])
        errors = f" ({screen.counted(row['errors'], 'error')})" if row["errors"] else ""
        begun = row["created"][:16].replace("T", " ")
        samples = f"{row['samples']:>7,} samples{errors}"
        screen.hang(console, row["id"], f"{begun}  {row['status']:<8}  {samples}  {row['suite']}: {names}", indent=12)


def _listed(store: Store, run: Run) -> dict[str, Any]:
    counts = store.counts(run.id)
    contestants = [{"model": each.model, "strategy": each.strategy} for each in run.config.contestants]
    return {
        **run.head(),
        "samples": counts["ok"] + counts["error"],
        "errors": counts["error"],
        "contestants": contestants,
    }


def _print_conversations(store: Store, run: Run, wanted: Wanted, form: str) -> None:
    found = _matching(store, run, wanted)
    if form == "json":
        from toolmend.apps.cli.conversation import to_json

        screen.print_json({"schema": 1, "run": run.id, "samples": [to_json(sample) for sample in found]})
        return
    from toolmend.apps.cli.conversation import print_sample

    console, number = screen.console(), 0
    for number, sample in enumerate(found, 1):  # noqa: B007
        print_sample(sample, console)
    if not number:
        screen.note(f"no conversation of run {run.id} matches")


def _matching(store: Store, run: Run, wanted: Wanted) -> Iterator[Sample]:
    """The samples that match, one by one. Raises UnknownName for a model, mark or mistake that cannot be."""
    from toolmend.errors import UnknownName

    models = [each.model for each in run.config.contestants]
    if wanted.model and not any(wanted.model in name for name in models):
        raise UnknownName(f"model in run {run.id}", wanted.model, models)
    samples = store.samples(run.id, mark=wanted.mark, mistake=wanted.mistake)
    return (
        sample
        for sample in samples
        if (not wanted.model or wanted.model in sample.model) and (not wanted.case or wanted.case in sample.case)
    )
