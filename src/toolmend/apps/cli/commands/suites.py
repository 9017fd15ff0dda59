"""`toolmend suites`: what ships, its experiments and how many samples each comes to; and whether it is graded right.

Below it: suites of others, taken over.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from toolmend.apps.cli.kit import options, screen
from toolmend.apps.cli.kit.progress import downloading

if TYPE_CHECKING:
    from toolmend.evals.suites.lines import ImportedSuite
    from toolmend.evals.suites.suite import Suite

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
@click.option("--self-test", is_flag=True, help="Grade every reference and every mutant of the suite's steps.")
@options.format_option
@click.pass_context
def _list(
    ctx: click.Context, suite: str | None, tools: str | None, cases: str | None, self_test: bool, form: str
) -> None:
    """List the suites that ship with toolmend and those imported, or one, or your own: see docs/suites.md.

    The number of samples is that of one contestant (a model with a strategy). With --self-test the exit code is 1 if a
    right call is refused, or a wrong one accepted or refused for the wrong reason.
    """
    from toolmend.errors import BadOption
    from toolmend.evals.suites.suite import imported, load_suite, shipped
    from toolmend.registry import systems

    if (tools or cases) and not suite:
        raise BadOption(f"{'--tools' if tools else '--cases'} goes with one suite: name it")
    if suite and suite.partition("?")[0] in systems.names():
        from toolmend.apps.cli.kit.agent_output import write_system

        ctx.exit(write_system(suite, self_test=self_test))
    given = {"cases": cases} if cases else {}
    found = [load_suite(name, tools, **given) for name in ([suite] if suite else [*shipped(), *imported()])]
    if self_test:
        ctx.exit(_self_test(found, form))
    rows = [_suite(each) for each in found]
    if form == "json":
        screen.print_json({"schema": 1, "suites": rows})
        return
    console = screen.console()
    for row in rows:
        samples = screen.counted(row["samples"], "sample")
        about = f": {row['about']}" if row["about"] else ""
        console.print(f"{row['suite']}{about}", style="bold")
        box = f"toolbox {row['tools']}" if row["tools"] else "tools of its cases' own"
        console.print(f"  {box}, {samples} for each contestant")
        for each in row["experiments"]:
            cases, attempts = screen.counted(each["cases"], "case"), screen.counted(each["attempts"], "attempt")
            corrections = screen.counted(each["corrections"], "correction")
            text = f"{screen.counted(each['samples'], 'sample')} = {cases} × {attempts}, {corrections}: {each['about']}"
            screen.hang(console, f"  {each['experiment']}", text, indent=13)
    if not suite:
        console.print(f"Agent systems (toolmend suites NAME): {', '.join(systems.names())}", soft_wrap=True)


suites.add_command(_list)


def _suite(suite: Suite) -> dict[str, Any]:
    experiments = [
        {
            "experiment": each.id,
            "about": each.about,
            "cases": len(each.cases),
            "attempts": each.attempts,
            "corrections": each.corrections,
            "history": each.history,
            "samples": len(each.cases) * each.attempts,
        }
        for each in suite.experiments
    ]
    return {
        "suite": suite.name,
        "about": suite.about,
        "tools": None if any(case.tools for case in suite.cases().values()) else suite.tools,
        "samples": sum(len(each.cases) * each.attempts for each in suite.experiments),
        "experiments": experiments,
    }


def _self_test(suites: list[Suite], form: str) -> int:
    """Print how each suite is graded; the exit code."""
    rows = [_tested(suite) for suite in suites]
    if form == "json":
        screen.print_json({"schema": 1, "self_tests": rows})
        return 0 if all(row["ok"] for row in rows) else 1
    console = screen.console()
    for row in rows:
        replies = screen.counted(sum(each["replies"] for each in row["counts"].values()), "reply", "replies")
        failures = screen.counted(len(row["failures"]), "failure")
        console.print(f"{row['suite']}: {failures} in {replies}", style="bold")
        for name, each in row["counts"].items():
            console.print(f"  {each['right']:>5,} of {each['replies']:>5,}  {name}")
        for failure in row["failures"]:
            screen.hang(console, "  failed", failure, indent=8)
    return 0 if all(row["ok"] for row in rows) else 1


def _tested(suite: Suite) -> dict[str, Any]:
    """How a suite's references and mutants are judged."""
    from toolmend.evals.suites.selftest import test_suite

    tried = test_suite(suite)
    counts: dict[str, dict[str, int]] = {}
    for each in tried:
        count = counts.setdefault(each.trial.name, {"right": 0, "replies": 0})
        count["right"] += each.trial.ok
        count["replies"] += 1
    failures = [f"{each.place}: {str(each.trial).partition(': ')[2]}" for each in tried if not each.trial.ok]
    return {"suite": suite.name, "ok": not failures, "counts": counts, "failures": failures}


@click.group("import")
def import_() -> None:
    """Take over a suite of somebody else, so that `toolmend run` plays it."""


@options.command
@click.option(
    "--category", "categories", multiple=True, metavar="NAME",
    help="May be given again. [default: simple_python, irrelevance]",
)  # fmt: skip
@click.option(
    "--corrections", type=click.IntRange(min=0), default=0, show_default=True,
    help="How many a request may have; the public table knows none.",
)  # fmt: skip
@click.option("--wheel", type=_FILE, metavar="FILE.whl", help="A wheel of bfcl-eval that is here already.")
def bfcl(categories: tuple[str, ...], corrections: int, wheel: Path | None) -> None:
    """Fetch the package bfcl-eval with pip (1.9 MB, Apache-2.0) and make the suite `bfcl` of its data.

    Nothing of the package is installed or run. Single turns only, in Python or any JSON Schema.
    """
    from toolmend.evals.benchmarks.bfcl import DEFAULT, import_bfcl

    with downloading() as tell:
        _tell(import_bfcl(categories or DEFAULT, corrections=corrections, wheel=wheel, on_bytes=tell))


@options.command
@click.argument("folder", type=_FILE)
def _api_bank(folder: Path) -> None:
    """Make the suite `api_bank` of FOLDER, a copy of API-Bank: its apis/ and lv1-lv2-samples/.

    Nothing in it is run. Requests that are answered in words have those words given.
    """
    from toolmend.evals.benchmarks.apibank import import_api_bank

    _tell(import_api_bank(folder))


@options.command
@click.argument("log", type=_FILE, metavar="LOG.json")
@click.option("--name", metavar="NAME", help="What the suite is called. [default: as the log's task]")
def inspect(log: Path, name: str | None) -> None:
    """Make a suite of a log of Inspect AI: the samples whose target is calls of the tools that were offered."""
    from toolmend.evals.inspect_ai.importing import import_log

    _tell(import_log(log, name))


def _tell(kept: ImportedSuite) -> None:
    for group, count in kept.cases.items():
        click.echo(f"{group}  {screen.counted(count, 'case')}")
    if kept.left_out:
        some = ", ".join(kept.left_out[:5])
        more = f" and {len(kept.left_out) - 5:,} more" if len(kept.left_out) > 5 else ""
        screen.note(screen.plain(f"left out, as nothing could be right for them: {some}{more}"))
    screen.note(f"{kept.path}: to play it, toolmend run {kept.path.stem} --model NAME")


for _command in (bfcl, _api_bank, inspect):
    import_.add_command(_command)


suites.add_command(import_)
