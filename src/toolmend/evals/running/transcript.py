"""A talk that somebody wrote down, played again from a file: its replies are graded, none is asked for.

    # source: where the talk stands, and its date
    > Add a meeting with Fred on Nov 11 at 5PM
    action.add_calendar_entry("Meeting with Fred", date="2023-11-11", time="17:00", duration=30)

What was said begins with `> `; the lines below it are the reply. A suite's request is known by its words; anything
else corrects the reply before it. Knows no storage and no screen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path

from toolmend.base.errors import BadFile, BadOption
from toolmend.base.events import Event, Finished, Marked
from toolmend.base.mistakes import Correction, Mistake
from toolmend.evals.running.play import judge
from toolmend.evals.store import Sample
from toolmend.evals.suites.suite import Case, Suite
from toolmend.grading import Grade, GradedTurn, mark_history
from toolmend.grading.worlds import Seen
from toolmend.language.corrections import name_first
from toolmend.language.corrections.blame import blamed
from toolmend.models.scripted import Scripted
from toolmend.session import Answer, Session
from toolmend.tools import Toolbox


@dataclass(frozen=True)
class WrittenTalk:
    """What was said and what came back, in order; `about` is the head of the file (`source`, `who` …)."""

    about: Mapping[str, str]
    turns: tuple[tuple[str, str], ...]


def read_talk(path: Path) -> WrittenTalk:
    """The talk of a file. Raises BadFile where it cannot be read, or says nothing."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BadFile(path, f"cannot be read ({error})") from error
    about: dict[str, str] = {}
    turns: list[tuple[str, list[str]]] = []
    for number, line in enumerate(lines, 1):
        if line.startswith("> "):
            turns.append((line[2:].strip(), []))
        elif turns:
            turns[-1][1].append(line)
        elif line.startswith("#"):
            key, _, value = line[1:].partition(":")
            about[key.strip()] = value.strip()
        elif line.strip():
            raise BadFile(path, "is before the first line that was said, which begins with '> '", number)
    if not turns:
        raise BadFile(path, "no line begins with '> ', so nobody says anything")
    return WrittenTalk(about, tuple((said, "\n".join(reply).strip()) for said, reply in turns))


def published_talk(suite: str) -> Path:
    """The file of the talk that was published with a shipped suite. Raises BadFile where there is none."""
    path = Path(str(files("toolmend.evals.suites.shipped").joinpath("published", f"{suite}.txt")))
    if not path.exists():
        raise BadFile(path.name, f"no talk was published with suite {suite!r}: name the file of one")
    return path


async def replay(talk: WrittenTalk, suite: Suite) -> tuple[Sample, Toolbox]:
    """The talk as a sample of the case whose requests it has most of, and the world that it leaves.

    The calls of its replies are run and undone as in any talk, and graded by what the case expects; a request that the
    talk leaves out is left out. Raises BadOption where no line that was said is a request of the suite.
    """
    heard = {_plain(said) for said, _ in talk.turns}
    name, case = max(suite.cases().items(), key=lambda item: sum(_plain(step.say) in heard for step in item[1].steps))
    if not any(_plain(step.say) in heard for step in case.steps):
        raise BadOption(f"nothing that is said there is a request of suite {suite.name!r}, in the words of its file")
    player = _Replay(case, suite.toolbox(case), suite.reminder(talk.about.get("who", "")))
    for said, reply in talk.turns:
        await player.turn(said, reply)
    return Sample(name, talk.about.get("who", "a written talk"), "given", events=player.finished()), player.tools


def _plain(said: str) -> str:
    return " ".join(said.casefold().split())


@dataclass
class _Replay:
    """The talk so far: `step` is the place of the last request, `turns` what was graded."""

    case: Case
    tools: Toolbox
    reminder: str
    step: int = -1
    events: list[Event] = field(default_factory=list)
    answers: dict[int, Answer] = field(default_factory=dict)  # the last one of each step
    turns: list[GradedTurn] = field(default_factory=list)

    def __post_init__(self) -> None:
        silent = Scripted(["-"], "given")  # never asked: every reply is given
        self.session = Session(silent, self.tools, "oneline", mend=False, sink=self.events.append)
        self.before = self.tools.state()

    async def turn(self, said: str, reply: str) -> None:
        """Say it, take the reply, grade it."""
        words = _plain(said.removesuffix(self.reminder))
        later = range(self.step + 1, len(self.case.steps))
        place = next((place for place in later if _plain(self.case.steps[place].say) == words), None)
        if place is None and self.step < 0:
            raise BadOption(f"the talk begins with {said!r:.60}, which is no request of {self.case.id!r}")
        correction = None
        if place is None:
            place, correction = self.step, Correction(said, mistake=_named(said, self.turns[-1].grade.mistakes))
            answer = await self.session.play(correction, self.answers[place], reply=reply)
        else:
            amends, self.before = self.case.steps[place].amends, self.tools.state()
            answer = await self.session.play(said, self.answers.get(-1 if amends is None else amends), reply=reply)
        self.step, self.answers[place] = place, answer
        self.turns.append(GradedTurn(self._grade(answer), correction, place))

    def _grade(self, answer: Answer) -> Grade:
        step = self.case.steps[self.step]
        seen = Seen(self.before, self.tools.state(), answer.reading.rest)
        return judge(step, answer.reading, self.tools.specs, step.world.mistakes(seen) if step.world else (), bare=True)

    def finished(self) -> tuple[Event, ...]:
        """All events, the marks over the whole talk and the end behind them."""
        marked = [
            Marked(number, marks, turn.grade.mistakes, turn.grade.valid_call, turn.step)
            for number, (turn, marks) in enumerate(zip(self.turns, mark_history(self.turns), strict=True))
        ]
        return (*self.events, *marked, Finished())


def _named(said: str, mistakes: Sequence[Mistake]) -> Mistake | None:
    """The mistake that a correction is about: that of the argument it blames, else the one that is named first."""
    argument = blamed(said, {mistake.argument for mistake in mistakes if mistake.argument})
    return next((mistake for mistake in mistakes if argument and mistake.argument == argument), name_first(mistakes))
