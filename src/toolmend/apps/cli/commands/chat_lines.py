"""What each line of `toolmend chat` does: plain text, or a command that begins with a slash. Draws nothing itself."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from toolmend.apps.cli.commands import chat_view as view
from toolmend.errors import BadFile, BadOption, UnknownName
from toolmend.events import Asked, Event, Guarded

if TYPE_CHECKING:
    from rich.console import Console

    from toolmend.session import Answer, Session

HELP = {
    "TEXT": "say something: a new request, or a correction if the router takes it for one",
    "/correct TEXT": "a correction of the last call for certain; without TEXT: the last message was one",
    "/new TEXT": "a new request for certain; without TEXT: the last message was one",
    "/undo": "take the last message back, with everything it did",
    "/calls": "every call: what it became after which correction",
    "/state": "the calendar, or whatever the tools act on",
    "/export FILE.json|.ics|.svg": "write the calendar, or whatever it is, to a file",
    "/help": "this list",
    "/quit": "leave (so does Ctrl-D)",
}
_WRITERS = {".json": "to_json", ".ics": "to_ics", ".svg": "to_svg"}


class Talk:
    """One talk at a prompt. `take` raises what the session raises; the talk goes on after it."""

    def __init__(self, session: Session, tools: str, console: Console, *, explain: bool = False) -> None:
        """Listen to the session's events; `tools` is the name of its toolbox."""
        self.session, self.console, self.explain = session, console, explain
        self.events: list[Event] = []
        self.world = tools
        self._shown = view.world(session.tools)
        session.sink = self._hear
        self._commands: dict[str, Callable[[str], None]] = {
            "/correct": self._correct,
            "/new": self._new,
            "/undo": self._undo,
            "/calls": lambda _: view.print_calls(self.session, self.console),
            "/state": lambda _: self._print_world(),
            "/export": self._export,
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

    def _undo(self, _rest: str) -> None:
        answer = self.session.undo()
        view.print_taken_back(answer, self.console)
        self._print_change()

    def _answer(self, door: Callable[[str], Answer], text: str) -> None:
        answer = door(text)
        view.print_answer(answer, self.session, self.console, explain=self.explain)
        self._print_change()

    def _hear(self, event: Event) -> None:
        self.events.append(event)
        if isinstance(event, Asked) and event.routed.startswith("router"):
            view.print_verdict(event, self.session, self.console)
        elif isinstance(event, Guarded):
            view.print_notice(event, self.console)

    def _print_change(self) -> None:
        if view.world(self.session.tools) != self._shown:
            self._print_world()

    def _print_world(self) -> None:
        self._shown = view.world(self.session.tools)
        if self._shown is None:
            raise BadOption(f"the toolbox {self.world} has no state to show")
        view.print_world(self.world, self._shown, self.console)

    def _export(self, name: str) -> None:
        path, box = Path(name).expanduser(), self.session.tools
        if path.suffix not in _WRITERS or path.stem == path.suffix:
            raise BadOption("/export needs a file name that ends in .json, .ics (a calendar) or .svg (a map)")
        writer = getattr(box, _WRITERS[path.suffix], None)
        if writer is None and path.suffix != ".json":
            raise BadOption(f"the toolbox {self.world} cannot be written as {path.suffix}; .json works")
        text = str(writer()) if writer else json.dumps(box.state(), ensure_ascii=False, indent=1, default=str)
        try:
            path.write_text(text, encoding="utf-8", newline="")
        except OSError as error:
            raise BadFile(path, f"cannot be written ({error.strerror or error})") from error
        self.console.print(f"written: {path}", style="dim")
