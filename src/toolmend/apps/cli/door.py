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
from typing import Any

import click

from toolmend.apps.cli.options import DEBUG, debug_option
from toolmend.apps.cli.screen import note
from toolmend.errors import ToolmendError

COMMANDS = {
    "run": ("toolmend.apps.cli.run", "Play a suite, keep every sample, print the report."),
    "show": ("toolmend.apps.cli.show", "Print the report of a stored run, or its conversations."),
    "view": ("toolmend.apps.cli.view", "Browse stored runs and their talks in a browser, while they go on too."),
    "compare": ("toolmend.apps.cli.compare", "Compare two runs, or the contestants of one."),
    "creativity": ("toolmend.apps.cli.creativity", "Measure what the calls of a run made up."),
    "pairs": ("toolmend.apps.cli.pairs", "Write blind pairs of replies for people to rate."),
    "regrade": ("toolmend.apps.cli.regrade", "Grade the stored replies of a run anew."),
    "gate": ("toolmend.apps.cli.gate", "Fail when a run is worse than an earlier one."),
    "chat": ("toolmend.apps.cli.chat", "Talk to a model, correct it, watch the world change."),
    "ask": ("toolmend.apps.cli.ask", "Print one reply of a model as it is; nothing is executed."),
    "grade": ("toolmend.apps.cli.grade", "Grade replies that stand in a JSON Lines file."),
    "models": ("toolmend.apps.cli.models", "List the models that ship with toolmend."),
    "probe": ("toolmend.apps.cli.probe", "Find out what models honour of what they are asked for."),
    "serve": ("toolmend.apps.cli.serve", "Serve models to OpenAI clients."),
    "mcp": ("toolmend.apps.cli.mcp", "Offer toolboxes to MCP clients, and answer them in English."),
    "arena": ("toolmend.apps.cli.arena", "Talk to two models side by side, vote blind, see who leads."),
    "rank": ("toolmend.apps.cli.rank", "Rate contestants from a file of votes."),
    "know": ("toolmend.apps.cli.know", "Keep sources, and say how far each may be trusted."),
    "memory": ("toolmend.apps.cli.memory", "Look at what is remembered of talks, and forget it."),
    "judge": ("toolmend.apps.cli.judge", "Let a model judge pairs of answers, and hold it against people."),
    "suites": ("toolmend.apps.cli.suites", "List suites, and test how they are graded."),
    "export": ("toolmend.apps.cli.export", "Write a suite or a run in other programs' formats."),
    "convert": ("toolmend.apps.cli.convert", "Write a trained model for transformers, llama.cpp, Ollama or KerasHub."),
    "config": ("toolmend.apps.cli.config", "Print the settings in force, and where each comes from."),
    "completion": ("toolmend.apps.cli.completion", "Print the script that teaches a shell to complete."),
    "data": ("toolmend.apps.cli.data", "Make training data of stored talks, corrections and votes."),
    "teach": ("toolmend.apps.cli.teach", "Teach a tiny model your own tools, from example sentences."),
    "improve": ("toolmend.apps.cli.improve", "Learn from a model's mistakes in a suite, if that makes it better."),
    "study": ("toolmend.apps.cli.study", "Put a question about training to the test."),
    "train": ("toolmend.apps.cli.train", "Train a model that ships."),
}


class Door(click.Group):
    """A group whose commands are modules: the attribute of the same name, imported when called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, imported now."""
        if cmd_name not in COMMANDS:
            return None
        found = getattr(importlib.import_module(COMMANDS[cmd_name][0]), cmd_name)
        assert isinstance(found, click.Command)
        return found

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
            ctx.exit(2 if isinstance(cause, ToolmendError) else 1)


def _cause(error: BaseException) -> BaseException:
    """The error to speak of: of a group of them one that toolmend raised on purpose, else the first."""
    leaves = list(_leaves(error))
    return next((leaf for leaf in leaves if isinstance(leaf, ToolmendError)), leaves[0])


def _leaves(error: BaseException) -> Iterator[BaseException]:
    if isinstance(error, BaseExceptionGroup):
        for each in error.exceptions:
            yield from _leaves(each)
    else:
        yield error


def _line(error: BaseException, *, debug: bool) -> str:
    text = " ".join(str(error).split())
    if isinstance(error, ToolmendError):
        return text
    again = "" if debug else "; run again with --debug to see where"
    return f"unexpected {type(error).__name__}{': ' if text else ''}{text}{again}"


def _version(ctx: click.Context, _parameter: click.Parameter, wanted: bool) -> None:
    if wanted:
        from toolmend import __version__

        click.echo(f"toolmend {__version__}")
        ctx.exit()


@click.group(cls=Door, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version", is_flag=True, expose_value=False, is_eager=True, callback=_version, help="Print the version."
)
@debug_option
def cli() -> None:
    """Ask in English, get a tool call; say what is wrong, get it fixed. And measure how often that works."""
