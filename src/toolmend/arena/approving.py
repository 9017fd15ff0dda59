"""May this call run? What an arena's desks are told of that, and what a talk that is told again remembers of it.

In a battle nobody is asked: a question on one side alone would tell the two apart, and its answer would decide the
vote. A talk that is told again asks nobody, and one that is copied brings its noes along and no yes: a yes counts once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from toolmend.arena.turns import called
from toolmend.arena.views import QuestionView
from toolmend.errors import BadOption, ToolmendError
from toolmend.events import Called, Decided, Event
from toolmend.messages import Call
from toolmend.session import Policy, Question, Verdict
from toolmend.tools import Toolbox

LONGEST_REASON = 500
SECONDS = 600.0
LATE = "that call does not wait any more: it was answered, stopped, or nobody answered in time"


@dataclass(frozen=True, slots=True)
class DeskTerms:
    """Which calls may run in an arena, for how many seconds one waits for a person's yes, and whether corrections are
    understood by their words first."""

    policy: Policy = field(default_factory=Policy)
    seconds: float = SECONDS
    mend: bool = True

    def unasked(self) -> DeskTerms:
        """For battles: what would be asked about is a dry run, for both sides alike."""
        policy = self.policy
        asked = {each: "dry-run" for each in ("read", "write", "danger") if getattr(policy, each) == "ask"}
        return replace(self, policy=replace(policy, **asked))  # type: ignore[arg-type]  # a rule

    @property
    def span(self) -> str:
        """How long a call waits, in words."""
        return f"{self.seconds / 60:g} minutes" if self.seconds >= 120 else f"{self.seconds:g} s"


def question_view(question: Question, within: str) -> QuestionView:
    """A question as it is shown; `within` is how long it waits."""
    return QuestionView(question.id, called(question.call), question.effect, question.preview, within)


def verdict_of(allowed: bool, reason: str = "") -> Verdict:
    """A person's answer. Raises BadOption for a reason that is too long."""
    said = " ".join(reason.split())
    if len(said) > LONGEST_REASON:
        raise BadOption(f"that reason has {len(said):,} characters; {LONGEST_REASON} are the most")
    return Verdict(allowed, "" if allowed else said)


class DecidedBefore:
    """Decides over the calls of one turn as they were decided before; what is new is denied, but decided now with
    `copied`, which brings noes along and no yes."""

    def __init__(self, events: Sequence[Event], *, copied: bool = False) -> None:
        self._copied = copied
        self._left = [each for each in _decided(events) if not copied or each.decision != "allowed"]

    def before(self, turn: int, call: Call) -> Decided | None:
        """The decision that was made, None where it is to be made now."""
        for place, each in enumerate(self._left):
            if (each.call.tool, each.call.arguments) == (call.tool, call.arguments):
                return replace(self._left.pop(place), turn=turn, call=call)
        return None if self._copied else Decided(turn, call, "danger", "denied", reason="it was not made before")


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
