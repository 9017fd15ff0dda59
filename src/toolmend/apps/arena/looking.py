"""Pages that only show: leaderboard, plots, exports, history, one talk. They ask no model."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from toolmend.apps.arena.people import person_of
from toolmend.apps.site.rendering import Site, told
from toolmend.arena import Arena
from toolmend.arena.board import BoardFilter
from toolmend.arena.votes import as_csv
from toolmend.arena.workshop import FILTERS


class Looking:
    """The endpoints of one arena; talks are shown to their own visitor, or where they are `shared` to all."""

    def __init__(self, arena: Arena, site: Site, shared: bool = False) -> None:
        self._arena, self.site, self._shared = arena, site, shared

    @told
    async def board(self, request: Request) -> Response:
        """The leaderboard; its filters stand in the address."""
        wanted = _filter(request)
        board = await self._arena.board(wanted)
        return self.site.page(
            request, "board.html", title="Leaderboard", board=board, wanted=wanted, query=request.url.query
        )

    @told
    async def plot(self, request: Request) -> Response:
        """A plot to look at, or with `save` to keep."""
        what = request.query_params.get("what", "ratings")
        svg = (await self._arena.board(_filter(request))).plot(what)
        name = f'attachment; filename="{what}.svg"'
        return Response(
            svg, media_type="image/svg+xml", headers=_as_file(name) if "save" in request.query_params else {}
        )

    @told
    async def votes(self, request: Request) -> Response:
        """All votes of battles that are over, as `toolmend rank` reads them."""
        rows = await self._arena.workshop.db(self._arena.records.votes)
        asked = request.query_params
        text = as_csv(rows, band="band" in asked, turns="turns" in asked)
        return Response(text, media_type="text/csv", headers=_as_file('attachment; filename="votes.csv"'))

    @told
    async def history(self, request: Request) -> Response:
        """The newest talks that this visitor may see."""
        where = {name: request.query_params.get(name, "") for name in FILTERS}
        entries = await self._arena.history(self._whose(request), **where)
        arena = self._arena
        known = {
            "model": arena.models,
            "strategy": arena.strategies,
            "toolbox": arena.toolboxes,
            "kind": ["chat", "battle", "pair"],
        }
        return self.site.page(request, "history.html", title="Talks", entries=entries, where=where, known=known)

    @told
    async def conversation(self, request: Request) -> Response:
        """One talk at its address."""
        side = await self._arena.conversation(request.path_params["id"], self._whose(request))
        return self.site.page(request, "conversation.html", title=f"A talk with {side.name}", side=side)

    def _whose(self, request: Request) -> str | None:
        return None if self._shared else person_of(request)


def _filter(request: Request) -> BoardFilter:
    asked = request.query_params
    ties = asked.get("ties", "half")
    return BoardFilter(
        asked.get("category", ""),
        asked.get("suite", ""),
        ties,  # type: ignore[arg-type]  # checked there
        "band" in asked,
        "turns" in asked,
    )


def _as_file(disposition: str) -> dict[str, str]:
    return {"Content-Disposition": disposition}
