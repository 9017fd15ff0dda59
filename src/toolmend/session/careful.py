"""Asks a person only where that is due: before what cannot be taken back, and before what does not fit what was said.

    careful = Careful(ask, lambda: session)
    Session(model, tools, approve=Approvals(CAREFUL, careful.ask), review=careful.review, sink=careful.hear)

Knows no screen.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from toolmend.base.events import Asked, Event, Guarded
from toolmend.base.messages import Call, ToolSpec
from toolmend.session.approval import ApprovalRequest, Asker, Policy, Verdict
from toolmend.session.mend.grounds import Heard, doubts, from_words, removes
from toolmend.tools.preview import REFUSED

if TYPE_CHECKING:
    from toolmend.session.session import Session

CAREFUL = Policy(write="ask", danger="ask")


class Careful:
    """`always` are the tools that the person allowed for the rest of the talk; what is doubtful is asked all the same.
    What reads is never asked about."""

    def __init__(self, ask: Asker, session: Callable[[], Session]) -> None:
        self._ask, self._session, self._asked = ask, session, Asked(0, "")
        self.always, self._picked = set[str](), set[int]()

    def allow(self, tool: str) -> None:
        """Ask no more about a tool, where nothing is doubtful."""
        self.always.add(tool)

    def hear(self, event: Event) -> None:
        """Remember what is being answered, and which answers only picked one of those that were offered."""
        if isinstance(event, Asked):
            self._asked = event
            self._picked.discard(event.turn)
        elif isinstance(event, Guarded) and (event.guard, event.detail) == ("mended", "choice"):
            self._picked.add(event.turn)

    async def ask(self, question: ApprovalRequest) -> Verdict:
        """The verdict over a call."""
        call, box = question.call, self._session().tools
        question = self._looked(question)
        if question.preview.startswith(REFUSED):  # the tool will say so itself
            return Verdict(True, by="policy")
        certain = question.effect == "write" and box.can_undo(call)
        if not question.doubts and (certain or call.tool in self.always):
            return Verdict(True, by="policy")
        return await self._ask(question)

    def review(self, call: Call) -> Call:
        """The call with what can be computed from the words computed from them; what was picked is as it was shown."""
        if self._asked.turn in self._picked:
            return call
        return from_words(call, spec_of(self._session(), call), self.heard(call))

    async def put(self, question: ApprovalRequest) -> Verdict:
        """The verdict where a policy has everything asked, but for what is always allowed."""
        question = self._looked(question)
        if not question.doubts and question.call.tool in self.always:
            return Verdict(True, by="policy")
        return await self._ask(question)

    def _looked(self, question: ApprovalRequest) -> ApprovalRequest:
        call = question.call
        if self._asked.turn in self._picked:
            return question
        return replace(question, doubts=doubts(call, spec_of(self._session(), call), self.heard(call)))

    def heard(self, call: Call, turn: int | None = None) -> Heard:
        """What the call of a turn, by default the one under way, is held against: what was said for it, the world, the
        calls that stand. What a correction took back is what that was about, too."""
        session = self._session()
        said = [message.content for message in session.messages if message.role == "user"]
        text, amends = self._asked.text, self._asked.amends
        if turn is not None:
            text, amends = said[turn], session.answers[turn].amends
        if amends is None and call.amends:  # a strategy that says itself what it edits
            turns = (answer.turn for answer in session.answers if any(old.id == call.amends for old in answer.calls))
            amends = next(turns, None)
        chain, texts = list[Call](), [text]
        while amends is not None:
            chain += session.answers[amends].calls
            texts += [] if amends in self._picked else [said[amends]]
            amends = session.answers[amends].amends
        box = session.tools
        things = [dict(thing) for kind in box.things().values() for thing in kind]
        if not removes(call.tool):
            things += [dict(other.arguments) for other in (*session.standing, *chain)]
        return Heard("\n".join(texts), box.clock, box.hours, things)


def spec_of(session: Session, call: Call) -> ToolSpec | None:
    """The tool of a call, as a model sees it."""
    return next((spec for spec in session.tools.specs if spec.full_name == call.tool), None)
