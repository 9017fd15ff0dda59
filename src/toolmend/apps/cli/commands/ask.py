"""`toolmend ask`: one reply of a model, as it is. Nothing is read or executed."""

from __future__ import annotations

import sys

import click

from toolmend.apps.cli.kit import last_talk, options, screen
from toolmend.models.chosen import Chosen, chosen
from toolmend.session import ask_once
from toolmend.tools import Toolbox


@options.command
@click.argument("text", required=False)
@options.fitting_model_option
@options.tools_option
@options.strategy_option
@click.option("-c", "--continue", "goes_on", is_flag=True, help="Go on with the last talk of this command.")
@click.pass_context
def ask(
    ctx: click.Context, /, text: str | None, model: str | None, tools: str, strategy: str | None, goes_on: bool
) -> None:
    """Print one reply to TEXT, or to what is piped in, as the model wrote it; nothing is executed. With the strategy
    spoken: the calls that were computed from it."""
    said, history = _said(text), last_talk.Said()
    if goes_on:
        named = ctx.get_parameter_source("tools") is not click.core.ParameterSource.DEFAULT
        tools, history = last_talk.said(tools if named else "")
    Toolbox.load(tools)  # what is wrong with it is said alone
    pick = Chosen(model) if model else chosen(tools)
    if pick.why:
        screen.note(f"{pick.model}: {pick.why}")
    reply = ask_once(said, model=pick.model, tools=tools, history=history, strategy=strategy or pick.strategy or None)
    click.echo(str(reply))
    last_talk.keep_said(tools, [*history, ("user", said), ("assistant", str(reply))])


def _said(text: str | None) -> str:
    """The text, else what is piped in. Raises UsageError where there is neither."""
    if text is None and not sys.stdin.isatty():
        text = sys.stdin.buffer.read().decode("utf-8", "replace").strip()
    if not text:
        raise click.UsageError("nothing was said: give TEXT, or pipe it in")
    return text
