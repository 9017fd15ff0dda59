"""A turn of a talk as it is kept, and as it is shown: in the arena people judge, no reply is graded."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from toolmend.base.errors import BadOption
from toolmend.base.events import (
    Asked,
    Called,
    Corrected,
    Decided,
    Event,
    Guarded,
    Read,
    Refused,
    Replied,
    Undone,
    from_json,
    to_json,
)
from toolmend.base.messages import Call
from toolmend.base.mistakes import Correction
from toolmend.extras.arena import world
from toolmend.extras.arena.views import DecisionView, StepView, TurnView, WorldView
from toolmend.reading import render
from toolmend.reading.origins import origins
from toolmend.session import ApprovalRequest, Verdict


@dataclass(frozen=True, slots=True)
class KeptTurn:
    """Its events, and the world after it."""

    events: tuple[Event, ...]
    world: WorldView

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
    def errors(self) -> tuple[str, ...]:
        """What tools answered instead of doing it."""
        return tuple(event.result.error for event in self.calls if event.result.error is not None)

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        events = [to_json(event) for event in self.events]
        return {"events": events, "world": world.to_json(self.world)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> KeptTurn:
        """What `to_json` wrote."""
        return cls(tuple(map(from_json, data["events"])), world.from_json(data["world"]))


@dataclass(frozen=True, slots=True)
class StoppedAt:
    """A question in the middle of a turn, with the turn's `events` until then: whoever has these can go on from there
    in another process."""

    question: ApprovalRequest
    events: tuple[Event, ...]

    def decided(self, verdict: Verdict) -> Decided:
        """The answer as an event."""
        about = self.question
        decision = "allowed" if verdict.allowed else "denied"
        return Decided(about.turn, about.call, about.effect, decision, verdict.by, verdict.reason, about.preview)

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        asked = to_json(self.decided(Verdict(False, by="nobody")))
        doubts = list(self.question.doubts)
        return {
            "id": self.question.id,
            "asked": asked,
            "doubts": doubts,
            "events": [to_json(event) for event in self.events],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> StoppedAt:
        """What `to_json` wrote."""
        asked: Any = from_json(data["asked"])
        doubts = tuple(data.get("doubts", ()))  # not kept before there were any
        question = ApprovalRequest(asked.turn, asked.call, asked.effect, asked.preview, doubts, data["id"])
        return cls(question, tuple(map(from_json, data["events"])))


@dataclass(frozen=True, slots=True)
class Unanswered:
    """Something that was said and has no answer yet, or none any more: it was stopped, or the process was. `at` is the
    question that its turn has come to."""

    text: str
    correction: bool
    at: StoppedAt | None = None


def folded(rows: Iterable[tuple[str, Mapping[str, Any]]]) -> tuple[list[KeptTurn], Unanswered | None]:
    """The turns that stand after everything that was done, and what was said last without an answer."""
    turns: list[KeptTurn] = []
    waiting: Unanswered | None = None
    for kind, body in rows:
        if kind == "asked":
            waiting = Unanswered(body["text"], body["correction"])
        elif kind in ("question", "decided", "withdrawn"):  # what was said waits on
            waiting = waiting and replace(waiting, at=StoppedAt.from_json(body) if kind == "question" else None)
        else:
            waiting = None
        if kind == "turn":
            turns.append(KeptTurn.from_json(body))
        elif kind == "undo" and turns:
            turns.pop()
    return turns, waiting


def turn_views(turns: Sequence[KeptTurn]) -> tuple[TurnView, ...]:
    """All turns as they may be shown."""
    corrected = {turn.asked.amends: turn.asked.turn for turn in turns if turn.asked.amends is not None}
    undone = {turn.asked.amends for turn in turns if _took_back(turn)}
    return tuple(_view(turn, corrected.get(turn.asked.turn), turn.asked.turn in undone) for turn in turns)


def _took_back(turn: KeptTurn) -> bool:
    """Whether the turn undid the calls of the one it amends, and did not put them back."""
    last = next((event for event in reversed(turn.events) if isinstance(event, Undone)), None)
    return last is not None and not last.redone


def decision_views(events: Sequence[Event]) -> tuple[DecisionView, ...]:
    """The decisions somebody should see: not what the policy lets run anyway."""
    made = [event for event in events if isinstance(event, Decided) and not _usual(event)]
    return tuple(
        DecisionView(called(decided.call), decided.decision, decided.by, decided.reason, decided.preview)
        for decided in made
    )


def _usual(event: Decided) -> bool:
    return event.decision == "allowed" and event.by == "policy"


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


def _view(turn: KeptTurn, corrected_by: int | None, undone: bool) -> TurnView:
    replied = turn.replied
    return TurnView(
        turn.asked.turn,
        turn.asked.text,
        _told(turn),
        tuple(called(event.call) for event in turn.calls),
        corrected_by,
        turn.asked.amends,
        undone,
        tuple(step for event in turn.events for step in _steps(event)),
        True,
        turn.correction is not None,
        turn.given,
        turn.errors,
        sum(event.usage.input_tokens + event.usage.output_tokens for event in replied),
        round(sum(event.usage.seconds for event in replied), 3),
        decision_views(turn.events),
        tuple(line for event in turn.calls for line in origins(event.call)),
        () if turn.calls else answers_to(_computed(turn)),
    )


_ROLES = {"main": "reply", "intent": "intents", "params": "parameters", "summary": "summary", "chat": "words"}
_MOST = 4_000


def called(call: Call) -> str:
    """A call in Python's notation; as JSON where a model made up a name that Python cannot write."""
    try:
        return render(call)
    except BadOption:
        return json.dumps({"tool": call.tool, "arguments": dict(call.arguments)}, ensure_ascii=False, default=str)


def _steps(event: Event) -> Iterator[StepView]:
    """The steps that an event is shown as."""
    if isinstance(event, Replied):
        yield from _replied(event)
    elif isinstance(event, Read):
        lines = [line for call in event.calls for line in (called(call), *origins(call))]
        lines += [f"told: {event.told}"] if event.told and not event.calls else []
        lines += [f"leniently: {', '.join(event.leniencies)}"] if event.leniencies else []
        lines += [f"no call: {event.problem}"] if event.problem else []
        yield StepView("read", "read as", "\n".join(lines))
    elif isinstance(event, Decided):
        if not _usual(event):
            about = "\n".join(filter(None, (called(event.call), event.reason, event.preview)))
            yield StepView("decided", f"{event.decision} by {event.by}", about[:_MOST])
    elif isinstance(event, Called):
        yield from _called(event)
    elif isinstance(event, Refused):
        yield StepView("refused", called(event.call), event.reason[:_MOST])
    elif isinstance(event, Guarded):
        yield StepView("note", event.guard.replace("_", " "), event.detail[:_MOST])


def _replied(event: Replied) -> Iterator[StepView]:
    if event.reasoning:
        yield StepView("thought", "thought", event.reasoning[:_MOST])
    notes = [f"ended: {event.finish}"] if event.finish != "stop" else []
    notes += ["the request was cut to fit"] if event.truncated else []
    notes += [f"not honoured: {option}" for option in event.unmet]
    text = "\n".join([event.text, *(called(call) for call in event.calls), *notes])
    title = _ROLES.get(event.role, event.role) + (f" of {event.model}" if event.model else "")
    tokens = event.usage.input_tokens + event.usage.output_tokens
    yield StepView("reply", title, text[:_MOST], tokens, round(event.usage.seconds, 3))


def _called(event: Called) -> Iterator[StepView]:
    yield StepView("call", called(event.call), "; ".join(event.result.coerced))
    if event.result.error is not None:
        yield StepView("refused", "refused", event.result.error[:_MOST])
    else:
        yield StepView("result", "result", json.dumps(event.result.value, ensure_ascii=False, default=str)[:_MOST])
