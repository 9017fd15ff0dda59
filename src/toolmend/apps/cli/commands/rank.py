"""`toolmend rank`: ratings from a file of votes, without a store. Rating itself is done elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal

import click

from toolmend.apps.cli.kit import options, screen

if TYPE_CHECKING:
    from toolmend.ratings import Ratings

HEAD = ("contestant", "rating", "interval", "rank", "votes", "both bad")


@options.command
@click.option("--votes", "file", required=True, metavar="FILE.csv", help="Columns a, b, winner; see docs/ratings.md.")
@click.option("--interval", type=click.Choice(["sandwich", "bootstrap"]), help="[default: sandwich]")
@click.option(
    "--cluster",
    type=click.Choice(["prompt", "rater", "vote"]),
    help="Which votes are alike. [default: those on one prompt, where prompts are known]",
)
@click.option(
    "--ties",
    type=click.Choice(["half", "drop"]),
    default="half",
    show_default=True,
    help="A tie is half a win for each, or no vote.",
)
@click.option("--elo", type=float, metavar="K", help="Elo as arenas publish it, instead of Bradley-Terry.")
@options.gone("--style", "ratings are of votes as they were given")
@click.option("--format", "form", type=click.Choice(["text", "json", "markdown"]), default="text", show_default=True)
def rank(
    file: str,
    interval: Literal["sandwich", "bootstrap"] | None,
    cluster: Literal["prompt", "rater", "vote"] | None,
    ties: Literal["half", "drop"],
    elo: float | None,
    form: str,
) -> None:
    """Rate the contestants of FILE.csv: 1000 + 400 / ln 10 · θ by Bradley-Terry, with intervals and ranks.

    A vote is a line with a, b and the winner: a, b, tie or both_bad; where known also weight, prompt, rater, turn.
    """
    from toolmend.ratings import fit, read_votes

    found = fit(read_votes(file), interval=interval, cluster=cluster, ties=ties, elo=elo)
    if form == "json":
        screen.print_json(found.as_dict())
    elif form == "markdown":
        click.echo("\n".join(_markdown(found)))
    else:
        _print_text(found)


def _cells(found: Ratings) -> Iterator[tuple[str, ...]]:
    for row in found.rows:
        ranks = f"{row.rank_low}" if row.rank_low == row.rank_high else f"{row.rank_low}–{row.rank_high}"
        interval = f"{row.low:.1f} to {row.high:.1f}"
        yield row.contestant, f"{row.rating:.1f}", interval, ranks, f"{row.votes:,}", f"{row.both_bad:,}"


def _below(found: Ratings) -> Iterator[str]:
    """What stands below the table: how it was made."""
    yield f"{found.method}; intervals of {found.level:.0%}"


def _print_text(found: Ratings) -> None:
    from toolmend.apps.cli.kit.compare_view import print_grid, print_notes, say

    console = screen.console()
    if found.rows:
        print_grid([list(HEAD), *map(list, _cells(found))], console)
    for line in _below(found):
        say(console, line)
    print_notes(found.warnings, console)


def _markdown(found: Ratings) -> Iterator[str]:
    from toolmend.apps.cli.kit.compare_view import md

    yield f"| {' | '.join(HEAD)} |"
    yield f"|{'|'.join(['---'] + ['---:'] * (len(HEAD) - 1))}|"
    for name, *cells in _cells(found):
        yield f"| {' | '.join([md(name), *cells])} |"
    yield ""
    yield from (f"{md(line)}  " for line in _below(found))
    for warning in found.warnings:
        yield f"- {md(warning)}"
