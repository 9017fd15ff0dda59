"""`--toolbox`: tools that the server runs itself, through a session with its guards. A world for each key.

What the world holds is kept for as long as the server runs; what was said is the client's to send, as always. A
request that goes on with the owner's last talk may correct what was done in it. There is nobody to ask whether a call
may run: what the policy would ask about is denied, and what nobody said but a text from outside.
"""

from __future__ import annotations

import anyio

from toolmend.apps.server.answering import ServedAnswer
from toolmend.apps.server.plan import RequestPlan, as_lines, system_for
from toolmend.apps.server.refusals import failed_model, invalid
from toolmend.base.errors import ModelError
from toolmend.session import Answer, Approvals, Policy, Session
from toolmend.session.careful import Careful
from toolmend.strategies import told_lines
from toolmend.strategies.history import became
from toolmend.tools import Toolbox


class OwnTools:
    """A toolbox by name, one world for each owner. Raises UnknownName or BadOption for one there is not.

    `policy` says which calls run. `mend` has corrections understood by their words first.
    """

    def __init__(self, name: str, policy: Policy, mend: bool = True) -> None:
        self.name, self.policy, self.mend = name, policy, mend
        self._talks: dict[str, tuple[object, Session]] = {}
        self._first: Toolbox | None = Toolbox.load(name)
        self._worlds: dict[str, tuple[Toolbox, anyio.Lock]] = {}

    async def answer(self, plan: RequestPlan, owner: str) -> ServedAnswer:
        """One turn in the owner's world; turns in one world come one after the other. Raises ApiError."""
        said = plan.history.messages[-1]
        if said.role != "user":
            raise invalid("The last message must be the user's: this server runs the tools itself.", "messages")
        if owner not in self._worlds:
            box, self._first = self._first or Toolbox.load(self.name), None
            self._worlds[owner] = box, anyio.Lock()
        box, lock = self._worlds[owner]
        try:
            async with lock:
                came = await self._turn(plan, box, owner, said.content)
        except ModelError as error:
            raise failed_model(error, plan.model.name) from error
        text = came.text
        if getattr(plan.strategy, "once", False) and came.calls:  # the reply is a call: say what came of it
            specs = {spec.full_name: spec for spec in box.specs}
            pairs = zip(came.calls, came.results, strict=True)
            text = "\n".join(became(call, result, specs.get(call.tool), 0) for call, result in pairs)
        return ServedAnswer(text, usage=came.usage, flags=(came.stopped,) if came.stopped else ())

    async def _turn(self, plan: RequestPlan, box: Toolbox, owner: str, said: str) -> Answer:
        """The turn of the owner's last talk that the client goes on with, else of a new one."""
        terms = (plan.model.name, plan.strategy.name, plan.history.system, plan.options)
        before = [message.content for message in plan.history.messages[:-1] if message.role == "user"]
        known, session = self._talks.get(owner, (None, None))
        if (
            session
            and known == terms
            and before == [message.content for message in session.messages if message.role == "user"]
        ):
            return await session.asay(said)
        session = self._session(plan, box)
        answer = await session.arequest(said)
        if self.mend:
            self._talks[owner] = terms, session
        return answer

    def _session(self, plan: RequestPlan, box: Toolbox) -> Session:
        system = system_for(plan.strategy, box.specs, plan.history.system)
        careful = Careful(None, lambda: session)
        look = None if self.policy.danger == "allow" else careful.look  # else what came from outside is denied
        session = Session(
            plan.model,
            box,
            plan.strategy,
            system=system,
            options=plan.options,
            approve=Approvals(self.policy, look=look),
            mend=self.mend,
            sink=careful.hear,
        )
        before = plan.history.messages[:-1]
        session.messages = list(as_lines(before, box.specs) if told_lines(plan.strategy) else before)
        return session
