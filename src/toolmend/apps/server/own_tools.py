"""`--toolbox`: tools that the server runs itself, through a session with its guards. A world for each key.

What the world holds is kept for as long as the server runs; what was said is the client's to send, as always.
"""

from __future__ import annotations

import anyio

from toolmend.apps.server.answering import Answered
from toolmend.apps.server.plan import Plan, as_lines, system_for
from toolmend.apps.server.refusals import invalid, unanswered
from toolmend.errors import ModelError
from toolmend.session import Session
from toolmend.strategies.history import became
from toolmend.strategies.oneline import Oneline
from toolmend.tools import Toolbox


class OwnTools:
    """A toolbox by name, one world for each owner. Raises UnknownName or BadOption for one there is not."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._first: Toolbox | None = Toolbox.load(name)
        self._worlds: dict[str, tuple[Toolbox, anyio.Lock]] = {}

    async def answer(self, plan: Plan, owner: str) -> Answered:
        """One turn in the owner's world; turns in one world come one after the other. Raises ApiError."""
        said = plan.history.messages
        if said[-1].role != "user":
            raise invalid("The last message must be the user's: this server runs the tools itself.", "messages")
        box, lock = self._world(owner)
        async with lock:
            session = self._session(plan, box)
            try:
                answer = await session.arequest(said[-1].content)
            except ModelError as error:
                raise unanswered(str(error), again=error.retryable) from error
        text = answer.text
        if isinstance(plan.strategy, Oneline) and answer.calls:  # the reply is a call: say what came of it
            specs = {spec.full_name: spec for spec in box.specs}
            pairs = zip(answer.calls, answer.results, strict=True)
            text = "\n".join(became(call, result, specs.get(call.tool)) for call, result in pairs)
        return Answered(text, (), answer.usage, "stop", (answer.stopped,) if answer.stopped else ())

    def _session(self, plan: Plan, box: Toolbox) -> Session:
        system = system_for(plan.strategy, box.specs, plan.history.system)
        session = Session(plan.model, box, plan.strategy, system=system, options=plan.options)
        before = plan.history.messages[:-1]
        session.messages = list(as_lines(before, box.specs) if isinstance(plan.strategy, Oneline) else before)
        return session

    def _world(self, owner: str) -> tuple[Toolbox, anyio.Lock]:
        if owner not in self._worlds:
            box, self._first = self._first or Toolbox.load(self.name), None
            self._worlds[owner] = box, anyio.Lock()
        return self._worlds[owner]
