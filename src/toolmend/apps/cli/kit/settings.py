"""Defaults from files: `toolmend.toml` of the project, `config.toml` of the user. docs/config.md explains the format.

    store = "runs.db"                       # every command that has --store
    [run]
    attempts = 5                            # as if --attempts 5 were given; the command line and the environment win
    [models]
    fast = "ollama/qwen2.5?num_ctx=8192"    # --model fast

Read when a command runs, not for its help. Knows click's options, and nothing of what the commands do.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import click

from toolmend.errors import GONE, BadFile, UnknownName

PROJECT = "toolmend.toml"
VARIABLE = "TOOLMEND_CONFIG"

_EVERYWHERE, _MODELS = "store", "models"
_PATHS = {"store", "work", "out", "prices", "keys"}
_SECRET_NAME = re.compile(r"(?:^|[-_])(?:api[-_]?key|key|token|password|passwd|secret|authorization)$", re.IGNORECASE)
_SECRET_TEXT = re.compile(
    r"\b(?:sk|gsk|xai|ghp|hf|glpat)[-_][\w-]{16,}|\bAIza[\w-]{20,}"
    r"|://[^/@:\s]*:[^/@\s]+@|[?&](?:api_?key|key|token|password|secret)=",
    re.IGNORECASE,
)

Names = tuple[str, ...]


class ConfigFile:
    """One file, read. Raises BadFile for what is not TOML, and for a secret."""

    def __init__(self, path: Path) -> None:
        import tomllib

        self.path = path
        try:
            self.data: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8-sig"))
        except (OSError, UnicodeDecodeError) as error:
            raise BadFile(path, f"cannot be read ({error})") from error
        except (tomllib.TOMLDecodeError, RecursionError) as error:
            raise BadFile(path, f"not TOML: {error}") from error
        self._refuse_secrets(self.data, ())

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

    def placed(self, value: Any, key: str = "") -> Any:
        """A relative path from the file's own folder: what begins with ./ or ../, and the value of a key for paths."""
        if not isinstance(value, str):
            return value
        path = key in _PATHS and "://" not in value and not value.startswith("~")
        return str(self.path.parent.absolute() / value) if path or value.startswith(("./", "../")) else value

    def _refuse_secrets(self, value: Any, names: Names) -> None:
        if isinstance(value, dict | list):
            for key, inner in value.items() if isinstance(value, dict) else ((names[-1], each) for each in value):
                self._refuse_secrets(inner, (*names, key) if isinstance(value, dict) else names)
        elif isinstance(value, str) and (_SECRET_NAME.search(names[-1]) or _SECRET_TEXT.search(value)):
            raise self.bad(names, "looks like a secret, and is not read; put it into the environment (docs/config.md)")


class Settings:
    """The files in force, the strongest first. `commands` are the names a section may have.

    `aliases` are the models under [models], by the names of one's own. Raises BadFile.
    """

    def __init__(self, files: Iterable[ConfigFile], commands: Iterable[str]) -> None:
        self.files, self.aliases = tuple(files), dict[str, str]()
        for file in reversed(self.files):
            gone = [name for name in file.table(()) if f"command {name!r}" in GONE]  # what a command left behind
            file.only((), (_EVERYWHERE, *commands, _MODELS, *gone), "section")
            for name, value in file.table((_MODELS,)).items():
                if not re.fullmatch(r"\w[\w.-]*", name):
                    raise file.bad((_MODELS, name), "a name of your own has letters, digits, '-', '_' and '.' only")
                if not isinstance(value, str) or "/" not in value:
                    raise file.bad((_MODELS, name), f"must be a model as FAMILY/NAME or ./FOLDER, not {value!r:.40}")
                self.aliases[name] = file.placed(value)

    def model(self, name: str) -> str:
        """The model that a name stands for: one of `aliases`, or a short name of what is here. Raises UnknownName for a
        bare word that is neither."""
        if "/" in name or name.startswith((".", "~")):
            return name
        if name in self.aliases:
            return self.aliases[name]
        from toolmend.models.chosen import full_name, short_names

        if self.aliases and name not in short_names():
            known = [*self.aliases, *short_names()]
            raise UnknownName("model", name, known, "else a model is named FAMILY/NAME: see `toolmend models`")
        return full_name(name)

    def defaults(self, names: Names, ctx: click.Context) -> dict[str, Any]:
        """What files set for a command, by parameter. Raises BadFile for an option it does not have or take."""
        options = {_key(each): each for each in ctx.command.params if isinstance(each, click.Option)}
        options = {key: each for key, each in options.items() if each.expose_value}
        found: dict[str, Any] = {}
        for file in reversed(self.files) if names != (_MODELS,) else ():  # there the section is about aliases
            file.only(names, options, f"option of `toolmend {' '.join(names)}`")
            everywhere = {_EVERYWHERE: file.data[_EVERYWHERE]} if {_EVERYWHERE} <= file.data.keys() & options else {}
            for key, value in {**everywhere, **file.table(names)}.items():
                option, many = options[key], isinstance(value, list)
                if many and not option.multiple:
                    raise file.bad((*names, key), "takes one value, not a list")
                placed = [file.placed(each, key) for each in (value if many else [value])]
                meant = placed if option.multiple else placed[0]
                try:
                    option.type_cast_value(ctx, meant)
                except (click.BadParameter, UnknownName) as error:
                    raise file.bad((*names, key), getattr(error, "message", str(error))) from error
                found[str(option.name)] = meant
        return found


class ModelName(click.ParamType):  # type: ignore[type-arg]  # not generic before click 8.4
    """A model's name; one that stands under [models] in a file of settings becomes what it stands for."""

    name = "name"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The model meant. Raises UnknownName for a bare word where there are aliases and it is none."""
        return of(ctx).model(str(value)) if ctx else value


class RoleModels(click.ParamType):  # type: ignore[type-arg]  # as above
    """`ROLE=MODEL,MODEL`; a name that stands under [models] in a file of settings becomes what it stands for."""

    name = "role"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The same with the models meant; what is wrong with it is for evals/running/grid.py to say."""
        role, sign, models = str(value).partition("=")
        if ctx is None or not sign:
            return value
        return f"{role}={','.join(of(ctx).model(model) if model else model for model in models.split(','))}"


MODEL, GRID = ModelName(), RoleModels()


def of(ctx: click.Context) -> Settings:
    """The settings of this process, read once. Raises BadFile."""
    root = ctx.find_root()
    if VARIABLE not in root.meta:
        commands = root.command.list_commands(root) if isinstance(root.command, click.Group) else ()
        root.meta[VARIABLE] = Settings(map(ConfigFile, _paths()), commands)
    found: Settings = root.meta[VARIABLE]
    return found


def defaults(ctx: click.Context) -> dict[str, Any]:
    """What the files set for the command of a context, by parameter. Raises BadFile."""
    names, here = Names(), ctx
    while here.parent is not None:
        names, here = (str(here.info_name), *names), here.parent
    return of(ctx).defaults(names, ctx) if names else {}


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
