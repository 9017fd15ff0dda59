"""`toolmend pairs`: blind pairs of answers for raters, and the key that says whose they are; or, not blind, a table of
what their calls made up. Knows evals only."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import click

from toolmend.apps.cli.kit import options, screen
from toolmend.apps.cli.kit.form import Form
from toolmend.base.errors import BadOption
from toolmend.evals.comparing.baseline import find_stored
from toolmend.evals.reports.tables import percent
from toolmend.evals.store import Store
from toolmend.extras.arena.judges.blind_pairs import READ, blind_pairs, named
from toolmend.extras.arena.judges.made_up import MadeSideBySide, made_up, repeating


@options.command
@click.argument("run", required=False)
@click.option("--a", "first", required=True, metavar="CONTESTANT", help="A part of its name will do.")
@click.option("--b", "second", required=True, metavar="CONTESTANT", help="A part of its name will do.")
@click.option("--n", "count", type=click.IntRange(min=1), default=50, show_default=True, help="So many pairs at most.")
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed makes the same files.")
@click.option("--out", metavar="FILE.jsonl", help="The pairs, for raters.")
@click.option("--key", metavar="KEY.jsonl", help="Whose answers they are; not for raters.")
@click.option("--table", is_flag=True, help="Print what their calls made up instead, side by side; not for raters.")
@options.store_option
def pairs(
    run: str | None,
    first: str,
    second: str,
    count: int,
    seed: int,
    out: str | None,
    key: str | None,
    table: bool,
    store: str | None,
) -> None:
    """Write pairs of answers of two contestants to the same requests of RUN (default: the last run), sides by a coin.

    Raters get the file of --out: names of models are masked in it. See docs/pairs.md.
    """
    if table == bool(out or key):
        raise BadOption("give --out and --key, two files; or --table, which writes none")
    with Store(store, create=False) as kept:
        found = find_stored(kept, run)
        if table:
            rows, sides = made_up(found, kept.samples(found.id, only=READ), first, second), (first, second)
            for line in _made_lines(rows, [named(found, word) for word in sides], count):
                click.echo(screen.plain(line))
            return
        if not out or not key:
            raise BadOption("give both --out and --key: the pairs, and whose they are")
        if out == key:
            raise BadOption("--out and --key name the same file: whoever rates must not have the key")
        made = blind_pairs(found, kept.samples(found.id, only=READ), first, second, count, seed)
    _write(out, made.lines)
    _write(key, made.key)
    alike = f"; {made.alike:,} of {made.there:,} answers are alike and left out" if made.alike else ""
    fewer = f" (there are no more; {count:,} were asked for)" if len(made.lines) < count else ""
    screen.note(f"{screen.counted(len(made.lines), 'pair')}{fewer}{alike}")


def _made_lines(rows: Sequence[MadeSideBySide], sides: Sequence[str], count: int) -> Iterator[str]:
    """The table, of so many requests at most, and below it how much each side repeats, over all of them."""
    for row in rows[:count]:
        yield row.request
        for who in sides:
            things = [f"“{thing.name}”: “{thing.description}”" for thing in row.things.get(who, ())]
            yield f"  {who}  {'; '.join(things) or '–'}"
    if len(rows) > count:
        yield f"… {len(rows) - count:,} more requests (--n)"
    for who in sides:
        found = repeating(rows, who)
        span = " ({:.0f}–{:.0f})".format(*(100 * end for end in found.interval)) if found.interval else ""
        mean = "" if found.words is None else f", of {found.words:.1f} words"
        share = f"{percent(found.share)}{span} of the content words repeat the request"
        yield f"{who}: {share}; {screen.counted(found.descriptions, 'description')}{mean}"


def _write(path: str, lines: Sequence[Mapping[str, Any]]) -> None:
    with Form("json", path).opened() as stream:
        stream.writelines(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
