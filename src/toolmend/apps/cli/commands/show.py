"""`toolmend show`: the report of a stored run, the list of all runs, or the conversations that a filter finds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from toolmend.apps.cli.kit import options, screen
from toolmend.apps.cli.kit.form import Form, form_options

if TYPE_CHECKING:
    from toolmend.evals.store import Run, Store


filter_options = options.several(
    click.option("--model", metavar="NAME", help="Conversations of this model; a part of its name will do."),
    click.option("--case", metavar="NAME", help="Of this case; a part of its name will do."),
    click.option("--mark", metavar="WORD", help="With a reply so marked: fixed, recurring, garbage …"),
    click.option("--mistake", metavar="KIND", help="With such a mistake: chatter, wrong_value(time) …"),
    click.option("--grep", metavar="TEXT", help="In which this text stands, whatever its capitals."),
)
"""The options of `run_output.Wanted`."""


@options.command
@click.argument("run", required=False)
@click.option("--list", "listed", is_flag=True, help="A table of all runs instead.")
@filter_options
@options.store_option
@form_options
@options.notation_option
@click.option(
    "--prices", metavar="FILE", help="What tokens cost: the report says what its replies would (docs/prices.md)."
)
def show(
    run: str | None,
    listed: bool,
    store: str | None,
    form: str,
    out: str | None,
    notation: str | None,
    prices: str | None,
    **filters: Any,
) -> None:
    """Print the report of RUN (the beginning of its id; default: the last run), or conversations of it.

    With --model, --case or another filter the conversations that match are printed instead of the report, in any form.
    """
    from toolmend.apps.cli.kit.run_output import Wanted, write_conversations, write_report
    from toolmend.base.errors import BadOption
    from toolmend.evals.costs.prices import load_prices
    from toolmend.evals.store import Store

    wanted, how = Wanted(**filters), Form(form, out, notation or "both")
    with Store(store, create=False) as kept:
        if listed:
            if form not in ("text", "json"):
                raise BadOption(f"--list is text or json, not {form}")
            _print_list(kept, how)
            return
        found = kept.find_run(run) if run else kept.last_run()
        if found is None:
            raise BadOption(f"{kept.place} holds no run yet; `toolmend run` makes one")
        if found.status == "open":
            screen.note(f"run {found.id} is not finished: this is what it has so far")
        if wanted:
            write_conversations(kept, found, wanted, how)
        else:
            write_report(kept, found.id, how, load_prices(prices) if prices else None)


def _print_list(store: Store, form: Form) -> None:
    rows = [_listed(store, run) for run in store.runs()]
    if form.name == "json":
        form.json({"schema": 1, "runs": rows})
        return
    with form.console() as console:
        for row in rows:
            contestants = ", ".join(
                f"{contestant['model']} · {contestant['strategy']}" for contestant in row["contestants"]
            )
            errors = f" ({screen.counted(row['errors'], 'error')})" if row["errors"] else ""
            begun = row["created"][:16].replace("T", " ")
            samples = f"{row['samples']:>7,} samples{errors}"
            about = f"{begun}  {row['status']:<8}  {samples}  {row['suite']}: {contestants}"
            screen.hang(console, row["id"], about, indent=12)


def _listed(store: Store, run: Run) -> dict[str, Any]:
    counts = store.counts(run.id)
    contestants = [
        {"model": contestant.model, "strategy": contestant.strategy} for contestant in run.config.contestants
    ]
    return {
        **run.head(),
        "samples": counts["ok"] + counts["error"],
        "errors": counts["error"],
        "contestants": contestants,
    }
