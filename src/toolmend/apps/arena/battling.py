"""What the events of the battle page do: begin, say, vote, the next one. Shows only what the desk's blind view has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import gradio as gr

from toolmend.apps.arena.ballot import LONGEST_REASON, ballot_html, reveal_html
from toolmend.apps.arena.frame import note_html
from toolmend.apps.arena.hands import Showing, told
from toolmend.apps.arena.markup import button, safe, tag
from toolmend.apps.arena.people import person_of
from toolmend.apps.arena.side import Shown, Talking
from toolmend.apps.arena.told import Told
from toolmend.apps.arena.watching import changes
from toolmend.arena import TAGS, Arena, Desk, DeskView, Failed, Which, WorldView
from toolmend.arena.blind import LETTERS
from toolmend.arena.queue import Progress
from toolmend.arena.views import SIDES
from toolmend.errors import BadOption

_HOW = (
    "Write a request: two contestants whose names you do not see answer it. Go on talking as long as you like, "
    "then vote. The names come after the vote."
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
        if desk is None:
            yield {**self._shown(None), self._head: await self._heading(person, None)}
            desk = await self._arena.battle_of(person)  # a message may have come before this was drawn
        if desk is not None:
            async for _ in changes(desk):
                yield {**self._shown(desk), self._head: await self._heading(person, desk)}

    @told
    async def send(self, text: str, request: gr.Request) -> Showing:
        """Say it to both; the first words begin a battle."""
        if not text.strip():
            raise BadOption("write something first")
        person = person_of(request)
        desk = await self._arena.battle_of(person)
        if desk is None:
            desk = await self._arena.battle(person, text.strip())  # which answers it at once
            yield {self._head: await self._heading(person, desk)}
        else:
            desk.send("both", text.strip())
        yield {self._text: "", self.note: ""}
        async for shown in self._follow(desk):
            yield shown

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
        async for shown in self._follow(desk):
            yield shown

    @told
    async def vote(self, event: gr.EventData, request: gr.Request) -> Showing:
        """The vote, and what it brought to light."""
        pressed, person = Told(event), person_of(request)
        desk, asked = await self._arena.battle_of(person), pressed.word("desk")
        choice = pressed.word("choice")
        turn = pressed.number("turn", 0, 10_000) if pressed.word("turn") else None
        reason, tags = pressed.word("reason")[:LONGEST_REASON], pressed.ticked("tag", TAGS)
        reveal = await self._arena.vote(person, asked, choice, turn=turn, reason=reason, tags=tags)
        yield {
            **self._shown(desk),
            self._head: await self._heading(person, desk),
            self.note: gr.update(value=reveal_html(reveal)),
        }

    async def _follow(self, desk: Desk) -> Showing:
        """What the desk is doing, until it is done; in a battle nothing is streamed, and both replies come together."""
        yield self._shown(desk)
        if desk.flow is not None:
            async for update in desk.flow:
                if isinstance(update, Failed):
                    yield {self.note: note_html(f"{LETTERS[update.side]}: {update.why}", bad=True)}
        yield self._shown(desk)

    def _shown(self, desk: Desk | None) -> Shown:
        if desk is None:
            return {self._ballot: "", **{part: "" for side in SIDES for part in self._halves[side].parts}}
        view = together(desk.view())
        shown: Shown = {self._ballot: gr.update(value=ballot_html(view))}
        for side, half in ((view.left, self._halves["left"]), (view.right, self._halves["right"])):
            shown |= half.shown(side, fixing=False)
        return shown

    async def _heading(self, person: str, desk: Desk | None) -> str:
        parts = [tag("p", safe(_HOW), class_="how")]
        queues = [_queue(each) for each in await self._arena.queues(person)]
        parts.append(tag("div", "".join(queues), class_="queues") if queues else "")
        if desk and desk.view().prompt:
            parts.append(tag("p", safe(f"It began with: {desk.view().prompt}"), class_="prompt"))
        return "".join(parts)


def together(view: DeskView) -> DeskView:
    """The view without what one side has answered before the other: who is faster is not to be seen."""
    if not (view.left.busy or view.right.busy):
        return view
    both = min(len(view.left.turns), len(view.right.turns))
    waiting = view.left.waiting or view.right.waiting
    left, right = (
        replace(side, turns=side.turns[:both], world=WorldView(side.world.toolbox), busy=True, waiting=waiting)
        for side in (view.left, view.right)
    )
    return replace(view, left=left, right=right)


def _queue(progress: Progress) -> str:
    name = progress.queue
    bar = tag("progress", "", max=progress.wanted, value=progress.given, aria_label=f"Ratings in {name}")
    words = f"{progress.given} of {progress.wanted} ratings, {progress.mine} of them yours"
    press = "" if progress.done else button("Next", "next", about=f"Next of {name}", queue=name, key="n")
    return tag("span", f"{tag('b', safe(name))} {bar} {safe(words)} {press}", class_="queue")
