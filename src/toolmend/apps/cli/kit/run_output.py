"""A run's report, or conversations of it, written in any form. Knows the doors of evals and store, and no option."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolmend.apps.cli.kit import screen
from toolmend.apps.cli.kit.conversation_filter import Wanted
from toolmend.apps.cli.kit.form import Form

if TYPE_CHECKING:
    from toolmend.evals.costs.prices import Prices
    from toolmend.store import Run, Store


def write_report(store: Store, run_id: str, form: Form, prices: Prices | None = None) -> None:
    """The report of a run; as CSV its replies."""
    if form.name == "csv":
        _write_csv(store, store.run(run_id), Wanted(), form)
        return
    if "agents" in store.run(run_id).config.settings:
        from toolmend.apps.cli.kit.agent_output import write_agents

        write_agents(store, run_id, form)
        return
    from toolmend.evals.reports.report import build_report

    report = build_report(store, run_id)
    if prices is not None:
        from toolmend.evals.reports.money import priced

        report = priced(report, prices)
    if form.name == "json":
        form.json(report)
    elif form.name == "markdown":
        from toolmend.evals.reports.markdown import to_markdown

        with form.opened() as stream:
            stream.write(to_markdown(report, form.notation))
    elif form.name == "html":
        from toolmend.evals.reports.html import write_html
        from toolmend.evals.reports.report import played_suite

        run = store.run(run_id)
        with form.opened() as stream:
            write_html(stream, run, store.samples(run_id), report, suite=played_suite(run, []))
    else:
        from toolmend.evals.reports.text import print_report

        with form.console() as console:
            print_report(report, console, form.notation)


def write_conversations(store: Store, run: Run, wanted: Wanted, form: Form) -> None:
    """The conversations of a run that match."""
    if form.name == "csv":
        _write_csv(store, run, wanted, form)
    elif form.name == "html":
        from toolmend.evals.reports.html import write_html

        found = wanted.samples(store, run)
        with form.opened() as stream:
            write_html(stream, run, found, chosen=str(wanted))
    elif form.name == "json":
        from toolmend.apps.cli.kit.conversation_view import to_json

        form.json({"schema": 1, "run": run.id, "samples": [to_json(sample) for sample in wanted.samples(store, run)]})
    else:
        _print_conversations(store, run, wanted, form)


def _write_csv(store: Store, run: Run, wanted: Wanted, form: Form) -> None:
    from toolmend.evals.reports.csv_ import write_csv

    found = wanted.samples(store, run)
    with form.opened() as stream:
        write_csv(stream, run, found)


def _print_conversations(store: Store, run: Run, wanted: Wanted, form: Form) -> None:
    """One after the other, for reading; in Markdown as one block."""
    from toolmend.apps.cli.kit.conversation_view import print_sample

    found, number, fence = wanted.samples(store, run), 0, "```" if form.name == "markdown" else ""
    with form.console() as console:
        if fence:
            console.print(f"{fence}text")
        for number, sample in enumerate(found, 1):  # noqa: B007
            print_sample(sample, console)
        if fence:
            console.print(fence)
    if not number:
        screen.note(f"no conversation of run {run.id} matches")
