"""`toolmend regrade`: a stored run graded anew, and what that changed. Draws; evals/comparing does the work."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from toolmend.apps.cli.kit import names, options, screen

if TYPE_CHECKING:
    from rich.console import Console

    from toolmend.evals.comparing.regrade import Regrade

MOST_TRANSITIONS = 12


@options.command
@click.argument("run", type=names.RUN, required=False)
@click.option("--suite", type=names.SUITE, metavar="NAME|PATH", help="Grade by this suite. [default: the one played]")
@click.option(
    "--lenience",
    type=click.Choice(["default", "none"]),
    default="default",
    show_default=True,
    help="none makes mistakes of what is otherwise forgiven.",
)
@click.option("--dry-run", is_flag=True, help="Show what would change; keep nothing.")
@click.option("--cases", type=click.IntRange(min=0), default=10, show_default=True, help="Changed replies shown.")
@options.store_option
@options.format_option
def regrade(
    run: str | None, suite: str | None, lenience: str, dry_run: bool, cases: int, store: str | None, form: str
) -> None:
    """Grade the stored replies of RUN (default: the last run) with today's reader, grader and suite.

    No model is asked. The run stays as it is; where a mark changed, a new run is kept that names it. The same regrade
    finds that run again.
    """
    from toolmend.evals.comparing import regrade as evals_regrade
    from toolmend.evals.comparing.baseline import find_stored
    from toolmend.store import Store

    options.own_modules()
    with Store(store, create=False) as kept:
        found = find_stored(kept, run)
        made = evals_regrade.regrade(kept, found, suite=suite, lenience=lenience, write=not dry_run)
    if form == "json":
        screen.print_json(evals_regrade.to_json(made))
    else:
        _print(made, screen.console(), cases)


def _print(made: Regrade, console: Console, cases: int) -> None:
    from toolmend.apps.cli.kit.compare_view import print_grid, print_notes, say

    replies = screen.counted(made.replies, "reply", "replies")
    about = (
        f"{made.suite.name} · run {made.source.id} graded anew · {screen.counted(made.samples, 'sample')}, {replies}"
    )
    say(console, about, "bold")
    print_notes(list(_notes(made)), console)
    if not made.changes:
        say(console, "Nothing changed: every mark is as it was.")
        return
    say(console, f"{len(made.changes):,} of {replies} are marked otherwise:")
    found = made.transitions().most_common()
    for (before, after), count in sorted(found, key=lambda item: (-item[1], item[0]))[:MOST_TRANSITIONS]:
        say(console, f"{count:>6,} ×  {before}  →  {after}")
    if len(found) > MOST_TRANSITIONS:
        say(console, f"        and {len(found) - MOST_TRANSITIONS} more kinds of change (--format json)")
    print_grid(_rate_rows(made), console)
    _print_changes(made, console, cases)
    if made.run:
        word = "is there already as" if made.found else "is kept as"
        say(console, f"This {word} run {made.run}; `toolmend show {made.run}` reports it.")


def _notes(made: Regrade) -> Iterator[str]:
    if made.suite_changed:
        old = made.source.config.suite_hash
        yield f"the suite is not what was played ({old} → {made.suite.hash}): expected calls are today's"
    if made.lenience != "default":
        yield "nothing is forgiven (--lenience none)"
    for count, what in (
        (made.gone, "of cases that the suite does not have, left out"),
        (made.asked_otherwise, "asked in other words than the suite's today, left out"),
        (made.unread, "whose strategy asks for more replies than were recorded, left as they were"),
        (made.errors, "that could not be run, left as they were"),
    ):
        if count:
            yield f"{screen.counted(count, 'sample')} {what}"
    for count, what in (
        (made.branches_dropped, "left out: the reply they followed is judged otherwise now"),
        (made.branches_unread, "left as they were: of several replies only the last is kept"),
    ):
        if count:
            yield f"{screen.counted(count, 'branch', 'branches')} {what}"


def _rate_rows(made: Regrade) -> list[list[str]]:
    from toolmend.evals.comparing.figures import BY_NAME, SHARES, amount
    from toolmend.evals.comparing.regrade import share

    rows = [["", *(BY_NAME[name].label for name in SHARES)]]
    for contestant, sums in made.before.items():
        row = [contestant]
        for name in SHARES:
            before, after = share(sums[name])["value"], share(made.after[contestant][name])["value"]
            row.append(f"{amount(before, BY_NAME[name])} → {amount(after, BY_NAME[name])}")
        rows.append(row)
    return rows


def _print_changes(made: Regrade, console: Console, most: int) -> None:
    from toolmend.apps.cli.kit.compare_view import say, short
    from toolmend.evals.comparing.regrade import words

    for each in made.changes[:most]:
        arm = f" · after {each.arm}" if each.arm else ""
        place = f"{each.case}, step {each.step + 1} · {each.model} · {each.strategy} · attempt {each.attempt + 1}{arm}"
        say(console, place)
        screen.hang(console, "  reply", short(each.text), indent=8)
        screen.hang(console, "  marks", f"{words(*each.before)}  →  {words(*each.after)}", indent=8)
    if len(made.changes) > most > 0:
        say(console, f"and {len(made.changes) - most:,} more (--cases shows more)", "dim")
