"""The report of a run of an agent system, and what a system is, on a screen or in a file. Draws; computes nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from toolmend.apps.cli.kit import screen
from toolmend.apps.cli.kit.form import Form
from toolmend.base.portal import run_sync
from toolmend.evals.store import Store
from toolmend.extras.agents.report import agent_report
from toolmend.extras.agents.selftest import test_system
from toolmend.extras.agents.system import load_system
from toolmend.extras.agents.town_page import write_town
from toolmend.models.lessons import lessons


def write_agents(store: Store, run_id: str, form: Form) -> None:
    """The report. Raises BadOption for a form that it does not come in."""
    if form.name == "html":
        write_town(store, run_id, form)
        return
    report = agent_report(store, run_id)
    if form.name == "json":
        form.json(report)
        return
    with form.console() as console:
        for line in _lines(report):
            console.print(line, markup=False, highlight=False, soft_wrap=True)


def _lines(report: Mapping[str, Any]) -> Iterator[str]:
    """As a list in Markdown, which reads well as text, too."""
    yield f"{report['run']['suite']}: {report['about']} (95 % intervals)"
    for row in report["rows"]:
        yield f"- {row['model']} · {row['way']}: {_score(row)}"
        yield (
            f"  - of a task: {row['steps']:.1f} of {report['steps']} steps, {row['tokens']:,.0f} tokens, "
            f"{row['seconds']:.1f} s; given up {row['gave_up']:.0%}{_unread(row)}"
        )
        if len(row["groups"]) > 1:
            yield from (f"  - {group}: {_score(found)}{_unread(found)}" for group, found in row["groups"].items())
    for row in report["beside"]:
        yield f"- published: {row['what']} {row['value']} ({row['source']}); context, not a comparison"
    if report["beside"] and (ours := lessons(row["model"] for row in report["rows"])):
        yield f"-{ours}"
    if report["could_not_be_run"]:
        yield f"- {screen.counted(report['could_not_be_run'], 'task')} are not played to their end"


def _score(row: Mapping[str, Any]) -> str:
    between = f" [{100 * row['interval'][0]:.1f}–{100 * row['interval'][1]:.1f}]" if row["interval"] else ""
    figures = "".join(f", {name} {value:.3g}" for name, value in row["figures"].items())
    return f"{100 * row['score']:.1f} %{between} of {screen.counted(row['tasks'], 'task')}{figures}"


def _unread(row: Mapping[str, Any]) -> str:
    return "" if row["unreadable"] is None else f", unreadable replies {row['unreadable']:.1%}"


def write_system(name: str, *, self_test: bool) -> int:
    """What a system is, or how it is judged; the exit code."""
    system, console = load_system(name), screen.console()
    if not self_test:
        groups = Counter(task.group or "all" for task in system.tasks())
        console.print(f"{system.name}: {system.about}", soft_wrap=True)
        console.print(f"  ways: {', '.join(system.ways)}; steps of a task: {system.steps}", soft_wrap=True)
        console.print(f"  tasks: {', '.join(f'{count} {group}' for group, count in groups.items())}", soft_wrap=True)
        return 0
    trials = run_sync(test_system, system)
    failures = [f"{trial.task}: {trial.name}: {trial.problem}" for trial in trials if trial.problem]
    console.print(f"{name}: {screen.counted(len(failures), 'failure')} in {screen.counted(len(trials), 'trial')}")
    for kind, count in Counter(trial.name for trial in trials).items():
        right = sum(trial.name == kind and not trial.problem for trial in trials)
        console.print(f"  {right:>5,} of {count:>5,}  {kind}", markup=False)
    for failure in failures:
        screen.hang(console, "  failed", failure, indent=8)
    return 1 if failures else 0
