"""`toolmend chat`: reads what a person types, or what is piped in, and hands it to the talk line by line."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

import click

from toolmend.apps.cli import options, screen
from toolmend.errors import ToolmendError

if TYPE_CHECKING:
    from toolmend.apps.cli.talk import Talk
    from toolmend.strategies import Strategy


@options.command
@options.model_option
@options.tools_option
@options.strategy_option
@options.role_option
@options.system_option
@options.temperature_option
@click.option("--keep", is_flag=True, help="Keep the talk in the store; `toolmend improve` learns from corrections.")
@click.option("--memory", "namespace", metavar="NAMESPACE", help="Remember in this namespace; recall what is known.")
@click.option(
    "--mend", is_flag=True, help="Corrections are understood by their words first; the model is asked for the rest."
)
@options.approve_option
@options.explain_option
@options.store_option
@click.pass_context
def chat(
    ctx: click.Context,
    model: str,
    tools: str,
    strategy: str | None,
    roles: tuple[str, ...],
    system: str | None,
    temperature: float | None,
    keep: bool,
    namespace: str | None,
    mend: bool,
    approve: str,
    explain: bool,
    store: str | None,
) -> None:
    """Talk to a model, say what is wrong, watch the calendar (or any other world) change.

    Plain text goes through the router, which says whether it took it for a new request or for a correction. /help lists
    what else can be typed. Lines may be piped in; then the exit code is 2 if one of them failed.
    """
    from toolmend.apps.cli import consent
    from toolmend.apps.cli.memory import remembered
    from toolmend.apps.cli.talk import Talk
    from toolmend.evals.grid import read_roles
    from toolmend.messages import Options
    from toolmend.session import Approvals, Policy, Session

    console = screen.console()
    typed = sys.stdin.isatty() and sys.stdout.isatty()
    piped = consent.Piped(_piped())
    session = Session(
        model,
        tools,
        _auto() if strategy == "auto" else strategy,
        system=options.read_system(system),
        options=Options(temperature=temperature or 0.0),
        roles=read_roles(roles),
        mend=mend,
        approve=Approvals(
            Policy.of(approve), consent.asking(lambda: session.tools, consent.typed if typed else piped.answer, console)
        ),
    )
    if typed:
        console.print(
            f"{session.model.name}, toolbox {tools}, strategy {session.strategy.name}. /help, or Ctrl-D to leave."
        )
    talk = Talk(session, tools, console, explain=explain)
    if namespace:
        ctx.call_on_close(remembered(session, store, namespace))
    failed = _taken(talk, _typed() if typed else piped, typed=typed)
    if keep and talk.events:
        screen.note(f"kept as run {_keep(talk, store)}")
    if failed and not typed:
        ctx.exit(2)


def _taken(talk: Talk, lines: Iterator[str], *, typed: bool) -> bool:
    """Every line done; whether one of them failed."""
    failed = False
    for line in lines:
        try:
            if not talk.take(line):
                break
        except ToolmendError as error:
            failed = True
            screen.note(" ".join(str(error).split()))
        except KeyboardInterrupt:
            if not typed:
                raise
            talk.console.print("(stopped: as if it had not been said)", style="dim")
    return failed


def _keep(talk: Talk, place: str | None) -> str:
    """The id of the stored run, of the suite "chat", whose one sample is this talk."""
    from toolmend import __version__
    from toolmend.evals.plan import Player
    from toolmend.events import Finished
    from toolmend.store import Contestant, RunConfig, Sample, Store

    session = talk.session
    player = Player(session.model, session.strategy, session.roles)
    contestant = Contestant(player.models, session.strategy.name, session.strategy.prompt_hash, player.options)
    settings = {"tools": talk.world, **({"system": session.system} if session.system else {})}
    heat = session.options.temperature
    versions = {"toolmend": __version__}
    config = RunConfig("chat", contestants=(contestant,), temperature=heat, versions=versions, settings=settings)
    sample = Sample("talk", player.models, session.strategy.name, events=(*talk.events, Finished()))
    with Store(place) as store:
        run = store.open_run(config)
        store.commit(run, sample)
        return store.finish(run).id


def _auto() -> Strategy:
    """The strategy `auto` with what the store tells, if there is one."""
    from toolmend.errors import BadFile
    from toolmend.evals.choices import choices
    from toolmend.store import Store
    from toolmend.strategies.auto import Auto

    try:
        with Store(create=False) as store:
            return Auto(rows=choices(store))
    except BadFile:  # no store yet, or none that can be read: then nothing is known
        return Auto()


def _typed() -> Iterator[str]:
    """Lines typed at a prompt until Ctrl-D or Ctrl-C."""
    with suppress(ImportError):  # not every system has it
        import readline  # noqa: F401  (input() then has history and editing)
    while True:
        try:
            yield input("> ")
        except (EOFError, KeyboardInterrupt):
            click.echo()
            return


def _piped() -> Iterator[str]:
    for line in sys.stdin.buffer:
        yield line.decode("utf-8", "replace")
