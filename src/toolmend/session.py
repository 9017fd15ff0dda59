"""A talk: the only place that awaits a model and runs a tool, and that knows what a correction does.

    chat = Session(model="builtin/small", tools="calendar")
    chat.say("Add a lunch with Ada on May 3 at noon")     # a new request, or an amendment if the router says so
    chat.correct("It starts at one.")                     # undoes the last calls, says it, links the new call to them
    chat.undo()                                           # the last turn never happened

Every door has an async twin with an `a` in front. Everything that happens goes to `sink` as events. Knows no suites,
no storage and no screen.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from anyio import CancelScope

from toolmend.errors import BadOption, ModelError, ToolError, ToolmendError
from toolmend.events import Asked, Called, Corrected, Event, Read, Refused, Replied, Sink, Undone
from toolmend.messages import Call, CallResult, Message, Options, Reply, Request, Usage
from toolmend.mistakes import Correction
from toolmend.models import Model, declared, load_model
from toolmend.models.model import OnDelta
from toolmend.portal import run_sync
from toolmend.reading import Reading
from toolmend.routing import Router, default_router
from toolmend.strategies import Act, Ask, Strategy, Talk, load_strategy
from toolmend.tools import Toolbox

MOST_ROUNDS = 24


@dataclass(frozen=True, slots=True)
class Answer:
    """What one turn came to. `str()` is the raw text of the last reply.

    `amends` is the index of the turn it corrects; `redone` tells that no call that could be made came back and the
    undone ones were put back; `kept` are calls that could not be undone and still stand.
    """

    turn: int
    text: str
    reading: Reading
    calls: tuple[Call, ...] = ()
    results: tuple[CallResult, ...] = ()
    usage: Usage = Usage()
    amends: int | None = None
    undone: tuple[str, ...] = ()
    redone: bool = False
    kept: tuple[str, ...] = ()
    truncated: bool = False

    def __str__(self) -> str:
        """The raw text, so that printing an answer shows what the model said."""
        return self.text

    @property
    def standing(self) -> tuple[Call, ...]:
        """The calls of this turn that took effect."""
        return tuple(call for call, result in zip(self.calls, self.results, strict=True) if result.ok)


@dataclass(slots=True)
class _Turn:
    """A turn as it unfolds."""

    number: int
    calls: list[Call] = field(default_factory=list)
    results: list[CallResult] = field(default_factory=list)
    reading: Reading | None = None
    text: str = ""
    usage: Usage = Usage()
    truncated: bool = False


class Session:
    """One conversation of one model, strategy and toolbox. Not for use from several tasks at once."""

    def __init__(
        self,
        model: str | Model,
        tools: str | Toolbox,
        strategy: str | Strategy = "oneline",
        *,
        system: str | None = None,
        options: Options | None = None,
        sink: Sink | None = None,
        router: Router | None = None,
    ) -> None:
        self.model, self.strategy = load_model(model), load_strategy(strategy)
        self.tools = Toolbox.load(tools) if isinstance(tools, str) else tools
        self.system, self.options, self.router = system, options or Options(), router or default_router
        self.messages: list[Message] = []
        self.answers: list[Answer] = []
        self.sink, self._made = sink, 0
        self._alive: dict[str, Call] = {}
        _check_toolbox(self.model, tools, self.tools)

    @property
    def standing(self) -> list[Call]:
        """Every call of this talk that took effect and was not undone, oldest first."""
        return sorted(self._alive.values(), key=lambda call: int(call.id[1:]))

    # what a person does ----------------------------------------------------------------------------------------

    def say(self, text: str, *, on_delta: OnDelta | None = None) -> Answer:
        """Say something; the router decides whether it amends the last calls. Raises ModelError without an answer."""
        return run_sync(self.asay, text, on_delta)

    async def asay(self, text: str, on_delta: OnDelta | None = None) -> Answer:
        """`say`, awaited."""
        said = [message.content for message in self.messages if message.role == "user"]
        verdict = self.router(text, self.standing, said)
        target = self._target(None) if verdict.amends and self.answers else None
        return await self._turn(text, target, routed=f"router: {verdict.reason}", on_delta=on_delta)

    def request(self, text: str, *, on_delta: OnDelta | None = None) -> Answer:
        """Say something that is a new request for certain."""
        return run_sync(self.arequest, text, on_delta)

    async def arequest(self, text: str, on_delta: OnDelta | None = None) -> Answer:
        """`request`, awaited."""
        return await self._turn(text, None, on_delta=on_delta)

    def correct(self, text: str | Correction, call: str | None = None, *, on_delta: OnDelta | None = None) -> Answer:
        """Say what is wrong with the last turn's calls, or with the turn of the call of that id.

        Those calls are undone, newest first; the new call carries `amends`. If no call that can be made comes back they
        are done again. Raises BadOption where there is nothing to correct.
        """
        return run_sync(self.acorrect, text, call, on_delta)

    async def acorrect(
        self, text: str | Correction, call: str | None = None, on_delta: OnDelta | None = None
    ) -> Answer:
        """`correct`, awaited."""
        correction = Correction(text) if isinstance(text, str) else text
        return await self._turn(correction.text, self._target(call), correction=correction, on_delta=on_delta)

    def undo(self) -> Answer:
        """Take the last turn back: its calls are undone, what it had undone is done again, its messages go."""
        return run_sync(self.aundo)

    async def aundo(self) -> Answer:
        """`undo`, awaited."""
        if not self.answers:
            raise BadOption("there is nothing to undo yet")
        answer = self.answers[-1]
        await self._take_back(answer.turn, answer.standing)
        if answer.undone and not answer.redone:
            await self._put_back(answer.turn, answer.undone)
        self.answers.pop()
        del self.messages[-2:]
        return answer

    async def play(self, said: str | Correction, amends: Answer | None = None, *, reply: str | None = None) -> Answer:
        """One turn with everything said outright, as suites do: what it amends, and a reply given instead of asked for
        (a recorded mistake, a right answer for gold history)."""
        correction = said if isinstance(said, Correction) else None
        text = correction.text if correction else str(said)
        given = None if reply is None else Reply(reply, model="given")
        return await self._turn(text, amends, correction=correction, given=given)

    # how a turn goes -------------------------------------------------------------------------------------------

    async def _turn(
        self,
        text: str,
        target: Answer | None,
        *,
        routed: str = "explicit",
        correction: Correction | None = None,
        given: Reply | None = None,
        on_delta: OnDelta | None = None,
    ) -> Answer:
        number = len(self.answers)
        target = self._settled(target)
        self._emit(Asked(number, text, target.turn if target else None, routed))
        if correction and target:
            self._emit(Corrected(number, correction, target.turn))
        undone, kept = await self._take_back(number, target.standing) if target else ((), ())
        turn = _Turn(number)
        said = Message("user", text)
        try:
            await self._drive(turn, said, target, given, on_delta)
        except BaseException:
            with CancelScope(shield=True):  # a cancelled turn is taken back too
                await self._take_back(number, _standing(turn))
                await self._put_back(number, undone)
            raise
        redone = bool(undone) and not _standing(turn)
        if redone:
            await self._put_back(number, undone)
        reading = turn.reading or Reading(rest=turn.text, problem="no_call")  # a strategy that only talked
        answer = Answer(
            number,
            turn.text,
            reading,
            tuple(turn.calls),
            tuple(turn.results),
            turn.usage,
            target.turn if target else None,
            undone,
            redone,
            kept,
            turn.truncated,
        )
        self.messages += [said, Message("assistant", turn.text, answer.calls)]
        self.answers.append(answer)
        return answer

    async def _drive(
        self, turn: _Turn, said: Message, target: Answer | None, given: Reply | None, on_delta: OnDelta | None
    ) -> None:
        flow = self.strategy.turn(Talk(self.tools.specs, (*self.messages, said), self.system))
        sent: Any = None
        for _ in range(MOST_ROUNDS):
            try:
                step = flow.send(sent)
            except StopIteration:
                return
            if isinstance(step, Ask):
                sent = given or await self._ask(step, on_delta)
                self._note(turn, step, sent)
            else:
                sent = await self._act(turn, step, target)
        raise ModelError(f"strategy '{self.strategy.name}' did not come to an end in {MOST_ROUNDS} rounds")

    async def _ask(self, step: Ask, on_delta: OnDelta | None) -> Reply:
        return await self.model.reply(
            Request(step.messages, step.tools, self.options, step.constraint), on_delta=on_delta
        )

    def _note(self, turn: _Turn, step: Ask, reply: Reply) -> None:
        turn.text, turn.usage = reply.text, turn.usage + reply.usage
        turn.truncated = turn.truncated or reply.truncated
        self._emit(_replied(turn.number, step.role, reply))

    async def _act(self, turn: _Turn, step: Act, target: Answer | None) -> tuple[CallResult, ...]:
        olds = [call.id for call in target.calls] if target else []
        results = []
        named = []
        for index, call in enumerate(step.calls):
            self._made += 1
            amends = olds[min(index, len(olds) - 1)] if olds else None
            named.append(replace(call, id=f"c{self._made}", amends=amends))
        turn.reading = step.reading
        self._emit(Read(turn.number, tuple(named), step.reading.leniencies, step.reading.rest, step.reading.problem))
        for call in named:
            result = await self.tools.run(call)
            turn.calls.append(call)
            turn.results.append(result)
            results.append(result)
            if result.ok:
                self._alive[call.id] = call
            self._emit(Called(turn.number, call, result))
        return tuple(results)

    async def _take_back(self, turn: int, calls: Sequence[Call]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Undo calls newest first; which were, and which could not be (each said as an event)."""
        undone, kept = [], []
        for call in reversed([call for call in calls if call.id in self._alive]):
            if not self.tools.can_undo(call):
                self._emit(Refused(turn, call, f"{call.tool} cannot be undone: what it did stays done"))
                kept.append(call.id)
                continue
            try:
                await self.tools.undo(call.id)
            except ToolError as error:
                self._emit(Refused(turn, call, f"{call.tool} was not undone: {error}"))
                kept.append(call.id)
            else:
                undone.append(call.id)
                del self._alive[call.id]
        if undone:
            self._emit(Undone(turn, tuple(undone)))
        return tuple(undone), tuple(kept)

    async def _put_back(self, turn: int, ids: Sequence[str]) -> None:
        for call_id in reversed(ids):
            await self.tools.redo(call_id)
            self._alive[call_id] = next(c for answer in self.answers for c in answer.calls if c.id == call_id)
        if ids:
            self._emit(Undone(turn, tuple(ids), redone=True))

    def _target(self, call: str | None) -> Answer:
        if not self.answers:
            raise BadOption("there is nothing to correct yet: say something first")
        if call is None:
            return self.answers[-1]
        for answer in self.answers:
            if any(made.id == call for made in answer.calls):
                return answer
        known = [made.id for answer in self.answers for made in answer.calls]
        raise BadOption(f"no call has the id {call!r}; this talk has {', '.join(known) or 'none'}")

    def _settled(self, answer: Answer | None) -> Answer | None:
        """The answer whose calls stand: the one a failed amendment meant to replace, or the one that replaced it."""
        while answer and not answer.standing and answer.amends is not None:
            answer = self.answers[answer.amends]
        while answer and answer.standing and not any(call.id in self._alive for call in answer.standing):
            later = [each for each in self.answers if each.amends == answer.turn and each.standing]
            if not later:
                break
            answer = later[-1]
        return answer

    def _emit(self, event: Event) -> None:
        if self.sink:
            self.sink(event)


def ask_once(
    say: str,
    *,
    model: str | Model,
    tools: str | Toolbox,
    history: Sequence[tuple[str, str]] = (),
    strategy: str | Strategy = "oneline",
    system: str | None = None,
    **options: Any,
) -> Reply:
    """One reply to `say` after a history of (role, text) pairs, nothing executed. `options` are those of Options.

    `str()` of the reply is the raw text. Raises ModelError without an answer, BadOption for an unknown option.
    """
    known = {each.name for each in dataclasses.fields(Options)}
    if unknown := set(options) - known:
        raise BadOption(f"unknown option {', '.join(sorted(unknown))}; known: {', '.join(sorted(known))}")
    session = Session(model, tools, strategy, system=system, options=Options(**options))
    for role, text in history:
        if role not in ("user", "assistant", "system"):
            raise BadOption(f"history has the role {role!r}; known: user, assistant, system")
        if role == "system":
            session.system = text
        else:
            session.messages.append(Message(role, text))  # type: ignore[arg-type]
    talk = Talk(session.tools.specs, (*session.messages, Message("user", say)), session.system)
    step = session.strategy.turn(talk).__next__()
    if not isinstance(step, Ask):
        raise ToolmendError(f"strategy '{session.strategy.name}' acts before it asks")
    return run_sync(session._ask, step, None)


def _replied(turn: int, role: str, reply: Reply) -> Replied:
    """The event of a reply."""
    exchange = reply.wire.key if reply.wire else ""
    return Replied(
        turn,
        reply.text,
        role,
        reply.model,
        reply.usage,
        reply.finish,
        reply.reasoning,
        reply.truncated,
        reply.unmet,
        exchange,
        reply.cached,
    )


def _standing(turn: _Turn) -> list[Call]:
    return [call for call, result in zip(turn.calls, turn.results, strict=True) if result.ok]


def _check_toolbox(model: Model, asked: str | Toolbox, tools: Toolbox) -> None:
    """Raise BadOption unless the model takes the toolbox by the name it was asked for, or by its own."""
    own = getattr(tools, "name", type(tools).__name__.lower())
    problem = declared(model, asked if isinstance(asked, str) else own)
    if problem and declared(model, own):
        raise BadOption(problem)
