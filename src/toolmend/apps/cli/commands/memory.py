"""`toolmend memory`: what is remembered in a namespace, listed, recalled, forgotten; wishes learned of corrections."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from toolmend.apps.cli.kit import options, screen
from toolmend.apps.cli.kit.options import Command, debug_option

if TYPE_CHECKING:
    from toolmend.memory import Memory, Preferences, Stream

_space = click.option(
    "--namespace",
    metavar="NAME",
    envvar="TOOLMEND_MEMORY",
    default="default",
    show_default=True,
    help="Whose memories.",
)


@click.group()
def memory() -> None:
    """Look at what is remembered of talks, and forget it."""


def _open(store: str | None, namespace: str, *, create: bool = False) -> Stream:
    """The stream; a file that is not there is made only for `create`: a slip in its name is told, not answered."""
    from toolmend.memory import Stream
    from toolmend.store.place import default_place

    return Stream(store or default_place(), namespace, create=create)


@memory.command("list", cls=Command)
@click.option("--kind", type=click.Choice(["observation", "call", "correction", "reflection", "preference"]))
@click.option("--all", "every", is_flag=True, help="Also what was superseded, undone or declined.")
@click.option("--history", is_flag=True, help="What was done, instead of what is remembered.")
@_space
@options.place_option
@options.format_option
@debug_option
def list_(kind: str | None, every: bool, history: bool, namespace: str, store: str | None, form: str) -> None:
    """List what is remembered, the oldest first."""
    from toolmend.memory import Which
    from toolmend.memory.memory import RECALLED, STATES

    with _open(store, namespace) as stream:
        if history:
            _print_history(stream.history(), form)
            return
        which = Which(kind=kind) if kind else None
        _print(found := stream.memories(which, STATES if every else RECALLED), form)
        others = [name for name in stream.namespaces() if name != namespace]
    if not found:
        there = f"; there are: {', '.join(others)} (--namespace {others[0]})" if others else ""
        screen.note(f"nothing{' of this kind' if kind else ''} is remembered in the namespace {namespace}{there}")


@memory.command(cls=Command)
@click.argument("question")
@click.option("-k", "most", type=click.IntRange(1, 100), default=5, show_default=True, help="How many at most.")
@_space
@options.place_option
@options.format_option
@debug_option
@click.pass_context
def recall(ctx: click.Context, question: str, most: int, namespace: str, store: str | None, form: str) -> None:
    """Say what memory has to a question, with the parts of each score. Exit code 2 where it has nothing."""
    from toolmend.memory.answers import NOT_THERE
    from toolmend.memory.recall import recall as find

    with _open(store, namespace) as stream:
        found = find(stream, question, most)
    parts = ("score", "recency", "importance", "relevance")
    if form == "json":
        rows = [{**_row(each.memory), **{part: round(getattr(each, part), 4) for part in parts}} for each in found]
        screen.print_json({"schema": 1, "memories": rows})
    elif not found:
        click.echo(NOT_THERE)
    for each in found if form == "text" else []:
        click.echo(screen.plain(f"{each.score:.2f}  {_told(each.memory)}"))
    ctx.exit(0 if found else 2)


@memory.command(cls=Command)
@click.argument("ids", nargs=-1, metavar="[ID…]")
@click.option("--containing", default="", metavar="WORDS", help="Those that contain these words.")
@click.option("--who", default="", help="Those of one speaker.")
@click.option("--older-than", type=click.FloatRange(min=0), metavar="DAYS", help="Those older than so many days.")
@click.option("--expired", is_flag=True, help="Those whose day has passed.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@_space
@options.place_option
@options.format_option
@debug_option
def forget(
    ids: tuple[str, ...],
    containing: str,
    who: str,
    older_than: float | None,
    expired: bool,
    yes: bool,
    namespace: str,
    store: str | None,
    form: str,
) -> None:
    """Forget for good: by id or filter, with all that was made of it. The history says that it was done, not what.

    What a filter chooses is shown first, and you are asked.
    """
    from toolmend.errors import BadOption
    from toolmend.memory import Which
    from toolmend.memory.memory import STATES, number_of

    chosen = bool(ids or containing or who or older_than is not None)
    if expired and chosen:
        raise BadOption("--expired goes alone")
    if form == "json" and not (yes or ids or expired):
        raise BadOption("--format json asks nothing: add --yes")
    with _open(store, namespace) as stream:
        numbers = tuple(number_of(each) for each in ids)
        for number in numbers:
            stream.get(number)
        if expired:
            gone = stream.sweep()
        else:
            which = Which(numbers, containing, who, older_than=older_than)
            found = [] if ids else stream.memories(which, STATES)
            _print(found if form == "text" else (), "text")
            sure = yes or not found or click.confirm("forget these, and what was made of them?", err=True)
            gone = stream.forget(which) if sure else ()
    forgotten = [f"m{each}" for each in gone]
    if form == "json":
        screen.print_json({"schema": 1, "forgotten": forgotten})
    else:
        click.echo(f"forgotten  {', '.join(forgotten) or 'nothing'}")


@memory.command(cls=Command)
@click.option("--learn", is_flag=True, help="First read the talks kept in the store (`toolmend chat --keep`).")
@click.option("--confirm", metavar="ID", help="It holds from now on.")
@click.option("--decline", metavar="ID", help="It is not wanted.")
@click.option("--undo", metavar="ID", help="It no longer holds.")
@_space
@options.place_option
@options.format_option
@debug_option
def preferences(
    learn: bool,
    confirm: str | None,
    decline: str | None,
    undo: str | None,
    namespace: str,
    store: str | None,
    form: str,
) -> None:
    """List wishes; three corrections of an argument that say the same propose one. Only what you confirm is applied."""
    from toolmend.memory import Preferences

    with _open(store, namespace) as stream:
        wishes = Preferences(stream)
        if learn:
            _learn(wishes, store)
        for act, name in ((wishes.confirm, confirm), (wishes.decline, decline), (wishes.undo, undo)):
            if name:
                act(name)
        _print(found := wishes.known(), form)
    if not found:
        screen.note(f"no wish is known in the namespace {namespace}")


def _learn(wishes: Preferences, store: str | None) -> None:
    """Read the corrections of every talk that was kept, and propose what follows."""
    from toolmend.store import Store

    with Store(store) as kept:
        talks = [
            (f"{run.id}/{sample.case}/{number}", sample.events)
            for run in kept.runs("chat")
            for number, sample in enumerate(kept.samples(run.id))
        ]
    wishes.learn(talks)
    wishes.propose()


def _print(memories: Sequence[Memory], form: str) -> None:
    if form == "json":
        screen.print_json({"schema": 1, "memories": [_row(each) for each in memories]})
        return
    for each in memories:
        click.echo(screen.plain(_told(each)))


def _print_history(lines: Sequence[tuple[str, str, str, str]], form: str) -> None:
    if form == "json":
        keys = ("at", "did", "memory", "detail")
        screen.print_json({"schema": 1, "history": [dict(zip(keys, line, strict=True)) for line in lines]})
        return
    for at, did, name, detail in lines:
        click.echo(screen.plain(f"{at[:19]}  {did:<13}  {name:<6}  {detail}".rstrip()))


def _told(each: Memory) -> str:
    """One line: `m3  2026-03-02  user: …  (superseded by m7; contradicts m2)`."""
    notes = [] if each.state == "live" else [each.state + (f" by m{each.successor}" if each.successor else "")]
    notes += [f"contradicts {', '.join(f'm{other}' for other in each.contradicts)}"] if each.contradicts else []
    notes += [f"from {', '.join(f'm{other}' for other in each.cites)}"] if each.cites else []
    notes += [f"until {each.expires[:10]}"] if each.expires else []
    return f"{each}  ({'; '.join(notes)})" if notes else str(each)


def _row(each: Memory) -> dict[str, Any]:
    keys = "id namespace kind who text importance at state expires foreign talk".split()
    row = {key: getattr(each, key) for key in keys}
    row["successor"] = f"m{each.successor}" if each.successor else None
    row |= {key: [f"m{other}" for other in getattr(each, key)] for key in ("cites", "contradicts")}
    return {**row, "data": dict(each.data)}
