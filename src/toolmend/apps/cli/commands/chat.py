"""`toolmend chat`: its options. The talk is set up in chat_talk.py, which is imported when it runs."""

from __future__ import annotations

from typing import Any

import click

from toolmend.apps.cli.kit import options


@options.command
@options.fitting_model_option
@options.tools_option
@options.strategy_option
@options.role_option
@click.option("--keep", is_flag=True, help="Keep the talk in the store; `toolmend improve` learns from corrections.")
@click.option("--memory", "namespace", metavar="NAMESPACE", help="Remember in this namespace; recall what is known.")
@options.mend_option
@click.option(
    "--approve",
    metavar="POLICY",
    help="allow, ask, deny or dry-run for calls that change something, or for an effect: write=ask,danger=deny. "
    "[default: ask before what cannot be taken back, and before what does not fit what was said]",
)
@click.option(
    "--world",
    "place",
    metavar="FILE.json|FILE.ics|caldav+URL",
    help="Where the calendar (or another world: .json) lives from talk to talk; none: nowhere. "
    "[default, for a calendar at a terminal: a file in your data folder]",
)
@click.option("-c", "--continue", "goes_on", is_flag=True, help="Go on with the last talk of this command.")
@options.store_option
@click.pass_context
def chat(ctx: click.Context, /, **asked: Any) -> None:
    """Talk to a model, say what is wrong, watch the calendar (or any other world) change.

    Plain text goes through the router, which says whether it took it for a new request or for a correction. /help lists
    what else can be typed. Lines may be piped in; then the exit code is 2 if one of them failed.
    """
    from toolmend.apps.cli.commands.chat_talk import talk

    talk(ctx, **asked)
