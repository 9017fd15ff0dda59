"""`toolmend chat`: reads what a person types, or what is piped in, and hands it to the talk line by line."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from toolmend.apps.cli.kit import options, screen
from toolmend.errors import ToolmendError

if TYPE_CHECKING:
    from rich.console import Console

    from toolmend.apps.cli.commands.chat_lines import ChatTalk
    from toolmend.session import Approvals, Session
    from toolmend.session.careful import Careful
    from toolmend.toolboxes.homes import Home


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
def chat(ctx: click.Context, /, tools: str, namespace: str | None, store: str | None, **asked: Any) -> None:
    """Talk to a model, say what is wrong, watch the calendar (or any other world) change.

    Plain text goes through the router, which says whether it took it for a new request or for a correction. /help lists
    what else can be typed. Lines may be piped in; then the exit code is 2 if one of them failed.
    """
    from toolmend.apps.cli.commands import chat_consent, chat_view
    from toolmend.apps.cli.commands.chat_lines import ChatTalk
    from toolmend.apps.cli.commands.chat_memory import remembered
    from toolmend.apps.cli.kit import last_talk

    console = screen.console()
    typed = sys.stdin.isatty() and sys.stdout.isatty()
    piped = chat_consent.Piped(_piped())
    before = last_talk.talk() if asked["goes_on"] else None
    if before and ctx.get_parameter_source("tools") is click.core.ParameterSource.DEFAULT:
        tools = str(before["tools"])
    answer = chat_consent.typed if typed else piped.answer
    careful, approvals = _careful(asked["approve"], answer, console, lambda: session)
    session = _session(tools, asked)
    _learning(session, namespace or "default", tools)
    home = _home(asked["place"], tools, session, typed)
    start = session.tools.state()
    if before:
        last_talk.go_on(session, before, housed=home is not None)
        start = before["start"]
    session.approve(approvals)
    session.review = careful.review
    if typed:
        chat_view.greet(session, tools, console, home)
    talk = ChatTalk(session, tools, console, careful, home=home)
    if namespace:
        talk.memory = remembered(session, store, namespace)
        ctx.call_on_close(talk.memory.stream.close)
    failed = _taken(talk, _typed() if typed else piped, typed=typed)
    last_talk.keep_talk(session, tools, start)
    if asked["keep"] and talk.events:
        screen.note(f"kept as run {_keep(talk, store)}")
    if failed and not typed:
        ctx.exit(2)


def _session(tools: str, asked: dict[str, Any]) -> Session:
    """The talk as it was asked for, before anybody approves its calls."""
    from toolmend.evals.running.plan import read_roles
    from toolmend.session import Session

    model, held = (asked["model"], None) if asked["model"] else _chosen(tools)
    return Session(model, tools, asked["strategy"] or held, roles=read_roles(asked["roles"]), mend=asked["mend"])


def _learning(session: Session, person: str, tools: str) -> None:
    """Have the session know, and go on learning, what its person's corrections came to, where that is switched on."""
    from toolmend.apps.cli.commands.data_repairs import FILE
    from toolmend.store.place import beside

    if session.mender is not None and (path := beside(FILE)).exists():
        from toolmend.memory.repairs import LeaningFile

        named = str(Path(tools).resolve()) if tools.endswith(".py") else tools
        session.mender.leanings = LeaningFile(path).leanings((person, named, session.model.name))


def _taken(talk: ChatTalk, lines: Iterator[str], *, typed: bool) -> bool:
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


def _chosen(tools: str) -> tuple[str, str | None]:
    """The model for these tools and the strategy it is held by, told in a line; the toolbox is looked at first."""
    from toolmend.models.chosen import chosen
    from toolmend.tools import Toolbox

    Toolbox.load(tools)
    pick = chosen(tools)
    screen.note(f"{pick.model}: {pick.why}")
    return pick.model, pick.strategy or None


def _careful(
    approve: str | None, answer: Callable[[], str | None], console: Console, session: Callable[[], Session]
) -> tuple[Careful, Approvals]:
    """Who is asked, and about what: as the policy says, else where it is due."""
    from toolmend.apps.cli.commands import chat_consent
    from toolmend.session import Approvals, Policy
    from toolmend.session.careful import CAREFUL, Careful

    asked = chat_consent.asking(lambda: session().tools, answer, console, lambda tool: careful.allow(tool))
    careful = Careful(asked, session)
    policy = Policy.of(approve) if approve else None
    return careful, Approvals(policy or CAREFUL, careful.put if policy else careful.ask)


def _home(place: str | None, tools: str, session: Session, typed: bool) -> Home | None:
    """Where the world lives, and has been fetched from: as said, or, for a calendar at a terminal, beside the store."""
    from toolmend.store.place import beside
    from toolmend.toolboxes.homes import home_of

    if place is None and typed and tools == "calendar":
        place = str(beside("calendar.json"))
    if place in (None, "none"):
        return None
    home = home_of(str(place))
    home.load(session.tools)
    return home


def _keep(talk: ChatTalk, place: str | None) -> str:
    """The id of the stored run, of the suite "chat", whose one sample is this talk."""
    from toolmend import __version__
    from toolmend.evals.running.plan import Player
    from toolmend.events import Finished
    from toolmend.store import RunConfig, Sample, Store, StoredContestant

    session = talk.session
    player = Player(session.model, session.strategy, session.roles)
    contestant = StoredContestant(player.models, session.strategy.name, session.strategy.prompt_hash, player.options)
    versions, settings = {"toolmend": __version__}, {"tools": talk.world}
    config = RunConfig("chat", contestants=(contestant,), versions=versions, settings=settings)
    sample = Sample("talk", player.models, session.strategy.name, events=(*talk.events, Finished()))
    with Store(place) as store:
        run = store.open_run(config)
        store.commit(run, sample)
        return store.finish(run).id


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
