"""A question to whoever sits at a side: may this call run? Answered once, or by nobody in time. Knows no screen.

In a battle nobody is asked: a question on one side alone would tell the two apart, and its answer would decide the
vote. A talk that is told again asks nobody, and one that is copied brings its noes along and no yes: a yes counts once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from toolmend.arena.views import DecisionView, QuestionView
from toolmend.arena.wording import called
from toolmend.errors import BadOption, ToolmendError
from toolmend.events import Called, Decided, Event
from toolmend.messages import Call
from toolmend.session import Policy, Question, Verdict
from toolmend.tools import Toolbox

LONGEST_REASON = 500
SECONDS = 600.0
LATE = "that call does not wait any more: it was answered, stopped, or nobody answered in time"


@dataclass(frozen=True, slots=True)
class Terms:
    """Which calls may run in an arena, for how many seconds one waits for a person's yes, and whether corrections are
    understood by their words first."""

    policy: Policy = field(default_factory=Policy)
    seconds: float = SECONDS
    mend: bool = True

    def unasked(self) -> Terms:
        """For battles: what would be asked about is a dry run, for both sides alike."""
        policy = self.policy
        asked = {each: "dry-run" for each in ("read", "write", "danger") if getattr(policy, each) == "ask"}
        return replace(self, policy=replace(policy, **asked))  # type: ignore[arg-type]  # a rule


class Asking:
    """The question of one side, if there is one; `changed` is called when one comes and when it goes."""

    def __init__(self, seconds: float, changed: Callable[[], None]) -> None:
        self.question: QuestionView | None = None
        self._seconds, self._changed = seconds, changed
        self._answer: asyncio.Future[Verdict] | None = None

    async def ask(self, question: Question) -> Verdict:
        """The answer; a no by nobody where none comes in time. Cancelled, the question is gone."""
        within = _span(self._seconds)
        answer = self._answer = asyncio.get_running_loop().create_future()
        self._put(question_view(question, within))
        try:
            await asyncio.wait([answer], timeout=self._seconds)
            return answer.result() if answer.done() else Verdict(False, f"nobody answered within {within}", "nobody")
        finally:
            self._answer = None
            self._put(None)

    def answer(self, number: str, verdict: Verdict) -> None:
        """Answer the question of that number. Raises BadOption where it does not wait (any more)."""
        if self.question is None or self._answer is None or self.question.id != number:
            raise BadOption(LATE)
        answer, self.question = self._answer, None
        answer.set_result(verdict)

    def left(self, question: Question | None) -> None:
        """A question that another process asked and did not outlive stands here now; nobody waits for its answer."""
        self.question = question_view(question) if question else None

    def _put(self, question: QuestionView | None) -> None:
        self.question = question
        self._changed()


def question_view(question: Question, within: str = "") -> QuestionView:
    """A question as it is shown; `within` is how long it waits, "" for ever."""
    return QuestionView(question.id, called(question.call), question.effect, question.preview, within)


def verdict_of(allowed: bool, reason: str = "") -> Verdict:
    """A person's answer. Raises BadOption for a reason that is too long."""
    said = " ".join(reason.split())
    if len(said) > LONGEST_REASON:
        raise BadOption(f"that reason has {len(said):,} characters; {LONGEST_REASON} are the most")
    return Verdict(allowed, "" if allowed else said)


def _span(seconds: float) -> str:
    return f"{seconds / 60:g} minutes" if seconds >= 120 else f"{seconds:g} s"


def decision_views(events: Sequence[Event]) -> tuple[DecisionView, ...]:
    """The decisions somebody should see: not what the policy lets run anyway."""
    made = [event for event in events if isinstance(event, Decided) and not _usual(event)]
    return tuple(DecisionView(called(each.call), each.decision, each.by, each.reason, each.preview) for each in made)


def not_run(events: Sequence[Event]) -> frozenset[str]:
    """The ids of the calls that were not allowed to run."""
    return frozenset(each.call.id for each in events if isinstance(each, Decided) and each.decision != "allowed")


class Again:
    """Decides over the calls of one turn as they were decided before; what is new is denied, but decided now with
    `copied` (which brings noes along and no yes) and in a turn that had not come to its `end`."""

    def __init__(self, events: Sequence[Event], *, copied: bool = False, end: bool = True) -> None:
        self._asks, self._left = copied or not end, _decided(events)
        if copied:
            self._left = [each for each in self._left if each.decision != "allowed"]

    def before(self, turn: int, call: Call) -> Decided | None:
        """The decision that was made, None where it is to be made now."""
        for place, each in enumerate(self._left):
            if (each.call.tool, each.call.arguments) == (call.tool, call.arguments):
                return replace(self._left.pop(place), turn=turn, call=call)
        return None if self._asks else Decided(turn, call, "danger", "denied", reason="it was not made before")


def check_again(events: Sequence[Event], box: Toolbox) -> None:
    """Raise ToolmendError where telling a turn again would do something a second time outside of this process."""
    if box.has_snapshots:
        return
    for event in events:
        if isinstance(event, Called) and event.result.ok and box.tool(event.call.tool).effect != "read":
            raise ToolmendError(
                f"this talk cannot go on: {event.call.tool} was run outside of the arena and would be run again; "
                "clear it, or begin a new one"
            )


def _decided(events: Sequence[Event]) -> list[Decided]:
    """What was decided in a turn. One that was kept before there were decisions ran what it ran."""
    made = [event for event in events if isinstance(event, Decided)]
    ran = [event for event in events if isinstance(event, Called)]
    return made or [Decided(each.turn, each.call, "write", "allowed") for each in ran]


def _usual(event: Decided) -> bool:
    return event.decision == "allowed" and event.by == "policy"
