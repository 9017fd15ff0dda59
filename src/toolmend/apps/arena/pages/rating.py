"""Rating: blind battles and the queue, in forms. Knows who asks, and never a name before the vote."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from toolmend.apps.arena.pages.rendering import back, form_of, page, text_of, told
from toolmend.apps.arena.people import person_of
from toolmend.arena import TAGS, Arena
from toolmend.errors import BadOption

_LIKERT = (
    "A is far better",
    "A is better",
    "A is slightly better",
    "A is better by a hair",
    "B is better by a hair",
    "B is slightly better",
    "B is better",
    "B is far better",
)


class RatingPages:
    """The endpoints of one arena."""

    def __init__(self, arena: Arena) -> None:
        self._arena = arena

    @told
    async def show(self, request: Request) -> Response:
        """The battle somebody has open, what the last one was, and what else there is to rate."""
        person = person_of(request)
        desk = await self._arena.battle_of(person)
        last = request.query_params.get("last")
        reveal = await self._arena.revealed(person, last) if last and desk is None else None
        return page(
            request,
            "rate.html",
            title="Rate",
            desk=desk.view() if desk else None,
            reveal=reveal,
            queues=await self._arena.queues(person),
            tags=TAGS,
            likert=_LIKERT,
        )

    @told
    async def begin(self, request: Request) -> Response:
        """A new battle: of a prompt, or of what stands next in a queue."""
        form = await form_of(request)
        prompt, queue = text_of(form, "prompt"), text_of(form, "queue")
        if not queue and not prompt.strip():
            raise BadOption("nothing was said: type something first")
        desk = await self._arena.battle(person_of(request), prompt, queue or None)
        if desk.flow is not None:
            await desk.flow
        return back("/rate")

    @told
    async def say(self, request: Request) -> Response:
        """One more message to one side or both."""
        form = await form_of(request)
        desk = await self._arena.battle_of(person_of(request))
        if desk is None:
            raise BadOption("there is no battle to go on with: begin one")
        await desk.send(text_of(form, "to") or "both", text_of(form, "text"))  # type: ignore[arg-type]  # checked there
        return back("/rate")

    @told
    async def vote(self, request: Request) -> Response:
        """A vote on the battle, or on one turn of it."""
        form = await form_of(request)
        desk, turn = text_of(form, "desk"), text_of(form, "turn")
        tags = [tag for tag in form.getlist("tags") if isinstance(tag, str)]
        if turn and not turn.isdecimal():
            raise BadOption(f"a turn is a number, not {turn[:20]!r}")
        reveal = await self._arena.vote(
            person_of(request),
            desk,
            text_of(form, "choice"),
            turn=int(turn[:6]) if turn else None,
            reason=text_of(form, "reason"),
            tags=tags,
        )
        return back("/rate" if reveal.left is None else f"/rate?last={desk}")
