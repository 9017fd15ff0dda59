"""A stored sample read and graded anew: nothing is asked and nothing is run.

Every turn is driven as the session drives it, with the recorded replies for a model and the recorded results for tools.
A reply that is judged otherwise now leaves out the branches that no longer fit it. Knows no store.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from toolmend.evals.running.scorer import judge
from toolmend.evals.suites.suite import Case
from toolmend.events import Asked, Called, Corrected, Event, Finished, Guarded, Looked, Marked, Read, Replied, Tried
from toolmend.grading import Grade, Turn, mark_history
from toolmend.grading.worlds import Seen
from toolmend.messages import Call, CallResult, Message, Reply, ToolSpec
from toolmend.mistakes import Kind, Mark, Mistake
from toolmend.models.model import OnDelta
from toolmend.reading import Reading
from toolmend.reading.reading import Problem
from toolmend.session import Limits
from toolmend.session.standing import Standing
from toolmend.session.turn import Turn as Driven
from toolmend.store import Sample
from toolmend.strategies import Ask, Strategy, Talk
from toolmend.tools import Toolbox

_NOT_MADE = "not run: this call was not made when the sample was played"


@dataclass(frozen=True)
class Grader:
    """What is graded with: today's strategy, tools, and how much is forgiven."""

    strategy: Strategy
    specs: tuple[ToolSpec, ...]
    system: str | None = None
    lenience: str = "default"


@dataclass(frozen=True, slots=True)
class Change:
    """A reply that is marked otherwise than before. `arm` names the branch, "" for a reply of the talk itself."""

    case: str
    model: str
    strategy: str
    attempt: int
    step: int
    arm: str
    text: str
    before: tuple[tuple[Mark, ...], tuple[str, ...]]
    after: tuple[tuple[Mark, ...], tuple[str, ...]]


@dataclass(frozen=True)
class Reread:
    """A sample with its new marks, how many replies were graded, and what changed.

    `dropped` branches no longer follow a reply that they fit; `unread` ones could only be left as they were.
    """

    sample: Sample
    replies: int
    changes: tuple[Change, ...]
    dropped: int = 0
    unread: int = 0


def fits(sample: Sample, case: Case) -> bool:
    """Whether a sample was asked what the case asks today, step by step: only then can its replies be graded by it."""
    corrections = {event.turn for event in sample.events if isinstance(event, Corrected)}
    asked = [event.text for event in sample.events if isinstance(event, Asked) and event.turn not in corrections]
    ended = next((event.reason for event in sample.events if isinstance(event, Finished)), "done")
    if len(asked) > len(case.steps) or (ended == "done" and len(asked) < len(case.steps)):
        return False
    return all(step.say in words for step, words in zip(case.steps, asked, strict=False))  # a reminder may follow


async def reread(sample: Sample, case: Case, grader: Grader) -> Reread | None:
    """A sample read and graded anew; None where the strategy asks for more replies than were recorded."""
    try:
        return await _Again(sample, case, grader).all()
    except _MoreAsked:
        return None


class _MoreAsked(Exception):
    """The strategy wants a reply that was never given."""


class _Again:
    """The turns of one sample, and what today's reader and grader make of them."""

    def __init__(self, sample: Sample, case: Case, grader: Grader) -> None:
        self.sample, self.case, self.grader = sample, case, grader
        self.asked = {event.turn: event for event in sample.events if isinstance(event, Asked)}
        self.corrected = {event.turn: event.correction for event in sample.events if isinstance(event, Corrected)}
        self.looked = {event.turn: event for event in sample.events if isinstance(event, Looked)}
        self.step_of = {marked.turn: marked.step or 0 for marked in sample.marked}
        self.replies: dict[int, list[Replied]] = defaultdict(list)
        self.reads: dict[int, list[Read]] = defaultdict(list)
        self.called: dict[int, list[Called]] = defaultdict(list)
        self.mended: set[int] = set()
        for event in sample.events:
            if isinstance(event, Replied):
                self.replies[event.turn].append(event)
            elif isinstance(event, Read):
                self.reads[event.turn].append(event)
            elif isinstance(event, Called):
                self.called[event.turn].append(event)
            elif isinstance(event, Guarded) and event.guard == "mended":
                self.mended.add(event.turn)
        self.changes: list[Change] = []
        self.dropped = self.unread = 0

    async def all(self) -> Reread:
        """The sample with its new readings, marks and branches."""
        readings = {turn: await self._read(turn, self._talk(turn), self.replies[turn]) for turn in self.asked}
        marked = self._marked({turn: reading for turn, (reading, _) in readings.items()})
        tried = {
            id(event): await self._tried(event, marked) for event in self.sample.events if isinstance(event, Tried)
        }
        events = tuple(self._events({turn: iter(reads) for turn, (_, reads) in readings.items()}, marked, tried))
        count = sum(isinstance(event, (Marked, Tried)) for event in events)
        made = replace(self.sample, events=events)
        return Reread(made, count - self.unread, tuple(self.changes), self.dropped, self.unread)

    def _marked(self, readings: Mapping[int, Reading]) -> dict[int, Marked]:
        grades = {turn: self._grade(readings[turn], turn, self._world(turn)) for turn in self.step_of}
        turns = [Turn(each, self.corrected.get(turn), self.step_of[turn]) for turn, each in grades.items()]
        return {
            turn: Marked(turn, marks, each.mistakes, each.valid_call, self.step_of[turn])
            for (turn, each), marks in zip(grades.items(), mark_history(turns), strict=True)
        }

    def _talk(self, turn: int) -> tuple[Message, ...]:
        """What was said up to a turn, its request included."""
        messages: list[Message] = []
        for number in sorted(each for each in self.asked if each < turn):
            messages += [Message("user", self.asked[number].text), self._answer(number)]
        return (*messages, Message("user", self.asked[turn].text))

    def _answer(self, turn: int) -> Message:
        text = self.replies[turn][-1].text if self.replies[turn] else ""
        called = self.called[turn]
        results = tuple(each.result for each in called)
        return Message("assistant", text, tuple(each.call for each in called), results=results)

    async def _read(
        self, turn: int, messages: tuple[Message, ...], replies: Sequence[Replied]
    ) -> tuple[Reading, list[Read]]:
        """What counts of a turn, and every reading in it. Raises _MoreAsked.

        What a strategy computed from a world that is gone is taken as it was, and so is what was mended.
        """
        computed = getattr(self.grader.strategy, "computes", False) and replies and replies[0].model != "given"
        if computed or turn in self.mended:
            reads = self.reads[turn]
            last = reads[-1] if reads else Read(turn, rest=replies[-1].text if replies else "")
            broken = last.problem == "syntax"
            problem: Problem | None = "syntax" if broken else None if last.calls else "no_call"
            return Reading(last.calls, last.rest, last.leniencies, problem), reads
        said: list[Event] = []
        limits = Limits()
        standing = Standing(_Past(self.grader.specs, self.called[turn]), said.append, limits)
        driven, waiting = Driven(turn, standing, (), limits), iter(replies)

        async def ask(step: Ask, on_delta: OnDelta | None) -> Reply:
            reply = next(waiting, None)
            if reply is None:
                raise _MoreAsked
            return _reply(reply)

        if replies and replies[0].model == "given":
            await driven.give(replies[0].text)
        else:
            await driven.drive(
                self.grader.strategy.turn(Talk(self.grader.specs, messages, self.grader.system)), ask, None
            )
        calls = [each for read in self.reads[turn] for each in read.calls]
        return driven.reading, [_as_recorded(event, calls) for event in said if isinstance(event, Read)]

    def _grade(self, reading: Reading, turn: int, world: Sequence[Mistake]) -> Grade:
        """The calls read anew, and what is wrong with the world."""
        step = self.case.steps[self.step_of[turn]]
        grader = self.grader
        return judge(step, reading, grader.specs, world, bare=grader.strategy.bare, lenience=grader.lenience)

    def _world(self, turn: int) -> tuple[Mistake, ...]:
        """What is wrong with the world as it was recorded after a turn, by today's checks."""
        world, looked = self.case.steps[self.step_of[turn]].world, self.looked.get(turn)
        return world.mistakes(Seen(looked.was, looked.now, looked.words)) if world and looked else ()

    def _events(
        self, fresh: Mapping[int, Iterator[Read]], marked: Mapping[int, Marked], tried: Mapping[int, Tried | None]
    ) -> Iterator[Event]:
        """The sample's events with new ones in place of what was read, marked and tried."""
        for event in self.sample.events:
            if isinstance(event, Read):
                yield from islice(fresh[event.turn], None if event is self.reads[event.turn][-1] else 1)
            elif isinstance(event, Marked):
                self._note(event, marked[event.turn], "", self._answer(event.turn).content)
                yield marked[event.turn]
            elif isinstance(event, Looked):
                yield replace(event, right=not self._world(event.turn))
            elif isinstance(event, Tried):
                if (again := tried[id(event)]) is not None:
                    self._note(event, again, event.arm, event.text)
                    yield again
            else:
                yield event
                if isinstance(event, Replied) and not self.reads[event.turn] and event is self.replies[event.turn][-1]:
                    yield from fresh[event.turn]

    async def _tried(self, event: Tried, marked: Mapping[int, Marked]) -> Tried | None:
        """A branch graded anew; None where it no longer fits the reply it followed."""
        after = marked[event.turn].mistakes
        if (event.arm == "false") == bool(after):
            self.dropped += 1
            return None
        alone = event.replies == 1 and not event.mended and event.turn not in self.mended  # of several the last is kept
        if not alone or getattr(self.grader.strategy, "computes", False):
            self.unread += 1
            return replace(event, after=after)
        said = (*self._talk(event.turn), self._answer(event.turn), Message("user", event.correction.text))
        try:
            reading, _ = await self._read(event.turn, said, [Replied(event.turn, event.text, calls=event.calls)])
        except _MoreAsked:
            self.unread += 1
            return replace(event, after=after)
        graded = self._grade(reading, event.turn, self._left(event))
        return replace(event, marks=graded.marks, mistakes=graded.mistakes, valid_call=graded.valid_call, after=after)

    def _left(self, event: Tried) -> list[Mistake]:
        """What was wrong with the world after a branch: its state is not recorded, so that this stays as it was."""
        free = self.case.steps[self.step_of[event.turn]].expected.free
        kinds = (Kind.WRONG_STATE, Kind.NO_CALL) if free else (Kind.WRONG_STATE,)
        return [mistake for mistake in event.mistakes if mistake.kind in kinds]

    def _note(self, old: Marked | Tried, new: Marked | Tried, arm: str, text: str) -> None:
        before, after = ((each.marks, tuple(map(str, each.mistakes))) for each in (old, new))
        if before != after:
            about = self.sample
            place = (about.case, about.model, about.strategy, about.attempt, self.step_of[old.turn])
            self.changes.append(Change(*place, arm, text, before, after))


class _Past(Toolbox):
    """A toolbox in which nothing happens: a call has the result it had then. What was not called then has an error."""

    def __init__(self, specs: tuple[ToolSpec, ...], called: Sequence[Called]) -> None:
        self._past, self._left = specs, list(called)

    @property
    def specs(self) -> tuple[ToolSpec, ...]:
        """The tools of today."""
        return self._past

    async def run(self, call: Call) -> CallResult:
        """The recorded result of the same call."""
        for place, each in enumerate(self._left):
            if _same(each.call, call):
                return replace(self._left.pop(place).result, call_id=call.id)
        return CallResult(call.id, error=_NOT_MADE)

    def can_undo(self, call: Call) -> bool:
        """Anything: there is nothing to undo."""
        return True

    async def undo(self, call_id: str) -> None:
        """Nothing."""

    async def redo(self, call_id: str) -> None:
        """Nothing."""


def _same(a: Call, b: Call) -> bool:
    return (a.tool, a.arguments) == (b.tool, b.arguments)


def _as_recorded(read: Read, left: list[Call]) -> Read:
    """A reading whose calls are those made then, ids and all; one that was not made then has no id."""
    calls = []
    for call in read.calls:
        found = next((each for each in left if _same(each, call)), None)
        if found is not None:
            left.remove(found)
        calls.append(found or replace(call, id="", amends=None))
    return replace(read, calls=tuple(calls))


def _reply(event: Replied) -> Reply:
    return Reply(
        event.text,
        event.calls,
        event.reasoning,
        event.usage,
        event.finish,  # type: ignore[arg-type]  # an event may be of a toolmend that knows other words
        event.model,
        event.truncated,
    )
