"""`toolmend mcp`: toolboxes, and a talk about them, for any MCP client. Knows settings, and nothing of the protocol."""

from __future__ import annotations

import click

from toolmend.apps.cli.kit import options, screen
from toolmend.base.errors import needs


@options.command
@click.option(
    "--tools",
    "toolboxes",
    multiple=True,
    default=("calendar",),
    show_default=True,
    metavar="NAME|MODULE:NAME",
    help="A toolbox to offer; may be given again.",
)
@options.model_option
@options.strategy_option
@options.mend_option
@options.approve_option
@click.option("--port", type=click.IntRange(0, 65535), help="Listen on 127.0.0.1:PORT instead; 0 takes any free one.")
def mcp(
    toolboxes: tuple[str, ...], model: str, strategy: str | None, mend: bool, approve: str, port: int | None
) -> None:
    """Offer toolboxes to MCP clients: every tool, and where the model knows them `ask`: plain English and corrections.

    Speaks on standard input and output, as clients start such servers. Needs the extra `mcp`.
    """
    needs("an MCP server", "mcp", "mcp")
    from toolmend.apps.mcp import McpSettings, run_http, run_stdio

    settings = McpSettings(toolboxes, model, strategy, approve, mend)
    if port is None:
        run_stdio(settings)
    else:
        run_http(settings, port, lambda url: screen.note(f"listening on {url} (Ctrl-C stops it)"))
