"""`toolmend ask`: one reply of a model, as it is. Nothing is read or executed."""

from __future__ import annotations

import click

from toolmend.apps.cli import options


@options.command
@click.argument("text")
@options.model_option
@options.tools_option
@options.strategy_option
@options.system_option
@options.temperature_option
def ask(text: str, model: str, tools: str, strategy: str, system: str | None, temperature: float | None) -> None:
    """Print one reply to TEXT as the model wrote it; nothing is executed."""
    from toolmend.session import ask_once

    reply = ask_once(
        text,
        model=model,
        tools=tools,
        strategy=strategy,
        system=options.read_system(system),
        temperature=temperature or 0.0,
    )
    click.echo(str(reply))
