"""`--toolbox`: tools that the server runs itself, through a session with its guards. A world for each key.

What the world holds is kept for as long as the server runs; what was said is the client's to send, as always. A
request that goes on with the owner's last talk may correct what was done in it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import anyio

from toolmend.apps.server.answering import Answered
from toolmend.apps.server.paused import Expired, Waiting, WaitingTurns, verdict_of
from toolmend.apps.server.plan import Plan, as_lines, system_for
from toolmend.apps.server.refusals import failed_model, invalid
from toolmend.errors import ModelError
from toolmend.messages import Call, Message, Usage
from toolmend.session import Answer, Approvals, Policy, Session
from toolmend.session.approval import Asker
from toolmend.strategies import told_lines
from toolmend.strategies.history import became
from toolmend.tools import Toolbox

APPROVE = "approve_call"
"""The name under which a client is asked whether a call may run: a call that it answers with yes or no."""


class OwnTools:
    """A toolbox by name, one world for each owner. Raises UnknownName or BadOption for one there is not.

    `policy` says which calls run; where it says `ask` the client is asked, and has `seconds` to answer. `mend` has
    corrections understood by their words first.
    """

    def __init__(self, name: str, policy: Policy, seconds: float, mend: bool = True) -> None:
        self.name, self.policy, self.mend = name, policy, mend
        self._talks: dict[str, tuple[object, Session]] = {}
        self._first: Toolbox | None = Toolbox.load(name)
        self.asks = any(policy.rule(spec.effect) == "ask" for spec in self._first.specs)
        self._turns = WaitingTurns(seconds)
        self._worlds: dict[str, tuple[Toolbox, anyio.Lock]] = {}

    async def answer(self, plan: Plan, owner: str) -> Answered:
        """One turn in the owner's world; turns in one world come one after the other. Raises ApiError."""
        box, lock = self._world(owner)
        rounds = plan.history.rounds
        if rounds and rounds[-1].calls[-1].tool == APPROVE:
            number, text = rounds[-1].calls[-1].id, str(rounds[-1].results[-1].value)
            return self._answered(
                plan, box, await self._told(self._turns.go_on(owner, number, verdict_of(text)), plan.model.name)
            )
        said = plan.history.messages[-1]
        if said.role != "user":
            raise invalid("The last message must be the user's: this server runs the tools itself.", "messages")

        async def work(ask: Asker | None) -> Answer:
            async with lock:
                return await self._turn(plan, box, ask, owner, said.content)

        turn = self._turns.begin(owner, work) if self.asks else work(None)
        return self._answered(plan, box, await self._told(turn, plan.model.name))

    async def _turn(self, plan: Plan, box: Toolbox, ask: Asker | None, owner: str, said: str) -> Answer:
        """The turn of the owner's last talk that the client goes on with, else of a new one."""
        terms = (plan.model.name, plan.strategy.name, plan.history.system, plan.options)
        before = [each.content for each in plan.history.messages[:-1] if each.role == "user" and not _is_asked(each)]
        known, session = self._talks.get(owner, (None, None))
        if session and known == terms and before == [each.content for each in session.messages if each.role == "user"]:
            session.approve(Approvals(self.policy, ask))
            return await session.asay(said)
        session = self._session(plan, box, ask)
        answer = await session.arequest(said)
        if self.mend:
            self._talks[owner] = terms, session
        return answer

    async def _told(self, turn: Any, model: str) -> Answer | Waiting:
        try:
            came: Answer | Waiting = await turn
        except ModelError as error:
            raise failed_model(error, model) from error
        except Expired as error:
            raise invalid(f"The turn was taken back: {error}.", "messages", "approval_not_found") from error
        return came

    def _answered(self, plan: Plan, box: Toolbox, came: Answer | Waiting) -> Answered:
        if isinstance(came, Waiting):
            return Answered("", (Call(APPROVE, _asked(came), came.id),), Usage(), "stop", ("approval",))
        text = came.text
        if getattr(plan.strategy, "once", False) and came.calls:  # the reply is a call: say what came of it
            specs = {spec.full_name: spec for spec in box.specs}
            pairs = zip(came.calls, came.results, strict=True)
            text = "\n".join(became(call, result, specs.get(call.tool), 0) for call, result in pairs)
        return Answered(text, (), came.usage, "stop", (came.stopped,) if came.stopped else ())

    def _session(self, plan: Plan, box: Toolbox, ask: Asker | None) -> Session:
        system = system_for(plan.strategy, box.specs, plan.history.system)
        allowed = Approvals(self.policy, ask)
        session = Session(
            plan.model, box, plan.strategy, system=system, options=plan.options, approve=allowed, mend=self.mend
        )
        before = [each for each in plan.history.messages[:-1] if not _is_asked(each)]
        session.messages = list(as_lines(before, box.specs) if told_lines(plan.strategy) else before)
        return session

    def _world(self, owner: str) -> tuple[Toolbox, anyio.Lock]:
        if owner not in self._worlds:
            box, self._first = self._first or Toolbox.load(self.name), None
            self._worlds[owner] = box, anyio.Lock()
        return self._worlds[owner]


def _asked(turn: Waiting) -> Mapping[str, Any]:
    """What a client is shown of a call that waits: all of it, what kind it is, and what it would change."""
    question = turn.question
    assert question is not None, "it waits"
    shown = {"tool": question.call.tool, "arguments": dict(question.call.arguments), "effect": question.effect}
    return {**shown, "preview": question.preview} if question.preview else shown


def _is_asked(message: Message) -> bool:
    """Whether a message is nothing but an approval of an earlier turn."""
    return bool(message.calls) and all(call.tool == APPROVE for call in message.calls)
