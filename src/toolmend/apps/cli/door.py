"""The group of all commands: imports one when it is called, and turns every error into one line and an exit code.

    0 done · 1 samples that could not be run, or a fault of toolmend · 2 wrong use or wrong input · 3 a limit is reached
    130 Ctrl-C

Knows the commands' names and nothing of what they do.
"""

from __future__ import annotations

import errno
import importlib
import traceback
from collections.abc import Iterator
from difflib import get_close_matches
from typing import Any, TypeGuard

import click

from toolmend.apps.cli.kit.options import DEBUG, Group, debug_option
from toolmend.apps.cli.kit.screen import command, note
from toolmend.base.errors import GONE, ToolmendError

COMMANDS = {
    "run": ("toolmend.apps.cli.commands.run", "Play a suite, keep every sample, print the report."),
    "show": ("toolmend.apps.cli.commands.show", "Print the report of a stored run, or its conversations."),
    "view": ("toolmend.apps.cli.view", "Browse stored runs and their talks in a browser, while they go on too."),
    "compare": ("toolmend.apps.cli.commands.compare", "Compare two runs, or the contestants of one."),
    "pairs": ("toolmend.extras.arena.commands.pairs", "Write blind pairs of replies for people to rate."),
    "gate": ("toolmend.apps.cli.commands.gate", "Fail when a run is worse than an earlier one."),
    "chat": ("toolmend.apps.cli.commands.chat", "Talk to a model, correct it, watch the world change."),
    "ask": ("toolmend.apps.cli.commands.ask", "Print one reply of a model as it is; nothing is executed."),
    "grade": ("toolmend.apps.cli.commands.grade", "Grade replies that stand in a JSON Lines file."),
    "models": ("toolmend.apps.cli.commands.models", "List the models that ship with toolmend."),
    "probe": ("toolmend.apps.cli.commands.probe", "Find out what models honour of what they are asked for."),
    "serve": ("toolmend.apps.cli.commands.serve", "Serve models to OpenAI clients."),
    "mcp": ("toolmend.apps.cli.commands.mcp", "Offer toolboxes to MCP clients, and answer them in English."),
    "arena": ("toolmend.extras.arena.commands.arena", "Talk to two models side by side, vote blind, see who leads."),
    "rank": ("toolmend.extras.arena.commands.rank", "Rate contestants from a file of votes."),
    "know": ("toolmend.extras.knowledge.commands.know", "Keep sources, and say how far each may be trusted."),
    "memory": ("toolmend.extras.memory.commands.memory", "Look at what is remembered of talks, and forget it."),
    "judge": (
        "toolmend.extras.arena.commands.judge",
        "Let a model judge pairs of answers, and hold it against people.",
    ),
    "store": ("toolmend.apps.cli.commands.store", "Bring the parts of a run together."),
    "suites": ("toolmend.apps.cli.commands.suites", "List suites, and test how they are graded."),
    "convert": ("toolmend.apps.cli.commands.convert", "Write a taught adapter for transformers, llama.cpp or Ollama."),
    "data": ("toolmend.apps.cli.commands.data", "Make training data of stored talks and corrections."),
    "teach": ("toolmend.apps.cli.commands.teach", "Teach an adapter your own tools, from a few sentences or none."),
    "improve": ("toolmend.apps.cli.commands.teach", "Go on teaching your tools with the corrections in stored talks."),
    "train": ("toolmend.apps.cli.commands.train", "Teach a model, or go on training one."),
}


FIRST = """\
Ask in English, get a tool call; say what is wrong, get it fixed. And measure how often that works.

  {me} chat --tools home.py        your own functions: a Python file with a few of them
  {me} chat                        a calendar, kept from talk to talk
  {me} ask "Lunch on Friday"       one reply, nothing is run; text may be piped in
  {me} arena                       two models side by side in the browser
  {me} run calendar --headline     the published experiment; your own dialogues: docs/suites.md
  {me} teach home.py               a model for your own tools, from five sentences each
  {me} models                      what is here; `models get smollm2` fetches a real one (93 MB)

{me} --help lists every command."""


class Door(Group):
    """A group whose commands are modules: the attribute of the same name, imported when called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, imported now. A misspelt one is told with the nearest."""
        if cmd_name in COMMANDS:
            found = getattr(importlib.import_module(COMMANDS[cmd_name][0]), cmd_name)
            assert isinstance(found, click.Command)
            return found
        if f"command {cmd_name!r}" in GONE:
            return super().get_command(ctx, cmd_name)
        near = get_close_matches(cmd_name, COMMANDS, n=2)
        meant = f" Did you mean {' or '.join(near)}?" if near else f" See {command()} --help."
        ctx.fail(f"No such command '{cmd_name}'.{meant}")

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list in `--help`, from the table: no command is imported for it."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command. What goes wrong becomes one line on standard error, with `--debug` below its traceback."""
        try:
            return super().invoke(ctx)
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except KeyboardInterrupt:
            ctx.exit(130)
        except Exception as error:
            cause = _cause(error)
            if isinstance(cause, OSError) and cause.errno == errno.EPIPE:
                raise cause from None  # click leaves quietly
            if ctx.meta.get(DEBUG):
                click.echo("".join(traceback.format_exception(error)), err=True, nl=False)
            note(_line(cause, debug=bool(ctx.meta.get(DEBUG))))
            ctx.exit(2 if isinstance(cause, ToolmendError) or _is_full(cause) else 1)


def _cause(error: BaseException) -> BaseException:
    """The error to speak of: of a group of them one that toolmend raised on purpose, else the first."""
    leaves = list(_leaves(error))
    return next((leaf for leaf in leaves if isinstance(leaf, ToolmendError)), leaves[0])


def _leaves(error: BaseException) -> Iterator[BaseException]:
    if isinstance(error, BaseExceptionGroup):
        for inner in error.exceptions:
            yield from _leaves(inner)
    else:
        yield error


def _is_full(error: BaseException) -> TypeGuard[OSError]:
    return isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT)


def _line(error: BaseException, *, debug: bool) -> str:
    text = " ".join(str(error).split())
    if isinstance(error, ToolmendError):
        return text
    if _is_full(error):
        return f"no space is left to write to{f' {error.filename}' if error.filename else ''}; free some, then again"
    again = "" if debug else "; run again with --debug to see where"
    return f"unexpected {type(error).__name__}{': ' if text else ''}{text}{again}"


def _version(ctx: click.Context, _parameter: click.Parameter, wanted: bool) -> None:
    if wanted:
        from toolmend import __version__

        click.echo(f"toolmend {__version__}")
        ctx.exit()


@click.group(cls=Door, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version", is_flag=True, expose_value=False, is_eager=True, callback=_version, help="Print the version."
)
@debug_option
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Ask in English, get a tool call; say what is wrong, get it fixed. And measure how often that works."""
    if ctx.invoked_subcommand is None:
        click.echo(FIRST.format(me=command()))
