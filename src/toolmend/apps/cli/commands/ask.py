"""`toolmend ask`: one reply of a model, as it is. Nothing is read or executed."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click

from toolmend.apps.cli.kit import options, screen


@options.command
@click.argument("text", required=False)
@options.fitting_model_option
@options.tools_option
@options.strategy_option
@options.system_option
@options.temperature_option
@options.explain_option
@click.option("-c", "--continue", "goes_on", is_flag=True, help="Go on with the last talk of this command.")
def ask(
    text: str | None,
    model: str | None,
    tools: str,
    strategy: str | None,
    system: str | None,
    temperature: float | None,
    explain: bool,
    goes_on: bool,
) -> None:
    """Print one reply to TEXT, or to what is piped in, as the model wrote it; nothing is executed. With the strategy
    spoken: the calls that were computed from it."""
    from toolmend.models.chosen import Chosen, chosen
    from toolmend.reading.origins import origins
    from toolmend.session import ask_once
    from toolmend.tools import Toolbox

    said = _said(text)
    Toolbox.load(tools)  # what is wrong with it is said alone
    pick = Chosen(model) if model else chosen(tools)
    if pick.why:
        screen.note(f"{pick.model}: {pick.why}")
    history = _last(tools) if goes_on else []
    reply = ask_once(
        said,
        model=pick.model,
        tools=tools,
        history=history,
        strategy=strategy or pick.strategy or None,
        system=options.read_system(system),
        temperature=temperature or 0.0,
    )
    click.echo(str(reply))
    for line in (line for call in reply.calls if explain for line in origins(call, explain=True)):
        click.echo(f"  {line}")
    _keep(tools, [*history, ("user", said), ("assistant", str(reply))])


def _said(text: str | None) -> str:
    """The text, else what is piped in. Raises UsageError where there is neither."""
    if text is None and not sys.stdin.isatty():
        text = sys.stdin.buffer.read().decode("utf-8", "replace").strip()
    if not text:
        raise click.UsageError("nothing was said: give TEXT, or pipe it in")
    return text


def _place() -> Path:
    """Where the last talk is."""
    from toolmend.store.place import beside

    return beside("ask.json")


def _last(tools: str) -> list[tuple[str, str]]:
    """What was said in the last talk about these tools. Raises BadOption where there was none."""
    from toolmend.errors import BadOption

    try:
        kept: dict[str, Any] = json.loads(_place().read_text(encoding="utf-8"))
        said = [(str(role), str(text)) for role, text in kept["said"]]
    except (OSError, ValueError, LookupError, TypeError):
        kept, said = {}, []
    if kept.get("tools") != tools or not said:
        raise BadOption(f"there is no talk about {tools} to go on with; ask without -c first")
    return said


def _keep(tools: str, said: list[tuple[str, str]]) -> None:
    """Keep the talk for -c; where that cannot be, the reply was given all the same."""
    try:
        _place().parent.mkdir(parents=True, exist_ok=True)
        _place().write_text(json.dumps({"tools": tools, "said": said}, ensure_ascii=False), encoding="utf-8")
    except OSError as error:
        screen.note(f"{_place()}: the talk is not kept for -c ({error.strerror or error})")
