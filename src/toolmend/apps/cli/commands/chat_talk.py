"""What `toolmend chat` does: reads what a person types, or what is piped in, and hands it to the talk line by line."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from toolmend import __version__
from toolmend.apps.cli.commands import chat_consent, chat_view
from toolmend.apps.cli.commands.chat_lines import ChatTalk
from toolmend.apps.cli.commands.data_repairs import FILE
from toolmend.apps.cli.kit import last_talk, screen
from toolmend.base.errors import ToolmendError
from toolmend.base.events import Decided, Finished
from toolmend.evals.running.plan import Player, read_roles
from toolmend.evals.store import RunConfig, Sample, Store, StoredContestant
from toolmend.evals.store.place import beside
from toolmend.extras.memory.commands.chat_memory import remembered
from toolmend.models.chosen import chosen
from toolmend.session import Approvals, Policy, Session
from toolmend.session.allowed import AllowedTools
from toolmend.session.careful import CAREFUL, Careful
from toolmend.session.leaning_file import LeaningFile
from toolmend.tools import Toolbox
from toolmend.tools.toolboxes.homes import Home, home_of


def talk(ctx: click.Context, /, tools: str, namespace: str | None, store: str | None, **asked: Any) -> None:
    """Have the talk that is asked for."""
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
    lines = ChatTalk(session, tools, console, careful, home=home)
    if namespace:
        lines.memory = remembered(session, store, namespace)
        ctx.call_on_close(lines.memory.stream.close)
    failed = _taken(lines, _typed() if typed else piped, last_talk.TalkFile(session, tools, start), typed=typed)
    if asked["keep"] and lines.events:
        screen.note(f"kept as run {_keep(lines, store)}")
    if failed and not typed:
        ctx.exit(2)


def _session(tools: str, asked: dict[str, Any]) -> Session:
    """The talk as it was asked for, before anybody approves its calls."""
    model, held = (asked["model"], None) if asked["model"] else _chosen(tools)
    session = Session(model, tools, asked["strategy"] or held, roles=read_roles(asked["roles"]), mend=asked["mend"])
    for line in session.tools.left_out:
        screen.note(line)
    return session


def _learning(session: Session, person: str, tools: str) -> None:
    """Have the session know, and go on learning, what its person's corrections came to, where that is switched on."""
    if session.mender is not None and (path := beside(FILE)).exists():
        named = str(Path(tools).resolve()) if tools.endswith(".py") else tools
        session.mender.leanings = LeaningFile(path).leanings((person, named, session.model.name))


def _taken(talk: ChatTalk, lines: Iterator[str], kept: last_talk.TalkFile, *, typed: bool) -> bool:
    """Every line done, and kept; whether one of them failed."""
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
        kept.keep()
    unanswered = not typed and _unanswered(talk)
    return failed or unanswered


def _unanswered(talk: ChatTalk) -> bool:
    """Whether a question was put and nobody answered it; which, is said."""
    asked = [event.call for event in talk.events if isinstance(event, Decided) and event.by == "nobody"]
    for call in asked:
        screen.note(f"nobody answered whether {call.tool} may run: it was not run")
    answers = talk.session.answers
    waits = bool(answers) and answers[-1].open is not None and answers[-1].text.rstrip().endswith("?")
    if waits:
        screen.note(f"nobody answered: {answers[-1].text}")
    return waits or bool(asked)


def _chosen(tools: str) -> tuple[str, str | None]:
    """The model for these tools and the strategy it is held by, told in a line; the toolbox is looked at first."""
    Toolbox.load(tools)
    pick = chosen(tools)
    screen.note(f"{pick.model}: {pick.why}")
    return pick.model, pick.strategy or None


def _careful(
    approve: str | None, answer: Callable[[], str | None], console: Console, session: Callable[[], Session]
) -> tuple[Careful, Approvals]:
    """Who is asked, and about what: as the policy says, else where it is due."""
    asked = chat_consent.asking(lambda: session().tools, answer, console, lambda tool: careful.allow(tool))
    careful = Careful(asked, session)
    careful.always = AllowedTools(lambda: session().tools)
    policy = Policy.of(approve) if approve else None
    look = None if approve and "allow" in approve else careful.look  # who allows allows all
    return careful, Approvals(policy or CAREFUL, careful.put if policy else careful.ask, look=look)


def _home(place: str | None, tools: str, session: Session, typed: bool) -> Home | None:
    """Where the world lives, and has been fetched from: as said, or, for a calendar at a terminal, beside the store."""
    if place is None and typed and tools == "calendar":
        place = str(beside("calendar.json"))
    if place in (None, "none"):
        return None
    home = home_of(str(place))
    home.load(session.tools)
    return home


def _keep(talk: ChatTalk, place: str | None) -> str:
    """The id of the stored run, of the suite "chat", whose one sample is this talk."""
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
