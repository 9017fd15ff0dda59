"""The arena's plain pages: rendered here, no JavaScript, usable with a keyboard and on a telephone.

Leaderboard, history, every talk at its address, rating, exports, and a desk for where Gradio is not installed.
"""

from __future__ import annotations

from starlette.routing import BaseRoute, Route

from toolmend.apps.arena.pages.looking import Looking
from toolmend.apps.arena.pages.rating import RatingPages
from toolmend.apps.arena.pages.sitting import Sitting
from toolmend.arena import Arena

__all__ = ["routes"]


def routes(arena: Arena) -> list[BaseRoute]:
    """Everything but `/`, which the site gives to Gradio or to the plain desk."""
    looking, rating, sitting = Looking(arena), RatingPages(arena), Sitting(arena)
    return [
        Route("/board", looking.board),
        Route("/plot.svg", looking.plot),
        Route("/votes.csv", looking.votes),
        Route("/history", looking.history),
        Route("/c/{id}", looking.conversation),
        Route("/rate", rating.show),
        Route("/rate/begin", rating.begin, methods=["POST"]),
        Route("/rate/say", rating.say, methods=["POST"]),
        Route("/rate/vote", rating.vote, methods=["POST"]),
        Route("/plain", sitting.show),
        Route("/plain/do", sitting.do, methods=["POST"]),
        Route("/plain.css", looking.style),
    ]
