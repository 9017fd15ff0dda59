"""`toolmend memory`: what is remembered in a namespace, listed, recalled, forgotten; wishes learned of corrections."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import click

from toolmend.apps.cli.kit import options, screen
from toolmend.apps.cli.kit.options import F
from toolmend.evals.store.place import default_place
from toolmend.extras.memory import Memory, Preferences, Stream, Which
from toolmend.extras.memory import recall as find
from toolmend.extras.memory.memory import RECALLED, STATES, number_of

_space = click.option(
    "--namespace", envvar="TOOLMEND_MEMORY", default="default", show_default=True, help="Whose memories."
)


@click.group()
def memory() -> None:
    """Look at what is remembered of talks, and forget it."""


def _command(function: F) -> Callable[..., Any]:
    """A command of the group, with whose memories these are, and where."""
    made = options.command(options.several(_space, options.place_option)(function))
    memory.add_command(made)
    return made


def _open(store: str | None, namespace: str) -> Stream:
    """The stream; a file that is not there is not made: a slip in its name is told, not answered."""
    return Stream(store or default_place(), namespace, create=False)


@_command
@click.option("--kind", type=click.Choice(["observation", "call", "correction", "reflection", "preference"]))
@click.option("--all", "every", is_flag=True, help="Also what was superseded, undone or declined.")
@options.format_option
def list_(kind: str | None, every: bool, namespace: str, store: str | None, form: str) -> None:
    """List what is remembered, the oldest first."""
    with _open(store, namespace) as stream:
        found = stream.memories(Which(kind=kind) if kind else None, STATES if every else RECALLED)
        others = [name for name in stream.namespaces() if name != namespace]
    if form == "json":
        screen.print_json({"schema": 1, "memories": [_row(kept) for kept in found]})
    else:
        _print(found)
    if not found:
        there = f"; there are: {', '.join(others)} (--namespace {others[0]})" if others else ""
        screen.note(f"nothing{' of this kind' if kind else ''} is remembered in the namespace {namespace}{there}")


@_command
@click.argument("question")
@options.format_option
@click.pass_context
def recall(ctx: click.Context, question: str, namespace: str, store: str | None, form: str) -> None:
    """Say what memory has to a question, with the parts of each score. Exit code 2 where it has nothing."""
    with _open(store, namespace) as stream:
        found = find(stream, question, 5)
    parts = ("score", "recency", "importance", "relevance")
    if form == "json":
        rows = [
            {**_row(recalled.memory), **{part: round(getattr(recalled, part), 4) for part in parts}}
            for recalled in found
        ]
        screen.print_json({"schema": 1, "memories": rows})
    elif not found:
        click.echo("That is not in memory.")
    for recalled in found if form == "text" else []:
        click.echo(screen.plain(f"{recalled.score:.2f}  {_told(recalled.memory)}"))
    ctx.exit(0 if found else 2)


@_command
@click.argument("ids", nargs=-1, metavar="[ID…]")
@click.option("--containing", default="", metavar="WORDS", help="Those that contain these words.")
@click.option("--yes", is_flag=True, help="Do not ask.")
def forget(ids: tuple[str, ...], containing: str, yes: bool, namespace: str, store: str | None) -> None:
    """Forget for good: by id or words, with all that was made of it. The history says that it was done, not what.

    What words choose is shown first, and you are asked.
    """
    numbers = tuple(number_of(name) for name in ids)
    with _open(store, namespace) as stream:
        for number in numbers:
            stream.get(number)
        which = Which(numbers, containing)
        found = [] if ids else stream.memories(which, STATES)
        _print(found)
        sure = yes or not found or click.confirm("forget these, and what was made of them?", err=True)
        gone = stream.forget(which) if sure else ()
    click.echo(f"forgotten  {', '.join(f'm{lost}' for lost in gone) or 'nothing'}")


@_command
@click.option("--confirm", metavar="ID", help="It holds from now on.")
@click.option("--decline", metavar="ID", help="It is not wanted.")
@click.option("--undo", metavar="ID", help="It no longer holds.")
def preferences(confirm: str | None, decline: str | None, undo: str | None, namespace: str, store: str | None) -> None:
    """List wishes; three corrections of an argument that say the same propose one. Only what you confirm is applied."""
    with _open(store, namespace) as stream:
        wishes = Preferences(stream)
        for act, name in ((wishes.confirm, confirm), (wishes.decline, decline), (wishes.undo, undo)):
            if name:
                act(name)
        _print(found := wishes.known())
    if not found:
        screen.note(f"no wish is known in the namespace {namespace}")


def _print(memories: Sequence[Memory]) -> None:
    for kept in memories:
        click.echo(screen.plain(_told(kept)))


def _told(kept: Memory) -> str:
    """One line: `m3  2026-03-02  user: …  (superseded by m7; contradicts m2)`."""
    notes = [] if kept.state == "live" else [kept.state + (f" by m{kept.successor}" if kept.successor else "")]
    notes += [f"contradicts {', '.join(f'm{other}' for other in kept.contradicts)}"] if kept.contradicts else []
    notes += [f"from {', '.join(f'm{other}' for other in kept.cites)}"] if kept.cites else []
    notes += [f"until {kept.expires[:10]}"] if kept.expires else []
    return f"{kept}  ({'; '.join(notes)})" if notes else str(kept)


def _row(kept: Memory) -> dict[str, Any]:
    keys = "id namespace kind who text importance at state expires foreign talk".split()
    row = {key: getattr(kept, key) for key in keys}
    row["successor"] = f"m{kept.successor}" if kept.successor else None
    row |= {key: [f"m{other}" for other in getattr(kept, key)] for key in ("cites", "contradicts")}
    return {**row, "data": dict(kept.data)}
