"""Asks a person only where that is due: before what cannot be taken back, and before what does not fit what was said.

    careful = Careful(ask, lambda: session)
    approvals = Approvals(CAREFUL, careful.ask, look=careful.look)
    Session(model, tools, approve=approvals, review=careful.review, sink=careful.hear)

Knows no screen.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from toolmend.base.errors import UnknownName
from toolmend.base.events import Asked, Called, Event, Guarded, Replied
from toolmend.base.messages import Call, ToolSpec
from toolmend.session.answer import Answer
from toolmend.session.approval import ApprovalRequest, Asker, Policy, Verdict
from toolmend.session.mend.doubts import doubts
from toolmend.session.mend.grounds import Heard, from_words, removes
from toolmend.session.outside import answered, outside, tells
from toolmend.tools.preview import REFUSED

if TYPE_CHECKING:
    from toolmend.session.session import Session

CAREFUL = Policy(write="ask", danger="ask")


class Careful:
    """`always` are the tools that the person allowed for the rest of the talk; what is doubtful is asked all the same.
    What reads is never asked about. With nobody to `ask` it looks at calls and no more."""

    def __init__(self, ask: Asker | None, session: Callable[[], Session]) -> None:
        self._asker, self._session, self._asked = ask, session, Asked(0, "")
        self.always, self._picked = set[str](), set[int]()
        self._ran, self._read = list[str](), list[str]()  # what ran in this turn, and what a model was told of that

    def allow(self, tool: str) -> None:
        """Ask no more about a tool, where nothing is doubtful."""
        self.always.add(tool)

    def hear(self, event: Event) -> None:
        """Remember what is being answered, and which answers only picked one of those that were offered."""
        if isinstance(event, Asked):
            self._asked, self._ran, self._read = event, [], []
            self._picked.discard(event.turn)
        elif isinstance(event, Called):
            self._ran += [answered(event.call)] if tells(self._session(), event.call, event.result) else []
        elif isinstance(event, Replied):
            self._read = list(self._ran)
        elif isinstance(event, Guarded) and (event.guard, event.detail) == ("mended", "choice"):
            self._picked.add(event.turn)

    async def ask(self, question: ApprovalRequest) -> Verdict:
        """The verdict over a call."""
        call, box = question.call, self._session().tools
        question = replace(question, doubts=question.doubts or self.look(call))
        if question.preview.startswith(REFUSED):  # the tool will say so itself
            return Verdict(True, by="policy")
        certain = question.effect == "write" and box.can_undo(call)
        if not question.doubts and (certain or call.tool in self.always):
            return Verdict(True, by="policy")
        return await self._put(question)

    async def _put(self, question: ApprovalRequest) -> Verdict:
        if self._asker is None:
            return Verdict(False, "; ".join(("nobody can be asked", *question.doubts)), "nobody")
        return await self._asker(question)

    def review(self, call: Call) -> Call:
        """The call with what can be computed from the words computed from them; what was picked is as it was shown."""
        if self._asked.turn in self._picked:
            return call
        return from_words(call, spec_of(self._session(), call), self.heard(call))

    async def put(self, question: ApprovalRequest) -> Verdict:
        """The verdict where a policy has everything asked, but for what is always allowed."""
        question = replace(question, doubts=question.doubts or self.look(question.call))
        if not question.doubts and question.call.tool in self.always:
            return Verdict(True, by="policy")
        return await self._put(question)

    def look(self, call: Call) -> tuple[str, ...]:
        """What is doubtful of a call that is about to run; nothing of what was picked from answers that were shown."""
        if self._asked.turn in self._picked:
            return ()
        return doubts(call, spec_of(self._session(), call), self.heard(call))

    def heard(self, call: Call, turn: int | None = None) -> Heard:
        """What the call of a turn, by default the one under way, is held against: what was said for it, the world, the
        calls that stand. What a correction took back is what that was about, too."""
        session = self._session()
        earlier = [message.content for message in session.messages if message.role == "user"]
        said = earlier[len(earlier) - len(session.answers) :]  # what was brought along was answered elsewhere
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
        place = len(said) if turn is None else turn
        while place and amends is None and _asks(session.answers[place - 1]):
            place -= 1
            texts.append(said[place])
        box, before = session.tools, [old for old in (*session.standing, *chain) if old.id != call.id]
        things = [dict(thing) for kind in box.things().values() for thing in kind]
        if not removes(call.tool):
            things += [dict(other.arguments) for other in before]
        return Heard(
            "\n".join(texts),
            box.clock,
            box.hours,
            things,
            dict(before[-1].arguments) if before else {},
            outside(session),
            tuple(dict.fromkeys(self._read)) if turn is None else (),
            "\n".join(earlier),
            foreign=is_foreign(session, call),
        )


def _asks(answer: Answer) -> bool:
    """Whether a turn ended with a question, so that what is said next is said for the same."""
    return not answer.calls and (answer.open is not None or answer.text.rstrip().endswith("?"))


def is_foreign(session: Session, call: Call) -> bool:
    """Whether a tool's description, and what it answers, is somebody else's text."""
    try:
        return session.tools.tool(call.tool).foreign
    except UnknownName:
        return False


def spec_of(session: Session, call: Call) -> ToolSpec | None:
    """The tool of a call, as a model sees it."""
    return next((spec for spec in session.tools.specs if spec.full_name == call.tool), None)
