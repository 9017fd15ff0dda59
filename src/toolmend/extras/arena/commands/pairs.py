"""`toolmend pairs`: blind pairs of answers for raters, and the key that says whose they are. Knows evals only."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import click

from toolmend.apps.cli.kit import options, screen
from toolmend.apps.cli.kit.form import Form
from toolmend.base.errors import BadOption
from toolmend.evals.comparing.baseline import find_stored
from toolmend.evals.store import Store
from toolmend.extras.arena.judges.blind_pairs import READ, blind_pairs


@options.command
@click.argument("run", required=False)
@click.option("--a", "first", required=True, metavar="CONTESTANT", help="A part of its name will do.")
@click.option("--b", "second", required=True, metavar="CONTESTANT", help="A part of its name will do.")
@click.option("--n", "count", type=click.IntRange(min=1), default=50, show_default=True, help="So many pairs at most.")
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed makes the same files.")
@click.option("--out", required=True, metavar="FILE.jsonl", help="The pairs, for raters.")
@click.option("--key", required=True, metavar="KEY.jsonl", help="Whose answers they are; not for raters.")
@options.store_option
def pairs(
    run: str | None, first: str, second: str, count: int, seed: int, out: str, key: str, store: str | None
) -> None:
    """Write pairs of answers of two contestants to the same requests of RUN (default: the last run), sides by a coin.

    Raters get the file of --out: names of models are masked in it. See docs/pairs.md.
    """
    if out == key:
        raise BadOption("--out and --key name the same file: whoever rates must not have the key")
    with Store(store, create=False) as kept:
        found = find_stored(kept, run)
        made = blind_pairs(found, kept.samples(found.id, only=READ), first, second, count, seed)
    _write(out, made.lines)
    _write(key, made.key)
    alike = f"; {made.alike:,} of {made.there:,} answers are alike and left out" if made.alike else ""
    fewer = f" (there are no more; {count:,} were asked for)" if len(made.lines) < count else ""
    screen.note(f"{screen.counted(len(made.lines), 'pair')}{fewer}{alike}")


def _write(path: str, lines: Sequence[Mapping[str, Any]]) -> None:
    with Form("json", path).opened() as stream:
        stream.writelines(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
