"""`toolmend creativity`: how much of what a run's calls made up is the model's own. Knows the doors of evals only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from toolmend.apps.cli.kit import names, options, screen
from toolmend.apps.cli.kit.form import Form

if TYPE_CHECKING:
    from collections.abc import Mapping


@options.command
@click.argument("run", type=names.RUN, required=False)
@options.store_option
@click.option("--format", "form", type=click.Choice(["text", "json", "markdown"]), default="text", show_default=True)
@click.option("--out", metavar="FILE", help="Write there instead of on standard output.")
def creativity(run: str | None, store: str | None, form: str, out: str | None) -> None:
    """Measure the names and descriptions that a run's calls made up (default: the last run).

    distinct-n, what descriptions repeat of the request, things of one type with the same name: by contestant, with the
    published examples below. See docs/creativity.md.
    """
    from toolmend.evals.comparing.baseline import find_stored
    from toolmend.evals.studies.creativity_report import creativity_report
    from toolmend.store import Store

    with Store(store, create=False) as kept:
        report = creativity_report(kept, find_stored(kept, run))
    _write(report, Form(form, out))


def _write(report: Mapping[str, Any], form: Form) -> None:
    from toolmend.evals.studies.creativity_report import tables

    if form.name == "json":
        form.json(report)
        return
    made = tables(report)
    if form.name == "markdown":
        from toolmend.evals.reports.markdown import escape, tables_as_lines

        with form.opened() as stream:
            stream.write("\n".join([*tables_as_lines(made), *(f"> {escape(note)}\n" for note in report["notes"])]))
        return
    from toolmend.evals.reports.text import print_tables

    with form.console() as console:
        print_tables(made, console)
    for each in report["notes"]:
        screen.note(each)
