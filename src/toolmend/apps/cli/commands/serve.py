"""`toolmend serve`: the OpenAI-compatible server, and its keys. Knows settings, and nothing of answering."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from toolmend.apps.cli.kit import options, screen
from toolmend.base.errors import needs

F = TypeVar("F", bound=Callable[..., Any])


def _option(name: str, **about: Any) -> Callable[[F], F]:
    """An option that the environment may set, too."""
    variable = f"TOOLMEND_SERVE_{name.partition('/')[0].upper().replace('-', '_')}"
    return click.option(f"--{name}", envvar=variable, **about)


_keys_option = _option("keys", metavar="FILE", help="The file of keys. [default: server-keys.json beside your config]")


@click.group("serve", cls=options.CommandGroup, invoke_without_command=True)
@options.debug_option
@_option(
    "model",
    type=options.MODEL,
    multiple=True,
    default=("builtin/small",),
    show_default=True,
    metavar="[STRATEGY:]NAME",
    help="A model that clients may ask for; may be given again.",
)
@_option("strategy", default="auto", show_default=True, help="For models named without one.")
@_option("toolbox", metavar="NAME|MODULE:NAME", help="Tools that the server runs itself.")
@_option("approve", metavar="POLICY", default="danger=ask", show_default=True, help="Which of those calls may run.")
@_option("mend/--no-mend", default=True, show_default=True, help="Corrections by their words first, with --toolbox.")
@_option("host", default="127.0.0.1", show_default=True, help="Another than this machine needs an API key.")
@_option("port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0 takes any that is free.")
@_keys_option
@_option(
    "max-tokens", type=click.IntRange(min=1), default=1024, show_default=True, help="Where a request says nothing."
)
@_option("timeout", type=click.FloatRange(min=1), default=600.0, show_default=True, help="Seconds for an answer.")
@_option("workers", type=click.IntRange(1, 64), default=1, show_default=True, help="Processes behind the address.")
@click.pass_context
def serve(ctx: click.Context, /, **given: Any) -> None:
    """Serve models to OpenAI clients: POST /v1/chat/completions and /v1/responses, GET /v1/models, /healthz.

    A client names a model, and a strategy if it likes: "builtin/small", "freyr:ollama/llama3.2". It runs its own tools;
    nothing of them runs here. Needs the extra `server`.
    """
    if ctx.invoked_subcommand is not None:
        return
    needs("the server", "server", "starlette", "uvicorn")
    from toolmend.apps.server.app import run
    from toolmend.apps.server.settings import ServerSettings

    models, keys, seconds = tuple(given.pop("model")), _file(given.pop("keys")), given.pop("timeout")
    made = ServerSettings(models=models, keys=keys, seconds=seconds, **given)
    run(made, lambda url: screen.note(f"listening on {url}/v1 (Ctrl-C stops it)"))


@serve.group("key")
def key() -> None:
    """Make, list and revoke API keys. Once there is one, every request needs one."""


@options.command
@click.argument("name")
@click.option("--requests", type=click.IntRange(min=1), metavar="N", help="So many requests a minute.")
@click.option("--tokens", type=click.IntRange(min=1), metavar="N", help="So many tokens a minute.")
@_keys_option
@click.pass_context
def add(ctx: click.Context, name: str, requests: int | None, tokens: int | None, keys: str | None) -> None:
    """Make the key NAME and print it. It is shown this once; only its salted hash is kept."""
    from toolmend.apps.server.keys import KeyFile

    file = KeyFile(_file(keys, ctx))
    click.echo(file.add(name, requests, tokens))
    screen.note(f"kept in {file.path}, as a hash: this is the only time the key is shown")


@options.command
@_keys_option
@click.pass_context
def list_(ctx: click.Context, keys: str | None) -> None:
    """List the keys: names and limits."""
    from toolmend.apps.server.keys import KeyFile

    found = KeyFile(_file(keys, ctx)).keys
    for entry in found:
        limits = [f"{most:,} {kind} a minute" for kind, most in entry.limits if most]
        click.echo(f"{entry.name}  made {entry.created}, {', '.join(limits) or 'no limits'}")
    if not found:
        click.echo("no keys: only this machine is served")


@options.command
@click.argument("name")
@_keys_option
@click.pass_context
def revoke(ctx: click.Context, name: str, keys: str | None) -> None:
    """Revoke the key NAME: it stops working at once."""
    from toolmend.apps.server.keys import KeyFile

    KeyFile(_file(keys, ctx)).revoke(name)
    screen.note(f"{name} is revoked")


for _command in (add, list_, revoke):
    key.add_command(_command)


def _file(given: str | None, ctx: click.Context | None = None) -> Path:
    """The file of keys: as given here, else to `serve` itself by flag or file of settings, else the default one."""
    from toolmend.apps.server.keys import default_file

    above = ctx.parent.parent if ctx and ctx.parent else None
    found = given or (above.params.get("keys") if above else None)
    return Path(found).expanduser() if found else default_file()
