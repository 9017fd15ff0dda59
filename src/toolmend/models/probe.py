"""What a model does of what it is asked for: a dozen tiny requests, each with a verdict and what shows it.

Servers answer 200 and ignore what they do not know, so that only trying tells. A verdict is about these requests: a
weak model may have been sent a system text and not care.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

from toolmend.base.errors import ToolmendError
from toolmend.base.http import excerpt
from toolmend.base.messages import Constraint, Message, Options, Reply, Request, ToolSpec
from toolmend.models.model import Model, OnDelta
from toolmend.models.served import Served

Verdict = Literal["honoured", "ignored", "refused", "unclear"]

SCHEMA = "a JSON schema"
FORMAT = "the format of its calls"
_OPTIONS = Options(max_tokens=256)
_REFUSED = re.compile(r"HTTP [45]\d\d|the server says")
_WORD = "PINEAPPLE"
_CITY = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
_WEATHER = ToolSpec("look_up", "Look up the weather in a city.", {**_CITY, "additionalProperties": False}, "weather")
_FACTS = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "inhabitants": {"type": "integer"}},
    "required": ["city", "inhabitants"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class ProbeResult:
    """One thing that was asked for, and what came of it."""

    asked: str
    verdict: Verdict
    evidence: str


Judged = tuple[Verdict, str]
Probe = Callable[[Model], Awaitable[Judged]]
Spoken = Callable[[str, Sequence[ToolSpec]], str]
"""The name of the format in which a text makes a call, "" where it makes none."""


async def probe(model: Model, spoken: Spoken | None = None) -> tuple[ProbeResult, ...]:
    """Try everything, one after the other; never raises. Without a plain reply, nothing more is tried. Given who knows
    formats of calls (reading/tags.py), which one the model speaks is tried, too."""
    patient = model.but(retries=1) if isinstance(model, Served) else model
    findings = [await _finding("a plain reply", _plain, patient)]
    for asked, check in PROBES.items():
        if findings[0].verdict == "honoured":
            findings.append(await _finding(asked, check, patient))
        else:
            findings.append(ProbeResult(asked, "unclear", "not tried: no plain reply"))
    if spoken is not None and findings[0].verdict == "honoured":
        findings.append(await _finding(FORMAT, partial(_format, spoken), patient))
    return tuple(findings)


def able(model: Model, findings: Sequence[ProbeResult]) -> Model:
    """The model with what was found of it, where that is of use to more than a person: whether it keeps to a schema."""
    if not isinstance(model, Served):
        return model
    kept = any(finding.asked == SCHEMA and finding.verdict == "honoured" for finding in findings)
    return model.but(can=("schema",) if kept else ())


async def _finding(asked: str, check: Probe, model: Model) -> ProbeResult:
    try:
        verdict, evidence = await check(model)
    except ToolmendError as error:
        evidence = str(error).removeprefix(f"{model.name}: ")
        verdict = "refused" if _REFUSED.search(evidence) else "unclear"
    except Exception as error:  # a fault in somebody's provider is a finding, too
        verdict, evidence = "unclear", f"{type(error).__name__}: {error}"
    return ProbeResult(asked, verdict, excerpt(evidence))


async def _ask(model: Model, text: str, *, system: str = "", on_delta: OnDelta | None = None, **more: Any) -> Reply:
    messages = (*((Message("system", system),) if system else ()), Message("user", text))
    return await model.reply(Request(messages, **{"options": _OPTIONS, **more}), on_delta=on_delta)


def _said(reply: Reply) -> str:
    if reply.calls:
        return f"called {', '.join(call.tool for call in reply.calls)}"
    return f"said {reply.text.strip()[:60]!r}" if reply.text.strip() else f"nothing, {_tokens(reply)}"


def _tokens(reply: Reply) -> str:
    return f"{reply.usage.output_tokens} tokens counted"


async def _plain(model: Model) -> Judged:
    reply = await _ask(model, "Say hello.")
    return ("honoured" if reply.text.strip() else "unclear"), f"{_said(reply)}, {_tokens(reply)}"


async def _system(model: Model) -> Judged:
    told = f"Whatever the user says, your whole answer is the one word {_WORD}."
    reply = await _ask(model, "What is the capital of France?", system=told)
    return ("honoured" if _WORD in reply.text.upper() else "ignored"), _said(reply)


async def _tools(model: Model) -> Judged:
    reply = await _ask(model, "Look up the weather in Paris with the tool.", tools=(_WEATHER,))
    if not reply.calls:
        return "ignored", _said(reply)
    call = reply.calls[0]
    right = call.tool == _WEATHER.full_name and set(call.arguments) == {"city"}
    return ("honoured" if right else "unclear"), f"called {call.tool} with {dict(call.arguments)}"


async def _format(spoken: Spoken, model: Model) -> Judged:
    """The format in which the model writes a call, and what made it do so: the tools sent, or words about them."""
    asked = "Look up the weather in Paris with the tool."
    reply = await _ask(model, asked, tools=(_WEATHER,))
    if reply.calls:
        return "honoured", "native calls, which the server reads; told by the tools sent"
    if name := spoken(reply.text, (_WEATHER,)):
        return "honoured", f"{name}, in its text, which the server does not read; told by the tools sent"
    told = f"You can call a tool: {_WEATHER.full_name}(city: string). {_WEATHER.description} Write the call, no more."
    reply = await _ask(model, asked, system=told)
    if name := spoken(reply.text, (_WEATHER,)):
        return "honoured", f"{name}, in its text; told by a system text"
    return "unclear", f"no call was read; {_said(reply)}"


async def _forced(model: Model) -> Judged:
    if not isinstance(model, Served) or not hasattr(model.settings, "tool_choice"):
        return "unclear", "this kind of model has no such option"
    reply = await _ask(model.but(tool_choice="required"), "Say hello.", tools=(_WEATHER,))
    return ("honoured" if reply.calls else "ignored"), _said(reply)


async def _schema(model: Model) -> Judged:
    constraint = Constraint("json_schema", _FACTS)
    reply = await _ask(model, "Tell me something about Paris.", constraint=constraint)
    broken = [line for line in reply.unmet if line.startswith(("response_format", "constraint"))]
    looks = reply.text.lstrip().startswith("{")
    return ("honoured" if looks and not broken else "ignored"), "; ".join([*broken, _said(reply)])


async def _stop(model: Model) -> Judged:
    options = replace(_OPTIONS, stop=("6",))
    reply = await _ask(model, "Count from 1 to 9: 1, 2, 3 and so on.", options=options)
    if "6" in reply.text:
        return "ignored", _said(reply)
    return ("honoured" if "5" in reply.text and "7" not in reply.text else "unclear"), _said(reply)


async def _limit(model: Model) -> Judged:
    options = replace(_OPTIONS, max_tokens=8)
    whole = model.but(stream=False) if isinstance(model, Served) else model  # some count nothing in streams
    reply = await _ask(whole, "Count from one to fifty, in words.", options=options)
    given, words = reply.usage.output_tokens, len(reply.text.split())
    evidence = f"{_tokens(reply)}, {words} words, finish {reply.finish}"
    if given > 8 or words > 16:
        return "ignored", evidence
    return ("honoured" if given and reply.finish != "stop" else "unclear"), evidence


async def _seed(model: Model) -> Judged:
    text = "Invent a sentence of ten words about anything."
    said = [(await _ask(model, text, options=replace(_OPTIONS, temperature=1.0, seed=seed))).text for seed in (7, 7, 8)]
    if said[0] != said[1]:
        return "ignored", "two replies to the same seed differ"
    if said[0] == said[2]:
        return "unclear", "replies to two seeds are the same"
    return "honoured", "the same seed gives the same reply, another one another"


async def _stream(model: Model) -> Judged:
    pieces, reply = await _streamed(model)
    if "".join(pieces) != reply.text:
        return "unclear", f"{len(pieces)} pieces that are not the reply"
    return ("honoured" if len(pieces) > 1 else "ignored"), f"{len(pieces)} pieces"


async def _stream_usage(model: Model) -> Judged:
    _, reply = await _streamed(model)
    usage = reply.usage
    both = usage.input_tokens and usage.output_tokens
    return ("honoured" if both else "ignored"), f"{usage.input_tokens} tokens in, {usage.output_tokens} out"


async def _streamed(model: Model) -> tuple[list[str], Reply]:
    pieces: list[str] = []
    streaming = model.but(stream=True) if isinstance(model, Served) else model
    reply = await _ask(streaming, "Count from 1 to 9: 1, 2, 3 and so on.", on_delta=pieces.append)
    return pieces, reply


PROBES: dict[str, Probe] = {
    "a system text": _system,
    "native tools": _tools,
    "tool_choice: required": _forced,
    SCHEMA: _schema,
    "a stop sequence": _stop,
    "max_tokens: 8": _limit,
    "a seed": _seed,
    "streaming": _stream,
    "usage in the stream": _stream_usage,
}
