"""One side of a desk while somebody sits there: its talk, what is being written, the call that waits for a yes.

In a battle nobody is asked: a question on one side alone would tell the two apart, and its answer would decide the
vote.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from toolmend.base.errors import BadOption, ToolmendError
from toolmend.extras.arena.conversation import Conversation, origin_words
from toolmend.extras.arena.turns import called
from toolmend.extras.arena.views import QuestionView, SideView, Which
from toolmend.models import OnDelta
from toolmend.session import ApprovalRequest, Approvals, Policy, Verdict

STOPPED = "stopped"
LONGEST_REASON = 500
SECONDS = 600.0
LATE = "that call does not wait any more: it was answered, stopped, or nobody answered in time"
Work = Callable[["Side", OnDelta], Awaitable[object]]
_log = logging.getLogger(__name__)


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
        asked = {effect: "dry-run" for effect in ("read", "write", "danger") if getattr(policy, effect) == "ask"}
        return replace(self, policy=replace(policy, **asked))  # type: ignore[arg-type]  # a rule

    @property
    def span(self) -> str:
        """How long a call waits, in words."""
        return f"{self.seconds / 60:g} minutes" if self.seconds >= 120 else f"{self.seconds:g} s"


def verdict_of(allowed: bool, reason: str = "") -> Verdict:
    """A person's answer. Raises BadOption for a reason that is too long."""
    said = " ".join(reason.split())
    if len(said) > LONGEST_REASON:
        raise BadOption(f"that reason has {len(said):,} characters; {LONGEST_REASON} are the most")
    return Verdict(allowed, "" if allowed else said)


class Side:
    """`terms` say which calls may run; `problem` is what went wrong last."""

    def __init__(self, which: Which, talk: Conversation, terms: DeskTerms | None = None) -> None:
        self.which: Which = which
        self._terms = terms or DeskTerms()
        self.busy, self.partial, self.problem = False, "", ""
        self.question: QuestionView | None = None
        self._answer: asyncio.Future[Verdict] | None = None
        self._task: asyncio.Task[Any] | None = None
        self.take(talk)

    def take(self, talk: Conversation) -> None:
        """Have this talk here from now on."""
        self.talk, self.problem = talk, ""
        talk.approvals = Approvals(self._terms.policy, self._ask)
        at = talk.waiting and talk.waiting.at  # a question that another process asked and did not outlive
        self.question = _view(at.question) if at else None

    def begin(self) -> None:
        """Take the side for a piece of work. Raises BadOption while it is still answering, or waits for an answer."""
        if self.question:
            raise BadOption(f"a call of the {self.which} side waits for you: allow or deny it first, or stop the side")
        if self.busy:
            raise BadOption(f"the {self.which} side is still answering; wait, or stop it")
        self.busy, self.partial, self.problem = True, "", ""

    @contextmanager
    def held(self) -> Iterator[None]:
        """Have the side for a moment. Raises what `begin` raises."""
        self.begin()
        try:
            yield
        finally:
            self.busy = False

    async def work(self, work: Work) -> None:
        """Do it. Never raises: what went wrong stays in `problem`."""
        self._task = asyncio.current_task()
        try:
            await work(self, self._hear())
        except asyncio.CancelledError:
            self.problem = STOPPED
        except ToolmendError as error:
            self.problem = " ".join(str(error).split())
        except Exception as error:  # a fault of toolmend or of somebody's toolbox: the desk must not stay busy
            _log.exception("a side of the arena failed")
            self.problem = f"unexpected {type(error).__name__}: {error}"[:300]
        finally:
            self.busy, self.partial, self._task = False, "", None

    async def stop(self) -> None:
        """End what is being written: as if it had not been asked for, but what was said waits for a retry."""
        task = self._task
        if task is not None and task.cancel():
            await asyncio.wait([task])
        if not self.busy and self.talk.waiting and self.talk.waiting.at:
            self.question = None
            await self.talk.withdraw()

    async def _ask(self, question: ApprovalRequest) -> Verdict:
        """The answer of whoever sits here; a no by nobody where none comes in time. Cancelled, the question is gone."""
        answer = self._answer = asyncio.get_running_loop().create_future()
        self.question = _view(question, self._terms.span)
        self.partial = ""
        try:
            await asyncio.wait([answer], timeout=self._terms.seconds)
            late = f"nobody answered within {self._terms.span}"
            return answer.result() if answer.done() else Verdict(False, late, "nobody")
        finally:
            self._answer = self.question = None

    def answer(self, number: str, verdict: Verdict) -> None:
        """Answer the question of that number. Raises BadOption where it does not wait (any more)."""
        if self.question is None or self._answer is None or self.question.id != number:
            raise BadOption(LATE)
        answer, self.question = self._answer, None
        answer.set_result(verdict)

    @property
    def stamp(self) -> tuple[object, ...]:
        """Another one whenever something else is to be seen here than one more piece of a reply."""
        return self.talk.id, tuple(self.talk.turns), self.talk.waiting, self.busy, self.problem, self.question

    def view(self) -> SideView:
        """The side with its names."""
        talk, setup = self.talk, self.talk.setup
        return SideView(
            self.which,
            setup.contestant.name,
            talk.id,
            setup.contestant,
            setup.toolbox,
            talk.views,
            talk.world,
            self.busy,
            self.partial,
            "" if talk.waiting is None else talk.waiting.text,
            self.problem,
            setup.system,
            setup.temperature,
            origin_words(talk.origin),
            self.question,
        )

    def _hear(self) -> OnDelta:
        """What takes the pieces of a reply, from whatever thread."""
        loop, here = asyncio.get_running_loop(), threading.get_ident()

        def take(text: str) -> None:
            if self.busy:
                self.partial += text

        def hear(text: str) -> None:
            if threading.get_ident() == here:
                take(text)
            else:
                loop.call_soon_threadsafe(take, text)

        return hear


def _view(question: ApprovalRequest, within: str = "") -> QuestionView:
    """A question as it is shown; `within` is how long it waits, "" for ever."""
    return QuestionView(question.id, called(question.call), question.effect, question.preview, within, question.doubts)
