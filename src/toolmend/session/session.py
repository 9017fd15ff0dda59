"""A talk: what a person says, what it amends, and what is undone for it.

    chat = Session(model="builtin/small", tools="calendar")
    chat.say("Add a lunch with Ada on May 3 at noon")     # a new request, or an amendment if the router says so
    chat.correct("It starts at one.")                     # undoes the last calls, says it, links the new call to them
    chat.undo()                                           # the last turn never happened

Every door has an async twin with an `a` in front. What happens goes to `sink`. Knows no suites, storage or screen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial

from anyio import CancelScope, to_thread

from toolmend.base import tracing
from toolmend.base.errors import BadOption
from toolmend.base.events import Asked, Corrected, Guarded, Sink
from toolmend.base.messages import Call, CallResult, Message, Options, Reply, Request
from toolmend.base.mistakes import Correction
from toolmend.base.plots import table_html
from toolmend.base.portal import run_sync
from toolmend.language.corrections.blame import wrong
from toolmend.language.corrections.cues import by_cues
from toolmend.language.corrections.routing import RouteDecision, Router, amends, by_words
from toolmend.language.resolve.said import unquoted
from toolmend.models import Model, OnDelta, fits_toolbox, load_model
from toolmend.reading import render
from toolmend.session.answer import Answer, deeds, settled
from toolmend.session.approval import Approvals, Policy, approvals_of
from toolmend.session.asides import aside
from toolmend.session.context import NOTHING, Context, Shown, beside
from toolmend.session.guards import Limits
from toolmend.session.mend import Edits, MendCase, Mender, MenderState, is_complaint
from toolmend.session.mend.asked import as_asked, is_question
from toolmend.session.mending import allowed, background_of, begins_anew, case_of, idle
from toolmend.session.reverting import reverted
from toolmend.session.standing import Standing
from toolmend.session.turn import TurnState
from toolmend.strategies import WORDS, About, Ask, Flow, Strategy, Talk, fits, load_strategy
from toolmend.tools import Toolbox


class Session:
    """One conversation of one model, strategy (None: the model's own) and toolbox. Not for several tasks at once.

    `roles` gives a strategy that asks in several roles (`freyr`: intent, params, summary, chat) other models for some;
    `context` is asked before every turn what else the model should know (context.py). `locale` ("en-US", "en-GB") says
    whether 3/4 is in March or in April, where words are computed (resolve/).
    `mend` has corrections mended (mend/); not for a strategy that is played as it was published. `review` looks at
    every call before it is made and may give it other values (careful.py). `approve` says which may run (approval.py).
    """

    def __init__(
        self,
        model: str | Model,
        tools: str | Toolbox,
        strategy: str | Strategy | None = None,
        *,
        system: str | None = None,
        options: Options | None = None,
        roles: Mapping[str, str | Model] | None = None,
        limits: Limits | None = None,
        sink: Sink | None = None,
        router: Router | None = None,
        approve: str | Policy | Approvals | None = None,
        context: Context | None = None,
        locale: str | None = None,
        mend: bool = True,
        review: Callable[[Call], Call] | None = None,
    ) -> None:
        self.model = load_model(model)
        self.strategy = load_strategy(strategy or self.model.abilities.strategy)
        self.roles = {role: load_model(other) for role, other in (roles or {}).items()}
        fits(self.strategy, self.model, self.roles)
        self.tools = Toolbox.load(tools) if isinstance(tools, str) else tools
        as_published = getattr(self.strategy, "as_published", False)
        if as_published:
            self.tools.spoken_values = False
        self.system, self.options, self.router = system, options or Options(), router or by_words
        self.context, self.locale, self.review = context, locale, review
        self.mender = Mender() if mend and not as_published else None
        self.messages: list[Message] = []
        self.answers: list[Answer] = []
        self._questions: list[MenderState | None] = []  # what was open before each turn
        self._now: TurnState | None = None
        self.beside = NOTHING
        self.limits = limits or Limits()
        self._standing = Standing(self.tools, sink, self.limits, approvals_of(approve))
        own = getattr(self.tools, "name", type(self.tools).__name__.lower())
        self._named = tools if isinstance(tools, str) else own
        for used in (self.model, *(other for role, other in self.roles.items() if role not in WORDS)):
            fits_toolbox(used, self._named, own)

    @property
    def offers(self) -> tuple[Edits, ...]:
        """The answers to the question that is open: what would be edited; () where none is offered."""
        return self.mender.offers if self.mender else ()

    @property
    def standing(self) -> list[Call]:
        """Every call of this talk that took effect and was not undone, oldest first."""
        return self._standing.calls

    @property
    def under_way(self) -> list[tuple[Call, CallResult]]:
        """The calls of the turn that is being answered, each with its result; `beside` is what its model was shown."""
        return list(zip(self._now.calls, self._now.results, strict=False)) if self._now else []

    def _repr_html_(self) -> str:
        rows = [(message.role, message.content) for message in self.messages]
        return table_html(("who", "says"), [*rows, *(("stands", render(call)) for call in self.standing)])

    @property
    def sink(self) -> Sink | None:
        """Who is told what happens."""
        return self._standing.sink

    @sink.setter
    def sink(self, sink: Sink | None) -> None:
        self._standing.sink = sink

    def approve(self, approvals: Approvals | None) -> None:
        """From now on these decide which calls run."""
        self._standing.approve(approvals)

    # what a person does ----------------------------------------------------------------------------------------

    def say(self, text: str, *, on_delta: OnDelta | None = None) -> Answer:
        """Say something; the router decides whether it amends the last calls. Raises ModelError without an answer."""
        return run_sync(self.asay, text, on_delta)

    async def asay(self, text: str, on_delta: OnDelta | None = None) -> Answer:
        """`say`, awaited."""
        verdict = self.verdict(text)
        target = self._target(None) if verdict.amends and self.answers else None
        routed = f"router: {verdict.reason}" if verdict.reason else "explicit"
        return await self._turn(text, target, routed=routed, on_delta=on_delta)

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
        await self._standing.take_back(answer.turn, [*self._standing.standing(answer.restored), *answer.standing])
        if answer.undone and not answer.redone:
            await self._standing.put_back(answer.turn, answer.undone)
        self.answers.pop()
        del self.messages[-2:]
        question = self._questions.pop()
        if self.mender and question is not None:
            self.mender.state = question
        return answer

    @contextmanager
    def mending(self, wanted: bool) -> Iterator[None]:
        """Turns in which corrections are mended, or are not: as when a talk is told again."""
        kept, self.mender = self.mender, (self.mender or Mender()) if wanted else None
        try:
            yield
        finally:
            self.mender = kept
            if kept and not wanted:
                kept.forget()

    async def play(
        self,
        said: str | Correction,
        amends: Answer | None = None,
        *,
        reply: str | None = None,
        on_delta: OnDelta | None = None,
    ) -> Answer:
        """One turn with everything said outright, as suites do: what it amends, and a reply given instead of asked for
        (a recorded mistake, a right answer for gold history)."""
        correction = said if isinstance(said, Correction) else None
        text = correction.text if correction else str(said)
        return await self._turn(text, amends, correction=correction, given=reply, on_delta=on_delta)

    # how a turn goes -------------------------------------------------------------------------------------------

    async def _turn(
        self,
        text: str,
        target: Answer | None,
        *,
        routed: str = "explicit",
        correction: Correction | None = None,
        given: str | None = None,
        on_delta: OnDelta | None = None,
    ) -> Answer:
        meant = aside(text) if self.mender and given is None else None
        if meant and meant.kind == "undo" and (done := deeds(self.answers, meant.number)):
            return await self._revert(text, done, routed)
        asked, target = target, settled(target, self.answers, self._standing.holds)
        level = correction.level if correction else None
        with tracing.turn(len(self.answers), target.turn if target else None, level) as span:
            answer = await self._take_turn(text, target, routed, correction, given, on_delta, asked)
            span.ended(answer.undone, answer.redone, answer.stopped)
        return answer

    async def _take_turn(
        self,
        text: str,
        target: Answer | None,
        routed: str,
        correction: Correction | None,
        given: str | None,
        on_delta: OnDelta | None,
        asked: Answer | None,
    ) -> Answer:
        number = len(self.answers)
        standing, question = self._standing, self.mender.state if self.mender else None
        standing.emit(Asked(number, text, target.turn if target else None, routed))
        if correction and target:
            standing.emit(Corrected(number, correction, target.turn))
        undone, kept = await standing.take_back(number, target.standing) if target else ((), ())
        said = Message("user", text := unquoted(text))  # a request in quotation marks is the request
        turn = self._now = TurnState(number, standing, target.calls if target else (), self.limits, self.review)
        try:
            if given is None:
                shown = self.beside = await self._shown(number, text)
                flow = self._mended(self.strategy.turn(self._talk(said, target, shown)), text, asked, target, kept)
                await turn.drive(flow, partial(self._ask, shown.text), on_delta)
            else:
                await turn.give(given)
        except BaseException:
            with CancelScope(shield=True):  # a cancelled turn is taken back too
                await standing.take_back(number, [*standing.standing(turn.restored), *turn.took_effect])
                await standing.put_back(number, list(dict.fromkeys((*undone, *turn.taken))))
            if self.mender and question is not None:
                self.mender.state = question
            raise
        undone, redone = await self._settle(number, target, undone, turn)
        answer = Answer(
            number,
            turn.text,
            turn.reading,
            tuple(turn.calls),
            tuple(turn.results),
            turn.usage,
            target.turn if target else None,
            undone,
            redone,
            kept,
            turn.truncated,
            turn.stopped,
            turn.open,
            tuple(turn.restored),
        )
        own = turn.own if turn.own != turn.text else ""
        self.messages += [said, Message("assistant", turn.text, answer.calls, results=answer.results, own=own)]
        self.answers.append(answer)
        self._questions.append(question)
        return answer

    async def _revert(self, text: str, done: Sequence[Answer], routed: str) -> Answer:
        """One turn that takes turns back, the newest first."""
        number = len(self.answers)
        self._standing.emit(Asked(number, text, done[0].turn, routed))
        if self.mender:
            self._questions.append(self.mender.state)
            self.mender.forget()
        answer = await reverted(number, done, self._standing)
        self.messages += [Message("user", text), Message("assistant", answer.text)]
        self.answers.append(answer)
        return answer

    def verdict(self, text: str) -> RouteDecision:
        """Whether a sentence amends what was done: the ladder knows, or the router says, which is not asked for a
        strategy that says itself what its calls replace."""
        text = unquoted(text)
        alone, said = getattr(self.strategy, "edits", False), [message.content for message in self.messages[::2]]
        if begins_anew(self, text):
            return RouteDecision(False, "is a request of its own")
        if self.mender and self.answers:
            asked = self.answers[-1]
            case = self._case(text, asked, settled(asked, self.answers, self._standing.holds) or asked)
            if reason := self.mender.concerned(case):
                return RouteDecision(True, reason)
            if (question := is_question(text)) or idle(text, asked, self.strategy):
                return RouteDecision(False, "is a question" if question else "a yes to nothing")
            if alone and amends(understood := case.understood(), case.calls, by_cues(text, case.calls, said)):
                return RouteDecision(True, understood.reason)
        return RouteDecision(False, "") if alone else self.router(text, self.standing, said)

    def _mended(
        self, turn: Flow, text: str, asked: Answer | None, target: Answer | None, kept: tuple[str, ...]
    ) -> Flow:
        """The turn, with what can be mended of the target's calls mended first; `asked` is what was spoken to, `kept`
        are calls of the target that could not be undone."""
        if self.mender is None:
            return turn
        if asked is None and self.answers and idle(text, self.answers[-1], self.strategy):
            return self.mender.idle()
        spoken = asked is not None and (asked.calls or asked.open or self.mender.speaks or is_complaint(text))
        if asked is None or target is None or not spoken:
            self.mender.forget()
            return as_asked(turn, text, self.tools.specs, corrects=asked is not None)
        done = [call for call in target.calls if call.id in kept and self._changes(call)]
        fixed = next((call.tool for call in done if not self._standing.asks(call)), "")  # a person says what is done
        case = allowed(self._case(text, asked, target), self.model, self.strategy)
        return as_asked(self.mender.flow(replace(case, fixed=fixed), turn), text, self.tools.specs, corrects=True)

    def _case(self, text: str, asked: Answer, target: Answer) -> MendCase:
        """What there is to mend."""
        said, world = self.messages[::2], background_of(self, target)
        case = case_of(text, asked, target, self.answers, said, self.standing, self.tools, world)
        return replace(case, locale=self.locale, open=asked.open)

    def _changes(self, call: Call) -> bool:
        """Whether a call does more than read."""
        return all(spec.effect != "read" for spec in self.tools.specs if spec.full_name == call.tool)

    async def _settle(
        self, number: int, target: Answer | None, undone: tuple[str, ...], turn: TurnState
    ) -> tuple[tuple[str, ...], bool]:
        """Put back what was undone for this turn where nothing replaced it and nobody wanted it gone; what is undone in
        the end, and whether all was put back."""
        if self.mender and self.mender.taken_back:
            return undone, False
        amended = {call.id for call in target.calls} if target else set[str]()
        replaced = any(call.amends in amended for call in turn.took_effect)
        back = () if replaced else tuple(call_id for call_id in undone if call_id not in turn.taken)
        await self._standing.put_back(number, back)
        gone = tuple(dict.fromkeys((*reversed(turn.taken), *(call_id for call_id in undone if call_id not in back))))
        return (back, True) if back and not gone else (gone, False)

    async def _shown(self, number: int, text: str) -> Shown:
        """What the context has to say about this turn; an event tells where it is from."""
        if self.context is None:
            return NOTHING
        shown = await to_thread.run_sync(self.context, text, self._told())
        if shown.origins:
            self._standing.emit(Guarded(number, "recalled", ", ".join(shown.origins)))
        return shown

    def _told(self) -> tuple[Message, ...]:
        return tuple(self._standing.told(message) for message in self.messages)

    def _talk(self, said: Message, target: Answer | None = None, shown: Shown = NOTHING) -> Talk:
        """What the strategy may know of this talk."""
        messages = self._told() if shown.messages is None else shown.messages
        able = self.model.abilities
        tries = sum(answer.amends is not None for answer in self.answers) + (target is not None)
        about = About(self.model.name, self._named, able.native_tools, able.toolboxes is not None, tries, able.strategy)
        avoid = (wrong(target.text, target.reading.calls, said.content),) if target else ()
        background = partial(background_of, self, target, said)
        return Talk(self.tools.specs, (*messages, said), self.system, self.tools.view, about, avoid, background)

    async def _ask(self, context: str, step: Ask, on_delta: OnDelta | None) -> Reply:
        model = self.roles.get(step.role, self.model)
        options = replace(self.options, stop=(*self.options.stop, *step.stop)) if step.stop else self.options
        avoid = step.avoid if model.abilities.avoids else ()
        request = Request(beside(step.messages, context), step.tools, options, step.constraint, avoid)
        with tracing.chat(model.name, request, step.role) as span:
            reply = await model.reply(request, on_delta=on_delta)
            span.replied(reply)
        return reply

    def _target(self, call: str | None) -> Answer:
        if not self.answers:
            raise BadOption("there is nothing to correct yet: say something first")
        if call is None:
            return self.answers[-1]
        made_in = {made.id: answer for answer in self.answers for made in answer.calls}
        if call in made_in:
            return made_in[call]
        raise BadOption(f"no call has the id {call!r}; this talk has {', '.join(made_in) or 'none'}")
