"""What a request comes to before any model is asked: everything that can be wrong with it is found here. Pure."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from toolmend.apps.server.body import ChatBody
from toolmend.apps.server.choice import Choice, choice_of
from toolmend.apps.server.client_tools import ClientTools, no_tools_for
from toolmend.apps.server.history import History, read_history, untouched
from toolmend.apps.server.refusals import invalid
from toolmend.apps.server.served import Served, ServedModels
from toolmend.apps.server.settings import ServerSettings
from toolmend.apps.server.shape import Shape, shape_of
from toolmend.errors import BadOption
from toolmend.messages import Call, Message, Options, ToolSpec
from toolmend.models.model import Model, declared
from toolmend.reading import render
from toolmend.resolve.background import Background
from toolmend.strategies import About, Strategy, Talk, calls_tools, told_lines
from toolmend.strategies.history import MAX_RESULT


@dataclass(frozen=True, slots=True)
class Plan:
    """A request, understood. `strategy` is the one that is followed, never `auto`; `stops` end the answer; `own` tells
    whether it is a turn with the server's own tools."""

    served: Served
    strategy: Strategy
    tools: ClientTools
    history: History
    choice: Choice
    shape: Shape | None
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
        return Talk(specs, said, system, about=about(self.model), background=_now)

    @property
    def told(self) -> tuple[Message, ...]:
        """Everything, the calls made for the request too, for a prompt of our own."""
        said = self.history.told
        return as_lines(said, self.choice.specs) if told_lines(self.strategy) else said


def plan_of(body: ChatBody, models: ServedModels, settings: ServerSettings) -> Plan:
    """The plan of a request. Raises ApiError."""
    served = models.find(body.model)
    if settings.toolbox and body.tools:
        text = f"This server runs its own tools ({settings.toolbox}), and takes none from clients."
        raise invalid(text, "tools", "tools_not_supported")
    if (body.n or 1) > settings.choices:
        raise invalid(f"Invalid value for 'n': this server gives at most {settings.choices} choices.", "n")
    tools = ClientTools(body.tools or (), served.model)
    history, choice, shape = read_history(body.messages, tools), choice_of(body, tools), shape_of(body.response_format)
    own = bool(settings.toolbox) and shape is None and body.tool_choice in (None, "auto")
    if own and (body.n or 1) > 1:
        raise invalid("Invalid value for 'n': where the server runs the tools there is one choice.", "n")
    _check_trained(served.model, choice, history, shape, settings.toolbox if own else None)
    strategy: Any = served.strategy
    if choose := getattr(strategy, "choose", None):
        strategy, _ = choose(about(served.model, settings.toolbox or ""))
    if not settings.toolbox and getattr(strategy, "result", 0) == MAX_RESULT:
        # What a client sends is told whole, unless the server was told otherwise.
        strategy = replace(strategy, result=0)
    options = _options(body, settings)
    return Plan(served, strategy, tools, history, choice, shape, options, body.stops, body.parallel, own)


def _now() -> Background:
    """What words are said against here: the clock alone. Of the client's world nothing is known."""
    return Background(now=dt.datetime.now())


def about(model: Model, toolbox: str = "") -> About:
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
    for each in messages:
        if each.calls:
            made.append(replace(each, content="\n".join(_line(call, known.get(call.tool)) for call in each.calls)))
        elif not (each.role == "assistant" and made and made[-1].calls):
            made.append(each)
    return tuple(made)


def _line(call: Call, spec: ToolSpec | None) -> str:
    try:
        return render(call, spec)
    except BadOption:  # a name or a value that Python cannot write
        return call.tool


def _options(body: ChatBody, settings: ServerSettings) -> Options:
    most = body.max_completion_tokens or body.max_tokens or settings.max_tokens
    temperature = settings.temperature if body.temperature is None else body.temperature
    return Options(temperature, body.seed, most)


def _check_trained(model: Model, choice: Choice, history: History, shape: Shape | None, toolbox: str | None) -> None:
    """Raise ApiError where a model that was trained to call certain tools is asked for something else."""
    if model.abilities.toolboxes is None or (toolbox and declared(model, toolbox) is None):
        return
    if shape is not None:
        raise no_tools_for(model, "it writes no JSON of other kinds", "response_format")
    if choice.mode == "none" and not history.rounds:
        raise no_tools_for(model, "send them as 'tools', or pick a model that talks", "tools")
