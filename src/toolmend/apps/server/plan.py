"""What a request comes to before any model is asked: everything that can be wrong with it is found here. Pure."""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from toolmend.apps.server.body import ChatBody, FormatBody
from toolmend.apps.server.client_tools import ClientTools, no_tools_for
from toolmend.apps.server.history import History, read_history, untouched
from toolmend.apps.server.refusals import invalid
from toolmend.apps.server.served import ServedModel, ServedModels
from toolmend.apps.server.settings import ServerSettings
from toolmend.base import schemas
from toolmend.base.errors import BadOption
from toolmend.base.messages import Call, Constraint, Message, Options, ToolSpec
from toolmend.language.resolve.background import Background
from toolmend.models.model import Model, declared
from toolmend.reading import render
from toolmend.strategies import About, Strategy, Talk, calls_tools, told_lines
from toolmend.strategies.history import MAX_RESULT

_FENCE = re.compile(r"\s*```(?:json)?\s*\n(?P<inside>.*?)\n?\s*```\s*", re.DOTALL | re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ToolChoice:
    """`tool_choice`: whether tools may be called, must be, or must not; and which. `named` if one is asked for."""

    mode: Literal["auto", "none", "required"]
    specs: tuple[ToolSpec, ...]
    named: str = ""


@dataclass(frozen=True)
class ReplyShape:
    """`response_format`: a JSON object, or what a schema says; what a model is told and held to."""

    schema: Mapping[str, Any] | None = None

    @property
    def constraint(self) -> Constraint:
        """For engines that can keep a reply to it."""
        return Constraint("json_schema", self.schema or {"type": "object"})

    @property
    def instruction(self) -> str:
        """What a model is told."""
        if self.schema is None:
            return "Answer with one JSON object and nothing else."
        return f"Answer with JSON of this schema and nothing else:\n{json.dumps(self.schema, ensure_ascii=False)}"

    def read(self, text: str) -> tuple[str, str]:
        """The JSON in a reply, without a fence around it, and what is wrong with it: "" if nothing is."""
        found = _FENCE.fullmatch(text)
        inside = (found["inside"] if found else text).strip()
        try:
            value = json.loads(inside, parse_constant=_no_constant)
        except (ValueError, RecursionError) as error:
            return inside, f"it is no JSON: {error}"
        if self.schema is None:
            return inside, "" if isinstance(value, dict) else "it is no JSON object"
        try:
            wrong = schemas.errors(schemas.harmless(self.schema), value)
        except BadOption as error:
            return inside, f"it cannot be checked: {error}"
        return inside, f"{wrong[0].json_path}: {wrong[0].message}"[:300] if wrong else ""


@dataclass(frozen=True, slots=True)
class RequestPlan:
    """A request, understood. `strategy` is the one that is followed, never `auto`; `stops` end the answer; `own` tells
    whether it is a turn with the server's own tools."""

    served: ServedModel
    strategy: Strategy
    tools: ClientTools
    history: History
    choice: ToolChoice
    shape: ReplyShape | None
    options: Options
    stops: tuple[str, ...]
    parallel: bool
    own: bool = False

    @property
    def model(self) -> Model:
        """The model that is asked."""
        return self.served.model

    @property
    def talk(self) -> Talk:
        """What the strategy may know, up to the request."""
        specs, said = self.choice.specs, self.history.messages
        if told_lines(self.strategy):
            said = as_lines(said, specs)
        elif calls_tools(self.strategy):
            said = untouched(said)
        system = system_for(self.strategy, specs, self.history.system)
        return Talk(specs, said, system, about=_about(self.model), background=_now)

    @property
    def told(self) -> tuple[Message, ...]:
        """Everything, the calls made for the request too, for a prompt of our own."""
        said = self.history.told
        return as_lines(said, self.choice.specs) if told_lines(self.strategy) else said


def plan_of(body: ChatBody, models: ServedModels, settings: ServerSettings) -> RequestPlan:
    """The plan of a request. Raises ApiError."""
    served = models.find(body.model)
    if settings.toolbox and body.tools:
        text = f"This server runs its own tools ({settings.toolbox}), and takes none from clients."
        raise invalid(text, "tools", "tools_not_supported")
    tools = ClientTools(body.tools or (), served.model)
    history, choice, shape = read_history(body.messages, tools), _choice(body, tools), _shape(body.response_format)
    own = bool(settings.toolbox) and shape is None and body.tool_choice in (None, "auto")
    _check_trained(served.model, choice, history, shape, settings.toolbox if own else None)
    strategy: Any = served.strategy
    if choose := getattr(strategy, "choose", None):
        strategy, _ = choose(_about(served.model, settings.toolbox or ""))
    if not settings.toolbox and getattr(strategy, "result", 0) == MAX_RESULT:
        # What a client sends is told whole, unless the server was told otherwise.
        strategy = replace(strategy, result=0)
    most = body.max_completion_tokens or body.max_tokens or settings.max_tokens
    options = Options(body.temperature or 0.0, body.seed, most)
    parallel = body.parallel_tool_calls is not False
    return RequestPlan(served, strategy, tools, history, choice, shape, options, body.stops, parallel, own)


def _choice(body: ChatBody, tools: ClientTools) -> ToolChoice:
    given = body.tool_choice
    if not body.tools:
        if given in (None, "auto", "none"):
            return ToolChoice("none", ())
        text = "Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified."
        raise invalid(text, "tool_choice")
    if given in (None, "auto", "none", "required"):
        return ToolChoice(given or "auto", tools.specs)
    if not isinstance(given, Mapping) or given.get("type") != "function":
        known = "'none', 'auto', 'required', or a function by name"
        raise invalid(f"Invalid value for 'tool_choice': it must be {known}.", "tool_choice")
    function = given.get("function")
    name = function.get("name") if isinstance(function, Mapping) else None
    if not isinstance(name, str):
        param = "tool_choice.function.name"
        raise invalid(f"Missing required parameter: '{param}'.", param, "missing_required_parameter")
    return ToolChoice("required", tools.only(name), name)


def _shape(given: FormatBody | None) -> ReplyShape | None:
    """What is asked for, its schema looked at before a model is asked; None for plain text."""
    if given is None or given.type == "text":
        return None
    if given.type == "json_object":
        return ReplyShape()
    if given.json_schema is None:
        param = "response_format.json_schema"
        raise invalid(f"Missing required parameter: '{param}'.", param, "missing_required_parameter")
    schema = given.json_schema.schema_ or {}
    try:
        schemas.check(schema)
    except BadOption as error:
        text = f"Invalid schema for response_format: {error}."
        raise invalid(text, "response_format.json_schema.schema") from error
    return ReplyShape(schema)


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def _now() -> Background:
    """What words are said against here: the clock alone. Of the client's world nothing is known."""
    return Background(now=dt.datetime.now())


def _about(model: Model, toolbox: str = "") -> About:
    """What is told of a model whose tools are the client's, or the server's toolbox."""
    trained = model.abilities.toolboxes is not None and (not toolbox or declared(model, toolbox) is None)
    able = model.abilities
    return About(model.name, toolbox, able.native_tools, trained, strategy=able.strategy)


def system_for(strategy: Strategy, specs: Sequence[ToolSpec], system: str | None) -> str | None:
    """The system text for a strategy. One that would drop its own for the client's, tools and all, gets both."""
    if system is None or not told_lines(strategy):
        return system
    return f"{strategy.system_text(Talk(tuple(specs), ()))}\n\n{system}"


def as_lines(messages: Sequence[Message], specs: Sequence[ToolSpec]) -> tuple[Message, ...]:
    """Calls as lines of Python, and nothing said after them: what `oneline` reads, and what was trained for it."""
    made: list[Message] = []
    known = {spec.full_name: spec for spec in specs}
    for message in messages:
        if message.calls:
            made.append(
                replace(message, content="\n".join(_line(call, known.get(call.tool)) for call in message.calls))
            )
        elif not (message.role == "assistant" and made and made[-1].calls):
            made.append(message)
    return tuple(made)


def _line(call: Call, spec: ToolSpec | None) -> str:
    try:
        return render(call, spec)
    except BadOption:  # a name or a value that Python cannot write
        return call.tool


def _check_trained(
    model: Model, choice: ToolChoice, history: History, shape: ReplyShape | None, toolbox: str | None
) -> None:
    """Raise ApiError where a model that was trained to call certain tools is asked for something else."""
    if model.abilities.toolboxes is None or (toolbox and declared(model, toolbox) is None):
        return
    if shape is not None:
        raise no_tools_for(model, "it writes no JSON of other kinds", "response_format")
    if choice.mode == "none" and not history.rounds:
        raise no_tools_for(model, "send them as 'tools', or pick a model that talks", "tools")
