"""`toolmend arena`: the arena on a port, its queue for raters, its votes as a file. Knows settings, and no battle."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import click
from starlette.types import ASGIApp

from toolmend.apps.cli.kit import options, screen
from toolmend.base.atomic import written
from toolmend.base.errors import BadOption, needs
from toolmend.evals.store import default_place
from toolmend.extras.arena import Arena
from toolmend.extras.arena.choices import usual_contestants
from toolmend.extras.arena.queue import PAIR, PROMPT, items_of_pairs, items_of_prompts, prompts_of
from toolmend.extras.arena.records import ArenaRecords
from toolmend.extras.arena.votes import as_csv


@click.group("arena", cls=options.CommandGroup, invoke_without_command=True)
@options.debug_option
@click.option(
    "--model",
    "models",
    type=options.MODEL,
    multiple=True,
    metavar="NAME",
    help="Who can be talked to; may be given again. [default: what is here for the toolbox]",
)
@click.option(
    "--strategy",
    "strategies",
    multiple=True,
    metavar="NAME",
    help="Every model plays with every strategy; may be given again. [default: auto]",
)
@click.option(
    "--toolbox",
    "toolboxes",
    multiple=True,
    default=("calendar",),
    show_default=True,
    metavar="NAME",
    help="The world to begin with; given again, others that are offered beside those that ship.",
)
@click.option("--host", default="127.0.0.1", show_default=True, help="0.0.0.0 lets other machines in.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=7860, show_default=True, help="0 takes any that is free."
)
@click.option(
    "--workers", type=click.IntRange(1, 64), default=1, show_default=True, help="Processes; 2 need --store postgresql…"
)
@click.option("--shared", is_flag=True, help="Everybody sees everybody's talks. [default: each their own]")
@options.mend_option
@options.approve_option
@options.store_option
@click.pass_context
def arena(ctx: click.Context, /, **asked: Any) -> None:
    """Talk to two models side by side, correct one while the other waits, vote blind, see who leads.

    A call that --approve asks about waits on its side for a yes; in battles it is a dry run. Everything is kept in the
    store: talks at their addresses, votes, the queue for raters. Needs the extra `arena`.
    """
    if ctx.invoked_subcommand is not None:
        return
    needs("the arena", "arena", "starlette", "uvicorn", "itsdangerous", "python_multipart")
    from toolmend.apps.site.serving import GRACE, is_local, serve
    from toolmend.apps.site.workers import serve_by

    asked["store"], workers, host = _place(asked["store"]), asked["workers"], asked["host"]
    if workers > 1 and not asked["store"].startswith("postgresql"):
        why = "SQLite has one writer at a time and tells no other process of it"
        raise BadOption(f"--workers {workers} needs PostgreSQL (--store postgresql+psycopg://…): {why}")
    if not is_local(host):
        seen = "every talk that is over" if asked["shared"] else "their own talks, and all votes"
        screen.note(f"other machines can reach this arena, and everybody who can sees {seen}")

    def ready(url: str) -> None:
        screen.note(f"open {url} (Ctrl-C stops it)")

    if workers == 1:
        with _app(asked) as app:
            serve(app, host, asked["port"], ready)
        return
    from toolmend.extras.arena.page.people import COOKIE

    who = re.compile(rb"[ ;]" + COOKIE.encode() + rb"=([^;\r\n]{1,200})")
    place = host, asked["port"]
    serve_by(partial(_app, asked), workers, place, ready, who=who, timeout_graceful_shutdown=GRACE)


@contextmanager
def _app(asked: Mapping[str, Any]) -> Iterator[ASGIApp]:
    """The arena that was asked for, until it is closed."""
    from toolmend.apps.site.serving import is_local
    from toolmend.extras.arena.page.app import make_app

    made = Arena(
        asked["store"],
        usual_contestants(asked["models"], asked["strategies"], asked["toolboxes"][0]),
        toolbox=asked["toolboxes"],
        approve=asked["approve"],
        mend=asked["mend"],
    )
    try:
        yield make_app(made, local=is_local(asked["host"]), shared=asked["shared"])
    finally:
        made.close()


@options.command
@click.argument("name")
@click.option("--prompts", metavar="FILE|SUITE", help="Prompts, one a line; of a suite the first of each dialogue.")
@click.option("--pairs", metavar="FILE.jsonl", help="Answers given before, as `toolmend pairs` writes them.")
@click.option("--key", metavar="KEY.jsonl", help="Whose the pairs are.")
@click.option("--raters", type=click.IntRange(min=1), default=3, show_default=True, help="People for each.")
@options.store_option
def queue(name: str, prompts: str | None, pairs: str | None, key: str | None, raters: int, store: str | None) -> None:
    """Put prompts or pairs into the queue NAME for raters; what stands there already is not put twice."""
    if (prompts is None) == (pairs is None):
        raise BadOption("give --prompts FILE|SUITE, or --pairs FILE.jsonl: what is to be rated")
    if pairs is not None:
        kind, items = PAIR, items_of_pairs(pairs, key)
    else:
        kind, items = PROMPT, items_of_prompts(prompts_of(str(prompts)))
    records = ArenaRecords(_place(store))
    try:
        new = records.add_items(name, kind, raters, items)
    finally:
        records.close()
    screen.note(f"{new} new of {len(items)} in the queue {name}, {raters} raters each")


@options.command
@click.option("--out", metavar="FILE.csv", help="Write it there instead of to the screen.")
@options.store_option
def votes(out: str | None, store: str | None) -> None:
    """Write the votes as CSV, for `toolmend rank --votes` and `toolmend judge calibrate --human`."""
    records = ArenaRecords(_place(store))
    try:
        text = as_csv(records.votes())
    finally:
        records.close()
    if out is None:
        click.echo(text, nl=False)
        return
    with written(Path(out).expanduser()) as part:
        part.write_text(text, encoding="utf-8", newline="")
    screen.note(f"{text.count(chr(10)) - 1} votes in {out}")


for _command in (queue, votes):
    arena.add_command(_command)


def _place(store: str | None) -> str:
    return store or str(default_place())
