"""One talk of the arena: a session that is kept as it goes, and told again from what was kept when it is needed.

A turn is a row in the records as soon as it is over. What could not be written did not happen: memory follows the
rows, never the other way. Its model is `RetoldModel`, which tells again what it answered, unasked. A talk that is told
again asks nobody for a yes, and one that is copied brings its noes along and no yes: a yes counts once. Knows no
person, no desk and no screen.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import deque
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Any

from toolmend.base.errors import BadOption, ModelError, ToolmendError
from toolmend.base.events import Called, Decided, Event, Replied, to_json
from toolmend.base.messages import Call, Options, Reply, Request
from toolmend.base.mistakes import Correction
from toolmend.extras.arena import world
from toolmend.extras.arena.choices import Setup
from toolmend.extras.arena.turns import KeptTurn, StoppedAt, Unanswered, called, folded, turn_views
from toolmend.extras.arena.views import TurnView, WorldView
from toolmend.models import Model, OnDelta
from toolmend.models.wrapped import Wrapped
from toolmend.reading import read_python
from toolmend.session import Answer, ApprovalRequest, Approvals, Session, Verdict
from toolmend.session.careful import Careful
from toolmend.strategies import Strategy
from toolmend.tools import Toolbox

Append = Callable[[str, int, str, Mapping[str, Any]], Awaitable[None]]
Parts = Callable[[], Awaitable[tuple[Model, Strategy]]]
Rows = Sequence[tuple[str, Mapping[str, Any]]]


class RetoldModel(Wrapped):
    """Another model, which tells again what it answered, unasked, for as long as there are `replies`; told to `go_on`
    it is asked after them."""

    def __init__(self, model: Model) -> None:
        super().__init__(model)
        self.replies: deque[Replied] | None = None
        self.go_on = False

    async def reply(self, request: Request, *, on_delta: OnDelta | None = None) -> Reply:
        """The model's reply, or the next one that is told again. Raises ModelError when those are used up."""
        if self.replies is None or (self.go_on and not self.replies):
            return await self.model.reply(request, on_delta=on_delta)
        if not self.replies:
            raise ModelError("the talk cannot be told again: its strategy asks otherwise now")
        then = self.replies.popleft()
        finish: Any = then.finish  # events keep it as text
        return Reply(then.text, then.calls, then.reasoning, then.usage, finish, then.model, then.truncated, then.unmet)


class DecidedBefore:
    """Decides over the calls of one turn as they were decided before; what is new is denied, but decided now with
    `copied` (which brings noes along and no yes) and in a turn that had not come to its `end`."""

    def __init__(self, events: Sequence[Event], *, copied: bool = False, end: bool = True) -> None:
        self._asks = copied or not end
        self._left = [decided for decided in _decided(events) if not copied or decided.decision != "allowed"]

    def before(self, turn: int, call: Call) -> Decided | None:
        """The decision that was made, None where it is to be made now."""
        for place, decided in enumerate(self._left):
            if (decided.call.tool, decided.call.arguments) == (call.tool, call.arguments):
                return replace(self._left.pop(place), turn=turn, call=call)
        return None if self._asks else Decided(turn, call, "danger", "denied", reason="it was not made before")


class Conversation:
    """A talk under an id. `box` makes its world, `parts` gets model and strategy, `append` keeps a row; `rows` is what
    was kept before, and `position` where the next row goes."""

    def __init__(
        self,
        id_: str,
        setup: Setup,
        box: Callable[[], Toolbox],
        parts: Parts,
        append: Append,
        rows: Rows = (),
        origin: Mapping[str, Any] | None = None,
        position: int = 0,
    ) -> None:
        self.id, self.setup, self.origin = id_, setup, dict(origin or {})
        self.approvals = Approvals()  # of the side that has this talk
        self.mend = True  # corrections are understood by their words first
        self._box, self._parts = box, parts
        self._append, self.position = append, position
        self._again: DecidedBefore | None = None  # while a turn is told again: what was decided in it
        self.turns, self.waiting = folded(rows)  # waiting: what was said and has no answer
        self._session: Session | None = None
        self._events: list[Event] = []
        self._empty: WorldView | None = None

    # what is shown ---------------------------------------------------------------------------------------------------

    @property
    def views(self) -> tuple[TurnView, ...]:
        """Every turn."""
        return turn_views(self.turns)

    @property
    def world(self) -> WorldView:
        """The world after the last turn."""
        if self.turns:
            return self.turns[-1].world
        if self._empty is None:
            self._empty = world.looked_at(self._box(), self.setup.toolbox)
        return self._empty

    # what a person does ----------------------------------------------------------------------------------------------

    async def say(self, text: str, on_delta: OnDelta | None = None) -> None:
        """Say something; the router decides whether it amends the last reply."""
        await self._note_asked(text, correction=False)
        await self._said(text, on_delta)

    async def correct(self, correction: Correction, on_delta: OnDelta | None = None) -> None:
        """Say what is wrong with the last reply. Raises BadOption where there is none."""
        if not self.turns:
            raise BadOption("there is nothing to correct yet: say something first")
        await self._note_asked(correction.text, correction=True)
        await self._said(correction, on_delta)

    async def go_on(self, verdict: Verdict, on_delta: OnDelta | None = None) -> None:
        """Answer the question that a process asked and did not outlive, and bring its turn to an end: what was replied
        before is told again. Raises BadOption where there is none."""
        waiting = self.waiting
        if waiting is None or waiting.at is None:
            raise BadOption("no call waits for an answer any more")
        decided, events = waiting.at.decided(verdict), waiting.at.events
        await self._note("decided", to_json(decided), self._unasked)
        session = await self._ready()
        heard = session.model
        assert isinstance(heard, RetoldModel)
        _check_again(events, session.tools)
        self._again = DecidedBefore((*events, decided), end=False)
        heard.replies, heard.go_on = deque(event for event in events if isinstance(event, Replied)), True
        try:
            await self._said(Correction(waiting.text) if waiting.correction else waiting.text, on_delta)
        finally:
            self._again = heard.replies = None
            heard.go_on = False

    async def withdraw(self) -> None:
        """Take a question back that nobody answered: what had been said waits on."""
        if self.waiting is not None and self.waiting.at is not None:
            await self._note("withdrawn", {}, self._unasked)

    async def give(self, turn: KeptTurn) -> None:
        """Put a turn of another talk here, its last reply given instead of asked for."""
        session = await self._ready()
        asked = turn.asked
        target = None if asked.amends is None else session.answers[asked.amends]
        text = _given(turn, session)
        self._again = DecidedBefore(turn.events, copied=True)
        try:
            await self._taken(session, session.play(turn.said, target, reply=text))
        finally:
            self._again = None

    async def take_over(self, turns: Sequence[KeptTurn]) -> None:
        """Begin with turns of another talk of the same settings, as they were; nobody is asked."""
        for turn in turns:
            await self._note("turn", turn.to_json(), partial(self._stands, turn))

    async def unanswer(self) -> None:
        """Take the last answer back; what had been said waits for another one."""
        correction = self.turns[-1].correction is not None
        await self._note_asked(await self.undo(), correction=correction)

    async def undo(self) -> str:
        """Take the last turn back; what had been said in it. Raises BadOption where there is none."""
        if self.waiting is not None:
            said = self.waiting.text
            await self._note("unasked", {}, partial(setattr, self, "waiting", None))
            return said
        if not self.turns:
            raise BadOption("there is nothing to undo yet")
        session = await self._ready()
        last = self.turns[-1]
        await session.aundo()
        with self._as_kept():
            await self._note("undo", {}, self.turns.pop)
        return last.asked.text

    # inside ----------------------------------------------------------------------------------------------------------

    async def _said(self, said: str | Correction, on_delta: OnDelta | None) -> None:
        session = await self._ready()
        if isinstance(said, Correction):
            await self._taken(session, session.acorrect(said, None, on_delta))
        else:
            await self._taken(session, session.asay(said, on_delta))

    async def _taken(self, session: Session, turn: Awaitable[Answer]) -> None:
        """Let a turn happen, and keep it. What was said stands in `waiting` if it comes to nothing."""
        self._events.clear()
        await turn
        seen = world.looked_at(session.tools, self.setup.toolbox, self.world)
        kept = KeptTurn(tuple(self._events), seen)
        with self._as_kept():
            await self._note("turn", kept.to_json(), partial(self._stands, kept))

    async def _ready(self) -> Session:
        """The session, made and told again what was said before if it is not there yet. Raises ToolmendError."""
        if self._session is not None:
            return self._session
        model, strategy = await self._parts()
        heard = RetoldModel(model)
        careful = Careful(self._asked, lambda: session)

        def hear(event: Event) -> None:
            careful.hear(event)
            self._events.append(event)

        session = Session(
            heard,
            self._box(),
            strategy,
            system=self.setup.system,
            options=Options(self.setup.temperature),
            sink=hear,
            approve=Approvals(self.approvals.policy, self._asked, self._told_before, careful.look),
            mend=self.mend,
        )
        await self._tell_again(session, heard)
        self._session = session
        return session

    async def _tell_again(self, session: Session, heard: RetoldModel) -> None:
        """Bring a new session to where the talk was, from the replies that were kept; nobody is asked."""
        for turn in self.turns:
            _check_again(turn.events, session.tools)
        try:
            for turn in self.turns:
                self._again = DecidedBefore(turn.events)
                asked = turn.asked
                target = None if asked.amends is None else session.answers[asked.amends]
                heard.replies = deque(turn.replied)
                with session.mending(turn.mended):
                    await session.play(turn.said, target, reply=turn.replied[-1].text if turn.given else None)
        except (ModelError, IndexError) as error:
            raise ToolmendError(f"this talk cannot go on ({error}); clear it, or begin a new one") from error
        finally:
            heard.replies = None
            self._again = None
            self._events.clear()

    def _told_before(self, turn: int, call: Call) -> Decided | None:
        """What was decided over a call that is told again; None for a new one."""
        return self._again.before(turn, call) if self._again else None

    async def _asked(self, question: ApprovalRequest) -> Verdict:
        """Ask whoever sits there. Question and answer are kept before anything is run, whatever becomes of the turn."""
        if self.approvals.ask is None:
            return Verdict(False, "nobody can be asked here", "nobody")
        at = StoppedAt(replace(question, id=secrets.token_hex(12)), tuple(self._events))
        await self._note("question", at.to_json(), partial(self._stopped, at))
        verdict = await self.approvals.ask(at.question)
        await self._note("decided", to_json(at.decided(verdict)), self._unasked)
        return verdict

    def _stopped(self, at: StoppedAt | None) -> None:
        self.waiting = self.waiting and replace(self.waiting, at=at)

    def _unasked(self) -> None:
        self._stopped(None)

    async def _note_asked(self, text: str, *, correction: bool) -> None:
        asked = Unanswered(text, correction)
        await self._note("asked", {"text": text, "correction": correction}, partial(setattr, self, "waiting", asked))

    async def _note(self, kind: str, body: Mapping[str, Any], stands: Callable[[], object] = lambda: None) -> None:
        """Keep a row, and let what it says stand once it is kept. Stopped meanwhile, it is still both or neither."""

        async def keep() -> None:
            await self._append(self.id, self.position, kind, body)
            self.position += 1
            stands()

        writing = asyncio.ensure_future(keep())
        try:
            await asyncio.shield(writing)
        except asyncio.CancelledError:
            await asyncio.wait([writing])
            _ = writing.cancelled() or writing.exception()  # nobody else asks for it
            raise

    def _stands(self, turn: KeptTurn) -> None:
        self.turns.append(turn)
        self.waiting = None

    @contextmanager
    def _as_kept(self) -> Iterator[None]:
        """The session has gone on and the row may not be kept: then the talk is told again from the rows."""
        before = len(self.turns)
        try:
            yield
        finally:
            if len(self.turns) == before:
                self._session = None


def origin_words(origin: Mapping[str, Any]) -> str:
    """Where a talk comes from, in words."""
    if "copied" in origin:
        return f"copied from {origin['from']}, its reply {origin['turn'] + 1} given"
    if "edited" in origin:
        return f"goes on from message {origin['turn'] + 1} of an earlier talk, edited"
    return ""


def _given(turn: KeptTurn, session: Session) -> str:
    """A reply as it can be given to any strategy: its own text where Python's reader finds the same calls in it."""
    text = turn.replied[-1].text if turn.replied else ""
    made = [(event.call.tool, dict(event.call.arguments)) for event in turn.calls]
    found = [(call.tool, dict(call.arguments)) for call in read_python(text, session.tools.specs).calls]
    return text if found == made else "\n".join(called(event.call) for event in turn.calls) or text


def _check_again(events: Sequence[Event], box: Toolbox) -> None:
    """Raise ToolmendError where telling a turn again would do something a second time outside of this process."""
    if box.has_snapshots:
        return
    for event in events:
        if isinstance(event, Called) and event.result.ok and box.tool(event.call.tool).effect != "read":
            raise ToolmendError(
                f"this talk cannot go on: {event.call.tool} was run outside of the arena and would be run again; "
                "clear it, or begin a new one"
            )


def _decided(events: Sequence[Event]) -> list[Decided]:
    """What was decided in a turn. One that was kept before there were decisions ran what it ran."""
    made = [event for event in events if isinstance(event, Decided)]
    ran = [event for event in events if isinstance(event, Called)]
    return made or [Decided(call.turn, call.call, "write", "allowed") for call in ran]
