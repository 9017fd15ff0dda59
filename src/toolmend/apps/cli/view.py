"""`toolmend view`: the stored runs as pages on this machine. Knows settings, and no page."""

from __future__ import annotations

import click

from toolmend.apps.cli.kit import options, screen
from toolmend.base.errors import needs


@options.command
@click.option(
    "--port", type=click.IntRange(0, 65535), default=7870, show_default=True, help="0 takes any that is free."
)
@options.store_option
def view(port: int, store: str | None) -> None:
    """Browse stored runs: reports, every talk behind a figure, filters, differences between two runs.

    Pages are for this machine alone, their addresses stay, and a run that goes on shows what it has so far.
    `toolmend show` prints the same in a terminal or into a file. Needs the extra `arena`.
    """
    needs("the log browser", "arena", "starlette", "uvicorn")
    from toolmend.apps.site.serving import serve
    from toolmend.apps.view.app import make_viewer
    from toolmend.evals.store import default_place

    app = make_viewer(store or str(default_place()))
    serve(app, "127.0.0.1", port, lambda url: screen.note(f"open {url} (Ctrl-C stops it)"))
