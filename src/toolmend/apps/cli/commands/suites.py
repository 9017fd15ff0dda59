"""`toolmend suites`: what ships, its experiments and how many samples each comes to; and whether it is graded right.

Below it: suites of others, taken over.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import click
from rich.console import Console

from toolmend.apps.cli.kit import options, screen
from toolmend.base.errors import BadOption
from toolmend.evals.benchmarks.apibank import import_api_bank
from toolmend.evals.benchmarks.bfcl import CATEGORIES, DEFAULT, import_bfcl
from toolmend.evals.benchmarks.inspect_log import import_log
from toolmend.evals.benchmarks.sgd_suite import PARTS, import_sgd
from toolmend.evals.benchmarks.tooltalk import import_tooltalk
from toolmend.evals.suites.lines import ImportedSuite
from toolmend.evals.suites.selftest import test_suite
from toolmend.evals.suites.suite import Suite, imported, load_suite, shipped
from toolmend.extras.agents.agent_output import write_system
from toolmend.registry import systems

_FILE = click.Path(path_type=Path)


class Suites(click.Group):
    """A group whose command `list` may be left unsaid: `toolmend suites party.yaml --self-test`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse, with `list` put where no command is named."""
        named = bool(args) and (args[0] in self.commands or args[0] in ctx.help_option_names)
        return super().parse_args(ctx, args if named or (ctx.resilient_parsing and not args) else ["list", *args])


@click.group("suites", cls=Suites)
def suites() -> None:
    """List suites and test how they are graded, or take over those of others.

    The command `list` may be left out: `toolmend suites calendar --self-test`.
    """


@options.command
@click.argument("suite", required=False, metavar="[SUITE|PATH.yaml]")
@options.other_tools_option
@options.cases_option
@click.option("--self-test", is_flag=True, help="Try every right reply, and in worlds wrong ones.")
@click.pass_context
def _list(ctx: click.Context, suite: str | None, tools: str | None, cases: str | None, self_test: bool) -> None:
    """List the suites that ship with toolmend and those imported, or one, or your own: see docs/suites.md.

    The number of samples is that of one contestant (a model with a strategy). With --self-test the exit code is 1 if a
    right call is refused, or a wrong one accepted or refused for the wrong reason.
    """
    if (tools or cases) and not suite:
        raise BadOption(f"{'--tools' if tools else '--cases'} goes with one suite: name it")
    if suite and suite.partition("?")[0] in systems.names():
        ctx.exit(write_system(suite, self_test=self_test))
    given = {"cases": cases} if cases else {}
    found = [load_suite(name, tools, **given) for name in ([suite] if suite else [*shipped(), *imported()])]
    console = screen.console()
    if self_test:
        ctx.exit(0 if all([_tested(listed, console) for listed in found]) else 1)
    for one in found:
        samples = sum(len(experiment.cases) * experiment.attempts for experiment in one.experiments)
        console.print(f"{one.name}{one.about and f': {one.about}'}", style="bold")
        box = "tools of its cases' own" if any(case.tools for case in one.cases().values()) else f"toolbox {one.tools}"
        console.print(f"  {box}, {screen.counted(samples, 'sample')} for each contestant")
        for experiment in one.experiments:
            count, attempts = (
                screen.counted(len(experiment.cases), "case"),
                screen.counted(experiment.attempts, "attempt"),
            )
            corrections = screen.counted(experiment.corrections, "correction")
            samples = len(experiment.cases) * experiment.attempts
            text = f"{screen.counted(samples, 'sample')} = {count} × {attempts}, {corrections}: {experiment.about}"
            screen.hang(console, f"  {experiment.id}", text, indent=13)
    if not suite:
        console.print(f"Agent systems (toolmend suites NAME): {', '.join(systems.names())}", soft_wrap=True)


suites.add_command(_list)


def _tested(suite: Suite, console: Console) -> bool:
    """Print how a suite's right replies, and wrong ones in its worlds, are judged; whether all are judged right."""
    tried = test_suite(suite)
    failures = [str(result) for result in tried if not result.ok]
    failed, replies = screen.counted(len(failures), "failure"), screen.counted(len(tried), "reply", "replies")
    console.print(f"{suite.name}: {failed} in {replies}", style="bold")
    for name, count in Counter(result.name for result in tried).items():
        right = sum(result.ok for result in tried if result.name == name)
        console.print(f"  {right:>5,} of {count:>5,}  {name}")
    for failure in failures:
        screen.hang(console, "  failed", failure, indent=8)
    return not failures


@click.group("import")
def import_() -> None:
    """Take over a suite of somebody else, so that `toolmend run` plays it."""


@options.command
@click.option(
    "--category", "categories", multiple=True, metavar="NAME",
    help="May be given again; all: every one. [default: simple_python, irrelevance]",
)  # fmt: skip
@click.option(
    "--corrections", type=click.IntRange(min=0), default=0, show_default=True,
    help="How many a request may have; the public table knows none.",
)  # fmt: skip
@click.option("--wheel", type=_FILE, metavar="FILE.whl", help="A wheel of bfcl-eval that is here already.")
def bfcl(categories: tuple[str, ...], corrections: int, wheel: Path | None) -> None:
    """Fetch the package bfcl-eval with pip (1.9 MB, Apache-2.0) and make the suite `bfcl` of its data.

    Nothing of the package is installed or run. Single turns only; values of Java and JavaScript are taken as JSON.
    """
    wanted = CATEGORIES if "all" in categories else categories or DEFAULT
    _tell(import_bfcl(wanted, corrections=corrections, wheel=wheel))


@options.command
@click.argument("folder", type=_FILE)
def _api_bank(folder: Path) -> None:
    """Make the suite `api_bank` of FOLDER, a copy of API-Bank: its apis/ and lv1-lv2-samples/.

    Nothing in it is run. Requests that are answered in words have those words given.
    """
    _tell(import_api_bank(folder))


@options.command
@click.argument("folder", type=_FILE)
def tooltalk(folder: Path) -> None:
    """Make the suite `tooltalk` of FOLDER, a copy of microsoft/ToolTalk (MIT): its conversations, by its calls.

    Nothing in it is run. What is answered in words, or by what only a tool's result tells, has its answer given.
    """
    _tell(import_tooltalk(folder))


@options.command
@click.argument("folder", type=_FILE)
@click.option(
    "--part", type=click.Choice(PARTS), default="test", show_default=True, help="train is for `toolmend data import`."
)
@click.option("--limit", type=click.IntRange(min=0), default=0, show_default=True, help="Dialogues a service; 0: all.")
def sgd(folder: Path, part: str, limit: int) -> None:
    """Make the suite `sgd_PART` of FOLDER, a copy of the Schema-Guided Dialogue corpus (CC BY-SA 4.0), by service.

    A turn that makes a request complete, or changes a complete one, is asked; all others have their answer given.
    """
    _tell(import_sgd(folder, part, limit))


@options.command
@click.argument("log", type=_FILE, metavar="LOG.json")
@click.option("--name", metavar="NAME", help="What the suite is called. [default: as the log's task]")
def inspect(log: Path, name: str | None) -> None:
    """Make a suite of a log of Inspect AI: the samples whose target is calls of the tools that were offered."""
    _tell(import_log(log, name))


def _tell(kept: ImportedSuite) -> None:
    for group, count in kept.cases.items():
        click.echo(f"{group}  {screen.counted(count, 'case')}")
    if kept.left_out:
        some = ", ".join(kept.left_out[:5])
        more = f" and {len(kept.left_out) - 5:,} more" if len(kept.left_out) > 5 else ""
        screen.note(screen.plain(f"left out, as nothing could be right for them: {some}{more}"))
    screen.note(f"{kept.path}: to play it, toolmend run {kept.path.stem} --model NAME")


for _command in (bfcl, _api_bank, tooltalk, sgd, inspect):
    import_.add_command(_command)


suites.add_command(import_)
