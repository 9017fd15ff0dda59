"""The arena as one ASGI app."""

from __future__ import annotations

from starlette.applications import Starlette
from starlette.routing import Route
from starlette.types import ASGIApp

from toolmend.apps.arena.battling import Battling
from toolmend.apps.arena.looking import Looking
from toolmend.apps.arena.people import People, PersonMiddleware
from toolmend.apps.arena.sitting import Sitting
from toolmend.apps.site.guard import SiteGuard
from toolmend.apps.site.rendering import Site, assets
from toolmend.arena import Arena

_PLACES = {"/": "Chat", "/battle": "Battle", "/board": "Leaderboard", "/history": "Talks"}


def make_app(arena: Arena, *, local: bool = False, shared: bool = False) -> ASGIApp:
    """The arena's app; `local` answers to this machine's names only, `shared` shows everybody's talks to everybody."""
    site = Site("toolmend.apps.arena", "toolmend arena", _PLACES)
    _ = arena.cases, arena.about(arena.toolbox), site.part("letter", "")  # the first visitor need not wait for it
    looking, battling, sitting = Looking(arena, site, shared), Battling(arena, site), Sitting(arena, site)
    routes = [
        Route("/", sitting.show),
        Route("/do", sitting.do, methods=["POST"]),
        Route("/live", sitting.live),
        Route("/battle", battling.show),
        Route("/battle/do", battling.do, methods=["POST"]),
        Route("/battle/live", battling.live),
        Route("/board", looking.board),
        Route("/plot.svg", looking.plot),
        Route("/votes.csv", looking.votes),
        Route("/history", looking.history),
        Route("/c/{id}", looking.conversation),
        *assets(),
    ]
    people = People(arena.records.secret("cookies"))
    return SiteGuard(PersonMiddleware(Starlette(routes=routes), people), local=local)
