"""`tool_choice`: what it says, and how a call is had from a model that made none. Knows no strategy by name but one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from toolmend.apps.server.body import ChatBody
from toolmend.apps.server.client_tools import ClientTools
from toolmend.apps.server.history import lately
from toolmend.apps.server.refusals import ApiError, invalid, unanswered
from toolmend.messages import Message, Reply, ToolSpec
from toolmend.models.model import Model
from toolmend.models.openai_compat import OpenAICompatible
from toolmend.reading import read
from toolmend.strategies import Act, Ask, Flow, Talk
from toolmend.strategies.constraints import calls as calls_constraint
from toolmend.strategies.constraints import without_nulls
from toolmend.strategies.oneline import Oneline
from toolmend.strategies.signature import signature

MOST = 8
"""Calls that a reply which is made to call may make."""


@dataclass(frozen=True, slots=True)
class ToolChoice:
    """Whether tools may be called, must be, or must not; and which. `named` if one tool is asked for by name."""

    mode: Literal["auto", "none", "required"]
    specs: tuple[ToolSpec, ...]
    named: str = ""


def choice_of(body: ChatBody, tools: ClientTools) -> ToolChoice:
    """What `tool_choice` says. Raises ApiError (400)."""
    given = body.tool_choice
    if not body.tools:
        if given in (None, "auto", "none"):
            return ToolChoice("none", ())
        raise invalid(
            "Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified.", _PARAM
        )
    if given in (None, "auto", "none", "required"):
        return ToolChoice(given or "auto", tools.specs)
    if isinstance(given, Mapping) and given.get("type") == "function":
        name = _name(given)
        return ToolChoice("required", tools.only([name]), name)
    if isinstance(given, Mapping) and given.get("type") == "allowed_tools":
        return _allowed(given.get("allowed_tools"), tools)
    raise _unreadable()


def told_to_call(model: Model, choice: ToolChoice) -> Model:
    """The model with the choice passed on to its server, where that takes one."""
    if isinstance(model, OpenAICompatible) and choice.mode == "required":
        one = choice.specs[0].full_name if len(choice.specs) == 1 else "required"
        return model.but(tool_choice=one)
    return model


def forced(talk: Talk, model: Model, *, one: bool) -> Flow:
    """A turn in which the model can do nothing but call, as far as its engine keeps to a constraint; one try."""
    if model.abilities.toolboxes is not None:  # trained for a line of Python, and for nothing else
        yield from Oneline(structured=True).turn(talk)
        return
    specs = {spec.full_name: spec for spec in talk.tools}
    system = Message("system", _instruction(talk))
    constraint = calls_constraint(talk.tools, 1 if one else MOST)
    reply: Reply = yield Ask((system, *lately(talk.messages, talk.tools)), constraint=constraint)
    reading = read(reply.text, talk.tools)
    made = tuple(without_nulls(call, specs[call.tool]) for call in reading.calls if call.tool in specs)
    yield Act(made, replace(reading, calls=made))


def not_honoured(choice: ToolChoice) -> ApiError:
    """The model would not call: an error, and not words where a call was asked for."""
    what = f"the tool '{choice.named}'" if choice.named else "a tool"
    text = (
        f"The model did not call {what} although 'tool_choice' demands it, nor when it was asked again for that alone."
    )
    return unanswered(text, "tool_choice_not_honoured")


def _instruction(talk: Talk) -> str:
    lines = "\n".join(
        f"{signature(spec)}{f'  # {spec.description}' if spec.description else ''}" for spec in talk.tools
    )
    what = f"Call {talk.tools[0].full_name}" if len(talk.tools) == 1 else "Call one of these tools"
    form = '{"calls": [{"tool": NAME, "arguments": {…}}]}'
    return f"{talk.system or ''}\n\n{lines}\n\n{what} for the request. Write JSON and nothing else: {form}".strip()


def _allowed(given: Any, tools: ClientTools) -> ToolChoice:
    if not isinstance(given, Mapping) or given.get("mode") not in ("auto", "required"):
        raise _unreadable()
    entries: Sequence[Any] = given.get("tools") if isinstance(given.get("tools"), list) else ()  # type: ignore[assignment]
    if not entries or not all(isinstance(each, Mapping) for each in entries):
        raise _unreadable()
    return ToolChoice(given["mode"], tools.only([_name(each) for each in entries]))


def _name(given: Mapping[str, Any]) -> str:
    function = given.get("function")
    name = function.get("name") if isinstance(function, Mapping) else None
    if not isinstance(name, str):
        param = f"{_PARAM}.function.name"
        raise invalid(f"Missing required parameter: '{param}'.", param, "missing_required_parameter")
    return name


def _unreadable() -> ApiError:
    known = "'none', 'auto', 'required', a function by name, or 'allowed_tools'"
    return invalid(f"Invalid value for '{_PARAM}': it must be {known}.", _PARAM)


_PARAM = "tool_choice"
