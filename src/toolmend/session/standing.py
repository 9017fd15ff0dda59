"""Which calls of a talk stand: runs them in the toolbox, takes them back, puts them back, and says so as events."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from anyio import CancelScope

from toolmend.base import tracing
from toolmend.base.errors import ToolError
from toolmend.base.events import Called, Event, Guarded, Refused, Sink, Undone
from toolmend.base.messages import Call, CallResult, Message
from toolmend.session.approval import Approvals, Approver, told
from toolmend.session.guards import Limits
from toolmend.session.watch import Watch
from toolmend.tools import Toolbox

UNDONE = "undone again, because the user corrects it"


class Standing:
    """The calls that took effect in one talk. `sink` may be None: then nothing is said."""

    def __init__(self, tools: Toolbox, sink: Sink | None, limits: Limits, approvals: Approvals | None = None) -> None:
        self.tools, self.sink, self._made = tools, sink, 0
        self.approve(approvals)
        self._watch = Watch(tools, limits)
        self._alive: dict[str, Call] = {}
        self._every: dict[str, Call] = {}
        self._effective: set[str] = set()

    def approve(self, approvals: Approvals | None) -> None:
        """From now on these decide which calls run."""
        self._approver = Approver(self.tools, approvals) if approvals else None

    @property
    def calls(self) -> list[Call]:
        """Every call that stands, oldest first."""
        return sorted(self._alive.values(), key=lambda call: _number(call.id))

    def holds(self, call: Call) -> bool:
        """Whether this call stands."""
        return call.id in self._alive

    def told(self, message: Message) -> Message:
        """A message as it is to be remembered: calls that were undone since are no longer told as done."""
        results = [
            replace(result, value=None, error=UNDONE) if result.ok and not self.holds(call) else result
            for call, result in zip(message.calls, message.results, strict=False)
        ]
        return replace(message, results=tuple(results)) if results else message

    def named(self, calls: Sequence[Call], amended: Sequence[Call] = ()) -> tuple[Call, ...]:
        """The calls with ids of this talk, each linked to the call it amends: the one that the strategy names ("" is
        none), else the first to the first, and so on."""
        named = []
        for index, call in enumerate(calls):
            self._made += 1
            amends = amended[min(index, len(amended) - 1)].id if amended else None
            amends = call.amends if call.amends in self._every else None if call.amends == "" else amends
            named.append(replace(call, id=f"c{self._made}", amends=amends))
        return tuple(named)

    def standing(self, ids: Sequence[str]) -> list[Call]:
        """Those of these calls that stand."""
        return [self._alive[call_id] for call_id in ids if call_id in self._alive]

    def took_effect(self, call_id: str) -> bool:
        """Whether this call changed something once, whatever became of it."""
        return call_id in self._effective

    def asks(self, call: Call) -> bool:
        """Whether a person is asked before a call like this runs."""
        return self._approver is not None and self._approver.asks(call)

    def begin(self, calls: Sequence[Call]) -> None:
        """These calls are one act."""
        if self._approver:
            changing = [call for call in calls if call.amends]
            earlier = any(call.amends in self._alive for call in changing)  # not only what is being corrected
            self._approver.together.begin(calls, changing if earlier else ())

    async def edit(self, turn: int, call: Call, old: Call) -> CallResult:
        """Run a call in the place of one that stands, which is undone first, and put back if the new one fails."""
        if not self.tools.can_undo(old):
            reason = f"{old.tool} cannot be undone, so {old.id} stays as it is: nothing was changed"
            self.emit(Refused(turn, call, reason))
            return CallResult(call.id, error=reason, fault="refused")
        undone, _ = await self.take_back(turn, [old])
        if not undone:  # why has been said
            return CallResult(call.id, error=f"{old.id} could not be undone: nothing was changed", fault="refused")
        try:
            result = await self.run(turn, call)
        except BaseException:
            with CancelScope(shield=True):
                await self.put_back(turn, undone)
            raise
        if not result.ok:
            await self.put_back(turn, undone)
        return result

    async def run(self, turn: int, call: Call) -> CallResult:
        """Run a call, if that is approved; it stands if it took effect."""
        if refused := await self._refused(turn, call):
            return refused
        with tracing.execute_tool(call) as span:
            result, noticed = await self._watch.run(call)
            span.ran(result)
        self._every[call.id] = call
        if result.ok:
            self._alive[call.id] = call
            self._effective.add(call.id)
        self.emit(Called(turn, call, result))
        for guard, detail in noticed:
            self.emit(Guarded(turn, guard, detail))
        return result

    async def made_before(self, call: Call, result: CallResult) -> None:
        """A call of this talk as it was made before: again in a world that has a state, else only taken as made. It
        stands if it took effect then and the world takes it now."""
        self._made, self._every[call.id] = max(self._made, _number(call.id)), call
        if result.ok and (await self.tools.run(call)).ok:
            self._alive[call.id] = call
            self._effective.add(call.id)

    async def _refused(self, turn: int, call: Call) -> CallResult | None:
        """What is told of a call that may not run; None for one that may."""
        decided = await self._approver.decide(turn, call) if self._approver else None
        if decided is None:
            return None
        self.emit(decided)
        if decided.decision == "allowed":
            return None
        self.emit(Refused(turn, call, told(decided)))
        return CallResult(call.id, error=told(decided), fault="refused")

    async def take_back(self, turn: int, calls: Sequence[Call]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Undo calls newest first; the ids that were, and those that could not be (each said as an event)."""
        undone, kept = [], []
        for call in reversed([call for call in calls if call.id in self._alive]):
            reason = ""
            if self._watch.busy:
                reason = f"was not undone: {self._watch.busy} is still running"
            elif not self.tools.can_undo(call):
                reason = "cannot be undone: what it did stays done"
            else:
                try:
                    await self.tools.undo(call.id)
                except ToolError as error:
                    reason = f"was not undone: {error}"
            if reason:
                self.emit(Refused(turn, call, f"{call.tool} {reason}"))
                kept.append(call.id)
            else:
                undone.append(call.id)
                del self._alive[call.id]
        if undone:
            self.emit(Undone(turn, tuple(undone)))
        return tuple(undone), tuple(kept)

    async def put_back(self, turn: int, ids: Sequence[str]) -> None:
        """Do calls again that were taken back, the oldest first; those that the world allows no more stay undone, each
        said as an event."""
        done = []
        for call_id in sorted(ids, key=_number):
            call = self._every[call_id]
            try:
                await self.tools.redo(call_id)
            except ToolError as error:
                self.emit(Refused(turn, call, f"{call.tool} was not done again: {error}"))
                continue
            self._alive[call_id] = call
            done.append(call_id)
        if done:
            self.emit(Undone(turn, tuple(call_id for call_id in ids if call_id in done), redone=True))

    def emit(self, event: Event) -> None:
        """Say that something happened."""
        if self.sink:
            self.sink(event)


def _number(call_id: str) -> int:
    return int(call_id[1:])
