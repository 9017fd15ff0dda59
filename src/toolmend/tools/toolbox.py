"""Several tools, and the world they act on if there is one: runs calls, takes them back.

A mistake of a model or a tool is a CallResult with an error, never an exception, and leaves the world as it was. Knows
no model and no conversation; the calls of one toolbox run one after the other (the session sees to that).
"""

from __future__ import annotations

import datetime as dt
import inspect
import logging
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from toolmend import registry
from toolmend.base.errors import BadOption, ToolError, UnknownName
from toolmend.base.messages import Call, CallResult, Fault, ToolSpec
from toolmend.tools.journal import Journal, JournalStep
from toolmend.tools.speech import Speech
from toolmend.tools.texts import clean, nearest
from toolmend.tools.tool import Tool, Wait, jsonable, marking

T = TypeVar("T")

_log = logging.getLogger(__name__)


class Toolbox:
    """Tools under one receiver. A subclass marks methods with `@tool`; plain functions go through `Toolbox.of`.

    A world also defines `state`, and `snapshot` and `restore`, which give every tool its undo. `quick` promises that no
    tool waits for anything: then a talk calls them where it is, and not in a thread that may be overdue. What words
    mean here: `things`, `named` (tool → parameter → the kind of thing that it names), `hours` ("07-19", the usual
    ones), and whether words are taken for values at all (`spoken_values`, off where an experiment is played again).
    `left_out` has a line for each tool that somebody else wrote and that cannot be offered.

    >>> def double(number: int) -> int:
    ...     "Twice the number."
    ...     return 2 * number
    >>> Toolbox.of(double, receiver="maths").run_sync(Call("maths.double", {"number": "21"}))
    CallResult(call_id='', value=42, error=None, coerced=("number: '21' -> 21",), fault='')
    """

    receiver: str = ""
    quick: bool = False
    hours: str | None = None
    spoken_values: bool = True
    named: Mapping[str, Mapping[str, str]] = MappingProxyType({})
    left_out: tuple[str, ...] = ()
    _given: tuple[Tool, ...] = ()

    @classmethod
    def of(cls, *functions: Callable[..., Any] | Tool, receiver: str = "") -> Toolbox:
        """A toolbox of typed functions, marked or not, and of tools. Raises BadOption where one cannot be a tool."""
        box = cls()
        box.receiver = receiver or box.receiver
        box._given = tuple(function if isinstance(function, Tool) else _given(function) for function in functions)
        _ = box._tools  # built now, so that a function that cannot be a tool is refused here
        return box

    @staticmethod
    def load(name: str) -> Toolbox:
        """The toolbox registered as `name`, or what "package.module:name", "file.py", "file.py:name" or "mcp:SERVER"
        says: a new one each time.

        That may be a Toolbox (which is copied), a class or function that makes one without arguments, a function marked
        with `@tool`, or a list of functions. Raises UnknownName or BadOption.
        """
        from toolmend.tools.making import toolbox_of, toolbox_of_file

        if name.startswith("mcp:"):
            from toolmend.tools.mcp import mcp_toolbox

            return mcp_toolbox(name)
        file, _, part = name.partition(".py:")
        if part or name.endswith(".py"):
            return toolbox_of_file(Path(f"{file}.py" if part else name).expanduser(), part)
        return toolbox_of(name, registry.load_object(name) if ":" in name else registry.toolboxes.get(name))

    @property
    def specs(self) -> tuple[ToolSpec, ...]:
        """The tools as a model sees them, in the order of their definition."""
        return self._specs

    def tool(self, name: str) -> Tool:
        """The tool of that full name. Raises UnknownName."""
        found = self._tools.get(name)
        if found is None:
            raise UnknownName("tool", name, self._tools)
        return found

    @property
    def clock(self) -> dt.datetime:
        """The time it is here: `now`, where a world has one, else the machine's."""
        now = getattr(self, "now", None)
        return now if isinstance(now, dt.datetime) else dt.datetime.now()

    def validate(self, call: Call) -> tuple[dict[str, Any], tuple[str, ...]]:
        """The typed values that a call would be run with, and what was converted. Raises ToolError or UnknownName."""
        return self.tool(call.tool).validate(call.arguments, self._speech)

    async def accept(self, call: Call) -> tuple[dict[str, Any], tuple[str, ...]]:
        """`validate`, for an event loop."""
        return await self.tool(call.tool).accept(call.arguments, self._speech)

    @property
    def _speech(self) -> Speech | None:
        return Speech(self.clock, self.hours) if self.spoken_values else None

    async def run(self, call: Call) -> CallResult:
        """Run one call. Whatever a model or a tool does wrong comes back as `error`, the world unchanged."""
        return await self._run(call, None)

    async def _run(self, call: Call, wait: Wait | None) -> CallResult:
        tool = self._tools.get(call.tool)
        if tool is None:
            self._journal.record_failure(call.id)
            return CallResult(call.id, error=self._unknown(call.tool), fault="unknown_tool")
        coerced: tuple[str, ...] = ()
        fault: Fault = "arguments"
        try:
            values, coerced = await self.accept(call)
            fault = "refused"
            value = await self._perform(tool, values, call.id, wait)
        except ToolError as error:
            refusal = str(error)
        except (Exception, SystemExit) as error:
            _log.info("%s failed", tool.name, exc_info=True)
            fault, refusal = "failed", f"{tool.name} failed: {type(error).__name__}: {error}"
        else:
            return CallResult(call.id, value, coerced=coerced, foreign=tool.foreign)
        self._journal.record_failure(call.id)
        said = tool.foreign and fault != "arguments"  # the tool's own words, however they came
        refusal = clean(refusal) if tool.foreign else refusal
        return CallResult(call.id, error=refusal, coerced=coerced, fault=fault, foreign=said)

    def run_sync(self, call: Call, wait: Wait | None = None) -> CallResult:
        """`run`, for tools that are plain functions. Raises BadOption for an async one.

        `wait` awaits what such a function returned to be awaited: here that cannot be done.
        """
        tool = self._tools.get(call.tool)
        if tool is not None and tool.is_async:
            raise BadOption(f"{call.tool} is async: await toolbox.run(call)")
        return _at_once(self._run(call, wait))

    def can_undo(self, call: Call) -> bool:
        """Whether a call of this tool can be taken back, and this one has not been already."""
        tool = self._tools.get(call.tool)
        return tool is not None and self._journal.can_undo(tool) and not self._journal.is_undone(call.id)

    async def undo(self, call_id: str) -> None:
        """Take back a call, the last or an older one.

        Raises ToolError, the world unchanged, for one that is undone already, failed, has no undo or that later calls
        build on; UnknownName for one that did not run here.
        """
        await self._journal.undo(call_id)

    async def redo(self, call_id: str) -> None:
        """Do a call again that was taken back. Raises as `undo` does."""
        await self._journal.redo(call_id)

    def undo_sync(self, call_id: str) -> None:
        """`undo`, for tools that are plain functions."""
        _at_once(self.undo(call_id))

    def redo_sync(self, call_id: str) -> None:
        """`redo`, for tools that are plain functions."""
        _at_once(self.redo(call_id))

    @contextmanager
    def pretending(self, values: Iterator[Any]) -> Iterator[None]:
        """Calls are taken as made and return the next of these values; nothing is run, and none can be undone later."""
        real = self._tools
        taken = {name: replace(tool, function=lambda **_: next(values, None), undo=None) for name, tool in real.items()}
        self.__dict__["_tools"] = taken
        try:
            yield
        finally:
            self.__dict__["_tools"] = real

    @property
    def has_snapshots(self) -> bool:
        """Whether this world defines `snapshot` and `restore`."""
        return type(self).snapshot is not Toolbox.snapshot

    def snapshot(self) -> Any:
        """The world as a value that later changes do not touch and that compares equal for equal worlds."""
        return None

    def restore(self, state: Any) -> None:
        """Make the world what it was at that snapshot."""

    def state(self) -> Any:
        """The world as JSON-able data, the same for worlds that are the same; None where there is no world."""
        return None

    def set_state(self, data: Mapping[str, Any]) -> None:
        """Become the world that `state` gave. Raises BadOption where that is not possible, the world unchanged."""
        raise BadOption(f"{type(self).__name__} has no states to begin in: it defines no set_state")

    def view(self) -> str:
        """The world as text for a model; "" where there is nothing to show."""
        return ""

    def things(self) -> Mapping[str, Iterable[Mapping[str, Any]]]:
        """What the world holds that people speak of, by kind: each thing as its values by name, oldest first."""
        return {}

    def openings(self) -> tuple[str, ...]:
        """What somebody might say first, here and today; () where only the tools say it."""
        return ()

    def answered(self, text: str) -> str:
        """The answer to a question about the world that needs no model; "" where `text` is none that it knows."""
        return ""

    def meant(self, text: str) -> tuple[str, str]:
        """The call, as a line of Python, that a sentence means where no model is needed to know, and the words that it
        stands on; ("", "") where one is."""
        return "", ""

    def changed(self, text: str, call: Call) -> str:
        """The call that a correction makes of the last one, where no model is needed to know; "" where one is."""
        return ""

    def as_shown(self, spec: ToolSpec) -> ToolSpec:
        """A tool as this world shows it to models. A world with limits of its own may write them into the schema."""
        return spec

    def __repr__(self) -> str:
        """Its class and its tools."""
        return f"<{type(self).__name__}: {', '.join(spec.full_name for spec in self.specs)}>"

    async def _perform(self, tool: Tool, values: dict[str, Any], call_id: str, wait: Wait | None) -> Any:
        before = self.snapshot()
        try:
            returned = await tool.perform(values, wait)
            value = jsonable(returned, None if self.has_snapshots else str)  # what is done and stays is no failure
        except BaseException:
            self.restore(before)
            raise
        self._journal.record(JournalStep(call_id, tool, values, returned, before, self.snapshot()))
        return value

    def _unknown(self, name: str) -> str:
        near = nearest(name, [spec.full_name for spec in self.specs])
        return f"there is no tool {name[:80]!r}{'; nearest: ' if near else ''}{', '.join(near)}"

    @cached_property
    def _tools(self) -> dict[str, Tool]:
        own = [template.bound(self, attribute) for attribute, template in _templates(type(self))]
        tools: dict[str, Tool] = {}
        for tool in (*own, *self._given):
            found = tool.under(self.receiver)
            if (shown := self.as_shown(found.spec)) is not found.spec:
                found = replace(found, spec=shown)
            if found.name in tools:
                raise BadOption(f"two tools are called {found.name!r}")
            tools[found.name] = found
        return tools

    @cached_property
    def _specs(self) -> tuple[ToolSpec, ...]:
        return tuple(tool.spec for tool in self._tools.values())

    @cached_property
    def _journal(self) -> Journal:
        return Journal(self)


def _given(function: Callable[..., Any]) -> Tool:
    """The tool of a function that stands alone; a bound method brings the object its `undo` is looked up on."""
    found = Tool.of(function)
    if not isinstance(found.undo, str):
        return found
    owner = getattr(function, "__self__", None)
    if owner is None:
        raise BadOption(
            f"tool {found.name!r}: undo={found.undo!r} names a method, but the tool is none; give a function"
        )
    return found.bound(owner, getattr(function, "__name__", ""))


_TEMPLATES: WeakKeyDictionary[type[Toolbox], tuple[tuple[str, Tool], ...]] = WeakKeyDictionary()


def _templates(cls: type[Toolbox]) -> tuple[tuple[str, Tool], ...]:
    """The marked methods of a class by attribute, as tools without an owner. Built once per class, so that what is made
    ready for a tool, by its identity, is ready in every world."""
    if cls not in _TEMPLATES:
        _TEMPLATES[cls] = tuple((attribute, tool.under(cls.receiver)) for attribute, tool in _marked_methods(cls))
    return _TEMPLATES[cls]


def _marked_methods(cls: type[Toolbox]) -> Iterator[tuple[str, Tool]]:
    attributes = dict.fromkeys(name for base in reversed(cls.__mro__) for name in vars(base))
    for attribute in attributes:
        function: Any = getattr(cls, attribute, None)
        if marking(function):
            is_method = inspect.isfunction(inspect.getattr_static(cls, attribute))
            yield attribute, Tool.of(function, skip_first=is_method)


def _at_once(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine that never waits."""
    try:
        coroutine.send(None)
    except StopIteration as done:
        result: T = done.value
        return result
    coroutine.close()
    raise BadOption("a tool waits for something: await the toolbox instead of its sync doors")
