"""`toolmend compare`: two runs, or the contestants of one, on the same requests. Knows the doors of evals only."""

from __future__ import annotations

from typing import Literal

import click

from toolmend.apps.cli.kit import compare_view, options, screen
from toolmend.base.errors import BadOption
from toolmend.evals.comparing.baseline import find_played
from toolmend.evals.comparing.compare import Comparison, compare_runs, compare_within
from toolmend.evals.comparing.report import comparison_report


@options.command
@click.argument("runs", nargs=-1, metavar="[RUN] [RUN]")
@click.option(
    "--by", type=click.Choice(["strategy", "model"]), help="In one run: what is compared. [default: what varies]"
)
@click.option("--against", metavar="NAME", help="In one run: this contestant with each of the others.")
@click.option("--cases", type=click.IntRange(min=0), default=10, show_default=True, help="Differences shown.")
@options.store_option
@options.format_option
def compare(
    runs: tuple[str, ...],
    by: Literal["strategy", "model"] | None,
    against: str | None,
    cases: int,
    store: str | None,
    form: str,
) -> None:
    """Compare two runs, or the contestants of one (default: the last run), on what both were asked.

    RUN is the beginning of a stored run's id, or a file that `toolmend gate --save` wrote. Samples are paired by
    everything but what is compared; see docs/comparing.md.
    """
    found = _compared(runs, by, against, store)
    if form == "json":
        screen.print_json(comparison_report(found))
    else:
        compare_view.print_text(found, screen.console(), cases)


def _compared(
    runs: tuple[str, ...], by: Literal["strategy", "model"] | None, against: str | None, store: str | None
) -> Comparison:
    """What was asked for. Raises BadOption for options that do not go together."""
    if len(runs) > 2:
        raise BadOption(f"compare takes one run or two, not {len(runs)}")
    if len(runs) < 2:
        return compare_within(find_played(runs[0] if runs else None, store), by, against)
    if by or against:
        raise BadOption(f"--{'by' if by else 'against'} goes with one run, whose contestants are compared")
    first, second = (find_played(run, store) for run in runs)
    return compare_runs(first, second)
