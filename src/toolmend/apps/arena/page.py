"""The whole page as one ASGI app: Gradio at / and /battle, other routes before it. Nothing leaves the machine."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from toolmend.arena import Arena
from toolmend.errors import MissingExtra

if TYPE_CHECKING:
    from fastapi import FastAPI
    from starlette.routing import BaseRoute

# Read by Gradio and by the hub's client when they are imported: no figures home, no look for newer versions; and no
# table of all events so far, which Gradio else computes with pandas for every single one.
QUIETLY = {
    "GRADIO_ANALYTICS_ENABLED": "False",
    "GRADIO_ANALYTICS_CACHE_FREQUENCY": "1000000000",
    "HF_HUB_OFFLINE": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
}


def build(arena: Arena, routes: Sequence[BaseRoute] = ()) -> FastAPI:
    """The page of this arena. Its lifespan must run; `routes` are looked at first. Raises MissingExtra."""
    os.environ.update(QUIETLY)
    try:
        import gradio as gr
        from fastapi import FastAPI
    except ImportError as error:
        raise MissingExtra("the arena's page", "arena") from error
    from toolmend.apps.arena import frame
    from toolmend.apps.arena.battle import battle_blocks
    from toolmend.apps.arena.duel import duel_blocks
    from toolmend.apps.arena.shut import Shut

    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
    app.router.routes.extend(routes)
    for path, blocks in (("/battle", battle_blocks(arena)), ("/", duel_blocks(arena))):
        gr.mount_gradio_app(
            app,
            blocks,
            path=path,
            footer_links=[],
            run_history=False,
            max_file_size=1,
            ssr_mode=False,
            pwa=False,
            show_error=False,
            theme=frame.theme(),
            css=frame.CSS,
            head=frame.HEAD,
        )
    app.add_middleware(Shut)
    return app
