"""`toolmend know forget`: sources by id, or all that a filter chooses, shown before they go. Chooses nothing itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from toolmend.apps.cli.commands.know_library import opened
from toolmend.apps.cli.kit import options, screen
from toolmend.apps.cli.kit.options import Command, debug_option

if TYPE_CHECKING:
    from toolmend.knowledge.source import Kind

_KINDS = ("paper", "official", "reference", "news", "expert_blog", "company_blog", "video", "forum", "page")


@click.command(cls=Command)
@click.argument("ids", nargs=-1, metavar="[ID…]")
@click.option("--older", type=click.FloatRange(0), metavar="DAYS", help="Those whose state was added longer ago.")
@click.option("--kind", type=click.Choice(_KINDS), help="Those of a kind.")
@click.option("--host", default="", help="Those of a host, or of one below it.")
@click.option("--below-trust", type=click.FloatRange(0, 1), metavar="X", help="Those whose trust today is lower.")
@click.option("--tag", default="", metavar="TOPIC", help="Those on a topic.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@options.place_option
@options.format_option
@debug_option
def forget(
    ids: tuple[str, ...],
    older: float | None,
    kind: Kind | None,
    host: str,
    below_trust: float | None,
    tag: str,
    yes: bool,
    store: str | None,
    form: str,
) -> None:
    """Forget sources with all their states: by id, or those that are all that is asked for.

    What a filter chooses is shown first, and you are asked. What remains of each is a line that says so; the cache of
    fetched pages is emptied.
    """
    from toolmend.errors import BadOption
    from toolmend.knowledge import forgetting

    chosen = forgetting.Chosen(older, kind, host, below_trust, tag)
    if bool(ids) != chosen.empty:
        raise BadOption("give ids, or --older, --kind, --host, --below-trust, --tag; not both, and not neither")
    if form == "json" and not (yes or ids):
        raise BadOption("--format json asks nothing: add --yes")
    with opened(store) as library:
        wanted = [library.find(each) for each in ids]
        if not ids:
            found = list(forgetting.choose(library, chosen))
            for each in found if form == "text" else ():
                click.echo(screen.plain(f"{each.id}  {each.kind:<12}  {each.title or each.url}"))
            sure = yes or not found or click.confirm(f"forget {screen.counted(len(found), 'source')}?", err=True)
            wanted = [each.id for each in found] if sure else []
        gone = forgetting.forget(library, wanted)
    if form == "json":
        screen.print_json({"schema": 1, "forgotten": gone})
        return
    for each_id in gone or ["nothing"]:
        click.echo(f"forgotten  {each_id}")
