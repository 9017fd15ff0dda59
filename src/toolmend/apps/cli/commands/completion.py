"""`toolmend completion`: the script that teaches a shell to complete commands and options."""

from __future__ import annotations

import click

from toolmend.apps.cli.kit import options

HOW = {
    "bash": 'put this line into ~/.bashrc:  eval "$(toolmend completion bash)"',
    "zsh": 'put this line into ~/.zshrc, after compinit:  eval "$(toolmend completion zsh)"',
    "fish": "toolmend completion fish > ~/.config/fish/completions/toolmend.fish",
}


@options.command
@click.argument("shell", type=click.Choice(list(HOW)))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print the completion script of a shell; its last line says where to put it."""
    from click.shell_completion import get_completion_class

    made = get_completion_class(shell)
    assert made is not None, "click knows these shells"
    click.echo(made(ctx.find_root().command, {}, "toolmend", "_TOOLMEND_COMPLETE").source())
    click.echo(f"# To use it, {HOW[shell]}")
