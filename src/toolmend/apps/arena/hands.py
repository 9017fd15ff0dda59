"""What the events of the side-by-side page do at a desk, and what is shown then. Knows no layout."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar, cast

import gradio as gr

from toolmend.apps.arena.frame import note_html
from toolmend.apps.arena.markup import tag
from toolmend.apps.arena.people import person_of
from toolmend.apps.arena.side import Doings, Settings, Shown, Talking
from toolmend.apps.arena.told import Told
from toolmend.apps.arena.watching import Pace, changes
from toolmend.arena import Arena, Asks, Delta, Desk, Failed, SideView, To, Update, Which
from toolmend.arena.views import SIDES
from toolmend.errors import BadOption, ToolmendError

Showing = AsyncIterator[Shown]
WHERE: Mapping[str, To] = {"Left": "left", "Right": "right", "Both": "both"}
MOST_ATTEMPTS = 10


class Noting(Protocol):
    """What has a line that says what happened."""

    note: Any


N = TypeVar("N", bound=Noting)
P = ParamSpec("P")
Event = Callable[Concatenate[N, P], Showing]


def told(event: Event[N, P]) -> Event[N, P]:
    """An event that says in the page's line what was wrong, if anything was."""

    @wraps(event)
    async def run(self: N, *given: P.args, **named: P.kwargs) -> Showing:
        try:
            async for shown in event(self, *given, **named):
                yield shown
        except ToolmendError as error:
            yield {self.note: note_html(str(error), bad=True)}

    return cast(Event[N, P], run)


@dataclass(frozen=True, slots=True, eq=False)
class Half:
    """One side's parts."""

    talking: Talking
    settings: Settings
    doings: Doings

    @property
    def parts(self) -> list[Any]:
        """What any event may change."""
        return [*self.talking.parts, *self.doings.parts]


class Hands:
    """The events that concern both sides, done for whoever the request comes from."""

    def __init__(self, arena: Arena, halves: Mapping[Which, Half], note: Any, text: Any) -> None:
        self.arena, self.halves, self.note, self.text = arena, halves, note, text

    @property
    def outputs(self) -> list[Any]:
        """What an event may change."""
        return [*(part for side in SIDES for part in self.halves[side].parts), self.note]

    @property
    def fields(self) -> list[Any]:
        """The settings of both sides."""
        return [field for side in SIDES for field in self.halves[side].settings.fields]

    @told
    async def load(self, request: gr.Request) -> Showing:
        """A visit begins, or begins again: the same desk, and what is still being written on it."""
        desk = await self.desk(request)
        chosen: Shown = {}
        async for _ in changes(desk):
            before, chosen = chosen, self.chosen(desk)
            yield {**self.both(desk), **(chosen if chosen != before else {})}

    @told
    async def send(self, text: str, to: str, request: gr.Request) -> Showing:
        """Say it to one side or to both."""
        desk = await self.desk(request)
        if not text.strip():
            raise BadOption("write something first")
        updates = desk.send(WHERE[to], text.strip())
        yield {self.text: "", **self.both(desk), self.note: ""}
        async for shown in self.follow(desk, updates):
            yield shown

    async def follow(self, desk: Desk, updates: AsyncIterable[Update]) -> Showing:
        """What comes, where it comes, until it has come."""
        pace = {side: Pace() for side in SIDES}
        async for update in updates:
            if isinstance(update, Delta):
                if pace[update.side].due():
                    yield self.halves[update.side].talking.written(side_of(desk, update.side))
            else:
                yield self.side(desk, update.side)
            if isinstance(update, Asks):
                yield {self.note: _waits(desk)}
            if isinstance(update, Failed):
                yield {self.note: note_html(f"{update.side}: {update.why}", bad=True)}
        yield self.both(desk)

    async def watch(self, desk: Desk) -> Showing:
        """Both sides whenever they have changed, until nobody writes and nothing waits."""
        async for _ in changes(desk):
            yield self.both(desk)

    async def desk(self, request: gr.Request) -> Desk:
        """The desk of whoever asks."""
        return await self.arena.open(person_of(request))

    def both(self, desk: Desk) -> Shown:
        """Both sides as they are."""
        return {**self.side(desk, "left"), **self.side(desk, "right")}

    def chosen(self, desk: Desk) -> Shown:
        """The settings of both sides."""
        left, right = (self.halves[side].settings.shown(side_of(desk, side)) for side in SIDES)
        return {**left, **right}

    def side(self, desk: Desk, side: Which) -> Shown:
        """One side as it is."""
        view, half = side_of(desk, side), self.halves[side]
        suggestions = [] if view.busy else desk.suggestions(side)
        return {**half.talking.shown(view, suggestions), **half.doings.shown(view)}


class Hand:
    """The events of one side; the other waits."""

    def __init__(self, hands: Hands, side: Which) -> None:
        self._hands, self._side, self.note = hands, side, hands.note

    @told
    async def acted(self, event: gr.EventData, request: gr.Request) -> Showing:
        """A button or form within the talk: an answer, a correction, an edit, a mistake for the other side."""
        desk, told = await self._hands.desk(request), Told(event)
        if told.do in ("allow", "deny"):
            desk.answer(self._side, told.word("id"), told.do == "allow", told.word("reason"))
            yield {self.note: _waits(desk)}
            async for shown in self._hands.watch(desk):
                yield shown
            return
        if told.do == "correct":
            updates = desk.correct(self._side, told.text)
        elif told.do == "edit":
            updates = desk.edit(self._side, told.number("n", 0, len(side_of(desk, self._side).turns)), told.text)
        elif told.do == "copy":
            updates = desk.copy(self._side, told.number("k", 1, MOST_ATTEMPTS))
        elif told.do == "say":
            updates = desk.send(self._side, told.text)
        else:
            raise BadOption(f"the page said {told.do!r:.40}, which is nothing it can do; load it again")
        yield {**self._hands.both(desk), self.note: ""}
        async for shown in self._hands.follow(desk, updates):
            yield shown

    @told
    async def retry(self, request: gr.Request) -> Showing:
        """Ask once more for the last reply."""
        desk = await self._hands.desk(request)
        updates = desk.retry(self._side)
        yield {**self._hands.side(desk, self._side), self.note: ""}
        async for shown in self._hands.follow(desk, updates):
            yield shown

    @told
    async def stop(self, request: gr.Request) -> Showing:
        """End what is being written here."""
        desk = await self._hands.desk(request)
        await desk.stop(self._side)
        yield self._hands.side(desk, self._side)

    @told
    async def undo(self, request: gr.Request) -> Showing:
        """Take the last message back, with what it did to the world."""
        desk = await self._hands.desk(request)
        await desk.undo(self._side)
        yield {**self._hands.side(desk, self._side), self.note: note_html(f"{self._side}: the last message is undone")}

    @told
    async def clear(self, request: gr.Request) -> Showing:
        """A new talk with the same settings; the old one keeps its address."""
        desk = await self._hands.desk(request)
        old = side_of(desk, self._side).conversation
        await desk.clear(self._side)
        yield {**self._hands.side(desk, self._side), self.note: _kept(self._side, old)}

    @told
    async def picked(self, given: dict[Any, Any], request: gr.Request) -> Showing:
        """A setting was changed: taken over at once where nothing was said yet, else by the button."""
        desk = await self._hands.desk(request)
        view = side_of(desk, self._side)
        if view.turns or view.busy:
            yield {self.note: note_html(f"{self._side}: New talk begins with these settings")}
            return
        await desk.set(self._side, **self._settings.chosen(given, view))
        yield self._begun(desk, "")

    @told
    async def start(self, given: dict[Any, Any], request: gr.Request) -> Showing:
        """A new talk with the settings chosen; the old one keeps its address."""
        desk = await self._hands.desk(request)
        old = side_of(desk, self._side)
        await desk.set(self._side, **self._settings.chosen(given, old))
        yield self._begun(desk, _kept(self._side, old.conversation) if old.turns else "")

    @property
    def _settings(self) -> Settings:
        return self._hands.halves[self._side].settings

    def _begun(self, desk: Desk, note: str) -> Shown:
        settings = self._settings.shown(side_of(desk, self._side))
        return {**self._hands.side(desk, self._side), **settings, self.note: note}


def side_of(desk: Desk, side: Which) -> SideView:
    """One side of a desk, as it is."""
    view = desk.view()
    return view.left if side == "left" else view.right


def _waits(desk: Desk) -> str:
    """On which sides a call waits, and the keys that go there; "" where none does."""
    sides = [side for side in SIDES if side_of(desk, side).question]
    keys = ", ".join(f"Alt+{1 + SIDES.index(side)}" for side in sides)
    return note_html(f"{' and '.join(sides)}: a call waits for your yes or no ({keys})") if sides else ""


def _kept(side: Which, conversation: str) -> str:
    link = tag("a", "the one before is kept", href=f"/c/{conversation}")
    return tag("p", f"{side}: a new talk; {link}", role="status")
