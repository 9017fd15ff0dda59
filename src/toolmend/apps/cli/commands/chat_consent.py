"""The question whether a call may run, put to whoever sits at the terminal, or to the next line that is piped in."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import click
from rich.console import Console

from toolmend.apps.cli.commands.chat_view import written
from toolmend.apps.cli.kit.screen import plain
from toolmend.base.portal import in_caller
from toolmend.session.approval import ApprovalRequest, Asker, Verdict
from toolmend.tools import Toolbox

_ANSWER = re.compile(r"\s*(?:yes|y|no|n|always)\b", re.IGNORECASE)


def asking(
    box: Callable[[], Toolbox],
    answer: Callable[[], str | None],
    console: Console,
    always: Callable[[str], None] = lambda _: None,
) -> Asker:
    """Who is asked: `answer` gives the next line, None if there is none. `always` hears the tool that may run from now
    on. Anything but y, yes or always is a no, and its words are the reason that the model is told (Verdict.of)."""

    async def ask(question: ApprovalRequest) -> Verdict:
        _print(f"  {written(question.call, box())}  [{question.effect}]", console, "bold")
        for line in question.preview.splitlines():
            _print(f"    {line}", console)
        for doubt in question.doubts:
            _print(f"    ? {doubt}", console, "yellow")
        said = await in_caller(answer)  # where a Ctrl-C arrives
        if said is None:
            if not console.is_terminal:
                _print("    a line with y after it, or --approve allow, would let it run", console)
            return Verdict(False, "nobody answered", by="nobody")
        if said.strip().lower() == "always":
            always(question.call.tool)
            return Verdict(True)
        return Verdict.of(said)

    return ask


def _print(line: str, console: Console, style: str | None = None) -> None:
    console.print(plain(line), style=style, soft_wrap=True, markup=False, highlight=False)


class Piped:
    """Lines that are piped in. The one after a question is its answer if it looks like one; else it is the next thing
    said, and nobody has answered."""

    def __init__(self, lines: Iterator[str]) -> None:
        self._lines, self._held = lines, list[str]()

    def __iter__(self) -> Piped:
        return self

    def __next__(self) -> str:
        return self._held.pop() if self._held else next(self._lines)

    def answer(self) -> str | None:
        """The answer, None where none was given."""
        line = next(self._lines, None)
        if line is None or _ANSWER.match(line):
            return line
        self._held.append(line)
        return None


def typed() -> str | None:
    """A line typed at the question; None for Ctrl-D. A Ctrl-C ends the turn."""
    try:
        return input("  run it? [y/N/always, or what is wrong] ")
    except EOFError:
        click.echo()
        return None
    except KeyboardInterrupt:
        click.echo()
        raise
