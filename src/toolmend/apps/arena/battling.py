"""What the events of the battle page do: begin, say, vote, the next one. Shows only what the desk's blind view has."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from typing import Any

import gradio as gr

from toolmend.apps.arena.ballot import CHOICES, LIKERT, LONGEST_REASON, ballot_html, reveal_html
from toolmend.apps.arena.frame import note_html
from toolmend.apps.arena.hands import Showing, told
from toolmend.apps.arena.markup import button, safe, tag
from toolmend.apps.arena.people import person_of
from toolmend.apps.arena.side import Shown, Talking
from toolmend.apps.arena.told import Told
from toolmend.apps.arena.watching import Pace, looks
from toolmend.arena import TAGS, Arena, Delta, Desk, Failed, Flow, Which
from toolmend.arena.views import SIDES
from toolmend.errors import BadOption

_HOW = (
    "Write a request: two contestants whose names you do not see answer it. Go on talking as long as you like, then vote. "
    "The names come after the vote."
)


class Battling:
    """The events of the page, done for whoever the request comes from."""

    def __init__(
        self, arena: Arena, halves: Mapping[Which, Talking], head: Any, ballot: Any, note: Any, text: Any
    ) -> None:
        self._arena, self._halves = arena, halves
        self._head, self._ballot, self.note, self._text = head, ballot, note, text

    @property
    def outputs(self) -> list[Any]:
        """What an event may change."""
        parts = [part for side in SIDES for part in self._halves[side].parts]
        return [*parts, self._head, self._ballot, self.note, self._text]

    @told
    async def load(self, request: gr.Request) -> Showing:
        """A visit begins, or begins again: the open battle, if there is one."""
        person = person_of(request)
        desk = await self._arena.battle_of(person)
        yield {**self._shown(desk), self._head: await self._heading(person, desk)}
        if desk:
            async for _ in looks(lambda: busy(desk)):
                yield self._shown(desk)

    @told
    async def send(self, text: str, request: gr.Request) -> Showing:
        """Say it to both; the first words begin a battle."""
        if not text.strip():
            raise BadOption("write something first")
        person = person_of(request)
        desk = await self._arena.battle_of(person)
        if desk is None:
            desk = await self._arena.battle(person, text.strip())
        async for shown in self._follow(desk, desk.send("both", text.strip())):
            yield {self._text: "", **shown}

    @told
    async def stop(self, request: gr.Request) -> Showing:
        """End what is being written."""
        desk = await self._arena.battle_of(person_of(request))
        if desk is None:
            raise BadOption("nothing is being written")
        await desk.stop("both")
        yield self._shown(desk)

    @told
    async def next(self, event: gr.EventData, request: gr.Request) -> Showing:
        """The next of the queue, which begins by itself."""
        person, queue = person_of(request), Told(event).word("queue")
        desk = await self._arena.battle(person, queue=queue)
        yield {**self._shown(desk), self._head: await self._heading(person, desk), self.note: ""}
        if desk.view().kind == "battle" and not desk.view().left.turns:
            async for shown in self._follow(desk, desk.send("both", desk.view().prompt)):
                yield shown

    @told
    async def vote(self, event: gr.EventData, request: gr.Request) -> Showing:
        """The vote, and what it brought to light."""
        pressed, person = Told(event), person_of(request)
        desk = await self._arena.battle_of(person)
        if desk is None:
            raise BadOption("this battle is over; begin another below")
        choice = pressed.word("choice")
        if choice not in {value for value, _, _ in CHOICES}:
            choice = pressed.number("choice", LIKERT[0], LIKERT[-1])  # type: ignore[assignment]
        turn = pressed.number("turn", 0, 10_000) if pressed.word("turn") else None
        reason, tags = pressed.word("reason")[:LONGEST_REASON], pressed.ticked("tag", TAGS)
        reveal = await self._arena.vote(person, desk.id, choice, turn=turn, reason=reason, tags=tags)
        yield {
            **self._shown(desk),
            self._head: await self._heading(person, desk),
            self.note: gr.update(value=reveal_html(desk.view(), reveal)),
        }

    async def _follow(self, desk: Desk, updates: Flow) -> Showing:
        """What comes, where it comes, until it has come."""
        yield {**self._shown(desk), self.note: ""}
        written: dict[Which, str] = dict.fromkeys(SIDES, "")
        pace = {side: Pace() for side in SIDES}
        async for update in updates:
            if isinstance(update, Delta):
                written[update.side] += update.text
                if pace[update.side].due():
                    yield self._halves[update.side].written(written[update.side])
            elif isinstance(update, Failed):
                yield {**self._shown(desk), self.note: note_html(f"{update.side}: {update.why}", bad=True)}
            else:
                yield self._shown(desk)
        yield self._shown(desk)

    def _shown(self, desk: Desk | None) -> Shown:
        if desk is None:
            return {self._ballot: "", **{part: "" for side in SIDES for part in self._halves[side].parts}}
        view = desk.view()
        sides = {"left": view.left, "right": view.right}
        shown: Shown = {self._ballot: gr.update(value=ballot_html(view))}
        for side in SIDES:
            shown |= self._halves[side].shown(sides[side], fixing=False)
        return shown

    async def _heading(self, person: str, desk: Desk | None) -> str:
        parts = [tag("p", safe(_HOW), class_="how")]
        if desk and desk.view().prompt:
            parts.append(tag("p", safe(f"It began with: {desk.view().prompt}"), class_="prompt"))
        return "".join(parts)


def busy(desk: Desk) -> bool:
    """Whether something is being written on it."""
    view = desk.view()
    return view.left.busy or view.right.busy
