"""`toolmend ask`: one reply of a model, as it is. Nothing is read or executed."""

from __future__ import annotations

import click

from toolmend.apps.cli.kit import options


@options.command
@click.argument("text")
@options.model_option
@options.tools_option
@options.strategy_option
@options.system_option
@options.temperature_option
@options.explain_option
def ask(
    text: str,
    model: str,
    tools: str,
    strategy: str | None,
    system: str | None,
    temperature: float | None,
    explain: bool,
) -> None:
    """Print one reply to TEXT as the model wrote it; nothing is executed. With the strategy spoken: the calls that were
    computed from it."""
    from toolmend.reading.origins import origins
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
    for line in (line for call in reply.calls if explain for line in origins(call, explain=True)):
        click.echo(f"  {line}")
