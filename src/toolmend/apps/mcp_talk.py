"""The talk behind the tool `ask` of `toolmend mcp`: a doubtful call does not run, its doubts are told, a yes runs it.

Knows no protocol. Whether a client's yes is its user's is the client's matter: `ask` is announced as destructive.
"""

from __future__ import annotations

from toolmend.base.messages import Call
from toolmend.reading import render
from toolmend.session import Answer, ApprovalRequest, Approvals, Policy, Session, Verdict
from toolmend.session.careful import Careful
from toolmend.session.mend.asking import assents


class McpTalk:
    """A session whose doubtful calls wait for a yes, unless a policy was given: then that says what runs."""

    def __init__(self, session: Session, approve: str) -> None:
        """Join the session; `approve` is the policy in words, "" for none."""
        self.session = session
        self._waiting: tuple[str, int | None, tuple[Call, ...]] | None = None
        self._doubted: list[ApprovalRequest] = []
        self._allowed: tuple[Call, ...] = ()
        careful = Careful(self._asked, lambda: session)
        session.sink, session.review = careful.hear, careful.review
        policy = Policy(write="ask") if not approve else Policy.of(approve)
        look = None if "allow" in approve else careful.look
        session.approve(Approvals(policy, None if approve else self._asked, look=look))

    async def say(self, text: str) -> tuple[Answer, list[ApprovalRequest]]:
        """The answer, and what of it waits for a yes. Raises what the session raises."""
        waiting, self._waiting, self._doubted = self._waiting, None, []
        if waiting and assents(text):
            said, amends, self._allowed = waiting
            specs = {spec.full_name: spec for spec in self.session.tools.specs}
            reply = "\n".join(render(call, specs.get(call.tool)) for call in self._allowed)
            try:
                target = None if amends is None else self.session.answers[amends]
                return await self.session.play(said, target, reply=reply), []
            finally:
                self._allowed = ()
        answer = await self.session.asay(text)
        if self._doubted:
            self._waiting = text, answer.amends, tuple(question.call for question in self._doubted)
        return answer, self._doubted

    async def _asked(self, question: ApprovalRequest) -> Verdict:
        call = question.call
        if question.effect == "danger":
            return Verdict(False, "it needs a person's consent and nobody can be asked", "policy")
        if not question.doubts:
            return Verdict(True, by="policy")
        if (call.tool, call.arguments) in [(one.tool, one.arguments) for one in self._allowed]:
            return Verdict(True)
        self._doubted.append(question)
        return Verdict(False, "; ".join(question.doubts), "nobody")
