"""Blind battles and the queue for raters. Knows who asks, and never a name before the vote."""

from __future__ import annotations

from dataclasses import replace

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from toolmend.apps.site.rendering import Parts, Site, back, form_of, has_script, stream, text_of, told
from toolmend.base.errors import BadOption
from toolmend.extras.arena import Arena, Desk, DeskView, Reveal
from toolmend.extras.arena.page.people import person_of
from toolmend.extras.arena.page.sitting import settled
from toolmend.extras.arena.queue import QueueProgress
from toolmend.extras.arena.views import LETTERS, SIDES, WorldView

CHOICES = (
    ("left", "A is better", "a"),
    ("tie", "Equally good", "t"),
    ("both_bad", "Both are bad", "x"),
    ("right", "B is better", "b"),
)


class Battling:
    """The endpoints of one arena."""

    def __init__(self, arena: Arena, site: Site) -> None:
        self._arena, self.site = arena, site

    @told
    async def show(self, request: Request) -> Response:
        """The battle somebody has open; else what the last one was, and what there is to rate."""
        person = person_of(request)
        desk, reveal = await self._arena.battle_of(person), None
        if desk is None and (last := request.query_params.get("last")):
            reveal = await self._arena.revealed(person, last)
            desk = await self._arena.seen(person, last) if reveal else None
        queues = await self._arena.queues(person)
        return self.site.page(
            request,
            "battle.html",
            title="Battle",
            busy=bool(desk and desk.busy),
            parts=self._parts(desk, queues, reveal),
        )

    @told
    async def live(self, request: Request) -> Response:
        """What happens in the battle, both sides at once; its end when neither answers any more."""
        desk, queues = await self._arena.battle_of(person_of(request)), await self._arena.queues(person_of(request))
        if desk is None:
            return stream(dict, lambda: None, lambda: False)
        here = desk
        return stream(lambda: self._parts(here, queues), lambda: here.stamp, lambda: here.busy)

    @told
    async def do(self, request: Request) -> Response:
        """What a button asks for: a new battle, a message, a stop, a vote."""
        form, person = await form_of(request), person_of(request)
        what, to = text_of(form, "do"), "/battle"
        desk: Desk | None = None
        reveal: Reveal | None = None
        if what in ("begin", "next"):
            desk = await self._begun(person, form)
        elif what == "say":
            desk = await self._arena.battle_of(person)
            if desk is None:  # the first words begin it
                desk = await self._begun(person, form)
            else:
                desk.send("both", text_of(form, "text"))
        elif what == "stop":
            desk = await self._of(request)
            await desk.stop("both")
        elif what == "leave":
            await self._arena.leave(person)
        elif what.startswith("vote "):
            asked, choice = text_of(form, "desk"), what.removeprefix("vote ")
            reveal = await self._arena.vote(person, asked, choice, reason=text_of(form, "reason"))
            desk, to = await self._arena.seen(person, asked), f"/battle?last={asked}"
        else:
            raise BadOption(f"{what[:20]!r} is nothing one can do here")
        if has_script(request):
            return JSONResponse(self._parts(desk, await self._arena.queues(person), reveal))
        if desk is not None:
            await settled(desk)
        return back(to)

    async def _begun(self, person: str, form: FormData) -> Desk:
        queue, text = text_of(form, "queue"), text_of(form, "text")
        if not queue and not text.strip():
            raise BadOption("nothing was said: type something first")
        return await self._arena.battle(person, text, queue or None)

    async def _of(self, request: Request) -> Desk:
        desk = await self._arena.battle_of(person_of(request))
        if desk is None:
            raise BadOption("there is no battle to go on with: begin one")
        return desk

    def _parts(self, desk: Desk | None, queues: list[QueueProgress], reveal: Reveal | None = None) -> Parts:
        view = together(desk.view()) if desk else None
        about = self._arena.about(self._arena.toolbox)
        parts = {
            "top": self.site.part("battle_top", view, queues, about),
            "ballot": self.site.part("ballot", view, reveal, CHOICES),
        }
        for which, side in zip(SIDES, (view.left, view.right) if view else (None, None), strict=True):
            letter = LETTERS[which]
            parts[f"{which}-head"] = self.site.part("letter", side.name if side else letter)
            parts[f"{which}-talk"] = self.site.part("talk", side, None) if side else self.site.part("nobody", letter)
            parts[f"{which}-world"] = self.site.part("world", side, None) if side and side.turns else ""
        return parts


def together(view: DeskView) -> DeskView:
    """The view without what one side has answered before the other: who is faster is not to be seen."""
    if not (view.left.busy or view.right.busy):
        return view
    both = min(len(view.left.turns), len(view.right.turns))
    waiting = view.left.waiting or view.right.waiting
    left, right = (
        replace(
            side, turns=side.turns[:both], world=WorldView(side.world.toolbox), busy=True, waiting=waiting, problem=""
        )
        for side in (view.left, view.right)
    )
    return replace(view, left=left, right=right)
