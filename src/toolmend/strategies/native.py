"""The model's own tool calling: the tools go along as JSON Schemas, calls come back as calls, results follow.

What the conventional way is measured by: the same rich schemas, history, coercion and retries as every other strategy.
A call that comes as text although tools were sent is read as a call and recorded (leniency `as_text`): models do that
(docs/log.md), and dropping it in silence would measure the server's parser. `strict` reads native calls only.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from toolmend.messages import RAW, Call, CallResult, Message, Reply, ToolSpec
from toolmend.reading import Reading, read
from toolmend.strategies.history import acted, exchange
from toolmend.strategies.prompt import digest, render
from toolmend.strategies.retries import DEFAULT_RETRIES, UNREADABLE, Retries, failed
from toolmend.strategies.strategy import Act, Ask, Flow, Talk

BROKEN = "The arguments are not a JSON object: {}. Make the call again with valid JSON."


@dataclass(frozen=True)
class Native:
    """Ask with tools, run what is called, tell the results, until the model answers in words.

    `retries` per class of error; `summary=False` ends the turn as soon as all calls of a reply took effect, without
    asking for words; `strict` reads no call out of text.
    """

    retries: int = DEFAULT_RETRIES
    summary: bool = True
    strict: bool = False

    name = "native"
    bare = False

    @property
    def prompt_hash(self) -> str:
        """The prompt file's."""
        return digest("native")

    def turn(self, talk: Talk) -> Flow:
        """One request, any number of rounds of calls."""
        messages = [Message("system", self.system_text(talk)), *acted(talk.messages)]
        budget, made = Retries(self.retries), 0
        while True:
            reply = yield Ask(tuple(messages), tools=talk.tools)
            assert isinstance(reply, Reply)
            reading = self.read(reply, talk.tools)
            if not reading.calls:
                if reading.problem != "syntax" or not budget.spend(UNREADABLE):
                    return
                messages += [
                    Message("assistant", reply.text),
                    Message("user", f"No call could be read: {reading.detail}."),
                ]
                continue
            results = yield from _run(reading)
            named = [replace(call, id=f"t{made + place}") for place, call in enumerate(reading.calls)]
            made += len(named)
            messages += exchange(reply.text if reply.calls else "", named, _explained(named, results))
            faults = [result.fault for _, result in failed(named, results)]
            if not budget.spend(*faults) or (not faults and not self.summary):
                return

    def read(self, reply: Reply, tools: Sequence[ToolSpec]) -> Reading:
        """Native calls, or else, unless strict, calls in the text."""
        if reply.calls:
            return Reading(reply.calls, reply.text.strip())
        if self.strict:
            return Reading((), reply.text.strip(), problem="no_call")
        reading = read(reply.text, tools)
        return replace(reading, leniencies=(*reading.leniencies, "as_text")) if reading.calls else reading

    def system_text(self, talk: Talk) -> str:
        """The given system text, or prompts/native.md; the world as it is at the end."""
        return render("native", system=talk.system, world=talk.view())


def _run(reading: Reading) -> Generator[Any, Any, tuple[CallResult, ...]]:
    results = yield Act(reading.calls, reading)
    return tuple(results)


def _explained(calls: Sequence[Call], results: Sequence[CallResult]) -> list[CallResult]:
    """The results as told to the model: broken arguments are called what they are."""
    told = [
        replace(result, error=BROKEN.format(call.arguments[RAW])) if RAW in call.arguments else result
        for call, result in zip(calls, results, strict=False)
    ]
    return [*told, *(CallResult(call.id, error="not run", fault="refused") for call in calls[len(told) :])]
