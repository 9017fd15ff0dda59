"""Options that several commands share, and the decorator that makes a command. Knows click, names and settings only."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any, TypeVar

import click

from toolmend.apps.cli.kit import settings
from toolmend.base.errors import UnknownName

F = TypeVar("F", bound=Callable[..., Any])

DEBUG = "toolmend.debug"


def _remember(ctx: click.Context, _parameter: click.Parameter, wanted: bool) -> None:
    if wanted:
        ctx.meta[DEBUG] = True


debug_option = click.option(
    "--debug",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=_remember,
    help="Show the traceback of an error, too.",
)


class ModelName(click.ParamType):  # type: ignore[type-arg]  # not generic before click 8.4
    """A model's name, a short one with its family; of `ROLE=MODEL,MODEL` each model's."""

    name = "name"

    def __init__(self, *, role: bool = False) -> None:
        self._role = role

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The model meant. Raises UnknownName for a bare word that names none here."""
        from toolmend.models.chosen import full_name

        role, sign, models = str(value).partition("=") if self._role else ("", "", str(value))
        named = models.split(",") if self._role else [models]
        return f"{role}{sign}{','.join(name and full_name(name) for name in named)}"  # evals say what is wrong with it


MODEL, ROLE = ModelName(), ModelName(role=True)


class Group(click.Group):
    """A group of commands that names what took the place of one that is gone."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name. Raises UnknownName."""
        if cmd_name in self.commands:
            return self.commands[cmd_name]
        own = f"{self.name} " if ctx.parent else ""
        raise UnknownName("command", f"{own}{cmd_name}", [f"{own}{name}" for name in self.list_commands(ctx)])


def several(*given: Callable[[F], F]) -> Callable[[F], F]:
    """Options that go together, as one decorator."""

    def decorate(function: F) -> F:
        for option in reversed(given):
            function = option(function)
        return function

    return decorate


def _store(what: str = "") -> Callable[[F], F]:
    default = "[default: $TOOLMEND_STORE, else a file in your data folder]"
    told = f"A file or database URL{what}. {default}"
    return click.option("--store", metavar="PLACE", envvar="TOOLMEND_STORE", help=told)


store_option, place_option = _store(" for the runs"), _store()
format_option = click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="json stands alone on standard output; everything else goes to standard error.",
)
notation_option = click.option(
    "--notation",
    type=click.Choice(["own", "blog"]),
    help="toolmend's own rates only, or the published tables in their notation only. [default: both]",
)
tools_option = click.option(
    "--tools", default="calendar", show_default=True, metavar="NAME|MODULE:NAME", help="The toolbox to talk about."
)
other_tools_option = click.option(
    "--tools",
    metavar="NAME|MODULE:NAME",
    help="Another toolbox than the suite's own; it must have the tools that are expected.",
)
cases_option = click.option(
    "--cases", metavar="PATH", help="The file of published requests that the suite `llmaker` is made of."
)
model_option = click.option(
    "--model", type=MODEL, default="builtin/small", show_default=True, metavar="NAME", help="See `toolmend models`."
)
fitting_model_option = click.option(
    "--model",
    type=MODEL,
    metavar="NAME",
    help="See `toolmend models`. [default: what was taught these tools, else the best that is here]",
)
role_option = click.option(
    "--role",
    "roles",
    type=ROLE,
    multiple=True,
    metavar="ROLE=MODEL",
    help="Another model for one role of a strategy, as in intent=ollama/gemma2; may be given again.",
)
approve_option = click.option(
    "--approve",
    metavar="POLICY",
    default="danger=ask",
    show_default=True,
    help="allow, ask, deny or dry-run for calls that change something, or for an effect: write=ask,danger=deny.",
)
mend_option = click.option(
    "--mend/--no-mend",
    default=True,
    show_default=True,
    help="Corrections are understood by their words first; the model is asked for what they leave open.",
)
strategy_option = click.option(
    "--strategy", metavar="NAME", help="How a request becomes calls. [default: the model's own, mostly oneline]"
)


class Command(click.Command):
    """A command whose options have their defaults from the files of settings, read only if it is going to run."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse, with the files below the command line and the environment; help reads none: a broken one must not
        hide it."""
        if not ctx.resilient_parsing and not {*args} & {*ctx.help_option_names}:
            ctx.default_map = settings.defaults(ctx)
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run it, where `package.module:Toolbox` may be in the current folder."""
        own_modules()
        return super().invoke(ctx)


class CommandGroup(Command, click.Group):
    """A command that has commands below it."""


def command(function: F) -> click.Command:
    """Make a command of a function: its name without underscores, `-h`, `--debug`, defaults from files."""
    made: click.Command = click.command(function.__name__.strip("_"), cls=Command)(debug_option(function))
    return made


def own_modules() -> None:
    """Let `my.module:toolbox` be found in the current folder, after everything that is installed.

    After, because a file there may well be called calendar.py, which the standard library needs for itself.
    """
    try:
        here = os.getcwd()
    except OSError:  # a folder that is gone has no modules
        return
    if here not in sys.path:
        sys.path.append(here)


spending_options = several(
    click.option(
        "--max-tokens-total", type=click.IntRange(min=1), metavar="N", help="End it once so many tokens are spent."
    ),
    click.option(
        "--max-cost",
        type=click.FloatRange(min=0, min_open=True),
        metavar="AMOUNT",
        help="End it once so much is spent, by --prices.",
    ),
    click.option("--prices", metavar="FILE", help="What tokens cost, for --max-cost and --dry-run (docs/prices.md)."),
)
