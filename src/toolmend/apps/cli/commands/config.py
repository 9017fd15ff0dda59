"""`toolmend config`: which files of settings are in force, what they and the environment say, and what wins."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from toolmend.apps.cli.kit import options, screen, settings

Commands = Iterator[tuple[settings.Names, click.Command, click.Context]]


@options.command
@click.option("--path", "only_path", is_flag=True, help="Only where the file in force is, or yours would be.")
@options.format_option
@click.pass_context
def config(ctx: click.Context, only_path: bool, form: str) -> None:
    """Print every setting that is not built in, and where it comes from; all files are checked to the last key.

    The command line wins over the environment, that over toolmend.toml of this folder or repository, that over the
    user's config.toml. TOOLMEND_CONFIG names a file to be read instead of both; `off` reads none.
    """
    if only_path:
        click.echo(next((str(path) for path in settings.paths() if path.exists()), str(settings.user_file())))
        return
    found = settings.of(ctx)
    rows, files = _rows(ctx, found), _files()
    models = [{"name": name, "value": each.value, "from": each.origin} for name, each in found.aliases.items()]
    if form == "json":
        screen.print_json({"schema": 1, "files": files, "settings": rows, "models": models})
        return
    _print(files, rows, models)


def _files() -> list[dict[str, Any]]:
    return [{"path": str(path), "read": path.exists()} for path in settings.paths()]


def _rows(ctx: click.Context, found: settings.Settings) -> list[dict[str, Any]]:
    """What each option that is set somewhere is: the winner, and what it overrides."""
    chains: dict[str, dict[str, list[settings.Found]]] = {}
    for names, command, inner in _commands(ctx):
        for option, each in [*_environment(command), *found.section(names, command, inner)]:
            of_command = chains.setdefault(settings.key_of(option), {})
            of_command.setdefault(".".join([*names, settings.key_of(option)]), []).append(each)
    for key in settings.EVERYWHERE:  # one row where it is the same for every command
        said = list(chains.get(key, {}).values())
        if said and all(chain == said[0] for chain in said):
            chains[key] = {key: said[0]}
    return [
        {"name": name, "value": first.value, "from": first.origin, "over": [each.origin for each in rest]}
        for of_command in chains.values()
        for name, (first, *rest) in of_command.items()
    ]


def _environment(command: click.Command) -> Iterator[tuple[click.Option, settings.Found]]:
    for option in command.params:
        if isinstance(option, click.Option) and isinstance(option.envvar, str) and os.environ.get(option.envvar):
            yield option, settings.Found(os.environ[option.envvar], f"${option.envvar}")


def _commands(ctx: click.Context) -> Commands:
    """Every command that runs, with its path and a context to check its options in."""

    def walk(group: click.Group, above: click.Context, path: settings.Names) -> Commands:
        for name in group.list_commands(above):
            command = group.get_command(above, name)
            assert command is not None, "a group knows its commands"
            inner = click.Context(command, parent=above, info_name=name)
            if isinstance(command, click.Group):
                if command.invoke_without_command:
                    yield (*path, name), command, inner
                yield from walk(command, inner, (*path, name))
            else:
                yield (*path, name), command, inner

    root = ctx.find_root()
    if isinstance(root.command, click.Group):
        yield from walk(root.command, root, ())


def _print(files: list[dict[str, Any]], rows: list[dict[str, Any]], models: list[dict[str, Any]]) -> None:
    console = screen.console()
    if settings.named():
        console.print(f"${settings.VARIABLE} is {settings.named()}: nothing else is read", style="dim", soft_wrap=True)
    for file in files:
        there = "" if file["read"] else " (not there)"
        console.print(f"file    {_short(file['path'])}{there}", soft_wrap=True)
    for row in rows:
        over = f", over {', '.join(map(_short, row['over']))}" if row["over"] else ""
        console.print(f"{row['name']} = {_shown(row['value'])}  [{_short(row['from'])}{over}]", soft_wrap=True)
    for row in models:
        console.print(f"models.{row['name']} = {row['value']}  [{_short(row['from'])}]", soft_wrap=True)
    if not rows and not models:
        console.print("everything is as built in")


def _shown(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def _short(place: str) -> str:
    """A path from the current folder where it is below it."""
    try:
        return str(Path(place).relative_to(Path.cwd()))
    except (ValueError, OSError):
        return place
