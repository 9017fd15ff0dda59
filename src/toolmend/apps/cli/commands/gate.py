"""`toolmend gate`: exit code 1 when a run is worse than an earlier one beyond chance. Draws; evals/comparing judges."""

from __future__ import annotations

from pathlib import Path

import click
from rich.console import Console
from rich.text import Text

from toolmend.apps.cli.kit import options, screen
from toolmend.apps.cli.kit.compare_view import differing, print_difference, print_grid, print_notes, say
from toolmend.base.errors import BadOption
from toolmend.evals.comparing import gate as evals_gate
from toolmend.evals.comparing.baseline import find_played, find_stored, save_run
from toolmend.evals.comparing.figures import BY_NAME, amount, chance, change
from toolmend.evals.comparing.gate import Gated, GateReport
from toolmend.evals.store import Store

_SHARE = click.FloatRange(min=0, max=1)


@options.command
@click.argument("run", required=False)
@click.option("--against", metavar="BASE", help="A run's id, or a file that --save wrote.")
@click.option("--save", metavar="FILE.jsonl", help="Write RUN as such a file instead, to be committed.")
@click.option("--rate", "rates", multiple=True, metavar="NAME", help="Gate this rate only; may be given again.")
@click.option("--drop", type=_SHARE, default=0.05, show_default=True, help="The smallest drop that matters.")
@options.store_option
@options.format_option
def gate(
    run: str | None,
    against: str | None,
    save: str | None,
    rates: tuple[str, ...],
    drop: float,
    store: str | None,
    form: str,
) -> None:
    """Fail (exit code 1) when RUN is worse than BASE beyond chance; RUN is the last run unless it is named.

    A rate fails when a one-sided paired test, corrected for the number of rates, finds it worse, by --drop or more. The
    default rates are first_right, fix_at_1, regress and done. Exit code 2 is wrong use; see docs/comparing.md.
    """
    if (against is None) == (save is None):
        raise BadOption("say either --against BASE, or --save FILE.jsonl")
    if save is not None:
        if rates:
            raise BadOption("--save keeps the whole run; --rate goes with --against")
        _save(run, save, store)
        return
    new, base = find_played(run, store), find_played(against, store)
    made = evals_gate.gate(new, base, rates=rates or evals_gate.RATES, drop=drop)
    if form == "json":
        screen.print_json(evals_gate.to_json(made))
    else:
        _print(made, screen.console())
    click.get_current_context().exit(0 if made.passed else 1)


def _save(run: str | None, file: str, store: str | None) -> None:
    if not file.endswith(".jsonl"):
        raise BadOption(f"--save {file}: the name must end in .jsonl, by which --against knows a file from an id")
    with Store(store, create=False) as kept:
        found = find_stored(kept, run)
        count = save_run(found, kept.samples(found.id, by_case=True), Path(file))  # the same samples, the same file
    screen.note(f"run {found.id} with its {screen.counted(count, 'sample')} is in {file}")


def _print(made: GateReport, console: Console) -> None:
    word, style = ("passed", "bold green") if made.passed else ("FAILED", "bold red")
    about = f"  {made.run.run.config.suite} · run {made.run.origin} against {made.base.origin}"
    console.print(Text.assemble((f"gate {word}", style), screen.plain(about)), soft_wrap=not console.is_terminal)
    for line in differing(made.differs):
        say(console, line, "dim")
    rows = [["", "base", "run", "change", "p (Holm)", "pairs (cases)", ""], *map(_row, made.rates)]
    print_grid(rows, console)
    if not made.passed:
        say(console, "Where it got worse:" if made.worse else "No reply to a step got worse by itself.")
        for difference in made.worse[:3]:
            print_difference(difference, console, ("  base", "  run"))
    print_notes(made.notes, console)


def _row(rate: Gated) -> list[str]:
    figure = BY_NAME[rate.figure]
    low, high = sorted(-figure.better * end for end in (rate.low, rate.high) if end is not None) or (None, None)
    moved = None if rate.worse is None else -figure.better * rate.worse
    shown = [amount(rate.base, figure), amount(rate.run, figure), change(moved, low, high, figure)]
    return [
        figure.label,
        *shown,
        chance(rate.p_holm),
        str(rate.pairs),
        str(rate.cases),
        "FAILED" if rate.failed else "",
    ]
