"""Stored runs as pages: a list, each run's report with its talks (evals/reports draws it), differences. Only reads.

Addresses stay: `/run/ID#sample=KEY` is a talk, `/run/ID#show=fix_at_1&who=0` the talks behind a figure,
`/diff?run=A&run=B` a comparison. While a run goes on its pages show what it has, and say when there is more.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

from anyio import to_thread
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from toolmend.apps.cli.kit.compare_view import figure_rows, heading, marked, short, unpaired
from toolmend.apps.site.guard import SiteGuard
from toolmend.apps.site.rendering import Site, assets, told
from toolmend.base.errors import BadOption
from toolmend.evals.comparing.baseline import find_played_in
from toolmend.evals.comparing.compare import Comparison, compare_runs, compare_within
from toolmend.evals.comparing.report import verdict
from toolmend.evals.reports.html import write_html
from toolmend.evals.reports.report import build_report, played_suite
from toolmend.evals.store import Run, Store

_LISTED = 200  # runs in the list


class Viewing:
    """The endpoints of one store."""

    def __init__(self, place: str, site: Site) -> None:
        self._place, self.site = place, site
        self._pages: dict[str, tuple[str, str]] = {}
        self._rated: dict[str, tuple[str, Any]] = {}

    @told
    async def runs(self, request: Request) -> Response:
        """All runs, the newest first."""
        return self.site.page(request, "runs.html", title="Runs", rows=await to_thread.run_sync(self._rows))

    @told
    async def run(self, request: Request) -> Response:
        """The report of a run, with every talk behind its figures."""
        return HTMLResponse(await to_thread.run_sync(self._report, request.path_params["id"]))

    @told
    async def state(self, request: Request) -> Response:
        """Another text whenever the run has more."""

        def asked() -> str:
            with Store(self._place, create=False) as store:
                return store.state(store.find_run(request.path_params["id"]).id)

        return PlainTextResponse(await to_thread.run_sync(asked), headers={"Cache-Control": "no-store"})

    @told
    async def diff(self, request: Request) -> Response:
        """Two runs compared, the older one first; of a single run its contestants."""
        found = await to_thread.run_sync(self._compared, request.query_params.getlist("run"))
        drawn: dict[str, Any] = {"figure_rows": figure_rows, "unpaired": unpaired, "verdict": verdict, "marked": marked}
        drawn |= {"heading": list(heading(found)), "short": short}
        return self.site.page(request, "diff.html", title="Differences", found=found, **drawn)

    def _rows(self) -> list[dict[str, Any]]:
        with Store(self._place, create=False) as store:
            return [self._row(store, run) for run in store.runs()[:_LISTED]]

    def _row(self, store: Store, run: Run) -> dict[str, Any]:
        """A run in the list; its report is read again only where it has changed."""
        counts, state = store.counts(run.id), store.state(run.id)
        if run.status == "finished" and self._rated.get(run.id, ("",))[0] != state:
            self._rated[run.id] = state, build_report(store, run.id)["contestants"]
        rates = {(row["model"], row["strategy"]): row for row in self._rated.get(run.id, ("", ()))[1]}
        who = [(contestant.model, contestant.strategy) for contestant in run.config.contestants]
        named = [(f"{model} · {strategy}", rates.get((model, strategy))) for model, strategy in who]
        samples = counts["ok"] + counts["error"]
        return {**run.head(), "samples": samples, "errors": counts["error"], "who": named}

    def _report(self, word: str) -> str:
        """The page, made anew only where the run has more than the one before."""
        with Store(self._place, create=False) as store:
            run = store.find_run(word)
            state = store.state(run.id)
            if self._pages.get(run.id, ("", ""))[0] != state:
                text = io.StringIO()
                report, suite = build_report(store, run.id), played_suite(run, [])
                write_html(text, run, store.samples(run.id), report, suite=suite, state=state)
                self._pages = {run.id: (state, text.getvalue())}
            return self._pages[run.id][1]

    def _compared(self, words: Sequence[str]) -> Comparison:
        if len(words) not in (1, 2):
            raise BadOption(f"tick two runs, or one to compare its contestants, not {len(words)}")
        played = sorted((find_played_in(self._place, word) for word in words), key=lambda side: side.run.created)
        return compare_within(played[0]) if len(played) == 1 else compare_runs(*played, anyway=True)


def make_viewer(place: str) -> ASGIApp:
    """The pages of a store, for this machine's names only. Raises BadFile for a place without a store."""
    with Store(place, create=False):
        pass
    viewing = Viewing(place, Site("toolmend.apps.view", "toolmend view", {"/": "Runs"}))
    routes = [
        Route("/", viewing.runs),
        Route("/run/{id}", viewing.run),
        Route("/run/{id}/state", viewing.state),
        Route("/diff", viewing.diff),
        *assets(),
    ]
    return SiteGuard(Starlette(routes=routes), local=True)
