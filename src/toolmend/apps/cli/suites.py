"""`toolmend suites`: the suites that ship, their experiments and how many samples each comes to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from toolmend.apps.cli import options, screen

if TYPE_CHECKING:
    from toolmend.evals.suite import Suite


@options.command
@options.format_option
def suites(form: str) -> None:
    """List the suites that ship with toolmend.

    The number of samples is that of one contestant (a model with a strategy). Your own suite is a file: see
    docs/suites.md, and `toolmend run PATH.yaml`.
    """
    from toolmend.evals.suite import load_suite, shipped

    rows = [_suite(load_suite(name)) for name in shipped()]
    if form == "json":
        screen.print_json({"schema": 1, "suites": rows})
        return
    console = screen.console()
    for row in rows:
        samples = screen.counted(row["samples"], "sample")
        about = f": {row['about']}" if row["about"] else ""
        console.print(f"{row['suite']}{about}", style="bold")
        console.print(f"  toolbox {row['tools']}, {samples} for each contestant")
        for each in row["experiments"]:
            cases, attempts = screen.counted(each["cases"], "case"), screen.counted(each["attempts"], "attempt")
            corrections = screen.counted(each["corrections"], "correction")
            text = f"{screen.counted(each['samples'], 'sample')} = {cases} × {attempts}, {corrections}: {each['about']}"
            screen.hang(console, f"  {each['experiment']}", text, indent=13)


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
        "tools": suite.tools,
        "samples": sum(len(each.cases) * each.attempts for each in suite.experiments),
        "experiments": experiments,
    }
