"""The calls that ran in one world, in order, and how any of them is taken back or done again.

A tool with an `undo` function is taken back by it. A world with snapshots is set back to before the call and the later
calls are run again, so that it becomes what it would be had the call never been made. Knows no JSON and no model.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from toolmend.base.errors import ToolError, UnknownName
from toolmend.tools.tool import Tool

if TYPE_CHECKING:
    from toolmend.tools.toolbox import Toolbox


@dataclass(slots=True)
class JournalStep:
    """One call that ran: with which values, what it returned, the world before and after it."""

    call_id: str
    tool: Tool
    values: Mapping[str, Any]
    returned: Any
    before: Any
    after: Any
    undone: bool = False


class Journal:
    """The steps of one world, whose snapshots compare equal when the worlds are the same. A call id used again (another
    conversation) means the newest call of that id."""

    def __init__(self, world: Toolbox) -> None:
        self._world = world
        self._steps: list[JournalStep] = []
        self._failed: set[str] = set()

    def record(self, step: JournalStep) -> None:
        """A call that ran."""
        self._steps.append(step)
        self._failed.discard(step.call_id)

    def record_failure(self, call_id: str) -> None:
        """A call that changed nothing."""
        self._failed.add(call_id)

    def can_undo(self, tool: Tool) -> bool:
        """Whether calls of this tool can be taken back at all."""
        return tool.effect == "read" or tool.undo is not None or self._world.has_snapshots

    def is_undone(self, call_id: str) -> bool:
        """Whether that call ran and was taken back."""
        index = self._index(call_id)
        return index is not None and self._steps[index].undone

    async def undo(self, call_id: str) -> None:
        """Take a call back. Raises ToolError, the world unchanged, where it cannot be; UnknownName for a foreign id."""
        await self._turn(call_id, undone=True)

    async def redo(self, call_id: str) -> None:
        """Do a call again that was taken back. Raises as `undo` does."""
        await self._turn(call_id, undone=False)

    async def _turn(self, call_id: str, *, undone: bool) -> None:
        index = self._find(call_id)
        step = self._steps[index]
        if step.undone == undone:
            raise ToolError(f"call {call_id!r} ({step.tool.name}) {'is already' if undone else 'was not'} undone")
        if not self.can_undo(step.tool):
            raise ToolError(f"call {call_id!r}: {step.tool.name} cannot be undone")
        world = self._world.snapshot()
        try:
            if step.tool.undo is not None:
                await self._invert(step)
            elif step.tool.effect != "read":
                await self._replay(index, undone)
            step.undone = undone
        except BaseException as error:
            self._world.restore(world)
            if isinstance(error, Exception) and not isinstance(error, ToolError):
                doing = "undo" if undone else "redo"
                raise ToolError(f"cannot {doing} {step.tool.name}: {type(error).__name__}: {error}") from error
            raise

    async def _invert(self, step: JournalStep) -> None:
        if step.undone:
            step.returned = await step.tool.perform(step.values)
            return
        undo = step.tool.undo
        if callable(undo):
            outcome = undo(step.returned)
            if inspect.isawaitable(outcome):
                await outcome

    async def _replay(self, index: int, undone: bool) -> None:
        """Run the steps from `index` on again, that one left out or put in, and keep what they now did."""
        if not self._unbroken(index):
            raise ToolError(
                f"call {self._steps[index].call_id!r}: the world was changed in another way since; undo that first"
            )
        world, replayed = self._world, []
        world.restore(self._steps[index].before)
        for position, step in enumerate(self._steps[index:]):
            before, returned = world.snapshot(), step.returned
            if not (undone if position == 0 else step.undone):
                returned = await self._again(step)
            replayed.append((step, before, returned, world.snapshot()))
        for step, before, returned, after in replayed:
            step.before, step.returned, step.after = before, returned, after

    async def _again(self, step: JournalStep) -> Any:
        try:
            return await step.tool.perform(step.values)
        except ToolError as error:
            later = f"{step.tool.name} (call {step.call_id!r})"
            raise ToolError(f"{later} builds on it; undo that first: {error}") from error

    def _unbroken(self, index: int) -> bool:
        """Whether every change since the step was made by a step."""
        steps = self._steps[index:]
        return [step.after for step in steps] == [*(step.before for step in steps[1:]), self._world.snapshot()]

    def _find(self, call_id: str) -> int:
        if call_id in self._failed:
            raise ToolError(f"call {call_id!r} failed and changed nothing: there is nothing to undo")
        index = self._index(call_id)
        if index is None:
            raise UnknownName("call", call_id, {step.call_id for step in self._steps[-8:] if step.call_id})
        return index

    def _index(self, call_id: str) -> int | None:
        places = range(len(self._steps) - 1, -1, -1)
        return next((place for place in places if self._steps[place].call_id == call_id), None)
