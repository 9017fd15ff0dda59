"""`toolmend probe`: what a model honours of what it is asked for, found out by a dozen tiny requests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

import click
from rich.table import Table
from rich.text import Text

from toolmend.apps.cli.kit import options, screen
from toolmend.base.portal import run_sync
from toolmend.models import load_model
from toolmend.models.probe import ProbeResult, able
from toolmend.models.probe import probe as probed
from toolmend.reading.tags import spoken_format

_STYLES = {"honoured": "green", "ignored": "yellow", "refused": "red", "unclear": "dim"}


@options.command
@click.argument("names", type=options.MODEL, metavar="MODEL...", nargs=-1, required=True)
@options.format_option
@click.pass_context
def probe(ctx: click.Context, names: tuple[str, ...], form: str) -> None:
    """Ask models for a dozen things and print which they honour, ignore or refuse.

    Servers answer 200 and ignore what they do not know; this shows it before a run depends on it. Exit code 1 if a
    model gave no reply at all.
    """
    found = [(model, run_sync(probed, model, spoken_format)) for model in map(load_model, names)]
    if form == "json":
        rows = [
            {"model": model.name, "findings": [asdict(finding) for finding in findings]} for model, findings in found
        ]
        screen.print_json({"schema": 1, "models": rows})
    else:
        for model, findings in found:
            _print(model.name, findings)
            if able(model, findings).abilities.schemas and not model.abilities.schemas:
                mark = "&" if "?" in model.name else "?"
                screen.note(f"corrections are mended more surely with {model.name}{mark}can=schema")
    if any(findings[0].verdict != "honoured" for _, findings in found):
        ctx.exit(1)


def _print(name: str, findings: Sequence[ProbeResult]) -> None:
    table = Table(box=None, pad_edge=False, show_header=False)
    for finding in findings:
        verdict = Text(finding.verdict, _STYLES[finding.verdict])
        table.add_row(Text(finding.asked), verdict, Text(screen.plain(finding.evidence)))
    console = screen.console()
    console.print(screen.plain(name), style="bold", soft_wrap=True)
    console.print(table)
