"""`toolmend rank`: ratings from a file of votes, without a store. Rating itself is done elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import click

from toolmend.apps.cli.kit import options, screen
from toolmend.apps.cli.kit.compare_view import print_grid, print_notes, say
from toolmend.extras.arena.ratings import Ratings, fit, read_votes

HEAD = ("contestant", "rating", "interval", "rank", "votes", "both bad")


@options.command
@click.option("--votes", "file", required=True, metavar="FILE.csv", help="Columns a, b, winner; see docs/ratings.md.")
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
@options.format_option
def rank(
    file: str,
    cluster: Literal["prompt", "rater", "vote"] | None,
    ties: Literal["half", "drop"],
    elo: float | None,
    form: str,
) -> None:
    """Rate the contestants of FILE.csv: 1000 + 400 / ln 10 · θ by Bradley-Terry, with intervals and ranks.

    A vote is a line with a, b and the winner: a, b, tie or both_bad; where known also weight, prompt, rater, turn.
    """
    found = fit(read_votes(file), cluster=cluster, ties=ties, elo=elo)
    if form == "json":
        screen.print_json(found.as_dict())
    else:
        _print_text(found)


def _cells(found: Ratings) -> Iterator[tuple[str, ...]]:
    for row in found.rows:
        ranks = f"{row.rank_low}" if row.rank_low == row.rank_high else f"{row.rank_low}–{row.rank_high}"
        interval = f"{row.low:.1f} to {row.high:.1f}"
        yield row.contestant, f"{row.rating:.1f}", interval, ranks, f"{row.votes:,}", f"{row.both_bad:,}"


def _print_text(found: Ratings) -> None:
    console = screen.console()
    if found.rows:
        print_grid([list(HEAD), *map(list, _cells(found))], console)
    say(console, f"{found.method}; intervals of {found.level:.0%}")
    print_notes(found.warnings, console)
