"""A question to whoever sits at a side: may this call run? Answered once, or by nobody in time. Knows no screen.

In a battle nobody is asked: a question on one side alone would tell the two apart, and its answer would decide the
vote.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from toolmend.arena.steps import called
from toolmend.arena.views import QuestionView
from toolmend.errors import BadOption
from toolmend.session import Policy, Question, Verdict

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
        number, call = secrets.token_hex(12), called(question.call)
        self._put(QuestionView(number, call, question.effect, question.preview, within))
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

    def _put(self, question: QuestionView | None) -> None:
        self.question = question
        self._changed()


def verdict_of(allowed: bool, reason: str = "") -> Verdict:
    """A person's answer. Raises BadOption for a reason that is too long."""
    said = " ".join(reason.split())
    if len(said) > LONGEST_REASON:
        raise BadOption(f"that reason has {len(said):,} characters; {LONGEST_REASON} are the most")
    return Verdict(allowed, "" if allowed else said)


def _span(seconds: float) -> str:
    return f"{seconds / 60:g} minutes" if seconds >= 120 else f"{seconds:g} s"
