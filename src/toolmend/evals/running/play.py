"""Plays one case with one contestant: asks, grades, corrects, tries branches, gives up when it is no use.

After the first reply of every step the branches are tried: another sentence is said, the reply graded, and the turn
undone, so that a correction and its control follow the very same reply (docs/measures.md). Knows no storage, no report.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from toolmend.base.events import Asked, Event, Finished, Guarded, Looked, Marked, Replied, Sink, Tried
from toolmend.base.messages import Call, ToolSpec, Usage
from toolmend.base.mistakes import Correction, Kind, Mark, Mistake
from toolmend.evals.running.simulated_user import User
from toolmend.evals.suites.suite import Case, Experiment, Step
from toolmend.grading import Grade, GradedTurn, grade, mark_history
from toolmend.grading.worlds import Seen, joined
from toolmend.language.corrections import Pool
from toolmend.reading import Reading, read, read_python
from toolmend.session import Answer, Session
from toolmend.session.answer import settled

SessionMaker = Callable[[Sink], Session]


@dataclass
class _Played:
    """One reply with its grade and what led to it."""

    answer: Answer
    grade: Grade
    step: int
    correction: Correction | None = None


async def play(
    make: SessionMaker,
    case: Case,
    experiment: Experiment,
    seed: int,
    reminder: str = "",
    pool: Pool | None = None,
) -> tuple[Event, ...]:
    """Every event of one sample, `Finished` last. Raises ModelError when the model cannot answer at all.

    `reminder` ends everything that is said: requests (those of gold history too), corrections, branches. `pool` has the
    wordings of corrections.
    """
    events: list[Event] = []

    def hear(event: Event) -> None:
        events.append(replace(event, reminder=reminder) if reminder and isinstance(event, Asked) else event)

    session = make(hear)
    wording = seed if pool is None else zlib.crc32(f"{case.id}|{seed}".encode()) // 1000  # another for each case
    player = _Player(session, case, experiment, User(session.tools.specs, wording, reminder, pool), events)
    await player.run()
    return tuple(events)


class _Player:
    def __init__(self, session: Session, case: Case, experiment: Experiment, user: User, events: list[Event]) -> None:
        self.session, self.case, self.experiment, self.user, self.events = session, case, experiment, user, events
        self.undoable = all(session.tools.can_undo(Call(spec.full_name)) for spec in session.tools.specs)
        self.finals: list[Answer] = []
        self.played: list[_Played] = []
        self.before: Any = None

    async def run(self) -> None:
        """Every step in turn, then the marks, then the end."""
        burnt, reason = 0, "done"
        for number, step in enumerate(self.case.steps):
            target = None if step.amends is None else self.finals[step.amends]
            if self.experiment.history == "gold" and number < len(self.case.steps) - 1:
                self.finals.append(await self.session.play(self.user.say(step.say), target, reply=step.reference))
                continue
            last = await self._step(step, number, target)
            self.finals.append(last.answer)
            burnt = burnt + 1 if last.grade.marks == (Mark.GARBAGE, Mark.GARBAGE) else 0
            if burnt == 2 and number < len(self.case.steps) - 1:
                reason = "gave_up"
                break
        self._mark()
        self.events.append(Finished(reason))

    async def _step(self, step: Step, number: int, target: Answer | None) -> _Played:
        """First reply, branches, corrections; the last reply of the step. All are judged by the world before it."""
        self.before = self.session.tools.state() if step.world else None
        answer = await self.session.play(self.user.say(step.say), target, reply=step.given)
        last = self._graded(answer, step, number, None)
        for round_ in range(self.experiment.corrections + 1):
            correction = await self._correction(step, last) if round_ < self.experiment.corrections else None
            if round_ == 0:
                await self._branches(step, last, skip=correction.level if correction else None)
            if correction is None:
                break
            last = self._graded(await self.session.play(correction, last.answer), step, number, correction)
        return last

    async def _correction(self, step: Step, last: _Played) -> Correction | None:
        """What the conversation itself says to a wrong reply, at the headline level; of the answers that are offered
        with a question the right one, by its number; else, asked what it should be or once more, the value."""
        if not last.grade.mistakes:
            return None
        if self.session.offers and self.undoable:
            place = await self._right_offer(step, last.answer)
            self.events.append(Guarded(last.answer.turn, "offered", str(place)))
            if place:
                return Correction(str(place))
        due = asked_for(step, last.answer, self.session.tools.specs)
        mistakes, asks = self._spoken_of(step, last), self._asks or (due is not None and last.correction is not None)
        level = 3 if asks else self.user.headline(mistakes, recoverable=step.recoverable, asked=due)
        return self.user.correct(mistakes, level, len(self.played), due)

    @property
    def _asks(self) -> bool:
        """Whether the ladder has just asked the person what it should be."""
        return self.session.mender is not None and self.session.mender.speaks

    def _spoken_of(self, step: Step, last: _Played) -> Sequence[Mistake]:
        """What is wrong with a reply; where the ladder asks, what is wrong with the calls that it asks about: first of
        all what was corrected."""
        about = settled(last.answer, self.session.answers, lambda call: True) if self._asks else None
        if about is None or not about.standing:
            return last.grade.mistakes
        wrong = self._grade(replace(last.answer, reading=Reading(about.standing)), step).mistakes
        named = last.correction.mistake if last.correction else None
        same = [one for one in wrong if named and (one.argument, one.expected) == (named.argument, named.expected)]
        return same or wrong or last.grade.mistakes

    async def _right_offer(self, step: Step, question: Answer) -> int:
        """The place of the offered answer that is right, 0 if none is. Each is tried and taken back, unheard."""
        sink, self.session.sink = self.session.sink, None
        try:
            for place in range(1, len(self.session.offers) + 1):
                answer = await self.session.play(str(place), question)
                right = not self._grade(answer, step).mistakes
                await self.session.aundo()
                if right:
                    return place
        finally:
            self.session.sink = sink
        return 0

    def _graded(self, answer: Answer, step: Step, number: int, correction: Correction | None) -> _Played:
        played = _Played(answer, self._grade(answer, step), number, correction)
        self.played.append(played)
        if step.world is not None:
            seen = self._seen(answer)
            beside = {name: check.holds(seen.before, seen.after) for name, check in step.beside.items()}
            right = not step.world.mistakes(seen)
            self.events.append(Looked(answer.turn, seen.before, seen.after, right, seen.words, beside))
        return played

    def _grade(self, answer: Answer, step: Step) -> Grade:
        """The calls, and apart from them the world."""
        world = [] if step.world is None else step.world.mistakes(self._seen(answer))
        session = self.session
        return judge(step, answer.reading, session.tools.specs, world, bare=session.strategy.bare)

    def _seen(self, answer: Answer) -> Seen:
        """The world before the request and now, and what was said beside the calls."""
        reading = read(answer.text, self.session.tools.specs)
        return Seen(self.before, self.session.tools.state(), reading.rest if reading.calls else answer.text)

    async def _branches(self, step: Step, last: _Played, skip: int | None) -> None:
        """Every branch that fits the reply. None where a tool cannot be undone: what it did would stay.

        A level is left out where the conversation itself is at it (`skip`), and where this mistake has no words at it.
        """
        for arm in self.experiment.branches if self.undoable else ():
            if arm == "false":
                if last.grade.mistakes or not last.answer.standing:
                    continue
                correction = self.user.doubt(last.answer.standing[0], len(self.played))
            else:
                level = int(arm.removeprefix("level "))
                if not last.grade.mistakes or level == skip:
                    continue
                due = asked_for(step, last.answer, self.session.tools.specs)
                correction = self.user.correct(self._spoken_of(step, last), level, len(self.played), due)
                if correction.level != level:
                    continue
            await self._try(arm, correction, step, last)

    async def _try(self, arm: str, correction: Correction, step: Step, last: _Played) -> None:
        """Say it, grade the reply, and take the turn back."""
        heard: list[Event] = []
        sink, self.session.sink = self.session.sink, heard.append
        try:
            answer = await self.session.play(correction, last.answer)
            graded = self._grade(answer, step)
            choice = await self._right_offer(step, answer) if self.session.offers else 0
            await self.session.aundo()
        finally:
            self.session.sink = sink
        exchange, cached, usage = _heard(heard)
        replies = [event for event in heard if isinstance(event, Replied)]
        how = [event.detail for event in heard if isinstance(event, Guarded) and event.guard == "mended"]
        self.events.append(
            Tried(
                last.answer.turn,
                arm,
                correction,
                answer.text,
                graded.marks,
                graded.mistakes,
                last.grade.mistakes,
                graded.valid_call,
                usage,
                exchange,
                cached,
                len(replies),
                replies[-1].calls if replies else (),
                how[-1] if how else "",
                choice,
                answer.redone,
            )
        )

    def _mark(self) -> None:
        """Marks over the whole conversation, known only at its end: what recurs is marked from the first time on."""
        turns = [GradedTurn(p.grade, p.correction, p.step) for p in self.played]
        for played, marks in zip(self.played, mark_history(turns), strict=True):
            graded = played.grade
            self.events.append(Marked(played.answer.turn, marks, graded.mistakes, graded.valid_call, played.step))


def judge(step: Step, reading: Reading, specs: Sequence[ToolSpec], world: Sequence[Mistake], *, bare: bool) -> Grade:
    """The grade of a reading; `world` is what is wrong with the world after it, `bare` whether words are chatter."""
    wordy = step.world is not None and step.world.wordy
    graded = grade(reading, replace(step.expected, bare=bare and not wordy), specs)
    return joined(graded, reading, world, step.reference.partition("(")[0] or None)


def asked_for(step: Step, answer: Answer, specs: Sequence[ToolSpec]) -> Mistake | None:
    """The argument that a needless question is about, as one that is missing in the call that is due: a thing that was
    not found is named by the first. None where no question waits, or about something else."""
    if answer.open is None:
        return None
    question = answer.open.question
    things = [thing for thing in question.candidates if isinstance(thing, Mapping)]
    for call in read_python(step.reference, specs, lenient=False).calls:
        apart = (name for name in call.arguments if len({str(thing.get(name)) for thing in things}) > 1)
        named = None if things or question.reason.startswith("there is nothing") else next(iter(call.arguments), None)
        name = question.argument if question.argument in call.arguments else next(apart, named)
        if name:
            return Mistake(Kind.MISSING_ARGUMENT, name, call.tool, call.arguments[name])
    return None


def _heard(events: Sequence[Event]) -> tuple[str, bool, Usage]:
    """Of a branch: the key of its last exchange, whether no model was asked, and what was used (or saved) by that."""
    replies = [event for event in events if isinstance(event, Replied)]
    asked = [event for event in replies if not event.cached]
    usage = sum((event.usage for event in asked or replies), Usage())
    return replies[-1].exchange if replies else "", bool(replies) and not asked, usage
