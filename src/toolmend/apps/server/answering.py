"""From a plan to an answer: the model asked by its strategy, `tool_choice` and `response_format` kept to, or an error.

A strategy is driven until it makes calls that are to go out, which are checked first: of a mistake it hears and tries
again here (session/turn.py drives turns whose calls are run). Knows no HTTP, no format, and of strategies one by name.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from anyio import to_thread

from toolmend.apps.server.client_tools import judged_soon
from toolmend.apps.server.history import lately, unmarked, untouched
from toolmend.apps.server.plan import RequestPlan, ToolChoice
from toolmend.apps.server.refusals import failed_model, unanswered
from toolmend.base import tracing
from toolmend.base.errors import ModelError
from toolmend.base.messages import RAW, Call, CallResult, Finish, Message, Options, Reply, Request, ToolSpec, Usage
from toolmend.models.model import Model
from toolmend.models.openai_compat import OpenAICompatible
from toolmend.reading import read
from toolmend.reading.stream import WordStream
from toolmend.reading.thoughts import words_of
from toolmend.session.guards import Guard, Limits
from toolmend.strategies import WORDS, Act, Ask, Flag, Flow, Say, TakeBack, Talk, calls_tools, roles_of
from toolmend.strategies.constraints import calls as calls_constraint
from toolmend.strategies.constraints import without_nulls
from toolmend.strategies.history import acted, became
from toolmend.strategies.oneline import Oneline
from toolmend.strategies.resuming import Diverged, Record
from toolmend.strategies.signature import signature

_CHAT = "chat"  # the role in which a model writes words for a person
_MOST = 8  # calls that a reply which is made to call may make

Show = Callable[[str], None]
Judge = Callable[[Sequence[Call]], Awaitable[tuple[tuple[Call, ...], tuple[CallResult, ...]]]]
AsksModel = Callable[[Ask, bool], Awaitable[Reply]]
"""Who asks the model; the second tells whether this reply is shown to the client as it is."""


@dataclass(frozen=True, slots=True)
class ServedAnswer:
    """What a request came to: calls for the client, or words. `wrong` are calls the strategy gave up on: they name
    tools that there are, and their arguments do not fit. `flags` are what it did of its own accord and the guards."""

    text: str = ""
    calls: tuple[Call, ...] = ()
    wrong: tuple[Call, ...] = ()
    usage: Usage = Usage()
    finish: Finish = "stop"
    flags: tuple[str, ...] = ()


async def answered(plan: RequestPlan, show: Show | None = None) -> ServedAnswer:
    """The answer. Raises ApiError."""
    firm = plan.shape is not None or plan.choice.mode == "required"
    voice = _Voice(_told_to_call(plan.model, plan.choice), plan.options, plan.stops, None if firm else show)
    done = await (_words(plan, voice) if plan.choice.mode == "none" else _called(plan, voice))
    calls = done.calls or done.wrong
    if not calls and plan.shape is not None:
        done = await _shaped(plan, voice, done)
    named = tuple(replace(call, tool=plan.tools.sent(call.tool)) for call in calls)  # the client's names
    return replace(done, calls=named, wrong=(), usage=voice.usage)


class _Voice:
    """Asks the model for one answer, and counts what that takes."""

    def __init__(self, model: Model, options: Options, stops: tuple[str, ...], show: Show | None) -> None:
        self.model, self.options, self.stops, self.show, self.usage = model, options, stops, show, Usage()

    async def ask(self, ask: Ask, live: bool) -> Reply:
        """The model's reply. Raises ApiError where there is none."""
        stop = (*ask.stop, *self.stops) if live else ask.stop
        request = Request(ask.messages, ask.tools, replace(self.options, stop=stop), ask.constraint)
        with tracing.chat(self.model.name, request, ask.role) as span:
            try:
                reply = await self.model.reply(request, on_delta=self._shown(ask) if live else None)
            except ModelError as error:
                raise failed_model(error, self.model.name) from error
            span.replied(reply)
        self.usage += reply.usage
        return reply

    def _shown(self, ask: Ask) -> Show | None:
        """Shows the words of a reply as they come, and nothing of a thought or a call."""
        if (show := self.show) is None:
            return None
        stream = WordStream(ask.tools)
        return lambda piece: show(words) if (words := stream.feed(piece)) else None


class ClientTurn:
    """A turn as it unfolds: `one` call at most. A strategy that plans first has all its calls go out together; where
    the model makes calls itself, and strictly so, its text is never read as a call."""

    def __init__(self, ask: AsksModel, judge: Judge, record: Record, strategy: Any = None, *, one: bool) -> None:
        self._ask, self._judge, self._record, self._one = ask, judge, record, one
        self._gathers = strategy is not None and "intent" in roles_of(strategy)
        self._native = strategy is not None and calls_tools(strategy)
        self._guard = Guard(Limits())
        self._gathered: list[Call] = []
        self._wrong: tuple[Call, ...] = ()
        self._text, self._flags = "", list[str]()
        self._finish: Finish = "stop"
        self._spoken = self._native and getattr(strategy, "strict", False)
        self._over, self._said = False, False

    async def drive(self, flow: Flow) -> ServedAnswer:
        """Go through with it. Raises what asking raises, and Diverged."""
        sent: Any = None
        while not self._over:
            try:
                step = flow.send(sent)
            except StopIteration:
                break
            sent = await self._answer(step)
        flow.close()
        calls = tuple(self._gathered)
        text = "" if calls and not self._said else self._text
        return ServedAnswer(text, calls, () if calls else self._wrong, Usage(), self._finish, tuple(self._flags))

    async def _answer(self, step: Any) -> Any:
        if isinstance(step, Ask):
            return await self._reply(step)
        if isinstance(step, Act):
            return await self._act(step)
        if isinstance(step, TakeBack):
            ids = tuple(call.id for call in self._gathered)
            self._gathered.clear()
            return ids
        if isinstance(step, Say):
            self._text = step.text
        elif isinstance(step, Flag):
            self._flags.append(step.name)
            self._record.heard(step)
        return None

    async def _reply(self, ask: Ask) -> Reply | None:
        """The reply from the record, or the model's. With calls gathered nothing is left to be said."""
        if self._gathered and ask.role in WORDS:
            self._over = True
            return None
        recorded = self._record.reply(ask)
        if recorded is not None:
            self._spoken = self._spoken or bool(recorded.calls)
            return recorded
        if stopped := self._guard.round(ask):
            self._flags.append(stopped)
            self._over = True
            return None
        live = ask.role in WORDS or (self._native and self._spoken)
        reply = self._record.adjusted(ask, await self._ask(ask, live))
        self._spoken = self._spoken or (self._native and bool(reply.calls))
        self._text, self._finish = words_of(reply.text), reply.finish
        self._said = bool(reply.calls) and self._native
        return reply

    async def _act(self, act: Act) -> tuple[CallResult, ...]:
        """The results on record, or what is wrong with the calls; calls that are right go out."""
        if not act.calls:
            return ()
        recorded = self._record.results(act.calls)
        if recorded is not None:
            return recorded
        made = act.calls[:1] if self._one else act.calls
        calls, wrong = await self._judge(made)
        if wrong:
            unfit = any(result.fault == "unknown_tool" for result in wrong) or any(RAW in c.arguments for c in calls)
            self._wrong = () if unfit else calls  # what is no JSON object breaks the client that gets it
            held = [CallResult(call.id, error="only one call at a time", fault="arguments") for call in act.calls[1:]]
            return (*wrong, *held) if self._one else wrong
        self._gathered += calls
        self._over = not self._gathers or self._one
        return tuple(CallResult(call.id) for call in act.calls)


async def _called(plan: RequestPlan, voice: _Voice) -> ServedAnswer:
    """By the strategy; once more, for a call alone, where one is demanded and none came."""
    specs, rounds, one = plan.choice.specs, plan.history.rounds, not plan.parallel
    judge, talk, demanded = partial(judged_soon, specs=specs), plan.talk, plan.choice.mode == "required"
    record = _record(plan)
    done = ServedAnswer()
    if rounds and getattr(plan.strategy, "once", False):
        done = ServedAnswer(_closing(plan))
    elif record is None:
        done = await _words(plan, voice)
    else:
        try:
            done = await ClientTurn(voice.ask, judge, record, plan.strategy, one=one).drive(plan.strategy.turn(talk))
        except Diverged:
            done = await _words(plan, voice)
    if not demanded or done.calls or done.wrong:
        return done if done.text or done.calls or done.wrong else replace(done, text=_closing(plan))
    told = replace(talk, messages=plan.told)
    again = await ClientTurn(voice.ask, judge, Record(), one=one).drive(_forced(told, voice.model, one=one))
    if not again.calls and not again.wrong:
        what = f"the tool '{plan.choice.named}'" if plan.choice.named else "a tool"
        text = f"The model did not call {what} although 'tool_choice' demands it, nor when asked again for that alone."
        raise unanswered(text, "tool_choice_not_honoured")
    return replace(again, flags=(*done.flags, "forced", *again.flags))


def _record(plan: RequestPlan) -> Record | None:
    """What the strategy is told of the calls made so far; None for one that cannot take them up again."""
    if not plan.history.rounds:
        return Record()
    resume = getattr(plan.strategy, "resume", None)
    return resume(plan.history.rounds, plan.choice.specs, whole=plan.parallel) if resume else None


async def _words(plan: RequestPlan, voice: _Voice) -> ServedAnswer:
    """An answer in words, whatever tools there are."""
    if plan.model.abilities.toolboxes is not None:
        return ServedAnswer(_closing(plan))
    ask = Ask(_talked(plan), constraint=plan.shape.constraint if plan.shape else None, role=_CHAT)
    reply = await voice.ask(ask, True)
    return ServedAnswer(words_of(reply.text), finish=reply.finish)


async def _shaped(plan: RequestPlan, voice: _Voice, done: ServedAnswer) -> ServedAnswer:
    """The answer in the form that was asked for; the model gets one more try."""
    assert plan.shape is not None, "only called with one"
    text, problem = await to_thread.run_sync(plan.shape.read, done.text)
    if not problem or done.finish == "length":
        return replace(done, text=text)
    again = f"That was not what was asked for: {problem}\n{plan.shape.instruction}"
    messages = (*_talked(plan), Message("assistant", done.text), Message("user", again))
    reply = await voice.ask(Ask(messages, constraint=plan.shape.constraint, role=_CHAT), True)
    text, problem = await to_thread.run_sync(plan.shape.read, reply.text)
    if problem and reply.finish != "length":
        what = f"The model did not answer in the 'response_format', nor when it was asked again: {problem}"
        raise unanswered(what, "response_format_not_honoured")
    return replace(done, text=text, finish=reply.finish, flags=(*done.flags, "format_retried"))


def _talked(plan: RequestPlan) -> tuple[Message, ...]:
    """The whole talk for an answer in words."""
    told, specs = plan.history.told, plan.tools.specs
    system = "\n\n".join(filter(None, [plan.history.system, plan.shape.instruction if plan.shape else ""]))
    said = acted(untouched(told), specs, 0) if calls_tools(plan.strategy) else lately(told, specs)
    return (*([Message("system", system)] if system else []), *said)


def _closing(plan: RequestPlan) -> str:
    """What the calls of the last round came to, for models that have no words for it: for the client, so unmarked."""
    specs: dict[str, ToolSpec] = {spec.full_name: spec for spec in plan.choice.specs or plan.tools.specs}
    last = plan.history.rounds[-1:]
    return "\n".join(
        became(replace(call, tool=plan.tools.sent(call.tool)), unmarked(result), specs.get(call.tool), 0)
        for round_ in last
        for call, result in zip(round_.calls, round_.results, strict=True)
    )


def _told_to_call(model: Model, choice: ToolChoice) -> Model:
    """The model with the choice passed on to its server, where that takes one."""
    if isinstance(model, OpenAICompatible) and choice.mode == "required":
        one = choice.specs[0].full_name if len(choice.specs) == 1 else "required"
        return model.but(tool_choice=one)
    return model


def _forced(talk: Talk, model: Model, *, one: bool) -> Flow:
    """A turn in which the model can do nothing but call, as far as its engine keeps to a constraint; one try."""
    if model.abilities.toolboxes is not None:  # trained for a line of Python, and for nothing else
        yield from Oneline(structured=True).turn(talk)
        return
    specs = {spec.full_name: spec for spec in talk.tools}
    lines = "\n".join(f"{signature(spec)}{spec.description and f'  # {spec.description}'}" for spec in talk.tools)
    what = f"Call {talk.tools[0].full_name}" if len(talk.tools) == 1 else "Call one of these tools"
    form = '{"calls": [{"tool": NAME, "arguments": {…}}]}'
    told = f"{talk.system or ''}\n\n{lines}\n\n{what} for the request. Write JSON and nothing else: {form}".strip()
    constraint = calls_constraint(talk.tools, 1 if one else _MOST)
    said = (Message("system", told), *lately(talk.messages, talk.tools))
    reply: Reply = yield Ask(said, constraint=constraint)
    reading = read(reply.text, talk.tools)
    made = tuple(without_nulls(call, specs[call.tool]) for call in reading.calls if call.tool in specs)
    yield Act(made, replace(reading, calls=made))
