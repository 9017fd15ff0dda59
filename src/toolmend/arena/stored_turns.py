"""One turn of a talk as it is kept: what was said, its events, its grade, the world after it. With a JSON form."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from toolmend.arena import world
from toolmend.arena.asking import decision_views
from toolmend.arena.views import TurnView, WorldView
from toolmend.arena.wording import called, in_words, steps_of
from toolmend.events import (
    Asked,
    Called,
    Corrected,
    Decided,
    Event,
    Guarded,
    Marked,
    Read,
    Replied,
    Undone,
    from_json,
    to_json,
)
from toolmend.grading import Grade, Turn, mark_history
from toolmend.mistakes import Correction, Mark
from toolmend.reading.origins import origins
from toolmend.session import Question, Verdict


@dataclass(frozen=True, slots=True)
class KeptTurn:
    """`step` is the case's step that the turn belongs to, None without one. `wires` are its raw exchanges, in order."""

    events: tuple[Event, ...]
    world: WorldView
    step: int | None = None
    wires: tuple[tuple[str, str], ...] = ()

    @property
    def asked(self) -> Asked:
        """What was said."""
        return next(event for event in self.events if isinstance(event, Asked))

    @property
    def replied(self) -> tuple[Replied, ...]:
        """What models answered."""
        return tuple(event for event in self.events if isinstance(event, Replied))

    @property
    def calls(self) -> tuple[Called, ...]:
        """The calls that were made, those too that a tool refused."""
        return tuple(event for event in self.events if isinstance(event, Called))

    @property
    def given(self) -> bool:
        """Whether the reply was brought along instead of asked for."""
        return any(event.model == "given" for event in self.replied)

    @property
    def mended(self) -> bool:
        """Whether a correction was mended without leaving it all to the model."""
        return any(isinstance(event, Guarded) and event.guard == "mended" for event in self.events)

    @property
    def correction(self) -> Correction | None:
        """The correction that was said; None for a request. What a router took for one counts."""
        found = next((event.correction for event in self.events if isinstance(event, Corrected)), None)
        routed = self.asked.amends is not None and self.asked.routed.startswith("router")
        return found or (Correction(self.asked.text) if routed else None)

    @property
    def said(self) -> str | Correction:
        """What was said, as a session takes it to say it again."""
        found = next((event.correction for event in self.events if isinstance(event, Corrected)), None)
        return found or self.asked.text

    @property
    def marked(self) -> Marked:
        """How the reply was graded by itself."""
        return next((event for event in self.events if isinstance(event, Marked)), Marked(self.asked.turn, ()))

    @property
    def errors(self) -> tuple[str, ...]:
        """What tools answered instead of doing it."""
        return tuple(event.result.error for event in self.calls if event.result.error is not None)

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        data: dict[str, Any] = {"events": [to_json(event) for event in self.events]}
        return data | {"world": world.to_json(self.world), "step": self.step, "wires": [list(w) for w in self.wires]}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> KeptTurn:
        """What `to_json` wrote."""
        wires = tuple((sent, came) for sent, came in data["wires"])
        return cls(tuple(map(from_json, data["events"])), world.from_json(data["world"]), data["step"], wires)


@dataclass(frozen=True, slots=True)
class StoppedAt:
    """A question in the middle of a turn, with the turn's `events` and raw exchanges until then: whoever has these can
    go on from there in another process."""

    question: Question
    events: tuple[Event, ...]
    wires: tuple[tuple[str, str], ...]

    def decided(self, verdict: Verdict) -> Decided:
        """The answer as an event."""
        about = self.question
        decision = "allowed" if verdict.allowed else "denied"
        return Decided(about.turn, about.call, about.effect, decision, verdict.by, verdict.reason, about.preview)

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        asked = to_json(self.decided(Verdict(False, by="nobody")))
        return {"id": self.question.id, "asked": asked, "events": [to_json(event) for event in self.events]} | {
            "wires": [list(w) for w in self.wires]
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> StoppedAt:
        """What `to_json` wrote."""
        asked = from_json(data["asked"])
        assert isinstance(asked, Decided)
        effect: Any = asked.effect  # events keep it as text
        question = Question(asked.turn, asked.call, effect, asked.preview, id=data["id"])
        return cls(question, tuple(map(from_json, data["events"])), tuple((s, c) for s, c in data["wires"]))


@dataclass(frozen=True, slots=True)
class Waiting:
    """Something that was said and has no answer yet, or none any more: it was stopped, or the process was. `at` is the
    question that its turn has come to."""

    text: str
    correction: bool
    at: StoppedAt | None = None


def folded(rows: Iterable[tuple[str, Mapping[str, Any]]]) -> tuple[list[KeptTurn], Waiting | None]:
    """The turns that stand after everything that was done, and what was said last without an answer."""
    turns: list[KeptTurn] = []
    waiting: Waiting | None = None
    for kind, body in rows:
        if kind in ("question", "decided", "withdrawn"):  # what was said waits on
            waiting = waiting and replace(waiting, at=StoppedAt.from_json(body) if kind == "question" else None)
            continue
        waiting = Waiting(body["text"], body["correction"]) if kind == "asked" else None
        if kind == "turn":
            turns.append(KeptTurn.from_json(body))
        elif kind == "undo" and turns:
            turns.pop()
    return turns, waiting


def turn_views(turns: Sequence[KeptTurn], judged_by_case: Sequence[bool]) -> tuple[TurnView, ...]:
    """All turns as they may be shown, marks over the whole talk included."""
    marks = mark_history([_graded(turn) for turn in turns])
    corrected = {turn.asked.amends: turn.asked.turn for turn in turns if turn.asked.amends is not None}
    undone = {turn.asked.amends for turn in turns if _took_back(turn)}
    return tuple(
        _view(turn, marks[n], judged_by_case[n], corrected.get(turn.asked.turn), turn.asked.turn in undone)
        for n, turn in enumerate(turns)
    )


def _graded(turn: KeptTurn) -> Turn:
    marked = turn.marked
    return Turn(Grade(marked.mistakes, marked.valid_call, marked.marks), turn.correction, turn.step or 0)


def _took_back(turn: KeptTurn) -> bool:
    """Whether the turn undid the calls of the one it amends, and did not put them back."""
    last = next((event for event in reversed(turn.events) if isinstance(event, Undone)), None)
    return last is not None and not last.redone


def _told(turn: KeptTurn) -> str:
    """What the person was told: the last reply, where nothing was said instead of it."""
    return _computed(turn) or (turn.replied[-1].text if turn.replied else "")


def _computed(turn: KeptTurn) -> str:
    """What was said instead of the last reply; "" where nothing was."""
    return next((event.told for event in reversed(turn.events) if isinstance(event, Read)), "")


def answers_to(question: str) -> tuple[tuple[str, str], ...]:
    """What can be answered to a question that was computed ("At 07:00 or 19:00?", "Which is right? 1: … 2: …"): each
    answer as it is shown, and as it is said."""
    if numbered := re.findall(r"(\d): (.+?)\.(?= \d: | Or say )", question):
        return tuple((shown, number) for number, shown in numbered)
    if not question.endswith("?") or " or " not in question:
        return ()
    answers = re.split(r", | or ", question[0].lower() + question[1:-1])
    return tuple((answer, answer) for answer in answers)


def _view(turn: KeptTurn, marks: tuple[Mark, ...], by_case: bool, corrected_by: int | None, undone: bool) -> TurnView:
    replied = turn.replied
    # That a tool took a call does not make it right: without a case no reply is marked as correct.
    shown = marks if by_case else tuple(mark for mark in marks if mark is not Mark.CORRECT)
    return TurnView(
        turn.asked.turn,
        turn.asked.text,
        _told(turn),
        tuple(called(event.call) for event in turn.calls),
        shown,
        tuple(in_words(mistake) for mistake in turn.marked.mistakes),
        corrected_by,
        turn.asked.amends,
        undone,
        steps_of(turn.events, turn.wires),
        "case" if by_case else "tool",
        turn.correction is not None,
        turn.given,
        turn.errors,
        sum(event.usage.input_tokens + event.usage.output_tokens for event in replied),
        round(sum(event.usage.seconds for event in replied), 3),
        decision_views(turn.events),
        tuple(line for event in turn.calls for line in origins(event.call)),
        () if turn.calls else answers_to(_computed(turn)),
    )
