"""What each line of `toolmend chat` does: plain text, or a command that begins with a slash. Draws nothing itself.

What needs no model is answered without one: what is on a day, what was changed, undoing the last two.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from rich.console import Console

from toolmend.apps.cli.commands import chat_view as view
from toolmend.apps.cli.kit.world_journal import journal_of
from toolmend.base.errors import BadOption, UnknownName
from toolmend.base.events import Asked, Decided, Event, Guarded, Replied
from toolmend.base.portal import run_sync
from toolmend.evals.store.place import beside
from toolmend.extras.memory.commands.chat_memory import Remembered
from toolmend.session import Answer, Session
from toolmend.session.answer import deeds as deeds_of
from toolmend.session.asides import aside
from toolmend.session.careful import Careful
from toolmend.tools.toolboxes.homes import Home, home_of

HELP = {
    "TEXT": "say something: a new request, or a correction if the router takes it for one",
    "/correct TEXT": "a correction of the last call for certain; without TEXT: the last message was one",
    "/new TEXT": "a new request for certain; without TEXT: the last message was one",
    "/undo [N]": "take the last message back, or the last N, with everything they did",
    "/why": "the words that each value of the last calls came from",
    "/calls": "every call: what it became after which correction",
    "/state": "the calendar, or whatever the tools act on",
    "/export FILE.json|.ics": "write the calendar, or whatever it is, to a file",
    "/memory [forget ID]": "with --memory: the wishes that hold, and forgetting one",
    "/teach": "write what was corrected as the first sentences for `toolmend teach`",
    "/help": "this list",
    "/quit": "leave (so do exit and Ctrl-D)",
}
TWICE = 2


class ChatTalk:
    """One talk at a prompt. `take` raises what the session raises; the talk goes on after it."""

    def __init__(
        self, session: Session, tools: str, console: Console, careful: Careful, home: Home | None = None
    ) -> None:
        """Listen to the session's events; `tools` is the name of its toolbox, `careful` knows what was said for what,
        `home` keeps its world."""
        self.home = home
        self.memory: Remembered | None = None
        self.session, self.console, self.careful = session, console, careful
        self.events: list[Event] = []
        self.world = tools
        self._shown, self._state = view.world(session.tools), session.tools.state()
        self._journal = journal_of(beside("undo.json"), home.place) if home else None
        session.sink = self._hear
        self._commands: dict[str, Callable[[str], None]] = {
            "/correct": self._correct,
            "/new": self._new,
            "/undo": self._undo,
            "/why": lambda _: view.print_why(self.session, self.careful, self.console),
            "/calls": lambda _: view.print_calls(self.session, self.console),
            "/state": lambda _: self._print_world(),
            "/export": self._export,
            "/memory": self._memory,
            "/teach": self._teach,
            "/help": lambda _: view.print_help(HELP, self.console),
        }

    def take(self, line: str) -> bool:
        """Do what a line says. False when it says to leave."""
        text = line.strip()
        word, _, rest = text.partition(" ")
        if word in ("/quit", "/exit"):
            return False
        if word.startswith("/"):
            if word not in self._commands:
                raise UnknownName("command", word, [*self._commands, "/quit"])
            self._commands[word](rest.strip())
        elif text:
            return self._said(text)
        return True

    def _said(self, text: str) -> bool:
        """Something said in words. False where that is to leave."""
        if meant := aside(text):
            if meant.kind == "undo":
                self._undo(str(meant.number), deeds=True)
            elif meant.kind == "changes":
                view.print_calls(self.session, self.console)
            return meant.kind != "leave"
        if self.memory and self.memory.take(text):
            return True
        tools, last = self.session.tools, self.session.answers[-1:]
        change = next((tools.changed(text, call) for answer in last for call in answer.calls[-1:]), "")
        reply, said = (change, text) if change else tools.meant(text)
        if reply:
            amends = last[0] if change else None
            self._answer(lambda words: run_sync(partial(self.session.play, words, amends, reply=reply)), said)
        elif told := self.session.tools.answered(text):
            view.print_told(told, self.console)
        else:
            self._answer(self.session.say, text)
        return True

    def _correct(self, text: str) -> None:
        if not text:
            if len(self.session.answers) < 2 or self.session.answers[-1].amends is not None:
                raise BadOption("the last message was no new request after another; /correct TEXT says a correction")
            text = self._last_again()
        self._answer(self.session.correct, text)

    def _new(self, text: str) -> None:
        if not text:
            if not self.session.answers or self.session.answers[-1].amends is None:
                raise BadOption("the last message was not taken as a correction; /new TEXT says a new request")
            text = self._last_again()
        self._answer(self.session.request, text)

    def _last_again(self) -> str:
        """The last thing said, taken back."""
        text = self.session.messages[-2].content
        self.session.undo()
        return text

    def _undo(self, count: str, *, deeds: bool = False) -> None:
        """The last messages; of `deeds` only those count that did something, the others go in silence."""
        if count and not count.isdigit():
            raise BadOption(f"/undo takes a number of messages, not {count!r}")
        left = int(count or 1)
        try:
            while left:
                if self._journal and not (deeds_of(self.session.answers, 1) if deeds else self.session.answers):
                    said = self._journal.take_back(self.session.tools)  # in a talk before this one
                    view.print_told(f"taken back: “{said}”", self.console)
                    self._state = self.session.tools.state()
                    left -= 1
                    continue
                answer = self.session.undo()
                self._note("")
                if deeds and not (answer.standing or answer.restored or (answer.undone and not answer.redone)):
                    continue
                view.print_taken_back(answer, self.session, self.console)
                left -= 1
        finally:
            self._print_change()

    def _note(self, said: str) -> None:
        """Keep in the journal of a world with a home that what was `said` changed it; "": the last was undone."""
        state = self.session.tools.state()
        if self._journal and state != self._state:
            if said:
                self._journal.note(said, self._state, state)
            else:
                self._journal.forget()
        self._state = state

    def _answer(self, door: Callable[[str], Answer], text: str) -> None:
        """Say it, show what came; a no with words is a correction of what would have been done."""
        answer = door(text)
        decided = [event for event in self.events if isinstance(event, Decided) and event.turn == answer.turn]
        asked = [event.call for event in decided if event.by != "policy"]
        view.print_answer(answer, self.session, self.careful, self.console, asked)
        self._print_change()
        self._note(text)
        if decided and decided[-1].by == "person" and decided[-1].decision == "denied" and decided[-1].reason:
            self._answer(self.session.correct, decided[-1].reason)
            return
        self._offer(answer)
        if self.memory:
            self.memory.ask()

    def _offer(self, answer: Answer) -> None:
        """After two corrections of one thing: a model can be taught these tools."""
        from toolmend.training.teach.begun import corrected_times

        if corrected_times(answer, self.session) == TWICE and (self.world.endswith(".py") or ":" in self.world):
            view.print_told(
                f"Twice wrong at the same thing. When it is right, /teach writes it down as the first sentences for "
                f"`toolmend teach {self.world}`, which makes a model for these tools.",
                self.console,
            )

    def _memory(self, rest: str) -> None:
        if self.memory is None:
            raise BadOption("this talk remembers nothing; start it with --memory NAME")
        self.memory.command(rest)

    def _teach(self, _rest: str) -> None:
        from toolmend.training.teach.begun import write_begun

        path, count = write_begun(self.session, self.careful, self.world)
        view.print_told(f"{path}: {count} more. Five sentences a tool, then: toolmend teach {self.world}", self.console)

    def _hear(self, event: Event) -> None:
        self.events.append(event)
        self.careful.hear(event)
        if isinstance(event, Asked) and event.routed.startswith("router"):
            view.print_verdict(event, self.session, self.console)
        elif isinstance(event, Guarded):
            view.print_notice(event, self.console)
        elif isinstance(event, Replied) and event.unmet:
            view.print_told(f"not kept to: {'; '.join(event.unmet)}", self.console)

    def _print_change(self) -> None:
        """What changed of the world, if anything did: all of it where it is short."""
        shown = view.world(self.session.tools)
        if shown is not None and shown != self._shown:
            view.print_change(self.world, self._shown or "", shown, self.console)
            self._shown = shown
            if self.home:
                self.home.save(self.session.tools)

    def _print_world(self) -> None:
        self._shown = view.world(self.session.tools)
        if self._shown is None:
            raise BadOption(f"the toolbox {self.world} has no state to show")
        view.print_world(self.world, self._shown, self.console)

    def _export(self, name: str) -> None:
        if Path(name).suffix not in (".json", ".ics") or name.startswith("caldav+"):
            raise BadOption("/export needs a file name that ends in .json or .ics (a calendar)")
        home_of(name).save(self.session.tools)
        self.console.print(f"written: {name}", style="dim")
