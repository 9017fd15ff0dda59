"""Defaults from files: `toolmend.toml` of the project, `config.toml` of the user. docs/config.md explains the format.

    store = "runs.db"                       # every command that has --store
    [run]
    attempts = 5                            # as if --attempts 5 were given; the command line and the environment win

Read when a command runs, not for its help. Knows click's options, and nothing of what the commands do.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import click

from toolmend.base.errors import GONE, BadFile, UnknownName

PROJECT = "toolmend.toml"
VARIABLE = "TOOLMEND_CONFIG"

_EVERYWHERE = "store"
_PATHS = {"store", "work", "out", "prices", "keys"}
Names = tuple[str, ...]


class ConfigFile:
    """One file, read. Raises BadFile for what is not TOML."""

    def __init__(self, path: Path) -> None:
        import tomllib

        self.path = path
        try:
            self.data: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8-sig"))
        except (OSError, UnicodeDecodeError) as error:
            raise BadFile(path, f"cannot be read ({error})") from error
        except (tomllib.TOMLDecodeError, RecursionError) as error:
            raise BadFile(path, f"not TOML: {error}") from error

    def bad(self, names: Names, what: str) -> BadFile:
        """The error about a key."""
        return BadFile(self.path, f"{'.'.join(names)}: {what}")

    def table(self, names: Names) -> Mapping[str, Any]:
        """The table of that name, empty if there is none. Raises BadFile if it is something else."""
        table: Any = self.data
        for depth, name in enumerate(names, 1):
            table = table.get(name, {})
            if not isinstance(table, dict):
                if names[:depth] == (_EVERYWHERE,):
                    return {}  # "store" is the name of a command and of a setting of its own
                raise self.bad(names[:depth], f"must be a table, as in [{'.'.join(names[:depth])}]")
        found: Mapping[str, Any] = table
        return found

    def only(self, names: Names, known: Iterable[str], kind: str) -> None:
        """Raise BadFile for a key of a table that is not known."""
        for key in self.table(names):
            if key not in (allowed := list(known)):
                raise self.bad((*names, key), str(UnknownName(kind, key, allowed)))

    def placed(self, value: Any, key: str) -> Any:
        """A relative path from the file's own folder: what begins with ./ or ../, and the value of a key for paths."""
        if not isinstance(value, str):
            return value
        path = key in _PATHS and "://" not in value and not value.startswith("~")
        return str(self.path.parent.absolute() / value) if path or value.startswith(("./", "../")) else value


class Settings:
    """The files in force, the strongest first. `commands` are the names a section may have. Raises BadFile."""

    def __init__(self, files: Iterable[ConfigFile], commands: Iterable[str]) -> None:
        self.files = tuple(files)
        for file in self.files:
            gone = [name for name in file.table(()) if f"command {name!r}" in GONE]  # what a command left behind
            file.only((), (_EVERYWHERE, *commands, *gone), "section")

    def defaults(self, names: Names, ctx: click.Context) -> dict[str, Any]:
        """What files set for a command, by parameter. Raises BadFile for an option it does not have or take."""
        options = {_key(param): param for param in ctx.command.params if isinstance(param, click.Option)}
        options = {key: param for key, param in options.items() if param.expose_value}
        found: dict[str, Any] = {}
        for file in reversed(self.files):
            file.only(names, options, f"option of `toolmend {' '.join(names)}`")
            everywhere = {_EVERYWHERE: file.data[_EVERYWHERE]} if {_EVERYWHERE} <= file.data.keys() & options else {}
            for key, value in {**everywhere, **file.table(names)}.items():
                option, many = options[key], isinstance(value, list)
                if many and not option.multiple:
                    raise file.bad((*names, key), "takes one value, not a list")
                placed = [file.placed(item, key) for item in (value if many else [value])]
                meant = placed if option.multiple else placed[0]
                try:
                    option.type_cast_value(ctx, meant)
                except (click.BadParameter, UnknownName) as error:
                    raise file.bad((*names, key), getattr(error, "message", str(error))) from error
                found[str(option.name)] = meant
        return found


def defaults(ctx: click.Context) -> dict[str, Any]:
    """What the files set for the command of a context, by parameter. Raises BadFile."""
    names, here = Names(), ctx
    while here.parent is not None:
        names, here = (str(here.info_name), *names), here.parent
    if not names:
        return {}
    if VARIABLE not in here.meta:
        commands = here.command.list_commands(here) if isinstance(here.command, click.Group) else ()
        here.meta[VARIABLE] = Settings(map(ConfigFile, _paths()), commands)
    found: Settings = here.meta[VARIABLE]
    return found.defaults(names, ctx)


def _paths() -> list[Path]:
    """The files to be read, the strongest first: the project's and the user's, or the one named."""
    if named := os.environ.get(VARIABLE, ""):
        return [] if named == "off" else [Path(named).expanduser()]
    from platformdirs import user_config_dir

    project, user = _project_file(), Path(user_config_dir("toolmend")) / "config.toml"
    return [*([project] if project else []), *([user] if user.exists() else [])]


def _project_file() -> Path | None:
    """`toolmend.toml` of the current folder, else of the nearest folder above it in the same repository.

    Outside a repository only the current folder counts: what lies in a folder above may be somebody else's.
    """
    try:
        here = Path.cwd()
    except OSError:  # a folder that is gone has no file
        return None
    folders = [here, *here.parents]
    root = next((number for number, folder in enumerate(folders) if (folder / ".git").exists()), 0)
    return next((file for folder in folders[: root + 1] if (file := folder / PROJECT).is_file()), None)


def _key(option: click.Option) -> str:
    """An option's key: its name on the command line without the dashes."""
    return next((name for name in option.opts if name.startswith("--")), option.opts[0]).lstrip("-")
