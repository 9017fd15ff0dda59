"""A function that a model may call: what the model sees of it, the check of its arguments, how to take it back.

`tool` only marks a function or method, which stays what it was; `Tool` is built when a toolbox is made of it. Knows no
toolbox and no conversation.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar, overload

from toolmend.base.errors import BadOption, ToolError
from toolmend.base.messages import RAW, Effect, ToolSpec
from toolmend.tools.speech import Speech
from toolmend.tools.texts import shown

F = TypeVar("F", bound=Callable[..., Any])
Undo = str | Callable[[Any], Any]
Wait = Callable[[Awaitable[Any]], Awaitable[Any]]
Check = Callable[..., tuple[dict[str, Any], tuple[str, ...]]]
"""Arguments to typed values, and what was converted; with a Speech also words that mean one value. Raises ToolError,
whose text names each bad argument."""


_MARK = "__toolmend_tool__"
_PLAIN = (type(None), bool, int, float, str)


@dataclass(frozen=True, slots=True)
class Marking:
    """What `@tool` was told."""

    effect: Effect = "write"
    undo: Undo | None = None
    name: str | None = None
    foreign: bool = False


@overload
def tool(function: F, /) -> F: ...


@overload
def tool(
    *, effect: Effect = "write", undo: Undo | None = None, name: str | None = None, foreign: bool = False
) -> Callable[[F], F]: ...


def tool(
    function: Callable[..., Any] | None = None,
    /,
    *,
    effect: Effect = "write",
    undo: Undo | None = None,
    name: str | None = None,
    foreign: bool = False,
) -> Any:
    """Mark a typed function, or a method of a Toolbox, as a tool. The function itself stays as it is.

    Args:
        effect: "read" changes nothing, "write" can be taken back, "danger" cannot be or needs a person's consent
        undo: what takes a call back, given what the call returned: the name of a method of the same toolbox, or (for a
            plain function) a function. Worlds with `snapshot` and `restore` need none.
        name: the name for the model, by default the function's own
        foreign: what it answers is somebody else's text, and shown to models as such
    """
    if effect not in ("read", "write", "danger"):
        raise BadOption(f"effect {effect!r} of a tool; known: read, write, danger")

    def mark(marked: F) -> F:
        setattr(marked, _MARK, Marking(effect, undo, name, foreign))
        return marked

    return mark if function is None else mark(function)


def marking(function: Any) -> Marking | None:
    """What `@tool` said about a function, or None if it is not marked."""
    found = getattr(function, _MARK, None)
    return found if isinstance(found, Marking) else None


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool: `function` takes the values that `check` makes of a model's arguments, `undo` what it returned.

    What a `foreign` one answers is somebody else's text.
    """

    spec: ToolSpec
    function: Callable[..., Any]
    check: Check
    undo: Undo | None = None
    foreign: bool = False

    @classmethod
    def of(cls, function: Callable[..., Any], *, skip_first: bool = False) -> Tool:
        """The tool that a typed function is. `skip_first` leaves out the `self` of a method not bound yet.

        Raises BadOption for a function that cannot be one.
        """
        from toolmend.tools.schema import Signature, read_docstring

        marked = marking(function) or Marking()
        name = str(marked.name or getattr(function, "__name__", ""))
        if not name.isidentifier():
            raise BadOption(f"a tool needs a name that can be written as a call, not {name!r}: tool(name=...)")
        docs = read_docstring(inspect.getdoc(function))
        signature = Signature(function, name, docs, skip_first=skip_first)
        spec = ToolSpec(name, docs.description, signature.parameters, effect=marked.effect)
        return cls(spec, function, signature.check, marked.undo, marked.foreign)

    @property
    def name(self) -> str:
        """The full name, as a call writes it."""
        return self.spec.full_name

    @property
    def effect(self) -> Effect:
        """What a call may do: read, write, danger."""
        return self.spec.effect

    @property
    def is_async(self) -> bool:
        """Whether a call must be awaited."""
        return inspect.iscoroutinefunction(self.function)

    def validate(
        self, arguments: Mapping[str, Any], speech: Speech | None = None
    ) -> tuple[dict[str, Any], tuple[str, ...]]:
        """The typed values of the arguments given, and what was converted ("duration: '30' -> 30").

        Raises ToolError, whose text names each bad argument.
        """
        if RAW in arguments:
            raise ToolError(f"the arguments are no JSON object: {shown(arguments[RAW])}")
        return self.check(arguments, speech)

    async def accept(
        self, arguments: Mapping[str, Any], speech: Speech | None = None
    ) -> tuple[dict[str, Any], tuple[str, ...]]:
        """`validate`, for an event loop: a foreign schema may take all steps of its budget, which nobody waits for."""
        if not (self.foreign and self.is_async):
            return self.validate(arguments, speech)
        from anyio import to_thread

        return await to_thread.run_sync(self.validate, arguments, speech)

    async def perform(self, values: Mapping[str, Any], wait: Wait | None = None) -> Any:
        """Run the function on validated values; `wait` awaits what it returns, where that cannot be done here."""
        result = self.function(**values)
        if not inspect.isawaitable(result):
            return result
        return await (wait(result) if wait else result)

    def under(self, receiver: str) -> Tool:
        """The same tool behind another receiver."""
        return self if receiver == self.spec.receiver else replace(self, spec=replace(self.spec, receiver=receiver))

    def bound(self, owner: object, attribute: str) -> Tool:
        """The tool of one toolbox object: its method, and the method that `undo` names.

        Raises BadOption when there is no such method.
        """
        undo = self.undo
        if isinstance(undo, str):
            undo = getattr(owner, undo, None)
            if undo is None:
                raise BadOption(f"tool {self.spec.name!r}: undo={self.undo!r} is no method of {type(owner).__name__}")
        return replace(self, function=getattr(owner, attribute), undo=undo)


def jsonable(value: Any, otherwise: Callable[[Any], str] | None = None) -> Any:
    """Plain data: a `to_json` method decides where there is one, else pydantic's rules (dates, enums, dataclasses).

    A value that JSON cannot carry is told as `otherwise` tells it; without it that raises ToolError.
    """
    if type(value) in _PLAIN:
        return value
    own = getattr(value, "to_json", None)
    if callable(own) and not isinstance(value, type):
        return own()
    if isinstance(value, Mapping) and all(isinstance(key, str) for key in value):
        return {key: jsonable(item, otherwise) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [jsonable(item, otherwise) for item in value]
    from pydantic_core import to_jsonable_python

    try:
        return to_jsonable_python(value, fallback=otherwise)
    except ValueError as error:
        raise ToolError(f"the tool returned a {type(value).__name__}, which JSON cannot carry: {error}") from error
