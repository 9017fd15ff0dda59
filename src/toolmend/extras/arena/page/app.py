"""The arena as one ASGI app: the chat, battles, and pages that only show: leaderboard, talks, votes."""

from __future__ import annotations

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from toolmend.apps.site.guard import SiteGuard
from toolmend.apps.site.rendering import Site, assets, told
from toolmend.extras.arena import Arena
from toolmend.extras.arena.page.battling import Battling
from toolmend.extras.arena.page.people import People, PersonMiddleware, person_of
from toolmend.extras.arena.page.sitting import Sitting
from toolmend.extras.arena.votes import as_csv

_PLACES = {"/": "Chat", "/battle": "Battle", "/board": "Leaderboard", "/history": "Talks"}


class Looking:
    """Pages that ask no model; talks are shown to their own visitor, or where they are `shared` to all."""

    def __init__(self, arena: Arena, site: Site, shared: bool = False) -> None:
        self._arena, self.site, self._shared = arena, site, shared

    @told
    async def board(self, request: Request) -> Response:
        """The leaderboard."""
        return self.site.page(request, "board.html", title="Leaderboard", board=await self._arena.board())

    @told
    async def votes(self, request: Request) -> Response:
        """All votes of battles that are over, as `toolmend rank` reads them."""
        text = as_csv(await self._arena.talks.db(self._arena.records.votes))
        headers = {"Content-Disposition": 'attachment; filename="votes.csv"'}
        return Response(text, media_type="text/csv", headers=headers)

    @told
    async def history(self, request: Request) -> Response:
        """The newest talks that this visitor may see."""
        entries = await self._arena.history(self._whose(request))
        return self.site.page(request, "history.html", title="Talks", entries=entries)

    @told
    async def conversation(self, request: Request) -> Response:
        """One talk at its address."""
        side = await self._arena.conversation(request.path_params["id"], self._whose(request))
        return self.site.page(request, "conversation.html", title=f"A talk with {side.name}", side=side)

    def _whose(self, request: Request) -> str | None:
        return None if self._shared else person_of(request)


def make_app(arena: Arena, *, local: bool = False, shared: bool = False) -> ASGIApp:
    """The arena's app; `local` answers to this machine's names only, `shared` shows everybody's talks to everybody."""
    site = Site("toolmend.extras.arena.page", "toolmend arena", _PLACES)
    _ = arena.about(arena.toolbox), site.part("letter", "")  # the first visitor need not wait for it
    looking, battling, sitting = Looking(arena, site, shared), Battling(arena, site), Sitting(arena, site)
    routes = [
        Route("/", sitting.show),
        Route("/do", sitting.do, methods=["POST"]),
        Route("/live", sitting.live),
        Route("/battle", battling.show),
        Route("/battle/do", battling.do, methods=["POST"]),
        Route("/battle/live", battling.live),
        Route("/board", looking.board),
        Route("/votes.csv", looking.votes),
        Route("/history", looking.history),
        Route("/c/{id}", looking.conversation),
        *assets(),
    ]
    people = People(arena.records.secret("cookies"))
    return SiteGuard(PersonMiddleware(Starlette(routes=routes), people), local=local)
