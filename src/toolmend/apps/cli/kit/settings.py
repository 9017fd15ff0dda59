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
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

import click

from toolmend.errors import GONE, BadFile, ToolmendError, UnknownName

PROJECT = "toolmend.toml"
VARIABLE = "TOOLMEND_CONFIG"
MODELS = "models"
EVERYWHERE = ("store",)

_PATHS = {"store", "system", "work", "out", "prices", "keys"}
_SECRET_NAME = re.compile(r"(?:^|[-_])(?:api[-_]?key|key|token|password|passwd|secret|authorization)$", re.IGNORECASE)
_SECRET_TEXT = re.compile(
    r"\b(?:sk|gsk|xai|ghp|hf|glpat)[-_][\w-]{16,}|\bAIza[\w-]{20,}"
    r"|://[^/@:\s]*:[^/@\s]+@|[?&](?:api_?key|key|token|password|secret)=",
    re.IGNORECASE,
)
_HEADER = re.compile(r"\s*\[\s*([\w.\s\"'-]+?)\s*\]\s*(?:#.*)?$")
_KEY = re.compile(r"\s*([\w-]+|\"[^\"]+\"|'[^']+')\s*=")

Names = tuple[str, ...]


class ConfigFile:
    """One file, read. Raises BadFile for what is not TOML, and for a secret."""

    def __init__(self, path: Path) -> None:
        import tomllib

        self.path = path
        try:
            text = path.read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError) as error:
            raise BadFile(path, f"cannot be read ({error})") from error
        try:
            self.data = tomllib.loads(text)
        except (tomllib.TOMLDecodeError, RecursionError) as error:
            raise BadFile(path, f"not TOML: {error}") from error
        self._lines = _lines(text)
        self._refuse_secrets(self.data, ())

    def bad(self, names: Names, what: str) -> BadFile:
        """The error about a key, with its line where that can be found."""
        return BadFile(self.path, f"{'.'.join(names)}: {what}", self._lines.get(names))

    def table(self, names: Names) -> Mapping[str, Any]:
        """The table of that name, empty if there is none. Raises BadFile if it is something else."""
        table: Any = self.data
        for depth, name in enumerate(names, 1):
            table = table.get(name, {})
            if not isinstance(table, dict):
                if depth == 1 and name in EVERYWHERE:
                    return {}  # "store" is the name of a command and of a setting of its own
                raise self.bad(names[:depth], f"must be a table, as in [{'.'.join(names[:depth])}]")
        found: Mapping[str, Any] = table
        return found

    def only(self, names: Names, known: Iterable[str], kind: str) -> None:
        """Raise BadFile for a key of a table that is not known."""
        for key in self.table(names):
            if key not in (allowed := list(known)):
                raise self.bad((*names, key), str(UnknownName(kind, key, allowed)))

    def _refuse_secrets(self, value: Any, names: Names) -> None:
        if isinstance(value, dict):
            for key, inner in value.items():
                self._refuse_secrets(inner, (*names, key))
        elif isinstance(value, list):
            for inner in value:
                self._refuse_secrets(inner, names)
        elif isinstance(value, str) and (_SECRET_NAME.search(names[-1]) or _SECRET_TEXT.search(value)):
            raise self.bad(names, "looks like a secret, and is not read; put it into the environment (docs/config.md)")


class Settings:
    """The files in force, the strongest first. `commands` are the names a section may have.

    `aliases` are the models under [models], by the names of one's own. Raises BadFile.
    """

    def __init__(self, files: Iterable[ConfigFile], commands: Iterable[str]) -> None:
        self.files = tuple(files)
        for file in self.files:
            gone = [name for name in file.table(()) if f"command {name!r}" in GONE]  # what a command left behind
            file.only((), (*EVERYWHERE, *commands, MODELS, *gone), "section")
        self.aliases = self._aliases()

    def _aliases(self) -> dict[str, str]:
        """The models named under [models], by the names of one's own. Raises BadFile for what is no model's name."""
        aliases: dict[str, str] = {}
        for file in reversed(self.files):
            for name, value in file.table((MODELS,)).items():
                if not re.fullmatch(r"[\w.-]+", name) or name.startswith("."):
                    raise file.bad((MODELS, name), "a name of your own has letters, digits, '-', '_' and '.' only")
                if not isinstance(value, str) or "/" not in value:
                    raise file.bad((MODELS, name), f"must be a model as FAMILY/NAME, not {value!r:.40}")
                aliases[name] = str(_placed(value, "", file.path.parent))
        return aliases

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

    def section(self, names: Names, command: click.Command, ctx: click.Context) -> Iterator[tuple[click.Option, Any]]:
        """Every option of a command that a file sets, the strongest first. Raises BadFile for one it does not have."""
        options = {key_of(each): each for each in command.params if isinstance(each, click.Option)}
        options = {key: each for key, each in options.items() if each.expose_value}
        for file in self.files:
            if names == (MODELS,):  # the section of that name is about aliases; its command has nothing to set
                continue
            file.only(names, options, f"option of `toolmend {' '.join(names)}`")
            everywhere = [(key,) for key in EVERYWHERE if key in file.data and key in options]
            for place in [*((*names, key) for key in file.table(names)), *everywhere]:
                option = options[place[-1]]
                yield option, _checked(file, place, option, ctx)


class Defaults(Mapping[str, Any]):
    """click's map of defaults for one command: the files are read at the first look into it."""

    def __init__(self, ctx: click.Context) -> None:
        self._ctx = ctx

    @cached_property
    def _found(self) -> dict[str, Any]:
        names = path_of(self._ctx)
        if not names:
            return {}
        try:
            found = list(of(self._ctx).section(names, self._ctx.command, self._ctx))
        except ToolmendError:
            if self._ctx.resilient_parsing:  # a shell is completing: the command itself will say what is wrong
                return {}
            raise
        return {str(option.name): value for option, value in reversed(found)}

    def __getitem__(self, name: str) -> Any:
        return self._found[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)


def of(ctx: click.Context) -> Settings:
    """The settings of this process, read once. Raises BadFile."""
    root = ctx.find_root()
    if VARIABLE not in root.meta:
        commands = root.command.list_commands(root) if isinstance(root.command, click.Group) else ()
        root.meta[VARIABLE] = Settings([ConfigFile(path) for path in paths() if path.exists() or named()], commands)
    found: Settings = root.meta[VARIABLE]
    return found


def paths() -> list[Path]:
    """The files to be read if they are there, the strongest first: the project's and the user's, or the one named."""
    if name := named():
        return [] if name == "off" else [Path(name).expanduser()]
    project = project_file()
    return [*([project] if project else []), user_file()]


def named() -> str:
    """What the environment says instead: a file, "off" for none, "" for nothing."""
    return os.environ.get(VARIABLE, "")


def user_file() -> Path:
    """Where the user's own file is, or would be."""
    from platformdirs import user_config_dir

    return Path(user_config_dir("toolmend")) / "config.toml"


def project_file() -> Path | None:
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


def path_of(ctx: click.Context) -> Names:
    """The names of a command below the program's own: `("train", "adapter")`."""
    names: Names = ()
    while ctx.parent is not None:
        names, ctx = (str(ctx.info_name), *names), ctx.parent
    return names


def key_of(option: click.Option) -> str:
    """An option's key: its name on the command line without the dashes."""
    return next((name for name in option.opts if name.startswith("--")), option.opts[0]).lstrip("-")


def _checked(file: ConfigFile, names: Names, option: click.Option, ctx: click.Context) -> Any:
    """The value as click takes it. Raises BadFile for one that the option does not take."""
    value = file.table(names[:-1])[names[-1]]
    many = isinstance(value, list)
    if many and not option.multiple:
        raise file.bad(names, "takes one value, not a list")
    for each in value if many else [value]:
        if wrong := _wrong_kind(option, each):
            raise file.bad(names, f"must be {wrong}, not {each!r:.40}")
    placed = [_placed(each, names[-1], file.path.parent) for each in (value if many else [value])]
    meant = placed if option.multiple else placed[0]
    try:
        option.type_cast_value(ctx, meant)
    except click.BadParameter as error:
        raise file.bad(names, error.message) from error
    except UnknownName as error:
        raise file.bad(names, str(error)) from error
    return meant


def _wrong_kind(option: click.Option, value: Any) -> str | None:
    """What the value should be, None if it is that: a number in quotes is text, and true is no number."""
    if option.is_flag:
        return None if isinstance(value, bool) else "true or false"
    if isinstance(option.type, (click.types.IntParamType, click.types.FloatParamType)):
        whole = isinstance(option.type, click.types.IntParamType)
        right = isinstance(value, int if whole else (int, float)) and not isinstance(value, bool)
        return None if right else "a whole number" if whole else "a number"
    return None if isinstance(value, str) else "text"


def _placed(value: Any, key: str, folder: Path) -> Any:
    """A relative path from the file's own folder: what begins with ./ or ../, and the value of a key for paths."""
    if not isinstance(value, str):
        return value
    relative = value.startswith(("./", "../")) or (key in _PATHS and "://" not in value and not value.startswith("~"))
    return str(folder.absolute() / value) if relative else value


def _lines(text: str) -> dict[Names, int]:
    """The line of each key, as far as plain lines tell; enough for messages."""
    made: dict[Names, int] = {}
    table: Names = ()
    for number, line in enumerate(text.splitlines(), 1):
        if header := _HEADER.match(line):
            table = tuple(part.strip().strip("\"'") for part in header[1].split("."))
            made.setdefault(table, number)
        elif key := _KEY.match(line):
            made.setdefault((*table, key[1].strip("\"'")), number)
    return made
