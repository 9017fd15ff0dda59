"""The client's tools as tools of strategies: names that can be called in any notation, arguments that are checked.

A model trained for one toolbox is given that toolbox's own signatures, if the client's tools are the same ones. Knows
no message and no HTTP.
"""

from __future__ import annotations

import json
import keyword
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from anyio import to_thread

from toolmend.apps.server.body import FunctionBody, ToolBody
from toolmend.apps.server.refusals import ApiError, invalid
from toolmend.base.errors import BadOption, ToolError
from toolmend.base.messages import Call, CallResult, ToolSpec
from toolmend.base.schemas import nodes
from toolmend.models.model import Model
from toolmend.models.openai_messages import WireNames
from toolmend.tools import Toolbox
from toolmend.tools.foreign import Unchecked, checker
from toolmend.tools.texts import nearest
from toolmend.tools.tool import Check

NODES = 10_000
"""Objects and lists in the schemas of one request."""
_SAME_KIND = ("type", "enum")
_QUICK_LENGTH = 8192
_SLOW = re.compile(r'"(pattern\w*|format|uniqueItems|not|if|\$\w*[rR]ef|(any|one|all)Of|(depend|uneval)\w*)"')


class ClientTools:
    """The tools of one request. `specs` is what strategies see; `sent` and `own` are names there and back."""

    def __init__(self, tools: Sequence[ToolBody], model: Model) -> None:
        self.specs: tuple[ToolSpec, ...] = ()
        self._sent: dict[str, str] = {}
        self._own: dict[str, str] = {}
        trained = _trained(model)
        try:
            nodes([tool.function.parameters for tool in tools], NODES)
        except BadOption as error:
            raise invalid(f"Invalid schemas of 'tools': {error}.", "tools", "invalid_function_parameters") from error
        for place, body in enumerate(tools):
            where = f"tools[{place}].function"
            function = body.function
            if function.name in self._own:
                raise invalid(f"Two tools are called {function.name!r}.", f"{where}.name")
            spec = self._spec(function, where) if trained is None else _same(function, trained, model, where)
            self.specs += (spec,)
            self._sent[spec.full_name], self._own[function.name] = function.name, spec.full_name

    def own(self, sent: str) -> str:
        """The name in strategies for the client's name; one that is not among the tools is made callable."""
        return self._own.get(sent) or _identifier(sent)

    def sent(self, own: str) -> str:
        """The client's name for a name in strategies."""
        return self._sent.get(own, own)

    def only(self, name: str) -> tuple[ToolSpec, ...]:
        """The spec of the tool of the client's name alone. Raises ApiError for one that is not there."""
        if name not in self._own:
            raise invalid(f"Tool choice {name!r:.80} is not among 'tools'.", "tool_choice")
        return tuple(spec for spec in self.specs if self._sent[spec.full_name] == name)

    def _spec(self, function: FunctionBody, where: str) -> ToolSpec:
        name, taken = _identifier(function.name), {spec.name for spec in self.specs}
        number = 2
        while name in taken:
            name, number = f"{_identifier(function.name)}_{number}", number + 1
        parameters = {"type": "object", "properties": {}} | (function.parameters or {})
        if not isinstance(parameters["properties"], dict) or parameters["type"] != "object":
            raise _no_schema(where, function.name, "it is not of type object with properties")
        # What a tool does is not known here. As one that reads, what it answered is told; that is what counts.
        spec = ToolSpec(name, function.description or "", parameters, effect="read")
        try:
            _checked(spec)
        except BadOption as error:
            raise _no_schema(where, function.name, str(error).rpartition(": ")[2]) from error
        return spec


def judged(calls: Sequence[Call], specs: Sequence[ToolSpec]) -> tuple[tuple[Call, ...], tuple[CallResult, ...]]:
    """Calls with their arguments fitted to the tools' schemas, and no results; or the calls as they are, and what is
    wrong with each. All go out or none: a model that is told of one mistake makes the others again, too."""
    known = {spec.full_name: spec for spec in specs}
    fitted, wrong = [], dict[int, CallResult]()
    for place, call in enumerate(calls):
        spec = known.get(call.tool)
        if spec is None:
            near = nearest(call.tool, known)
            text = f"there is no tool {call.tool[:80]!r}{'; nearest: ' if near else ''}{', '.join(near)}"
            wrong[place] = CallResult(call.id, error=text, fault="unknown_tool")
            continue
        try:
            arguments, _ = _checked(spec)(call.arguments)
            fitted.append(Call(call.tool, arguments, call.id))
        except Unchecked:  # such a schema is for the client's tool to check
            fitted.append(call)
        except ToolError as error:
            wrong[place] = CallResult(call.id, error=str(error), fault="arguments")
    if not wrong:
        return tuple(fitted), ()
    held = "not run, because another call of this reply was wrong; make this one again, too"
    results = [
        wrong.get(place) or CallResult(call.id, error=held, fault="arguments") for place, call in enumerate(calls)
    ]
    return tuple(calls), tuple(results)


async def judged_soon(
    calls: Sequence[Call], specs: Sequence[ToolSpec]
) -> tuple[tuple[Call, ...], tuple[CallResult, ...]]:
    """`judged`, beside the event loop where a schema can take long."""
    if all(_is_quick(json.dumps(spec.parameters, default=str)) for spec in specs):
        return judged(calls, specs)
    return await to_thread.run_sync(judged, calls, specs)


def are_quick(tools: Sequence[ToolBody]) -> bool:
    """Whether reading the schemas of all these tools takes next to no time."""
    return all(_is_quick(json.dumps(tool.function.parameters)) for tool in tools)


@lru_cache(maxsize=1024)
def _is_quick(parameters: str) -> bool:
    """Whether checking takes time in proportion to the arguments, whatever these are."""
    return len(parameters) <= _QUICK_LENGTH and not _SLOW.search(parameters)


def _checked(spec: ToolSpec) -> Check:
    """The check of a tool's arguments, kept for the next request. Raises BadOption for what is no JSON Schema."""
    return _checker(spec.full_name, json.dumps(spec.parameters, default=str))


@lru_cache(maxsize=1024)
def _checker(name: str, parameters: str) -> Check:
    return checker(ToolSpec(name, parameters=json.loads(parameters)))


def _identifier(name: str) -> str:
    legal = re.sub(r"\W", "_", name, flags=re.ASCII) or "_"
    legal = f"_{legal}" if legal[0].isdigit() else legal
    return f"{legal}_" if keyword.iskeyword(legal) else legal


def _trained(model: Model) -> dict[str, ToolSpec] | None:
    """The tools a model was trained for, by the names under which clients may offer them; None where any will do."""
    boxes = model.abilities.toolboxes
    if boxes is None:
        return None
    specs = [spec for box in boxes for spec in Toolbox.load(box).specs]
    sent = WireNames(spec.full_name for spec in specs)
    return {name: spec for spec in specs for name in (spec.name, spec.full_name, sent.sent(spec.full_name))}


def _same(function: FunctionBody, trained: Mapping[str, ToolSpec], model: Model, where: str) -> ToolSpec:
    """The toolbox's own tool that a client's tool is. Raises ApiError for any other."""
    spec = trained.get(function.name)
    own = {} if spec is None else spec.properties
    given = (function.parameters or {}).get("properties") or {}
    if spec is not None and list(given) == list(own) and all(_alike(given[name], own[name]) for name in own):
        return spec
    raise no_tools_for(model, f"tool {function.name!r:.80} is not one of them, or has other parameters", where)


def no_tools_for(model: Model, why: str, param: str) -> ApiError:
    """400: a model that was trained for one toolbox is asked for something else."""
    boxes = ", ".join(model.abilities.toolboxes or ())
    named = ", ".join(sorted({spec.name for spec in (_trained(model) or {}).values()}))
    text = f"Model '{model.name}' only calls the tools of the toolbox {boxes} ({named}): {why}."
    return invalid(text, param, "tools_not_supported")


def _alike(given: Any, own: Mapping[str, Any]) -> bool:
    return isinstance(given, dict) and all(given[key] == own.get(key) for key in _SAME_KIND if key in given)


def _no_schema(where: str, name: str, why: str) -> ApiError:
    return invalid(
        f"Invalid schema for function {name!r}: {why}.", f"{where}.parameters", "invalid_function_parameters"
    )
